//! What went wrong, with which file and which game, and where.

use std::{error::Error as StdError, fmt, io};

use crate::Place;

/// What went wrong: one type for all that the libraries do with databases.
///
/// Its words say what is the matter with the file; what somebody may do about it depends on the
/// program that they use, and is for that program to say.
///
/// ```
/// use tabiya_game::{Error, ErrorKind, Place};
///
/// let error = Error::new(ErrorKind::Damaged, "the record ends within a move");
/// let error = error.at(Place::at_byte(1_024)).of_game(7).in_file("games.si5");
/// assert_eq!(error.kind(), ErrorKind::Damaged);
/// assert_eq!((error.file(), error.game()), (Some("games.si5"), Some(7)));
/// assert_eq!(
///     error.to_string(),
///     "games.si5: game 7: byte 1024: the record ends within a move"
/// );
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    file: Option<String>,
    game: Option<u64>,
    place: Option<Place>,
    naming: Naming,
    cause: Box<dyn StdError + Send + Sync>,
    /// What became of it, in words that follow the others.
    consequence: Option<String>,
}

/// How a message names the file.
#[derive(Clone, Copy, Debug)]
enum Naming {
    /// `games.si5: the record ends within a move`.
    Before,
    /// `a.png is an image`: the cause goes on where the name ends, as a sentence does.
    Subject,
    /// `cannot read games.si5: the record ends within a move`.
    Trying(&'static str),
    /// The cause names it, and the game if it is about one.
    Cause,
}

/// Who or what is to blame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system could not read or write.
    Io,
    /// The file is of the format, but not as it should be.
    Damaged,
    /// Neither content nor name say what the file is.
    UnknownFormat,
    /// The file is something else than a chess database.
    Foreign,
    /// The format cannot be read, written or changed in this way.
    Unsupported,
    /// The format is that of a database of several files, and a stream of bytes was given.
    NeedsFile,
    /// Another kind of file is there, or is called so.
    WrongPlace,
    /// The file has a password.
    NeedsPassword,
    /// There is no entry of that number.
    NoSuchGame,
    /// The format cannot hold the game.
    CannotHold,
    /// The entry of that number is no game.
    NotAGame,
    /// The game of that number was not asked for.
    Filtered,
    /// A game is not as somebody expected it to be.
    Changed,
    /// What was written is there, but may be lost if the machine stops: the system could not make it
    /// last.
    NotLasting,
    /// Something is broken or would be lost, and everything was to be whole.
    NotWhole,
    /// The answer would be larger than anybody could use.
    Limit,
    /// Whoever watched the work wanted it to end.
    Cancelled,
    /// A mistake of the library.
    Internal,
}

impl Error {
    /// Something is wrong.
    #[must_use]
    pub fn new(kind: ErrorKind, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        Error(Box::new(Inner {
            kind,
            file: None,
            game: None,
            place: None,
            naming: Naming::Before,
            cause: cause.into(),
            consequence: None,
        }))
    }

    /// A file is something, or has something: the words follow its name.
    #[must_use]
    pub fn about(
        kind: ErrorKind,
        file: impl Into<String>,
        predicate: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Error {
        let mut error = Error::new(kind, predicate).in_file(file);
        error.0.naming = Naming::Subject;
        error
    }

    /// There is no entry of a number.
    #[must_use]
    pub fn no_such_game(number: u64) -> Error {
        let message = format!("there is no game {number}");
        Error::new(ErrorKind::NoSuchGame, message).of_game(number)
    }

    /// Says which file it is, unless that is known.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Error {
        self.0.file.get_or_insert_with(|| file.into());
        self
    }

    /// Says what could not be done with which file, unless the words name the file already.
    ///
    /// ```
    /// use tabiya_game::{Error, ErrorKind, Place};
    ///
    /// let cut = || Error::new(ErrorKind::Damaged, "the record ends within a move");
    /// let error = cut().at(Place::at_byte(1_024)).trying_to("read", "games.si5");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "cannot read games.si5: byte 1024: the record ends within a move"
    /// );
    /// let error = cut().in_file("games.si5").trying_to("read", "games.si5");
    /// assert_eq!(error.to_string(), "games.si5: the record ends within a move");
    /// ```
    #[must_use]
    pub fn trying_to(mut self, verb: &'static str, file: impl Into<String>) -> Error {
        let file = file.into();
        if self.0.file.is_none() {
            self.0.naming = match names_file(&self.to_string(), &file) {
                true => Naming::Cause,
                false => Naming::Trying(verb),
            };
            self.0.file = Some(file);
        }
        self
    }

    /// Says what became of it, for example that nothing was written.
    ///
    /// ```
    /// use tabiya_game::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Cancelled, "cancelled");
    /// let error = error.with_consequence("nothing was written");
    /// assert_eq!(error.to_string(), "cancelled; nothing was written");
    /// ```
    #[must_use]
    pub fn with_consequence(mut self, words: impl Into<String>) -> Error {
        self.0.consequence = Some(words.into());
        self
    }

    /// Says which game of the file it is, by its number from 1.
    #[must_use]
    pub fn of_game(mut self, number: u64) -> Error {
        self.0.game = Some(number);
        self
    }

    /// Says where in the file it is.
    #[must_use]
    pub fn at(mut self, place: Place) -> Error {
        self.0.place = Some(place);
        self
    }

    /// Who or what is to blame.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file, as it was named, if it is known.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// The number of the game in its file, if it is one game that is meant.
    #[must_use]
    pub fn game(&self) -> Option<u64> {
        self.0.game
    }

    /// Where in the file, if it is known.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }

    /// What is wrong in the words of the format, for those who know its errors.
    #[must_use]
    pub fn cause(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.0.cause
    }
}

/// Whether words name a file already: as a word of its own, which no other word can be. A file
/// called `a` or `game` is not named wherever these letters are, and is better named twice than
/// not at all.
///
/// ```
/// use tabiya_game::names_file;
///
/// assert!(names_file("cannot lock old/games.si5: it is in use", "old/games.si5"));
/// assert!(!names_file("old/games.si5 is cut off", "games.si5"));
/// assert!(!names_file("the game is cut off", "game"));
/// ```
#[must_use]
pub fn names_file(words: &str, file: &str) -> bool {
    let is_path = file.contains(['.', '/', '\\']) && file.len() > 2;
    let opens = |before: &str| before.is_empty() || before.ends_with([' ', '"', '`', '\'', '(']);
    let closes = |after: &str| {
        let after = after.trim_start_matches([',', ';', ':', '.', '"', '`', '\'', ')']);
        after.is_empty() || after.starts_with(' ')
    };
    let mut places = words.match_indices(file);
    is_path && places.any(|(at, _)| opens(&words[..at]) && closes(&words[at + file.len()..]))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.file, self.0.naming) {
            (None, _) | (_, Naming::Cause) => {}
            (Some(file), Naming::Before) => write!(f, "{file}: ")?,
            (Some(file), Naming::Subject) => write!(f, "{file} ")?,
            (Some(file), Naming::Trying(verb)) => write!(f, "cannot {verb} {file}: ")?,
        }
        let is_named =
            matches!(self.0.naming, Naming::Cause) || self.0.kind == ErrorKind::NoSuchGame;
        if let (Some(game), false) = (self.0.game, is_named) {
            write!(f, "game {game}: ")?;
        }
        if let Some(place) = self.0.place {
            write!(f, "{place}: ")?;
        }
        self.0.cause.fmt(f)?;
        match &self.0.consequence {
            Some(words) => write!(f, "; {words}"),
            None => Ok(()),
        }
    }
}

/// What the cause says is part of the message already, so its own cause comes next.
impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.cause.source()
    }
}

/// An error that went through an [`io::Error`] comes out as it was.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        match error.downcast::<Error>() {
            Ok(error) => error,
            Err(error) => Error::new(ErrorKind::Io, error),
        }
    }
}

/// Keeps the kind that the system gave, so that a broken pipe is still one.
impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = match (error.kind(), error.cause().downcast_ref::<io::Error>()) {
            (_, Some(cause)) => cause.kind(),
            (ErrorKind::Damaged, _) => io::ErrorKind::InvalidData,
            (ErrorKind::NoSuchGame, _) => io::ErrorKind::NotFound,
            (
                ErrorKind::Io | ErrorKind::NotLasting | ErrorKind::Cancelled | ErrorKind::Internal,
                _,
            ) => io::ErrorKind::Other,
            (ErrorKind::CannotHold | ErrorKind::WrongPlace, _) => io::ErrorKind::InvalidInput,
            _ => io::ErrorKind::Unsupported,
        };
        io::Error::new(kind, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_not_lost_because_its_letters_are_in_a_word() {
        let cut = || Error::new(ErrorKind::Damaged, "the game of e.pgn2 ends within a move");
        for name in ["a", "game", "e.pgn", "-"] {
            let error = cut().trying_to("read", name);
            let expected = format!("cannot read {name}: the game of e.pgn2 ends within a move");
            assert_eq!(error.to_string(), expected);
        }
        let error = Error::new(ErrorKind::Io, "e.pgn: it is a folder").trying_to("read", "e.pgn");
        assert_eq!(error.to_string(), "e.pgn: it is a folder");
    }

    #[test]
    fn a_message_says_what_is_known_and_nothing_twice() {
        let refused = || io::Error::new(io::ErrorKind::PermissionDenied, "permission denied");
        let error = Error::from(refused()).in_file("a.pgn").in_file("b.pgn");
        assert_eq!(error.to_string(), "a.pgn: permission denied");
        assert!(error.source().is_none());
        let error = Error::about(ErrorKind::Foreign, "a.png", "is an image");
        assert_eq!(error.to_string(), "a.png is an image");
        let back = io::Error::from(Error::from(refused()));
        assert_eq!(back.kind(), io::ErrorKind::PermissionDenied);
        let full = Error::new(ErrorKind::CannotHold, "it is full").of_game(7);
        let back = Error::from(io::Error::from(full));
        assert_eq!((back.kind(), back.game()), (ErrorKind::CannotHold, Some(7)));
    }
}
