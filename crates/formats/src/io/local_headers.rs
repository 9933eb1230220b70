//! The members of a zip archive that has lost its directory, which stands at its end: each has a
//! header of its own before its content.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
};

use flate2::bufread::DeflateDecoder;
use zip::CompressionMethod;

use super::{
    IoErrorKind,
    archive::{Listing, Member, RESOURCE_FORKS},
};

const MARK: [u8; 4] = *b"PK\x03\x04";

/// What may stand before the checksum behind a member.
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";

/// What comes behind the mark, before the name.
const HEADER: usize = 26;

/// Bits of the flags: the member is encrypted; its lengths stand behind it.
const ENCRYPTED: u16 = 1;
const LENGTHS_BEHIND: u16 = 1 << 3;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// The field of lengths that 32 bits cannot hold.
const WIDE: u16 = 1;

/// What stands before the content of a member.
struct Header {
    head: [u8; HEADER],
    name: Vec<u8>,
    extra: Vec<u8>,
}

/// Where the content of a member ends.
struct Extent {
    end: u64,
    /// Length and checksum of what is unpacked, where they are known.
    sum: Option<(u64, u32)>,
}

/// Finds the members from the beginning on, and passes over those that cannot be read. Whatever it
/// meets, it goes forward.
pub(super) fn members(file: &File) -> io::Result<Listing> {
    let mut input = BufReader::new(file);
    let mut listing = Listing::default();
    let mut at = 0;
    while let Some(start) = behind_mark(&mut input, at)? {
        let Some(header) = header(&mut input)? else {
            at = start;
            continue;
        };
        let start = start + header.len();
        let Extent { end, sum } = header.extent(&mut input, start)?;
        at = end;
        if header.is_nothing() {
            continue;
        }
        match header.method() {
            Ok(method) => listing.members.push(Member {
                name: header.name(),
                method,
                start,
                packed: end - start,
                sum,
            }),
            Err(kind) => listing.passed.push(kind),
        }
    }
    Ok(listing)
}

/// The place behind the next mark, where the input stands then.
fn behind_mark(input: &mut BufReader<&File>, from: u64) -> io::Result<Option<u64>> {
    input.seek(SeekFrom::Start(from))?;
    let mut last = [0; MARK.len()];
    for (at, byte) in (from + 1..).zip(input.by_ref().bytes()) {
        last.rotate_left(1);
        last[MARK.len() - 1] = byte?;
        if last == MARK {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Where a member ends that does not tell: before the next one, or with the file.
fn before_mark(input: &mut BufReader<&File>, from: u64) -> io::Result<u64> {
    Ok(match behind_mark(input, from)? {
        Some(behind) => behind - MARK.len() as u64,
        None => input.get_ref().metadata()?.len().max(from),
    })
}

/// The rest of a header with its name and its fields, if there is all of one.
fn header(input: &mut impl Read) -> io::Result<Option<Header>> {
    let mut take = |count: usize| -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::with_capacity(count);
        input.by_ref().take(count as u64).read_to_end(&mut bytes)?;
        Ok((bytes.len() == count).then_some(bytes))
    };
    let Some(bytes) = take(HEADER)? else {
        return Ok(None);
    };
    let Some(head) = bytes.first_chunk() else {
        return Ok(None);
    };
    let (Some(name), Some(extra)) = (
        take(u16_at(head, 22).into())?,
        take(u16_at(head, 24).into())?,
    ) else {
        return Ok(None);
    };
    Ok(Some(Header {
        head: *head,
        name,
        extra,
    }))
}

impl Header {
    /// How many bytes there are of it behind the mark.
    fn len(&self) -> u64 {
        (HEADER + self.name.len() + self.extra.len()) as u64
    }

    fn name(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }

    /// Whether it is a folder, or what nobody wrote.
    fn is_nothing(&self) -> bool {
        self.name.ends_with(b"/") || self.name.starts_with(RESOURCE_FORKS.as_bytes())
    }

    fn has(&self, flag: u16) -> bool {
        u16_at(&self.head, 2) & flag != 0
    }

    fn number_of_method(&self) -> u16 {
        u16_at(&self.head, 4)
    }

    /// Length and packed length, if they are here.
    fn lengths(&self) -> Option<(u64, u64)> {
        let (packed, size) = (u32_at(&self.head, 14), u32_at(&self.head, 18));
        let narrow = (size.into(), packed.into());
        let (size, packed) = match packed == u32::MAX || size == u32::MAX {
            true => wide_lengths(&self.extra).unwrap_or(narrow),
            false => narrow,
        };
        let is_left_out = packed == 0 || packed == u64::from(u32::MAX);
        (!(self.has(LENGTHS_BEHIND) && is_left_out)).then_some((size, packed))
    }

    /// How it is packed.
    fn method(&self) -> Result<CompressionMethod, IoErrorKind> {
        let member = self.name();
        if self.has(ENCRYPTED) {
            return Err(IoErrorKind::Encrypted { member });
        }
        Ok(match self.number_of_method() {
            // Nothing in it shows where it ends.
            STORED if self.lengths().is_none() => {
                let reason = "only the directory knew its length".to_owned();
                return Err(IoErrorKind::DamagedMember { member, reason });
            }
            STORED => CompressionMethod::STORE,
            DEFLATED => CompressionMethod::DEFLATE,
            9 => CompressionMethod::DEFLATE64,
            12 => CompressionMethod::BZIP2,
            93 => CompressionMethod::ZSTD,
            95 => CompressionMethod::XZ,
            other => {
                let method = format!("method {other}");
                return Err(IoErrorKind::UnknownMethod { member, method });
            }
        })
    }

    /// Where the content ends that begins at a place.
    fn extent(&self, input: &mut BufReader<&File>, start: u64) -> io::Result<Extent> {
        if let Some((size, packed)) = self.lengths() {
            return Ok(Extent {
                end: start.saturating_add(packed),
                sum: Some((size, u32_at(&self.head, 10))),
            });
        }
        if self.number_of_method() == DEFLATED && !self.has(ENCRYPTED) {
            return deflated(input, start);
        }
        Ok(Extent {
            end: before_mark(input, start)?,
            sum: None,
        })
    }
}

/// Where a stream of deflate ends, which shows when it is unpacked; its checksum stands behind it.
/// Whoever breaks off is looked for behind the place where that shows: nothing is unpacked twice.
fn deflated(input: &mut BufReader<&File>, start: u64) -> io::Result<Extent> {
    input.seek(SeekFrom::Start(start))?;
    let mut decoder = DeflateDecoder::new(&mut *input);
    let unpacked = io::copy(&mut decoder, &mut io::sink());
    let end = start + decoder.total_in();
    let Ok(size) = unpacked else {
        let end = before_mark(input, end)?;
        return Ok(Extent { end, sum: None });
    };
    input.seek(SeekFrom::Start(end))?;
    let mut behind = Vec::new();
    input.by_ref().take(8).read_to_end(&mut behind)?;
    let sum = match behind.strip_prefix(&DESCRIPTOR) {
        Some(sum) => sum,
        None => &behind,
    };
    let sum = sum.first_chunk().filter(|sum| **sum != MARK);
    let sum = sum.map(|sum| (size, u32::from_le_bytes(*sum)));
    Ok(Extent { end, sum })
}

/// Length and packed length, where they have 64 bits each.
fn wide_lengths(mut extra: &[u8]) -> Option<(u64, u64)> {
    loop {
        let (head, rest) = extra.split_first_chunk::<4>()?;
        let (field, behind) = rest.split_at_checked(u16_at(head, 2).into())?;
        if u16_at(head, 0) == WIDE {
            let number = |at: usize| Some(u64::from_le_bytes(*field.get(at..)?.first_chunk()?));
            return Some((number(0)?, number(8)?));
        }
        extra = behind;
    }
}

/// A number at a place that is there.
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, Crc, write::DeflateEncoder};

    use crate::io::{Input, IoError};

    use super::*;

    /// A header of a member whose lengths stand behind it.
    fn opening(name: &str, method: u16) -> Vec<u8> {
        let mut head = [0; HEADER];
        head[2] = LENGTHS_BEHIND as u8;
        head[4] = method as u8;
        head[22] = name.len() as u8;
        [&MARK, &head[..], name.as_bytes()].concat()
    }

    /// A member as a program writes it that cannot go back.
    fn streamed(name: &str, text: &str) -> Vec<u8> {
        let bytes = opening(name, DEFLATED);
        let mut encoder = DeflateEncoder::new(bytes, Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    /// The same with its checksum behind it.
    fn summed(name: &str, text: &str) -> Vec<u8> {
        let mut crc = Crc::new();
        crc.update(text.as_bytes());
        let lengths = [0; 8];
        let sum = crc.sum().to_le_bytes();
        [&streamed(name, text), &DESCRIPTOR[..], &sum, &lengths].concat()
    }

    /// What is read of a file that is cut off, and the error behind it.
    fn read(bytes: &[u8]) -> (String, io::Error) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let mut text = Vec::new();
        let mut input = Input::open_cut(file.path()).unwrap();
        let error = input.read_to_end(&mut text).unwrap_err();
        (String::from_utf8(text).unwrap(), error)
    }

    #[test]
    fn a_member_whose_length_stands_behind_it_is_read_to_its_end() {
        let bytes = streamed("a.pgn", "1. e4 *");
        let (text, error) = read(&bytes);
        assert_eq!(text, "1. e4 *");
        let kind = IoError::find(&error).map(IoError::kind);
        assert!(
            matches!(kind, Some(IoErrorKind::NoDirectory { .. })),
            "{error}"
        );
        let (_, error) = read(&bytes[..bytes.len() - 2]);
        assert!(
            matches!(
                kinds(&error),
                [
                    IoErrorKind::DamagedMember { .. },
                    IoErrorKind::NoDirectory { .. }
                ]
            ),
            "{error}"
        );
    }

    fn kinds(error: &io::Error) -> &[IoErrorKind] {
        match IoError::find(error).map(IoError::kind) {
            Some(IoErrorKind::Several(kinds)) => kinds,
            _ => &[],
        }
    }

    #[test]
    fn members_whose_lengths_stand_behind_them_are_all_read() {
        let names = ["a.pgn", "b.pgn", "c.pgn"];
        let whole = names.map(|name| summed(name, name)).concat();
        let (text, error) = read(&whole);
        assert_eq!(text, "a.pgn\nb.pgn\nc.pgn");
        assert!(kinds(&error).is_empty(), "{error}");
        // A checksum that is wrong is seen.
        let mut changed = whole;
        let at = summed("a.pgn", "a.pgn").len() - 9;
        changed[at] ^= 1;
        let (text, error) = read(&changed);
        assert_eq!(text, "a.pgn\nb.pgn\nc.pgn");
        assert_eq!(kinds(&error).len(), 2, "{error}");
        assert!(error.to_string().contains("a.pgn in the zip"), "{error}");
    }

    #[test]
    fn a_member_that_cannot_be_read_is_named_and_the_others_are_read() {
        let mut encrypted = summed("bad.pgn", "secret");
        encrypted[MARK.len() + 2] |= ENCRYPTED as u8;
        let unknown = [opening("bad.pgn", 77), b"????".to_vec()].concat();
        let stored = [opening("bad.pgn", STORED), b"1. e4 *".to_vec()].concat();
        let broken = [opening("bad.pgn", DEFLATED), vec![0xff; 9]].concat();
        for (bad, word) in [
            (encrypted, "is encrypted"),
            (unknown, "method 77"),
            (stored, "only the directory knew its length"),
            (broken, "is damaged"),
        ] {
            let (a, b) = (summed("a.pgn", "a"), summed("b.pgn", "b"));
            for parts in [[&bad, &a, &b], [&a, &bad, &b], [&a, &b, &bad]] {
                let (text, error) = read(&parts.map(Vec::as_slice).concat());
                let words: Vec<&str> = text.split_whitespace().collect();
                assert_eq!(words, ["a", "b"], "{word}");
                let error = error.to_string();
                assert!(error.contains("bad.pgn") && error.contains(word), "{error}");
            }
        }
    }

    #[test]
    fn what_nobody_wrote_is_passed_over_however_it_is_packed() {
        let folder = [opening("games/", 77), b"????".to_vec()].concat();
        let mut fork = summed("__MACOSX/._a.pgn", "?");
        fork[MARK.len() + 2] |= ENCRYPTED as u8;
        let (text, error) = read(&[folder, fork, summed("a.pgn", "a")].concat());
        assert_eq!(text, "a");
        assert!(kinds(&error).is_empty(), "{error}");
    }

    #[test]
    fn any_bytes_behind_the_mark_are_looked_at_without_harm() {
        let whole = streamed("__MACOSX/a.pgn", "1. e4 *");
        assert_eq!(read(&whole).0, "");
        for end in MARK.len()..whole.len() {
            read(&whole[..end]);
        }
        for value in [0, 0xff] {
            for at in MARK.len()..MARK.len() + HEADER {
                let mut changed = whole.clone();
                changed[at] = value;
                let file = tempfile::NamedTempFile::new().unwrap();
                std::fs::write(file.path(), &changed).unwrap();
                // Some are refused as encrypted, or packed in an unknown way.
                if let Ok(mut input) = Input::open_cut(file.path()) {
                    let _ = input.read_to_end(&mut Vec::new());
                }
            }
        }
    }
}
