//! The moves of ChessBase records: constructed ones, and those of real databases where the data
//! folder is at hand.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use tabiya_chess::{Action, Position, Setup};
use tabiya_chessbase::moves::{
    Material, Record, Recorder, Scope, Step, StoredGame, explain, full_moves,
};
use tabiya_formats::pgn::Parser;
use tabiya_game::{Event, GameResult, GameSink as _, GameTree, Item, Listener};

use crate::{below::ending, data};

fn tree_of(game: &StoredGame) -> GameTree {
    let mut tree = GameTree::default();
    tree.event(Event::Start(game.start()));
    game.tell(&mut Listener::new(&mut tree), 0, &mut ());
    tree.event(Event::GameEnd {
        result: GameResult::Unknown,
        state: game.state(),
    });
    tree
}

fn read(bytes: &[u8]) -> StoredGame {
    let mut game = StoredGame::default();
    game.read(bytes, Scope::All).expect("a whole game");
    game
}

/// The record that a game is written as, in the mode it was read in.
fn written(game: &StoredGame) -> (Vec<u8>, Recorder) {
    let mut recorder = game
        .mode()
        .map_or_else(Recorder::default, Recorder::in_mode);
    tree_of(game).tell(&mut recorder);
    let mut bytes = Vec::new();
    recorder.write(&mut bytes).expect("a record");
    (bytes, recorder)
}

/// Moves and variations without what is said about them.
fn moves_of(tree: &GameTree) -> Vec<&Item> {
    let is_move = |item: &&Item| {
        matches!(
            item,
            Item::Move(_) | Item::Null | Item::VariationStart | Item::VariationEnd
        )
    };
    tree.items.iter().filter(is_move).collect()
}

/// Moves in UCI notation in stored order.
fn stored_order(game: &StoredGame) -> String {
    let mut moves = BTreeMap::new();
    let (mut at, mut before) = (*game.start(), *game.start());
    let mut open: Vec<(Position, Position)> = Vec::new();
    for step in game.steps() {
        let (stored, action) = match step {
            Step::Move { stored, play } => (stored, Action::Move(play)),
            Step::Null { stored } => (stored, Action::Null),
            Step::VariationStart => {
                open.push((at, before));
                at = before;
                continue;
            }
            Step::VariationEnd => {
                (at, before) = open.pop().expect("balanced");
                continue;
            }
            Step::Broken => panic!("a broken game"),
        };
        before = at;
        at.act(action);
        let uci = match action {
            Action::Move(play) => before.uci(play).to_string(),
            Action::Null => "0000".into(),
        };
        assert_eq!(moves.insert(stored, uci), None);
    }
    moves.into_values().collect::<Vec<_>>().join(" ")
}

/// The game of a row of the vectors as PGN has it.
fn movetext_of(fen: &str, mode: &str, movetext: &str) -> GameTree {
    let mut text = String::new();
    if mode == "10" {
        text += "[Variant \"Chess960\"]\n";
    }
    if !fen.is_empty() {
        text += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    }
    let mut tree = GameTree::default();
    assert!(Parser::new(&format!("{text}\n{movetext}\n")).read_game(&mut tree));
    tree
}

fn unhex(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(byte).collect()
}

/// Checks a row and says whether its record is written as it is.
fn check_row(row: &str) -> bool {
    let columns: Vec<&str> = row.split('\t').collect();
    let [name, _, mode, size, hex, fen, count, uci, movetext] = columns[..] else {
        panic!("nine columns: {row}");
    };
    let record = unhex(hex);
    assert_eq!(record.len().to_string(), size, "{name}");
    let game = read(&record);
    assert_eq!(
        game.mode().expect("a mode").number().to_string(),
        mode,
        "{name}"
    );
    assert_eq!(game.stored_moves().to_string(), count, "{name}");
    assert_eq!(stored_order(&game), uci, "{name}");
    let expected = movetext_of(fen, mode, movetext);
    assert_eq!(game.start(), &expected.start, "{name}");
    assert_eq!(moves_of(&tree_of(&game)), moves_of(&expected), "{name}");
    let explained = explain(&record, 0)
        .sections
        .into_iter()
        .flat_map(|s| s.lines);
    assert_eq!(
        explained.flat_map(|line| line.bytes).collect::<Vec<_>>(),
        record,
        "{name}"
    );
    // A game that has the flag of texts does not get it again.
    let mut plain = record;
    plain[0] &= 0x7f;
    written(&game).0 == plain
}

#[test]
fn constructed_records_are_read_and_written() {
    let rows = include_str!("../vectors/moves.tsv");
    for row in rows.lines().skip(1) {
        assert!(check_row(row), "{row}");
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn real_records_with_known_moves_are_read_and_written() {
    let Some(data) = data::find("") else { return };
    let specs = data.join("../specs/vectors/moves.tsv");
    let Ok(rows) = fs::read_to_string(specs) else {
        return println!("skipped: no vectors");
    };
    let mut checked = 0;
    for row in rows.lines().skip(1) {
        let mut columns = row.split('\t');
        let (name, source) = (columns.next(), columns.next());
        let (Some(name), Some(file)) = (name, source.and_then(|s| s.strip_prefix("data/"))) else {
            continue;
        };
        // The old program's short Chess960 block and its padding are not written again.
        assert_eq!(
            check_row(row),
            !name.starts_with("brokenchess960"),
            "{name}"
        );
        let bytes = fs::read(data.join(file)).expect("the record of the row");
        let hex = row.split('\t').nth(4).map(unhex);
        assert_eq!(Some(bytes), hex, "{name}");
        checked += 1;
    }
    assert_eq!(checked, 13);
}

/// What there is to count in a database.
#[derive(PartialEq, Eq, Debug, Default)]
struct Counts {
    games: u32,
    stored_moves: u32,
    /// Games with a start position.
    starts: u32,
    /// Start positions that are written as they are.
    same_starts: u32,
    /// Records with padding, which is not written again.
    padded: u32,
    /// Records that are written as they are.
    same: u32,
}

fn counts(games: u32, stored_moves: u32, starts: u32, padded: u32) -> Counts {
    Counts {
        games,
        stored_moves,
        starts,
        same_starts: starts,
        padded,
        same: games - padded,
    }
}

/// All databases. Nothing else differs between a record and what is written for it.
fn expected() -> BTreeMap<&'static str, Counts> {
    BTreeMap::from([
        ("BielMTO", counts(548, 48_107, 0, 0)),
        ("Chess960Biel", counts(188, 12_668, 187, 0)),
        ("Hedgehog", counts(204, 30_807, 17, 0)),
        ("Mate2", counts(7, 21, 7, 1)),
        ("TestBase", counts(4, 37, 0, 0)),
        ("cbh_cbj_test", counts(4, 7, 0, 0)),
        ("cbh_test", counts(4, 7, 0, 0)),
        ("linares", counts(503, 49_606, 0, 0)),
        ("shorter_cbj_test", counts(4, 7, 0, 0)),
        ("small", counts(0, 0, 0, 0)),
        ("test-annotations", counts(6, 9, 0, 0)),
        ("text", counts(1, 4, 0, 0)),
        ("twic1134", counts(6_117, 502_402, 0, 0)),
    ])
}

/// A game of a database: its header, its number, and the moves file from its record on.
struct Game<'a> {
    header: &'a [u8],
    number: usize,
    bytes: &'a [u8],
}

const HEADER: usize = 46;

/// As much of the header file as it takes to find the records of games.
fn games<'a>(headers: &'a [u8], moves: &'a [u8]) -> impl Iterator<Item = Game<'a>> {
    let is_game = |header: &[u8]| header[0] & 1 == 1 && header[0] & 2 == 0;
    let headers = headers.chunks_exact(HEADER).enumerate().skip(1);
    headers
        .filter(move |(_, header)| is_game(header))
        .map(|(number, header)| {
            let offset = u32::from_be_bytes([header[1], header[2], header[3], header[4]]);
            Game {
                header,
                number,
                bytes: &moves[offset as usize..],
            }
        })
}

fn check_game(game: &Game<'_>, stored: &StoredGame, counts: &mut Counts) {
    let record = Record::new(game.bytes).expect("a record");
    let (bytes, recorder) = written(stored);
    counts.games += 1;
    counts.stored_moves += stored.stored_moves();
    counts.padded += u32::from(stored.padding() > 0);
    counts.same += u32::from(bytes == record.bytes());
    if record.has_start() {
        let stream = record.start().expect("a start").stream;
        counts.starts += 1;
        counts.same_starts += u32::from(bytes[4..stream] == record.bytes()[4..stream]);
    }
    assert_eq!(stored.trailing(), 0);
    let plies = stored.main_line().count() as u32;
    assert_eq!(recorder.main_line_plies(), plies);
    assert_eq!(
        game.header[45],
        full_moves(stored.start(), plies),
        "{}",
        game.number
    );
    let flags = game.header[42];
    assert_eq!(flags & 1 != 0, recorder.has_start(), "{}", game.number);
    assert_eq!(flags & 2 != 0, recorder.has_variations(), "{}", game.number);
    assert_eq!(
        stored.has_variations(),
        recorder.has_variations(),
        "{}",
        game.number
    );
    let mut main_line = StoredGame::default();
    main_line
        .read(game.bytes, Scope::MainLine)
        .expect("a main line");
    assert!(
        main_line.main_line().eq(stored.main_line()),
        "{}",
        game.number
    );
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_game_of_every_database_is_read_and_written_as_it_is() {
    let Some(data) = data::find("") else { return };
    let expected = expected();
    for file in ending("cbg", &data.join("chessbase")) {
        let name = file
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name");
        let headers = fs::read(file.with_extension("cbh")).expect("headers");
        let moves = fs::read(&file).expect("moves");
        let mut counts = Counts::default();
        let mut stored = StoredGame::default();
        for game in games(&headers, &moves) {
            let read = stored.read(game.bytes, Scope::All);
            assert_eq!(read, Ok(()), "{name} {}", game.number);
            check_game(&game, &stored, &mut counts);
        }
        assert_eq!(Some(&counts), expected.get(name), "{name}");
    }
}

/// The PGN files of a database: an independent program's, and ChessBase's own where there is one.
fn twins(data: &Path, file: &Path) -> Vec<PathBuf> {
    let name = file.file_stem().expect("a name");
    let mut twins = vec![data.join("chessbase/pgn").join(name).with_extension("pgn")];
    let folder = file.parent().expect("a folder");
    let beside = fs::read_dir(folder).expect("a folder");
    let beside = beside.map(|entry| entry.expect("an entry").path());
    twins.extend(beside.filter(|path| path.extension().is_some_and(|e| e == "pgn")));
    twins.retain(|twin| twin.is_file());
    twins
}

fn same_board(one: &Position, other: &Position) -> bool {
    let placement = |position: &Position| {
        let setup: Setup = position.to_setup();
        (setup.board, setup.turn, setup.castling_rooks)
    };
    placement(one) == placement(other)
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_game_is_the_same_as_in_pgn() {
    let Some(data) = data::find("") else { return };
    let mut compared = 0;
    for file in ending("cbg", &data.join("chessbase")) {
        let headers = fs::read(file.with_extension("cbh")).expect("headers");
        let moves = fs::read(&file).expect("moves");
        for twin in twins(&data, &file) {
            let text = fs::read(&twin).expect("a PGN file");
            let text = String::from_utf8_lossy(&text);
            let mut parser = Parser::new(&text);
            let mut theirs = GameTree::default();
            for game in games(&headers, &moves) {
                let ours = tree_of(&read(game.bytes));
                let place = format!("{} {}", twin.display(), game.number);
                assert!(parser.read_game(&mut theirs), "{place}");
                assert!(same_board(&ours.start, &theirs.start), "{place}");
                assert_eq!(moves_of(&ours), moves_of(&theirs), "{place}");
                compared += 1;
            }
            assert!(!parser.read_game(&mut theirs), "{}", twin.display());
        }
    }
    assert_eq!(compared, 7_590 + 740);
}

/// The material words of the extended headers, where they were computed. In one database, whose
/// games were edited into lessons, some are not those of the end: they were not computed again.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn material_at_the_end_is_what_extended_headers_say() {
    let Some(data) = data::find("") else { return };
    let (mut same, mut outdated) = (0, 0);
    for file in ending("cbg", &data.join("chessbase")) {
        let Ok(extended) = fs::read(file.with_extension("cbj")) else {
            continue;
        };
        let headers = fs::read(file.with_extension("cbh")).expect("headers");
        let moves = fs::read(&file).expect("moves");
        let size = u32::from_le_bytes(extended[4..8].try_into().expect("four bytes")) as usize;
        for game in games(&headers, &moves) {
            let at = 32 + (game.number - 1) * size;
            let Some(record) = extended.get(at..at + size) else {
                continue;
            };
            let word = |at: usize| u16::from_be_bytes([record[at], record[at + 1]]);
            let stored = (word(22), word(26));
            if stored == (0, 0) {
                continue; // not computed
            }
            let (_, recorder) = written(&read(game.bytes));
            let Material { greater, lesser } = Material::of(recorder.final_position().board());
            match (greater, lesser) == stored {
                true => same += 1,
                false if file.ends_with("Hedgehog.cbg") => outdated += 1,
                false => panic!("{} {}", file.display(), game.number),
            }
        }
    }
    assert_eq!((same, outdated), (203, 14));
}
