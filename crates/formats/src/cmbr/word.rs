//! The word of 16 bits: what moves, where to, and no more of where from than needed.
//!
//! ```text
//!  15 14   13     12     11 10 9   8 7 6 5 4 3   2 1 0
//!  promo   used   kind   value     to square     piece
//! ```

use std::{fmt, hint::select_unpredictable};

use tabiya_chess::{Action, Bitboard, File, Move, Position, Rank, Role, Square};

use super::error::ErrorKind;

/// The origin field is in use.
const USED: u16 = 1 << 13;
/// The origin field names a rank, not a file.
const RANK: u16 = 1 << 12;
const SHORT_CASTLING: u16 = 6;
const LONG_CASTLING: u16 = 7;
/// Castling with all other bits set, which is no castling and free for a pass.
const NULL: u16 = 0xfffe;

/// The pieces in the order of their numbers; 6 and 7 are castling.
const PIECES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// What a pawn becomes, in the order of the numbers.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The squares that each value of the five origin bits allows.
static ORIGINS: [Bitboard; 32] = {
    let mut origins = [Bitboard::FULL; 32];
    let mut index = 0;
    while index < 8 {
        origins[(USED >> 9) as usize + index] = Bitboard::file(File::from_index(index as u8));
        origins[((USED | RANK) >> 9) as usize + index] =
            Bitboard::rank(Rank::from_index(index as u8));
        index += 1;
    }
    origins
};

/// How the fields of a word are read.
///
/// ```
/// use tabiya_chess::{Action, Move, Position, Square};
/// use tabiya_formats::cmbr::Layout;
///
/// let start = Position::initial();
/// let play = Move::new(Square::E2, Square::E4);
/// assert_eq!(Layout::Document.word(&start, Action::Move(play)), Ok(0x0118));
/// assert_eq!(Layout::Program.word(&start, Action::Move(play)), Ok(0x00e0));
/// assert_eq!(Layout::Program.action(&start, 0x00e0), Ok(Action::Move(play)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// As the document has it: a square is file · 8 + rank. Two origins that neither file nor
    /// rank tells apart cannot be written, nor can a null move.
    Document,
    /// As the program means it: a square is rank · 8 + file. The promotion bits, free on other
    /// moves, count pieces on a file that nothing else tells apart; `FFFE` is a null move.
    Program,
}

/// The fields of a word, as they are written in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fields {
    /// Bits 15 and 14: what a pawn becomes, or an ordinal.
    pub promotion: u8,
    /// The line on which the piece stands, if it is named.
    pub origin: Option<Line>,
    /// Where it goes.
    pub to: Square,
    /// What moves; `None` is castling.
    pub role: Option<Role>,
    /// The whole word.
    pub word: u16,
}

/// A file or a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// A file.
    File(File),
    /// A rank.
    Rank(Rank),
}

/// `0151, knight to c6`, `2399, knight of the b-file to d7`
impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04X}, ", self.word)?;
        match (self.role, self.word) {
            (None, SHORT_CASTLING) => return f.write_str("castling short"),
            (None, LONG_CASTLING) => return f.write_str("castling long"),
            (None, _) => return f.write_str("no castling"),
            (Some(role), _) => write!(f, "{role}")?,
        }
        match self.origin {
            Some(Line::File(file)) => write!(f, " of the {}-file", file.letter())?,
            Some(Line::Rank(rank)) => write!(f, " of rank {}", rank.digit())?,
            None => {}
        }
        write!(f, " to {}", self.to)
    }
}

impl Layout {
    /// Takes a word apart.
    #[must_use]
    pub fn fields(self, word: u16) -> Fields {
        let value = (word >> 9 & 7) as u8;
        let origin = match (word & USED != 0, word & RANK != 0) {
            (false, _) => None,
            (true, false) => Some(Line::File(File::from_index(value))),
            (true, true) => Some(Line::Rank(Rank::from_index(value))),
        };
        Fields {
            promotion: (word >> 14) as u8,
            origin,
            to: self.square(word),
            role: PIECES.get(usize::from(word & 7)).copied(),
            word,
        }
    }

    /// The target square of a word.
    #[inline(always)]
    fn square(self, word: u16) -> Square {
        let (high, low) = ((word >> 6 & 7) as u8, (word >> 3 & 7) as u8);
        match self {
            Layout::Document => Square::from_index(low << 3 | high),
            Layout::Program => Square::from_index(high << 3 | low),
        }
    }

    /// The bits of a target square.
    #[inline(always)]
    fn target(self, to: Square) -> u16 {
        let (file, rank) = (to.file() as u16, to.rank() as u16);
        match self {
            Layout::Document => file << 6 | rank << 3,
            Layout::Program => rank << 6 | file << 3,
        }
    }

    /// The word of a move or a pass.
    ///
    /// # Errors
    /// If the move is not legal, or if there is no word for it.
    pub fn word(self, before: &Position, action: Action) -> Result<u16, ErrorKind> {
        let play = match (action, self) {
            (Action::Move(play), _) => play,
            (Action::Null, Layout::Program) => return Ok(NULL),
            (Action::Null, Layout::Document) => return Err(ErrorKind::NullMoveUnsupported),
        };
        let (board, own) = (before.board(), before.board().side(before.turn()));
        let from = play.from();
        let role = board.role_at(from).filter(|_| own.contains(from));
        match role.ok_or_else(|| illegal(play))? {
            Role::King if before.is_castling(play) => match before.is_legal(play) {
                true if play.to() > from => Ok(SHORT_CASTLING),
                true => Ok(LONG_CASTLING),
                false => Err(illegal(play)),
            },
            Role::Pawn if before.is_legal(play) => self.pawn_word(play),
            Role::Pawn => Err(illegal(play)),
            // What moves cannot be predicted: asked once, here, it is known in all that follows.
            Role::Knight => self.piece_word(Role::Knight, before, play),
            Role::Bishop => self.piece_word(Role::Bishop, before, play),
            Role::Rook => self.piece_word(Role::Rook, before, play),
            Role::Queen => self.piece_word(Role::Queen, before, play),
            Role::King => self.piece_word(Role::King, before, play),
        }
    }

    fn pawn_word(self, play: Move) -> Result<u16, ErrorKind> {
        let promotion = match play.promoted() {
            None => 0,
            Some(role) => match PROMOTIONS.iter().position(|becomes| *becomes == role) {
                Some(number) => number as u16,
                None => {
                    let what = "a pawn that becomes a king";
                    return Err(ErrorKind::NotRepresentable { what });
                }
            },
        };
        // A capture names its file even where only one pawn can capture, as SAN does.
        let origin = match play.from().file() == play.to().file() {
            true => 0,
            false => USED | (play.from().file() as u16) << 9,
        };
        Ok(promotion << 14 | origin | self.target(play.to()))
    }

    /// Names no more of the origin than is needed among all legal ones.
    #[inline(always)]
    fn piece_word(self, role: Role, before: &Position, play: Move) -> Result<u16, ErrorKind> {
        let (from, to) = (play.from(), play.to());
        let origins = before.origins(role, to, Bitboard::FULL);
        if !origins.contains(from) || play.promoted().is_some() {
            return Err(illegal(play));
        }
        let piece = self.target(to) | role as u16;
        let others = origins - from.into();
        if others.is_empty() {
            return Ok(piece);
        }
        let file = USED | (from.file() as u16) << 9;
        let on_file = Bitboard::file(from.file());
        if (others & on_file).is_empty() {
            return Ok(piece | file);
        }
        if (others & Bitboard::rank(from.rank())).is_empty() {
            return Ok(piece | USED | RANK | (from.rank() as u16) << 9);
        }
        match self {
            Layout::Document => Err(ErrorKind::DoublyAmbiguous { from, to }),
            Layout::Program => {
                // A square is reached from a file along a rank and two diagonals: three at most.
                let before = Bitboard(Bitboard::square(from).0 - 1);
                let ordinal = (others & on_file & before).count() as u16;
                Ok(ordinal << 14 | file | piece)
            }
        }
    }

    /// The move or the pass of a word.
    ///
    /// # Errors
    /// If no legal move fits the word, or more than one.
    #[inline]
    pub fn action(self, before: &Position, word: u16) -> Result<Action, ErrorKind> {
        let Some(&role) = PIECES.get(usize::from(word & 7)) else {
            return self.castling(before, word);
        };
        let to = self.square(word);
        let mut among = ORIGINS[usize::from(word >> 9 & 31)];
        if role == Role::Pawn && word & USED == 0 {
            among = Bitboard::file(to.file());
        }
        let origins = before.origins(role, to, among);
        let promotes = role == Role::Pawn && to.rank() == before.turn().rank(Rank::Eighth);
        let from = match origins.single() {
            Some(from) => from,
            None => self.choose(word, origins, promotes)?,
        };
        Ok(Action::Move(match promotes {
            true => Move::promotion(from, to, PROMOTIONS[usize::from(word >> 14)]),
            false => Move::new(from, to),
        }))
    }

    /// Plays the move of a word if only one piece fits; `None` leaves all else to
    /// [`Layout::action`].
    #[inline(always)]
    pub(super) fn play_plain(self, position: &mut Position, word: u16) -> Option<Move> {
        let role = *PIECES.get(usize::from(word & 7))?;
        let to = self.square(word);
        let named = ORIGINS[usize::from(word >> 9 & 31)];
        let push = role == Role::Pawn && word & USED == 0;
        let among = select_unpredictable(push, Bitboard::file(to.file()), named);
        position.play_only(role, to, among, PROMOTIONS[usize::from(word >> 14)])
    }

    /// Of no or several origins the one that an ordinal names.
    #[inline(never)]
    fn choose(self, word: u16, origins: Bitboard, promotes: bool) -> Result<Square, ErrorKind> {
        let fields = self.fields(word);
        if origins.is_empty() {
            return Err(ErrorKind::NoLegalOrigin(fields));
        }
        // An ordinal counts along a file. Without one, bits 00 are no ordinal but nothing at all.
        let counted =
            self == Layout::Program && matches!(fields.origin, Some(Line::File(_))) && !promotes;
        let mut origins = origins.into_iter();
        let chosen = origins.nth(usize::from(fields.promotion));
        let chosen = chosen.filter(|_| counted);
        chosen.ok_or(ErrorKind::AmbiguousOrigin(fields))
    }

    #[inline(never)]
    fn castling(self, before: &Position, word: u16) -> Result<Action, ErrorKind> {
        let short = match word {
            SHORT_CASTLING => true,
            LONG_CASTLING => false,
            NULL if self == Layout::Program => return Ok(Action::Null),
            _ => return Err(ErrorKind::BadCastlingWord { word }),
        };
        let found = castling(before, short).map(Action::Move);
        found.ok_or_else(|| ErrorKind::NoLegalOrigin(self.fields(word)))
    }
}

#[cold]
fn illegal(play: Move) -> ErrorKind {
    ErrorKind::IllegalMove {
        what: play.to_string(),
    }
}

/// Castling to a side, if it is legal. A position has one right a side at most, so the side
/// names the rook in Chess960, too.
pub(super) fn castling(before: &Position, short: bool) -> Option<Move> {
    let king = before.board().king(before.turn())?;
    let rooks = before.castling_rooks() & before.board().side(before.turn());
    let mut plays = rooks.into_iter().map(|rook| Move::new(king, rook));
    plays.find(|play| (play.to() > king) == short && before.is_legal(*play))
}
