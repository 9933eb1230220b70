//! Start positions as programs want them.

use tabiya_chess::{Board, Color, File, Setup, Square};

/// Whether a castling right is one that only Chess960 has.
pub(super) fn castles_elsewhere(setup: &Setup) -> bool {
    let home = |board: &Board, rook: Square| {
        let color = match rook.rank() == Color::White.back_rank() {
            true => Color::White,
            false => Color::Black,
        };
        matches!(rook.file(), File::A | File::H)
            && board.king(color).is_some_and(|king| king.file() == File::E)
    };
    let mut rooks = setup.castling_rooks.into_iter();
    rooks.any(|rook| !home(&setup.board, rook))
}

/// Whether a FEN has all its fields, and the first three as programs write them.
pub(super) fn is_readable(fen: &str, canonical: &str) -> bool {
    let fields: Vec<&str> = fen.split(' ').collect();
    let wanted: Vec<&str> = canonical.split(' ').collect();
    let number = |field: &str| !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
    match (&*fields, &*wanted) {
        ([board, turn, castling, _, clock, number_of], [b, t, c, ..]) => {
            (board, turn, castling) == (b, t, c) && number(clock) && number(number_of)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_is_of_chess960_unless_king_and_rook_are_at_home() {
        for (fen, elsewhere) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1", false),
            ("rbnqknbr/8/8/8/8/8/8/RBNQKNBR w KQkq - 0 1", false),
        ] {
            let setup: Setup = fen.parse().unwrap();
            assert_eq!(castles_elsewhere(&setup), elsewhere, "{fen}");
        }
    }

    #[test]
    fn a_fen_is_kept_to_the_letter_if_programs_read_it() {
        let canonical = "4k3/8/8/8/4P3/8/8/4K2R b K e3 0 1";
        assert!(is_readable("4k3/8/8/8/4P3/8/8/4K2R b K - 3 7", canonical));
        for fen in [
            "4k3/8/8/8/4P3/8/8/4K2R b H e3 0 1",
            "4k3/8/8/8/4P3/8/8/4K2R b K e3",
            "4k3/8/8/8/4P3/8/8/4K2R b K e3 - -",
            "4k3/8/8/8/4P3/8/8/4K2R  b K e3 0 1",
        ] {
            assert!(!is_readable(fen, canonical), "{fen}");
        }
    }
}
