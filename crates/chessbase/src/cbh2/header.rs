//! `.2cbh`: a record of 192 bytes for each game, text or analysis.
//!
//! A [`Header`] is the bytes themselves, so that what nobody understands is kept; its methods say
//! what they mean. What its numbers refer to is listed by [`Kind::references`], which readers,
//! writers and indexes share.
//!
//! ```
//! use tabiya_chessbase::cbh2::header::{Header, Kind};
//!
//! let mut header = Header::new(Kind::Game);
//! header.set_deleted(true);
//! assert!(header.is_deleted());
//! assert_eq!(header.kind(), Some(Kind::Game));
//! ```

use super::entities::EntityKind;
use crate::files::{EcoCode, Ending, GameFlags, Medals, PackedDate};

/// Bytes of a record, and of the header of the file.
pub const RECORD: usize = 192;

/// What stands at byte 8 of the header of the file. Nobody knows what it means.
const MARK: u16 = 38;
const VERSION: u8 = 5;

/// What a record is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A game.
    Game,
    /// A guiding text.
    Text,
    /// An analysis: moves without players.
    Analysis,
}

/// What an entity is to a record: the numbers are those of the lists of games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Role {
    /// Plays in it.
    Player = 1,
    /// Is where it was played.
    Tournament = 2,
    /// Is where it was found.
    Source = 3,
    /// Annotated or wrote it.
    Annotator = 4,
    /// Is who somebody plays for.
    Team = 5,
    /// Is the title of a game.
    GameTitle = 6,
    /// Is the title of a text.
    TextTitle = 7,
    /// Is the title of an analysis.
    AnalysisTitle = 8,
}

/// A number in a record that leads to an entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Where it stands.
    pub at: usize,
    /// What it is to the record.
    pub role: Role,
    /// Whose, for people.
    pub name: &'static str,
}

const fn reference(at: usize, role: Role, name: &'static str) -> Reference {
    Reference { at, role, name }
}

const GAME: [Reference; 8] = [
    reference(0x18, Role::Player, "White"),
    reference(0x20, Role::Player, "Black"),
    reference(0x28, Role::Tournament, "tournament"),
    reference(0x30, Role::Annotator, "annotator"),
    reference(0x38, Role::Source, "source"),
    reference(0x40, Role::Team, "White's team"),
    reference(0x48, Role::Team, "Black's team"),
    reference(0x50, Role::GameTitle, "title"),
];
const TEXT: [Reference; 4] = [
    reference(0x10, Role::Tournament, "tournament"),
    reference(0x18, Role::Source, "source"),
    reference(0x20, Role::Annotator, "author"),
    reference(0x28, Role::TextTitle, "title"),
];
const ANALYSIS: [Reference; 3] = [
    reference(0x18, Role::AnalysisTitle, "title"),
    reference(0x20, Role::Source, "source"),
    reference(0x28, Role::Annotator, "author"),
];

impl Kind {
    /// What records of the kind refer to, in the order of their bytes.
    #[must_use]
    pub const fn references(self) -> &'static [Reference] {
        match self {
            Kind::Game => &GAME,
            Kind::Text => &TEXT,
            Kind::Analysis => &ANALYSIS,
        }
    }
}

impl Role {
    /// What kind of entity has the role.
    #[must_use]
    pub const fn entity(self) -> EntityKind {
        match self {
            Role::Player | Role::Annotator => EntityKind::Player,
            Role::Tournament => EntityKind::Tournament,
            Role::Source => EntityKind::Source,
            Role::Team => EntityKind::Team,
            Role::GameTitle | Role::TextTitle | Role::AnalysisTitle => EntityKind::Tag,
        }
    }

    /// Whether a record may have none; all others lead to an entity that is empty.
    #[must_use]
    pub const fn is_optional(self) -> bool {
        matches!(self, Role::Team)
    }
}

/// A record of the header file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header(pub [u8; RECORD]);

/// The places of the fields of games that are set besides references.
pub(super) mod at {
    pub const MOVES: usize = 0x08;
    pub const ANNOTATIONS: usize = 0x10;
    pub const RESULT: usize = 0x58;
    pub const LINE_NAG: usize = 0x59;
    pub const ROUND: usize = 0x5a;
    pub const SUBROUND: usize = 0x5c;
    pub const BOARD: usize = 0x5e;
    pub const ELO: [usize; 2] = [0x60, 0x70];
    pub const RATING_TYPE: [usize; 2] = [0x62, 0x72];
    pub const ECO: usize = 0x80;
    pub const MEDALS: usize = 0x82;
    pub const FLAGS: usize = 0x84;
    pub const MAGNITUDES: usize = 0x88;
    pub const MOVE_COUNT: usize = 0x8a;
    pub const MATERIAL: [usize; 2] = [0x8c, 0x90];
    pub const CREATED: usize = 0x98;
    pub const CHANGED: usize = 0xa0;
    pub const VERSION: usize = 0xb8;
    pub const DATE: usize = 0xbc;
    /// Of texts and analyses.
    pub const TEXT_CREATED: usize = 0x30;
    pub const TEXT_MEDIA: usize = 0x38;
    pub const TEXT_VERSION: usize = 0x40;
}

/// Bytes of the kind of a rating.
pub const RATING_TYPE: usize = 14;

const DELETED: u8 = 0x80;

impl Header {
    /// A record of which nothing is known. References lead to the first entity, those that may be
    /// missing are.
    #[must_use]
    pub fn new(kind: Kind) -> Header {
        let mut header = Header([0; RECORD]);
        let (mark, number) = match kind {
            Kind::Game => (1, 1),
            Kind::Text => (3, 1),
            Kind::Analysis => (1, 2),
        };
        header.0[0] = mark;
        header.0[2] = number;
        header.0[3] = mark;
        for reference in kind.references() {
            if reference.role.is_optional() {
                header.set_i64(reference.at, -1);
            }
        }
        header
    }

    /// What it is about; `None` if nobody knows.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        match (self.0[0] & 2, self.0[2]) {
            (0, 1) => Some(Kind::Game),
            (2, 1) => Some(Kind::Text),
            (_, 2) => Some(Kind::Analysis),
            _ => None,
        }
    }

    /// Whether it is marked as deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.0[0] & DELETED != 0
    }

    /// Marks it as deleted, or takes the mark away.
    pub fn set_deleted(&mut self, deleted: bool) {
        match deleted {
            true => self.0[0] |= DELETED,
            false => self.0[0] &= !DELETED,
        }
    }

    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.0[at..at + N]);
        bytes
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The number of 64 bits at a place: offsets, references and times.
    #[must_use]
    pub fn i64(&self, at: usize) -> i64 {
        i64::from_le_bytes(self.array(at))
    }

    /// Sets a number of 64 bits.
    pub fn set_i64(&mut self, at: usize, value: i64) {
        self.put(at, &value.to_le_bytes());
    }

    pub(super) fn i16(&self, at: usize) -> i16 {
        i16::from_le_bytes(self.array(at))
    }

    pub(super) fn set_i16(&mut self, at: usize, value: i16) {
        self.put(at, &value.to_le_bytes());
    }

    pub(super) fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    pub(super) fn set_u16(&mut self, at: usize, value: u16) {
        self.put(at, &value.to_le_bytes());
    }

    pub(super) fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    pub(super) fn set_u32(&mut self, at: usize, value: u32) {
        self.put(at, &value.to_le_bytes());
    }

    /// Where moves, or the body of a text, stand in `.2cbg`.
    #[must_use]
    pub fn moves(&self) -> i64 {
        self.i64(at::MOVES)
    }

    /// Where annotations stand in `.2cba`; texts have none.
    #[must_use]
    pub fn annotations(&self) -> Option<i64> {
        let has = matches!(self.kind(), Some(Kind::Game | Kind::Analysis));
        has.then(|| self.i64(at::ANNOTATIONS))
    }

    /// How the game ended.
    #[must_use]
    pub fn ending(&self) -> Ending {
        Ending::from_byte(self.0[at::RESULT])
    }

    /// When the game was played.
    #[must_use]
    pub fn date(&self) -> PackedDate {
        PackedDate(self.u32(at::DATE))
    }

    /// The opening, or the number of a Chess960 start.
    #[must_use]
    pub fn eco(&self) -> EcoCode {
        EcoCode(self.u16(at::ECO))
    }

    /// Medals.
    #[must_use]
    pub fn medals(&self) -> Medals {
        Medals(self.u16(at::MEDALS))
    }

    /// What the game has.
    #[must_use]
    pub fn flags(&self) -> GameFlags {
        GameFlags(self.u32(at::FLAGS))
    }

    pub(super) fn rating_type(&self, side: usize) -> [u8; RATING_TYPE] {
        self.array(at::RATING_TYPE[side])
    }

    pub(super) fn set_rating_type(&mut self, side: usize, kind: [u8; RATING_TYPE]) {
        self.put(at::RATING_TYPE[side], &kind);
    }

    /// What it refers to by a reference; `None` for nothing.
    #[must_use]
    pub fn refers_to(&self, reference: &Reference) -> Option<i64> {
        Some(self.i64(reference.at)).filter(|id| *id >= 0)
    }
}

/// The header of the file, for so many records.
#[must_use]
pub fn file_header(records: u32) -> [u8; RECORD] {
    let mut header = Header([0; RECORD]);
    header.set_u16(8, MARK);
    header.set_u16(10, RECORD as u16);
    header.0[13] = VERSION;
    header.set_u32(16, records + 1);
    header.0
}

/// Whether a file begins as a header file does.
#[must_use]
pub fn recognise(head: &[u8]) -> bool {
    let mark = [MARK as u8, 0, RECORD as u8, 0];
    head.len() >= 20 && head[..8] == [0; 8] && head[8..12] == mark
}

/// The headers of a database.
#[derive(Clone, Copy, Debug)]
pub struct Headers<'b> {
    file: &'b [u8],
}

impl<'b> Headers<'b> {
    /// Looks at a file; `None` if its records are not of 192 bytes.
    #[must_use]
    pub fn new(file: &'b [u8]) -> Option<Headers<'b>> {
        let size = file.get(10..12)?;
        let sound = file.len() >= RECORD && size == (RECORD as u16).to_le_bytes();
        sound.then_some(Headers { file })
    }

    /// How many records there are: the length of the file tells.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.file.len() / RECORD - 1).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many records the header of the file says there are.
    #[must_use]
    pub fn announced(&self) -> i64 {
        let next = self.file.get(16..20).and_then(|next| next.first_chunk());
        next.map_or(0, |next| i64::from(i32::from_le_bytes(*next)) - 1)
    }

    /// The version of the file.
    #[must_use]
    pub fn version(&self) -> u8 {
        self.file[13]
    }

    /// Whether the version is the one that is known.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        self.version() == VERSION
    }

    /// A record by its number, from 1.
    #[must_use]
    #[inline]
    pub fn get(&self, id: u32) -> Option<Header> {
        let at = (id as usize).checked_mul(RECORD).filter(|at| *at > 0)?;
        let bytes = self.file.get(at..)?.first_chunk()?;
        Some(Header(*bytes))
    }

    /// All records with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Header)> + use<'b> {
        let headers = *self;
        (1..=headers.len()).filter_map(move |id| Some((id, headers.get(id)?)))
    }
}

/// Where a record stands in the file.
#[must_use]
pub fn offset_of(id: u32) -> u64 {
    u64::from(id) * RECORD as u64
}
