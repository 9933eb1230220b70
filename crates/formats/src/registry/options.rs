//! How databases are read and written, and what single formats let one set.

use std::{collections::BTreeMap, fmt};

use encoding_rs::Encoding;
use tabiya_game::Limits;

use crate::writing::Wishes;

/// How a database is read.
#[derive(Clone, Default, Debug)]
pub struct ReadOptions {
    /// The encoding of texts, where the format does not say.
    pub encoding: Option<&'static Encoding>,
    /// Limits against hostile files.
    pub limits: Limits,
    /// Entries that are marked as deleted are wanted too.
    pub deleted: bool,
    /// Of what is damaged or cut off, what can be read is wanted; the rest is a warning.
    pub salvage: bool,
    /// What single formats let one set.
    pub settings: Settings,
}

/// How games are written. What is not wanted is left out and is not lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// Comments and annotations are wanted.
    pub comments: bool,
    /// Variations are wanted.
    pub variations: bool,
    /// NAGs are wanted.
    pub nags: bool,
    /// What single formats let one set.
    pub settings: Settings,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            comments: true,
            variations: true,
            nags: true,
            settings: Settings::new(),
        }
    }
}

impl WriteOptions {
    /// What of games is wanted, for writers.
    #[must_use]
    pub fn wishes(&self) -> Wishes {
        Wishes {
            comments: self.comments,
            variations: self.variations,
            nags: self.nags,
        }
    }
}

/// Something that can be set for a format, as the format declares it. Formats may share one: two
/// kinds of archives have one `password`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// Its name: small letters and hyphens.
    pub name: &'static str,
    /// What it does, for people.
    pub help: &'static str,
    /// What it can be.
    pub kind: OptionKind,
}

/// The password of a database, for all formats that have one.
pub const PASSWORD: OptionInfo = OptionInfo {
    name: "password",
    help: "The password of an archive that has one",
    kind: OptionKind::Text,
};

/// What an option can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OptionKind {
    /// On or off; off if it is not set.
    Flag,
    /// A text.
    Text,
}

/// A value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OptionValue {
    /// On or off.
    Flag(bool),
    /// A text.
    Text(String),
}

impl From<bool> for OptionValue {
    fn from(on: bool) -> OptionValue {
        OptionValue::Flag(on)
    }
}

impl From<&str> for OptionValue {
    fn from(text: &str) -> OptionValue {
        OptionValue::Text(text.to_string())
    }
}

impl From<String> for OptionValue {
    fn from(text: String) -> OptionValue {
        OptionValue::Text(text)
    }
}

/// What was set for formats, by name. A format looks for its own options and at no others, so that
/// the same settings serve many files.
///
/// ```
/// use tabiya_formats::{pgn, registry::Settings};
///
/// let settings = Settings::new().with(&pgn::ONE_LINE, true);
/// assert!(settings.flag(&pgn::ONE_LINE));
/// assert!(!settings.flag(&pgn::KEEP_RAW));
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Settings(BTreeMap<&'static str, OptionValue>);

impl fmt::Debug for Settings {
    /// What is set, but not to what: one of them may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Settings {
    /// Nothing is set.
    #[must_use]
    pub const fn new() -> Settings {
        Settings(BTreeMap::new())
    }

    /// Sets an option.
    pub fn set(&mut self, option: &OptionInfo, value: impl Into<OptionValue>) {
        self.0.insert(option.name, value.into());
    }

    /// With an option that is set.
    #[must_use]
    pub fn with(mut self, option: &OptionInfo, value: impl Into<OptionValue>) -> Settings {
        self.set(option, value);
        self
    }

    /// Whether an option is on.
    #[must_use]
    pub fn flag(&self, option: &OptionInfo) -> bool {
        matches!(self.0.get(option.name), Some(OptionValue::Flag(true)))
    }

    /// The text that was set.
    #[must_use]
    pub fn text(&self, option: &OptionInfo) -> Option<&str> {
        match self.0.get(option.name) {
            Some(OptionValue::Text(text)) => Some(text),
            _ => None,
        }
    }
}
