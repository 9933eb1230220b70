//! Counting entries so that nothing goes missing.

use std::ops::AddAssign;

/// What became of the entries of an input. `read` is the sum of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Entries found in the input.
    pub read: u64,
    /// Entries handed to the output.
    pub written: u64,
    /// Entries the output could not take at all.
    pub refused: u64,
    /// Entries that the user did not ask for.
    pub filtered: u64,
    /// Entries marked as deleted in the input.
    pub deleted: u64,
}

impl Counts {
    /// Law 7: whether every entry that was read is accounted for.
    #[must_use]
    pub fn add_up(&self) -> bool {
        self.read == self.written + self.refused + self.filtered + self.deleted
    }
}

impl Counts {
    /// More entries have been read; those of them that became nothing else were not asked for.
    pub fn read_on(&mut self, more: u64) {
        self.read += more;
        self.filtered = self.read - self.written - self.refused - self.deleted;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Counts) {
        self.read += more.read;
        self.written += more.written;
        self.refused += more.refused;
        self.filtered += more.filtered;
        self.deleted += more.deleted;
    }
}
