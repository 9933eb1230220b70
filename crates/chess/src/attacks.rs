//! Where pieces can go on a board, regardless of whose move it is.
//!
//! ```
//! use tabiya_chess::{Bitboard, Square, attacks};
//!
//! assert_eq!(attacks::knight(Square::A1).count(), 2);
//! assert_eq!(attacks::rook(Square::A1, Bitboard::EMPTY).count(), 14);
//! assert!(attacks::between(Square::A1, Square::H8).contains(Square::D4));
//! ```

use crate::{Bitboard, Board, Color, Role, Square, magics};

/// The squares a king on a square attacks.
#[inline]
#[must_use]
pub fn king(square: Square) -> Bitboard {
    rays(Role::King, square)
}

/// The squares a knight on a square attacks.
#[inline]
#[must_use]
pub fn knight(square: Square) -> Bitboard {
    rays(Role::Knight, square)
}

/// The squares a pawn of a colour on a square attacks.
#[inline]
#[must_use]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    static TABLE: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];
    TABLE[color as usize][square.index()]
}

/// The squares a bishop attacks, the first piece on each diagonal included.
#[inline]
#[must_use]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    magics::bishop(square, occupied)
}

/// The squares a rook attacks, the first piece on each line included.
#[inline]
#[must_use]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    magics::rook(square, occupied)
}

/// The squares a queen attacks, the first piece on each line included.
#[inline]
#[must_use]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares a bishop attacks on an empty board.
#[inline]
#[must_use]
pub fn bishop_rays(square: Square) -> Bitboard {
    rays(Role::Bishop, square)
}

/// The squares a rook attacks on an empty board.
#[inline]
#[must_use]
pub fn rook_rays(square: Square) -> Bitboard {
    rays(Role::Rook, square)
}

/// The squares a piece that is not a pawn attacks; none for a pawn, which needs a colour.
#[inline]
#[must_use]
pub fn piece(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// The squares a piece that is not a pawn attacks on an empty board; none for a pawn.
#[inline]
#[must_use]
pub fn rays(role: Role, square: Square) -> Bitboard {
    // One table for all roles, because which of them it is cannot be predicted.
    static TABLE: [[Bitboard; 64]; 6] = [
        [Bitboard::EMPTY; 64],
        leaper(&KNIGHT_STEPS),
        ray_table(LINES.split_at(4).0),
        ray_table(LINES.split_at(4).1),
        ray_table(&LINES),
        leaper(&LINES),
    ];
    TABLE[role as usize][square.index()]
}

/// From where a piece of a colour attacks a square on an empty board.
#[inline]
#[must_use]
pub(crate) fn aims(color: Color, role: Role, square: Square) -> Bitboard {
    // One table, as that of rays; of pawns it has the squares from where they capture.
    static TABLE: [[[Bitboard; 64]; 6]; 2] = [aim_table(-1), aim_table(1)];
    TABLE[color as usize][role as usize][square.index()]
}

/// The squares from which pieces attack; pawns those that stand a rank before the square.
const fn aim_table(pawn_rank: i8) -> [[Bitboard; 64]; 6] {
    [
        leaper(&[(-1, pawn_rank), (1, pawn_rank)]),
        leaper(&KNIGHT_STEPS),
        ray_table(LINES.split_at(4).0),
        ray_table(LINES.split_at(4).1),
        ray_table(&LINES),
        leaper(&LINES),
    ]
}

const KNIGHT_STEPS: [(i8, i8); 8] = [
    (-1, -2),
    (1, -2),
    (-2, -1),
    (2, -1),
    (-2, 1),
    (2, 1),
    (-1, 2),
    (1, 2),
];

/// Four diagonals, then four ranks and files.
const LINES: [(i8, i8); 8] = [
    (-1, -1),
    (1, -1),
    (-1, 1),
    (1, 1),
    (0, -1),
    (0, 1),
    (-1, 0),
    (1, 0),
];

/// The pieces of both sides that attack a square, with lines blocked by `occupied`.
#[inline]
#[must_use]
pub fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    let bishops = board.pieces(Role::Bishop) | board.pieces(Role::Queen);
    let rooks = board.pieces(Role::Rook) | board.pieces(Role::Queen);
    (king(square) & board.pieces(Role::King))
        | (knight(square) & board.pieces(Role::Knight))
        | (pawn(Color::Black, square) & board.of(Color::White, Role::Pawn))
        | (pawn(Color::White, square) & board.of(Color::Black, Role::Pawn))
        | (bishop(square, occupied) & bishops)
        | (rook(square, occupied) & rooks)
}

/// The squares strictly between two squares on one line; none if they are not on one.
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    static TABLE: [[Bitboard; 64]; 64] = between_table();
    TABLE[a.index()][b.index()]
}

/// The squares behind a square as seen from another on one line; none if they are not on one.
#[inline]
#[must_use]
pub(crate) fn beyond(a: Square, b: Square) -> Bitboard {
    static TABLE: [[Bitboard; 64]; 64] = beyond_table();
    TABLE[a.index()][b.index()]
}

const fn beyond_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 9 {
            let (files, ranks) = (direction % 3 - 1, direction / 3 - 1);
            direction += 1;
            if files == 0 && ranks == 0 {
                continue;
            }
            let mut at = Square::from_index(square);
            while let Some(next) = at.offset(files, ranks) {
                let mut behind = 0;
                let mut far = next;
                while let Some(farther) = far.offset(files, ranks) {
                    behind |= 1 << farther.index();
                    far = farther;
                }
                table[square as usize][next.index()] = Bitboard(behind);
                at = next;
            }
        }
        square += 1;
    }
    table
}

/// Whether three squares lie on one rank, file or diagonal.
#[must_use]
pub fn aligned(a: Square, b: Square, c: Square) -> bool {
    let on_one_ray = |x, y, z| between(x, z).contains(y);
    on_one_ray(a, b, c) || on_one_ray(b, c, a) || on_one_ray(c, a, b)
}

const fn leaper<const N: usize>(steps: &[(i8, i8); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < N {
            if let Some(to) = Square::from_index(square).offset(steps[step].0, steps[step].1) {
                table[square as usize].0 |= 1 << to.index();
            }
            step += 1;
        }
        square += 1;
    }
    table
}

const fn ray_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < steps.len() {
            let mut at = Square::from_index(square);
            while let Some(next) = at.offset(steps[step].0, steps[step].1) {
                table[square as usize].0 |= 1 << next.index();
                at = next;
            }
            step += 1;
        }
        square += 1;
    }
    table
}

const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 9 {
            let (files, ranks) = (direction % 3 - 1, direction / 3 - 1);
            direction += 1;
            if files == 0 && ranks == 0 {
                continue;
            }
            let mut passed = 0;
            let mut at = Square::from_index(square);
            while let Some(next) = at.offset(files, ranks) {
                table[square as usize][next.index()] = Bitboard(passed);
                passed |= 1 << next.index();
                at = next;
            }
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leapers_stay_on_the_board() {
        let total = |attacks: fn(Square) -> Bitboard| -> usize {
            Square::all().map(|square| attacks(square).count()).sum()
        };
        assert_eq!(total(knight), 336);
        assert_eq!(total(king), 420);
        assert_eq!(pawn(Color::White, Square::A2), Square::B3.into());
        assert_eq!(pawn(Color::Black, Square::H7), Square::G6.into());
    }

    #[test]
    fn rays_are_attacks_on_an_empty_board() {
        for square in Square::all() {
            for role in Role::ALL {
                assert_eq!(rays(role, square), piece(role, square, Bitboard::EMPTY));
            }
            assert_eq!(rook_rays(square), rook(square, Bitboard::EMPTY));
            assert_eq!(bishop_rays(square), bishop(square, Bitboard::EMPTY));
        }
    }

    #[test]
    fn a_piece_aims_at_a_square_from_where_it_attacks_it() {
        for (from, to) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
            for color in Color::ALL {
                for role in Role::ALL {
                    let attacked = match role {
                        Role::Pawn => pawn(color, from),
                        _ => rays(role, from),
                    };
                    let aims = aims(color, role, to).contains(from);
                    assert_eq!(aims, attacked.contains(to), "{color} {role} {from} {to}");
                }
            }
        }
    }

    #[test]
    fn beyond_is_what_the_second_square_hides_from_the_first() {
        for (a, b) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
            let hidden = Square::all().filter(|&far| between(a, far).contains(b));
            assert_eq!(beyond(a, b), hidden.collect(), "{a} {b}");
        }
    }

    #[test]
    fn between_excludes_both_ends() {
        assert_eq!(
            between(Square::A1, Square::D4),
            [Square::B2, Square::C3].into_iter().collect()
        );
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(between(Square::A1, Square::A2), Bitboard::EMPTY);
        assert!(aligned(Square::A1, Square::H8, Square::D4));
        assert!(!aligned(Square::A1, Square::H8, Square::D5));
    }
}
