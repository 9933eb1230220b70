//! The members of a zip archive that has lost its directory, which stands at its end: each has a
//! header of its own before its content.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
};

use zip::CompressionMethod;

use super::{
    IoErrorKind,
    archive::{Member, RESOURCE_FORKS},
};

const MARK: [u8; 4] = *b"PK\x03\x04";

/// What comes behind the mark, before the name.
const HEADER: usize = 26;

/// Bits of the flags: the member is encrypted; its lengths stand behind it.
const ENCRYPTED: u16 = 1;
const LENGTHS_BEHIND: u16 = 1 << 3;

/// The field of lengths that 32 bits cannot hold.
const WIDE: u16 = 1;

/// What stands before the content of a member.
struct Header {
    head: [u8; HEADER],
    name: Vec<u8>,
    extra: Vec<u8>,
}

/// Finds the members from the beginning on, up to the first that cannot be told from the next.
pub(super) fn members(file: &File) -> Result<Vec<Member>, IoErrorKind> {
    let length = file.metadata().map_err(IoErrorKind::Read)?.len();
    let mut input = BufReader::new(file);
    let mut members = Vec::new();
    let mut at = 0;
    while at < length {
        input.seek(SeekFrom::Start(at)).map_err(IoErrorKind::Read)?;
        let Some(header) = header(&mut input).map_err(IoErrorKind::Read)? else {
            break;
        };
        let name = &header.name;
        let is_nothing = name.ends_with(b"/") || name.starts_with(RESOURCE_FORKS.as_bytes());
        let member = member(&header, at)?;
        let next = member.start.saturating_add(member.packed);
        let is_last = member.sum.is_none();
        if !is_nothing {
            members.push(member);
        }
        if is_last {
            break;
        }
        at = next;
    }
    if let Some(last) = members.last_mut()
        && last.sum.is_none()
    {
        last.packed = length.saturating_sub(last.start);
    }
    Ok(members)
}

/// The next header with its name and its fields, if there is all of one.
fn header(input: &mut impl Read) -> io::Result<Option<Header>> {
    let mut take = |count: usize| -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::with_capacity(count);
        input.by_ref().take(count as u64).read_to_end(&mut bytes)?;
        Ok((bytes.len() == count).then_some(bytes))
    };
    let Some(bytes) = take(MARK.len() + HEADER)? else {
        return Ok(None);
    };
    let (Some(head), true) = (bytes.last_chunk(), bytes.starts_with(&MARK)) else {
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

fn member(header: &Header, at: u64) -> Result<Member, IoErrorKind> {
    let Header { head, name, extra } = header;
    let name = String::from_utf8_lossy(name).into_owned();
    let flags = u16_at(head, 2);
    if flags & ENCRYPTED != 0 {
        return Err(IoErrorKind::Encrypted { member: name });
    }
    let method = match u16_at(head, 4) {
        0 => CompressionMethod::STORE,
        8 => CompressionMethod::DEFLATE,
        9 => CompressionMethod::DEFLATE64,
        12 => CompressionMethod::BZIP2,
        93 => CompressionMethod::ZSTD,
        95 => CompressionMethod::XZ,
        other => {
            return Err(IoErrorKind::UnknownMethod {
                member: name,
                method: format!("method {other}"),
            });
        }
    };
    let (mut packed, mut size) = (u32_at(head, 14).into(), u32_at(head, 18).into());
    if packed == u64::from(u32::MAX) || size == u64::from(u32::MAX) {
        (size, packed) = wide_lengths(extra).unwrap_or((size, packed));
    }
    // What is packed in another way shows where it ends.
    let lengths_behind = flags & LENGTHS_BEHIND != 0 && method != CompressionMethod::STORE;
    let behind = usize::from(u16_at(head, 22)) + usize::from(u16_at(head, 24));
    Ok(Member {
        name,
        method,
        start: at + (MARK.len() + HEADER + behind) as u64,
        packed,
        sum: (!lengths_behind).then_some((size, u32_at(head, 10))),
    })
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

    use flate2::{Compression, write::DeflateEncoder};

    use crate::io::{Input, IoError};

    use super::*;

    /// A member as a program writes it that cannot go back.
    fn streamed(name: &str, text: &str) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        let mut head = [0; HEADER];
        head[2] = LENGTHS_BEHIND as u8;
        head[4] = 8;
        head[22] = name.len() as u8;
        bytes.extend(head);
        bytes.extend(name.bytes());
        let mut encoder = DeflateEncoder::new(bytes, Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
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
        let kind = IoError::find(&error).map(IoError::kind);
        assert!(
            matches!(kind, Some(IoErrorKind::DamagedMember { .. })),
            "{error}"
        );
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
