//! Whether an export is as it was written.

use std::{
    fs::{self, File},
    io::{self, Read},
    iter,
    path::Path,
};

use ::parquet::{
    arrow::arrow_reader::ParquetRecordBatchReaderBuilder,
    file::{
        metadata::ParquetMetaData,
        reader::{FileReader, SerializedFileReader},
    },
};

use super::{
    GAMES, POSITIONS, is_read,
    manifest::{FileEntry, Manifest, ManifestError},
    may_be_read,
};

/// What [`check`] has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// What is wrong, a sentence for each file.
    pub damage: Vec<String>,
    /// Whether there are checksums. Exports of before have none: what is told of them is only whether
    /// they can be read.
    pub has_checksums: bool,
    /// How many entries `games.parquet` has, as far as it says so.
    pub games: u64,
}

/// Whether a folder is an export, or what is left of one.
#[must_use]
pub fn is_lake(folder: &Path) -> bool {
    let is_there = |name: &str| folder.join(name).exists();
    // The list itself may be damaged from its first byte on.
    let is_listed = || is_there(Manifest::NAME) && (is_there(GAMES) || is_there(POSITIONS));
    Manifest::is_in(folder) || is_listed() || (is_there(GAMES) && is_there(POSITIONS))
}

/// Reads all files of an export, and compares them with what was written. How many bytes have been
/// read is told on the way.
///
/// # Errors
/// If the folder cannot be looked into, or if a later version wrote it. What is wrong with files is no
/// error but an answer.
pub fn check(folder: &Path, mut read: impl FnMut(u64)) -> io::Result<Checked> {
    let games = metadata(&folder.join(GAMES));
    let mut checked = Checked {
        games: games.as_ref().map_or(0, rows),
        ..Checked::default()
    };
    let list = match fs::read(folder.join(Manifest::NAME)) {
        Ok(bytes) => Some(Manifest::parse(&bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    match list {
        Some(Ok(manifest)) => {
            checked.has_checksums = true;
            let found = find(folder)?;
            let differences = manifest.differences(&found.files);
            let is_as_long = |entry: &&FileEntry| {
                let mut differences = differences.iter();
                !differences.any(|(name, _)| *name == entry.name())
            };
            let damage = manifest.files().iter().filter(is_as_long);
            let damage = damage.filter_map(|entry| damage_of(folder, entry, &mut read));
            checked.damage.extend(damage);
            let differences = differences.iter();
            let told = differences.map(|(name, difference)| format!("{name} {difference}"));
            checked.damage.extend(told);
            checked.damage.extend(found.unreadable);
        }
        Some(Err(error @ ManifestError::Later(_))) => {
            let words = format!("{}: {error}", Manifest::NAME);
            return Err(io::Error::new(io::ErrorKind::Unsupported, words));
        }
        Some(Err(error)) => checked.damage.push(format!("{}: {error}", Manifest::NAME)),
        None if games.is_ok_and(|games| has_list(&games)) => {
            checked
                .damage
                .push(format!("{} is not there", Manifest::NAME));
        }
        None => {
            let found = find(folder)?;
            let parts = found.files.iter().map(|(name, _)| name.as_str());
            let parts = parts.filter(|name| *name != GAMES);
            for name in iter::once(GAMES).chain(parts) {
                checked.damage.extend(unreadable(folder, name, &mut read));
            }
            checked.damage.extend(found.unreadable);
        }
    }
    Ok(checked)
}

/// Whether `games.parquet` says that there is a list of files.
#[must_use]
pub fn has_list(games: &ParquetMetaData) -> bool {
    let pairs = games.file_metadata().key_value_metadata();
    pairs.is_some_and(|pairs| pairs.iter().any(|pair| pair.key == Manifest::KEY))
}

fn metadata(path: &Path) -> io::Result<ParquetMetaData> {
    let reader = SerializedFileReader::new(File::open(path)?).map_err(io::Error::other)?;
    Ok(reader.metadata().clone())
}

fn rows(metadata: &ParquetMetaData) -> u64 {
    u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(0)
}

/// What there is of an export.
#[derive(Default)]
struct Found {
    /// The files that are read, as their folder has them, and how long they are.
    files: Vec<(String, u64)>,
    /// The folders below `positions` that cannot be looked into, a sentence for each.
    unreadable: Vec<String>,
}

fn find(folder: &Path) -> io::Result<Found> {
    let mut found = Found::default();
    let mut names = vec![GAMES.to_owned(), POSITIONS.to_owned()];
    while let Some(name) = names.pop() {
        match look(&folder.join(&name)) {
            Ok(There::Nothing) => {}
            Ok(There::File(bytes)) if is_read(&name) => found.files.push((name, bytes)),
            Ok(There::File(_)) => {}
            Ok(There::Folder(inside)) => {
                let inside = inside.iter().map(|inside| format!("{name}/{inside}"));
                // Nobody reads what is in other folders, whatever it is.
                names.extend(inside.filter(|name| may_be_read(name)));
            }
            Err(error) if name == GAMES || name == POSITIONS => return Err(error),
            Err(error) => found.unreadable.push(format!("{name}: {error}")),
        }
    }
    found.files.sort();
    Ok(found)
}

/// What is at a path.
enum There {
    /// What is missed is told by its name.
    Nothing,
    File(u64),
    Folder(Vec<String>),
}

fn look(path: &Path) -> io::Result<There> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(There::Nothing),
        Err(error) => return Err(error),
    };
    if !metadata.is_dir() {
        return Ok(There::File(metadata.len()));
    }
    let inside = fs::read_dir(path)?.map(|entry| {
        let name = entry?.file_name();
        Ok(name.to_string_lossy().into_owned())
    });
    Ok(There::Folder(inside.collect::<io::Result<_>>()?))
}

/// What is wrong with a file.
fn damage_of(folder: &Path, entry: &FileEntry, read: &mut dyn FnMut(u64)) -> Option<String> {
    let name = entry.name();
    let path = folder.join(name);
    match damaged_block(&path, entry, read) {
        Ok(None) => {}
        Ok(Some(sentence)) => return Some(sentence),
        Err(error) => return Some(format!("{name}: {error}")),
    }
    match metadata(&path).map(|metadata| rows(&metadata)) {
        Ok(rows) if rows == entry.rows() => None,
        Ok(rows) => {
            let expected = entry.rows();
            Some(format!("{name} has {rows} rows instead of {expected}"))
        }
        Err(error) => Some(format!("{name}: {error}")),
    }
}

fn damaged_block(
    path: &Path,
    entry: &FileEntry,
    read: &mut dyn FnMut(u64),
) -> io::Result<Option<String>> {
    let mut file = File::open(path)?;
    let mut block = Vec::new();
    let mut at = 0;
    while at < entry.bytes() {
        block.clear();
        (&mut file).take(entry.block()).read_to_end(&mut block)?;
        if block.is_empty() {
            let name = entry.name();
            return Ok(Some(format!("{name} ends at byte {at}")));
        }
        if let Some(range) = entry.damage(at, &block) {
            return Ok(Some(not_as_written(entry.name(), &range)));
        }
        at += block.len() as u64;
        read(block.len() as u64);
    }
    Ok(None)
}

/// What is said of a block that has another checksum.
#[must_use]
pub fn not_as_written(name: &str, bytes: &std::ops::Range<u64>) -> String {
    let (start, end) = (bytes.start, bytes.end);
    format!("{name} is not as it was written between bytes {start} and {end}")
}

/// What is wrong with a file that has no checksums, as far as reading it tells.
fn unreadable(folder: &Path, name: &str, read: &mut dyn FnMut(u64)) -> Option<String> {
    let read_all = || -> io::Result<u64> {
        let file = File::open(folder.join(name))?;
        let length = file.metadata()?.len();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(io::Error::other)?;
        let batches = builder.build().map_err(io::Error::other)?;
        for batch in batches {
            batch.map_err(io::Error::other)?;
        }
        Ok(length)
    };
    match read_all() {
        Ok(length) => {
            read(length);
            None
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Some(format!("{name} is not there"))
        }
        Err(error) => Some(format!("{name}: {error}")),
    }
}
