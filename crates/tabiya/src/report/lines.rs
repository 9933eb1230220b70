//! The lines of a tree that are played most.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use tabiya_chess::{Move, Position};

use super::{LineRow, Score};
use crate::{
    line,
    merge::{Arena, Place, ROOT, Results, Step},
    openings::{Opening, Openings},
    tree::Tally,
};

/// How many moves of the tree are told; those that follow each other are one line.
const MOVES: usize = 60;

/// Below so many games, a line of a single one is told, too.
const FEW: u64 = 20;

/// A line goes on in one row where so many tenths of its games go on together.
const TOGETHER: u64 = 9;

/// A line that is told.
pub struct Chosen {
    pub depth: usize,
    /// All moves from the start of the tree.
    pub moves: Vec<Move>,
    /// How many of them belong to the line in which it stands.
    pub before: usize,
    pub results: Results,
    place: Place,
}

impl Chosen {
    /// The position in which the last move is played, and the move.
    pub fn edge(&self, start: &Position) -> Option<(Position, Move)> {
        let (&last, before) = self.moves.split_last()?;
        Some((after(start, before), last))
    }
}

fn after(start: &Position, moves: &[Move]) -> Position {
    let mut position = *start;
    for &play in moves {
        position.play_unchecked(play);
    }
    position
}

/// The lines that most games have played, each behind the one in which it stands.
pub fn choose(tree: &Arena) -> Vec<Chosen> {
    let kept = most_played(tree);
    let mut rows: Vec<Chosen> = Vec::new();
    let mut open: Vec<(Place, usize, Vec<Move>)> = Vec::new();
    let root = (ROOT, 0, Vec::new());
    push_children(tree, &kept, &root, &mut open);
    while let Some((place, depth, before)) = open.pop() {
        let row = follow(tree, &kept, place, depth, before);
        let here = (row.place, depth + 1, row.moves.clone());
        push_children(tree, &kept, &here, &mut open);
        rows.push(row);
    }
    rows
}

/// The moves behind a place, the most frequent on top.
fn push_children(
    tree: &Arena,
    kept: &BTreeMap<Place, Vec<Place>>,
    (place, depth, moves): &(Place, usize, Vec<Move>),
    open: &mut Vec<(Place, usize, Vec<Move>)>,
) {
    let mut children = kept.get(place).cloned().unwrap_or_default();
    children.sort_by_key(|&child| Reverse(tree.games(child)));
    let children = children.into_iter().rev();
    open.extend(children.map(|child| (child, *depth, moves.clone())));
}

/// A line from its first move on, as long as its games stay together.
fn follow(
    tree: &Arena,
    kept: &BTreeMap<Place, Vec<Place>>,
    mut place: Place,
    depth: usize,
    before: Vec<Move>,
) -> Chosen {
    let length = before.len();
    let mut moves = before;
    loop {
        if let Step::Move(play) = tree.step(place) {
            moves.push(play);
        }
        match kept.get(&place).map(Vec::as_slice) {
            Some(&[next]) if 10 * tree.games(next) >= TOGETHER * tree.games(place) => place = next,
            _ => break,
        }
    }
    Chosen {
        depth,
        moves,
        before: length,
        results: tree.results(place),
        place,
    }
}

/// The moves of most games, by the place that they are played in.
fn most_played(tree: &Arena) -> BTreeMap<Place, Vec<Place>> {
    let fewest = match tree.games(ROOT) {
        games if games < FEW => 1,
        _ => 2,
    };
    let mut kept: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    let mut open = BinaryHeap::from([(tree.games(ROOT), Reverse(ROOT))]);
    let mut left = MOVES;
    while let Some((_, Reverse(place))) = open.pop() {
        if place != ROOT {
            if left == 0 {
                break;
            }
            left -= 1;
            kept.entry(tree.parent(place)).or_default().push(place);
        }
        let children = tree.children(place);
        let wanted = children.filter(|&child| tree.games(child) >= fewest);
        open.extend(wanted.map(|child| (tree.games(child), Reverse(child))));
    }
    kept
}

/// Lines as they are told. Those who compare them with others do so behind that.
pub fn rows(tree: &Arena, chosen: &[Chosen], names: &Openings) -> Vec<LineRow> {
    let games = tree.games(ROOT).max(1);
    let row = |chosen: &Chosen| {
        let begin = after(&tree.start, &chosen.moves[..chosen.before]);
        let opening = opening(&tree.start, &chosen.moves, names);
        let score = Score::of(&tally(chosen.results));
        LineRow {
            depth: chosen.depth,
            moves: line::movetext(&begin, &chosen.moves[chosen.before..]),
            line: line::movetext(&tree.start, &chosen.moves),
            eco: opening.map(|opening| opening.eco.clone()),
            opening: opening.map(|opening| opening.name.clone()),
            share: (score.games as f64 / games as f64 * 1000.0).round() / 10.0,
            score,
            others: None,
        }
    };
    chosen.iter().map(row).collect()
}

fn tally([white, draws, black, unknown]: Results) -> Tally {
    Tally {
        white: white.into(),
        draws: draws.into(),
        black: black.into(),
        unknown: unknown.into(),
        ..Tally::default()
    }
}

/// The last position on the way that has a name. The start of a game is no opening yet.
pub fn opening<'o>(start: &Position, moves: &[Move], names: &'o Openings) -> Option<&'o Opening> {
    let mut position = *start;
    let mut found = match *start == Position::initial() {
        true => None,
        false => names.of(start),
    };
    for &play in moves {
        position.play_unchecked(play);
        found = names.of(&position).or(found);
    }
    found
}
