//! A query for whoever replays main lines himself.

use tabiya_chess::{Move, Position};
use tabiya_game::GameResult;

use crate::{
    Castled, Moment, Query, Test,
    hunt::{Hunt, Verdict},
};

/// Is shown the positions of main lines and tells which of them answer a query, and where: what
/// [`Seeker`](crate::Seeker) does for whoever tells events.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_game::GameResult;
/// use tabiya_search::{Query, Stepper};
///
/// let query: Query = "moves(1. e4)".parse()?;
/// let mut stepper = Stepper::new(&query);
/// stepper.begin();
/// let mut position = Position::initial();
/// assert!(!stepper.step(None, &position));
/// let before = position;
/// let play = position.play_san(b"e4").unwrap().to_move().unwrap();
/// assert!(stepper.step(Some((&before, play)), &position), "nothing else need be shown");
/// assert_eq!(stepper.finish(GameResult::Draw), Some(1));
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Stepper<'q>(Way<'q>);

/// A query about single positions needs little.
#[derive(Debug)]
enum Way<'q> {
    Test(&'q Test, Place),
    Any(Box<Hunt<'q>>),
}

/// Where a game is, and where it has answered.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    ply: Option<u32>,
    castled: Castled,
    found: Option<u32>,
}

impl<'q> Stepper<'q> {
    /// Looks for games that answer a query.
    #[must_use]
    pub fn new(query: &'q Query) -> Stepper<'q> {
        Stepper(match query {
            Query::Somewhere(test) => Way::Test(test, Place::default()),
            _ => Way::Any(Box::new(Hunt::new(query))),
        })
    }

    /// Whether moves have to be shown, or positions are enough.
    #[must_use]
    pub fn needs_moves(&self) -> bool {
        match &self.0 {
            Way::Test(test, _) => test.asks_moves(),
            Way::Any(_) => true,
        }
    }

    /// A game begins.
    pub fn begin(&mut self) {
        match &mut self.0 {
            Way::Test(_, place) => *place = Place::default(),
            Way::Any(hunt) => hunt.clear(),
        }
    }

    /// A position, and the move that led to it with the position before; the first one of a game is
    /// its start. Whether the query is decided, and no other position need be shown.
    #[inline]
    pub fn step(&mut self, last: Option<(&Position, Move)>, position: &Position) -> bool {
        match &mut self.0 {
            Way::Test(test, place) => {
                let ply = place.next();
                if let Some((before, play)) = last {
                    place.castled.follow(before, play);
                }
                let moment = Moment {
                    position,
                    last,
                    ply,
                    castled: place.castled,
                };
                if test.holds(&moment) {
                    place.found = Some(ply);
                    return true;
                }
                !test.is_ahead(&moment)
            }
            Way::Any(hunt) => {
                hunt.step(last, position);
                hunt.verdict(true) != Verdict::Open
            }
        }
    }

    /// The game ends so, and all its positions have been shown that could decide: after how many
    /// plies it answers, if it does.
    pub fn finish(&mut self, result: GameResult) -> Option<u32> {
        match &mut self.0 {
            Way::Test(_, place) => place.found,
            Way::Any(hunt) => hunt.end(result),
        }
    }
}

impl Place {
    #[inline]
    fn next(&mut self) -> u32 {
        let ply = self.ply.map_or(0, |ply| ply + 1);
        self.ply = Some(ply);
        ply
    }
}
