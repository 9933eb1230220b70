//! One entry in place of another.
//!
//! A record that fits into the room of the old one takes it; else those behind it move up, as they
//! do in ChessBase. There are never holes.

use std::{
    ffi::OsStr,
    fs, io,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::{
    builder::{staged, write_tables},
    names::Names,
};
use crate::{
    assembly::{AssemblyError, staged::Staged},
    cbh2::{
        entry::StoredEntry,
        frame::{self, Frame, tag},
        header::{Header, Headers, Kind, RECORD, at},
        set::{FileKind, FileSet, Tables},
    },
};

/// Writes the files of a database in which an entry is another one into a folder.
pub(in crate::cbh2) fn replace(
    folder: &Path,
    stem: &OsStr,
    files: &FileSet,
    tables: &Tables<'_>,
    game: u32,
    entry: &StoredEntry,
) -> io::Result<()> {
    let count = tables.headers.len();
    let missing = || AssemblyError::NoSuchGame { game, count };
    let old = tables.headers.get(game).ok_or_else(missing)?;
    let mut names = tables.entities.as_ref().map(Names::of).unwrap_or_default();
    let mut header = names.add(entry)?;
    keep_history(&mut header, &old);
    let path = |kind| staged(folder, stem, kind);
    let mut headers: Vec<Header> = tables.headers.iter().map(|(_, header)| header).collect();
    let place = game as usize - 1;
    let moves = entry
        .moves
        .as_ref()
        .map(|(tag, content)| (*tag, &content[..]));
    let none = super::super::annotations::write([]);
    let notes = entry.annotations.as_deref().unwrap_or(&none);
    let annotations = header.annotations().map(|_| (tag::ANNOTATIONS, notes));
    for (kind, field, record) in [
        (FileKind::Moves, Header::moves_field as Field, moves),
        (
            FileKind::Annotations,
            Header::annotations_field as Field,
            annotations,
        ),
    ] {
        let file = files.get(kind).unwrap_or_default();
        let splice = Splice::new(file, &headers, place, field, record);
        splice.write(&path(kind), file, kind == FileKind::Moves)?;
        for other in &mut headers {
            if let Some(field) = field(other)
                && other.i64(field) >= splice.from
            {
                other.set_i64(field, other.i64(field) + splice.shift);
            }
        }
        if let Some(field) = field(&header) {
            header.set_i64(field, splice.place);
        }
    }
    headers[place] = header;
    let begin = files.get(FileKind::Headers).unwrap_or_default();
    let mut bytes = begin[..RECORD.min(begin.len())].to_vec();
    headers.iter().for_each(|header| bytes.extend(header.0));
    debug_assert!(Headers::new(&bytes).is_some(), "it was one");
    fs::write(path(FileKind::Headers), bytes)?;
    write_tables(&path, &names)
}

/// Where a header says that a record stands, if it has one.
type Field = fn(&Header) -> Option<usize>;

impl Header {
    fn moves_field(&self) -> Option<usize> {
        self.kind().map(|_| at::MOVES)
    }

    fn annotations_field(&self) -> Option<usize> {
        self.annotations().map(|_| at::ANNOTATIONS)
    }
}

/// It is another state of the same entry: deleted if that was, created when that was, and saved once
/// more.
fn keep_history(header: &mut Header, old: &Header) {
    header.set_deleted(old.is_deleted());
    let (created, version) = match (header.kind(), old.kind()) {
        (Some(Kind::Game), Some(Kind::Game)) => {
            header.set_i64(at::CHANGED, now());
            (at::CREATED, at::VERSION)
        }
        (Some(Kind::Text), Some(Kind::Text)) => (at::TEXT_CREATED, at::TEXT_VERSION),
        _ => return,
    };
    header.set_i64(created, old.i64(created));
    let [lower, upper] = [old.u16(version), old.u16(version + 2)];
    header.set_u16(version, lower.saturating_add(1));
    header.set_u16(version + 2, upper);
}

/// From 15 October 1582, from which such times count, to 1970.
const BEFORE_1970: Duration = Duration::from_secs(12_219_292_800);

/// This moment in units of 100 nanoseconds.
fn now() -> i64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let time = since_1970.unwrap_or_default() + BEFORE_1970;
    i64::try_from(time.as_nanos() / 100).unwrap_or(i64::MAX)
}

/// A record in place of another, in one file.
struct Splice {
    /// The bytes that go: none if the record is added at the end.
    old: std::ops::Range<usize>,
    frame: Vec<u8>,
    /// Where the record stands.
    place: i64,
    /// What stands here or behind it moves by so many bytes.
    from: i64,
    shift: i64,
}

impl Splice {
    fn new(
        file: &[u8],
        headers: &[Header],
        place: usize,
        field: Field,
        record: Option<(u16, &[u8])>,
    ) -> Splice {
        let at = |header: &Header| field(header).map(|field| header.i64(field));
        let own = at(&headers[place]);
        let others = headers
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != place);
        let extent = |own: i64| {
            let frame = Frame::at(file, own).ok()?;
            // A place that was found is in the file.
            Some(own as usize..own as usize + frame.size())
        };
        let old = own.and_then(extent).filter(|own| {
            // What two entries share, or what damage has laid over each other, stays when one of
            // them is replaced.
            let mut others = others.filter_map(|(_, it)| extent(at(it)?));
            others.all(|other| other.end <= own.start || own.end <= other.start)
        });
        let old = old.unwrap_or(file.len()..file.len());
        let mut bytes = Vec::new();
        if let Some((tag, content)) = record {
            let room = old.len().saturating_sub(frame::AROUND);
            let spare = match room.checked_sub(content.len()) {
                Some(spare) if !old.is_empty() => spare,
                _ => frame::fresh_spare(tag, old.start as u64, content.len()),
            };
            Frame::write(&mut bytes, tag, content, spare);
        }
        Splice {
            place: old.start as i64,
            from: old.end as i64,
            shift: bytes.len() as i64 - old.len() as i64,
            old,
            frame: bytes,
        }
    }

    fn write(&self, path: &Path, file: &[u8], moves: bool) -> io::Result<()> {
        let mut out = Staged::create(path, &file[..self.old.start])?;
        out.append(&self.frame)?;
        out.append(&file[self.old.end..])?;
        let empty = out.len() == frame::FILE_HEADER as u64;
        out.overwrite(0, &frame::file_header(out.len(), moves, empty))?;
        out.finish()
    }
}
