//! Annotations: the contents of `.2cba`.
//!
//! A content is a list of positions, each with its items; nothing says how long an item is, so one
//! of an unknown type ends the reading. Positions count moves in the order of events, from 0; −1
//! is the start. What items say is what the [classic ones](crate::annotations) say: they
//! become the same `Note`s, and most are laid out so alike that they are read and written there.
//!
//! ```
//! use tabiya_chessbase::cbh2::annotations::{Item, items, write};
//!
//! let good = Item { position: 3, kind: 0x03, data: &[1, 0, 0] };
//! let content = write([good]);
//! assert_eq!(content.len(), 4 + 4 + 2 + 3 + 4);
//! assert_eq!(items(&content).collect::<Result<Vec<_>, _>>().unwrap(), [good]);
//! ```

mod convert;
mod length;
mod note;
mod quotation;
mod training;

pub(crate) use self::note::{LAYOUT, read_note};
pub use self::quotation::Quotation;
use crate::annotations::{AnnotationError, AnnotationErrorKind, Facts, kind};

/// How raw annotations of this family call their format.
pub const FORMAT: &str = "2cbh";

/// The position that ends a content.
const END: i32 = i32::MAX;

/// An annotation, as it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item<'a> {
    /// The move it stands at in the order of events, from 0; −1 is the start.
    pub position: i32,
    /// What it is.
    pub kind: u16,
    /// What it says.
    pub data: &'a [u8],
}

/// The items of a content, in their order, up to the first one that cannot be read.
#[must_use]
pub fn items(content: &[u8]) -> Items<'_> {
    Items {
        content,
        at: 0,
        position: -1,
        left: 0,
        ended: false,
    }
}

/// See [`items`].
#[derive(Clone, Debug)]
pub struct Items<'a> {
    content: &'a [u8],
    at: usize,
    position: i32,
    /// How many items the position still has.
    left: u32,
    ended: bool,
}

impl<'a> Items<'a> {
    /// Where the next item stands in the content.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    fn number(&mut self) -> Option<i32> {
        let bytes = self.content.get(self.at..)?.first_chunk()?;
        self.at += bytes.len();
        Some(i32::from_le_bytes(*bytes))
    }

    fn item(&mut self) -> Result<Option<Item<'a>>, AnnotationErrorKind> {
        while self.left == 0 {
            let position = self.number().ok_or(AnnotationErrorKind::NoEnd)?;
            if position == END {
                return Ok(None);
            }
            let count = self.number().and_then(|count| u32::try_from(count).ok());
            self.left = count.ok_or(AnnotationErrorKind::NoEnd)?;
            self.position = position;
        }
        let rest = &self.content[self.at..];
        let (head, data) = rest.split_first_chunk().ok_or(AnnotationErrorKind::NoEnd)?;
        let kind = u16::from_le_bytes(*head);
        let length = length::of(kind, data)?;
        self.at += head.len() + length;
        self.left -= 1;
        Ok(Some(Item {
            position: self.position,
            kind,
            data: &data[..length],
        }))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Result<Item<'a>, AnnotationError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let item = self.item();
        self.ended = !matches!(item, Ok(Some(_)));
        let offset = self.at;
        item.map_err(|kind| AnnotationError { kind, offset })
            .transpose()
    }
}

/// The content of some items, whose positions ascend.
#[must_use]
pub fn write<'i>(items: impl IntoIterator<Item = Item<'i>>) -> Vec<u8> {
    let mut content: Vec<u8> = Vec::new();
    // Where the number of items of a position stands, and what it is.
    let mut open: Option<(i32, usize, u32)> = None;
    for item in items {
        let (at, count) = match open {
            Some((position, at, count)) if position == item.position => (at, count + 1),
            _ => {
                content.extend(item.position.to_le_bytes());
                content.extend([0; 4]);
                (content.len() - 4, 1)
            }
        };
        content[at..at + 4].copy_from_slice(&count.to_le_bytes());
        open = Some((item.position, at, count));
        content.extend(item.kind.to_le_bytes());
        content.extend(item.data);
    }
    content.extend(END.to_le_bytes());
    content
}

/// What the header of a game says about items.
#[must_use]
pub fn facts<'i>(items: impl IntoIterator<Item = Item<'i>>) -> Facts {
    Facts::count(items.into_iter().map(|item| {
        // What has more than a byte is of no type that is counted.
        let kind = u8::try_from(item.kind).unwrap_or(0);
        let medals = match (kind, item.data) {
            (kind::MEDALS, &[low, high, ..]) => u16::from_le_bytes([low, high]),
            _ => 0,
        };
        (
            kind,
            item.data.len().saturating_sub(note::TEXT_HEAD),
            medals,
        )
    }))
}
