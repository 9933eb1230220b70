//! Databases of the program, made here: what no published archive shows.

use std::{
    fs,
    io::{Cursor, Write},
    path::Path,
};

use tabiya_chess::Variant;
use tabiya_game::{
    Annotation, Event, Flow, GameErrorKind, GameResult, GameSink, GameState, GameTree, Item, Needs,
};

use super::{
    archive::{self, ArchiveError, Files},
    myisam::generate::{Blocks, Cell, Maker, Type},
    program::{Program, ProgramOptions},
};
use crate::{
    Database, FORMATS,
    io::{InputLimits, LimitReached},
    registry::{Certainty, Registry},
};

fn read_all(files: &Files) -> Vec<GameTree> {
    let mut program = Program::open(files, ProgramOptions::default()).unwrap();
    let mut games = Vec::new();
    while let Some(part) = program.next_part().unwrap() {
        part.tell(&mut games).unwrap();
    }
    games
}

/// Adds a table of numbers and names.
fn add_names(files: &mut Files, table: &str, names: &[(i64, &str)]) {
    let maker = Maker {
        columns: vec![("Id", Type::Int(4)), ("Name", Type::VarChar(765))],
        dynamic: true,
    };
    let rows = names
        .iter()
        .map(|(id, name)| vec![(*id).into(), (*name).into()]);
    add(files, table, &maker, &rows.collect::<Vec<_>>());
}

fn add(files: &mut Files, table: &str, maker: &Maker, rows: &[Vec<Cell>]) {
    let mut blocks = Blocks::default();
    for cells in rows {
        let row = maker.row(cells);
        match maker.dynamic {
            true => blocks.whole(&row, false),
            false => {
                blocks.0.extend(row);
                &mut blocks
            }
        };
    }
    files.insert(&format!("{table}.frm"), maker.frm().into());
    files.insert(&format!("{table}.MYD"), blocks.0.into());
}

/// The columns of a newer archive: the number of the game comes first, shares for each move last.
fn newer() -> Maker {
    Maker {
        columns: vec![
            ("Id", Type::Int(4)),
            ("CId", Type::Int(4)),
            ("Idx", Type::Int(4)),
            ("Attributes", Type::Int(4)),
            ("PlyCount", Type::Int(4)),
            ("Result", Type::Int(1)),
            ("WhiteId", Type::Int(4)),
            ("BlackId", Type::Int(4)),
            ("WhiteELO", Type::Int(4)),
            ("BlackELO", Type::Int(4)),
            ("EventId", Type::Int(4)),
            ("SiteId", Type::Int(4)),
            ("GameDate", Type::Date),
            ("EventDate", Type::Date),
            ("DateFlags", Type::Int(2)),
            ("OpeningId", Type::Int(4)),
            ("ECO", Type::Char(9)),
            ("AnnotatorId", Type::Int(4)),
            ("WhiteTitle", Type::VarChar(96)),
            ("BlackTitle", Type::VarChar(96)),
            ("Round", Type::VarChar(96)),
            ("Board", Type::VarChar(96)),
            ("FEN", Type::VarChar(384)),
            ("Info", Type::VarChar(765)),
            ("Bin", Type::Blob),
            ("Comments", Type::Blob),
            ("PosMain", Type::Blob),
            ("PosVar", Type::Blob),
            ("Eval", Type::Blob),
            ("WhiteSignature", Type::VarChar(96)),
        ],
        dynamic: true,
    }
}

/// A row of [`newer`] with some values, the others NULL.
fn row(maker: &Maker, values: &[(&str, Cell)]) -> Vec<Cell> {
    for (name, _) in values {
        assert!(maker.columns.iter().any(|(column, _)| column == name));
    }
    let value = |(name, _): &(&str, Type)| {
        let found = values.iter().find(|(column, _)| column == name);
        found.map_or(Cell::Null, |(_, cell)| cell.clone())
    };
    maker.columns.iter().map(value).collect()
}

fn day(year: i64, month: i64, day: i64) -> Cell {
    Cell::Int(day + 32 * month + 512 * year)
}

fn bytes(hex: &str) -> Cell {
    let digits = hex.split_whitespace();
    Cell::Bytes(
        digits
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect(),
    )
}

fn archive_of(rows: &[Vec<Cell>]) -> Files {
    let mut files = Files::default();
    add(&mut files, "IO_Game", &newer(), rows);
    add_names(
        &mut files,
        "IO_Player",
        &[(1, "Réti, Richard"), (2, "Euwe"), (3, "Tal")],
    );
    add_names(&mut files, "IO_Event", &[(4, "Rotterdam")]);
    add_names(&mut files, "IO_Site", &[(5, "NED")]);
    add_names(&mut files, "IO_Opening", &[(6, "Reti")]);
    add_names(&mut files, "IO_Collection", &[(7, "Mine"), (8, "Others")]);
    files
}

fn full_row() -> Vec<Cell> {
    row(
        &newer(),
        &[
            ("Id", 17.into()),
            ("CId", 8.into()),
            ("Attributes", 0x22.into()),
            ("PlyCount", 2.into()),
            ("Result", 2.into()),
            ("WhiteId", 1.into()),
            ("BlackId", 2.into()),
            ("WhiteELO", 2500.into()),
            ("EventId", 4.into()),
            ("SiteId", 5.into()),
            ("GameDate", day(1920, 5, 1)),
            ("EventDate", day(1920, 5, 7)),
            ("DateFlags", 0x1030.into()),
            ("OpeningId", 6.into()),
            ("ECO", "A09".into()),
            ("AnnotatorId", 3.into()),
            ("WhiteTitle", "GM".into()),
            ("BlackTitle", "".into()),
            ("Round", "2".into()),
            ("Board", "1".into()),
            ("Info", "Mode=OTB;odd;Link=a=b;;".into()),
            ("Bin", bytes("13 E0 13 D2 FF")),
            ("Comments", bytes("62 65 73 74 00")),
            ("Eval", bytes("00 01 00 02 80 00 80 00")),
            ("WhiteSignature", "x".into()),
        ],
    )
}

#[test]
fn every_column_has_its_tag_in_a_fixed_order() {
    let games = read_all(&archive_of(&[full_row()]));
    let expected = [
        ("Event", "Rotterdam"),
        ("Site", "NED"),
        ("Date", "1920.??.??"),
        ("Round", "2"),
        ("White", "Réti, Richard"),
        ("Black", "Euwe"),
        ("Result", "1-0"),
        ("WhiteElo", "2500"),
        ("ECO", "A09"),
        ("Opening", "Reti"),
        ("EventDate", "1920.05.??"),
        ("WhiteTitle", "GM"),
        ("Board", "1"),
        ("Annotator", "Tal"),
        ("Mode", "OTB"),
        ("Info", "odd"),
        ("Link", "a=b"),
        ("WhiteSignature", "x"),
        ("Flag", "2"),
        ("Collection", "Others"),
    ];
    assert!(games[0].tags.iter().eq(expected), "{:?}", games[0].tags);
    assert_eq!(games[0].state, GameState::Complete);
    assert_eq!(games[0].result, GameResult::WhiteWins);
}

#[test]
fn evaluations_stand_at_the_start_as_they_are() {
    let games = read_all(&archive_of(&[full_row()]));
    let raw = Annotation::Raw {
        format: "jose".into(),
        code: 1,
        bytes: vec![0, 1, 0, 2, 0x80, 0, 0x80, 0],
    };
    assert_eq!(games[0].items[0], Item::Annotation(raw));
    assert_eq!(games[0].items.len(), 4);
}

#[test]
fn what_is_not_known_is_a_question_mark() {
    let game = row(&newer(), &[("Bin", bytes("D3 FF"))]);
    let games = read_all(&archive_of(&[game]));
    let tags: Vec<_> = games[0].tags.iter().map(|(_, value)| value).collect();
    assert_eq!(tags, ["?", "?", "????.??.??", "?", "?", "?", "*"]);
    assert_eq!(games[0].state, GameState::Complete);
}

#[test]
fn set_ups_and_chess960_have_their_tags() {
    let fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
    let chess960 = row(
        &newer(),
        &[
            ("Attributes", 8.into()),
            ("FEN", fen.into()),
            ("Bin", bytes("27 22 13 13 41 4E 99 99 6C D3 FF")),
        ],
    );
    let set_up = row(
        &newer(),
        &[
            ("FEN", "4k3/8/4P3/8/2P5/8/P6P/4K3 w - - 0 1".into()),
            ("Bin", bytes("00 91 0B 93 04 91 0C D3 FF")),
        ],
    );
    let games = read_all(&archive_of(&[chess960, set_up]));
    assert_eq!(games[0].start.variant(), Variant::Chess960);
    assert_eq!(games[0].main_line().count(), 9);
    let tags: Vec<_> = games[0].tags.iter().skip(7).collect();
    assert_eq!(
        tags,
        [("Variant", "Chess960"), ("SetUp", "1"), ("FEN", fen)]
    );
    assert_eq!(games[1].main_line().count(), 7);
    assert_eq!(games[1].state, GameState::Complete);
}

#[test]
fn what_cannot_be_understood_is_told_as_a_broken_game() {
    let bad_start = row(
        &newer(),
        &[("FEN", "nonsense".into()), ("Bin", bytes("13 D3 FF"))],
    );
    let bad_name = row(
        &newer(),
        &[("WhiteId", 99.into()), ("Bin", bytes("13 D3 FF"))],
    );
    let no_moves = row(&newer(), &[("WhiteId", 1.into())]);
    let bad_moves = row(&newer(), &[("Bin", bytes("13 13 13 D3 FF"))]);
    let games = read_all(&archive_of(&[bad_start, bad_name, no_moves, bad_moves]));
    let error = |game: &GameTree| {
        let mut items = game.items.iter();
        items.find_map(|item| match item {
            Item::Error { kind, raw, .. } => Some((*kind, raw.clone())),
            _ => None,
        })
    };
    assert!(games.iter().all(|game| game.state == GameState::Broken));
    assert_eq!(
        error(&games[0]),
        Some((GameErrorKind::BadStart, "13 D3 FF".into()))
    );
    assert_eq!(error(&games[1]), Some((GameErrorKind::BadTag, "99".into())));
    assert_eq!(games[1].main_line().count(), 1);
    assert_eq!(
        error(&games[2]),
        Some((GameErrorKind::Unreadable, String::new()))
    );
    assert_eq!(games[2].tags.white(), Some("Réti, Richard"));
    assert_eq!(games[3].main_line().count(), 2);
}

/// A live database has its games in two tables, the first with rows of one length.
fn live() -> Files {
    let rest = ["FEN", "Info", "Bin", "Comments", "Round"];
    let is_rest = |(name, _): &(&str, Type)| rest.contains(name);
    let is_fixed = |(_, kind): &(&str, Type)| !matches!(kind, Type::VarChar(_) | Type::Blob);
    let columns = newer().columns;
    let game = Maker {
        columns: columns.iter().copied().filter(is_fixed).collect(),
        dynamic: false,
    };
    let mut more = vec![("GId", Type::Int(4))];
    more.extend(columns.into_iter().filter(is_rest));
    let more = Maker {
        columns: more,
        dynamic: true,
    };
    let mut files = Files::default();
    let games = [1, 2, 3, 2].map(|id: i64| {
        let values = [
            ("Id", id.into()),
            ("WhiteId", id.into()),
            ("Result", 1.into()),
        ];
        row(&game, &values)
    });
    add(&mut files, "Game", &game, &games);
    let rests = [(3, "0F D1 FF"), (1, "13 D1 FF"), (2, "0B D1 FF"), (9, "FF")];
    let rests = rests.map(|(id, bin): (i64, &str)| {
        let values = [
            ("GId", id.into()),
            ("Round", id.to_string().as_str().into()),
            ("Bin", bytes(bin)),
        ];
        row(&more, &values)
    });
    add(&mut files, "MoreGame", &more, &rests);
    add_names(
        &mut files,
        "player",
        &[(1, "One"), (2, "Two"), (3, "Three")],
    );
    files
}

#[test]
fn a_live_database_has_its_games_in_two_tables() {
    let games = read_all(&live());
    let moves = |game: &GameTree| {
        let moves = game.main_line().filter_map(|(_, action)| action.to_move());
        moves.map(|play| play.to_string()).collect::<String>()
    };
    let found: Vec<_> = games
        .iter()
        .map(|game| {
            (
                game.tags.white(),
                game.tags.round(),
                moves(game),
                game.state,
            )
        })
        .collect();
    let whole = |white, round, play: &str| {
        (
            Some(white),
            Some(round),
            play.to_owned(),
            GameState::Complete,
        )
    };
    assert_eq!(found[0], whole("One", "1", "e2e4"));
    assert_eq!(found[1], whole("Two", "2", "c2c4"));
    assert_eq!(found[2], whole("Three", "3", "d2d4"));
    // A second game of the same number has no moves of its own.
    assert_eq!(
        found[3],
        (Some("Two"), None, String::new(), GameState::Broken)
    );
    assert_eq!(games[3].result, GameResult::Draw);
}

#[test]
fn what_is_missing_is_named() {
    let error = |files: &Files| {
        Program::open(files, ProgramOptions::default())
            .unwrap_err()
            .to_string()
    };
    assert!(error(&Files::default()).contains("IO_Game.MYD"));
    let mut files = Files::default();
    files.insert("IO_Game.MYD", Vec::new().into());
    assert_eq!(error(&files), "IO_Game.frm is missing");
    files.insert("IO_Game.frm", vec![0; 10].into());
    assert!(error(&files).starts_with("IO_Game.frm: byte 0: not the definition"));
    let mut files = Files::default();
    add_names(&mut files, "IO_Game", &[]);
    assert_eq!(error(&files), "IO_Game has no column Bin");
    let mut files = archive_of(&[]);
    assert!(read_all(&files).is_empty());
    files.insert("IO_Game2.MYD", Vec::new().into());
    assert!(read_all(&files).is_empty());
}

#[test]
fn parts_are_told_by_several_threads_at_once() {
    let games = vec![full_row(); 2_500];
    let files = archive_of(&games);
    let mut program = Program::open(&files, ProgramOptions::default()).unwrap();
    let mut parts = Vec::new();
    while let Some(part) = program.next_part().unwrap() {
        parts.push(part);
    }
    assert_eq!(parts.len(), 3);
    let tell = |part: Box<dyn crate::Part>| {
        std::thread::spawn(move || {
            let mut games = Vec::new();
            part.tell(&mut games).unwrap();
            games
        })
    };
    let threads: Vec<_> = parts.into_iter().map(tell).collect();
    let told = threads
        .into_iter()
        .flat_map(|thread| thread.join().unwrap());
    assert!(told.collect::<Vec<_>>() == read_all(&files));
}

#[test]
fn what_a_sink_needs_is_asked_once_a_game() {
    struct Asked(u64);
    impl GameSink for Asked {
        fn needs(&mut self) -> Needs {
            self.0 += 1;
            Needs::ALL
        }
        fn event(&mut self, _: Event<'_>) -> Flow {
            Flow::Continue
        }
    }
    let files = archive_of(&[full_row(), full_row()]);
    let mut program = Program::open(&files, ProgramOptions::default()).unwrap();
    let mut sink = Asked(0);
    while let Some(part) = program.next_part().unwrap() {
        part.tell(&mut sink).unwrap();
    }
    assert_eq!(sink.0, 2);
}

fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn only_the_files_of_tables_are_kept_whatever_their_folder() {
    let members: [(&str, &[u8]); 5] = [
        ("readme.txt", b"no"),
        ("a/b/io_game.myd", b"rows"),
        ("IO_GAME.MYD", b"second"),
        ("../IO_Game.frm", b"columns"),
        ("IO_Game.MYD.bak", b"no"),
    ];
    let tar_members: Vec<_> = members
        .into_iter()
        .filter(|(name, _)| !name.starts_with(".."))
        .collect();
    let files = Files::unpack(&tar_of(&tar_members), &InputLimits::default()).unwrap();
    assert_eq!(files.names().collect::<Vec<_>>(), ["io_game.myd"]);
    let files = Files::unpack(&zip_of(&members), &InputLimits::default()).unwrap();
    assert_eq!(
        files.names().collect::<Vec<_>>(),
        ["IO_Game.frm", "io_game.myd"]
    );
    assert_eq!(**files.get("IO_Game.MYD").unwrap(), *b"rows");
}

#[test]
fn archives_that_grow_too_large_are_refused() {
    let zeros = vec![0; 3 << 20];
    let members: [(&str, &[u8]); 2] = [("IO_Game.MYD", &zeros), ("other", &zeros)];
    let limits = InputLimits {
        max_memory: 1 << 20,
        ..InputLimits::default()
    };
    let archives = [
        tar_of(&members),
        zip_of(&members),
        gzip(&tar_of(&members)),
        gzip(&zip_of(&members)),
    ];
    for archive in archives {
        let error = Files::unpack(&archive, &limits).unwrap_err();
        let limit = LimitReached::Memory(1 << 20);
        assert!(
            matches!(error, ArchiveError::Limit(found) if found == limit),
            "{error}"
        );
    }
}

#[test]
fn other_files_are_no_archives() {
    let open = |bytes: &[u8]| Files::unpack(bytes, &InputLimits::default());
    assert!(matches!(open(b"Rar!\x1a\x07\0"), Err(ArchiveError::Rar)));
    let text = [b'x'; 2_000];
    assert!(matches!(open(&text), Err(ArchiveError::NotAnArchive)));
    assert!(matches!(open(b"h9xyz"), Err(ArchiveError::Damaged(_))));
    assert!(matches!(open(b"PK\x03\x04"), Err(ArchiveError::Damaged(_))));
    let missing = Files::open(Path::new("/no/such/file.jose"), &InputLimits::default());
    assert!(matches!(missing, Err(ArchiveError::File(_))));
}

#[test]
fn archives_cut_anywhere_never_panic() {
    let files: [(&str, &[u8]); 2] = [("IO_Game.frm", b"columns"), ("IO_Game.MYD", b"rows")];
    for archive in [tar_of(&files), zip_of(&files), gzip(&tar_of(&files))] {
        for length in 0..archive.len() {
            let _ = Files::unpack(&archive[..length], &InputLimits::default());
        }
    }
}

#[test]
fn archives_are_recognised_by_the_name_of_their_first_file() {
    let table: [(&str, &[u8]); 1] = [("x/MetaInfo.frm", b"columns")];
    let other: [(&str, &[u8]); 1] = [("games.pgn", b"1. e4 *")];
    let recognise = |bytes: &[u8]| archive::recognise(&bytes[..bytes.len().min(512)]);
    for (members, expected) in [(table, Certainty::Sure), (other, Certainty::No)] {
        assert_eq!(recognise(&tar_of(&members)), expected);
        assert_eq!(recognise(&zip_of(&members)), expected);
    }
    let mut folder = vec![0; 512];
    folder[..2].copy_from_slice(b"./");
    folder[124..135].fill(b'0');
    folder.extend(tar_of(&[("./IO_Game.MYD", &b""[..])]));
    assert_eq!(archive::recognise(&folder), Certainty::Sure);
    assert_eq!(recognise(b"h91AY&SY"), Certainty::Sure);
    assert_eq!(recognise(b"[Event \"h9\"]"), Certainty::No);
    assert_eq!(recognise(b""), Certainty::No);
}

#[test]
fn a_folder_of_tables_has_changed_when_one_of_them_has() {
    let folder = tempfile::tempdir().unwrap();
    let files = archive_of(&[full_row()]);
    for name in files.names() {
        fs::write(folder.path().join(name), &**files.get(name).unwrap()).unwrap();
    }
    let registry = Registry::of(FORMATS);
    let games = folder.path().join("IO_Game.MYD");
    for path in [folder.path(), &games] {
        for changed in ["IO_Game.MYD", "IO_Player.MYD"] {
            let opened = registry.open(path, None, &Default::default()).unwrap();
            assert!(opened.files.holds());
            let changed = folder.path().join(changed);
            let bytes = fs::read(&changed).unwrap();
            fs::write(&changed, [&bytes[..], b"\0"].concat()).unwrap();
            assert!(!opened.files.holds(), "{}", changed.display());
            fs::write(changed, bytes).unwrap();
        }
    }
}
