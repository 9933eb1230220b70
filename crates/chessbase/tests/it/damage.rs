//! ChessBase databases broken as users' files are broken: cut off, with wrong bytes, with files
//! missing or taken from elsewhere. Whatever happens, each record of the header file is told, the
//! warnings say what is missing, and games that have nothing to do with the damage are what they
//! are in the whole database.

use std::{collections::BTreeMap, ops::Range, path::Path};

use encoding_rs::Encoding;
use tabiya_chessbase::{
    Database, ReadOptions, annotations, files::FileKind, files::entity::Entities,
    files::entity::Entity, files::header::Entry, files::header::GameRecord, files::set::FileSet,
    moves,
};
use tabiya_formats::{Database as _, io::Contents};
use tabiya_game::{Event, Flow, GameSink, GameTree};

use crate::data;

/// Together they have every kind of file, texts of versions 1 and 3, Chess960, and headers of both
/// generations.
const DATABASES: [&str; 7] = [
    "libcbh/Annotation/TestBase",
    "libcbh/Chess960Biel/Chess960Biel",
    "morphy/database/cbh_cbj_test/cbh_cbj_test",
    "morphy/database/hedgehog/Hedgehog",
    "morphy/database/test-annotations/test-annotations",
    "morphy/database/text/text",
    "morphy/database/veryold/Mate2",
];

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// What a database tells: games by the number of their record, and how many other entries.
#[derive(Default)]
struct Told {
    games: BTreeMap<u32, GameTree>,
    last: u32,
    texts: usize,
    damaged_texts: usize,
    unknown_rules: usize,
}

impl GameSink for Told {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Text { .. } => self.texts += 1,
            Event::Opaque { format, .. } if format.contains("mode") => self.unknown_rules += 1,
            Event::Opaque { format, .. } if format.contains("damaged") => self.damaged_texts += 1,
            Event::Opaque { .. } => {}
            event => {
                if let Event::GameStart(place) = event {
                    self.last = u32::try_from(place.offset / 46).expect("a record");
                    let before = self.games.insert(self.last, GameTree::default());
                    assert_eq!(before, None, "a record is told once");
                }
                let game = self.games.get_mut(&self.last);
                return game.expect("it has begun").event(event);
            }
        }
        Flow::Continue
    }
}

/// A database in memory. The encoding is given: what is left of a database may look like another.
struct Base {
    files: FileSet,
    encoding: &'static Encoding,
}

/// A byte of a file that is wrong, or missing.
type Damage = (FileKind, Range<usize>);

impl Base {
    fn open(path: &Path) -> Base {
        let files = FileSet::open(path).expect("files");
        let database = Database::from_files(files.clone(), ReadOptions::default());
        Base {
            encoding: database.expect("a database").encoding(),
            files,
        }
    }

    fn kinds(&self) -> Vec<FileKind> {
        let kinds = FileKind::ALL.into_iter();
        kinds
            .filter(|kind| self.files.get(*kind).is_some())
            .collect()
    }

    fn bytes(&self, kind: FileKind) -> Vec<u8> {
        self.files.get(kind).expect("a file").to_vec()
    }

    /// The same files, but for one.
    fn with(&self, kind: FileKind, bytes: Option<Vec<u8>>) -> Base {
        let others = self.kinds().into_iter().filter(|other| *other != kind);
        let others = others.map(|kind| (kind, self.files.get(kind).expect("a file").clone()));
        let bytes = bytes.map(|bytes| (kind, Contents::from(bytes)));
        Base {
            files: FileSet::from_files(others.chain(bytes)),
            encoding: self.encoding,
        }
    }

    /// Tells everything and looks at a few dumps. Returns what was told, and the warnings; or the
    /// error if there are no headers.
    fn tell(&self) -> Result<(Told, Vec<String>), String> {
        let options = ReadOptions {
            encoding: Some(self.encoding),
            ..ReadOptions::default()
        };
        let database = Database::from_files(self.files.clone(), options);
        let mut database = database.map_err(|error| error.to_string())?;
        for number in [0, 1, 3, 7, 20, 999] {
            let _ = database.explain(number);
        }
        let warnings = database.warnings().to_vec();
        let mut told = Told::default();
        while let Some(part) = database.next_part().expect("a part") {
            part.tell(&mut told).expect("a part");
        }
        self.assert_all_told(&told);
        Ok((told, warnings))
    }

    /// Every header is told, as often as the length of the file allows.
    fn assert_all_told(&self, told: &Told) {
        let tables = self.files.tables().expect("headers");
        let (mut games, mut texts) = (0, 0);
        for (_, entry) in tables.headers.iter() {
            match entry {
                entry if entry.is_deleted() => {}
                Entry::Game(_) => games += 1,
                Entry::Text(_) => texts += 1,
                _ => {}
            }
        }
        assert_eq!(told.games.len() + told.unknown_rules, games);
        assert!(told.texts + told.damaged_texts >= texts);
        let length = self.files.get(FileKind::Headers).map_or(0, |it| it.len());
        assert!(tables.headers.len() as usize <= (length / 46).saturating_sub(1));
    }

    /// The bytes that a game depends on.
    fn spans(&self, id: u32) -> Vec<Damage> {
        let tables = self.files.tables().expect("headers");
        let Some(Entry::Game(record)) = tables.headers.get(id) else {
            return Vec::new();
        };
        let at = id as usize * 46;
        let mut spans = vec![(FileKind::Headers, 0..46), (FileKind::Headers, at..at + 46)];
        spans.extend(self.records(&record));
        name(&tables.players, [record.white, record.black], &mut spans);
        name(&tables.tournaments, [record.tournament], &mut spans);
        name(&tables.annotators, [record.annotator], &mut spans);
        name(&tables.sources, [record.source], &mut spans);
        if let Some(file) = tables.extended {
            let size = file.header().record_size as usize;
            let start = 32 + (id as usize - 1) * size;
            spans.extend([(FileKind::Extended, 0..32)]);
            spans.extend([(FileKind::Extended, start..start + size)]);
            let extended = file.get(id);
            let teams = [extended.white_team(), extended.black_team()];
            name(&tables.teams, teams.into_iter().flatten(), &mut spans);
            name(&tables.game_tags, extended.game_tag(), &mut spans);
        }
        if let Some(file) = &tables.tournament_extras {
            let size = file.header().record_size as usize;
            let start = 32 + record.tournament as usize * size;
            spans.extend([(FileKind::TournamentExtra, 0..32)]);
            spans.extend([(FileKind::TournamentExtra, start..start + size)]);
        }
        spans.push((FileKind::Flags, 0..usize::MAX));
        spans
    }

    /// Moves and annotations.
    fn records(&self, record: &GameRecord) -> Vec<Damage> {
        let mut spans = Vec::new();
        if let Some(file) = self.files.get(FileKind::Moves) {
            let start = record.moves as usize;
            let stored = moves::Record::new(&file[start..]);
            let size = stored.map_or(4, |stored| stored.size());
            spans.push((FileKind::Moves, start..start + size));
        }
        if let Some(file) = self.files.get(FileKind::Annotations)
            && record.annotations != 0
        {
            let start = record.annotations as usize;
            let stored = annotations::Record::parse(&file[start..]);
            let size = stored.map_or(14, |stored| stored.size());
            spans.push((FileKind::Annotations, start..start + size));
        }
        spans
    }
}

/// What a whole database tells, and which bytes its games depend on.
struct Whole {
    games: BTreeMap<u32, GameTree>,
    spans: BTreeMap<u32, Vec<Damage>>,
}

impl Whole {
    /// Compares the games of a damaged copy that the damage does not touch. Returns how many.
    fn assert_same(&self, broken: &Told, damage: &[Damage], what: &str) -> usize {
        let mut same = 0;
        for (id, game) in &self.games {
            let touched = self.spans[id].iter().any(|(kind, span)| {
                let mut damage = damage.iter();
                damage.any(|(at, range)| {
                    at == kind && range.start < span.end && span.start < range.end
                })
            });
            if !touched {
                assert_eq!(broken.games.get(id), Some(game), "{what}: game {id}");
                same += 1;
            }
        }
        same
    }
}

/// The header of a file of names, and some of its records.
fn name<T: Entity>(
    table: &Option<Entities<'_, T>>,
    ids: impl IntoIterator<Item = u32>,
    spans: &mut Vec<Damage>,
) {
    let Some(table) = table else { return };
    let header = 28 + table.header().unknown_28.len();
    spans.push((T::FILE, 0..header));
    for id in ids {
        let size = 17 + T::SIZE;
        let start = header + id as usize * size;
        spans.push((T::FILE, start..start + size));
    }
}

/// Files whose headers tell how long they are.
fn tells_its_length(kind: FileKind) -> bool {
    !matches!(
        kind,
        FileKind::TournamentExtra | FileKind::Flags | FileKind::Ini
    )
}

fn each_database(mut test: impl FnMut(&str, &Base, &Whole)) {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    for name in DATABASES {
        let base = Base::open(&folder.join(name).with_extension("cbh"));
        let (told, warnings) = base.tell().expect("a database");
        assert_eq!(warnings, [""; 0], "{name}");
        let ids = told.games.keys();
        let spans = ids.map(|id| (*id, base.spans(*id))).collect();
        let games = told.games;
        test(name, &base, &Whole { games, spans });
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn files_that_are_cut_off_are_read_up_to_there() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut cuts, mut same) = (0, 0);
    each_database(|name, base, whole| {
        for kind in base.kinds() {
            let bytes = base.bytes(kind);
            let full = bytes.len();
            let mut lengths = vec![0, 1, 9, 27, 31, 45, 46, full - 1, full - full.min(7)];
            lengths.extend((0..3).map(|_| random.below(full)));
            for length in lengths.into_iter().filter(|length| *length < full) {
                let what = format!("{name}{kind} cut at {length} of {full}");
                let broken = base.with(kind, Some(bytes[..length].to_vec()));
                cuts += 1;
                let (told, warnings) = match broken.tell() {
                    Ok(told) => told,
                    Err(error) => {
                        assert!(kind == FileKind::Headers && length < 46, "{what}");
                        assert!(error.starts_with(".cbh"), "{error}");
                        continue;
                    }
                };
                let said = warnings.iter().any(|it| it.contains(&kind.to_string()));
                assert!(said || !tells_its_length(kind), "{what}: {warnings:?}");
                same += whole.assert_same(&told, &[(kind, length..full)], &what);
            }
        }
    });
    println!("{cuts} cuts, {same} games untouched");
    assert!(cuts == 0 || same > 10_000, "{same}");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn wrong_bytes_harm_the_games_they_belong_to_and_no_others() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut files, mut same) = (0, 0);
    each_database(|name, base, whole| {
        for kind in base.kinds() {
            for round in [0, 1, 2, 3, 5, 7] {
                let mut bytes = base.bytes(kind);
                let mut damage = Vec::new();
                for _ in 0..[1, 2, 5, 40][round % 4] {
                    let at = random.below(bytes.len());
                    match round < 4 {
                        true => bytes[at] ^= 1 << random.below(8),
                        false => bytes[at] = random.below(256) as u8,
                    }
                    damage.push((kind, at..at + 1));
                }
                files += 1;
                let what = format!("{name}{kind} wrong at {damage:?}");
                match base.with(kind, Some(bytes)).tell() {
                    Ok((told, _)) => same += whole.assert_same(&told, &damage, &what),
                    Err(error) => {
                        assert!(kind == FileKind::Headers, "{what}: {error}");
                    }
                }
            }
        }
    });
    println!("{files} files, {same} games untouched");
    assert!(files == 0 || same > 10_000, "{same}");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_missing_file_is_named_and_the_rest_is_read() {
    each_database(|name, base, whole| {
        for kind in base.kinds() {
            let broken = base.with(kind, None);
            if kind == FileKind::Headers {
                assert!(broken.tell().is_err());
                continue;
            }
            let (told, warnings) = broken.tell().expect("there are headers");
            let missing = format!("the {kind} file is missing");
            assert_eq!(
                warnings.contains(&missing),
                kind.is_essential(),
                "{name}: {warnings:?}"
            );
            assert_eq!(told.games.len(), whole.games.len(), "{name}{kind}");
            let everything = [(kind, 0..usize::MAX)];
            whole.assert_same(&told, &everything, name);
            // Names do not matter to moves, nor the other way round.
            for (id, game) in &told.games {
                let before = &whole.games[id];
                if kind == FileKind::Moves {
                    assert_eq!(game.tags.get("White"), before.tags.get("White"));
                } else if kind != FileKind::Annotations {
                    let moves = game.items.len();
                    assert!(moves >= before.items.len(), "{name}{kind}: game {id}");
                }
            }
        }
    });
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_file_of_another_database_is_read_as_far_as_it_fits() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let bases = DATABASES.map(|name| Base::open(&folder.join(name).with_extension("cbh")));
    for (base, other) in bases.iter().zip(bases.iter().cycle().skip(1)) {
        for kind in other.kinds() {
            let mixed = base.with(kind, Some(other.bytes(kind)));
            mixed.tell().expect("there are headers");
        }
    }
}
