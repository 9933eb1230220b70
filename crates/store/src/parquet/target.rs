//! An export that grows, and gets its name when it is complete.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use ::parquet::{
    arrow::{ArrowWriter, arrow_writer::ArrowWriterOptions},
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::properties::{WriterProperties, WriterPropertiesBuilder},
};
use arrow_schema::Schema;
use tabiya_formats::{
    Records, Target,
    io::{TemporaryFolder, folder_of, sync_folder},
};

use super::{
    CREATED_BY, GAMES, POSITIONS,
    games::GamesFile,
    manifest::{FileEntry, Manifest, Summed},
    ply::{put_ply, take_row},
    positions::PartFile,
    sort::sorted,
    spill::{Run, Spill},
    writer::{Entry, RECORDS},
};

/// Positions wait in so many files, each for a range of keys. Some systems let a program have no more
/// than 256 files open.
const SPILLS: usize = 64;
/// A file of positions has about so many rows, unless there would be more files than `SPILLS`.
pub(super) const PART_ROWS: u64 = 16 << 20;

/// What an old export is called, behind its name, while a new one takes its place where that takes two
/// steps.
const ASIDE: &str = ".before";

/// An export on its way.
pub(super) struct Export {
    path: PathBuf,
    folder: TemporaryFolder,
    /// About how many bytes of memory it may use.
    memory: usize,
    part_rows: u64,
    games: GamesFile,
    spill: Spill,
    /// The id of the last entry.
    last: i64,
    /// The bytes of the last ply.
    record: Vec<u8>,
}

impl Export {
    pub fn create(path: &Path, memory: usize) -> io::Result<Export> {
        Export::with_parts(path, memory, PART_ROWS)
    }

    pub fn with_parts(path: &Path, memory: usize, part_rows: u64) -> io::Result<Export> {
        let folder = TemporaryFolder::create_in(folder_of(path))?;
        let new = new_folder(&folder);
        fs::create_dir_all(new.join(POSITIONS))?;
        let spill = folder.path().join("spill");
        Ok(Export {
            path: path.to_owned(),
            memory,
            part_rows,
            games: GamesFile::new(new.join(GAMES), memory),
            spill: Spill::new(spill, i64::MIN, i64::MAX, SPILLS),
            folder,
            last: 0,
            record: Vec::new(),
        })
    }

    fn entry(&mut self, Entry { row, plies }: &Entry) -> io::Result<()> {
        // Entries of several databases may have the same numbers, and some have none.
        let id = i64::try_from(plies.number).unwrap_or(0).max(self.last + 1);
        self.last = id;
        self.games.add(id, row, &plies.line)?;
        for ply in &plies.plies {
            self.record.clear();
            put_ply(id, ply, &mut self.record);
            self.spill.add(&self.record)?;
        }
        Ok(())
    }
}

impl Target for Export {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        let mut entries = records.slice(RECORDS, which)?.iter();
        entries.try_for_each(|entry| self.entry(entry))
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        let mut files = vec![self.games.finish()?];
        let runs = self.spill.finish()?;
        let new = new_folder(&self.folder);
        let positions = new.join(POSITIONS);
        let parts = write_positions(&positions, runs, self.memory, self.part_rows)?;
        files.extend(parts);
        write_manifest(&new, &Manifest::new(files))?;
        sync_folder(&positions);
        sync_folder(&new);
        appear(&new, &self.path)?;
        Ok(Vec::new())
    }
}

fn new_folder(temporary: &TemporaryFolder) -> PathBuf {
    // Temporary folders are private; the one inside will be an ordinary one.
    temporary.path().join("export")
}

/// Puts the new export in the place of the old one, if there is one, which then has the name of the new
/// one or is gone: a crash at any moment leaves one of them in its place.
fn appear(new: &Path, path: &Path) -> io::Result<()> {
    let appeared = match path.exists() {
        false => fs::rename(new, path),
        true => exchange(new, path).or_else(|_| step_aside(new, path)),
    };
    sync_folder(folder_of(path));
    appeared
}

/// Gives each of two folders the name of the other, in one step.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The same for systems and drives that have no such step. A crash between leaves the old export beside
/// its place: nobody sweeps a name like that away.
pub(super) fn step_aside(new: &Path, path: &Path) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ASIDE);
    let old = path.with_file_name(name);
    fs::rename(path, &old)?;
    if let Err(error) = fs::rename(new, path) {
        fs::rename(&old, path)?;
        return Err(error);
    }
    fs::remove_dir_all(&old)
}

fn write_manifest(folder: &Path, manifest: &Manifest) -> io::Result<()> {
    let mut file = BufWriter::new(File::create_new(folder.join(Manifest::NAME))?);
    manifest.write(&mut file)?;
    file.into_inner()?.sync_all()
}

/// Files of equal ranges of keys, a power of two of them.
fn write_positions(
    folder: &Path,
    runs: Vec<(usize, Run)>,
    memory: usize,
    part_rows: u64,
) -> io::Result<Vec<FileEntry>> {
    let rows: u64 = runs.iter().map(|(_, run)| run.rows).sum();
    let parts = rows.div_ceil(part_rows).clamp(1, SPILLS as u64);
    let parts = (parts as usize).next_power_of_two();
    let mut runs = runs.into_iter().peekable();
    let mut files = Vec::new();
    for part in 0..parts {
        let name = format!("part-{part:04}.parquet");
        let mut file = PartFile::create(&folder.join(&name))?;
        let mut tell = |record: &[u8]| {
            let torn = || io::Error::other("a position is not as it was written");
            file.add(&take_row(record).ok_or_else(torn)?)
        };
        while let Some((_, run)) = runs.next_if(|(index, _)| index * parts / SPILLS == part) {
            sorted(run, memory as u64 / 2, &mut tell)?;
        }
        files.push(file.finish(format!("{POSITIONS}/{name}"))?);
    }
    Ok(files)
}

/// How all files are written: a page index comes by itself, as do dictionaries.
pub(super) fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
}

/// A file that grows, with its checksums.
pub(super) type Writer = ArrowWriter<Summed<BufWriter<File>>>;

/// Begins a file.
pub(super) fn writer(
    path: &Path,
    schema: &Arc<Schema>,
    properties: WriterProperties,
) -> io::Result<Writer> {
    // Arrow's own types mean nothing to others.
    let options = ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true);
    let file = Summed::new(BufWriter::with_capacity(1 << 20, File::create_new(path)?));
    ArrowWriter::try_new_with_options(file, Arc::clone(schema), options).map_err(failed)
}

/// Ends a file, which has a name in the export. What is in it lasts.
pub(super) fn close(mut writer: Writer, name: String) -> io::Result<FileEntry> {
    let metadata = writer.finish().map_err(failed)?;
    let rows = metadata.file_metadata().num_rows();
    let rows = u64::try_from(rows).map_err(io::Error::other)?;
    let (entry, file) = writer.inner_mut().finish(name, rows);
    file.flush()?;
    file.get_ref().sync_all()?;
    Ok(entry)
}

/// What the system said, or what is wrong otherwise.
pub(super) fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}
