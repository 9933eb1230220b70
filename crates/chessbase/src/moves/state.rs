//! A position with the numbers of its pieces, and what the codes do to it.

use tabiya_chess::{Color, Move, Position, Rank, Role, Square, Variant};

use super::{
    codes::{self, Word},
    error::ErrorKind,
    setup,
    slots::{self, Slots},
    tree::Play,
};

/// A place in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) position: Position,
    pub(super) slots: Slots,
    /// The last move.
    pub(super) node: u32,
    /// How many plies have been played.
    pub(super) plies: u32,
}

/// Why a code cannot be played.
pub(super) enum Stop {
    Error(ErrorKind),
    /// The game castles without the right to, although king and rook are at home.
    MissingRight(Move),
}

impl From<ErrorKind> for Stop {
    fn from(kind: ErrorKind) -> Stop {
        Stop::Error(kind)
    }
}

impl State {
    pub(super) fn new(start: &Position, reversed: bool) -> State {
        State {
            position: *start,
            slots: Slots::of(start.board(), reversed),
            node: 0,
            plies: 0,
        }
    }

    /// Plays the step of a piece; `None` if that cannot be, and [`State::step_error`] says why.
    #[inline(always)]
    pub(super) fn step(&mut self, code: u8) -> Option<Move> {
        let us = self.position.turn();
        let step = codes::STEPS[us as usize][usize::from(code)];
        let from = self.slots.square(us, step.slot)?;
        let to = step.from(from);
        let play = Move::new(Square::from_index(from), Square::from_index(to));
        let capture = self.position.play_piece(step.role, play)?;
        self.slots.capture(!us, capture, play);
        self.slots.set(us, step.slot, to);
        Some(play)
    }

    /// Why a step cannot be played.
    #[cold]
    pub(super) fn step_error(&self, code: u8) -> ErrorKind {
        let us = self.position.turn();
        let step = codes::STEPS[us as usize][usize::from(code)];
        match self.slots.square(us, step.slot) {
            None => ErrorKind::NoSuchPiece {
                ply: self.plies + 1,
                color: us,
                role: slots::role(step.slot),
                number: slots::number(step.slot),
            },
            Some(from) => {
                let to = Square::from_index(step.from(from));
                self.illegal(Move::new(Square::from_index(from), to))
            }
        }
    }

    /// Plays a move that is given by its squares.
    pub(super) fn word(&mut self, word: Word) -> Result<Move, Stop> {
        let us = self.position.turn();
        let (from, to) = (word.from(), word.to());
        let Some(role) = self.position.board().role_at(from) else {
            return self.castle_to(from, to);
        };
        let castles = match self.position.variant() {
            Variant::Chess960 => from == to,
            _ => role == Role::King && is_usual_castling(us, from, to),
        };
        if castles {
            return self.castle_to(from, to);
        }
        let promotes = role == Role::Pawn && to.rank() == us.rank(Rank::Eighth);
        let play = match promotes {
            true => Move::promotion(from, to, word.promotion()),
            false => Move::new(from, to),
        };
        if self.position.board().side(us).contains(to) || !self.position.is_legal(play) {
            return Err(self.illegal(play).into());
        }
        self.slots.play(&self.position, play);
        self.position.play_unchecked(play);
        Ok(play)
    }

    /// Castling as a word: in Chess960 the king's target twice, else the king's way.
    fn castle_to(&mut self, from: Square, to: Square) -> Result<Move, Stop> {
        let us = self.position.turn();
        for h_side in [true, false] {
            let target = castling_target(us, h_side);
            if to == target && (from == to || is_usual_castling(us, from, to)) {
                return self.castle(h_side);
            }
        }
        Err(self.illegal(Move::new(from, to)).into())
    }

    /// Castles with whatever rook may be castled with on that side.
    pub(super) fn castle(&mut self, h_side: bool) -> Result<Move, Stop> {
        let us = self.position.turn();
        let king = self.position.board().king(us);
        let rook = setup::castling_rook(&self.position, us, h_side);
        let (Some(king), Some(rook)) = (king, rook) else {
            let usual = setup::usual_castling(us, h_side);
            return Err(match self.position.variant() {
                Variant::Standard => Stop::MissingRight(usual),
                _ => self.illegal(usual).into(),
            });
        };
        let play = Move::new(king, rook);
        if !self.position.is_legal(play) {
            let target = Move::new(king, castling_target(us, h_side));
            return Err(self.illegal(target).into());
        }
        self.slots.play(&self.position, play);
        self.position.play_unchecked(play);
        Ok(play)
    }

    pub(super) fn pass(&mut self) -> Play {
        self.position.play_null();
        Play::Null
    }

    #[cold]
    pub(super) fn illegal(&self, play: Move) -> ErrorKind {
        ErrorKind::IllegalMove {
            ply: self.plies + 1,
            play,
        }
    }
}

fn castling_target(us: Color, h_side: bool) -> Square {
    let castling = setup::usual_castling(us, h_side);
    Position::castling_targets(castling.from(), castling.to()).0
}

/// Whether a king's move of two squares from its e-file is castling.
fn is_usual_castling(us: Color, from: Square, to: Square) -> bool {
    [true, false].into_iter().any(|h_side| {
        from == setup::usual_castling(us, h_side).from() && to == castling_target(us, h_side)
    })
}
