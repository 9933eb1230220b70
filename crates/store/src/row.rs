//! An entry taken apart, as the columns of a segment have it.

use tabiya_chess::Variant;
use tabiya_game::{GameResult, GameState, Tags};

use crate::{
    notes::Notes,
    number::{put_bytes, take_bytes, take_text},
    signature::Signature,
};

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Kind {
    #[default]
    Game,
    /// A text that belongs to no game.
    Text,
    /// Something that nobody understands.
    Opaque,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Game, Kind::Text, Kind::Opaque];

    /// Its name in the column of kinds.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Game => "game",
            Kind::Text => "text",
            Kind::Opaque => "opaque",
        }
    }
}

/// An item of an entry that is no game. A text in two languages has two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Other<'a> {
    Text {
        title: &'a str,
        language: Option<&'a str>,
        text: &'a str,
    },
    Opaque {
        format: &'a str,
        bytes: &'a [u8],
    },
}

impl<'a> Other<'a> {
    pub fn kind(&self) -> Kind {
        match self {
            Other::Text { .. } => Kind::Text,
            Other::Opaque { .. } => Kind::Opaque,
        }
    }

    /// Adds it to a body.
    pub fn put(&self, body: &mut Vec<u8>) {
        body.push(index_of(&Kind::ALL, self.kind()));
        match *self {
            Other::Text {
                title,
                language,
                text,
            } => {
                for part in [title, language.unwrap_or_default(), text] {
                    put_bytes(part.as_bytes(), body);
                }
            }
            Other::Opaque { format, bytes } => {
                put_bytes(format.as_bytes(), body);
                put_bytes(bytes, body);
            }
        }
    }

    /// Takes the first one of a body; nothing is taken if there is none.
    pub fn take(body: &mut &'a [u8]) -> Option<Other<'a>> {
        let mut rest = *body;
        let other = match item_of(&Kind::ALL, &mut rest)? {
            Kind::Game => return None,
            Kind::Text => {
                let (title, language) = (take_text(&mut rest)?, take_text(&mut rest)?);
                Other::Text {
                    title,
                    language: (!language.is_empty()).then_some(language),
                    text: take_text(&mut rest)?,
                }
            }
            Kind::Opaque => Other::Opaque {
                format: take_text(&mut rest)?,
                bytes: take_bytes(&mut rest)?,
            },
        };
        *body = rest;
        Some(other)
    }
}

/// An entry taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Row {
    pub kind: Kind,
    pub tags: Tags,
    /// The start position as FEN, unless it is the usual one.
    pub start: Option<String>,
    pub variant: Variant,
    pub result: GameResult,
    pub state: GameState,
    /// Plies of the main line.
    pub plies: u32,
    /// Of a game its movetext: a stream of jose's profile `store`, without the comments that are
    /// in `notes`. Of other entries their [items](Other).
    pub body: Vec<u8>,
    pub notes: Notes,
    /// What its main line comes to.
    pub signature: Signature,
}

impl Row {
    /// Empties it and keeps the memory.
    pub fn clear(&mut self) {
        let Row {
            mut tags,
            mut body,
            mut notes,
            ..
        } = std::mem::take(self);
        tags.clear();
        body.clear();
        notes.clear();
        *self = Row {
            tags,
            body,
            notes,
            ..Row::default()
        };
    }
}

/// Which of all it is.
pub(crate) fn index_of<T: PartialEq>(all: &[T], item: T) -> u8 {
    let index = all.iter().position(|one| *one == item);
    index.expect("all are all") as u8
}

fn item_of<T: Copy>(all: &[T], bytes: &mut &[u8]) -> Option<T> {
    let (&index, rest) = bytes.split_first()?;
    *bytes = rest;
    all.get(usize::from(index)).copied()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn items_of_an_entry_come_back_one_after_the_other() {
        let items = [
            Other::Text {
                title: "Foreword",
                language: Some("en"),
                text: "Dear reader",
            },
            Other::Text {
                title: "",
                language: None,
                text: "",
            },
            Other::Opaque {
                format: "other",
                bytes: &[0, 255],
            },
        ];
        let mut body = Vec::new();
        items.iter().for_each(|item| item.put(&mut body));
        let mut rest = body.as_slice();
        assert_eq!(items.map(Some), [(); 3].map(|()| Other::take(&mut rest)));
        assert!(rest.is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_item_or_none(body: Vec<u8>) {
            let mut rest = body.as_slice();
            while Other::take(&mut rest).is_some() {}
        }
    }
}
