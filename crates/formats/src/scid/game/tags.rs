//! Tags that have no field in the index.

use crate::scid::error::ErrorKind;

/// Names that are so common that they have a number, from 241 on.
const COMMON: [&str; 10] = [
    "WhiteCountry",
    "BlackCountry",
    "Annotator",
    "PlyCount",
    "EventDate",
    "Opening",
    "Variation",
    "Setup",
    "Source",
    "SetUp",
];

const FIRST_COMMON: u8 = 241;
/// Numbers of which nobody knows the names.
const LAST_COMMON: u8 = FIRST_COMMON + COMMON.len() as u8 - 1;
/// A date in three bytes, of old programs.
const OLD_DATE: u8 = 255;

/// The longest name that has no number.
const LONGEST_NAME: usize = 240;

/// An extra tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::scid) struct Tag<'a> {
    /// Its name; `None` if it has a number of which the name is not known.
    pub name: Option<&'a [u8]>,
    pub value: &'a [u8],
    /// Its bytes in the record.
    pub raw: &'a [u8],
}

/// Reads the tags at the beginning of a record; the moves follow behind their end.
pub(in crate::scid) struct Tags<'a> {
    rest: &'a [u8],
    ended: bool,
}

impl<'a> Tags<'a> {
    pub(in crate::scid) fn new(record: &'a [u8]) -> Tags<'a> {
        Tags {
            rest: record,
            ended: false,
        }
    }

    /// What follows the tags, once all of them have been read.
    pub(in crate::scid) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    fn read(&mut self) -> Option<Option<Tag<'a>>> {
        let whole = self.rest;
        let (&length, mut rest) = whole.split_first()?;
        let name = match length {
            0 => {
                self.rest = rest;
                self.ended = true;
                return Some(None);
            }
            1..FIRST_COMMON => {
                let (name, behind) = rest.split_at_checked(length.into())?;
                rest = behind;
                Some(name)
            }
            FIRST_COMMON..=LAST_COMMON => {
                Some(COMMON[usize::from(length - FIRST_COMMON)].as_bytes())
            }
            _ => None,
        };
        let value = match length {
            OLD_DATE => 3,
            _ => {
                let (&value, behind) = rest.split_first()?;
                rest = behind;
                value.into()
            }
        };
        let (value, rest) = rest.split_at_checked(value)?;
        self.rest = rest;
        let raw = &whole[..whole.len() - rest.len()];
        Some(Some(Tag { name, value, raw }))
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Result<Tag<'a>, ErrorKind>;

    fn next(&mut self) -> Option<Result<Tag<'a>, ErrorKind>> {
        if self.ended {
            return None;
        }
        match self.read() {
            Some(tag) => tag.map(Ok),
            None => {
                self.ended = true;
                Some(Err(ErrorKind::Truncated("the tags")))
            }
        }
    }
}

/// Adds a tag; `false` if there is no room for it.
pub(in crate::scid) fn put(name: &str, value: &str, out: &mut Vec<u8>) -> bool {
    let Ok(value_length) = u8::try_from(value.len()) else {
        return false;
    };
    match COMMON.iter().position(|common| *common == name) {
        Some(place) => out.push(FIRST_COMMON + place as u8),
        None if (1..=LONGEST_NAME).contains(&name.len()) => {
            out.push(name.len() as u8);
            out.extend_from_slice(name.as_bytes());
        }
        None => return false,
    }
    out.push(value_length);
    out.extend_from_slice(value.as_bytes());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_without_a_known_name_are_passed_over() {
        let record = b"\x01A\x01x\xfb\x02yy\xff\x01\x02\x03\xfa\x011\x00rest";
        let mut tags = Tags::new(record);
        let names: Vec<_> = tags.by_ref().map(|tag| tag.unwrap().name).collect();
        assert_eq!(names, [Some(&b"A"[..]), None, None, Some(b"SetUp")]);
        assert_eq!(tags.rest(), b"rest");
    }

    #[test]
    fn tags_that_end_too_early_are_an_error() {
        for record in [&b""[..], b"\x01", b"\x01A", b"\x01A\x02x", b"\xff\x01"] {
            let last = Tags::new(record).last();
            assert_eq!(last, Some(Err(ErrorKind::Truncated("the tags"))));
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let long = "x".repeat(255);
        let name = "N".repeat(LONGEST_NAME);
        let mut out = Vec::new();
        for (name, value) in [("PlyCount", "3"), ("Foo", ""), (&*name, &*long)] {
            assert!(put(name, value, &mut out));
        }
        assert!(!put("Foo", &format!("{long}x"), &mut out));
        assert!(!put(&format!("{name}x"), "", &mut out));
        assert!(!put("", "", &mut out));
        out.push(0);
        let tags: Vec<_> = Tags::new(&out).map(Result::unwrap).collect();
        assert_eq!(tags.len(), 3);
        assert_eq!(
            (tags[0].name, tags[0].value),
            (Some(&b"PlyCount"[..]), &b"3"[..])
        );
        assert_eq!(
            (tags[2].name, tags[2].value),
            (Some(name.as_bytes()), long.as_bytes())
        );
    }
}
