//! Whatever of its files is damaged: nothing wrong is answered, and nobody is told that all is well.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tabiya_game::{GameState, GameTree};

use super::{append, games, told};
use crate::Store;

/// A store with files of all kinds, and what it says.
struct Whole {
    _folder: tempfile::TempDir,
    path: PathBuf,
    /// Its games, and whether each is deleted.
    said: Vec<(GameTree, bool)>,
}

impl Whole {
    fn new() -> Whole {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.tabiya");
        append(&path, &games(0..12));
        append(&path, &games(12..15));
        Store::open(&path).unwrap().mark(&[2, 14], true).unwrap();
        let other = &games(40..41)[0];
        Store::open(&path).unwrap().replace(4, other).unwrap();
        let store = Store::open(&path).unwrap();
        let said = (1..=store.count()).map(|number| entry(&store, number).unwrap());
        Whole {
            said: said.collect(),
            _folder: folder,
            path,
        }
    }

    fn files(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.path).unwrap();
        let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        files
    }

    /// What is said of it while one of its files has other bytes, or is not there.
    fn examine(&self, file: &Path, bytes: Option<&[u8]>, what: &str) {
        let before = fs::read(file).unwrap();
        match bytes {
            Some(bytes) => fs::write(file, bytes).unwrap(),
            None => fs::remove_file(file).unwrap(),
        }
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let what = format!("{name}: {what}");
        self.refuses(&name, &what);
        self.salvages(&name, &what);
        // Nothing is made of it that would pass for whole.
        let store = Store::open(&self.path).and_then(|store| store.compact());
        let error = store.expect_err(&what).to_string();
        assert!(error.contains(&name), "{what}: {error}");
        fs::write(file, before).unwrap();
    }

    /// Who wants it whole gets the truth or an error that names the file.
    fn refuses(&self, name: &str, what: &str) {
        let store = match Store::open(&self.path) {
            Ok(store) => store,
            Err(error) => return assert!(error.to_string().contains(name), "{what}: {error}"),
        };
        let found = store.examine();
        assert!(
            found.iter().any(|sentence| sentence.contains(name)),
            "{what}: {found:?}"
        );
        for (number, said) in (1..).zip(&self.said) {
            match entry(&store, number) {
                Ok(entry) => assert!(entry == *said, "{what}: game {number}"),
                Err(error) => assert!(error.to_string().contains(name), "{what}: {error}"),
            }
        }
        // A file that only replaces has no columns here.
        let is_original = !name.starts_with("00000004");
        let is_refused = store.batches().any(|batch| batch.is_err());
        assert_eq!(is_refused, is_original, "{what}");
    }

    /// Who wants what is left gets the truth, or broken games, and hears of it.
    fn salvages(&self, name: &str, what: &str) {
        let store = Store::salvage(&self.path).expect(what);
        let found = store.examine();
        assert!(
            found.iter().any(|sentence| sentence.contains(name)),
            "{what}: {found:?}"
        );
        if name == "manifest.json" {
            return self.is_all_there(&store, what);
        }
        let marks_are_lost = name.ends_with("deleted.bin");
        for (number, (game, deleted)) in (1..).zip(&self.said) {
            let (found, is_deleted) = entry(&store, number).unwrap();
            let is_flagged = found.state == GameState::Broken && found != *game;
            assert!(found == *game || is_flagged, "{what}: game {number}");
            assert_eq!(is_deleted, *deleted && !marks_are_lost, "{what}: {number}");
        }
    }

    /// What is told without a manifest: all that is in the files, in another order.
    fn is_all_there(&self, store: &Store, what: &str) {
        let found = (1..=store.count()).map(|number| entry(store, number).unwrap().0);
        let found: Vec<GameTree> = found.collect();
        // The one that was replaced, too.
        assert_eq!(found.len(), self.said.len() + 1, "{what}");
        for (game, _) in &self.said {
            assert!(found.contains(game), "{what}");
        }
        assert_eq!(store.deleted(), 0, "{what}");
    }
}

fn entry(store: &Store, number: u64) -> Result<(GameTree, bool), tabiya_game::Error> {
    let mut game = GameTree::default();
    store.tell(number, &mut game)?;
    Ok((told(vec![game]).remove(0), store.is_deleted(number)))
}

/// How many places of each file are tried.
const PLACES: usize = 60;

#[test]
fn a_bit_that_is_flipped_anywhere_is_no_secret() -> io::Result<()> {
    let whole = Whole::new();
    let files = whole.files();
    assert_eq!(files.len(), 3 * 2 + 2, "{files:?}");
    for file in files {
        let bytes = fs::read(&file)?;
        let step = (bytes.len() / PLACES).max(1);
        for (index, place) in (0..bytes.len()).step_by(step).enumerate() {
            let mut bytes = bytes.clone();
            bytes[place] ^= 1 << (index % 8);
            whole.examine(
                &file,
                Some(&bytes),
                &format!("bit {} of {place}", index % 8),
            );
        }
    }
    Ok(())
}

#[test]
fn a_file_that_is_cut_off_or_gone_is_no_secret() -> io::Result<()> {
    let whole = Whole::new();
    for file in whole.files() {
        let bytes = fs::read(&file)?;
        let step = (bytes.len() / 20).max(1);
        for len in (0..bytes.len()).step_by(step) {
            whole.examine(&file, Some(&bytes[..len]), &format!("{len} bytes"));
        }
        whole.examine(&file, None, "gone");
        let longer = [&bytes[..], b"\0"].concat();
        whole.examine(&file, Some(&longer), "longer");
    }
    Ok(())
}
