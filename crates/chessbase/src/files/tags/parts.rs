//! Tags to header.

use tabiya_game::Tags;

use super::{
    Decode, Details, Encode, FromMoves, Leftover, leftover,
    sheet::{Sheet, TeamSheet},
    spelling,
    tell::sheet,
};
use crate::files::{
    RatingType,
    annotators::Annotator,
    extended::ExtendedRecord,
    game_tags::{GameTag, LANGUAGES},
    header::{EntryKind, GameRecord},
    sources::Source,
    teams::Team,
    tournaments::Tournament,
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
    let told = Sheet::read(tags, &LANGUAGES);
    let (record, extended, details) = fit(&told, encode);
    let kept = sheet(&record, &extended, &details, decode);
    let leftovers = leftover::find(tags, &kept, moves, &[]);
    Parts {
        record,
        extended,
        details,
        leftovers,
    }
}

/// Fits a sheet into records, as far as there is room for it.
pub(crate) fn fit(sheet: &Sheet<'_>, encode: Encode<'_>) -> (GameRecord, ExtendedRecord, Details) {
    let fit = Fit { sheet, encode };
    let record = fit.record();
    (record, fit.extended(&record), fit.details())
}

/// Fits a sheet into records.
struct Fit<'s> {
    sheet: &'s Sheet<'s>,
    encode: Encode<'s>,
}

/// A number as far as there is room for it, else 0.
fn number<T: TryFrom<N> + Default, N>(number: N) -> T {
    T::try_from(number).unwrap_or_default()
}

impl Fit<'_> {
    fn record(&self) -> GameRecord {
        let sheet = self.sheet;
        let [round, subround] = sheet.round.map(number::<u8, _>);
        GameRecord {
            kind: EntryKind::GAME.deleted(sheet.deleted),
            date: sheet.date,
            ending: sheet.ending,
            line_nag: sheet.line_nag,
            round,
            // ChessBase reads boards as rounds within the round.
            subround: match subround {
                0 => number(sheet.board),
                subround => subround,
            },
            white_elo: number(sheet.elo[0]),
            black_elo: number(sheet.elo[1]),
            eco: sheet.eco,
            medals: sheet.medals,
            ..GameRecord::default()
        }
    }

    /// A player without rating has no kind of rating either.
    fn extended(&self, record: &GameRecord) -> ExtendedRecord {
        let rating = |side: usize, elo| {
            let told = &self.sheet.rating_types[side];
            let told = spelling::parse_rating_type(told, self.encode);
            match elo {
                0 => told.unwrap_or_default(),
                _ => told.unwrap_or_else(RatingType::fide),
            }
        };
        ExtendedRecord {
            ratings: [rating(0, record.white_elo), rating(1, record.black_elo)],
            ..ExtendedRecord::default()
        }
    }

    fn details(&self) -> Details {
        let (sheet, encode) = (self.sheet, self.encode);
        let [white, black] = &sheet.players;
        let [white_team, black_team] = &sheet.teams;
        Details {
            white: spelling::player(white, encode),
            black: spelling::player(black, encode),
            tournament: self.tournament(),
            tournament_end: sheet.event.end,
            annotator: Annotator {
                name: spelling::field(&sheet.annotator, encode),
            },
            source: self.source(),
            white_team: white_team.as_ref().map(|team| self.team(team)),
            black_team: black_team.as_ref().map(|team| self.team(team)),
            title: self.title(),
        }
    }

    fn tournament(&self) -> Tournament {
        let event = &self.sheet.event;
        Tournament {
            title: spelling::field(&event.title, self.encode),
            place: spelling::field(&event.place, self.encode),
            date: event.date,
            kind: event.kind,
            nation: event.nation,
            category: event.category,
            rounds: event.rounds,
            ..Tournament::default()
        }
    }

    fn source(&self) -> Source {
        let source = &self.sheet.source;
        Source {
            title: spelling::field(&source.title, self.encode),
            publisher: spelling::field(&source.publisher, self.encode),
            publication: source.publication,
            date: source.date,
            version: number(source.version),
            quality: number(source.quality),
        }
    }

    fn team(&self, team: &TeamSheet<'_>) -> Team {
        Team {
            title: spelling::filled(&team.title, self.encode),
            number: team.number,
            season: team.season,
            year: team.year,
            nation: team.nation,
        }
    }

    fn title(&self) -> Option<Box<GameTag>> {
        let mut tag = GameTag::default();
        for (language, title) in &self.sheet.titles {
            if let Some(place) = LANGUAGES.iter().position(|it| it == language) {
                tag.titles[place] = spelling::field(title, self.encode);
            }
        }
        (!tag.is_empty()).then(|| Box::new(tag))
    }
}
