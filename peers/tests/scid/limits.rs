//! Scid reads databases in which fields are as wide as they can be.

use std::fmt::Write as _;

use tabiya_game::Item;
use tabiya_peers::scid::Scid;

use super::{LIST, normal, parse, read_export, read_scid, write};

/// A name may have 255 bytes, and Scid shows it. But when it writes such a long line into PGN, it
/// stops with a buffer overflow.
const LONGEST_NAME: usize = 240;

/// More players than two bytes can number, an event that is used more often than two bytes can
/// count, a long name, and the longest record there is room for.
#[test]
fn scid_reads_the_widest_fields() {
    const GAMES: usize = 66_000;
    let Some(scid) = Scid::find() else { return };
    let mut pgn = String::new();
    for number in 1..=GAMES {
        let tags = format!("[Event \"One\"]\n[White \"Player {number}\"]\n[Black \"\u{e9}\"]");
        write!(pgn, "{tags}\n\n1. e4 e5 *\n\n").expect("a game");
    }
    // Two zeros, one move, a mark, the end, and a zero behind the comment.
    let comment = "x y ".repeat(131_071 / 4)[..131_071 - 6].to_owned();
    let name = "n".repeat(LONGEST_NAME);
    write!(
        pgn,
        "[Event \"One\"]\n[White \"{name}\"]\n\n1. e4 {{{comment}}} *\n\n"
    )
    .expect("a game");
    let games = parse(&pgn);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wide.si4");
    write(&path, &games);
    let index = tabiya_formats::scid::Scid::open(&path, Default::default()).expect("a database");
    let last = index.games();
    assert_eq!(index.entry(last).map(|entry| entry.length), Some(131_071));

    let export = folder.path().join("wide.pgn");
    let said = scid.run(&format!(
        "{LIST}set base [sc_base open SCID4 {}]\nlist_games $base\n\
         sc_filter export $base dbfilter N+ {} PGN",
        path.with_extension("").display(),
        export.display()
    ));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), GAMES + 1);
    for number in [1, 255, 256, 65_535, 65_536, 65_537, GAMES] {
        let expected = format!("{number}_0 {number} * 1 {{Player {number}}} 0 \u{e9} 0");
        let line = lines[number - 1];
        assert!(line.starts_with(&expected), "{line}");
    }
    assert!(lines[GAMES].contains(&name));
    let theirs = read_export(&export);
    let ours = read_scid(&path);
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(normal(ours), normal(theirs));
    }
    let is_whole = |item: &Item| matches!(item, Item::Comment { text, .. } if *text == comment);
    assert!(normal(&theirs[GAMES]).items.iter().any(is_whole));
}
