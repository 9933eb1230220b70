//! Who is who: the numbers by which moves name pieces.
//!
//! Each side has a list. A piece that is captured leaves it, and the last of the list takes over
//! its number; so numbers have no gaps, and four bits are enough. The king has 0 for ever.

use tabiya_chess::{Board, Capture, Color, Move, Position, Role, Square};

use super::MOST_PIECES;

/// The place of a number that nobody has.
const NOWHERE: u8 = 0xff;

/// Where the pieces of both sides stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::scid) struct Pieces {
    /// The squares of a side's pieces by their numbers.
    at: [[u8; MOST_PIECES]; 2],
    count: [u8; 2],
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
        at: [[NOWHERE; MOST_PIECES]; 2],
        count: [0; 2],
    };

    /// The numbers of a game without a start of its own.
    pub(in crate::scid) const USUAL: Pieces = {
        let mut pieces = Pieces::NONE;
        let mut number = 0;
        while number < MOST_PIECES {
            pieces.at[Color::White as usize][number] = USUAL[number].index() as u8;
            pieces.at[Color::Black as usize][number] = USUAL[number].flip().index() as u8;
            number += 1;
        }
        pieces.count = [MOST_PIECES as u8; 2];
        pieces
    };

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
    }

    /// Where a piece stands.
    #[inline]
    pub(in crate::scid) fn square(&self, color: Color, number: u8) -> Option<Square> {
        let color = color as usize;
        (number < self.count[color])
            .then(|| Square::from_index(self.at[color][usize::from(number) & (MOST_PIECES - 1)]))
    }

    /// The number of the piece of a side on a square; one that nobody can have if there is none.
    #[inline]
    pub(in crate::scid) fn number(&self, color: Color, square: Square) -> u8 {
        // All at once: the high bit of the first byte that is the square.
        const ONES: u128 = u128::MAX / 0xff;
        let squares = u128::from_le_bytes(self.at[color as usize]);
        let differ = squares ^ (ONES * square.index() as u128);
        let same = differ.wrapping_sub(ONES) & !differ & (ONES << 7);
        (same.trailing_zeros() / 8) as u8
    }

    /// Follows a move that can be played in a position, of the piece with a number.
    #[inline]
    pub(in crate::scid) fn play(&mut self, before: &Position, number: u8, play: Move) {
        if before.is_castling(play) {
            return self.castle(before.turn(), number, play);
        }
        let them = before.board().side(!before.turn());
        let capture = match before.board().role_at(play.to()) {
            Some(role) if them.contains(play.to()) => Capture::Piece(role),
            _ if before.is_en_passant(play) => Capture::EnPassant,
            _ => Capture::Nothing,
        };
        self.moved(before.turn(), number, play, capture);
    }

    /// Follows a move that is not castling, of the piece with a number.
    #[inline]
    pub(in crate::scid) fn moved(&mut self, us: Color, number: u8, play: Move, capture: Capture) {
        let (from, to) = (play.from(), play.to());
        match capture {
            Capture::Nothing => {}
            Capture::Piece(_) => self.capture(!us, to),
            Capture::EnPassant => self.capture(!us, Square::new(to.file(), from.rank())),
        }
        self.put(us as usize, number, to.index() as u8);
    }

    #[inline(never)]
    fn castle(&mut self, us: Color, king: u8, play: Move) {
        let rook = self.number(us, play.to());
        let (king_to, rook_to) = Position::castling_targets(play.from(), play.to());
        self.put(us as usize, king, king_to.index() as u8);
        self.put(us as usize, rook, rook_to.index() as u8);
    }

    fn capture(&mut self, color: Color, square: Square) {
        let taken = self.number(color, square);
        let color = color as usize;
        let last = self.count[color].saturating_sub(1);
        self.count[color] = last;
        if taken < last {
            let heir = self.at[color][usize::from(last) & (MOST_PIECES - 1)];
            self.put(color, taken, heir);
        }
        self.put(color, last, NOWHERE);
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
            assert_eq!(pieces.number(color, square), number);
        }
    }

    #[test]
    fn the_last_takes_over_the_number_of_who_was_captured() {
        let mut position = Position::initial();
        let mut pieces = Pieces::USUAL;
        for (from, to) in [
            (Square::E2, Square::E4),
            (Square::D7, Square::D5),
            (Square::E4, Square::D5),
        ] {
            let play = Move::new(from, to);
            let number = pieces.number(position.turn(), from);
            pieces.play(&position, number, play);
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
