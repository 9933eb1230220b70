//! A format that this crate knows nothing of, as somebody else would bring it: it can do all that
//! the crate's own formats can.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use tabiya_formats::{
    Database, DeletedEntry, Destination, Entries, FORMATS, GameWriter, Part, Records, Sequence,
    Target, convert_part,
    dump::{Dump, Line},
    io::Contents,
    pgn,
    registry::{
        Candidate, Certainty, Compacted, Creator, Deletion, Editing, Editor, Explainer, FormatInfo,
        Holds, LocalFile, OpenContents, OpenResult, Opener, OptionInfo, OptionKind, Profile,
        ReadOptions, Registry, Settings, WriteOptions,
    },
};
use tabiya_game::{Error, Event, Flow, GameSink, GameTree, LossKind, Losses, Needs, Tags};
use tempfile::TempDir;

/// It begins as files do that are known not to be games.
const MAGIC: &[u8] = b"PAR1 box";

/// Whether a game is deleted, and the length of its text.
const HEAD: usize = 5;

static BOX: FormatInfo = FormatInfo {
    name: "box",
    title: "games in boxes",
    profiles: &[&Boxes],
};

const KEY: OptionInfo = OptionInfo {
    name: "box-key",
    help: "The letter that boxes are locked with",
    kind: OptionKind::Text,
};

fn key(settings: &Settings) -> u8 {
    let text = settings.text(&KEY).unwrap_or_default();
    text.bytes().next().unwrap_or_default()
}

/// A mark, a length, and a game as PGN, locked with a letter.
struct Boxes;

impl Profile for Boxes {
    fn title(&self) -> &'static str {
        "boxes with PGN in them"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["box"]
    }

    fn holds(&self) -> Holds {
        Holds::ALL
    }

    fn options(&self) -> &'static [OptionInfo] {
        &[KEY]
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        Certainty::sure_if(candidate.head.starts_with(MAGIC))
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::Contents(self))
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }

    fn edit(&self) -> Option<&dyn Editing> {
        Some(self)
    }

    fn dump(&self) -> Option<&dyn Explainer> {
        Some(self)
    }
}

/// A game as it is stored.
struct Boxed {
    deleted: bool,
    bytes: Vec<u8>,
}

/// The boxes of a file, up to the first that is cut off.
fn unpack(mut bytes: &[u8]) -> Vec<Boxed> {
    let mut boxes = Vec::new();
    bytes = bytes.get(MAGIC.len()..).unwrap_or_default();
    while let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() {
        let [deleted, a, b, c, d] = *head;
        let Ok(length) = usize::try_from(u32::from_le_bytes([a, b, c, d])) else {
            break;
        };
        let Some((game, rest)) = rest.split_at_checked(length) else {
            break;
        };
        boxes.push(Boxed {
            deleted: deleted != 0,
            bytes: game.to_vec(),
        });
        bytes = rest;
    }
    boxes
}

fn pack(boxes: &[Boxed]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for boxed in boxes {
        bytes.push(u8::from(boxed.deleted));
        bytes.extend((boxed.bytes.len() as u32).to_le_bytes());
        bytes.extend(&boxed.bytes);
    }
    bytes
}

impl Boxed {
    fn tell(&self, key: u8, sink: &mut dyn GameSink) -> Flow {
        let bytes: Vec<u8> = self.bytes.iter().map(|byte| byte ^ key).collect();
        let text = String::from_utf8_lossy(&bytes);
        let mut parser = pgn::Parser::new(&text);
        parser.read_game(sink);
        parser.flow()
    }
}

struct Open {
    boxes: Arc<Vec<Boxed>>,
    key: u8,
    deleted: bool,
    next: usize,
}

impl OpenContents for Boxes {
    fn open_contents(&self, contents: Contents, options: &ReadOptions) -> OpenResult {
        Ok(Box::new(Open {
            boxes: Arc::new(unpack(&contents)),
            key: key(&options.settings),
            deleted: options.deleted,
            next: 0,
        }))
    }
}

impl Database for Open {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        let index = self.next;
        self.next += 1;
        Ok((index < self.boxes.len()).then(|| {
            let boxes = Arc::clone(&self.boxes);
            let wanted = self.deleted || !boxes[index].deleted;
            let key = self.key;
            Box::new(One {
                boxes,
                index,
                key,
                wanted,
            }) as Box<dyn Part>
        }))
    }

    fn entries(&self) -> Option<&dyn Entries> {
        Some(self)
    }
}

impl Open {
    fn find(&self, number: u64) -> Option<&Boxed> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.boxes.get(index)
    }
}

impl Entries for Open {
    fn count(&self) -> u64 {
        self.boxes.len() as u64
    }

    fn is_deleted(&self, number: u64) -> bool {
        self.find(number).is_some_and(|boxed| boxed.deleted)
    }

    fn tell(&self, number: u64, sink: &mut dyn GameSink) -> Result<bool, Error> {
        let found = self.find(number);
        if let Some(boxed) = found {
            boxed.tell(self.key, sink);
        }
        Ok(found.is_some())
    }
}

struct One {
    boxes: Arc<Vec<Boxed>>,
    index: usize,
    key: u8,
    wanted: bool,
}

impl Part for One {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        Ok(match self.wanted {
            true => self.boxes[self.index].tell(self.key, sink),
            false => Flow::Continue,
        })
    }

    fn deleted(&self) -> Vec<DeletedEntry> {
        let deleted = DeletedEntry {
            number: self.index as u64 + 1,
            is_game: true,
        };
        Vec::from_iter((!self.wanted).then_some(deleted))
    }
}

/// Writes PGN and puts it into boxes.
struct BoxWriter {
    pgn: pgn::Writer,
    boxes: Vec<u8>,
    key: u8,
}

impl GameSink for BoxWriter {
    fn needs(&mut self) -> Needs {
        self.pgn.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let flow = self.pgn.event(event);
        if let Event::GameEnd { .. } = event {
            let game = self.pgn.take();
            self.boxes.push(0);
            self.boxes.extend((game.len() as u32).to_le_bytes());
            self.boxes.extend(game.iter().map(|byte| byte ^ self.key));
        }
        flow
    }
}

impl GameWriter for BoxWriter {
    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn take(&mut self) -> Records {
        Records::new("boxes", std::mem::take(&mut self.boxes))
    }

    fn take_losses(&mut self) -> Losses {
        self.pgn.take_losses()
    }
}

impl Creator for Boxes {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(BoxWriter {
            pgn: pgn::Writer::new(pgn::WriteOptions {
                comments: options.comments,
                ..pgn::WriteOptions::default()
            }),
            boxes: Vec::new(),
            key: key(&options.settings),
        })
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        Sequence::create(destination, "boxes", MAGIC)
    }
}

/// Changes the boxes of a file.
fn change<T>(path: &Path, work: impl FnOnce(&mut Vec<Boxed>) -> T) -> io::Result<T> {
    let mut boxes = unpack(&fs::read(path)?);
    let done = work(&mut boxes);
    fs::write(path, pack(&boxes))?;
    Ok(done)
}

impl Editing for Boxes {
    fn set_deletion(&self, path: &Path, games: &[u64], deletion: Deletion) -> io::Result<()> {
        change(path, |boxes| {
            for game in games {
                boxes[*game as usize - 1].deleted = deletion == Deletion::Deleted;
            }
        })
    }

    fn replace(&self, path: &Path, game: u64, record: &Records) -> io::Result<Losses> {
        let record = record.get::<Vec<u8>>("boxes")?[HEAD..].to_vec();
        change(path, |boxes| boxes[game as usize - 1].bytes = record)?;
        Ok(Losses::default())
    }

    fn compact(&self, path: &Path) -> io::Result<Compacted> {
        let before = fs::metadata(path)?.len();
        let (games, deleted) = change(path, |boxes| {
            let all = boxes.len();
            boxes.retain(|boxed| !boxed.deleted);
            (boxes.len() as u64, (all - boxes.len()) as u64)
        })?;
        let bytes = before - fs::metadata(path)?.len();
        Ok(Compacted {
            games,
            deleted,
            bytes,
        })
    }
}

impl Explainer for Boxes {
    fn explain(&self, file: LocalFile, game: u64, _: &ReadOptions) -> Result<Dump, Error> {
        let boxes = unpack(&file.contents()?);
        let boxed = boxes.get(game as usize - 1);
        let boxed = boxed.ok_or_else(|| Error::no_such_game(game))?;
        let mut dump = Dump::new("box");
        dump.push(Line::new(0, boxed.bytes.clone(), "a game as PGN"));
        Ok(dump)
    }
}

const GAMES: &str =
    "[White \"A\"]\n\n1. e4 {good} *\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n\n*\n";

/// All formats of the crate, and that of somebody else.
fn registry() -> Registry {
    let mut registry = Registry::of(FORMATS);
    registry.register(&BOX);
    registry
}

fn convert(registry: &Registry, from: &Path, to: &Path, options: &WriteOptions) -> Losses {
    let read = ReadOptions {
        settings: options.settings.clone(),
        ..ReadOptions::default()
    };
    let mut database = registry.open(from, None, &read).expect("it opens").database;
    let profile = registry.by_path(to).expect("a format");
    let mut target = registry
        .target(profile, Destination::New(to), options)
        .expect("a target");
    let mut losses = Losses::default();
    while let Some(part) = database.next_part().expect("a part") {
        let writer = registry.writer(profile, options).expect("a writer");
        let converted = convert_part(&*part, &Default::default(), &Default::default(), writer);
        let converted = converted.expect("games");
        let added = target.add(&converted.records, converted.all());
        added.expect("room");
        for entry in converted.entries {
            losses.append(entry.losses);
        }
    }
    target.finish().expect("a database");
    losses
}

/// A folder with games in boxes.
fn boxes(options: &WriteOptions) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    fs::write(&pgn, GAMES).expect("a file");
    let path = folder.path().join("games.box");
    convert(&registry(), &pgn, &path, options);
    (folder, path)
}

/// Who played with the white pieces.
#[derive(Default)]
struct Whites(Vec<String>);

impl GameSink for Whites {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Tag {
            name: "White",
            value,
        } = event
        {
            self.0.push(value.to_string());
        }
        Flow::Continue
    }
}

fn whites(registry: &Registry, path: &Path, options: &ReadOptions) -> Vec<String> {
    let opened = registry.open(path, None, options);
    let mut database = opened.expect("it opens").database;
    let mut whites = Whites::default();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut whites).expect("games");
    }
    whites.0
}

#[test]
fn games_go_into_a_format_of_somebody_else_and_come_back() {
    let (folder, path) = boxes(&WriteOptions::default());
    let registry = registry();
    assert_eq!(
        whites(&registry, &path, &ReadOptions::default()),
        ["A", "B", "C"]
    );
    let back = folder.path().join("back.pgn");
    convert(&registry, &path, &back, &WriteOptions::default());
    let again = folder.path().join("again.box");
    convert(&registry, &back, &again, &WriteOptions::default());
    assert_eq!(
        fs::read(again).expect("a file"),
        fs::read(&path).expect("a file")
    );
    let scid = folder.path().join("games.si5");
    convert(&registry, &path, &scid, &WriteOptions::default());
    assert_eq!(
        whites(&registry, &scid, &ReadOptions::default()),
        ["A", "B", "C"]
    );
    let lines = folder.path().join("games.uci");
    let losses = convert(&registry, &path, &lines, &WriteOptions::default());
    assert!(
        losses.iter().any(|(kind, ..)| kind == LossKind::Tag),
        "{losses:?}"
    );
    assert_eq!(fs::read(lines).expect("a file"), b"e2e4\nd2d4\n\n");
}

#[test]
fn a_format_that_is_registered_wins_over_what_is_known_not_to_be_games() {
    // Locked, so that nothing in it looks like PGN.
    let (_folder, path) = boxes(&WriteOptions {
        settings: Settings::new().with(&KEY, "x"),
        ..WriteOptions::default()
    });
    let without = Registry::of(FORMATS).open(&path, None, &ReadOptions::default());
    let error = without.err().expect("no games").to_string();
    assert!(error.contains("an Arrow or Parquet file"), "{error}");
    let with = registry().open(&path, None, &ReadOptions::default());
    assert_eq!(with.expect("it opens").profile.to_string(), "box");
}

#[test]
fn options_of_a_format_reach_its_reader_and_its_writer() {
    let registry = registry();
    assert_eq!(registry.option("box-key"), Some(&KEY));
    let settings = Settings::new().with(&KEY, "x");
    let (_folder, path) = boxes(&WriteOptions {
        settings: settings.clone(),
        ..WriteOptions::default()
    });
    let locked = fs::read(&path).expect("a file");
    assert!(!locked.windows(5).any(|bytes| bytes == b"White"));
    let options = ReadOptions {
        settings,
        ..ReadOptions::default()
    };
    assert_eq!(whites(&registry, &path, &options), ["A", "B", "C"]);
}

#[test]
fn entries_are_found_by_number_from_several_threads() {
    for extension in ["box", "si5"] {
        let (folder, path) = boxes(&WriteOptions::default());
        let base = folder.path().join(format!("base.{extension}"));
        let registry = registry();
        convert(&registry, &path, &base, &WriteOptions::default());
        let opened = registry.open(&base, None, &ReadOptions::default());
        let database = opened.expect("it opens").database;
        let entries = database.entries().expect("entries");
        let white = |number| {
            let mut tree = GameTree::default();
            let found = entries.tell(number, &mut tree).expect("it is read");
            found.then(|| tree.tags.get("White").unwrap_or_default().to_string())
        };
        let found: Vec<Option<String>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..=4).map(|n| scope.spawn(move || white(n))).collect();
            let joined = threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"));
            joined.collect()
        });
        let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
        assert_eq!(
            found,
            [None, Some("A"), Some("B"), Some("C"), None],
            "{extension}"
        );
    }
}

#[test]
fn a_database_of_somebody_else_is_changed_where_it_is() {
    let (_folder, path) = boxes(&WriteOptions::default());
    let registry = registry();
    let editor = Editor::open(&registry, &path, None).expect("an editor");
    editor
        .set_deletion(&[1, 3], Deletion::Deleted)
        .expect("marks");
    editor.set_deletion(&[3], Deletion::Kept).expect("marks");
    assert_eq!(
        whites(&registry, &path, &ReadOptions::default()),
        ["B", "C"]
    );
    let game = GameTree {
        tags: Tags::from_iter([("White", "D")]),
        ..GameTree::default()
    };
    editor.replace(2, &game).expect("another game");
    let compacted = editor.compact().expect("fewer games");
    assert_eq!((compacted.games, compacted.deleted), (2, 1));
    assert_eq!(
        whites(&registry, &path, &ReadOptions::default()),
        ["D", "C"]
    );
}

#[test]
fn games_of_somebody_else_are_explained() {
    let (_folder, path) = boxes(&WriteOptions::default());
    let dump = |game| registry().dump(&path, None, game, &ReadOptions::default());
    let (profile, explained) = dump(2).expect("a file").expect("an explanation");
    assert_eq!(profile.to_string(), "box");
    assert!(
        explained.sections[0].lines[0]
            .bytes
            .windows(2)
            .any(|two| two == b"d4")
    );
    let error = dump(9).expect_err("no game").to_string();
    assert!(error.contains("there is no game 9"), "{error}");
}

#[test]
fn a_format_is_asked_for_by_its_name() {
    let registry = registry();
    let spec = registry.spec("BOX").expect("a format");
    assert_eq!(spec.for_writing(None).to_string(), "box");
    let error = registry.spec("bax").expect_err("no format").to_string();
    assert!(error.ends_with("jsonl or box"), "{error}");
}

/// It claims what PGN claims.
struct Other;

impl Profile for Other {
    fn title(&self) -> &'static str {
        "PGN, read by somebody else"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pgn"]
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        Certainty::sure_if(candidate.head.starts_with(b"["))
    }
}

#[test]
fn of_two_formats_that_claim_a_file_the_later_one_has_it() {
    static OTHER: FormatInfo = FormatInfo {
        name: "other",
        title: "another PGN",
        profiles: &[&Other],
    };
    let mut registry = registry();
    let candidate = Candidate::of_head(b"[White \"A\"]\n");
    let found = |registry: &Registry| {
        let by_path = registry.by_path("a.pgn").expect("a format").to_string();
        let by_content = registry.by_content(&candidate).expect("a format").0;
        (by_path, by_content.to_string())
    };
    let both = |name: &str| (name.to_string(), name.to_string());
    assert_eq!(found(&registry), both("pgn"));
    registry.register(&OTHER);
    assert_eq!(found(&registry), both("other"));
}

#[test]
fn a_format_of_a_known_name_takes_its_place() {
    static BETTER: FormatInfo = FormatInfo {
        name: "pgn",
        title: "a better PGN",
        profiles: &[&Other],
    };
    let mut registry = registry();
    let count = registry.formats().count();
    registry.register(&BETTER);
    assert_eq!(registry.formats().count(), count);
    assert_eq!(
        registry.by_name("pgn").expect("a format").title,
        "a better PGN"
    );
}
