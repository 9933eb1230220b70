//! Where a command writes: standard output, or a file that appears only when it is complete.
//!
//! Files are the library's [`Output`](tabiya_formats::io::Output); what this adds is a terminal
//! that takes colours.

use std::{
    io::{self, BufWriter, IsTerminal, StdoutLock, Write},
    path::{Path, PathBuf},
};

use anstream::AutoStream;
use anyhow::{anyhow, bail};
use tabiya::registry;
use tabiya_formats::{
    io::{self as files, Compression},
    registry::{
        FormatProfile, FormatSpec, Registry,
        place::{self, PlaceError, Purpose},
    },
};

/// Why games cannot be written, with the name of the file; standard output has none. The library
/// names the file where it knows it.
pub fn unwritten(error: impl Into<anyhow::Error>, path: Option<&Path>) -> anyhow::Error {
    let error = error.into();
    let path = path.filter(|path| *path != "-");
    let name = path.map_or("standard output".to_string(), |path| {
        path.display().to_string()
    });
    match error.to_string().contains(&name) {
        true => error,
        false => error.context(format!("cannot write {name}")),
    }
}

/// The profile to write, as [`place::profile`] finds it, with advice how it is given.
pub fn profile(
    path: Option<&Path>,
    given: Option<FormatSpec>,
    purpose: Purpose,
) -> anyhow::Result<FormatProfile> {
    place::profile(registry(), path, given, purpose).map_err(|error| match error {
        PlaceError::Unknown { .. } => anyhow!("{error}; say which with --to, as in --to pgn"),
        _ => error.into(),
    })
}

/// Whether some games may be written there: not in the place of what they were taken from, nor of a
/// database of tabiya's own, whose other games would be lost.
pub fn check_spares(output: Option<&Path>, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let Some(output) = output.filter(|path| *path != "-") else {
        return Ok(());
    };
    let is_read = |input: &PathBuf| place::is_same_database(registry(), input, output);
    let name = output.display();
    if inputs.iter().any(is_read) {
        bail!("{name} is read as well, and its other games would be lost: choose another name");
    }
    if output.join("manifest.json").is_file() {
        bail!(
            "{name} is a database, whose games would be lost: choose another name, and `tabiya import` adds games to it"
        );
    }
    Ok(())
}

/// An output of a command. Nothing is promised until [`Output::finish`].
pub enum Output {
    /// Takes colours and drops them where they are not wanted.
    Terminal(BufWriter<AutoStream<StdoutLock<'static>>>),
    /// A pipe.
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A file, packed as its name says.
    File(Box<files::Output>),
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Output {
        let stdout = io::stdout().lock();
        if stdout.is_terminal() {
            Output::Terminal(BufWriter::new(AutoStream::auto(stdout)))
        } else {
            Output::Stdout(BufWriter::new(stdout))
        }
    }

    /// A file that is no database, and is called by one of these extensions as a rule; `-` and
    /// nothing are standard output.
    pub fn open(path: Option<&Path>, own: &[&str]) -> anyhow::Result<Output> {
        match path {
            Some(path) if path != "-" => {
                place::check_other(&formats(), path, own)?;
                let file = files::Output::create(path, Compression::of_path(path))?;
                Ok(Output::File(Box::new(file)))
            }
            _ => Ok(Output::stdout()),
        }
    }

    /// Whether a person reads along.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Output::Terminal(_))
    }

    /// Writes what is left and gives the file its name.
    pub fn finish(mut self) -> anyhow::Result<()> {
        match self {
            Output::File(file) => Ok(file.finish()?),
            _ => Ok(self.flush()?),
        }
    }
}

/// All formats, those that have a command of their own among them: nothing is written between their files.
fn formats() -> Registry {
    #[allow(unused_mut, reason = "without Parquet there is no such one")]
    let mut formats = registry().clone();
    #[cfg(feature = "parquet")]
    formats.register(&tabiya::store::parquet::PARQUET);
    formats
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Terminal(writer) => writer.write(bytes).map_err(of_stdout),
            Output::Stdout(writer) => writer.write(bytes).map_err(of_stdout),
            Output::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Terminal(writer) => writer.flush().map_err(of_stdout),
            Output::Stdout(writer) => writer.flush().map_err(of_stdout),
            Output::File(file) => file.flush(),
        }
    }
}

/// Says where it happened: whoever writes a line knows of no file.
pub fn of_stdout(error: io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot write standard output: {error}"),
    )
}
