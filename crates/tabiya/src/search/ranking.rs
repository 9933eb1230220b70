//! Hits in an order, the first of them.

use std::cmp::Ordering;

use super::Hit;

/// In which order games are listed. What is not known comes last; those that are alike stand in the
/// order of the inputs, and there by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Sort {
    /// The order of the inputs and the numbers in them.
    #[default]
    Id,
    /// The mean of the known ratings, the highest first.
    Elo,
    /// The date, the latest first.
    Date,
    /// The distance, the nearest first.
    Distance,
}

/// Takes hits and keeps those that come first in an order. However many it takes, it keeps few more
/// than are wanted. The order does not depend on the number of threads.
///
/// ```
/// use tabiya::search::{Ranking, Sort};
///
/// let ranking = Ranking::new(Sort::Date).limit(10);
/// assert_eq!(ranking.total(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Ranking {
    sort: Sort,
    reverse: bool,
    skip: usize,
    limit: usize,
    kept: Vec<Ranked>,
    /// The input and the number of the last of those that were kept, in the order of their numbers.
    last: Option<(usize, u64)>,
    total: u64,
}

#[derive(Clone, Debug)]
struct Ranked {
    /// What it is sorted by, the least first.
    key: Option<i64>,
    input: usize,
    hit: Hit,
}

/// How many hits are worth sorting before all have come.
const FEWEST_SORTED: usize = 1_000;

impl Ranking {
    /// All hits, in an order.
    #[must_use]
    pub fn new(sort: Sort) -> Ranking {
        Ranking {
            sort,
            reverse: false,
            skip: 0,
            limit: usize::MAX,
            kept: Vec::new(),
            last: None,
            total: 0,
        }
    }

    /// The other way round. What is not known comes last all the same.
    #[must_use]
    pub fn reverse(mut self, reverse: bool) -> Ranking {
        self.reverse = reverse;
        self
    }

    /// Leaves out so many that come first.
    #[must_use]
    pub fn skip(mut self, skip: usize) -> Ranking {
        self.skip = skip;
        self
    }

    /// So many at most.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Ranking {
        self.limit = limit;
        self
    }

    /// How many it has taken, listed or not.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Takes a hit of an input, in any order; it takes least time if those of an input come in the
    /// order of their numbers, and the inputs one after the other.
    pub fn take(&mut self, input: usize, hit: Hit) {
        self.total += 1;
        let wanted = self.wanted();
        let place = Some((input, hit.number));
        let is_last = self.kept.len() >= wanted && place >= self.last;
        if self.sort == Sort::Id && !self.reverse && is_last {
            return;
        }
        self.last = self.last.max(place);
        let key = self.key(&hit);
        self.kept.push(Ranked { key, input, hit });
        // Twice as many as are wanted wait at most, so that each is sorted twice or so.
        if self.kept.len() >= wanted.saturating_mul(2).max(FEWEST_SORTED) {
            self.settle();
        }
    }

    /// Those that are listed, each with the number of its input.
    pub fn finish(mut self) -> impl Iterator<Item = (usize, Hit)> {
        self.settle();
        let kept = self.kept.into_iter().skip(self.skip);
        kept.map(|ranked| (ranked.input, ranked.hit))
    }

    fn wanted(&self) -> usize {
        self.skip.saturating_add(self.limit)
    }

    fn key(&self, hit: &Hit) -> Option<i64> {
        match self.sort {
            Sort::Id => Some(0),
            Sort::Elo => mean(hit).map(|elo| -elo),
            Sort::Date => hit.tags.date().map(|date| {
                let [month, day] = [date.month, date.day].map(|part| i64::from(part.unwrap_or(0)));
                -(i64::from(date.year.unwrap_or(0)) * 10_000 + month * 100 + day)
            }),
            Sort::Distance => hit.distance.map(i64::from),
        }
    }

    /// Sorts, and leaves out what does not come first.
    fn settle(&mut self) {
        let reverse = self.reverse;
        let place = |ranked: &Ranked| (ranked.input, ranked.hit.number);
        let by_place = |one: &Ranked, other: &Ranked| match (self.sort, reverse) {
            (Sort::Id, true) => place(other).cmp(&place(one)),
            _ => place(one).cmp(&place(other)),
        };
        let by_key = |one: &Ranked, other: &Ranked| match (one.key, other.key) {
            (Some(one), Some(other)) if reverse => other.cmp(&one),
            (Some(one), Some(other)) => one.cmp(&other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        self.kept
            .sort_by(|one, other| by_key(one, other).then_with(|| by_place(one, other)));
        self.kept.truncate(self.wanted());
    }
}

/// Twice the mean of the known ratings, so that nothing is rounded.
fn mean(hit: &Hit) -> Option<i64> {
    match (hit.tags.white_elo(), hit.tags.black_elo()) {
        (Some(white), Some(black)) => Some(i64::from(white) + i64::from(black)),
        (one, other) => one.or(other).map(|elo| 2 * i64::from(elo)),
    }
}

#[cfg(test)]
mod tests {
    use tabiya_game::{GameResult, Tags};

    use super::*;

    fn hit(number: u64) -> Hit {
        let mut tags = Tags::new();
        // Many are the same, and some unknown.
        if !number.is_multiple_of(7) {
            tags.push("WhiteElo", (2_000 + number * 31 % 97).to_string());
            tags.push("Date", format!("{}.??.??", 1_900 + number * 13 % 101));
        }
        Hit {
            number,
            ply: None,
            distance: Some((number * 17 % 89) as u32),
            tags,
            result: GameResult::Unknown,
            opening: None,
        }
    }

    fn ranked(mut ranking: Ranking) -> (Vec<u64>, usize) {
        let mut most = 0;
        for number in 1..=5_000 {
            ranking.take(0, hit(number));
            most = most.max(ranking.kept.len());
        }
        assert_eq!(ranking.total(), 5_000);
        (ranking.finish().map(|(_, hit)| hit.number).collect(), most)
    }

    #[test]
    fn the_first_are_the_same_however_many_are_wanted() {
        for sort in [Sort::Id, Sort::Elo, Sort::Date, Sort::Distance] {
            for reverse in [false, true] {
                let ranking = Ranking::new(sort).reverse(reverse);
                let (all, _) = ranked(ranking.clone());
                assert_eq!(all.len(), 5_000);
                for (skip, limit) in [(0, 0), (0, 1), (3, 20), (0, 3_000)] {
                    let (first, most) = ranked(ranking.clone().skip(skip).limit(limit));
                    assert_eq!(first, all[skip..skip + limit], "{sort:?} {reverse}");
                    assert!(most <= (2 * (skip + limit)).max(FEWEST_SORTED), "{most}");
                }
            }
        }
    }

    #[test]
    fn hits_may_come_in_any_order() {
        for reverse in [false, true] {
            let mut ranking = Ranking::new(Sort::Id).reverse(reverse).limit(3);
            for (input, number) in [(1, 1), (0, 9), (0, 5), (0, 7), (1, 2), (0, 3)] {
                ranking.take(input, hit(number));
            }
            let found = ranking.finish().map(|(input, hit)| (input, hit.number));
            let expected = match reverse {
                false => [(0, 3), (0, 5), (0, 7)],
                true => [(1, 2), (1, 1), (0, 9)],
            };
            assert_eq!(found.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn what_is_not_known_comes_last_in_either_direction() {
        for sort in [Sort::Elo, Sort::Date] {
            for reverse in [false, true] {
                let (all, _) = ranked(Ranking::new(sort).reverse(reverse));
                let unknown = &all[all.len() - 5_000 / 7..];
                assert!(unknown.iter().all(|number| number.is_multiple_of(7)));
                assert!(unknown.is_sorted());
            }
        }
        let (strongest, _) = ranked(Ranking::new(Sort::Elo).limit(1));
        assert_eq!(2_000 + strongest[0] * 31 % 97, 2_096);
    }
}
