//! Where the records of writers become a database.

use std::{
    io::{self, Read, Write},
    ops::Range,
    path::Path,
};

use tabiya_game::Losses;

use crate::{
    GameWriter, Records,
    io::{Compression, IoError, Lock, Output},
    registry::place::Purpose,
};

/// Puts what [`GameWriter`](crate::GameWriter)s wrote into a database, in order. Nothing is
/// promised until [`Target::finish`]; a target that is dropped leaves what was there before. It may go
/// on in another thread than the one that made it.
pub trait Target: Send {
    /// Adds what a writer of the same format wrote between two of its
    /// [lengths](crate::GameWriter::len): an entry, or several.
    ///
    /// # Errors
    /// If it cannot be written, the database is full, or the writer was of another format.
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()>;

    /// Adds all that a writer of the same format has written since it was last taken; `false` if
    /// that is nothing.
    ///
    /// # Errors
    /// As [`Target::add`].
    fn add_written(&mut self, writer: &mut dyn GameWriter) -> io::Result<bool> {
        let written = writer.len();
        let records = writer.take();
        if written > 0 {
            self.add(&records, 0..written)?;
        }
        Ok(written > 0)
    }

    /// What the entries that were added since this was last asked lost because of others: their
    /// writer does not know of those. Who asks knows the numbers of the games.
    fn take_losses(&mut self) -> Losses {
        Losses::default()
    }

    /// Makes the database complete and gives it its name. Returns what may be a problem with it,
    /// a sentence each.
    ///
    /// # Errors
    /// If that fails; what was there before is then still there.
    fn finish(self: Box<Self>) -> io::Result<Vec<String>>;
}

/// Where a database goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination<'a> {
    /// To standard output.
    Stdout,
    /// Into a file, packed as its name says, in place of what is there.
    New(&'a Path),
    /// Behind what is in a file, or into a new one.
    Append(&'a Path),
}

impl<'a> Destination<'a> {
    /// The file, and what becomes of what is there.
    pub(crate) fn place(self) -> Option<(&'a Path, Purpose)> {
        match self {
            Destination::Stdout => None,
            Destination::New(path) => Some((path, Purpose::New)),
            Destination::Append(path) => Some((path, Purpose::Append)),
        }
    }

    /// The right to write there. Devices and named pipes take what several write.
    ///
    /// # Errors
    /// If somebody else has it.
    pub fn lock(self) -> io::Result<Option<Lock>> {
        match self.place() {
            Some((path, _)) if path.is_file() || !path.exists() => Lock::of(path).map(Some),
            _ => Ok(None),
        }
    }

    /// The output that the place names.
    ///
    /// # Errors
    /// If the system says no.
    pub fn output(self) -> Result<Output, IoError> {
        match self {
            Destination::Stdout => Output::stdout(Compression::None),
            Destination::New(path) | Destination::Append(path) => {
                Output::create(path, Compression::of_path(path))
            }
        }
    }
}

/// Records that are bytes, one after the other, behind a mark at the beginning of the file. Their
/// writer gives them as a `Vec<u8>`, and counts bytes.
pub struct Sequence {
    format: &'static str,
    output: Output,
    /// Given up last.
    _lock: Option<Lock>,
}

impl Sequence {
    /// Begins a file for the [`Records`] of a format, or goes on with one that has the mark.
    ///
    /// # Errors
    /// If the system says no, or the file is of another format.
    pub fn create(
        place: Destination<'_>,
        format: &'static str,
        mark: &[u8],
    ) -> io::Result<Box<dyn Target>> {
        let lock = place.lock()?;
        let mut output = place.output().map_err(io::Error::from)?;
        match place {
            Destination::Append(path) if has_bytes(path) => copy_old(path, mark, &mut output)?,
            _ => output.write_all(mark)?,
        }
        Ok(Box::new(Sequence {
            format,
            output,
            _lock: lock,
        }))
    }
}

/// Whether there is anything to go on with: an empty file is begun anew.
fn has_bytes(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|there| !there.is_file() || there.len() > 0)
}

/// The old entries come first in the new file, which then takes the old one's place.
fn copy_old(path: &Path, mark: &[u8], output: &mut Output) -> io::Result<()> {
    let mut old = crate::io::Input::open(path).map_err(io::Error::from)?;
    let mut head = Vec::with_capacity(mark.len());
    (&mut old).take(mark.len() as u64).read_to_end(&mut head)?;
    if head != mark {
        let message = format!(
            "{} does not begin as a file of this format does: nothing can be appended to it, write \
             a new one",
            path.display()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    output.write_all(mark)?;
    let mut last = LastByte(output, None);
    io::copy(&mut old, &mut last)?;
    // A text may end without the end of its line.
    if mark.is_empty() && last.1.is_some_and(|byte| byte != b'\n') {
        output.write_all(b"\n")?;
    }
    Ok(())
}

/// Remembers the last byte that was written.
struct LastByte<'a>(&'a mut Output, Option<u8>);

impl Write for LastByte<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.0.write(bytes)?;
        self.1 = bytes[..count].last().copied().or(self.1);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Target for Sequence {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        self.output.write_all(records.slice(self.format, which)?)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        let Sequence { output, _lock, .. } = *self;
        output.finish().map_err(io::Error::from)?;
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write(place: Destination<'_>, mark: &[u8], record: &[u8]) -> io::Result<Vec<String>> {
        let mut target = Sequence::create(place, "test", mark)?;
        target.add(&Records::new("test", record.to_vec()), 0..record.len())?;
        target.finish()
    }

    #[test]
    fn records_of_another_format_and_more_than_there_are_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut target = Sequence::create(Destination::New(&path), "test", b"").unwrap();
        let others = Records::new("another", b"game".to_vec());
        let error = target.add(&others, 0..4).unwrap_err().to_string();
        assert!(error.contains("records of another"), "{error}");
        let typed = Records::new("test", vec!["game"]);
        target.add(&typed, 0..1).unwrap_err();
        let short = Records::new("test", b"game".to_vec());
        for which in [0..5, 5..5, Range { start: 3, end: 2 }] {
            let error = target.add(&short, which).unwrap_err().to_string();
            assert!(error.contains("mistake of their writer"), "{error}");
        }
        target.add(&short, 1..3).unwrap();
        target.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"am");
    }

    #[test]
    fn appended_records_follow_the_old_ones_behind_one_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        write(Destination::Append(&path), b"mark", b"one").unwrap();
        write(Destination::Append(&path), b"mark", b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"markonetwo");
        write(Destination::New(&path), b"mark", b"three").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"markthree");
    }

    #[test]
    fn a_line_that_does_not_end_gets_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, b"1. e4 *").unwrap();
        write(Destination::Append(&path), b"", b"1. d4 *\n").unwrap();
        write(Destination::Append(&path), b"", b"1. c4 *\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"1. e4 *\n1. d4 *\n1. c4 *\n");
    }

    #[test]
    fn nothing_is_appended_to_a_file_of_another_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::write(&path, b"something else").unwrap();
        let error = write(Destination::Append(&path), b"mark", b"one").unwrap_err();
        assert!(
            error.to_string().contains("nothing can be appended"),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"something else");
    }

    #[test]
    fn an_empty_file_is_begun_and_a_short_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::write(&path, b"").unwrap();
        write(Destination::Append(&path), b"mark", b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"markone");
        fs::write(&path, b"ma").unwrap();
        let error = write(Destination::Append(&path), b"mark", b"one").unwrap_err();
        assert!(
            error.to_string().contains("nothing can be appended"),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"ma");
    }
}
