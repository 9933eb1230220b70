//! What is wrong with games.
//!
//! A [`Checker`] is a sink that hears games and keeps [`Finding`]s: everything the reader could
//! not read, and what contradicts itself although it can be read. [`repair`] mends in a
//! [`GameTree`](crate::GameTree) what can be mended without guessing.
//!
//! Tags have no place of their own in the stream, so what is wrong with them, and with the result,
//! is found at the place where the game begins.
//!
//! ```
//! use tabiya_chess::{Move, Square};
//! use tabiya_game::{GameResult, GameTree, Item, check::{Checker, FindingKind, Severity}};
//!
//! let mut tree = GameTree::default();
//! for name in tabiya_game::ROSTER {
//!     tree.tags.push(name, "?");
//! }
//! tree.items.push(Item::Move(Move::new(Square::E2, Square::E4)));
//! tree.result = GameResult::WhiteWins;
//!
//! let mut checker = Checker::default();
//! tree.tell(&mut checker);
//! let findings = checker.take_findings();
//! assert_eq!(findings[0].kind, FindingKind::ResultUnknown);
//! assert_eq!(findings[0].kind.severity(), Severity::Warning);
//! assert_eq!(findings[0].message, "the tag Result says ?, the moves end with 1-0");
//! ```

mod checker;
mod repair;
#[cfg(test)]
mod tests;

use std::fmt;

pub use checker::Checker;
pub use repair::{Fix, repair};

use crate::{GameErrorKind, Place};

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Nothing is wrong; it is worth knowing.
    Note,
    /// Readers disagree about such games, or something is missing.
    Warning,
    /// The game cannot be read in full, or contradicts itself.
    Error,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What kind of thing was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum FindingKind {
    /// Something that the reader could not read.
    Reading(GameErrorKind),
    /// The tag `Result` says something else than the end of the moves.
    ResultsDiffer,
    /// The tag `Result` knows the result and the end of the moves does not, or the other way round.
    ResultUnknown,
    /// The result is not the one of the last position: the loser has mated, a stalemate is won.
    ImpossibleResult,
    /// The tag `Result` has a value that is none.
    BadResult,
    /// The tags do not say who played, or how it ended.
    MissingTags,
    /// Other tags of the roster are not there: `Event`, `Site`, `Date`, `Round`. Many servers leave
    /// out some.
    IncompleteRoster,
    /// Two tags have one name.
    RepeatedTag,
    /// A date that does not exist.
    BadDate,
    /// A rating that is no number, or too large.
    BadRating,
    /// The start position is one that no game can reach.
    OddStart,
    /// The tag `SetUp` promises a FEN that is not there, or is not there beside a FEN.
    SetUp,
    /// The tag `PlyCount` counts other plies than those of the main line.
    WrongPlyCount,
    /// The main line has a null move.
    NullMove,
    /// A ply was left out.
    MissingPly,
    /// The game has no moves.
    NoMoves,
}

impl FindingKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FindingKind::Reading(kind) => kind.name(),
            FindingKind::ResultsDiffer => "results differ",
            FindingKind::ResultUnknown => "unknown result",
            FindingKind::ImpossibleResult => "impossible result",
            FindingKind::BadResult => "bad result",
            FindingKind::MissingTags => "missing tags",
            FindingKind::IncompleteRoster => "incomplete roster",
            FindingKind::RepeatedTag => "repeated tag",
            FindingKind::BadDate => "bad date",
            FindingKind::BadRating => "bad rating",
            FindingKind::OddStart => "odd start position",
            FindingKind::SetUp => "set-up tags",
            FindingKind::WrongPlyCount => "wrong ply count",
            FindingKind::NullMove => "null move",
            FindingKind::MissingPly => "missing ply",
            FindingKind::NoMoves => "no moves",
        }
    }

    /// How bad it is.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            // The rules are strange to us, which is not the fault of the game.
            FindingKind::Reading(GameErrorKind::UnknownVariant) => Severity::Warning,
            FindingKind::Reading(_)
            | FindingKind::ResultsDiffer
            | FindingKind::ImpossibleResult => Severity::Error,
            FindingKind::ResultUnknown
            | FindingKind::BadResult
            | FindingKind::MissingTags
            | FindingKind::RepeatedTag
            | FindingKind::BadDate
            | FindingKind::BadRating
            | FindingKind::OddStart
            | FindingKind::SetUp
            | FindingKind::WrongPlyCount => Severity::Warning,
            FindingKind::IncompleteRoster
            | FindingKind::NullMove
            | FindingKind::MissingPly
            | FindingKind::NoMoves => Severity::Note,
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something that was found in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The number of the game, from 1, among those the checker has heard.
    pub game: u64,
    /// Where it is: of a tag or a result, where the game begins.
    pub place: Place,
    /// What kind of thing.
    pub kind: FindingKind,
    /// What exactly.
    pub message: String,
}
