//! Which bytes stand for which letters.
//!
//! No file of a ChessBase database names its code page. ChessBase wrote what the Windows of its
//! user wrote, so a database from Moscow is in Windows-1251 and one from Hamburg in Windows-1252;
//! texts of later programs are UTF-8, and one database may hold both. [`TextCodec::detect`] looks
//! at the texts of a database and decides on a page; a text that is UTF-8 is read as that all the
//! same.
//!
//! ```
//! use encoding_rs::WINDOWS_1251;
//! use tabiya_chessbase::encoding::TextCodec;
//!
//! let codec = TextCodec::new(WINDOWS_1251);
//! assert_eq!(codec.name(b"\xca\xe0\xf0\xef\xee\xe2"), "Карпов");
//!
//! let codec = TextCodec::default();
//! assert_eq!(codec.text(b"\xa4f3 wei\xdf"), "♘f3 weiß");
//! assert_eq!(codec.text("weiß".as_bytes()), "weiß");
//! assert_eq!(codec.encode_text("♘f3 weiß"), (b"\xa4f3 wei\xdf".to_vec(), 0));
//! ```

mod detect;

use std::{borrow::Cow, sync::LazyLock};

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

pub use detect::Detector;

use super::symbols;

/// How the names and texts of a database are put into bytes.
#[derive(Clone, Debug)]
pub struct TextCodec {
    encoding: &'static Encoding,
    /// Texts that are UTF-8 are read as UTF-8.
    mixed: bool,
    page: Page,
}

#[derive(Clone, Debug)]
enum Page {
    Utf8,
    /// The characters of the bytes from 80 on: in names, and in texts.
    Single(Box<[[char; 128]; 2]>),
    /// An encoding with characters of several bytes.
    Several,
}

/// What texts are in unless something speaks against it.
static WESTERN: LazyLock<Page> = LazyLock::new(|| Page::of(WINDOWS_1252));

/// Which of the tables of a page counts.
#[derive(Clone, Copy)]
enum Table {
    Names,
    Texts,
}

/// Windows-1252, or UTF-8 where a text is UTF-8.
impl Default for TextCodec {
    fn default() -> TextCodec {
        TextCodec::mixed(WINDOWS_1252)
    }
}

impl TextCodec {
    /// A codec of one encoding, whatever the texts look like.
    #[must_use]
    pub fn new(encoding: &'static Encoding) -> TextCodec {
        TextCodec {
            encoding,
            mixed: false,
            page: Page::of(encoding),
        }
    }

    /// A codec of an encoding that reads texts that are UTF-8 as such.
    #[must_use]
    pub fn mixed(encoding: &'static Encoding) -> TextCodec {
        TextCodec {
            mixed: true,
            ..TextCodec::new(encoding)
        }
    }

    /// The codec that fits the texts of a database.
    #[must_use]
    pub fn detect<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> TextCodec {
        let mut detector = Detector::default();
        texts.into_iter().for_each(|text| detector.add(text));
        TextCodec::mixed(detector.encoding())
    }

    /// The encoding in which this codec writes.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Reads a name: letters, without chess symbols.
    #[must_use]
    pub fn name<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        self.decode(bytes, Table::Names)
    }

    /// Reads a text, in which chess symbols may stand.
    #[must_use]
    pub fn text<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        self.decode(bytes, Table::Texts)
    }

    fn decode<'a>(&self, bytes: &'a [u8], table: Table) -> Cow<'a, str> {
        if bytes.is_empty() {
            return Cow::Borrowed("");
        }
        if (self.mixed || matches!(self.page, Page::Utf8))
            && let Some(text) = detect::as_utf8(bytes)
        {
            return match table {
                Table::Names => Cow::Borrowed(text),
                Table::Texts => public(text),
            };
        }
        let page = match &self.page {
            // What is not UTF-8 in a database that is, was written before it was.
            Page::Utf8 if self.mixed && str::from_utf8(bytes).is_err() => &*WESTERN,
            page => page,
        };
        match page {
            Page::Single(tables) => single(bytes, &tables[table as usize]),
            Page::Utf8 => match table {
                Table::Names => String::from_utf8_lossy(bytes),
                Table::Texts => public(&String::from_utf8_lossy(bytes)).into_owned().into(),
            },
            Page::Several => self.encoding.decode_without_bom_handling(bytes).0,
        }
    }

    /// The bytes of a name, and how many of its characters became question marks. A
    /// [mixed](TextCodec::mixed) codec writes a name that its page does not have as UTF-8.
    #[must_use]
    pub fn encode_name(&self, name: &str) -> (Vec<u8>, usize) {
        self.encode(name, Table::Names)
    }

    /// The bytes of a text, and how many of its characters became question marks, as with names.
    /// Symbols are written as [`TextCodec::text`] reads them; the page does not have the characters
    /// that they displace, such as `§`.
    #[must_use]
    pub fn encode_text(&self, text: &str) -> (Vec<u8>, usize) {
        self.encode(text, Table::Texts)
    }

    fn encode(&self, text: &str, table: Table) -> (Vec<u8>, usize) {
        if text.is_ascii() {
            return (text.as_bytes().to_vec(), 0);
        }
        // PGN of ChessBase has symbols as private characters, for which the page has bytes.
        let text = &*match table {
            Table::Names => Cow::Borrowed(text),
            Table::Texts => public(text),
        };
        let (bytes, lost) = match &self.page {
            Page::Utf8 => return (to_utf8(text, table), 0),
            Page::Single(tables) => to_single(text, &tables[table as usize]),
            Page::Several => self.to_several(text),
        };
        // Where UTF-8 is read beside the page, it takes what the page does not have, and letters
        // such as `Ã¤`, which would be read as UTF-8.
        let misread = !bytes.is_ascii() && detect::as_utf8(&bytes).is_some();
        if self.mixed && (lost > 0 || misread) {
            let wide = to_utf8(text, table);
            if detect::as_utf8(&wide).is_some() {
                return (wide, 0);
            }
        }
        (bytes, lost)
    }

    fn to_several(&self, text: &str) -> (Vec<u8>, usize) {
        let (mut bytes, mut lost) = (Vec::with_capacity(text.len()), 0);
        let mut buffer = [0; 4];
        for character in text.chars() {
            let (encoded, _, unmappable) = self.encoding.encode(character.encode_utf8(&mut buffer));
            match unmappable {
                false => bytes.extend_from_slice(&encoded),
                true => {
                    bytes.push(b'?');
                    lost += 1;
                }
            }
        }
        (bytes, lost)
    }
}

impl Page {
    fn of(encoding: &'static Encoding) -> Page {
        if encoding == UTF_8 {
            return Page::Utf8;
        }
        if !encoding.is_single_byte() {
            return Page::Several;
        }
        let names = std::array::from_fn(|index| {
            let byte = 0x80 | index as u8;
            let decoded = encoding
                .decode_without_bom_handling_and_without_replacement(&[byte])
                .and_then(|text| text.chars().next());
            // A byte without a meaning becomes the control character of its number, so that no
            // two bytes are the same character.
            decoded.unwrap_or(char::from(byte))
        });
        let mut texts = names;
        if encoding == WINDOWS_1252 {
            for (index, character) in texts.iter_mut().enumerate() {
                if let Some(symbol) = symbols::from_byte(0x80 | index as u8) {
                    *character = symbol;
                }
            }
        }
        Page::Single(Box::new([names, texts]))
    }
}

fn single<'a>(bytes: &'a [u8], table: &[char; 128]) -> Cow<'a, str> {
    if bytes.is_ascii()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let character = |byte: &u8| match byte.checked_sub(0x80) {
        None => char::from(*byte),
        Some(high) => table[usize::from(high)],
    };
    Cow::Owned(bytes.iter().map(character).collect())
}

fn to_single(text: &str, table: &[char; 128]) -> (Vec<u8>, usize) {
    let mut lost = 0;
    let bytes = text.chars().map(|character| {
        if character.is_ascii() {
            return character as u8;
        }
        // From the end: of the two bytes for compensation the second is the usual one.
        match table.iter().rposition(|it| *it == character) {
            Some(index) => 0x80 | index as u8,
            None => {
                lost += 1;
                b'?'
            }
        }
    });
    let bytes = bytes.collect();
    (bytes, lost)
}

fn to_utf8(text: &str, table: Table) -> Vec<u8> {
    match table {
        Table::Names => text.as_bytes().to_vec(),
        Table::Texts => {
            let private = |c| symbols::to_private(c).unwrap_or(c);
            text.chars().map(private).collect::<String>().into()
        }
    }
}

/// A UTF-8 text with symbols in place of private characters.
fn public(text: &str) -> Cow<'_, str> {
    let known = |c: char| symbols::from_private(c);
    match text.chars().any(|c| known(c).is_some()) {
        false => Cow::Borrowed(text),
        true => text.chars().map(|c| known(c).unwrap_or(c)).collect(),
    }
}

#[cfg(test)]
mod tests;
