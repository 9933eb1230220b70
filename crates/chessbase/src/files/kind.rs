//! Which file of the family.

use std::fmt;

/// A file of the family, told by its extension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum FileKind {
    /// `.cbh`: headers.
    Headers,
    /// `.cbg`: moves and texts.
    Moves,
    /// `.cba`: annotations.
    Annotations,
    /// `.cbj`: extended headers.
    Extended,
    /// `.cbp`: players.
    Players,
    /// `.cbt`: tournaments.
    Tournaments,
    /// `.cbtt`: more about tournaments.
    TournamentExtra,
    /// `.cbc`: annotators.
    Annotators,
    /// `.cbs`: sources.
    Sources,
    /// `.cbe`: teams.
    Teams,
    /// `.cbl`: titles of games.
    GameTags,
    /// `.flags`: marks for the best games.
    Flags,
    /// `.ini`: title and kind of the database.
    Ini,
}

impl FileKind {
    /// All of them.
    pub const ALL: [FileKind; 13] = [
        FileKind::Headers,
        FileKind::Moves,
        FileKind::Annotations,
        FileKind::Extended,
        FileKind::Players,
        FileKind::Tournaments,
        FileKind::TournamentExtra,
        FileKind::Annotators,
        FileKind::Sources,
        FileKind::Teams,
        FileKind::GameTags,
        FileKind::Flags,
        FileKind::Ini,
    ];

    /// The extension, in small letters and without a dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            FileKind::Headers => "cbh",
            FileKind::Moves => "cbg",
            FileKind::Annotations => "cba",
            FileKind::Extended => "cbj",
            FileKind::Players => "cbp",
            FileKind::Tournaments => "cbt",
            FileKind::TournamentExtra => "cbtt",
            FileKind::Annotators => "cbc",
            FileKind::Sources => "cbs",
            FileKind::Teams => "cbe",
            FileKind::GameTags => "cbl",
            FileKind::Flags => "flags",
            FileKind::Ini => "ini",
        }
    }

    /// The kind that an extension stands for, in whatever case it is written.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<FileKind> {
        FileKind::ALL
            .into_iter()
            .find(|kind| kind.extension().eq_ignore_ascii_case(extension))
    }

    /// Whether every database has this file. Databases of ChessBase 6 consist of nothing else.
    #[must_use]
    pub const fn is_essential(self) -> bool {
        matches!(
            self,
            FileKind::Headers
                | FileKind::Moves
                | FileKind::Annotations
                | FileKind::Players
                | FileKind::Tournaments
                | FileKind::Annotators
                | FileKind::Sources
        )
    }
}

/// With a dot: `.cbh`.
impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.extension())
    }
}
