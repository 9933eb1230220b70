//! What the header of a game says, whichever family stores it.
//!
//! A [`Sheet`] stands between the tags of a game and the files of a database: each family fills
//! one from its records, and fits one into them.

use std::borrow::Cow;

use tabiya_game::{Date, GameResult, Tags};

use super::{DELETED, FLAGS, spelling};
use crate::files::{
    EcoCode, Ending, Medals, PackedDate, nations::Nation, tournaments::TournamentKind,
};

/// The header of a game in words and numbers. Texts are empty and numbers 0 where nothing is
/// known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet<'a> {
    /// The tournament.
    pub event: EventSheet<'a>,
    /// When the game was played.
    pub date: PackedDate,
    /// Round and round within the round.
    pub round: [u16; 2],
    /// The board.
    pub board: u16,
    /// White and Black, as `Last, First`.
    pub players: [Cow<'a, str>; 2],
    /// The numbers that FIDE gave them.
    pub fide_ids: [i64; 2],
    /// How the game ended.
    pub ending: Ending,
    /// The NAG that judges a line.
    pub line_nag: u8,
    /// The opening.
    pub eco: EcoCode,
    /// The ratings of White and Black.
    pub elo: [i32; 2],
    /// What kinds of ratings these are, in the words of a tag.
    pub rating_types: [Cow<'a, str>; 2],
    /// Who annotated the game.
    pub annotator: Cow<'a, str>,
    /// Where it was found.
    pub source: SourceSheet<'a>,
    /// Whom White and Black play for.
    pub teams: [Option<TeamSheet<'a>>; 2],
    /// Medals.
    pub medals: Medals,
    /// It is marked as deleted.
    pub deleted: bool,
    /// Titles, each behind its language as tags name it.
    pub titles: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl Default for Sheet<'_> {
    fn default() -> Self {
        Sheet {
            event: EventSheet::default(),
            date: PackedDate::default(),
            round: [0; 2],
            board: 0,
            players: Default::default(),
            fide_ids: [0; 2],
            ending: Ending::Line,
            line_nag: 0,
            eco: EcoCode::NONE,
            elo: [0; 2],
            rating_types: Default::default(),
            annotator: "".into(),
            source: SourceSheet::default(),
            teams: [None, None],
            medals: Medals::default(),
            deleted: false,
            titles: Vec::new(),
        }
    }
}

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventSheet<'a> {
    /// What it is called.
    pub title: Cow<'a, str>,
    /// Where it took place.
    pub place: Cow<'a, str>,
    /// When it began.
    pub date: PackedDate,
    /// When it ended.
    pub end: PackedDate,
    /// What kind it is.
    pub kind: TournamentKind,
    /// How many rounds.
    pub rounds: u8,
    /// Where it took place.
    pub nation: Nation,
    /// Its category by FIDE.
    pub category: u8,
}

/// A source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceSheet<'a> {
    /// What it is called.
    pub title: Cow<'a, str>,
    /// Who published it.
    pub publisher: Cow<'a, str>,
    /// When it was published.
    pub publication: PackedDate,
    /// When this version was made.
    pub date: PackedDate,
    /// The number of the version.
    pub version: i32,
    /// How good it is.
    pub quality: i32,
}

/// A team.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TeamSheet<'a> {
    /// What it is called.
    pub title: Cow<'a, str>,
    /// Which team of a club.
    pub number: i32,
    /// Whether the year is the first of two: not 0 if so.
    pub season: u8,
    /// The year.
    pub year: i32,
    /// Where it comes from.
    pub nation: Nation,
}

impl<'a> Sheet<'a> {
    /// What tags say of a header. `languages` are those that titles can have.
    #[must_use]
    pub fn read(tags: &'a Tags, languages: &[&'static str]) -> Sheet<'a> {
        Read(tags).sheet(languages)
    }
}

struct Read<'t>(&'t Tags);

impl<'t> Read<'t> {
    /// A value; empty if nothing is known.
    fn value(&self, name: &str) -> &'t str {
        let value = self.0.get(name).unwrap_or_default().trim();
        if value == "?" { "" } else { value }
    }

    fn text(&self, name: &str) -> Cow<'t, str> {
        self.value(name).into()
    }

    fn date(&self, name: &str) -> PackedDate {
        let date: Option<Date> = self.value(name).parse().ok();
        date.map(PackedDate::new).unwrap_or_default()
    }

    fn number<T: std::str::FromStr + Default>(&self, name: &str) -> T {
        self.value(name).parse().unwrap_or_default()
    }

    fn nation(&self, name: &str) -> Nation {
        Nation::from_code(self.value(name)).unwrap_or_default()
    }

    fn sheet(&self, languages: &[&'static str]) -> Sheet<'t> {
        let ending = self.ending();
        let line_nag = self.value("LineEvaluation").strip_prefix('$');
        let line_nag = line_nag.map_or(0, spelling::small);
        let titles = languages.iter().map(|language| {
            let title = self.text(&spelling::title_tag(language));
            (Cow::Borrowed(*language), title)
        });
        Sheet {
            event: self.event(),
            date: self.date("Date"),
            round: spelling::parse_round(self.value("Round")),
            board: self.number("Board"),
            players: [self.text("White"), self.text("Black")],
            fide_ids: [self.number("WhiteFideId"), self.number("BlackFideId")],
            ending,
            line_nag: if ending == Ending::Line { line_nag } else { 0 },
            eco: EcoCode::parse(self.value("ECO")).unwrap_or_default(),
            elo: [self.number("WhiteElo"), self.number("BlackElo")],
            rating_types: [self.text("WhiteRatingType"), self.text("BlackRatingType")],
            annotator: self.text("Annotator"),
            source: self.source(),
            teams: [self.team("White"), self.team("Black")],
            medals: spelling::parse_medals(self.value("Medals")),
            deleted: self.value(FLAGS).contains(DELETED),
            titles: titles.filter(|(_, title)| !title.is_empty()).collect(),
        }
    }

    fn ending(&self) -> Ending {
        let result = self.value("Result").parse().unwrap_or_default();
        match (result, self.value("Termination")) {
            (GameResult::Draw, "forfeit") => Ending::DrawByForfeit,
            (result, _) => Ending::from(result),
        }
    }

    fn event(&self) -> EventSheet<'t> {
        EventSheet {
            title: self.text("Event"),
            place: self.text("Site"),
            date: self.date("EventDate"),
            end: self.date("EventEndDate"),
            kind: TournamentKind::parse(self.value("EventType")).unwrap_or_default(),
            nation: self.nation("EventCountry"),
            category: self.number("EventCategory"),
            rounds: self.number("EventRounds"),
        }
    }

    fn source(&self) -> SourceSheet<'t> {
        let mut source = SourceSheet {
            title: self.text("SourceTitle"),
            publisher: self.text("Source"),
            publication: self.date("SourceDate"),
            date: self.date("SourceVersionDate"),
            version: self.number("SourceVersion"),
            quality: self.number("SourceQuality"),
        };
        // As ChessBase has it where it tells the date of the version alone.
        let nameless = source.title.is_empty() && source.publisher.is_empty();
        if nameless && source.publication.is_unknown() {
            source.publication = source.date;
        }
        source
    }

    fn team(&self, side: &str) -> Option<TeamSheet<'t>> {
        let (year, season) = spelling::parse_team_year(self.value(&format!("{side}TeamYear")));
        let team = TeamSheet {
            title: self.text(&format!("{side}Team")),
            number: self.number(&format!("{side}TeamNumber")),
            season,
            year,
            nation: self.nation(&format!("{side}TeamCountry")),
        };
        (team != TeamSheet::default()).then_some(team)
    }
}
