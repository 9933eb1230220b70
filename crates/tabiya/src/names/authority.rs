//! Names as those have them who should know: files of spellings, FIDE's list.

use std::{
    collections::{BTreeMap, HashMap},
    io::{BufRead, BufReader, Read},
    path::Path,
};

use encoding_rs::WINDOWS_1252;
use tabiya_formats::io::Input;

use super::{Level, census::Id};
use crate::{Error, ErrorKind, Result};

/// How a name is spelled, and who says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Authority {
    pub name: String,
    pub level: Level,
    pub words: String,
    /// The FIDE id of whoever has it, if FIDE's list says so.
    pub fide_id: Option<u32>,
}

impl Authority {
    /// Whether who should know tells this name from another. What different sources spell in
    /// different ways may still be one.
    fn tells_apart(&self, other: &Authority) -> bool {
        match (self.fide_id, other.fide_id) {
            (Some(own), Some(other)) => own != other,
            (None, None) => self.name != other.name,
            _ => false,
        }
    }
}

/// What is known of names, by their ids.
#[derive(Default)]
pub struct Authorities {
    of: BTreeMap<Id, Authority>,
}

impl Authorities {
    /// Adds what is known of a name, unless something is known already.
    pub fn add(&mut self, id: Id, authority: Authority) {
        self.of.entry(id).or_insert(authority);
    }

    pub fn of(&self, id: Id) -> Option<&Authority> {
        self.of.get(&id)
    }

    /// Whether two names are known to be different ones.
    pub fn tell_apart(&self, one: Id, other: Id) -> bool {
        match (self.of(one), self.of(other)) {
            (Some(one), Some(other)) => one.tells_apart(other),
            _ => false,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Id, &Authority)> {
        self.of.iter().map(|(&id, authority)| (id, authority))
    }

    /// Pairs of names that are spelled in one way, so that all such hang together.
    pub fn pairs(&self) -> Vec<(Id, Id)> {
        let mut first: HashMap<&str, Id> = HashMap::new();
        let mut pairs = Vec::new();
        for (id, authority) in self.iter() {
            match first.get(authority.name.as_str()) {
                Some(&one) => pairs.push((one, id)),
                None => {
                    first.insert(&authority.name, id);
                }
            }
        }
        pairs
    }
}

/// More than any line of such files has.
const LONGEST: u64 = 1 << 16;

/// So many lines are read before somebody is asked again whether to go on.
const UNASKED: u64 = 1 << 12;

/// A file, and whom to ask now and then whether to go on reading it.
#[derive(Clone, Copy)]
pub struct List<'l> {
    path: &'l Path,
    go_on: &'l dyn Fn() -> Result<()>,
}

impl<'l> List<'l> {
    pub fn new(path: &'l Path, go_on: &'l dyn Fn() -> Result<()>) -> List<'l> {
        List { path, go_on }
    }

    /// Its lines from the first.
    pub fn lines(self) -> Result<Lines<'l>> {
        let input = Input::open(self.path)?;
        Ok(Lines {
            go_on: self.go_on,
            name: input.name().to_string(),
            input: BufReader::with_capacity(1 << 16, input),
            line: 0,
            bytes: Vec::new(),
        })
    }
}

/// A file of lines, unpacked while it is read.
pub struct Lines<'l> {
    go_on: &'l dyn Fn() -> Result<()>,
    input: BufReader<Input>,
    name: String,
    line: u64,
    bytes: Vec<u8>,
}

impl Lines<'_> {
    /// What comes next, up to a line break, which is cut off.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        let is_there = self.next_until(b'\n')?;
        if self.line == 1 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.bytes.drain(..3);
        }
        let line = self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes);
        Ok(is_there.then(|| line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// What comes next, up to a byte and with it.
    pub fn next_chunk(&mut self, end: u8) -> Result<Option<&[u8]>> {
        let is_there = self.next_until(end)?;
        Ok(is_there.then_some(&self.bytes))
    }

    fn next_until(&mut self, end: u8) -> Result<bool> {
        if self.line.is_multiple_of(UNASKED) {
            (self.go_on)()?;
        }
        self.bytes.clear();
        self.line += 1;
        let mut limited = (&mut self.input).take(LONGEST);
        let read = limited.read_until(end, &mut self.bytes);
        let read = read.map_err(|error| Error::from(error).trying_to("read", &self.name))?;
        if read as u64 == LONGEST && !self.bytes.ends_with(&[end]) {
            return Err(self.error("is longer than any of such a file"));
        }
        Ok(read > 0)
    }

    /// What is wrong with the line that was read last.
    pub fn error(&self, what: &str) -> Error {
        let words = format!("{}: line {} {what}", self.name, self.line);
        Error::new(ErrorKind::Unsupported, words)
    }

    /// What is wrong with the file.
    pub fn file_error(&self, what: &str) -> Error {
        Error::new(ErrorKind::Unsupported, format!("{} {what}", self.name))
    }
}

/// A text that is UTF-8 or, as older files are, Windows-1252.
pub fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => WINDOWS_1252
            .decode_without_bom_handling(bytes)
            .0
            .into_owned(),
    }
}
