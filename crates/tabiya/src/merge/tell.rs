//! A tree of games as one game.

use std::cmp::Reverse;

use tabiya_chess::{Position, Variant};
use tabiya_game::{CommentPlace, GameTree, Item, Tags};

use super::{
    MergeWishes,
    arena::{Arena, Notes, Place, ROOT},
};
use crate::words::plural;

/// What is still to be told, the last of them first.
enum Task {
    /// How a line goes on behind a place.
    Line(Place),
    /// A variation that begins with a place.
    Variation(Place),
    EndVariation,
}

/// The tree as a game with variations.
pub fn game(mut tree: Arena, wishes: MergeWishes) -> GameTree {
    let mut items = tree.take_notes(ROOT).after;
    if wishes.statistics && tree.games(ROOT) > 1 {
        items.push(statistics(&tree, ROOT, CommentPlace::Before));
    }
    let mut tasks = vec![Task::Line(ROOT)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::EndVariation => items.push(Item::VariationEnd),
            Task::Variation(place) => {
                items.push(Item::VariationStart);
                tell(&mut tree, place, wishes, &mut items);
                tasks.push(Task::EndVariation);
                tasks.push(Task::Line(place));
            }
            Task::Line(place) => {
                let children = in_order(&tree, place);
                if let Some((&main, others)) = children.split_first() {
                    tell(&mut tree, main, wishes, &mut items);
                    tasks.push(Task::Line(main));
                    tasks.extend(others.iter().rev().copied().map(Task::Variation));
                }
            }
        }
    }
    GameTree {
        tags: tags(&mut tree),
        start: tree.start.with_key(),
        items,
        result: tree.result.unwrap_or_default(),
        state: tree.state,
        ..GameTree::default()
    }
}

/// The moves of a place, that of most games first.
fn in_order(tree: &Arena, place: Place) -> Vec<Place> {
    let mut children: Vec<Place> = tree.children(place).collect();
    children.sort_by_key(|&child| Reverse(tree.games(child)));
    children
}

/// A move and what is said about it.
fn tell(tree: &mut Arena, place: Place, wishes: MergeWishes, items: &mut Vec<Item>) {
    let Notes { before, mut after } = tree.take_notes(place);
    items.extend(before);
    items.push(tree.step(place).item());
    // Where people and programs look for them, whoever has said what first.
    after.sort_by_key(|item| !matches!(item, Item::Nag(_)));
    items.extend(after);
    // A game that goes on alone has nothing more to be counted.
    if wishes.statistics && tree.games(place) > 0 && tree.games(tree.parent(place)) > 1 {
        items.push(statistics(tree, place, CommentPlace::After));
    }
}

/// `12 games: +5 =4 -3, 58 %`
fn statistics(tree: &Arena, at: Place, place: CommentPlace) -> Item {
    let (games, [white, draws, black, unknown]) = (tree.games(at), tree.results(at));
    let games = plural(games.into(), "game");
    let mut text = format!("{games}: +{white} ={draws} -{black}");
    let decided = u64::from(white) + u64::from(draws) + u64::from(black);
    let points = 2 * u64::from(white) + u64::from(draws);
    if decided > 0 {
        // Rounded to the nearest.
        let percent = (100 * points + decided) / (2 * decided);
        text.push_str(&format!(", {percent} %"));
    }
    if unknown > 0 {
        text.push_str(&format!(", {unknown} unfinished"));
    }
    Item::Comment {
        place,
        language: None,
        text,
    }
}

/// What all games share, and how the tree starts.
fn tags(tree: &mut Arena) -> Tags {
    let shared = tree.tags.take().unwrap_or_default();
    let mut tags: Tags = shared
        .iter()
        .filter(|(name, _)| !matches!(*name, "FEN" | "SetUp" | "Variant"))
        .collect();
    let games = tree.games(ROOT);
    if games != 1 && tags.event().is_none() {
        tags.set("Event", format!("Tree of {games} games"));
    }
    let variant = tree.start.variant();
    if variant != Variant::default() {
        tags.push("Variant", shared.get("Variant").unwrap_or(variant.name()));
    }
    if tree.start != Position::initial() {
        tags.push("SetUp", "1");
        tags.push("FEN", shared.get("FEN").unwrap_or(&tree.start.to_string()));
    }
    tags
}
