//! What a target could not hold, and what it holds in another spelling.

use std::{collections::BTreeMap, fmt};

/// What kind of thing was lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum LossKind {
    /// A tag, or part of its value.
    Tag,
    /// A variation.
    Variation,
    /// A comment, or part of it.
    Comment,
    /// Where a comment stood.
    CommentPlace,
    /// The language of a comment.
    Language,
    /// A NAG.
    Nag,
    /// A typed annotation.
    Annotation,
    /// A start position or variant.
    Start,
    /// A null move and what follows it.
    NullMove,
    /// A move that cannot be written.
    Move,
    /// An error's text or place.
    Error,
    /// The result.
    Result,
    /// An entry that is not a game.
    Entry,
    /// Something that the target has never heard of.
    Unknown,
}

impl LossKind {
    /// Its name in the plural, for summaries.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LossKind::Tag => "tags",
            LossKind::Variation => "variations",
            LossKind::Comment => "comments",
            LossKind::CommentPlace => "comment places",
            LossKind::Language => "languages",
            LossKind::Nag => "NAGs",
            LossKind::Annotation => "annotations",
            LossKind::Start => "start positions",
            LossKind::NullMove => "null moves",
            LossKind::Move => "moves",
            LossKind::Error => "errors",
            LossKind::Result => "results",
            LossKind::Entry => "entries",
            LossKind::Unknown => "unknown things",
        }
    }
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something a target could not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// The number of the game in the input, from 1; 0 for what belongs to the whole database.
    pub game: u64,
    /// What kind of thing.
    pub kind: LossKind,
    /// What exactly.
    pub what: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            0 => write!(f, "the database itself: {}", self.what),
            number => write!(f, "game {number}: {}", self.what),
        }
    }
}

/// Values that a target holds in another spelling: `Tal,M` as `Tal, M`. Nothing of them is lost, so
/// they are counted apart from losses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Respellings {
    /// How many there are.
    pub count: u64,
    /// The number of the game that has the first of them, from 1.
    pub game: u64,
    /// The first of them.
    pub what: String,
}

impl fmt::Display for Respellings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}: {}", self.game, self.what)
    }
}

/// Losses by kind: how many, and the first of each as an example. Respellings are kept beside them
/// and are no losses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    kinds: BTreeMap<LossKind, (u64, Loss)>,
    respelled: Option<Respellings>,
}

impl Losses {
    /// Adds a loss.
    pub fn push(&mut self, loss: Loss) {
        let entry = self.kinds.entry(loss.kind);
        entry
            .and_modify(|(count, _)| *count += 1)
            .or_insert((1, loss));
    }

    /// Adds a loss; the words for it are found only if it is the first of its kind.
    pub fn note(&mut self, game: u64, kind: LossKind, what: impl FnOnce() -> String) {
        let entry = self.kinds.entry(kind).or_insert_with(|| {
            let what = what();
            (0, Loss { game, kind, what })
        });
        entry.0 += 1;
    }

    /// Adds a value that is held in another spelling; the words for it are found only if it is the
    /// first.
    pub fn respell(&mut self, game: u64, what: impl FnOnce() -> String) {
        let respelled = self.respelled.get_or_insert_with(|| Respellings {
            count: 0,
            game,
            what: what(),
        });
        respelled.count += 1;
    }

    /// What is held in another spelling.
    #[must_use]
    pub fn respelled(&self) -> Option<&Respellings> {
        self.respelled.as_ref()
    }

    fn games(&mut self) -> impl Iterator<Item = &mut u64> {
        let respelled = self
            .respelled
            .iter_mut()
            .map(|respelled| &mut respelled.game);
        let lost = self
            .kinds
            .values_mut()
            .map(|(_, example)| &mut example.game);
        lost.chain(respelled)
    }

    /// Says that all of them are of one game.
    pub fn set_game(&mut self, game: u64) {
        self.games().for_each(|of| *of = game);
    }

    /// Adds the losses of a later part of the same input.
    pub fn append(&mut self, later: Losses) {
        for (kind, (more, example)) in later.kinds {
            let entry = self.kinds.entry(kind);
            entry
                .and_modify(|(count, _)| *count += more)
                .or_insert((more, example));
        }
        match (&mut self.respelled, later.respelled) {
            (Some(respelled), Some(more)) => respelled.count += more.count,
            (none @ None, more) => *none = more,
            (Some(_), None) => {}
        }
    }

    /// Adds what was lost of another piece of the same entry, as a text has one for each language:
    /// an entry is lost only once.
    pub fn append_of_same_entry(&mut self, mut more: Losses) {
        if self.kinds.contains_key(&LossKind::Entry) {
            more.kinds.remove(&LossKind::Entry);
        }
        self.append(more);
    }

    /// Each kind with its number and an example.
    pub fn iter(&self) -> impl Iterator<Item = (LossKind, u64, &Loss)> {
        self.kinds
            .iter()
            .map(|(kind, (count, first))| (*kind, *count, first))
    }

    /// Whether nothing was lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// How many losses there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.kinds.values().map(|(count, _)| count).sum()
    }

    /// Counts the games of a later part from where it begins in the whole input.
    pub fn shift_games(&mut self, games_before: u64) {
        self.games().for_each(|of| *of += games_before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_kind_is_the_example() {
        let loss = |game, kind| Loss {
            game,
            kind,
            what: "x".into(),
        };
        let mut losses = Losses::default();
        losses.push(loss(1, LossKind::Nag));
        losses.push(loss(2, LossKind::Nag));
        let mut later = Losses::default();
        later.push(loss(1, LossKind::Tag));
        later.push(loss(1, LossKind::Nag));
        later.shift_games(10);
        losses.append(later);
        let all: Vec<_> = losses.iter().map(|(k, n, l)| (k, n, l.game)).collect();
        assert_eq!(all, [(LossKind::Tag, 1, 11), (LossKind::Nag, 3, 1)]);
        assert_eq!(losses.count(), 4);
        losses.note(20, LossKind::Nag, || unreachable!("it is not the first"));
        losses.note(20, LossKind::Move, || "e4".into());
        assert_eq!(losses.count(), 6);
        losses.set_game(7);
        assert!(losses.iter().all(|(_, _, loss)| loss.game == 7));
    }

    #[test]
    fn what_is_respelled_is_not_lost() {
        let mut losses = Losses::default();
        losses.respell(1, || "Tal,M became Tal, M".into());
        let mut later = losses.clone();
        later.shift_games(4);
        losses.append(later);
        losses.respell(9, || unreachable!("it is not the first"));
        assert!(losses.is_empty());
        assert_eq!((losses.count(), losses.iter().count()), (0, 0));
        let respelled = losses.respelled().unwrap();
        assert_eq!(respelled.count, 3);
        assert_eq!(respelled.to_string(), "game 1: Tal,M became Tal, M");
        losses.set_game(7);
        assert_eq!(losses.respelled().unwrap().game, 7);
    }
}
