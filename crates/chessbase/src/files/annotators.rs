//! `.cbc`: annotators.
//!
//! ```
//! use tabiya_chessbase::files::annotators::Annotator;
//!
//! assert_eq!(Annotator::new(b"Nunn").name.text(), b"Nunn");
//! ```

use std::cmp::Ordering;

use super::{Field, FileKind, bytes::Fields, entity::Entity};

/// An annotator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Annotator {
    /// The name; empty if nobody annotated.
    pub name: Field<45>,
}

impl Annotator {
    /// An annotator, of whose name so much is kept as fits.
    #[must_use]
    pub fn new(name: &[u8]) -> Annotator {
        let name = Field::new(name);
        Annotator { name }
    }
}

impl Entity for Annotator {
    const FILE: FileKind = FileKind::Annotators;
    const SIZE: usize = 45;

    fn read(bytes: &[u8]) -> Annotator {
        let name = Field::from_bytes(Fields::new(bytes).array());
        Annotator { name }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.name.as_bytes());
    }

    fn compare(&self, other: &Annotator) -> Ordering {
        self.name.compare_signed(&other.name)
    }
}
