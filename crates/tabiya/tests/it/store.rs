//! What goes into a database of tabiya's own comes out of it, event for event.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use tabiya::{
    Error, ErrorKind, Filter, Open, Position, ReadOptions, openings::Openings, registry,
    search::Question, tree::Explorer,
};
use tabiya_formats::signature::Signature;
use tabiya_game::{Event, Flow, GameSink, Needs};

use crate::data;

/// Sums up all events, and counts entries.
#[derive(Default)]
struct Heard {
    signature: Signature,
    entries: u64,
}

impl GameSink for Heard {
    fn needs(&mut self) -> Needs {
        self.signature.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.entries += u64::from(event.entry().is_some());
        self.signature.event(event)
    }
}

/// What a database tells; nothing if it cannot be read to its end.
fn heard(path: &Path) -> Option<(u64, u64)> {
    let options = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let mut heard = Heard::default();
    let mut opened = registry().open(path, None, &options).ok()?;
    while let Some(part) = opened.database.next_part().ok()? {
        part.tell(&mut heard).ok()?;
    }
    Some((heard.entries, heard.signature.value()))
}

/// Sends a database through the store; `false` if it cannot be read itself.
fn comes_back(path: &Path) -> bool {
    let Some(before) = heard(path) else {
        return false;
    };
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.tabiya");
    let conversion = tabiya::convert(path, &store).reading(Open::new().deleted(true));
    let report = conversion.run().unwrap();
    assert!(report.losses.is_empty(), "{}", path.display());
    assert_eq!(heard(&store), Some(before), "{}", path.display());
    true
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(self::files(&path)),
            false => files.push(path),
        }
    }
    files.sort();
    files
}

/// Databases are files of several; the first is the one that is named.
fn is_main(path: &Path) -> bool {
    let Some(profile) = registry().by_path(path) else {
        return false;
    };
    let main = profile.extensions().first();
    let extension = path.extension().and_then(|extension| extension.to_str());
    !profile.several_files()
        || main.is_some_and(|main| extension.is_some_and(|own| own.eq_ignore_ascii_case(main)))
}

#[test]
fn the_samples_come_back() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let count = files(&samples)
        .iter()
        .filter(|file| comes_back(file))
        .count();
    assert!(count >= 4, "{count}");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn real_games_of_all_formats_come_back() {
    let mut count = 0;
    for folder in [
        "pgn/annotated",
        "chessbase",
        "chessbase2",
        "scid",
        "jose",
        "chessdb",
        "cmbr",
        "torture",
    ] {
        let Some(folder) = data::find(folder) else {
            return;
        };
        let files = files(&folder);
        let databases = files.iter().filter(|file| is_main(file));
        count += databases.filter(|file| comes_back(file)).count();
    }
    for name in [
        "twic-small.pgn.zst",
        "lichess.pgn.zst",
        "chess960.pgn.zst",
        "tcec.pgn.zst",
    ] {
        let Some(file) = data::find(&format!("pgn/{name}")) else {
            return;
        };
        assert!(comes_back(&file), "{name}");
        count += 1;
    }
    assert!(count > 60, "{count}");
}

/// A store of so many short games, with a comment each.
fn short_games(folder: &Path, count: usize) -> PathBuf {
    let (pgn, store) = (folder.join("games.pgn"), folder.join("games.tabiya"));
    let lines = ["e4 e5", "d4 d5", "c4", "e4 c5", "Nf3"];
    let game = |number: usize| {
        format!(
            "[Round \"{number}\"]\n\n1. {} {{so}} *\n\n",
            lines[number % 5]
        )
    };
    fs::write(&pgn, (0..count).map(game).collect::<String>()).unwrap();
    tabiya::convert(&pgn, &store).run().unwrap();
    store
}

/// Questions that a store answers by itself.
fn questions() -> Vec<Question> {
    let query = |text: &str| Some(text.parse().unwrap());
    let comment = Filter {
        comment: Some("so".into()),
        ..Filter::default()
    };
    vec![
        Question {
            query: query("pattern(pe5)"),
            ..Question::default()
        },
        Question {
            query: query("moves(1. e4 e5)"),
            ..Question::default()
        },
        Question {
            filter: comment.clone(),
            ..Question::default()
        },
        Question {
            filter: comment,
            query: query("check or pattern(pe5)"),
            ..Question::default()
        },
    ]
}

#[test]
fn an_answer_of_a_store_tells_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let store = short_games(folder.path(), 300);
    for question in questions() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let tell = Arc::clone(&told);
        let database = tabiya::open(&store).unwrap().watch(move |progress| {
            tell.lock()
                .unwrap()
                .push((progress.read(), progress.total()));
            ControlFlow::Continue(())
        });
        let total = question.ask(&database, |_| Ok::<_, Error>(())).unwrap();
        assert!(total > 0, "{question:?}");
        let told = told.lock().unwrap();
        let (read, all) = told.last().copied().expect("somebody was told");
        assert_eq!(Some(read), all, "{question:?}");
        assert_eq!(Some(database.progress().read()), all, "{question:?}");
    }
}

#[test]
fn whoever_watches_a_store_can_end_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let store = short_games(folder.path(), 300);
    let watched = || {
        let database = tabiya::open(&store).unwrap();
        database.watch(|_| ControlFlow::Break(()))
    };
    for question in questions() {
        let asked = question.ask(&watched(), |_| Ok::<_, Error>(()));
        assert_eq!(
            asked.unwrap_err().kind(),
            ErrorKind::Cancelled,
            "{question:?}"
        );
    }
    for depth in [1, 2, 5] {
        let mut explorer = Explorer::new(&Position::initial()).depth(depth);
        let grown = explorer.add(&watched()).and_then(|()| explorer.finish());
        assert_eq!(grown.unwrap_err().kind(), ErrorKind::Cancelled, "{depth}");
    }
}

#[test]
fn a_store_is_read_twice_as_it_was_when_it_was_opened() {
    let folder = tempfile::tempdir().unwrap();
    let store = short_games(folder.path(), 10);
    let database = tabiya::open(&store).unwrap();
    assert_eq!(database.games().count(), 10);
    let more = folder.path().join("more.pgn");
    fs::write(&more, "1. e4 e5 *\n").unwrap();
    tabiya::convert(&more, &store).append(true).run().unwrap();
    assert_eq!(database.games().count(), 10);
    assert_eq!(
        database
            .par_fold(|| 0, |sum, _| *sum += 1, |a, b| *a += b)
            .unwrap(),
        10
    );
    assert_eq!(tabiya::open(&store).unwrap().games().count(), 11);
}

#[test]
fn games_that_were_found_are_written_as_they_were_found() {
    let folder = tempfile::tempdir().unwrap();
    let store = short_games(folder.path(), 10);
    let database = tabiya::open(&store).unwrap();
    let found: tabiya::Numbers = [2, 3].into_iter().collect();
    // Somebody else makes other games of these numbers.
    tabiya_store::Store::open(&store)
        .unwrap()
        .mark(&[1, 2], true)
        .unwrap();
    tabiya_store::Store::open(&store)
        .unwrap()
        .compact()
        .unwrap();
    let output = folder.path().join("found.pgn");
    let conversion = tabiya::convert(&store, &output).as_opened(&database);
    conversion.numbers_of(&store, found).run().unwrap();
    let rounds = tabiya::open(&output).unwrap().games();
    let rounds: Vec<String> = rounds
        .map(|game| game.unwrap().tags.get("Round").unwrap().to_owned())
        .collect();
    assert_eq!(rounds, ["1", "2"]);
}

#[test]
fn openings_have_names_in_a_store_and_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = short_games(folder.path(), 600);
    let ask = |path: &Path| {
        let question = Question {
            filter: Filter {
                plies: "1..".parse().ok(),
                ..Filter::default()
            },
            openings: Some(Arc::new(Openings::eco().clone())),
            ..Question::default()
        };
        let mut named = Vec::new();
        let asked = question.ask(&tabiya::open(path).unwrap(), |hit| {
            named.push((hit.number, hit.opening.map(|opening| opening.eco)));
            Ok::<_, Error>(())
        });
        assert_eq!(asked.unwrap(), 600);
        named
    };
    let named = ask(&store);
    assert_eq!(named, ask(&folder.path().join("games.pgn")));
    let codes: Vec<_> = named[..3].iter().map(|(_, eco)| eco.as_deref()).collect();
    assert_eq!(codes, [Some("C20"), Some("D00"), Some("A10")]);
}
