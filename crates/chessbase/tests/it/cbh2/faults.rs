//! Single faults: each is told, and nothing is lost because of it that could be read.

use std::{fs, path::Path};

use tabiya_chessbase::{
    ReadOptions,
    archive::Existing,
    cbh2::{
        Database, StoredEntry, archive,
        assembly::DatabaseTarget,
        edit,
        frame::{self, Frame, tag},
        names::Titles,
        set::{FileKind, FileSet},
        writer::RecordWriter,
    },
};
use tabiya_formats::{Database as _, GameWriter as _, pgn::Parser, writing::error_comment};
use tabiya_game::{
    Event, GameError, GameErrorKind, GameSink, GameState, GameTree, Item, LossKind, Losses, Place,
    check::{Checker, Finding, FindingKind},
};

use super::{
    Told,
    convert::{convert, registry},
    edit::{GAMES, check_frames, create, entries},
    games,
    indexes::check_indexes,
    read, tell,
};

/// The kinds and the messages of the errors in a game.
fn errors(game: &GameTree) -> Vec<(GameErrorKind, String, String)> {
    let errors = game.items.iter().filter_map(|item| match item {
        Item::Error {
            kind, message, raw, ..
        } => Some((*kind, message.clone(), raw.clone())),
        _ => None,
    });
    errors.collect()
}

/// A game without its errors.
fn sound(game: &GameTree) -> GameTree {
    let mut game = game.clone();
    game.items
        .retain(|item| !matches!(item, Item::Error { .. }));
    game.state = GameState::Complete;
    game
}

/// Changes a file of a database.
fn spoil(path: &Path, kind: FileKind, change: impl FnOnce(&mut Vec<u8>)) {
    let file = path.with_extension(kind.extension());
    let mut bytes = fs::read(&file).expect("a file");
    change(&mut bytes);
    fs::write(&file, bytes).expect("a file");
}

/// Where the records of an entry stand.
fn places(path: &Path, game: u32) -> [usize; 2] {
    let files = FileSet::open(path).expect("files");
    let tables = files.tables().expect("tables");
    let header = tables.headers.get(game).expect("a header");
    [header.moves(), header.annotations().unwrap_or(0)].map(|at| at as usize)
}

/// Puts a content in place of another one that is not shorter.
fn rewrite(path: &Path, kind: FileKind, at: usize, tag: u16, content: &[u8]) {
    spoil(path, kind, |file| {
        let old = Frame::at(file, at as i64).expect("a frame");
        let (size, room) = (old.size(), old.size() - frame::AROUND);
        let spare = room.checked_sub(content.len()).expect("room");
        let mut bytes = Vec::new();
        Frame::write(&mut bytes, tag, content, spare);
        file[at..at + size].copy_from_slice(&bytes);
    });
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Adds a text.
fn add_text(path: &Path, title: &str, text: &str) {
    let mut writer = RecordWriter::default();
    writer.event(Event::Text {
        place: Place::default(),
        title,
        language: Some("en"),
        text,
    });
    edit::append(path, &writer.take()).expect("a change");
}

/// The losses of what was written, by their kinds.
fn lost(losses: &Losses) -> Vec<(LossKind, String)> {
    let lost = losses.iter();
    lost.map(|(kind, _, first)| (kind, first.what.clone()))
        .collect()
}

/// What a check of a database finds that cannot be read.
fn unreadable(path: &Path) -> Vec<(u64, String)> {
    let mut database = Database::open(path, ReadOptions::default()).expect("a database");
    let mut checker = Checker::default();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut checker).expect("its games");
    }
    let unreadable = FindingKind::Reading(GameErrorKind::Unreadable);
    let is_it = |finding: &Finding| finding.kind == unreadable;
    let found = checker.take_findings().into_iter().filter(is_it);
    found.map(|it| (it.game, it.message)).collect()
}

fn database() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    create(&path);
    (folder, path)
}

#[test]
fn a_wrong_checksum_is_damage_and_the_game_is_read_all_the_same() {
    let (_folder, path) = database();
    let whole = read(&path).games;
    spoil(&path, FileKind::Moves, |file| {
        file[places(&path, 1)[0] + 16] ^= 1
    });
    spoil(&path, FileKind::Annotations, |file| {
        file[places(&path, 2)[1] + 16] ^= 1
    });
    let found = read(&path).games;
    for (index, what) in [(0, "the moves"), (1, "the annotations")] {
        let game = &found[index];
        assert_eq!(game.state, GameState::Broken);
        let message = format!("{what}: the checksum does not fit the content");
        let expected = (GameErrorKind::Unreadable, message, String::new());
        assert_eq!(errors(game), [expected]);
        assert_eq!(sound(game), whole[index]);
    }
    assert_eq!(found[2], whole[2]);
}

#[test]
fn what_has_a_wrong_checksum_is_not_given_a_right_one() {
    for (file, kind) in [(0, FileKind::Moves), (1, FileKind::Annotations)] {
        let (_folder, path) = database();
        spoil(&path, kind, |bytes| bytes[places(&path, 2)[file] + 16] ^= 1);
        let before = fs::read(path.with_extension(kind.extension())).expect("a file");
        let error = edit::compact(&path).expect_err("it is damaged");
        let expected = format!("game 2: the checksum of what it has in the {kind} file is wrong");
        assert!(error.to_string().contains(&expected), "{error}");
        let after = fs::read(path.with_extension(kind.extension())).expect("a file");
        assert_eq!(before, after);
    }
}

#[test]
fn a_text_with_a_wrong_checksum_is_told_and_so_is_that() {
    let (folder, path) = database();
    add_text(&path, "A text", "<html>Words</html>");
    spoil(&path, FileKind::Moves, |file| {
        file[places(&path, 4)[0] + 16] ^= 1
    });
    let told = read(&path);
    assert_eq!(told.texts.len(), 1);
    let damage = "2cbh, damage: the checksum does not fit the content";
    assert_eq!(told.opaque, [damage]);
    let damage = "the checksum does not fit the content".to_owned();
    assert_eq!(unreadable(&path), [(4, damage.clone())]);
    for name in ["copy.2cbh", "copy.cbh"] {
        let written = convert(&path, &folder.path().join(name));
        let losses = lost(&written[3].losses);
        assert_eq!(losses, [(LossKind::Error, damage.clone())], "{name}");
    }
    let copied = read(&folder.path().join("copy.2cbh"));
    assert_eq!(copied.texts, told.texts);
}

#[test]
fn a_broken_game_keeps_its_comments() {
    let (_folder, path) = database();
    let [moves, _] = places(&path, 1);
    // 1. e4 e4: the second move cannot be played.
    let broken = words(&[0xfffc, 0xad3f, 0xad3f, 0xffff]);
    rewrite(&path, FileKind::Moves, moves, tag::CHESS, &broken);
    let game = &read(&path).games[0];
    assert_eq!(game.state, GameState::Broken);
    // It belongs to the first move, which is there.
    let text = |item: &Item| matches!(item, Item::Comment { text, .. } if text == "a comment");
    assert!(game.items.iter().any(text));
    // 1. e5: Black's pawn.
    let broken = words(&[0xfffc, 0xb02d, 0xffff]);
    rewrite(&path, FileKind::Moves, moves, tag::CHESS, &broken);
    let game = &read(&path).games[0];
    let errors = errors(game);
    let (.., raw) = errors
        .iter()
        .find(|(_, message, _)| message.contains("some belong to moves that cannot be read"))
        .expect("its comment has no move");
    let hex: String = b"a comment".iter().map(|it| format!("{it:02x}")).collect();
    assert!(raw.contains(&hex), "{raw}");
}

#[test]
fn an_error_that_is_kept_stands_where_its_note_does() {
    let (_folder, path) = database();
    let mut game = GameTree::default();
    Parser::new("1. e4 {an error} *").read_game(&mut game);
    let kept = error_comment::write(&GameError {
        kind: GameErrorKind::Unreadable,
        message: "no move",
        raw: "Zz9",
        place: Place::default(),
        first: None,
    });
    if let Some(Item::Comment { text, .. }) = game.items.get_mut(1) {
        *text = kept;
    }
    let mut writer = RecordWriter::default();
    game.tell(&mut writer);
    edit::append(&path, &writer.take()).expect("a change");
    let [_, notes] = places(&path, 4);
    let files = FileSet::open(&path).expect("files");
    let file = files.get(FileKind::Annotations).expect("a file");
    let size = Frame::at(file, notes as i64).expect("a frame").size();
    let game = &read(&path).games[3];
    let offsets = game.items.iter().filter_map(|item| match item {
        Item::Error { place, .. } => Some(place.offset as usize),
        _ => None,
    });
    let offsets: Vec<usize> = offsets.collect();
    assert_eq!(offsets.len(), 1, "{:?}", game.items);
    assert!((notes..notes + size).contains(&offsets[0]), "{offsets:?}");
}

#[test]
fn words_behind_the_end_are_named_and_kept() {
    let (_folder, path) = database();
    let [moves, _] = places(&path, 3);
    let trailing = words(&[0xfffc, 0xad3f, 0xffff, 0x1234, 0xffff]);
    rewrite(&path, FileKind::Moves, moves, tag::CHESS, &trailing);
    let game = &read(&path).games[2];
    let message = "the moves: 4 bytes behind their end".to_owned();
    let expected = (GameErrorKind::Unreadable, message, "3412ffff".to_owned());
    assert_eq!(errors(game), [expected]);
    assert_eq!(game.state, GameState::Broken);
}

#[test]
fn fields_of_a_start_that_are_exchanged_are_a_warning() {
    let (_folder, path) = database();
    let [moves, _] = places(&path, 3);
    // Kings at home, pawns on d5 and e5; the passed pawn in the field of rights. 1. exd6 e.p.
    let pieces = [0xc02d + 32, 0xc16d + 39, 0xc2ad + 27, 0xc2dd + 21];
    let start = [
        &[0xfffb, 1, 0x0400, 0],
        &pieces[..],
        &[0xfffc, 0xad67, 0xffff],
    ]
    .concat();
    rewrite(&path, FileKind::Moves, moves, tag::CHESS, &words(&start));
    let game = &read(&path).games[2];
    let errors = errors(game);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].1.contains("are exchanged"), "{errors:?}");
    let is_move = |item: &&Item| matches!(item, Item::Move(_));
    assert_eq!(game.items.iter().filter(is_move).count(), 1);
}

#[test]
fn a_damaged_text_is_none_in_the_classic_family_and_its_title_is_named() {
    let (folder, path) = database();
    add_text(&path, "The title", "<html>Words</html>");
    let [text, _] = places(&path, 4);
    rewrite(
        &path,
        FileKind::Moves,
        text,
        tag::TEXT,
        &[5, 0, 0xff, 0xff, 0, 0],
    );
    assert_eq!(read(&path).opaque, ["2cbh, damaged text \"The title\""]);
    let damage = "a text \"The title\" that cannot be read".to_owned();
    assert_eq!(unreadable(&path), [(4, damage)]);
    let classic = folder.path().join("copy.cbh");
    let written = convert(&path, &classic);
    assert_eq!(written.len(), 3, "the text is refused");
    // As it is, it can be kept in its own family; that it is damaged is said.
    let copy = folder.path().join("copy.2cbh");
    let written = convert(&path, &copy);
    assert_eq!(written.len(), 4);
    let losses = lost(&written[3].losses);
    let damage = "the pages of the text cannot be read".to_owned();
    assert_eq!(losses, [(LossKind::Error, damage)]);
    assert_eq!(read(&copy).opaque, ["2cbh, damaged text \"The title\""]);
}

#[test]
fn a_long_title_of_a_text_is_cut_and_the_rest_goes_on() {
    let german = "ü".repeat(200);
    let titles = Titles(vec![(42, &[b'x'; 900][..]), (53, german.as_bytes())]);
    let mut writer = RecordWriter::default();
    writer.event(Event::Text {
        place: Place::default(),
        title: "A title",
        language: Some("en"),
        text: "Words",
    });
    let mut entry = writer.take().remove(0);
    entry.records[3] = Some(titles.to_bytes());
    let mut bytes = Vec::new();
    entry.write(&mut bytes);
    writer.event(Event::Opaque {
        place: Place::default(),
        format: "2cbh, whole entry",
        bytes: &bytes,
    });
    assert_eq!(lost(&writer.take_losses()).len(), 1);
    let cut = writer.take().remove(0);
    let record = cut.records[3].as_deref().expect("titles");
    assert!((500..=528).contains(&record.len()), "{}", record.len());
    let titles = Titles::read(record).expect("titles").0;
    assert!(titles.iter().all(|(_, title)| title.len() > 100));
    assert!(
        titles
            .iter()
            .all(|(_, title)| str::from_utf8(title).is_ok())
    );
}

#[test]
fn a_name_that_is_not_laid_out_as_one_is_named() {
    let (_folder, path) = database();
    spoil(&path, FileKind::Entities, |file| file[184 + 4] = 0xee);
    let game = &read(&path).games[0];
    let message = "record 0 of the .2lid file (White) is not laid out as a player".to_owned();
    assert_eq!(
        errors(game),
        [(GameErrorKind::BadTag, message, String::new())]
    );
}

/// The file of names as a later program lays it out: a longer header, and one more table.
fn later(file: &[u8], count: i64) -> Vec<u8> {
    let types = 6 * 20;
    let mut header = file[..184].to_vec();
    header.splice(8 + types..8 + types, [0; 20]);
    header[8 + types..][..4].copy_from_slice(&64_u32.to_be_bytes());
    header[8 + types + 4..][..8].copy_from_slice(&count.to_be_bytes());
    header[8 + types + 12..][..8].copy_from_slice(&(-1_i64).to_be_bytes());
    header.extend([7; 12]);
    let length = header.len() as u32;
    header[..4].copy_from_slice(&length.to_be_bytes());
    header[4..8].copy_from_slice(&7_u32.to_be_bytes());
    for block in file[184..].chunks(4234) {
        header.extend(block);
        header.extend([0; 64]);
    }
    header
}

#[test]
fn a_layout_of_a_later_program_is_kept() {
    let (_folder, path) = database();
    let whole = games(&path);
    spoil(&path, FileKind::Entities, |file| *file = later(file, 0));
    assert_eq!(games(&path), whole);
    let header = fs::read(path.with_extension("2lid")).expect("a file")[..216].to_vec();
    edit::append(&path, &entries(GAMES)).expect("a change");
    edit::delete(&path, &[1]).expect("a change");
    assert_eq!(edit::compact(&path).expect("a change"), 5);
    let after = fs::read(path.with_extension("2lid")).expect("a file");
    assert_eq!(after[..8], header[..8]);
    assert_eq!(after[8 + 120..216], header[8 + 120..]);
    assert_eq!(games(&path)[2..], whole);
    check_frames(&path);
    check_indexes(&path);
}

#[test]
fn records_that_nobody_knows_are_named_and_not_lost_by_a_change() {
    let (_folder, path) = database();
    spoil(&path, FileKind::Entities, |file| *file = later(file, 2));
    let database = Database::open(&path, ReadOptions::default()).expect("a database");
    let said = "the .2lid file has 2 records in tables of a later ChessBase";
    assert!(
        database.warnings()[0].starts_with(said),
        "{:?}",
        database.warnings()
    );
    let error = edit::append(&path, &entries(GAMES)).expect_err("they would be lost");
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn a_count_that_is_too_small_is_a_warning() {
    let (_folder, path) = database();
    spoil(&path, FileKind::Headers, |file| file[16] = 2);
    let database = Database::open(&path, ReadOptions::default()).expect("a database");
    let said = "the .2cbh file has 3 records, and its header says 1";
    assert_eq!(database.warnings(), [said]);
    assert_eq!(tell(database).games.len(), 3);
}

#[test]
fn an_archive_that_is_cut_off_gives_what_is_there() {
    let (folder, path) = database();
    let packed = folder.path().join("games.2cbv");
    archive::pack_database(&path, &packed).expect("an archive");
    let whole = fs::read(&packed).expect("an archive");
    let salvage = ReadOptions {
        salvage: true,
        ..ReadOptions::default()
    };
    let open = |options: ReadOptions| Database::open_archive(&packed, options);
    // Without the list of members, all of them are there.
    let list = whole
        .windows(4)
        .position(|it| it == b"PK\x01\x02")
        .expect("a list");
    fs::write(&packed, &whole[..list]).expect("a file");
    open(ReadOptions::default()).err().expect("it is cut off");
    let database = open(salvage).expect("its games");
    assert_eq!(database.warnings().len(), 1, "{:?}", database.warnings());
    assert_eq!(tell(database).games.len(), 3);
    let place = folder.path().join("whole");
    let (files, damage) = archive::salvage(&packed, &place, Existing::Keep).expect("its files");
    assert_eq!((files.len(), damage.len()), (6, 1));
    for file in files {
        let name = file.file_name().expect("a name");
        let original = fs::read(folder.path().join(name)).expect("a file");
        assert_eq!(fs::read(&file).expect("a file"), original);
    }
    // The registry finds out what it is, and does without the list if that is asked for.
    let options = |salvage| tabiya_formats::registry::ReadOptions {
        salvage,
        ..Default::default()
    };
    let unnamed = folder.path().join("unnamed");
    fs::copy(&packed, &unnamed).expect("a file");
    for path in [&packed, &unnamed] {
        let open = |salvage| registry().open(path, None, &options(salvage));
        let error = open(false).err().expect("it is cut off");
        assert!(
            error.to_string().contains("no directory at its end"),
            "{error}"
        );
        let opened = open(true).expect("its games");
        assert_eq!(opened.profile.name(), "2cbv");
        assert_eq!(opened.database.warnings().len(), 1);
    }
    // Wherever it is cut, the headers are told as far as they go, or it is said why not.
    for length in (0..list).step_by(7) {
        fs::write(&packed, &whole[..length]).expect("a file");
        if let Ok(database) = open(salvage) {
            assert!(database.warnings().len() > 1, "{length}");
            tell(database);
        }
        let place = folder.path().join(length.to_string());
        if let Ok((_, damage)) = archive::salvage(&packed, &place, Existing::Keep) {
            assert!(!damage.is_empty(), "{length}");
        }
    }
}

#[test]
fn an_entry_in_place_of_another_keeps_what_is_shared_or_laid_over_it() {
    let (_folder, path) = database();
    // The third game has the record of the first one.
    let [first, _] = places(&path, 1);
    spoil(&path, FileKind::Headers, |file| {
        file[3 * 192 + 8..][..8].copy_from_slice(&(first as u64).to_le_bytes());
    });
    let before = games(&path);
    assert_eq!(before[0].items.len() > 3, before[2].items.len() > 3);
    let long = format!("{} *", "Nf3 Nf6 Ng1 Ng8 ".repeat(40));
    edit::replace(&path, 1, &entries(&long)[0]).expect("a change");
    let after = games(&path);
    assert_eq!(after[1..], before[1..]);
    check_indexes(&path);
    // Copied once, it is shared again.
    let size = |path: &Path| {
        fs::metadata(path.with_extension("2cbg"))
            .expect("a file")
            .len()
    };
    edit::delete(&path, &[1]).expect("a change");
    spoil(&path, FileKind::Headers, |file| {
        file[2 * 192 + 8..][..8].copy_from_slice(&(first as u64).to_le_bytes());
    });
    let shared = games(&path);
    assert_eq!(edit::compact(&path).expect("a change"), 2);
    assert_eq!(games(&path), shared);
    assert!(size(&path) < 400, "one record: {}", size(&path));
}

#[test]
fn a_replaced_game_stays_deleted_and_says_when_it_was_changed() {
    let (_folder, path) = database();
    edit::delete(&path, &[2]).expect("a change");
    let header = |path: &Path| {
        let files = FileSet::open(path).expect("files");
        files
            .tables()
            .expect("tables")
            .headers
            .get(2)
            .expect("a header")
    };
    edit::replace(
        &path,
        2,
        &entries(GAMES.split("\n\n[Event").next().expect("a game"))[0],
    )
    .expect("a change");
    let after = header(&path);
    assert!(after.is_deleted());
    // 1 January 2020, in units of 100 nanoseconds since 1582.
    assert!(after.i64(0xa0) > (12_219_292_800 + 1_577_836_800) * 10_000_000);
    assert_eq!(after.0[0xb8], 1, "saved once more");
}

#[test]
fn names_that_are_there_are_used_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    let text = |tags: &str| format!("[White \"Tal, Mikhail\"]\n{tags}[Result \"*\"]\n\n1. e4 *\n");
    let mut target = DatabaseTarget::create(&path).expect("a place");
    target
        .add(&entries(&text("[WhiteFideId \"14109336\"]\n")))
        .expect("entries");
    target.finish().expect("a database");
    let players = |path: &Path| {
        let files = FileSet::open(path).expect("files");
        let tables = files.tables().expect("tables");
        let kind = tabiya_chessbase::cbh2::entities::EntityKind::Player;
        tables.entities.expect("names").count(kind)
    };
    // Tal, and nobody.
    assert_eq!(players(&path), 2);
    for (tags, expected, why) in [
        ("[WhiteFideId \"14109336\"]\n", 2, "it is he"),
        (
            "",
            3,
            "who he is nobody says: a game does not get a number that it had not",
        ),
        ("", 3, "nothing else is known of him"),
        ("[WhiteFideId \"5\"]\n", 4, "this one is another"),
    ] {
        edit::append(&path, &entries(&text(tags))).expect("a change");
        assert_eq!(players(&path), expected, "{why}");
    }
    check_indexes(&path);
}

#[test]
fn what_belongs_to_games_that_are_gone_goes_with_them() {
    let (_folder, path) = database();
    let own = ["cko", "cpo"].map(|it| path.with_extension(it));
    let write = || {
        for file in &own {
            fs::write(file, "keys").expect("a file");
        }
        fs::write(path.with_extension("ini"), "[Descr2CBG]\r\nTitle=Old\r\n").expect("a file");
    };
    let there = || [&own[0], &own[1], &path.with_extension("ini")].map(|it| it.exists());
    write();
    edit::append(&path, &entries(GAMES)).expect("a change");
    assert_eq!(there(), [true; 3]);
    edit::delete(&path, &[1]).expect("a change");
    edit::compact(&path).expect("a change");
    assert_eq!(there(), [false, false, true], "numbers are others");
    write();
    create(&path);
    assert_eq!(there(), [false; 3], "the database is another");
}

const NO_KINGS: &str = "[Event \"Pawns\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
                        [FEN \"8/pppp4/8/8/8/8/4PPPP/8 w - - 0 1\"]\n\n*\n";

/// Games of a text as entries, with their losses.
fn heard(text: &str) -> (Vec<StoredEntry>, Losses) {
    let mut writer = RecordWriter::default();
    let mut parser = Parser::new(text);
    while parser.read_game(&mut writer) {}
    let losses = writer.take_losses();
    (writer.take(), losses)
}

#[test]
fn a_position_without_kings_stays_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    let (entry, losses) = heard(NO_KINGS);
    assert_eq!(lost(&losses), []);
    let mut target = DatabaseTarget::create(&path).expect("a place");
    target.add(&entry).expect("entries");
    target.finish().expect("a database");
    let files = FileSet::open(&path).expect("files");
    let tables = files.tables().expect("tables");
    let header = tables.headers.get(1).expect("a header");
    let record = Frame::at(tables.moves.expect("moves"), header.moves()).expect("a frame");
    assert_eq!(record.tag, tag::NO_KINGS);
    assert_eq!(header.flags().0, 1 | 1 << 27);
    assert_eq!(header.0[0x8c + 1] >> 4, 4, "four pawns");
    let told = read(&path);
    let game = &told.games[0];
    assert_eq!(
        game.tags.get("FEN"),
        Some("8/pppp4/8/8/8/8/4PPPP/8 w - - 0 1")
    );
    let message = "a position without one king for each side".to_owned();
    let expected = (GameErrorKind::BadStart, message, String::new());
    assert_eq!(errors(game), [expected]);
    // The error is the first that is heard, before anything about what is not the initial position.
    assert!(matches!(game.items[0], Item::Error { .. }));
    let copy = folder.path().join("copy.2cbh");
    let written = convert(&path, &copy);
    assert_eq!(lost(&written[0].losses), []);
    let bytes = |path: &Path| fs::read(path.with_extension("2cbg")).expect("a file");
    assert_eq!(bytes(&copy), bytes(&path));
}

#[test]
fn a_start_that_cannot_be_kept_is_not_the_initial_one() {
    for tags in [
        "[SetUp \"1\"]\n[FEN \"nonsense\"]\n",
        "[Variant \"Crazyhouse\"]\n",
    ] {
        let (entry, losses) = heard(&format!("[Event \"x\"]\n{tags}\n1. e4 *\n"));
        assert!(entry.is_empty(), "{tags}");
        let lost = lost(&losses);
        assert!(
            lost.iter().any(|(kind, _)| *kind == LossKind::Start),
            "{lost:?}"
        );
    }
}

#[test]
fn many_unchecked_moves_make_no_long_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    let (mut entries, _) = heard(NO_KINGS);
    let (_, content) = entries[0].moves.as_mut().expect("moves");
    let end = content.split_off(content.len() - 2);
    content.extend(words(&vec![0x1c8c; 5000]));
    content.extend(end);
    let mut target = DatabaseTarget::create(&path).expect("a place");
    target.add(&entries).expect("entries");
    target.finish().expect("a database");
    let errors = errors(&read(&path).games[0]);
    assert!(errors[0].1.len() < 4000, "{}", errors[0].1.len());
    assert!(
        errors[0].2.len() > 20_000,
        "all of them are kept as they are"
    );
    let database = Database::open(&path, ReadOptions::default()).expect("a database");
    let dump = database.explain(1).expect("a record");
    let lines = dump.sections.iter().flat_map(|section| &section.lines);
    let said: Vec<&str> = lines.map(|line| &*line.meaning).collect();
    assert!(said.contains(&"word 1c8c: b5g3/1, unchecked"), "{said:?}");
    assert!(said.iter().any(|it| it.ends_with("pawn on a7")), "{said:?}");
}

#[test]
fn the_initial_position_is_ordinary_chess_by_any_rules() {
    let text = "[Variant \"Chess960\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \
                \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n\
                1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n";
    let (mut entries, losses) = heard(text);
    let entry = entries.remove(0);
    let (tag, content) = entry.moves.expect("moves");
    assert_eq!((tag, &content[..2]), (tag::CHESS, &[0xfc, 0xff][..]));
    assert_eq!(content[content.len() - 4..content.len() - 2], [0x2a, 0xb1]);
    assert_eq!(entry.header.flags().0, 0);
    let lost = lost(&losses);
    assert!(
        lost.iter().any(|(_, what)| what.contains("Variant")),
        "{lost:?}"
    );
}

#[test]
fn compacting_counts_the_bytes_of_all_files() {
    use tabiya_formats::registry::{Editor, Registry};
    let (folder, path) = database();
    for _ in 0..40 {
        edit::append(&path, &entries(GAMES)).expect("a change");
    }
    let all: Vec<u32> = (2..=123).collect();
    edit::delete(&path, &all).expect("a change");
    let size = || -> u64 {
        let files = fs::read_dir(folder.path()).expect("a folder");
        let sizes = files.map(|file| file.expect("a file").metadata().expect("it is there").len());
        sizes.sum()
    };
    let before = size();
    static REGISTRY: std::sync::LazyLock<Registry> = std::sync::LazyLock::new(registry);
    let compacted = Editor::open(&REGISTRY, &path, None)
        .expect("an editor")
        .compact()
        .expect("a change");
    assert_eq!(compacted.bytes, before - size());
    assert_eq!((compacted.games, compacted.deleted), (1, 122));
}

/// What is told to one that stores nothing has no texts of errors in it.
#[test]
fn nothing_is_wrong_with_what_is_whole() {
    let (_folder, path) = database();
    let Told { games, opaque, .. } = read(&path);
    assert!(games.iter().all(|game| errors(game).is_empty()));
    assert_eq!(opaque, [""; 0]);
}
