//! Who waits for an answer.

use std::{fmt, ops::ControlFlow};

use tabiya_game::{Error, ErrorKind};

/// Hears how far a long answer has come, and may end it.
///
/// ```
/// use std::{ops::ControlFlow, sync::atomic::{AtomicU64, Ordering}};
/// use tabiya_store::{How, Store, Watch};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.tabiya");
/// # let mut importer = Store::import(&path)?;
/// # importer.add(&Default::default())?;
/// # importer.finish()?;
/// let looked_at = AtomicU64::new(0);
/// let hear = |entries| {
///     looked_at.fetch_add(entries, Ordering::Relaxed);
///     ControlFlow::Continue(())
/// };
/// let how = How { watch: Watch::new(&hear), ..How::default() };
/// Store::open(&path)?.search(&"check".parse()?, &how)?;
/// assert_eq!(looked_at.into_inner(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Watch<'a>(&'a (dyn Fn(u64) -> ControlFlow<()> + Sync + 'a));

impl<'a> Watch<'a> {
    /// Nobody.
    pub const NOBODY: Watch<'static> = Watch(&|_| ControlFlow::Continue(()));

    /// Somebody who is told, by any thread, how many more entries have been looked at. Whoever breaks
    /// wants no answer any more.
    #[must_use]
    pub fn new(hear: &'a (dyn Fn(u64) -> ControlFlow<()> + Sync + 'a)) -> Watch<'a> {
        Watch(hear)
    }

    /// So many more entries have been looked at.
    pub(crate) fn tell(self, entries: usize) -> Result<(), Error> {
        match (self.0)(entries as u64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::new(ErrorKind::Cancelled, "cancelled")),
        }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}
