//! The frame around a record of `.2cbg` and `.2cba`.
//!
//! | at | bytes | |
//! |---|---|---|
//! | 0 | 8 | `88 77 66 55 44 33 22 11` |
//! | 8 | 4 | bytes of the content |
//! | 12 | 4 | bytes of the spare area |
//! | 16 | 8 | checksum of the content, big-endian |
//! | 24 | 2 | tag: what the content is |
//! | 26 | | the content, then the spare area, which means nothing |
//! | | 8 | the length of all of it |
//!
//! ```
//! use tabiya_chessbase::cbh2::frame::{Frame, fresh_spare, tag};
//!
//! let mut file = vec![0; 12];
//! let content = [0xfc, 0xff, 0xff, 0xff];
//! Frame::write(&mut file, tag::CHESS, &content, fresh_spare(tag::CHESS, 12, content.len()));
//! let frame = Frame::at(&file, 12)?;
//! assert_eq!(frame.content, content);
//! assert!(frame.is_sound() && file.len() % 8 == 0);
//! # Ok::<(), tabiya_chessbase::cbh2::frame::BadFrame>(())
//! ```

/// How a frame begins.
const MAGIC: [u8; 8] = [0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11];
/// Bytes before the content.
pub const HEAD: usize = 26;
/// Bytes of a frame besides content and spare area.
pub const AROUND: usize = HEAD + 8;

/// No content is longer: the longest that is known has 1.2 MB.
pub const LONGEST: usize = 64 << 20;

/// Bytes of the header of both files.
pub const FILE_HEADER: usize = 12;

/// What the content of a frame is.
pub mod tag {
    /// A game of chess, or an analysis.
    pub const CHESS: u16 = 1;
    /// A game of Chess960.
    pub const CHESS960: u16 = 2;
    /// A position without one king for each side, and moves that nobody checked.
    pub const NO_KINGS: u16 = 10;
    /// A text.
    pub const TEXT: u16 = 0x1000;
    /// Annotations.
    pub const ANNOTATIONS: u16 = 0x2000;
}

/// A record in its frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// What it is.
    pub tag: u16,
    /// What it holds.
    pub content: &'a [u8],
    /// Bytes that are free behind the content.
    pub spare: usize,
    /// The checksum as it is stored.
    pub checksum: u64,
}

/// Why there is no frame at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadFrame {
    /// The place is not in the file.
    #[error("there is nothing at byte {offset}: the file has {length}")]
    Outside {
        /// The place.
        offset: i64,
        /// The length of the file.
        length: usize,
    },
    /// A record does not begin there.
    #[error("no record begins at byte {offset}")]
    NoMagic {
        /// The place.
        offset: i64,
    },
    /// Its sizes cannot be.
    #[error("the record at byte {offset} has sizes that cannot be")]
    Sizes {
        /// The place.
        offset: i64,
    },
}

impl<'a> Frame<'a> {
    /// The frame at a place of a file.
    ///
    /// # Errors
    /// If there is none, or its sizes do not fit into the file or disagree.
    pub fn at(file: &'a [u8], offset: i64) -> Result<Frame<'a>, BadFrame> {
        let length = file.len();
        let at = usize::try_from(offset).ok();
        let bytes = at.filter(|at| *at >= FILE_HEADER);
        let bytes = bytes.and_then(|at| file.get(at..));
        let head = bytes.and_then(|bytes| bytes.first_chunk::<HEAD>());
        let (Some(bytes), Some(head)) = (bytes, head) else {
            return Err(BadFrame::Outside { offset, length });
        };
        if head[..8] != MAGIC {
            return Err(BadFrame::NoMagic { offset });
        }
        let size = |at: usize| {
            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
            usize::try_from(i32::from_le_bytes(bytes)).ok()
        };
        let sizes = BadFrame::Sizes { offset };
        let (used, spare) = (size(8).ok_or(sizes)?, size(12).ok_or(sizes)?);
        // Two numbers of 31 bits: their sum is one of 32.
        let end = (HEAD as u64 + used as u64 + spare as u64) as usize;
        let trailer = bytes.get(end..).and_then(|rest| rest.first_chunk());
        let trailer = trailer.map(|bytes| i64::from_le_bytes(*bytes));
        if used > LONGEST || trailer != i64::try_from(end + 8).ok() {
            return Err(sizes);
        }
        Ok(Frame {
            tag: u16::from_le_bytes([head[24], head[25]]),
            content: &bytes[HEAD..HEAD + used],
            spare,
            checksum: u64::from_be_bytes([
                head[16], head[17], head[18], head[19], head[20], head[21], head[22], head[23],
            ]),
        })
    }

    /// Whether the checksum fits the content.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.checksum == checksum(self.content)
    }

    /// Bytes of the whole frame.
    #[must_use]
    pub fn size(&self) -> usize {
        AROUND + self.content.len() + self.spare
    }

    /// Adds a record with so much room to spare.
    pub fn write(out: &mut Vec<u8>, tag: u16, content: &[u8], spare: usize) {
        out.extend(MAGIC);
        out.extend((content.len() as u32).to_le_bytes());
        out.extend((spare as u32).to_le_bytes());
        out.extend(checksum(content).to_be_bytes());
        out.extend(tag.to_le_bytes());
        out.extend(content);
        out.resize(out.len() + spare, 0);
        out.extend(((AROUND + content.len() + spare) as u64).to_le_bytes());
    }
}

/// The spare room of a new record that begins at a place: 96 bytes for games, 192 for texts and
/// annotations, and 1 to 8 more, so that it ends at a multiple of 8.
#[must_use]
pub fn fresh_spare(tag: u16, begin: u64, content: usize) -> usize {
    let usual = match tag {
        tag::TEXT | tag::ANNOTATIONS => 192,
        _ => 96,
    };
    let end = begin + (AROUND + content + usual) as u64;
    usual + 8 - (end % 8) as usize
}

/// The checksum: the content in eight parts of the same length, the sum of the bytes of each. What
/// is left over takes no part. Of less than eight bytes, the bytes themselves.
#[must_use]
pub fn checksum(content: &[u8]) -> u64 {
    let part = content.len() / 8;
    let mut sums = [0; 8];
    if part == 0 {
        sums[..content.len()].copy_from_slice(content);
    } else {
        for (sum, bytes) in sums.iter_mut().zip(content.chunks_exact(part)) {
            *sum = bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
        }
    }
    u64::from_le_bytes(sums)
}

/// The header of a file of records. Only the one of moves says a version, once it has a record.
#[must_use]
pub fn file_header(length: u64, moves: bool, empty: bool) -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&length.to_le_bytes());
    header[8] = FILE_HEADER as u8;
    if moves {
        (header[10], header[11]) = if empty { (1, 0) } else { (0, 5) };
    }
    header
}

/// The length that a file says it has, if it begins with its header.
#[must_use]
pub fn announced_length(file: &[u8]) -> Option<u64> {
    let header = file.first_chunk::<FILE_HEADER>()?;
    let is_header = i16::from_le_bytes([header[8], header[9]]) == FILE_HEADER as i16;
    let length = header.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    length.filter(|_| is_header)
}
