//! The names of a database while it is written.

use std::{collections::HashMap, io, sync::Arc};

use super::super::{
    entities::{self, Entities, EntityKind, Found, Layout},
    entry::StoredEntry,
    header::{Header, Kind},
    names::{Player, Source, Titles, Tournament, may_stand_for, sort_fields},
};
use crate::assembly::AssemblyError;

/// Names of one kind by their numbers.
#[derive(Default)]
struct Table {
    /// `None` for one that was deleted.
    records: Vec<Option<Arc<[u8]>>>,
    numbers: HashMap<Arc<[u8]>, u32>,
    /// Those that were there before, by what they are sorted by.
    sorted: HashMap<Vec<u8>, Vec<u32>>,
}

impl Table {
    fn push(&mut self, record: &[u8]) -> u32 {
        let number = self.records.len() as u32;
        let record: Arc<[u8]> = record.into();
        self.numbers.entry(Arc::clone(&record)).or_insert(number);
        self.records.push(Some(record));
        number
    }

    /// A name that was there before, is called the same, and may stand for a record.
    fn same(&self, kind: EntityKind, record: &[u8]) -> Option<u32> {
        let known = self.sorted.get(&sort_fields(kind, record)?)?;
        let says_all = |number: &&u32| {
            let old = self.records.get(**number as usize);
            let old = old.and_then(Option::as_deref);
            old.is_some_and(|old| may_stand_for(kind, old, record))
        };
        known.iter().find(says_all).copied()
    }
}

/// What headers refer to.
#[derive(Default)]
pub(super) struct Names {
    /// By kinds.
    tables: [Table; 6],
    layout: Layout,
}

impl Names {
    /// No names, but a file for them that is laid out as another one.
    pub fn like(entities: &Entities<'_>) -> Names {
        Names {
            layout: entities.layout().unwrap_or_default(),
            ..Names::default()
        }
    }

    /// The names of a database that is there.
    pub fn of(entities: &Entities<'_>) -> Names {
        let mut names = Names::like(entities);
        for kind in EntityKind::ALL {
            let table = &mut names.tables[kind as usize];
            for id in 0..entities.count(kind) {
                match entities.get(kind, id) {
                    Found::Record(record) => {
                        let number = table.push(record);
                        if let Some(fields) = sort_fields(kind, record) {
                            table.sorted.entry(fields).or_default().push(number);
                        }
                    }
                    Found::Deleted | Found::Missing => table.records.push(None),
                }
            }
        }
        names
    }

    pub fn count(&self, kind: EntityKind) -> u64 {
        self.tables[kind as usize].records.len() as u64
    }

    /// The record of a name, empty if there is none.
    pub fn record(&self, kind: EntityKind, id: u32) -> Option<&[u8]> {
        self.tables[kind as usize]
            .records
            .get(id as usize)?
            .as_deref()
    }

    /// The number of a name.
    fn number(&mut self, kind: EntityKind, record: &[u8]) -> Result<u32, AssemblyError> {
        if record.len() > self.layout.room(kind) {
            return Err(AssemblyError::LongName(kind.name()));
        }
        let table = &mut self.tables[kind as usize];
        let known = table.numbers.get(record).copied();
        match known.or_else(|| table.same(kind, record)) {
            Some(number) => Ok(number),
            None => Ok(table.push(record)),
        }
    }

    /// Gives the names of an entry their numbers, and returns its header with them.
    pub fn add(&mut self, entry: &StoredEntry) -> Result<Header, AssemblyError> {
        let mut header = entry.header;
        let references = header.kind().map_or(&[][..], Kind::references);
        for (index, reference) in references.iter().enumerate() {
            let record = entry.records.get(index).and_then(Option::as_deref);
            let kind = reference.role.entity();
            let number = match record {
                Some(record) => i64::from(self.number(kind, record)?),
                None if reference.role.is_optional() => -1,
                None => i64::from(self.number(kind, &empty(kind))?),
            };
            header.set_i64(reference.at, number);
        }
        Ok(header)
    }

    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let record = |kind, id: u64| self.record(kind, u32::try_from(id).ok()?);
        entities::write(out, &self.layout, |kind| self.count(kind), record)
    }
}

/// The record of a name of which nothing is known.
fn empty(kind: EntityKind) -> Vec<u8> {
    match kind {
        EntityKind::Player => Player::default().to_bytes(),
        EntityKind::Tournament => Tournament::default().to_bytes(),
        EntityKind::Source => Source::default().to_bytes(),
        EntityKind::Team => super::super::names::Team::default().to_bytes(),
        EntityKind::Tag => Titles::default().to_bytes(),
    }
}
