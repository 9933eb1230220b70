//! The main line of a stored game as positions, without events.

use std::ops::ControlFlow;

use tabiya_chess::{Move, Position, Square};

use super::{
    Profile, code,
    error::{Error, ErrorKind},
    pieces::Pieces,
    replay::{ROWS, counted, skip, skip_variation},
    store,
    tables::{CODES, NOWHERE, TARGETS},
};

/// Shows the positions of main lines of `store` streams, one game after the other, from one start.
///
/// Moves are taken on trust, as in [`replay`](super::replay()), which keeps a mailbox and a key, while
/// this has bitboards, for questions to positions. Games with null moves, plies left out or moves by squares are not for
/// it.
///
/// ```
/// use std::ops::ControlFlow;
/// use tabiya_chess::Position;
/// use tabiya_formats::jose::Positions;
///
/// let mut last = None;
/// // 1. e4 (1. d4 !) d5 *
/// let stream = [0x13, 0xf0, 0x0f, 0xb1, 0xf1, 0x0f, 0xd3, 0xff];
/// Positions::new(&Position::initial()).show::<false>(&stream, |_, position| {
///     last = Some(position.to_string());
///     ControlFlow::Continue(())
/// })?;
/// let expected = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2";
/// assert_eq!(last.as_deref(), Some(expected));
/// # Ok::<(), tabiya_formats::jose::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Positions {
    start: Position,
    pieces: Pieces,
}

impl Positions {
    /// Shows games from a start.
    #[must_use]
    pub fn new(start: &Position) -> Positions {
        Positions {
            start: start.without_key(),
            pieces: Pieces::deal(start.board()),
        }
    }

    /// The start.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Shows each position of a main line behind the start; if `MOVES`, with the move that led to it
    /// and the position before.
    ///
    /// # Errors
    /// If the stream is not one, or has something that is not for it; what came before has been
    /// shown.
    #[inline]
    pub fn show<const MOVES: bool>(
        &self,
        stream: &[u8],
        mut show: impl FnMut(Option<(&Position, Move)>, &Position) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let (targets, codes) = (&*TARGETS, &*CODES);
        let mut pieces = self.pieces;
        let (mut before, mut position) = (self.start, self.start);
        let mut rest = stream;
        loop {
            let fail = |kind: ErrorKind| kind.at_byte(stream.len() - rest.len());
            let Some((&code, mut behind)) = rest.split_first() else {
                return Err(fail(ErrorKind::UnexpectedEnd));
            };
            let play = if code < code::CASTLE_H {
                let us = position.turn();
                let code = codes[us as usize][usize::from(code)];
                let from = pieces.square(us, code.slot);
                let from = from.ok_or_else(|| fail(ErrorKind::OffBoard))?;
                match targets[usize::from(code.row) & (ROWS - 1)][from.index()] {
                    NOWHERE => return Err(fail(ErrorKind::OffBoard)),
                    to => Move::new(from, Square::from_index(to)),
                }
            } else {
                match other(code, &mut behind, &position, &pieces).map_err(fail)? {
                    Seen::Move(play) => play,
                    Seen::Passed(Passed::Note) => {
                        rest = behind;
                        continue;
                    }
                    Seen::Passed(Passed::End) => return Ok(()),
                }
            };
            rest = behind;
            pieces.play(&position, play);
            if MOVES {
                before = position;
            }
            position.play_unchecked(play);
            let last = MOVES.then_some((&before, play));
            if show(last, &position).is_break() {
                return Ok(());
            }
        }
    }
}

enum Seen {
    Move(Move),
    Passed(Passed),
}

/// A code that is no plain move.
#[inline(never)]
fn other(
    code: u8,
    behind: &mut &[u8],
    position: &Position,
    pieces: &Pieces,
) -> Result<Seen, ErrorKind> {
    match code {
        code::CASTLE_H | code::CASTLE_A => {
            code::decode_move(Profile::Store, code, position, pieces).map(Seen::Move)
        }
        code::PROMOTION..code::NAG => {
            let (&second, rest) = behind.split_first().ok_or(ErrorKind::UnexpectedEnd)?;
            *behind = rest;
            let (us, board) = (position.turn(), position.board());
            code::decode_long(Profile::Store, code, second, us, board, pieces).map(Seen::Move)
        }
        _ => pass(code, behind).map(Seen::Passed),
    }
}

/// What is no move.
pub(super) enum Passed {
    Note,
    End,
}

/// Passes over a code that is no move, and what belongs to it. What does not follow from moves is
/// an error.
pub(super) fn pass(code: u8, behind: &mut &[u8]) -> Result<Passed, ErrorKind> {
    match code {
        code::NULL | store::SQUARES | store::MISSING => Err(ErrorKind::ReservedCode { code }),
        store::DATA => {
            let (payload, rest) = counted(behind)?;
            // A position or rules of its own do not follow from moves; all other data are notes.
            if let Some(&(store::POSITION | store::RULES)) = payload.first() {
                return Err(ErrorKind::ReservedCode { code });
            }
            *behind = rest;
            Ok(Passed::Note)
        }
        code::OPEN => {
            *behind = skip_variation(behind)?;
            Ok(Passed::Note)
        }
        code::CLOSE => Err(ErrorKind::VariationUnderflow),
        code::END => Ok(Passed::End),
        _ => {
            *behind = skip(code, behind)?;
            Ok(Passed::Note)
        }
    }
}
