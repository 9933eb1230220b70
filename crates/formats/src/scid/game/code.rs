//! Moves as bytes: the number of a piece in the high half, what it does in the low half.

use tabiya_chess::{Color, File, Move, Position, Rank, Role, Square};

use super::pieces::Pieces;
use crate::scid::error::ErrorKind;

/// Where the king goes, from code 1 on.
const KING: [(i8, i8); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// Where knights go, from code 1 on.
const KNIGHT: [(i8, i8); 8] = [
    (-1, -2),
    (1, -2),
    (-2, -1),
    (2, -1),
    (-2, 1),
    (2, 1),
    (-1, 2),
    (1, 2),
];

const CASTLE_A: u8 = 9;
const CASTLE_H: u8 = 10;

/// What pawns become, three codes each, from code 3 on.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

const DOUBLE_STEP: u8 = 15;

/// What is added to the square of a queen that goes diagonally.
const SECOND: u8 = 64;

/// What moves, the move, and how many bytes it has. Whether it is legal is not asked.
///
/// The byte is not a mark and not the null move.
#[inline]
pub(in crate::scid) fn decode(
    position: &Position,
    pieces: &Pieces,
    bytes: &[u8],
) -> Result<(Role, Move, usize), ErrorKind> {
    let (&byte, behind) = bytes
        .split_first()
        .ok_or(ErrorKind::Truncated("the moves"))?;
    let (number, code) = (byte >> 4, byte & 15);
    let us = position.turn();
    let from = pieces.square(us, number);
    let from = from.ok_or(ErrorKind::NoSuchPiece(number))?;
    let role = position.board().role_at(from);
    let role = role.ok_or(ErrorKind::NoSuchPiece(number))?;
    let wrong = || ErrorKind::BadCode { role, code };
    let off = || ErrorKind::OffBoard { role, code };
    let plain = |(files, ranks): (i8, i8)| from.offset(files, ranks).ok_or_else(off);
    let to = match role {
        Role::King if matches!(code, CASTLE_A | CASTLE_H) => {
            return Ok((role, castling(position, from, code == CASTLE_H)?, 1));
        }
        Role::King => plain(*step(&KING, code).ok_or_else(wrong)?)?,
        Role::Knight => plain(*step(&KNIGHT, code).ok_or_else(wrong)?)?,
        Role::Pawn => return Ok((role, pawn(us, from, code).ok_or_else(off)?, 1)),
        Role::Bishop => diagonal(from, code).ok_or_else(off)?,
        Role::Queen if code == from.file() as u8 => {
            let second = behind.first().ok_or(ErrorKind::Truncated("the moves"))?;
            if !(SECOND..2 * SECOND).contains(second) {
                return Err(ErrorKind::BadSecondByte(*second));
            }
            let to = Square::from_index(second - SECOND);
            return Ok((role, Move::new(from, to), 2));
        }
        Role::Rook | Role::Queen => straight(from, code),
    };
    Ok((role, Move::new(from, to), 1))
}

fn step(steps: &[(i8, i8); 8], code: u8) -> Option<&(i8, i8)> {
    steps.get(usize::from(code.checked_sub(1)?))
}

fn castling(position: &Position, king: Square, h_side: bool) -> Result<Move, ErrorKind> {
    let rooks = position.castling_rooks() & position.board().side(position.turn());
    let rook = rooks.into_iter().find(|rook| (*rook > king) == h_side);
    Ok(Move::new(king, rook.ok_or(ErrorKind::NoCastling)?))
}

/// Along its rank to a file, or along its file to a rank.
#[inline]
fn straight(from: Square, code: u8) -> Square {
    match code {
        0..8 => Square::new(File::from_index(code), from.rank()),
        _ => Square::new(from.file(), Rank::from_index(code - 8)),
    }
}

/// To a file, along the diagonal that rises towards the h-file or along the one that falls.
#[inline]
fn diagonal(from: Square, code: u8) -> Option<Square> {
    let files = (code & 7) as i8 - from.file() as i8;
    let ranks = if code < 8 { files } else { -files };
    from.offset(files, ranks)
}

#[inline]
fn pawn(us: Color, from: Square, code: u8) -> Option<Move> {
    let forward = us.forward();
    if code == DOUBLE_STEP {
        return Some(Move::new(from, from.offset(0, 2 * forward)?));
    }
    // Seven, eight or nine squares ahead: White's seven is Black's minus seven.
    let files = (code % 3) as i8 - 1;
    let to = from.offset(files * forward, forward)?;
    Some(match code {
        0..3 => Move::new(from, to),
        _ => Move::promotion(from, to, PROMOTIONS[usize::from(code / 3 - 1) & 3]),
    })
}

/// The bytes of a legal move of the piece with a number.
#[inline]
pub(in crate::scid) fn encode(position: &Position, number: u8, play: Move, out: &mut Vec<u8>) {
    let (from, to) = (play.from(), play.to());
    let number = number << 4;
    let files = to.file() as i8 - from.file() as i8;
    let ranks = to.rank() as i8 - from.rank() as i8;
    let Some(role) = position.board().role_at(from) else {
        return;
    };
    let code = match role {
        Role::King if position.is_castling(play) => match to > from {
            true => CASTLE_H,
            false => CASTLE_A,
        },
        Role::King => step_code(&KING_CODES, files, ranks),
        Role::Knight => step_code(&KNIGHT_CODES, files, ranks),
        Role::Pawn => pawn_code(position.turn(), play, files, ranks),
        Role::Bishop => diagonal_code(to, files, ranks),
        Role::Queen if files != 0 && ranks != 0 => {
            out.extend([number | from.file() as u8, SECOND + to.index() as u8]);
            return;
        }
        Role::Rook | Role::Queen if ranks == 0 => to.file() as u8,
        Role::Rook | Role::Queen => to.rank() as u8 + 8,
    };
    out.push(number | code);
}

static KING_CODES: [u8; 25] = step_codes(&KING);
static KNIGHT_CODES: [u8; 25] = step_codes(&KNIGHT);

/// The codes of steps of at most two files and ranks.
const fn step_codes(steps: &[(i8, i8); 8]) -> [u8; 25] {
    let mut codes = [0; 25];
    let mut index = 0;
    while index < steps.len() {
        let (files, ranks) = steps[index];
        codes[(5 * (files + 2) + ranks + 2) as usize] = index as u8 + 1;
        index += 1;
    }
    codes
}

fn step_code(codes: &[u8; 25], files: i8, ranks: i8) -> u8 {
    let index = 5 * (files + 2) + ranks + 2;
    codes.get(index as usize).copied().unwrap_or_default()
}

fn diagonal_code(to: Square, files: i8, ranks: i8) -> u8 {
    let falls = (files > 0) != (ranks > 0);
    to.file() as u8 | u8::from(falls) << 3
}

fn pawn_code(us: Color, play: Move, files: i8, ranks: i8) -> u8 {
    if ranks.abs() == 2 {
        return DOUBLE_STEP;
    }
    let direction = (files * us.forward() + 1) as u8;
    let promotion = play
        .promoted()
        .and_then(|role| PROMOTIONS.iter().position(|known| *known == role));
    direction + promotion.map_or(0, |place| 3 + 3 * place as u8)
}

/// What a code means to a piece, for people.
pub(in crate::scid) fn meaning(role: Role, number: u8, code: u8) -> String {
    let does = match (role, code) {
        (Role::King, CASTLE_A) => "castles towards the a-file".to_string(),
        (Role::King, CASTLE_H) => "castles towards the h-file".to_string(),
        (Role::Rook | Role::Queen, 0..8) => {
            format!(
                "along its rank to the {}-file",
                File::from_index(code).letter()
            )
        }
        (Role::Rook | Role::Queen, _) => format!("along its file to rank {}", code - 7),
        (Role::Bishop, _) => {
            let direction = if code < 8 { "rising" } else { "falling" };
            let file = File::from_index(code & 7).letter();
            format!("{direction} to the {file}-file")
        }
        (Role::Pawn, DOUBLE_STEP) => "two steps".to_string(),
        (Role::Pawn, _) => {
            let squares = 7 + code % 3;
            match usize::from(code / 3).checked_sub(1) {
                None => format!("{squares} squares ahead"),
                Some(place) => {
                    format!(
                        "{squares} squares ahead, becomes a {}",
                        PROMOTIONS[place & 3]
                    )
                }
            }
        }
        _ => format!("step {code}"),
    };
    format!("{role} {number}, {does}")
}

#[cfg(test)]
mod tests {
    use tabiya_chess::{Setup, Variant};

    use super::*;

    #[test]
    fn every_legal_move_comes_back() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "1n2k3/P1P5/8/8/8/8/p1p5/1N2K3 b - - 0 1",
            "r2k2rr/pppppppp/8/8/8/8/PPPPPPPP/R1RK2R1 w GCg - 0 1",
            "4k3/8/8/8/3QQQ2/3Q1Q2/3QQQ2/4K3 w - - 0 1",
        ] {
            let setup: Setup = fen.parse().unwrap();
            let position = Position::from_setup(&setup, Variant::Chess960).unwrap();
            let pieces = Pieces::deal(position.board()).unwrap();
            for play in &position.legal_moves() {
                let mut bytes = Vec::new();
                encode(
                    &position,
                    pieces.number(position.turn(), play.from()),
                    *play,
                    &mut bytes,
                );
                let read = decode(&position, &pieces, &bytes);
                let role = position.board().role_at(play.from()).unwrap();
                assert_eq!(read, Ok((role, *play, bytes.len())), "{fen} {bytes:02x?}");
            }
        }
    }

    #[test]
    fn any_byte_is_a_move_or_an_error() {
        let position = Position::initial();
        let pieces = Pieces::USUAL;
        for byte in 0..=255 {
            for second in 0..=255 {
                if let Ok((role, play, _)) = decode(&position, &pieces, &[byte, second]) {
                    assert_eq!(position.board().role_at(play.from()), Some(role));
                }
            }
        }
    }
}
