//! Where a command writes: standard output, or a file that appears only when it is complete.
//!
//! A file is written under another name in the same folder and renamed at the end, so that an
//! error, a full disk or Ctrl-C leaves what was there before.

use std::{
    fs::{self, File},
    io::{self, BufWriter, IsTerminal, StdoutLock, Write},
    path::{Path, PathBuf},
};

use anstream::AutoStream;
use anyhow::Context;
use tempfile::NamedTempFile;

use crate::interrupt;

/// An output of a command. Nothing is promised until [`Output::finish`].
pub struct Output {
    sink: Sink,
    name: String,
}

enum Sink {
    /// Takes colours and drops them where they are not wanted.
    Terminal(BufWriter<AutoStream<StdoutLock<'static>>>),
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A device or a named pipe: there is nothing to rename.
    Special(BufWriter<File>),
    File(Unfinished),
}

struct Unfinished {
    writer: BufWriter<NamedTempFile>,
    target: PathBuf,
    /// After the file, so that the file is gone before nobody looks after it.
    _guard: interrupt::Guard,
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Output {
        let stdout = io::stdout().lock();
        let sink = if stdout.is_terminal() {
            Sink::Terminal(BufWriter::new(AutoStream::auto(stdout)))
        } else {
            Sink::Stdout(BufWriter::new(stdout))
        };
        Output {
            sink,
            name: "standard output".to_string(),
        }
    }

    /// A file; `-` and nothing are standard output.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        match path {
            Some(path) if path != "-" => {
                Output::file(path).with_context(|| format!("cannot write {}", path.display()))
            }
            _ => Ok(Output::stdout()),
        }
    }

    fn file(path: &Path) -> io::Result<Output> {
        // What a link points to is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let sink = match fs::metadata(&target) {
            Ok(there) if !there.is_file() => {
                Sink::Special(BufWriter::new(File::options().write(true).open(&target)?))
            }
            there => Sink::File(Unfinished::create(target, there.ok())?),
        };
        Ok(Output {
            sink,
            name: path.display().to_string(),
        })
    }

    /// Whether a person reads along.
    pub fn is_terminal(&self) -> bool {
        matches!(self.sink, Sink::Terminal(_))
    }

    /// Writes what is left and gives the file its name.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.flush()
            .and_then(|()| match self.sink {
                Sink::File(file) => file.finish(),
                _ => Ok(()),
            })
            .with_context(|| format!("cannot write {}", self.name))
    }
}

impl Unfinished {
    fn create(target: PathBuf, there: Option<fs::Metadata>) -> io::Result<Unfinished> {
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tabiya-").suffix(".part");
        // Temporary files are private by default; this one will be an ordinary file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let (file, guard) = interrupt::temporary(&builder, folder)?;
        if let Some(there) = there {
            file.as_file().set_permissions(there.permissions())?;
        }
        Ok(Unfinished {
            writer: BufWriter::new(file),
            target,
            _guard: guard,
        })
    }

    fn finish(self) -> io::Result<()> {
        let file = self.writer.into_inner()?;
        // Without this a power cut after the renaming could leave an empty file.
        file.as_file().sync_all()?;
        file.persist(&self.target)?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Terminal(writer) => writer.write(bytes),
            Sink::Stdout(writer) => writer.write(bytes),
            Sink::Special(writer) => writer.write(bytes),
            Sink::File(file) => file.writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Terminal(writer) => writer.flush(),
            Sink::Stdout(writer) => writer.flush(),
            Sink::Special(writer) => writer.flush(),
            Sink::File(file) => file.writer.flush(),
        }
    }
}
