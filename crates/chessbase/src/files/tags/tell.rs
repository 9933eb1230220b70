//! Header to tags.

use tabiya_game::Tags;

use super::{Decode, Details, FromMoves, spelling};
use crate::files::{
    Ending, PackedDate,
    extended::ExtendedRecord,
    game_tags::{GameTag, LANGUAGES},
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
    let spelled = Spelled::new(details, decode);
    tell_spelled(record, extended, details, &spelled, moves, decode, tag);
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
                decode,
            });
            list
        };
        Spelled {
            place: spell(&|tell| tell.place(&details.tournament)),
            annotator: spell(&|tell| tell.text("Annotator", details.annotator.name.text())),
            tournament: spell(&|tell| {
                tell.tournament(&details.tournament, details.tournament_end);
                tell.source(&details.source);
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
    let mut tell = Tell { tag, decode };
    tell.list(&spelled.place);
    tell.always("Date", &record.date.to_string());
    tell.always("Round", &spelling::round(record.round, record.subround));
    tell.always("White", &spelling::name(&details.white, decode));
    tell.always("Black", &spelling::name(&details.black, decode));
    tell.always("Result", record.ending.result().tag());
    if record.ending == Ending::DrawByForfeit {
        tell.known("Termination", "forfeit");
    }
    tell.known("LineEvaluation", &spelling::line_evaluation(record));
    tell.known("ECO", &record.eco.to_string());
    tell.number("WhiteElo", record.white_elo);
    tell.number("BlackElo", record.black_elo);
    for (name, rating) in ["WhiteRatingType", "BlackRatingType"]
        .iter()
        .zip(&extended.ratings)
    {
        tell.known(name, &spelling::rating_type(rating, decode));
    }
    tell.list(&spelled.annotator);
    tell.moves(moves);
    tell.list(&spelled.tournament);
    tell.teams(details.white_team.as_ref(), details.black_team.as_ref());
    tell.known("Medals", &spelling::medals(record.medals));
    if let Some(title) = &details.title {
        tell.title(title);
    }
}

/// What is known about a text, as tags. It has no players and no result.
#[must_use]
pub fn text_tags(record: &TextRecord, details: &Details, decode: Decode<'_>) -> Tags {
    let mut tags = Tags::new();
    let mut tell = Tell {
        tag: &mut |name, value| tags.push(name, value),
        decode,
    };
    tell.text("Event", details.tournament.title.text());
    tell.text("Site", details.tournament.place.text());
    if (record.round, record.subround) != (0, 0) {
        tell.known("Round", &spelling::round(record.round, record.subround));
    }
    tell.text("Annotator", details.annotator.name.text());
    tell.tournament(&details.tournament, details.tournament_end);
    tell.source(&details.source);
    tags
}

/// What is known about a tournament besides its name, as tags.
#[must_use]
pub fn tournament_tags(tournament: &Tournament, end: PackedDate) -> Tags {
    let mut tags = Tags::new();
    let mut tell = Tell {
        tag: &mut |name, value| tags.push(name, value),
        // None of them is a name.
        decode: &|bytes| String::from_utf8_lossy(bytes),
    };
    tell.tournament(tournament, end);
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
    decode: Decode<'d>,
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

    fn text(&mut self, name: &str, bytes: &[u8]) {
        let decode = self.decode;
        self.known(name, &decode(bytes));
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

    fn place(&mut self, tournament: &Tournament) {
        let decode = self.decode;
        self.always("Event", &decode(tournament.title.text()));
        self.always("Site", &decode(tournament.place.text()));
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

    fn tournament(&mut self, tournament: &Tournament, end: PackedDate) {
        self.date("EventDate", tournament.date);
        self.date("EventEndDate", end);
        self.known("EventType", &tournament.kind.to_string());
        self.number("EventRounds", tournament.rounds);
        self.known("EventCountry", tournament.nation.code().unwrap_or_default());
        self.number("EventCategory", tournament.category);
    }

    /// ChessBase says nothing about the publication of a source without name, and gives it the
    /// date of its version.
    fn source(&mut self, source: &Source) {
        self.text("SourceTitle", source.title.text());
        self.text("Source", source.publisher.text());
        let nameless = source.title.is_empty() && source.publisher.is_empty();
        if !nameless || source.publication != source.date {
            self.date("SourceDate", source.publication);
        }
        self.number("SourceVersion", source.version);
        self.date("SourceVersionDate", source.date);
        self.number("SourceQuality", source.quality);
    }

    fn teams(&mut self, white: Option<&Team>, black: Option<&Team>) {
        let teams = [(&WHITE_TEAM, white), (&BLACK_TEAM, black)];
        let teams = teams.map(|(tags, team)| team.map(|team| (tags, team)));
        for (tags, team) in teams.into_iter().flatten() {
            self.text(tags.name, team.title.text());
        }
        for (tags, team) in teams.into_iter().flatten() {
            self.known(tags.country, team.nation.code().unwrap_or_default());
        }
        for (tags, team) in teams.into_iter().flatten() {
            self.number(tags.number, team.number);
            self.known(tags.year, &spelling::team_year(team));
        }
    }

    fn title(&mut self, tag: &GameTag) {
        for (language, title) in LANGUAGES.iter().zip(&tag.titles) {
            self.text(&title_tag(language), title.text());
        }
    }
}

/// The tag for titles in a language. English has the plain one, as the first of the list; titles
/// in no language in particular have one of their own.
pub(super) fn title_tag(language: &str) -> String {
    match language {
        "en" => "GameTitle".to_string(),
        "" => "GameTitle_any".to_string(),
        language => format!("GameTitle_{language}"),
    }
}
