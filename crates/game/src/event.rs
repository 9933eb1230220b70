//! One step in a game, in the order a reader meets it.

use std::fmt;

use tabiya_chess::{Move, Position};

use crate::{Annotation, GameResult, GameState, Nag, Place};

/// One step in an entry of a database.
///
/// A game is `GameStart`, any number of `Tag`, one `Start`, the movetext, `GameEnd`. Events
/// borrow from their reader and live as long as the call that brings them.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A game begins here.
    GameStart(Place),
    /// A tag pair.
    Tag {
        /// Its name.
        name: &'a str,
        /// Its value, without quotation marks and escapes.
        value: &'a str,
    },
    /// The position before the first move; its variant is that of the game.
    Start(&'a Position),
    /// A legal move; or one that the board can take, with an [`Error`](Event::Error) behind it that
    /// says it is not legal.
    Move {
        /// The position in which it is played.
        before: &'a Position,
        /// The move.
        play: Move,
        /// The position after it: always there for a sink that needs it
        /// ([`Needs::after`](crate::Needs::after)), else only if it happens to be at hand.
        after: Option<&'a Position>,
    },
    /// A null move: the turn passes.
    Null {
        /// The position in which it is played.
        before: &'a Position,
        /// The position after it, as that of a move.
        after: Option<&'a Position>,
    },
    /// A ply that was left out. The board does not change; the turn passes, unless the move after
    /// it is by the same side.
    Missing,
    /// A glyph on the move before it, or on the start of the line.
    Nag(Nag),
    /// A text.
    Comment(Comment<'a>),
    /// A typed annotation of the move before it.
    Annotation(&'a Annotation),
    /// Something that could not be read.
    Error(GameError<'a>),
    /// What follows replaces the move before it.
    VariationStart,
    /// Back to the line that the variation left, after the move it replaced.
    VariationEnd,
    /// The game ends.
    GameEnd {
        /// How.
        result: GameResult,
        /// Whether everything could be read.
        state: GameState,
    },
    /// A text of the database that belongs to no game.
    Text {
        /// Where it stands.
        place: Place,
        /// Its title.
        title: &'a str,
        /// Its language, as a code such as `en`, if it has one.
        language: Option<&'a str>,
        /// Its contents.
        text: &'a str,
    },
    /// An entry that nobody understands, kept as it is.
    Opaque {
        /// Where it stands.
        place: Place,
        /// The format it comes from, and behind a comma what it is, or its
        /// [damage](crate::Damage).
        format: &'a str,
        /// Its bytes.
        bytes: &'a [u8],
    },
}

impl Event<'_> {
    /// Where the entry stands that begins with this event; `None` for all other events. The next
    /// event may be of the same entry, if it has the same number: a text in several languages is
    /// told as several texts.
    #[must_use]
    pub fn entry(&self) -> Option<Place> {
        match *self {
            Event::GameStart(place) | Event::Text { place, .. } | Event::Opaque { place, .. } => {
                Some(place)
            }
            _ => None,
        }
    }
}

/// Whether a comment stands before or after its move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CommentPlace {
    /// Before the move that follows.
    Before,
    /// After the move that precedes.
    After,
}

/// A text about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'a> {
    /// Before or after the move.
    pub place: CommentPlace,
    /// Its language, as a code such as `en`, if the format knows one.
    pub language: Option<&'a str>,
    /// The text, commands of programs included.
    pub text: &'a str,
}

/// Something in a game that could not be read. What stood there is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameError<'a> {
    /// What is wrong.
    pub kind: GameErrorKind,
    /// A sentence for people.
    pub message: &'a str,
    /// The text as it stood in the input, to the end of the line it spoils.
    pub raw: &'a str,
    /// Where it stands.
    pub place: Place,
    /// Where it stood in the file that was first found broken, if the game was converted since.
    pub first: Option<Place>,
}

impl GameError<'_> {
    /// Where it stood in the file that was first found broken: what a writer keeps, so that a
    /// game that is written again is written the same.
    #[must_use]
    pub fn origin(&self) -> Place {
        self.first.unwrap_or(self.place)
    }
}

/// What is wrong in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum GameErrorKind {
    /// A move that is not legal.
    IllegalMove,
    /// A move that fits several pieces.
    AmbiguousMove,
    /// Something that is not a move.
    Unreadable,
    /// A start position that is none.
    BadStart,
    /// A variant whose rules are not known here.
    UnknownVariant,
    /// A tag that is not built like one.
    BadTag,
    /// A comment or a variation without an end, or an end without a beginning.
    Unbalanced,
    /// A limit was reached.
    Limit,
}

impl GameErrorKind {
    /// All kinds.
    pub const ALL: [GameErrorKind; 8] = [
        GameErrorKind::IllegalMove,
        GameErrorKind::AmbiguousMove,
        GameErrorKind::Unreadable,
        GameErrorKind::BadStart,
        GameErrorKind::UnknownVariant,
        GameErrorKind::BadTag,
        GameErrorKind::Unbalanced,
        GameErrorKind::Limit,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GameErrorKind::IllegalMove => "illegal move",
            GameErrorKind::AmbiguousMove => "ambiguous move",
            GameErrorKind::Unreadable => "unreadable text",
            GameErrorKind::BadStart => "bad start position",
            GameErrorKind::UnknownVariant => "unknown variant",
            GameErrorKind::BadTag => "bad tag",
            GameErrorKind::Unbalanced => "unbalanced brackets",
            GameErrorKind::Limit => "limit reached",
        }
    }
}

impl fmt::Display for GameErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
