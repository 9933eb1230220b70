//! A query for whoever replays main lines himself.

use tabiya_game::GameResult;

use crate::{
    Castled, Moment, Query, Scene, Test,
    hunt::{Hunt, Verdict},
};

/// Is shown the places of main lines and tells which of them answer a query, and where: what
/// [`Seeker`](crate::Seeker) does for whoever tells events.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_game::GameResult;
/// use tabiya_search::{Query, Scene, Sight, Stepper};
///
/// let query: Query = "moves(1. e4)".parse()?;
/// let mut stepper = Stepper::new(&query);
/// assert_eq!(stepper.sight(), Sight::Positions);
/// stepper.begin();
/// let mut position = Position::initial();
/// assert!(!stepper.step(&Scene::of_position(&position, None)));
/// position.play_san(b"e4").unwrap();
/// assert!(stepper.step(&Scene::of_position(&position, None)), "nothing else need be shown");
/// assert_eq!(stepper.finish(GameResult::Draw), Some(1));
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Stepper<'q> {
    sight: Sight,
    way: Way<'q>,
}

/// What has to be shown to answer a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// What stands where, with the steps that led there.
    Boards,
    /// Whole positions.
    Positions,
    /// Whole positions with the moves that led there.
    Moves,
}

impl Sight {
    fn of(query: &Query) -> Sight {
        match query {
            _ if !query.asks_positions() => Sight::Boards,
            Query::Somewhere(test) if !test.asks_moves() => Sight::Positions,
            _ => Sight::Moves,
        }
    }
}

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
        Stepper {
            sight: Sight::of(query),
            way: match query {
                Query::Somewhere(test) => Way::Test(test, Place::default()),
                _ => Way::Any(Box::new(Hunt::new(query))),
            },
        }
    }

    /// What has to be shown.
    #[must_use]
    pub fn sight(&self) -> Sight {
        self.sight
    }

    /// A game begins.
    pub fn begin(&mut self) {
        match &mut self.way {
            Way::Test(_, place) => *place = Place::default(),
            Way::Any(hunt) => hunt.clear(),
        }
    }

    /// What comes next; the first of a game is its start. Whether the query is decided, and nothing
    /// else need be shown.
    #[inline]
    pub fn step(&mut self, scene: &Scene<'_>) -> bool {
        match &mut self.way {
            Way::Test(test, place) => {
                let moment = place.next(scene);
                if test.holds(&moment) {
                    place.found = Some(moment.ply);
                    return true;
                }
                !test.is_ahead(&moment)
            }
            Way::Any(hunt) => {
                hunt.step(scene);
                hunt.verdict(true) != Verdict::Open
            }
        }
    }

    /// The game ends so, and all of it has been shown that could decide: after how many plies it
    /// answers, if it does.
    pub fn finish(&mut self, result: GameResult) -> Option<u32> {
        match &mut self.way {
            Way::Test(_, place) => place.found,
            Way::Any(hunt) => hunt.end(result),
        }
    }
}

impl Place {
    #[inline]
    fn next<'a>(&mut self, scene: &Scene<'a>) -> Moment<'a> {
        let ply = self.ply.map_or(0, |ply| ply + 1);
        self.ply = Some(ply);
        self.castled.follow(scene);
        Moment {
            scene: *scene,
            ply,
            castled: self.castled,
        }
    }
}
