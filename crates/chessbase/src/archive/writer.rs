//! Archives as they are written.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use tempfile::SpooledTempFile;

use super::{
    ArchiveError, ArchiveErrorKind, Member, Modified,
    block::{self, BLOCK_INPUT, Frame},
    des::{Cipher, Encrypting},
    header::{HEADER, RECORD, header},
    name::{self, Taken},
};
use tabiya_formats::io::{Compression, Lock, Output};

/// Packed members up to this size wait in memory, larger ones in a temporary file.
const MEMORY: usize = 16 << 20;

/// What belongs to a database and cannot be computed again, in the order in which ChessBase packs
/// it; then what it keeps in folders.
const EXTENSIONS: [&str; 17] = [
    "cbh", "ini", "cbg", "cba", "cbp", "cbt", "cbs", "cbc", "cbj", "cbe", "cbm", "cbtt", "cbl",
    "flags", "html", "bmp", "wav",
];

/// Collects files for an archive.
///
/// The list of members comes first in an archive but is known last: what is packed waits in
/// between.
pub struct Packer {
    blocks: block::Packer,
    streams: SpooledTempFile,
    members: Vec<Member>,
    taken: Taken,
    /// Bytes of all streams so far.
    packed: u64,
}

/// How much went into an archive and what it came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Packed {
    /// How many files.
    pub members: usize,
    /// Bytes of all files.
    pub size: u64,
    /// Bytes of the archive.
    pub packed: u64,
}

impl Default for Packer {
    fn default() -> Packer {
        Packer::new()
    }
}

impl Packer {
    /// An archive without files.
    pub fn new() -> Packer {
        Packer {
            blocks: block::Packer::new(),
            streams: SpooledTempFile::new(MEMORY),
            members: Vec::new(),
            taken: Taken::default(),
            packed: 0,
        }
    }

    /// Packs a file under a name, with `/` between folders.
    ///
    /// # Errors
    /// If the name is one that a reader would refuse, if the file cannot be read, or if there is
    /// no room.
    pub fn add(
        &mut self,
        name: &str,
        modified: Option<Modified>,
        contents: impl Read,
    ) -> Result<(), ArchiveError> {
        if self.members.len() == usize::from(u16::MAX) {
            return Err(ArchiveErrorKind::TooManyMembers.into());
        }
        name::to_field(name)?;
        self.taken.take(name)?;
        let (size, packed) = self
            .pack_blocks(contents)
            .map_err(|error| error.in_member(name))?;
        self.members.push(Member {
            name: name.to_string(),
            // The list of members, not known yet, will go before it.
            start: self.packed,
            packed,
            size,
            modified,
        });
        self.packed += packed;
        Ok(())
    }

    /// Bytes that went in and that came out.
    fn pack_blocks(&mut self, mut contents: impl Read) -> Result<(u64, u64), ArchiveError> {
        let (mut size, mut packed) = (0, 0);
        let mut input = Vec::with_capacity(BLOCK_INPUT);
        loop {
            input.clear();
            let mut next = contents.by_ref().take(BLOCK_INPUT as u64);
            next.read_to_end(&mut input)
                .map_err(ArchiveErrorKind::Read)?;
            if input.is_empty() {
                return Ok((size, packed));
            }
            let payload = self.blocks.pack(&input);
            let frame = Frame::of(&payload).expect("a payload is one byte longer than its input");
            self.streams
                .write_all(&frame.to_bytes())
                .and_then(|()| self.streams.write_all(&payload))
                .map_err(ArchiveErrorKind::Write)?;
            size += input.len() as u64;
            packed += (block::FRAME + payload.len()) as u64;
        }
    }

    /// Writes the archive, under a password if there is one.
    ///
    /// # Errors
    /// If the password cannot be one, or if the archive cannot be written.
    pub fn finish(
        mut self,
        mut out: impl Write,
        password: Option<&str>,
    ) -> Result<Packed, ArchiveError> {
        match password {
            None => self.write(&mut out)?,
            Some(password) => {
                let mut out = Encrypting::new(&mut out, Cipher::new(password)?);
                self.write(&mut out)?;
                out.finish().map_err(ArchiveErrorKind::Write)?;
            }
        }
        out.flush().map_err(ArchiveErrorKind::Write)?;
        Ok(Packed {
            members: self.members.len(),
            size: self.members.iter().map(|member| member.size).sum(),
            packed: self.directory_len() + self.packed,
        })
    }

    fn directory_len(&self) -> u64 {
        (HEADER + self.members.len() * RECORD) as u64
    }

    fn write(&mut self, out: &mut impl Write) -> Result<(), ArchiveError> {
        let count = u16::try_from(self.members.len()).expect("no more than that were added");
        let mut directory = header(count).to_vec();
        for member in &self.members {
            let member = Member {
                start: self.directory_len() + member.start,
                ..member.clone()
            };
            directory.extend(member.to_record()?);
        }
        out.write_all(&directory)
            .and_then(|()| self.streams.rewind())
            .and_then(|()| io::copy(&mut self.streams, out))
            .map_err(ArchiveErrorKind::Write)?;
        Ok(())
    }
}

/// Packs files and folders into an archive, under a password if there is one.
///
/// A file goes in under its own name, a folder under its name with all that is in it. Dates are
/// those of the files: the same files give the same archive.
///
/// # Errors
/// If a file cannot be read, has a name that an archive cannot hold, or two have the same one; if
/// the password cannot be one; or if the archive cannot be written.
pub fn pack(
    files: &[impl AsRef<Path>],
    out: impl Write,
    password: Option<&str>,
) -> Result<Packed, ArchiveError> {
    let mut packer = Packer::new();
    for path in files {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        add_path(&mut packer, path, &name)?;
    }
    packer.finish(out, password)
}

/// Packs a database into a file, and lets nobody change either of them meanwhile.
///
/// # Errors
/// As [`pack`]; and if somebody is changing the database or writing the archive.
pub fn pack_database(
    database: &Path,
    archive: &Path,
    password: Option<&str>,
) -> io::Result<Packed> {
    let _of_database = Lock::to_read(database)?;
    let _of_archive = Lock::of(archive)?;
    let files = database_files(database)?;
    let mut output = Output::create(archive, Compression::None)?;
    let packed = pack(&files, &mut output, password).map_err(io::Error::other)?;
    output.finish()?;
    Ok(packed)
}

fn add_path(packer: &mut Packer, path: &Path, name: &str) -> Result<(), ArchiveError> {
    let read = |cause| ArchiveError::from(ArchiveErrorKind::Read(cause)).in_member(name);
    if path.is_dir() {
        for entry in sorted_entries(path).map_err(read)? {
            let inner = entry.file_name().unwrap_or_default().to_string_lossy();
            add_path(packer, &entry, &format!("{name}/{inner}"))?;
        }
        return Ok(());
    }
    let file = File::open(path).map_err(read)?;
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    let modified = modified.ok().and_then(Modified::from_system_time);
    packer.add(name, modified, file)
}

/// The files and folders that make a database, found by the name of its `.cbh`: without what
/// ChessBase computes again (search boosters, keys).
///
/// # Errors
/// If the folder cannot be read.
pub fn database_files(database: impl AsRef<Path>) -> io::Result<Vec<PathBuf>> {
    let database = database.as_ref();
    let folder = match database.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let stem = database.file_stem().unwrap_or_default();
    let rank = |path: &Path| {
        let extension = path.extension()?;
        let is_ours = path.file_stem()?.eq_ignore_ascii_case(stem);
        let rank = EXTENSIONS
            .iter()
            .position(|e| extension.eq_ignore_ascii_case(e))?;
        is_ours.then_some(rank)
    };
    let mut files: Vec<(usize, PathBuf)> = sorted_entries(folder)?
        .into_iter()
        .filter_map(|path| Some((rank(&path)?, path)))
        .collect();
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

/// In an order that does not depend on the system.
fn sorted_entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    Ok(entries)
}
