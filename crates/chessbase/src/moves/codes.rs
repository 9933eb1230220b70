//! The one-byte codes of the compact encoder: which piece makes which step.
//!
//! | codes | piece | | codes | piece |
//! |---|---|---|---|---|
//! | 0 | null move | | 143–170, 171–198 | queens 2, 3 |
//! | 1–8 | king | | 199–212 | rook 3 |
//! | 9, 10 | castling short, long | | 213–226 | bishop 3 |
//! | 11–38 | queen 1 | | 227–234 | knight 3 |
//! | 39–52, 53–66 | rooks 1, 2 | | 235 | a move in two bytes follows |
//! | 67–80, 81–94 | bishops 1, 2 | | 236 | padding |
//! | 95–102, 103–110 | knights 1, 2 | | 237–253 | unused |
//! | 111–142 | pawns 1 to 8, four codes each | | 254, 255 | a line is left, ends |
//!
//! Steps count files and ranks modulo 8: seven up from the second rank is one down.

use tabiya_chess::{Color, Role, Square};

use super::slots::{self, Slot};

/// The turn passes.
pub(super) const NULL: u8 = 0;
/// Castling to the h side.
pub(super) const SHORT: u8 = 9;
/// Castling to the a side.
pub(super) const LONG: u8 = 10;
/// Two bytes follow.
pub(super) const WORD: u8 = 235;
/// The position is kept: another line will start from it.
pub(super) const PUSH: u8 = 254;
/// The line ends; the position that was kept last is next.
pub(super) const POP: u8 = 255;

/// The first code of a slot and of its kind of piece.
const FIRST: [(Slot, u8); 21] = [
    (slots::KING, 1),
    (slots::QUEENS, 11),
    (slots::ROOKS, 39),
    (slots::ROOKS + 1, 53),
    (slots::BISHOPS, 67),
    (slots::BISHOPS + 1, 81),
    (slots::KNIGHTS, 95),
    (slots::KNIGHTS + 1, 103),
    (slots::PAWNS, 111),
    (slots::PAWNS + 1, 115),
    (slots::PAWNS + 2, 119),
    (slots::PAWNS + 3, 123),
    (slots::PAWNS + 4, 127),
    (slots::PAWNS + 5, 131),
    (slots::PAWNS + 6, 135),
    (slots::PAWNS + 7, 139),
    (slots::QUEENS + 1, 143),
    (slots::QUEENS + 2, 171),
    (slots::ROOKS + 2, 199),
    (slots::BISHOPS + 2, 213),
    (slots::KNIGHTS + 2, 227),
];

const KING_STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

const KNIGHT_STEPS: [(i8, i8); 8] = [
    (2, 1),
    (1, 2),
    (-1, 2),
    (-2, 1),
    (-2, -1),
    (-1, -2),
    (1, -2),
    (2, -1),
];

/// Step, double step, capture right and capture left as the mover sees them.
const PAWN_STEPS: [(i8, i8); 4] = [(0, 1), (0, 2), (1, 1), (-1, 1)];

/// A piece and how far it goes.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Which piece.
    pub(super) slot: Slot,
    /// What it is.
    pub(super) role: Role,
    /// By how many files.
    files: u8,
    /// By how many ranks, times 8.
    ranks: u8,
}

impl Step {
    /// A code that is no step has this slot, in which nothing ever stands.
    const NONE: Step = Step {
        slot: slots::NOBODY,
        role: Role::King,
        files: 0,
        ranks: 0,
    };

    const fn new(slot: Slot, (files, ranks): (i8, i8), color: Color) -> Step {
        let (files, ranks) = match (slots::role(slot), color) {
            (Role::Pawn, Color::Black) => (-files, -ranks),
            _ => (files, ranks),
        };
        Step {
            slot,
            role: slots::role(slot),
            files: files as u8,
            ranks: (ranks as u8) << 3,
        }
    }

    /// Where it leads from a square; off one edge is on at the other.
    #[inline(always)]
    pub(super) const fn from(self, square: u8) -> u8 {
        (square.wrapping_add(self.files) & 7) | (square.wrapping_add(self.ranks) & 56)
    }
}

/// The steps of all codes, for White and for Black, who sees pawns the other way.
pub(super) static STEPS: [[Step; 256]; 2] = [steps_of(Color::White), steps_of(Color::Black)];

const fn steps_of(color: Color) -> [Step; 256] {
    let mut steps = [Step::NONE; 256];
    let mut index = 0;
    while index < FIRST.len() {
        let (slot, first) = FIRST[index];
        let mut nth = 0;
        while let Some(delta) = nth_step(slots::role(slot), nth) {
            steps[(first + nth) as usize] = Step::new(slot, delta, color);
            nth += 1;
        }
        index += 1;
    }
    steps
}

/// The steps of a kind of piece in the order of their codes.
const fn nth_step(role: Role, nth: u8) -> Option<(i8, i8)> {
    let index = nth as usize;
    match role {
        Role::King if nth < 8 => Some(KING_STEPS[index]),
        Role::Knight if nth < 8 => Some(KNIGHT_STEPS[index]),
        Role::Pawn if nth < 4 => Some(PAWN_STEPS[index]),
        Role::Queen if nth < 28 => Some(slide(nth)),
        Role::Rook if nth < 14 => Some(slide(nth)),
        Role::Bishop if nth < 14 => Some(slide(nth + 14)),
        _ => None,
    }
}

/// Seven up, seven to the right, seven up and right, seven down and right.
const fn slide(nth: u8) -> (i8, i8) {
    let far = (nth % 7) as i8 + 1;
    match nth / 7 {
        0 => (0, far),
        1 => (far, 0),
        2 => (far, far),
        _ => (far, -far),
    }
}

/// The code by which the piece in a slot goes from one square to another.
///
/// Four squares along either diagonal is the same square: the first of the two codes is used,
/// as ChessBase does.
pub(super) fn code_of(slot: Slot, color: Color, from: Square, to: Square) -> Option<u8> {
    let role = slots::role(slot);
    let (from, to) = match (role, color) {
        (Role::Pawn, Color::Black) => (to.index(), from.index()),
        _ => (from.index(), to.index()),
    };
    let files = to.wrapping_sub(from) & 7;
    let ranks = (to & 56).wrapping_sub(from & 56) & 56;
    let nth = NTH[role as usize][files | ranks];
    (nth != NO_STEP).then(|| FIRST_OF[usize::from(slot)] + nth)
}

const NO_STEP: u8 = u8::MAX;

/// Which of its steps takes a kind of piece so many files and ranks further.
static NTH: [[u8; 64]; 6] = {
    let mut table = [[NO_STEP; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut nth = 0;
        while let Some((files, ranks)) = nth_step(Role::ALL[role], nth) {
            let entry = &mut table[role][(files & 7 | (ranks & 7) << 3) as usize];
            if *entry == NO_STEP {
                *entry = nth;
            }
            nth += 1;
        }
        role += 1;
    }
    table
};

/// The first code of each slot.
static FIRST_OF: [u8; 21] = {
    let mut table = [0; 21];
    let mut index = 0;
    while index < FIRST.len() {
        let (slot, first) = FIRST[index];
        table[slot as usize] = first;
        index += 1;
    }
    table
};

/// What a code means, for people.
pub(super) fn describe(code: u8) -> String {
    match code {
        NULL => "null move".into(),
        SHORT => "castling short".into(),
        LONG => "castling long".into(),
        WORD => "a move in two bytes follows".into(),
        236 => "padding".into(),
        237..=253 => "unused, ignored".into(),
        PUSH => "another line will start here".into(),
        POP => "end of line".into(),
        _ => describe_step(code),
    }
}

fn describe_step(code: u8) -> String {
    let Some((slot, first)) = FIRST.into_iter().rev().find(|(_, first)| *first <= code) else {
        return String::new();
    };
    let role = slots::role(slot);
    let number = slots::number(slot);
    let Some((files, ranks)) = nth_step(role, code - first) else {
        return String::new();
    };
    match (role, code - first) {
        (Role::King, _) => format!("king, files {files:+}, ranks {ranks:+}"),
        (Role::Pawn, 0) => format!("pawn {number}, one step"),
        (Role::Pawn, 1) => format!("pawn {number}, two steps"),
        (Role::Pawn, 2) => format!("pawn {number}, captures to its right"),
        (Role::Pawn, _) => format!("pawn {number}, captures to its left"),
        _ => format!("{role} {number}, files {files:+}, ranks {ranks:+}"),
    }
}

/// A square as ChessBase counts them, up the files: a1 = 0, a2 = 1, b1 = 8, h8 = 63.
#[inline]
pub(crate) const fn square_of(number: u8) -> Square {
    Square::from_index((number & 7) << 3 | (number >> 3 & 7))
}

/// The number of a square, up the files.
#[inline]
pub(crate) const fn number_of(square: Square) -> u8 {
    let index = square.index() as u8;
    (index & 7) << 3 | index >> 3
}

/// What a pawn becomes, by the two bits of a word.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A move in two bytes: bits 0 to 5 the square it starts from, 6 to 11 where it goes, 12 and 13
/// what a pawn becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word(pub(super) u16);

impl Word {
    pub(super) fn new(from: Square, to: Square, promoted: Option<Role>) -> Word {
        let promotion = PROMOTIONS.iter().position(|role| Some(*role) == promoted);
        Word(
            u16::from(number_of(from))
                | u16::from(number_of(to)) << 6
                | (promotion.unwrap_or(0) as u16) << 12,
        )
    }

    pub(super) const fn from(self) -> Square {
        square_of(self.0 as u8 & 63)
    }

    pub(super) const fn to(self) -> Square {
        square_of((self.0 >> 6) as u8 & 63)
    }

    /// Meaningful only for a pawn that reaches the last rank.
    pub(super) const fn promotion(self) -> Role {
        PROMOTIONS[(self.0 >> 12 & 3) as usize]
    }

    /// With the squares in the other order.
    pub(super) const fn swapped(self) -> Word {
        Word(self.0 & 0xf000 | (self.0 & 63) << 6 | self.0 >> 6 & 63)
    }
}
