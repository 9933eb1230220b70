//! The text of a move, without allocation.

use std::{fmt, ops::Deref};

/// A move in SAN, at most eight ASCII characters; reads as a `str`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SanText {
    bytes: [u8; 8],
    len: u8,
}

impl SanText {
    pub(super) const fn new() -> SanText {
        SanText {
            bytes: [0; 8],
            len: 0,
        }
    }

    /// Adds an ASCII character. The longest move, `Qa1xb2+`, leaves one place free.
    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        self.bytes[(self.len & 7) as usize] = byte;
        self.len += 1;
    }

    pub(super) fn push_all(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.push(byte));
    }

    /// The text.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("SAN is ASCII")
    }

    /// The text as bytes, all of them ASCII.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len).min(8)]
    }
}

impl Deref for SanText {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
