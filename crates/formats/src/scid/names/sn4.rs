//! The name file of version 4: four sorted lists, each name without what it shares with the one
//! before.

use std::cmp::Ordering;

use super::{KIND_OF, KINDS, Names};
use crate::scid::{
    error::{Error, ErrorKind, File},
    index::Entry,
};

pub(in crate::scid) const MAGIC: [u8; 8] = *b"Scid.sn\0";

const HEADER: usize = 36;

/// The longest name.
pub(in crate::scid) const LONGEST: usize = 255;

/// How often names are used: how often each is, by its number, and how often the most used of a
/// kind is, as the header has it. Older files have more there than is true; the width of the
/// frequencies follows what the header says.
#[derive(Clone, Debug, Default)]
pub(in crate::scid) struct Uses {
    pub each: [Vec<u32>; KINDS],
    pub highest: [u32; KINDS],
}

impl Uses {
    /// Counts the names of a game.
    pub(in crate::scid) fn count_all(&mut self, entry: &Entry) {
        for (kind, id) in KIND_OF.into_iter().zip(entry.names) {
            self.count(kind, id as usize);
        }
    }

    fn count(&mut self, kind: usize, id: usize) {
        let each = &mut self.each[kind];
        if each.len() <= id {
            each.resize(id + 1, 0);
        }
        each[id] += 1;
    }

    /// All has been counted: names that are not used are not, and those that are not there do not
    /// count.
    pub(in crate::scid) fn fit(&mut self, names: &Names) {
        for (kind, each) in self.each.iter_mut().enumerate() {
            each.resize(names.count(kind), 0);
            self.highest[kind] = each.iter().copied().max().unwrap_or(0);
        }
    }
}

/// Reads a name file that has to be whole.
#[cfg(test)]
pub(in crate::scid) fn read(bytes: &[u8]) -> Result<(Names, Uses), Error> {
    match read_cut(bytes) {
        (_, _, Some(error)) => Err(error),
        (names, uses, None) => Ok((names, uses)),
    }
}

/// Reads a name file as far as it goes, and says what ends it before its end.
pub(in crate::scid) fn read_cut(bytes: &[u8]) -> (Names, Uses, Option<Error>) {
    let mut names = Names::default();
    let mut uses = Uses::default();
    if !bytes.starts_with(&MAGIC) || bytes.len() < HEADER {
        let error = ErrorKind::BadMagic(File::Names).at(File::Names, 0);
        return (names, uses, Some(error));
    }
    let three = |at: usize| {
        let bytes = bytes[at..at + 3].iter();
        bytes.fold(0, |number, byte| number << 8 | u32::from(*byte))
    };
    let mut reader = Reader { bytes, at: HEADER };
    for kind in 0..KINDS {
        let (count, highest) = (three(12 + 3 * kind), three(24 + 3 * kind));
        uses.highest[kind] = highest;
        if let Err(error) = reader.list(kind, count, highest, &mut names, &mut uses) {
            return (names, uses, Some(error));
        }
    }
    (names, uses, None)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn number(&mut self, count: usize) -> Result<u32, Error> {
        let bytes = self.take(count)?.iter();
        Ok(bytes.fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    fn take(&mut self, count: usize) -> Result<&[u8], Error> {
        let rest = &self.bytes[self.at..];
        let Some(bytes) = rest.get(..count) else {
            return Err(ErrorKind::TornName.at(File::Names, self.at as u64));
        };
        self.at += count;
        Ok(bytes)
    }

    fn list(
        &mut self,
        kind: usize,
        count: u32,
        highest: u32,
        names: &mut Names,
        uses: &mut Uses,
    ) -> Result<(), Error> {
        let id_width = id_width(count);
        let use_width = use_width(highest);
        // What a header says beyond what the file has room for takes no memory.
        let held = self.bytes.len().min(count as usize);
        names.places[kind] = vec![(usize::MAX, 0); held];
        uses.each[kind] = vec![0; held];
        // Where the name before begins and ends.
        let (mut before, mut before_end) = (0, 0);
        for index in 0..count {
            let at = self.at as u64;
            let id = self.number(id_width)?;
            let used = self.number(use_width)?;
            let length = self.number(1)? as usize;
            let shared = match index {
                0 => 0,
                _ => self.number(1)? as usize,
            };
            if shared > length || shared > before_end - before {
                let kind = ErrorKind::BadPrefix {
                    length: length as u8,
                    shared: shared as u8,
                    before: (before_end - before) as u8,
                };
                return Err(kind.at(File::Names, at));
            }
            let start = names.bytes.len();
            names.bytes.extend_from_within(before..before + shared);
            let rest = self.take(length - shared)?;
            names.bytes.extend_from_slice(rest);
            (before, before_end) = (start, names.bytes.len());
            match names.places[kind].get_mut(id as usize) {
                Some(place) if place.0 == usize::MAX => *place = (before, before_end),
                _ => return Err(ErrorKind::BadNameId(id).at(File::Names, at)),
            }
            uses.each[kind][id as usize] = used;
        }
        Ok(())
    }
}

/// The bytes of the numbers of names.
fn id_width(count: u32) -> usize {
    if count >= 65_536 { 3 } else { 2 }
}

/// The bytes of how often names are used.
fn use_width(highest: u32) -> usize {
    match highest {
        0..256 => 1,
        256..65_536 => 2,
        _ => 3,
    }
}

/// Writes a name file.
pub(in crate::scid) fn write(names: &Names, uses: &Uses) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&[0; 4]);
    let put = |number: u32, width: usize, out: &mut Vec<u8>| {
        out.extend_from_slice(&number.to_be_bytes()[4 - width..]);
    };
    for kind in 0..KINDS {
        put(names.count(kind) as u32, 3, &mut out);
    }
    for highest in uses.highest {
        put(highest, 3, &mut out);
    }
    for kind in 0..KINDS {
        let mut sorted: Vec<(u32, &[u8])> = (0..).zip(names.of_kind(kind)).collect();
        sorted.sort_by(|(_, a), (_, b)| order(a, b));
        let id_width = id_width(sorted.len() as u32);
        let use_width = use_width(uses.highest[kind]);
        let mut before: Option<&[u8]> = None;
        for (id, name) in sorted {
            put(id, id_width, &mut out);
            put(uses.each[kind][id as usize], use_width, &mut out);
            out.push(name.len() as u8);
            let shared = before.map_or(0, |before| common(before, name));
            if before.is_some() {
                out.push(shared as u8);
            }
            out.extend_from_slice(&name[shared..]);
            before = Some(name);
        }
    }
    out
}

fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The order of a list: the first byte counts without a sign, the others with one, and the end of
/// a name is a zero among them. So it came about where characters have a sign.
fn order(a: &[u8], b: &[u8]) -> Ordering {
    let shared = common(a, b);
    let (a, b) = (a.get(shared).copied(), b.get(shared).copied());
    let (x, y) = (a.unwrap_or(0), b.unwrap_or(0));
    match shared {
        0 => x.cmp(&y),
        _ => (x as i8).cmp(&(y as i8)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_beyond_ascii_come_before_the_end_of_a_name() {
        let sorted: [&[u8]; 7] = [b"", b"ab", b"abc\x80", b"abc", b"abcd", b"abd", b"\xc3\xa9"];
        for (place, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                assert_eq!(order(a, b), place.cmp(&other), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut names = Names::default();
        for (kind, name) in [
            (0, "Tal"),
            (0, "Talmud"),
            (0, ""),
            (1, "x"),
            (3, "1"),
            (3, "1.2"),
        ] {
            names.push(kind, name.as_bytes());
        }
        let mut uses = Uses::default();
        for _ in 0..300 {
            uses.count(0, 1);
        }
        uses.fit(&names);
        let bytes = write(&names, &uses);
        let (again, used) = read(&bytes).unwrap();
        for kind in 0..KINDS {
            assert!(names.of_kind(kind).eq(again.of_kind(kind)));
        }
        assert_eq!((used.each, used.highest), (uses.each.clone(), uses.highest));
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err());
        }
    }

    #[test]
    fn numbers_that_are_twice_there_are_refused() {
        let mut names = Names::default();
        names.push(0, b"a");
        names.push(0, b"b");
        let mut uses = Uses::default();
        uses.fit(&names);
        let mut bytes = write(&names, &uses);
        bytes[42] = 0;
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadNameId(0));
    }
}
