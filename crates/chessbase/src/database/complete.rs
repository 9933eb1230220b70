//! Whether the files of a database are whole, as far as their own headers can tell.
//!
//! Copies that were broken off, disks that were full: the header of each file says how long it
//! was when it was written. Games that are still there are read all the same.

use crate::files::{
    FileKind,
    entity::{Entities, Entity},
    header::RECORD,
    set::{FileSet, Tables},
    stores::StoreHeader,
};

/// What is missing, one sentence for each file.
pub(crate) fn warnings(files: &FileSet, tables: &Tables<'_>) -> Vec<String> {
    let missing = files.missing();
    let mut warnings: Vec<String> = missing
        .map(|kind| format!("the {kind} file is missing"))
        .collect();
    warnings.extend(tables.errors.iter().map(ToString::to_string));
    let length = files.get(FileKind::Headers).map_or(0, |file| file.len());
    let records = (length / RECORD).saturating_sub(1);
    let headers = i64::from(tables.headers.header().next_game) - 1;
    warnings.extend(too_few(FileKind::Headers, headers, records));
    for kind in [FileKind::Moves, FileKind::Annotations] {
        warnings.extend(files.get(kind).and_then(|file| cut_store(kind, file)));
    }
    if let Some(extended) = &tables.extended {
        let count = i64::from(extended.header().count);
        warnings.extend(too_few(FileKind::Extended, count, extended.len() as usize));
    }
    warnings.extend(cut_names(&tables.players));
    warnings.extend(cut_names(&tables.tournaments));
    warnings.extend(cut_names(&tables.annotators));
    warnings.extend(cut_names(&tables.sources));
    warnings.extend(cut_names(&tables.teams));
    warnings.extend(cut_names(&tables.game_tags));
    warnings
}

fn too_few(kind: FileKind, announced: i64, found: usize) -> Option<String> {
    let missing = announced > i64::try_from(found).unwrap_or(i64::MAX);
    missing.then(|| format!("the {kind} file is cut off: it has {found} of {announced} records"))
}

fn cut_names<T: Entity>(table: &Option<Entities<'_, T>>) -> Option<String> {
    let table = table.as_ref()?;
    too_few(
        T::FILE,
        i64::from(table.header().records),
        table.len() as usize,
    )
}

/// The length in the header has 32 bits: in a file of more than 4 GiB it says nothing.
fn cut_store(kind: FileKind, file: &[u8]) -> Option<String> {
    let Some(header) = StoreHeader::from_bytes(file) else {
        return Some(format!("the {kind} file does not begin with its header"));
    };
    let (found, announced) = (file.len(), header.size as usize);
    let is_cut = found < announced;
    is_cut.then(|| format!("the {kind} file is cut off: it has {found} of {announced} bytes"))
}
