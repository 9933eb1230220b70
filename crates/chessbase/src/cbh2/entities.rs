//! `.2lid`: players, tournaments, sources, teams and titles in one file.
//!
//! The file is a row of blocks of the same size; block *n* has room for the entity *n* of each
//! kind. How large the rooms are is said in the header, which is big-endian, unlike the rest.
//!
//! ```
//! use tabiya_chessbase::cbh2::entities::{Entities, EntityKind, Found, Layout};
//!
//! let file = Layout::default().header(|_| 0);
//! let entities = Entities::new(&file).unwrap();
//! assert_eq!(entities.count(EntityKind::Player), 0);
//! assert_eq!(entities.get(EntityKind::Player, 0), Found::Missing);
//! ```

/// What an entity is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum EntityKind {
    /// A player or an annotator.
    Player = 0,
    /// A tournament.
    Tournament = 1,
    /// A source.
    Source = 2,
    /// A team.
    Team = 4,
    /// The title of a game, a text or an analysis.
    Tag = 5,
}

impl EntityKind {
    /// All kinds.
    pub const ALL: [EntityKind; 5] = [
        EntityKind::Player,
        EntityKind::Tournament,
        EntityKind::Source,
        EntityKind::Team,
        EntityKind::Tag,
    ];

    /// What entities of the kind are called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EntityKind::Player => "player",
            EntityKind::Tournament => "tournament",
            EntityKind::Source => "source",
            EntityKind::Team => "team",
            EntityKind::Tag => "title",
        }
    }

    /// Bytes that a record has room for in a new file, its length apart.
    #[must_use]
    pub const fn room(self) -> usize {
        CONTAINERS[self as usize] - LENGTH
    }
}

/// Rooms of the six kinds in a new file. The fourth is never used.
const CONTAINERS: [usize; 6] = [1024, 1120, 220, 1024, 314, 532];

/// Bytes of the length before a record.
const LENGTH: usize = 4;

/// Bytes of the header of a new file.
const HEADER: usize = 184;

/// What stands in place of a record that was deleted.
pub const DELETED: [u8; 8] = [0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99];

/// Limits against headers that are none.
const LONGEST_HEADER: usize = 64 << 10;
const LARGEST_CONTAINER: u64 = 1 << 20;
const MOST_TYPES: usize = 32;

/// The file of entities.
#[derive(Clone, Debug)]
pub struct Entities<'b> {
    file: &'b [u8],
    header: usize,
    block: u64,
    types: Vec<Type>,
}

#[derive(Clone, Copy, Debug)]
struct Type {
    container: u64,
    count: i64,
    /// Where its room begins in a block.
    inner: u64,
}

/// What is found under a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found<'b> {
    /// A record, without its length.
    Record(&'b [u8]),
    /// There was one.
    Deleted,
    /// There is none.
    Missing,
}

impl<'b> Entities<'b> {
    /// Looks at a file; `None` if it does not begin with its header.
    #[must_use]
    pub fn new(file: &'b [u8]) -> Option<Entities<'b>> {
        let word = |at: usize| {
            let bytes = file.get(at..)?.first_chunk()?;
            usize::try_from(i32::from_be_bytes(*bytes)).ok()
        };
        let (header, count) = (word(0)?, word(4)?);
        let sound = header <= LONGEST_HEADER && (1..=MOST_TYPES).contains(&count);
        if !sound || 8 + count * 20 > header || header > file.len() {
            return None;
        }
        let mut types = Vec::with_capacity(count);
        let mut block = 0;
        for index in 0..count {
            let entry = file.get(8 + index * 20..)?;
            let container = u64::from(u32::from_be_bytes(*entry.first_chunk()?));
            let count = i64::from_be_bytes(*entry.get(4..)?.first_chunk()?);
            if container > LARGEST_CONTAINER {
                return None;
            }
            types.push(Type {
                container,
                count,
                inner: block,
            });
            block += container;
        }
        (block > 0).then_some(Entities {
            file,
            header,
            block,
            types,
        })
    }

    /// How many records there are in tables that nobody knows: later programs may have more than
    /// six, and use the fourth.
    #[must_use]
    pub fn unknown(&self) -> i64 {
        let is_known = |index: usize| EntityKind::ALL.iter().any(|kind| *kind as usize == index);
        let unknown = self.types.iter().enumerate();
        let unknown = unknown.filter(|(index, _)| !is_known(*index));
        let counts = unknown.map(|(_, it)| it.count.max(0));
        counts.fold(0, i64::saturating_add)
    }

    /// How the file is laid out, if names can be added to it: every kind has as much room as in a
    /// new one, and there is nothing in tables that nobody knows.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        let rooms = self.types.iter().map(|it| it.container as usize);
        let layout = Layout {
            header: self.file[..self.header].to_vec(),
            containers: rooms.collect(),
        };
        let enough = EntityKind::ALL
            .iter()
            .all(|kind| layout.room(*kind) >= kind.room());
        (enough && self.unknown() == 0).then_some(layout)
    }

    /// How many entities of a kind there are, deleted ones included.
    #[must_use]
    pub fn count(&self, kind: EntityKind) -> i64 {
        self.types.get(kind as usize).map_or(0, |it| it.count)
    }

    /// How many of them the file has room for.
    #[must_use]
    pub fn stored(&self, kind: EntityKind) -> i64 {
        let Some(it) = self.types.get(kind as usize) else {
            return 0;
        };
        let length = (self.file.len() - self.header) as u64;
        let begun = length.saturating_sub(it.inner + LENGTH as u64 - 1);
        i64::try_from(begun.div_ceil(self.block)).unwrap_or(i64::MAX)
    }

    /// Where the entity of a number stands.
    #[must_use]
    pub fn offset(&self, kind: EntityKind, id: i64) -> Option<u64> {
        let it = self.types.get(kind as usize)?;
        let id = u64::try_from(id).ok()?;
        let begin = id.checked_mul(self.block)?.checked_add(it.inner)?;
        begin.checked_add(self.header as u64)
    }

    /// The entity of a number.
    #[must_use]
    pub fn get(&self, kind: EntityKind, id: i64) -> Found<'b> {
        self.record(kind, id).unwrap_or(Found::Missing)
    }

    fn record(&self, kind: EntityKind, id: i64) -> Option<Found<'b>> {
        let it = self.types.get(kind as usize)?;
        if id >= it.count {
            return None;
        }
        let at = usize::try_from(self.offset(kind, id)?).ok()?;
        let rest = self.file.get(at..)?;
        let length = i32::from_le_bytes(*rest.first_chunk()?);
        let length = usize::try_from(length).ok().filter(|length| *length > 0)?;
        if length as u64 > it.container.checked_sub(LENGTH as u64)? {
            return None;
        }
        // The file may end within the last room: what is missing there are zeros.
        let record = rest.get(LENGTH..LENGTH + length)?;
        match record.starts_with(&DELETED) {
            true => Some(Found::Deleted),
            false => Some(Found::Record(record)),
        }
    }
}

/// How a file is laid out: the rooms of its kinds, and what its header says besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    header: Vec<u8>,
    containers: Vec<usize>,
}

/// The layout of a new file.
impl Default for Layout {
    fn default() -> Layout {
        let mut header = Vec::with_capacity(HEADER);
        header.extend((HEADER as u32).to_be_bytes());
        header.extend((CONTAINERS.len() as u32).to_be_bytes());
        for container in CONTAINERS {
            header.extend((container as u32).to_be_bytes());
            header.extend(0_i64.to_be_bytes());
            header.extend((-1_i64).to_be_bytes());
        }
        for number in -1..=5_i32 {
            header.extend(number.to_be_bytes());
            header.extend(1_i32.to_be_bytes());
        }
        Layout {
            header,
            containers: CONTAINERS.to_vec(),
        }
    }
}

impl Layout {
    /// Bytes that a record of a kind has room for, its length apart.
    #[must_use]
    pub fn room(&self, kind: EntityKind) -> usize {
        let container = self.containers.get(kind as usize);
        container.map_or(0, |container| container.saturating_sub(LENGTH))
    }

    /// The header of a file of so many entities of each kind.
    #[must_use]
    pub fn header(&self, counts: impl Fn(EntityKind) -> u64) -> Vec<u8> {
        let mut header = self.header.clone();
        for kind in EntityKind::ALL {
            let at = 8 + 20 * kind as usize + 4;
            if let Some(place) = header.get_mut(at..at + 16) {
                place[..8].copy_from_slice(&counts(kind).to_be_bytes());
                // The list of those that can be used again is empty.
                place[8..].copy_from_slice(&(-1_i64).to_be_bytes());
            }
        }
        header
    }
}

/// Writes the file of so many entities of each kind, which are asked for by their numbers.
/// `record` gives a record without its length; `None` for one that was deleted.
///
/// # Errors
/// If the disk is full.
pub fn write<'r>(
    out: &mut impl std::io::Write,
    layout: &Layout,
    counts: impl Fn(EntityKind) -> u64,
    record: impl Fn(EntityKind, u64) -> Option<&'r [u8]>,
) -> std::io::Result<()> {
    out.write_all(&layout.header(&counts))?;
    let blocks = EntityKind::ALL.into_iter().map(&counts).max().unwrap_or(0);
    let mut room = Vec::new();
    for id in 0..blocks {
        for (index, container) in layout.containers.iter().enumerate() {
            room.clear();
            let kind = EntityKind::ALL.iter().find(|kind| **kind as usize == index);
            if let Some(kind) = kind.filter(|kind| id < counts(**kind)) {
                match record(*kind, id) {
                    Some(record) => put(&mut room, record),
                    None => put(&mut room, &[&DELETED[..], &(-1_i64).to_le_bytes()].concat()),
                }
            }
            room.resize(*container, 0);
            out.write_all(&room)?;
        }
    }
    Ok(())
}

fn put(room: &mut Vec<u8>, record: &[u8]) {
    room.extend((record.len() as u32).to_le_bytes());
    room.extend(record);
}
