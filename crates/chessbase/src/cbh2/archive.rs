//! `.2cbv`: a database as a zip archive.
//!
//! Names are checked as those of a `.cbv` are, and an archive unpacks as a whole or not at all.
//!
//! ```
//! use tabiya_chessbase::cbh2::archive::is_archive;
//!
//! assert!(is_archive(&["Games.2cbh".to_owned(), "Games.2cbg".to_owned()]));
//! assert!(!is_archive(&["games.pgn".to_owned()]));
//! ```

use std::{
    fs::{self, File},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
};

use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use super::{
    set::FileKind,
    zip_members::{Loose, Zip, bad_zip},
};
use crate::archive::{
    ArchiveError, ArchiveErrorKind, Existing, Packed, Unpacked, name, salvage_database,
    salvage_members, unpack_database, unpack_members,
};
use tabiya_formats::io::{Compression, Lock, Output};

/// The members of an archive in the order in which ChessBase packs them.
const ORDER: [&str; 7] = ["2cbh", "ini", "2lcd", "2lid", "2lgd", "2cbg", "2cba"];

/// Whether the members of a zip archive are those of a database.
#[must_use]
pub fn is_archive(members: &[String]) -> bool {
    let is_headers = |name: &String| {
        let kind = Path::new(name).extension().and_then(|it| it.to_str());
        kind.and_then(FileKind::from_extension) == Some(FileKind::Headers)
    };
    members.iter().any(is_headers)
}

/// Whether a file begins as an archive does whose first member are the headers of a database. One
/// that is cut off has no list of its members.
#[must_use]
pub fn begins_with_headers(head: &[u8]) -> bool {
    let begin = Loose::first_name(head);
    begin.is_some_and(|name| is_archive(&[name]))
}

/// Whether a file begins as a zip archive does, unlike those of the classic family.
#[must_use]
pub fn recognise(head: &[u8]) -> bool {
    head.starts_with(b"PK")
}

/// Unpacks an archive into a temporary folder, which goes away with what is returned.
///
/// # Errors
/// If the archive is damaged, if it does not hold exactly one database, or if there is no room.
pub fn unpack_temporary(path: &Path) -> Result<Unpacked, ArchiveError> {
    unpack_database(&mut Zip::open(path)?, FileKind::Headers.extension())
}

/// As [`unpack_temporary`], of an archive that is cut off or of which members are damaged: each as
/// far as it can be unpacked. Returns also what is wrong, a sentence each.
///
/// # Errors
/// If it does not hold exactly one database, or if there is no room.
pub fn salvage_temporary(path: &Path) -> Result<(Unpacked, Vec<String>), ArchiveError> {
    let headers = FileKind::Headers.extension();
    match Zip::open(path) {
        Ok(mut zip) => salvage_database(&mut zip, headers),
        Err(error) if is_without_list(&error) => {
            let (unpacked, mut damage) = salvage_database(&mut Loose::open(path)?, headers)?;
            damage.insert(0, NO_LIST.to_owned());
            Ok((unpacked, damage))
        }
        Err(error) => Err(error),
    }
}

const NO_LIST: &str = "the archive is cut off: the list of its members is missing";

/// Whether an archive could not be opened because of what stands at its end.
fn is_without_list(error: &ArchiveError) -> bool {
    matches!(error.kind(), ArchiveErrorKind::BadZip(_))
}

/// Unpacks all members into a folder and returns where they are.
///
/// # Errors
/// As [`unpack`](crate::archive::unpack) of the classic family.
pub fn unpack(
    path: &Path,
    folder: &Path,
    existing: Existing,
) -> Result<Vec<PathBuf>, ArchiveError> {
    unpack_members(&mut Zip::open(path)?, folder, existing)
}

/// The same of an archive of which members are damaged: each as far as it can be unpacked. Returns
/// also what is wrong, a sentence each.
///
/// # Errors
/// As [`salvage`](crate::archive::salvage) of the classic family.
pub fn salvage(
    path: &Path,
    folder: &Path,
    existing: Existing,
) -> Result<(Vec<PathBuf>, Vec<String>), ArchiveError> {
    match Zip::open(path) {
        Ok(mut zip) => salvage_members(&mut zip, folder, existing),
        Err(error) if is_without_list(&error) => {
            let mut loose = Loose::open(path)?;
            let (files, mut damage) = salvage_members(&mut loose, folder, existing)?;
            damage.insert(0, NO_LIST.to_owned());
            Ok((files, damage))
        }
        Err(error) => Err(error),
    }
}

/// The files that make a database, found by the name of its `.2cbh`, in the order of an archive.
///
/// # Errors
/// If the folder cannot be read.
pub fn database_files(database: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = tabiya_formats::io::folder_of(database);
    let stem = database.file_stem().unwrap_or_default();
    // Where a classic database has the same name, the description is its own.
    let mut shared = false;
    // Of two that differ only in the case of letters, the one that was asked for comes first.
    let mut found: Vec<(usize, bool, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let (Some(name), Some(extension)) = (path.file_stem(), path.extension()) else {
            continue;
        };
        if !name.eq_ignore_ascii_case(stem) {
            continue;
        }
        shared |= extension.eq_ignore_ascii_case("cbh");
        let rank = ORDER
            .iter()
            .position(|it| extension.eq_ignore_ascii_case(it));
        found.extend(rank.map(|rank| (rank, name != stem, path.clone())));
    }
    found.retain(|(rank, ..)| !shared || ORDER[*rank] != "ini");
    found.sort();
    found.dedup_by_key(|(rank, ..)| *rank);
    Ok(found.into_iter().map(|(.., path)| path).collect())
}

/// Packs a database into a file, and lets nobody change either of them meanwhile.
///
/// # Errors
/// As [`pack_into`]; and if somebody is changing the database or writing the archive.
pub fn pack_database(database: &Path, archive: &Path) -> io::Result<Packed> {
    let _of_database = Lock::to_read(database)?;
    let _of_archive = Lock::of(archive)?;
    pack_into(&database_files(database)?, archive).map_err(io::Error::other)
}

/// Packs files into an archive of a name, which is complete or not there.
///
/// # Errors
/// As [`pack`].
pub fn pack_into(files: &[PathBuf], path: &Path) -> Result<Packed, ArchiveError> {
    // A zip archive is written here and there, an output from beginning to end.
    let mut file = tempfile::tempfile().map_err(ArchiveErrorKind::Write)?;
    let packed = pack(files, &mut file)?;
    let mut copy = || -> io::Result<()> {
        file.rewind()?;
        let mut output = Output::create(path, Compression::None)?;
        io::copy(&mut file, &mut output)?;
        output.finish()?;
        Ok(())
    };
    copy().map_err(ArchiveErrorKind::Write)?;
    Ok(packed)
}

/// Packs files into an archive. They have no dates: the same files give the same archive.
///
/// # Errors
/// If a file cannot be read, or the archive cannot be written.
pub fn pack(files: &[PathBuf], out: impl Write + Seek) -> Result<Packed, ArchiveError> {
    let mut writer = ZipWriter::new(out);
    let mut packed = Packed::default();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name::check(&name).map_err(|fault| {
            let name = name.clone().into_owned();
            ArchiveErrorKind::BadName { name, fault }
        })?;
        let read = |cause| ArchiveError::from(ArchiveErrorKind::Read(cause)).in_member(&name);
        let mut file = File::open(path).map_err(read)?;
        let size = file.metadata().map_err(read)?.len();
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::DEFLATE)
            .last_modified_time(DateTime::default())
            .large_file(size >= u64::from(u32::MAX));
        writer.start_file(&*name, options).map_err(bad_zip)?;
        packed.size += io::copy(&mut file, &mut writer).map_err(ArchiveErrorKind::Write)?;
        packed.members += 1;
    }
    let mut out = writer.finish().map_err(bad_zip)?;
    packed.packed = out.stream_position().map_err(ArchiveErrorKind::Write)?;
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(windows, ignore = "names that differ in case are the same there")]
    fn the_database_that_was_asked_for_is_packed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [
            "Games.2cbh",
            "games.2cbh",
            "GAMES.2cbg",
            "games.2cbg",
            "other.2cbh",
        ] {
            fs::write(path(name), name).unwrap();
        }
        let files = database_files(&path("games.2cbh")).unwrap();
        assert_eq!(files, [path("games.2cbh"), path("games.2cbg")]);
        let files = database_files(&path("Games.2cbh")).unwrap();
        assert_eq!(files[0], path("Games.2cbh"));
    }
}
