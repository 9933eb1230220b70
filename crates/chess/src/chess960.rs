//! The 960 starts of Chess960 by their numbers.
//!
//! ```
//! use tabiya_chess::{Setup, chess960};
//!
//! assert_eq!(chess960::setup(518, 518), Some(Setup::INITIAL));
//! assert_eq!(chess960::number(&Setup::INITIAL), Some(518));
//! ```

use crate::{Bitboard, Color, File, Role, Setup, Square};

/// The places of two knights on five free squares, in the order of the numbering.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// The start with these numbers, 0 to 959, for White and Black: the same number twice in Chess960,
/// any two in double Fischer random.
#[must_use]
pub fn setup(white: u16, black: u16) -> Option<Setup> {
    let mut setup = Setup {
        castling_rooks: Bitboard::EMPTY,
        ..Setup::INITIAL
    };
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        for (file, role) in File::ALL.into_iter().zip(back_rank(number)?) {
            let square = Square::new(file, color.back_rank());
            setup.board.put(square, role.of(color));
            if role == Role::Rook {
                setup.castling_rooks |= square.into();
            }
        }
    }
    Some(setup)
}

/// The number of a Chess960 start, if the set-up is one.
#[must_use]
pub fn number(start: &Setup) -> Option<u16> {
    // The clocks may have any value: a set-up taken from a file often has none.
    let start = Setup {
        halfmove_clock: 0,
        fullmove_number: 1,
        ..*start
    };
    (0..960).find(|&number| setup(number, number) == Some(start))
}

/// The pieces of a number from a to h: bishops, queen and knights are placed on the free squares
/// by its digits, rook, king and rook take what is left.
fn back_rank(number: u16) -> Option<[Role; 8]> {
    if number >= 960 {
        return None;
    }
    let number = usize::from(number);
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(Role::Bishop);
    rank[number / 4 % 4 * 2] = Some(Role::Bishop);
    let (first, second) = KNIGHTS[number / 96];
    place(&mut rank, number / 16 % 6, Role::Queen);
    // The second knight first: placing it does not move the square of the first.
    place(&mut rank, second, Role::Knight);
    place(&mut rank, first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        place(&mut rank, 0, role);
    }
    let mut full = [Role::Pawn; 8];
    for (place, role) in full.iter_mut().zip(rank) {
        *place = role?;
    }
    Some(full)
}

/// Puts a piece on the `nth` free square.
fn place(rank: &mut [Option<Role>; 8], nth: usize, role: Role) {
    if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(nth) {
        *square = Some(role);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_starts_are_different_and_know_their_number() {
        let starts: HashSet<Setup> = (0..960).filter_map(|n| setup(n, n)).collect();
        assert_eq!(starts.len(), 960);
        for n in (0..960).step_by(37) {
            assert_eq!(number(&setup(n, n).unwrap()), Some(n));
        }
        assert_eq!(setup(960, 0), None);
        assert_eq!(number(&Setup::EMPTY), None);
    }

    #[test]
    fn published_numbers() {
        let first = |number| setup(number, number).unwrap().board.to_string();
        assert!(first(0).ends_with("/BBQNNRKR"));
        assert!(first(959).ends_with("/RKRNNQBB"));
    }

    #[test]
    fn the_king_stands_between_its_rooks() {
        for n in 0..960 {
            let start = setup(n, n).unwrap();
            assert_eq!(start.castling_rooks.count(), 4);
            assert_eq!(start.warnings(), []);
        }
    }
}
