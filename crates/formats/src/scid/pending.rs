//! Games on their way from a writer to a database: all that is known of them but their numbers.

use std::{io, ops::Range};

use super::{
    Version,
    index::{Entry, NAMES},
};
use crate::records::miscounted;

/// What the [`Records`](crate::Records) of a [`Writer`](super::Writer) are called.
pub(super) const RECORDS: &str = "scid";

/// Games and texts that a [`Writer`](super::Writer) has written, which have no place in a database
/// yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGames {
    version: Version,
    entries: Vec<NewEntry>,
    /// Names, records and texts one after the other: six pieces of memory a game would cost more
    /// than all the rest of it.
    bytes: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct NewEntry {
    what: What,
    /// Where its bytes end; they begin where those of the entry before end.
    end: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    Game {
        entry: Entry,
        /// How long the names are, behind which the record stands.
        names: [usize; NAMES.len()],
    },
    Text {
        /// How long the key is, behind which the value stands.
        key: usize,
    },
}

/// A game or a text of some.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pending<'a> {
    Game {
        /// Without place and names.
        entry: Entry,
        /// In the order of [`NAMES`].
        names: [&'a [u8]; NAMES.len()],
        record: &'a [u8],
    },
    /// What the database says of itself.
    Text { key: &'a [u8], value: &'a [u8] },
}

impl NewGames {
    pub(super) fn new(version: Version) -> NewGames {
        NewGames {
            version: version.written(),
            entries: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn push(&mut self, pending: &Pending<'_>) {
        let what = match *pending {
            Pending::Game {
                entry,
                names,
                record,
            } => {
                for name in names {
                    self.bytes.extend_from_slice(name);
                }
                self.bytes.extend_from_slice(record);
                let names = names.map(<[u8]>::len);
                What::Game { entry, names }
            }
            Pending::Text { key, value } => {
                self.bytes.extend_from_slice(key);
                self.bytes.extend_from_slice(value);
                What::Text { key: key.len() }
            }
        };
        let end = self.bytes.len();
        self.entries.push(NewEntry { what, end });
    }

    /// Some of them, for a database of a version.
    ///
    /// # Errors
    /// If there are not so many, or they were written for another version.
    pub(super) fn get(
        &self,
        version: Version,
        which: Range<usize>,
    ) -> io::Result<impl Iterator<Item = Pending<'_>>> {
        if self.version != version {
            let message = "games of one version of Scid cannot be put into files of another";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let some = self.entries.get(which.clone());
        let some = some.ok_or_else(|| miscounted(&which, self.len()))?;
        let before = which.start.checked_sub(1);
        let mut start = before.map_or(0, |before| self.entries[before].end);
        Ok(some.iter().map(move |entry| {
            let bytes = &self.bytes[start..entry.end];
            start = entry.end;
            entry.what.with(bytes)
        }))
    }
}

impl What {
    fn with<'a>(&self, mut bytes: &'a [u8]) -> Pending<'a> {
        let mut cut = |length| {
            let front;
            (front, bytes) = bytes.split_at(length);
            front
        };
        match self {
            What::Game { entry, names } => Pending::Game {
                entry: *entry,
                names: names.map(&mut cut),
                record: bytes,
            },
            What::Text { key } => Pending::Text {
                key: cut(*key),
                value: bytes,
            },
        }
    }
}
