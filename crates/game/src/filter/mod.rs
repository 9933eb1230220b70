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
//! | `player` | White's name or Black's name has the text; `Emanuel Lasker` is `Lasker, Emanuel` and, where the game has no more than an initial, `Lasker,E`; in quotation marks, `"Lasker,E"` is that name alone |
//! | `versus` | the name of the other player has the text; without `player`, that of either |
//! | `white`, `black` | that player's name has it |
//! | `event`, `site` | that tag has the text, or all its words in any order |
//! | `since`, `until` | the date may lie in the range: `1921.??.??` is neither before nor after 1921.06.01. A game whose year is unknown never is. `UTCDate` counts where `Date` is unknown |
//! | `elo` | the rating of at least one player lies in the range |
//! | `elo_difference` | White's rating less Black's lies in the range; both must be known |
//! | `elo_mean` | the mean of both ratings does |
//! | `titles` | a player has one of these titles: `GM` is not `WGM` |
//! | `fide_id` | a player has that FIDE id |
//! | `time_control` | the tag `TimeControl` is that one, or of that class ([`TimeControl`]) |
//! | `eco` | the code lies in one of the ranges, compared as far as the ends go: `B9` is B90 to B99 |
//! | `result` | the `Result` tag says so, or the end of the game where the tag is missing; a win by forfeit is a win |
//! | `chess960` | it starts from the position of that number, with all castling rights; 518 is the usual one |
//! | `plies` | the main line has so many plies, null moves and plies left out included |
//! | `comment` | one of its comments has the text, or all its words in any order; variations count, and so do commands of programs in comments |
//!
//! If a tag is there twice, the first counts. All but `plies` and `comment` are decided before a move
//! is played. [`Filter::of_tags`] and [`Filter::of_game`] tell what tags answer from what they do not.

mod eco;
pub mod fold;
mod judge;
mod sink;
mod time_control;
mod words;

use crate::{Date, GameResult, GameTree, Span, Tags};

pub use eco::{EcoSpan, ParseEcoError};
pub use sink::Filtered;
pub use time_control::{ParseTimeControlError, TimeControl};
pub use words::Words;

use judge::Judge;

/// Questions to a game; those that are `None` are not asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// White or Black.
    pub player: Option<Words>,
    /// The opponent of `player`.
    pub versus: Option<Words>,
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
    /// White's rating less Black's.
    pub elo_difference: Option<Span<i32>>,
    /// The mean of both ratings.
    pub elo_mean: Option<Span<u16>>,
    /// A title of either player, one of these; not asked if there is none.
    pub titles: Vec<String>,
    /// The FIDE id of either player.
    pub fide_id: Option<u32>,
    /// The time control.
    pub time_control: Option<TimeControl>,
    /// The opening's code, in any of these ranges; not asked if there is none.
    pub eco: Vec<EcoSpan>,
    /// The result, by its token.
    pub result: Option<GameResult>,
    /// The number of the Chess960 start.
    pub chess960: Option<u16>,
    /// The length of the main line.
    pub plies: Option<Span<u64>>,
    /// A text in comments.
    pub comment: Option<Words>,
}

impl Filter {
    /// Whether every game is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// The questions that tags answer, for who knows them without the game. [`Filter::result`] is
    /// one, though a game without the tag answers it by its end.
    #[must_use]
    pub fn of_tags(&self) -> Filter {
        Filter {
            chess960: None,
            plies: None,
            comment: None,
            ..self.clone()
        }
    }

    /// The other questions: about the start, the moves and the comments.
    #[must_use]
    pub fn of_game(&self) -> Filter {
        Filter {
            chess960: self.chess960,
            plies: self.plies,
            comment: self.comment.clone(),
            ..Filter::default()
        }
    }

    /// Whether a game of that date is wanted; one without a year only if no date is asked for.
    #[must_use]
    pub fn accepts_date(&self, date: Date) -> bool {
        let (since, until) = (self.since, self.until);
        let is_asked = since.is_some() || until.is_some();
        !is_asked
            || date.year.is_some()
                && since.is_none_or(|since| date.latest() >= since.earliest())
                && until.is_none_or(|until| date.earliest() <= until.latest())
    }

    /// Whether a game answers all questions.
    ///
    /// ```
    /// use tabiya_game::{Filter, GameTree};
    ///
    /// let short = Filter { plies: "..20".parse().ok(), ..Filter::default() };
    /// assert!(short.accepts(&GameTree::default()));
    /// ```
    #[must_use]
    pub fn accepts(&self, game: &GameTree) -> bool {
        let mut filtered = Filtered::new(self, ());
        game.tell(&mut filtered);
        filtered.dropped() == 0
    }

    /// Whether a title is one of these.
    #[must_use]
    pub fn has_title(titles: &[String], title: &str) -> bool {
        let is_it = |wanted: &String| wanted.trim().eq_ignore_ascii_case(title.trim());
        titles.iter().any(is_it)
    }

    /// Whether a game between players of these ratings is wanted.
    #[must_use]
    pub fn accepts_ratings(&self, white: Option<u16>, black: Option<u16>) -> bool {
        let either = |span: &Span<u16>| {
            let mut known = [white, black].into_iter().flatten();
            known.any(|elo| span.contains(&elo))
        };
        let both = white.zip(black).map(|(white, black)| {
            let (white, black) = (i32::from(white), i32::from(black));
            (white - black, white + black)
        });
        let differ = |span: &Span<i32>| both.is_some_and(|(by, _)| span.contains(&by));
        // Twice the mean, so that nothing is rounded.
        let twice = |end: Option<u16>| end.map(|end| 2 * i32::from(end));
        let mean = |span: &Span<u16>| {
            let (least, most) = (twice(span.least), twice(span.most));
            both.is_some_and(|(_, sum)| Span { least, most }.contains(&sum))
        };
        self.elo.as_ref().is_none_or(either)
            && self.elo_difference.as_ref().is_none_or(differ)
            && self.elo_mean.as_ref().is_none_or(mean)
    }

    /// Whether a tag with this value is to every filter as if it were not there, as a rating that is
    /// no number.
    ///
    /// ```
    /// use tabiya_game::Filter;
    ///
    /// assert!(Filter::ignores("WhiteElo", "?"));
    /// assert!(!Filter::ignores("WhiteElo", "2500"));
    /// assert!(!Filter::ignores("White", "?"));
    /// ```
    #[must_use]
    pub fn ignores(tag: &str, value: &str) -> bool {
        judge::says_nothing(tag, value)
    }

    /// Whether the tags answer all questions to them ([`Filter::of_tags`]). [`Filter::result`] is
    /// not asked where there is no tag for it.
    #[must_use]
    pub fn accepts_tags(&self, tags: &Tags) -> bool {
        let mut judge = Judge::default();
        for (name, value) in tags.iter() {
            judge.tag(self, name, value);
        }
        judge.accepts(self)
    }
}
