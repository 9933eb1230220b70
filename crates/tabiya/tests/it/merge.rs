//! Trees of games against a walk of its own, which knows nothing of how they are merged: it goes
//! through games item by item and remembers what is said where.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use tabiya::{
    CommentPlace, ErrorKind, Filter, GameTree, Item, Open,
    merge::{MergeWishes, Merger},
};
use tabiya_formats::pgn::{WriteOptions, Writer};
use tabiya_game::generate::{Generator, Options};
use tempfile::TempDir;

use crate::data;

/// A line: its moves, one after the other, from the start.
type Way = Vec<String>;

/// What stands in games: all lines, and what is said before and behind the last move of each.
#[derive(Default, PartialEq, Debug)]
struct Said {
    ways: BTreeSet<Way>,
    notes: BTreeMap<(Way, bool), Vec<String>>,
}

impl Said {
    fn note(&mut self, way: &Way, before: bool, item: &Item) {
        let note = match item {
            // Threads do not know how many games came before.
            Item::Error { kind, raw, .. } => format!("{kind}: {raw}"),
            // Where it stands says the rest: before a move that does not come is behind the last.
            Item::Comment { language, text, .. } => format!("Comment {language:?} {text}"),
            item => format!("{item:?}"),
        };
        self.notes
            .entry((way.clone(), before))
            .or_default()
            .push(note);
    }

    fn notes(&self) -> BTreeSet<(&(Way, bool), &String)> {
        let notes = self.notes.iter();
        notes
            .flat_map(|(key, notes)| notes.iter().map(move |note| (key, note)))
            .collect()
    }
}

/// Walks through a game.
fn walk(game: &GameTree, said: &mut Said) {
    let mut way: Way = vec![game.start.to_string()];
    let mut left = Vec::new();
    let mut waiting: Vec<&Item> = Vec::new();
    said.ways.insert(way.clone());
    for item in &game.items {
        match item {
            Item::Move(_) | Item::Null | Item::Missing => {
                way.push(format!("{item:?}"));
                said.ways.insert(way.clone());
                waiting
                    .drain(..)
                    .for_each(|item| said.note(&way, true, item));
            }
            Item::VariationStart | Item::VariationEnd => {
                waiting
                    .drain(..)
                    .for_each(|item| said.note(&way, false, item));
                if *item == Item::VariationStart {
                    left.push(way.clone());
                    if way.len() > 1 {
                        way.pop();
                    }
                } else {
                    way = left.pop().expect("a line was left");
                }
            }
            Item::Comment {
                place: CommentPlace::Before,
                ..
            } => waiting.push(item),
            _ => said.note(&way, false, item),
        }
    }
    waiting
        .drain(..)
        .for_each(|item| said.note(&way, false, item));
}

fn said(games: &[GameTree]) -> Said {
    let mut said = Said::default();
    games.iter().for_each(|game| walk(game, &mut said));
    said
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn write(folder: &TempDir, name: &str, games: &[GameTree]) -> PathBuf {
    let mut writer = Writer::new(WriteOptions {
        keep_raw: true,
        ..WriteOptions::default()
    });
    for game in games {
        game.tell(&mut writer);
    }
    let path = folder.path().join(name);
    fs::write(&path, writer.take()).expect("written");
    path
}

fn text(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("games.pgn");
    fs::write(&path, text).expect("written");
    path
}

fn games(path: &Path) -> Vec<GameTree> {
    let games = tabiya::open(path).expect("opened").games();
    games.map(|game| game.expect("a game")).collect()
}

fn merged(path: &Path, wishes: MergeWishes) -> Vec<GameTree> {
    let mut merger = Merger::new(wishes);
    merger
        .add(&tabiya::open(path).expect("opened"))
        .expect("merged");
    merger.finish()
}

/// The moves of trees, as PGN in one line.
fn pgn(trees: &[GameTree]) -> String {
    let mut writer = Writer::new(WriteOptions {
        columns: None,
        ..WriteOptions::default()
    });
    for tree in trees {
        tree.tell(&mut writer);
    }
    let text = String::from_utf8(writer.take()).expect("UTF-8");
    let is_moves = |part: &&str| !part.is_empty() && !part.starts_with('[');
    let moves = text.split("\n\n").filter(is_moves);
    moves.collect::<Vec<_>>().join(" / ")
}

/// Nothing is lost and nothing is added: tree and games say the same, and the tree says it once.
fn check_whole(games: &[GameTree], trees: &[GameTree]) {
    let (of_games, of_trees) = (said(games), said(trees));
    assert!(of_games.ways == of_trees.ways);
    let (in_games, in_trees) = (of_games.notes(), of_trees.notes());
    let lost: Vec<_> = in_games.difference(&in_trees).take(3).collect();
    let added: Vec<_> = in_trees.difference(&in_games).take(3).collect();
    assert!(
        lost.is_empty() && added.is_empty(),
        "lost {lost:?}, added {added:?}"
    );
    for (place, notes) in &of_trees.notes {
        // What could not be read is told as often as it was met: it stands in other places.
        let said = notes
            .iter()
            .filter(|note| note.starts_with("Comment") || note.starts_with("Nag"));
        let once: BTreeSet<&String> = said.clone().collect();
        assert_eq!(once.len(), said.count(), "{place:?}");
    }
}

#[test]
#[ignore = "reads real games"]
fn real_annotated_games_are_whole_in_their_trees() {
    let Some(folder) = data::find("pgn/annotated") else {
        return;
    };
    for file in fs::read_dir(folder).expect("a folder") {
        let path = file.expect("a file").path();
        check_whole(&games(&path), &merged(&path, MergeWishes::default()));
    }
}

#[test]
fn every_move_and_every_note_of_annotated_games_is_in_the_tree() {
    for seed in [1, 2, 3] {
        let generator = Generator::new(Options {
            seed,
            games: 150,
            plies: 4..=60,
            variations: true,
            book: seed == 2,
            chess960: seed == 3,
        });
        let folder = folder();
        let games_made: Vec<GameTree> = (0..150).map(|n| generator.game(n)).collect();
        let path = write(&folder, "games.pgn", &games_made);
        let games = games(&path);
        let trees = merged(&path, MergeWishes::default());
        assert!(trees.len() < games.len() || seed == 3);
        check_whole(&games, &trees);
    }
}

#[test]
fn the_sample_games_are_whole_in_a_tree_that_is_written_and_read_again() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for name in ["annotated.pgn", "famous.pgn", "setup.pgn", "chess960.pgn"] {
        let path = samples.join(name);
        let trees = merged(&path, MergeWishes::default());
        let folder = folder();
        let output = folder.path().join("tree.pgn");
        let mut database = tabiya::create(&output).expect("begun");
        for tree in &trees {
            assert!(database.add(tree).expect("written").is_empty(), "{name}");
        }
        database.finish().expect("finished");
        check_whole(&games(&path), &games(&output));
    }
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let generator = Generator::new(Options {
        games: 3_000,
        plies: 4..=40,
        variations: true,
        book: true,
        ..Options::default()
    });
    let folder = folder();
    let games: Vec<GameTree> = (0..3_000).map(|n| generator.game(n)).collect();
    let path = write(&folder, "games.pgn", &games);
    let wishes = MergeWishes {
        statistics: true,
        sources: true,
        max_ply: Some(16),
        ..MergeWishes::default()
    };
    let with = |jobs: usize| {
        let jobs = NonZeroUsize::new(jobs).expect("not 0");
        let mut merger = Merger::new(wishes);
        let database = Open::new().jobs(jobs).open(&path).expect("opened");
        merger.add(&database).expect("merged");
        merger.finish()
    };
    assert_eq!(with(1), with(7));
}

#[test]
fn most_games_make_the_main_line_and_the_first_of_equals() {
    let folder = folder();
    let path = text(
        &folder,
        "1. d4 d5 *\n\n1. e4 e5 (1... d6) *\n\n1. c4 *\n\n1. e4 c5 (1... d6 2. d4) *\n",
    );
    let trees = merged(&path, MergeWishes::default());
    assert_eq!(
        pgn(&trees),
        "1. e4 (1. d4 d5) (1. c4) 1... e5 (1... c5) (1... d6 2. d4) *"
    );
}

#[test]
fn what_is_said_twice_is_there_once_and_glyphs_come_first() {
    let folder = folder();
    let path = text(
        &folder,
        "[White \"A\"]\n\n{why} 1. e4 {good} e5 *\n\n\
         [White \"B\"]\n\n{why} 1. e4! {good} {[%cal Ge2e4]} e5 $14 *\n\n\
         [White \"C\"]\n\n1. e4 {bad} {good} *\n",
    );
    assert_eq!(
        pgn(&merged(&path, MergeWishes::default())),
        "{why} 1. e4 $1 {good} {[%cal Ge2e4]} {bad} 1... e5 $14 *"
    );
}

#[test]
fn a_glyph_at_the_beginning_of_a_variation_is_not_that_of_another_move() {
    let folder = folder();
    let path = text(
        &folder,
        "1. e4 e5 ({[%csl Rd4]} 1... c5) *\n\n1. e4 c5 *\n\n1. e4 c5 *\n",
    );
    assert_eq!(
        pgn(&merged(&path, MergeWishes::default())),
        "1. e4 {[%csl Rd4]} 1... c5 (1... e5) *"
    );
}

#[test]
fn transpositions_stay_lines_of_their_own() {
    let folder = folder();
    let path = text(&folder, "1. d4 Nf6 2. c4 {a} *\n\n1. c4 Nf6 2. d4 {b} *\n");
    assert_eq!(
        pgn(&merged(&path, MergeWishes::default())),
        "1. d4 (1. c4 Nf6 2. d4 {b}) 1... Nf6 2. c4 {a} *"
    );
}

#[test]
fn each_start_has_a_tree() {
    let folder = folder();
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n";
    let games = format!("1. e4 *\n\n{fen}1. e4 *\n\n1. d4 *\n\n{fen}1. e3 Kd7 *\n");
    let path = text(&folder, &games);
    let trees = merged(&path, MergeWishes::default());
    assert_eq!(pgn(&trees), "1. e4 (1. d4) * / 1. e4 (1. e3 Kd7) *");
    assert_eq!(trees[0].tags.event(), Some("Tree of 2 games"));
    assert!(trees[1].tags.get("FEN").is_some());
    assert_eq!(trees[0].tags.get("FEN"), None);
}

#[test]
fn tags_that_all_games_share_are_those_of_the_tree() {
    let folder = folder();
    let path = text(
        &folder,
        "[White \"Tal\"]\n[Black \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
         [White \"Tal\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n",
    );
    let trees = merged(&path, MergeWishes::default());
    assert_eq!(trees[0].tags.white(), Some("Tal"));
    assert_eq!(trees[0].tags.get("Black"), None);
    assert_eq!(trees[0].result.token(), "1-0");
}

#[test]
fn statistics_end_where_a_game_goes_on_alone() {
    let folder = folder();
    let path = text(&folder, "1. e4 e5 2. Nf3 Nc6 1-0\n\n1. e4 c5 2. Nf3 0-1\n");
    let wishes = MergeWishes {
        statistics: true,
        ..MergeWishes::default()
    };
    assert_eq!(
        pgn(&merged(&path, wishes)),
        "{2 games: +1 =0 -1, 50 %} 1. e4 {2 games: +1 =0 -1, 50 %} 1... e5 \
         {1 game: +1 =0 -0, 100 %} (1... c5 {1 game: +0 =0 -1, 0 %} 2. Nf3) 2. Nf3 Nc6 *"
    );
}

#[test]
fn sources_stand_where_games_end_or_are_cut() {
    let folder = folder();
    let path = text(
        &folder,
        "[White \"Tal, M\"]\n[Date \"1960.03.26\"]\n\n1. e4 c6 2. d4 {far} d5 (2... d6) 1-0\n\n\
         [White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n",
    );
    let wishes = MergeWishes {
        sources: true,
        max_ply: Some(2),
        ..MergeWishes::default()
    };
    assert_eq!(
        pgn(&merged(&path, wishes)),
        "1. e4 {A - B, *} 1... c6 {Tal, M - ?, 1960, 1-0} *"
    );
}

#[test]
fn variations_are_cut_where_the_main_line_would_be() {
    let folder = folder();
    let path = text(
        &folder,
        "1. e4 e5 (1... c5 {near} 2. Nf3 {far} (2. c3 d5) d6) 2. Nf3 (2. f4 {far}) Nc6 *\n",
    );
    let wishes = MergeWishes {
        max_ply: Some(2),
        ..MergeWishes::default()
    };
    assert_eq!(pgn(&merged(&path, wishes)), "1. e4 e5 (1... c5 {near}) *");
}

#[test]
fn clocks_may_be_left_out() {
    let folder = folder();
    let path = text(
        &folder,
        "1. e4 {[%clk 0:03:00] hm [%eval 0.2]} *\n\n1. e4 {[%clk 0:02:59]} *\n",
    );
    let all = pgn(&merged(&path, MergeWishes::default()));
    assert!(all.contains("0:03:00") && all.contains("0:02:59"), "{all}");
    let without = MergeWishes {
        clocks: false,
        ..MergeWishes::default()
    };
    let without = pgn(&merged(&path, without));
    assert!(
        !without.contains("clk") && without.contains("hm") && without.contains("0.2"),
        "{without}"
    );
}

#[test]
fn a_broken_game_keeps_what_could_not_be_read() {
    let folder = folder();
    let path = text(
        &folder,
        "1. e4 e5 2. Ke5 Nc6 *\n\n[FEN \"junk\"]\n\n1. d4 *\n\n1. e4 e5 2. Nf3 *\n",
    );
    let trees = merged(&path, MergeWishes::default());
    let errors = |items: &[Item]| {
        let is_error = |item: &&Item| matches!(item, Item::Error { .. });
        items.iter().filter(is_error).count()
    };
    assert_eq!(errors(&trees[0].items), 2);
    check_whole(&games(&path), &trees);
}

#[test]
fn a_tree_has_a_size() {
    let folder = folder();
    let long = "x".repeat(Merger::TEXT / 2 + 1);
    let path = text(
        &folder,
        &format!("1. e4 {{a{long}}} *\n\n1. e4 {{b{long}}} *\n"),
    );
    let mut merger = Merger::new(MergeWishes::default());
    let error = merger
        .add(&tabiya::open(&path).expect("opened"))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let message = error.to_string();
    assert!(message.contains("24 MB"), "{message}");
}

#[test]
fn filters_choose_the_games() {
    let folder = folder();
    let path = text(
        &folder,
        "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n",
    );
    let filter = Filter {
        white: Some("b".into()),
        ..Filter::default()
    };
    let mut merger = Merger::new(MergeWishes::default());
    let database = tabiya::open(&path).expect("opened").filter(filter);
    merger.add(&database).expect("merged");
    assert_eq!(merger.games(), 1);
    assert_eq!(pgn(&merger.finish()), "1. d4 *");
}
