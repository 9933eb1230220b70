//! Tags to header.

use tabiya_game::{Date, GameResult, Tags};

use super::{Decode, Details, Encode, FromMoves, Leftover, leftover, spelling, tell::title_tag};
use crate::files::{
    EcoCode, Ending, Field, PackedDate, RatingType,
    annotators::Annotator,
    extended::ExtendedRecord,
    game_tags::{GameTag, LANGUAGES},
    header::GameRecord,
    nations::Nation,
    sources::Source,
    teams::Team,
    tournaments::{Tournament, TournamentKind},
};

/// The header of a game, made of its tags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The header. Numbers of records are 0, and what the moves tell is not there.
    pub record: GameRecord,
    /// The extended header. Numbers of records are those of the default.
    pub extended: ExtendedRecord,
    /// What the numbers should lead to.
    pub details: Details,
    /// Tags that have no place, or of which not all has.
    pub leftovers: Vec<Leftover>,
}

/// Finds a place for tags. `FEN`, `SetUp` and `Variant` have theirs with the moves, if they say what
/// those tell; clocks have it with the annotations: who writes those takes them out before.
#[must_use]
pub fn parts(tags: &Tags, moves: &FromMoves<'_>, encode: Encode<'_>, decode: Decode<'_>) -> Parts {
    let read = Read { tags, encode };
    let record = read.record();
    let extended = read.extended(&record);
    let details = read.details();
    let leftovers = leftover::find(tags, &record, &extended, &details, moves, decode);
    Parts {
        record,
        extended,
        details,
        leftovers,
    }
}

struct Read<'t> {
    tags: &'t Tags,
    encode: Encode<'t>,
}

impl Read<'_> {
    /// A value; empty if nothing is known.
    fn value(&self, name: &str) -> &str {
        let value = self.tags.get(name).unwrap_or_default().trim();
        if value == "?" { "" } else { value }
    }

    fn field<const N: usize>(&self, name: &str) -> Field<N> {
        spelling::field(self.value(name), self.encode)
    }

    fn date(&self, name: &str) -> PackedDate {
        let date: Option<Date> = self.value(name).parse().ok();
        date.map(PackedDate::new).unwrap_or_default()
    }

    fn small(&self, name: &str) -> u8 {
        spelling::small(self.value(name))
    }

    fn nation(&self, name: &str) -> Nation {
        Nation::from_code(self.value(name)).unwrap_or_default()
    }

    fn record(&self) -> GameRecord {
        let (round, subround) = match spelling::parse_round(self.value("Round")) {
            // ChessBase reads boards as rounds within the round.
            (round, 0) => (round, self.small("Board")),
            both => both,
        };
        let ending = self.ending();
        let line_nag = self.value("LineEvaluation").strip_prefix('$');
        let line_nag = line_nag.map_or(0, spelling::small);
        let elo = |name| self.value(name).parse().unwrap_or(0);
        GameRecord {
            date: self.date("Date"),
            ending,
            line_nag: if ending == Ending::Line { line_nag } else { 0 },
            round,
            subround,
            white_elo: elo("WhiteElo"),
            black_elo: elo("BlackElo"),
            eco: EcoCode::parse(self.value("ECO")).unwrap_or_default(),
            medals: spelling::parse_medals(self.value("Medals")),
            ..GameRecord::default()
        }
    }

    fn ending(&self) -> Ending {
        let result = self.value("Result").parse().unwrap_or_default();
        match (result, self.value("Termination")) {
            (GameResult::Draw, "forfeit") => Ending::DrawByForfeit,
            (result, _) => Ending::from(result),
        }
    }

    /// A player without rating has no kind of rating either.
    fn extended(&self, record: &GameRecord) -> ExtendedRecord {
        let rating = |name, elo| {
            let told = spelling::parse_rating_type(self.value(name), self.encode);
            match elo {
                0 => told.unwrap_or_default(),
                _ => told.unwrap_or_else(RatingType::fide),
            }
        };
        ExtendedRecord {
            ratings: [
                rating("WhiteRatingType", record.white_elo),
                rating("BlackRatingType", record.black_elo),
            ],
            ..ExtendedRecord::default()
        }
    }

    fn details(&self) -> Details {
        Details {
            white: spelling::player(self.value("White"), self.encode),
            black: spelling::player(self.value("Black"), self.encode),
            tournament: self.tournament(),
            tournament_end: self.date("EventEndDate"),
            annotator: Annotator {
                name: self.field("Annotator"),
            },
            source: self.source(),
            white_team: self.team("White"),
            black_team: self.team("Black"),
            title: self.title(),
        }
    }

    fn tournament(&self) -> Tournament {
        Tournament {
            title: self.field("Event"),
            place: self.field("Site"),
            date: self.date("EventDate"),
            kind: TournamentKind::parse(self.value("EventType")).unwrap_or_default(),
            nation: self.nation("EventCountry"),
            category: self.small("EventCategory"),
            rounds: self.small("EventRounds"),
            ..Tournament::default()
        }
    }

    fn source(&self) -> Source {
        let mut source = Source {
            title: self.field("SourceTitle"),
            publisher: self.field("Source"),
            publication: self.date("SourceDate"),
            date: self.date("SourceVersionDate"),
            version: self.small("SourceVersion"),
            quality: self.small("SourceQuality"),
        };
        // As ChessBase has it where it tells the date of the version alone.
        let nameless = source.title.is_empty() && source.publisher.is_empty();
        if nameless && source.publication.is_unknown() {
            source.publication = source.date;
        }
        source
    }

    fn team(&self, side: &str) -> Option<Team> {
        let (year, season) = spelling::parse_team_year(self.value(&format!("{side}TeamYear")));
        let number = self.value(&format!("{side}TeamNumber")).parse();
        let team = Team {
            title: spelling::filled(self.value(&format!("{side}Team")), self.encode),
            number: number.unwrap_or(0),
            season,
            year,
            nation: self.nation(&format!("{side}TeamCountry")),
        };
        (team != Team::default()).then_some(team)
    }

    fn title(&self) -> Option<Box<GameTag>> {
        let mut tag = GameTag::default();
        for (language, title) in LANGUAGES.iter().zip(&mut tag.titles) {
            *title = self.field(&title_tag(language));
        }
        (!tag.is_empty()).then(|| Box::new(tag))
    }
}
