//! Why something could not be done.

use std::io;

use tabiya_formats::registry::{CreateError, OpenError, SpecError};
use tabiya_game::{Counts, SourceError};

use crate::Stopped;

/// Why something could not be done. The words are for people and name the file.
///
/// ```
/// let error = tabiya::open("no such file.pgn").err().unwrap();
/// assert!(error.to_string().starts_with("no such file.pgn: cannot be opened"));
/// assert!(matches!(error, tabiya::Error::Open(_)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It is not there, or no database that can be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file that cannot even be looked at.
    #[error("cannot open {name}: {error}")]
    NoFile {
        /// The file.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// Reading cannot go on.
    #[error("cannot read {name}: {error}")]
    Read {
        /// The input.
        name: String,
        /// Where and why.
        error: SourceError,
    },
    /// Standard input was asked for a second time.
    #[error("standard input can be read only once")]
    ReadTwice,
    /// There is no game of that number.
    #[error("no game {number}: {name} has {count} game{}", if *count == 1 { "" } else { "s" })]
    NoGame {
        /// The number that was asked for.
        number: u64,
        /// The input.
        name: String,
        /// How many it has.
        count: u64,
    },
    /// The entry of that number is a text, or something that nobody understands.
    #[error("entry {number} of {name} is no game")]
    NotAGame {
        /// The number that was asked for.
        number: u64,
        /// The input.
        name: String,
    },
    /// The game of that number does not pass the filter.
    #[error("game {number} of {name} does not pass the filters")]
    Filtered {
        /// The number that was asked for.
        number: u64,
        /// The input.
        name: String,
    },
    /// There is no such format.
    #[error(transparent)]
    Format(#[from] SpecError),
    /// The format cannot be written.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The name of the output says that it is something that cannot be written.
    #[error("{name} would be {title}, which tabiya cannot write")]
    CannotWrite {
        /// The output.
        name: String,
        /// What it would be.
        title: &'static str,
    },
    /// The output is an input that has not been read yet.
    #[error("{name} is an input too: choose another name")]
    OutputIsInput {
        /// The file.
        name: String,
    },
    /// Several files were to be written, and standard output is one.
    #[error("several files cannot go to standard output: give them a name")]
    SplitNeedsName,
    /// The system says no.
    #[error("{error}")]
    Io {
        /// What it says; the file is named in it.
        error: io::Error,
    },
    /// Nothing can be added to what is there.
    #[error("cannot append to {name}: {error}")]
    Append {
        /// The file.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// A file beside the output cannot be written.
    #[error("cannot write {name}: {error}")]
    Write {
        /// The file or the folder.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// The format cannot hold a game at all.
    #[error("{format} cannot hold game {number}: {why}")]
    Refused {
        /// The format.
        format: String,
        /// Which game it would have been, from 1.
        number: u64,
        /// What it cannot hold.
        why: String,
    },
    /// A game is broken or would lose something, and that was not to happen.
    #[error("{0}")]
    Strict(String),
    /// Whoever watched had seen enough.
    #[error("cancelled")]
    Cancelled,
    /// A conversion was not finished.
    #[error("{0}")]
    Stopped(Box<Stopped>),
    /// A mistake of tabiya.
    #[error("the counts do not add up, which is a mistake of tabiya: {0:?}")]
    Miscounted(Counts),
}

impl Error {
    /// Whether the reader of our output, `head` for one, has seen enough.
    ///
    /// ```
    /// use std::io;
    ///
    /// let closed = io::Error::from(io::ErrorKind::BrokenPipe);
    /// assert!(tabiya::Error::from(closed).is_closed_pipe());
    /// assert!(!tabiya::Error::Cancelled.is_closed_pipe());
    /// ```
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        match self {
            Error::Io { error } => error.kind() == io::ErrorKind::BrokenPipe,
            Error::Stopped(stopped) => stopped.error.is_closed_pipe(),
            _ => false,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io { error }
    }
}

/// What a function of this crate returns.
///
/// ```
/// fn count(path: &str) -> tabiya::Result<usize> {
///     Ok(tabiya::open(path)?.games().count())
/// }
/// assert!(count("no such file.pgn").is_err());
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;
