//! Profile `snapshot`: the board with two flags a cell and a trailer of eight bytes.
//!
//! | Offset | Field |
//! |---|---|
//! | 0 | 120 cells; bit 5 has moved, bit 6 may be captured en passant |
//! | 120 | side to move: 08 White, 10h Black |
//! | 121 | flags: bit 0, castling-rook files present |
//! | 122 | half-move clock, 16 bits, little-endian |
//! | 124 | move number, 16 bits, little-endian |
//! | 126 | White's castling rooks: a side in the high nibble, h side in the low; F none |
//! | 127 | Black's |

use super::{
    Error, Plain, byte,
    geometry::{CELLS, Cell, pawn_steps},
    plain::{board_of, cells_of, check_cells},
};
use crate::{Bitboard, Board, Color, FenField, File, Rank, Role, Setup, Square};

const LEN: usize = 128;
const SIDE: usize = 120;
const FLAGS: usize = 121;
const CLOCK: usize = 122;
const NUMBER: usize = 124;
const ROOKS: [usize; 2] = [126, 127];

const HAS_FILES: u8 = 1;
const NO_RIGHT: u8 = 0xf;

/// A board of 128 bytes that holds everything a FEN does.
///
/// Bit 5 of pawns, knights, bishops and queens may tell true history. It is kept, but nothing
/// follows from it: compare positions by their [`canonical`](Snapshot::canonical) forms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Snapshot([u8; LEN]);

impl Snapshot {
    /// Checks 128 bytes.
    ///
    /// # Errors
    ///
    /// The first fault in the order that [`Error`] gives.
    pub fn from_bytes(bytes: &[u8]) -> Result<Snapshot, Error> {
        let snapshot = Snapshot(bytes.try_into().map_err(|_| Error::BadLength {
            found: bytes.len(),
            expected: LEN,
        })?);
        check_cells(snapshot.cells(), byte::MOVED | byte::EN_PASSANT)?;
        snapshot.check_side()?;
        snapshot.check_flags()?;
        snapshot.check_en_passant()?;
        if snapshot.u16_at(NUMBER) == 0 {
            return Err(Error::BadMoveNumber { at: NUMBER });
        }
        snapshot.check_castling()?;
        Ok(snapshot)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; LEN] {
        &self.0
    }

    /// The canonical bytes of a set-up.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfRange`] for clocks beyond 16 bits and for move number 0;
    /// [`Error::LossyConversion`] for castling rights and en-passant squares that no king, rook or
    /// pawn can account for: there is nowhere to write them.
    pub fn from_setup(setup: &Setup) -> Result<Snapshot, Error> {
        match Snapshot::from_setup_lossy(setup)? {
            (snapshot, lost) if lost.is_empty() => Ok(snapshot),
            (_, lost) => Err(Error::LossyConversion { lost }),
        }
    }

    /// The canonical bytes of a set-up, and what of it is lost.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfRange`] for clocks beyond 16 bits and for move number 0.
    pub fn from_setup_lossy(setup: &Setup) -> Result<(Snapshot, Vec<FenField>), Error> {
        let clock = in_range(FenField::HalfmoveClock, setup.halfmove_clock, 0)?;
        let number = in_range(FenField::FullmoveNumber, setup.fullmove_number, 1)?;
        Ok(Snapshot::write(setup, clock, number))
    }

    /// The set-up it holds.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        let turn = self.turn();
        let board = board_of(self.cells());
        let ep_pawn = Cell::all().find(|cell| self.0[cell.index()] & byte::EN_PASSANT != 0);
        let castling_rooks = if self.0[FLAGS] & HAS_FILES == 0 {
            self.unmoved_rooks()
        } else {
            self.named_rooks()
        };
        Setup {
            board,
            turn,
            castling_rooks,
            ep_square: ep_pawn
                .and_then(|pawn| pawn.step(-pawn_steps(!turn).push))
                .map(Cell::square),
            halfmove_clock: self.u16_at(CLOCK).into(),
            fullmove_number: self.u16_at(NUMBER).into(),
        }
    }

    /// The same position as a writer would put it: without history, and with castling files only
    /// where they are needed. Two snapshots are one position if their canonical forms are equal.
    #[must_use]
    pub fn canonical(&self) -> Snapshot {
        let (clock, number) = (self.u16_at(CLOCK), self.u16_at(NUMBER));
        Snapshot::write(&self.to_setup(), clock, number).0
    }

    /// The cells without flags and trailer.
    #[must_use]
    pub fn to_plain(&self) -> Plain {
        Plain::from_setup_lossy(&self.to_setup()).0
    }

    fn cells(&self) -> &[u8; CELLS] {
        self.0
            .first_chunk()
            .expect("the trailer comes after 120 cells")
    }

    fn turn(&self) -> Color {
        if self.0[SIDE] == byte::BLACK {
            Color::Black
        } else {
            Color::White
        }
    }

    fn u16_at(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    fn check_side(&self) -> Result<(), Error> {
        match self.0[SIDE] {
            byte::WHITE | byte::BLACK => Ok(()),
            byte => Err(Error::BadSide { at: SIDE, byte }),
        }
    }

    fn check_flags(&self) -> Result<(), Error> {
        let flags = self.0[FLAGS];
        let fits = |at: usize| match at {
            FLAGS => flags & !HAS_FILES == 0,
            _ => flags & HAS_FILES != 0 || self.0[at] == 0xff,
        };
        match [FLAGS, ROOKS[0], ROOKS[1]]
            .into_iter()
            .find(|&at| !fits(at))
        {
            Some(at) => Err(Error::BadFlags {
                at,
                byte: self.0[at],
            }),
            None => Ok(()),
        }
    }

    /// Spec 4.2: at most one, a pawn of the side not to move, two free cells behind it.
    fn check_en_passant(&self) -> Result<(), Error> {
        let them = !self.turn();
        let back = -pawn_steps(them).push;
        let mut flagged = Cell::all().filter(|cell| self.0[cell.index()] & byte::EN_PASSANT != 0);
        let first = flagged.next();
        if let Some(pawn) = first {
            let byte = self.0[pawn.index()] & (byte::TYPE | byte::COLOR);
            let is_free =
                |cell: Option<Cell>| cell.is_some_and(|c| self.0[c.index()] == byte::FREE);
            let sound = byte == byte::of(Role::Pawn.of(them))
                && pawn.square().rank() == them.rank(Rank::Fourth)
                && is_free(pawn.step(back))
                && is_free(pawn.step(2 * back));
            if !sound {
                return Err(Error::BadEnPassant { at: pawn.index() });
            }
        }
        match flagged.next() {
            Some(second) => Err(Error::BadEnPassant { at: second.index() }),
            None => Ok(()),
        }
    }

    /// Spec 4.3: every file names a rook on its side of the only king on the back rank.
    fn check_castling(&self) -> Result<(), Error> {
        if self.0[FLAGS] & HAS_FILES == 0 {
            return Ok(());
        }
        let board = board_of(self.cells());
        for (color, at) in Color::ALL.into_iter().zip(ROOKS) {
            let byte = self.0[at];
            let rooks = castling_rooks(&board, color);
            for (nibble, h_side) in [(byte >> 4, false), (byte & 0xf, true)] {
                let sound = match nibble {
                    NO_RIGHT => true,
                    0..=7 => {
                        rooks(Square::new(File::from_index(nibble), color.back_rank()))
                            == Some(h_side)
                    }
                    _ => false,
                };
                if !sound {
                    return Err(Error::BadCastlingFile { at, byte });
                }
            }
        }
        Ok(())
    }

    /// Without files: the corner rooks that have not moved, if the king on the e-file has not.
    fn unmoved_rooks(&self) -> Bitboard {
        let mut rooks = Bitboard::EMPTY;
        for color in Color::ALL {
            let holds = |file, role: Role| {
                let cell = Cell::from_square(Square::new(file, color.back_rank()));
                self.0[cell.index()] == byte::of(role.of(color))
            };
            for file in [File::A, File::H] {
                if holds(File::E, Role::King) && holds(file, Role::Rook) {
                    rooks |= Square::new(file, color.back_rank()).into();
                }
            }
        }
        rooks
    }

    fn named_rooks(&self) -> Bitboard {
        named_rooks(ROOKS.map(|at| self.0[at]))
    }

    /// The canonical form, and what has no place in it.
    fn write(setup: &Setup, clock: u16, number: u16) -> (Snapshot, Vec<FenField>) {
        let mut lost = Vec::new();
        let rights = Rights::of(setup);
        if rights.rooks != setup.castling_rooks {
            lost.push(FenField::Castling);
        }
        let mut bytes = [0xff; LEN];
        bytes[..CELLS].copy_from_slice(&cells_of(&setup.board));
        for cell in Cell::all() {
            let byte = &mut bytes[cell.index()];
            if *byte != byte::FREE && !rights.is_unmoved(cell.square(), *byte) {
                *byte |= byte::MOVED;
            }
        }
        if let Some(square) = setup.ep_square {
            match setup.sound_ep_square() {
                Some(_) => {
                    let pawn = Cell::from_square(square).step(pawn_steps(!setup.turn).push);
                    if let Some(pawn) = pawn {
                        bytes[pawn.index()] |= byte::EN_PASSANT;
                    }
                }
                None => lost.push(FenField::EnPassant),
            }
        }
        bytes[SIDE] = byte::color(setup.turn);
        bytes[FLAGS] = if rights.files.is_some() { HAS_FILES } else { 0 };
        bytes[CLOCK..CLOCK + 2].copy_from_slice(&clock.to_le_bytes());
        bytes[NUMBER..NUMBER + 2].copy_from_slice(&number.to_le_bytes());
        bytes[ROOKS[0]..].copy_from_slice(&rights.files.unwrap_or([0xff; 2]));
        (Snapshot(bytes), lost)
    }
}

/// The castling rights of a set-up as a snapshot can hold them.
struct Rights {
    rooks: Bitboard,
    kings: Bitboard,
    /// The trailer's two bytes, where the rights are not all those of kings on the e-file with
    /// corner rooks.
    files: Option<[u8; 2]>,
}

impl Rights {
    fn of(setup: &Setup) -> Rights {
        Rights::of_corners(setup).unwrap_or_else(|| Rights::with_files(setup))
    }

    /// The rights, if bit 5 alone can tell them.
    fn of_corners(setup: &Setup) -> Option<Rights> {
        let mut kings = Bitboard::EMPTY;
        for rook in setup.castling_rooks {
            let color = side_of(rook)?;
            let king = Square::new(File::E, color.back_rank());
            let usual = matches!(rook.file(), File::A | File::H)
                && setup.board.of(color, Role::Rook).contains(rook)
                && setup.board.of(color, Role::King).contains(king);
            if !usual {
                return None;
            }
            kings |= king.into();
        }
        Some(Rights {
            rooks: setup.castling_rooks,
            kings,
            files: None,
        })
    }

    /// The rights that files can name: one rook on each side of the only king on the rank. Of two
    /// on one side the outer is kept, as in X-FEN.
    fn with_files(setup: &Setup) -> Rights {
        let mut kings = Bitboard::EMPTY;
        let mut files = [0xff; 2];
        for (color, byte) in Color::ALL.into_iter().zip(&mut files) {
            let back_rank = Bitboard::rank(color.back_rank());
            let side = castling_rooks(&setup.board, color);
            for rook in setup.castling_rooks & back_rank {
                let shift = match side(rook) {
                    // From the a-file on, the first on the a side and the last on the h side.
                    Some(false) if *byte >> 4 == NO_RIGHT => 4,
                    Some(true) => 0,
                    _ => continue,
                };
                *byte = *byte & !(0xf << shift) | (rook.file() as u8) << shift;
                kings |= setup.board.of(color, Role::King) & back_rank;
            }
        }
        let rooks = named_rooks(files);
        // What is left may be usual rights, or none.
        let kept = Setup {
            castling_rooks: rooks,
            ..*setup
        };
        Rights::of_corners(&kept).unwrap_or(Rights {
            rooks,
            kings,
            files: Some(files),
        })
    }

    /// Spec 4.1: the canonical value of bit 5, from what stands on a square.
    fn is_unmoved(&self, square: Square, byte: u8) -> bool {
        let Some(piece) = byte::piece(byte) else {
            return false;
        };
        match piece.role {
            Role::King => self.kings.contains(square),
            Role::Rook => self.rooks.contains(square),
            Role::Pawn => square.rank() == piece.color.rank(Rank::Second),
            Role::Knight | Role::Bishop | Role::Queen => square.rank() == piece.color.back_rank(),
        }
    }
}

/// The rooks that the trailer's last two bytes name.
fn named_rooks(files: [u8; 2]) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for (color, byte) in Color::ALL.into_iter().zip(files) {
        for nibble in [byte >> 4, byte & 0xf] {
            if nibble != NO_RIGHT {
                rooks |= Square::new(File::from_index(nibble), color.back_rank()).into();
            }
        }
    }
    rooks
}

/// Whose back rank a square is on.
fn side_of(square: Square) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|color| square.rank() == color.back_rank())
}

/// Tells of a square on a side's back rank whether a castling rook can stand there: `Some(true)`
/// for one on the h side of the only king on that rank.
fn castling_rooks(board: &Board, color: Color) -> impl Fn(Square) -> Option<bool> + Copy {
    let back_rank = Bitboard::rank(color.back_rank());
    let king = (board.of(color, Role::King) & back_rank).single();
    let rooks = board.of(color, Role::Rook) & back_rank;
    move |rook| rooks.contains(rook).then_some(rook > king?)
}

fn in_range(field: FenField, value: u32, least: u32) -> Result<u16, Error> {
    u16::try_from(value)
        .ok()
        .filter(|_| value >= least)
        .ok_or(Error::OutOfRange {
            field,
            value,
            least,
        })
}
