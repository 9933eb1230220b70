//! What the original program really writes.
//!
//! It takes a file letter for a number from 31 (a) to 38 (h), not from 0, and lets it run into
//! the bits beside it; it drops the first letter that tells two pieces apart, writes long castling
//! as short, and reads a promotion from memory that is not its own. So e4 and e8 are one word, a3
//! and a4 are one word, and the words of its files cannot be read back for sure. They are
//! recognised, and read as far as they are unique if somebody asks for it.
//!
//! ```
//! use tabiya_chess::{Move, Position, Square};
//! use tabiya_formats::cmbr::defective;
//!
//! let start = Position::initial();
//! let word = |from, to| defective::word(&start, Move::new(from, to));
//! assert_eq!(word(Square::E2, Square::E4), Some(0x01d8));
//! assert_eq!(word(Square::A2, Square::A3), word(Square::A2, Square::A4));
//! ```

use tabiya_chess::{Action, Bitboard, Move, MoveList, Position, Role, Square};

use super::{
    error::ErrorKind,
    units::{Flagged, Step, Units, bad_flag, big_endian},
    word::Layout,
};

/// Where the program counts files from.
const FILE_A: u16 = 31;
const CASTLING: u16 = 6;

/// The word that the original program writes for a legal move; `None` where that is chance.
#[must_use]
pub fn word(before: &Position, play: Move) -> Option<u16> {
    if before.is_castling(play) {
        return Some(CASTLING);
    }
    let role = before.board().role_at(play.from())?;
    if play.promoted().is_some() || is_named_twice(before, role, play) {
        return None;
    }
    let file = |square: Square| FILE_A + square.file() as u16;
    let origin = match role == Role::Pawn && before.is_capture(play) {
        true => 0x2000 | file(play.from()) << 9,
        false => 0,
    };
    let target = (play.to().rank() as u16) << 3 | file(play.to());
    Some(origin | target << 3 | role as u16)
}

/// Whether SAN names the file and the rank of the origin: the program drops the file and takes
/// the rank for something else.
fn is_named_twice(before: &Position, role: Role, play: Move) -> bool {
    let from = play.from();
    if role == Role::Pawn {
        return false;
    }
    let others = before.origins(role, play.to(), Bitboard::FULL) - from.into();
    (others & Bitboard::file(from.file())).any() && (others & Bitboard::rank(from.rank())).any()
}

/// The legal moves for which the original program writes a word.
#[must_use]
pub fn moves(before: &Position, wanted: u16) -> MoveList {
    let mut fitting = MoveList::new();
    for &play in &before.legal_moves() {
        if word(before, play) == Some(wanted) {
            fitting.push(play);
        }
    }
    fitting
}

/// Says of a word that fits no legal move whether the original program could have written it.
#[cold]
pub(super) fn diagnose(before: &Position, word: u16, kind: ErrorKind) -> ErrorKind {
    let undecided = matches!(
        kind,
        ErrorKind::NoLegalOrigin(_) | ErrorKind::AmbiguousOrigin(_)
    );
    if !undecided || moves(before, word).is_empty() {
        return kind;
    }
    let number = before.fullmove_number();
    ErrorKind::DefectiveWords { number, word }
}

/// Whether the original program could have written a word for some move: files run from 31, so
/// the target has all of its low bits or the highest.
fn is_shaped(word: u16) -> bool {
    word == CASTLING || (word >> 3 & 63) >= FILE_A
}

/// What is wrong from the first word on, if the words of a container are those of the original
/// program although the first of them can be read: its a3 is h4 to us. All words up to one that
/// only it can have written must be of its kind.
pub(super) fn suspect(start: &Position, units: &[u8]) -> Option<ErrorKind> {
    let mut position = *start;
    let words = units
        .chunks_exact(Flagged::SIZE)
        .map(|unit| big_endian(&unit[1..]));
    let first = words.clone().next()?;
    for word in words.take_while(|word| is_shaped(*word)) {
        match Layout::Program.read(&position, &word.to_be_bytes()) {
            Ok(Step::Action(action)) => position.act(action),
            Err(ErrorKind::DefectiveWords { .. }) => {
                return Some(ErrorKind::DefectiveWords {
                    number: start.fullmove_number(),
                    word: first,
                });
            }
            _ => return None,
        }
    }
    None
}

/// Words of the original program, each read as the only legal move for which it is written.
#[derive(Clone, Copy)]
pub(super) struct BestEffort;

impl Units for BestEffort {
    const SIZE: usize = Flagged::SIZE;

    fn read(&self, before: &Position, unit: &[u8]) -> Result<Step, ErrorKind> {
        let [0, word @ ..] = unit else {
            return Err(bad_flag(unit));
        };
        let word = big_endian(word);
        match *moves(before, word) {
            [play] => Ok(Step::Action(Action::Move(play))),
            [] => Err(ErrorKind::NoLegalOrigin(Layout::Program.fields(word))),
            _ => {
                let number = before.fullmove_number();
                Err(ErrorKind::DefectiveWords { number, word })
            }
        }
    }
}
