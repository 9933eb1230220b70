//! What a store keeps, whatever happens to it.

mod damage;
mod disk;
mod faults;
mod search;
mod select;

use std::{
    io::Read,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicU64},
};

use arrow_array::{cast::AsArray, types::Int64Type};
use tabiya_formats::{io::Input, pgn::Parser};
use tabiya_game::{
    Error, ErrorKind, GameTree,
    generate::{Generator, Options},
};

use crate::{
    GameSet, Store, change::Change, disk::System, import::segment_of, row::Row,
    signature::Signature, writer::RowWriter,
};

fn games(range: std::ops::Range<u64>) -> Vec<GameTree> {
    let generator = Generator::new(Options::default());
    range.map(|index| generator.game(index)).collect()
}

/// The first games of a week of real ones.
pub(crate) fn real_games(count: usize) -> Vec<GameTree> {
    let folder = std::env::var_os("TABIYA_DATA").expect("TABIYA_DATA names a folder");
    let file = Path::new(&folder).join("pgn/twic-small.pgn.zst");
    let mut text = Vec::new();
    Input::open(&file).unwrap().read_to_end(&mut text).unwrap();
    let text = String::from_utf8_lossy(&text);
    let mut parser = Parser::new(&text);
    let games = std::iter::from_fn(|| {
        let mut game = GameTree::default();
        parser.read_game(&mut game).then_some(game)
    });
    games.take(count).collect()
}

pub(crate) fn append(path: &Path, games: &[GameTree]) {
    let mut importer = Store::import(path).unwrap();
    for game in games {
        importer.add(game).unwrap();
    }
    importer.finish().unwrap().merge().unwrap();
}

fn all(store: &Store) -> Vec<GameTree> {
    let read = |number| {
        let mut game = GameTree::default();
        store.tell(number, &mut game).unwrap();
        assert_eq!(game.place.number, number);
        game.place = Default::default();
        game
    };
    (1..=store.count()).map(read).collect()
}

fn told(mut games: Vec<GameTree>) -> Vec<GameTree> {
    for game in &mut games {
        game.place = Default::default();
    }
    games
}

#[test]
fn appends_add_up_and_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    for week in 0..30 {
        append(&path, &games(week * 5..week * 5 + 5));
        let store = Store::open(&path).unwrap();
        assert_eq!(store.count(), week * 5 + 5);
        assert!(store.segments() < 16, "{}", store.segments());
    }
    assert_eq!(all(&Store::open(&path).unwrap()), told(games(0..150)));
}

#[test]
fn nothing_is_there_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..3));
    let mut importer = Store::import(&path).unwrap().with_memory(1);
    for game in games(3..9) {
        importer.add(&game).unwrap();
    }
    assert_eq!(Store::open(&path).unwrap().count(), 3);
    drop(importer);
    assert_eq!(Store::open(&path).unwrap().count(), 3);
    let files = std::fs::read_dir(&path).unwrap().count();
    // The manifest and the two files of a segment.
    assert_eq!(files, 3);
}

#[test]
fn an_import_may_leave_the_index_for_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let mut importer = Store::import(&path).unwrap().without_index();
    for game in games(0..100) {
        importer.add(&game).unwrap();
    }
    importer.finish().unwrap().merge().unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!((store.count(), store.index_bytes()), (100, 0));
    store.index(1 << 20).unwrap();
    assert_ne!(Store::open(&path).unwrap().index_bytes(), 0);
}

#[test]
fn what_is_imported_without_an_index_takes_none_from_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..100));
    for week in 1..8 {
        let mut importer = Store::import(&path).unwrap().without_index();
        for game in games(week * 100..week * 100 + 100) {
            importer.add(&game).unwrap();
        }
        importer.finish().unwrap().merge().unwrap();
    }
    let store = Store::open(&path).unwrap();
    assert_eq!((store.segments(), store.count()), (1, 800));
    assert!(store.unindexed() < 100, "{}", store.unindexed());
}

#[test]
fn a_damaged_index_is_made_again_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let open = || Store::open(&path).unwrap();
    append(&path, &games(0..100));
    let mut importer = Store::import(&path).unwrap().without_index();
    games(100..200)
        .iter()
        .for_each(|game| importer.add(game).unwrap());
    importer.finish().unwrap().merge().unwrap();
    assert_eq!(open().mend_index(1 << 20).unwrap(), Vec::<PathBuf>::new());
    let (whole, unindexed) = (open().index_bytes(), open().unindexed());
    for is_there in [true, false] {
        let entry = open().snapshot().manifest.segments[0].index.clone();
        let file = path.join(entry.unwrap().index_name());
        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        match is_there {
            true => std::fs::write(&file, bytes).unwrap(),
            false => std::fs::remove_file(&file).unwrap(),
        }
        let found = open().examine();
        assert!(
            found.len() == 1 && found[0].contains("`tabiya index`"),
            "{found:?}"
        );
        assert_eq!(open().mend_index(1 << 20).unwrap(), [file]);
        assert_eq!(open().examine(), Vec::<String>::new());
        assert_eq!(
            (open().index_bytes(), open().unindexed()),
            (whole, unindexed)
        );
    }
}

#[test]
fn a_memo_is_kept_until_numbers_begin_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let open = || Store::open(&path).unwrap();
    append(&path, &games(0..5));
    assert_eq!(open().memo().unwrap(), None);
    open().amend([2], Some(b"memo"), |_, _| Ok(())).unwrap();
    append(&path, &games(5..9));
    open().mark(&[3], true).unwrap();
    assert_eq!(open().memo().unwrap(), Some(&b"memo"[..]));
    // Those who have it open keep it.
    let before = open();
    open().compact().unwrap();
    assert_eq!(open().memo().unwrap(), None);
    assert_eq!(before.memo().unwrap(), Some(&b"memo"[..]));
    let names = std::fs::read_dir(&path).unwrap();
    assert_eq!(
        names.count(),
        3,
        "the manifest and the two files of a segment"
    );
}

#[test]
fn a_damaged_memo_spoils_nothing_else_and_is_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..5));
    let store = Store::open(&path).unwrap();
    store.amend([2], Some(b"memo"), |_, _| Ok(())).unwrap();
    let mut files = std::fs::read_dir(&path)
        .unwrap()
        .map(|file| file.unwrap().path());
    let memo = files
        .find(|file| file.to_string_lossy().ends_with("-memo.bin"))
        .unwrap();
    for bytes in [&b"mem0"[..], b"", b"memory"] {
        std::fs::write(&memo, bytes).unwrap();
        let store = Store::open(&path).unwrap();
        assert_eq!(all(&store), told(games(0..5)));
        assert!(store.memo().unwrap_err().to_string().contains("-memo.bin"));
        assert_eq!(store.examine().len(), 1);
    }
    std::fs::remove_file(&memo).unwrap();
    assert!(Store::open(&path).unwrap().memo().is_err());
    // The next change does not mind.
    append(&path, &games(5..6));
    Store::open(&path)
        .unwrap()
        .amend([1], None, |_, _| Ok(()))
        .unwrap();
    assert_eq!(Store::open(&path).unwrap().examine(), Vec::<String>::new());
}

#[test]
fn games_may_be_changed_in_any_order_and_are_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..5));
    let mut heard = Vec::new();
    let changed = Store::open(&path)
        .unwrap()
        .amend([3, 1, 3], None, |number, entry| {
            heard.push(number);
            entry.game.tags.set("Event", format!("event {number}"));
            Ok(())
        });
    changed.unwrap();
    assert_eq!(heard, [1, 3]);
    let mut expected = told(games(0..5));
    expected[0].tags.set("Event", "event 1");
    expected[2].tags.set("Event", "event 3");
    assert_eq!(all(&Store::open(&path).unwrap()), expected);
}

#[test]
fn a_store_knows_what_its_own_changes_have_led_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..5));
    // So many that small segments are made one, each time another state.
    for _ in 0..20 {
        let seen = Store::open(&path).unwrap().of_this_state();
        let mut importer = seen.importer().unwrap();
        importer.add(&games(0..1)[0]).unwrap();
        importer.finish().unwrap().merge().unwrap();
        assert!(seen.has_led_to(&Store::open(&path).unwrap()));
    }
    type Try = fn(&Store) -> Result<(), Error>;
    let changes: [Try; 5] = [
        |store| store.mark(&[2], true),
        |store| store.replace(1, &GameTree::default()),
        |store| store.index(64 << 20),
        |store| store.compact(),
        |store| store.drop_index(),
    ];
    for change in changes {
        let (seen, late) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
        let (seen, late) = (seen.of_this_state(), late.of_this_state());
        change(&seen).unwrap();
        assert!(seen.has_led_to(&Store::open(&path).unwrap()));
        assert_eq!(change(&late).unwrap_err().kind(), ErrorKind::Changed);
        assert!(!late.has_led_to(&Store::open(&path).unwrap()));
        let refused = late.importer().err().unwrap();
        assert_eq!(refused.kind(), ErrorKind::Changed);
    }
}

#[test]
fn nothing_is_committed_that_nobody_could_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..5));
    let mut change = Change::begin(Arc::new(System), &path).unwrap();
    let mut row = Row::default();
    Store::open(&path)
        .unwrap()
        .snapshot()
        .row(0, &mut row)
        .unwrap();
    // Two ids, and the row of one.
    let ids = [1, 2].into_iter().collect();
    change.replace(ids, segment_of(&row)).unwrap();
    let refused = change.commit(&AtomicU64::new(0)).err().unwrap();
    assert!(
        refused.to_string().contains("contradicts itself"),
        "{refused}"
    );
    assert_eq!(all(&Store::open(&path).unwrap()), told(games(0..5)));
}

#[test]
fn marks_that_are_taken_back_one_by_one_leave_few_segments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let mut marked = games(0..12);
    for game in &mut marked {
        game.tags.set("ScidFlags", "D");
    }
    append(&path, &marked);
    for number in 1..=12 {
        Store::open(&path).unwrap().mark(&[number], false).unwrap();
    }
    let store = Store::open(&path).unwrap();
    assert_eq!(store.deleted(), 0);
    let replaced = store.snapshot().manifest.replaced.len();
    assert!(replaced < 8, "{replaced}");
}

#[test]
fn what_is_refused_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..5));
    let store = Store::open(&path).unwrap();
    let refused = store.amend([1, 2], None, |number, entry| {
        entry.deleted = true;
        entry.game.tags.set("Event", "other");
        match number {
            1 => Ok(()),
            _ => Err(tabiya_game::Error::new(ErrorKind::Changed, "no")),
        }
    });
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Changed);
    let missing = store.amend([1, 6], None, |_, _| Ok(()));
    assert_eq!(missing.unwrap_err().kind(), ErrorKind::NoSuchGame);
    let store = Store::open(&path).unwrap();
    assert_eq!((all(&store), store.deleted()), (told(games(0..5)), 0));
}

#[test]
fn a_second_writer_is_told_to_wait() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let _first = Store::import(&path).unwrap();
    let error = Store::import(&path).err().unwrap();
    assert!(
        error
            .to_string()
            .contains("is being changed by another program"),
        "{error}"
    );
}

#[test]
fn a_folder_of_other_files_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("letter.txt"), "Dear").unwrap();
    let error = Store::import(folder.path()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::WrongPlace);
}

#[test]
fn games_whose_manifest_is_gone_are_not_swept_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..3));
    std::fs::remove_file(path.join("manifest.json")).unwrap();
    let error = Store::import(&path).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Damaged);
    assert!(error.to_string().contains("manifest.json"), "{error}");
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 2);
}

#[test]
fn an_empty_folder_becomes_a_store() {
    let folder = tempfile::tempdir().unwrap();
    append(folder.path(), &games(0..3));
    assert_eq!(all(&Store::open(folder.path()).unwrap()), told(games(0..3)));
}

#[test]
fn a_game_that_comes_as_deleted_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let mut more = games(0..4);
    for (game, flags) in more.iter_mut().zip(["D", "W", "WD", ""]) {
        game.tags.push("ScidFlags", flags);
    }
    append(&path, &more);
    append(&path, &more);
    let store = Store::open(&path).unwrap();
    let deleted = |store: &Store| {
        let numbers = 1..=store.count();
        numbers.filter(|number| store.is_deleted(*number)).collect()
    };
    let found: Vec<u64> = deleted(&store);
    assert_eq!(found, [1, 3, 5, 7]);
    // What they came with comes back, until they are deleted no longer.
    assert_eq!(all(&store)[..4], told(more.clone()));
    store.mark(&[7, 5], false).unwrap();
    let store = Store::open(&path).unwrap();
    let found: Vec<u64> = deleted(&store);
    assert_eq!(found, [1, 3]);
    let flags = |number: usize| {
        all(&store)[number - 1]
            .tags
            .get("ScidFlags")
            .map(str::to_owned)
    };
    assert_eq!((flags(5), flags(7).as_deref()), (None, Some("W")));
}

#[test]
fn a_state_stays_valid_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..10));
    let store = Store::open(&path).unwrap();
    append(&path, &games(10..20));
    store.mark(&[1], true).unwrap();
    Store::open(&path).unwrap().compact().unwrap();
    assert_eq!(all(&store), told(games(0..10)));
    assert_eq!(all(&Store::open(&path).unwrap()), told(games(1..20)));
}

#[test]
fn deletions_and_replacements_are_laid_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..10));
    let store = Store::open(&path).unwrap();
    store.mark(&[2, 4], true).unwrap();
    store.mark(&[2], false).unwrap();
    store.replace(3, &games(50..51)[0]).unwrap();
    assert_eq!(
        store.replace(11, &GameTree::default()).unwrap_err().kind(),
        ErrorKind::NoSuchGame
    );
    assert_eq!(
        store.mark(&[0], true).unwrap_err().kind(),
        ErrorKind::NoSuchGame
    );
    let store = Store::open(&path).unwrap();
    assert_eq!(
        (store.deleted(), store.is_deleted(4), store.is_deleted(2)),
        (1, true, false)
    );
    let mut expected = games(0..10);
    expected[2] = games(50..51).remove(0);
    assert_eq!(all(&store), told(expected.clone()));
    store.compact().unwrap();
    expected.remove(3);
    assert_eq!(all(&Store::open(&path).unwrap()), told(expected));
}

/// Which entries are deleted.
fn marks(path: &std::path::Path) -> Vec<u64> {
    let store = Store::open(path).unwrap();
    let numbers = 1..=store.count();
    numbers.filter(|number| store.is_deleted(*number)).collect()
}

#[test]
fn an_edit_that_sets_the_mark_deletes_and_one_that_takes_it_away_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let mut more = games(0..4);
    more[1].tags.push("ScidFlags", "WD");
    more[2].tags.push("ScidFlags", "D");
    append(&path, &more);
    assert_eq!(marks(&path), [2, 3]);
    let set = |flags: &'static str| {
        move |number: u64, game: &mut GameTree| {
            game.tags.set("ScidFlags", flags);
            number < 3
        }
    };
    // Deleted games are not heard.
    assert_eq!(Store::open(&path).unwrap().edit(set("D")).unwrap(), 1);
    assert_eq!(marks(&path), [1, 2, 3]);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.edit_with_deleted(set("W")).unwrap(), 2);
    assert_eq!(marks(&path), [3]);
}

#[test]
fn an_edit_of_all_games_makes_a_short_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..400));
    let length = || std::fs::metadata(path.join("manifest.json")).unwrap().len();
    let before = length();
    let edited = Store::open(&path).unwrap().edit(|_, game| {
        game.tags.set("ECO", "B90");
        true
    });
    assert_eq!(edited.unwrap(), 400);
    assert!(length() < before + 500, "{before} {}", length());
}

#[test]
fn signatures_that_are_missing_are_made_when_games_are_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let signatures = || -> Vec<i64> {
        let store = Store::open(&path).unwrap();
        let batches = store.batches().map(|batch| {
            let column = batch
                .unwrap()
                .moves
                .column_by_name("signature")
                .unwrap()
                .clone();
            column.as_primitive::<Int64Type>().values().to_vec()
        });
        batches.flatten().collect()
    };
    append(&path, &games(0..16));
    let expected = signatures();
    std::fs::remove_dir_all(&path).unwrap();
    let unknown = Signature::UNKNOWN.to_column();
    for start in 0..8 {
        let mut writer = RowWriter::new(Default::default());
        for game in games(start * 2..start * 2 + 2) {
            game.tell(&mut writer);
        }
        let mut rows = writer.take_rows();
        rows.iter_mut()
            .for_each(|row| row.signature = Signature::UNKNOWN);
        let mut importer = Store::import(&path).unwrap();
        importer.add_rows(&rows).unwrap();
        let imported = importer.finish().unwrap();
        assert!(signatures().contains(&unknown));
        imported.merge().unwrap();
    }
    assert_eq!(Store::open(&path).unwrap().segments(), 1);
    assert_eq!(signatures(), expected);
}

#[test]
fn many_games_without_an_index_are_looked_through_by_all_cores() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let some = games(0..40);
    let many: Vec<GameTree> = (0..Store::MANY as usize + 40)
        .map(|at| some[at % 40].clone())
        .collect();
    append(&path, &many);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.unindexed(), 0);
    let line = some[7].main_line().nth(12).unwrap().0;
    let among: GameSet = (1..=store.count())
        .filter(|number| number % 3 > 0)
        .collect();
    let ask = |store: &Store| {
        [None, Some(&among)].map(|among| store.games_at(&line, among).unwrap().collect::<Vec<_>>())
    };
    let answer = ask(&store);
    assert!(answer[0].len() > 200);
    store.drop_index().unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.unindexed(), store.count());
    assert_eq!(ask(&store), answer);
}
