//! Archives as they are read: the list of members first, then each member block by block.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use tabiya_formats::io::{InputLimits, LimitReached};

use super::{
    ArchiveError, ArchiveErrorKind, BlockFault, Member,
    block::{FRAME, Frame, Unpacker},
    des::{Cipher, UNIT},
    header::{Directory, HEADER, parse_members},
};

/// An archive, open for reading.
pub struct Archive<R> {
    source: Source<R>,
    members: Vec<Member>,
}

impl Archive<BufReader<File>> {
    /// Opens a file. A `.cbz` without a password is told from what is no archive by its name.
    ///
    /// # Errors
    /// As [`Archive::open`]; and [`ArchiveErrorKind::NeedsPassword`].
    pub fn open_path(
        path: impl AsRef<Path>,
        password: Option<&str>,
    ) -> Result<Archive<BufReader<File>>, ArchiveError> {
        open_file(path.as_ref(), password, Ends::Whole)
    }

    /// As [`Archive::open_path`], for an archive that may be cut off: members may end before they
    /// should, which shows when they are read.
    ///
    /// # Errors
    /// As [`Archive::open_path`]; a list of members that is cut off cannot be read either.
    pub fn open_cut_path(
        path: impl AsRef<Path>,
        password: Option<&str>,
    ) -> Result<Archive<BufReader<File>>, ArchiveError> {
        open_file(path.as_ref(), password, Ends::PerhapsCut)
    }
}

/// Whether all of an archive has to be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Whole,
    PerhapsCut,
}

fn open_file(
    path: &Path,
    password: Option<&str>,
    ends: Ends,
) -> Result<Archive<BufReader<File>>, ArchiveError> {
    let file = File::open(path).map_err(ArchiveErrorKind::Read)?;
    let limits = InputLimits::default();
    let opened = Archive::open_that_ends(BufReader::new(file), password, &limits, ends);
    let is_cbz = || {
        path.extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("cbz"))
    };
    opened.map_err(|error| match error.kind() {
        ArchiveErrorKind::BadHeader if is_cbz() => ArchiveErrorKind::NeedsPassword.into(),
        _ => error,
    })
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the list of members, with the usual limits. A password is not used where none is
    /// needed.
    ///
    /// # Errors
    /// If it is no archive, or one that needs another password, or if anything in its list of
    /// members is not as it should be: then no member is to be trusted.
    pub fn open(input: R, password: Option<&str>) -> Result<Archive<R>, ArchiveError> {
        Archive::open_with(input, password, &InputLimits::default())
    }

    /// As [`Archive::open`], with other limits. Memory is not among them: half a megabyte is enough
    /// for members of any size.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn open_with(
        input: R,
        password: Option<&str>,
        limits: &InputLimits,
    ) -> Result<Archive<R>, ArchiveError> {
        Archive::open_that_ends(input, password, limits, Ends::Whole)
    }

    fn open_that_ends(
        input: R,
        password: Option<&str>,
        limits: &InputLimits,
        ends: Ends,
    ) -> Result<Archive<R>, ArchiveError> {
        let mut source = Source::new(input).map_err(ArchiveErrorKind::Read)?;
        let directory = source.unlock(password)?;
        if source.len < (HEADER + directory.len()) as u64 {
            let members = directory.members;
            let kind = ArchiveErrorKind::DirectoryCutOff { members };
            return Err(ArchiveError::from(kind).at(source.len));
        }
        let mut records = vec![0; directory.len()];
        source
            .read_at(HEADER as u64, &mut records)
            .map_err(ArchiveErrorKind::Read)?;
        let len = match ends {
            Ends::Whole => source.len,
            Ends::PerhapsCut => u64::MAX,
        };
        let members = parse_members(&records, directory.record, len)?;
        check_limits(&members, source.len, limits)?;
        Ok(Archive { source, members })
    }

    /// What is inside, in the order of the list.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Whether a password was needed.
    pub fn is_encrypted(&self) -> bool {
        self.source.cipher.is_some()
    }

    /// Unpacks a member, given by its place in [`Archive::members`], while it is read.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn read(&mut self, index: usize) -> MemberReader<'_, R> {
        let member = &self.members[index];
        MemberReader {
            source: &mut self.source,
            member,
            at: member.start,
            payload: Vec::new(),
            unpacker: Unpacker::new(),
            unpacked: 0,
            delivered: 0,
        }
    }
}

/// What is announced is also what may come out: a member that goes on is stopped.
fn check_limits(members: &[Member], len: u64, limits: &InputLimits) -> Result<(), ArchiveError> {
    let total = members
        .iter()
        .fold(0_u64, |total, member| total.saturating_add(member.size));
    if total > limits.max_output {
        let reached = LimitReached::Output(limits.max_output);
        return Err(ArchiveErrorKind::Limit(reached).into());
    }
    limits
        .check_ratio(total, len)
        .map_err(|reached| ArchiveErrorKind::Limit(reached).into())
}

/// A member while it is unpacked.
///
/// Read it as any reader, or block by block with [`MemberReader::next_block`].
pub struct MemberReader<'a, R> {
    source: &'a mut Source<R>,
    member: &'a Member,
    /// Where the next block begins.
    at: u64,
    payload: Vec<u8>,
    unpacker: Unpacker,
    /// Bytes that have come out of all blocks so far.
    unpacked: u64,
    /// How much of the last block [`Read`] has passed on.
    delivered: usize,
}

impl<R: Read + Seek> MemberReader<'_, R> {
    /// The next bytes of the file, at most 65,535; `None` at its end.
    ///
    /// # Errors
    /// If a block is damaged, or if they do not make the size that the archive announces.
    pub fn next_block(&mut self) -> Result<Option<&[u8]>, ArchiveError> {
        // Whatever goes wrong now, what was delivered is not delivered again.
        self.delivered = 0;
        self.unpacker.forget_output();
        let end = self.member.start + self.member.packed;
        if self.at == end {
            return match self.unpacked == self.member.size {
                true => Ok(None),
                false => Err(self.size_mismatch(self.unpacked)),
            };
        }
        let next = self.read_payload(end)?;
        self.unpacker
            .unpack(&self.payload)
            .map_err(|fault| self.bad_block(fault))?;
        let unpacked = self.unpacked + self.unpacker.output().len() as u64;
        if unpacked > self.member.size {
            self.unpacker.forget_output();
            return Err(self.size_mismatch(unpacked));
        }
        self.unpacked = unpacked;
        self.at = next;
        Ok(Some(self.unpacker.output()))
    }

    /// Reads the payload of a block and says where the next one begins.
    fn read_payload(&mut self, end: u64) -> Result<u64, ArchiveError> {
        let start = self.at + FRAME as u64;
        if start > end {
            return Err(self.bad_block(BlockFault::Overrun));
        }
        let mut frame = [0; FRAME];
        self.source
            .read_at(self.at, &mut frame)
            .map_err(|cause| self.error(ArchiveErrorKind::Read(cause)))?;
        let frame = Frame::parse(frame);
        let next = start + u64::from(frame.len);
        if next > end {
            return Err(self.bad_block(BlockFault::Overrun));
        }
        self.payload.resize(usize::from(frame.len), 0);
        self.source
            .read_at(start, &mut self.payload)
            .map_err(|cause| self.error(ArchiveErrorKind::Read(cause)))?;
        frame
            .check(&self.payload)
            .map_err(|fault| self.bad_block(fault))?;
        Ok(next)
    }

    fn bad_block(&self, fault: BlockFault) -> ArchiveError {
        self.error(ArchiveErrorKind::BadBlock(fault))
    }

    fn size_mismatch(&self, found: u64) -> ArchiveError {
        self.error(ArchiveErrorKind::SizeMismatch {
            declared: self.member.size,
            found,
        })
    }

    fn error(&self, kind: ArchiveErrorKind) -> ArchiveError {
        ArchiveError::from(kind)
            .in_member(&self.member.name)
            .at(self.at)
    }
}

impl<R: Read + Seek> Read for MemberReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        // A block may be empty.
        while self.delivered == self.unpacker.output().len() {
            if self.next_block()?.is_none() {
                return Ok(0);
            }
        }
        let left = &self.unpacker.output()[self.delivered..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.delivered += count;
        Ok(count)
    }
}

/// The bytes of an archive, decrypted.
struct Source<R> {
    input: R,
    len: u64,
    /// Where the input stands; `None` after an error.
    position: Option<u64>,
    cipher: Option<Cipher>,
}

impl<R: Read + Seek> Source<R> {
    fn new(mut input: R) -> io::Result<Source<R>> {
        let len = input.seek(SeekFrom::End(0))?;
        Ok(Source {
            input,
            len,
            position: Some(len),
            cipher: None,
        })
    }

    /// Reads the header, with the password if it must be.
    fn unlock(&mut self, password: Option<&str>) -> Result<Directory, ArchiveError> {
        if self.len < HEADER as u64 {
            return Err(ArchiveErrorKind::BadHeader.into());
        }
        if let Some(directory) = self.read_header()? {
            return Ok(directory);
        }
        let password = password.ok_or(ArchiveErrorKind::BadHeader)?;
        self.cipher = Some(Cipher::new(password)?);
        self.len -= self.len % UNIT as u64;
        let directory = self.read_header()?;
        Ok(directory.ok_or(ArchiveErrorKind::WrongPassword)?)
    }

    fn read_header(&mut self) -> Result<Option<Directory>, ArchiveError> {
        let mut header = [0; HEADER];
        self.read_at(0, &mut header)
            .map_err(ArchiveErrorKind::Read)?;
        Ok(Directory::parse(header))
    }

    /// Fills the buffer from an offset on. The caller knows that so much is there.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let Some(cipher) = self.cipher.clone() else {
            return self.read_raw(offset, buffer);
        };
        let unit = UNIT as u64;
        let start = offset - offset % unit;
        let skip = (offset - start) as usize;
        let mut units = vec![0; (skip + buffer.len()).next_multiple_of(UNIT)];
        self.read_raw(start, &mut units)?;
        cipher.decrypt(&mut units);
        buffer.copy_from_slice(&units[skip..skip + buffer.len()]);
        Ok(())
    }

    fn read_raw(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        // Buffered readers forget their buffer whenever they seek.
        if self.position.take() != Some(offset) {
            self.input.seek(SeekFrom::Start(offset))?;
        }
        self.input.read_exact(buffer)?;
        self.position = Some(offset + buffer.len() as u64);
        Ok(())
    }
}
