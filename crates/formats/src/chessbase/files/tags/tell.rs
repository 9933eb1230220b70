//! Header to tags.

use tabiya_game::Tags;

use super::{
    Decode, Details, FromMoves,
    sheet::{EventSheet, Sheet, SourceSheet, TeamSheet},
    spelling,
};
use crate::chessbase::files::{
    Ending, PackedDate,
    extended::ExtendedRecord,
    game_tags::LANGUAGES,
    header::{GameRecord, TextRecord},
    sources::Source,
    teams::Team,
};

/// The tags of a game, in the order of ChessBase's export.
#[must_use]
pub fn game_tags(
    record: &GameRecord,
    extended: &ExtendedRecord,
    details: &Details,
    moves: &FromMoves<'_>,
    decode: Decode<'_>,
) -> Tags {
    let mut tags = Tags::new();
    let mut push = |name: &str, value: &str| tags.push(name, value);
    tell_game_tags(record, extended, details, moves, decode, &mut push);
    tags
}

/// Tells the same tags one after the other.
pub fn tell_game_tags(
    record: &GameRecord,
    extended: &ExtendedRecord,
    details: &Details,
    moves: &FromMoves<'_>,
    decode: Decode<'_>,
    tag: &mut dyn FnMut(&str, &str),
) {
    tell_sheet(&sheet(record, extended, details, decode), moves, tag);
}

/// What the records of a game say.
pub(in crate::chessbase) fn sheet<'a>(
    record: &GameRecord,
    extended: &ExtendedRecord,
    details: &'a Details,
    decode: Decode<'_>,
) -> Sheet<'a> {
    let titles = details.title.iter().flat_map(|title| {
        let titles = LANGUAGES.into_iter().zip(&title.titles);
        titles.map(move |(language, title)| (language.into(), decode(title.text())))
    });
    Sheet {
        event: event(details, decode),
        date: record.date,
        round: [record.round.into(), record.subround.into()],
        board: 0,
        players: [&details.white, &details.black].map(|it| spelling::name(it, decode).into()),
        fide_ids: [0; 2],
        ending: record.ending,
        line_nag: record.line_nag,
        eco: record.eco,
        elo: [record.white_elo.into(), record.black_elo.into()],
        rating_types: [0, 1].map(|it| spelling::rating_type(&extended.ratings[it], decode).into()),
        annotator: decode(details.annotator.name.text()),
        source: source(&details.source, decode),
        teams: [&details.white_team, &details.black_team]
            .map(|it| it.as_ref().map(|it| team(it, decode))),
        medals: record.medals,
        titles: titles.filter(|(_, title)| !title.is_empty()).collect(),
    }
}

fn event<'a>(details: &'a Details, decode: Decode<'_>) -> EventSheet<'a> {
    let tournament = &details.tournament;
    EventSheet {
        title: decode(tournament.title.text()),
        place: decode(tournament.place.text()),
        date: tournament.date,
        end: details.tournament_end,
        kind: tournament.kind,
        rounds: tournament.rounds,
        nation: tournament.nation,
        category: tournament.category,
    }
}

fn source<'a>(source: &'a Source, decode: Decode<'_>) -> SourceSheet<'a> {
    SourceSheet {
        title: decode(source.title.text()),
        publisher: decode(source.publisher.text()),
        publication: source.publication,
        date: source.date,
        version: source.version.into(),
        quality: source.quality.into(),
    }
}

fn team<'a>(team: &'a Team, decode: Decode<'_>) -> TeamSheet<'a> {
    TeamSheet {
        title: decode(team.title.text()),
        number: team.number,
        season: team.season,
        year: team.year,
        nation: team.nation,
    }
}

/// Tells the tags of a sheet, in the order of ChessBase's export.
pub fn tell_sheet(sheet: &Sheet<'_>, moves: &FromMoves<'_>, tag: &mut dyn FnMut(&str, &str)) {
    let mut tell = Tell { tag };
    tell.always("Event", &sheet.event.title);
    tell.always("Site", &sheet.event.place);
    tell.always("Date", &sheet.date.to_string());
    tell.always("Round", &spelling::round(sheet.round));
    tell.number("Board", sheet.board);
    let [white, black] = &sheet.players;
    tell.always("White", white);
    tell.always("Black", black);
    tell.always("Result", sheet.ending.result().tag());
    if sheet.ending == Ending::DrawByForfeit {
        tell.known("Termination", "forfeit");
    }
    if let (Ending::Line, nag @ 1..) = (sheet.ending, sheet.line_nag) {
        tell.known("LineEvaluation", &format!("${nag}"));
    }
    tell.known("ECO", &sheet.eco.to_string());
    for (name, elo) in ["WhiteElo", "BlackElo"].iter().zip(sheet.elo) {
        tell.number(name, elo);
    }
    let names = ["WhiteRatingType", "BlackRatingType"];
    for (name, kind) in names.iter().zip(&sheet.rating_types) {
        tell.known(name, kind);
    }
    for (name, id) in ["WhiteFideId", "BlackFideId"].iter().zip(sheet.fide_ids) {
        if id > 0 {
            tell.known(name, &id.to_string());
        }
    }
    tell.known("Annotator", &sheet.annotator);
    tell.moves(moves);
    tell.event(&sheet.event);
    tell.source(&sheet.source);
    tell.teams(&sheet.teams);
    tell.known("Medals", &spelling::medals(sheet.medals));
    for (language, title) in &sheet.titles {
        tell.known(&spelling::title_tag(language), title);
    }
}

/// What is known about a text, as tags. It has no players and no result.
#[must_use]
pub fn text_tags(record: &TextRecord, details: &Details, decode: Decode<'_>) -> Tags {
    let mut tags = Tags::new();
    let mut tell = Tell {
        tag: &mut |name, value| tags.push(name, value),
    };
    let event = event(details, decode);
    tell.known("Event", &event.title);
    tell.known("Site", &event.place);
    let round = [record.round, record.subround].map(u16::from);
    if round != [0, 0] {
        tell.known("Round", &spelling::round(round));
    }
    tell.known("Annotator", &decode(details.annotator.name.text()));
    tell.event(&event);
    tell.source(&source(&details.source, decode));
    tags
}

struct Tell<'d> {
    tag: &'d mut dyn FnMut(&str, &str),
}

impl Tell<'_> {
    /// A tag that is there even if nothing is known.
    fn always(&mut self, name: &str, value: &str) {
        (self.tag)(name, if value.is_empty() { "?" } else { value });
    }

    fn known(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            (self.tag)(name, value);
        }
    }

    fn number(&mut self, name: &str, number: impl Into<i32>) {
        let number = number.into();
        if number != 0 {
            self.known(name, &number.to_string());
        }
    }

    fn date(&mut self, name: &str, date: PackedDate) {
        if !date.is_unknown() {
            self.known(name, &date.to_string());
        }
    }

    fn moves(&mut self, moves: &FromMoves<'_>) {
        if let Some(variant) = moves.variant {
            self.known("Variant", variant);
        }
        if let Some(fen) = moves.fen {
            self.known("SetUp", "1");
            self.known("FEN", fen);
        }
        if let Some(plies) = moves.plies {
            self.known("PlyCount", &plies.to_string());
        }
    }

    fn event(&mut self, event: &EventSheet<'_>) {
        self.date("EventDate", event.date);
        self.date("EventEndDate", event.end);
        self.known("EventType", &event.kind.to_string());
        self.number("EventRounds", event.rounds);
        self.known("EventCountry", event.nation.code().unwrap_or_default());
        self.number("EventCategory", event.category);
    }

    /// ChessBase says nothing about the publication of a source without name, and gives it the
    /// date of its version.
    fn source(&mut self, source: &SourceSheet<'_>) {
        self.known("SourceTitle", &source.title);
        self.known("Source", &source.publisher);
        let nameless = source.title.is_empty() && source.publisher.is_empty();
        if !nameless || source.publication != source.date {
            self.date("SourceDate", source.publication);
        }
        self.number("SourceVersion", source.version);
        self.date("SourceVersionDate", source.date);
        self.number("SourceQuality", source.quality);
    }

    fn teams(&mut self, teams: &[Option<TeamSheet<'_>>; 2]) {
        let [white, black] = teams;
        let teams = [("White", white), ("Black", black)];
        let teams = teams.map(|(side, team)| team.as_ref().map(|team| (side, team)));
        for (side, team) in teams.into_iter().flatten() {
            self.known(&format!("{side}Team"), &team.title);
        }
        for (side, team) in teams.into_iter().flatten() {
            let nation = team.nation.code().unwrap_or_default();
            self.known(&format!("{side}TeamCountry"), nation);
        }
        for (side, team) in teams.into_iter().flatten() {
            self.number(&format!("{side}TeamNumber"), team.number);
            let year = spelling::team_year(team.year, team.season);
            self.known(&format!("{side}TeamYear"), &year);
        }
    }
}
