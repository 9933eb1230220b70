//! What programs rely on: numbers, order, counts, and files that are whole or not there.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use tabiya::{
    Compression, Convert, Create, ErrorKind, Event, Filter, Flow, GameSink, GameState, GameTree,
    Left, Open, ReadOptions, Survey, convert, create, open, registry,
};
use tabiya_formats::registry::{Deletion, Editor};
use tempfile::TempDir;

/// The formats that hold whole games and are read again.
const FORMATS: [&str; 6] = ["pgn", "pgn.zst", "cbh", "si5", "si4", "josedb"];

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../samples")
        .join(name)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn jobs(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("some")
}

/// The same games many times, so that a file has several parts.
fn many(folder: &TempDir, times: usize) -> PathBuf {
    let path = folder.path().join("many.pgn");
    let games = fs::read(sample("famous.pgn")).expect("a sample");
    fs::write(&path, games.repeat(times)).expect("a file");
    path
}

fn white(game: &GameTree) -> &str {
    game.tags.get("White").unwrap_or_default()
}

#[test]
fn a_deleted_game_is_the_same_by_its_number_and_in_its_turn() {
    let folder = folder();
    for format in ["cbh", "2cbh", "si4", "si5", "tabiya"] {
        let path = folder.path().join(format!("games.{format}"));
        convert(sample("famous.pgn"), &path).run().expect(format);
        let editor = Editor::open(registry(), &path, None).expect(format);
        let deleted = editor.set_deletion(&[2, 3], Deletion::Deleted);
        deleted.expect(format);
        let database = Open::new().deleted(true).open(&path).expect(format);
        for (number, game) in (1..).zip(database.games()) {
            let game = game.expect(format);
            assert_eq!(database.get(number).expect(format), game, "{format}");
            let is_marked = game.tags.get("ScidFlags") == Some("D");
            assert_eq!(is_marked, (2..=3).contains(&number), "{format}");
        }
    }
}

#[test]
fn games_have_their_numbers_in_every_format() {
    let folder = folder();
    for format in FORMATS {
        let path = folder.path().join(format!("games.{format}"));
        convert(sample("famous.pgn"), &path).run().expect(format);
        let database = open(&path).expect(format);
        let games: Vec<GameTree> = database.games().collect::<Result<_, _>>().expect(format);
        assert_eq!(games.len(), 34, "{format}");
        for (number, game) in (1..).zip(&games) {
            assert_eq!(game.place.number, number, "{format}");
        }
        // By its number a game is the same, although all have been read already.
        let second = database.get(2).expect(format);
        assert_eq!(second, games[1], "{format}");
        assert_eq!(white(&second), "Anderssen, Adolf", "{format}");
        for number in [0, 35] {
            let error = database.get(number).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NoSuchGame, "{format}");
            assert_eq!(error.file(), path.to_str(), "{format}");
        }
    }
}

#[test]
fn a_filter_does_not_change_numbers() {
    let filter = Filter {
        player: Some("fischer".into()),
        ..Filter::default()
    };
    let database = open(sample("famous.pgn")).unwrap().filter(filter);
    let games: Vec<GameTree> = database.games().collect::<Result<_, _>>().unwrap();
    let numbers: Vec<u64> = games.iter().map(|game| game.place.number).collect();
    assert_eq!(numbers, [17, 21, 22, 23, 26]);
    assert_eq!(
        database.first().unwrap().map(|game| game.items),
        Some(games[0].items.clone())
    );
    let error = database.get(1).unwrap_err();
    assert_eq!((error.kind(), error.game()), (ErrorKind::Filtered, Some(1)));
    let mut survey = Survey::default();
    database.tell(&mut survey).unwrap();
    assert_eq!(survey.games, 5);
}

#[test]
fn sums_do_not_depend_on_the_number_of_threads() {
    let folder = folder();
    let path = many(&folder, 100);
    let sum = |count| {
        let database = Open::new().jobs(jobs(count)).open(&path).unwrap();
        // The order of the games shows in the sum.
        database.par_fold(
            Vec::new,
            |names, game| names.push(white(game).to_string()),
            |names, later| names.extend(later),
        )
    };
    let one = sum(1).unwrap();
    assert_eq!(one.len(), 3_400);
    assert_eq!(one, sum(8).unwrap());
    let games = open(&path).unwrap().games();
    let read: Vec<String> = games
        .map(|game| white(&game.unwrap()).to_string())
        .collect();
    assert_eq!(one, read);
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let folder = folder();
    let path = many(&folder, 100);
    // Without .cdb, which holds the time when it was made.
    for format in FORMATS.into_iter().chain(["ply16", "cmbr", "uci"]) {
        let written = |count: usize| {
            let place = tempfile::tempdir().expect(format);
            let output = place.path().join(format!("games.{format}"));
            let report = convert(&path, &output).jobs(jobs(count)).run();
            let counts = report.expect(format).counts;
            assert!(counts.add_up(), "{format}");
            assert_eq!(counts.read, 3_400, "{format}");
            files(place.path())
        };
        assert!(written(1) == written(8), "{format}");
    }
}

/// All files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(folder).expect("a folder");
    let paths = files.map(|entry| entry.expect("an entry").file_name());
    paths
        .map(|name| {
            (
                name.clone().into(),
                fs::read(folder.join(name)).expect("a file"),
            )
        })
        .collect()
}

#[test]
fn nothing_appears_before_a_database_is_finished() {
    let folder = folder();
    let game = open(sample("famous.pgn")).unwrap().get(1).unwrap();
    for format in FORMATS {
        let path = folder.path().join(format!("new.{format}"));
        let mut games = create(&path).expect(format);
        games.add(&game).expect(format);
        assert!(!path.exists(), "{format}");
        drop(games);
        assert!(!path.exists(), "{format}");

        let mut games = create(&path).expect(format);
        assert!(games.add(&game).expect(format).is_empty(), "{format}");
        games.finish().expect(format);
        let before = fs::read(&path).expect(format);
        drop(create(&path).expect(format));
        assert!(fs::read(&path).expect(format) == before, "{format}");

        let mut games = Create::new().append(true).create(&path).expect(format);
        games.add(&game).expect(format);
        games.finish().expect(format);
        assert_eq!(open(&path).expect(format).games().count(), 2, "{format}");
    }
}

#[test]
fn a_game_that_a_format_cannot_hold_is_refused_and_others_are_added() {
    let folder = folder();
    let path = folder.path().join("games.si4");
    let mut games = create(&path).unwrap();
    let shuffled = open(sample("chess960.pgn")).unwrap().get(1).unwrap();
    let plain = open(sample("famous.pgn")).unwrap().get(1).unwrap();
    let error = games.add(&shuffled).unwrap_err();
    assert_eq!(
        (error.kind(), error.game()),
        (ErrorKind::CannotHold, Some(1))
    );
    let words = error.to_string();
    let begin = format!("{}: game 1: scid:si4 cannot hold ", path.display());
    assert!(words.starts_with(&begin), "{words}");
    games.add(&plain).unwrap();
    games.finish().unwrap();
    assert_eq!(open(&path).unwrap().count(), Some(1));
}

#[test]
fn whoever_cancels_keeps_what_was_there() {
    let folder = folder();
    let path = many(&folder, 100);
    let output = folder.path().join("old.si5");
    convert(sample("setup.pgn"), &output).run().unwrap();
    let old = files(folder.path());
    for count in [1, 8] {
        let mut calls = 0;
        let cancelled = convert(&path, &output)
            .jobs(jobs(count))
            .watch(|now| {
                calls += 1;
                match now.games < 500 {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            })
            .run();
        let stopped = cancelled.expect_err("it was cancelled");
        assert_eq!(stopped.error.kind(), ErrorKind::Cancelled);
        assert!(calls >= 1);
        let report = stopped.report.expect("it had begun");
        assert!((500..3_400).contains(&report.counts.read));
        assert!(report.counts.add_up());
        assert_eq!(stopped.left, Left::Old(output.clone()));
        assert!(files(folder.path()) == old);
    }
}

#[test]
fn whoever_cancels_is_heard_where_there_is_nothing_to_read() {
    let folder = folder();
    let (empty, output) = (
        folder.path().join("empty.si5"),
        folder.path().join("old.pgn"),
    );
    create(&empty).unwrap().finish().unwrap();
    fs::write(&output, "1. e4 *\n").unwrap();
    let mut calls = 0;
    let cancelled = convert(&empty, &output)
        .watch(|_| {
            calls += 1;
            ControlFlow::Break(())
        })
        .run();
    let stopped = cancelled.expect_err("it was cancelled");
    assert_eq!((stopped.error.kind(), calls), (ErrorKind::Cancelled, 1));
    assert_eq!(fs::read_to_string(&output).unwrap(), "1. e4 *\n");
}

#[test]
fn what_came_before_an_error_is_told() {
    let folder = folder();
    let packed = folder.path().join("many.pgn.gz");
    convert(many(&folder, 100), &packed).run().unwrap();
    let whole = fs::read(&packed).unwrap();
    let cut = folder.path().join("cut.pgn.gz");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let database = open(&cut).unwrap();
    let mut games = database.games();
    let read = games.by_ref().take_while(|game| game.is_ok()).count();
    assert!((1..3_400).contains(&read), "{read}");
    assert!(games.next().is_none());
    let mut survey = Survey::default();
    let error = database.tell(&mut survey).unwrap_err();
    assert_eq!(error.file(), cut.to_str(), "{error}");
    assert!(error.to_string().contains("cut off"), "{error}");
    assert_eq!(survey.games, read as u64);
}

#[test]
fn a_broken_game_is_a_game() {
    let folder = folder();
    let path = folder.path().join("bad.pgn");
    fs::write(&path, "1. e4 Ke4 *\n\n1. d4 *\n").unwrap();
    let games = open(&path).unwrap().games();
    let states: Vec<GameState> = games.map(|game| game.unwrap().state).collect();
    assert_eq!(states, [GameState::Broken, GameState::Complete]);
}

#[test]
fn an_output_may_be_an_input() {
    let folder = folder();
    let path = folder.path().join("games.pgn");
    fs::write(&path, "1. e4 *\n").unwrap();
    Convert::to(&path).input(&path).input(&path).run().unwrap();
    assert_eq!(open(&path).unwrap().games().count(), 2);
}

#[test]
fn what_is_not_whole_ends_a_strict_conversion_and_says_where() {
    let folder = folder();
    let (path, output) = (folder.path().join("a.pgn"), folder.path().join("a.uci"));
    fs::write(&path, "1. e4 *\n\n1. d4 Ke5 *\n\n1. c4 *\n").unwrap();
    let stopped = convert(&path, &output).strict(true).run().unwrap_err();
    let error = &stopped.error;
    assert_eq!((error.kind(), error.game()), (ErrorKind::NotWhole, Some(2)));
    assert_eq!(error.file(), path.to_str());
    assert_eq!(error.place().map(|place| place.line), Some(3));
    let counts = stopped.report.as_ref().expect("it had begun").counts;
    assert_eq!((counts.read, counts.written, counts.refused), (2, 1, 1));
    assert!(!output.exists());
    // As an error it has the same words.
    let words = stopped.to_string();
    // There was none, so it is not said to be as it was.
    assert!(words.ends_with("nothing was written"), "{words}");
    assert_eq!(tabiya::Error::from(stopped).to_string(), words);
}

#[test]
fn what_cannot_begin_has_no_report() {
    let folder = folder();
    let missing = folder.path().join("missing.pgn");
    let stopped = convert(&missing, folder.path().join("a.si5")).run();
    let stopped = stopped.unwrap_err();
    assert!(stopped.report.is_none());
    assert_eq!(stopped.error.file(), missing.to_str());
    // The name asks for what nobody can write.
    let stopped = convert(sample("famous.pgn"), folder.path().join("a.jose")).run();
    assert_eq!(stopped.unwrap_err().error.kind(), ErrorKind::WrongPlace);
}

#[test]
fn what_is_left_of_a_cut_file_is_salvaged_and_the_damage_is_told() {
    let folder = folder();
    let packed = folder.path().join("many.pgn.gz");
    convert(many(&folder, 100), &packed).run().unwrap();
    let whole = fs::read(&packed).unwrap();
    fs::write(&packed, &whole[..whole.len() / 2]).unwrap();
    let output = folder.path().join("rescued.pgn");
    let mut told = 0;
    let report = convert(&packed, &output)
        .reading(Open::new().salvage(true))
        .watch(|now| {
            told = now.damage.len();
            ControlFlow::Continue(())
        })
        .run()
        .unwrap();
    assert_eq!((told, report.damage.len()), (1, 1));
    assert!(report.damage[0].to_string().contains("cut off"));
    assert!((1..3_400).contains(&report.counts.written));
    assert!(!report.is_whole());
}

#[test]
fn whoever_watches_the_reading_may_end_it() {
    let folder = folder();
    let path = many(&folder, 100);
    for count in [1, 8] {
        let database = Open::new().jobs(jobs(count)).open(&path).unwrap();
        let database = database.watch(|progress| match progress.read() < 500_000 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        });
        let cancelled = database.par_fold(|| 0, |sum, _| *sum += 1, |sum, more| *sum += more);
        assert_eq!(cancelled.unwrap_err().kind(), ErrorKind::Cancelled);
    }
}

/// Hears one game and has enough.
#[derive(Default)]
struct One(Vec<GameTree>);

impl GameSink for One {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let flow = self.0.event(event);
        match event {
            Event::GameEnd { .. } => Flow::Stop,
            _ => flow,
        }
    }
}

#[test]
fn a_sink_that_has_enough_ends_the_reading() {
    let mut sink = One::default();
    open(sample("famous.pgn")).unwrap().tell(&mut sink).unwrap();
    assert_eq!(sink.0.len(), 1);
    assert_eq!(sink.0[0].place.number, 1);
}

#[test]
fn an_error_of_whoever_joins_parts_is_passed_on() {
    let database = open(sample("famous.pgn")).unwrap();
    let failed = database.par_parts(
        |_| Ok(()),
        |()| Err::<ControlFlow<()>, Box<dyn Error>>("the disk is full".into()),
    );
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
}

#[test]
fn a_folder_stands_for_the_games_in_it_but_not_for_the_output() {
    let folder = folder();
    let output = folder.path().join("all.pgn");
    for name in ["famous.pgn", "setup.pgn"] {
        fs::copy(sample(name), folder.path().join(name)).unwrap();
    }
    let counts = || convert(folder.path(), &output).run().unwrap().counts;
    let first = counts();
    assert!(first.written > 34);
    assert_eq!(counts(), first);
}

#[test]
fn texts_are_no_games_and_become_files() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    // What stands before the first game of a Scid database describes the whole of it.
    let mut games = create(path("a.si5")).unwrap();
    games.add(&GameTree::default()).unwrap();
    games.finish().unwrap();
    let report = convert(path("a.si5"), path("a.pgn"))
        .texts(path("texts"))
        .run()
        .unwrap();
    assert!(report.counts.add_up() && report.others.add_up());
    assert_eq!(report.counts.written, 1);
    // There is none here, so that there is no folder.
    assert!(!path("texts").exists());
}

#[test]
fn what_is_wrong_behind_the_last_wanted_part_does_not_matter_to_any_number_of_threads() {
    let folder = folder();
    let whole = fs::read(many(&folder, 150)).expect("a file");
    let path = folder.path().join("cut.pgn.gz");
    let packed = folder.path().join("whole.pgn.gz");
    convert(folder.path().join("many.pgn"), &packed)
        .run()
        .expect("a conversion");
    let packed = fs::read(&packed).expect("a file");
    assert!(packed.len() < whole.len());
    fs::write(&path, &packed[..packed.len() / 2]).expect("a file");
    for count in [1, 2, 8] {
        let database = Open::new().jobs(jobs(count)).open(&path).expect("games");
        let mut parts = 0;
        let read: tabiya::Result<()> = database.par_parts(
            |_| Ok(()),
            |()| {
                parts += 1;
                Ok(ControlFlow::Break(()))
            },
        );
        assert!(read.is_ok() && parts == 1, "{count} threads: {read:?}");
    }
}

#[test]
fn a_conversion_of_nothing_replaces_nothing() {
    let folder = folder();
    let path = folder.path().join("games.si5");
    convert(sample("famous.pgn"), &path).run().expect("games");
    let stopped = Convert::to(&path).run().expect_err("no input");
    assert_eq!(stopped.error.to_string(), "there is no input");
    assert_eq!(open(&path).expect("games").games().count(), 34);
}

#[test]
fn several_files_are_not_appended_to() {
    let folder = folder();
    let path = folder.path().join("games.pgn");
    let several = Convert::to(&path).input(sample("famous.pgn")).append(true);
    let size = std::num::NonZeroU64::new(10).expect("some");
    let stopped = several.split(size).run().expect_err("refused");
    assert_eq!(stopped.error.kind(), ErrorKind::Unsupported);
    assert_eq!(files(folder.path()).len(), 0);
}

#[test]
fn what_is_expensive_to_open_is_opened_again_only_if_it_has_changed() {
    let folder = folder();
    for format in ["si4", "si5", "cbh", "2cbh", "cbv", "2cbv"] {
        let path = folder.path().join(format!("games.{format}"));
        convert(sample("famous.pgn"), &path).run().expect(format);
        let opened = registry().open(&path, None, &ReadOptions::default());
        let opened = opened.expect(format).database;
        let mut again = opened.again().expect(format);
        let mut games = Vec::<GameTree>::new();
        while let Some(part) = again.next_part().expect(format) {
            part.tell(&mut games).expect(format);
        }
        assert_eq!(games.len(), 34, "{format}");
        let progress = again.progress().expect(format);
        assert_eq!(Some(progress.read()), progress.total(), "{format}");
        assert_eq!(opened.progress().expect(format).read(), 0, "{format}");
        let database = open(&path).expect(format);
        assert_eq!(database.games().count(), 34, "{format}");
        // Another in its place, which is as long.
        let (other, edgar) = (folder.path().join("other.pgn"), "Anderssen, Edgar");
        let games = fs::read_to_string(sample("famous.pgn")).expect("a sample");
        fs::write(&other, games.replace("Anderssen, Adolf", edgar)).expect("a file");
        convert(&other, &path).run().expect(format);
        assert!(opened.again().is_none(), "{format}");
        for database in [&database, &database.reopen().expect(format)] {
            assert_eq!(white(&database.get(2).expect(format)), edgar, "{format}");
            let second = database.games().nth(1).expect(format).expect(format);
            assert_eq!(white(&second), edgar, "{format}");
        }
    }
}

#[test]
fn a_database_that_is_opened_anew_says_what_its_files_are_now() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    convert(sample("annotated.pgn"), path("games.cbh"))
        .run()
        .expect("ChessBase");
    let notes = fs::read(path("games.cba")).expect("annotations");
    fs::remove_file(path("games.cba")).expect("it is there");
    let database = open(path("games.cbh")).expect("without annotations");
    assert!(!database.damage().is_empty());
    assert_eq!(
        database.reopen().expect("the same").damage(),
        database.damage()
    );
    fs::write(path("games.cba"), notes).expect("annotations");
    assert!(!database.files().holds());
    assert!(database.reopen().expect("all").damage().is_empty());
    convert(sample("famous.pgn"), path("games.pgn.zst"))
        .run()
        .expect("PGN");
    fs::copy(sample("famous.pgn"), path("games")).expect("a copy");
    let database = open(path("games")).expect("PGN");
    fs::copy(path("games.pgn.zst"), path("games")).expect("a copy");
    let packed = database.reopen().expect("packed");
    assert_eq!(packed.compression(), Compression::Zstd);
    assert_eq!(packed.games().count(), 34);
}
