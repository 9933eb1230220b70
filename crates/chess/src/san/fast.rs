//! The moves of a well-written game, read without ceremony.
//!
//! Only texts as [`Position::san`] writes them are read here, with or without the check sign, and
//! everything else is left to the tolerant reader: `None` means *not sure*, never *illegal*. A
//! test holds both readers together.

use crate::{Bitboard, Color, File, Move, Position, Rank, Role, Square, Variant, attacks};

/// The piece and the move of a plain SAN.
#[inline]
pub(super) fn read(position: &Position, text: &[u8]) -> Option<(Role, Move)> {
    let text = match text {
        [text @ .., b'+' | b'#'] => text,
        text => text,
    };
    let role = match text.first()? {
        b'a'..=b'h' => return pawn(position, text),
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        b'K' => Role::King,
        _ => return None,
    };
    let (which, to) = match *text {
        [_, file, rank] => (Bitboard::FULL, square(file, rank)?),
        [_, b'x', file, rank] => (Bitboard::FULL, square(file, rank)?),
        [_, which, file, rank] => (line(which)?, square(file, rank)?),
        [_, which, b'x', file, rank] => (line(which)?, square(file, rank)?),
        _ => return None,
    };
    piece(position, role, which, to)
}

#[inline(always)]
fn piece(position: &Position, role: Role, which: Bitboard, to: Square) -> Option<(Role, Move)> {
    let board = position.board();
    let own = board.side(position.turn());
    if (own | board.pieces(Role::King)).contains(to) || position.variant() == Variant::Antichess {
        return None;
    }
    let from = attacks::piece(role, to, board.occupied()) & board.pieces(role) & own & which;
    if let Some(from) = from.single() {
        let play = Move::new(from, to);
        return position.is_safe(role, play).then_some((role, play));
    }
    let mut safe = from
        .into_iter()
        .map(|from| Move::new(from, to))
        .filter(|&play| position.is_safe(role, play));
    match (safe.next(), safe.next()) {
        (Some(play), None) => Some((role, play)),
        _ => None,
    }
}

#[inline(always)]
fn pawn(position: &Position, text: &[u8]) -> Option<(Role, Move)> {
    if position.variant() == Variant::Antichess {
        return None;
    }
    let (text, promoted) = match *text {
        [ref text @ .., b'=', letter] => (text, Some(promotion(letter)?)),
        _ => (text, None),
    };
    let board = position.board();
    let us = position.turn();
    let pawns = board.of(us, Role::Pawn);
    let back = |to: Square| {
        let index = to.index() as u8;
        Square::from_index(match us {
            Color::White => index.wrapping_sub(8),
            Color::Black => index.wrapping_add(8),
        })
    };
    let (from, to) = match *text {
        [file, rank] => {
            let to = square(file, rank)?;
            if board.occupied().contains(to) {
                return None;
            }
            let one = back(to);
            if pawns.contains(one) {
                (one, to)
            } else if to.rank() == us.rank(Rank::Fourth)
                && !board.occupied().contains(one)
                && pawns.contains(back(one))
            {
                (back(one), to)
            } else {
                return None;
            }
        }
        [from_file, b'x', file, rank] => {
            let to = square(file, rank)?;
            let taken = board.side(!us) - board.pieces(Role::King);
            if !taken.contains(to) && position.ep_square() != Some(to) {
                return None;
            }
            let from = attacks::pawn(!us, to) & pawns & Bitboard::file(file_of(from_file)?);
            (from.first()?, to)
        }
        _ => return None,
    };
    // Pawns stand on ranks 2 to 7 only, so a rank reached from off the board cannot occur.
    let play = match (promoted, to.rank() == us.rank(Rank::Eighth)) {
        (None, false) => Move::new(from, to),
        (Some(role), true) => Move::promotion(from, to, role),
        _ => return None,
    };
    position
        .is_safe(Role::Pawn, play)
        .then_some((Role::Pawn, play))
}

#[inline(always)]
fn file_of(letter: u8) -> Option<File> {
    matches!(letter, b'a'..=b'h').then(|| File::from_index(letter - b'a'))
}

#[inline(always)]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8).then(|| Square::from_index(rank * 8 + file))
}

/// The file or the rank that tells two pieces apart.
#[inline(always)]
fn line(which: u8) -> Option<Bitboard> {
    match which {
        b'a'..=b'h' => Some(Bitboard::file(File::from_index(which - b'a'))),
        b'1'..=b'8' => Some(Bitboard::rank(Rank::from_index(which - b'1'))),
        _ => None,
    }
}

#[inline(always)]
fn promotion(letter: u8) -> Option<Role> {
    Some(match letter {
        b'Q' => Role::Queen,
        b'R' => Role::Rook,
        b'B' => Role::Bishop,
        b'N' => Role::Knight,
        _ => return None,
    })
}
