//! Records on disk until they are sorted: files for ranges of keys.
//!
//! Within a file records stay in the order in which they came, which is that of games and plies. So
//! a file of one key is sorted, however large it is.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use super::ply;

/// How much is written to a file at a time.
const BUFFER: usize = 64 << 10;

/// Records of a range of keys, in files of smaller ranges.
pub(super) struct Spill {
    /// How the names of the files begin.
    name: PathBuf,
    least: i64,
    most: i64,
    files: Vec<Option<Growing>>,
}

/// A file of records.
#[derive(Debug)]
pub(super) struct Run {
    path: PathBuf,
    pub rows: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// The least key in it.
    pub least: i64,
    /// The greatest.
    pub most: i64,
}

struct Growing {
    run: Run,
    file: BufWriter<File>,
}

impl Spill {
    /// For keys of a range, in so many files at most.
    pub fn new(name: PathBuf, least: i64, most: i64, files: usize) -> Spill {
        Spill {
            name,
            least,
            most,
            files: (0..files).map(|_| None).collect(),
        }
    }

    /// Which file a key belongs to: all have ranges of the same width.
    fn index(&self, key: i64) -> usize {
        let offset = |key: i64| u128::from(key.abs_diff(self.least));
        (offset(key) * self.files.len() as u128 / (offset(self.most) + 1)) as usize
    }

    /// Adds a record behind the others.
    pub fn add(&mut self, record: &[u8]) -> io::Result<()> {
        let (Some(key), Ok(len)) = (ply::key(record), u8::try_from(record.len())) else {
            return Err(io::Error::other(
                "a record of a ply is too short or too long",
            ));
        };
        let index = self.index(key);
        let growing = match &mut self.files[index] {
            Some(growing) => growing,
            empty => empty.insert(Growing::create(&self.name, index, key)?),
        };
        growing.file.write_all(&[len])?;
        growing.file.write_all(record)?;
        let run = &mut growing.run;
        run.rows += 1;
        run.bytes += 1 + u64::from(len);
        run.least = run.least.min(key);
        run.most = run.most.max(key);
        Ok(())
    }

    /// The files in the order of their keys, with the number of each; empty ones are left out.
    pub fn finish(self) -> io::Result<Vec<(usize, Run)>> {
        let files = self.files.into_iter().enumerate();
        let files = files.filter_map(|(index, growing)| Some((index, growing?)));
        let finish = |(index, mut growing): (usize, Growing)| {
            growing.file.flush()?;
            Ok((index, growing.run))
        };
        files.map(finish).collect()
    }
}

impl Growing {
    fn create(name: &Path, index: usize, key: i64) -> io::Result<Growing> {
        let mut path = name.as_os_str().to_owned();
        path.push(format!("-{index}"));
        let path = PathBuf::from(path);
        Ok(Growing {
            file: BufWriter::with_capacity(BUFFER, File::create_new(&path)?),
            run: Run {
                path,
                rows: 0,
                bytes: 0,
                least: key,
                most: key,
            },
        })
    }
}

impl Run {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All its bytes: records, each behind a byte that says how long it is.
    pub fn contents(&self) -> io::Result<Vec<u8>> {
        fs::read(&self.path)
    }

    /// Tells its records one by one.
    pub fn for_each(&self, mut tell: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut file = BufReader::with_capacity(BUFFER, File::open(&self.path)?);
        let mut record = [0; u8::MAX as usize];
        for _ in 0..self.rows {
            let mut len = [0];
            file.read_exact(&mut len)?;
            let record = &mut record[..len[0].into()];
            file.read_exact(record)?;
            tell(record)?;
        }
        Ok(())
    }

    /// Nobody needs it any more.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(self.path)
    }
}
