//! The two files about tournaments.

use std::{cmp::Ordering, collections::HashMap};

use tabiya_game::{LossKind, Losses};

use crate::{
    files::{
        FileKind, PackedDate,
        entity::{Entity, Record, Table},
        set::Tables,
        tags::tournament_tags,
        tournament_extra::{FileHeader, TournamentExtra},
        tournaments::{Key, Tournament},
    },
    writer::StoredEntry,
};

/// Bytes of a record of `.cbtt` in the versions that have what older ones do not: versions 3, 4
/// and 5.
const SIZES: [(u32, usize); 3] = [(3, 65), (4, 223), (5, 405)];

/// A tournament with what is known of it besides its record.
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
///
/// No two have the same key, title, place and day: programs that look for one by its key do not
/// expect another, and some refuse the database. Whoever comes later with the key of a tournament
/// that is there means that one.
pub(super) struct Tournaments {
    table: Table<Known>,
    /// The first tournament of a name that ended on a day: games that know no more mean that one.
    by_end: HashMap<(Tournament, PackedDate), u32>,
    by_key: HashMap<Key, u32>,
    /// Those with the same key stay apart, because they were.
    apart: bool,
    /// What games said of their tournament that others had said in another way.
    losses: Losses,
}

impl Tournaments {
    pub fn with_room(names: u32) -> Tournaments {
        Tournaments {
            table: Table::with_room(names),
            by_end: HashMap::new(),
            by_key: HashMap::new(),
            apart: false,
            losses: Losses::default(),
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
        let mut tournaments = Tournaments::with_room(Table::<Known>::MAX);
        let (by_end, by_key) = (&mut tournaments.by_end, &mut tournaments.by_key);
        tournaments.table = Table::of((0..).zip(known).map(|(id, record)| {
            if !record.is_deleted() {
                let known = &record.data;
                by_end.entry((known.record, known.end())).or_insert(id);
                by_key.entry(known.record.key()).or_insert(id);
            }
            record
        }));
        tournaments
    }

    /// Says that these are those of another database, in which some may have the same key: what
    /// is there already is not made less.
    pub fn keep_apart(&mut self) {
        self.apart = true;
    }

    pub fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.losses)
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
        let key = record.key();
        if let Some(number) = self.by_key.get(&key).copied()
            && let Some(kept) = self.table.live(number)
            && self.table.find(&known).is_none()
            && !self.apart
        {
            for what in differences(&known, kept) {
                self.losses.note(game.into(), LossKind::Tag, || what);
            }
            self.table.refer(number, game);
            return Some(number);
        }
        let number = self.table.add(&known, game)?;
        self.by_end.entry((record, known.end())).or_insert(number);
        self.by_key.insert(key, number);
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

/// What is lost of a tournament in whose place another one is kept.
fn differences(told: &Known, kept: &Known) -> Vec<String> {
    let tags = |known: &Known| tournament_tags(&known.record, known.end());
    let (told, kept) = (tags(told), tags(kept));
    let mut names: Vec<&str> = told
        .iter()
        .chain(kept.iter())
        .map(|(name, _)| name)
        .collect();
    names.sort_unstable();
    names.dedup();
    let differing = names
        .into_iter()
        .filter_map(|name| match (told.get(name), kept.get(name)) {
            (told, kept) if told == kept => None,
            (Some(told), Some(kept)) => Some(format!(
                "{name} \"{told}\" became \"{kept}\", as in another game of the tournament"
            )),
            (Some(told), None) => Some(format!(
                "{name} \"{told}\": another game of the tournament has none"
            )),
            (None, kept) => Some(format!(
                "that there was no {name}: another game of the tournament has \"{}\"",
                kept.unwrap_or_default()
            )),
        });
    let differing: Vec<String> = differing.collect();
    match differing.is_empty() {
        true => vec!["what no tag tells of the tournament".to_owned()],
        false => differing,
    }
}
