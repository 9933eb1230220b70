//! A main line becomes a tree: variations, glyphs, comments, annotations.

use tabiya_chess::{Action, Position};

use super::{notes, play, play::Played, random::Random};
use crate::{CommentPlace, Item, Nag};

/// How deep variations are nested at most.
pub(super) const DEPTH: usize = 6;

/// No game grows beyond this by much, however the dice fall.
const MOST_ITEMS: usize = 4_000;

/// How much is said about a game.
#[derive(Clone, Copy)]
struct Density {
    /// There is a note once in so many moves.
    notes: u32,
    /// There is a variation once in so many moves.
    variations: u32,
    /// Every move of the main line has a clock, and perhaps an evaluation.
    clocks: bool,
}

/// Writes a game with all that is said about it.
pub(super) fn game(
    start: &Position,
    played: &Played,
    index: u64,
    items: &mut Vec<Item>,
    random: &mut Random,
) {
    let density = match random.below(4) {
        // As most games are: with a few remarks.
        0 => Density {
            notes: 20,
            variations: 60,
            clocks: random.once_in(2),
        },
        1 | 2 => Density {
            notes: 8,
            variations: 12,
            clocks: random.once_in(8),
        },
        _ => Density {
            notes: 3,
            variations: 6,
            clocks: false,
        },
    };
    let mut writer = Annotator {
        items,
        random,
        density,
        due: Some(Nag((index % 256) as u16)),
    };
    writer.opening_notes(start, played);
    writer.line(*start, &played.actions, 0);
}

struct Annotator<'g> {
    items: &'g mut Vec<Item>,
    random: &'g mut Random,
    density: Density,
    /// A glyph that this game has to have, so that all of them occur in a few hundred games.
    due: Option<Nag>,
}

impl Annotator<'_> {
    /// What is said before the first move, or about a game that has none.
    fn opening_notes(&mut self, start: &Position, played: &Played) {
        if played.ending == play::Ending::Forfeit {
            if self.random.once_in(2) {
                let text = "Not played.".to_owned();
                let comment = notes::comment_of(CommentPlace::Before, text);
                self.items.push(comment);
            }
            return;
        }
        if self.random.once_in(12) {
            self.items.push(Item::Nag(notes::nag(self.random)));
        }
        if self.random.once_in(8) {
            let annotation = notes::annotation(start, self.random);
            self.items.push(Item::Annotation(annotation));
        }
        if self.random.once_in(4) {
            self.comments(CommentPlace::Before);
        }
    }

    /// A line of moves with everything about them. The depth bounds the recursion.
    fn line(&mut self, start: Position, actions: &[Action], depth: usize) {
        let mut position = start;
        for (ply, &action) in actions.iter().enumerate() {
            let before = position;
            if self.random.once_in(self.density.notes * 8) {
                self.comments(CommentPlace::Before);
            }
            self.items.push(match action {
                Action::Move(play) => Item::Move(play),
                Action::Null => Item::Null,
            });
            position.act(action);
            self.notes(&position, ply, depth);
            if self.random.once_in(self.density.variations) && self.items.len() < MOST_ITEMS {
                self.variations(before, action, depth);
            }
        }
    }

    /// What is said after a move.
    fn notes(&mut self, position: &Position, ply: usize, depth: usize) {
        if let Some(nag) = self.due.take() {
            self.items.push(Item::Nag(nag));
        }
        if self.density.clocks && depth == 0 {
            if self.random.once_in(3) {
                let evaluation = notes::evaluation(position, self.random);
                self.items.push(Item::Annotation(evaluation));
            }
            let clock = notes::clock(ply as u32 / 2, self.random);
            self.items.push(Item::Annotation(clock));
        }
        if !self.random.once_in(self.density.notes) {
            return;
        }
        // The order is data: any of them may come first.
        for _ in 0..self.random.within(&(1..=3)) {
            match self.random.below(5) {
                0 | 1 => self.items.push(Item::Nag(notes::nag(self.random))),
                2 | 3 => self.comments(CommentPlace::After),
                _ => {
                    let annotation = notes::annotation(position, self.random);
                    self.items.push(Item::Annotation(annotation));
                }
            }
        }
    }

    /// One comment, now and then two or three in a row.
    fn comments(&mut self, place: CommentPlace) {
        let count = match self.random.below(10) {
            0 => 3,
            1 => 2,
            _ => 1,
        };
        for _ in 0..count {
            let comment = notes::comment(place, self.random);
            self.items.push(comment);
        }
    }

    /// One variation instead of a move, or two.
    fn variations(&mut self, before: Position, played: Action, depth: usize) {
        if depth >= DEPTH {
            return;
        }
        for _ in 0..1 + u32::from(self.random.once_in(4)) {
            let plies = self.random.within(&(1..=10));
            let actions = play::variation(before, played, plies, self.random);
            if actions.is_empty() {
                continue;
            }
            self.items.push(Item::VariationStart);
            if self.random.once_in(6) {
                self.comments(CommentPlace::Before);
            }
            self.line(before, &actions, depth + 1);
            self.items.push(Item::VariationEnd);
            if self.random.once_in(6) {
                self.comments(CommentPlace::After);
            }
        }
    }
}
