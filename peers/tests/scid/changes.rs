//! Databases that one program changes and the other reads.

use std::path::{Path, PathBuf};

use tabiya_formats::scid::{Editor, compact};
use tabiya_game::{GameTree, Item};
use tabiya_peers::{data, scid::Scid};

use super::{RARE, normal, parse, read_export, read_scid, record, tournaments, write};

/// Games from tournaments where there are some, and always the rare ones.
fn games() -> Vec<GameTree> {
    let mut games = parse(RARE);
    // Scid exports notes in an order of its own.
    games.retain(|game| game.tags.event() != Some("Notes in another order"));
    if let Some(data) = data::folder() {
        games.extend(tournaments(&data, 1_500));
    }
    games
}

/// A database of tabiya's, in a folder that lives as long.
fn database(games: &[GameTree]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.si4");
    write(&path, games);
    (folder, path)
}

/// Lets Scid open a database, run a script with it as `$base`, and export all games.
fn with_scid(scid: &Scid, path: &Path, script: &str) -> (String, Vec<GameTree>) {
    let export = path.with_extension("pgn");
    let said = scid.run(&format!(
        "set base [sc_base open SCID4 {}]\nsc_base switch $base\n{script}\n\
         sc_filter export $base dbfilter N+ {} PGN",
        path.with_extension("").display(),
        export.display()
    ));
    (said, read_export(&export))
}

const DELETED: &str = "for {set game 1} {$game <= [sc_base numGames $base]} {incr game} {
    if {[sc_base gameflag $base $game get D]} {puts $game}
}";

/// Which games of a database are deleted, as tabiya reads it.
fn deleted(games: &[GameTree]) -> Vec<usize> {
    let is_deleted = |game: &GameTree| {
        game.tags
            .get("ScidFlags")
            .is_some_and(|flags| flags.contains('D'))
    };
    let numbered = (1..).zip(games);
    numbered
        .filter(|(_, game)| is_deleted(game))
        .map(|(number, _)| number)
        .collect()
}

/// Both read the same, deleted games included. Returns the games.
#[track_caller]
fn both_read_the_same(scid: &Scid, path: &Path) -> Vec<GameTree> {
    let (said, theirs) = with_scid(scid, path, DELETED);
    let ours = read_scid(path);
    assert_eq!(ours.len(), theirs.len());
    for (number, (ours, theirs)) in (1..).zip(ours.iter().zip(&theirs)) {
        assert_eq!(normal(ours), normal(theirs), "game {number}");
    }
    let said: Vec<usize> = said.lines().filter_map(|line| line.parse().ok()).collect();
    assert_eq!(said, deleted(&ours));
    ours
}

#[test]
fn scid_reads_what_tabiya_changed() {
    let Some(scid) = Scid::find() else { return };
    let games = games();
    let (_folder, path) = database(&games);
    let count = games.len() as u64;
    both_read_the_same(&scid, &path);

    let mut editor = Editor::open(&path).expect("a database");
    for number in (1..=count).step_by(7) {
        // Another game of the database, and a new name.
        let mut game = games[(count - number) as usize].clone();
        game.tags.set("White", format!("Replaced, {number}"));
        editor.replace(number, &record(&game)).expect("a game");
    }
    for number in (3..=count).step_by(5) {
        editor.delete(number).expect("a game");
    }
    editor.undelete(1).expect("a game");
    for game in games.iter().take(10) {
        editor.append(&record(game)).expect("there is room");
    }
    editor.commit().expect("it is changed");
    let changed = both_read_the_same(&scid, &path);
    assert_eq!(changed.len(), games.len() + 10);
    assert_eq!(changed[0].tags.get("White"), Some("Replaced, 1"));

    let done = compact(&path).expect("it is compacted");
    assert!(done.deleted > 0);
    let compacted = both_read_the_same(&scid, &path);
    assert_eq!(compacted.len() as u64, done.games);
    let (said, _) = with_scid(&scid, &path, "puts [sc_base compact $base stats]");
    assert_eq!(said.trim(), "0 0 0 0", "what Scid would compact");
}

#[test]
fn tabiya_reads_what_scid_changed() {
    let Some(scid) = Scid::find() else { return };
    let games = games();
    let (_folder, path) = database(&games);
    // Another player, a move more at the end, a comment, a flag, a name for a flag, and games from
    // another database.
    let script = "
        sc_game load 2
        sc_game tags set -white {Changed, Player} -extra {{Annotator \"Scid\"}}
        sc_move end
        sc_pos setComment {written by Scid}
        sc_game save 2
        sc_game load 5
        sc_move end
        sc_move addSan Nf3
        sc_game save 5
        sc_base gameflag $base 3 set D
        sc_base gameflag $base 4 set T
        sc_base extra $base description {changed by Scid}
        sc_base extra $base flag1 Sharp
        set other [sc_base create MEMORY other]
        sc_base copygames $base 1 $other
        sc_base copygames $other 1 $base";
    with_scid(&scid, &path, script);
    let changed = both_read_the_same(&scid, &path);
    assert_eq!(changed.len(), games.len() + 1);
    assert_eq!(changed[1].tags.get("White"), Some("Changed, Player"));
    let is_theirs =
        |item: &Item| matches!(item, Item::Comment { text, .. } if text == "written by Scid");
    assert!(changed[1].items.iter().any(is_theirs));
    assert_eq!(
        changed[4].main_line().count(),
        games[4].main_line().count() + 1
    );
    // The game was marked as deleted from the beginning, and so was its copy.
    assert_eq!(deleted(&changed), [1, 3, changed.len()]);
    let scid_flags = changed[3].tags.get("ScidFlags");
    assert_eq!(scid_flags, Some("T"));

    with_scid(&scid, &path, "sc_base compact $base");
    let compacted = both_read_the_same(&scid, &path);
    assert_eq!(compacted.len(), changed.len() - 3);
    let info = tabiya_formats::scid::Scid::open(&path, Default::default()).expect("a database");
    let info = info.information();
    assert_eq!(
        (&*info.description, &*info.flags[0]),
        (&b"changed by Scid"[..], &b"Sharp"[..])
    );

    // And on it goes.
    let mut editor = Editor::open(&path).expect("a database");
    editor.append(&record(&games[0])).expect("there is room");
    editor.commit().expect("it is changed");
    both_read_the_same(&scid, &path);
}
