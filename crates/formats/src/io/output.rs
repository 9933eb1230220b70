//! What a writer writes: standard output, or a file that appears only when it is complete.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

#[cfg(feature = "zip")]
use zip::{
    CompressionMethod,
    write::{SimpleFileOptions, StreamWriter, ZipWriter},
};

use super::{Compression, IoError, IoErrorKind, temporary::Temporary};

/// Zstd's own default: as small as `gzip -6`, at three times the speed (29 MB and 31 MB for 100 MB
/// of TWIC, 199 MB/s and 68 MB/s).
#[cfg(feature = "zstd")]
const ZSTD_LEVEL: i32 = 3;
/// The defaults of `gzip`, `bzip2` and `xz`.
#[cfg(feature = "gzip")]
const GZIP_LEVEL: u32 = 6;
#[cfg(feature = "bzip2")]
const BZIP2_LEVEL: u32 = 9;
#[cfg(feature = "xz")]
const XZ_LEVEL: u32 = 6;

/// Collects small writes before they reach the encoder.
const BUFFER: usize = 64 << 10;

/// A file that appears only when it is complete, or standard output; compressed on the way.
///
/// A file is written under another name in the same folder and renamed by [`Output::finish`]. If
/// the output is dropped before, or the process is interrupted (see
/// [`remove_temporaries`](super::remove_temporaries)), what was there before is still there.
///
/// The same bytes in give the same bytes out: no date is written into gzip or zip.
pub struct Output {
    name: String,
    /// `None` only while it is being finished or dropped.
    writer: Option<BufWriter<Encoder>>,
    closed: Closed,
}

/// Set when nothing more may be written: after an error, or when an output is given up.
///
/// Encoders finish themselves when they are dropped. Their last bytes must not reach standard
/// output then, where half a file would look like a whole one.
#[derive(Clone, Default)]
struct Closed(Arc<AtomicBool>);

impl Closed {
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Output {
    /// Starts a file; `-` is standard output. What a link points to is replaced, not the link;
    /// devices and named pipes are written to as they are. An existing file passes its
    /// permissions on.
    ///
    /// [`Compression::of_path`] says which compression the name asks for. A zip archive gets one
    /// member, named after the file without `.zip`.
    pub fn create(path: impl AsRef<Path>, compression: Compression) -> Result<Output, IoError> {
        let path = path.as_ref();
        match path == "-" {
            true => Output::stdout(compression),
            false => Output::create_as(path, path, compression),
        }
    }

    /// As [`Output::create`], of a file that will be called otherwise when all is done: messages
    /// name the file that people know.
    pub(crate) fn create_as(
        path: &Path,
        known_as: &Path,
        compression: Compression,
    ) -> Result<Output, IoError> {
        let name = known_as.display().to_string();
        match Sink::create(path) {
            Ok(sink) => Output::new(name, sink, compression, &member_name(path)),
            Err(kind) => Err(IoError::new(&name, kind)),
        }
    }

    /// Standard output. A zip archive gets one member, named `output`.
    pub fn stdout(compression: Compression) -> Result<Output, IoError> {
        let name = "standard output".to_string();
        Output::new(name, Sink::Stdout(io::stdout()), compression, "output")
    }

    fn new(
        name: String,
        sink: Sink,
        compression: Compression,
        member: &str,
    ) -> Result<Output, IoError> {
        let closed = Closed::default();
        let target = Target {
            sink,
            closed: closed.clone(),
        };
        match Encoder::new(target, compression, member) {
            Ok(encoder) => Ok(Output {
                name,
                writer: Some(BufWriter::with_capacity(BUFFER, encoder)),
                closed,
            }),
            Err(cause) => Err(IoError::new(&name, IoErrorKind::Create(cause))),
        }
    }

    /// The path as it was given, or what stands for standard output.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes what is left, makes sure that it is on the disk and gives the file its name.
    pub fn finish(mut self) -> Result<(), IoError> {
        self.complete()
            .map_err(|cause| match cause.downcast::<IoError>() {
                Ok(error) => error,
                Err(cause) => IoError::new(&self.name, IoErrorKind::Write(cause)),
            })
    }

    fn complete(&mut self) -> io::Result<()> {
        self.check_open()?;
        let Some(writer) = self.writer.take() else {
            return Ok(());
        };
        let encoder = writer.into_inner().map_err(|error| error.into_error())?;
        let target = encoder.finish()?;
        self.check_open()?;
        target.sink.commit()
    }

    fn check_open(&self) -> io::Result<()> {
        match self.closed.is_set() {
            true => Err(IoError::new(&self.name, IoErrorKind::Stopped).into()),
            false => Ok(()),
        }
    }

    fn with_writer<T>(
        &mut self,
        write: impl FnOnce(&mut BufWriter<Encoder>) -> io::Result<T>,
    ) -> io::Result<T> {
        self.check_open()?;
        let Some(writer) = &mut self.writer else {
            return Err(IoError::new(&self.name, IoErrorKind::Stopped).into());
        };
        write(writer).map_err(|cause| match cause.kind() {
            io::ErrorKind::Interrupted => cause,
            _ => IoError::new(&self.name, IoErrorKind::Write(cause)).into(),
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with_writer(|writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with_writer(|writer| writer.flush())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(mut writer) = self.writer.take() {
            // Whoever reads standard output gets what was written, but no end of the stream.
            let _ = writer.flush();
            self.closed.set();
        }
    }
}

/// Where the encoded bytes go.
enum Sink {
    Stdout(io::Stdout),
    /// A device or a named pipe: there is nothing to rename.
    Special(File),
    File {
        temporary: Temporary,
        target: PathBuf,
    },
}

impl Sink {
    fn create(path: &Path) -> Result<Sink, IoErrorKind> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let there = fs::metadata(&target).ok();
        if let Some(there) = &there {
            if !there.is_file() {
                let file = File::options().write(true).open(&target);
                return Ok(Sink::Special(file.map_err(IoErrorKind::Create)?));
            }
            // Renaming would not ask.
            if there.permissions().readonly() {
                return Err(IoErrorKind::ReadOnly);
            }
        }
        let mut temporary = Temporary::create(folder_of(&target)).map_err(IoErrorKind::Create)?;
        if let Some(there) = there {
            temporary
                .file()
                .set_permissions(there.permissions())
                .map_err(IoErrorKind::Create)?;
        }
        Ok(Sink::File { temporary, target })
    }

    fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Sink::File { temporary, target } => temporary.persist(&target),
            Sink::Stdout(_) | Sink::Special(_) => Ok(()),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Special(file) => file.write(bytes),
            Sink::File { temporary, .. } => temporary.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::Special(file) => file.flush(),
            Sink::File { temporary, .. } => temporary.file().flush(),
        }
    }
}

/// A [`Sink`] that swallows everything once it is [`Closed`].
struct Target {
    sink: Sink,
    closed: Closed,
}

impl Target {
    fn watch<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if result
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted)
        {
            self.closed.set();
        }
        result
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed.is_set() {
            return Ok(bytes.len());
        }
        let result = self.sink.write(bytes);
        self.watch(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed.is_set() {
            return Ok(());
        }
        let result = self.sink.flush();
        self.watch(result)
    }
}

enum Encoder {
    Plain(Target),
    #[cfg(feature = "zstd")]
    Zstd(zstd::Encoder<'static, Target>),
    #[cfg(feature = "gzip")]
    Gzip(Box<flate2::write::GzEncoder<Target>>),
    #[cfg(feature = "bzip2")]
    Bzip2(bzip2::write::BzEncoder<Target>),
    #[cfg(feature = "xz")]
    Xz(liblzma::write::XzEncoder<Target>),
    /// Written without seeking, so that files and pipes get the same bytes.
    #[cfg(feature = "zip")]
    Zip(Box<ZipWriter<StreamWriter<Target>>>),
}

impl Encoder {
    fn new(target: Target, compression: Compression, member: &str) -> io::Result<Encoder> {
        // Only an archive has names in it.
        let _ = member;
        Ok(match compression {
            Compression::None => Encoder::Plain(target),
            #[cfg(feature = "zstd")]
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(target, ZSTD_LEVEL)?;
                encoder.include_checksum(true)?;
                Encoder::Zstd(encoder)
            }
            #[cfg(feature = "gzip")]
            Compression::Gzip => Encoder::Gzip(Box::new(flate2::write::GzEncoder::new(
                target,
                flate2::Compression::new(GZIP_LEVEL),
            ))),
            #[cfg(feature = "bzip2")]
            Compression::Bzip2 => Encoder::Bzip2(bzip2::write::BzEncoder::new(
                target,
                bzip2::Compression::new(BZIP2_LEVEL),
            )),
            #[cfg(feature = "xz")]
            Compression::Xz => Encoder::Xz(liblzma::write::XzEncoder::new(target, XZ_LEVEL)),
            #[cfg(feature = "zip")]
            Compression::Zip => {
                let options = SimpleFileOptions::default()
                    .compression_method(CompressionMethod::DEFLATE)
                    // Without it an archive of more than 4 GiB fails, and only at that point.
                    .large_file(true);
                let mut archive = ZipWriter::new_stream(target);
                archive.start_file(member, options)?;
                Encoder::Zip(Box::new(archive))
            }
            #[cfg(not(all(
                feature = "bzip2",
                feature = "gzip",
                feature = "xz",
                feature = "zip",
                feature = "zstd"
            )))]
            compression => return Err(super::decoder::not_built(compression)),
        })
    }

    fn finish(self) -> io::Result<Target> {
        Ok(match self {
            Encoder::Plain(target) => target,
            #[cfg(feature = "zstd")]
            Encoder::Zstd(encoder) => encoder.finish()?,
            #[cfg(feature = "gzip")]
            Encoder::Gzip(encoder) => encoder.finish()?,
            #[cfg(feature = "bzip2")]
            Encoder::Bzip2(encoder) => encoder.finish()?,
            #[cfg(feature = "xz")]
            Encoder::Xz(encoder) => encoder.finish()?,
            #[cfg(feature = "zip")]
            Encoder::Zip(archive) => archive.finish()?.into_inner(),
        })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Encoder::Plain(target) => target,
            #[cfg(feature = "zstd")]
            Encoder::Zstd(encoder) => encoder,
            #[cfg(feature = "gzip")]
            Encoder::Gzip(encoder) => encoder,
            #[cfg(feature = "bzip2")]
            Encoder::Bzip2(encoder) => encoder,
            #[cfg(feature = "xz")]
            Encoder::Xz(encoder) => encoder,
            #[cfg(feature = "zip")]
            Encoder::Zip(archive) => archive,
        }
    }
}

impl Write for Encoder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// The folder that a file is in, in words that the system understands.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// `games.pgn` for `games.pgn.zip`.
fn member_name(path: &Path) -> String {
    let name = match Compression::of_path(path) {
        Compression::Zip => path.file_stem(),
        _ => path.file_name(),
    };
    name.unwrap_or_default().to_string_lossy().into_owned()
}
