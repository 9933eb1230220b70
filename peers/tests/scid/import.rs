//! One PGN, two databases: what Scid imports and what tabiya writes.

use std::{collections::BTreeMap, path::Path};

use tabiya_game::{GameTree, Item};
use tabiya_peers::{data, scid::Scid};

use super::{
    LIST, RARE, annotated, clean, normal, parse, read_export, read_pgn, tournaments, write,
    write_pgn,
};

/// Where what Scid says of its own database and of tabiya's differs: the games, what, and how
/// often.
///
/// Its import drops variations without moves (three games). tabiya keeps as tags what fields have no
/// room for: event dates far off, a date of `?.??.??`, a rating of `unknown` or 0.
const DIFFERENCES: &[(&str, &str, usize)] = &[("annotated", "list", 3), ("annotated", "tags", 13)];

/// Both databases in one folder, and what Scid says of them: its lists, and its exports.
fn compare(scid: &Scid, folder: &Path, games: &[GameTree]) -> [(Vec<String>, Vec<GameTree>); 2] {
    let pgn = folder.join("games.pgn");
    write_pgn(&pgn, games);
    write(&folder.join("ours.si4"), &read_pgn(&pgn));
    let imported = scid.run(&format!(
        "cd {}\nset base [sc_base create SCID4 theirs]\nputs [sc_base import $base games.pgn]",
        folder.display()
    ));
    let expected = format!("{} {{}}", games.len());
    assert_eq!(imported.trim(), expected, "what was imported, and errors");
    ["theirs", "ours"].map(|name| {
        // Only after it was closed does Scid say what is in the files.
        let list = scid.run(&format!(
            "{LIST}cd {}\nset base [sc_base open SCID4 {name}]\nlist_games $base\n\
             sc_filter export $base dbfilter N+ {name}.pgn PGN",
            folder.display()
        ));
        let export = read_export(&folder.join(name).with_extension("pgn"));
        (list.lines().map(str::to_owned).collect(), export)
    })
}

/// Comments and glyphs at every place where PGN can have them.
const NOTES: [&str; 14] = [
    "1. e4 e5 (1... c5 {in} 2. Nf3) {after} 2. Nf3 {last} *",
    "1. e4 e5 {b} (1... c5 {in} 2. Nf3) {after} 2. Nf3 {last} *",
    "1. e4 e5 {b} (1... c5) {m} (1... c6) {after} 2. Nf3 {last} *",
    "{x} {y} 1. e4 {a} {b} e5 *",
    "1. e4 e5 ({pre} 1... c5 {post} 2. Nf3) *",
    "1. e4 e5 (1... c5) $1 2. Nf3 *",
    "1. e4 e5 $1 (1... c5) $18 {d} 2. Nf3 *",
    "1. e4 e5 (1... c5 (1... c6) {x} {y}) {z} 2. {bef} Nf3 {w} {v} *",
    "1. e4 e5 () 2. Nf3 *",
    "1. e4 e5 ({only}) {q} 2. Nf3 *",
    "1. e4 e5 (1... c5 2. -- $4 {n} (2. Nf3 {u}) {t}) 2. Nf3 *",
    "1. e4 e5 (1... c5 (1... c6 {i}) {j}) {k} *",
    "1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3 {deep}) {less} 2... e6) {first}) {top} *",
    "1. -- {null} (1. e4 {move}) {behind} -- *",
];

/// What is in the game file, but for spaces: Scid joins comments without one.
fn records(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path.with_extension("sg4")).expect("a game file");
    bytes.into_iter().filter(|byte| *byte != b' ').collect()
}

#[test]
fn notes_are_stored_where_scid_stores_them() {
    let Some(scid) = Scid::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for notes in NOTES {
        let pgn = format!("[Event \"x\"]\n\n{notes}\n");
        std::fs::write(folder.path().join("games.pgn"), &pgn).expect("a file");
        let ours = folder.path().join("ours.si4");
        write(&ours, &parse(&pgn));
        let imported = scid.run(&format!(
            "cd {}\nfile delete theirs.si4 theirs.sn4 theirs.sg4\n\
             set base [sc_base create SCID4 theirs]\nputs [sc_base import $base games.pgn]",
            folder.path().display()
        ));
        assert_eq!(imported.trim(), "1 {}", "{notes}");
        let theirs = records(&folder.path().join("theirs.si4"));
        assert_eq!(records(&ours), theirs, "{notes}");
    }
}

/// Scid drops a glyph before the first move of a line; on the move it shows it.
#[test]
fn scid_shows_a_glyph_that_stood_before_a_line() {
    let Some(scid) = Scid::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let ours = folder.path().join("ours.si4");
    write(&ours, &parse("$2 1. e4 e5 ($1 1... c5 2. Nf3) *"));
    let said = scid.run(&format!(
        "cd {}\nset base [sc_base open SCID4 ours]\n\
         sc_filter export $base dbfilter N+ ours.pgn PGN",
        folder.path().display()
    ));
    assert_eq!(said.trim(), "");
    let shown = &read_export(&ours.with_extension("pgn"))[0];
    let nags = |item: &&Item| matches!(item, Item::Nag(_));
    assert_eq!(shown.items.iter().filter(nags).count(), 2);
}

#[test]
fn scid_says_the_same_of_both() {
    let Some(scid) = Scid::find() else { return };
    let mut sources = vec![("rare", parse(RARE))];
    if let Some(folder) = data::folder() {
        sources.push(("annotated", annotated(&folder)));
        sources.push(("tournaments", tournaments(&folder, usize::MAX)));
        let clocks = read_pgn(&folder.join("pgn/lichess.pgn.zst"));
        sources.push(("clocks", clean(clocks.into_iter().take(1_000).collect())));
    }
    let mut differences = BTreeMap::new();
    for (source, games) in &sources {
        let folder = tempfile::tempdir().expect("a folder");
        let [theirs, ours] = compare(&scid, folder.path(), games);
        assert_eq!((ours.0.len(), ours.1.len()), (games.len(), games.len()));
        assert_eq!((theirs.0.len(), theirs.1.len()), (games.len(), games.len()));
        println!("{source}: {} games", games.len());
        let mut differ = |what: &'static str, ours: String, theirs: String| {
            let (count, example) = differences.entry((*source, what)).or_insert((0, None));
            *count += 1;
            example.get_or_insert((ours, theirs));
        };
        for (ours, theirs) in ours.0.iter().zip(&theirs.0) {
            if ours != theirs {
                differ("list", ours.clone(), theirs.clone());
            }
        }
        for (ours, theirs) in ours.1.iter().zip(&theirs.1) {
            let (ours, theirs) = (normal(ours), normal(theirs));
            if ours.tags != theirs.tags {
                let tags = |tree: &GameTree| format!("{:?}", tree.tags);
                differ("tags", tags(&ours), tags(&theirs));
            }
            let moves = |tree: &GameTree| (tree.start, tree.items.clone(), tree.result);
            if moves(&ours) != moves(&theirs) {
                let differing = ours
                    .items
                    .iter()
                    .zip(&theirs.items)
                    .position(|(a, b)| a != b);
                let from = differing.unwrap_or(0);
                let some = |tree: &GameTree| {
                    format!(
                        "{:?}: {:?}",
                        tree.tags,
                        tree.items.iter().skip(from).take(3).collect::<Vec<_>>()
                    )
                };
                differ("moves", some(&ours), some(&theirs));
            }
        }
    }
    let found: Vec<_> = differences
        .iter()
        .map(|((source, what), (count, _))| (*source, *what, *count))
        .collect();
    assert!(found == DIFFERENCES, "{differences:#?}");
}
