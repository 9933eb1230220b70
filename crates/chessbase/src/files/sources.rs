//! `.cbs`: sources, which are the publications that games come from.
//!
//! ```
//! use tabiya_chessbase::files::sources::{Quality, Source};
//!
//! assert_eq!(Source::default().quality(), Quality::Unset);
//! ```

use std::cmp::Ordering;

use super::{Field, FileKind, PackedDate, bytes::Fields, entity::Entity};

/// A source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Source {
    /// What the publication is called.
    pub title: Field<25>,
    /// Who published it.
    pub publisher: Field<16>,
    /// When it was published.
    pub publication: PackedDate,
    /// When this version of it was made.
    pub date: PackedDate,
    /// The number of the version; 0 if there is none.
    pub version: u8,
    /// How good it is: 1 high, 2 medium, 3 low; 0 if nobody judged.
    pub quality: u8,
}

/// How good a source is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Quality {
    /// Nobody judged.
    Unset,
    /// High.
    High,
    /// Medium.
    Medium,
    /// Low.
    Low,
    /// A number that no program is known to write.
    Other(u8),
}

impl Source {
    /// How good it is.
    #[must_use]
    pub const fn quality(&self) -> Quality {
        match self.quality {
            0 => Quality::Unset,
            1 => Quality::High,
            2 => Quality::Medium,
            3 => Quality::Low,
            other => Quality::Other(other),
        }
    }
}

impl Entity for Source {
    const FILE: FileKind = FileKind::Sources;
    const SIZE: usize = 51;

    fn read(bytes: &[u8]) -> Source {
        let mut fields = Fields::new(bytes);
        Source {
            title: Field::from_bytes(fields.array()),
            publisher: Field::from_bytes(fields.array()),
            publication: PackedDate(fields.u32_le()),
            date: PackedDate(fields.u32_le()),
            version: fields.u8(),
            quality: fields.u8(),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.title.as_bytes());
        bytes.extend(self.publisher.as_bytes());
        bytes.extend(self.publication.0.to_le_bytes());
        bytes.extend(self.date.0.to_le_bytes());
        bytes.extend([self.version, self.quality]);
    }

    fn compare(&self, other: &Source) -> Ordering {
        let rest = |source: &Source| {
            let dates = [source.publication.0, source.date.0].map(u32::cast_signed);
            (dates, source.version, source.quality)
        };
        let title = self.title.compare_signed(&other.title);
        title
            .then_with(|| self.publisher.compare_signed(&other.publisher))
            .then_with(|| rest(self).cmp(&rest(other)))
    }
}
