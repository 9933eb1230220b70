use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rusqlite::Connection;
use tabiya_game::{
    CommentPlace, Event, Flow, GameErrorKind, GameResult, GameSink, GameState, GameTree, Item,
    LossKind, Needs, Place, Tags, generate,
};
use tempfile::TempDir;

use super::*;
use crate::{Database, jose::RecordWriter, pgn::Parser};

fn games(pgn: &str) -> Vec<GameTree> {
    let mut parser = Parser::new(pgn);
    let mut games = Vec::new();
    while parser.read_game(&mut games) {}
    games
}

fn add(mut target: JosedbTarget, games: &[GameTree]) {
    let mut writer = RecordWriter::new();
    for game in games {
        game.tell(&mut writer);
    }
    target.add(&writer.take()).unwrap();
    target.finish().unwrap();
}

fn read_all(mut database: Josedb) -> Vec<GameTree> {
    let mut games = Vec::new();
    while let Some(part) = database.next_part().unwrap() {
        part.tell(&mut games).unwrap();
    }
    games
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.josedb");
    (folder, path)
}

/// Without the places, which are numbers of rows now.
fn plain(games: &[GameTree]) -> Vec<GameTree> {
    let plain = |game: &GameTree| GameTree {
        place: Default::default(),
        ..game.clone()
    };
    games.iter().map(plain).collect()
}

fn through(games: &[GameTree]) -> Vec<GameTree> {
    let (_folder, path) = place();
    add(JosedbTarget::create(&path).unwrap(), games);
    plain(&read_all(Josedb::open(&path).unwrap()))
}

/// A database made by hand.
fn made_by(sql: &str) -> (TempDir, PathBuf) {
    let (folder, path) = place();
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    (folder, path)
}

#[test]
fn tags_come_back_as_they_were_in_their_order() {
    let games = games(
        "[Black \"b\"]\n[White \"\"]\n[white \"lower\"]\n[WhiteElo \"02700\"]\n\
         [BlackElo \"2700\"]\n[Black \"again\"]\n[Mode \"\\\"OTB\\\" \\\\\"]\n[Result \"1-0\"]\n\
         [Variant \"Standard\"]\n[Tags \"x\"]\n[Id \"5\"]\n\n1. e4 1-0\n\n\
         [Event \"?\"]\n[Result \"½-½\"]\n\n1/2-1/2\n\n\
         1. d4 *\n",
    );
    assert_eq!(games.len(), 3);
    assert_eq!(through(&games), plain(&games));
}

#[test]
fn starts_come_back_whatever_the_tags_say() {
    let games = games(
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 *\n\n\
         [Variant \"fischerandom\"]\n\
         [FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]\n\n1. Nd3 *\n\n\
         [FEN \"nonsense\"]\n\n1. e4 *\n\n\
         [Variant \"crazyhouse\"]\n\n1. e4 *\n\n\
         [Variant \"Antichess\"]\n\n1. e3 b5 2. Bxb5 *\n",
    );
    assert_eq!(games.len(), 5);
    let copies = through(&games);
    assert_eq!(copies[..2], plain(&games)[..2]);
    assert_eq!(copies[4], plain(&games)[4]);
    for (copy, game) in copies.iter().zip(&games) {
        assert_eq!(copy.tags, game.tags);
        assert_eq!(copy.start, game.start);
        assert_eq!(copy.state, game.state);
        assert_eq!(copy.items.len(), game.items.len());
    }
}

#[test]
fn a_start_that_is_none_stays_none() {
    for tags in [
        "[FEN \"garbage here\"]",
        "[FEN \"8/pp6/8/8/8/8/PP6/8 w - - 0 1\"]",
    ] {
        let back = through(&games(&format!("{tags}\n\n1. e4 *\n"))).remove(0);
        assert_eq!(back.state, GameState::Broken, "{tags}");
        let is_bad = |item: &Item| matches!(item, Item::Error { kind, .. } if *kind == GameErrorKind::BadStart);
        assert!(back.items.iter().any(is_bad), "{tags}: {back:?}");
        let fen = back.tags.get("FEN").unwrap_or_default();
        assert!(tags.contains(fen) && !fen.is_empty(), "{tags}: {fen}");
    }
}

#[test]
fn a_start_without_a_tag_is_kept_too() {
    let mut game = games("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *").remove(0);
    game.tags = Tags::new();
    assert_eq!(through(&[game.clone()]), plain(&[game]));
}

#[test]
fn games_that_were_not_played_stay_so() {
    for result in GameResult::ALL {
        for tag in [None, Some("1-0"), Some("*"), Some(result.tag())] {
            let mut game = GameTree {
                result,
                ..GameTree::default()
            };
            if let Some(tag) = tag {
                game.tags.push("Result", tag);
            }
            let mut writer = RecordWriter::new();
            game.tell(&mut writer);
            assert!(writer.take_losses().is_empty());
            assert_eq!(through(&[game.clone()]), [game]);
        }
    }
}

#[test]
fn games_are_added_behind_those_that_are_there() {
    let games = games("1. e4 *\n\n1. d4 *\n\n1. c4 *\n");
    let (_folder, path) = place();
    add(JosedbTarget::create(&path).unwrap(), &games[..1]);
    Connection::open(&path)
        .unwrap()
        .execute("UPDATE Game SET Id = 41", [])
        .unwrap();
    add(JosedbTarget::append(&path).unwrap(), &games[1..]);
    let database = Josedb::open(&path).unwrap();
    for (id, expected) in [(41, &games[0]), (42, &games[1]), (43, &games[2])] {
        let mut game = GameTree::default();
        assert!(database.read(id, &mut game).unwrap());
        assert_eq!(game.place.offset, id as u64);
        assert_eq!(game.items, expected.items);
    }
    assert!(!database.read(44, &mut GameTree::default()).unwrap());
}

#[test]
fn what_is_not_finished_was_never_there() {
    let games = games("1. e4 *\n\n1. d4 *\n");
    let (folder, path) = place();
    let mut writer = RecordWriter::new();
    games[0].tell(&mut writer);
    let mut target = JosedbTarget::create(&path).unwrap();
    target.add(&writer.take()).unwrap();
    drop(target);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    add(JosedbTarget::create(&path).unwrap(), &games[..1]);
    let before = std::fs::read(&path).unwrap();
    games[1].tell(&mut writer);
    let mut target = JosedbTarget::append(&path).unwrap();
    target.add(&writer.take()).unwrap();
    drop(target);
    assert_eq!(read_all(Josedb::open(&path).unwrap()).len(), 1);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_new_database_takes_the_place_of_the_old_one() {
    let games = games("1. e4 *\n\n1. d4 *\n");
    let (_folder, path) = place();
    add(JosedbTarget::create(&path).unwrap(), &games);
    add(JosedbTarget::create(&path).unwrap(), &games[1..]);
    assert_eq!(
        plain(&read_all(Josedb::open(&path).unwrap())),
        plain(&games[1..])
    );
}

#[test]
fn the_same_games_give_the_same_bytes() {
    let games = games("[White \"x\"]\n\n1. e4 *\n\n1. d4 *\n");
    let bytes = || {
        let (_folder, path) = place();
        add(JosedbTarget::create(&path).unwrap(), &games);
        std::fs::read(&path).unwrap()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn a_reader_sees_one_state_while_another_writes() {
    let games = games("1. e4 *\n\n1. d4 *\n");
    let (_folder, path) = place();
    add(JosedbTarget::create(&path).unwrap(), &games);
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let path = path.clone();
            std::thread::spawn(move || read_all(Josedb::open(&path).unwrap()).len())
        })
        .collect();
    for reader in readers {
        assert_eq!(reader.join().unwrap(), 2);
    }
    let target = JosedbTarget::append(&path).unwrap();
    let database = Josedb::open(&path).unwrap();
    drop(target);
    assert_eq!(read_all(database).len(), 2);
}

#[test]
fn a_database_in_memory_is_read_like_a_file() {
    let games = games("1. e4 *\n\n1. d4 *\n");
    let (_folder, path) = place();
    add(JosedbTarget::create(&path).unwrap(), &games);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(recognise(&bytes), Certainty::Sure);
    assert_eq!(recognise(b"SQLite format 3"), Certainty::No);
    let database = Josedb::from_bytes(&bytes).unwrap();
    assert_eq!(plain(&read_all(database)), plain(&games));
}

#[test]
fn whoever_changes_a_column_changes_the_tag() {
    let games = games("[White \"Tal\"]\n[ECO \"B00\"]\n\n1. e4 *\n");
    let (_folder, path) = place();
    add(JosedbTarget::create(&path).unwrap(), &games);
    Connection::open(&path)
        .unwrap()
        .execute("UPDATE Game SET White = 'Tal, Mihail', ECO = NULL", [])
        .unwrap();
    let games = read_all(Josedb::open(&path).unwrap());
    assert!(games[0].tags.iter().eq([("White", "Tal, Mihail")]));
}

#[test]
fn rows_made_by_hand_need_no_more_than_moves() {
    let (_folder, path) = made_by(
        "CREATE TABLE game (id INTEGER PRIMARY KEY, gametext BLOB, white TEXT);
         INSERT INTO game VALUES (-5, x'1313D1FF', 'Tal');",
    );
    let games = read_all(Josedb::open(&path).unwrap());
    assert_eq!(games[0].main_line().count(), 2);
    assert_eq!(games[0].result, GameResult::Draw);
    assert!(games[0].tags.iter().eq([("White", "Tal")]));
}

#[test]
fn values_of_other_types_are_faults_of_their_games_alone() {
    let (_folder, path) = made_by(
        "CREATE TABLE Game (Id INTEGER PRIMARY KEY, White, Result, FEN, Tags, GameText);
         INSERT INTO Game VALUES
            (1, NULL, NULL, NULL, NULL, NULL),
            (2, x'ff', '1-0', NULL, '[]', x'D2FF'),
            (3, 7, '2-0', NULL, '[\"White\",\"Result\"]', x'D2FF'),
            (4, 1.5, '*', NULL, '[7]', x'D3FF'),
            (5, 'x', '*', 'y', '{}', x'D3FF'),
            (6, 'x', '*', NULL, '[[\"a\",\"b\"],\"Nothing\"]', 'text'),
            (7, cast(x'ff' as text), '*', NULL, '[\"White\"]', x'D3FF'),
            (8, 'x', '*', NULL, '[\"White\"]', x'13'),
            (9, 'x', '*', NULL, '[\"White\"]', x'13D3FF');",
    );
    let games = read_all(Josedb::open(&path).unwrap());
    assert_eq!(games.len(), 9);
    for game in &games[..8] {
        assert_eq!(game.state, GameState::Broken, "{}", game.place.offset);
        let error = |item: &Item| matches!(item, Item::Error { .. });
        assert!(game.items.iter().any(error), "{}", game.place.offset);
    }
    assert!(games[2].tags.iter().eq([("White", "7"), ("Result", "2-0")]));
    assert!(games[5].tags.iter().eq([("a", "b")]));
    assert_eq!(games[7].main_line().count(), 1);
    assert_eq!(games[8].state, GameState::Complete);
}

#[test]
fn a_huge_value_is_a_broken_game_and_the_next_is_read() {
    let (_folder, path) = made_by(
        "CREATE TABLE Game (Id INTEGER PRIMARY KEY, GameText BLOB);
         INSERT INTO Game VALUES (1, x'13D3FF'), (2, zeroblob(70000000)), (3, x'13D3FF');",
    );
    let games = read_all(Josedb::open(&path).unwrap());
    let states: Vec<_> = games.iter().map(|game| game.state).collect();
    assert_eq!(
        states,
        [GameState::Complete, GameState::Broken, GameState::Complete]
    );
}

#[test]
fn other_databases_are_refused_with_the_reason() {
    let refused = |sql: &str| {
        let (_folder, path) = made_by(sql);
        Josedb::open(&path).unwrap_err()
    };
    let good = "CREATE TABLE Game (Id INTEGER PRIMARY KEY, GameText BLOB);";
    assert!(matches!(
        refused("CREATE TABLE x (y)"),
        JosedbError::NoTable
    ));
    assert!(matches!(
        refused("CREATE TABLE x (Id, GameText); CREATE VIEW Game AS SELECT * FROM x"),
        JosedbError::NoTable
    ));
    assert!(matches!(
        refused("CREATE TABLE Game (Id INTEGER PRIMARY KEY, GameText) WITHOUT ROWID"),
        JosedbError::NoTable
    ));
    assert!(matches!(
        refused("CREATE TABLE Game (Id TEXT, GameText)"),
        JosedbError::NoColumn("Id")
    ));
    assert!(matches!(
        refused("CREATE TABLE Game (Id INTEGER PRIMARY KEY, Moves)"),
        JosedbError::NoColumn("GameText")
    ));
    assert!(matches!(
        refused("CREATE TABLE Game (Id INTEGER PRIMARY KEY, GameText AS (zeroblob(9)))"),
        JosedbError::NoColumn("GameText")
    ));
    assert!(matches!(
        refused(&format!("{good} PRAGMA application_id = 7")),
        JosedbError::Foreign { application_id: 7 }
    ));
    assert!(matches!(
        refused(&format!("{good} PRAGMA user_version = 2")),
        JosedbError::Newer { version: 2 }
    ));
    let (_folder, path) = made_by(good);
    let append = JosedbTarget::append(&path).unwrap_err();
    assert!(matches!(append, JosedbError::NoColumn("Event")), "{append}");
    let missing = Josedb::open(Path::new("/no/such/file.josedb"));
    assert!(matches!(missing, Err(JosedbError::Sqlite(_))));
    assert!(Josedb::from_bytes(b"not a database").is_err());
    assert!(Josedb::from_bytes(b"").is_err());
}

#[test]
fn entries_that_are_no_games_are_reported() {
    let mut writer = RecordWriter::new();
    writer.event(Event::Text {
        place: Place::default(),
        title: "About",
        language: None,
        text: "text",
    });
    assert!(writer.is_empty());
    let losses = writer.take_losses();
    assert_eq!(losses.iter().next().unwrap().0, LossKind::Entry);
}

#[test]
fn records_that_are_none_are_refused() {
    let (_folder, path) = place();
    let mut target = JosedbTarget::create(&path).unwrap();
    let mut writer = RecordWriter::new();
    games("[White \"x\"]\n\n1. e4 *")[0].tell(&mut writer);
    let record = writer.take();
    for length in 1..record.len() {
        assert!(target.add(&record[..length]).is_err());
    }
    target.add(&record).unwrap();
}

#[test]
fn whoever_wants_no_moves_gets_none() {
    struct Names(Vec<String>);
    impl GameSink for Names {
        fn needs(&mut self) -> Needs {
            Needs::TAGS
        }
        fn event(&mut self, event: Event<'_>) -> Flow {
            match event {
                Event::Tag { value, .. } => self.0.push(value.to_owned()),
                Event::GameEnd { result, .. } => self.0.push(result.tag().to_owned()),
                Event::GameStart(_) => {}
                other => panic!("{other:?}"),
            }
            Flow::Continue
        }
    }
    let (_folder, path) = place();
    let games = games("[White \"x\"]\n\n1. e4 1-0");
    add(JosedbTarget::create(&path).unwrap(), &games);
    let mut names = Names(Vec::new());
    assert!(Josedb::open(&path).unwrap().read(1, &mut names).unwrap());
    assert_eq!(names.0, ["x", "1-0"]);
}

/// A game without what the stream cannot hold of generated games: whether a comment stands before
/// or after a move, and NAGs above 255.
fn without_losses(mut game: GameTree) -> GameTree {
    for item in &mut game.items {
        if let Item::Comment { place, .. } = item {
            *place = CommentPlace::After;
        }
    }
    let kept = |item: &Item| !matches!(item, Item::Nag(nag) if nag.0 > 255);
    game.items.retain(kept);
    game
}

#[test]
fn generated_games_come_back() {
    let options = generate::Options {
        games: 300,
        variations: true,
        chess960: true,
        ..generate::Options::default()
    };
    let mut games = Vec::new();
    let mut generator = generate::Generator::new(options);
    while generator.tell_game(&mut games) {}
    let games = plain(&games);
    let copies = through(&games);
    let mut writer = RecordWriter::new();
    for (copy, game) in copies.into_iter().zip(games) {
        game.tell(&mut writer);
        let losses = writer.take_losses();
        let mut kinds = losses.iter().map(|(kind, ..)| kind);
        assert!(
            kinds.all(|kind| matches!(kind, LossKind::CommentPlace | LossKind::Nag)),
            "{losses:?}"
        );
        assert_eq!(without_losses(copy), without_losses(game));
    }
}

fn sample() -> Vec<u8> {
    let (_folder, path) = place();
    let games = games("[White \"x\"]\n\n1. e4 e5 *\n\n[Mode \"OTB\"]\n\n1. d4 {x} *\n");
    add(JosedbTarget::create(&path).unwrap(), &games);
    std::fs::read(&path).unwrap()
}

/// Reads all that can be read.
fn survive(bytes: &[u8]) {
    let Ok(mut database) = Josedb::from_bytes(bytes) else {
        return;
    };
    let mut games = Vec::new();
    while let Ok(Some(part)) = database.next_part() {
        part.tell(&mut games).unwrap();
    }
}

#[test]
fn a_database_cut_anywhere_never_panics() {
    let bytes = sample();
    for length in (0..bytes.len()).step_by(61) {
        survive(&bytes[..length]);
    }
}

#[test]
fn pages_in_a_circle_end() {
    let (_folder, path) = place();
    let games = games(&"[White \"x\"]\n\n1. e4 e5 *\n\n".repeat(2_000));
    add(JosedbTarget::create(&path).unwrap(), &games);
    let mut bytes = std::fs::read(&path).unwrap();
    let connection = Connection::open(&path).unwrap();
    let root: u32 = connection
        .query_row(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'Game'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let page = &mut bytes[(root as usize - 1) * 4096..][..4096];
    assert_eq!(page[0], 5, "an interior page");
    // All children of the root but the first are the first.
    let cells = usize::from(u16::from_be_bytes([page[3], page[4]]));
    let cell = |index: usize, page: &[u8]| {
        usize::from(u16::from_be_bytes([
            page[12 + 2 * index],
            page[13 + 2 * index],
        ]))
    };
    let first = cell(0, page);
    let child: [u8; 4] = page[first..first + 4].try_into().unwrap();
    for index in 1..cells {
        let at = cell(index, page);
        page[at..at + 4].copy_from_slice(&child);
    }
    page[8..12].copy_from_slice(&child);
    let mut database = Josedb::from_bytes(&bytes).unwrap();
    let mut games = Vec::new();
    let error = loop {
        match database.next_part() {
            Ok(Some(part)) => assert_eq!(part.tell(&mut games).unwrap(), Flow::Continue),
            Ok(None) => panic!("the damage was not seen"),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("out of order"), "{error}");
    assert!(games.len() < 2_000);
}

proptest! {
    #[test]
    fn damage_never_panics(
        flips in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut bytes = sample();
        for (index, byte) in flips {
            let at = index.index(bytes.len());
            bytes[at] ^= byte;
        }
        survive(&bytes);
    }

    #[test]
    fn any_tags_come_back(
        pairs in proptest::collection::vec(("White|Black|Result|WhiteElo|FEN|Variant|[A-Za-z]{1,8}", "\\PC{0,12}|[0-9]{1,4}|1-0"), 0..12),
    ) {
        let mut game = GameTree::default();
        for (name, value) in pairs {
            game.tags.push(name, value);
        }
        prop_assert_eq!(through(&[game.clone()]), [game]);
    }
}

#[test]
fn an_illegal_move_in_the_moves_is_an_error_at_its_byte() {
    let (_folder, path) = made_by(
        "CREATE TABLE Game (Id INTEGER PRIMARY KEY, GameText BLOB);
         INSERT INTO Game VALUES (1, x'13131313FF');",
    );
    let games = read_all(Josedb::open(&path).unwrap());
    let error = games[0].items.iter().find_map(|item| match item {
        Item::Error { kind, .. } => Some(*kind),
        _ => None,
    });
    assert!(matches!(
        error,
        Some(GameErrorKind::IllegalMove | GameErrorKind::Unreadable)
    ));
}

#[test]
fn what_sqlite_says_is_said_once() {
    let full = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL);
    let words = "database or disk is full";
    let error = rusqlite::Error::SqliteFailure(full, Some(words.into()));
    let error = tabiya_game::Error::from(super::failed(error));
    let mut said = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(next) = cause {
        said.push_str(&format!(": {next}"));
        cause = next.source();
    }
    assert_eq!(said, format!("SQLite: {words}"));
}
