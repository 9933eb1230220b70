//! All files of a database replaced at once.
//!
//! A database is a dozen files, and no system renames a dozen files at once. New files are
//! therefore written into a folder beside the database. When they are on the disk, a list of what
//! goes where gets its name, `.NAME.tabiya-swap`: this renaming decides. Before it the old
//! database counts, after it the new one. Then the files take their places, the headers last, and
//! the list is removed.
//!
//! Whoever opens a database and finds a list does what is left of it, by [`recover`]. Each step
//! can be done twice. A list may name nothing but files of its database.
//!
//! ```
//! use std::fs;
//! use tabiya_chessbase::assembly::swap::{Change, Outdated, recover};
//!
//! # fn main() -> std::io::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.cbh");
//! let change = Change::begin(&path)?;
//! fs::write(change.staged("cbh"), "new")?;
//! assert!(!path.exists());
//! change.replace(Outdated::Derived)?;
//! assert_eq!(fs::read(&path)?, b"new");
//! assert!(!recover(&path)?, "there is nothing left to do");
//! # Ok(())
//! # }
//! ```

mod family;
mod list;

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use self::{
    family::{Design, Family},
    list::List,
};
use super::AssemblyError;
use tabiya_formats::io::{Lock, Temporary, TemporaryFolder, sync_folder};

/// What the description of a database of the newer family begins with.
const DESCRIPTION: &[u8] = b"[Descr2CBG]";

/// What a change leaves behind that does not fit the new state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outdated {
    /// What ChessBase computes from the database: its search boosters.
    Derived,
    /// That, and what goes by the numbers of games: marks and keys.
    Numbers,
    /// That, and all that belonged to the games that were there: the list of media.
    Everything,
}

impl Outdated {
    /// The extensions of files that are removed, unless the change brings new ones.
    pub(super) fn extensions(self) -> impl Iterator<Item = &'static str> {
        let derived = ["cit", "cib", "cit2", "cib2", "cbb", "cbgi"];
        let numbers = [
            "flags", "cko", "cpo", "ckn", "cpn", "ck1", "ck2", "ck3", "cp1", "cp2", "cp3", "cbd",
            "cbo", "pgi",
        ];
        let media = ["cbm"];
        let numbers = numbers
            .into_iter()
            .filter(move |_| self >= Outdated::Numbers);
        let media = media
            .into_iter()
            .filter(move |_| self >= Outdated::Everything);
        derived.into_iter().chain(numbers).chain(media)
    }
}

/// New files of a database that wait beside it. One that is dropped changes nothing.
pub struct Change {
    family: Family,
    staging: TemporaryFolder,
    /// What the headers looked like at the beginning: other programs know nothing of locks.
    seen: Option<Look>,
    /// Given up last.
    lock: Lock,
}

/// Length and time of a file: enough to tell whether somebody wrote to it.
#[derive(PartialEq)]
struct Look(u64, Option<SystemTime>);

impl Look {
    fn at(path: &Path) -> Option<Look> {
        let metadata = fs::metadata(path).ok()?;
        Some(Look(metadata.len(), metadata.modified().ok()))
    }
}

impl Change {
    /// Begins a change of a database that is there, or of one that shall be there. A change that
    /// was interrupted is completed first.
    ///
    /// # Errors
    /// If the folder cannot be written to, or a file of the database may not be.
    pub fn begin(path: &Path) -> io::Result<Change> {
        let lock = Lock::of(Family::find(path)?.header())?;
        recover(path)?;
        // Again: only now is it certain that nobody changes anything.
        let family = Family::find(path)?;
        family.check_writable()?;
        Ok(Change {
            staging: TemporaryFolder::create_in(family.folder())?,
            seen: Look::at(family.header()),
            family,
            lock,
        })
    }

    /// The header file of the database.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.family.header()
    }

    /// The folder for new files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.staging.path()
    }

    /// The name of the database, which its files have before their extensions.
    #[must_use]
    pub fn stem(&self) -> &OsStr {
        OsStr::new(self.family.stem())
    }

    /// Where the new file of an extension belongs, in small letters and without a dot.
    #[must_use]
    pub fn staged(&self, extension: &str) -> PathBuf {
        let name = format!("{}.{extension}", self.family.stem());
        self.staging.path().join(name)
    }

    /// Puts the new files in place of the old ones and removes what is out of date.
    ///
    /// # Errors
    /// If somebody else has changed the database meanwhile, or the disk is full: then the old
    /// database is still there.
    pub fn replace(self, outdated: Outdated) -> io::Result<()> {
        let header = self.family.header();
        if outdated < Outdated::Everything && Look::at(header) != self.seen {
            return Err(AssemblyError::ChangedMeanwhile(header.to_owned()).into());
        }
        let list = self.list(outdated)?;
        let Change {
            family,
            staging,
            lock: _until_all_is_done,
            ..
        } = self;
        let folder = staging.path().to_owned();
        let mut file = Temporary::create(family.folder())?;
        io::Write::write_all(file.file(), list.to_text().as_bytes())?;
        // All is on the disk before the list has its name.
        sync_folder(&folder);
        sync_folder(family.folder());
        // Once there is a list, nobody may take the files away.
        let _held = staging.keep();
        if let Err(error) = file.persist_new(&family.list()) {
            let _ = fs::remove_dir_all(folder);
            return Err(match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    AssemblyError::ChangedMeanwhile(family.header().to_owned()).into()
                }
                _ => error,
            });
        }
        list.apply(&family)
    }

    /// What goes where. New files are on the disk when this returns.
    fn list(&self, outdated: Outdated) -> io::Result<List> {
        let mut puts = Vec::new();
        let mut staged: Vec<PathBuf> = fs::read_dir(self.staging.path())?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<_>>()?;
        // The headers last: without them there is no database.
        let headers = OsStr::new(self.family.design().headers());
        staged.sort_by_key(|path| (path.extension() == Some(headers), path.clone()));
        for path in &staged {
            File::options().write(true).open(path)?.sync_all()?;
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            puts.push((name.into_owned(), self.family.name(&extension)?));
        }
        let removes = match self.family.design() {
            Design::Classic => {
                let brought = |extension: &str| self.staged(extension).exists();
                let old = outdated.extensions().filter(|one| !brought(one));
                old.filter_map(|one| self.family.existing(one)).collect()
            }
            Design::Newer => self.newer_outdated(outdated),
        };
        Ok(List {
            folder: name_of(self.staging.path()),
            puts,
            removes,
        })
    }

    /// Of what the classic family has beside its databases, the newer one has keys and a description.
    /// Where there is a classic database of the same name, they are its own.
    fn newer_outdated(&self, outdated: Outdated) -> Vec<String> {
        let is_shared = self.family.existing(Design::Classic.headers()).is_some();
        if is_shared || outdated < Outdated::Numbers {
            return Vec::new();
        }
        let keys = ["cko", "cpo"].into_iter();
        let mut removes: Vec<String> = keys.filter_map(|it| self.family.existing(it)).collect();
        let description = self.family.existing("ini");
        removes.extend(description.filter(|name| {
            // Other programs have such files, too.
            let text = fs::read(self.family.folder().join(name)).unwrap_or_default();
            outdated == Outdated::Everything
                && text.windows(DESCRIPTION.len()).any(|it| it == DESCRIPTION)
        }));
        removes
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whether a change of a database was interrupted.
pub(crate) fn is_interrupted(path: &Path) -> bool {
    Family::find(path).is_ok_and(|family| family.list().exists())
}

/// Completes a change of a database that was interrupted. Says whether there was one.
///
/// # Errors
/// If there was one and its list is damaged, or the folder cannot be written to.
pub fn recover(path: &Path) -> io::Result<bool> {
    // Where nothing can be found, whoever opens the database says why.
    let Ok(family) = Family::find(path) else {
        return Ok(false);
    };
    let text = match fs::read(family.list()) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    List::parse(&text, &family)?.apply(&family)?;
    Ok(true)
}
