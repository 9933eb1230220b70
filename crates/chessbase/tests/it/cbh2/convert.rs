//! Databases on their way through the registry, as the command converts them.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use tabiya_formats::{
    Destination, FORMATS, convert_part,
    dump::Line,
    pgn,
    registry::{self, Registry, Settings, WriteOptions},
};
use tabiya_game::{Filter, GameState, GameTree, Item, LossKind, Losses, Numbers};

use super::{data, games, read};

pub fn registry() -> Registry {
    let mut registry = Registry::of(FORMATS);
    registry.register(&tabiya_chessbase::FORMAT);
    registry
}

/// Everything is wanted.
fn options() -> WriteOptions {
    WriteOptions {
        settings: Settings::new().with(&pgn::KEEP_RAW, true),
        ..WriteOptions::default()
    }
}

/// An entry as it was written, and what was lost.
pub struct Written {
    /// If it is text.
    bytes: Option<Vec<u8>>,
    pub losses: Losses,
}

fn text(written: &Written) -> Cow<'_, str> {
    let bytes = written.bytes.as_deref();
    String::from_utf8_lossy(bytes.expect("a text"))
}

/// Converts a file, deleted games too, and returns what was written.
pub fn convert(from: &Path, to: &Path) -> Vec<Written> {
    let options = registry::ReadOptions {
        deleted: true,
        ..registry::ReadOptions::default()
    };
    let mut opened = registry().open(from, None, &options).expect("it opens");
    let profile = registry().by_path(to).expect("a format");
    let mut target = registry()
        .target(profile, Destination::New(to), &self::options())
        .expect("a target");
    let mut written = Vec::new();
    while let Some(part) = opened.database.next_part().expect("a part") {
        let writer = registry()
            .writer(profile, &self::options())
            .expect("a writer");
        let converted = convert_part(&*part, &Filter::default(), &Numbers::default(), writer)
            .expect("its games");
        let added = target.add(&converted.records, converted.all());
        added.expect("entries are added");
        let bytes = converted.records.bytes();
        let mut begin = 0;
        for entry in converted.entries {
            if !entry.refused {
                written.push(Written {
                    bytes: bytes.map(|bytes| bytes[begin..entry.end].to_vec()),
                    losses: entry.losses,
                });
            }
            begin = entry.end;
        }
    }
    assert_eq!(target.finish().expect("it is finished"), [""; 0]);
    written
}

/// Games whose second PGN is another one than the first, by what was lost between them.
type Changed = BTreeMap<String, u32>;

/// PGN -> 2CBH -> PGN -> 2CBH -> PGN: the second and the third PGN.
fn there_and_back(path: &Path) -> (usize, Changed) {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name);
    convert(path, &at("games.2cbh"));
    let first = convert(&at("games.2cbh"), &at("first.pgn"));
    let between = convert(&at("first.pgn"), &at("again.2cbh"));
    let second = convert(&at("again.2cbh"), &at("second.pgn"));
    assert_eq!(first.len(), second.len(), "{}", path.display());
    let mut changed = Changed::new();
    for ((first, between), second) in first.iter().zip(&between).zip(&second) {
        if first.bytes != second.bytes {
            let losses = between.losses.iter();
            let mut kinds: Vec<_> = losses.map(|(kind, ..)| format!("{kind:?}")).collect();
            kinds.extend(between.losses.respelled().map(|_| "respelled".to_owned()));
            if changed.is_empty() || kinds.is_empty() {
                let [first, second] = [first, second].map(|it| text(it));
                println!("{first}\n-->\n{second}\n{:?}", between.losses);
            }
            *changed.entry(kinds.join(", ")).or_default() += 1;
        }
    }
    println!("{}: {} games, {changed:?}", path.display(), first.len());
    (first.len(), changed)
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_give_the_same_pgn_again() {
    let Some(folder) = data::find("pgn") else {
        return;
    };
    let names = [
        "lichess.pgn.zst",
        "chess960.pgn.zst",
        "chess960rwch.pgn",
        "twic-small.pgn.zst",
    ];
    let mut files: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let annotated = fs::read_dir(folder.join("annotated")).expect("a folder");
    let annotated = annotated.map(|entry| entry.expect("an entry").path());
    files.extend(annotated.filter(|path| path.extension().is_some_and(|it| it == "pgn")));
    for path in files {
        let (_, changed) = there_and_back(&path);
        assert_eq!(changed, Changed::new(), "{}", path.display());
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn real_databases_give_the_same_pgn_again() {
    let Some(folder) = data::find("chessbase2") else {
        return;
    };
    // Of positions without both kings the error stands at another byte; two have moves, which are
    // lost with their number. Titles lose line breaks at their ends. All of that is said.
    let said = [
        ("CommentPlace", 5),
        ("Tag, CommentPlace, Error", 2),
        ("respelled", 3),
    ];
    let said = Changed::from(said.map(|(kinds, count)| (kinds.to_owned(), count)));
    for (name, expected) in [("simple.2cbv", said), ("gelfer.2cbv", Changed::new())] {
        let (_, changed) = there_and_back(&folder.join(name));
        assert_eq!(changed, expected, "{name}");
    }
}

/// What a dump says of where things stand.
const ELSEWHERE: [&str; 5] = ["at byte", " 0", "to spare", "bytes in all", "player "];

/// The lines of a dump that are part of an entry.
fn said(path: &Path, game: u64) -> Vec<String> {
    let options = registry::ReadOptions::default();
    let dump = registry()
        .dump(path, None, game, &options)
        .expect("it opens");
    let (_, dump) = dump.expect("it can be explained");
    let lines = dump.sections.iter().flat_map(|section| &section.lines);
    let tells = |line: &&Line| !ELSEWHERE.iter().any(|what| line.meaning.contains(what));
    let numbers = [
        "tournament",
        "source",
        "title",
        "annotator",
        "author",
        "White",
        "Black",
    ];
    let refers = |line: &Line| numbers.iter().any(|name| line.meaning.starts_with(name));
    lines
        .filter(tells)
        .filter(|line| !(refers(line) && line.bytes.len() == 8))
        .map(|line| format!("{} {:02x?}", line.meaning, line.bytes))
        .collect()
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_database_becomes_another_one_with_all_that_no_tag_tells() {
    let Some(folder) = data::find("chessbase2") else {
        return;
    };
    for (name, records) in [("simple.2cbv", 60), ("gelfer.2cbv", 271)] {
        let place = tempfile::tempdir().expect("a folder");
        let copy = place.path().join("copy.2cbh");
        let written = convert(&folder.join(name), &copy);
        let lost: Vec<_> = written.iter().flat_map(|it| it.losses.iter()).collect();
        assert_eq!(lost.len(), 0, "{name}: {:?}", lost.first());
        let mut different = BTreeMap::new();
        for game in 1..=records {
            let (old, mut new) = (said(&folder.join(name), game), said(&copy, game));
            assert_eq!(old.len(), new.len(), "{name} {game}");
            // What stands before a move is told before what stands after it: the order may differ.
            for old in old {
                match new.iter().position(|new| *new == old) {
                    Some(same) => drop(new.swap_remove(same)),
                    None => {
                        let what = old.split(['"', '[', ':']).next().unwrap_or_default();
                        *different.entry(what.to_owned()).or_insert(0) += 1;
                    }
                }
            }
        }
        println!("{name}: {different:?}");
        // Texts in Windows-1252 become UTF-8, and so their records and checksums change.
        different.retain(|what, _| {
            let rewritten = [
                "Text",
                "checksum",
                "bytes of content",
                "Glyphs",
                "how much of it",
            ];
            !rewritten.iter().any(|it| what.contains(it))
        });
        assert_eq!(different, BTreeMap::new(), "{name}");
    }
}

/// Losses by their kinds.
type Kinds = BTreeMap<LossKind, u64>;

fn kinds(written: &[Written]) -> Kinds {
    let mut kinds = Kinds::new();
    for (kind, count, first) in written.iter().flat_map(|it| it.losses.iter()) {
        println!("{first:?}");
        *kinds.entry(kind).or_default() += count;
    }
    kinds
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn both_families_keep_what_both_hold() {
    let Some(folder) = data::find("") else { return };
    let classic = [
        "chessbase/libcbh/Annotation/TestBase.cbh",
        "chessbase/libcbh/Chess960Biel/Chess960Biel.cbh",
    ];
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name);
    for name in classic {
        for (from, to) in [
            (folder.join(name), "newer.2cbh"),
            (at("newer.2cbh"), "classic.cbh"),
        ] {
            let losses = kinds(&convert(&from, &at(to)));
            assert_eq!(losses, Kinds::new(), "{name} to {to}");
        }
        let one = convert(&folder.join(name), &at("one.pgn"));
        let other = convert(&at("classic.cbh"), &at("other.pgn"));
        assert_eq!(one.len(), other.len(), "{name}");
        for (one, other) in one.iter().zip(&other) {
            let [one, other] = [one, other].map(|it| text(it));
            assert_eq!(one, other, "{name}");
        }
    }
    let newer = folder.join("chessbase2/simple.2cbv");
    let losses = kinds(&convert(&newer, &at("down.cbh")));
    // Seven positions without both kings: their error, and the tags of their starts. Two have moves,
    // which are counted.
    let no_kings = [(LossKind::Tag, 2 * 7 + 2), (LossKind::Error, 7)];
    assert_eq!(losses, Kinds::from(no_kings));
    let options = registry::ReadOptions::default();
    let texts = |path: &Path| {
        let mut opened = registry().open(path, None, &options).expect("it opens");
        let mut told = super::Told::default();
        while let Some(part) = opened.database.next_part().expect("a part") {
            part.tell(&mut told).expect("its games");
        }
        told
    };
    let (up, down) = (texts(&newer), texts(&at("down.cbh")));
    assert_eq!(up.texts, down.texts);
    assert_eq!(up.games.len(), down.games.len());
    let moves = |game: &GameTree| -> Vec<String> {
        let is_move = |item: &&Item| matches!(item, Item::Move(_) | Item::Nag(_));
        let moves = game.items.iter().filter(is_move);
        moves.map(|item| format!("{item:?}")).collect()
    };
    let both = up.games.iter().zip(&down.games);
    for (up, down) in both.filter(|(up, _)| up.state == GameState::Complete) {
        assert_eq!(moves(up), moves(down));
    }
}

#[test]
fn archives_hold_the_same_games() {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name);
    let pgn =
        "[White \"Tal, Mikhail\"]\n[Result \"1-0\"]\n\n1. e4 {best by test} e5 (1... c5) 1-0\n";
    fs::write(at("games.pgn"), pgn).expect("a file");
    convert(&at("games.pgn"), &at("games.2cbh"));
    convert(&at("games.2cbh"), &at("games.2cbv"));
    convert(&at("games.2cbv"), &at("again.2cbh"));
    assert_eq!(games(&at("games.2cbh")), games(&at("again.2cbh")));
    for kind in ["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"] {
        let [one, other] = ["games", "again"].map(|name| fs::read(at(name).with_extension(kind)));
        assert_eq!(one.expect("a file"), other.expect("a file"), "{kind}");
    }
    assert_eq!(read(&at("again.2cbh")).games.len(), 1);
}
