//! Entries of a database that is there, with all that belongs to them.

use crate::{
    annotations::Record,
    assembly::Extents,
    files::{
        FileKind,
        extended::ExtendedRecord,
        flags_file::GameMarks,
        header::Entry,
        set::{FileSet, Tables},
        stores,
        tags::{look_up, look_up_text},
    },
    writer::StoredEntry,
};

/// Bytes before the moves of a record.
const HEAD: u64 = 4;

/// The offsets in a header: moves and annotations.
fn offsets(entry: &Entry) -> [u32; 2] {
    match entry {
        Entry::Game(game) => [game.moves, game.annotations],
        Entry::Text(text) => [text.text, 0],
        Entry::Empty => [0; 2],
    }
}

/// Where the records of an entry stand and how long they are, as far as no other entry uses them:
/// what two entries share stays when one of them is replaced.
pub(crate) fn own_extents(
    files: &FileSet,
    tables: &Tables<'_>,
    game: u32,
    entry: &Entry,
) -> Extents {
    let mut extents = extents(files, entry, &extended(tables, game));
    for (id, other) in tables.headers.iter().filter(|(id, _)| *id != game) {
        let others = self::extents(files, &other, &extended(tables, id));
        for (own, other) in extents.iter_mut().zip(others) {
            *own = own.filter(|own| !other.is_some_and(|other| overlap(*own, other)));
        }
    }
    extents
}

fn overlap((one, one_size): (u64, u64), (other, other_size): (u64, u64)) -> bool {
    one < other + other_size && other < one + one_size
}

/// Where the records of an entry stand and how long they are.
fn extents(files: &FileSet, entry: &Entry, extended: &ExtendedRecord) -> Extents {
    let [moves, annotations] = offsets(entry);
    let long = |offset: i64| u64::try_from(offset).ok();
    [
        extent(files, FileKind::Moves, moves, long(extended.moves)),
        extent(
            files,
            FileKind::Annotations,
            annotations,
            long(extended.annotations),
        ),
    ]
}

/// Where a record stands and how long it is, if it lies within its file.
fn extent(files: &FileSet, kind: FileKind, short: u32, long: Option<u64>) -> Option<(u64, u64)> {
    let file = files.get(kind)?;
    let place = stores::place(short, long, file.len() as u64);
    let record = file.get(usize::try_from(place).ok()?..)?;
    let size = match kind {
        _ if place == 0 => return None,
        FileKind::Annotations => Record::parse(record).ok()?.size() as u64,
        // A kind, then the size, head included.
        _ => {
            let [_, high, middle, low] = *record.first_chunk()?;
            u64::from(u32::from_be_bytes([0, high, middle, low]))
        }
    };
    (size <= record.len() as u64).then_some((place, size))
}

/// The file in which a record of an entry cannot be found: moves of which nothing is there, or
/// annotations that are not whole.
pub(crate) fn lost(
    files: &FileSet,
    tables: &Tables<'_>,
    id: u32,
    header: &Entry,
) -> Option<FileKind> {
    let extended = extended(tables, id);
    let there = |kind, short, long: i64| {
        let file = files.get(kind)?;
        let place = stores::place(short, u64::try_from(long).ok(), file.len() as u64);
        let rest = file.get(usize::try_from(place).ok()?..);
        Some((place, rest.is_some_and(|rest| !rest.is_empty())))
    };
    let [moves, annotations] = offsets(header);
    if let Some((1.., false)) = there(FileKind::Moves, moves, extended.moves) {
        return Some(FileKind::Moves);
    }
    let whole = extents(files, header, &extended)[1].is_some();
    match there(FileKind::Annotations, annotations, extended.annotations) {
        Some((1.., _)) if !whole => Some(FileKind::Annotations),
        _ => None,
    }
}

/// The extended header of an entry.
pub(crate) fn extended(tables: &Tables<'_>, id: u32) -> ExtendedRecord {
    let extended = tables.extended.as_ref();
    extended.map_or_else(ExtendedRecord::default, |extended| extended.get(id))
}

/// An entry by itself, but for its moves, annotations and mark.
pub(crate) fn without_moves(tables: &Tables<'_>, id: u32, header: &Entry) -> StoredEntry {
    let extended = extended(tables, id);
    // Names that are not there are empty from now on.
    let mut warnings = Vec::new();
    let (details, tournament) = match header {
        Entry::Game(game) => (
            look_up(tables, game, &extended, &mut warnings),
            game.tournament,
        ),
        Entry::Text(text) => (look_up_text(tables, text, &mut warnings), text.tournament),
        _ => Default::default(),
    };
    let extras = tables.tournament_extras.as_ref();
    StoredEntry {
        header: *header,
        extended,
        details,
        mark: GameMarks::default(),
        extra: extras.and_then(|extras| extras.get(tournament)),
        moves: Vec::new(),
        annotations: Vec::new(),
    }
}

/// An entry by itself, but for its mark.
pub(crate) fn stored(files: &FileSet, tables: &Tables<'_>, id: u32, header: &Entry) -> StoredEntry {
    let entry = without_moves(tables, id, header);
    let [moves, annotations] = extents(files, header, &entry.extended);
    StoredEntry {
        moves: match moves {
            Some((_, HEAD..)) => bytes(files, FileKind::Moves, moves),
            _ => rest(files, tables, header),
        },
        annotations: bytes(files, FileKind::Annotations, annotations),
        ..entry
    }
}

fn bytes(files: &FileSet, kind: FileKind, extent: Option<(u64, u64)>) -> Vec<u8> {
    let Some(((place, size), file)) = extent.zip(files.get(kind)) else {
        return Vec::new();
    };
    file[place as usize..][..size as usize].to_vec()
}

/// What is there of a record that has an impossible size: all up to the next record. Its size
/// becomes what it has.
fn rest(files: &FileSet, tables: &Tables<'_>, header: &Entry) -> Vec<u8> {
    let place = |entry: &Entry| offsets(entry)[0] as usize;
    let from = place(header);
    let file = files.get(FileKind::Moves).map_or(&[][..], |file| file);
    let places = tables.headers.iter().map(|(_, entry)| place(&entry));
    let end = places.filter(|place| *place > from).min();
    let end = end.unwrap_or(file.len()).min(file.len());
    let mut record = match from {
        0 => Vec::new(),
        _ => file.get(from..end).unwrap_or_default().to_vec(),
    };
    record.resize(record.len().clamp(HEAD as usize, 0xff_ffff), 0);
    let size = record.len() as u32;
    record[1..HEAD as usize].copy_from_slice(&size.to_be_bytes()[1..]);
    record
}
