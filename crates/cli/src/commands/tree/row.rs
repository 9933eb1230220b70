//! A move of a tree, as all ways to print it see it.

use tabiya::{
    openings::{Opening, Openings},
    tree::{Branch, opponents, performance},
};
use tabiya_chess::Position;

/// A move and what is known of it.
pub struct Row<'o> {
    pub branch: Branch,
    pub san: String,
    pub uci: String,
    /// What White has scored, in percent.
    pub score: Option<f64>,
    pub average: Option<u64>,
    /// Of those who played against the move.
    pub opponents: Option<u64>,
    pub performance: Option<i64>,
    pub opening: Option<&'o Opening>,
}

impl<'o> Row<'o> {
    pub fn new(before: &Position, branch: Branch, names: &'o Openings) -> Row<'o> {
        let mut after = *before;
        after.play_unchecked(branch.play);
        let (played, side) = (&branch.played, before.turn());
        let rounded = |rating: f64| rating.round() as u64;
        Row {
            san: before.san(branch.play).to_string(),
            uci: before.uci(branch.play).to_string(),
            score: played.score().map(|score| score * 100.0),
            average: played.average_elo().map(rounded),
            opponents: opponents(played, side).map(rounded),
            performance: performance(played, side),
            opening: names.of(&after),
            branch,
        }
    }
}
