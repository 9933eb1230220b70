//! One suite for every format that is both written and read: what it can hold comes back
//! identical, what it cannot hold is in the report, and nothing else is.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use tabiya::registry;
use tabiya_formats::{
    Destination, pgn,
    registry::{FormatProfile, ReadOptions, Settings, WriteOptions},
};
use tabiya_game::{
    GameTree, Item, LossKind, Losses,
    generate::{Generator, Options},
};
use tempfile::TempDir;

use crate::data;

/// The formats whose games are both written and read.
fn profiles() -> impl Iterator<Item = FormatProfile> {
    registry()
        .profiles()
        .filter(|profile| profile.writes() && profile.reads() && profile.holds().moves)
}

/// The games without where they stand, which is not part of them.
fn placeless(mut games: Vec<GameTree>) -> Vec<GameTree> {
    for game in &mut games {
        game.place = Default::default();
    }
    games
}

fn read(path: &Path) -> Vec<GameTree> {
    let mut opened = registry()
        .open(path, None, &ReadOptions::default())
        .expect("it opens");
    let mut trees = Vec::new();
    while let Some(part) = opened.database.next_part().expect("a part") {
        part.tell(&mut trees).expect("it is read");
    }
    placeless(trees)
}

/// A game on its way through a format.
struct Passed {
    before: GameTree,
    /// `None` if the format refused it.
    after: Option<GameTree>,
    losses: Losses,
}

/// Everything is wanted.
fn options() -> WriteOptions {
    WriteOptions {
        settings: Settings::new().with(&pgn::KEEP_RAW, true),
        ..WriteOptions::default()
    }
}

/// Writes games into a file of the format and reads it.
fn through(profile: FormatProfile, games: &[GameTree], folder: &TempDir) -> Vec<Passed> {
    let extension = profile.extensions()[0];
    let path = folder.path().join(format!("games.{extension}"));
    let mut target = registry()
        .target(profile, Destination::New(&path), &options())
        .expect("a target");
    let mut writer = registry().writer(profile, &options()).expect("a writer");
    let mut passed = Vec::new();
    for before in games {
        before.tell(&mut writer);
        let mut losses = writer.take_losses();
        let refused = !target.add_written(&mut *writer).expect("it is added");
        losses.append(target.take_losses());
        passed.push((before.clone(), refused, losses));
    }
    target.finish().expect("it is finished");
    let mut back = read(&path).into_iter();
    let passed = passed.into_iter().map(|(before, refused, losses)| Passed {
        before,
        after: (!refused).then(|| {
            let mut after = back.next().expect("as many games as were written");
            after.restore_places();
            after
        }),
        losses,
    });
    let passed: Vec<_> = passed.collect();
    assert!(back.next().is_none(), "{profile}: more games than written");
    passed
}

/// What a game has of each kind of thing, as text, in order.
fn inventory(tree: &GameTree) -> BTreeMap<&'static str, Vec<String>> {
    let mut things: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let mut add = |kind, thing: String| things.entry(kind).or_default().push(thing);
    for (name, value) in tree.tags.iter() {
        add("tags", format!("{name} {value:?}"));
    }
    add("start", tree.start.to_setup().to_shredder_fen());
    add("result", format!("{:?}", tree.result));
    add("state", format!("{:?}", tree.state));
    let mut depth = 0;
    for item in &tree.items {
        match item {
            Item::VariationStart => depth += 1,
            Item::VariationEnd => depth -= 1,
            _ => {}
        }
        let kind = match item {
            _ if depth > 0 => "variations",
            Item::VariationEnd => continue,
            Item::VariationStart => "variations",
            Item::Move(_) | Item::Null | Item::Missing => "moves",
            Item::Nag(_) => "nags",
            Item::Comment { .. } | Item::Annotation(_) => "comments",
            Item::Error { .. } => "errors",
        };
        add(kind, format!("{item:?}"));
    }
    things
}

/// The kinds of loss that excuse a difference in some kind of thing.
fn excuses(kind: &str) -> &'static [LossKind] {
    use LossKind::*;
    match kind {
        // A result may be in a tag and differ from how the game ends.
        "tags" => &[Tag, Result],
        "start" => &[Start],
        "result" => &[Result, Move, NullMove],
        // What was wrong may have been in a variation.
        "state" => &[Error, Move, NullMove, Variation],
        "moves" => &[Move, NullMove, Start],
        "nags" => &[Nag, Move, NullMove],
        "comments" => &[Comment, CommentPlace, Language, Annotation, Move, NullMove],
        // One in a variation without a move stays when that goes, where the variation stood.
        "errors" => &[Error, Move, NullMove, Variation],
        _ => &[
            Variation,
            Comment,
            CommentPlace,
            Language,
            Annotation,
            Nag,
            Error,
            Move,
            NullMove,
        ],
    }
}

/// Whether a format has tags of its own: it counts plies, and leaves out what is not known.
fn adds_tags(profile: FormatProfile) -> bool {
    profile.format.name == "chessbase"
}

/// Whether a tag says something that such a format has not found out by itself.
fn says_something(tag: &str) -> bool {
    let (name, value) = tag.split_once(' ').unwrap_or((tag, ""));
    let value = value.trim_matches('"');
    match name {
        // The start is compared by itself, and has these tags whether they were there or not.
        "PlyCount" | "FEN" | "SetUp" | "Variant" => false,
        "Termination" => value != "normal",
        _ => !value.chars().all(|c| "?-.0 ".contains(c)),
    }
}

/// Whether tags differ in signs, spaces, case and leading zeros at most, or in tags without a value.
/// Start and result are compared by themselves, whatever their tags look like.
fn alike(was: Option<&Vec<String>>, is: Option<&Vec<String>>) -> bool {
    let bare = |tags: Option<&Vec<String>>| -> Vec<String> {
        let tags = tags.into_iter().flatten();
        let tags = tags.filter(|tag| !tag.starts_with("FEN ") && !tag.starts_with("Result "));
        let tags = tags.filter(|tag| !tag.ends_with(" \"\""));
        let bare = tags.map(|tag| {
            let words = tag.split(|c: char| !c.is_alphanumeric());
            let words = words.map(|word| word.trim_start_matches('0').to_lowercase());
            words.collect()
        });
        bare.collect()
    };
    bare(was) == bare(is)
}

fn check(profile: FormatProfile, passed: &Passed) {
    let kinds: Vec<LossKind> = passed.losses.iter().map(|(kind, ..)| kind).collect();
    let Some(after) = &passed.after else {
        assert!(!kinds.is_empty(), "{profile} refuses a game without a word");
        return;
    };
    let respelled = passed.losses.respelled().is_some();
    if kinds.is_empty() && !respelled && profile.holds().tag_order {
        assert_eq!(*after, passed.before, "{profile} lost something silently");
        return;
    }
    // Where a note stands among notes of other kinds and variations shows in the whole alone.
    let moved = passed.before.items != after.items;
    let (mut before, mut after) = (inventory(&passed.before), inventory(after));
    if !profile.holds().tag_order {
        for things in [&mut before, &mut after] {
            things.entry("tags").or_default().sort();
        }
    }
    if adds_tags(profile) && !kinds.contains(&LossKind::Tag) {
        for things in [&mut before, &mut after] {
            let tags = things.entry("tags").or_default();
            tags.retain(|tag| says_something(tag));
        }
    }
    let all: Vec<&str> = before.keys().chain(after.keys()).copied().collect();
    let mut differing = Vec::new();
    for kind in all {
        if before.get(kind) != after.get(kind) {
            let excused = excuses(kind).iter().any(|excuse| kinds.contains(excuse))
                || kind == "tags" && respelled && alike(before.get(kind), after.get(kind));
            let (was, is) = (before.get(kind), after.get(kind));
            assert!(
                excused,
                "{profile}: {kind} {was:?} became {is:?}, lost: {kinds:?}"
            );
            differing.push(kind);
        }
    }
    for kind in kinds {
        let excused = |thing: &&str| excuses(thing).contains(&kind);
        let elsewhere = moved && matches!(kind, LossKind::CommentPlace | LossKind::Nag);
        let loss = &passed.losses;
        assert!(
            elsewhere || differing.iter().any(excused),
            "{profile} says it lost {kind}: {loss:?}"
        );
    }
}

/// Games as PGN holds them, so that what PGN adds of its own is in all.
fn as_pgn(games: &[GameTree]) -> Vec<GameTree> {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = registry().by_path("a.pgn").expect("PGN is a format");
    let passed = through(pgn, games, &folder);
    passed.into_iter().filter_map(|game| game.after).collect()
}

fn conforms(games: &[GameTree]) {
    let folder = tempfile::tempdir().expect("a folder");
    for profile in profiles() {
        for passed in through(profile, games, &folder) {
            check(profile, &passed);
        }
    }
}

fn generated(seed: u64, count: u64) -> Vec<GameTree> {
    let mut generator = Generator::new(Options {
        seed,
        games: count,
        variations: true,
        ..Options::default()
    });
    let mut trees = Vec::new();
    while generator.tell_game(&mut trees) {}
    placeless(trees)
}

fn samples() -> Vec<GameTree> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let files = ["famous.pgn", "annotated.pgn", "chess960.pgn", "setup.pgn"];
    let games = files.iter().flat_map(|file| read(&folder.join(file)));
    games.collect()
}

#[test]
fn generated_games_come_back_but_for_what_is_reported() {
    conforms(&as_pgn(&generated(7, 200)));
}

#[test]
fn the_samples_come_back_but_for_what_is_reported() {
    conforms(&as_pgn(&samples()));
}

#[test]
fn no_games_are_a_database_too() {
    conforms(&[]);
}

#[test]
fn cross_conversions_keep_what_both_can_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut games = as_pgn(&generated(11, 30));
    games.extend(as_pgn(&samples()));
    for from in profiles() {
        let passed = through(from, &games, &folder);
        let held: Vec<GameTree> = passed.into_iter().filter_map(|game| game.after).collect();
        for to in profiles() {
            for passed in through(to, &held, &folder) {
                check(to, &passed);
            }
        }
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn real_games_come_back_but_for_what_is_reported() {
    let Some(data) = data::find("") else {
        return;
    };
    let mut files: Vec<PathBuf> = ["twic-small", "chess960", "lichess"]
        .iter()
        .map(|name| data.join(format!("pgn/{name}.pgn.zst")))
        .collect();
    let annotated = fs::read_dir(data.join("pgn/annotated")).expect("a folder");
    files.extend(annotated.map(|entry| entry.expect("an entry").path()));
    for file in files.iter().filter(|file| file.is_file()) {
        conforms(&as_pgn(&read(file)));
    }
}
