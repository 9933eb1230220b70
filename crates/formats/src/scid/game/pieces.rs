//! Who is who: the numbers by which moves name pieces.
//!
//! Each side has a list. A piece that is captured leaves it, and the last of the list takes over
//! its number; so numbers have no gaps, and four bits are enough. The king has 0 for ever.

use tabiya_chess::{Board, Color, Move, Position, Role, Square};

use super::MOST_PIECES;

/// A square without a piece.
const NOBODY: u8 = 0xff;

/// Where the pieces of both sides stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::scid) struct Pieces {
    at: [[u8; MOST_PIECES]; 2],
    count: [u8; 2],
    /// Which number stands on a square; its side is known from the board.
    on: [u8; 64],
}

/// The usual start: king, then the others from a1 to h1, then the pawns.
const USUAL: [Square; MOST_PIECES] = [
    Square::E1,
    Square::A1,
    Square::B1,
    Square::C1,
    Square::D1,
    Square::F1,
    Square::G1,
    Square::H1,
    Square::A2,
    Square::B2,
    Square::C2,
    Square::D2,
    Square::E2,
    Square::F2,
    Square::G2,
    Square::H2,
];

impl Pieces {
    const NONE: Pieces = Pieces {
        at: [[NOBODY; MOST_PIECES]; 2],
        count: [0; 2],
        on: [NOBODY; 64],
    };

    /// The numbers of a game without a start of its own.
    pub(in crate::scid) fn usual() -> Pieces {
        let mut pieces = Pieces::NONE;
        for square in USUAL {
            pieces.add(Color::White, square);
            pieces.add(Color::Black, square.flip());
        }
        pieces
    }

    /// The numbers of a set-up: as a FEN lists the pieces, but the king takes 0, and who had it
    /// goes to the end. `None` if a side has too many pieces.
    pub(in crate::scid) fn deal(board: &Board) -> Option<Pieces> {
        let mut pieces = Pieces::NONE;
        // Turned upside down, the order of a FEN is that of the squares.
        for upside_down in board.occupied().flip() {
            let square = upside_down.flip();
            let piece = board.piece_at(square)?;
            let color = piece.color as usize;
            if usize::from(pieces.count[color]) == MOST_PIECES {
                return None;
            }
            pieces.add(piece.color, square);
            let last = pieces.count[color] - 1;
            if piece.role == Role::King && last > 0 {
                let first = pieces.at[color][0];
                pieces.put(color, last, first);
                pieces.put(color, 0, square.index() as u8);
            }
        }
        Some(pieces)
    }

    fn add(&mut self, color: Color, square: Square) {
        let color = color as usize;
        self.put(color, self.count[color], square.index() as u8);
        self.count[color] += 1;
    }

    #[inline]
    fn put(&mut self, color: usize, number: u8, square: u8) {
        self.at[color][usize::from(number) & (MOST_PIECES - 1)] = square;
        self.on[usize::from(square) & 63] = number;
    }

    /// Where a piece stands.
    #[inline]
    pub(in crate::scid) fn square(&self, color: Color, number: u8) -> Option<Square> {
        let color = color as usize;
        (number < self.count[color])
            .then(|| Square::from_index(self.at[color][usize::from(number)]))
    }

    /// The number of the piece on a square that has one.
    #[inline]
    pub(in crate::scid) fn number(&self, square: Square) -> u8 {
        self.on[square.index()]
    }

    /// Follows a move that can be played in a position.
    #[inline]
    pub(in crate::scid) fn play(&mut self, before: &Position, play: Move) {
        let us = before.turn();
        let (from, to) = (play.from(), play.to());
        let mover = self.on[from.index()];
        if before.is_castling(play) {
            let (king_to, rook_to) = Position::castling_targets(from, to);
            let rook = self.on[to.index()];
            self.on[from.index()] = NOBODY;
            self.on[to.index()] = NOBODY;
            self.put(us as usize, mover, king_to.index() as u8);
            self.put(us as usize, rook, rook_to.index() as u8);
            return;
        }
        if before.is_en_passant(play) {
            self.capture(!us, Square::new(to.file(), from.rank()));
        } else if self.on[to.index()] != NOBODY {
            self.capture(!us, to);
        }
        self.on[from.index()] = NOBODY;
        self.put(us as usize, mover, to.index() as u8);
    }

    fn capture(&mut self, color: Color, square: Square) {
        let taken = self.on[square.index()];
        self.on[square.index()] = NOBODY;
        let color = color as usize;
        let last = self.count[color].saturating_sub(1);
        self.count[color] = last;
        if taken < last {
            let heir = self.at[color][usize::from(last)];
            self.put(color, taken, heir);
        }
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Setup;

    use super::*;

    #[test]
    fn a_set_up_is_dealt_from_the_eighth_rank_and_the_king_takes_0() {
        let pieces = Pieces::deal(&Setup::INITIAL.board).unwrap();
        for (color, number, square) in [
            (Color::White, 0, Square::E1),
            (Color::White, 1, Square::B2),
            (Color::White, 7, Square::H2),
            (Color::White, 8, Square::A1),
            (Color::White, 12, Square::A2),
            (Color::Black, 0, Square::E8),
            (Color::Black, 4, Square::A8),
        ] {
            assert_eq!(pieces.square(color, number), Some(square));
            assert_eq!(pieces.number(square), number);
        }
    }

    #[test]
    fn the_last_takes_over_the_number_of_who_was_captured() {
        let mut position = Position::initial();
        let mut pieces = Pieces::usual();
        for (from, to) in [
            (Square::E2, Square::E4),
            (Square::D7, Square::D5),
            (Square::E4, Square::D5),
        ] {
            let play = Move::new(from, to);
            pieces.play(&position, play);
            position.play(play).unwrap();
        }
        assert_eq!(pieces.square(Color::Black, 11), Some(Square::H7));
        assert_eq!(pieces.square(Color::Black, 15), None);
        assert_eq!(pieces.square(Color::White, 12), Some(Square::D5));
    }

    #[test]
    fn seventeen_pieces_are_too_many() {
        let setup: Setup = "k7/8/8/8/Q7/QQQQQQQQ/QQQQQQQ1/7K w - - 0 1"
            .parse()
            .unwrap();
        assert_eq!(Pieces::deal(&setup.board), None);
    }
}
