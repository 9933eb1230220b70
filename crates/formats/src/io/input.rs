//! What a reader reads: a file or a stream, unpacked on the way.

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::Path,
    sync::Arc,
};

use super::{
    Compression, InputLimits, IoError, IoErrorKind, LimitReached, Progress,
    compression::HEAD,
    decoder::{Decoder, decoder, is_memory_limit},
    raw::{Raw, Source},
};

/// A file or a stream, unpacked while it is read, in bounded memory.
///
/// How it is packed is told from its first bytes, never from its name. An empty file is empty
/// content.
///
/// A compressed file that is cut off delivers all that can be unpacked and then fails with
/// [`IoErrorKind::Truncated`]. Two cases differ: a zip archive has its directory at the end and
/// cannot be opened without it, and nobody can see a cut between two frames (members, streams)
/// that could stand alone.
///
/// Reading in large pieces pays: there is no buffer on this side of the decoder.
pub struct Input {
    name: Arc<str>,
    compression: Compression,
    members: Vec<String>,
    member_sizes: Vec<u64>,
    progress: Progress,
    limits: InputLimits,
    content: Content,
    /// A zip archive as it is, for those who unpack it themselves.
    zip: Option<File>,
    unpacked: u64,
    failed: bool,
}

/// Whether all of a file has to be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    Whole,
    PerhapsCut,
}

enum Content {
    Plain(Raw),
    Packed(Decoder),
}

impl Input {
    /// Opens a file with [`InputLimits::default`]; `-` is standard input.
    pub fn open(path: impl AsRef<Path>) -> Result<Input, IoError> {
        Input::open_with(path, InputLimits::default())
    }

    /// Opens a file with limits of your own; `-` is standard input.
    pub fn open_with(path: impl AsRef<Path>, limits: InputLimits) -> Result<Input, IoError> {
        Input::open_that_ends(path.as_ref(), limits, Ends::Whole)
    }

    /// As [`Input::open`], for a file that may be damaged or cut off: of a zip archive, with its
    /// directory or without, what can be found is read. What is missing is an error behind it.
    pub fn open_cut(path: impl AsRef<Path>) -> Result<Input, IoError> {
        Input::open_that_ends(path.as_ref(), InputLimits::default(), Ends::PerhapsCut)
    }

    fn open_that_ends(path: &Path, limits: InputLimits, ends: Ends) -> Result<Input, IoError> {
        if path == "-" {
            let source = Source::Stream(Box::new(io::stdin()));
            let name = "standard input".into();
            return Input::new(name, source, None, Compression::None, limits, ends);
        }
        let name: Arc<str> = path.display().to_string().into();
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (source, len) = match opened {
            Ok((metadata, file)) if metadata.is_file() => {
                (Source::File(file), Some(metadata.len()))
            }
            // A named pipe or a device: its length says nothing, and it cannot be sought in.
            Ok((_, file)) => (Source::Stream(Box::new(file)), None),
            Err(cause) => return Err(IoError::new(&name, IoErrorKind::Open(cause))),
        };
        Input::new(name, source, len, Compression::of_path(path), limits, ends)
    }

    /// Standard input, with [`InputLimits::default`].
    pub fn stdin() -> Result<Input, IoError> {
        Input::open("-")
    }

    /// Anything that can be read; `name` is for messages.
    ///
    /// A zip archive is copied to a temporary file before this returns, because its directory
    /// stands at its end; everything else is streamed.
    pub fn from_reader(
        name: &str,
        reader: impl Read + Send + 'static,
        limits: InputLimits,
    ) -> Result<Input, IoError> {
        let source = Source::Stream(Box::new(reader));
        let name = name.into();
        Input::new(name, source, None, Compression::None, limits, Ends::Whole)
    }

    /// `expected` is what the name says; it only decides what a file too short for any mark is.
    fn new(
        name: Arc<str>,
        mut source: Source,
        len: Option<u64>,
        expected: Compression,
        limits: InputLimits,
        ends: Ends,
    ) -> Result<Input, IoError> {
        let fail = |kind| IoError::new(&name, kind);
        let mut head = Vec::with_capacity(HEAD);
        (&mut source)
            .take(HEAD as u64)
            .read_to_end(&mut head)
            .map_err(|cause| fail(IoErrorKind::Open(cause)))?;
        let compression = Compression::of_content(&head);
        if compression == Compression::None && head.len() < HEAD && expected.is_cut_mark(&head) {
            return Err(fail(IoErrorKind::Truncated {
                compression: expected,
                offset: head.len() as u64,
            }));
        }
        #[cfg_attr(not(feature = "zip"), expect(unused_mut))]
        let (mut members, mut member_sizes) = (Vec::new(), Vec::new());
        #[cfg_attr(not(feature = "zip"), expect(unused_mut))]
        let mut zip = None;
        let (content, progress) = match compression {
            #[cfg(feature = "zip")]
            Compression::Zip => {
                let file =
                    seekable(head, source).map_err(|cause| fail(IoErrorKind::Read(cause)))?;
                let len = file.metadata().ok().map(|metadata| metadata.len());
                zip = file.try_clone().ok();
                let progress = Progress::new(len);
                let archive = super::archive::Archive::open(
                    file,
                    Arc::clone(&name),
                    limits,
                    progress.clone(),
                    ends,
                )?;
                members = archive.member_names();
                member_sizes = archive.member_sizes();
                (Content::Packed(Box::new(archive)), progress)
            }
            #[cfg(not(feature = "zip"))]
            Compression::Zip => {
                // Whether it is cut off or not.
                let (Ends::Whole | Ends::PerhapsCut) = ends;
                let cause = super::decoder::not_built(compression);
                return Err(fail(IoErrorKind::Open(cause)));
            }
            _ => {
                let progress = Progress::new(len);
                let raw = Raw::new(head, source, progress.clone(), Arc::clone(&name));
                let content = match compression {
                    Compression::None => Content::Plain(raw),
                    _ => Content::Packed(
                        decoder(compression, raw, &limits)
                            .map_err(|cause| fail(IoErrorKind::Open(cause)))?,
                    ),
                };
                (content, progress)
            }
        };
        Ok(Input {
            name,
            compression,
            members,
            member_sizes,
            progress,
            limits,
            content,
            zip,
            unpacked: 0,
            failed: false,
        })
    }

    /// The path as it was given, or what stands for the stream.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How the content is packed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// The length of the file as it is stored; not known of a stream.
    pub fn raw_len(&self) -> Option<u64> {
        self.progress.total()
    }

    /// How far the reading has come, for whoever wants to watch.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// The names of the files in a zip archive, in the order in which they come; folders and
    /// the resource forks of macOS (`__MACOSX/`) are left out. Empty for everything else.
    pub fn members(&self) -> &[String] {
        &self.members
    }

    /// How many bytes each of them has.
    pub(crate) fn member_sizes(&self) -> &[u64] {
        &self.member_sizes
    }

    /// The file itself, if it is plain and ordinary: it may be mapped instead of read.
    pub fn file(&self) -> Option<&File> {
        match &self.content {
            Content::Plain(raw) => raw.file(),
            Content::Packed(_) => None,
        }
    }

    /// A zip archive as it is, from its beginning.
    pub(crate) fn into_zip(self) -> io::Result<Option<File>> {
        let Some(mut zip) = self.zip else {
            return Ok(None);
        };
        zip.rewind()?;
        Ok(Some(zip))
    }

    fn read_packed(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Content::Packed(decoder) = &mut self.content else {
            return Ok(0);
        };
        let room = self.limits.max_output - self.unpacked;
        if room == 0 {
            // Exactly as much as allowed is fine if nothing follows.
            return match decoder.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(self.limit(LimitReached::Output(self.limits.max_output))),
            };
        }
        let wanted = usize::try_from(room).map_or(buffer.len(), |room| room.min(buffer.len()));
        let count = decoder.read(&mut buffer[..wanted])?;
        self.unpacked += count as u64;
        // The members of a hostile archive may share their bytes: count no byte twice.
        let raw = match self.raw_len() {
            Some(len) => self.progress.read().min(len),
            None => self.progress.read(),
        };
        match self.limits.check_ratio(self.unpacked, raw) {
            Ok(()) => Ok(count),
            Err(limit) => Err(self.limit(limit)),
        }
    }

    fn limit(&self, limit: LimitReached) -> io::Error {
        IoError::new(&self.name, IoErrorKind::Limit(limit)).into()
    }

    /// Finds the words for what a decoder says.
    fn explain(&self, error: io::Error) -> io::Error {
        if IoError::find(&error).is_some() {
            return error;
        }
        if is_memory_limit(&error) {
            return self.limit(LimitReached::Memory(self.limits.max_memory));
        }
        let (compression, offset) = (self.compression, self.progress.read());
        let kind = match error.kind() {
            io::ErrorKind::UnexpectedEof => IoErrorKind::Truncated {
                compression,
                offset,
            },
            _ => IoErrorKind::Damaged {
                compression,
                offset,
                reason: error.to_string(),
            },
        };
        IoError::new(&self.name, kind).into()
    }
}

/// What can be sought in: the file itself, or a nameless copy that the system removes.
#[cfg(feature = "zip")]
fn seekable(head: Vec<u8>, source: Source) -> io::Result<File> {
    match source {
        Source::File(file) => Ok(file),
        mut stream => {
            let mut copy = tempfile::tempfile()?;
            io::copy(&mut head.as_slice().chain(&mut stream), &mut copy)?;
            copy.rewind()?;
            Ok(copy)
        }
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.failed {
            return Err(IoError::new(&self.name, IoErrorKind::Stopped).into());
        }
        if buffer.is_empty() {
            return Ok(0);
        }
        let result = match &mut self.content {
            Content::Plain(raw) => raw.read(buffer),
            Content::Packed(_) => self.read_packed(buffer),
        };
        match result {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.failed = true;
                Err(self.explain(error))
            }
            result => result,
        }
    }
}
