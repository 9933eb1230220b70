//! Databases that are open for reading.

use std::{io, ops::Range, path::Path, sync::Arc};

use tabiya_game::{Event, Flow, GameSink, Listener, Place};

use super::{
    Version,
    error::{Error, ErrorKind, File},
    files::Files,
    index::{self, Entry, si4, si5},
    info::Information,
    names::{Names, sn4, sn5},
    tell::{Game, ReadOptions},
};
use crate::{
    Database, DeletedEntry, Entries, Part,
    io::{Contents, Progress, Unchanged},
};

/// How many games are told by one thread at a time.
const PART_GAMES: u64 = 1_000;

/// How often files are opened again because others are replacing them.
const MOST_TRIES: u32 = 100;

/// A database, open for reading. Its files are mapped into memory.
///
/// Deleted games are passed over unless [`ReadOptions::deleted`] asks for them; they keep their
/// numbers. What the database says of itself comes first, as texts.
///
/// ```
/// use tabiya_formats::{Database, pgn::Parser, scid::{Builder, Scid, Version, Writer}};
/// use tabiya_game::GameTree;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.si5");
/// let mut writer = Writer::new(Version::Si5);
/// Parser::new("[White \"Réti\"]\n1. Nf3 d5 2. c4 1/2").read_game(&mut writer);
/// let mut builder = Builder::create(Version::Si5, &path)?;
/// builder.add(&writer.take())?;
/// builder.finish()?;
///
/// let mut scid = Scid::open(&path, Default::default())?;
/// assert_eq!((scid.games(), scid.entry(1).unwrap().plies), (1, 3));
/// let mut tree = GameTree::default();
/// scid.next_part()?.unwrap().tell(&mut tree)?;
/// assert_eq!(tree.tags.get("White"), Some("Réti"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scid {
    base: Arc<Base>,
    /// Its files as they were when they were opened.
    files: Unchanged,
    options: ReadOptions,
    /// The first game that has not been told, from 0.
    next: u64,
    ended: bool,
    progress: Progress,
}

/// The files of a database.
pub(super) struct Base {
    pub version: Version,
    pub index: Contents,
    pub games: Contents,
    pub names: Names,
    pub info: Information,
    /// Where the records of the index begin, and how long each is.
    pub first: usize,
    pub record: usize,
    /// How many games there are.
    pub count: u64,
    /// How many there should be.
    declared: u64,
    /// What is missing, if that was no reason to refuse it.
    damage: Vec<String>,
}

/// Whether files have to be whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    Whole,
    /// What is missing is a warning.
    PerhapsCut,
}

impl Ends {
    /// Refuses what is wrong, or makes it a warning.
    fn judge(self, error: Error, damage: &mut Vec<String>) -> Result<(), Error> {
        match self {
            Ends::Whole => Err(error),
            Ends::PerhapsCut => {
                damage.push(tabiya_game::Error::from(error).to_string());
                Ok(())
            }
        }
    }
}

impl Base {
    /// Opens the files as they are called. If others replace them meanwhile, they may belong to
    /// different states, and are opened once more.
    pub(super) fn open(
        version: Version,
        files: &Files,
        ends: Ends,
    ) -> Result<Base, tabiya_game::Error> {
        let mut tries = 0;
        loop {
            let state = files.state();
            let map = |path: &Path| Contents::map(path).map_err(io::Error::from);
            let current = &state.files;
            let mapped = [&current.index, &current.names, &current.games].map(|path| map(path));
            tries += 1;
            if files.state() != state && tries < MOST_TRIES {
                continue;
            }
            let [index, names, games] = mapped;
            return Ok(Base::new(version, index?, &names?, games?, ends)?);
        }
    }

    pub(super) fn new(
        version: Version,
        index: Contents,
        names: &[u8],
        games: Contents,
        ends: Ends,
    ) -> Result<Base, Error> {
        let mut damage = Vec::new();
        let (names, mut info, torn_names) = match version {
            Version::Si5 => sn5::read_cut(names),
            _ => {
                let (names, _, error) = sn4::read_cut(names);
                (names, Information::default(), error)
            }
        };
        if let Some(error) = torn_names {
            ends.judge(error, &mut damage)?;
        }
        let mut version = version;
        let (first, record, declared) = match version {
            Version::Si5 => (0, si5::RECORD, None),
            _ => {
                let header = si4::Header::read(&index)?;
                info = header.info;
                let declared = Some(u64::from(header.games));
                // The old layout is met under either name.
                match header.old {
                    true => {
                        version = Version::Si3;
                        (si4::OLD_HEADER, si4::OLD_RECORD, declared)
                    }
                    false => {
                        version = Version::Si4;
                        (si4::HEADER, si4::RECORD, declared)
                    }
                }
            }
        };
        let count = ((index.len() - first) / record) as u64;
        let torn = (index.len() - first) % record;
        let end = (index.len() - torn) as u64;
        let declared = declared.unwrap_or(count);
        if count > declared {
            let found = count;
            let kind = ErrorKind::TooManyRecords { found, declared };
            ends.judge(kind.at(File::Index, end), &mut damage)?;
        }
        if torn > 0 {
            let kind = ErrorKind::TornRecord { bytes: torn as u64 };
            ends.judge(kind.at(File::Index, end), &mut damage)?;
        }
        Ok(Base {
            version,
            index,
            games,
            names,
            info,
            first,
            record,
            count,
            declared,
            damage,
        })
    }

    /// The bytes of the index of a game, from 0, and where they are.
    pub(super) fn index_record(&self, game: u64) -> Option<(usize, &[u8])> {
        if game >= self.count {
            return None;
        }
        let at = self.first + game as usize * self.record;
        Some((at, self.index.get(at..at + self.record)?))
    }

    /// What the index says of a game, from 0.
    pub(super) fn entry(&self, game: u64) -> Option<Entry> {
        index::read(self.version, self.index_record(game)?.1)
    }

    /// The record of a game.
    pub(super) fn game_record(&self, entry: &Entry) -> Result<&[u8], ErrorKind> {
        let length = entry.length;
        let start = usize::try_from(entry.offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(length as usize)?));
        let record = range.and_then(|range| self.games.get(range));
        record.ok_or(ErrorKind::OutsideFile { length })
    }

    /// What is missing of the file of games, by what the index says of it.
    fn cut_off(&self) -> Option<String> {
        let records = self.index.get(self.first..)?.chunks_exact(self.record);
        let end = records.filter_map(|record| index::end(self.version, record));
        let (found, announced) = (self.games.len() as u64, end.max()?);
        let is_cut = found < announced;
        is_cut.then(|| {
            format!("the file of games is cut off, or its index is damaged: it has {found} of {announced} bytes")
        })
    }

    /// Tells a game; numbers are from 1 here.
    fn tell(
        &self,
        (number, entry): (u64, Entry),
        options: ReadOptions,
        mut sink: Listener<'_>,
    ) -> Flow {
        let game = Game {
            number,
            names: &self.names,
            record: self.game_record(&entry),
            entry,
            options,
        };
        game.tell(&mut sink);
        sink.finish()
    }
}

impl Scid {
    /// Opens a database by the path of any of its three files.
    ///
    /// # Errors
    /// If a file is not there, or is not what it should be.
    pub fn open(path: impl AsRef<Path>, options: ReadOptions) -> Result<Scid, tabiya_game::Error> {
        let (version, files) = Files::find(path.as_ref())?;
        // Before they are opened: if others replace them just now, they are opened once more than needed.
        let unchanged = files.unchanged();
        let base = Base::open(version, &files, options.ends())?;
        Ok(Scid {
            files: unchanged,
            ..Scid::of(base, options)
        })
    }

    /// Opens a database whose files are at hand: index, names and games.
    ///
    /// # Errors
    /// If they are not what they should be.
    pub fn of_files(
        version: Version,
        index: Contents,
        names: &[u8],
        games: Contents,
        options: ReadOptions,
    ) -> Result<Scid, Error> {
        let base = Base::new(version, index, names, games, options.ends())?;
        Ok(Scid::of(base, options))
    }

    fn of(base: Base, options: ReadOptions) -> Scid {
        Scid {
            progress: Progress::new(Some(base.index.len() as u64)),
            base: Arc::new(base),
            files: Unchanged::default(),
            options,
            next: 0,
            ended: false,
        }
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> Version {
        self.base.version
    }

    /// How many games it has, deleted ones included.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.base.count
    }

    /// What it says of itself.
    #[must_use]
    pub fn information(&self) -> &Information {
        &self.base.info
    }

    /// What the index says of a game, by its number from 1.
    #[must_use]
    pub fn entry(&self, number: u64) -> Option<Entry> {
        self.base.entry(number.checked_sub(1)?)
    }

    /// The record of a game, by its number from 1, as it is stored.
    #[must_use]
    pub fn record(&self, number: u64) -> Option<&[u8]> {
        let entry = self.entry(number)?;
        self.base.game_record(&entry).ok()
    }

    /// Tells a game by its number from 1, deleted or not; `false` if there is none.
    pub fn tell_game(&self, number: u64, sink: &mut dyn GameSink) -> bool {
        let entry = self.entry(number);
        if let Some(entry) = entry {
            let sink = Listener::new(sink);
            self.base.tell((number, entry), self.options, sink);
        }
        entry.is_some()
    }

    pub(super) fn base(&self) -> &Base {
        &self.base
    }
}

impl Database for Scid {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, tabiya_game::Error> {
        let first = self.next;
        if first < self.base.count || (first == 0 && !self.ended) {
            self.ended = true;
            self.next = self.base.count.min(first + PART_GAMES);
            let end = self.base.first as u64 + self.next * self.base.record as u64;
            self.progress.reach(end);
            return Ok(Some(Box::new(Games {
                base: Arc::clone(&self.base),
                options: self.options,
                games: first..self.next,
            })));
        }
        let (found, declared) = (self.base.count, self.base.declared);
        if found < declared && self.next == found {
            self.next = u64::MAX;
            let kind = ErrorKind::TooFewRecords { found, declared };
            return Err(kind.at(File::Index, self.base.index.len() as u64).into());
        }
        Ok(None)
    }

    fn progress(&self) -> Option<Progress> {
        Some(self.progress.clone())
    }

    fn warnings(&self) -> Vec<String> {
        let damage = self.base.damage.iter().cloned();
        damage.chain(self.base.cut_off()).collect()
    }

    fn entries(&self) -> Option<&dyn Entries> {
        Some(self)
    }

    fn files(&self) -> Option<Unchanged> {
        Some(self.files.clone())
    }

    /// If nobody has changed its files since: they would change under their readers.
    fn again(&self) -> Option<Box<dyn Database>> {
        if !self.files.holds() {
            return None;
        }
        Some(Box::new(Scid {
            base: Arc::clone(&self.base),
            files: self.files.clone(),
            options: self.options,
            next: 0,
            ended: false,
            progress: Progress::new(self.progress.total()),
        }))
    }
}

impl Entries for Scid {
    fn count(&self) -> u64 {
        self.games()
    }

    fn tell(&self, number: u64, sink: &mut dyn GameSink) -> Result<bool, tabiya_game::Error> {
        Ok(self.tell_game(number, sink))
    }

    fn is_deleted(&self, number: u64) -> bool {
        let entry = self.entry(number);
        entry.is_some_and(|entry| entry.has(index::fields::flags::DELETED))
    }
}

/// Some games in a row.
struct Games {
    base: Arc<Base>,
    options: ReadOptions,
    games: Range<u64>,
}

impl Games {
    /// With their numbers from 1.
    fn entries(&self) -> impl Iterator<Item = (u64, Entry)> + '_ {
        let games = self.games.clone();
        games.filter_map(|game| Some((game + 1, self.base.entry(game)?)))
    }

    fn is_wanted(&self, entry: &Entry) -> bool {
        self.options.deleted || !entry.has(index::fields::flags::DELETED)
    }
}

impl Part for Games {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, tabiya_game::Error> {
        if self.games.start == 0 {
            for (title, text) in self.base.info.texts() {
                // They have no numbers: the file counts games.
                let mut listener: Listener<'_> = Listener::new(sink);
                listener.event(Event::Text {
                    place: Place::default(),
                    title,
                    language: None,
                    text: &self.options.text(text),
                });
                if listener.finish() == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
        }
        for (number, entry) in self.entries() {
            let game = (number, entry);
            if self.is_wanted(&entry)
                && self.base.tell(game, self.options, Listener::new(sink)) == Flow::Stop
            {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    fn deleted(&self) -> Vec<DeletedEntry> {
        let unwanted = self.entries().filter(|(_, entry)| !self.is_wanted(entry));
        let deleted = unwanted.map(|(number, _)| DeletedEntry {
            number,
            is_game: true,
        });
        deleted.collect()
    }
}
