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
    /// Why there may be more members than are known: said behind the last one.
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
    /// may be cut off, and has none, the members are found one behind the other.
    pub fn open(
        file: File,
        name: Arc<str>,
        limits: InputLimits,
        progress: Progress,
        ends: Ends,
    ) -> Result<Archive, IoError> {
        let fail = |kind| IoError::new(&name, kind);
        let (members, missing) = match (read_directory(&file), ends) {
            (Ok(members), _) => (members, None),
            (Err(missing @ IoErrorKind::NoDirectory { .. }), Ends::PerhapsCut) => {
                let members = local_headers::members(&file).map_err(fail)?;
                (members, Some(missing))
            }
            (Err(kind), _) => return Err(fail(kind)),
        };
        Ok(Archive {
            file: Arc::new(file),
            name,
            members,
            limits,
            progress,
            next: 0,
            open: None,
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
}

impl Read for Archive {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(newline) = buffer.first_mut() else {
            return Ok(0);
        };
        if self.open.is_none() {
            let Some(member) = self.members.get(self.next) else {
                return match self.missing.take() {
                    Some(kind) => Err(IoError::new(&self.name, kind).into()),
                    None => Ok(0),
                };
            };
            let opened = self.open_member(member);
            self.next += 1;
            self.open = Some(opened.map_err(|error| self.explain(error))?);
            if self.next > 1 {
                *newline = b'\n';
                return Ok(1);
            }
        }
        let Some(open) = &mut self.open else {
            return Ok(0);
        };
        match open.read(buffer, &self.members[self.next - 1]) {
            Ok(0) => {
                self.open = None;
                self.read(buffer)
            }
            Ok(count) => Ok(count),
            Err(error) => Err(self.explain(error)),
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

fn read_directory(file: &File) -> Result<Vec<Member>, IoErrorKind> {
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
    let mut members = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(no_directory)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if entry.is_dir() || name.starts_with(RESOURCE_FORKS) {
            continue;
        }
        if entry.encrypted() {
            return Err(IoErrorKind::Encrypted { member: name });
        }
        if !is_known(entry.compression()) {
            return Err(IoErrorKind::UnknownMethod {
                member: name,
                method: format!("{:?}", entry.compression()),
            });
        }
        members.push(Member {
            method: entry.compression(),
            start: entry.data_start().unwrap_or(0),
            packed: entry.compressed_size(),
            sum: Some((entry.size(), entry.crc32())),
            name,
        });
    }
    Ok(members)
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
