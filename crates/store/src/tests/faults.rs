//! Whatever fails, and whenever: the store is as it was or as it should be.

use std::{path::Path, sync::Arc};

use tabiya_game::{Error, ErrorKind, GameTree};

use super::{
    disk::{Fault, FaultyDisk, Survivor},
    games, told,
};
use crate::{Store, import::Importer, snapshot::Damage};

const FOLDER: &str = "/games.tabiya";

/// Something that changes a store.
type Deed = fn(&FaultyDisk) -> Result<(), Error>;

const DEEDS: [(&str, Deed); 7] = [
    ("append", append),
    ("append so that segments are merged", append_and_merge),
    ("replace all", begin_anew),
    ("delete", delete),
    ("replace a game", replace),
    ("amend games", amend),
    ("compact", compact),
];

fn open(disk: &FaultyDisk) -> Result<Store, Error> {
    Store::on(Arc::new(disk.clone()), Path::new(FOLDER), Damage::Refused)
}

fn import(disk: &FaultyDisk, more: &[GameTree], clear: bool) -> Result<(), Error> {
    let (disk, folder) = (Arc::new(disk.clone()), Path::new(FOLDER));
    let importer = match clear {
        true => Importer::begin_anew(disk, folder),
        false => Importer::begin(disk, folder),
    };
    let mut importer = importer?.with_memory(1);
    for game in more {
        importer.add(game)?;
    }
    importer.finish()?;
    Ok(())
}

fn append(disk: &FaultyDisk) -> Result<(), Error> {
    import(disk, &games(20..22), false)
}

fn append_and_merge(disk: &FaultyDisk) -> Result<(), Error> {
    import(disk, &games(20..28), false)?;
    // The games are there, whatever becomes of the merge.
    let importer = Importer::begin(Arc::new(disk.clone()), Path::new(FOLDER));
    let _ = importer.and_then(|importer| importer.finish()?.merge());
    Ok(())
}

fn begin_anew(disk: &FaultyDisk) -> Result<(), Error> {
    import(disk, &games(20..23), true)
}

fn delete(disk: &FaultyDisk) -> Result<(), Error> {
    open(disk)?.mark(&[1, 3], true)
}

fn replace(disk: &FaultyDisk) -> Result<(), Error> {
    open(disk)?.replace(2, &games(30..31)[0])
}

fn amend(disk: &FaultyDisk) -> Result<(), Error> {
    open(disk)?.amend([1, 2, 4], Some(b"as they were"), |number, entry| {
        entry.game.tags.set("Event", format!("amended {number}"));
        entry.deleted = number == 1;
        Ok(())
    })
}

fn compact(disk: &FaultyDisk) -> Result<(), Error> {
    open(disk)?.compact()
}

/// A store with something of everything.
fn store() -> FaultyDisk {
    let disk = FaultyDisk::new();
    import(&disk, &games(0..4), false).unwrap();
    open(&disk).unwrap().mark(&[2], true).unwrap();
    open(&disk).unwrap().replace(4, &games(40..41)[0]).unwrap();
    disk
}

/// What the store says, entry by entry, and which of them are deleted; nothing if it is not there.
type Told = Option<Vec<(GameTree, bool)>>;

fn said(disk: &FaultyDisk) -> Told {
    use crate::disk::Disk;

    disk.names(Path::new(FOLDER)).unwrap()?;
    let store = open(disk).unwrap_or_else(|error| panic!("{error}"));
    let entry = |number| {
        let mut game = GameTree::default();
        store.tell(number, &mut game).unwrap();
        (told(vec![game]).remove(0), store.is_deleted(number))
    };
    Some((1..=store.count()).map(entry).collect())
}

/// No files that nobody needs.
fn is_tidy(disk: &FaultyDisk) {
    use crate::disk::Disk;

    let root = disk.names(Path::new("/")).unwrap().unwrap();
    assert!(root.iter().all(|name| name == "games.tabiya"), "{root:?}");
    if let Some(names) = disk.names(Path::new(FOLDER)).unwrap() {
        let store = open(disk).unwrap();
        let manifest = &store.snapshot().manifest;
        let mut known: Vec<String> = manifest.file_names().collect();
        known.push("manifest.json".to_owned());
        known.sort();
        assert_eq!(names, known);
    }
}

fn whatever_fails(before: &FaultyDisk, deed: Deed, name: &str) {
    let old = said(before);
    let after = before.failing(u64::MAX, Fault::Once);
    deed(&after).unwrap();
    let (new, steps) = (said(&after), after.steps());
    assert!(steps > 4, "{name}: {steps}");
    is_tidy(&after);
    for step in 0..steps {
        for fault in [Fault::Once, Fault::End, Fault::Full] {
            let disk = before.failing(step, fault);
            let done = deed(&disk);
            for survivor in Survivor::ALL {
                let left = disk.survivor(survivor);
                let found = said(&left);
                let place = format!("{name}, step {step} of {steps}, {fault:?}, {survivor:?}");
                let goes_on = fault == Fault::Once && survivor == Survivor::Everything;
                match &done {
                    Ok(()) => assert!(found == new, "{place}: it was done"),
                    Err(error) if goes_on => {
                        let is_there = error.kind() == ErrorKind::NotLasting;
                        let expected = if is_there { &new } else { &old };
                        assert!(found == *expected, "{place}: {error}");
                    }
                    Err(_) => assert!(found == old || found == new, "{place}"),
                }
                // Whoever comes next finds no trace of it.
                import(&left, &games(50..51), false).unwrap();
                let more = said(&left).unwrap();
                let count = found.map_or(0, |found| found.len());
                assert_eq!(more.len(), count + 1, "{place}");
            }
            // A disk that is full, or failed once, is left as tidy as it was.
            if fault == Fault::Full && done.is_err() {
                assert_eq!(said(&disk.survivor(Survivor::Everything)), old);
                is_tidy(&disk.survivor(Survivor::Everything));
            }
        }
    }
}

#[test]
fn a_change_is_made_wholly_or_not_at_all() {
    let before = store();
    for (name, deed) in DEEDS {
        whatever_fails(&before, deed, name);
    }
}

#[test]
fn a_new_store_is_there_wholly_or_not_at_all() {
    whatever_fails(&FaultyDisk::new(), append, "a new store");
}

#[test]
fn who_made_a_change_that_may_not_last_knows_that_it_is_there() {
    let before = store();
    let whole = before.failing(u64::MAX, Fault::Once);
    delete(&whole).unwrap();
    let mut lost = 0;
    for step in 0..whole.steps() {
        let disk = before.failing(step, Fault::Once);
        let Ok(seen) = open(&disk).map(Store::of_this_state) else {
            continue;
        };
        let done = seen.mark(&[1, 3], true);
        lost += usize::from(
            done.as_ref()
                .is_err_and(|error| error.kind() == ErrorKind::NotLasting),
        );
        assert!(seen.has_led_to(&open(&disk).unwrap()), "{step}: {done:?}");
    }
    assert!(lost > 0);
}

#[test]
fn who_comes_second_is_refused_and_changes_nothing() {
    let disk = store();
    let _first = Importer::begin(Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
    let before = said(&disk);
    for (name, deed) in DEEDS {
        assert!(deed(&disk).is_err(), "{name}");
    }
    assert_eq!(said(&disk), before);
}
