//! Ten years of weekly appends.

use std::{
    env,
    time::{Duration, Instant},
};

use tabiya_game::{
    GameTree,
    generate::{Generator, Options},
};
use tabiya_store::Store;

const WEEKS: u64 = 520;

/// How long a week may wait for its games.
const PATIENCE: Duration = Duration::from_secs(2);

#[test]
#[ignore = "takes minutes; TABIYA_LONG=1 begins with a million games"]
fn every_week_is_there_at_once_and_merging_comes_after() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let generator = Generator::new(Options::default());
    let games: Vec<GameTree> = (0..1_000).map(|index| generator.game(index)).collect();
    let is_long = env::var_os("TABIYA_LONG").is_some();
    let first = if is_long { 1_000 } else { 20 };
    let mut importer = Store::import(&path).unwrap();
    for game in (0..first).flat_map(|_| &games) {
        importer.add(game).unwrap();
    }
    importer.finish().unwrap();
    let (mut longest, mut merging, mut merges) = (Duration::ZERO, Duration::ZERO, 0);
    for _ in 0..WEEKS {
        let start = Instant::now();
        let mut importer = Store::import(&path).unwrap();
        for game in &games {
            importer.add(game).unwrap();
        }
        let imported = importer.finish().unwrap();
        longest = longest.max(start.elapsed());
        let merged = imported.merge().unwrap();
        merging += merged.elapsed;
        merges += merged.merges;
    }
    let store = Store::open(&path).unwrap();
    assert_eq!(store.count(), (first + WEEKS) * 1_000);
    println!(
        "{WEEKS} weeks: the longest took {longest:?}; {merges} merges took {merging:?}; {} segments",
        store.segments()
    );
    // On a busy machine a clock says nothing: only the long proof looks at it.
    assert!(!is_long || longest < PATIENCE, "{longest:?}");
    assert!(store.segments() < 40, "{}", store.segments());
}
