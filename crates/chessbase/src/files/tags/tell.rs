//! Header to tags.

use tabiya_game::Tags;

use super::{
    DELETED, Decode, Details, FLAGS, FromMoves,
    sheet::{EventSheet, Sheet, SourceSheet, TeamSheet},
    spelling,
};
use crate::files::{
    Ending, PackedDate,
    extended::ExtendedRecord,
    game_tags::LANGUAGES,
    header::{GameRecord, TextRecord},
    sources::Source,
    teams::Team,
    tournaments::Tournament,
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
pub(crate) fn sheet<'a>(
    record: &GameRecord,
    extended: &ExtendedRecord,
    details: &'a Details,
    decode: Decode<'_>,
) -> Sheet<'a> {
    Sheet {
        event: event(&details.tournament, details.tournament_end, decode),
        annotator: decode(details.annotator.name.text()),
        source: source(&details.source, decode),
        ..own_sheet(record, extended, details, decode)
    }
}

/// The same without what games of a tournament have in common.
fn own_sheet<'a>(
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
        date: record.date,
        round: [record.round.into(), record.subround.into()],
        players: [&details.white, &details.black].map(|it| spelling::name(it, decode).into()),
        ending: record.ending,
        line_nag: record.line_nag,
        eco: record.eco,
        elo: [record.white_elo.into(), record.black_elo.into()],
        rating_types: [0, 1].map(|it| spelling::rating_type(&extended.ratings[it], decode).into()),
        teams: [&details.white_team, &details.black_team]
            .map(|it| it.as_ref().map(|it| team(it, decode))),
        medals: record.medals,
        deleted: record.kind.is_deleted(),
        titles: titles.filter(|(_, title)| !title.is_empty()).collect(),
        ..Sheet::default()
    }
}

fn event<'a>(tournament: &'a Tournament, end: PackedDate, decode: Decode<'_>) -> EventSheet<'a> {
    EventSheet {
        title: decode(tournament.title.text()),
        place: decode(tournament.place.text()),
        date: tournament.date,
        end,
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
    tell.place(&sheet.event);
    tell.game(sheet);
    tell.known("Annotator", &sheet.annotator);
    tell.moves(moves);
    tell.event(&sheet.event);
    tell.source(&sheet.source);
    tell.rest(sheet);
}

/// The tags that stay from game to game of a tournament, and what they say.
#[derive(Debug, Default)]
pub(super) struct Spelled {
    place: Vec<(String, String)>,
    annotator: Vec<(String, String)>,
    /// The tournament and the source.
    tournament: Vec<(String, String)>,
}

impl Spelled {
    pub(super) fn new(details: &Details, decode: Decode<'_>) -> Spelled {
        let spell = |tell: &dyn Fn(&mut Tell<'_>)| {
            let mut list = Vec::new();
            tell(&mut Tell {
                tag: &mut |name, value| list.push((name.to_owned(), value.to_owned())),
            });
            list
        };
        let event = event(&details.tournament, details.tournament_end, decode);
        let annotator = decode(details.annotator.name.text());
        Spelled {
            place: spell(&|tell| tell.place(&event)),
            annotator: spell(&|tell| tell.known("Annotator", &annotator)),
            tournament: spell(&|tell| {
                tell.event(&event);
                tell.source(&source(&details.source, decode));
            }),
        }
    }
}

/// Tells the tags of a game, of which some are spelled already.
pub(super) fn tell_spelled(
    record: &GameRecord,
    extended: &ExtendedRecord,
    details: &Details,
    spelled: &Spelled,
    moves: &FromMoves<'_>,
    decode: Decode<'_>,
    tag: &mut dyn FnMut(&str, &str),
) {
    let sheet = own_sheet(record, extended, details, decode);
    let mut tell = Tell { tag };
    tell.list(&spelled.place);
    tell.game(&sheet);
    tell.list(&spelled.annotator);
    tell.moves(moves);
    tell.list(&spelled.tournament);
    tell.rest(&sheet);
}

/// What is known about a text, as tags. It has no players and no result.
#[must_use]
pub fn text_tags(record: &TextRecord, details: &Details, decode: Decode<'_>) -> Tags {
    let mut tags = Tags::new();
    let mut tell = Tell {
        tag: &mut |name, value| tags.push(name, value),
    };
    let event = event(&details.tournament, details.tournament_end, decode);
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

/// What is known about a tournament besides its name, as tags.
#[must_use]
pub fn tournament_tags(tournament: &Tournament, end: PackedDate) -> Tags {
    let mut tags = Tags::new();
    let mut tell = Tell {
        tag: &mut |name, value| tags.push(name, value),
    };
    // None of them is a name.
    tell.event(&event(tournament, end, &String::from_utf8_lossy));
    tags
}

/// The tags of a team.
struct TeamTags {
    name: &'static str,
    country: &'static str,
    number: &'static str,
    year: &'static str,
}

const WHITE_TEAM: TeamTags = TeamTags {
    name: "WhiteTeam",
    country: "WhiteTeamCountry",
    number: "WhiteTeamNumber",
    year: "WhiteTeamYear",
};

const BLACK_TEAM: TeamTags = TeamTags {
    name: "BlackTeam",
    country: "BlackTeamCountry",
    number: "BlackTeamNumber",
    year: "BlackTeamYear",
};

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

    fn list(&mut self, tags: &[(String, String)]) {
        for (name, value) in tags {
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

    fn place(&mut self, event: &EventSheet<'_>) {
        self.always("Event", &event.title);
        self.always("Site", &event.place);
    }

    /// When and by whom the game was played, and how it ended.
    fn game(&mut self, sheet: &Sheet<'_>) {
        self.always("Date", &sheet.date.to_string());
        self.always("Round", &spelling::round(sheet.round));
        self.number("Board", sheet.board);
        let [white, black] = &sheet.players;
        self.always("White", white);
        self.always("Black", black);
        self.always("Result", sheet.ending.result().tag());
        if sheet.ending == Ending::DrawByForfeit {
            self.known("Termination", "forfeit");
        }
        if let (Ending::Line, nag @ 1..) = (sheet.ending, sheet.line_nag) {
            self.known("LineEvaluation", &format!("${nag}"));
        }
        self.known("ECO", &sheet.eco.to_string());
        for (name, elo) in ["WhiteElo", "BlackElo"].iter().zip(sheet.elo) {
            self.number(name, elo);
        }
        let names = ["WhiteRatingType", "BlackRatingType"];
        for (name, kind) in names.iter().zip(&sheet.rating_types) {
            self.known(name, kind);
        }
        for (name, id) in ["WhiteFideId", "BlackFideId"].iter().zip(sheet.fide_ids) {
            if id > 0 {
                self.known(name, &id.to_string());
            }
        }
    }

    /// What stands behind the tournament and the source.
    fn rest(&mut self, sheet: &Sheet<'_>) {
        self.teams(&sheet.teams);
        self.known("Medals", &spelling::medals(sheet.medals));
        if sheet.deleted {
            self.known(FLAGS, DELETED);
        }
        for (language, title) in &sheet.titles {
            self.known(&spelling::title_tag(language), title);
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
        let teams = [(&WHITE_TEAM, white), (&BLACK_TEAM, black)];
        let teams = teams.map(|(tags, team)| team.as_ref().map(|team| (tags, team)));
        for (tags, team) in teams.into_iter().flatten() {
            self.known(tags.name, &team.title);
        }
        for (tags, team) in teams.into_iter().flatten() {
            self.known(tags.country, team.nation.code().unwrap_or_default());
        }
        for (tags, team) in teams.into_iter().flatten() {
            self.number(tags.number, team.number);
            self.known(tags.year, &spelling::team_year(team.year, team.season));
        }
    }
}
