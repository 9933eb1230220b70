//! Which games are wanted.
//!
//! A [`Filter`] asks questions of the tags and of the length of a game. All that are asked must be
//! answered with yes. A part of the tag is enough for texts, and neither case nor accents, spaces or
//! the order of words count ([`fold`]).
//!
//! ```
//! use tabiya_game::{Filter, Tags};
//!
//! let filter = Filter {
//!     player: Some("Emanuel Lasker".into()),
//!     elo: Some("2600..".parse()?),
//!     ..Filter::default()
//! };
//! let tags: Tags = [("White", "Réti, Richard"), ("Black", "Lasker, Emanuel"), ("BlackElo", "2720")]
//!     .into_iter()
//!     .collect();
//! assert!(filter.accepts_tags(&tags));
//! # Ok::<(), tabiya_game::ParseSpanError>(())
//! ```
//!
//! # What counts
//!
//! | question | the game is wanted if |
//! |---|---|
//! | `player` | White's name or Black's name has the text; `Emanuel Lasker` is `Lasker, Emanuel` and, where the game has no more than an initial, `Lasker,E` |
//! | `white`, `black` | that player's name has it |
//! | `event`, `site` | that tag has the text, or all its words in any order |
//! | `since`, `until` | the date may lie in the range: `1921.??.??` is neither before nor after 1921.06.01. A game whose year is unknown never is. `UTCDate` counts where `Date` is unknown |
//! | `elo` | the rating of at least one player lies in the range |
//! | `eco` | the code lies in one of the ranges, compared as far as the ends go: `B9` is B90 to B99 |
//! | `result` | the `Result` tag says so, or the end of the game where the tag is missing; a win by forfeit is a win |
//! | `plies` | the main line has so many plies, null moves and plies left out included |
//!
//! If a tag is there twice, the first counts. All but `plies` are decided before a move is played.

mod eco;
pub mod fold;
mod judge;
mod sink;
mod words;

use crate::{Date, GameResult, Span, Tags};

pub use eco::{EcoSpan, ParseEcoError};
pub use sink::Filtered;
pub use words::Words;

use judge::Judge;

/// Questions to a game; those that are `None` are not asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// White or Black.
    pub player: Option<Words>,
    /// White.
    pub white: Option<Words>,
    /// Black.
    pub black: Option<Words>,
    /// The event.
    pub event: Option<Words>,
    /// The site.
    pub site: Option<Words>,
    /// The first day.
    pub since: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
    /// The rating of either player.
    pub elo: Option<Span<u16>>,
    /// The opening's code, in any of these ranges; not asked if there is none.
    pub eco: Vec<EcoSpan>,
    /// The result, by its token.
    pub result: Option<GameResult>,
    /// The length of the main line.
    pub plies: Option<Span<u64>>,
}

impl Filter {
    /// Whether every game is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Whether the tags answer all questions to them. [`Filter::plies`] is not asked, nor is
    /// [`Filter::result`] where there is no tag for it.
    #[must_use]
    pub fn accepts_tags(&self, tags: &Tags) -> bool {
        let mut judge = Judge::default();
        for (name, value) in tags.iter() {
            judge.tag(self, name, value);
        }
        judge.accepts(self)
    }
}
