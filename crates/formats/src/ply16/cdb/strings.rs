//! The values of tags: lines that are known by their numbers.

use memchr::memchr_iter;

/// Where each string of a file stands. The bytes are those from the first string on.
#[derive(Debug, Default)]
pub(super) struct Strings {
    /// Where each ends, its line break not counted.
    ends: Vec<usize>,
}

impl Strings {
    /// Finds so many strings; fewer if the file ends early.
    pub(super) fn find(bytes: &[u8], count: u32) -> Strings {
        let ends = memchr_iter(b'\n', bytes).take(count as usize).collect();
        Strings { ends }
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        // No more than were asked for.
        self.ends.len() as u32
    }

    /// Where a string stands.
    pub(super) fn range(&self, id: u32) -> Option<std::ops::Range<usize>> {
        let end = *self.ends.get(id as usize)?;
        let start = match id.checked_sub(1) {
            Some(before) => self.ends[before as usize] + 1,
            None => 0,
        };
        Some(start..end)
    }

    /// Where the last ends, its line break included.
    pub(super) fn end(&self) -> usize {
        self.ends.last().map_or(0, |end| end + 1)
    }
}
