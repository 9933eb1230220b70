//! The moves of a well-written game, read without ceremony.
//!
//! Only texts as [`Position::san`] writes them are read here, with or without the check sign, and
//! everything else is left to the tolerant reader: `None` means *not sure*, never *illegal*. A
//! test holds both readers together.

use std::hint::select_unpredictable;

use super::SanWord;
use crate::{Bitboard, Color, File, Move, Position, Rank, Role, Square, Variant, attacks};

/// The piece and the move of a plain SAN.
#[inline]
pub(super) fn read(position: &Position, word: SanWord) -> Option<(Role, Move)> {
    let us = position.turn();
    match role(word) {
        Some(Role::Pawn) => Some((Role::Pawn, find_pawn(position, us, word)?)),
        Some(role) => Some((role, find_piece(position, us, role, word)?)),
        None => Some((Role::King, find_castling(position, word)?)),
    }
}

/// Reads a plain SAN, tells the position and the move, and plays it. Who wants to see the position
/// before the move so needs no copy of it.
#[inline(always)]
pub(super) fn play(
    position: &mut Position,
    word: SanWord,
    tell: impl FnOnce(&Position, Move),
) -> Option<Move> {
    // Keys are kept or not for a whole game, and few games need them.
    match position.has_key() {
        false => play_side::<false>(position, word, tell),
        true => play_keyed(position, word, tell),
    }
}

/// Apart, so that it does not spread out the loop of who needs no keys.
#[inline(never)]
fn play_keyed(
    position: &mut Position,
    word: SanWord,
    tell: impl FnOnce(&Position, Move),
) -> Option<Move> {
    play_side::<true>(position, word, tell)
}

#[inline(always)]
fn play_side<const KEYED: bool>(
    position: &mut Position,
    word: SanWord,
    tell: impl FnOnce(&Position, Move),
) -> Option<Move> {
    // Sides take turns, which is foreseen; all that follows is made twice, with the side known.
    match position.turn() {
        Color::White => play_as::<KEYED>(position, Color::White, word, tell),
        Color::Black => play_as::<KEYED>(position, Color::Black, word, tell),
    }
}

/// What moves cannot be predicted. Pawns and kings have ways of their own; the others share one,
/// for a way for each of them has fewer instructions and is slower: it is guessed wrong more often.
#[inline(always)]
fn play_as<const KEYED: bool>(
    position: &mut Position,
    us: Color,
    word: SanWord,
    tell: impl FnOnce(&Position, Move),
) -> Option<Move> {
    let (role, play) = match role(word) {
        Some(Role::Pawn) => {
            let play = find_pawn(position, us, word)?;
            tell(position, play);
            position.play_as::<KEYED>(us, Role::Pawn, play);
            return Some(play);
        }
        Some(Role::King) => {
            let play = find_piece(position, us, Role::King, word)?;
            tell(position, play);
            position.play_as::<KEYED>(us, Role::King, play);
            return Some(play);
        }
        Some(role) => (role, find_piece(position, us, role, word)?),
        // Comments and results end here, too.
        None if word.at(0) != b'O' => return None,
        None => {
            let play = find_castling(position, word)?;
            tell(position, play);
            position.play_castling(play);
            return Some(play);
        }
    };
    tell(position, play);
    position.play_as::<KEYED>(us, role, play);
    Some(play)
}

/// What a first letter means: a role, or none.
static ROLES: [Option<Role>; 256] = {
    let mut table = [None; 256];
    let mut file = b'a';
    while file <= b'h' {
        table[file as usize] = Some(Role::Pawn);
        file += 1;
    }
    table[b'N' as usize] = Some(Role::Knight);
    table[b'B' as usize] = Some(Role::Bishop);
    table[b'R' as usize] = Some(Role::Rook);
    table[b'Q' as usize] = Some(Role::Queen);
    table[b'K' as usize] = Some(Role::King);
    table
};

#[inline(always)]
fn role(word: SanWord) -> Option<Role> {
    ROLES[usize::from(word.at(0))]
}

#[inline(always)]
fn find_piece(position: &Position, us: Color, role: Role, word: SanWord) -> Option<Move> {
    // How long a move is cannot be predicted either: its parts are found from both ends.
    let word = word.without_check_sign();
    let length = word.len();
    if !(3..=5).contains(&length) || (length == 5 && word.at(2) != b'x') {
        return None;
    }
    let to = word.square(length - 2)?;
    let named = LINES[usize::from(word.at(1))];
    let which = select_unpredictable(length == 3, Bitboard::FULL, named);
    let board = position.board();
    let own = board.side(us);
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
    position.is_safe_as(us, role, play).then_some(play)
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
fn find_castling(position: &Position, word: SanWord) -> Option<Move> {
    let word = word.without_check_sign();
    let h_side = word.is(b"O-O");
    if !h_side && !word.is(b"O-O-O") {
        return None;
    }
    let own = position.board().side(position.turn());
    let king = position.board().king(position.turn())?;
    (position.castling_rooks() & own)
        .into_iter()
        .map(|rook| Move::new(king, rook))
        .find(|&play| (play.to() > king) == h_side && position.is_legal(play))
}

#[inline(always)]
fn find_pawn(position: &Position, us: Color, word: SanWord) -> Option<Move> {
    if position.variant() == Variant::Antichess {
        return None;
    }
    let word = word.without_check_sign();
    match word.len() {
        2 => find_push(position, us, word, None),
        4 if word.at(1) == b'x' => find_capture(position, us, word, None),
        4 if word.at(2) == b'=' => find_push(position, us, word, Some(promotion(word.at(3))?)),
        6 if word.at(1) == b'x' && word.at(4) == b'=' => {
            find_capture(position, us, word, Some(promotion(word.at(5))?))
        }
        _ => None,
    }
}

#[inline(always)]
fn find_push(
    position: &Position,
    us: Color,
    word: SanWord,
    promoted: Option<Role>,
) -> Option<Move> {
    let board = position.board();
    let to = word.square(0)?;
    let occupied = board.occupied();
    let back = |square: Square| match us {
        Color::White => Square::from_index((square.index() as u8).wrapping_sub(8)),
        Color::Black => Square::from_index((square.index() as u8).wrapping_add(8)),
    };
    let one = back(to);
    let two = back(one);
    let double = to.rank() == us.rank(Rank::Fourth) && !occupied.contains(one);
    let from = if double { two } else { one };
    if occupied.contains(to) || !board.of(us, Role::Pawn).contains(from) {
        return None;
    }
    finish_pawn(position, us, from, to, promoted)
}

#[inline(always)]
fn find_capture(
    position: &Position,
    us: Color,
    word: SanWord,
    promoted: Option<Role>,
) -> Option<Move> {
    let board = position.board();
    let to = word.square(2)?;
    let taken = board.side(!us) - board.pieces(Role::King);
    if !taken.contains(to) && position.ep_square() != Some(to) {
        return None;
    }
    let file = LINES[usize::from(word.at(0))];
    let from = (attacks::pawn(!us, to) & board.of(us, Role::Pawn) & file).first()?;
    finish_pawn(position, us, from, to, promoted)
}

#[inline(always)]
fn finish_pawn(
    position: &Position,
    us: Color,
    from: Square,
    to: Square,
    promoted: Option<Role>,
) -> Option<Move> {
    // Pawns stand on ranks 2 to 7 only, so a rank reached from off the board cannot occur.
    let play = match (promoted, to.rank() == us.rank(Rank::Eighth)) {
        (None, false) => Move::new(from, to),
        (Some(role), true) => Move::promotion(from, to, role),
        _ => return None,
    };
    position.is_safe_as(us, Role::Pawn, play).then_some(play)
}

/// The file or the rank that tells two pieces apart; a capture sign tells nothing apart.
static LINES: [Bitboard; 256] = {
    let mut lines = [Bitboard::EMPTY; 256];
    let mut index = 0;
    while index < 8 {
        lines[(b'a' + index) as usize] = Bitboard::file(File::from_index(index));
        lines[(b'1' + index) as usize] = Bitboard::rank(Rank::from_index(index));
        index += 1;
    }
    lines[b'x' as usize] = Bitboard::FULL;
    lines
};

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
