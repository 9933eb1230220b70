//! Text to moves, with every tolerance and every error message.

use super::SanError;
use crate::{Action, Bitboard, File, Move, Position, Rank, Role, Square, Variant, attacks};

/// A text taken apart, before the position is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Parsed {
    Null,
    Castling { h_side: bool },
    Move(Parts),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Parts {
    /// What moves; `None` for bare coordinates such as `e1g1`.
    role: Option<Role>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promoted: Option<Role>,
}

/// The move a text means.
pub(super) fn read(position: &Position, text: &[u8]) -> Result<Action, SanError> {
    let syntax = || {
        // A hostile text must not become an endless message.
        let shown = &text[..text.len().min(40)];
        SanError::Syntax(String::from_utf8_lossy(shown).into_owned())
    };
    let play = match parse(text).ok_or_else(syntax)? {
        Parsed::Null => return Ok(Action::Null),
        Parsed::Castling { h_side } => castling(position, h_side)?,
        Parsed::Move(parts) => resolve(position, &parts)?,
    };
    Ok(Action::Move(play))
}

fn parse(text: &[u8]) -> Option<Parsed> {
    if text.len() > 32 {
        return None; // nothing that people write is longer, figurines and all
    }
    if matches!(text, b"--" | b"Z0" | b"z0" | b"@@@@" | b"0000")
        || text.eq_ignore_ascii_case(b"null")
    {
        return Some(Parsed::Null);
    }
    let text = without_suffix(text);
    let normal = |c: &u8| if matches!(c, b'0' | b'o') { b'O' } else { *c };
    match text.iter().map(normal).collect::<Vec<u8>>().as_slice() {
        b"O-O" | b"OO" => return Some(Parsed::Castling { h_side: true }),
        b"O-O-O" | b"OOO" => return Some(Parsed::Castling { h_side: false }),
        _ => {}
    }
    let (role, text) = leading_piece(text);
    parse_squares(role, text).map(Parsed::Move)
}

/// Cuts off check signs, judgements and `e.p.`, which say nothing that the move does not.
fn without_suffix(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [rest @ .., b'+' | b'#' | b'!' | b'?'] => rest,
            [rest @ .., b'e', b'.', b'p', b'.'] | [rest @ .., b'e', b'.', b'p'] => rest,
            [rest @ .., b'1'..=b'8', b'e', b'p'] => &text[..rest.len() + 1],
            _ => return text,
        };
    }
}

/// The piece letter or figurine at the start of a text.
fn leading_piece(text: &[u8]) -> (Option<Role>, &[u8]) {
    match text {
        [
            letter @ (b'P' | b'N' | b'B' | b'R' | b'Q' | b'K'),
            rest @ ..,
        ] => (Role::from_letter(*letter as char), rest),
        // U+2654 ♔ to U+265F ♟: E2 99 94 to E2 99 9F, in the order king to pawn, White first.
        [0xe2, 0x99, code @ 0x94..=0x9f, rest @ ..] => {
            const ORDER: [Role; 6] = [
                Role::King,
                Role::Queen,
                Role::Rook,
                Role::Bishop,
                Role::Knight,
                Role::Pawn,
            ];
            (Some(ORDER[usize::from(code - 0x94) % 6]), rest)
        }
        _ => (None, text),
    }
}

/// What is left after the piece: an origin in full, in part or not at all, a target, a promotion.
fn parse_squares(letter: Option<Role>, text: &[u8]) -> Option<Parts> {
    let (mut file, mut rank) = (None, None);
    let (mut from_file, mut from_rank) = (None, None);
    let mut promoted = None;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        match byte {
            // After a complete square this `b` is a bishop: `e8b`, `e7e8b`.
            b'b' if tail.is_empty() && file.is_some() && rank.is_some() => break,
            b'a'..=b'h' => {
                if file.is_some() || rank.is_some() {
                    if from_file.is_some() || from_rank.is_some() {
                        return None;
                    }
                    (from_file, from_rank) = (file, rank);
                    rank = None;
                }
                file = File::from_letter(*byte);
            }
            b'1'..=b'8' if rank.is_none() => rank = Rank::from_digit(*byte),
            // Between two squares, not behind the last: `e4-+` is a move and a judgement.
            b'x' | b'X' | b':' | b'-' if !tail.is_empty() => {}
            _ => break,
        }
        rest = tail;
    }
    match rest {
        [] => {}
        [letter] | [b'=' | b'/', letter] | [b'(', letter, b')'] | [b'=', b'(', letter, b')'] => {
            promoted = Some(Role::from_letter(*letter as char).filter(|&r| r != Role::Pawn)?);
        }
        _ => return None,
    }
    let coordinates = letter.is_none() && from_file.is_some() && from_rank.is_some();
    let role = if coordinates {
        None
    } else {
        Some(letter.unwrap_or(Role::Pawn))
    };
    Some(Parts {
        role,
        from_file,
        from_rank,
        to: Square::new(file?, rank?),
        promoted,
    })
}

fn castling(position: &Position, h_side: bool) -> Result<Move, SanError> {
    let error = SanError::Castling { h_side };
    let king = position
        .board()
        .king(position.turn())
        .ok_or(error.clone())?;
    let rooks = position.castling_rooks() & position.board().side(position.turn());
    rooks
        .into_iter()
        .map(|rook| Move::new(king, rook))
        .find(|&play| (play.to() > king) == h_side && position.is_legal(play))
        .ok_or(error)
}

fn resolve(position: &Position, parts: &Parts) -> Result<Move, SanError> {
    let board = position.board();
    let own = board.side(position.turn());
    let mut origins = own;
    if let Some(file) = parts.from_file {
        origins &= Bitboard::file(file);
    }
    if let Some(rank) = parts.from_rank {
        origins &= Bitboard::rank(rank);
    }
    let role = match parts.role {
        Some(role) => role,
        None => {
            let file = parts.from_file.unwrap_or(parts.to.file());
            let from = Square::new(file, parts.from_rank.unwrap_or(parts.to.rank()));
            let stands = board.role_at(from).filter(|_| own.contains(from));
            stands.ok_or(SanError::EmptySquare(from))?
        }
    };
    origins &= board.pieces(role);
    if role == Role::Pawn && parts.from_file.is_none() {
        // A bare `e4` is a push: a capture must name its file.
        origins &= Bitboard::file(parts.to.file());
    }
    let plays = candidates(position, role, origins, parts)?;
    let legal = legal_of(position, role, &plays);
    match (legal.as_slice(), plays.is_empty()) {
        ([play], _) => Ok(*play),
        ([], _) if role == Role::King => king_castles(position, parts, plays.is_empty()),
        ([], true) => Err(SanError::NoPiece { role, to: parts.to }),
        ([], false) if position.variant() == Variant::Antichess => {
            Err(SanError::MustCapture { role, to: parts.to })
        }
        ([], false) => Err(SanError::Check { role, to: parts.to }),
        (several, _) => {
            let texts = several.iter().map(|&play| position.san(play));
            Err(SanError::Ambiguous(texts.collect()))
        }
    }
}

/// The moves that fit a text, whether or not they leave the king in check.
fn candidates(
    position: &Position,
    role: Role,
    origins: Bitboard,
    parts: &Parts,
) -> Result<Vec<Move>, SanError> {
    let to = parts.to;
    let promotes = role == Role::Pawn && to.rank() == position.turn().rank(Rank::Eighth);
    let reaches = |&from: &Square| {
        let mut reached = position.reaches(role, from);
        if position.variant() == Variant::Antichess {
            // Kings are taken like any piece there.
            let enemy = position.board().side(!position.turn());
            reached |= enemy
                & match role {
                    Role::Pawn => attacks::pawn(position.turn(), from),
                    role => attacks::piece(role, from, position.board().occupied()),
                };
        }
        reached.contains(to)
    };
    let origins: Vec<Square> = origins.into_iter().filter(reaches).collect();
    if origins.is_empty() {
        return Ok(Vec::new());
    }
    let king_allowed = position.variant() == Variant::Antichess;
    match (promotes, parts.promoted) {
        (true, None) => Err(SanError::PromotionMissing(to)),
        (true, Some(Role::King)) if !king_allowed => Err(SanError::PromotionWrong(to, Role::King)),
        (true, Some(becomes)) => Ok(origins
            .into_iter()
            .map(|from| Move::promotion(from, to, becomes))
            .collect()),
        (false, Some(becomes)) => Err(SanError::PromotionWrong(to, becomes)),
        (false, None) => Ok(origins
            .into_iter()
            .map(|from| Move::new(from, to))
            .collect()),
    }
}

fn legal_of(position: &Position, role: Role, plays: &[Move]) -> Vec<Move> {
    let legal = |play: &&Move| match position.variant() {
        Variant::Antichess => position.is_legal(**play),
        _ => position.is_safe(role, **play),
    };
    plays.iter().filter(legal).copied().collect()
}

/// Castling written as a king's move: to the square where it ends, or onto the rook.
fn king_castles(position: &Position, parts: &Parts, no_step: bool) -> Result<Move, SanError> {
    let (role, to) = (Role::King, parts.to);
    let error = if no_step {
        SanError::NoPiece { role, to }
    } else {
        SanError::Check { role, to }
    };
    let king = position
        .board()
        .king(position.turn())
        .ok_or(error.clone())?;
    let fits = parts.promoted.is_none()
        && parts.from_file.is_none_or(|file| file == king.file())
        && parts.from_rank.is_none_or(|rank| rank == king.rank())
        && to.rank() == king.rank()
        && to != king;
    let rooks = position.castling_rooks() & position.board().side(position.turn());
    rooks
        .into_iter()
        .filter(|_| fits)
        .map(|rook| Move::new(king, rook))
        .find(|&play| {
            let (king_to, _) = Position::castling_targets(king, play.to());
            (play.to() == to || king_to == to) && position.is_legal(play)
        })
        .ok_or(error)
}
