//! Bytes with their meanings, for dumps of both families.

use std::fmt::Display;

use tabiya_formats::dump::{Dump, Line};

/// Bytes one after the other, each field with its meaning.
pub(crate) struct Fields<'a> {
    pub(crate) dump: &'a mut Dump,
    pub(crate) bytes: &'a [u8],
    pub(crate) offset: u64,
}

impl Fields<'_> {
    pub(crate) fn field(&mut self, length: usize, meaning: impl Display) {
        let length = length.min(self.bytes.len());
        if length > 0 {
            let (bytes, rest) = self.bytes.split_at(length);
            let line = Line::new(self.offset, bytes, meaning.to_string());
            self.dump.push(line);
            self.bytes = rest;
            self.offset += length as u64;
        }
    }

    pub(crate) fn rest(&mut self, meaning: impl Display) {
        self.field(self.bytes.len(), meaning);
    }
}

/// Where an annotation belongs.
pub(crate) fn position(position: i32) -> String {
    match position {
        ..0 => "the game as a whole".to_string(),
        stored => format!("stored move {}", i64::from(stored) + 1),
    }
}

/// Names, or that there are none.
pub(crate) fn list(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<_> = names.collect();
    match names.is_empty() {
        true => "none".to_string(),
        false => names.join(", "),
    }
}
