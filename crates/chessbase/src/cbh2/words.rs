//! Moves as 16-bit words, which need no board to be read.
//!
//! Every move that a piece can make on an empty board has a number: colour, piece, both squares,
//! what is captured and what a pawn becomes. The numbers run through nested loops, which
//! `Table::new` follows; whether a move is legal plays no part.
//!
//! | words | |
//! |---|---|
//! | 0001–ABF0 | pieces: White, then Black; K Q N B R; from a1, a2 … h8 |
//! | ABF1–B128 | pawns: White, then Black |
//! | B129–B12C | castling: White long and short, Black long and short |
//! | B12D–C02C | the same four for each of the 960 starts of Chess960 |
//! | C02D–C30C | a piece on a square, in start positions |
//! | FFFA | null move |
//! | FFFB, FFFC | a start position follows; moves follow |
//! | FFFD | the move before it has a further sibling |
//! | FFFF | the line ends |
//!
//! ```
//! use tabiya_chessbase::cbh2::words::{Meaning, meaning, of_move};
//! use tabiya_chess::{Move, Position, Square};
//!
//! let play = Move::new(Square::E2, Square::E4);
//! assert_eq!(of_move(&Position::initial(), play), Some(0xad3f));
//! let Meaning::Stroke(stroke) = meaning(0xad3f) else { panic!() };
//! assert_eq!(stroke.play(), play);
//! ```

use std::sync::LazyLock;

use tabiya_chess::{Capture, Color, File, Move, Piece, Position, Rank, Role, Square};

use crate::moves::{number_of, square_of};

/// A null move.
pub const NULL: u16 = 0xfffa;
/// A start position follows.
pub const START: u16 = 0xfffb;
/// Moves follow.
pub const MOVES: u16 = 0xfffc;
/// The move before it has a further sibling, which is stored later.
pub const SIBLING: u16 = 0xfffd;
/// The line ends.
pub const END: u16 = 0xffff;

/// The first words of castling, of castling in Chess960, and of pieces.
const CASTLING: u16 = 0xb129;
const CHESS960_CASTLING: u16 = 0xb12d;
const PIECES: u16 = 0xc02d;

/// The first words of pawns in start positions. They have 48 squares each.
const PAWNS: [u16; 2] = [0xc2ad, 0xc2dd];
const LAST_PIECE: u16 = 0xc30c;

/// The pieces in the order of the words.
const ORDER: [Role; 5] = [
    Role::King,
    Role::Queen,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
];

/// What is captured or promoted to, in the order of the words.
const TAKEN: [Role; 5] = [
    Role::Queen,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Pawn,
];

const KING: [(i8, i8); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];
const KNIGHT: [(i8, i8); 8] = [
    (-2, -1),
    (-2, 1),
    (2, -1),
    (2, 1),
    (-1, -2),
    (-1, 2),
    (1, -2),
    (1, 2),
];
const BISHOP: [(i8, i8); 4] = [(-1, -1), (1, -1), (1, 1), (-1, 1)];
const ROOK: [(i8, i8); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
const QUEEN: [(i8, i8); 8] = [
    (-1, -1),
    (1, -1),
    (1, 1),
    (-1, 1),
    (-1, 0),
    (0, -1),
    (1, 0),
    (0, 1),
];

/// What a word says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A move that is not castling.
    Stroke(Stroke),
    /// Castling.
    Castling {
        /// Who castles.
        color: Color,
        /// With the rook on the side of the h-file.
        h_side: bool,
        /// The number of the start position in Chess960.
        number: Option<u16>,
    },
    /// A null move.
    Null,
    /// A piece of a start position.
    Piece(Square, Piece),
    /// A start position follows.
    Start,
    /// Moves follow.
    Moves,
    /// The move before it has a further sibling.
    Sibling,
    /// The line ends.
    End,
    /// Nothing: no file has such a word.
    Nothing,
}

/// A move of a piece, in 22 bits: from, to, role, captured, promoted, colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stroke(u32);

const NOBODY: u32 = 6;
const EN_PASSANT: u32 = 7;

impl Stroke {
    fn new(
        color: Color,
        role: Role,
        from: Square,
        to: Square,
        captured: Capture,
        promoted: Option<Role>,
    ) -> Stroke {
        let captured = match captured {
            Capture::Nothing => NOBODY,
            Capture::Piece(role) => role as u32,
            Capture::EnPassant => EN_PASSANT,
        };
        let promoted = promoted.map_or(NOBODY, |role| role as u32);
        let squares = from.index() as u32 | (to.index() as u32) << 6;
        let pieces = (role as u32) << 12 | captured << 15 | promoted << 18;
        Stroke(squares | pieces | (color as u32) << 21)
    }

    /// Who moves.
    #[must_use]
    pub fn color(self) -> Color {
        match self.0 >> 21 & 1 {
            0 => Color::White,
            _ => Color::Black,
        }
    }

    /// What moves.
    #[must_use]
    pub fn role(self) -> Role {
        Role::ALL[(self.0 >> 12 & 7) as usize]
    }

    /// What is captured.
    #[must_use]
    pub fn captured(self) -> Capture {
        match self.0 >> 15 & 7 {
            NOBODY => Capture::Nothing,
            EN_PASSANT => Capture::EnPassant,
            role => Capture::Piece(Role::ALL[role as usize]),
        }
    }

    /// The move itself.
    #[must_use]
    #[inline]
    pub fn play(self) -> Move {
        let from = Square::from_index((self.0 & 63) as u8);
        let to = Square::from_index((self.0 >> 6 & 63) as u8);
        match self.0 >> 18 & 7 {
            NOBODY => Move::new(from, to),
            role => Move::promotion(from, to, Role::ALL[role as usize]),
        }
    }
}

/// All moves by their words, and the first words of all moves.
pub(super) struct Table {
    strokes: Vec<Stroke>,
    /// By colour, role, from and to; 0 where there is none.
    first: Vec<u16>,
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

fn place(color: Color, role: Role, from: Square, to: Square) -> usize {
    let piece = color as usize * 6 + role as usize;
    (piece << 6 | from.index()) << 6 | to.index()
}

impl Table {
    /// The table, made once.
    pub(super) fn get() -> &'static Table {
        &TABLE
    }

    fn new() -> Table {
        let mut table = Table {
            strokes: vec![Stroke::default()],
            first: vec![0; 2 * 6 * 64 * 64],
        };
        for color in Color::ALL {
            for role in ORDER {
                (0..64).for_each(|from| table.add_piece(color, role, square_of(from)));
            }
        }
        for color in Color::ALL {
            for file in 0..8 {
                for rank in 1..7 {
                    let from = Square::new(File::from_index(file), Rank::from_index(rank));
                    table.add_pawn(color, from);
                }
            }
        }
        table
    }

    fn begin(&mut self, color: Color, role: Role, from: Square, to: Square) {
        // There are fewer words than 16 bits can tell.
        self.first[place(color, role, from, to)] = self.strokes.len() as u16;
    }

    /// Each target six times: without a capture, and by what is captured.
    fn add_piece(&mut self, color: Color, role: Role, from: Square) {
        let (steps, slides): (&[(i8, i8)], bool) = match role {
            Role::King => (&KING, false),
            Role::Knight => (&KNIGHT, false),
            Role::Bishop => (&BISHOP, true),
            Role::Rook => (&ROOK, true),
            _ => (&QUEEN, true),
        };
        for (files, ranks) in steps {
            let mut at = from;
            while let Some(to) = at.offset(*files, *ranks) {
                self.begin(color, role, from, to);
                let taken = TAKEN.map(Capture::Piece);
                for captured in [Capture::Nothing].into_iter().chain(taken) {
                    let stroke = Stroke::new(color, role, from, to, captured, None);
                    self.strokes.push(stroke);
                }
                at = to;
                if !slides {
                    break;
                }
            }
        }
    }

    /// Ahead, then captures towards the a-file, then towards the h-file.
    fn add_pawn(&mut self, color: Color, from: Square) {
        let ahead = match color {
            Color::White => 1,
            Color::Black => -1,
        };
        let promotes = from.rank() == color.rank(Rank::Seventh);
        if from.rank() == color.rank(Rank::Second) {
            self.add_steps(color, from, 2 * ahead, &[None]);
        }
        let promotions = TAKEN.map(Some);
        let becomes: &[Option<Role>] = match promotes {
            true => &promotions[..4],
            false => &[None],
        };
        self.add_steps(color, from, ahead, becomes);
        for side in [-1, 1] {
            let Some(to) = from.offset(side, ahead) else {
                continue;
            };
            self.begin(color, Role::Pawn, from, to);
            // A pawn on the last rank cannot be captured.
            let captured = TAKEN.map(Capture::Piece);
            let captured = &captured[..if promotes { 4 } else { 5 }];
            for captured in captured {
                for promoted in becomes {
                    let stroke = Stroke::new(color, Role::Pawn, from, to, *captured, *promoted);
                    self.strokes.push(stroke);
                }
            }
            if from.rank() == color.rank(Rank::Fifth) {
                let captured = Capture::EnPassant;
                let stroke = Stroke::new(color, Role::Pawn, from, to, captured, None);
                self.strokes.push(stroke);
            }
        }
    }

    fn add_steps(&mut self, color: Color, from: Square, ranks: i8, becomes: &[Option<Role>]) {
        let Some(to) = from.offset(0, ranks) else {
            return;
        };
        self.begin(color, Role::Pawn, from, to);
        for promoted in becomes {
            let stroke = Stroke::new(color, Role::Pawn, from, to, Capture::Nothing, *promoted);
            self.strokes.push(stroke);
        }
    }

    /// The move of a word, if it is one that is not castling.
    #[inline]
    pub(super) fn stroke(&self, word: u16) -> Option<Stroke> {
        let stroke = self.strokes.get(usize::from(word)).copied();
        stroke.filter(|_| word != 0)
    }

    /// The word of a move that is not castling.
    fn word(&self, color: Color, role: Role, play: Move, captured: Capture) -> Option<u16> {
        let first = self.first[place(color, role, play.from(), play.to())];
        if first == 0 {
            return None;
        }
        let number = |role| TAKEN.iter().position(|it| *it == role);
        let becomes = match play.promoted() {
            Some(role) => number(role).filter(|number| *number < 4)?,
            None => 0,
        };
        let more = match (captured, role) {
            (Capture::Nothing, _) => becomes,
            (Capture::EnPassant, _) => 5,
            (Capture::Piece(taken), Role::Pawn) if play.promoted().is_some() => {
                number(taken)? * 4 + becomes
            }
            (Capture::Piece(taken), Role::Pawn) => number(taken)?,
            (Capture::Piece(taken), _) => number(taken)? + 1,
        };
        Some(first + more as u16)
    }
}

/// What a word says.
#[must_use]
pub fn meaning(word: u16) -> Meaning {
    if let Some(stroke) = Table::get().stroke(word) {
        return Meaning::Stroke(stroke);
    }
    match word {
        CASTLING..CHESS960_CASTLING => castling(word - CASTLING, None),
        CHESS960_CASTLING..PIECES => {
            let word = word - CHESS960_CASTLING;
            castling(word & 3, Some(word >> 2))
        }
        PIECES..=LAST_PIECE => piece(word),
        NULL => Meaning::Null,
        START => Meaning::Start,
        MOVES => Meaning::Moves,
        SIBLING => Meaning::Sibling,
        END => Meaning::End,
        _ => Meaning::Nothing,
    }
}

fn castling(which: u16, number: Option<u16>) -> Meaning {
    Meaning::Castling {
        color: if which & 2 == 0 {
            Color::White
        } else {
            Color::Black
        },
        h_side: which & 1 == 1,
        number,
    }
}

/// The word of castling, in Chess960 by the number of the start position.
#[must_use]
pub fn of_castling(color: Color, h_side: bool, number: Option<u16>) -> u16 {
    let which = (color as u16) << 1 | u16::from(h_side);
    match number {
        None => CASTLING + which,
        Some(number) => CHESS960_CASTLING + (number << 2) + which,
    }
}

/// The word of a legal move that is not castling; `None` for what has none, as a pawn that becomes
/// a king.
#[must_use]
pub fn of_move(before: &Position, play: Move) -> Option<u16> {
    let role = before.board().role_at(play.from())?;
    let captured = match before.board().role_at(play.to()) {
        Some(role) => Capture::Piece(role),
        None if before.is_en_passant(play) => Capture::EnPassant,
        None => Capture::Nothing,
    };
    Table::get().word(before.turn(), role, play, captured)
}

/// The word of a piece in a start position; `None` for a pawn where none can stand.
#[must_use]
pub fn of_piece(square: Square, piece: Piece) -> Option<u16> {
    let color = piece.color as usize;
    if let Some(kind) = ORDER.iter().position(|role| *role == piece.role) {
        let block = (color * 5 + kind) as u16;
        return Some(PIECES + block * 64 + u16::from(number_of(square)));
    }
    let rank = (square.rank() as u16)
        .checked_sub(1)
        .filter(|rank| *rank < 6)?;
    Some(PAWNS[color] + square.file() as u16 * 6 + rank)
}

fn piece(word: u16) -> Meaning {
    let color = |second: bool| match second {
        false => Color::White,
        true => Color::Black,
    };
    if word < PAWNS[0] {
        let at = word - PIECES;
        let block = usize::from(at / 64);
        let piece = Piece {
            color: color(block >= 5),
            role: ORDER[block % 5],
        };
        return Meaning::Piece(square_of((at % 64) as u8), piece);
    }
    let second = word >= PAWNS[1];
    let at = (word - PAWNS[usize::from(second)]) as u8;
    let square = Square::new(File::from_index(at / 6), Rank::from_index(at % 6 + 1));
    let piece = Piece {
        color: color(second),
        role: Role::Pawn,
    };
    Meaning::Piece(square, piece)
}
