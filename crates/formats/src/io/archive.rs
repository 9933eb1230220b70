//! A zip archive as one stream: its files in order, with a newline between two of them.
//!
//! The zip crate reads the directory; the members are unpacked here, because its own readers
//! borrow the archive and could not be kept, or sent to another thread, with it.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    sync::Arc,
};

use zip::{CompressionMethod, ZipArchive, result::ZipError};

use super::{
    Compression, InputLimits, IoError, IoErrorKind, LimitReached, Progress,
    decoder::{Decoder, decoder, is_memory_limit},
    input::Ends,
    local_headers,
    raw::{Raw, Source},
};

/// What macOS puts beside every file it packs: nothing that anybody wrote.
pub(super) const RESOURCE_FORKS: &str = "__MACOSX/";

pub(super) struct Member {
    pub name: String,
    pub method: CompressionMethod,
    pub start: u64,
    pub packed: u64,
    /// Length and checksum of the content; not known if they stand behind it.
    pub sum: Option<(u64, u32)>,
}

/// What an archive holds.
#[derive(Default)]
pub(super) struct Listing {
    pub members: Vec<Member>,
    /// Why others cannot be unpacked.
    pub passed: Vec<IoErrorKind>,
}

/// The members of a zip archive, one after the other.
pub(super) struct Archive {
    file: Arc<File>,
    name: Arc<str>,
    members: Vec<Member>,
    limits: InputLimits,
    progress: Progress,
    /// Index of the member that comes after the open one.
    next: usize,
    open: Option<Open>,
    ends: Ends,
    /// Why members were passed over: said behind the last one.
    passed: Vec<IoErrorKind>,
    /// Why there may be more members than are known: said last.
    missing: Option<IoErrorKind>,
}

/// A member that is being unpacked.
struct Open {
    decoder: Decoder,
    crc: flate2::Crc,
    unpacked: u64,
}

impl Archive {
    /// Reads the directory. What could not be unpacked later is refused now. Of an archive that
    /// may be cut off, and has none, the members are found one behind the other; what cannot be
    /// unpacked of it is passed over.
    pub fn open(
        file: File,
        name: Arc<str>,
        limits: InputLimits,
        progress: Progress,
        ends: Ends,
    ) -> Result<Archive, IoError> {
        let fail = |kind| IoError::new(&name, kind);
        let (listing, missing) = match (read_directory(&file), ends) {
            (Ok(listing), _) => (listing, None),
            (Err(missing @ IoErrorKind::NoDirectory { .. }), Ends::PerhapsCut) => {
                let listing = local_headers::members(&file);
                let listing = listing.map_err(|error| fail(IoErrorKind::Read(error)))?;
                (listing, Some(missing))
            }
            (Err(kind), _) => return Err(fail(kind)),
        };
        let Listing { members, passed } = listing;
        let passed = match (ends, passed.into_iter()) {
            (Ends::PerhapsCut, passed) => passed.collect(),
            (Ends::Whole, mut passed) => match passed.next() {
                Some(kind) => return Err(fail(kind)),
                None => Vec::new(),
            },
        };
        Ok(Archive {
            file: Arc::new(file),
            name,
            members,
            limits,
            progress,
            next: 0,
            open: None,
            ends,
            passed,
            missing,
        })
    }

    pub fn member_names(&self) -> Vec<String> {
        self.members
            .iter()
            .map(|member| member.name.clone())
            .collect()
    }

    pub fn member_sizes(&self) -> Vec<u64> {
        let sizes = self.members.iter().map(|member| member.sum);
        sizes.map(|sum| sum.map_or(0, |(size, _)| size)).collect()
    }

    fn open_member(&self, member: &Member) -> io::Result<Open> {
        let mut file = Arc::clone(&self.file);
        file.seek(SeekFrom::Start(member.start))?;
        let packed = Raw::new(
            Vec::new(),
            Source::Archive(file),
            self.progress.clone(),
            Arc::clone(&self.name),
        )
        .take(member.packed);
        let compression = match member.method {
            CompressionMethod::BZIP2 => Compression::Bzip2,
            CompressionMethod::XZ => Compression::Xz,
            CompressionMethod::ZSTD => Compression::Zstd,
            _ => Compression::None,
        };
        Ok(Open {
            decoder: match member.method {
                CompressionMethod::DEFLATE => {
                    Box::new(flate2::bufread::DeflateDecoder::new(packed))
                }
                CompressionMethod::DEFLATE64 => {
                    Box::new(deflate64::Deflate64Decoder::with_buffer(packed))
                }
                _ => decoder(compression, packed, &self.limits)?,
            },
            crc: flate2::Crc::new(),
            unpacked: 0,
        })
    }

    /// Says which member it was.
    fn explain(&self, error: io::Error) -> io::Error {
        if error.kind() == io::ErrorKind::Interrupted || IoError::find(&error).is_some() {
            return error;
        }
        let kind = if is_memory_limit(&error) {
            IoErrorKind::Limit(LimitReached::Memory(self.limits.max_memory))
        } else {
            IoErrorKind::DamagedMember {
                member: self.members[self.next - 1].name.clone(),
                reason: error.to_string(),
            }
        };
        IoError::new(&self.name, kind).into()
    }

    /// Leaves the open member, if others may be read although it is damaged.
    fn pass_over(&mut self, error: io::Error) -> io::Result<()> {
        let error = self.explain(error).downcast::<IoError>()?;
        match (self.ends, error.kind()) {
            (Ends::PerhapsCut, IoErrorKind::DamagedMember { .. }) => {
                self.passed.push(error.into_kind());
                self.open = None;
                Ok(())
            }
            _ => Err(error.into()),
        }
    }

    /// The end, or once before it what was not read.
    fn end(&mut self) -> io::Result<usize> {
        let mut passed = std::mem::take(&mut self.passed);
        passed.extend(self.missing.take());
        let kind = match passed.pop() {
            None => return Ok(0),
            Some(only) if passed.is_empty() => only,
            Some(last) => {
                passed.push(last);
                IoErrorKind::Several(passed)
            }
        };
        Err(IoError::new(&self.name, kind).into())
    }
}

impl Read for Archive {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let Some(open) = &mut self.open else {
                let Some(member) = self.members.get(self.next) else {
                    return self.end();
                };
                let opened = self.open_member(member);
                self.next += 1;
                match opened {
                    Ok(open) => self.open = Some(open),
                    Err(error) => self.pass_over(error)?,
                }
                if self.next > 1 {
                    buffer[0] = b'\n';
                    return Ok(1);
                }
                continue;
            };
            match open.read(buffer, &self.members[self.next - 1]) {
                Ok(0) => self.open = None,
                Ok(count) => return Ok(count),
                Err(error) => self.pass_over(error)?,
            }
        }
    }
}

impl Open {
    fn read(&mut self, buffer: &mut [u8], member: &Member) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.crc.update(&buffer[..count]);
        self.unpacked += count as u64;
        let complaint = match member.sum {
            _ if count > 0 => return Ok(count),
            Some((size, _)) if self.unpacked != size => {
                format!("{} bytes instead of {size}", self.unpacked)
            }
            Some((_, crc)) if self.crc.sum() != crc => "its checksum is wrong".to_string(),
            _ => return Ok(0),
        };
        Err(io::Error::new(io::ErrorKind::InvalidData, complaint))
    }
}

fn read_directory(file: &File) -> Result<Listing, IoErrorKind> {
    let no_directory = |error: ZipError| match error {
        ZipError::Io(cause) if cause.kind() != io::ErrorKind::UnexpectedEof => {
            IoErrorKind::Read(cause)
        }
        error => IoErrorKind::NoDirectory {
            len: file.metadata().map_or(0, |metadata| metadata.len()),
            reason: error.to_string(),
        },
    };
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(no_directory)?;
    if archive.has_duplicate_names() {
        // The zip crate keeps the last one only: games would be lost in silence.
        return Err(no_directory(ZipError::InvalidArchive(
            "two files have the same name".into(),
        )));
    }
    let mut listing = Listing::default();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(no_directory)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if entry.is_dir() || name.starts_with(RESOURCE_FORKS) {
            continue;
        }
        if entry.encrypted() {
            let kind = IoErrorKind::Encrypted { member: name };
            listing.passed.push(kind);
            continue;
        }
        if !is_known(entry.compression()) {
            listing.passed.push(IoErrorKind::UnknownMethod {
                member: name,
                method: format!("{:?}", entry.compression()),
            });
            continue;
        }
        listing.members.push(Member {
            method: entry.compression(),
            start: entry.data_start().unwrap_or(0),
            packed: entry.compressed_size(),
            sum: Some((entry.size(), entry.crc32())),
            name,
        });
    }
    Ok(listing)
}

fn is_known(method: CompressionMethod) -> bool {
    matches!(
        method,
        CompressionMethod::STORE
            | CompressionMethod::DEFLATE
            | CompressionMethod::DEFLATE64
            | CompressionMethod::BZIP2
            | CompressionMethod::XZ
            | CompressionMethod::ZSTD
    )
}
