//! The main line of a stored game, straight onto a board.

use std::{ops::ControlFlow, sync::LazyLock};

use memchr::{memchr, memchr3};
use tabiya_chess::{
    Color, Key, Move, Position, Role, Square, Variant,
    mailbox::{Cell, Mailbox, Mover, Targets},
};

use super::{
    Profile, code,
    error::{Error, ErrorKind},
    pieces::{Pieces, Slot},
    playable::is_playable,
    reader::by_squares,
    store::{self, Data, leb128},
};

/// Plays the main line of a `store` stream on a board and shows it after every ply, with its
/// Polyglot key. Variations and everything that is said about moves are passed over.
///
/// Moves are taken on trust: a stream that was not written for this start leaves a meaningless
/// board, or is an error. Returned is how many plies were shown. Of a ply that was left out
/// nothing is known: it is not shown. Where the stream has a [`Head`](super::Head), that is the start; a
/// board cannot follow the rules of antichess.
///
/// ```
/// use std::ops::ControlFlow;
/// use tabiya_chess::{Setup, mailbox::Mailbox};
/// use tabiya_formats::jose::replay;
///
/// let start = Mailbox::from_setup(&Setup::INITIAL)?;
/// let mut last = None;
/// // 1. e4 (1. d4 !) d5 2. e5 f5 *
/// let stream = [0x13, 0xf0, 0x0f, 0xb1, 0xf1, 0x0f, 0x10, 0x17, 0xd3, 0xff];
/// let plies = replay(&stream, &start, |_, key| {
///     last = Some(key.to_string());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(plies, 4);
/// assert_eq!(last.as_deref(), Some("22a48b5a8e47ff78")); // Polyglot's own example
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the stream is not one, or names a piece or a square that is not there.
pub fn replay(
    stream: &[u8],
    start: &Mailbox,
    show: impl FnMut(&Mailbox, Key) -> ControlFlow<()>,
) -> Result<u32, Error> {
    Replay::new(start).run(stream, show)
}

/// A start position from which many games are replayed, see [`replay`](replay()).
#[derive(Clone, Debug)]
pub struct Replay {
    start: Mailbox,
    codes: Box<Codes>,
}

/// What each code below castling means to each side: a piece and a row of [`TARGETS`].
type Codes = [[(Mover, u8); 256]; 2];

/// Rows of [`TARGETS`]: the offsets of each role in a row. Pawns have rows for either side. The
/// number is rounded up, so that a mask takes the place of a bounds check.
pub(super) const ROWS: usize = 64;
const KNIGHT: usize = 0;
const KING: usize = 8;
const BISHOP: usize = 16;
const ROOK: usize = 32;
const WHITE_PAWN: usize = 48;
const BLACK_PAWN: usize = 52;
const UNUSED: usize = 56;

/// Where pieces go with an offset.
static TARGETS: LazyLock<[Targets; ROWS]> = LazyLock::new(|| {
    std::array::from_fn(|row| {
        let Some((role, color, offset)) = meaning(row) else {
            return Targets::NOWHERE;
        };
        Square::all().fold(Targets::NOWHERE, |targets, from| {
            match code::target(Profile::Store, role, color, from, offset) {
                Some(to) => targets.with(from.into(), to.into()),
                None => targets,
            }
        })
    })
});

/// Who goes with which offset in a row; nobody in those that are not used.
pub(super) fn meaning(row: usize) -> Option<(Role, Color, u8)> {
    let (role, color, first) = match row {
        KNIGHT..KING => (Role::Knight, Color::White, KNIGHT),
        KING..BISHOP => (Role::King, Color::White, KING),
        BISHOP..ROOK => (Role::Bishop, Color::White, BISHOP),
        ROOK..WHITE_PAWN => (Role::Rook, Color::White, ROOK),
        WHITE_PAWN..BLACK_PAWN => (Role::Pawn, Color::White, WHITE_PAWN),
        BLACK_PAWN..UNUSED => (Role::Pawn, Color::Black, BLACK_PAWN),
        _ => return None,
    };
    Some((role, color, (row - first) as u8))
}

/// The row of an offset.
pub(super) fn row(role: Role, color: Color, offset: u8) -> usize {
    let first = match (role, color) {
        (Role::Pawn, Color::White) => WHITE_PAWN,
        (Role::Pawn, Color::Black) => BLACK_PAWN,
        (Role::Knight, _) => KNIGHT,
        (Role::Bishop, _) => BISHOP,
        (Role::Rook, _) => ROOK,
        // The straight offsets of the queen follow the diagonal ones, as rook follows bishop.
        (Role::Queen, _) => BISHOP,
        (Role::King, _) => KING,
    };
    first + usize::from(offset)
}

impl Replay {
    /// Replays from a board.
    #[must_use]
    pub fn new(start: &Mailbox) -> Replay {
        Replay {
            start: start.clone(),
            codes: Box::new(codes(start)),
        }
    }

    /// Plays the main line of a stream, see [`replay`](replay()).
    ///
    /// # Errors
    /// If the stream is not one, or names a piece or a square that is not there.
    #[inline]
    pub fn run(
        &self,
        stream: &[u8],
        mut show: impl FnMut(&Mailbox, Key) -> ControlFlow<()>,
    ) -> Result<u32, Error> {
        self.drive::<false>(stream, |board, _| show(board, board.key()))
    }

    /// Plays the main line of a stream and shows every ply with its move, or none for a null move.
    /// Unlike [`run`](Replay::run) it refuses whatever does not simply follow from moves: moves by
    /// their squares, plies that were left out, positions from elsewhere.
    ///
    /// # Errors
    /// If the stream is not one, or is not as simple as that.
    #[inline]
    pub fn run_plain(
        &self,
        stream: &[u8],
        show: impl FnMut(&Mailbox, Option<Move>) -> ControlFlow<()>,
    ) -> Result<u32, Error> {
        self.drive::<true>(stream, show)
    }

    /// Plays the main line. If it is to be `PLAIN`, moves are told and nothing else is tolerated.
    #[inline(always)]
    fn drive<const PLAIN: bool>(
        &self,
        stream: &[u8],
        mut show: impl FnMut(&Mailbox, Option<Move>) -> ControlFlow<()>,
    ) -> Result<u32, Error> {
        let targets = &*TARGETS;
        let mut board = self.start.clone();
        // The codes change where a stream jumps to another position.
        let mut jumped: Option<Box<Codes>> = None;
        let mut codes = &*self.codes;
        let mut plies = 0;
        let mut rest = stream;
        // Counted here and not asked of the board: so the codes of a ply need not wait for the ply
        // before it.
        let mut side = board.turn() as usize;
        loop {
            let Some((&code, behind)) = rest.split_first() else {
                return Err(ErrorKind::UnexpectedEnd.at_byte(stream.len()));
            };
            let play;
            if code < code::CASTLE_H {
                let (mover, row) = codes[side & 1][usize::from(code)];
                let square = |board: &Mailbox| board.cell_of(mover.id()).map(Cell::square);
                let from = if PLAIN { square(&board) } else { None };
                if !board.play_to(mover, &targets[usize::from(row) & (ROWS - 1)]) {
                    let at = stream.len() - rest.len();
                    return Err(lost(code, &board, mover).at_byte(at));
                }
                play = from.and_then(|from| Some(Move::new(from, square(&board)?)));
                rest = behind;
                side ^= 1;
            } else {
                // Nearly every game ends so: a processor that expects moves guesses wrong once
                // here, where the way through `other` and back makes it four times.
                if let [0xd0..=0xd3, code::END, ..] = rest {
                    return Ok(plies);
                }
                let at = stream.len() - rest.len();
                let seen = other(code, behind, &mut board, codes);
                side = board.turn() as usize;
                if PLAIN && matches!(code, store::SQUARES | store::MISSING) {
                    return Err(ErrorKind::BadData { kind: code }.at_byte(at));
                }
                match seen.map_err(|kind| kind.at_byte(at))? {
                    Seen::Ply(played, behind) => (play, rest) = (played, behind),
                    Seen::Jump(_) if PLAIN => {
                        let kind = store::POSITION;
                        return Err(ErrorKind::BadData { kind }.at_byte(at));
                    }
                    Seen::Note(behind) => {
                        rest = behind;
                        continue;
                    }
                    Seen::Jump(behind) => {
                        rest = behind;
                        codes = jumped.insert(Box::new(self::codes(&board)));
                        continue;
                    }
                    Seen::End => return Ok(plies),
                }
            }
            plies += 1;
            if show(&board, play).is_break() {
                return Ok(plies);
            }
        }
    }
}

/// Whether every position of a main line surely follows from the one before by a move of its piece: no
/// byte can mean a move by squares, a position from elsewhere or a ply that was left out. Then what left the board never comes
/// back, and pawns never go back.
///
/// ```
/// use tabiya_formats::jose::is_continuous;
///
/// assert!(is_continuous(&[0x13, 0x0f, 0xd3, 0xff]));
/// assert!(!is_continuous(&[0x13, 0x9e, 0xd3, 0xff]));
/// ```
#[inline]
#[must_use]
pub fn is_continuous(stream: &[u8]) -> bool {
    memchr3(store::SQUARES, store::DATA, store::MISSING, stream).is_none()
}

/// What the codes mean on a board whose pieces have just got their numbers.
fn codes(board: &Mailbox) -> Codes {
    let pieces = Pieces::deal(&board.to_setup().board);
    let mut codes = [[(Mover::NOBODY, 0); 256]; 2];
    for (color, codes) in Color::ALL.into_iter().zip(&mut codes) {
        for code in 0..code::CASTLE_H {
            let (slot, offset) = code::piece_of(code);
            codes[usize::from(code)] = (
                mover(board, &pieces, color, slot),
                row(slot.role(), color, offset) as u8,
            );
        }
    }
    codes
}

fn mover(board: &Mailbox, pieces: &Pieces, color: Color, slot: Slot) -> Mover {
    match pieces.square(color, slot) {
        Some(square) => board.mover_at(square.into()),
        None => Mover::NOBODY,
    }
}

/// What a code was, and what stands behind it.
enum Seen<'a> {
    /// Its move, unless it is a null move.
    Ply(Option<Move>, &'a [u8]),
    Note(&'a [u8]),
    /// The board is another one.
    Jump(&'a [u8]),
    End,
}

/// Reads a code that is not a plain move: one in thirty of most games.
#[inline(never)]
fn other<'a>(
    code: u8,
    behind: &'a [u8],
    board: &mut Mailbox,
    codes: &Codes,
) -> Result<Seen<'a>, ErrorKind> {
    match code {
        code::CASTLE_H | code::CASTLE_A => {
            let h_side = code == code::CASTLE_H;
            let play = board.castling_move(h_side).ok_or(ErrorKind::NoCastling)?;
            board.castle_towards(h_side);
            return Ok(Seen::Ply(Some(play), behind));
        }
        code::NULL => {
            board.play_null();
            return Ok(Seen::Ply(None, behind));
        }
        code::PROMOTION..code::NAG => {
            let (&second, behind) = behind.split_first().ok_or(ErrorKind::UnexpectedEnd)?;
            let play = long_move(code, second, board, codes)?;
            return Ok(Seen::Ply(Some(play), behind));
        }
        store::SQUARES => {
            let (squares, behind) = behind.split_first_chunk().ok_or(ErrorKind::UnexpectedEnd)?;
            let play = squares_move(*squares, board)?;
            return Ok(Seen::Ply(Some(play), behind));
        }
        store::MISSING => board.play_null(),
        store::DATA => return data(behind, board),
        code::OPEN => return Ok(Seen::Note(skip_variation(behind)?)),
        code::CLOSE => return Err(ErrorKind::VariationUnderflow),
        code::END => return Ok(Seen::End),
        _ => {}
    }
    Ok(Seen::Note(skip(code, behind)?))
}

/// A promotion, or a move of a promoted piece.
fn long_move(code: u8, second: u8, board: &mut Mailbox, codes: &Codes) -> Result<Move, ErrorKind> {
    let us = board.turn();
    let index = code & 7;
    let missing = ErrorKind::NoSuchPiece {
        piece: Role::Pawn,
        index,
    };
    let (pawn, _) = codes[us as usize][usize::from(index * 4)];
    let from = board.cell_of(pawn.id()).ok_or(missing)?;
    let role = board.piece_at(from).ok_or(missing)?.role;
    if (code < code::PROMOTED) != (role == Role::Pawn) {
        return Err(missing);
    }
    if second == 0 {
        return Err(ErrorKind::ZeroSecondByte);
    }
    let (offset, promotion) = match role {
        Role::Pawn => (second >> 2 & 3, Some(code::promotion(second))),
        _ => (second & 31, None),
    };
    let to = code::target(Profile::Store, role, us, from.square(), offset);
    let to = to.ok_or(ErrorKind::OffBoard)?;
    board.play_cells(from, to.into(), promotion);
    Ok(match promotion {
        Some(role) => Move::promotion(from.square(), to, role),
        None => Move::new(from.square(), to),
    })
}

/// A move by squares, which may be any: it is looked at as the reader does.
fn squares_move(squares: [u8; 3], board: &mut Mailbox) -> Result<Move, ErrorKind> {
    let play = by_squares(squares)?;
    let position = Position::from_setup(&board.to_setup(), Variant::Chess960);
    match position {
        Ok(position) if is_playable(&position, play) => board.play(play),
        _ => return Err(ErrorKind::IllegalMove { play }),
    }
    Ok(play)
}

/// Data may change the position or the rules; all else is a note.
fn data<'a>(behind: &'a [u8], board: &mut Mailbox) -> Result<Seen<'a>, ErrorKind> {
    let (payload, behind) = counted(behind)?;
    let Some((&kind @ (store::POSITION | store::RULES), payload)) = payload.split_first() else {
        return Ok(Seen::Note(behind));
    };
    let bad = ErrorKind::BadData { kind };
    match store::decode(kind, payload) {
        Some(Data::Position(setup)) => *board = Mailbox::from_setup(&setup).map_err(|_| bad)?,
        // What castling means is the same in both.
        Some(Data::Rules(Variant::Standard | Variant::Chess960)) => {}
        _ => return Err(bad),
    }
    Ok(Seen::Jump(behind))
}

/// Why a plain move was not played.
#[cold]
fn lost(code: u8, board: &Mailbox, mover: Mover) -> ErrorKind {
    let (slot, _) = code::piece_of(code);
    match board.cell_of(mover.id()) {
        Some(_) => ErrorKind::OffBoard,
        None => ErrorKind::NoSuchPiece {
            piece: slot.role(),
            index: slot.number(),
        },
    }
}

/// Passes over a variation, its end included.
pub(super) fn skip_variation(mut behind: &[u8]) -> Result<&[u8], ErrorKind> {
    let mut depth = 1usize;
    while depth > 0 {
        let (&code, rest) = behind.split_first().ok_or(ErrorKind::UnexpectedEnd)?;
        match code {
            code::OPEN => depth += 1,
            code::CLOSE => depth -= 1,
            code::END => return Err(ErrorKind::UnclosedVariation),
            _ => {}
        }
        behind = skip(code, rest)?;
    }
    Ok(behind)
}

/// Passes over what follows a code.
#[inline]
pub(super) fn skip(code: u8, behind: &[u8]) -> Result<&[u8], ErrorKind> {
    let bytes = match code {
        store::SQUARES => 3,
        store::WIDE_NAG => 2,
        store::DATA => return Ok(counted(behind)?.1),
        store::COMMENT => {
            let (_, behind) = behind.split_at_checked(2).ok_or(ErrorKind::UnexpectedEnd)?;
            return Ok(counted(behind)?.1);
        }
        code::PROMOTION..=code::NAG => 1,
        0xe0..=0xe4 => memchr(0, behind).ok_or(ErrorKind::UnexpectedEnd)? + 1,
        0xd4..=0xdf | 0xe5..=0xef | 0xf2..=0xfe => return Err(ErrorKind::ReservedCode { code }),
        _ => 0,
    };
    behind.get(bytes..).ok_or(ErrorKind::UnexpectedEnd)
}

/// Bytes behind their number, and what follows them.
pub(super) fn counted(mut behind: &[u8]) -> Result<(&[u8], &[u8]), ErrorKind> {
    leb128(&mut behind)
        .and_then(|length| behind.split_at_checked(usize::try_from(length).ok()?))
        .ok_or(ErrorKind::UnexpectedEnd)
}
