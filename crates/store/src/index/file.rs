//! The file of an index.
//!
//! ```text
//! facts        eight bytes for each row
//! rest         rows of games that are not in the index: LEB128, each as the difference to the one before
//! shards       one behind the other, each with the positions whose keys begin with its number
//! directory    where each shard begins, and where the last one ends: eight bytes each
//! checksums    the CRC-32 of each page of 64 KiB of all that is before
//! foot         32 bytes
//! ```
//!
//! Checksums and foot have a checksum of their own, which is in the manifest.

use std::{
    io::{self, Write},
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

use bytes::Bytes;

use super::facts::Facts;
use crate::number;

/// How many bytes have a checksum together.
const PAGE: usize = 1 << 16;

/// How the foot begins.
const MARK: [u8; 8] = *b"tabiyaI1";

/// How many bytes the foot has.
const FOOT: usize = 32;

/// What the foot says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Foot {
    pub rows: u32,
    /// How many bits of a key count.
    pub key_bits: u8,
    /// There are 2 to the power of this shards.
    pub shard_bits: u8,
    /// A table knows the row of a game without so many of its lowest bits.
    pub group_bits: u8,
    /// How many bytes tell which rows are not in the index.
    pub rest: u32,
}

impl Foot {
    /// How many bits a row has.
    pub fn row_bits(&self) -> u32 {
        (u32::BITS - self.rows.saturating_sub(1).leading_zeros()).max(1)
    }

    /// How many bits a table has for the row of a game.
    pub fn value_bits(&self) -> u32 {
        self.row_bits()
            .saturating_sub(self.group_bits.into())
            .max(1)
    }

    /// The number that a key is in this index.
    pub fn narrow(&self, key: u64) -> u64 {
        key & (u64::MAX << (64 - u32::from(self.key_bits)))
    }

    /// The shard of a key, and the bits of the key that it does not say.
    pub fn shard_of(&self, key: u64) -> (usize, u64) {
        let bits = u32::from(self.shard_bits);
        let shard = key.checked_shr(64 - bits).unwrap_or(0);
        (shard as usize, key << bits)
    }

    fn to_bytes(self) -> [u8; FOOT] {
        let mut bytes = [0; FOOT];
        bytes[..8].copy_from_slice(&MARK);
        bytes[8..12].copy_from_slice(&self.rows.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.rest.to_le_bytes());
        bytes[16..19].copy_from_slice(&[self.key_bits, self.shard_bits, self.group_bits]);
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Foot> {
        let bytes: &[u8; FOOT] = bytes.try_into().ok()?;
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
        let foot = Foot {
            rows: number(8),
            rest: number(12),
            key_bits: bytes[16],
            shard_bits: bytes[17],
            group_bits: bytes[18],
        };
        let is_sound = bytes[..8] == MARK
            && (1..=64).contains(&foot.key_bits)
            && foot.shard_bits <= 24
            && foot.group_bits <= 16
            && foot.to_bytes() == *bytes;
        is_sound.then_some(foot)
    }
}

/// What is wrong with an index: it is not asked then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is not as it was written")]
pub(crate) struct Damaged;

/// Writes the pages of a file and sums them up.
pub(super) struct PageWriter<W> {
    out: W,
    page: Vec<u8>,
    sums: Vec<u8>,
    bytes: u64,
}

impl<W: Write> PageWriter<W> {
    pub fn new(out: W) -> PageWriter<W> {
        PageWriter {
            out,
            page: Vec::with_capacity(PAGE),
            sums: Vec::new(),
            bytes: 0,
        }
    }

    /// How many bytes have been written.
    pub fn len(&self) -> u64 {
        self.bytes
    }

    pub fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        while !bytes.is_empty() {
            let (some, rest) = bytes.split_at(bytes.len().min(PAGE - self.page.len()));
            self.page.extend_from_slice(some);
            bytes = rest;
            if self.page.len() == PAGE {
                self.end_page()?;
            }
        }
        Ok(())
    }

    fn end_page(&mut self) -> io::Result<()> {
        self.sums
            .extend_from_slice(&crc32fast::hash(&self.page).to_le_bytes());
        self.out.write_all(&self.page)?;
        self.page.clear();
        Ok(())
    }

    /// Ends the file: how many bytes it has, and the checksum of its checksums.
    pub fn finish(mut self, foot: Foot) -> io::Result<(u64, u32)> {
        if !self.page.is_empty() {
            self.end_page()?;
        }
        self.sums.extend_from_slice(&foot.to_bytes());
        self.out.write_all(&self.sums)?;
        Ok((
            self.bytes + self.sums.len() as u64,
            crc32fast::hash(&self.sums),
        ))
    }
}

/// The file of an index that is read. Each page is checked when it is first looked at.
pub(super) struct File {
    bytes: Bytes,
    pub foot: Foot,
    /// Where the checksums begin.
    end: usize,
    checked: Vec<AtomicBool>,
}

impl File {
    /// Opens a file whose checksums have this checksum.
    pub fn open(bytes: Bytes, crc: u32) -> Option<File> {
        let (end, pages) = pages(bytes.len())?;
        let foot = Foot::from_bytes(&bytes[bytes.len() - FOOT..])?;
        let is_sound = crc32fast::hash(&bytes[end..]) == crc && end.div_ceil(PAGE) == pages;
        let file = File {
            checked: (0..pages).map(|_| AtomicBool::new(false)).collect(),
            bytes,
            foot,
            end,
        };
        (is_sound && file.directory_at().is_some()).then_some(file)
    }

    /// Some bytes, checked.
    #[inline]
    pub fn get(&self, range: Range<usize>) -> Result<&[u8], Damaged> {
        if range.start > range.end || range.end > self.end {
            return Err(Damaged);
        }
        if !range.is_empty() {
            for page in range.start / PAGE..=(range.end - 1) / PAGE {
                if !self.checked[page].load(Ordering::Relaxed) {
                    self.check(page)?;
                }
            }
        }
        Ok(&self.bytes[range])
    }

    #[cold]
    fn check(&self, page: usize) -> Result<(), Damaged> {
        let start = page * PAGE;
        let sum = &self.bytes[self.end + 4 * page..][..4];
        let crc = crc32fast::hash(&self.bytes[start..self.end.min(start + PAGE)]);
        if crc.to_le_bytes() != sum {
            return Err(Damaged);
        }
        self.checked[page].store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether all of it is as it was written.
    pub fn check_all(&self) -> Result<(), Damaged> {
        self.get(0..self.end).map(drop)
    }

    /// The facts of all rows, eight bytes each.
    pub fn facts(&self) -> Result<&[u8], Damaged> {
        self.get(0..self.foot.rows as usize * 8)
    }

    /// The rows of games that are not in the index.
    pub fn rest(&self) -> Result<Vec<u32>, Damaged> {
        let start = self.foot.rows as usize * 8;
        let mut bytes = self.get(start..start + self.foot.rest as usize)?;
        let mut rows = Vec::new();
        let mut last = 0u64;
        while !bytes.is_empty() {
            let difference = number::take(&mut bytes).ok_or(Damaged)?;
            last = last.checked_add(difference).ok_or(Damaged)?;
            let row = u32::try_from(last).ok().filter(|row| *row < self.foot.rows);
            rows.push(row.ok_or(Damaged)?);
        }
        Ok(rows)
    }

    /// Where a shard is.
    pub fn shard(&self, shard: usize) -> Result<Range<usize>, Damaged> {
        let at = self.directory_at().ok_or(Damaged)? + 8 * shard;
        let bytes = self.get(at..at + 16)?;
        let number = |at: usize| {
            let bytes = bytes[at..at + 8].try_into().expect("eight");
            usize::try_from(u64::from_le_bytes(bytes)).map_err(|_| Damaged)
        };
        Ok(number(0)?..number(8)?)
    }

    fn directory_at(&self) -> Option<usize> {
        self.end.checked_sub(8 * ((1 << self.foot.shard_bits) + 1))
    }
}

/// Where the checksums of a file of so many bytes begin, and how many they are.
fn pages(len: usize) -> Option<(usize, usize)> {
    let foot_at = len.checked_sub(FOOT)?;
    // Each page has its four bytes behind it.
    let pages = foot_at.div_ceil(PAGE + 4);
    Some((foot_at.checked_sub(4 * pages)?, pages))
}

/// Gives bytes the checksums that they should have; the checksum of those.
#[cfg(test)]
pub(super) fn seal(bytes: &mut [u8]) -> Option<u32> {
    let (end, _) = pages(bytes.len())?;
    let (body, sums) = bytes.split_at_mut(end);
    for (page, sum) in body.chunks(PAGE).zip(sums.chunks_mut(4)) {
        sum.copy_from_slice(&crc32fast::hash(page).to_le_bytes());
    }
    Some(crc32fast::hash(sums))
}

/// The facts of a row, of [`File::facts`].
#[inline]
pub(super) fn facts_of(facts: &[u8], row: u32) -> Option<Facts> {
    let at = row as usize * 8;
    let bytes = facts.get(at..at + 8)?;
    Some(Facts(u64::from_le_bytes(bytes.try_into().expect("eight"))))
}
