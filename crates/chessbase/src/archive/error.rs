//! What is wrong with an archive, and where.

use std::{fmt, io, path::PathBuf};

use tabiya_formats::io::LimitReached;

/// An archive cannot be read or written.
///
/// [`Read`](io::Read) can only return [`io::Error`]: the readers of members wrap an
/// `ArchiveError`, and [`ArchiveError::find`] takes it out again.
#[derive(Debug)]
pub struct ArchiveError {
    kind: ArchiveErrorKind,
    member: Option<String>,
    offset: Option<u64>,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveErrorKind {
    /// The system could not open the archive or read on.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The system could not write on.
    #[error("cannot be written: {0}")]
    Write(io::Error),
    /// The first eight bytes are not those of an archive. An archive with a password looks like
    /// that as well.
    #[error("this is no ChessBase archive, or one that needs a password")]
    BadHeader,
    /// A `.cbz` was opened without a password.
    #[error("the archive needs a password")]
    NeedsPassword,
    /// The first eight bytes are not those of an archive after decryption either.
    #[error("the password is wrong, or this is no ChessBase archive")]
    WrongPassword,
    /// A password must have at least one character, and only such as Windows-1252 has.
    #[error("the password is empty or has characters that Windows-1252 does not have")]
    BadPassword,
    /// The file ends before its list of members does.
    #[error("the list of {members} members is cut off")]
    DirectoryCutOff {
        /// How many members the archive announces.
        members: u16,
    },
    /// A name that would not stay inside the folder, or that not every system can write.
    #[error("the name {name:?} {fault}")]
    BadName {
        /// The name as it is stored.
        name: String,
        /// What is wrong with it.
        fault: NameFault,
    },
    /// Two members have names that differ in case at most, or one is named like a folder that
    /// another one is in.
    #[error("two members want to be {name:?}")]
    DuplicateName {
        /// The name that is taken.
        name: String,
    },
    /// Offsets and sizes are stored with 32 and with 64 bits, and they do not agree.
    #[error("the {field} is {short} in 32 bits but {long} in 64")]
    Contradiction {
        /// Which number it is.
        field: &'static str,
        /// Its short form.
        short: u32,
        /// Its long form.
        long: u64,
    },
    /// The data of a member is not between the list of members and the end of the file.
    #[error("its data, {packed} bytes from {start}, is not inside the archive")]
    RecordOutOfRange {
        /// Offset of the data.
        start: u64,
        /// Its length.
        packed: u64,
    },
    /// The data of a member is partly that of another one.
    #[error("its data is partly that of {other}")]
    Overlap {
        /// The other member.
        other: String,
    },
    /// A block of a member makes no sense.
    #[error("a block is damaged: {0}")]
    BadBlock(BlockFault),
    /// The blocks of a member do not hold what the list of members announces.
    #[error("it unpacks to {found} bytes instead of {declared}")]
    SizeMismatch {
        /// The size in the list of members.
        declared: u64,
        /// How much came out before this was noticed.
        found: u64,
    },
    /// The archive unpacks to more than is allowed.
    #[error("{0}; raise the limit if you trust the file")]
    Limit(LimitReached),
    /// Something is where a member should go.
    #[error("{} is already there", .0.display())]
    AlreadyExists(PathBuf),
    /// A file that would be replaced is marked as read-only.
    #[error("{} is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// A member should go into a folder, but that is a file, or a link to another place.
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// No member is a `.cbh`, or what the family has in its place.
    #[error("it holds no database (.{0})")]
    NoDatabase(&'static str),
    /// The zip archive, which the newer family has, cannot be read.
    #[error("the zip archive is damaged: {0}")]
    BadZip(String),
    /// A member of a zip archive is under a password, or packed in a way that ChessBase does not
    /// use.
    #[error("it is encrypted, or packed in a way that ChessBase does not use")]
    UnknownPacking,
    /// More than one member is a `.cbh`.
    #[error("it holds {0} databases; unpack it and choose one")]
    SeveralDatabases(usize),
    /// More than 65,535 files were to be packed.
    #[error("an archive holds at most 65,535 files")]
    TooManyMembers,
}

/// Why a name is not written to disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// There is nothing between two separators, or nothing at all.
    #[error("is empty or has an empty part")]
    Empty,
    /// It begins with a separator or a drive.
    #[error("is absolute")]
    Absolute,
    /// It contains `.` or `..`.
    #[error("leads to another folder")]
    Traversal,
    /// Windows knows a device of that name: `CON`, `NUL`, `COM1`, …
    #[error("is that of a device")]
    Device,
    /// A control character, or one of `< > : " | ? *`.
    #[error("has a character that file names cannot have")]
    Character,
    /// A part ends in a dot or a space, which Windows takes away.
    #[error("ends in a dot or a space")]
    Ending,
    /// It takes more than 127 bytes.
    #[error("is longer than 127 bytes")]
    TooLong,
    /// It has characters that Windows-1252 does not have.
    #[error("has characters that Windows-1252 does not have")]
    Encoding,
}

/// What is wrong with a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlockFault {
    /// The block goes on after the member has ended.
    #[error("it is longer than what is left of its file")]
    Overrun,
    /// The sum over the payload is not what it was when it was packed.
    #[error("its checksum is {found:#06x}, not {stored:#06x}")]
    BadChecksum {
        /// The sum that is stored.
        stored: u16,
        /// The sum that was computed.
        found: u16,
    },
    /// Not even the byte is there that says how it is packed.
    #[error("it is empty")]
    Empty,
    /// It is packed in a way that nobody has seen.
    #[error("it is packed in an unknown way, {0:#04x}")]
    UnknownStages(u8),
    /// More comes out than a block can hold.
    #[error("it unpacks to more than 65,535 bytes")]
    TooLarge,
    /// The table of codes or the codes end too early.
    #[error("its Huffman codes are cut off")]
    CodesCutOff,
    /// A code is the beginning of another one.
    #[error("its Huffman codes are ambiguous")]
    AmbiguousCodes,
    /// Bits that are no code.
    #[error("it has a Huffman code that is not in its table")]
    UnknownCode,
    /// A run or a copy ends too early.
    #[error("its last run or copy is cut off")]
    TokenCutOff,
    /// A copy of something before the beginning of the file.
    #[error("it copies from {distance} bytes back, but only {available} are there")]
    DistanceTooFar {
        /// How far back.
        distance: usize,
        /// How much there is.
        available: usize,
    },
}

impl ArchiveError {
    pub(crate) fn in_member(mut self, member: &str) -> ArchiveError {
        self.member = Some(member.to_string());
        self
    }

    pub(super) fn at(mut self, offset: u64) -> ArchiveError {
        self.offset = Some(offset);
        self
    }

    /// What happened.
    pub fn kind(&self) -> &ArchiveErrorKind {
        &self.kind
    }

    /// What happened, without the place.
    pub fn into_kind(self) -> ArchiveErrorKind {
        self.kind
    }

    /// The member that it happened to.
    pub fn member(&self) -> Option<&str> {
        self.member.as_deref()
    }

    /// Offset in the archive; in one with a password, after decryption.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// The error inside what [`Read`](io::Read) returned, if it is ours.
    pub fn find(error: &io::Error) -> Option<&ArchiveError> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(member) = &self.member {
            write!(f, "{member}: ")?;
        }
        write!(f, "{}", self.kind)?;
        match self.offset {
            Some(offset) => write!(f, " (at byte {offset})"),
            None => Ok(()),
        }
    }
}

// No source: the system's words are part of the message, for those who see no more than that.
impl std::error::Error for ArchiveError {}

impl From<ArchiveErrorKind> for ArchiveError {
    fn from(kind: ArchiveErrorKind) -> ArchiveError {
        ArchiveError {
            kind,
            member: None,
            offset: None,
        }
    }
}

impl From<ArchiveError> for io::Error {
    /// Keeps the kind that the system gave.
    fn from(error: ArchiveError) -> io::Error {
        let kind = match &error.kind {
            ArchiveErrorKind::Read(cause) | ArchiveErrorKind::Write(cause) => cause.kind(),
            ArchiveErrorKind::Limit(_) => io::ErrorKind::FileTooLarge,
            ArchiveErrorKind::AlreadyExists(_) => io::ErrorKind::AlreadyExists,
            ArchiveErrorKind::ReadOnly(_)
            | ArchiveErrorKind::NeedsPassword
            | ArchiveErrorKind::WrongPassword => io::ErrorKind::PermissionDenied,
            ArchiveErrorKind::NotAFolder(_) => io::ErrorKind::NotADirectory,
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}
