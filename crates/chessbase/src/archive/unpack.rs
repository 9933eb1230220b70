//! Archives into folders: all members or none.

use std::{
    fs::{self, File},
    io::{ErrorKind::UnexpectedEof, Read, Seek, Write},
    path::{Path, PathBuf},
};

use tempfile::TempPath;

use tabiya_formats::io::TemporaryFolder;

use super::{Archive, ArchiveError, ArchiveErrorKind};

/// What happens to files that are where members should go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// They stay, and nothing is unpacked.
    Keep,
    /// They are replaced, unless they are marked as read-only.
    Replace,
}

/// What archives have in common: members with names that were checked.
pub(crate) trait Members {
    /// Their names, with `/` between folders.
    fn names(&self) -> Vec<String>;

    /// Writes a member to a file.
    fn copy(&mut self, index: usize, file: &mut File) -> Result<(), ArchiveError>;
}

impl<R: Read + Seek> Members for Archive<R> {
    fn names(&self) -> Vec<String> {
        let members = self.members().iter();
        members.map(|member| member.name().to_owned()).collect()
    }

    fn copy(&mut self, index: usize, file: &mut File) -> Result<(), ArchiveError> {
        let mut member = self.read(index);
        while let Some(bytes) = member.next_block()? {
            file.write_all(bytes).map_err(ArchiveErrorKind::Write)?;
        }
        Ok(())
    }
}

/// Unpacks all members into a folder, which is created if need be, and returns where they are.
///
/// Everything is unpacked under another name first and moved when it is complete: of a damaged
/// archive nothing appears.
///
/// # Errors
/// If the archive is damaged, if the folder cannot be written to, or if something is in the way.
pub fn unpack<R: Read + Seek>(
    archive: &mut Archive<R>,
    folder: impl AsRef<Path>,
    existing: Existing,
) -> Result<Vec<PathBuf>, ArchiveError> {
    unpack_members(archive, folder.as_ref(), existing)
}

/// As [`unpack`], of an archive that is damaged or cut off: each member as far as it can be
/// unpacked. Returns also what is wrong, a sentence each.
///
/// # Errors
/// If the folder cannot be written to, or if something is in the way.
pub fn salvage<R: Read + Seek>(
    archive: &mut Archive<R>,
    folder: impl AsRef<Path>,
    existing: Existing,
) -> Result<(Vec<PathBuf>, Vec<String>), ArchiveError> {
    salvage_members(archive, folder.as_ref(), existing)
}

/// [`unpack`] for archives of any kind.
pub(crate) fn unpack_members(
    archive: &mut impl Members,
    folder: &Path,
    existing: Existing,
) -> Result<Vec<PathBuf>, ArchiveError> {
    let staging = prepare(archive, folder, existing)?;
    let names = archive.names();
    let unpacked = unpack_all(archive, staging.path(), true)?;
    let mut targets = Vec::new();
    for (from, name) in unpacked.into_iter().zip(&names) {
        targets.push(put(from, folder.join(name), existing)?);
    }
    Ok(targets)
}

/// [`salvage`] for archives of any kind.
pub(crate) fn salvage_members(
    archive: &mut impl Members,
    folder: &Path,
    existing: Existing,
) -> Result<(Vec<PathBuf>, Vec<String>), ArchiveError> {
    let staging = prepare(archive, folder, existing)?;
    let damage = salvage_all(archive, staging.path(), true)?;
    let mut targets = Vec::new();
    for name in archive.names() {
        let from = staging.path().join(&name);
        if from.exists() {
            targets.push(put(from, folder.join(name), existing)?);
        }
    }
    Ok((targets, damage))
}

/// Refuses what is in the way, and makes a folder in which members are complete before they move.
fn prepare(
    archive: &impl Members,
    folder: &Path,
    existing: Existing,
) -> Result<TemporaryFolder, ArchiveError> {
    for name in archive.names() {
        check_target(folder, &name, &folder.join(&name), existing)?;
    }
    fs::create_dir_all(folder).map_err(ArchiveErrorKind::Write)?;
    Ok(TemporaryFolder::create_in(folder).map_err(ArchiveErrorKind::Write)?)
}

/// An archive, unpacked for as long as this lives.
pub struct Unpacked {
    folder: TemporaryFolder,
    database: PathBuf,
}

impl Unpacked {
    /// The `.cbh` of the database that was in the archive.
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// The folder that all members are in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Unpacks an archive into a temporary folder, for readers that want files. The folder goes away
/// with what is returned, and with [`remove_temporaries`](tabiya_formats::io::remove_temporaries).
///
/// ```standalone_crate
/// use std::{fs, io::Cursor};
/// use tabiya_chessbase::archive::{Archive, Packer, unpack_temporary};
/// use tabiya_formats::io::remove_temporaries;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut packer = Packer::new();
/// packer.add("Games.cbh", None, &b"headers"[..])?;
/// let mut bytes = Vec::new();
/// packer.finish(&mut bytes, None)?;
///
/// let mut archive = Archive::open(Cursor::new(bytes), None)?;
/// let unpacked = unpack_temporary(&mut archive)?;
/// assert!(unpacked.database().ends_with("Games.cbh"));
/// assert_eq!(fs::read(unpacked.database())?, b"headers");
///
/// // A handler of Ctrl-C takes the folder along.
/// drop(remove_temporaries());
/// assert!(!unpacked.folder().exists());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the archive is damaged, if it does not hold exactly one `.cbh`, or if there is no room.
pub fn unpack_temporary<R: Read + Seek>(
    archive: &mut Archive<R>,
) -> Result<Unpacked, ArchiveError> {
    unpack_database(archive, "cbh")
}

/// As [`unpack_temporary`], of an archive that is damaged or cut off: each member as far as it can be
/// unpacked. Returns also what is wrong, a sentence each.
///
/// # Errors
/// If it does not hold exactly one `.cbh`, or if there is no room.
pub fn salvage_temporary<R: Read + Seek>(
    archive: &mut Archive<R>,
) -> Result<(Unpacked, Vec<String>), ArchiveError> {
    salvage_database(archive, "cbh")
}

/// [`unpack_temporary`] for archives of any kind, and a database whose headers have an extension.
pub(crate) fn unpack_database(
    archive: &mut impl Members,
    headers: &'static str,
) -> Result<Unpacked, ArchiveError> {
    let folder = TemporaryFolder::create().map_err(ArchiveErrorKind::Write)?;
    let name = database_name(archive, headers)?;
    unpack_all(archive, folder.path(), false)?;
    Ok(Unpacked {
        database: folder.path().join(name),
        folder,
    })
}

/// [`salvage_temporary`] for archives of any kind.
pub(crate) fn salvage_database(
    archive: &mut impl Members,
    headers: &'static str,
) -> Result<(Unpacked, Vec<String>), ArchiveError> {
    let folder = TemporaryFolder::create().map_err(ArchiveErrorKind::Write)?;
    let database = folder.path().join(database_name(archive, headers)?);
    let damage = salvage_all(archive, folder.path(), false)?;
    Ok((Unpacked { folder, database }, damage))
}

/// Unpacks each member as far as it goes into a folder that is ours alone, and says what is wrong.
fn salvage_all(
    archive: &mut impl Members,
    folder: &Path,
    durable: bool,
) -> Result<Vec<String>, ArchiveError> {
    let mut damage = Vec::new();
    for (index, member) in archive.names().iter().enumerate() {
        let path = &folder.join(member);
        match unpack_member(archive, index, path, durable) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), ArchiveErrorKind::Write(_)) => return Err(error),
            Err(error) => {
                damage.push(match error.kind() {
                    ArchiveErrorKind::Read(cause) if cause.kind() == UnexpectedEof => {
                        format!("{member} is not all there: the archive is cut off")
                    }
                    _ => error.in_member(member).to_string(),
                });
                // A file without anything in it is as good as missing, and easier to understand so.
                if fs::metadata(path).is_ok_and(|file| file.len() == 0) {
                    fs::remove_file(path).map_err(ArchiveErrorKind::Write)?;
                }
            }
        }
    }
    Ok(damage)
}

/// The one database in an archive.
fn database_name(archive: &impl Members, headers: &'static str) -> Result<String, ArchiveError> {
    let mut databases = archive.names();
    databases.retain(|name| {
        let extension = Path::new(name).extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case(headers))
    });
    match databases.as_slice() {
        [] => Err(ArchiveErrorKind::NoDatabase(headers).into()),
        [name] => Ok(name.clone()),
        several => Err(ArchiveErrorKind::SeveralDatabases(several.len()).into()),
    }
}

/// Unpacks everything into a folder that is ours alone.
fn unpack_all(
    archive: &mut impl Members,
    folder: &Path,
    durable: bool,
) -> Result<Vec<PathBuf>, ArchiveError> {
    let names = archive.names();
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    for (index, (name, path)) in names.iter().zip(&paths).enumerate() {
        unpack_member(archive, index, path, durable).map_err(|error| error.in_member(name))?;
    }
    Ok(paths)
}

fn unpack_member(
    archive: &mut impl Members,
    index: usize,
    path: &Path,
    durable: bool,
) -> Result<(), ArchiveError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(ArchiveErrorKind::Write)?;
    }
    let mut file = File::create_new(path).map_err(ArchiveErrorKind::Write)?;
    archive.copy(index, &mut file)?;
    if durable {
        // Without this a power cut after the renaming could leave an empty file.
        file.sync_all().map_err(ArchiveErrorKind::Write)?;
    }
    Ok(())
}

/// Refuses what is in the way, before anything is written.
fn check_target(
    folder: &Path,
    name: &str,
    target: &Path,
    existing: Existing,
) -> Result<(), ArchiveError> {
    for (at, _) in name.match_indices('/') {
        // A link would lead out of the folder.
        let part = folder.join(&name[..at]);
        if fs::symlink_metadata(&part).is_ok_and(|there| !there.is_dir()) {
            return Err(ArchiveErrorKind::NotAFolder(part).into());
        }
    }
    let Ok(there) = fs::symlink_metadata(target) else {
        return Ok(());
    };
    match existing {
        Existing::Replace if there.is_dir() => {
            Err(ArchiveErrorKind::AlreadyExists(target.to_path_buf()).into())
        }
        // Renaming would not ask.
        Existing::Replace if there.permissions().readonly() && !there.is_symlink() => {
            Err(ArchiveErrorKind::ReadOnly(target.to_path_buf()).into())
        }
        Existing::Replace => Ok(()),
        Existing::Keep => Err(ArchiveErrorKind::AlreadyExists(target.to_path_buf()).into()),
    }
}

/// Gives an unpacked file its place, which it returns.
fn put(from: PathBuf, to: PathBuf, existing: Existing) -> Result<PathBuf, ArchiveError> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(ArchiveErrorKind::Write)?;
    }
    let from = TempPath::try_from_path(from).map_err(ArchiveErrorKind::Write)?;
    let moved = match existing {
        Existing::Keep => from.persist_noclobber(&to),
        Existing::Replace => from.persist(&to),
    };
    moved.map_err(|error| ArchiveErrorKind::Write(error.error))?;
    Ok(to)
}
