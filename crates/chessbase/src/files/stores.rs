//! `.cbg` and `.cba`: the header of the files that hold moves and annotations.
//!
//! ```
//! use tabiya_chessbase::files::stores::StoreHeader;
//!
//! let mut header = StoreHeader::default();
//! header.set(1_000_000, 34);
//! let bytes = header.to_bytes();
//! assert_eq!(bytes.len(), 26);
//! assert_eq!(StoreHeader::from_bytes(&bytes), Some(header));
//! ```

use super::bytes::Fields;

/// The header of a file of moves or annotations. Numbers are big-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoreHeader {
    /// The length of the file; of a larger one the lower 32 bits.
    pub size: u32,
    /// Bytes of the file that are not used, because a game was shortened or moved.
    pub wasted: u32,
    /// The same two numbers with 64 bits. Files of old programs have a header of 10 bytes, which
    /// ends before them.
    pub wide: Option<(u64, u64)>,
}

impl Default for StoreHeader {
    /// That of a file that holds nothing else.
    fn default() -> StoreHeader {
        StoreHeader {
            size: StoreHeader::LONG as u32,
            wasted: 0,
            wide: Some((StoreHeader::LONG as u64, 0)),
        }
    }
}

impl StoreHeader {
    /// Bytes of the header.
    pub const LONG: usize = 26;
    /// Bytes of the header that old programs write.
    pub const SHORT: usize = 10;

    /// Reads the header of a file, `None` if it does not begin with one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<StoreHeader> {
        let header_size = usize::from(u16::from_be_bytes(*bytes.first_chunk()?));
        if !matches!(header_size, StoreHeader::SHORT | StoreHeader::LONG) {
            return None;
        }
        let mut fields = Fields::new(bytes.get(2..header_size)?);
        Some(StoreHeader {
            size: fields.u32_be(),
            wasted: fields.u32_be(),
            wide: (header_size == StoreHeader::LONG).then(|| (fields.u64_be(), fields.u64_be())),
        })
    }

    /// Writes the header.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(StoreHeader::LONG);
        bytes.extend((self.len() as u16).to_be_bytes());
        bytes.extend(self.size.to_be_bytes());
        bytes.extend(self.wasted.to_be_bytes());
        if let Some((size, wasted)) = self.wide {
            bytes.extend(size.to_be_bytes());
            bytes.extend(wasted.to_be_bytes());
        }
        bytes
    }

    /// How long the header is: where the first record stands in a file that was written at once.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a header is never empty")]
    pub const fn len(&self) -> usize {
        match self.wide {
            Some(_) => StoreHeader::LONG,
            None => StoreHeader::SHORT,
        }
    }

    /// Says how long the file is and how much of it is not used.
    pub fn set(&mut self, size: u64, wasted: u64) {
        (self.size, self.wasted) = (size as u32, wasted as u32);
        self.wide = self.wide.map(|_| (size, wasted));
    }
}

/// Where a record stands, by the offsets of `.cbh` and `.cbj` and the length of the file.
///
/// The 32 bits of `.cbh` are enough for files up to 4 GiB. They rule there, because `.cbj` may be
/// missing, short or left behind by a program that does not know it. In longer files they rule
/// where `.cbj` says nothing: its 0 is no place.
#[must_use]
pub fn place(short: u32, long: Option<u64>, file_size: u64) -> u64 {
    match long {
        Some(long @ 1..) if file_size > u64::from(u32::MAX) => long,
        _ => u64::from(short),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_headers_are_written_as_they_were_read() {
        let short: &[u8] = &[0, 10, 0, 0, 1, 7, 0, 0, 0, 3];
        let header = StoreHeader::from_bytes(short).unwrap();
        assert_eq!((header.size, header.wasted, header.wide), (263, 3, None));
        assert_eq!(header.to_bytes(), short);
        let long = StoreHeader::default().to_bytes();
        assert_eq!(long[..10], [0, 26, 0, 0, 0, 26, 0, 0, 0, 0]);
        assert_eq!(StoreHeader::from_bytes(&long[..25]), None);
        assert_eq!(StoreHeader::from_bytes(&[0, 11, 0, 0]), None);
    }

    #[test]
    fn long_offsets_rule_in_long_files_only() {
        assert_eq!(place(26, Some(99), 1 << 20), 26);
        assert_eq!(place(26, Some(5 << 32), 6 << 32), 5 << 32);
        assert_eq!(place(26, None, 6 << 32), 26);
        assert_eq!(place(26, Some(0), 6 << 32), 26, "a short .cbj");
    }
}
