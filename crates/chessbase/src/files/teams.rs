//! `.cbe`: teams.
//!
//! ```
//! use tabiya_chessbase::files::teams::Team;
//!
//! let team = Team::new(b"Baden-Baden");
//! assert_eq!(team.title.text(), b"Baden-Baden");
//! ```

use std::cmp::Ordering;

use super::{Field, FileKind, bytes::Fields, entity::Entity, nations::Nation};

/// A team.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Team {
    /// What it is called.
    pub title: Field<45>,
    /// Which team of a club it is: 2 for the second one; 0 if it has but one.
    pub number: i32,
    /// Whether it played from autumn to spring. Not 0 if so.
    pub season: u8,
    /// The year, or the first one of the season; 0 if it is not known.
    pub year: i32,
    /// Where it comes from.
    pub nation: Nation,
}

impl Team {
    /// A team, of whose name so much is kept as fits.
    #[must_use]
    pub fn new(title: &[u8]) -> Team {
        Team {
            title: Field::filled(title),
            ..Team::default()
        }
    }
}

impl Entity for Team {
    const FILE: FileKind = FileKind::Teams;
    const SIZE: usize = 55;

    fn read(bytes: &[u8]) -> Team {
        let mut fields = Fields::new(bytes);
        Team {
            title: Field::from_bytes(fields.array()),
            number: fields.i32_le(),
            season: fields.u8(),
            year: fields.i32_le(),
            nation: Nation(fields.u8()),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.title.as_bytes());
        bytes.extend(self.number.to_le_bytes());
        bytes.push(self.season);
        bytes.extend(self.year.to_le_bytes());
        bytes.push(self.nation.0);
    }

    /// Seasons come before years.
    fn compare(&self, other: &Team) -> Ordering {
        let rest = |team: &Team| (team.number, team.season == 0, team.year, team.nation.0);
        let title = self.title.compare_unsigned(&other.title);
        title.then_with(|| rest(self).cmp(&rest(other)))
    }
}
