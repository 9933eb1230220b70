//! What can go wrong with a file, and what to do about it.

use std::{fmt, io};

use super::{Compression, LimitReached};

/// Something went wrong with a file.
///
/// [`Read`](io::Read) and [`Write`](io::Write) can only return [`io::Error`]: they wrap an
/// `IoError`, and [`IoError::find`] takes it out again.
#[derive(Debug)]
pub struct IoError {
    name: String,
    kind: IoErrorKind,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IoErrorKind {
    /// The input is not there or may not be read.
    #[error("cannot be opened: {0}")]
    Open(io::Error),
    /// The system could not read on.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The compressed data stops in the middle. Everything before it has been delivered.
    #[error(
        "the {compression} data is cut off at byte {offset}; what came before has been read, \
         fetch the file again for the rest"
    )]
    Truncated {
        /// What the file is packed with.
        compression: Compression,
        /// Bytes of the file as it is stored.
        offset: u64,
    },
    /// The compressed data makes no sense.
    #[error(
        "the {compression} data is damaged near byte {offset} ({reason}); what came before has \
         been read, fetch the file again for the rest"
    )]
    Damaged {
        /// What the file is packed with.
        compression: Compression,
        /// Bytes of the file as it is stored.
        offset: u64,
        /// What the decoder says.
        reason: String,
    },
    /// A zip archive keeps its directory at the end, and there is none: most often the file is
    /// cut off.
    #[error(
        "the zip archive has no directory at its end, byte {len} ({reason}): it is cut off or \
         damaged; fetch it again, or repair it with `zip -FF`"
    )]
    NoDirectory {
        /// The length of the file.
        len: u64,
        /// What is missing.
        reason: String,
    },
    /// A file inside a zip archive makes no sense.
    #[error(
        "{} in the zip archive is damaged ({reason}); fetch the archive again",
        printable(.member)
    )]
    DamagedMember {
        /// The name inside the archive.
        member: String,
        /// What the decoder says.
        reason: String,
    },
    /// A file inside a zip archive needs a password.
    #[error(
        "{} in the zip archive is encrypted; unpack it with its password first",
        printable(.member)
    )]
    Encrypted {
        /// The name inside the archive.
        member: String,
    },
    /// A file inside a zip archive is packed in a way that we do not know.
    #[error(
        "{} in the zip archive is packed by {method}, unknown here; unpack it first",
        printable(.member)
    )]
    UnknownMethod {
        /// The name inside the archive.
        member: String,
        /// The method as the zip library calls it.
        method: String,
    },
    /// Several things are wrong with an archive of which all that can be read was asked for.
    #[error("{}", listed(.0))]
    Several(Vec<IoErrorKind>),
    /// The file unpacks to more than is allowed.
    #[error("{0}; raise the limit if you trust the file")]
    Limit(LimitReached),
    /// The output cannot be created.
    #[error("cannot be written: {0}")]
    Create(io::Error),
    /// The file that is there is marked as read-only, and replacing it would go behind its back.
    #[error("is read-only; make it writable or choose another name")]
    ReadOnly,
    /// The system could not write on. What was there before is still there.
    #[error("cannot be written: {0}")]
    Write(io::Error),
    /// An earlier error was not the end for the caller, but it is for the file.
    #[error("gave up after an earlier error")]
    Stopped,
}

/// A name that a file gives, for messages: whoever wrote the file may have put anything into it, and a
/// terminal obeys control characters.
pub(crate) fn printable(name: &str) -> String {
    let mut shown = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// How many of several things are told.
const LISTED: usize = 10;

fn listed(kinds: &[IoErrorKind]) -> String {
    let words = kinds.iter().take(LISTED).map(IoErrorKind::to_string);
    let more = kinds.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| format!("and {more} more"));
    words.chain(more).collect::<Vec<String>>().join("; ")
}

impl IoError {
    pub(super) fn new(name: &str, kind: IoErrorKind) -> IoError {
        IoError {
            name: name.to_string(),
            kind,
        }
    }

    /// The file, or the stream, that it happened to.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What happened.
    pub fn kind(&self) -> &IoErrorKind {
        &self.kind
    }

    #[cfg(feature = "zip")]
    pub(super) fn into_kind(self) -> IoErrorKind {
        self.kind
    }

    /// The error inside what [`Read`](io::Read) or [`Write`](io::Write) returned, if it is ours.
    pub fn find(error: &io::Error) -> Option<&IoError> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.kind)
    }
}

// No source: the system's words are part of the message, for those who see no more than that.
impl std::error::Error for IoError {}

impl From<IoError> for tabiya_game::Error {
    fn from(error: IoError) -> tabiya_game::Error {
        let name = error.name.clone();
        tabiya_game::Error::new(tabiya_game::ErrorKind::Io, error.kind).in_file(name)
    }
}

impl From<IoError> for io::Error {
    /// Keeps the kind that the system gave, so that a broken pipe is still one.
    fn from(error: IoError) -> io::Error {
        let kind = match &error.kind {
            IoErrorKind::Open(cause)
            | IoErrorKind::Read(cause)
            | IoErrorKind::Create(cause)
            | IoErrorKind::Write(cause) => cause.kind(),
            IoErrorKind::Truncated { .. } => io::ErrorKind::UnexpectedEof,
            IoErrorKind::Damaged { .. }
            | IoErrorKind::NoDirectory { .. }
            | IoErrorKind::Several(_)
            | IoErrorKind::DamagedMember { .. } => io::ErrorKind::InvalidData,
            IoErrorKind::Encrypted { .. } | IoErrorKind::UnknownMethod { .. } => {
                io::ErrorKind::Unsupported
            }
            IoErrorKind::Limit(_) => io::ErrorKind::FileTooLarge,
            IoErrorKind::ReadOnly => io::ErrorKind::PermissionDenied,
            IoErrorKind::Stopped => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}
