//! `.cbp`: players.
//!
//! ```
//! use tabiya_chessbase::files::players::Player;
//!
//! let player = Player::new(b"Tal", b"Mikhail");
//! assert_eq!(player.last.text(), b"Tal");
//! ```

use std::cmp::Ordering;

use super::{Field, FileKind, bytes::Fields, entity::Entity};

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Player {
    /// The last name, or the whole name of whoever has but one.
    pub last: Field<30>,
    /// The first name.
    pub first: Field<20>,
}

impl Player {
    /// A player, of whose names so much is kept as fits.
    #[must_use]
    pub fn new(last: &[u8], first: &[u8]) -> Player {
        Player {
            last: Field::new(last),
            first: Field::new(first),
        }
    }
}

impl Entity for Player {
    const FILE: FileKind = FileKind::Players;
    const SIZE: usize = 50;

    fn read(bytes: &[u8]) -> Player {
        let mut fields = Fields::new(bytes);
        Player {
            last: Field::from_bytes(fields.array()),
            first: Field::from_bytes(fields.array()),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.last.as_bytes());
        bytes.extend(self.first.as_bytes());
    }

    /// By unsigned bytes. One file of ChessBase 6 is sorted by signed ones.
    fn compare(&self, other: &Player) -> Ordering {
        let last = self.last.compare_unsigned(&other.last);
        last.then_with(|| self.first.compare_unsigned(&other.first))
    }
}
