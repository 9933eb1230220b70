//! Whoever is killed while a database is changed leaves it as it was or as it shall be.

use std::path::Path;

use tabiya_chessbase::cbh2::edit;

use super::{
    edit::{GAMES, check_frames, create, entries},
    games,
    indexes::check_indexes,
};

use crate::killing::{Family, NEW};

const FAMILY: Family = Family {
    test: "cbh2::kill::a_change_that_may_be_killed",
    name: "games.2cbh",
    swap_list: ".games.2cbh.tabiya-swap",
    create: create_some,
    change,
    read: games,
    check,
};

fn create_some(path: &Path) {
    create(path);
    for _ in 0..20 {
        edit::append(path, &entries(GAMES)).expect("a change");
    }
    edit::delete(path, &[2, 5]).expect("a change");
}

fn change(path: &Path, change: &str) {
    let done = match change {
        "append" => edit::append(path, &entries(GAMES)).map(drop),
        "replace" => edit::replace(path, 1, &entries(NEW)[0]),
        "compact" => edit::compact(path).map(drop),
        other => panic!("{other}"),
    };
    done.expect("a change");
}

fn check(path: &Path) {
    check_frames(path);
    check_indexes(path);
}

/// What the other test starts, to kill it.
#[test]
fn a_change_that_may_be_killed() {
    FAMILY.change_if_asked();
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_database() {
    FAMILY.kill();
}
