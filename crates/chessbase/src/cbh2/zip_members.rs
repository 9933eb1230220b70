//! The members of a `.2cbv`, by the list at its end or, if that is missing, one behind the other.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

use zip::{
    CompressionMethod, ZipArchive,
    read::{ZipFile, read_zipfile_from_stream},
};

use crate::archive::{ArchiveError, ArchiveErrorKind, Members, name};
use tabiya_formats::io::{InputLimits, LimitReached};

/// A zip archive whose list of members is sound.
pub(super) struct Zip {
    archive: ZipArchive<BufReader<File>>,
    /// Names, and where they stand in the archive. Folders are left out.
    members: Vec<(String, usize)>,
}

pub(super) fn bad_zip(error: impl ToString) -> ArchiveError {
    ArchiveErrorKind::BadZip(error.to_string()).into()
}

impl Zip {
    pub fn open(path: &Path) -> Result<Zip, ArchiveError> {
        let file = File::open(path).map_err(ArchiveErrorKind::Read)?;
        let length = file.metadata().map_err(ArchiveErrorKind::Read)?.len();
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(bad_zip)?;
        if archive.has_duplicate_names() {
            return Err(bad_zip("two files have the same name"));
        }
        let mut taken = name::Taken::default();
        let mut members = Vec::new();
        let mut total = 0_u64;
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index).map_err(bad_zip)?;
            let name = String::from_utf8_lossy(entry.name_raw()).replace('\\', "/");
            if entry.is_dir() {
                continue;
            }
            if entry.encrypted() || !is_known(entry.compression()) {
                return Err(ArchiveError::from(ArchiveErrorKind::UnknownPacking).in_member(&name));
            }
            let size = entry.size();
            check_name(&name)?;
            taken.take(&name)?;
            total = total.saturating_add(size);
            members.push((name, index));
        }
        check_limits(total, length)?;
        Ok(Zip { archive, members })
    }
}

fn is_known(method: CompressionMethod) -> bool {
    matches!(
        method,
        CompressionMethod::STORE | CompressionMethod::DEFLATE
    )
}

fn check_name(name: &str) -> Result<(), ArchiveError> {
    let checked = name::check(name);
    checked.map_err(|fault| {
        let name = name.to_owned();
        ArchiveErrorKind::BadName { name, fault }.into()
    })
}

fn check_limits(total: u64, length: u64) -> Result<(), ArchiveError> {
    let limits = InputLimits::default();
    if total > limits.max_output {
        let reached = LimitReached::Output(limits.max_output);
        return Err(ArchiveErrorKind::Limit(reached).into());
    }
    let checked = limits.check_ratio(total, length);
    checked.map_err(|reached| ArchiveErrorKind::Limit(reached).into())
}

impl Members for Zip {
    fn names(&self) -> Vec<String> {
        self.members.iter().map(|(name, _)| name.clone()).collect()
    }

    fn copy(&mut self, index: usize, file: &mut File) -> Result<(), ArchiveError> {
        let (_, place) = self.members[index];
        let member = self.archive.by_index(place).map_err(bad_zip)?;
        copy_member(member, file)
    }
}

/// Writes a member to a file.
fn copy_member<R: Read>(member: ZipFile<'_, R>, file: &mut File) -> Result<(), ArchiveError> {
    let declared = member.size();
    // No more than is announced ever comes out.
    let mut limited = member.take(declared.saturating_add(1));
    let mut buffer = vec![0; 1 << 16];
    let mut found = 0;
    loop {
        // The library compares the checksum at the end.
        let count = match limited.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(ArchiveErrorKind::Read(error).into());
            }
            read => read.map_err(bad_zip)?,
        };
        if count == 0 {
            break;
        }
        found += count as u64;
        let written = file.write_all(&buffer[..count]);
        written.map_err(ArchiveErrorKind::Write)?;
    }
    match found == declared {
        true => Ok(()),
        false => Err(ArchiveErrorKind::SizeMismatch { declared, found }.into()),
    }
}

/// A zip archive whose list of members is missing: they are found one behind the other.
pub(super) struct Loose {
    file: BufReader<File>,
    /// Names, and where they begin.
    members: Vec<(String, u64)>,
}

/// How a member begins, and how many bytes stand before its name.
const MEMBER: [u8; 4] = *b"PK\x03\x04";
const HEAD: usize = 30;

/// The head of a member.
struct Head {
    name: usize,
    extra: usize,
    packed: u64,
    unpacked: u64,
    /// Sizes stand behind the data.
    unsized_yet: bool,
}

impl Head {
    fn read(bytes: &[u8]) -> Option<Head> {
        let head = bytes.first_chunk::<HEAD>()?;
        let short = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        head.starts_with(&MEMBER).then(|| Head {
            name: short(26).into(),
            extra: short(28).into(),
            packed: long(18).into(),
            unpacked: long(22).into(),
            unsized_yet: short(6) & 8 != 0,
        })
    }
}

impl Loose {
    /// The name of the first member, if a file begins with one.
    pub fn first_name(begin: &[u8]) -> Option<String> {
        let head = Head::read(begin)?;
        let name = begin.get(HEAD..HEAD + head.name)?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// Looks for members from the beginning of a file to where it is damaged or cut off.
    pub fn open(path: &Path) -> Result<Loose, ArchiveError> {
        let file = File::open(path).map_err(ArchiveErrorKind::Read)?;
        let length = file.metadata().map_err(ArchiveErrorKind::Read)?.len();
        let mut loose = Loose {
            file: BufReader::new(file),
            members: Vec::new(),
        };
        let mut taken = name::Taken::default();
        let (mut at, mut total) = (0, 0_u64);
        while let Some((head, name)) = loose.head(at).map_err(ArchiveErrorKind::Read)? {
            check_name(&name)?;
            taken.take(&name)?;
            loose.members.push((name, at));
            total = total.saturating_add(head.unpacked);
            // A size of 32 ones stands elsewhere, and is longer than most files that are cut off.
            let packed = Some(head.packed).filter(|it| *it < u64::from(u32::MAX));
            let Some(packed) = packed.filter(|_| !head.unsized_yet) else {
                break;
            };
            at += (HEAD + head.name + head.extra) as u64 + packed;
        }
        check_limits(total, length)?;
        Ok(loose)
    }

    /// The head of a member at a place, and its name.
    fn head(&mut self, at: u64) -> io::Result<Option<(Head, String)>> {
        self.file.seek(SeekFrom::Start(at))?;
        let mut bytes = Vec::new();
        self.file
            .by_ref()
            .take(HEAD as u64)
            .read_to_end(&mut bytes)?;
        let Some(head) = Head::read(&bytes) else {
            return Ok(None);
        };
        let mut name = Vec::new();
        let length = head.name as u64;
        self.file.by_ref().take(length).read_to_end(&mut name)?;
        let is_whole = name.len() == head.name;
        let name = String::from_utf8_lossy(&name).replace('\\', "/");
        // The archives of ChessBase have no folders.
        Ok(Some((head, name)).filter(|(_, name)| is_whole && !name.ends_with('/')))
    }
}

impl Members for Loose {
    fn names(&self) -> Vec<String> {
        self.members.iter().map(|(name, _)| name.clone()).collect()
    }

    fn copy(&mut self, index: usize, file: &mut File) -> Result<(), ArchiveError> {
        let (_, at) = self.members[index];
        let found = self.file.seek(SeekFrom::Start(at));
        found.map_err(ArchiveErrorKind::Read)?;
        let member = read_zipfile_from_stream(&mut self.file).map_err(bad_zip)?;
        let member = member.ok_or_else(|| bad_zip("no member begins here"))?;
        let known = is_known(member.compression()) && !member.encrypted();
        match known {
            true => copy_member(member, file),
            false => Err(ArchiveErrorKind::UnknownPacking.into()),
        }
    }
}
