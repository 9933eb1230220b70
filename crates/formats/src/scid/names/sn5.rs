//! The name file of version 5: one string after the other, each with its kind; new ones are put
//! behind the others.

use super::{KINDS, Names};
use crate::scid::{
    error::{Error, ErrorKind, File},
    info::Information,
};

/// The kind of strings that say something of the database.
const INFORMATION: u8 = 4;

/// Reads a name file that has to be whole.
#[cfg(test)]
pub(in crate::scid) fn read(bytes: &[u8]) -> Result<(Names, Information), Error> {
    match read_cut(bytes) {
        (_, _, Some(error)) => Err(error),
        (names, info, None) => Ok((names, info)),
    }
}

/// Reads a name file as far as it goes, and says what ends it before its end.
pub(in crate::scid) fn read_cut(bytes: &[u8]) -> (Names, Information, Option<Error>) {
    let (mut names, mut info) = Default::default();
    let error = read_strings(bytes, &mut names, &mut info).err();
    (names, info, error)
}

fn read_strings(bytes: &[u8], names: &mut Names, info: &mut Information) -> Result<(), Error> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let at = (bytes.len() - rest.len()) as u64;
        let torn = || ErrorKind::TornName.at(File::Names, at);
        let (head, behind) = varint(rest).ok_or_else(torn)?;
        let length = usize::try_from(head >> 3).map_err(|_| torn())?;
        let (text, behind) = behind.split_at_checked(length).ok_or_else(torn)?;
        match (head & 7) as u8 {
            INFORMATION => info.set_joined(text),
            kind if usize::from(kind) < KINDS => names.push(kind.into(), text),
            kind => return Err(ErrorKind::BadNameKind(kind).at(File::Names, at)),
        }
        rest = behind;
    }
    Ok(())
}

/// Seven bits a byte, the low ones first; the high bit says that more follow.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (index, byte) in bytes.iter().enumerate().take(9) {
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[index + 1..]));
        }
    }
    None
}

/// Adds a name.
pub(in crate::scid) fn put(kind: usize, name: &[u8], out: &mut Vec<u8>) {
    put_string(kind as u8, &[name], out);
}

/// Adds a text of the database.
pub(in crate::scid) fn put_text(key: &str, value: &[u8], out: &mut Vec<u8>) {
    put_string(INFORMATION, &[key.as_bytes(), value], out);
}

/// Adds all that a database says of itself, but for what is as in every new one.
pub(in crate::scid) fn put_information(info: &Information, out: &mut Vec<u8>) {
    let usual = Information::default();
    if info.kind != usual.kind {
        put_text("type", info.kind.to_string().as_bytes(), out);
    }
    if info.autoload != usual.autoload {
        put_text("autoload", info.autoload.to_string().as_bytes(), out);
    }
    for (key, value) in info.texts() {
        put_text(key, value, out);
    }
}

fn put_string(kind: u8, parts: &[&[u8]], out: &mut Vec<u8>) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut head = (length as u64) << 3 | u64::from(kind);
    while head >= 0x80 {
        out.push(head as u8 | 0x80);
        head >>= 7;
    }
    out.push(head as u8);
    for part in parts {
        out.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let long = vec![b'x'; 1_000];
        let mut bytes = Vec::new();
        let names: [(usize, &[u8]); 5] = [(1, b"E"), (0, b""), (0, &long), (3, b"1"), (0, b"")];
        for (kind, name) in names {
            put(kind, name, &mut bytes);
        }
        let info = Information {
            kind: 5,
            description: b"My base".to_vec(),
            ..Information::default()
        };
        put_information(&info, &mut bytes);
        let (read_names, read_info) = read(&bytes).unwrap();
        assert_eq!(read_info, info);
        let players: Vec<_> = read_names.of_kind(0).collect();
        assert_eq!(players, [&b""[..], &long, b""]);
        assert_eq!(read_names.get(3, 0), Some(&b"1"[..]));
        assert_eq!(read_names.get(3, 1), None);
    }

    #[test]
    fn torn_strings_and_unknown_kinds_are_refused() {
        let kind = |bytes: &[u8]| read(bytes).unwrap_err().kind;
        assert_eq!(kind(b"\x08"), ErrorKind::TornName);
        assert_eq!(kind(b"\x80"), ErrorKind::TornName);
        assert_eq!(
            kind(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
            ErrorKind::TornName
        );
        assert_eq!(kind(b"\x05"), ErrorKind::BadNameKind(5));
    }

    #[test]
    fn a_later_text_replaces_an_earlier_one() {
        let mut bytes = Vec::new();
        for (key, value) in [
            ("flag1", "Sharp"),
            ("flag1", "Dull"),
            ("new", "x"),
            ("autoload", "3"),
        ] {
            put_text(key, value.as_bytes(), &mut bytes);
        }
        let (_, info) = read(&bytes).unwrap();
        assert_eq!((&*info.flags[0], info.autoload), (&b"Dull"[..], 3));
    }
}
