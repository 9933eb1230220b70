//! Anything that can be written down as a FEN, legal or not.
//!
//! A [`Setup`] says what stands where and whose move it is. Whether moves can be generated from
//! it is decided by [`Position::from_setup`](crate::Position::from_setup); what is odd about it
//! is listed by [`Setup::warnings`].
//!
//! ```
//! use tabiya_chess::{Setup, Warning};
//!
//! let setup: Setup = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1".parse()?;
//! assert!(matches!(setup.warnings()[0], Warning::CastlingRight { .. }));
//! # Ok::<(), tabiya_chess::FenError>(())
//! ```

use crate::{Bitboard, Board, Color, Rank, Role, Square, attacks};

/// A set-up of pieces with side to move, castling rights, en-passant square and clocks.
///
/// Nothing is promised about it: kings may be missing and castling rooks may not exist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// What stands where.
    pub board: Board,
    /// Whose move it is.
    pub turn: Color,
    /// The squares of the rooks with which castling is still allowed.
    pub castling_rooks: Bitboard,
    /// The square that a pawn has just passed over by a double step.
    pub ep_square: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the move, from 1, counted up after Black's move.
    pub fullmove_number: u32,
}

/// What is odd about a [`Setup`] from which moves can be generated all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// A castling right without a king and a rook in their places; it is left out.
    #[error("castling right with the rook on {rook} is impossible and left out")]
    CastlingRight {
        /// Where the rook would have to be.
        rook: Square,
    },
    /// An en-passant square that no double step can have passed; it is left out.
    #[error("en-passant square {square} is impossible and left out")]
    EnPassant {
        /// The square of the FEN.
        square: Square,
    },
    /// The side that is not to move is in check.
    #[error("{color} is in check although it is not {color}'s move")]
    OppositeCheck {
        /// Whose king could be taken.
        color: Color,
    },
    /// More than two pieces give check, or two that cannot do so together.
    #[error("no last move can have given this check")]
    ImpossibleCheck,
    /// More than eight pawns.
    #[error("{color} has {count} pawns")]
    TooManyPawns {
        /// Whose pawns.
        color: Color,
        /// How many.
        count: usize,
    },
    /// More pieces than eight promotions can explain.
    #[error("{color} has more pieces than promotions can explain")]
    TooManyPieces {
        /// Whose pieces.
        color: Color,
    },
}

impl Setup {
    /// The start of a game.
    pub const INITIAL: Setup = Setup {
        board: Board::INITIAL,
        turn: Color::White,
        castling_rooks: Bitboard(0x8100_0000_0000_0081),
        ep_square: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// An empty board, White to move.
    pub const EMPTY: Setup = Setup {
        board: Board::EMPTY,
        castling_rooks: Bitboard::EMPTY,
        ..Setup::INITIAL
    };

    /// What is odd about the set-up as a position of chess.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let sound = self.sound_castling_rooks();
        for rook in self.castling_rooks - sound {
            warnings.push(Warning::CastlingRight { rook });
        }
        if let Some(square) = self.ep_square
            && self.sound_ep_square().is_none()
        {
            warnings.push(Warning::EnPassant { square });
        }
        if let Some(king) = self.board.king(!self.turn)
            && self.attackers(king, self.turn).any()
        {
            warnings.push(Warning::OppositeCheck { color: !self.turn });
        }
        if let Some(king) = self.board.king(self.turn)
            && self.is_impossible_check(king)
        {
            warnings.push(Warning::ImpossibleCheck);
        }
        for color in Color::ALL {
            let count = self.board.of(color, Role::Pawn).count();
            if count > 8 {
                warnings.push(Warning::TooManyPawns { color, count });
            }
            if count + promoted(&self.board, color) > 8 {
                warnings.push(Warning::TooManyPieces { color });
            }
        }
        warnings
    }

    /// The castling rights that name an own rook on the back rank, beside the only king there,
    /// at most one on each side of it.
    pub(crate) fn sound_castling_rooks(&self) -> Bitboard {
        let mut sound = Bitboard::EMPTY;
        for color in Color::ALL {
            let back_rank = Bitboard::rank(color.back_rank());
            let Some(king) = self.board.king(color) else {
                continue;
            };
            if !back_rank.contains(king) {
                continue;
            }
            let rooks = self.castling_rooks & self.board.of(color, Role::Rook) & back_rank;
            let below = rooks & Bitboard((1 << king.index()) - 1);
            let above = rooks - below;
            // With two rights on one side the outer rook wins, as in X-FEN.
            sound |= below.first().map_or(Bitboard::EMPTY, Bitboard::square);
            sound |= above.last().map_or(Bitboard::EMPTY, Bitboard::square);
        }
        sound
    }

    /// The en-passant square, if a pawn of the side not to move can just have passed it.
    pub(crate) fn sound_ep_square(&self) -> Option<Square> {
        let square = self.ep_square?;
        let them = !self.turn;
        let pawn = square.offset(0, them.forward())?;
        let origin = square.offset(0, -them.forward())?;
        let sound = square.rank() == them.rank(Rank::Third)
            && self.board.of(them, Role::Pawn).contains(pawn)
            && !self.board.occupied().contains(square)
            && !self.board.occupied().contains(origin);
        sound.then_some(square)
    }

    fn attackers(&self, square: Square, by: Color) -> Bitboard {
        attacks::attackers(&self.board, square, self.board.occupied()) & self.board.side(by)
    }

    /// Checks that no single last move can have given: three or more checkers, two that are not
    /// one slider and another piece, two on one line, or an en-passant square with a check that
    /// the double step neither gave nor uncovered.
    fn is_impossible_check(&self, king: Square) -> bool {
        let checkers = self.attackers(king, !self.turn);
        let sliders = checkers
            - (self.board.pieces(Role::Pawn)
                | self.board.pieces(Role::Knight)
                | self.board.pieces(Role::King));
        if checkers.count() > 2 || (checkers.count() == 2 && sliders.is_empty()) {
            return true;
        }
        if let (Some(first), Some(last)) = (checkers.first(), checkers.last())
            && first != last
            && attacks::aligned(first, king, last)
        {
            return true;
        }
        let Some(ep) = self.sound_ep_square() else {
            return false;
        };
        let them = !self.turn;
        let (Some(pawn), Some(origin)) =
            (ep.offset(0, them.forward()), ep.offset(0, -them.forward()))
        else {
            return false;
        };
        let before = (self.board.occupied() ^ pawn.into()) | origin.into();
        let already = attacks::attackers(&self.board, king, before)
            & self.board.side(them)
            & (checkers - pawn.into());
        already.any()
    }
}

/// How many pieces of a side must have been pawns.
fn promoted(board: &Board, color: Color) -> usize {
    let count = |role| board.of(color, role).count();
    let bishops = board.of(color, Role::Bishop);
    let light = (bishops & Bitboard::LIGHT).count();
    let dark = (bishops & Bitboard::DARK).count();
    count(Role::Queen).saturating_sub(1)
        + count(Role::Rook).saturating_sub(2)
        + count(Role::Knight).saturating_sub(2)
        + light.saturating_sub(1)
        + dark.saturating_sub(1)
}
