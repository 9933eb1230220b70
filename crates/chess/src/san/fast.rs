//! The moves of a well-written game, read without ceremony.
//!
//! Only texts as [`Position::san`] writes them are read here, with or without the check sign, and
//! everything else is left to the tolerant reader: `None` means *not sure*, never *illegal*. A
//! test holds both readers together.

use crate::{Bitboard, Color, File, Move, Position, Rank, Role, Square, Variant, attacks};

/// The piece and the move of a plain SAN.
#[inline]
pub(super) fn read(position: &Position, text: &[u8]) -> Option<(Role, Move)> {
    let Some(role) = role(text) else {
        return Some((Role::King, find_castling(position, text)?));
    };
    let play = match role {
        Role::Pawn => find_pawn(position, text),
        role => find_piece(position, role, text),
    };
    Some((role, play?))
}

/// Reads a plain SAN and plays it.
///
/// What moves cannot be predicted. Asking once, and doing all the rest in a function of its own
/// for each kind of piece, costs one missed branch a move instead of several.
#[inline(always)]
pub(super) fn play(position: &mut Position, text: &[u8]) -> Option<Move> {
    let Some(role) = role(text) else {
        let play = find_castling(position, text)?;
        position.play_as(position.turn(), Role::King, play);
        return Some(play);
    };
    match role {
        Role::Pawn => {
            let play = find_pawn(position, text)?;
            position.play_as(position.turn(), Role::Pawn, play);
            Some(play)
        }
        Role::Knight => play_piece::<{ Role::Knight as usize }>(position, text),
        Role::Bishop => play_piece::<{ Role::Bishop as usize }>(position, text),
        Role::Rook => play_piece::<{ Role::Rook as usize }>(position, text),
        Role::Queen => play_piece::<{ Role::Queen as usize }>(position, text),
        Role::King => play_piece::<{ Role::King as usize }>(position, text),
    }
}

#[inline(always)]
fn play_piece<const ROLE: usize>(position: &mut Position, text: &[u8]) -> Option<Move> {
    let role = Role::ALL[ROLE];
    let play = find_piece(position, role, text)?;
    position.play_as(position.turn(), role, play);
    Some(play)
}

#[inline(always)]
fn role(text: &[u8]) -> Option<Role> {
    Some(match text.first()? {
        b'a'..=b'h' => Role::Pawn,
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        b'K' => Role::King,
        _ => return None,
    })
}

#[inline(always)]
fn without_check_sign(text: &[u8]) -> &[u8] {
    match text {
        [text @ .., b'+' | b'#'] => text,
        text => text,
    }
}

#[inline(always)]
fn find_piece(position: &Position, role: Role, text: &[u8]) -> Option<Move> {
    let (which, to) = match *without_check_sign(text) {
        [_, file, rank] => (Bitboard::FULL, square(file, rank)?),
        [_, b'x', file, rank] => (Bitboard::FULL, square(file, rank)?),
        [_, which, file, rank] => (line(which)?, square(file, rank)?),
        [_, which, b'x', file, rank] => (line(which)?, square(file, rank)?),
        _ => return None,
    };
    let board = position.board();
    let own = board.side(position.turn());
    if (own | board.pieces(Role::King)).contains(to) || position.variant() == Variant::Antichess {
        return None;
    }
    let occupied = board.occupied();
    let from = attacks::rays(role, to) & board.pieces(role) & own & which;
    if from.more_than_one() {
        return find_among(position, role, from, to);
    }
    let from = from.first()?;
    if (attacks::between(from, to) & occupied).any() {
        return None;
    }
    let play = Move::new(from, to);
    position.is_safe(role, play).then_some(play)
}

/// Of several pieces that could come, the only one with a free way that may move.
#[inline(never)]
fn find_among(position: &Position, role: Role, from: Bitboard, to: Square) -> Option<Move> {
    let occupied = position.board().occupied();
    let mut fitting = from
        .into_iter()
        .filter(|&from| (attacks::between(from, to) & occupied).is_empty())
        .map(|from| Move::new(from, to))
        .filter(|&play| position.is_safe(role, play));
    let only = fitting.next()?;
    fitting.next().is_none().then_some(only)
}

#[inline(never)]
fn find_castling(position: &Position, text: &[u8]) -> Option<Move> {
    let h_side = match without_check_sign(text) {
        b"O-O" => true,
        b"O-O-O" => false,
        _ => return None,
    };
    let own = position.board().side(position.turn());
    let king = position.board().king(position.turn())?;
    (position.castling_rooks() & own)
        .into_iter()
        .map(|rook| Move::new(king, rook))
        .find(|&play| (play.to() > king) == h_side && position.is_legal(play))
}

#[inline(always)]
fn find_pawn(position: &Position, text: &[u8]) -> Option<Move> {
    if position.variant() == Variant::Antichess {
        return None;
    }
    let (text, promoted) = match *without_check_sign(text) {
        [ref text @ .., b'=', letter] => (text, Some(promotion(letter)?)),
        _ => (text, None),
    };
    let board = position.board();
    let us = position.turn();
    let pawns = board.of(us, Role::Pawn);
    let occupied = board.occupied();
    let (from, to) = match *text {
        [file, rank] => {
            let to = square(file, rank)?;
            let back = |square: Square| match us {
                Color::White => Square::from_index((square.index() as u8).wrapping_sub(8)),
                Color::Black => Square::from_index((square.index() as u8).wrapping_add(8)),
            };
            let one = back(to);
            let two = back(one);
            let double = to.rank() == us.rank(Rank::Fourth) && !occupied.contains(one);
            let from = if double { two } else { one };
            if occupied.contains(to) || !pawns.contains(from) {
                return None;
            }
            (from, to)
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
    position.is_safe(Role::Pawn, play).then_some(play)
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
