//! Where games follow a repertoire, and where they leave it.
//!
//! A repertoire is games with variations, as people keep it in PGN or a database: every position
//! in it is known, and every move from one. Games are compared by their positions, so another order
//! of moves is no departure.
//!
//! ```
//! use tabiya::{Color, Error, Filter, repertoire::{Ending, Repertoire}};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (mine, path) = (folder.path().join("mine.pgn"), folder.path().join("games.pgn"));
//! # std::fs::write(&mine, "1. e4 e5 (1... c5 2. c3) 2. Nf3 *\n")?;
//! # std::fs::write(&path, "1. e4 c5 2. Nf3 *\n\n1. e4 e6 *\n\n1. e4 e5 2. Nf3 Nc6 *\n")?;
//! let repertoire = Repertoire::read(&tabiya::open(&mine)?)?;
//! assert_eq!(repertoire.side(), Some(Color::White));
//! let mut endings = Vec::new();
//! repertoire.follow(Color::White, &tabiya::open(&path)?, &Filter::default(), |game| {
//!     endings.push(game.ending);
//!     Ok::<_, Error>(())
//! })?;
//! assert_eq!(endings, [Ending::Me, Ending::Opponent, Ending::Line]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game is in the repertoire until its last position that the repertoire has. [`Ending`] says why
//! it is the last.

mod follow;
mod read;
mod summary;

pub use follow::{Ending, Followed};
pub use summary::{Gap, Slip, Summary};

use tabiya_chess::{Color, Move, Position};

use crate::{Database, Error, ErrorKind, Result, line, positions::Positions};
use read::Reader;

/// Positions, and the moves that are known in them.
#[derive(Debug, Default)]
pub struct Repertoire {
    positions: Positions,
    spots: Vec<Spot>,
    /// How few pieces one of its positions has.
    fewest: usize,
}

/// A position of a repertoire.
#[derive(Debug, Default)]
struct Spot {
    /// The moves, in the order of the repertoire.
    moves: Vec<Move>,
    /// The position before it, and the move that leads here, in the first line that does; `None`
    /// at the start of a game.
    from: Option<(usize, Move)>,
}

impl Repertoire {
    /// How many positions one has at most.
    pub const POSITIONS: usize = 1_000_000;

    /// All lines of all games of a database that pass its filter, variations included.
    ///
    /// # Errors
    /// If it cannot be read to its end, has no moves, or has more than [`Repertoire::POSITIONS`].
    pub fn read(database: &Database) -> Result<Repertoire> {
        let mut reader = Reader::default();
        database.tell(&mut reader)?;
        let repertoire = reader.finish();
        let words = match repertoire.positions.len() {
            0 | 1 => "has no moves to be a repertoire".to_owned(),
            count if count > Repertoire::POSITIONS => format!(
                "has more than {} positions: that is no repertoire",
                Repertoire::POSITIONS
            ),
            _ => return Ok(repertoire),
        };
        Err(Error::about(ErrorKind::Unsupported, database.name(), words))
    }

    /// How many positions it has.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// How many of them are the end of a line.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.spots
            .iter()
            .filter(|spot| spot.moves.is_empty())
            .count()
    }

    /// Whose repertoire it is: that of the side that has several moves in fewer positions. `None`
    /// if there is no telling.
    #[must_use]
    pub fn side(&self) -> Option<Color> {
        let choices = |side: Color| {
            let several = |&place: &usize| {
                self.positions.get(place).turn() == side && self.spots[place].moves.len() > 1
            };
            (0..self.spots.len()).filter(several).count()
        };
        match choices(Color::White).cmp(&choices(Color::Black)) {
            std::cmp::Ordering::Less => Some(Color::White),
            std::cmp::Ordering::Greater => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The moves that it has in a position; `None` if it does not have the position.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Option<&[Move]> {
        let place = self.positions.find(position)?;
        Some(&self.spots[place].moves)
    }

    /// How it comes to one of its positions, with one more move if one is given, as text.
    fn line(&self, mut place: usize, last: Option<Move>) -> String {
        let mut moves: Vec<Move> = last.into_iter().collect();
        while let Some((before, play)) = self.spots[place].from {
            moves.push(play);
            place = before;
        }
        moves.reverse();
        line::movetext(self.positions.get(place), &moves)
    }
}
