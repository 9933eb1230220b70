//! Odd but sound ChessBase databases, made here: old and new headers, short companions, unknown
//! rules, marks, cut annotations, names in any case.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tabiya_chessbase::{
    Database, FORMAT, ReadOptions,
    annotations::{Item as Stored, Record},
    files::{
        FileKind,
        entity::Table,
        flags_file::{Flags, GameMarks},
        header::{EntryKind, FileHeader, GameRecord},
        players::Player,
        set::FileSet,
        stores::StoreHeader,
    },
    moves::{Scope, StoredGame},
};
use tabiya_formats::{
    Database as _,
    io::{Contents, Input, InputLimits},
    registry::Registry,
};
use tabiya_game::{Event, Flow, GameSink, GameState, GameTree, Item};

/// Moves 1. e4 and the end.
const E4: [u8; 6] = [0, 0, 0, 6, 0xff, 0x0d];

#[derive(Default)]
struct Told {
    games: Vec<GameTree>,
    opaque: Vec<String>,
}

impl GameSink for Told {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Opaque { format, .. } => self.opaque.push(format.to_string()),
            Event::Text { .. } => {}
            event => return self.games.event(event),
        }
        Flow::Continue
    }
}

/// The files of a database with a game for each record of moves, and its notes.
fn files(games: &[(&[u8], &[Stored<'_>])]) -> Vec<(FileKind, Vec<u8>)> {
    let mut headers = FileHeader::new(games.len() as u32).to_bytes().to_vec();
    let mut moves = StoreHeader::default().to_bytes();
    let mut notes = moves.clone();
    let mut players = Table::new();
    for (game, (record, said)) in (1..).zip(games) {
        let mut header = GameRecord {
            moves: moves.len() as u32,
            white: players.add(&Player::new(b"Tal", b"Mikhail"), game).unwrap(),
            ..GameRecord::default()
        };
        moves.extend(*record);
        if !said.is_empty() {
            header.annotations = notes.len() as u32;
            notes.extend(Record::write(game, said.iter().copied()));
        }
        headers.extend(header.to_bytes());
    }
    for store in [&mut moves, &mut notes] {
        let mut header = StoreHeader::default();
        header.set(store.len() as u64, 0);
        store[..26].copy_from_slice(&header.to_bytes());
    }
    vec![
        (FileKind::Headers, headers),
        (FileKind::Moves, moves),
        (FileKind::Annotations, notes),
        (FileKind::Players, players.to_bytes()),
    ]
}

fn file(files: &mut [(FileKind, Vec<u8>)], wanted: FileKind) -> &mut Vec<u8> {
    let found = files.iter_mut().find(|(kind, _)| *kind == wanted);
    &mut found.expect("a file").1
}

fn open(files: &[(FileKind, Vec<u8>)], deleted: bool) -> Database {
    let files = files.iter().cloned();
    let files = files.map(|(kind, bytes)| (kind, Contents::from(bytes)));
    let options = ReadOptions {
        deleted,
        ..ReadOptions::default()
    };
    Database::from_files(FileSet::from_files(files), options).expect("a database")
}

fn tell(mut database: Database) -> Told {
    let mut told = Told::default();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut told).expect("a part");
    }
    told
}

fn note(position: i32, kind: u8, data: &[u8]) -> Stored<'_> {
    Stored {
        position,
        kind,
        data,
    }
}

#[test]
fn the_best_games_have_a_tag() {
    let mut files = files(&[(&E4, &[]), (&E4, &[]), (&E4, &[])]);
    let mut flags = Flags::new(3);
    let (evaluated, top) = (true, true);
    flags.set(
        1,
        GameMarks {
            evaluated,
            top: false,
        },
    );
    flags.set(2, GameMarks { evaluated, top });
    files.push((FileKind::Flags, flags.to_bytes()));
    let told = tell(open(&files, false));
    let tags: Vec<_> = told
        .games
        .iter()
        .map(|game| game.tags.get("TopGame"))
        .collect();
    assert_eq!(tags, [None, Some("1"), None]);
    file(&mut files, FileKind::Flags)[0] = 9;
    let database = open(&files, false);
    assert!(database.warnings().iter().any(|it| it.contains(".flags")));
}

#[test]
fn notes_at_the_end_of_a_cut_file_are_kept() {
    let said = [
        note(-1, 0x02, b"\0\0whole"),
        note(0, 0x03, &[1]),
        note(0, 0x02, b"\0\0lost"),
    ];
    let mut files = files(&[(&E4, &said)]);
    let annotations = file(&mut files, FileKind::Annotations);
    annotations.truncate(annotations.len() - 2);
    let database = open(&files, false);
    let warning = "the .cba file is cut off";
    assert!(database.warnings().iter().any(|it| it.contains(warning)));
    let told = tell(database);
    let game = &told.games[0];
    assert_eq!(game.state, GameState::Broken);
    assert!(matches!(&game.items[..],
        [Item::Comment { text, .. }, Item::Move(_), Item::Nag(_), Item::Error { .. }]
        if text == "whole"));
}

/// The head of the next record looks like an item of a type that does not exist.
#[test]
fn a_record_with_a_wrong_length_does_not_tell_the_notes_of_others() {
    let one = [note(0, 0x03, &[1])];
    let two = [note(0, 0x02, b"\0\0of the second game")];
    for size in [0u32, 13, 1 << 30] {
        let mut files = files(&[(&E4, &one), (&E4, &two)]);
        // The size stands at byte 10 of the record.
        let annotations = file(&mut files, FileKind::Annotations);
        annotations[26 + 10..26 + 14].copy_from_slice(&size.to_be_bytes());
        let told = tell(open(&files, false));
        let [first, second] = &told.games[..] else {
            panic!("two games")
        };
        assert!(matches!(
            first.items[..],
            [Item::Move(_), Item::Nag(_), Item::Error { .. }]
        ));
        assert!(matches!(
            second.items[..],
            [Item::Move(_), Item::Comment { .. }]
        ));
    }
}

#[test]
fn every_mode_without_a_description_is_kept_under_the_name_of_its_rules() {
    let names = [
        (12, "Chatrang"),
        (13, "Chatrang"),
        (14, "Twins"),
        (15, "Twins"),
        (16, "Makruk"),
        (17, "Makruk"),
        (18, "Pawns"),
        (19, "Pawns"),
        (63, "illegal"),
    ];
    for (mode, name) in names {
        for flags in [0, 0x40] {
            let told = tell(open(
                &files(&[(&[flags | mode, 0, 0, 6, 1, 2], &[])]),
                false,
            ));
            assert!(told.games.is_empty(), "{mode}");
            assert!(
                matches!(&told.opaque[..], [format] if format.contains(name)),
                "{:?}",
                told.opaque
            );
        }
    }
    // Other numbers are damage to a game.
    for mode in (20..63).chain([62]) {
        let told = tell(open(&files(&[(&[mode, 0, 0, 6, 1, 2], &[])]), false));
        assert_eq!(told.games[0].state, GameState::Broken, "{mode}");
    }
}

/// A line may begin and end without a move, in files that no program wrote.
#[test]
fn the_main_line_goes_on_after_an_empty_line_whoever_reads_it() {
    let record = [
        6, 0xd8, 0xff, 0xff, 0x0d, 0xff, 0xe8, 0xff, 0xe8, 0x37, 0xff, 0xff, 0xff, 0xff, 0x37, 0,
        0x0b, 0,
    ];
    let [mut whole, mut main] = [StoredGame::default(), StoredGame::default()];
    assert_eq!(whole.read(&record, Scope::All), Ok(()));
    assert_eq!(main.read(&record, Scope::MainLine), Ok(()));
    assert!(whole.main_plies() > 0);
    assert!(main.main_line().eq(whole.main_line()));
}

#[test]
fn headers_that_announce_more_than_there_is_are_told_and_doubted() {
    let mut files = files(&[(&E4, &[]), (&E4, &[])]);
    file(&mut files, FileKind::Headers)[6..10].copy_from_slice(&100u32.to_be_bytes());
    file(&mut files, FileKind::Players)[..4].copy_from_slice(&7u32.to_le_bytes());
    let database = open(&files, false);
    let warnings = database.warnings().join("\n");
    assert!(
        warnings.contains("the .cbh file is cut off: it has 2 of 99 records"),
        "{warnings}"
    );
    assert!(
        warnings.contains("the .cbp file is cut off: it has 1 of 7 records"),
        "{warnings}"
    );
    assert_eq!(tell(database).games.len(), 2);
    // Fewer than there are, or none, as old programs write: the length of the file counts.
    for next in [0u32, 1] {
        file(&mut files, FileKind::Headers)[6..10].copy_from_slice(&next.to_be_bytes());
        assert_eq!(tell(open(&files, false)).games.len(), 2);
    }
}

#[test]
fn headers_of_names_may_be_longer_than_any_seen() {
    let mut files = files(&[(&E4, &[])]);
    let players = file(&mut files, FileKind::Players);
    players[24..28].copy_from_slice(&8u32.to_le_bytes());
    players.splice(32..32, [0; 4]);
    let told = tell(open(&files, false));
    assert_eq!(told.games[0].tags.white(), Some("Tal, Mikhail"));
}

#[test]
fn entries_have_their_numbers_in_the_file_deleted_or_not() {
    let makruk = [16, 0, 0, 6, 1, 2];
    let mut files = files(&[(&E4, &[]), (&makruk, &[]), (&E4, &[])]);
    file(&mut files, FileKind::Headers)[46] = EntryKind::GAME.deleted(true).0;
    let database = open(&files, false);
    let entries = tabiya_formats::Database::entries(&database).expect("numbers");
    assert_eq!(entries.count(), 3);
    for (number, plies) in [(1, 1), (2, 0), (3, 1)] {
        let mut game = GameTree::default();
        assert!(entries.tell(number, &mut game).expect("it is read"));
        assert_eq!(game.main_line().count(), plies, "{number}");
    }
    for number in [0, 4, u64::MAX] {
        let told = entries.tell(number, &mut GameTree::default());
        assert!(!told.expect("it is read"));
    }
}

#[test]
fn a_stream_is_known_by_its_content_and_lacks_its_companions() {
    for (name, bytes, expected) in [
        (
            "a.pgn",
            &b"\x00\x00\x2c\x00\x2e\x01\x00"[..],
            "not a file of a ChessBase database",
        ),
        ("a.CBV", b"\x08\x00\x0c\x00", "no ChessBase archive"),
    ] {
        let input = Input::from_reader(name, bytes, InputLimits::default()).expect("an input");
        let opened = Registry::of(&[&FORMAT]).open_input(input, None, &Default::default());
        let error = opened.err().expect("no database").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tabiya-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn games_at(path: &Path) -> Result<usize, String> {
    let opened = Registry::of(&[&FORMAT]).open(path, None, &Default::default());
    let mut opened = opened.map_err(|error| error.to_string())?;
    let mut told = Told::default();
    while let Some(part) = opened.database.next_part().expect("a part") {
        part.tell(&mut told).expect("a part");
    }
    Ok(told.games.len())
}

#[test]
fn companions_are_found_in_any_case_and_databases_by_what_is_in_them() {
    let folder = Folder::new("case");
    let mut written = files(&[(&E4, &[]), (&E4, &[])]);
    // A database that came from the newer format, and a header of the oldest.
    for (name, version, used) in [("MEGA", 5, 44), ("Old", 1, 36)] {
        let headers = file(&mut written, FileKind::Headers);
        (headers[2], headers[5]) = (used, version);
        for (index, (kind, bytes)) in written.iter().enumerate() {
            let extension = kind.extension();
            let name = match index % 2 {
                0 => format!("{name}.{}", extension.to_uppercase()),
                _ => format!("{}.{extension}", name.to_lowercase()),
            };
            folder.write(&name, bytes);
        }
    }
    assert_eq!(games_at(&folder.0.join("MEGA.CBH")), Ok(2));
    assert_eq!(games_at(&folder.0.join("mega.cbg")), Ok(2));
    assert_eq!(games_at(&folder.0.join("Old.CBH")), Ok(2));
    let headers = file(&mut written, FileKind::Headers).clone();
    let unnamed = folder.write("unnamed", &headers);
    // It is one by its contents, though nothing else of it can be found under that name.
    let error = games_at(&unnamed).expect_err("no extension");
    assert!(error.contains("ends in .cbh"), "{error}");
}

#[test]
fn messages_name_the_file_once_and_say_what_is_wrong() {
    let folder = Folder::new("messages");
    let lone = folder.write("lone.cbp", &[0; 64]);
    let empty = folder.write("empty.cbh", b"");
    let other = folder.write("other.cbh", &[7; 200]);
    for (path, what) in [
        (lone, "no .cbh file beside it"),
        (empty, "it ends within the header"),
        (other, "records have another size"),
    ] {
        let error = games_at(&path).expect_err("no database");
        let name = path.file_name().expect("a name").to_string_lossy();
        assert_eq!(error.matches(&*name).count(), 1, "{error}");
        assert!(error.contains(what), "{error}");
    }
}
