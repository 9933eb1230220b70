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
    /// The cause goes on where the name of the file ends, as a sentence does.
    is_predicate: bool,
    cause: Box<dyn StdError + Send + Sync>,
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
            is_predicate: false,
            cause: cause.into(),
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
        error.0.is_predicate = true;
        error
    }

    /// There is no entry of a number.
    #[must_use]
    pub fn no_such_game(number: u64) -> Error {
        let message = format!("there is no game {number}");
        Error::new(ErrorKind::NoSuchGame, message)
    }

    /// Says which file it is, unless that is known.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Error {
        self.0.file.get_or_insert_with(|| file.into());
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            let end = if self.0.is_predicate { "" } else { ":" };
            write!(f, "{file}{end} ")?;
        }
        if let Some(game) = self.0.game {
            write!(f, "game {game}: ")?;
        }
        if let Some(place) = self.0.place {
            write!(f, "{place}: ")?;
        }
        self.0.cause.fmt(f)
    }
}

/// What the cause says is part of the message already, so its own cause comes next.
impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.cause.source()
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::new(ErrorKind::Io, error)
    }
}

/// Keeps the kind that the system gave, so that a broken pipe is still one.
impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = match (error.kind(), error.cause().downcast_ref::<io::Error>()) {
            (_, Some(cause)) => cause.kind(),
            (ErrorKind::Damaged, _) => io::ErrorKind::InvalidData,
            (ErrorKind::NoSuchGame, _) => io::ErrorKind::NotFound,
            (ErrorKind::Io, _) => io::ErrorKind::Other,
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
    fn a_message_says_what_is_known_and_nothing_twice() {
        let refused = || io::Error::new(io::ErrorKind::PermissionDenied, "permission denied");
        let error = Error::from(refused()).in_file("a.pgn").in_file("b.pgn");
        assert_eq!(error.to_string(), "a.pgn: permission denied");
        assert!(error.source().is_none());
        let error = Error::about(ErrorKind::Foreign, "a.png", "is an image");
        assert_eq!(error.to_string(), "a.png is an image");
        let back = io::Error::from(Error::from(refused()));
        assert_eq!(back.kind(), io::ErrorKind::PermissionDenied);
    }
}
