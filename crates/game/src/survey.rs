//! What a database holds, in numbers.
//!
//! A [`Survey`] is a sink that counts. Surveys of parts add up to that of the whole, in any order.
//!
//! ```
//! use tabiya_game::{GameResult, GameTree, Survey};
//!
//! let mut tree = GameTree::default();
//! tree.tags.push("White", "Réti");
//! tree.tags.push("Date", "1924.03.22");
//! tree.result = GameResult::WhiteWins;
//!
//! let mut survey = Survey::default();
//! tree.tell(&mut survey);
//! tree.tell(&mut survey);
//! assert_eq!(survey.games, 2);
//! assert_eq!(survey.years[&1924], 2);
//! assert_eq!(survey.players["Réti"], 2);
//! ```

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use tabiya_chess::Variant;

use crate::{Date, Event, Flow, GameResult, GameSink, GameState};

/// How wide a step of [`Survey::ratings`] is.
pub const RATING_STEP: u16 = 100;

/// Numbers about games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// Games.
    pub games: u64,
    /// Entries that are not games.
    pub others: u64,
    /// Games of which something could not be read.
    pub broken: u64,
    /// Plies of the main lines, null moves included.
    pub plies: u64,
    /// Plies of the longest main line.
    pub longest: u64,
    /// Games without a move.
    pub without_moves: u64,
    /// Variations, however deep.
    pub variations: u64,
    /// Plies in variations.
    pub variation_plies: u64,
    /// Comments.
    pub comments: u64,
    /// Clocks, evaluations, arrows and other typed annotations that stand alone.
    pub annotations: u64,
    /// NAGs.
    pub nags: u64,
    /// Games with a comment, an annotation, a NAG or a variation.
    pub annotated: u64,
    /// Games with a FEN.
    pub set_up: u64,
    /// Games by the name of their rules.
    pub variants: BTreeMap<&'static str, u64>,
    /// Games by the tag of their result.
    pub results: BTreeMap<&'static str, u64>,
    /// Games by year.
    pub years: BTreeMap<u16, u64>,
    /// Games by the letter of their opening code.
    pub eco: BTreeMap<char, u64>,
    /// Ratings of both players, by the lower end of steps of [`RATING_STEP`].
    pub ratings: BTreeMap<u16, u64>,
    /// Games by player; both sides count.
    pub players: HashMap<String, u64>,
    /// Games by event.
    pub events: HashMap<String, u64>,
    /// The number of the last entry that is no game: a text in several languages is one.
    last_other: u64,
    game: Game,
}

/// What has been heard of the game that is being told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Game {
    depth: usize,
    plies: u64,
    year: Option<u16>,
    notes: bool,
    set_up: bool,
    variant: Option<Variant>,
}

impl Survey {
    /// Adds the numbers of another part.
    pub fn append(&mut self, other: Survey) {
        self.games += other.games;
        self.others += other.others;
        self.broken += other.broken;
        self.plies += other.plies;
        self.longest = self.longest.max(other.longest);
        self.without_moves += other.without_moves;
        self.variations += other.variations;
        self.variation_plies += other.variation_plies;
        self.comments += other.comments;
        self.annotations += other.annotations;
        self.nags += other.nags;
        self.annotated += other.annotated;
        self.set_up += other.set_up;
        add(&mut self.variants, other.variants);
        add(&mut self.results, other.results);
        add(&mut self.years, other.years);
        add(&mut self.eco, other.eco);
        add(&mut self.ratings, other.ratings);
        add_names(&mut self.players, other.players);
        add_names(&mut self.events, other.events);
    }

    fn tag(&mut self, name: &str, value: &str) {
        match name {
            "White" | "Black" => count_name(&mut self.players, value),
            "Event" => count_name(&mut self.events, value),
            // Servers write the day into either; the first that knows the year counts.
            "Date" | "UTCDate" => {
                let year = value.parse::<Date>().ok().and_then(|date| date.year);
                self.game.year = self.game.year.or(year);
            }
            "WhiteElo" | "BlackElo" => {
                if let Some(rating) = value.trim().parse().ok().filter(|&rating: &u16| rating > 0) {
                    let step = rating / RATING_STEP * RATING_STEP;
                    *self.ratings.entry(step).or_default() += 1;
                }
            }
            "ECO" => {
                let letter = value.chars().next().map(|c| c.to_ascii_uppercase());
                if let Some(letter @ 'A'..='E') = letter {
                    *self.eco.entry(letter).or_default() += 1;
                }
            }
            "FEN" => self.game.set_up = true,
            _ => {}
        }
    }

    fn end(&mut self, result: GameResult, state: GameState) {
        let game = std::mem::take(&mut self.game);
        self.broken += u64::from(state == GameState::Broken);
        self.plies += game.plies;
        self.longest = self.longest.max(game.plies);
        self.without_moves += u64::from(game.plies == 0);
        self.annotated += u64::from(game.notes);
        self.set_up += u64::from(game.set_up);
        if let Some(year) = game.year {
            *self.years.entry(year).or_default() += 1;
        }
        if let Some(variant) = game.variant {
            *self.variants.entry(variant.name()).or_default() += 1;
        }
        *self.results.entry(result.tag()).or_default() += 1;
    }

    fn ply(&mut self) {
        if self.game.depth == 0 {
            self.game.plies += 1;
        } else {
            self.variation_plies += 1;
        }
    }
}

impl GameSink for Survey {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Move { .. } | Event::Null { .. } | Event::Missing => self.ply(),
            Event::VariationStart => {
                self.game.depth += 1;
                self.game.notes = true;
                self.variations += 1;
            }
            Event::VariationEnd => self.game.depth = self.game.depth.saturating_sub(1),
            Event::Nag(_) => {
                self.game.notes = true;
                self.nags += 1;
            }
            Event::Comment(_) => {
                self.game.notes = true;
                self.comments += 1;
            }
            Event::Annotation(_) => {
                self.game.notes = true;
                self.annotations += 1;
            }
            Event::GameStart(_) => {
                self.games += 1;
                self.game = Game::default();
            }
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(position) => self.game.variant = Some(position.variant()),
            Event::GameEnd { result, state } => self.end(result, state),
            Event::Text { place, .. } | Event::Opaque { place, .. } => {
                let is_next = place.number == 0 || place.number != self.last_other;
                self.others += u64::from(is_next);
                self.last_other = place.number;
            }
            Event::Error(_) => {}
        }
        Flow::Continue
    }
}

/// Counts a name; unknown ones have many spellings.
fn count_name(names: &mut HashMap<String, u64>, name: &str) {
    let name = name.trim();
    if matches!(name, "" | "?" | "-" | "??") {
        return;
    }
    match names.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(names.insert(name.to_owned(), 1)),
    }
}

fn add<K: Ord>(counts: &mut BTreeMap<K, u64>, more: BTreeMap<K, u64>) {
    for (key, count) in more {
        *counts.entry(key).or_default() += count;
    }
}

fn add_names(names: &mut HashMap<String, u64>, more: HashMap<String, u64>) {
    if names.is_empty() {
        *names = more;
        return;
    }
    for (name, count) in more {
        match names.entry(name) {
            Entry::Occupied(mut known) => *known.get_mut() += count,
            Entry::Vacant(new) => drop(new.insert(count)),
        }
    }
}

/// The names that occur most often, with their counts: equal ones in the order of the alphabet.
#[must_use]
pub fn most_frequent(names: &HashMap<String, u64>, how_many: usize) -> Vec<(&str, u64)> {
    let mut all: Vec<(&str, u64)> = names.iter().map(|(n, c)| (n.as_str(), *c)).collect();
    let order = |a: &(&str, u64), b: &(&str, u64)| b.1.cmp(&a.1).then(a.0.cmp(b.0));
    if how_many < all.len() {
        all.select_nth_unstable_by(how_many, order);
        all.truncate(how_many);
    }
    all.sort_unstable_by(order);
    all
}

#[cfg(test)]
mod tests {
    use tabiya_chess::{Move, Square};

    use super::*;
    use crate::{CommentPlace, GameTree, Item, Nag};

    fn annotated() -> GameTree {
        let mut tree = GameTree {
            items: vec![
                Item::Move(Move::new(Square::E2, Square::E4)),
                Item::Nag(Nag(1)),
                Item::VariationStart,
                Item::Move(Move::new(Square::D2, Square::D4)),
                Item::Comment {
                    place: CommentPlace::After,
                    language: None,
                    text: "too".into(),
                },
                Item::VariationEnd,
                Item::Null,
            ],
            result: GameResult::WhiteWinsByForfeit,
            state: GameState::Broken,
            ..GameTree::default()
        };
        for (name, value) in [
            ("Event", "Match"),
            ("White", "a"),
            ("Black", "a"),
            ("WhiteElo", "2799"),
            ("BlackElo", "?"),
            ("Date", "????.??.??"),
            ("UTCDate", "2020.01.02"),
            ("ECO", "b90"),
        ] {
            tree.tags.push(name, value);
        }
        tree
    }

    #[test]
    fn everything_is_counted() {
        let mut survey = Survey::default();
        annotated().tell(&mut survey);
        GameTree::default().tell(&mut survey);
        assert_eq!((survey.games, survey.broken, survey.annotated), (2, 1, 1));
        assert_eq!((survey.plies, survey.variation_plies), (2, 1));
        assert_eq!((survey.longest, survey.without_moves), (2, 1));
        assert_eq!((survey.nags, survey.comments, survey.variations), (1, 1, 1));
        assert_eq!(survey.players["a"], 2);
        assert_eq!(survey.events["Match"], 1);
        assert_eq!(survey.ratings, BTreeMap::from([(2700, 1)]));
        assert_eq!(survey.years, BTreeMap::from([(2020, 1)]));
        assert_eq!(survey.eco, BTreeMap::from([('B', 1)]));
        assert_eq!(survey.results, BTreeMap::from([("*", 1), ("+:-", 1)]));
        assert_eq!(survey.variants, BTreeMap::from([("standard", 2)]));
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let mut whole = Survey::default();
        let mut sum = Survey::default();
        for tree in [annotated(), GameTree::default(), annotated()] {
            tree.tell(&mut whole);
            let mut part = Survey::default();
            tree.tell(&mut part);
            sum.append(part);
        }
        assert_eq!(sum, whole);
    }

    #[test]
    fn the_most_frequent_come_first() {
        let names = [("c", 1), ("a", 2), ("b", 2), ("d", 9)];
        let names = names.map(|(name, count)| (name.to_owned(), count)).into();
        assert_eq!(most_frequent(&names, 3), [("d", 9), ("a", 2), ("b", 2)]);
        assert_eq!(most_frequent(&names, 9).len(), 4);
        assert!(most_frequent(&names, 0).is_empty());
    }
}
