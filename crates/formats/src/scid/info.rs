//! What a database says of itself.

use super::{Version, index::si4};

/// What a database says of itself, beside its games.
///
/// Description and names of flags are told as texts of the database, so that they survive a
/// conversion; the other two are settings of the program and are not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Information {
    /// The number of an icon; programs number them differently.
    pub kind: u32,
    /// Which game the program shows first.
    pub autoload: u32,
    /// What the database is.
    pub description: Vec<u8>,
    /// What the custom flags 1 to 6 mean.
    pub flags: [Vec<u8>; 6],
}

impl Default for Information {
    /// As new databases have it.
    fn default() -> Information {
        Information {
            kind: 0,
            autoload: 1,
            description: Vec::new(),
            flags: Default::default(),
        }
    }
}

/// The keys under which texts are known.
pub(super) const KEYS: [&str; 7] = [
    "description",
    "flag1",
    "flag2",
    "flag3",
    "flag4",
    "flag5",
    "flag6",
];

impl Information {
    /// The texts that are not empty, under their keys.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        let values = std::iter::once(&self.description).chain(&self.flags);
        let texts = KEYS.into_iter().zip(values.map(Vec::as_slice));
        texts.filter(|(_, value)| !value.is_empty())
    }

    /// Takes a text; `false` if its key is not known.
    pub(super) fn set(&mut self, key: &str, value: &[u8]) -> bool {
        let place = match KEYS.iter().position(|known| *known == key) {
            Some(0) => &mut self.description,
            Some(flag) => &mut self.flags[flag - 1],
            None => return false,
        };
        *place = value.to_vec();
        true
    }

    /// Takes a string of key and value as version 5 has them; one that is not known is passed
    /// over, as programs do.
    pub(super) fn set_joined(&mut self, text: &[u8]) {
        let number = |value: &[u8]| str::from_utf8(value).ok()?.parse().ok();
        if let Some(value) = text.strip_prefix(b"type") {
            self.kind = number(value).unwrap_or(0);
        } else if let Some(value) = text.strip_prefix(b"autoload") {
            self.autoload = number(value).unwrap_or(1);
        } else if let Some(key) = KEYS.iter().find(|key| text.starts_with(key.as_bytes())) {
            self.set(key, &text[key.len()..]);
        }
    }

    /// Whether there is room for a text.
    pub(super) fn fits(version: Version, key: &str, value: &[u8]) -> bool {
        match (version, key) {
            (Version::Si5, _) => true,
            (_, "description") => value.len() <= si4::DESCRIPTION,
            _ => value.len() <= si4::FLAG_NAME,
        }
    }
}
