//! The head of a record: what it is, how long, and where its moves start.
//!
//! | byte | holds |
//! |---|---|
//! | 0 | bit 7 a text, bit 6 a stored start, bits 0–5 the mode |
//! | 1–3 | the length of the record with these four bytes |
//! | 4 | 28 bytes of position if bit 6 is set; in Chess960 8 (or 4) bytes more; the moves |

use tabiya_chess::{Board, Position, Setup, Variant};

use super::{
    error::{Error, ErrorKind},
    mode::Mode,
    setup::{self, Chess960Block, SETUP_LENGTH},
};

/// How long the head is.
pub(super) const HEAD_LENGTH: usize = 4;

const TEXT: u8 = 0x80;
const STORED_START: u8 = 0x40;

/// A record of a `.cbg` file, its head read.
///
/// ```
/// use tabiya_chessbase::moves::Record;
///
/// // More bytes than the record has: they belong to the next one.
/// let record = Record::new(&[0, 0, 0, 5, 0x0c, 0x00])?;
/// assert!(!record.is_text());
/// assert_eq!(record.mode().unwrap().number(), 0);
/// assert_eq!(record.bytes().len(), 5);
/// # Ok::<(), tabiya_chessbase::moves::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl<'a> Record<'a> {
    /// The record at the start of some bytes, such as the rest of a file.
    ///
    /// # Errors
    /// If there is not even a head. A record that is cut off is one; [`Record::is_cut`] tells.
    pub fn new(bytes: &'a [u8]) -> Result<Record<'a>, Error> {
        let truncated = |expected, found| ErrorKind::TruncatedGame { expected, found }.at(0);
        let [_, high, middle, low, ..] = *bytes else {
            return Err(truncated(HEAD_LENGTH, bytes.len()));
        };
        let size = u32::from_be_bytes([0, high, middle, low]) as usize;
        if size < HEAD_LENGTH {
            return Err(truncated(HEAD_LENGTH, size));
        }
        Ok(Record {
            bytes: &bytes[..size.min(bytes.len())],
            size,
        })
    }

    /// Its bytes, the head included.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How long it says it is.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether bytes are missing at its end.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.bytes.len() < self.size
    }

    /// Whether it says that it is a text. A few games say so too: the header file decides.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.bytes[0] & TEXT != 0
    }

    /// Whether it has a start position.
    #[must_use]
    pub fn has_start(&self) -> bool {
        self.bytes[0] & STORED_START != 0
    }

    /// How the moves are encoded.
    ///
    /// # Errors
    /// If nobody knows.
    pub fn mode(&self) -> Result<Mode, ErrorKind> {
        Mode::new(self.bytes[0] & 0x3f)
    }

    /// Where the moves start, and from which position.
    ///
    /// # Errors
    /// If the mode is not known or there is no such position.
    pub fn start(&self) -> Result<Start, Error> {
        let mode = self.mode().map_err(|kind| kind.at(0))?;
        let at_head = |kind: ErrorKind| kind.at(HEAD_LENGTH);
        let mut stream = HEAD_LENGTH;
        let mut setup_bytes = None;
        if self.has_start() {
            let bytes = self.bytes[stream..].first_chunk::<SETUP_LENGTH>();
            setup_bytes = Some(bytes.ok_or(at_head(ErrorKind::TruncatedGame {
                expected: SETUP_LENGTH,
                found: self.bytes.len() - stream,
            }))?);
            stream += SETUP_LENGTH;
        }
        let mut block = None;
        if mode.variant() == Variant::Chess960 {
            let (board, castling) = match setup_bytes {
                Some([_, _, castling, _, bits @ ..]) => {
                    (setup::read_board(bits).map_err(at_head)?, *castling)
                }
                None => (Board::INITIAL, setup::ALL_MAY_CASTLE),
            };
            let (read, length) = self
                .read_block(stream, &board, castling)
                .map_err(|kind| kind.at(stream))?;
            block = Some(read);
            stream += length;
        }
        let position = match setup_bytes {
            Some(bytes) => setup::read_setup(bytes, block.as_ref(), mode.variant()),
            None => initial(mode.variant()),
        };
        Ok(Start {
            mode,
            position: position.map_err(at_head)?,
            chess960: block,
            stream,
        })
    }

    fn read_block(
        &self,
        at: usize,
        board: &Board,
        castling: u8,
    ) -> Result<(Chess960Block, usize), ErrorKind> {
        let bytes = &self.bytes[at..];
        // Half a block of 8 must not be taken for one of 4.
        if self.is_cut() && bytes.len() < 8 {
            return Err(ErrorKind::TruncatedGame {
                expected: self.size,
                found: self.bytes.len(),
            });
        }
        Chess960Block::read(bytes, board, castling)
    }
}

fn initial(variant: Variant) -> Result<Position, ErrorKind> {
    match variant {
        Variant::Standard => Ok(Position::initial()),
        _ => Position::from_setup(&Setup::INITIAL, variant)
            .map_err(|e| ErrorKind::BadSetup(e.into())),
    }
}

/// What a record says before its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// How the moves are encoded.
    pub mode: Mode,
    /// The position before the first move.
    pub position: Position,
    /// Where kings and rooks stood in Chess960.
    pub chess960: Option<Chess960Block>,
    /// Where the moves start in the record.
    pub stream: usize,
}

/// Writes the head of a record whose rest is known.
pub(super) fn head(mode: Mode, has_start: bool, size: usize) -> [u8; HEAD_LENGTH] {
    let flags = if has_start { STORED_START } else { 0 };
    let [_, high, middle, low] = (size as u32).to_be_bytes();
    [flags | mode.number(), high, middle, low]
}

/// The longest record: its length has three bytes.
pub(super) const LONGEST: usize = 0xff_ffff;
