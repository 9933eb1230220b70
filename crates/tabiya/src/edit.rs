//! Games that are changed where they are.

use std::path::Path;

use crate::{Error, ErrorKind, GameTree, Open, Result};

/// Changes games of a database of tabiya's own where they are, all or none: `edit` hears each that
/// is not deleted, with its number, and says whether it has changed it. How many it has changed is
/// returned.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.tabiya");
/// # let mut games = tabiya::create(&path)?;
/// # games.add(&tabiya::GameTree::default())?;
/// # games.finish()?;
/// let changed = tabiya::edit(&path, |_, game| {
///     game.tags.set("Event", "Club evening");
///     true
/// })?;
/// assert_eq!(changed, 1);
/// assert_eq!(tabiya::open(&path)?.get(1)?.tags.event(), Some("Club evening"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it is of another format, or somebody else is writing; it is then as it was.
pub fn edit(path: impl AsRef<Path>, edit: impl FnMut(u64, &mut GameTree) -> bool) -> Result<u64> {
    Open::new().edit(path, edit)
}

impl Open {
    /// The same as [`edit`](crate::edit), where deleted games may be heard, too.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut games = tabiya::create(&path)?;
    /// # games.add(&tabiya::GameTree::default())?;
    /// # games.finish()?;
    /// # tabiya::store::Store::open(&path)?.mark(&[1], true)?;
    /// let set = |_: u64, game: &mut tabiya::GameTree| {
    ///     game.tags.set("Event", "Club evening");
    ///     true
    /// };
    /// assert_eq!(tabiya::edit(&path, set)?, 0);
    /// assert_eq!(tabiya::Open::new().deleted(true).edit(&path, set)?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it is of another format, or somebody else is writing; it is then as it was.
    #[cfg_attr(not(feature = "store"), expect(unused_variables))]
    pub fn edit(
        self,
        path: impl AsRef<Path>,
        edit: impl FnMut(u64, &mut GameTree) -> bool,
    ) -> Result<u64> {
        let path = path.as_ref();
        #[cfg(feature = "store")]
        let deleted = self.reads_deleted();
        let format = self.open(path)?.format();
        #[cfg(feature = "store")]
        if format.format.name == tabiya_store::FORMAT.name {
            let store = tabiya_store::Store::open(path)?;
            return match deleted {
                true => store.edit_with_deleted(edit),
                false => store.edit(edit),
            };
        }
        let name = path.display();
        let words =
            format!("{name} is {format}, and only a database of tabiya's own is changed in place");
        Err(Error::new(ErrorKind::Unsupported, words))
    }
}
