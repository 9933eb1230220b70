//! The text of a move, without allocation.

use std::{fmt, ops::Deref};

/// A move in SAN, at most eight ASCII characters; reads as a `str`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SanText {
    bytes: [u8; 8],
    len: u8,
}

/// A text that is being written, in a register: to store it byte by byte and read it as a whole
/// would be slower than all that is written.
pub(super) struct Draft {
    /// The first character in the lowest byte.
    word: u64,
    bits: u32,
}

impl Draft {
    pub(super) const fn new() -> Draft {
        Draft { word: 0, bits: 0 }
    }

    /// Characters, the first in the lowest byte.
    #[inline]
    pub(super) const fn of(word: u64, bits: u32) -> Draft {
        Draft { word, bits }
    }

    /// Adds an ASCII character. The longest move, `Qa1xb2+`, leaves one place free.
    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        self.word |= u64::from(byte) << (self.bits & 63);
        self.bits += 8;
    }

    /// Adds two ASCII characters.
    #[inline]
    pub(super) fn push_pair(&mut self, pair: u16) {
        self.word |= u64::from(pair) << (self.bits & 63);
        self.bits += 16;
    }

    pub(super) fn push_all(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.push(byte));
    }

    #[inline]
    pub(super) fn finish(self) -> SanText {
        SanText {
            bytes: self.word.to_le_bytes(),
            len: (self.bits / 8) as u8,
        }
    }
}

impl SanText {
    /// The text.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("SAN is ASCII")
    }

    /// The text, filled up with zeros: eight bytes are copied in one go, fewer are not.
    #[inline]
    #[must_use]
    pub fn padded(&self) -> &[u8; 8] {
        &self.bytes
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
