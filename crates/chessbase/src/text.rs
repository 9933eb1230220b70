//! Guiding texts.
//!
//! A database holds texts among its games: forewords, tables of contents, explanations. They are
//! stored in the file of the moves, with titles and contents in several languages. Versions 1 and
//! 2 (ChessBase 6 to 8) are plain text with a block of formatting that nobody has deciphered,
//! version 3 is HTML.
//!
//! A [`GuidingText`] keeps everything, so that writing it gives the same bytes. It tells one
//! [`Event::Text`] of its main language; a [`Database`](super::Database) tells one for each of
//! [`GuidingText::languages`], so that nothing goes missing.
//!
//! ```
//! use tabiya_chessbase::encoding::TextCodec;
//! use tabiya_chessbase::text::GuidingText;
//!
//! let codec = TextCodec::default();
//! let (text, losses) = GuidingText::new("Preface", Some("en"), "<p>Hello</p>", &codec)
//!     .expect("it is not too long");
//! assert!(losses.is_empty());
//! let read = GuidingText::parse(&text.to_bytes())?;
//! assert_eq!(read, text);
//!
//! let main = read.main(&codec);
//! assert_eq!((&*main.title, main.language), ("Preface", Some("en")));
//! assert_eq!(main.text, "<p>Hello</p>");
//! # Ok::<(), tabiya_chessbase::text::TextError>(())
//! ```

use std::borrow::Cow;

use tabiya_game::{Event, LossKind, Place};

use super::annotations::languages;
use super::encoding::TextCodec;

/// The first byte of a text; a game has another one there.
const TEXT: u8 = 0x80;

/// The size of a text has three bytes.
const MAX_SIZE: usize = 0xff_ffff;

/// How many bytes stand before the version.
const HEAD: usize = 4;

/// A guiding text, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuidingText {
    /// The version of its layout.
    version: Version,
    /// The titles.
    titles: Vec<Title>,
    /// A byte that is 0 or 1; nobody knows why.
    unknown: u8,
    /// The contents.
    contents: Vec<Content>,
    /// What stands behind them; nothing, in all texts seen.
    rest: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    /// Plain text with formatting, lengths of two bytes.
    Short = 1,
    /// Plain text with formatting, lengths of four bytes.
    Long = 2,
    /// HTML.
    Html = 3,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Title {
    language: u16,
    bytes: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Content {
    language: u16,
    bytes: Vec<u8>,
    /// What nobody understands; empty in version 3.
    formatting: Vec<u8>,
}

/// A guiding text in one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InLanguage<'a> {
    /// The title.
    pub title: Cow<'a, str>,
    /// The language, as a code such as `en`; none in particular if there is none.
    pub language: Option<&'static str>,
    /// The contents: HTML in version 3, else plain text.
    pub text: Cow<'a, str>,
}

/// What is wrong with a guiding text, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {offset} of the text: {kind}")]
pub struct TextError {
    /// What is wrong.
    pub kind: TextErrorKind,
    /// Where, from the start of the text.
    pub offset: usize,
}

/// What is wrong with a guiding text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// The text does not lie within its file.
    #[error("a text of {wanted} bytes, but the file has {left} left")]
    RecordOutOfRange {
        /// How long the text says it is.
        wanted: usize,
        /// How many bytes there are.
        left: usize,
    },
    /// The bytes are a game.
    #[error("a game stands here, not a text")]
    NotAText,
    /// A version without a description.
    #[error("version {version} is not known: there are 1, 2 and 3")]
    UnknownVersion {
        /// The version.
        version: u16,
    },
    /// A title or contents longer than the text.
    #[error("the text ends in the middle of a field")]
    BadText,
}

impl GuidingText {
    /// A text in one language, in HTML, and what of it is lost: characters of the title that the
    /// codec does not have, and a language that ChessBase does not have. None if it is too long.
    #[must_use]
    pub fn new(
        title: &str,
        language: Option<&str>,
        html: &str,
        codec: &TextCodec,
    ) -> Option<(GuidingText, Vec<(LossKind, String)>)> {
        let mut losses = Vec::new();
        let number = languages::to_text(language).unwrap_or_else(|| {
            losses.push((LossKind::Language, "the language of a text".to_owned()));
            languages::ANY
        });
        let (bytes, lost) = codec.encode_name(title);
        if lost > 0 {
            let what = format!("letters of the title {title:?}");
            losses.push((LossKind::Entry, what));
        }
        // The rest of the text, head included, has fewer than a hundred bytes.
        let fits = bytes.len() <= usize::from(u16::MAX)
            && html.len().saturating_add(bytes.len()) < MAX_SIZE - 100;
        let text = GuidingText {
            version: Version::Html,
            titles: vec![Title {
                language: number,
                bytes,
            }],
            unknown: 1,
            contents: vec![Content {
                language: number,
                bytes: html.as_bytes().to_vec(),
                formatting: Vec::new(),
            }],
            rest: Vec::new(),
        };
        fits.then_some((text, losses))
    }

    /// A text in several languages, in HTML: titles and pages by the numbers of languages.
    pub(super) fn of_pages(titles: Vec<(u16, Vec<u8>)>, pages: Vec<(u16, Vec<u8>)>) -> GuidingText {
        let title = |(language, bytes)| Title { language, bytes };
        let content = |(language, bytes)| Content {
            language,
            bytes,
            formatting: Vec::new(),
        };
        GuidingText {
            version: Version::Html,
            titles: titles.into_iter().map(title).collect(),
            unknown: 1,
            contents: pages.into_iter().map(content).collect(),
            rest: Vec::new(),
        }
    }

    /// The text with which the bytes begin. What follows it is left alone.
    ///
    /// # Errors
    /// If the bytes are not a whole guiding text.
    pub fn parse(bytes: &[u8]) -> Result<GuidingText, TextError> {
        let at = |offset, kind| TextError { kind, offset };
        let out_of_range = |wanted| {
            let left = bytes.len();
            at(0, TextErrorKind::RecordOutOfRange { wanted, left })
        };
        let Some(&[flags, s0, s1, s2]) = bytes.first_chunk::<HEAD>() else {
            return Err(out_of_range(HEAD));
        };
        if flags & TEXT == 0 {
            return Err(at(0, TextErrorKind::NotAText));
        }
        let size = usize::try_from(u32::from_be_bytes([0, s0, s1, s2])).unwrap_or(usize::MAX);
        let body = bytes.get(HEAD..size).ok_or(out_of_range(size))?;
        let mut fields = Fields { body, offset: 0 };
        fields.text().map_err(|kind| at(HEAD + fields.offset, kind))
    }

    /// The bytes, head included.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![TEXT, 0, 0, 0];
        bytes.extend_from_slice(&(self.version as u16).to_le_bytes());
        bytes.extend_from_slice(&count(&self.titles).to_le_bytes());
        for title in &self.titles {
            bytes.extend_from_slice(&title.language.to_le_bytes());
            Version::Short.put(&title.bytes, &mut bytes);
        }
        bytes.push(self.unknown);
        bytes.extend_from_slice(&count(&self.contents).to_le_bytes());
        for content in &self.contents {
            bytes.extend_from_slice(&content.language.to_le_bytes());
            self.version.put(&content.bytes, &mut bytes);
            self.version.put(&content.formatting, &mut bytes);
        }
        bytes.extend_from_slice(&self.rest);
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        bytes[1..HEAD].copy_from_slice(&size.to_be_bytes()[1..]);
        bytes
    }

    /// Whether the contents are HTML.
    #[must_use]
    pub fn is_html(&self) -> bool {
        self.version == Version::Html
    }

    /// Whether there is formatting that nobody has deciphered.
    #[must_use]
    pub fn has_formatting(&self) -> bool {
        let mut contents = self.contents.iter();
        contents.any(|content| !content.formatting.is_empty())
    }

    /// The bytes of titles and contents, for those who look for the encoding of a database.
    pub fn raw_texts(&self) -> impl Iterator<Item = &[u8]> {
        let titles = self.titles.iter().map(|title| &title.bytes[..]);
        titles.chain(self.contents.iter().map(|content| &content.bytes[..]))
    }

    /// The text in each language that has contents.
    ///
    /// ChessBase writes contents in eight languages, most of them pages with nothing on them;
    /// those are left out. A language without a title of its own has the first title.
    #[must_use]
    pub fn languages<'a>(&'a self, codec: &TextCodec) -> Vec<InLanguage<'a>> {
        let written = self
            .contents
            .iter()
            .filter(|content| !self.is_empty(content));
        written
            .map(|content| self.in_language(content, codec))
            .collect()
    }

    /// The text in its main language: that of its first title if there are contents, else the
    /// first that has any.
    #[must_use]
    pub fn main<'a>(&'a self, codec: &TextCodec) -> InLanguage<'a> {
        let first = self.titles.first().map(|title| title.language);
        let mut written = self
            .contents
            .iter()
            .filter(|content| !self.is_empty(content));
        let main = written
            .clone()
            .find(|content| Some(content.language) == first)
            .or_else(|| written.next())
            .or(self.contents.first());
        match main {
            Some(content) => self.in_language(content, codec),
            None => InLanguage {
                title: self.title(first, codec),
                language: first.and_then(languages::of_text),
                text: "".into(),
            },
        }
    }

    /// Tells the text, which stands at a place, as an event in its main language.
    pub fn tell(&self, place: Place, codec: &TextCodec, tell: &mut dyn FnMut(Event<'_>)) {
        let main = self.main(codec);
        tell(Event::Text {
            place,
            title: &main.title,
            language: main.language,
            text: &main.text,
        });
    }

    fn in_language<'a>(&'a self, content: &'a Content, codec: &TextCodec) -> InLanguage<'a> {
        InLanguage {
            title: self.title(Some(content.language), codec),
            language: languages::of_text(content.language),
            text: match self.version {
                // ChessBase's pages say themselves that they are UTF-8.
                Version::Html => match std::str::from_utf8(&content.bytes) {
                    Ok(html) => html.into(),
                    Err(_) => codec.name(&content.bytes),
                },
                Version::Short | Version::Long => codec.text(&content.bytes),
            },
        }
    }

    fn title<'a>(&'a self, language: Option<u16>, codec: &TextCodec) -> Cow<'a, str> {
        let own = |title: &&Title| Some(title.language) == language;
        let title = self.titles.iter().find(own).or(self.titles.first());
        title.map_or("".into(), |title| codec.name(&title.bytes))
    }

    /// Whether nothing is to be seen: white space, or HTML with neither words nor pictures.
    fn is_empty(&self, content: &Content) -> bool {
        if !self.is_html() {
            return content.bytes.trim_ascii().is_empty();
        }
        is_blank_page(&content.bytes)
    }
}

/// Whether a page of HTML has neither words nor pictures.
pub(super) fn is_blank_page(html: &[u8]) -> bool {
    let mut in_tag = false;
    let page = html.to_ascii_lowercase();
    let words = page.iter().any(|byte| {
        match byte {
            b'<' => in_tag = true,
            b'>' => in_tag = false,
            other => return !in_tag && !other.is_ascii_whitespace(),
        }
        false
    });
    !words && !page.windows(4).any(|tag| tag == b"<img")
}

impl Version {
    /// Writes a length and the bytes, as many as the length can tell.
    fn put(self, field: &[u8], bytes: &mut Vec<u8>) {
        match self {
            Version::Short => {
                let length = u16::try_from(field.len()).unwrap_or(u16::MAX);
                bytes.extend_from_slice(&length.to_le_bytes());
                bytes.extend_from_slice(&field[..usize::from(length)]);
            }
            Version::Long | Version::Html => {
                let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
                bytes.extend_from_slice(&length.to_le_bytes());
                bytes.extend_from_slice(field);
            }
        }
    }
}

fn count<T>(list: &[T]) -> u16 {
    u16::try_from(list.len()).unwrap_or(u16::MAX)
}

/// The fields of a text, read one after the other.
struct Fields<'a> {
    body: &'a [u8],
    offset: usize,
}

impl<'a> Fields<'a> {
    fn text(&mut self) -> Result<GuidingText, TextErrorKind> {
        let version = match self.u16()? {
            1 => Version::Short,
            2 => Version::Long,
            3 => Version::Html,
            version => {
                self.offset -= 2;
                return Err(TextErrorKind::UnknownVersion { version });
            }
        };
        let mut titles = Vec::new();
        for _ in 0..self.u16()? {
            titles.push(Title {
                language: self.u16()?,
                bytes: self.field(Version::Short)?.to_vec(),
            });
        }
        let [unknown] = self.array()?;
        let mut contents = Vec::new();
        for _ in 0..self.u16()? {
            contents.push(Content {
                language: self.u16()?,
                bytes: self.field(version)?.to_vec(),
                formatting: self.field(version)?.to_vec(),
            });
        }
        Ok(GuidingText {
            version,
            titles,
            unknown,
            contents,
            rest: self.take(self.body.len() - self.offset)?.to_vec(),
        })
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], TextErrorKind> {
        let end = self.offset.checked_add(count);
        let taken = end.and_then(|end| self.body.get(self.offset..end));
        let taken = taken.ok_or(TextErrorKind::BadText)?;
        self.offset += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], TextErrorKind> {
        self.take(N)?.try_into().map_err(|_| TextErrorKind::BadText)
    }

    fn u16(&mut self) -> Result<u16, TextErrorKind> {
        self.array().map(u16::from_le_bytes)
    }

    /// A length and so many bytes.
    fn field(&mut self, version: Version) -> Result<&'a [u8], TextErrorKind> {
        let length = match version {
            Version::Short => self.u16()?.into(),
            Version::Long | Version::Html => u32::from_le_bytes(self.array()?),
        };
        self.take(usize::try_from(length).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
mod tests;
