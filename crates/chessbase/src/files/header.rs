//! `.cbh`: one header of 46 bytes for each game or text.
//!
//! The file begins with a header of its own, which is as long as a record, so that record `n`
//! stands at byte `46 n`. Numbers are big-endian.
//!
//! ```
//! use tabiya_chessbase::files::header::{Entry, FileHeader, GameRecord, Headers};
//!
//! let game = GameRecord { white_elo: 2851, round: 7, ..GameRecord::default() };
//! let mut bytes = FileHeader::new(1).to_bytes().to_vec();
//! bytes.extend(game.to_bytes());
//!
//! let headers = Headers::new(&bytes)?;
//! assert_eq!(headers.len(), 1);
//! assert_eq!(headers.get(1), Some(Entry::Game(game)));
//! # Ok::<(), tabiya_chessbase::files::FileError>(())
//! ```

use super::{
    EcoCode, Ending, FileError, FileErrorKind, FileKind, GameFlags, Magnitudes, Medals, PackedDate,
    bytes::{Fields, Record},
};

/// Bytes of a record, and of the header of the file.
pub const RECORD: usize = 46;

/// The header of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileHeader {
    /// 0.
    pub unknown_0: u8,
    /// How many bytes of this header are in use: 44, in ChessBase 6 and Light 36.
    pub used: u16,
    /// Bytes of a record: 46.
    pub record_size: u16,
    /// 1; 5 in databases that were converted back from the newer format.
    pub version: u8,
    /// The id that the next game gets: one more than there are records.
    pub next_game: u32,
    /// 0.
    pub unknown_10: u16,
    /// The ids that the next sound, picture and video get.
    pub next_media: [u32; 3],
    /// Zeros.
    pub unknown_24: [u8; 16],
    /// The same as `next_game`; 0 in headers of which 36 bytes are in use.
    pub next_game_again: u32,
    /// 0.
    pub unknown_44: u16,
}

impl FileHeader {
    /// The header of a file with so many records.
    #[must_use]
    pub const fn new(records: u32) -> FileHeader {
        FileHeader {
            unknown_0: 0,
            used: 44,
            record_size: RECORD as u16,
            version: 1,
            next_game: records + 1,
            unknown_10: 0,
            next_media: [0; 3],
            unknown_24: [0; 16],
            next_game_again: records + 1,
            unknown_44: 0,
        }
    }

    /// Reads a header.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; RECORD]) -> FileHeader {
        let mut fields = Fields::new(bytes);
        FileHeader {
            unknown_0: fields.u8(),
            used: fields.u16_be(),
            record_size: fields.u16_be(),
            version: fields.u8(),
            next_game: fields.u32_be(),
            unknown_10: fields.u16_be(),
            next_media: [fields.u32_be(), fields.u32_be(), fields.u32_be()],
            unknown_24: fields.array(),
            next_game_again: fields.u32_be(),
            unknown_44: fields.u16_be(),
        }
    }

    /// Writes a header.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; RECORD] {
        let [sound, picture, video] = self.next_media;
        Record::new()
            .u8(self.unknown_0)
            .u16_be(self.used)
            .u16_be(self.record_size)
            .u8(self.version)
            .u32_be(self.next_game)
            .u16_be(self.unknown_10)
            .u32_be(sound)
            .u32_be(picture)
            .u32_be(video)
            .put(&self.unknown_24)
            .u32_be(self.next_game_again)
            .u16_be(self.unknown_44)
            .done()
    }
}

/// The first byte of a record: what it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EntryKind(pub u8);

impl EntryKind {
    /// A game.
    pub const GAME: EntryKind = EntryKind(1);
    /// A text.
    pub const TEXT: EntryKind = EntryKind(3);

    /// Whether it is a text and no game.
    #[must_use]
    pub const fn is_text(self) -> bool {
        self.0 & 2 != 0
    }

    /// Whether it is marked to be deleted.
    #[must_use]
    pub const fn is_deleted(self) -> bool {
        self.0 & 0x80 != 0
    }

    /// The same, marked or not.
    #[must_use]
    pub const fn deleted(self, deleted: bool) -> EntryKind {
        EntryKind(self.0 & 0x7f | (deleted as u8) << 7)
    }
}

/// The header of a game.
///
/// Ids are numbers of records in the files of names, from 0. There is no number for "nobody": a
/// game without an annotator has the id of one with an empty name. Ids have 24 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// What the record is.
    pub kind: EntryKind,
    /// Where the moves are in `.cbg`, unless that is too large for it.
    pub moves: u32,
    /// Where the annotations are in `.cba`; 0 if there are none.
    pub annotations: u32,
    /// White, in `.cbp`.
    pub white: u32,
    /// Black, in `.cbp`.
    pub black: u32,
    /// The tournament, in `.cbt`.
    pub tournament: u32,
    /// The annotator, in `.cbc`.
    pub annotator: u32,
    /// The source, in `.cbs`.
    pub source: u32,
    /// When it was played.
    pub date: PackedDate,
    /// How it ended.
    pub ending: Ending,
    /// The NAG that judges a line; 0 if there is none or it is a game.
    pub line_nag: u8,
    /// The round; 0 if it is not known.
    pub round: u8,
    /// The round within the round, or the board; 0 if there is none.
    pub subround: u8,
    /// White's rating; 0 if it is not known.
    pub white_elo: u16,
    /// Black's rating; 0 if it is not known.
    pub black_elo: u16,
    /// The opening or the Chess960 position.
    pub eco: EcoCode,
    /// Medals.
    pub medals: Medals,
    /// What else the game holds.
    pub flags: GameFlags,
    /// How much of it.
    pub magnitudes: Magnitudes,
    /// Moves of the main line, at most 255; a move of Black at the start counts as one.
    pub moves_count: u8,
}

impl Default for GameRecord {
    fn default() -> GameRecord {
        GameRecord {
            kind: EntryKind::GAME,
            moves: 0,
            annotations: 0,
            white: 0,
            black: 0,
            tournament: 0,
            annotator: 0,
            source: 0,
            date: PackedDate::default(),
            ending: Ending::Line,
            line_nag: 0,
            round: 0,
            subround: 0,
            white_elo: 0,
            black_elo: 0,
            eco: EcoCode::NONE,
            medals: Medals::default(),
            flags: GameFlags::default(),
            magnitudes: Magnitudes::default(),
            moves_count: 0,
        }
    }
}

impl GameRecord {
    /// Reads a record.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; RECORD]) -> GameRecord {
        let mut fields = Fields::new(bytes);
        GameRecord {
            kind: EntryKind(fields.u8()),
            moves: fields.u32_be(),
            annotations: fields.u32_be(),
            white: fields.u24_be(),
            black: fields.u24_be(),
            tournament: fields.u24_be(),
            annotator: fields.u24_be(),
            source: fields.u24_be(),
            date: PackedDate(fields.u24_be()),
            ending: Ending::from_byte(fields.u8()),
            line_nag: fields.u8(),
            round: fields.u8(),
            subround: fields.u8(),
            white_elo: fields.u16_be(),
            black_elo: fields.u16_be(),
            eco: EcoCode(fields.u16_be()),
            medals: Medals(fields.u16_be()),
            flags: GameFlags(fields.u32_be()),
            magnitudes: Magnitudes(fields.u16_be()),
            moves_count: fields.u8(),
        }
    }

    /// Writes a record. Of ids and of the date, the lower 24 bits.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; RECORD] {
        Record::new()
            .u8(self.kind.0)
            .u32_be(self.moves)
            .u32_be(self.annotations)
            .u24_be(self.white)
            .u24_be(self.black)
            .u24_be(self.tournament)
            .u24_be(self.annotator)
            .u24_be(self.source)
            .u24_be(self.date.0)
            .u8(self.ending.to_byte())
            .u8(self.line_nag)
            .u8(self.round)
            .u8(self.subround)
            .u16_be(self.white_elo)
            .u16_be(self.black_elo)
            .u16_be(self.eco.0)
            .u16_be(self.medals.0)
            .u32_be(self.flags.0)
            .u16_be(self.magnitudes.0)
            .u8(self.moves_count)
            .done()
    }

    /// What stands in `moves_count` for a main line of so many plies.
    #[must_use]
    pub fn count_moves(plies: usize, black_begins: bool) -> u8 {
        let moves = (plies + usize::from(black_begins)).div_ceil(2);
        u8::try_from(moves).unwrap_or(u8::MAX)
    }
}

/// The header of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextRecord {
    /// What the record is.
    pub kind: EntryKind,
    /// Where the text is in `.cbg`, unless that is too large for it.
    pub text: u32,
    /// Zeros.
    pub unknown_5: [u8; 2],
    /// The tournament it is about, in `.cbt`.
    pub tournament: u32,
    /// The source, in `.cbs`.
    pub source: u32,
    /// Who wrote it, in `.cbc`.
    pub annotator: u32,
    /// The round it is about; 0 if there is none.
    pub round: u8,
    /// The round within the round; 0 if there is none.
    pub subround: u8,
    /// Whether it has sounds, pictures or videos.
    pub flags: GameFlags,
    /// Zeros.
    pub unknown_22: [u8; 24],
}

impl Default for TextRecord {
    fn default() -> TextRecord {
        TextRecord {
            kind: EntryKind::TEXT,
            text: 0,
            unknown_5: [0; 2],
            tournament: 0,
            source: 0,
            annotator: 0,
            round: 0,
            subround: 0,
            flags: GameFlags::default(),
            unknown_22: [0; 24],
        }
    }
}

impl TextRecord {
    /// Reads a record.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; RECORD]) -> TextRecord {
        let mut fields = Fields::new(bytes);
        TextRecord {
            kind: EntryKind(fields.u8()),
            text: fields.u32_be(),
            unknown_5: fields.array(),
            tournament: fields.u24_be(),
            source: fields.u24_be(),
            annotator: fields.u24_be(),
            round: fields.u8(),
            subround: fields.u8(),
            flags: GameFlags(fields.u32_be()),
            unknown_22: fields.array(),
        }
    }

    /// Writes a record. Of ids, the lower 24 bits.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; RECORD] {
        Record::new()
            .u8(self.kind.0)
            .u32_be(self.text)
            .put(&self.unknown_5)
            .u24_be(self.tournament)
            .u24_be(self.source)
            .u24_be(self.annotator)
            .u8(self.round)
            .u8(self.subround)
            .u32_be(self.flags.0)
            .put(&self.unknown_22)
            .done()
    }
}

/// A record of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Entry {
    /// A game.
    Game(GameRecord),
    /// A text.
    Text(TextRecord),
    /// Nothing but zeros: room for a game that was never written.
    Empty,
}

impl Entry {
    /// Reads a record.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; RECORD]) -> Entry {
        match bytes[0] {
            0 if bytes == &[0; RECORD] => Entry::Empty,
            kind if EntryKind(kind).is_text() => Entry::Text(TextRecord::from_bytes(bytes)),
            _ => Entry::Game(GameRecord::from_bytes(bytes)),
        }
    }

    /// Writes a record.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; RECORD] {
        match self {
            Entry::Game(game) => game.to_bytes(),
            Entry::Text(text) => text.to_bytes(),
            Entry::Empty => [0; RECORD],
        }
    }

    /// The same, marked to be deleted or not.
    #[must_use]
    pub const fn deleted(mut self, deleted: bool) -> Entry {
        match &mut self {
            Entry::Game(game) => game.kind = game.kind.deleted(deleted),
            Entry::Text(text) => text.kind = text.kind.deleted(deleted),
            Entry::Empty => {}
        }
        self
    }

    /// Whether it is marked to be deleted.
    #[must_use]
    pub const fn is_deleted(&self) -> bool {
        match self {
            Entry::Game(game) => game.kind.is_deleted(),
            Entry::Text(text) => text.kind.is_deleted(),
            Entry::Empty => true,
        }
    }
}

/// All records of a file.
#[derive(Clone, Copy, Debug)]
pub struct Headers<'b> {
    header: FileHeader,
    records: &'b [[u8; RECORD]],
}

impl<'b> Headers<'b> {
    /// Looks at a file. How many records it has is told by its length alone; empty records at the
    /// end do not count.
    ///
    /// # Errors
    /// If the file ends within its header, or has records of another size.
    pub fn new(bytes: &'b [u8]) -> Result<Headers<'b>, FileError> {
        let (chunks, _) = bytes.as_chunks();
        let Some((header, records)) = chunks.split_first() else {
            let why = "it ends within the header";
            return Err(FileError::header(
                FileKind::Headers,
                bytes.len() as u64,
                why,
            ));
        };
        let header = FileHeader::from_bytes(header);
        if usize::from(header.record_size) != RECORD {
            let why = "records have another size than 46 bytes";
            return Err(FileError::header(FileKind::Headers, 3, why));
        }
        let used = records.iter().rposition(|record| record != &[0; RECORD]);
        Ok(Headers {
            header,
            records: &records[..used.map_or(0, |last| last + 1)],
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
        u32::try_from(self.records.len()).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// A record by its id, which counts from 1.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Entry> {
        let record = self.records.get((id as usize).checked_sub(1)?)?;
        Some(Entry::from_bytes(record))
    }

    /// A record by its id, which counts from 1.
    ///
    /// # Errors
    /// If there is no such record.
    pub fn entry(&self, id: u32) -> Result<Entry, FileError> {
        let count = self.len();
        self.get(id).ok_or_else(|| {
            let kind = FileErrorKind::RecordOutOfRange { id, count };
            FileError::new(FileKind::Headers, u64::from(id) * RECORD as u64, kind)
        })
    }

    /// All records with their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, Entry)> + use<'b> {
        let records = self.records.iter().enumerate();
        records.map(|(index, record)| (index as u32 + 1, Entry::from_bytes(record)))
    }
}
