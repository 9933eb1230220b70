//! Files: a magic, then one game after the other, each of three sections.
//!
//! ```text
//! 63 6D 62 72 04                              once a file; 05 in a wide one
//! 01 01  n  { length key  length value } × n  tags
//! 04 04  m  { flag high low } × m             moves
//! 03 03  r                                    result: w, b, d or u
//! ```

use std::ops::Range;

use tabiya_game::GameResult;

use super::{
    error::{Error, ErrorKind},
    units::hex,
};

const MAGIC: [u8; 4] = *b"cmbr";
const TAGS: u8 = 1;
const MOVES: u8 = 4;
const RESULT: u8 = 3;

/// The bytes of a move: a flag, which is 0, and a word.
pub(super) const UNIT: usize = 3;

/// How a file counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Container {
    /// As the original program does: at most 255 tags, plies, and bytes a text.
    Program,
    /// Two bytes for tags and the bytes of texts, four for plies; an extension of our own.
    Wide,
}

impl Container {
    /// Its first bytes.
    #[must_use]
    pub const fn magic(self) -> [u8; 5] {
        let [c, m, b, r] = MAGIC;
        match self {
            Container::Program => [c, m, b, r, 4],
            Container::Wide => [c, m, b, r, 5],
        }
    }

    /// What the [`Records`](crate::Records) of such a file are called.
    pub(super) const fn records(self) -> &'static str {
        match self {
            Container::Program => "cmbr:program",
            Container::Wide => "cmbr:wide",
        }
    }

    /// The container that a file begins as.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Container> {
        [Container::Program, Container::Wide]
            .into_iter()
            .find(|container| head.starts_with(&container.magic()))
    }

    /// How many tags a game can have, and how many bytes a text.
    #[must_use]
    pub const fn most_tags(self) -> usize {
        match self {
            Container::Program => u8::MAX as usize,
            Container::Wide => u16::MAX as usize,
        }
    }

    /// How many plies a game can have.
    #[must_use]
    pub const fn most_plies(self) -> usize {
        match self {
            Container::Program => u8::MAX as usize,
            Container::Wide => u32::MAX as usize,
        }
    }

    /// The bytes of a number of tags or of bytes.
    const fn short(self) -> usize {
        match self {
            Container::Program => 1,
            Container::Wide => 2,
        }
    }

    /// The bytes of a number of plies.
    const fn long(self) -> usize {
        match self {
            Container::Program => 1,
            Container::Wide => 4,
        }
    }

    /// Adds a tag to the bytes of others.
    ///
    /// # Errors
    /// If a text is too long; nothing is added then.
    pub(super) fn put_tag(
        self,
        name: &str,
        value: &str,
        out: &mut Vec<u8>,
    ) -> Result<(), ErrorKind> {
        let most = self.most_tags();
        for text in [name, value] {
            let length = text.len();
            if length > most {
                return Err(ErrorKind::StringTooLong { length, most });
            }
        }
        for text in [name, value] {
            put_number(text.len(), self.short(), out);
            out.extend_from_slice(text.as_bytes());
        }
        Ok(())
    }

    /// Writes a game of so many tags and moves, which are known to fit.
    pub(super) fn put_game(
        self,
        (count, tags): (usize, &[u8]),
        moves: &[u8],
        result: GameResult,
        out: &mut Vec<u8>,
    ) {
        out.extend_from_slice(&[TAGS, TAGS]);
        put_number(count, self.short(), out);
        out.extend_from_slice(tags);
        out.extend_from_slice(&[MOVES, MOVES]);
        put_number(moves.len() / UNIT, self.long(), out);
        out.extend_from_slice(moves);
        out.extend_from_slice(&[RESULT, RESULT, letter(result)]);
    }
}

/// The last bytes of a number, high byte first.
fn put_number(number: usize, bytes: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(number as u64).to_be_bytes()[8 - bytes..]);
}

fn letter(result: GameResult) -> u8 {
    match result.token() {
        "1-0" => b'w',
        "0-1" => b'b',
        "1/2-1/2" => b'd',
        _ => b'u',
    }
}

/// The result that a letter means.
pub(super) fn result(letter: u8) -> Result<GameResult, ErrorKind> {
    Ok(match letter {
        b'w' => GameResult::WhiteWins,
        b'b' => GameResult::BlackWins,
        b'd' => GameResult::Draw,
        b'u' => GameResult::Unknown,
        byte => return Err(ErrorKind::BadResult { byte }),
    })
}

/// Where the parts of a game stand in a file. What could not be found is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Record {
    /// The marker of the tags and their number.
    pub(super) start: Range<usize>,
    /// The bytes of the tags that are whole, and how many there are.
    pub(super) tags: Range<usize>,
    pub(super) tag_count: usize,
    /// The marker of the moves and their number.
    pub(super) moves_start: Range<usize>,
    /// The moves that are whole.
    pub(super) moves: Range<usize>,
    /// The marker and the letter of the result.
    pub(super) result: Range<usize>,
    /// Where the next game begins; the end of the file if nothing tells.
    pub(super) end: usize,
    /// What is wrong, and the bytes that are. After that nothing can be found.
    pub(super) damage: Option<(Error, Range<usize>)>,
}

impl Record {
    /// Finds the parts of the game that begins at a byte.
    ///
    /// # Errors
    /// If no game begins there.
    pub(super) fn find(bytes: &[u8], at: usize, container: Container) -> Result<Record, Error> {
        let mut cursor = Cursor { bytes, at };
        let mut record = Record::default();
        cursor.marker(TAGS, "tags of a game")?;
        if let Err(error) = record.fill(&mut cursor, at, container) {
            let end = match error.kind {
                ErrorKind::Truncated { .. } => bytes.len(),
                _ => bytes.len().min(cursor.at + 2),
            };
            record.damage = Some((error, cursor.at..end));
            record.end = bytes.len();
        }
        Ok(record)
    }

    fn fill(
        &mut self,
        cursor: &mut Cursor<'_>,
        start: usize,
        container: Container,
    ) -> Result<(), Error> {
        let within = "the tags of a game";
        let count = cursor.number(container.short(), within)?;
        self.start = start..cursor.at;
        self.tags = cursor.at..cursor.at;
        for _ in 0..count {
            cursor.tag(container, within)?;
            self.tags.end = cursor.at;
            self.tag_count += 1;
        }
        let start = cursor.at;
        cursor.marker(MOVES, "moves of a game")?;
        let within = "the moves of a game";
        let count = cursor.number(container.long(), within)?;
        self.moves_start = start..cursor.at;
        self.moves = cursor.at..cursor.at;
        let whole = count.min(cursor.left() / UNIT);
        self.moves.end += whole * UNIT;
        cursor.at = self.moves.end;
        if whole < count {
            return Err(cursor.truncated(within));
        }
        let start = cursor.at;
        cursor.marker(RESULT, "result of a game")?;
        cursor.take(1, "the result of a game")?;
        self.result = start..cursor.at;
        self.end = cursor.at;
        Ok(())
    }
}

/// The tags of a record: their places and bytes.
pub(super) struct TagFields<'a> {
    cursor: Cursor<'a>,
    container: Container,
    left: usize,
}

/// The bytes of a tag.
#[derive(Clone, Copy)]
pub(super) struct TagField<'a> {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
}

impl<'a> TagFields<'a> {
    pub(super) fn new(bytes: &'a [u8], record: &Record, container: Container) -> TagFields<'a> {
        TagFields {
            cursor: Cursor {
                bytes,
                at: record.tags.start,
            },
            container,
            left: record.tag_count,
        }
    }
}

impl<'a> Iterator for TagFields<'a> {
    type Item = TagField<'a>;

    fn next(&mut self) -> Option<TagField<'a>> {
        self.left = self.left.checked_sub(1)?;
        let at = self.cursor.at;
        let (name, value) = self.cursor.tag(self.container, "a tag").ok()?;
        let end = self.cursor.at;
        Some(TagField {
            at,
            end,
            name,
            value,
        })
    }
}

/// Reads fields from bytes. Where a field is not whole it stays at its beginning.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn truncated(&self, within: &'static str) -> Error {
        Error {
            kind: ErrorKind::Truncated { within },
            offset: self.at as u64,
        }
    }

    fn take(&mut self, length: usize, within: &'static str) -> Result<&'a [u8], Error> {
        let field = self.bytes[self.at..].get(..length);
        let field = field.ok_or_else(|| self.truncated(within))?;
        self.at += length;
        Ok(field)
    }

    fn number(&mut self, bytes: usize, within: &'static str) -> Result<usize, Error> {
        let bytes = self.take(bytes, within)?;
        // Four bytes at most.
        Ok(bytes
            .iter()
            .fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    fn marker(&mut self, marker: u8, section: &'static str) -> Result<(), Error> {
        let found = &self.bytes[self.at..];
        match found {
            [first, second, ..] if *first == marker && *second == marker => {
                self.at += 2;
                Ok(())
            }
            [] => Err(self.truncated("a game")),
            [only] if *only == marker => Err(self.truncated("a game")),
            _ => Err(Error {
                kind: ErrorKind::BadSection {
                    section,
                    marker,
                    found: hex(&found[..found.len().min(2)]),
                },
                offset: self.at as u64,
            }),
        }
    }

    fn tag(
        &mut self,
        container: Container,
        within: &'static str,
    ) -> Result<(&'a [u8], &'a [u8]), Error> {
        let start = self.at;
        let mut text = || {
            let length = self.number(container.short(), within)?;
            self.take(length, within)
        };
        match (text(), text()) {
            (Ok(name), Ok(value)) => Ok((name, value)),
            _ => {
                self.at = start;
                Err(self.truncated(within))
            }
        }
    }
}
