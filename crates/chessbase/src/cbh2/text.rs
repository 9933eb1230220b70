//! Guiding texts: the contents of `.2cbg` records with the tag 1000.
//!
//! A content is the number 5, how many bytes follow, and pages of HTML, each with the nation that
//! stands for its language. Titles are elsewhere, among the names.
//!
//! ```
//! use tabiya_chessbase::cbh2::text::Pages;
//!
//! let pages = Pages(vec![(42, b"<html>Hello</html>")]);
//! let content = pages.to_bytes();
//! assert_eq!(Pages::read(&content), Some(pages));
//! ```

use std::borrow::Cow;

use tabiya_game::{Event, Place};

use super::{names::Titles, tags::language_of};
use crate::{annotations::bytes::Bytes, encoding::TextCodec, text::is_blank_page};

/// What every content begins with.
const VERSION: u16 = 5;

/// The languages in which ChessBase writes titles, empty where there is none.
pub(super) const TITLES: [i32; 6] = [42, 43, 49, 53, 70, 103];

/// The pages of a text by the nations that stand for their languages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pages<'a>(pub Vec<(i32, &'a [u8])>);

impl<'a> Pages<'a> {
    /// Reads a content, `None` if it is none.
    #[must_use]
    pub fn read(content: &'a [u8]) -> Option<Pages<'a>> {
        let mut bytes = Bytes(content);
        let VERSION = bytes.u16_le()? else {
            return None;
        };
        let mut inner = Bytes(bytes.str32()?);
        let count = usize::try_from(inner.i32_le()?).ok()?;
        let mut pages = Vec::new();
        for _ in 0..count {
            pages.push((inner.i32_le()?, inner.str32()?));
        }
        (bytes.is_empty() && inner.is_empty()).then_some(Pages(pages))
    }

    /// The content.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut inner = (self.0.len() as u32).to_le_bytes().to_vec();
        for (nation, page) in &self.0 {
            inner.extend(nation.to_le_bytes());
            inner.extend((page.len() as u32).to_le_bytes());
            inner.extend(*page);
        }
        let mut content = VERSION.to_le_bytes().to_vec();
        content.extend((inner.len() as u32).to_le_bytes());
        content.extend(inner);
        content
    }

    /// The pages on which there is something to be seen; the first one if there are none.
    pub fn written(&self) -> Vec<(i32, &'a [u8])> {
        let pages = self.0.iter().copied();
        let written: Vec<_> = pages.filter(|(_, page)| !is_blank_page(page)).collect();
        match written.is_empty() {
            true => self.0.iter().copied().take(1).collect(),
            false => written,
        }
    }

    /// Tells the text in each of its languages; one without pages is told all the same.
    pub fn tell(
        &self,
        place: Place,
        titles: &Titles<'_>,
        codec: &TextCodec,
        tell: &mut dyn FnMut(Event<'_>),
    ) {
        let pages = match self.written() {
            pages if pages.is_empty() => vec![(0, &b""[..])],
            pages => pages,
        };
        for (nation, page) in pages {
            tell(Event::Text {
                place,
                title: &title(titles, nation, codec),
                language: language_of(nation).as_deref(),
                text: &codec.name(page),
            });
        }
    }
}

/// The title in a language, or the first there is.
pub(super) fn title<'a>(titles: &Titles<'a>, nation: i32, codec: &TextCodec) -> Cow<'a, str> {
    let mut written = titles.0.iter().filter(|(_, title)| !title.is_empty());
    let own = written.clone().find(|(language, _)| *language == nation);
    let title = own.or_else(|| written.next());
    title.map_or("".into(), |(_, title)| codec.name(title))
}
