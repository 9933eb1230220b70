//! The index of positions that a database of tabiya's own has.

use std::path::{Path, PathBuf};

use crate::{Error, ErrorKind, Result};

/// What becomes of an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexWish {
    /// It is made where it is missing or damaged.
    Complete,
    /// All of it is made anew.
    Rebuild,
    /// It is removed.
    Drop,
}

/// How large a database and its index are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Indexed {
    /// Its entries, deleted ones too.
    pub entries: u64,
    /// The bytes of the index.
    pub bytes: u64,
}

/// Makes or removes the index of a database of tabiya's own, within about so much memory (`512M`,
/// `2G`). Answers are the same without it, but take longer.
///
/// ```
/// use tabiya::IndexWish;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.tabiya");
/// # let mut games = tabiya::create(&path)?;
/// # games.add(&tabiya::GameTree::default())?;
/// # games.finish()?;
/// let indexed = tabiya::index(&path, IndexWish::Drop, "512M")?;
/// assert_eq!((indexed.entries, indexed.bytes), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it is of another format, is damaged, or somebody else is writing; it is then as it was.
#[cfg_attr(not(feature = "store"), expect(unused_variables))]
pub fn index(path: impl AsRef<Path>, wish: IndexWish, memory: &str) -> Result<Indexed> {
    let path = path.as_ref();
    let format = crate::registry().profile(path, None)?;
    #[cfg(feature = "store")]
    if format.format.name == tabiya_store::FORMAT.name {
        let memory = tabiya_store::memory_size(memory)?;
        let store = tabiya_store::Store::open(path)?;
        match wish {
            IndexWish::Complete => store.index(memory)?,
            IndexWish::Rebuild => store.reindex(memory)?,
            IndexWish::Drop => store.drop_index()?,
        }
        let store = tabiya_store::Store::open(path)?;
        return Ok(Indexed {
            entries: store.count(),
            bytes: store.index_bytes(),
        });
    }
    let name = path.display();
    let words = format!("{name} is {format}, and only a database of tabiya's own has an index");
    Err(Error::new(ErrorKind::Unsupported, words))
}

/// Makes the index of a database of tabiya's own again where it is damaged, and says which files were;
/// of other databases nothing is.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "1. e4 *\n")?;
/// assert!(tabiya::mend_index(&path)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it is damaged otherwise, cannot be written, or somebody else is writing; it is then as it was.
#[cfg_attr(not(feature = "store"), expect(unused_variables))]
pub fn mend_index(path: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    #[cfg(feature = "store")]
    {
        let path = path.as_ref();
        // A pipe could not be read again.
        if path.is_dir() {
            let format = crate::registry().profile(path, None)?.format;
            if format.name == tabiya_store::FORMAT.name {
                return tabiya_store::Store::open(path)?.mend_index(MEMORY);
            }
        }
    }
    Ok(Vec::new())
}

/// About how many bytes of memory are used where nobody says how many.
#[cfg(feature = "store")]
const MEMORY: usize = 512 << 20;
