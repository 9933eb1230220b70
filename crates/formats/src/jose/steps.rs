//! The main line of a stored game as changes on a board.

use std::ops::ControlFlow;

use tabiya_chess::{Board, Color, Extra, Piece, Position, Role, Square, Step};

use super::{
    Profile, code,
    error::{Error, ErrorKind},
    pieces::{Pieces, Slot},
    positions::{Passed, pass},
    replay::ROWS,
    tables::{CODES, NOWHERE, TARGETS},
};

/// Shows what the moves of main lines of `store` streams change on a board, one game after the other,
/// from one start.
///
/// [`Positions`](super::Positions) know what may be done in them; here is only what stands where,
/// which is all that most questions ask. Moves are taken on trust. Games with null moves, plies left out
/// or moves by squares are not for it.
///
/// ```
/// use std::ops::ControlFlow;
/// use tabiya_chess::Position;
/// use tabiya_formats::jose::Steps;
///
/// let mut last = None;
/// // 1. e4 (1. d4 !) d5 *
/// let stream = [0x13, 0xf0, 0x0f, 0xb1, 0xf1, 0x0f, 0xd3, 0xff];
/// Steps::new(&Position::initial()).show(&stream, |step, board| {
///     last = Some((step.to.to_string(), board.to_string()));
///     ControlFlow::Continue(())
/// })?;
/// let expected = ("d5".into(), "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR".into());
/// assert_eq!(last, Some(expected));
/// # Ok::<(), tabiya_formats::jose::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Steps {
    board: Board,
    turn: Color,
    pieces: Pieces,
    /// With which rooks each side castles, towards the h-file and the a-file.
    rooks: [[Option<Square>; 2]; 2],
}

/// What has been shown of a game.
#[derive(Clone, Copy)]
struct Game {
    board: Board,
    turn: Color,
    pieces: Pieces,
}

impl Steps {
    /// Shows games from a start.
    #[must_use]
    pub fn new(start: &Position) -> Steps {
        let board = start.board();
        let rooks = Color::ALL.map(|color| {
            let rooks = start.castling_rooks() & board.side(color);
            [true, false].map(|h_side| {
                let king = board.king(color)?;
                rooks.into_iter().find(|&rook| (rook > king) == h_side)
            })
        });
        Steps {
            board: *board,
            turn: start.turn(),
            pieces: Pieces::deal(board),
            rooks,
        }
    }

    /// The start.
    #[must_use]
    pub fn start(&self) -> &Board {
        &self.board
    }

    /// Shows each ply of a main line, with the board behind it.
    ///
    /// # Errors
    /// If the stream is not one, or has something that is not for it; what came before has been
    /// shown.
    #[inline]
    pub fn show(
        &self,
        stream: &[u8],
        mut show: impl FnMut(&Step, &Board) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let (targets, codes) = (&*TARGETS, &*CODES);
        let mut game = Game {
            board: self.board,
            turn: self.turn,
            pieces: self.pieces,
        };
        let mut rest = stream;
        loop {
            let fail = |kind: ErrorKind| kind.at_byte(stream.len() - rest.len());
            let Some((&code, mut behind)) = rest.split_first() else {
                return Err(fail(ErrorKind::UnexpectedEnd));
            };
            // Nearly all steps go one way through here, on which nothing is asked that few need.
            let odd = if code < code::CASTLE_H {
                let code = codes[game.turn as usize][usize::from(code)];
                let from = game.pieces.square(game.turn, code.slot);
                let from = from.ok_or_else(|| fail(missing(code.slot)))?;
                let to = match targets[usize::from(code.row) & (ROWS - 1)][from.index()] {
                    NOWHERE => return Err(fail(ErrorKind::OffBoard)),
                    to => Square::from_index(to),
                };
                let captures = game.board.side(!game.turn).contains(to);
                let mut step = Step {
                    piece: code.role.of(game.turn),
                    from,
                    to,
                    taken: if captures {
                        game.board.role_at(to)
                    } else {
                        None
                    },
                    extra: Extra::Nothing,
                };
                if captures || !code.captures {
                    rest = behind;
                    game.play(&step);
                    if show(&step, &game.board).is_break() {
                        return Ok(());
                    }
                    continue;
                }
                (step.taken, step.extra) = (Some(Role::Pawn), Extra::EnPassant);
                step
            } else {
                match self.other(code, &mut behind, &game).map_err(fail)? {
                    Seen::Step(step) => step,
                    Seen::Passed(Passed::Note) => {
                        rest = behind;
                        continue;
                    }
                    Seen::Passed(Passed::End) => return Ok(()),
                }
            };
            rest = behind;
            game.play(&odd);
            if show(&odd, &game.board).is_break() {
                return Ok(());
            }
        }
    }

    /// A code that is no plain move.
    #[inline(never)]
    fn other(&self, code: u8, behind: &mut &[u8], game: &Game) -> Result<Seen, ErrorKind> {
        match code {
            code::CASTLE_H | code::CASTLE_A => self.castling(code, game).map(Seen::Step),
            code::PROMOTION..code::NAG => {
                let (&second, rest) = behind.split_first().ok_or(ErrorKind::UnexpectedEnd)?;
                *behind = rest;
                game.long(code, second).map(Seen::Step)
            }
            _ => pass(code, behind).map(Seen::Passed),
        }
    }

    fn castling(&self, code: u8, game: &Game) -> Result<Step, ErrorKind> {
        let us = game.turn;
        let rook = self.rooks[us as usize][usize::from(code == code::CASTLE_A)];
        let rook = rook.ok_or(ErrorKind::NoCastling)?;
        let king = game.pieces.square(us, Slot::KING);
        let king = king.ok_or_else(|| missing(Slot::KING))?;
        let moved = Some(king) != self.board.king(us);
        if moved || !game.board.of(us, Role::Rook).contains(rook) {
            return Err(ErrorKind::NoCastling);
        }
        let (king_to, rook_to) = Position::castling_targets(king, rook);
        Ok(Step {
            piece: Role::King.of(us),
            from: king,
            to: king_to,
            taken: None,
            extra: Extra::Castling(rook, rook_to),
        })
    }
}

impl Game {
    #[inline(always)]
    fn play(&mut self, step: &Step) {
        self.pieces.follow(step);
        self.board.play(step);
        self.turn = !self.turn;
    }

    /// The step of a promotion, or of a promoted piece.
    fn long(&self, code: u8, second: u8) -> Result<Step, ErrorKind> {
        let us = self.turn;
        let play = code::decode_long(Profile::Store, code, second, us, &self.board, &self.pieces)?;
        let role = self.board.role_at(play.from());
        let role = role.ok_or(ErrorKind::OffBoard)?;
        Ok(Step {
            piece: Piece { color: us, role },
            from: play.from(),
            to: play.to(),
            taken: self.board.role_at(play.to()),
            extra: play.promoted().map_or(Extra::Nothing, Extra::Promotion),
        })
    }
}

enum Seen {
    Step(Step),
    Passed(Passed),
}

fn missing(slot: Slot) -> ErrorKind {
    ErrorKind::NoSuchPiece {
        piece: slot.role(),
        index: slot.number(),
    }
}

#[cfg(test)]
mod tests {
    use tabiya_game::{
        GameTree, Losses,
        generate::{Generator, Options},
    };

    use super::*;
    use crate::{jose::Positions, stream::StreamCodec};

    /// The boards of a stream, and whether it could be read to its end.
    fn by_steps(start: &Position, stream: &[u8]) -> (Vec<Board>, bool) {
        let mut boards = Vec::new();
        let shown = Steps::new(start).show(stream, |_, board| {
            boards.push(*board);
            ControlFlow::Continue(())
        });
        (boards, shown.is_ok())
    }

    fn by_positions(start: &Position, stream: &[u8]) -> (Vec<Board>, bool) {
        let mut boards = Vec::new();
        let shown = Positions::new(start).show::<false>(stream, |_, position| {
            boards.push(*position.board());
            ControlFlow::Continue(())
        });
        (boards, shown.is_ok())
    }

    fn stream(game: &GameTree) -> Vec<u8> {
        let streams = Profile::Store.encode(game, &mut Losses::default());
        streams.expect("generated games can be stored").main
    }

    #[test]
    fn boards_are_those_of_the_positions() {
        let mut plies = 0;
        for chess960 in [false, true] {
            let generator = Generator::new(Options {
                chess960,
                variations: true,
                ..Options::default()
            });
            for game in (0..300).map(|index| generator.game(index)) {
                let stream = stream(&game);
                let expected = by_positions(&game.start, &stream);
                assert_eq!(by_steps(&game.start, &stream), expected);
                plies += expected.0.len();
            }
        }
        assert!(plies > 10_000, "{plies}");
    }

    #[test]
    fn what_is_no_stream_is_no_panic() {
        let generator = Generator::new(Options::default());
        let start = Position::initial();
        for index in 0..200 {
            let mut stream = stream(&generator.game(index));
            for at in (0..stream.len()).step_by(5) {
                stream[at] = stream[at].wrapping_mul(37).wrapping_add(index as u8);
            }
            by_steps(&start, &stream);
            for length in 0..stream.len().min(20) {
                by_steps(&start, &stream[..length]);
            }
        }
    }

    #[test]
    fn a_captured_piece_moves_no_more() {
        // 1. e4 d5 2. exd5 d4
        let stream = [0x13, 0x0f, 0x12, 0x0c, 0xff];
        let (boards, read) = by_steps(&Position::initial(), &stream);
        assert_eq!((boards.len(), read), (3, false));
    }
}
