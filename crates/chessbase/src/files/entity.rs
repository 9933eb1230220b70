//! Files of names: what is common to players, tournaments, annotators, sources, teams and titles.
//!
//! A header of 28 or 32 bytes is followed by records of one size. A record has a place in a search
//! tree, its data, how many games refer to it and which of them is the first. Numbers are
//! little-endian.
//!
//! A reader needs the number of a record and nothing else: in real files balances are wrong and
//! counts are 0. A writer has to build the tree and the counts, because the program searches with
//! them; [`Table`] does.
//!
//! ```
//! use tabiya_chessbase::files::{annotators::Annotator, entity::{Entities, Table}};
//!
//! let mut table = Table::new();
//! let [nobody, nunn] = [Annotator::default(), Annotator::new(b"Nunn")];
//! for (game, annotator) in (1..).zip([&nobody, &nunn, &nobody]) {
//!     table.add(annotator, game);
//! }
//! let bytes = table.to_bytes();
//! let annotators = Entities::<Annotator>::new(&bytes)?;
//! let record = annotators.get(1).unwrap();
//! assert_eq!((record.data, record.references, record.first_game), (nunn, 1, 2));
//! # Ok::<(), tabiya_chessbase::files::FileError>(())
//! ```

use std::{cmp::Ordering, collections::HashMap, fmt::Debug, hash::Hash, marker::PhantomData};

use super::{
    FileError, FileErrorKind, FileKind,
    avl::{DELETED, NONE, Node, Tree},
    bytes::{Fields, Record as Layout},
};

/// What every header says in its third number.
const MAGIC: i32 = 1_234_567_890;
/// Bytes of a header without the last part, of which the header tells the length.
const HEADER: usize = 28;
/// Real headers have 0 or 4 bytes more than that; later programs may add some.
const MOST_MORE: usize = 256;
/// Bytes of a record before its data: two children and a balance.
const NODE: usize = 9;
/// Bytes of a record after its data: references and first game. Headers count them as data.
const USES: usize = 8;

/// Something with a name, that a game refers to by a number.
pub trait Entity: Clone + Eq + Hash + Debug {
    /// The file it is in.
    const FILE: FileKind;
    /// Bytes of its data.
    const SIZE: usize;

    /// Reads the data of a record, which are [`SIZE`](Entity::SIZE) bytes.
    fn read(bytes: &[u8]) -> Self;

    /// Writes the data of a record.
    fn write(&self, bytes: &mut Vec<u8>);

    /// The order of the search tree.
    fn compare(&self, other: &Self) -> Ordering;
}

/// The header of a file of names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileHeader {
    /// How many records there are, with deleted ones.
    pub records: i32,
    /// The root of the tree; 0 or -1 if there are no records.
    pub root: i32,
    /// 1234567890.
    pub magic: i32,
    /// Bytes of a record without its place in the tree.
    pub data_size: i32,
    /// The first deleted record; -1 if there is none. Others follow in the right children.
    pub first_deleted: i32,
    /// How many records are not deleted.
    pub live: i32,
    /// What follows, in all files seen 0 or 4 bytes, of unknown meaning.
    pub unknown_28: Vec<u8>,
}

impl FileHeader {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// If it is too short, or is not a header.
    pub fn from_bytes(file: FileKind, bytes: &[u8]) -> Result<FileHeader, FileError> {
        let bad = |offset, why| FileError::new(file, offset, FileErrorKind::BadEntityFile(why));
        let short = || bad(bytes.len() as u64, "it ends within the header");
        let mut fields = Fields::new(bytes.get(..HEADER).ok_or_else(short)?);
        let header = FileHeader {
            records: fields.i32_le(),
            root: fields.i32_le(),
            magic: fields.i32_le(),
            data_size: fields.i32_le(),
            first_deleted: fields.i32_le(),
            live: fields.i32_le(),
            unknown_28: match usize::try_from(fields.i32_le()) {
                Ok(more @ 0..=MOST_MORE) => {
                    let more = bytes.get(HEADER..HEADER + more);
                    more.ok_or_else(short)?.to_vec()
                }
                _ => return Err(bad(24, "a header of an impossible length")),
            },
        };
        match header.magic {
            MAGIC => Ok(header),
            _ => Err(bad(8, "the number 1234567890 is not in the header")),
        }
    }

    /// Writes the header.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let header: [u8; HEADER] = Layout::new()
            .i32_le(self.records)
            .i32_le(self.root)
            .i32_le(self.magic)
            .i32_le(self.data_size)
            .i32_le(self.first_deleted)
            .i32_le(self.live)
            .i32_le(self.unknown_28.len() as i32)
            .done();
        [&header, self.unknown_28.as_slice()].concat()
    }
}

/// A record of a file of names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<T> {
    /// Its place in the tree.
    pub node: Node,
    /// What it is about.
    pub data: T,
    /// How often games and texts refer to it: twice by one game if it plays against itself.
    pub references: i32,
    /// The lowest id of a game or a text that refers to it.
    pub first_game: i32,
}

impl<T: Entity> Record<T> {
    /// Bytes of a record.
    pub const SIZE: usize = NODE + T::SIZE + USES;

    /// Reads a record, which is of full length.
    fn from_bytes(bytes: &[u8]) -> Record<T> {
        let (node, rest) = bytes.split_at(NODE);
        let (data, uses) = rest.split_at(T::SIZE);
        let (mut node, mut uses) = (Fields::new(node), Fields::new(uses));
        Record {
            node: Node {
                left: node.i32_le(),
                right: node.i32_le(),
                balance: node.u8().cast_signed(),
            },
            data: T::read(data),
            references: uses.i32_le(),
            first_game: uses.i32_le(),
        }
    }

    /// Writes a record.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.node.left.to_le_bytes());
        bytes.extend(self.node.right.to_le_bytes());
        bytes.extend(self.node.balance.to_le_bytes());
        self.data.write(bytes);
        bytes.extend(self.references.to_le_bytes());
        bytes.extend(self.first_game.to_le_bytes());
    }

    /// Whether it was deleted. Its data are still there.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.node.is_deleted()
    }
}

/// All records of a file of names.
#[derive(Clone, Debug)]
pub struct Entities<'b, T> {
    header: FileHeader,
    records: &'b [u8],
    of: PhantomData<T>,
}

impl<'b, T: Entity> Entities<'b, T> {
    /// Looks at a file. How many records it has is told by its length alone.
    ///
    /// # Errors
    /// If it does not begin with the header of such a file, or has records of another size.
    pub fn new(bytes: &'b [u8]) -> Result<Entities<'b, T>, FileError> {
        let header = FileHeader::from_bytes(T::FILE, bytes)?;
        if header.data_size as usize != T::SIZE + USES {
            let kind = FileErrorKind::BadEntityFile("records have another size");
            return Err(FileError::new(T::FILE, 12, kind));
        }
        let records = &bytes[HEADER + header.unknown_28.len()..];
        Ok(Entities {
            header,
            records,
            of: PhantomData,
        })
    }

    /// The header of the file.
    #[must_use]
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// How many records there are, with deleted ones.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.records.len() / Record::<T>::SIZE).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A record by its number, which counts from 0; deleted ones too.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Record<T>> {
        let mut records = self.records.chunks_exact(Record::<T>::SIZE);
        records.nth(id as usize).map(Record::from_bytes)
    }

    /// All records in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Record<T>> + use<'b, T> {
        let records = self.records.chunks_exact(Record::<T>::SIZE);
        records.map(Record::from_bytes)
    }
}

/// A file of names that is written: every name gets the next number when it is first used.
///
/// Two that differ get a record each, even if they have the same place in the order: who adds
/// tournaments sees to it that they have not.
#[derive(Clone, Debug)]
pub struct Table<T> {
    numbers: HashMap<T, u32>,
    names: Vec<Name<T>>,
    room: u32,
}

/// A name and its uses.
#[derive(Clone, Debug)]
struct Name<T> {
    data: T,
    references: i32,
    /// 0 as long as there is no reference.
    first_game: i32,
    /// It was in use when the file was read: without uses it goes away.
    was_used: bool,
    deleted: bool,
}

impl<T> Name<T> {
    fn is_live(&self) -> bool {
        !self.deleted && (self.references > 0 || !self.was_used)
    }
}

impl<T: Entity> Default for Table<T> {
    fn default() -> Table<T> {
        Table::with_room(Table::<T>::MAX)
    }
}

impl<T: Entity> Table<T> {
    /// The number of records that ids have room for.
    pub const MAX: u32 = 1 << 24;

    /// A file without names.
    #[must_use]
    pub fn new() -> Table<T> {
        Table::default()
    }

    /// A file without names that will have no more than so many.
    #[must_use]
    pub fn with_room(names: u32) -> Table<T> {
        Table {
            numbers: HashMap::new(),
            names: Vec::new(),
            room: names,
        }
    }

    /// A file with the records of another one under the same numbers. Nothing
    /// [refers](Table::refer) to them yet.
    pub fn of(records: impl IntoIterator<Item = Record<T>>) -> Table<T> {
        let mut table = Table::new();
        for (number, record) in (0..).zip(records) {
            let deleted = record.is_deleted();
            if !deleted {
                table.numbers.entry(record.data.clone()).or_insert(number);
            }
            table.names.push(Name {
                data: record.data,
                references: 0,
                first_game: 0,
                was_used: record.references > 0,
                deleted,
            });
        }
        table
    }

    /// How many names there are, with deleted ones.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.names.len() as u32
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All names by their numbers, deleted ones too.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &T> {
        self.names.iter().map(|name| &name.data)
    }

    /// The number of something that is there.
    #[must_use]
    pub fn find(&self, data: &T) -> Option<u32> {
        self.numbers.get(data).copied()
    }

    /// What the record with a number is about, if it will be in the file.
    #[must_use]
    pub fn live(&self, number: u32) -> Option<&T> {
        let name = self.names.get(number as usize)?;
        name.is_live().then_some(&name.data)
    }

    /// Says that a game or a text refers to something, and returns the number of it; `None` if
    /// there are too many names.
    pub fn add(&mut self, data: &T, game: u32) -> Option<u32> {
        let number = match self.numbers.get(data) {
            Some(number) => *number,
            None if self.len() >= self.room => return None,
            None => {
                let number = self.len();
                self.numbers.insert(data.clone(), number);
                self.names.push(Name {
                    data: data.clone(),
                    references: 0,
                    first_game: 0,
                    was_used: false,
                    deleted: false,
                });
                number
            }
        };
        self.refer(number, game);
        Some(number)
    }

    /// Says that a game or a text refers to the record with a number. A record that was deleted
    /// and is still in use comes back; a number without a record means nothing.
    pub fn refer(&mut self, number: u32, game: u32) {
        let game = i32::try_from(game).unwrap_or(i32::MAX);
        if let Some(name) = self.names.get_mut(number as usize) {
            name.first_game = match name.references {
                0 => game,
                _ => game.min(name.first_game),
            };
            name.references = name.references.saturating_add(1);
            name.deleted = false;
        }
    }

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = (0..).zip(&self.names);
        let (live, deleted): (Vec<_>, Vec<_>) = numbers.partition(|(_, name)| name.is_live());
        let mut tree = Tree::new();
        for (_, name) in &live {
            tree.insert(|other| name.data.compare(&live[other as usize].1.data));
        }
        let number = |place: i32| match usize::try_from(place) {
            Ok(place) => live.get(place).map_or(place as i32, |(number, _)| *number),
            Err(_) => place,
        };
        let mut nodes = vec![Node::LEAF; self.names.len()];
        for ((id, _), node) in live.iter().zip(tree.nodes()) {
            nodes[*id as usize] = Node {
                left: number(node.left),
                right: number(node.right),
                balance: node.balance,
            };
        }
        let mut next_deleted = NONE;
        for (id, _) in deleted.iter().rev() {
            nodes[*id as usize] = Node {
                left: DELETED,
                right: next_deleted,
                balance: 0,
            };
            next_deleted = *id;
        }
        let header = FileHeader {
            records: self.names.len() as i32,
            root: number(tree.root()),
            magic: MAGIC,
            data_size: (T::SIZE + USES) as i32,
            first_deleted: next_deleted,
            live: live.len() as i32,
            unknown_28: vec![0; 4],
        };
        let mut bytes = header.to_bytes();
        bytes.reserve(self.names.len() * Record::<T>::SIZE);
        for (name, node) in self.names.iter().zip(nodes) {
            Record {
                node,
                data: name.data.clone(),
                references: name.references,
                first_game: name.first_game,
            }
            .write(&mut bytes);
        }
        bytes
    }
}
