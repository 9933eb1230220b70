//! The frame: a record for each game, and in it items with a position and a type.

use super::{AnnotationError, AnnotationErrorKind};

/// How long the head of a record is.
const HEAD: usize = 14;

/// How long the head of an item is.
pub(super) const ITEM_HEAD: usize = 6;

/// What stands behind the number of the game in every record seen.
const MARK: [u8; 4] = [0x01, 0x00, 0x0e, 0x0e];

/// The annotations of a game, as they are stored.
///
/// ```
/// use tabiya_chessbase::annotations::{Item, Record};
///
/// let items = [Item { position: 0, kind: 0x03, data: &[1] }];
/// let bytes = Record::write(7, items);
/// assert_eq!(bytes.len(), 21);
///
/// let record = Record::parse(&bytes)?;
/// assert_eq!(record.game, 7);
/// assert_eq!(record.items().collect::<Result<Vec<_>, _>>()?, items);
/// # Ok::<(), tabiya_chessbase::annotations::AnnotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<'a> {
    /// The number of the game; some programs write a wrong one.
    pub game: u32,
    /// How many items the record says it has, plus one.
    pub count: u32,
    /// The items.
    body: &'a [u8],
}

/// An annotation, as it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item<'a> {
    /// The move it stands at, counted as moves are stored, the main line first; −1 is the game as
    /// a whole.
    pub position: i32,
    /// What it is.
    pub kind: u8,
    /// What it says.
    pub data: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record with which the bytes begin. What follows it is left alone.
    ///
    /// # Errors
    /// If there are too few bytes for the record.
    pub fn parse(bytes: &'a [u8]) -> Result<Record<'a>, AnnotationError> {
        let out_of_range = |wanted| AnnotationError {
            kind: AnnotationErrorKind::RecordOutOfRange {
                wanted,
                left: bytes.len(),
            },
            offset: 0,
        };
        let Some((head, _)) = bytes.split_first_chunk::<HEAD>() else {
            return Err(out_of_range(HEAD));
        };
        let &[g0, g1, g2, _, _, _, _, c0, c1, c2, s0, s1, s2, s3] = head;
        let size = usize::try_from(u32::from_be_bytes([s0, s1, s2, s3])).unwrap_or(usize::MAX);
        let body = bytes.get(HEAD..size).ok_or(out_of_range(size))?;
        Ok(Record {
            game: u32::from_be_bytes([0, g0, g1, g2]),
            count: u32::from_be_bytes([0, c0, c1, c2]),
            body,
        })
    }

    /// As much as is left of a record that the end of its file has cut off. If its size alone is
    /// wrong, the records of other games follow; the head of one looks like an item of type 01,
    /// which does not exist.
    pub(crate) fn cut(bytes: &'a [u8]) -> Option<Record<'a>> {
        let body = bytes.get(HEAD..)?;
        let mut items = Items {
            rest: body,
            offset: 0,
        };
        let is_head = |item: &Item<'_>| item.kind == MARK[0] && item.data.len() + ITEM_HEAD == HEAD;
        let mut end = body.len();
        loop {
            let start = items.offset;
            match items.next() {
                Some(Ok(item)) if is_head(&item) => {
                    end = start;
                    break;
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break,
            }
        }
        Some(Record {
            game: u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]),
            count: u32::from_be_bytes([0, bytes[7], bytes[8], bytes[9]]),
            body: &body[..end],
        })
    }

    /// Its size in the file.
    #[must_use]
    pub fn size(&self) -> usize {
        HEAD + self.body.len()
    }

    /// The items, in their order, up to the first one that is broken.
    #[must_use]
    pub fn items(&self) -> Items<'a> {
        Items {
            rest: self.body,
            offset: HEAD,
        }
    }

    /// The record of some items. Data too long for an item, and positions and numbers that do not
    /// fit into three bytes, are cut off.
    #[must_use]
    pub fn write<'i>(game: u32, items: impl IntoIterator<Item = Item<'i>>) -> Vec<u8> {
        let mut bytes = Vec::from(&game.to_be_bytes()[1..]);
        bytes.extend_from_slice(&MARK);
        bytes.resize(HEAD, 0);
        let mut count = 1u32;
        for item in items {
            let data = &item.data[..item.data.len().min(super::MAX_DATA)];
            bytes.extend_from_slice(&item.position.to_be_bytes()[1..]);
            bytes.push(item.kind);
            // At most 65 535, by the line above.
            bytes.extend_from_slice(&((data.len() + ITEM_HEAD) as u16).to_be_bytes());
            bytes.extend_from_slice(data);
            count = count.saturating_add(1);
        }
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        bytes[7..10].copy_from_slice(&count.to_be_bytes()[1..]);
        bytes[10..HEAD].copy_from_slice(&size.to_be_bytes());
        bytes
    }
}

/// The items of a record, see [`Record::items`].
#[derive(Clone, Debug)]
pub struct Items<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Result<Item<'a>, AnnotationError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (offset, left) = (self.offset, self.rest.len());
        let bad = |size| AnnotationError {
            kind: AnnotationErrorKind::BadAnnotationSize { size, left },
            offset,
        };
        let rest = std::mem::take(&mut self.rest);
        let Some(&[p0, p1, p2, kind, s0, s1]) = rest.first_chunk::<ITEM_HEAD>() else {
            return Some(Err(bad(ITEM_HEAD)));
        };
        let size = usize::from(u16::from_be_bytes([s0, s1]));
        let Some(data) = rest.get(ITEM_HEAD..size) else {
            return Some(Err(bad(size)));
        };
        self.rest = &rest[size..];
        self.offset += size;
        Some(Ok(Item {
            // The shift brings the sign along.
            position: i32::from_be_bytes([p0, p1, p2, 0]) >> 8,
            kind,
            data,
        }))
    }
}
