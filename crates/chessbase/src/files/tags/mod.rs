//! Headers as the tags of a game, and back.
//!
//! Names, order and spelling are those of ChessBase's own export. What it leaves out has tags of
//! our own:
//!
//! | tag | what |
//! |---|---|
//! | `Termination "forfeit"` | with the result `1/2-1/2`: a draw that was not played |
//! | `LineEvaluation "$18"` | with the result `*`: the NAG that judges a line |
//! | `Medals "novelty, sacrifice"` | the medals of the game |
//! | `TopGame "1"` | one of the best games of the database, by its `.flags` |
//! | `EventEndDate` | when the tournament ended |
//! | `WhiteTeamNumber`, `WhiteTeamYear` | which team of a club, and when; `2016/17` is a season |
//! | `WhiteRatingType "national GER 1 DWZ"` | whose rating it is, unless it is FIDE's for long games |
//! | `GameTitle`, `GameTitle_de`, … | titles by language |
//! | `ScidFlags "D"` | the game is marked as deleted; the tag is Scid's, so that the mark goes from one program to the other |
//!
//! ```
//! use std::borrow::Cow;
//! use tabiya_chessbase::files::tags::{FromMoves, game_tags, parts};
//! use tabiya_game::Tags;
//!
//! fn decode(bytes: &[u8]) -> Cow<'_, str> {
//!     String::from_utf8_lossy(bytes)
//! }
//! fn encode(text: &str) -> Cow<'_, [u8]> {
//!     text.as_bytes().into()
//! }
//!
//! let tags: Tags = [("White", "Tal, Mikhail"), ("Round", "5.2"), ("WhiteTitle", "GM")]
//!     .into_iter()
//!     .collect();
//! let moves = FromMoves::default();
//! let parts = parts(&tags, &moves, &encode, &decode);
//! assert_eq!(parts.details.white.last.text(), b"Tal");
//! assert_eq!((parts.record.round, parts.record.subround), (5, 2));
//! // Players have no titles.
//! assert_eq!(parts.leftovers[0].name, "WhiteTitle");
//! let again = game_tags(&parts.record, &parts.extended, &parts.details, &moves, &decode);
//! assert_eq!(again.white(), Some("Tal, Mikhail"));
//! ```

mod leftover;
mod look_up;
mod occasion;
mod parts;
mod sheet;
mod spelling;
mod tell;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use tabiya_chess::Variant;

pub use leftover::Leftover;
pub(crate) use leftover::find as find_leftovers;
pub use look_up::{Details, Warning, WarningKind, look_up, look_up_text};
pub(crate) use occasion::Occasion;
pub(crate) use parts::fit;
pub use parts::{Parts, parts};
pub use sheet::{EventSheet, Sheet, SourceSheet, TeamSheet};
pub(crate) use tell::sheet;
pub use tell::{game_tags, tell_game_tags, tell_sheet, text_tags, tournament_tags};

/// Turns the bytes of a name into text. No file says which code page they are in.
pub type Decode<'d> = &'d dyn for<'t> Fn(&'t [u8]) -> Cow<'t, str>;

/// Turns text into the bytes of a name.
pub type Encode<'d> = &'d dyn for<'t> Fn(&'t str) -> Cow<'t, [u8]>;

/// The tag that has marks of people, and the mark for deleted games: as Scid has them.
const FLAGS: &str = "ScidFlags";
const DELETED: &str = "D";

/// What a tag `Variant` says of rules that are not the usual ones.
#[must_use]
pub const fn variant_tag(variant: Variant) -> Option<&'static str> {
    match variant {
        Variant::Standard => None,
        Variant::Chess960 => Some("Chess960"),
        Variant::Antichess => Some(variant.name()),
    }
}

/// What the moves of a game tell its tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FromMoves<'m> {
    /// The start position, if it is not the initial one.
    pub fen: Option<&'m str>,
    /// The rules, if they are not the usual ones.
    pub variant: Option<&'m str>,
    /// Plies of the main line, for a `PlyCount` tag.
    pub plies: Option<usize>,
}
