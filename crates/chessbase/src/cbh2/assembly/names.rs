//! The names of a database while it is written.

use std::{collections::HashMap, io, sync::Arc};

use super::super::{
    entities::{self, Entities, EntityKind, Found},
    entry::StoredEntry,
    header::{Header, Kind},
    names::{Player, Source, Titles, Tournament},
};
use crate::assembly::AssemblyError;

/// Names of one kind by their numbers.
#[derive(Default)]
struct Table {
    /// `None` for one that was deleted.
    records: Vec<Option<Arc<[u8]>>>,
    numbers: HashMap<Arc<[u8]>, u32>,
}

impl Table {
    fn push(&mut self, record: &[u8]) -> u32 {
        let number = self.records.len() as u32;
        let record: Arc<[u8]> = record.into();
        self.numbers.entry(Arc::clone(&record)).or_insert(number);
        self.records.push(Some(record));
        number
    }
}

/// What headers refer to.
#[derive(Default)]
pub(super) struct Names {
    /// By kinds.
    tables: [Table; 6],
}

impl Names {
    /// The names of a database that is there.
    pub fn of(entities: &Entities<'_>) -> Names {
        let mut names = Names::default();
        for kind in EntityKind::ALL {
            let table = &mut names.tables[kind as usize];
            for id in 0..entities.count(kind) {
                match entities.get(kind, id) {
                    Found::Record(record) => {
                        table.push(record);
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
        if record.len() > kind.room() {
            return Err(AssemblyError::LongName(kind.name()));
        }
        let table = &mut self.tables[kind as usize];
        match table.numbers.get(record) {
            Some(number) => Ok(*number),
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
        entities::write(out, |kind| self.count(kind), record)
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
