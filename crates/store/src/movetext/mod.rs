//! Moves that are complete in themselves.
//!
//! A store keeps the start of a game, if it is not the usual one, in columns beside its moves. Tables
//! for others have it at the [head](tabiya_formats::jose::Head) of the moves: so whoever has the moves
//! has the game. [`join`] and [`join_other`] make such moves, [`Movetext::parse`] reads them, a [`Player`]
//! plays their main lines, a [`Sought`] position is found in them, and an [`Asker`] asks them a query.
//!
//! Any bytes are read; those that are no moves are an error.
//!
//! ```
//! use tabiya_chess::Variant;
//! use tabiya_search::Exact;
//! use tabiya_store::movetext::{Movetext, Player, Sought, join};
//!
//! // 1. Ka2 Kg7 *
//! let moves = join(Some("7k/8/8/8/8/8/8/K7 w - - 0 1"), Variant::Standard, &[0x94, 0x95, 0xd3, 0xff]);
//! let game = Movetext::parse(&moves)?.expect("a game");
//! assert_eq!(game.start, Some("7k/8/8/8/8/8/8/K7 w - - 0 1"));
//!
//! let wanted = Exact::from_fen("8/6k1/8/8/8/8/K7/8 w - - 2 2")?;
//! let sought = Sought::new(wanted.position());
//! assert_eq!(sought.first_ply(&Player::new(), game)?, None, "the king went to h7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asker;
mod player;
mod sought;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, ops::ControlFlow};

use tabiya_chess::{Move, Position, Variant};
use tabiya_formats::jose::{Error, Head, Profile, Reader, other_entry};
use tabiya_game::{Event, Flow, GameSink, Listener, Needs, Place};

pub use asker::Asker;
pub(crate) use asker::decided;
pub(crate) use player::MOST_PLIES;
pub use player::Player;
pub use sought::Sought;

/// The moves of a game with the rules and the start that belong to them. Moves of a usual game are
/// not copied.
///
/// ```
/// use tabiya_chess::Variant;
/// use tabiya_store::movetext::join;
///
/// let moves = [0x13, 0xd3, 0xff];
/// assert_eq!(&*join(None, Variant::Standard, &moves), &moves);
/// assert_eq!(&*join(None, Variant::Antichess, &moves), b"\x9d\x0a\x10antichess\x13\xd3\xff");
/// ```
#[must_use]
pub fn join<'a>(start: Option<&str>, variant: Variant, moves: &'a [u8]) -> Cow<'a, [u8]> {
    let head = Head { variant, start };
    if head == Head::default() {
        return Cow::Borrowed(moves);
    }
    let mut whole = Vec::with_capacity(moves.len() + start.map_or(0, str::len) + 16);
    head.put(&mut whole);
    whole.extend_from_slice(moves);
    Cow::Owned(whole)
}

/// What stands in place of moves in an entry that is no game: nobody takes it for moves.
///
/// ```
/// use tabiya_store::movetext::{Movetext, join_other};
///
/// assert!(Movetext::parse(&join_other(b"\x01\0\0\0"))?.is_none());
/// # Ok::<(), tabiya_formats::jose::Error>(())
/// ```
#[must_use]
pub fn join_other(items: &[u8]) -> Vec<u8> {
    other_entry(items)
}

/// The moves of a game, and where they start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Movetext<'a> {
    /// The start position as FEN, if it is not the usual one.
    pub start: Option<&'a str>,
    /// The rules.
    pub variant: Variant,
    /// The moves, in jose's profile `store`.
    pub moves: &'a [u8],
}

impl<'a> Movetext<'a> {
    /// Takes moves apart that are complete in themselves; `None` of an entry that is no game.
    ///
    /// # Errors
    /// If their head is damaged. What follows it is not looked at.
    #[inline]
    pub fn parse(bytes: &'a [u8]) -> Result<Option<Movetext<'a>>, Error> {
        let mut moves = bytes;
        let head = Head::take(&mut moves)?;
        Ok(head.map(|Head { variant, start }| Movetext {
            start,
            variant,
            moves,
        }))
    }

    /// The start position.
    ///
    /// # Errors
    /// If there is none under these rules.
    pub fn position(&self) -> Result<Position, Error> {
        let (variant, start) = (self.variant, self.start);
        Head { variant, start }.position()
    }

    /// Tells a game: its start, its moves and all that is said about them, its end. There are no tags,
    /// and neither clocks nor evaluations that a store has in other columns.
    ///
    /// # Errors
    /// If the moves are damaged: what comes before has been told, and the game is told as a broken
    /// one.
    pub fn tell(&self, sink: &mut dyn GameSink) -> Result<(), Error> {
        let start = self.position()?;
        let mut sink: Listener<'_> = Listener::new(sink);
        if sink.event(Event::GameStart(Place::default())) != Flow::Continue {
            return Ok(());
        }
        let start = sink.needs().start(start);
        let told = Reader::new(Profile::Store).tell_moves(self.moves.into(), &start, &mut sink);
        sink.event(Event::GameEnd {
            result: told.result.unwrap_or_default(),
            state: told.state,
        });
        told.error.map_or(Ok(()), Err)
    }

    /// Shows every position of the main line with its ply, and the move that led to it with the position
    /// before: none for the start and behind null moves. A ply that was left out is not shown, but
    /// counts. Any game can be shown so; most are shown much quicker by a [`Player`].
    ///
    /// # Errors
    /// If the moves are damaged; what comes before has been shown.
    pub fn for_each_position(
        &self,
        show: impl FnMut(u32, Option<(&Position, Move)>, &Position) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut line = MainLine {
            ply: 0,
            over: false,
            show,
        };
        let told = self.tell(&mut line);
        match line.over {
            true => Ok(()),
            false => told,
        }
    }
}

/// Shows the positions of main lines.
struct MainLine<F> {
    ply: u32,
    /// Nobody wants to see more.
    over: bool,
    show: F,
}

impl<F> MainLine<F>
where
    F: FnMut(u32, Option<(&Position, Move)>, &Position) -> ControlFlow<()>,
{
    fn show(&mut self, last: Option<(&Position, Move)>, position: &Position) -> Flow {
        self.over = (self.show)(self.ply, last, position).is_break();
        match self.over {
            true => Flow::SkipGame,
            false => Flow::Continue,
        }
    }
}

impl<F> GameSink for MainLine<F>
where
    F: FnMut(u32, Option<(&Position, Move)>, &Position) -> ControlFlow<()>,
{
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true).after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Start(position) => self.show(None, position),
            Event::Missing => {
                self.ply += 1;
                Flow::Continue
            }
            Event::Move {
                before,
                play,
                after: Some(after),
            } => {
                self.ply += 1;
                self.show(Some((before, play)), after)
            }
            Event::Null {
                after: Some(after), ..
            } => {
                self.ply += 1;
                self.show(None, after)
            }
            _ => Flow::Continue,
        }
    }
}
