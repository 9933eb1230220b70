//! What writers hand to targets.

use std::{any::Any, fmt, io, ops::Range};

/// Records of one format, on their way from a [`GameWriter`](crate::GameWriter) to a
/// [`Target`](crate::Target). What they are is between those two: bytes one after the other, rows
/// of a table, columns.
///
/// ```
/// use tabiya_formats::Records;
///
/// let records = Records::new("squares", vec![1_u64, 4, 9]);
/// assert_eq!(records.slice::<u64>("squares", 1..3)?, [4, 9]);
/// // Whoever asks for something else gets an error.
/// assert!(records.slice::<u64>("squares", 1..4).is_err());
/// assert!(records.slice::<u64>("cubes", 1..3).is_err());
/// assert!(records.get::<String>("squares").is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Records {
    format: &'static str,
    held: Box<dyn Any + Send>,
}

impl Records {
    /// Records for targets that take those of a format.
    #[must_use]
    pub fn new<T: Any + Send>(format: &'static str, held: T) -> Records {
        Records {
            format,
            held: Box::new(held),
        }
    }

    /// What they are.
    ///
    /// # Errors
    /// If a writer of another format made them.
    pub fn get<T: Any>(&self, format: &str) -> io::Result<&T> {
        let held = self.held.downcast_ref();
        held.filter(|_| self.format == format)
            .ok_or_else(|| self.mistaken(format))
    }

    /// Some of them, if they are a vector.
    ///
    /// # Errors
    /// If a writer of another format made them, or there are not so many.
    pub fn slice<T: Any>(&self, format: &str, which: Range<usize>) -> io::Result<&[T]> {
        let all = self.get::<Vec<T>>(format)?;
        all.get(which.clone())
            .ok_or_else(|| miscounted(&which, all.len()))
    }

    /// The only one, if they are a vector: what takes the place of a game.
    ///
    /// # Errors
    /// If a writer of another format made them, or it made none or several.
    pub fn only<T: Any>(&self, format: &str) -> io::Result<&T> {
        match &self.get::<Vec<T>>(format)?[..] {
            [only] => Ok(only),
            several => {
                let message = format!("{} records where one is wanted", several.len());
                Err(io::Error::new(io::ErrorKind::InvalidInput, message))
            }
        }
    }

    /// The bytes that they are, if they are nothing else: what a [`Sequence`](crate::Sequence)
    /// puts into its file.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        self.held.downcast_ref::<Vec<u8>>().map(Vec::as_slice)
    }

    fn mistaken(&self, format: &str) -> io::Error {
        let is = self.format;
        let message = match is == format {
            true => format!("records of {format}, but of another version of it"),
            false => format!("records of {is} cannot be put into {format}"),
        };
        io::Error::new(io::ErrorKind::InvalidInput, message)
    }
}

/// A writer said that it had written more than it had.
pub(crate) fn miscounted(which: &Range<usize>, count: usize) -> io::Error {
    let message = format!("records {which:?} of {count}, which is a mistake of their writer");
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Records").field(&self.format).finish()
    }
}
