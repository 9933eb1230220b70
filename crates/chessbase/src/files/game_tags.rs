//! `.cbl`: titles of games, in up to eight languages.
//!
//! ```
//! use tabiya_chessbase::files::game_tags::GameTag;
//!
//! let mut tag = GameTag::default();
//! tag.set(0, b"The Immortal Game");
//! tag.set(1, b"Die Unsterbliche");
//! assert_eq!(tag.titles[1].text(), b"Die Unsterbliche");
//! ```

use std::cmp::Ordering;

use super::{Field, FileKind, bytes::Fields, entity::Entity};

/// The languages of titles in the order of the file. The seventh is Slovenian, where guiding texts
/// have Portuguese; the last is none in particular.
pub const LANGUAGES: [&str; 8] = ["en", "de", "fr", "es", "it", "nl", "sl", ""];

/// The title of a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct GameTag {
    /// The titles by [`LANGUAGES`]; empty where there is none.
    pub titles: [Field<200>; 8],
}

impl GameTag {
    /// Sets the title in one of the eight languages. So much is kept as fits.
    pub fn set(&mut self, language: usize, title: &[u8]) {
        self.titles[language] = Field::new(title);
    }

    /// Whether there is a title in no language.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.titles.iter().all(Field::is_empty)
    }
}

impl Entity for GameTag {
    const FILE: FileKind = FileKind::GameTags;
    const SIZE: usize = 1600;

    fn read(bytes: &[u8]) -> GameTag {
        let mut fields = Fields::new(bytes);
        let titles = std::array::from_fn(|_| Field::from_bytes(fields.array()));
        GameTag { titles }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        for title in &self.titles {
            bytes.extend(title.as_bytes());
        }
    }

    fn compare(&self, other: &GameTag) -> Ordering {
        let mut pairs = self.titles.iter().zip(&other.titles);
        let different = pairs.find_map(|(a, b)| Some(a.compare_signed(b)).filter(|o| o.is_ne()));
        different.unwrap_or(Ordering::Equal)
    }
}
