//! Games to files.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Seek, Write},
    ops::Range,
    path::Path,
};

use super::{
    Version,
    database::Base,
    files::{Files, split},
    game::BLOCK,
    index::{self, Entry, si4},
    info::Information,
    names::{KIND_NAMES, KIND_OF, KINDS, Register, sn4, sn5},
    pending::{NewGames, Pending, RECORDS},
};
use crate::{
    Records,
    io::{Compression, Lock, Output},
    target::Target,
};

/// Makes a database of what [`Writer`](super::Writer)s wrote, or adds to one.
///
/// Nothing can be seen of it until [`Builder::finish`]; a builder that is dropped leaves what was
/// there before. Only one may work on a database at a time; a second one is refused.
pub struct Builder {
    version: Version,
    files: Files,
    /// The database that is added to.
    old: Option<Base>,
    games: Games,
    /// Where the next record goes.
    offset: u64,
    /// New records of the index, and how many they are.
    index: BufWriter<File>,
    added: u64,
    /// Records of the index that replace old ones, by their numbers from 0.
    changed: BTreeMap<u64, Vec<u8>>,
    register: Register,
    /// How often names are used by games that were added.
    uses: sn4::Uses,
    info: Information,
    /// The bytes that the name file of version 5 gets, if it changes.
    new_names: Vec<u8>,
    names_changed: bool,
    /// Given up last.
    lock: Option<Lock>,
}

/// Where records go.
enum Games {
    /// Into a new file.
    New(Box<Output>),
    /// Into a nameless one, until they are put behind the old ones.
    Added(BufWriter<File>),
}

/// How many games, bytes and names of each kind a database can have.
struct Limits {
    games: u64,
    bytes: u64,
    names: [u64; KINDS],
}

impl Limits {
    const fn of(version: Version) -> Limits {
        match version {
            Version::Si3 | Version::Si4 => Limits {
                games: 16_777_214,
                bytes: (1 << 32) - 1,
                names: [(1 << 20) - 1, (1 << 19) - 1, (1 << 19) - 1, (1 << 18) - 1],
            },
            Version::Si5 => Limits {
                games: (1 << 32) - 2,
                bytes: 1 << 46,
                names: [1 << 28, 1 << 28, u32::MAX as u64, 1 << 31],
            },
        }
    }
}

fn full(what: impl Into<String>) -> io::Error {
    let message = format!("the database is full: {}", what.into());
    io::Error::new(io::ErrorKind::StorageFull, message)
}

impl Builder {
    /// Begins a database in place of what is there.
    ///
    /// # Errors
    /// If its files cannot be written, or somebody else is writing them.
    pub fn create(version: Version, path: impl AsRef<Path>) -> io::Result<Builder> {
        let version = version.written();
        // The files of a database that is there keep their names, in whatever case these are.
        let files = match Files::find(path.as_ref()) {
            Ok((found, files)) if found == version => files,
            _ => Files::named(version, path.as_ref()),
        };
        let lock = Lock::of(&files.index)?;
        files.settle()?;
        Builder::renew(version, files, lock)
    }

    /// Begins a database in place of one that has these files.
    pub(super) fn renew(version: Version, files: Files, lock: Lock) -> io::Result<Builder> {
        files.check_writable()?;
        let pending = files.pending().games;
        let games = Output::create_as(&pending, &files.games, Compression::None)?;
        Builder::begin(version, files, None, Games::New(Box::new(games)), lock)
    }

    /// Goes on with a database, or begins it if it is not there.
    ///
    /// # Errors
    /// If its files cannot be read or written, are of another version, or are being changed by
    /// somebody else.
    pub fn append(version: Version, path: impl AsRef<Path>) -> io::Result<Builder> {
        let path = path.as_ref();
        let named = Files::named(version.written(), path);
        let index = match split(path) {
            _ if named.is_there() => &named.index,
            Some(_) if path.exists() => path,
            _ => return Builder::create(version, path),
        };
        let builder = Builder::open(Files::find(index)?.1)?;
        match builder.version == version.written() {
            true => Ok(builder),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{} is of another version", path.display()),
            )),
        }
    }

    /// Goes on with a database that is there.
    pub(super) fn open(files: Files) -> io::Result<Builder> {
        let lock = Lock::of(&files.index)?;
        files.settle()?;
        let (version, _) = Files::find(&files.index)?;
        let old = Base::open(version, &files).map_err(io::Error::other)?;
        if old.version == Version::Si3 {
            let message = "version 3 of Scid can be read, but not changed";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        check_whole(&old)?;
        let games = BufWriter::new(tempfile::tempfile_in(files.folder())?);
        Builder::begin(old.version, files, Some(old), Games::Added(games), lock)
    }

    fn begin(
        version: Version,
        files: Files,
        old: Option<Base>,
        games: Games,
        lock: Lock,
    ) -> io::Result<Builder> {
        let (register, info) = match &old {
            Some(old) => (Register::of(old.names.clone()), old.info.clone()),
            None => (Register::default(), Information::default()),
        };
        let index = BufWriter::new(tempfile::tempfile_in(files.folder())?);
        Ok(Builder {
            version,
            files,
            offset: old.as_ref().map_or(0, |old| old.games.len() as u64),
            old,
            games,
            index,
            added: 0,
            changed: BTreeMap::new(),
            register,
            uses: sn4::Uses::default(),
            info,
            new_names: Vec::new(),
            names_changed: false,
            lock: Some(lock),
        })
    }

    /// Adds what a writer of the same version wrote.
    ///
    /// # Errors
    /// If it was of another version, the games cannot be written, or the database is full.
    pub fn add(&mut self, games: &NewGames) -> io::Result<()> {
        self.add_some(games, 0..games.len())
    }

    fn add_some(&mut self, games: &NewGames, which: Range<usize>) -> io::Result<()> {
        for pending in games.get(self.version, which)? {
            match pending {
                Pending::Game {
                    entry,
                    names,
                    record,
                } => self.add_game(entry, names, record)?,
                Pending::Text { key, value } => {
                    let key = String::from_utf8_lossy(key);
                    self.set_text(&key, value);
                }
            }
        }
        Ok(())
    }

    pub(super) fn set_information(&mut self, info: &Information) {
        self.info = info.clone();
        if self.version == Version::Si5 {
            sn5::put_information(info, &mut self.new_names);
            self.names_changed = true;
        }
    }

    fn set_text(&mut self, key: &str, value: &[u8]) {
        self.info.set(key, value);
        if self.version == Version::Si5 {
            sn5::put_text(key, value, &mut self.new_names);
            self.names_changed = true;
        }
    }

    /// The version of its files.
    pub(super) fn version(&self) -> Version {
        self.version
    }

    /// How long the game file will be.
    pub(super) fn game_bytes(&self) -> u64 {
        self.offset
    }

    /// Adds a game behind the others.
    pub(super) fn add_game(
        &mut self,
        entry: Entry,
        names: [&[u8]; 5],
        record: &[u8],
    ) -> io::Result<()> {
        let old = self.old.as_ref().map_or(0, |old| old.count);
        if old + self.added >= Limits::of(self.version).games {
            return Err(full("it has as many games as it can count"));
        }
        let mut bytes = Vec::with_capacity(64);
        let entry = self.place(entry, names, record)?;
        index::write(self.version, &entry, &mut bytes);
        self.added += 1;
        self.uses.count_all(&entry);
        self.index.write_all(&bytes)
    }

    /// Puts a game in place of another, by its number from 0, which must be there.
    pub(super) fn replace_game(
        &mut self,
        number: u64,
        entry: Entry,
        names: [&[u8]; 5],
        record: &[u8],
    ) -> io::Result<()> {
        let entry = self.place(entry, names, record)?;
        let mut bytes = Vec::with_capacity(64);
        index::write(self.version, &entry, &mut bytes);
        self.changed.insert(number, bytes);
        Ok(())
    }

    /// Changes what the index says of an old game, by its number from 0; `None` if there is none.
    pub(super) fn change(&mut self, number: u64, change: impl FnOnce(&mut Entry)) -> Option<()> {
        let old = self.old.as_ref()?;
        let (_, bytes) = old.index_record(number)?;
        let bytes = self.changed.entry(number).or_insert_with(|| bytes.to_vec());
        let mut entry = index::read(self.version, bytes)?;
        change(&mut entry);
        bytes.clear();
        index::write(self.version, &entry, bytes);
        Some(())
    }

    /// Writes the record of a game and gives names their numbers.
    fn place(&mut self, entry: Entry, names: [&[u8]; 5], record: &[u8]) -> io::Result<Entry> {
        let mut entry = entry;
        let limits = Limits::of(self.version);
        for (place, name) in names.into_iter().enumerate() {
            let kind = KIND_OF[place];
            let (id, new) = self.register.id(kind, name);
            if new {
                if u64::from(id) >= limits.names[kind] {
                    let kind = KIND_NAMES[kind];
                    return Err(full(format!("it has as many {kind}s as it can count")));
                }
                if self.version == Version::Si5 {
                    sn5::put(kind, name, &mut self.new_names);
                }
                self.names_changed = true;
            }
            entry.names[place] = id;
        }
        entry.offset = self.room_for(record.len())?;
        entry.length = record.len() as u32;
        self.games.write_all(record)?;
        self.offset += record.len() as u64;
        Ok(entry)
    }

    /// Where a record goes: whole within a block, behind zeros if need be.
    fn room_for(&mut self, length: usize) -> io::Result<u64> {
        let block = BLOCK as u64;
        if length >= BLOCK {
            return Err(io::Error::other("a record of 131,072 bytes or more"));
        }
        let left = block - self.offset % block;
        if left < length as u64 {
            let zeros = vec![0; left as usize];
            self.games.write_all(&zeros)?;
            self.offset += left;
        }
        if self.offset + length as u64 >= Limits::of(self.version).bytes {
            return Err(full("its game file cannot grow further"));
        }
        Ok(self.offset)
    }

    /// Makes the database complete.
    ///
    /// # Errors
    /// If that fails; what was there before is then still there.
    pub fn finish(mut self) -> io::Result<()> {
        let _until_all_is_done = self.lock.take();
        self.index.flush()?;
        self.games.flush()?;
        match self.old.take() {
            None => self.finish_new(),
            Some(old) => self.finish_changed(&old),
        }
    }

    /// All files are new: they wait beside the old ones until all are there. Where one cannot be
    /// written, the others go.
    fn finish_new(self) -> io::Result<()> {
        let files = self.files.clone();
        let written = self.write_new();
        if written.is_err() {
            let _ = files.settle();
        }
        written
    }

    fn write_new(self) -> io::Result<()> {
        let pending = self.files.pending();
        let names = match self.version {
            Version::Si5 => self.new_names.clone(),
            _ => sn4::write(&self.register.names, &self.count_uses(None)),
        };
        let index = self.index_head(self.added)?;
        let Games::New(games) = self.games else {
            return Err(io::Error::other("a new database without a game file"));
        };
        games.finish()?;
        write_file(&pending.names, &self.files.names, &[&names])?;
        let mut output = Output::create_as(&pending.index, &self.files.index, Compression::None)?;
        output.write_all(&index)?;
        copy_staged(self.index, &mut output)?;
        output.finish()?;
        self.files.settle()
    }

    /// The game file grows, the name file and at last the index are replaced.
    fn finish_changed(self, old: &Base) -> io::Result<()> {
        self.check_unchanged(old)?;
        let length = old.games.len() as u64;
        let grown = self.offset > length;
        // The name file of version 4 also says how often names are used.
        let changed = self.names_changed || self.added > 0 || !self.changed.is_empty();
        let names = match (changed, self.version) {
            (false, _) => None,
            (true, Version::Si5) => {
                Some([fs::read(&self.files.names)?, self.new_names.clone()].concat())
            }
            (true, _) => Some(sn4::write(
                &self.register.names,
                &self.count_uses(Some(old)),
            )),
        };
        let index = self.index_head(old.count + self.added)?;
        let games = self.files.games.clone();
        let written = self.replace_files(old, &index, names.as_deref());
        if written.is_err() && grown {
            // No index knows of what was added.
            let file = OpenOptions::new().write(true).open(&games);
            let _ = file.and_then(|file| file.set_len(length));
        }
        written
    }

    /// Programs that know nothing of the lock may have added games of their own, whose places are
    /// those that the new ones were meant to have.
    fn check_unchanged(&self, old: &Base) -> io::Result<()> {
        for (path, length) in [
            (&self.files.games, old.games.len()),
            (&self.files.index, old.index.len()),
        ] {
            if fs::metadata(path)?.len() != length as u64 {
                let path = path.display();
                let message = format!("{path} was changed by another program in the meantime");
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, message));
            }
        }
        Ok(())
    }

    fn replace_files(self, old: &Base, head: &[u8], names: Option<&[u8]>) -> io::Result<()> {
        if let Games::Added(staged) = self.games {
            let mut file = OpenOptions::new().append(true).open(&self.files.games)?;
            copy_staged(staged, &mut file)?;
            file.sync_all()?;
        }
        if let Some(names) = names {
            write_file(&self.files.names, &self.files.names, &[names])?;
        }
        let mut output = Output::create(&self.files.index, Compression::None)?;
        output.write_all(head)?;
        for number in 0..old.count {
            let new = self.changed.get(&number).map(Vec::as_slice);
            let bytes = new.or_else(|| Some(old.index_record(number)?.1));
            output.write_all(bytes.unwrap_or_default())?;
        }
        copy_staged(self.index, &mut output)?;
        output.finish()?;
        Ok(())
    }

    /// What stands before the records of the index.
    fn index_head(&self, games: u64) -> io::Result<Vec<u8>> {
        if self.version == Version::Si5 {
            return Ok(Vec::new());
        }
        let games = u32::try_from(games).map_err(|_| full("too many games"))?;
        let header = si4::Header {
            old: false,
            games,
            info: self.info.clone(),
        };
        Ok(header.write().to_vec())
    }

    /// How often each name is used by all games.
    fn count_uses(&self, old: Option<&Base>) -> sn4::Uses {
        let mut uses = self.uses.clone();
        if let Some(old) = old {
            for number in 0..old.count {
                let changed = self.changed.get(&number);
                let entry = changed.and_then(|bytes| index::read(self.version, bytes));
                if let Some(entry) = entry.or_else(|| old.entry(number)) {
                    uses.count_all(&entry);
                }
            }
        }
        uses.fit(&self.register.names);
        uses
    }
}

/// Messages call the file as it will be called at last.
fn write_file(path: &Path, known_as: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut output = Output::create_as(path, known_as, Compression::None)?;
    for part in parts {
        output.write_all(part)?;
    }
    Ok(output.finish()?)
}

/// Copies what was collected in a nameless file.
fn copy_staged(staged: BufWriter<File>, out: &mut impl Write) -> io::Result<()> {
    let mut file = staged.into_inner().map_err(|error| error.into_error())?;
    file.rewind()?;
    io::copy(&mut file, out)?;
    Ok(())
}

impl Write for Games {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Games::New(output) => output.write(bytes),
            Games::Added(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Games::New(output) => output.flush(),
            Games::Added(file) => file.flush(),
        }
    }
}

impl Target for Builder {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        self.add_some(records.get(RECORDS)?, which)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        Builder::finish(*self)?;
        Ok(Vec::new())
    }
}

/// What is added stands behind the game file. If that was cut off, lost games would be looked for
/// there.
fn check_whole(old: &Base) -> io::Result<()> {
    let entries = (0..old.count).filter_map(|game| Some((game + 1, old.entry(game)?)));
    for (number, entry) in entries {
        if let Err(kind) = old.game_record(&entry) {
            let message = format!(
                "game {number}: {kind}; convert what can be read into a new database, and change that"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
