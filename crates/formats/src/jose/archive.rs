//! The files of a jose database: in a folder, or packed into a `.jose` archive.
//!
//! | first bytes | what it is |
//! |---|---|
//! | `1F 8B` | gzip, with a tar or a zip archive in it |
//! | `h1` to `h9` | bzip2 without its `BZ`, with a tar or a zip archive in it |
//! | `BZh` | the same with its `BZ` |
//! | `PK 03 04` | a zip archive |
//! | `Rar!` | a RAR archive, which cannot be unpacked here |
//! | others | a tar archive |
//!
//! Of an archive the files of known tables are kept in memory, nothing is written to disk, and
//! folders inside of it do not matter. All that comes out of it may be no more than
//! [`InputLimits::max_memory`]: a larger archive is to be unpacked into a folder first. Names are
//! compared without regard to case.

use std::{
    collections::BTreeMap,
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
};

use super::myisam::TableError;
use crate::{
    io::{Contents, InputLimits, IoError, LimitReached, Unchanged},
    registry::Certainty,
};

/// The tables that hold games. In an archive, all but the first have `IO_` before their names.
const TABLES: [&str; 8] = [
    "metainfo",
    "collection",
    "player",
    "event",
    "site",
    "opening",
    "game",
    "moregame",
];

const EXTENSIONS: [&str; 3] = ["frm", "myd", "myi"];

const RAR: &[u8] = b"Rar!";
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZIP: &[u8] = b"PK\x03\x04";
const BZIP2: &[u8] = b"BZh";
const BZIP2_BLOCK: &[u8] = b"\x31\x41\x59\x26\x53\x59";

/// Why a jose database cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] IoError),
    /// A folder cannot be read.
    #[error("{}: {error}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// RAR archives need a program of their own.
    #[error(
        "this is a RAR archive, which cannot be unpacked here: unpack it into a folder with \
         `unrar x database.jose folder/`, then give the folder"
    )]
    Rar,
    /// The file is no archive that we know.
    #[error("this is not a jose archive: expected tar, zip, gzip or bzip2")]
    NotAnArchive,
    /// The archive cannot be unpacked to its end.
    #[error("the archive is damaged or cut off: {0}")]
    Damaged(String),
    /// The archive unpacks to more than is allowed.
    #[error("{0}; unpack the archive into a folder, then give the folder")]
    Limit(LimitReached),
    /// There is no table of games.
    #[error("no table of games here: expected IO_Game.MYD, or Game.MYD and MoreGame.MYD")]
    NoGames,
    /// A file of a table is missing.
    #[error("{0} is missing")]
    Missing(String),
    /// A column that holds games is missing.
    #[error("{table} has no column {column}")]
    NoColumn {
        /// The table.
        table: String,
        /// The column.
        column: &'static str,
    },
    /// The definition of a table makes no sense.
    #[error("{file}: {error}")]
    Table {
        /// The file.
        file: String,
        /// What is wrong.
        error: TableError,
    },
}

/// The files of the tables of a database, by their names.
#[derive(Clone, Default)]
pub struct Files {
    /// Lower-case names, with those that the files really have.
    files: BTreeMap<String, (String, Contents)>,
    /// As they were before they were opened; `None` if nobody has opened any.
    opened: Option<Unchanged>,
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.files.keys()).finish()
    }
}

impl Files {
    /// Opens a folder, one of the files in it, or an archive. The files of a folder are mapped into
    /// memory, so that only what is looked at is read.
    ///
    /// # Errors
    /// If something cannot be read or unpacked.
    pub fn open(path: &Path, limits: &InputLimits) -> Result<Files, ArchiveError> {
        if path.is_dir() {
            return Files::of_folder(path);
        }
        if is_table_file(path) {
            return Files::of_folder(folder_of(path));
        }
        let opened = Unchanged::of(path);
        let files = Files::unpack(&map(path)?, limits)?;
        Ok(Files {
            opened: Some(opened),
            ..files
        })
    }

    fn of_folder(folder: &Path) -> Result<Files, ArchiveError> {
        let in_folder = |error| failed(folder, error);
        // Other files of tables may come into it.
        let mut opened = Unchanged::of(folder);
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(in_folder)? {
            paths.push(entry.map_err(in_folder)?.path());
        }
        // The order of a folder is the system's.
        paths.sort();
        let mut files = Files::default();
        for path in paths.iter().filter(|path| is_table_file(path)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            opened.add(path);
            files.insert(&name, map(path)?);
        }
        files.opened = Some(opened);
        Ok(files)
    }

    /// Unpacks an archive.
    ///
    /// # Errors
    /// If it is none, is damaged, or unpacks to more than the limits allow.
    pub fn unpack(archive: &[u8], limits: &InputLimits) -> Result<Files, ArchiveError> {
        let packed = archive.len() as u64;
        let unpacker = |inner| Limited {
            inner,
            packed,
            unpacked: 0,
            limits: *limits,
        };
        match archive {
            _ if archive.starts_with(RAR) => Err(ArchiveError::Rar),
            _ if archive.starts_with(GZIP) => {
                let inner = flate2::bufread::MultiGzDecoder::new(archive);
                unpack_stream(unpacker(Box::new(inner) as Box<dyn Read>))
            }
            [b'h', b'1'..=b'9', ..] => {
                let inner = BZIP2[..2].chain(archive);
                let inner = bzip2::bufread::MultiBzDecoder::new(inner);
                unpack_stream(unpacker(Box::new(inner) as Box<dyn Read>))
            }
            _ if archive.starts_with(BZIP2) => {
                let inner = bzip2::bufread::MultiBzDecoder::new(archive);
                unpack_stream(unpacker(Box::new(inner) as Box<dyn Read>))
            }
            _ if archive.starts_with(ZIP) => unpack_zip(archive, limits),
            _ => unpack_tar(unpacker(Box::new(archive) as Box<dyn Read>)),
        }
    }

    /// Adds a file. Of several with one name the first stays.
    pub fn insert(&mut self, name: &str, bytes: Contents) {
        let key = name.to_lowercase();
        let entry = self.files.entry(key);
        entry.or_insert_with(|| (name.to_owned(), bytes));
    }

    /// A file by its name, in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Contents> {
        let file = self.files.get(&name.to_lowercase());
        file.map(|(_, bytes)| bytes)
    }

    /// The folder and its files, or the archive, as they were before they were opened; `None` of files
    /// that are in memory alone.
    #[must_use]
    pub fn opened(&self) -> Option<&Unchanged> {
        self.opened.as_ref()
    }

    /// The names of all files as they are spelled, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(|(name, _)| name.as_str())
    }
}

/// Whether the first bytes of a file, unpacked or not, are those of an archive of tables. RAR and
/// compressed archives do not show what they hold.
#[must_use]
pub fn recognise(head: &[u8]) -> Certainty {
    let name = match head {
        // Behind 30 bytes of a zip file stands the name of its first member.
        _ if head.starts_with(ZIP) && head.len() > 30 => {
            let length = usize::from(u16::from_le_bytes([head[26], head[27]]));
            head[30..].get(..length)
        }
        [b'h', b'1'..=b'9', rest @ ..] if rest.starts_with(BZIP2_BLOCK) => {
            return Certainty::Sure;
        }
        _ => first_in_tar(head),
    };
    let name = name.and_then(|name| std::str::from_utf8(name).ok());
    if name.is_some_and(|name| is_table_file(file_name(name).as_ref())) {
        Certainty::Sure
    } else {
        Certainty::No
    }
}

/// The name of the first file in a tar archive, folders left out. A header has 512 bytes: the name
/// first, filled up with zeros, and the size in octal digits.
fn first_in_tar(mut head: &[u8]) -> Option<&[u8]> {
    loop {
        let name = head.get(..100)?.split(|byte| *byte == 0).next()?;
        let size = head.get(124..135)?;
        let is_folder = name.ends_with(b"/") && size.iter().all(|digit| *digit == b'0');
        if !is_folder {
            return Some(name);
        }
        head = head.get(512..)?;
    }
}

/// Whether a path is that of a file of a known table, such as `IO_Game.MYD`.
#[must_use]
pub fn is_table_file(path: &Path) -> bool {
    let lower = |part: Option<&std::ffi::OsStr>| part.map(|p| p.to_string_lossy().to_lowercase());
    let (Some(stem), Some(extension)) = (lower(path.file_stem()), lower(path.extension())) else {
        return false;
    };
    let table = stem.strip_prefix("io_").unwrap_or(&stem);
    TABLES.contains(&table) && EXTENSIONS.contains(&extension.as_str())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn map(path: &Path) -> Result<Contents, ArchiveError> {
    Contents::map(path).map_err(ArchiveError::File)
}

fn failed(path: &Path, error: io::Error) -> ArchiveError {
    let path = path.to_owned();
    ArchiveError::Folder { path, error }
}

/// Stops a stream that grows too large.
struct Limited<R> {
    inner: R,
    packed: u64,
    unpacked: u64,
    limits: InputLimits,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.unpacked += count as u64;
        check(&self.limits, self.packed, self.unpacked)
            .map_err(|limit| io::Error::new(io::ErrorKind::FileTooLarge, limit))?;
        Ok(count)
    }
}

fn check(limits: &InputLimits, packed: u64, unpacked: u64) -> Result<(), LimitReached> {
    if unpacked > limits.max_memory {
        return Err(LimitReached::Memory(limits.max_memory));
    }
    if unpacked > limits.max_output {
        return Err(LimitReached::Output(limits.max_output));
    }
    limits.check_ratio(unpacked, packed)
}

/// What an error of a reader means: ours comes back as it was.
fn damaged(error: &io::Error) -> ArchiveError {
    let mut cause = error
        .get_ref()
        .map(|e| e as &(dyn std::error::Error + 'static));
    // The tar crate wraps errors in its own.
    while let Some(error) = cause {
        if let Some(limit) = error.downcast_ref::<LimitReached>() {
            return ArchiveError::Limit(*limit);
        }
        cause = match error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
        {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    ArchiveError::Damaged(error.to_string())
}

/// What is in a compressed stream: zip or tar.
fn unpack_stream<R: Read>(mut stream: Limited<R>) -> Result<Files, ArchiveError> {
    let mut head = Vec::new();
    let mark = ZIP.len() as u64;
    let read = stream.by_ref().take(mark).read_to_end(&mut head);
    read.map_err(|error| damaged(&error))?;
    if head != ZIP {
        return unpack_tar(Cursor::new(head).chain(stream));
    }
    let limits = stream.limits;
    let read = stream.read_to_end(&mut head);
    read.map_err(|error| damaged(&error))?;
    unpack_zip(&head, &limits)
}

fn unpack_tar(stream: impl Read) -> Result<Files, ArchiveError> {
    let mut files = Files::default();
    let mut archive = tar::Archive::new(stream);
    let entries = archive.entries().map_err(|error| damaged(&error))?;
    for (index, entry) in entries.enumerate() {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                return Err(match damaged(&error) {
                    ArchiveError::Damaged(_) if index == 0 => ArchiveError::NotAnArchive,
                    other => other,
                });
            }
        };
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        // A sparse file has bytes that are not in the archive, as many as it likes.
        let plain = entry.header().entry_type() == tar::EntryType::Regular;
        if !plain || !is_table_file(file_name(&name).as_ref()) {
            continue;
        }
        let mut bytes = Vec::new();
        let read = entry.read_to_end(&mut bytes);
        read.map_err(|error| damaged(&error))?;
        if (bytes.len() as u64) < entry.size() {
            return Err(ArchiveError::Damaged(format!("{name} is cut off")));
        }
        files.insert(file_name(&name), bytes.into());
    }
    Ok(files)
}

fn unpack_zip(bytes: &[u8], limits: &InputLimits) -> Result<Files, ArchiveError> {
    let broken = |error: zip::result::ZipError| ArchiveError::Damaged(error.to_string());
    let mut files = Files::default();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let mut unpacked = 0;
    for index in 0..archive.len() {
        let member = archive.by_index(index).map_err(broken)?;
        // A name that cannot be read is none of ours.
        let name = member.name().map(|name| name.into_owned());
        let name = name.unwrap_or_default();
        if !is_table_file(file_name(&name).as_ref()) {
            continue;
        }
        let mut stream = Limited {
            inner: member,
            packed: bytes.len() as u64,
            unpacked,
            limits: *limits,
        };
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        read.map_err(|error| damaged(&error))?;
        unpacked = stream.unpacked;
        files.insert(file_name(&name), bytes.into());
    }
    Ok(files)
}

/// The last part of a member's path, whatever system packed it.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
