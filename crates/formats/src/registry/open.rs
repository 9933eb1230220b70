//! Opening whatever it is.

use std::io::{self, Cursor, Read};

use super::{
    Certainty, Foreign, FormatInfo, FormatSpec, ReadOptions, by_content, by_path,
    spec::{listed, readable},
};
use crate::{Database, io::Input};

/// How many bytes are looked at: a long comment may stand before the first tag.
const HEAD: usize = 16 << 10;

/// A database that is open for reading.
pub struct Opened {
    /// Its format.
    pub format: &'static FormatInfo,
    /// Its games.
    pub database: Box<dyn Database>,
}

/// Why an input cannot be opened as a database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// It is something else.
    #[error("{name} is {}, which tabiya cannot read; {}", kind.title, kind.advice)]
    Foreign {
        /// The input.
        name: String,
        /// What it is.
        kind: &'static Foreign,
    },
    /// It is of a format that can only be written.
    #[error(
        "{name} is {format}, which tabiya writes but cannot read yet: expected {}",
        listed(readable())
    )]
    WriteOnly {
        /// The input.
        name: String,
        /// Its format.
        format: &'static str,
    },
    /// Neither content nor name say what it is.
    #[error(
        "{name} is of no known format; if you know better, say --from {}",
        listed(readable())
    )]
    Unknown {
        /// The input.
        name: String,
    },
}

/// Opens an input. Its content decides what it is; its name counts where the content does not
/// tell. A format that is given is believed.
///
/// An error of reading is returned by the database when its place is reached.
///
/// # Errors
/// If it is of no format that can be read.
pub fn open(
    mut input: Input,
    given: Option<FormatSpec>,
    options: &ReadOptions,
) -> Result<Opened, OpenError> {
    let name = input.name().to_string();
    let mut head = Vec::new();
    let failed = (&mut input).take(HEAD as u64).read_to_end(&mut head).err();
    let format = match given {
        Some(spec) => spec.format,
        None => recognise(&head, &input)?,
    };
    let Some(open) = format.open else {
        let format = format.name;
        return Err(OpenError::WriteOnly { name, format });
    };
    let peeked = Peeked {
        head: Cursor::new(head),
        failed,
        input,
    };
    Ok(Opened {
        format,
        database: open(Box::new(peeked), options),
    })
}

fn recognise(head: &[u8], input: &Input) -> Result<&'static FormatInfo, OpenError> {
    let name = || input.name().to_string();
    if let Some(kind) = Foreign::by_content(head) {
        return Err(OpenError::Foreign { name: name(), kind });
    }
    let by_content = by_content(head);
    if let Some((format, Certainty::Sure)) = by_content {
        return Ok(format);
    }
    // What is in an archive has names of its own.
    let names = || {
        let members = input.members().iter().map(String::as_str);
        std::iter::once(input.name()).chain(members)
    };
    if let Some(format) = names().find_map(by_path) {
        return Ok(format);
    }
    // A few bytes look like anything: a database of another kind is one by its name.
    if let Some(kind) = names().find_map(Foreign::by_path) {
        return Err(OpenError::Foreign { name: name(), kind });
    }
    match by_content {
        Some((format, _)) => Ok(format),
        None => Err(OpenError::Unknown { name: name() }),
    }
}

/// An input of which the first bytes have been read already.
struct Peeked {
    head: Cursor<Vec<u8>>,
    /// What happened after them.
    failed: Option<io::Error>,
    input: Input,
}

impl Read for Peeked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.head.read(buffer)? {
            0 if !buffer.is_empty() => match self.failed.take() {
                Some(error) => Err(error),
                None => self.input.read(buffer),
            },
            count => Ok(count),
        }
    }
}
