//! The two files about tournaments.

use std::{cmp::Ordering, collections::HashMap};

use crate::{
    files::{
        FileKind, PackedDate,
        entity::{Entity, Record, Table},
        set::Tables,
        tournament_extra::{FileHeader, TournamentExtra},
        tournaments::Tournament,
    },
    writer::StoredEntry,
};

/// Bytes of a record of `.cbtt` in the versions that have what older ones do not: versions 3, 4
/// and 5.
const SIZES: [(u32, usize); 3] = [(3, 65), (4, 223), (5, 405)];

/// A tournament with what is known of it besides its record.
///
/// Two that differ in nothing else are two: there is room for one day each on which they ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Known {
    record: Tournament,
    extra: Option<Box<TournamentExtra>>,
}

impl Known {
    fn new(record: Tournament, extra: Option<TournamentExtra>) -> Known {
        // Records are there for all tournaments before one of which something is known.
        let extra = extra.filter(|extra| *extra != TournamentExtra::default());
        let extra = extra.map(Box::new);
        Known { record, extra }
    }

    fn end(&self) -> PackedDate {
        let extra = self.extra.as_ref();
        extra.map_or_else(PackedDate::default, |extra| extra.end)
    }
}

/// In the file of tournaments it is like any other.
impl Entity for Known {
    const FILE: FileKind = Tournament::FILE;
    const SIZE: usize = Tournament::SIZE;

    fn read(bytes: &[u8]) -> Known {
        Known::new(Tournament::read(bytes), None)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.record.write(bytes);
    }

    fn compare(&self, other: &Known) -> Ordering {
        self.record.compare(&other.record)
    }
}

/// All tournaments.
pub(super) struct Tournaments {
    table: Table<Known>,
    /// The first tournament of a name that ended on a day: games that know no more mean that one.
    by_end: HashMap<(Tournament, PackedDate), u32>,
}

impl Tournaments {
    pub fn with_room(names: u32) -> Tournaments {
        Tournaments {
            table: Table::with_room(names),
            by_end: HashMap::new(),
        }
    }

    /// Those of a database that is there. Nothing refers to them yet.
    pub fn of(tables: &Tables<'_>) -> Tournaments {
        let extras = tables.tournament_extras.as_ref();
        let records = tables.tournaments.iter().flat_map(|table| table.iter());
        let known = (0..).zip(records).map(|(id, record)| Record {
            node: record.node,
            data: Known::new(record.data, extras.and_then(|extras| extras.get(id))),
            references: record.references,
            first_game: record.first_game,
        });
        let mut by_end = HashMap::new();
        let table = Table::of((0..).zip(known).map(|(id, record)| {
            if !record.is_deleted() {
                let key = (record.data.record, record.data.end());
                by_end.entry(key).or_insert(id);
            }
            record
        }));
        Tournaments { table, by_end }
    }

    pub fn len(&self) -> u32 {
        self.table.len()
    }

    pub fn refer(&mut self, number: u32, game: u32) {
        self.table.refer(number, game);
    }

    /// The number of the tournament of an entry; `None` if there are too many.
    pub fn add(&mut self, entry: &StoredEntry, game: u32) -> Option<u32> {
        let record = entry.details.tournament;
        if entry.extra.is_none()
            && let Some(number) = self.by_end.get(&(record, entry.details.tournament_end))
        {
            self.table.refer(*number, game);
            return Some(*number);
        }
        let known = Known::new(record, entry.tournament_extra());
        let number = self.table.add(&known, game)?;
        self.by_end.entry((record, known.end())).or_insert(number);
        Some(number)
    }

    /// The `.cbt` file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.table.to_bytes()
    }

    /// The `.cbtt` file: records up to the last tournament of which something is known.
    pub fn extras_to_bytes(&self) -> Vec<u8> {
        let extras = || self.table.names().map(|known| known.extra.as_deref());
        let more = extras().flatten().map(|extra| extra.unknown_65.len()).max();
        let needed = SIZES[0].1 + more.unwrap_or(0);
        let fits = SIZES.iter().find(|(_, size)| *size >= needed);
        let (version, record_size) = *fits.unwrap_or(&(SIZES[2].0, needed));
        let places = (1..).zip(extras()).filter(|(_, extra)| extra.is_some());
        let count = places.last().map_or(0, |(count, _)| count);
        let header = FileHeader {
            version,
            record_size: record_size as u32,
            last: u32::saturating_sub(count, 1),
            ..FileHeader::default()
        };
        let mut bytes = header.to_bytes().to_vec();
        let nothing = TournamentExtra::default();
        for extra in extras().take(count as usize) {
            bytes.extend(extra.unwrap_or(&nothing).to_bytes(record_size));
        }
        bytes
    }
}
