//! What is played in a position, and how it went.

use std::collections::HashMap;

use tabiya_chess::{Key, Move, Position};
use tabiya_game::{Event, Flow, GameResult, GameSink, Needs, Tags};

use crate::Exact;

/// Games by their results, with the ratings of those who played them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games whose result is not known.
    pub unknown: u64,
    /// The sum of known ratings of White and of Black.
    pub elo_sums: [u64; 2],
    /// How many of them are known.
    pub elo_counts: [u64; 2],
    /// The latest year that is known.
    pub last_year: Option<u16>,
}

impl Tally {
    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        let kinds = [self.white, self.draws, self.black, self.unknown];
        kinds.into_iter().fold(0, u64::saturating_add)
    }

    /// What White has scored, from 0 to 1, in games with a result.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let [white, draws, black] = [self.white, self.draws, self.black].map(|games| games as f64);
        let decided = white + draws + black;
        (decided > 0.0).then(|| (white + draws / 2.0) / decided)
    }

    /// The mean of the known ratings.
    #[must_use]
    pub fn average_elo(&self) -> Option<f64> {
        let total = |[white, black]: [u64; 2]| white.saturating_add(black);
        let count = total(self.elo_counts);
        (count > 0).then(|| total(self.elo_sums) as f64 / count as f64)
    }

    /// Adds one more game.
    pub fn add(&mut self, game: &Game) {
        match game.result.token() {
            "1-0" => self.white += 1,
            "0-1" => self.black += 1,
            "1/2-1/2" => self.draws += 1,
            _ => self.unknown += 1,
        }
        for (side, elo) in game.elo.into_iter().enumerate() {
            if let Some(elo) = elo {
                self.elo_sums[side] += u64::from(elo);
                self.elo_counts[side] += 1;
            }
        }
        self.last_year = self.last_year.max(game.year);
    }

    /// Adds the games of another. Sums that some file claims may be any: they end where numbers do.
    pub fn merge(&mut self, other: &Tally) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.white, other.white);
        add(&mut self.draws, other.draws);
        add(&mut self.black, other.black);
        add(&mut self.unknown, other.unknown);
        for side in 0..2 {
            add(&mut self.elo_sums[side], other.elo_sums[side]);
            add(&mut self.elo_counts[side], other.elo_counts[side]);
        }
        self.last_year = self.last_year.max(other.last_year);
    }
}

/// What a game brings along.
#[derive(Clone, Copy, Debug, Default)]
pub struct Game {
    /// How it ended.
    pub result: GameResult,
    /// The ratings of White and of Black.
    pub elo: [Option<u16>; 2],
    /// When it was played.
    pub year: Option<u16>,
}

impl Game {
    /// From its tags and its end.
    #[must_use]
    pub fn new(tags: &Tags, result: GameResult) -> Game {
        Game {
            result,
            elo: [tags.white_elo(), tags.black_elo()],
            year: tags.date().and_then(|date| date.year),
        }
    }
}

/// A move in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The move.
    pub play: Move,
    /// Games in which it was played here.
    pub played: Tally,
    /// Games that reach the position after it, from here or from elsewhere.
    pub reached: u64,
}

impl Branch {
    /// Orders the moves of a position: the most frequent first.
    pub fn sort(branches: &mut [Branch]) {
        branches.sort_by_key(|branch| {
            let played = branch.played.games();
            (
                std::cmp::Reverse(played),
                std::cmp::Reverse(branch.reached),
                branch.play.to_bits(),
            )
        });
    }
}

/// What is played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeAnswer {
    /// All games that have the position.
    pub total: Tally,
    /// The moves that were played, or whose positions were reached, the most frequent first.
    pub branches: Vec<Branch>,
}

/// Hears games and counts what is played in a position. A game counts once for the position, and
/// once for each move, however often it comes back.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_search::tree::Tree;
///
/// let tree = Tree::new(&Position::initial());
/// assert_eq!(tree.total().games(), 0);
/// assert!(tree.branches().is_empty());
/// ```
#[derive(Debug)]
pub struct Tree {
    here: Exact,
    key: Key,
    branches: Vec<(Exact, Branch)>,
    /// Where the position after a move stands in the list; a game that comes to none of them has
    /// most keys of none.
    by_key: HashMap<Key, Vec<usize>>,
    total: Tally,
    line: MainLine,
    heard: Heard,
}

/// Follows the main lines of games while they are told.
#[derive(Debug, Default)]
pub struct MainLine {
    tags: Tags,
    /// How many variations are open.
    depth: usize,
}

/// What a main line comes to.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A game begins.
    Begin,
    /// Its first position, or that after a null move.
    Position(&'a Position),
    /// A move, and the position after it.
    Move(Move, &'a Position),
    /// The game is over.
    End(GameResult),
}

impl MainLine {
    /// What whoever follows it needs to be told.
    pub const NEEDS: Needs = Needs::TAGS.moves(true).after(true).keys(true);

    /// The step that an event is, if it is one.
    pub fn hear<'a>(&mut self, event: Event<'a>) -> Option<Step<'a>> {
        match event {
            Event::GameStart(_) => {
                self.tags.clear();
                self.depth = 0;
                return Some(Step::Begin);
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::Start(position) => return Some(Step::Position(position)),
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            Event::GameEnd { result, .. } => return Some(Step::End(result)),
            _ if self.depth > 0 => {}
            Event::Move { play, after, .. } => return after.map(|after| Step::Move(play, after)),
            Event::Null { after, .. } => return after.map(Step::Position),
            _ => {}
        }
        None
    }

    /// What the game brings along that ends so.
    #[must_use]
    pub fn game(&self, result: GameResult) -> Game {
        Game::new(&self.tags, result)
    }
}

/// What has been heard of a game.
#[derive(Debug, Default)]
struct Heard {
    here: bool,
    /// The last position was the one that is asked for.
    is_here: bool,
    /// Which branches were played.
    played: Vec<usize>,
    /// Which of the positions after them were reached.
    reached: Vec<usize>,
}

impl Tree {
    /// Of a position.
    #[must_use]
    pub fn new(position: &Position) -> Tree {
        let mut by_key: HashMap<Key, Vec<usize>> = HashMap::new();
        let mut branches = Vec::new();
        for (place, &play) in position.legal_moves().iter().enumerate() {
            let mut after = *position;
            after.play_unchecked(play);
            by_key.entry(Exact::key(&after)).or_default().push(place);
            let branch = Branch {
                play,
                played: Tally::default(),
                reached: 0,
            };
            branches.push((Exact::new(after), branch));
        }
        Tree {
            here: Exact::new(*position),
            key: Exact::key(position),
            branches,
            by_key,
            total: Tally::default(),
            line: MainLine::default(),
            heard: Heard::default(),
        }
    }

    /// All games that have the position.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.total
    }

    /// The moves that were played, or whose positions were reached, the most frequent first.
    #[must_use]
    pub fn branches(&self) -> Vec<Branch> {
        let mut branches: Vec<Branch> = self
            .branches
            .iter()
            .map(|(_, branch)| *branch)
            .filter(|branch| branch.reached > 0)
            .collect();
        Branch::sort(&mut branches);
        branches
    }

    /// Both together.
    #[must_use]
    pub fn answer(&self) -> TreeAnswer {
        TreeAnswer {
            total: self.total(),
            branches: self.branches(),
        }
    }

    /// Adds what another tree of the same position has heard.
    pub fn merge(&mut self, other: &Tree) {
        self.total.merge(&other.total);
        for ((_, branch), (_, more)) in self.branches.iter_mut().zip(&other.branches) {
            branch.played.merge(&more.played);
            branch.reached = branch.reached.saturating_add(more.reached);
        }
    }

    fn position(&mut self, position: &Position) {
        let key = Exact::key(position);
        self.heard.is_here = key == self.key && self.here.fits(position);
        self.heard.here |= self.heard.is_here;
        for &place in self.by_key.get(&key).into_iter().flatten() {
            let (after, _) = &self.branches[place];
            if after.fits(position) && !self.heard.reached.contains(&place) {
                self.heard.reached.push(place);
            }
        }
    }

    fn play(&mut self, play: Move) {
        if !self.heard.is_here {
            return;
        }
        let branch = self
            .branches
            .iter()
            .position(|(_, branch)| branch.play == play);
        if let Some(place) = branch
            && !self.heard.played.contains(&place)
        {
            self.heard.played.push(place);
        }
    }

    fn end(&mut self, result: GameResult) {
        let heard = std::mem::take(&mut self.heard);
        if heard.reached.is_empty() && !heard.here {
            return;
        }
        let game = self.line.game(result);
        if heard.here {
            self.total.add(&game);
        }
        for place in heard.played {
            self.branches[place].1.played.add(&game);
        }
        for place in heard.reached {
            self.branches[place].1.reached += 1;
        }
    }
}

impl GameSink for Tree {
    fn needs(&mut self) -> Needs {
        MainLine::NEEDS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match self.line.hear(event) {
            Some(Step::Begin) => self.heard = Heard::default(),
            Some(Step::Position(position)) => self.position(position),
            Some(Step::Move(play, after)) => {
                self.play(play);
                self.position(after);
            }
            Some(Step::End(result)) => self.end(result),
            None => {}
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Told, tell};

    use super::*;

    fn tree(after: &str, games: &[(&str, &str)]) -> Tree {
        let position = *Exact::after_moves(after).unwrap().position();
        let mut tree = Tree::new(&position);
        for (moves, result) in games {
            let told = Told {
                moves,
                tags: &[
                    ("WhiteElo", "2600"),
                    ("BlackElo", "2400"),
                    ("Date", "1999.05.01"),
                ],
                result: result.parse().unwrap(),
                ..Told::default()
            };
            tell(&told, &mut tree);
        }
        tree
    }

    fn counts(tree: &Tree) -> Vec<(String, u64, u64)> {
        let san = |play| tree.here.position().san(play).to_string();
        let count = |branch: Branch| (san(branch.play), branch.played.games(), branch.reached);
        tree.branches().into_iter().map(count).collect()
    }

    #[test]
    fn moves_are_counted_with_their_results() {
        let tree = tree(
            "",
            &[
                ("e4 e5", "1-0"),
                ("e4 c5", "1/2-1/2"),
                ("d4", "0-1"),
                ("e4", "*"),
            ],
        );
        assert_eq!(tree.total().games(), 4);
        assert_eq!(counts(&tree), [("e4".into(), 3, 3), ("d4".into(), 1, 1)]);
        let e4 = tree.branches()[0].played;
        assert_eq!((e4.white, e4.draws, e4.black, e4.unknown), (1, 1, 0, 1));
        assert_eq!(e4.score(), Some(0.75));
        assert_eq!(e4.average_elo(), Some(2500.0));
        assert_eq!(e4.last_year, Some(1999));
    }

    #[test]
    fn a_transposition_reaches_what_was_not_played_here() {
        let games = [
            ("d4 Nf6 c4 e6", "1-0"),
            ("c4 e6 d4 Nf6", "1-0"),
            ("d4 e6 c4 Nf6", "0-1"),
        ];
        let tree = tree("1. d4 Nf6", &games);
        assert_eq!(tree.total().games(), 1);
        // After 2. c4 stand all games that come to it: one did with ...e6 first, and is past it.
        assert_eq!(counts(&tree), [("c4".into(), 1, 1)]);
        let other = super::tests::tree("1. d4 Nf6 2. c4", &games);
        assert_eq!(counts(&other), [("e6".into(), 1, 3)]);
    }

    #[test]
    fn a_game_counts_once_however_often_it_comes_back() {
        let tree = tree("", &[("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nc3", "*")]);
        assert_eq!(tree.total().games(), 1);
        assert_eq!(counts(&tree), [("Nc3".into(), 1, 1), ("Nf3".into(), 1, 1)]);
    }

    #[test]
    fn a_capture_that_is_not_legal_makes_no_other_position() {
        // The pawn on e5 is pinned along the rank: ...d5 leaves no capture, whatever the key says.
        let start = Exact::from_fen("7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1").unwrap();
        let wanted = Exact::from_fen("7k/8/8/K2pP2r/8/8/8/8 w - - 0 1").unwrap();
        let mut tree = Tree::new(wanted.position());
        let told = Told {
            start: *start.position(),
            moves: "d5 Kb4",
            ..Told::default()
        };
        tell(&told, &mut tree);
        assert_eq!(counts(&tree), [("Kb4".into(), 1, 1)]);
    }

    #[test]
    fn variations_do_not_count() {
        let tree = tree("", &[("e4 ( d4 ) e5", "*")]);
        assert_eq!(counts(&tree), [("e4".into(), 1, 1)]);
    }

    #[test]
    fn sums_that_somebody_claims_end_where_numbers_do() {
        let most = Tally {
            white: u64::MAX,
            draws: u64::MAX,
            black: 0,
            unknown: 1,
            elo_sums: [u64::MAX; 2],
            elo_counts: [u64::MAX; 2],
            last_year: None,
        };
        let mut sum = most;
        sum.merge(&most);
        assert_eq!(sum, Tally { unknown: 2, ..most });
        assert_eq!(sum.games(), u64::MAX);
        assert_eq!(sum.score(), Some(0.75));
        assert_eq!(sum.average_elo(), Some(1.0));
    }

    #[test]
    fn two_halves_make_a_whole() {
        let mut one = tree("", &[("e4", "1-0"), ("d4", "0-1")]);
        one.merge(&tree("", &[("e4", "*"), ("c4", "1-0")]));
        assert_eq!(one.total().games(), 4);
        let expected = [
            ("e4".into(), 2, 2),
            ("c4".into(), 1, 1),
            ("d4".into(), 1, 1),
        ];
        assert_eq!(counts(&one), expected);
    }
}
