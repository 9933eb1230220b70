//! Whoever is killed while a database is changed leaves it as it was or as it shall be.

use std::path::Path;

use tabiya_chessbase::edit;

use super::{
    check_tables,
    edit::{GAMES, create, entries},
    reader,
};

use crate::killing::{Family, NEW};

const FAMILY: Family = Family {
    test: "writing::kill::a_change_that_may_be_killed",
    name: "games.cbh",
    swap_list: ".games.tabiya-swap",
    create: create_some,
    change,
    read: reader::read,
    check: check_tables,
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
        "append" => edit::append(path, &entries(GAMES)),
        "replace" => edit::replace(path, 1, &entries(NEW)[0]),
        "compact" => edit::compact(path),
        other => panic!("{other}"),
    };
    done.expect("a change");
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
