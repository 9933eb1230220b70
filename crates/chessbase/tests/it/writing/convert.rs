//! Databases on their way through the registry, as the command converts them.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use tabiya_chessbase::{
    Database, ReadOptions,
    files::{
        header::Entry,
        set::FileSet,
        tags::{look_up, look_up_text},
    },
};
use tabiya_formats::{
    Destination, convert_part,
    dump::{Dump, Line},
    pgn,
    registry::{self, Registry, Settings, WriteOptions},
};
use tabiya_game::{Filter, LossKind, Losses, Numbers};

use super::{check_tables, data, databases, reader::extended};

/// Everything is wanted, even what only ChessBase understands.
fn everything() -> WriteOptions {
    WriteOptions {
        settings: Settings::new().with(&pgn::KEEP_RAW, true),
        ..WriteOptions::default()
    }
}

/// An entry as it was written, and what was lost.
struct Written {
    /// If it is text.
    bytes: Option<Vec<u8>>,
    losses: Losses,
}

fn text(written: &Written) -> Cow<'_, str> {
    let bytes = written.bytes.as_deref();
    String::from_utf8_lossy(bytes.expect("a text"))
}

/// Converts a file, deleted games too, and returns what was written. What was refused is left out.
fn convert(from: &Path, to: &Path) -> Vec<Written> {
    let options = registry::ReadOptions {
        deleted: true,
        ..registry::ReadOptions::default()
    };
    let mut registry = Registry::of(tabiya_formats::FORMATS);
    registry.register(&tabiya_chessbase::FORMAT);
    let wanted = everything();
    let mut opened = registry.open(from, None, &options).expect("it opens");
    let profile = registry.by_path(to).expect("a format");
    let mut target = registry
        .target(profile, Destination::New(to), &wanted)
        .expect("a target");
    let mut written = Vec::new();
    while let Some(part) = opened.database.next_part().expect("a part") {
        let writer = registry.writer(profile, &wanted).expect("a writer");
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

/// CBH -> PGN -> CBH -> PGN.
fn there_and_back(database: &Path) -> Changed {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name);
    let first = convert(database, &at("first.pgn"));
    let between = convert(&at("first.pgn"), &at("again.cbh"));
    check_tables(&at("again.cbh"));
    let second = convert(&at("again.cbh"), &at("second.pgn"));
    assert_eq!(first.len(), second.len(), "{}", database.display());
    let mut changed = Changed::new();
    for ((first, between), second) in first.iter().zip(&between).zip(&second) {
        if first.bytes != second.bytes {
            let kinds: Vec<_> = between.losses.iter().map(|(kind, ..)| kind).collect();
            if changed.is_empty() || kinds.is_empty() {
                let [first, second] = [first, second].map(|it| text(it));
                println!("{first}\n-->\n{second}\n{:?}", between.losses);
            }
            *changed.entry(format!("{kinds:?}")).or_default() += 1;
        }
    }
    println!("{}: {} games, {changed:?}", database.display(), first.len());
    changed
}

/// A PGN file as a database, and that there and back.
fn pgn_there_and_back(path: &Path) -> Changed {
    let place = tempfile::tempdir().expect("a folder");
    let database = place.path().join("games.cbh");
    convert(path, &database);
    there_and_back(&database)
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn databases_give_the_same_pgn_again() {
    let Some(folder) = data::find("") else { return };
    for (path, _) in databases(&folder) {
        assert_eq!(there_and_back(&path), Changed::new(), "{}", path.display());
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn annotated_games_give_the_same_pgn_again() {
    let Some(folder) = data::find("") else { return };
    let files = fs::read_dir(folder.join("pgn/annotated")).expect("a folder");
    let files = files.map(|entry| entry.expect("an entry").path());
    let mut changed = Changed::new();
    for path in files.filter(|path| path.extension().is_some_and(|it| it == "pgn")) {
        for (kinds, count) in pgn_there_and_back(&path) {
            *changed.entry(kinds).or_default() += count;
        }
    }
    assert_eq!(changed, Changed::new());
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_of_a_server_and_of_chess960_give_the_same_pgn_again() {
    let Some(folder) = data::find("") else { return };
    for name in ["lichess.pgn.zst", "chess960.pgn.zst", "chess960rwch.pgn"] {
        let path = folder.join("pgn").join(name);
        assert_eq!(pgn_there_and_back(&path), Changed::new(), "{name}");
    }
}

/// What a dump says of where things stand, how names are searched, and what most programs do not
/// count: it is not part of the game.
const ELSEWHERE: [&str; 14] = [
    "at byte",
    "White: player",
    "Black: player",
    "tournament ",
    "annotator ",
    "source ",
    "team ",
    "left child",
    "right child",
    "balance",
    "references",
    "first in game",
    "checksum",
    "material",
];

fn is_elsewhere(line: &Line) -> bool {
    let number_of_title = line.meaning.starts_with("title ") && !line.meaning.contains('"');
    number_of_title || ELSEWHERE.iter().any(|one| line.meaning.contains(one))
}

/// The fields of a dump by section, without places and numbers of records.
fn fields(dump: &Dump) -> BTreeMap<String, Vec<String>> {
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for section in &dump.sections {
        let title = section.title.split([',', '(']).next().unwrap_or_default();
        let title = title.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
        // Behind the end of a name is what was in the memory of the program.
        let bytes = !section.title.contains("record");
        let own = section.lines.iter().filter(|line| !is_elsewhere(line));
        let own = own.map(|line| match bytes {
            true => format!("{} {:?} {:02x?}", line.meaning, line.san, line.bytes),
            false => line.meaning.clone(),
        });
        fields.entry(title.to_owned()).or_default().extend(own);
    }
    fields
}

/// In how many entries sections of the dump differ after CBH -> CBH.
///
/// * names, annotations: letters of another code page are UTF-8 now; glyphs go to the places where
///   they belong; numbers of games are right.
/// * extended header: it was shorter.
/// * header: magnitudes and flags of annotations that are gone.
/// * moves, record: padding.
const DIFFERENT: [(&str, &[(&str, u32)]); 4] = [
    (
        "Hedgehog",
        &[
            ("annotations", 204),
            ("extended header", 231),
            ("header", 4),
            ("names", 1),
        ],
    ),
    ("Mate2", &[("moves", 1), ("record", 1)]),
    (
        "linares",
        &[
            ("annotations", 140),
            ("extended header", 503),
            ("header", 15),
        ],
    ),
    ("test-annotations", &[("annotations", 6)]),
];

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn dumps_are_equal_after_a_database_was_copied() {
    let Some(folder) = data::find("") else { return };
    let place = tempfile::tempdir().expect("a folder");
    let mut all = BTreeMap::new();
    for (path, files) in databases(&folder) {
        let copy = place.path().join(path.file_name().expect("a name"));
        convert(&path, &copy);
        check_tables(&copy);
        let copied = FileSet::open(&copy).expect("a database");
        let mut different = renamed(&files, &copied);
        let open = |path: &Path| Database::open(path, ReadOptions::default()).expect("it opens");
        let databases = [open(&path), open(&copy)];
        for id in 1..=u64::from(files.tables().expect("tables").headers.len()) {
            let dumps = databases
                .each_ref()
                .map(|it| it.explain(id).expect("a dump"));
            let [old, new] = dumps.each_ref().map(fields);
            for (section, lines) in &old {
                if new.get(section) != Some(lines) {
                    if !different.contains_key(section) {
                        println!("{section}: {lines:?}\n{:?}", new.get(section));
                    }
                    *different.entry(section.clone()).or_default() += 1;
                }
            }
        }
        let name = path.file_stem().expect("a name").to_string_lossy();
        all.insert(name.into_owned(), different);
    }
    let known = DIFFERENT.map(|(name, sections)| {
        let sections = sections
            .iter()
            .map(|(what, count)| (what.to_string(), *count));
        (name.to_owned(), sections.collect())
    });
    all.retain(|_, different| !different.is_empty());
    assert_eq!(all, BTreeMap::from(known));
}

/// How many entries do not have the names that they had.
fn renamed(old: &FileSet, new: &FileSet) -> BTreeMap<String, u32> {
    let (old, new) = (old.tables().expect("tables"), new.tables().expect("tables"));
    assert_eq!(old.headers.len(), new.headers.len());
    let mut renamed = BTreeMap::new();
    let entries = old.headers.iter().zip(new.headers.iter());
    for ((id, one), (_, other)) in entries {
        let names = |tables, entry: &Entry| {
            let mut details = match entry {
                Entry::Game(game) => look_up(tables, game, &extended(tables, id), &mut Vec::new()),
                Entry::Text(text) => look_up_text(tables, text, &mut Vec::new()),
                _ => Default::default(),
            };
            // A title that is empty is none.
            details.title = details.title.filter(|title| **title != Default::default());
            details
        };
        let [one, other] = [names(&old, &one), names(&new, &other)];
        if one != other {
            if renamed.is_empty() {
                println!("{one:?}\n{other:?}");
            }
            *renamed.entry("names".to_owned()).or_default() += 1;
        }
    }
    renamed
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_copy_of_a_copy_has_the_same_bytes() {
    let Some(folder) = data::find("") else { return };
    let place = tempfile::tempdir().expect("a folder");
    for (path, _) in databases(&folder) {
        let copies: [PathBuf; 2] = ["one", "two"].map(|name| place.path().join(name));
        let mut from = path.clone();
        for copy in &copies {
            let _ = fs::remove_dir_all(copy);
            fs::create_dir(copy).expect("a folder");
            let to = copy.join("games.cbh");
            let losses: Vec<_> = convert(&from, &to)
                .into_iter()
                .map(|it| it.losses)
                .collect();
            let kinds = losses.iter().flat_map(|losses| losses.iter());
            // The formatting of old texts is kept; the media that they show are not.
            assert!(kinds.into_iter().all(|(kind, ..)| kind == LossKind::Entry));
            from = to;
        }
        for entry in fs::read_dir(&copies[0]).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            let [one, two] = [0, 1].map(|at: usize| fs::read(copies[at].join(&name)));
            assert!(one.expect("a file") == two.expect("a file"), "{name:?}");
        }
    }
}
