//! `.cbtt`: where tournaments took place, when they ended, how ties were broken.
//!
//! The header is little-endian; record `n` belongs to tournament `n`. Coordinates and dates are
//! big-endian. Files have fewer records than there are tournaments, most have one.
//!
//! ```
//! use tabiya_chessbase::files::tournament_extra::{FileHeader, TournamentExtra, TournamentExtras};
//!
//! let mut biel = TournamentExtra::default();
//! biel.set_coordinates(47.14, 7.25);
//! let mut bytes = FileHeader::default().to_bytes().to_vec();
//! bytes.extend(biel.to_bytes(65));
//! let read = TournamentExtras::new(&bytes)?;
//! assert_eq!(read.get(0).map(|extra| extra.coordinates()), Some((47.14, 7.25)));
//! # Ok::<(), tabiya_chessbase::files::FileError>(())
//! ```

use super::{
    FileError, FileKind, PackedDate,
    bytes::{Fields, Record},
};

/// Bytes of the header of the file.
const HEADER: usize = 32;
/// Bytes of a record in version 2, which does not know the end.
const WITHOUT_END: usize = 61;
/// Bytes of a record in version 3.
const WITH_END: usize = 65;

/// The header of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileHeader {
    /// The version: 2 to 5.
    pub version: u32,
    /// Bytes of a record: 61, 65, 223 or 405.
    pub record_size: u32,
    /// The number of the last record; 0 too if there are none.
    pub last: u32,
    /// Whatever was in the memory of the program.
    pub unknown_12: [u8; 20],
}

impl Default for FileHeader {
    /// That of version 3.
    fn default() -> FileHeader {
        FileHeader {
            version: 3,
            record_size: WITH_END as u32,
            last: 0,
            unknown_12: [0; 20],
        }
    }
}

impl FileHeader {
    /// Reads a header.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; HEADER]) -> FileHeader {
        let mut fields = Fields::new(bytes);
        FileHeader {
            version: fields.u32_le(),
            record_size: fields.u32_le(),
            last: fields.u32_le(),
            unknown_12: fields.array(),
        }
    }

    /// Writes a header.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; HEADER] {
        Record::new()
            .u32_le(self.version)
            .u32_le(self.record_size)
            .u32_le(self.last)
            .put(&self.unknown_12)
            .done()
    }
}

/// More about a tournament.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TournamentExtra {
    /// Degrees north, as the bits of a 64-bit number.
    pub latitude: u64,
    /// Degrees east, as the bits of a 64-bit number.
    pub longitude: u64,
    /// Unknown; zeros but for a 7 in three places.
    pub unknown_16: [u8; 34],
    /// How ties are broken, first to last; 1 in places that are not used.
    pub tie_breaks: [u8; 10],
    /// How many of them are in use.
    pub tie_breaks_count: u8,
    /// When it ended.
    pub end: PackedDate,
    /// What later versions have.
    pub unknown_65: Vec<u8>,
}

impl Default for TournamentExtra {
    /// Nothing is known. The odd bytes are those that every record has.
    fn default() -> TournamentExtra {
        let mut unknown_16 = [0; 34];
        for place in [10, 21, 32] {
            unknown_16[place] = 7;
        }
        TournamentExtra {
            latitude: 0,
            longitude: 0,
            unknown_16,
            tie_breaks: [1; 10],
            tie_breaks_count: 0,
            end: PackedDate::default(),
            unknown_65: Vec::new(),
        }
    }
}

impl TournamentExtra {
    /// Reads a record, `None` if it is shorter than any version has it.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<TournamentExtra> {
        if bytes.len() < WITHOUT_END {
            return None;
        }
        let mut fields = Fields::new(bytes);
        Some(TournamentExtra {
            latitude: fields.u64_be(),
            longitude: fields.u64_be(),
            unknown_16: fields.array(),
            tie_breaks: fields.array(),
            tie_breaks_count: fields.u8(),
            end: match bytes.len() >= WITH_END {
                true => PackedDate(fields.u32_be()),
                false => PackedDate::default(),
            },
            unknown_65: match bytes.len() >= WITH_END {
                true => fields.rest().to_vec(),
                false => Vec::new(),
            },
        })
    }

    /// Writes a record of a size: what does not fit is left out, what is missing is zero.
    #[must_use]
    pub fn to_bytes(&self, record_size: usize) -> Vec<u8> {
        let known: [u8; WITH_END] = Record::new()
            .u64_be(self.latitude)
            .u64_be(self.longitude)
            .put(&self.unknown_16)
            .put(&self.tie_breaks)
            .u8(self.tie_breaks_count)
            .u32_be(self.end.0)
            .done();
        let mut bytes = [&known, self.unknown_65.as_slice()].concat();
        bytes.resize(record_size, 0);
        bytes
    }

    /// Degrees north and east; both 0 if they are not known.
    #[must_use]
    pub fn coordinates(&self) -> (f64, f64) {
        (
            f64::from_bits(self.latitude),
            f64::from_bits(self.longitude),
        )
    }

    /// Sets degrees north and east.
    pub fn set_coordinates(&mut self, north: f64, east: f64) {
        (self.latitude, self.longitude) = (north.to_bits(), east.to_bits());
    }

    /// How ties are broken, first to last.
    #[must_use]
    pub fn tie_breaks(&self) -> &[u8] {
        let count = usize::from(self.tie_breaks_count).min(self.tie_breaks.len());
        &self.tie_breaks[..count]
    }
}

/// All records of a file.
#[derive(Clone, Copy, Debug)]
pub struct TournamentExtras<'b> {
    header: FileHeader,
    record_size: usize,
    records: &'b [u8],
}

impl<'b> TournamentExtras<'b> {
    /// Looks at a file.
    ///
    /// # Errors
    /// If it ends within its header, or has records of an impossible size.
    pub fn new(bytes: &'b [u8]) -> Result<TournamentExtras<'b>, FileError> {
        let Some((header, records)) = bytes.split_first_chunk() else {
            let why = "it ends within the header";
            let file = FileKind::TournamentExtra;
            return Err(FileError::header(file, bytes.len() as u64, why));
        };
        let header = FileHeader::from_bytes(header);
        let record_size = header.record_size as usize;
        // The longest that is known has 405 bytes.
        if !(WITHOUT_END..=4096).contains(&record_size) {
            let why = "records of an impossible size";
            return Err(FileError::header(FileKind::TournamentExtra, 4, why));
        }
        Ok(TournamentExtras {
            header,
            record_size,
            records,
        })
    }

    /// The header of the file.
    #[must_use]
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.records.len() / self.record_size).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it ends where a record ends.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.records.len().is_multiple_of(self.record_size)
    }

    /// The record of a tournament by its number, which counts from 0.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<TournamentExtra> {
        let mut records = self.records.chunks_exact(self.record_size);
        TournamentExtra::from_bytes(records.nth(id as usize)?)
    }
}
