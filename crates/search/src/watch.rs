//! Which plies can change an answer.

use tabiya_chess::{Bitboard, Color, Extra, Piece, Role, Step};

use crate::Pieces;

/// The plies after which it is worth asking again: what a question does not look at does not change
/// its answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// By colour and role: where a piece comes to.
    arrives: [[Bitboard; 6]; 2],
    /// Where it goes from.
    leaves: [[Bitboard; 6]; 2],
    /// Where it is captured.
    taken: [[Bitboard; 6]; 2],
}

impl Watch {
    /// Whether a ply can have changed the answer. Few plies do more than move a piece and take one,
    /// and all that do can.
    #[inline(always)]
    pub(crate) fn wakes(&self, step: &Step) -> bool {
        let Piece { color, role } = step.piece;
        let (us, them) = (color as usize, !color as usize);
        let taken = |taken: Role| self.taken[them][taken as usize].contains(step.to);
        self.arrives[us][role as usize].contains(step.to)
            | self.leaves[us][role as usize].contains(step.from)
            || step.taken.is_some_and(taken)
            || !matches!(step.extra, Extra::Nothing)
    }

    /// Asks again whenever another does, too.
    pub(crate) fn also(&mut self, other: &Watch) {
        let tables = [
            (&mut self.arrives, &other.arrives),
            (&mut self.leaves, &other.leaves),
            (&mut self.taken, &other.taken),
        ];
        for (table, other) in tables {
            let squares = table.as_flattened_mut().iter_mut();
            for (squares, others) in squares.zip(other.as_flattened()) {
                *squares |= *others;
            }
        }
    }

    /// Asks again when one of these comes to stand on one of some squares.
    pub(crate) fn gains(&mut self, pieces: Pieces, squares: Bitboard) {
        mark(&mut self.arrives, pieces, squares);
        if pieces.has_empty() {
            mark(&mut self.leaves, Pieces::ANY, squares);
        }
    }

    /// When there are fewer of these.
    pub(crate) fn loses(&mut self, pieces: Pieces) {
        mark(&mut self.taken, pieces, Bitboard::FULL);
    }

    /// When one of these comes to some squares, leaves them, or is captured there.
    pub(crate) fn follows(&mut self, pieces: Pieces, squares: Bitboard) {
        for table in [&mut self.arrives, &mut self.leaves, &mut self.taken] {
            mark(table, pieces, squares);
        }
    }
}

fn mark(table: &mut [[Bitboard; 6]; 2], pieces: Pieces, squares: Bitboard) {
    for color in Color::ALL {
        for role in Role::ALL {
            if pieces.has(color, role) {
                table[color as usize][role as usize] |= squares;
            }
        }
    }
}
