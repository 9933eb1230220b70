//! Whole ChessBase databases, where the data folder is at hand: against PGN files of the same
//! games, against their archives, and damaged.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use tabiya_chess::Position;
use tabiya_chessbase::{
    Database, FORMAT, ReadOptions,
    archive::Archive,
    files::{FileKind, set::FileSet},
};
use tabiya_formats::{
    Database as _,
    io::Contents,
    pgn::{Parser, WriteOptions, Writer},
    registry,
};
use tabiya_game::{
    ErrorKind, Event, Flow, GameSink, GameState, GameTree, Item, LossKind, Losses, Nag,
};

use crate::{below::ending, data};

fn name_of(path: &Path) -> String {
    let name = path.file_stem().expect("a name");
    name.to_string_lossy().into_owned()
}

/// Everything that a database tells.
#[derive(Default, PartialEq, Debug)]
struct Heard {
    games: Vec<GameTree>,
    texts: Vec<(String, Option<String>, String)>,
    opaque: Vec<(String, usize)>,
}

impl GameSink for Heard {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Text {
                title,
                language,
                text,
                ..
            } => {
                let language = language.map(str::to_string);
                self.texts.push((title.into(), language, text.into()));
            }
            Event::Opaque { format, bytes, .. } => self.opaque.push((format.into(), bytes.len())),
            event => return self.games.event(event),
        }
        Flow::Continue
    }
}

fn hear(mut database: Database) -> Heard {
    let mut heard = Heard::default();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut heard).expect("a part");
    }
    heard
}

fn open(path: &Path) -> Heard {
    hear(Database::open(path, ReadOptions::default()).expect("a database"))
}

fn pgn_games(path: &Path) -> Vec<GameTree> {
    let text = fs::read(path).expect("a PGN file");
    let text = String::from_utf8_lossy(&text);
    let mut parser = Parser::new(&text);
    let mut games = Vec::new();
    let mut tree = GameTree::default();
    while parser.read_game(&mut tree) {
        games.push(std::mem::take(&mut tree));
    }
    games
}

fn moves_of(tree: &GameTree) -> Vec<&Item> {
    let is_move = |item: &&Item| {
        matches!(
            item,
            Item::Move(_) | Item::Null | Item::VariationStart | Item::VariationEnd
        )
    };
    tree.items.iter().filter(is_move).collect()
}

fn same_start(one: &Position, other: &Position) -> bool {
    let placement = |position: &Position| {
        let setup = position.to_setup();
        (setup.board, setup.turn, setup.castling_rooks)
    };
    placement(one) == placement(other)
}

/// Games, texts, opaque entries and broken games of each database.
///
/// Texts are counted by languages. Those of Hedgehog have formatting, which is opaque. Where moves
/// are missing, all games are broken and all texts are opaque; four games of `games/cbh_test` are
/// deleted.
const EXPECTED: &[(&str, [usize; 4])] = &[
    ("libcbh/Annotation/TestBase", [4, 0, 0, 0]),
    ("libcbh/Chess960Biel/Chess960Biel", [188, 0, 0, 0]),
    ("libcbh/NormalGames/BielMTO", [548, 0, 0, 0]),
    ("morphy/database/World-ch/World-ch", [1025, 0, 13, 1025]),
    ("morphy/database/cbh_cbj_test/cbh_cbj_test", [4, 0, 0, 0]),
    ("morphy/database/cbh_test/cbh_test", [4, 0, 0, 0]),
    ("morphy/database/hedgehog/Hedgehog", [204, 27, 27, 0]),
    ("morphy/database/old/linares", [503, 0, 0, 0]),
    (
        "morphy/database/shorter_cbj_test/shorter_cbj_test",
        [4, 0, 0, 0],
    ),
    (
        "morphy/database/test-annotations/test-annotations",
        [6, 0, 0, 0],
    ),
    // Two of its texts show media.
    ("morphy/database/text/text", [1, 15, 2, 0]),
    ("morphy/database/veryold/Mate2", [7, 0, 0, 0]),
    ("morphy/games/cbh_cbj_test", [4, 0, 0, 4]),
    ("morphy/games/cbh_only", [4, 0, 0, 4]),
    ("morphy/games/cbh_test", [14, 0, 1, 14]),
    ("morphy/games/hedgehog_old", [204, 0, 27, 204]),
    ("morphy/games/many_headers", [15000, 0, 0, 15000]),
    ("morphy/games/shorter_cbj_test", [4, 0, 0, 4]),
    ("uncbv/small/small", [0, 0, 0, 0]),
    ("uncbv/twic1134/twic1134", [6117, 0, 0, 0]),
];

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_database_is_read_whole() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let mut found = Vec::new();
    for path in ending("cbh", &folder) {
        let heard = open(&path);
        let broken = heard.games.iter();
        let broken = broken.filter(|game| game.state == GameState::Broken);
        let counts = [
            heard.games.len(),
            heard.texts.len(),
            heard.opaque.len(),
            broken.count(),
        ];
        let name = path.strip_prefix(&folder).expect("a path");
        found.push((name.with_extension("").display().to_string(), counts));
    }
    for (name, counts) in &found {
        println!("    ({name:?}, {counts:?}),");
    }
    let found: Vec<_> = found
        .iter()
        .map(|(name, counts)| (&**name, *counts))
        .collect();
    assert_eq!(found, EXPECTED);
}

/// How often a tag differs from the PGN file beside a database, and why.
///
/// The PGN files beside the two databases from Biel are what ChessBase imported, not what it
/// exports: it has no place for titles and FIDE numbers, cuts academic titles off names, keeps the
/// board as a second round, does not keep clocks that show nothing, and takes a result that it does
/// not know for none.
const DIFFERENCES: &[(&str, &str, usize)] = &[
    ("libcbh/Chess960Biel/Chess960.pgn", "BlackClock", 7),
    ("libcbh/Chess960Biel/Chess960.pgn", "BlackFideId", 187),
    ("libcbh/Chess960Biel/Chess960.pgn", "BlackTitle", 53),
    ("libcbh/Chess960Biel/Chess960.pgn", "Board", 188),
    // Rooks by their files instead of K and Q.
    ("libcbh/Chess960Biel/Chess960.pgn", "FEN", 187),
    ("libcbh/Chess960Biel/Chess960.pgn", "Round", 188),
    // One game was drawn the usual position.
    ("libcbh/Chess960Biel/Chess960.pgn", "Variant", 1),
    ("libcbh/Chess960Biel/Chess960.pgn", "WhiteClock", 11),
    ("libcbh/Chess960Biel/Chess960.pgn", "WhiteFideId", 188),
    ("libcbh/Chess960Biel/Chess960.pgn", "WhiteTitle", 51),
    ("libcbh/NormalGames/BielMTO.pgn", "Black", 8),
    ("libcbh/NormalGames/BielMTO.pgn", "BlackFideId", 539),
    ("libcbh/NormalGames/BielMTO.pgn", "BlackTitle", 219),
    ("libcbh/NormalGames/BielMTO.pgn", "Board", 548),
    ("libcbh/NormalGames/BielMTO.pgn", "Result", 5),
    ("libcbh/NormalGames/BielMTO.pgn", "Round", 548),
    ("libcbh/NormalGames/BielMTO.pgn", "Variant", 548),
    ("libcbh/NormalGames/BielMTO.pgn", "White", 11),
    ("libcbh/NormalGames/BielMTO.pgn", "WhiteClock", 1),
    ("libcbh/NormalGames/BielMTO.pgn", "WhiteFideId", 548),
    ("libcbh/NormalGames/BielMTO.pgn", "WhiteTitle", 228),
    // The database is in Windows-1251, which the other program does not look for.
    ("pgn/Hedgehog.pgn", "Event", 1),
    // A board without a round, which the other program leaves out.
    ("pgn/Hedgehog.pgn", "Round", 2),
];

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_and_headers_are_those_of_other_programs() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let mut differences: BTreeMap<(String, String), (usize, String)> = BTreeMap::new();
    let mut compared = 0;
    // Some have headers alone.
    let whole = |path: &PathBuf| path.with_extension("cbg").is_file();
    for path in ending("cbh", &folder).into_iter().filter(whole) {
        let mut twins = vec![
            folder
                .join("pgn")
                .join(name_of(&path))
                .with_extension("pgn"),
        ];
        let beside = fs::read_dir(path.parent().expect("a folder")).expect("a folder");
        let beside = beside.map(|entry| entry.expect("an entry").path());
        twins.extend(beside.filter(|path| path.extension().is_some_and(|e| e == "pgn")));
        twins.retain(|twin| twin.is_file());
        let heard = open(&path);
        for twin in twins {
            let theirs = pgn_games(&twin);
            assert_eq!(heard.games.len(), theirs.len(), "{twin:?}");
            let file = twin
                .strip_prefix(&folder)
                .expect("a path")
                .display()
                .to_string();
            for (ours, theirs) in heard.games.iter().zip(&theirs) {
                compared += 1;
                assert!(same_start(&ours.start, &theirs.start), "{file}");
                assert_eq!(moves_of(ours), moves_of(theirs), "{file}");
                for (name, value) in theirs.tags.iter() {
                    if ours.tags.get(name) != Some(value) {
                        let found = ours.tags.get(name).unwrap_or("-");
                        let entry = differences.entry((file.clone(), name.to_string()));
                        let example = || (0, format!("{value:?} is {found:?}"));
                        entry.or_insert_with(example).0 += 1;
                    }
                }
            }
        }
    }
    for ((file, name), (count, example)) in &differences {
        println!("    // {example}\n    (\"{file}\", \"{name}\", {count}),");
    }
    let found: Vec<_> = differences
        .iter()
        .map(|((file, name), (n, _))| (&**file, &**name, *n))
        .collect();
    assert_eq!(found, DIFFERENCES);
    assert_eq!(compared, 7_590 + 740);
}

/// ChessBase's own export has comments and NAGs.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn comments_and_nags_are_those_of_chessbase() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let base = folder.join("libcbh/Annotation");
    let ours = open(&base.join("TestBase.cbh")).games;
    let theirs = pgn_games(&base.join("TestBaseExport.pgn"));
    let said = |tree: &GameTree| -> Vec<String> {
        let items = tree.items.iter();
        let said = items.map(|item| match item {
            Item::Comment { text, .. } => text.clone(),
            Item::Nag(Nag(number)) => format!("${number}"),
            Item::Move(play) => format!("{play:?}"),
            other => format!("{other:?}"),
        });
        said.collect()
    };
    assert_eq!(ours.len(), 4);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(said(ours), said(theirs));
        assert_eq!(ours.result, theirs.result);
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn archives_hold_the_same_games_as_files() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let folder = folder.join("uncbv");
    let archive = |name: &str, password| {
        let database = Database::open_archive(folder.join(name), password, ReadOptions::default());
        hear(database.expect("an archive"))
    };
    let beside = open(&folder.join("twic1134/twic1134.cbh"));
    assert_eq!(beside.games.len(), 6_117);
    assert!(archive("twic1134.cbv", None) == beside);
    let small = open(&folder.join("small/small.cbh"));
    assert!(archive("small.cbv", None) == small);
    assert!(archive("small.cbz", Some("password")) == small);
    assert!(archive("small3.cbz", Some("my long password")) == small);
    let locked = registry::Registry::of(&[&FORMAT]).open(
        &folder.join("small.cbz"),
        None,
        &Default::default(),
    );
    let locked = locked.err().map(|error| error.kind());
    assert_eq!(locked, Some(ErrorKind::NeedsPassword));
    let archive = Archive::open_path(folder.join("twic1134.cbv"), None).expect("an archive");
    assert!(!archive.is_encrypted());
}

/// What PGN cannot hold of these databases: comments have no language there, raw annotations are
/// kept on request only, and line breaks are spaces. What is said at each move is compared in
/// `chessbase_pgn.rs`.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn pgn_brings_back_what_was_told() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let mut losses = Losses::default();
    for path in ending("cbh", &folder) {
        for game in open(&path).games {
            if game.state == GameState::Broken {
                continue;
            }
            let mut writer = Writer::new(WriteOptions {
                keep_raw: true,
                ..WriteOptions::default()
            });
            game.tell(&mut writer);
            losses.append(writer.take_losses());
            let text = String::from_utf8(writer.take()).expect("UTF-8");
            let mut again = GameTree::default();
            assert!(Parser::new(&text).read_game(&mut again));
            assert_eq!(
                moves_of(&game),
                moves_of(&again),
                "{path:?} {:?}",
                game.place
            );
            assert_eq!(game.result, again.result);
            for (name, value) in game.tags.iter() {
                assert_eq!(again.tags.get(name), Some(value), "{path:?}");
            }
        }
    }
    let kinds: Vec<_> = losses.iter().map(|(kind, _, _)| kind).collect();
    assert!(
        kinds.iter().all(|kind| matches!(kind, LossKind::Language)),
        "{kinds:?}"
    );
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn damaged_files_are_read_as_far_as_they_go() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let mut random = 0x9e37_79b9_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below.max(1) as u64) as usize
    };
    for name in [
        "test-annotations/test-annotations",
        "text/text",
        "old/linares",
        "veryold/Mate2",
    ] {
        let path = folder
            .join("morphy/database")
            .join(name)
            .with_extension("cbh");
        let files = FileSet::open(&path).expect("files");
        let kinds: Vec<_> = FileKind::ALL
            .into_iter()
            .filter(|kind| files.get(*kind).is_some())
            .collect();
        for kind in &kinds {
            for round in 0..12 {
                let copies = kinds.iter().map(|other| {
                    let mut bytes = files.get(*other).expect("a file").to_vec();
                    if other == kind {
                        match round {
                            0 => bytes.clear(),
                            1..6 => bytes.truncate(next(bytes.len())),
                            _ => {
                                for _ in 0..1 + bytes.len() / 500 {
                                    let at = next(bytes.len());
                                    if let Some(byte) = bytes.get_mut(at) {
                                        *byte ^= 1 << next(8);
                                    }
                                }
                            }
                        }
                    }
                    (*other, Contents::from(bytes))
                });
                let files = FileSet::from_files(copies);
                if let Ok(database) = Database::from_files(files, ReadOptions::default()) {
                    for number in 1..20 {
                        let _ = database.explain(number);
                    }
                    hear(database);
                }
            }
        }
    }
}
