//! What a conversion promises whatever goes wrong: the same outcome for any number of threads, counts
//! that add up, and nothing half done.

use std::{
    fs, io,
    num::{NonZeroU64, NonZeroUsize},
    ops::Range,
    path::{Path, PathBuf},
};

use tabiya::{
    Convert, Create, ErrorKind, Event, Flow, GameSink, GameTree, Open, Registry, convert,
};
use tabiya_formats::{
    Destination, GameWriter, Records, Sequence, Target, pgn,
    registry::{
        Creator, FormatInfo, OpenResult, OpenStream, Opener, Profile, ReadOptions, WriteOptions,
    },
};
use tabiya_game::{Losses, Needs};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn jobs(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("some")
}

/// So many games that a file has several parts.
fn games(count: usize) -> String {
    "[White \"Anderssen, Adolf\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 *\n\n".repeat(count)
}

/// A packed file that is cut off in the middle.
fn cut(folder: &TempDir) -> PathBuf {
    let [plain, packed] = ["plain.pgn", "cut.pgn.gz"].map(|name| folder.path().join(name));
    // Names that do not repeat, so that half of the packed file is several parts.
    let many = (0..60_000_u64).map(|number| {
        let name = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("[White \"{name:x}\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 *\n\n")
    });
    fs::write(&plain, many.collect::<String>()).expect("room");
    convert(&plain, &packed).run().expect("a conversion");
    let whole = fs::read(&packed).expect("a file");
    fs::write(&packed, &whole[..whole.len() / 2]).expect("room");
    packed
}

#[test]
fn damage_behind_the_last_wanted_game_is_told_to_no_number_of_threads() {
    let folder = folder();
    let cut = cut(&folder);
    let second = folder.path().join("second.pgn");
    fs::write(&second, games(3)).expect("room");
    for salvage in [true, false] {
        for count in [1, 2, 8] {
            let report = Convert::to(folder.path().join("out.pgn"))
                .input(&cut)
                .input(&second)
                .reading(Open::new().salvage(salvage))
                .jobs(jobs(count))
                .numbers("1..2".parse().expect("numbers"))
                .run();
            let report = report.expect("the games that are wanted are there");
            assert_eq!(report.damage, [], "{count} threads");
            assert_eq!((report.counts.read, report.counts.written), (4, 4));
            let inputs: Vec<u64> = report.inputs.iter().map(|(_, games)| *games).collect();
            assert_eq!(inputs, [2, 2]);
        }
    }
}

#[test]
fn salvaged_games_and_their_damage_are_the_same_for_any_number_of_threads() {
    let folder = folder();
    let cut = cut(&folder);
    let outcome = |count| {
        let output = folder.path().join("out.pgn");
        let conversion = convert(&cut, &output).reading(Open::new().salvage(true));
        let report = conversion.jobs(jobs(count)).run().expect("games");
        (
            report.counts,
            report.damage,
            fs::read(&output).expect("a file"),
        )
    };
    let one = outcome(1);
    assert_eq!(one.1.len(), 1);
    assert!(one.0.written > 10_000, "{:?}", one.0);
    assert!(outcome(4) == one);
}

static FULL: FormatInfo = FormatInfo {
    name: "full",
    title: "a database that has room for seven games",
    profiles: &[&Full],
};

struct Full;

impl Profile for Full {
    fn title(&self) -> &'static str {
        "room for seven"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::Stream(self))
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }
}

impl OpenStream for Full {
    fn open_stream(&self, input: Box<dyn io::Read + Send>, _: &ReadOptions) -> OpenResult {
        Ok(Box::new(pgn::Pgn::new(input, Default::default())))
    }
}

impl Creator for Full {
    fn writer(&self, _: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(pgn::Writer::default())
    }

    fn target(&self, to: Destination<'_>, _: &WriteOptions) -> io::Result<Box<dyn Target>> {
        let file = Sequence::create(to, pgn::RECORDS, b"")?;
        Ok(Box::new(SevenGames(file, 0)))
    }
}

struct SevenGames(Box<dyn Target>, u64);

impl Target for SevenGames {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        self.1 += 1;
        match self.1 {
            8.. => Err(io::Error::new(io::ErrorKind::StorageFull, "no room")),
            _ => self.0.add(records, which),
        }
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        self.0.finish()
    }
}

/// A writer that says that it has written more than it has.
static LIAR: FormatInfo = FormatInfo {
    name: "liar",
    title: "a writer that cannot count",
    profiles: &[&Liar],
};

struct Liar;

impl Profile for Liar {
    fn title(&self) -> &'static str {
        "one byte too many"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["liar"]
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }
}

impl Creator for Liar {
    fn writer(&self, _: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(OneMore(pgn::Writer::default()))
    }

    fn target(&self, to: Destination<'_>, _: &WriteOptions) -> io::Result<Box<dyn Target>> {
        Sequence::create(to, pgn::RECORDS, b"")
    }
}

struct OneMore(pgn::Writer);

impl GameSink for OneMore {
    fn needs(&mut self) -> Needs {
        self.0.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.0.event(event)
    }
}

impl GameWriter for OneMore {
    fn len(&self) -> usize {
        self.0.len() + 1
    }

    fn take(&mut self) -> Records {
        GameWriter::take(&mut self.0)
    }

    fn take_losses(&mut self) -> Losses {
        self.0.take_losses()
    }
}

/// All formats, and those of this file.
fn registry() -> Registry {
    let mut registry = tabiya::registry().clone();
    registry.register(&FULL);
    registry.register(&LIAR);
    registry.register(&UNFINISHED);
    registry
}

#[test]
fn counts_add_up_when_the_output_is_full() {
    let folder = folder();
    let [input, output] = ["games.pgn", "games.full"].map(|name| folder.path().join(name));
    fs::write(&input, games(5_000)).expect("room");
    for count in [1, 4] {
        let conversion = convert(&input, &output).registry(registry());
        let stopped = conversion.jobs(jobs(count)).run().expect_err("no room");
        assert_eq!(stopped.error.kind(), ErrorKind::Io);
        let report = stopped.report.expect("it had begun");
        assert!(report.counts.add_up(), "{:?}", report.counts);
        assert_eq!((report.counts.read, report.counts.written), (8, 7));
        assert!(!output.exists());
    }
}

#[test]
fn a_writer_that_cannot_count_ends_the_conversion_and_nothing_else() {
    let folder = folder();
    let [input, output] = ["games.pgn", "games.liar"].map(|name| folder.path().join(name));
    fs::write(&input, games(3)).expect("room");
    let stopped = convert(&input, &output).registry(registry()).run();
    let stopped = stopped.expect_err("it counts wrongly");
    assert!(
        stopped.to_string().contains("mistake of their writer"),
        "{stopped}"
    );
    assert!(!output.exists());
}

#[test]
fn formats_of_others_go_through_the_front_door() {
    let folder = folder();
    let [full, copy] = ["games.full", "games.uci"].map(|name| folder.path().join(name));
    assert!(tabiya::create(&full).is_err(), "nobody knows it");
    let mut games = Create::new()
        .registry(registry())
        .create(&full)
        .expect("a database");
    assert_eq!(games.format().to_string(), "full");
    games.add(&GameTree::default()).expect("room");
    games.finish().expect("a database");

    let open = || Open::new().registry(registry());
    let format = registry().spec("full").expect("a format");
    let database = open().format(format).open(&full).expect("a database");
    assert_eq!(database.format().to_string(), "full");
    assert_eq!(database.games().count(), 1);

    // Whoever says how inputs are read need not say twice which formats there are.
    let conversion = convert(&full, &copy).registry(registry());
    let report = conversion.reading(Open::new().format(format)).run();
    assert_eq!(report.expect("a conversion").counts.written, 1);
    let size = NonZeroU64::MIN;
    let split = convert(copy.with_extension("pgn"), &full).registry(registry());
    fs::write(copy.with_extension("pgn"), "1. e4 *\n\n1. d4 *\n").expect("room");
    split.split(size).run().expect("two files");
    assert!(folder.path().join("games-0002.full").exists());
}

#[test]
fn what_an_earlier_run_split_is_no_input_of_the_next_one() {
    let folder = folder();
    fs::write(folder.path().join("games.pgn"), games(5)).expect("room");
    // A file that only looks like one of them, in a folder of its own.
    fs::create_dir(folder.path().join("more")).expect("a folder");
    fs::write(folder.path().join("more/out-0001.pgn"), games(1)).expect("room");
    let output = folder.path().join("out.pgn");
    for _ in 0..3 {
        let two = NonZeroU64::new(2).expect("some");
        let report = convert(folder.path(), &output).split(two).run();
        assert_eq!(report.expect("a conversion").counts.written, 6);
    }
}

#[test]
fn looking_at_a_database_does_not_change_how_far_it_was_read() {
    let folder = folder();
    let [plain, scid] = ["games.pgn", "games.si5"].map(|name| folder.path().join(name));
    fs::write(&plain, games(50)).expect("room");
    convert(&plain, &scid).run().expect("a conversion");
    for path in [&plain, &scid] {
        let database = tabiya::open(path).expect("a database");
        assert_eq!(database.games().count(), 50);
        let read = database.progress().read();
        assert_eq!(Some(read), database.progress().total());
        let (count, deleted) = (database.count(), database.is_deleted(1));
        assert!(!deleted && count.is_none_or(|count| count == 50));
        assert_eq!(database.progress().read(), read, "{}", path.display());
        // And it can be read again.
        assert_eq!(database.games().count(), 50);
    }
}

/// Adds a game to a database that may be there, under a password.
fn add(path: &Path) -> tabiya::Result<Vec<String>> {
    let create = Create::new().append(true).password("open sesame");
    let mut games = create.create(path)?;
    games.add(&GameTree::default())?;
    games.finish()
}

#[test]
fn appending_under_a_password_works_or_says_why_not() {
    let folder = folder();
    let archive = folder.path().join("games.cbz");
    add(&archive).expect("a new archive");
    let sealed = Open::new().password("open sesame").open(&archive);
    assert_eq!(sealed.expect("its password").games().count(), 1);
    let error = add(&archive).expect_err("archives do not grow");
    assert!(
        error.to_string().contains("nothing can be appended"),
        "{error}"
    );
    for name in ["games.pgn", "games.si5", "games.cbh"] {
        let error = add(&folder.path().join(name)).expect_err("no password");
        assert!(error.to_string().contains("has no passwords"), "{error}");
        assert!(!folder.path().join(name).exists());
    }
}

/// A database with a text of two languages, which shows pictures, and a game.
fn course(path: &Path) {
    let mut writer = tabiya_chessbase::writer::RecordWriter::default();
    for (language, text) in [("en", "<html>Hello</html>"), ("de", "<html>Hallo</html>")] {
        writer.event(Event::Text {
            place: Default::default(),
            title: "Foreword",
            language: Some(language),
            text,
        });
    }
    GameTree::default().tell(&mut writer);
    let mut entries = writer.take();
    entries[0].extended.media = 40;
    let mut target = tabiya_chessbase::assembly::DatabaseTarget::create(path).expect("a place");
    target.add(&entries).expect("room");
    target.finish().expect("a database");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// In the order in which they stand in the database.
const FILES: [&str; 2] = ["0001 Foreword.en.html", "0002 Foreword.de.html"];

#[test]
fn texts_that_become_files_lose_what_files_cannot_show() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    course(&path("course.cbh"));
    let conversion = convert(path("course.cbh"), path("out.pgn")).texts(path("texts"));
    let report = conversion.run().expect("a conversion");
    assert_eq!(names(&path("texts")), FILES);
    assert_eq!((report.counts.written, report.others.written), (1, 2));
    let lost: Vec<String> = report
        .losses
        .iter()
        .map(|(_, _, loss)| loss.what.clone())
        .collect();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].contains("media of a text"), "{lost:?}");
}

#[test]
fn texts_that_become_files_stay_where_they_have_a_place() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    course(&path("course.cbh"));
    for copy in ["copy.cbh", "copy.2cbh"] {
        let texts = path(&format!("texts of {copy}"));
        let conversion = convert(path("course.cbh"), path(copy)).texts(&texts);
        let report = conversion.run().expect("a conversion");
        assert_eq!(names(&texts), FILES, "{copy}");
        assert_eq!(report.others.written, 2, "{copy}");
        assert_eq!(report.losses.count(), 1, "{copy}: {:?}", report.losses);
        assert_eq!(tabiya::open(path(copy)).expect("a copy").count(), Some(3));
        let conversion = convert(path(copy), path("again.pgn")).texts(path(copy).join("x"));
        // What is there is no folder: nothing is begun.
        let stopped = conversion.run().expect_err("no folder");
        assert!(stopped.report.is_none() && stopped.error.kind() == ErrorKind::WrongPlace);
        assert!(!path("again.pgn").exists());
    }
}

#[test]
fn a_folder_that_has_texts_is_refused_before_anything_is_read() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    course(&path("course.cbh"));
    let again = || convert(path("course.cbh"), path("out.pgn")).texts(path("texts"));
    again().run().expect("a conversion");
    let stopped = again().run().expect_err("texts of before");
    assert!(stopped.report.is_none() && stopped.error.kind() == ErrorKind::WrongPlace);
    assert!(stopped.to_string().contains(FILES[0]), "{stopped}");
    assert_eq!(names(&path("texts")), FILES);
    // What else is in a folder is no reason.
    for name in FILES {
        fs::remove_file(path("texts").join(name)).expect("a text");
    }
    fs::write(path("texts").join("00017 notes.txt"), "mine").expect("room");
    again().run().expect("a conversion");
}

#[test]
fn texts_are_all_there_or_none() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    course(&path("course.cbh"));
    // The second one is there already.
    fs::create_dir(path("texts")).expect("a folder");
    fs::write(path("texts").join(FILES[1]), "mine").expect("room");
    let conversion = convert(path("course.cbh"), path("out.pgn")).texts(path("texts"));
    let stopped = conversion.run().expect_err("it would be replaced");
    assert!(stopped.to_string().contains(FILES[1]), "{stopped}");
    assert_eq!(names(&path("texts")), [FILES[1]]);
    assert!(!path("out.pgn").exists());
    // An output that cannot be finished takes them with it, and the folders that were made.
    let conversion = convert(path("course.cbh"), path("out.unfinished"));
    let conversion = conversion.registry(registry()).texts(path("new/texts"));
    conversion.run().expect_err("it is never finished");
    assert!(!path("new").exists());
}

static UNFINISHED: FormatInfo = FormatInfo {
    name: "unfinished",
    title: "a database that is never finished",
    profiles: &[&Unfinished],
};

struct Unfinished;

impl Profile for Unfinished {
    fn title(&self) -> &'static str {
        "never finished"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["unfinished"]
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }
}

impl Creator for Unfinished {
    fn writer(&self, _: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(pgn::Writer::default())
    }

    fn target(&self, _: Destination<'_>, _: &WriteOptions) -> io::Result<Box<dyn Target>> {
        Ok(Box::new(Unfinished))
    }
}

impl Target for Unfinished {
    fn add(&mut self, _: &Records, _: Range<usize>) -> io::Result<()> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        Err(io::Error::new(io::ErrorKind::StorageFull, "no room"))
    }
}
