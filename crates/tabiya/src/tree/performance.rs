//! How well a move has done, as a rating.

use tabiya_chess::Color;

use super::Tally;

/// How much better than the opponents one is who scores 50, 51, … 100 %: FIDE's table of rating
/// differences (Rating Regulations, table 8.1a).
const DIFFERENCES: [u16; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, //
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141, //
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230, //
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351, //
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677, //
    800,
];

/// The performance of a side: the mean of its opponents' known ratings, and FIDE's difference for
/// what it scored in games with a result.
///
/// Results against opponents without a rating say nothing about it, and a tally does not tell them
/// apart: there is no performance if so many are without one that the score could be off by more
/// than a point of a hundred.
///
/// ```
/// use tabiya::{Color, tree::{Tally, performance}};
///
/// let tally = Tally { white: 3, black: 1, elo_sums: [0, 9600], elo_counts: [0, 4], ..Tally::default() };
/// assert_eq!(performance(&tally, Color::White), Some(2400 + 193));
/// assert_eq!(performance(&tally, Color::Black), None, "White's ratings are not known");
/// ```
#[must_use]
pub fn performance(tally: &Tally, side: Color) -> Option<i64> {
    let white = tally.score()?;
    let score = match side {
        Color::White => white,
        Color::Black => 1.0 - white,
    };
    let unrated = tally.games().saturating_sub(tally.elo_counts[theirs(side)]);
    let decided = tally.games().saturating_sub(tally.unknown);
    if unrated.saturating_mul(100) > decided {
        return None;
    }
    let opponents = opponents(tally, side)?;
    Some(performance_against(opponents, score))
}

/// The performance of whoever scores so much, from 0 to 1, against opponents of this mean rating.
///
/// ```
/// use tabiya::tree::performance_against;
///
/// assert_eq!(performance_against(2400.0, 0.75), 2400 + 193);
/// assert_eq!(performance_against(2400.0, 0.25), 2400 - 193);
/// ```
#[must_use]
pub fn performance_against(opponents: f64, score: f64) -> i64 {
    let percent = (score.clamp(0.0, 1.0) * 100.0).round() as i64;
    let size = i64::from(DIFFERENCES[(percent - 50).unsigned_abs() as usize]);
    opponents.round() as i64 + size * (percent - 50).signum()
}

/// The mean of the known ratings of a side's opponents.
#[must_use]
pub fn opponents(tally: &Tally, side: Color) -> Option<f64> {
    let theirs = theirs(side);
    let count = tally.elo_counts[theirs];
    (count > 0).then(|| tally.elo_sums[theirs] as f64 / count as f64)
}

/// Where a tally has the ratings of a side's opponents.
fn theirs(side: Color) -> usize {
    match side {
        Color::White => 1,
        Color::Black => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(white: u64, draws: u64, black: u64, side: Color) -> Option<i64> {
        let tally = Tally {
            white,
            draws,
            black,
            elo_sums: [2500, 2300].map(|elo| elo * (white + draws + black)),
            elo_counts: [white + draws + black; 2],
            ..Tally::default()
        };
        performance(&tally, side)
    }

    #[test]
    fn performances_are_those_of_fides_table() {
        assert_eq!(of(1, 0, 1, Color::White), Some(2300));
        assert_eq!(of(1, 0, 0, Color::White), Some(3100));
        assert_eq!(of(1, 0, 0, Color::Black), Some(1700));
        assert_eq!(of(1, 1, 0, Color::White), Some(2493));
        assert_eq!(of(1, 0, 2, Color::Black), Some(2625));
        assert_eq!(of(0, 0, 0, Color::White), None, "nothing was scored");
    }

    #[test]
    fn wins_against_nobody_knows_whom_are_no_performance() {
        let tally = Tally {
            white: 99,
            black: 1,
            elo_sums: [0, 2800],
            elo_counts: [0, 1],
            ..Tally::default()
        };
        assert_eq!(performance(&tally, Color::White), None);
        let nearly_all = Tally {
            elo_sums: [0, 2800 * 99],
            elo_counts: [0, 99],
            ..tally
        };
        assert_eq!(performance(&nearly_all, Color::White), Some(2800 + 677));
    }
}
