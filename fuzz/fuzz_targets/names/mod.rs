//! What the targets for files about names share.

use std::{fs, path::Path};

use tabiya::{
    Filter,
    names::{Level, Names},
};

/// Names and ids that few bytes can hit.
const PGN: &str = "[Event \"a\"]\n[Site \"b\"]\n[White \"Tal, Mikhail\"]\n[Black \"ab\"]\n\
    [WhiteFideId \"1\"]\n[Date \"1960.??.??\"]\n\n1. e4 *\n\n\
    [Event \"aa\"]\n[Site \"B\"]\n[White \"Mikhail Tal\"]\n[Black \"a, b\"]\n[BlackFideId \"2\"]\n\n1. d4 *\n";

/// Proposes names as a file has them, twice.
pub fn propose(bytes: &[u8], file: impl Fn(Names, &Path) -> Names) {
    let folder = tempfile::tempdir().expect("a folder");
    let [games, path] = ["games.pgn", "names"].map(|name| folder.path().join(name));
    fs::write(&games, PGN).expect("there is room");
    fs::write(&path, bytes).expect("there is room");
    let names = file(Names::new().least(Level::Perhaps), &path);
    let told = || {
        let games = tabiya::open(&games).expect("games");
        let proposals = names.propose(&[games], &Filter::default()).ok()?;
        Some((
            proposals.plan().ok()?.steps.len(),
            proposals.groups,
            proposals.apart,
        ))
    };
    assert_eq!(told(), told());
}
