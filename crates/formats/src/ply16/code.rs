//! A ply as two bytes: tables and pure functions.
//!
//! ```
//! use tabiya_chess::{Move, Position, Square};
//! use tabiya_formats::ply16::{Profile, Word, decode_ply, encode_ply};
//!
//! let start = Position::initial();
//! let e4 = Move::new(Square::E2, Square::E4);
//! let word = encode_ply(&start, e4, Profile::Document)?;
//! // The fifth of the white pawns, two steps.
//! assert_eq!(word, Word { piece: 0x40, action: 0x02 });
//! assert_eq!(decode_ply(&start, word, Profile::Document)?, e4);
//! # Ok::<(), tabiya_formats::ply16::ErrorKind>(())
//! ```

use tabiya_chess::{Bitboard, Color, File, Move, Position, Role, Square, Variant};

use super::{error::ErrorKind, flags::Flags};

/// The two profiles of the words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// As the document has it: piece byte first, mate without check, eight pieces of a kind.
    #[default]
    Document,
    /// As the program writes it: action byte first, mate with check, sixteen pieces of a kind
    /// other than queens.
    Program,
}

/// A ply: which piece, and what it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Word {
    /// `q ppp eeee`: the queen's manner of moving, which of its kind, the kind.
    pub piece: u8,
    /// `m + x aaaaa`: mate, check, capture, the action.
    pub action: u8,
}

/// The bit of a piece byte that says that a queen moves like a rook.
const LIKE_ROOK: u8 = 0x80;
/// The bits of an action byte below the flags.
const STEP: u8 = 0x1f;
/// The actions of a king that castles.
const SHORT: u8 = 0x14;
const LONG: u8 = 0x18;

impl Word {
    /// The game is drawn.
    pub const DRAW: Word = Word {
        piece: 0,
        action: 0,
    };
    /// The side to move resigns.
    pub const RESIGN: Word = Word {
        piece: 0xff,
        action: 0,
    };
    /// A ply that was left out.
    pub const MISSING: Word = Word {
        piece: 0xff,
        action: 0xff,
    };

    /// The word of two bytes as they are stored.
    #[inline]
    #[must_use]
    pub const fn from_bytes([first, second]: [u8; 2], profile: Profile) -> Word {
        match profile {
            Profile::Document => Word {
                piece: first,
                action: second,
            },
            // The program writes 16-bit numbers in the order of its machine.
            Profile::Program => Word {
                piece: second,
                action: first,
            },
        }
    }

    /// The two bytes as they are stored.
    #[inline]
    #[must_use]
    pub const fn to_bytes(self, profile: Profile) -> [u8; 2] {
        match profile {
            Profile::Document => [self.piece, self.action],
            Profile::Program => [self.action, self.piece],
        }
    }

    /// Whose piece moves; `None` if the word names no piece.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        match self.piece & 0x0f {
            0..=5 => Some(Color::White),
            6..=11 => Some(Color::Black),
            _ => None,
        }
    }

    /// What kind of piece moves; `None` if the word names none.
    #[inline]
    #[must_use]
    pub const fn role(self) -> Option<Role> {
        match self.piece & 0x0f {
            kind @ 0..=11 => Some(Role::ALL[(kind % 6) as usize]),
            _ => None,
        }
    }

    /// How many pieces of the kind stand on lower squares.
    #[inline]
    pub(super) fn index(self, role: Role, profile: Profile) -> u8 {
        let index = self.piece >> 4 & 7;
        // The program counts beyond eight into the queen's bit, which no other piece needs.
        match (profile, role) {
            (_, Role::Queen) | (Profile::Document, _) => index,
            (Profile::Program, _) => index | (self.piece >> 4 & 8),
        }
    }

    /// What the flags say, be it true or not.
    #[must_use]
    pub const fn flags(self) -> Flags {
        Flags {
            capture: self.action & Flags::CAPTURE != 0,
            check: self.action & Flags::CHECK != 0,
            mate: self.action & Flags::MATE != 0,
        }
    }
}

/// The step of each action: sixteen times the change of rank plus the change of file. A step that
/// leaves the board then sets a bit of [`OUTSIDE`]. No step is 0, which stands for no meaning.
type Steps = [i8; 32];

/// The bits that no square has on a board sixteen files wide.
const OUTSIDE: u8 = 0x88;

const fn step(ranks: i8, files: i8) -> i8 {
    ranks * 16 + files
}

/// `c ff rr`; castling stands apart.
const KING: Steps = {
    let mut steps = [0; 32];
    // 0 none, 1 one up, 2 one down; 3 means nothing.
    let change = [0, 1, -1];
    let mut files = 0;
    while files < 3 {
        let mut ranks = 0;
        while ranks < 3 {
            steps[files << 2 | ranks] = step(change[ranks], change[files]);
            ranks += 1;
        }
        files += 1;
    }
    steps
};

/// `00 a o t`: which axis has the two steps, the sign of the one step, that of the two.
const KNIGHT: Steps = {
    let mut steps = [0; 32];
    let mut code = 0;
    while code < 8 {
        let one = if code & 2 == 0 { 1 } else { -1 };
        let two = if code & 1 == 0 { 2 } else { -2 };
        steps[code] = match code & 4 {
            0 => step(two, one),
            _ => step(one, two),
        };
        code += 1;
    }
    steps
};

/// `a d mmm`: the axis, the sign along it, how far.
const fn lines(axes: [i8; 2]) -> Steps {
    let mut steps = [0; 32];
    let mut code = 0;
    while code < 32 {
        let far = (code & 7) as i8;
        let axis = axes[code >> 4];
        steps[code] = match code & 8 {
            0 => axis * far,
            _ => -axis * far,
        };
        code += 1;
    }
    steps
}

/// `/` and `\`, with the sign of the change of rank.
const BISHOP: Steps = lines([step(1, 1), step(1, -1)]);
/// `-` and `|`.
const ROOK: Steps = lines([step(0, 1), step(1, 0)]);

/// No step: pawns have rules of their own.
const PAWN: Steps = [0; 32];

/// The steps of each kind of piece in the order of [`Role`]; of queens, those of bishops, and
/// last those of rooks. One table for all spares the processor a jump that it cannot foresee.
static STEPS: [Steps; 7] = [PAWN, KNIGHT, BISHOP, ROOK, BISHOP, KING, ROOK];

/// What a step is written as: the action by the step, from the longest step down to the longest
/// one up. The highest bit says that a line is a rook's.
type Actions = [u8; 240];

/// Where the step of nothing stands among [`Actions`].
const MIDDLE: i16 = 119;
/// A step that its piece cannot make.
const NONE: u8 = 0x60;

const fn inverse(mut actions: Actions, steps: &Steps, mark: u8) -> Actions {
    let mut code = 0;
    while code < 32 {
        if steps[code] != 0 {
            actions[(steps[code] as i16 + MIDDLE) as usize] = mark | code as u8;
        }
        code += 1;
    }
    actions
}

/// The actions of each kind of piece in the order of [`Role`]. Those of bishops and rooks lack
/// the mark, which only a queen needs.
static ACTIONS: [Actions; 6] = {
    let none = [NONE; 240];
    [
        none,
        inverse(none, &KNIGHT, 0),
        inverse(none, &BISHOP, 0),
        inverse(none, &ROOK, 0),
        inverse(inverse(none, &BISHOP, 0), &ROOK, LIKE_ROOK),
        inverse(none, &KING, 0),
    ]
};

/// A square on a board sixteen files wide.
#[inline]
fn wide(square: Square) -> u8 {
    let index = square.index() as u8;
    index + (index & 0x38)
}

/// The square of a wide board, if it is one of the narrow board.
#[inline]
fn narrow(wide: u8) -> Option<Square> {
    (wide & OUTSIDE == 0).then(|| Square::from_index((wide + (wide & 7)) >> 1))
}

#[inline]
fn action_of(role: Role, from: Square, to: Square) -> Result<u8, ErrorKind> {
    let step = i16::from(wide(to)) - i16::from(wide(from));
    match ACTIONS[role as usize][(step + MIDDLE) as usize] {
        NONE => Err(ErrorKind::NotRepresentable {
            what: "a move that its piece cannot make",
        }),
        action => Ok(action),
    }
}

/// The word of a legal move.
///
/// # Errors
/// [`ErrorKind::TooManyPieces`] and [`ErrorKind::Chess960Unsupported`] for moves that the profile
/// cannot tell apart, [`ErrorKind::NotRepresentable`] for promotion to a king and for moves of no
/// piece.
#[inline]
pub fn encode_ply(before: &Position, play: Move, profile: Profile) -> Result<Word, ErrorKind> {
    let board = before.board();
    let color = before.turn();
    let (from, to) = (play.from(), play.to());
    let Some(role) = board.role_at(from) else {
        return Err(ErrorKind::NotRepresentable {
            what: "a move of no piece",
        });
    };
    let lower = Bitboard(Bitboard::square(from).0 - 1);
    let index = (board.of(color, role) & lower).count() as u8;
    check_index(color, role, index, profile)?;
    let step = match role {
        Role::Pawn => pawn_action(play)?,
        Role::King if before.is_castling(play) => castling_action(color, play)?,
        role => action_of(role, from, to)?,
    };
    Ok(Word {
        // A queen's step brings the bit for its manner along.
        piece: (step & LIKE_ROOK) | index << 4 | (role as u8 + 6 * color as u8),
        action: (step & STEP) | Flags::of(before, play).to_bits(profile),
    })
}

#[inline]
fn check_index(color: Color, role: Role, index: u8, profile: Profile) -> Result<(), ErrorKind> {
    let most = match (role, profile) {
        (Role::King, _) => 1,
        (Role::Queen, _) | (_, Profile::Document) => 8,
        (_, Profile::Program) => 16,
    };
    if index < most {
        return Ok(());
    }
    Err(ErrorKind::TooManyPieces {
        color,
        role,
        index,
        most,
    })
}

#[inline]
fn pawn_action(play: Move) -> Result<u8, ErrorKind> {
    let (from, to) = (play.from(), play.to());
    let promotion = match play.promoted() {
        None => 0,
        Some(Role::King) => {
            return Err(ErrorKind::NotRepresentable {
                what: "promotion to a king",
            });
        }
        Some(role) => (role as u8) << 2,
    };
    let side = match (from.file() as u8).cmp(&(to.file() as u8)) {
        // Ranks forward.
        std::cmp::Ordering::Equal => from.index().abs_diff(to.index()) as u8 >> 3,
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Less => 2,
    };
    Ok(promotion | side)
}

fn castling_action(color: Color, play: Move) -> Result<u8, ErrorKind> {
    if play.from() != Square::new(File::E, color.back_rank()) {
        return Err(ErrorKind::Chess960Unsupported);
    }
    match play.to().file() {
        File::H => Ok(SHORT),
        File::A => Ok(LONG),
        _ => Err(ErrorKind::Chess960Unsupported),
    }
}

/// The move of a word, with the piece of the colour that the word says. Whether it is legal, and
/// whether the flags are true, is not asked.
///
/// # Errors
/// If the word is none, or names a piece that is not there, or leads off the board.
#[inline]
pub fn decode_ply(before: &Position, word: Word, profile: Profile) -> Result<Move, ErrorKind> {
    let bad_piece = || ErrorKind::BadPieceCode { piece: word.piece };
    let (Some(color), Some(role)) = (word.color(), word.role()) else {
        return Err(bad_piece());
    };
    if profile == Profile::Document && role != Role::Queen && word.piece & LIKE_ROOK != 0 {
        return Err(bad_piece());
    }
    let index = word.index(role, profile);
    let from = nth(before.board().of(color, role), index);
    let from = from.ok_or(ErrorKind::NoSuchPiece { color, role, index })?;
    let action = word.action;
    if role == Role::Pawn {
        return decode_pawn(color, from, action);
    }
    let manner = match role == Role::Queen && word.piece & LIKE_ROOK != 0 {
        true => STEPS.len() - 1,
        false => role as usize,
    };
    let step = STEPS[manner][usize::from(action & STEP)];
    if step == 0 {
        return match role {
            Role::King => decode_castling(before, from, action),
            _ => Err(ErrorKind::BadAction { action, role }),
        };
    }
    match narrow(wide(from).wrapping_add_signed(step)) {
        Some(to) => Ok(Move::new(from, to)),
        None => Err(ErrorKind::OffBoard { from, action }),
    }
}

/// The square with a number among those of a set.
#[inline]
fn nth(squares: Bitboard, index: u8) -> Option<Square> {
    let mut bits = squares.0;
    for _ in 0..index {
        bits &= bits.wrapping_sub(1);
    }
    Bitboard(bits).first()
}

#[inline]
fn decode_pawn(color: Color, from: Square, action: u8) -> Result<Move, ErrorKind> {
    let bad = ErrorKind::BadAction {
        action,
        role: Role::Pawn,
    };
    let capture = action & Flags::CAPTURE != 0;
    let (files, ranks) = match (capture, action & 3) {
        (false, ranks @ 1..=2) => (0, ranks as i8),
        (true, 1) => (-1, 1),
        (true, 2) => (1, 1),
        _ => return Err(bad),
    };
    let promotion = match action >> 2 & 7 {
        0 => None,
        1 => Some(Role::Knight),
        2 => Some(Role::Bishop),
        3 => Some(Role::Rook),
        4 => Some(Role::Queen),
        _ => return Err(bad),
    };
    let to = from.offset(files, ranks * color.forward());
    let to = to.ok_or(ErrorKind::OffBoard { from, action })?;
    Ok(match promotion {
        Some(role) => Move::promotion(from, to, role),
        None => Move::new(from, to),
    })
}

fn decode_castling(before: &Position, king: Square, action: u8) -> Result<Move, ErrorKind> {
    let (file, castling) = match action & STEP {
        SHORT => (File::H, "O-O"),
        LONG => (File::A, "O-O-O"),
        _ => {
            return Err(ErrorKind::BadAction {
                action,
                role: Role::King,
            });
        }
    };
    if king.file() == File::E {
        return Ok(Move::new(king, Square::new(file, king.rank())));
    }
    Err(match before.variant() {
        Variant::Chess960 => ErrorKind::Chess960Unsupported,
        _ => ErrorKind::IllegalMove {
            play: castling.to_owned(),
        },
    })
}
