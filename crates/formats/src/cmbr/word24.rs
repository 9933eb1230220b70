//! The word of 24 bits of the later Rust program: both squares, the piece and its colour, and
//! what SAN says of the move besides. It needs no legal moves to be read.
//!
//! | bits | field |
//! |---|---|
//! | 23–18 | to square, rank · 8 + file |
//! | 17–12 | from square |
//! | 11–8 | piece: 0–5 PNBRQK, 6 O-O, 7 O-O-O; plus 8 for Black |
//! | 7–0 | 01 check, 02 mate, 04 capture, 40 =B, 50 =N, 60 =R, 70 =Q; 08 a glyph, 80 a variation |

use tabiya_chess::{Action, Color, Move, Piece, Position, Role, Square};
use tabiya_game::{Annotation, Nag};

use super::{
    error::ErrorKind,
    units::{Step, Units},
    word::castling,
};

const CHECK: u32 = 0x01;
const MATE: u32 = 0x02;
const CAPTURE: u32 = 0x04;
const NAG: u32 = 0x08;
const PROMOTIONS: u32 = 0x70;
const VARIATION: u32 = 0x80;
/// Added to the numbers of Black's pieces and castling.
const BLACK: u32 = 8;
const SHORT_CASTLING: u32 = 6;
const LONG_CASTLING: u32 = 7;

/// Words of 24 bits, stored with the low byte first.
///
/// ```
/// use tabiya_chess::{Action, Move, Position, Square};
/// use tabiya_formats::cmbr::{Cmbr24, Step};
///
/// let start = Position::initial();
/// let play = Action::Move(Move::new(Square::E2, Square::E4));
/// assert_eq!(Cmbr24::default().word(&start, play), Ok(0x70c000));
/// assert_eq!(Cmbr24::default().step(&start, 0x70c000), Ok(Step::Action(play)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cmbr24 {
    /// Also reads castling as the Rust program really writes it: 000004 and 000005 of White,
    /// 00000C and 00000D of Black. Its short castling with check looks like long castling.
    pub rewrite_castling: bool,
}

impl Cmbr24 {
    /// The word of a move.
    ///
    /// # Errors
    /// If the move is not legal, or if there is no word for it.
    pub fn word(&self, before: &Position, action: Action) -> Result<u32, ErrorKind> {
        let play = action.to_move().ok_or(ErrorKind::NullMoveUnsupported)?;
        let (from, to) = (play.from(), play.to());
        let role = match before.board().role_at(from) {
            Some(role) if before.is_legal(play) => role,
            _ => {
                let what = play.to_string();
                return Err(ErrorKind::IllegalMove { what });
            }
        };
        let black = BLACK * before.turn() as u32;
        if before.is_castling(play) {
            let side = match to > from {
                true => SHORT_CASTLING,
                false => LONG_CASTLING,
            };
            return Ok((black + side) << 8 | check_flag(before, play));
        }
        let squares = (to.index() as u32) << 18 | (from.index() as u32) << 12;
        let capture = match before.is_capture(play) {
            true => CAPTURE,
            false => 0,
        };
        let flags = check_flag(before, play) | capture | promotion_flag(play)?;
        Ok(squares | (black + role as u32) << 8 | flags)
    }

    /// What a word says. Check, mate and capture are on the board and not asked.
    ///
    /// # Errors
    /// If it is no word, or a move that is not legal.
    pub fn step(&self, before: &Position, word: u32) -> Result<Step, ErrorKind> {
        if let 0x04 | 0x05 | 0x0c | 0x0d = word {
            return self.rewritten_castling(before, word);
        }
        let number = (word >> 8) as u16;
        match word & 0xff {
            NAG => return Ok(Step::Nag(Nag(number))),
            VARIATION => return Ok(Step::Variation(number)),
            flags if flags & (NAG | VARIATION) != 0 => return Err(ErrorKind::BadWord { word }),
            _ => {}
        }
        let promoted = promotion(word).ok_or(ErrorKind::BadWord { word })?;
        let code = word >> 8 & 7;
        let color = match word >> 8 & BLACK {
            0 => Color::White,
            _ => Color::Black,
        };
        if let SHORT_CASTLING | LONG_CASTLING = code {
            return match promoted {
                None => castle(before, color, code == SHORT_CASTLING),
                Some(_) => Err(ErrorKind::BadWord { word }),
            };
        }
        let square = |shift: u32| Square::from_index((word >> shift & 63) as u8);
        let (from, to) = (square(12), square(18));
        if from == to {
            return Err(ErrorKind::BadWord { word });
        }
        let piece = Role::ALL[code as usize].of(color);
        play(before, piece, from, to, promoted)
    }

    fn rewritten_castling(&self, before: &Position, word: u32) -> Result<Step, ErrorKind> {
        if !self.rewrite_castling {
            return Err(ErrorKind::BadWord { word });
        }
        let color = match word & BLACK {
            0 => Color::White,
            _ => Color::Black,
        };
        castle(before, color, word & 1 == 0)
    }
}

/// Mate has its own flag and no other.
fn check_flag(before: &Position, play: Move) -> u32 {
    if !before.gives_check(play) {
        return 0;
    }
    let mut after = *before;
    after.play_unchecked(play);
    match after.has_legal_moves() {
        true => CHECK,
        false => MATE,
    }
}

fn promotion_flag(play: Move) -> Result<u32, ErrorKind> {
    Ok(match play.promoted() {
        None => 0,
        Some(Role::Bishop) => 0x40,
        Some(Role::Knight) => 0x50,
        Some(Role::Rook) => 0x60,
        Some(Role::Queen) => 0x70,
        Some(_) => {
            let what = "a pawn that becomes a king";
            return Err(ErrorKind::NotRepresentable { what });
        }
    })
}

/// What a pawn becomes; the outer `None` is a flag that does not exist.
fn promotion(word: u32) -> Option<Option<Role>> {
    Some(match word & PROMOTIONS {
        0 => None,
        0x40 => Some(Role::Bishop),
        0x50 => Some(Role::Knight),
        0x60 => Some(Role::Rook),
        0x70 => Some(Role::Queen),
        _ => return None,
    })
}

fn castle(before: &Position, color: Color, short: bool) -> Result<Step, ErrorKind> {
    let own_turn = before.turn() == color;
    let play = castling(before, short).filter(|_| own_turn);
    let play = play.ok_or_else(|| ErrorKind::IllegalMove {
        what: match short {
            true => format!("castling short by {color}"),
            false => format!("castling long by {color}"),
        },
    })?;
    Ok(Step::Action(Action::Move(play)))
}

/// A move of a piece that must stand where the word says: the Rust program gives the first move
/// ever written with a text to every later move with that text.
fn play(
    before: &Position,
    piece: Piece,
    from: Square,
    to: Square,
    promoted: Option<Role>,
) -> Result<Step, ErrorKind> {
    let play = match promoted {
        Some(role) => Move::promotion(from, to, role),
        None => Move::new(from, to),
    };
    let stands = before.board().piece_at(from) == Some(piece);
    // A king that goes to its own rook is no move here: castling has numbers of its own.
    if !stands || before.is_castling(play) || !before.is_legal(play) {
        let what = format!("{piece} {play}");
        return Err(ErrorKind::IllegalMove { what });
    }
    Ok(Step::Action(Action::Move(play)))
}

/// The code under which a variation's number is kept: the flag that marks it.
pub(super) const VARIATION_CODE: u16 = VARIATION as u16;

/// A pointer to a variation, as an annotation: a bare stream does not hold the variation itself.
pub(super) fn pointer(number: u16) -> Annotation {
    Annotation::Raw {
        format: "cmbr24".into(),
        code: VARIATION_CODE,
        bytes: number.to_be_bytes().into(),
    }
}

/// The number in an annotation that is a pointer.
pub(super) fn pointer_of(annotation: &Annotation) -> Option<u16> {
    match annotation {
        Annotation::Raw {
            format,
            code: VARIATION_CODE,
            bytes,
        } if format == "cmbr24" => Some(u16::from_be_bytes(bytes.as_slice().try_into().ok()?)),
        _ => None,
    }
}

impl Units for Cmbr24 {
    const SIZE: usize = 3;

    fn read(&self, before: &Position, unit: &[u8]) -> Result<Step, ErrorKind> {
        self.step(before, number(unit))
    }
}

/// The word of three bytes.
pub(super) fn number(unit: &[u8]) -> u32 {
    unit.iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u32::from(*byte))
}

/// The word of a glyph.
pub(super) const fn nag_word(nag: Nag) -> u32 {
    (nag.0 as u32) << 8 | NAG
}

/// The word of a pointer to a variation.
pub(super) const fn variation_word(number: u16) -> u32 {
    (number as u32) << 8 | VARIATION
}
