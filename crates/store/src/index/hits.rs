//! The games that have a position, looked up when their turn comes.

use std::iter::{Flatten, Peekable};

use super::run::{Run, Visits};
use crate::Hit;

/// The games that have a position, in the order of their numbers.
///
/// How many they are is known at once. Where they are many, most of the work is done while they are
/// gone through: who looks at a hundred of a million does not wait for the others.
#[derive(Debug)]
pub struct Hits<'a> {
    indexed: Flatten<std::vec::IntoIter<InSegment<'a>>>,
    /// The next of those.
    ahead: Option<Hit>,
    others: Peekable<std::vec::IntoIter<Hit>>,
    left: u64,
}

impl<'a> Hits<'a> {
    /// Those of segments, one behind the other, and others in any order.
    pub(super) fn new(segments: Vec<InSegment<'a>>, mut others: Vec<Hit>) -> Hits<'a> {
        others.sort_unstable();
        let indexed = segments.iter().map(|segment| segment.count);
        Hits {
            left: indexed.fold(others.len() as u64, u64::saturating_add),
            indexed: segments.into_iter().flatten(),
            ahead: None,
            others: others.into_iter().peekable(),
        }
    }

    /// How many are left.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.left
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }
}

impl Iterator for Hits<'_> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        if self.ahead.is_none() {
            self.ahead = self.indexed.next();
        }
        let hit = match (self.ahead, self.others.peek()) {
            (Some(one), Some(other)) if *other < one => self.others.next(),
            (None, _) => self.others.next(),
            (Some(_), _) => self.ahead.take(),
        };
        self.left = self.left.saturating_sub(1);
        hit
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // There are no more than rows, which is all that this has to be right about.
        (usize::try_from(self.left).unwrap_or(0), None)
    }
}

/// Those of a segment.
#[derive(Debug)]
pub(super) struct InSegment<'a> {
    /// The number of the first row.
    pub first: u64,
    pub count: u64,
    pub visitors: Visitors<'a>,
}

impl Iterator for InSegment<'_> {
    type Item = Hit;

    #[inline]
    fn next(&mut self) -> Option<Hit> {
        let (row, ply) = match &mut self.visitors {
            Visitors::Few(games) => games.next()?,
            Visitors::Many(blocks) => blocks.next()?,
        };
        let number = self.first + u64::from(row);
        Some(Hit { number, ply })
    }
}

/// Rows, each with the ply at which it has the position first, in order.
#[derive(Debug)]
pub(super) enum Visitors<'a> {
    Few(std::vec::IntoIter<(u32, u32)>),
    Many(Blocks<'a>),
}

/// So many rows are looked at together: their plies fit into the nearest cache.
const BLOCK: u32 = 4_096;

/// The games of a run, block by block: those of an edge are in order, but the edges are not.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    run: Run<'a>,
    rows: u32,
    /// A bit for each row that is wanted, unless all are.
    wanted: Option<Vec<u64>>,
    /// Begun when somebody asks for the first game.
    edges: Option<Vec<Peekable<Visits<'a>>>>,
    /// The first row that has not been looked at.
    next: u32,
    found: std::vec::IntoIter<(u32, u32)>,
}

impl<'a> Blocks<'a> {
    pub fn new(run: Run<'a>, rows: u32, wanted: Option<Vec<u64>>) -> Blocks<'a> {
        Blocks {
            run,
            rows,
            wanted,
            edges: None,
            next: 0,
            found: Vec::new().into_iter(),
        }
    }

    fn is_wanted(&self, row: u32) -> bool {
        let has = |bits: &Vec<u64>| bits[row as usize / 64] >> (row % 64) & 1 == 1;
        self.wanted.as_ref().is_none_or(has)
    }

    /// Looks for the games of the next rows.
    fn look(&mut self) {
        let start = self.next;
        let end = self.rows.min(start + BLOCK);
        let mut plies = [u32::MAX; BLOCK as usize];
        let run = self.run;
        for visits in self.edges.get_or_insert_with(|| begin(&run)) {
            // An edge that cannot be read ends there.
            let is_here = |visit: &Option<(u32, u32)>| visit.is_some_and(|(row, _)| row < end);
            while let Some(Some((row, ply))) = visits.next_if(is_here) {
                let first = &mut plies[(row - start) as usize];
                *first = ply.min(*first);
            }
        }
        self.next = end;
        let games = (start..end)
            .zip(plies)
            .filter(|(row, ply)| *ply != u32::MAX && self.is_wanted(*row));
        self.found = games.collect::<Vec<_>>().into_iter();
    }
}

/// The games of each edge from the first on.
fn begin<'a>(run: &Run<'a>) -> Vec<Peekable<Visits<'a>>> {
    let edges = run.edges().into_iter().flatten().flatten();
    let visits = edges.filter_map(|edge| edge.visits());
    visits.map(Iterator::peekable).collect()
}

impl Iterator for Blocks<'_> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            if let Some(game) = self.found.next() {
                return Some(game);
            }
            if self.next >= self.rows {
                return None;
            }
            self.look();
        }
    }
}
