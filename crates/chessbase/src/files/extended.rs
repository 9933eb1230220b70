//! `.cbj`: what later programs added to the headers.
//!
//! The header of the file is little-endian, its records are big-endian. Every version of the
//! program made the records longer. What an older file does not have, and records that are not
//! there at all, have the default values.
//!
//! ```
//! use tabiya_chessbase::files::extended::{Extended, ExtendedRecord, FileHeader};
//!
//! // A file of version 1 knows the teams and nothing else.
//! let mut bytes = FileHeader::new(1, 8).unwrap().to_bytes(1).to_vec();
//! bytes.extend([0, 0, 0, 3, 0, 0, 0, 4]);
//! let extended = Extended::new(&bytes)?;
//! assert_eq!(extended.get(1).white_team(), Some(3));
//! assert_eq!(extended.get(1).media, -1);
//! assert_eq!(extended.get(2), ExtendedRecord::default());
//! # Ok::<(), tabiya_chessbase::files::FileError>(())
//! ```

use super::{
    Created, FileError, FileKind, RatingType, Saved,
    bytes::{Fields, Record},
};

/// Bytes of the longest record that is known, that of version 11.
pub const RECORD: usize = 120;

/// Bytes of the header of the file.
const HEADER: usize = 32;

/// The part of a record that its checksum covers: offsets and material, but not the teams.
const SUMMED: std::ops::Range<usize> = 8..28;

/// The header of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileHeader {
    /// The version: 1, 3, 5, 6, 7, 8 or 11.
    pub version: u32,
    /// Bytes of a record: 8, 20, 30, 38, 74, 78 or 120.
    pub record_size: u32,
    /// How many records there are.
    pub count: u32,
    /// Whatever was in the memory of the program.
    pub unknown_12: [u8; 20],
}

impl Default for FileHeader {
    /// That of the latest version that is known.
    fn default() -> FileHeader {
        FileHeader {
            version: 11,
            record_size: RECORD as u32,
            count: 0,
            unknown_12: [0; 20],
        }
    }
}

impl FileHeader {
    /// The header of a version, if records of that size have room for something.
    #[must_use]
    pub fn new(version: u32, record_size: u32) -> Option<FileHeader> {
        (8..=RECORD as u32)
            .contains(&record_size)
            .then_some(FileHeader {
                version,
                record_size,
                ..FileHeader::default()
            })
    }

    /// Reads a header.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; HEADER]) -> FileHeader {
        let mut fields = Fields::new(bytes);
        FileHeader {
            version: fields.u32_le(),
            record_size: fields.u32_le(),
            count: fields.u32_le(),
            unknown_12: fields.array(),
        }
    }

    /// Writes the header of a file with so many records.
    #[must_use]
    pub fn to_bytes(&self, count: u32) -> [u8; HEADER] {
        Record::new()
            .u32_le(self.version)
            .u32_le(self.record_size)
            .u32_le(count)
            .put(&self.unknown_12)
            .done()
    }
}

/// Pieces of one side. Kings do not count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Material(pub u32);

impl Material {
    /// So many pieces; more than seven of a kind, or fifteen pawns, are seven and fifteen.
    #[must_use]
    pub fn new(queens: u8, rooks: u8, bishops: u8, knights: u8, pawns: u8) -> Material {
        let piece = |count: u8, place: u32| u32::from(count.min(7)) << place;
        let pieces = piece(rooks, 0) | piece(bishops, 3) | piece(knights, 6) | piece(queens, 9);
        Material(pieces | u32::from(pawns.min(15)) << 12)
    }

    /// Queens.
    #[must_use]
    pub const fn queens(self) -> u8 {
        (self.0 >> 9) as u8 & 7
    }

    /// Rooks.
    #[must_use]
    pub const fn rooks(self) -> u8 {
        self.0 as u8 & 7
    }

    /// Bishops.
    #[must_use]
    pub const fn bishops(self) -> u8 {
        (self.0 >> 3) as u8 & 7
    }

    /// Knights.
    #[must_use]
    pub const fn knights(self) -> u8 {
        (self.0 >> 6) as u8 & 7
    }

    /// Pawns.
    #[must_use]
    pub const fn pawns(self) -> u8 {
        (self.0 >> 12) as u8 & 15
    }
}

/// More about a game or a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExtendedRecord {
    /// Teams of White and Black, in `.cbe`; -1 for none.
    pub teams: [i32; 2],
    /// Where the media of a text are in `.cbm`; -1 for none.
    pub media: i32,
    /// Where the annotations are in `.cba`; 0 if there are none.
    pub annotations: i64,
    /// The greater and the lesser material at the end of the main line; 0 if nobody counted.
    pub material: [Material; 2],
    /// The sum of the ten 16-bit words before it, without the teams.
    pub checksum: u16,
    /// Where the moves or the text are in `.cbg`.
    pub moves: i64,
    /// What kind of ratings White and Black have.
    pub ratings: [RatingType; 2],
    /// Unknown.
    pub unknown_70: [u8; 8],
    /// How often it was saved, at least once.
    pub saves: u16,
    /// When it was created.
    pub created: Created,
    /// Which endgames it has.
    pub endgames: [u8; 20],
    /// When it was saved.
    pub saved: Saved,
    /// The title, in `.cbl`; -1 for none. Programs write 0 too, and a title 0 that is empty.
    pub tag: i32,
}

impl Default for ExtendedRecord {
    fn default() -> ExtendedRecord {
        let mut record = ExtendedRecord {
            teams: [-1; 2],
            media: -1,
            annotations: 0,
            material: [Material::default(); 2],
            checksum: 0,
            moves: 0,
            ratings: [RatingType::default(); 2],
            unknown_70: [0; 8],
            saves: 1,
            created: Created::default(),
            endgames: [0; 20],
            saved: Saved::default(),
            tag: -1,
        };
        record.seal();
        record
    }
}

impl ExtendedRecord {
    /// Reads a record of any version. What it does not have is as in the default record.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> ExtendedRecord {
        if let Some(record) = bytes.first_chunk() {
            return ExtendedRecord::from_whole(record);
        }
        let mut record = ExtendedRecord::default().to_bytes();
        record[..bytes.len()].copy_from_slice(bytes);
        ExtendedRecord::from_whole(&record)
    }

    fn from_whole(record: &[u8; RECORD]) -> ExtendedRecord {
        let mut fields = Fields::new(record);
        ExtendedRecord {
            teams: [fields.i32_be(), fields.i32_be()],
            media: fields.i32_be(),
            annotations: fields.i64_be(),
            material: [Material(fields.u32_be()), Material(fields.u32_be())],
            checksum: fields.u16_be(),
            moves: fields.i64_be(),
            ratings: [
                RatingType::from_bytes(&fields.array()),
                RatingType::from_bytes(&fields.array()),
            ],
            unknown_70: fields.array(),
            saves: fields.u16_be(),
            created: Created(fields.i64_be()),
            endgames: fields.array(),
            saved: Saved(fields.i64_be()),
            tag: fields.i32_be(),
        }
    }

    /// Writes a record of the latest version. Older ones end earlier.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; RECORD] {
        let ([white, black], [greater, lesser]) = (self.teams, self.material);
        Record::new()
            .i32_be(white)
            .i32_be(black)
            .i32_be(self.media)
            .i64_be(self.annotations)
            .u32_be(greater.0)
            .u32_be(lesser.0)
            .u16_be(self.checksum)
            .i64_be(self.moves)
            .put(&self.ratings[0].to_bytes())
            .put(&self.ratings[1].to_bytes())
            .put(&self.unknown_70)
            .u16_be(self.saves)
            .i64_be(self.created.0)
            .put(&self.endgames)
            .i64_be(self.saved.0)
            .i32_be(self.tag)
            .done()
    }

    /// What [`checksum`](ExtendedRecord::checksum) should be.
    #[must_use]
    pub fn sum(&self) -> u16 {
        let bytes = self.to_bytes();
        let (words, _) = bytes[SUMMED].as_chunks();
        let words = words.iter().map(|word| u16::from_be_bytes(*word));
        words.fold(0, u16::wrapping_add)
    }

    /// Corrects the checksum.
    pub fn seal(&mut self) {
        self.checksum = self.sum();
    }

    /// White's team.
    #[must_use]
    pub fn white_team(&self) -> Option<u32> {
        u32::try_from(self.teams[0]).ok()
    }

    /// Black's team.
    #[must_use]
    pub fn black_team(&self) -> Option<u32> {
        u32::try_from(self.teams[1]).ok()
    }

    /// The title.
    #[must_use]
    pub fn game_tag(&self) -> Option<u32> {
        u32::try_from(self.tag).ok()
    }
}

/// All records of a file.
#[derive(Clone, Copy, Debug)]
pub struct Extended<'b> {
    header: FileHeader,
    record_size: usize,
    records: &'b [u8],
}

impl<'b> Extended<'b> {
    /// Looks at a file.
    ///
    /// # Errors
    /// If it ends within its header, or its records have no room for anything.
    pub fn new(bytes: &'b [u8]) -> Result<Extended<'b>, FileError> {
        let Some((header, records)) = bytes.split_first_chunk() else {
            let why = "it ends within the header";
            return Err(FileError::header(
                FileKind::Extended,
                bytes.len() as u64,
                why,
            ));
        };
        let header = FileHeader::from_bytes(header);
        let record_size = header.record_size as usize;
        // Later versions may have longer records; hardly more than ten times as long.
        if !(8..=10 * RECORD).contains(&record_size) {
            let why = "records of an impossible size";
            return Err(FileError::header(FileKind::Extended, 4, why));
        }
        Ok(Extended {
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

    /// How many records are there. It may be fewer than there are games.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.records.len() / self.record_size).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a record by the id of its game, which counts from 1.
    #[must_use]
    pub fn bytes(&self, id: u32) -> Option<&'b [u8]> {
        let mut records = self.records.chunks_exact(self.record_size);
        records.nth((id as usize).checked_sub(1)?)
    }

    /// The record of a game or a text by its id, which counts from 1; the default one if the file
    /// does not have it.
    #[must_use]
    pub fn get(&self, id: u32) -> ExtendedRecord {
        let record = self.bytes(id).map(ExtendedRecord::from_bytes);
        record.unwrap_or_default()
    }

    /// Whether the file says where moves and annotations stand: it does from version 6 on.
    #[must_use]
    pub fn has_offsets(&self) -> bool {
        self.record_size >= 38
    }
}
