//! The codes of moves: tables and pure functions.
//!
//! A code is the first code of a piece and an offset, which says where the piece goes. Pawns,
//! knights and kings step; bishops, rooks and queens name the rank or the file they go to.

use tabiya_chess::{Board, Color, File, Move, Position, Rank, Role, Square};

use super::{
    Profile,
    error::ErrorKind,
    pieces::{Pieces, Slot},
};

/// Castling towards the h-file and the a-file.
pub(super) const CASTLE_H: u8 = 0x98;
pub(super) const CASTLE_A: u8 = 0x99;
/// The null move.
pub(super) const NULL: u8 = 0x9a;
/// Promotions, by the number of the pawn.
pub(super) const PROMOTION: u8 = 0xa0;
/// Moves of promoted pieces, by the number of the pawn they were.
pub(super) const PROMOTED: u8 = 0xa8;
/// A NAG in the next byte; the codes up to `CF` are the NAGs 1 to 31.
pub(super) const NAG: u8 = 0xb0;
/// The results 0-1, 1/2-1/2, 1-0 and unknown.
pub(super) const RESULT: u8 = 0xd0;
/// A comment.
pub(super) const COMMENT: u8 = 0xe0;
/// The beginning and the end of a variation.
pub(super) const OPEN: u8 = 0xf0;
pub(super) const CLOSE: u8 = 0xf1;
/// The end of data.
pub(super) const END: u8 = 0xff;

/// A bit that is set in every second byte, so that none is 0.
const NOT_ZERO: u8 = 0x20;

/// The first code of each slot.
const FIRST: [u8; Slot::COUNT] = [
    0x00, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c, // pawns a to h
    0x20, 0x28, // queen's and king's knight
    0x30, 0x40, // bishops
    0x50, 0x60, // rooks
    0x70, // queen
    0x90, // king
];

/// Steps by offset, as ranks and files.
type Steps = [(i8, i8); 8];

const PAWN: [(i8, i8); 4] = [(1, 0), (1, 1), (1, -1), (2, 0)];

/// Whether a pawn goes to another file with an offset.
pub(super) fn is_pawn_capture(offset: u8) -> bool {
    PAWN.get(usize::from(offset))
        .is_some_and(|&(_, files)| files != 0)
}

/// The knight as the document draws it. Files of the program have the diagram transposed.
const DOCUMENT_KNIGHT: Steps = [
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
    (1, 2),
];

const PROGRAM_KNIGHT: Steps = [
    (1, 2),
    (-1, 2),
    (-2, 1),
    (-2, -1),
    (-1, -2),
    (1, -2),
    (2, -1),
    (2, 1),
];

const DOCUMENT_KING: Steps = [
    (1, 1),
    (1, -1),
    (-1, -1),
    (-1, 1),
    (1, 0),
    (-1, 0),
    (0, -1),
    (0, 1),
];

const PROGRAM_KING: Steps = [
    (1, 1),
    (-1, 1),
    (-1, -1),
    (1, -1),
    (0, 1),
    (0, -1),
    (1, 0),
    (-1, 0),
];

const fn knight(profile: Profile) -> &'static Steps {
    match profile {
        Profile::Program => &PROGRAM_KNIGHT,
        Profile::Document | Profile::Store => &DOCUMENT_KNIGHT,
    }
}

const fn king(profile: Profile) -> &'static Steps {
    match profile {
        Profile::Program => &PROGRAM_KING,
        Profile::Document | Profile::Store => &DOCUMENT_KING,
    }
}

/// Where a piece goes with an offset; `None` if that is off the board or its own square. What
/// stands on the board does not matter.
pub(super) fn target(
    profile: Profile,
    role: Role,
    color: Color,
    from: Square,
    offset: u8,
) -> Option<Square> {
    let steps = |step: &(i8, i8)| from.offset(step.1, step.0);
    match role {
        Role::Pawn => {
            let forward = color.forward();
            let &(ranks, files) = PAWN.get(usize::from(offset))?;
            from.offset(forward * files, forward * ranks)
        }
        Role::Knight => knight(profile).get(usize::from(offset)).and_then(steps),
        Role::King => king(profile).get(usize::from(offset)).and_then(steps),
        Role::Bishop => diagonal(from, offset),
        Role::Rook => straight(from, offset),
        Role::Queen if offset < 16 => diagonal(from, offset),
        Role::Queen => straight(from, offset - 16),
    }
}

/// The square of a rank on a diagonal: 0 to 7 where files rise with ranks, 8 to 15 where they fall.
fn diagonal(from: Square, offset: u8) -> Option<Square> {
    let ranks = (offset & 7) as i8 - from.rank() as i8;
    let files = if offset < 8 { ranks } else { -ranks };
    on_the_way(from, offset, files, ranks)
}

/// A rank on the same file (0 to 7), or a file on the same rank (8 to 15).
fn straight(from: Square, offset: u8) -> Option<Square> {
    let place = (offset & 7) as i8;
    if offset < 8 {
        on_the_way(from, offset, 0, place - from.rank() as i8)
    } else {
        on_the_way(from, offset, place - from.file() as i8, 0)
    }
}

fn on_the_way(from: Square, offset: u8, files: i8, ranks: i8) -> Option<Square> {
    let to = from.offset(files, ranks)?;
    (offset < 16 && to != from).then_some(to)
}

/// The offsets of steps, by [`step_index`]; [`NO_STEP`] for all others.
type Offsets = [u8; 256];

const NO_STEP: u8 = 0xff;

/// Where a step stands in a table: searching for it takes a writer a fifth of its time.
const fn step_index(ranks: i8, files: i8) -> usize {
    ((ranks + 8) as usize & 15) << 4 | ((files + 8) as usize & 15)
}

const fn step_table(steps: &Steps) -> Offsets {
    let mut table = [NO_STEP; 256];
    let mut offset = 0;
    while offset < steps.len() {
        let (ranks, files) = steps[offset];
        table[step_index(ranks, files)] = offset as u8;
        offset += 1;
    }
    table
}

/// Knight and king of the document, then of the program.
static STEP_TABLES: [Offsets; 4] = [
    step_table(&DOCUMENT_KNIGHT),
    step_table(&DOCUMENT_KING),
    step_table(&PROGRAM_KNIGHT),
    step_table(&PROGRAM_KING),
];

#[inline]
fn step_offset(profile: Profile, king: bool, ranks: i8, files: i8) -> Option<u8> {
    let table = 2 * usize::from(profile == Profile::Program) + usize::from(king);
    match STEP_TABLES[table][step_index(ranks, files)] {
        NO_STEP => None,
        offset => Some(offset),
    }
}

/// The offset with which a piece goes to a square.
#[inline]
pub(super) fn offset(
    profile: Profile,
    role: Role,
    color: Color,
    from: Square,
    to: Square,
) -> Option<u8> {
    let ranks = to.rank() as i8 - from.rank() as i8;
    let files = to.file() as i8 - from.file() as i8;
    match role {
        Role::Pawn => {
            let forward = color.forward();
            let step = (forward * ranks, forward * files);
            let found = PAWN.iter().position(|&known| known == step)?;
            Some(found as u8)
        }
        Role::Knight => step_offset(profile, false, ranks, files),
        Role::King => step_offset(profile, true, ranks, files),
        _ if from == to => None,
        Role::Bishop => diagonal_offset(to, files, ranks),
        Role::Rook => straight_offset(to, files, ranks),
        Role::Queen => diagonal_offset(to, files, ranks)
            .or_else(|| Some(16 + straight_offset(to, files, ranks)?)),
    }
}

fn diagonal_offset(to: Square, files: i8, ranks: i8) -> Option<u8> {
    let rank = to.rank() as u8;
    if files == ranks {
        Some(rank)
    } else if files == -ranks {
        Some(8 + rank)
    } else {
        None
    }
}

fn straight_offset(to: Square, files: i8, ranks: i8) -> Option<u8> {
    if files == 0 {
        Some(to.rank() as u8)
    } else if ranks == 0 {
        Some(8 + to.file() as u8)
    } else {
        None
    }
}

/// The piece and the offset of a code below `98`.
#[inline]
pub(super) const fn piece_of(code: u8) -> (Slot, u8) {
    // The table has a slot for every code in range.
    const SLOTS: [(Slot, u8); 256] = {
        let mut slots = [(Slot::KING, 0); 256];
        let mut index = 0;
        while index < Slot::COUNT {
            let slot = slot_at(index);
            let mut offset = 0;
            while offset < offsets(slot.role()) {
                slots[(FIRST[index] + offset) as usize] = (slot, offset);
                offset += 1;
            }
            index += 1;
        }
        slots
    };
    SLOTS[code as usize]
}

/// How many offsets a role has.
const fn offsets(role: Role) -> u8 {
    match role {
        Role::Pawn => 4,
        Role::Knight | Role::King => 8,
        Role::Bishop | Role::Rook => 16,
        Role::Queen => 32,
    }
}

const fn slot_at(index: usize) -> Slot {
    let mut role = 0;
    loop {
        let mut number = 0;
        while let Some(slot) = Slot::new(Role::ALL[role], number) {
            if slot.index() == index {
                return slot;
            }
            number += 1;
        }
        role += 1;
    }
}

/// The promotion of a number: knight 0 to queen 3.
pub(super) const fn promotion(number: u8) -> Role {
    match number & 3 {
        0 => Role::Knight,
        1 => Role::Bishop,
        2 => Role::Rook,
        _ => Role::Queen,
    }
}

/// The move of a code below `9A`, which may not be one that can be played.
///
/// # Errors
/// If there is no such piece or no such square.
#[inline]
pub(super) fn decode_move(
    profile: Profile,
    code: u8,
    position: &Position,
    pieces: &Pieces,
) -> Result<Move, ErrorKind> {
    if code >= CASTLE_H {
        return castling(code, position, pieces);
    }
    let (slot, offset) = piece_of(code);
    let us = position.turn();
    let missing = ErrorKind::NoSuchPiece {
        piece: slot.role(),
        index: slot.number(),
    };
    let from = pieces.square(us, slot).ok_or(missing)?;
    if slot.role() == Role::Pawn && !position.board().pieces(Role::Pawn).contains(from) {
        return Err(missing);
    }
    let to = target(profile, slot.role(), us, from, offset).ok_or(ErrorKind::OffBoard)?;
    Ok(Move::new(from, to))
}

/// The move of a promotion or of a promoted piece.
///
/// # Errors
/// If there is no such piece or no such square, or the second byte is 0.
pub(super) fn decode_long(
    profile: Profile,
    code: u8,
    second: u8,
    us: Color,
    board: &Board,
    pieces: &Pieces,
) -> Result<Move, ErrorKind> {
    let index = code & 7;
    let missing = ErrorKind::NoSuchPiece {
        piece: Role::Pawn,
        index,
    };
    let slot = Slot::new(Role::Pawn, index).ok_or(missing)?;
    let from = pieces.square(us, slot).ok_or(missing)?;
    let role = board.role_at(from).ok_or(missing)?;
    let is_promotion = code < PROMOTED;
    if is_promotion != (role == Role::Pawn) {
        return Err(missing);
    }
    if second == 0 {
        return Err(ErrorKind::ZeroSecondByte);
    }
    let to = |offset| target(profile, role, us, from, offset).ok_or(ErrorKind::OffBoard);
    if is_promotion {
        Ok(Move::promotion(
            from,
            to(second >> 2 & 3)?,
            promotion(second),
        ))
    } else {
        Ok(Move::new(from, to(second & 31)?))
    }
}

fn castling(code: u8, position: &Position, pieces: &Pieces) -> Result<Move, ErrorKind> {
    let us = position.turn();
    let king = pieces.square(us, Slot::KING);
    let king = king.ok_or(ErrorKind::NoSuchPiece {
        piece: Role::King,
        index: 0,
    })?;
    let rooks = position.castling_rooks() & position.board().side(us);
    let rook = rooks
        .into_iter()
        .find(|&rook| (rook > king) == (code == CASTLE_H));
    Ok(Move::new(king, rook.ok_or(ErrorKind::NoCastling)?))
}

/// One or two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Codes {
    bytes: [u8; 2],
    long: bool,
}

impl Codes {
    #[inline]
    fn one(code: u8) -> Codes {
        Codes {
            bytes: [code, 0],
            long: false,
        }
    }

    fn two(code: u8, second: u8) -> Codes {
        Codes {
            bytes: [code, second],
            long: true,
        }
    }

    #[inline]
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..1 + usize::from(self.long)]
    }
}

/// The code of a move that can be played; `None` if it has none.
#[inline]
pub(super) fn encode_move(
    profile: Profile,
    position: &Position,
    play: Move,
    pieces: &Pieces,
) -> Option<Codes> {
    let (from, to) = (play.from(), play.to());
    let slot = pieces.slot(from)?;
    if position.is_castling(play) {
        let code = if to > from { CASTLE_H } else { CASTLE_A };
        return Some(Codes::one(code));
    }
    let us = position.turn();
    if slot.role() != Role::Pawn {
        let offset = offset(profile, slot.role(), us, from, to)?;
        return Some(Codes::one(FIRST[slot.index()] + offset));
    }
    let role = position.board().role_at(from)?;
    let offset = offset(profile, role, us, from, to)?;
    if role != Role::Pawn {
        return Some(Codes::two(PROMOTED + slot.number(), NOT_ZERO | offset));
    }
    let becomes = match play.promoted() {
        None => return Some(Codes::one(FIRST[slot.index()] + offset)),
        Some(Role::Knight) => 0,
        Some(Role::Bishop) => 1,
        Some(Role::Rook) => 2,
        Some(Role::Queen) => 3,
        Some(Role::Pawn | Role::King) => return None,
    };
    let second = NOT_ZERO | offset << 2 | becomes;
    Some(Codes::two(PROMOTION + slot.number(), second))
}

/// How an offset is read aloud.
pub(super) fn offset_meaning(role: Role, offset: u8) -> String {
    let place = offset & 7;
    let rank = Rank::from_index(place).digit();
    let file = File::from_index(place).letter();
    match (role, offset) {
        (Role::Pawn, 0) => "one step".into(),
        (Role::Pawn, 1) => "captures to its right".into(),
        (Role::Pawn, 2) => "captures to its left".into(),
        (Role::Pawn, _) => "two steps".into(),
        (Role::Knight | Role::King, _) => format!("step {offset}"),
        (Role::Bishop | Role::Queen, 0..8) => format!("rising diagonal to rank {rank}"),
        (Role::Bishop | Role::Queen, 8..16) => format!("falling diagonal to rank {rank}"),
        (_, _) if offset & 8 == 0 => format!("along the file to rank {rank}"),
        (_, _) => format!("along the rank to file {file}"),
    }
}
