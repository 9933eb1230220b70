//! The files of a `.2cbh` database by their extensions.

use std::{fmt, path::Path};

/// A file of the family, told by its extension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FileKind {
    /// `.2cbh`: headers.
    Headers,
    /// `.2cbg`: moves and texts.
    Moves,
    /// `.2cba`: annotations.
    Annotations,
    /// `.2lid`: names.
    Entities,
    /// `.2lgd`: the games of each name.
    Lists,
    /// `.2lcd`: the order of names.
    Orders,
}

impl FileKind {
    /// All of them.
    pub const ALL: [FileKind; 6] = [
        FileKind::Headers,
        FileKind::Moves,
        FileKind::Annotations,
        FileKind::Entities,
        FileKind::Lists,
        FileKind::Orders,
    ];

    /// The extension, in small letters and without a dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            FileKind::Headers => "2cbh",
            FileKind::Moves => "2cbg",
            FileKind::Annotations => "2cba",
            FileKind::Entities => "2lid",
            FileKind::Lists => "2lgd",
            FileKind::Orders => "2lcd",
        }
    }

    /// The kind that an extension stands for, in whatever case it is written.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<FileKind> {
        let is = |kind: &FileKind| kind.extension().eq_ignore_ascii_case(extension);
        FileKind::ALL.into_iter().find(is)
    }

    pub(crate) fn of(path: &Path) -> Option<FileKind> {
        FileKind::from_extension(path.extension()?.to_str()?)
    }
}

/// With a dot: `.2cbh`.
impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.extension())
    }
}
