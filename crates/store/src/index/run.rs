//! A position that several games have: its run.
//!
//! ```text
//! ply of the first game of the first edge, plus 1     gamma
//! games that are in more than one edge, plus 1        gamma
//!     their rows, once for each edge too many         as wide as rows are
//! edges                                               gamma
//!     move                                            15 bits: from, to, promotion; or NO_MOVE
//!     1 if all games have that ply                    1 bit
//!     games                                           gamma
//!     of MANY or more: tally, bits of what follows    gamma
//!     the first row                                   as wide as rows are
//!     of two or more: low                             5 bits
//!         differences to the row before, minus 1      Rice, with so many low bits
//!     plies, where not all are equal                  gamma of 1 plus the zigzag of the difference
//! ```

use tabiya_search::tree::Tally;

use super::bits::{BitReader, BitWriter};
use crate::number::{unzigzag, zigzag};

/// What is played where a game ends, or somebody passes: nothing. No move has this promotion.
pub(super) const NO_MOVE: u16 = 6 << 12;

/// An edge of so many games has its tally with it; of fewer it is counted anew.
const MANY: u64 = 64;

/// A game in a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Visit {
    /// What it plays there.
    pub play: u16,
    pub row: u32,
    /// When it does that first.
    pub ply: u16,
}

/// Writes a run of visits in their order, each row once an edge.
pub(super) fn write(
    visits: &[Visit],
    row_bits: u32,
    tally: impl Fn(&[Visit]) -> Tally,
    bits: &mut BitWriter,
) {
    let ply = visits.first().map_or(0, |visit| visit.ply);
    bits.put_gamma(u64::from(ply) + 1);
    let edges = || visits.chunk_by(|one, other| one.play == other.play);
    let count = edges().count();
    let twice = if count > 1 {
        surplus(visits)
    } else {
        Vec::new()
    };
    bits.put_gamma(twice.len() as u64 + 1);
    for &row in &twice {
        bits.put(row.into(), row_bits);
    }
    bits.put_gamma(count as u64);
    for edge in edges() {
        write_edge(edge, ply, row_bits, &tally, bits);
    }
}

/// The rows that are in several edges, once for each edge too many.
fn surplus(visits: &[Visit]) -> Vec<u32> {
    let mut rows: Vec<u32> = visits.iter().map(|visit| visit.row).collect();
    // Those of an edge are in order already, which this kind of sorting makes use of.
    rows.sort();
    let pairs = rows.windows(2).filter(|pair| pair[0] == pair[1]);
    pairs.map(|pair| pair[0]).collect()
}

fn write_edge(
    edge: &[Visit],
    ply: u16,
    row_bits: u32,
    tally: &impl Fn(&[Visit]) -> Tally,
    bits: &mut BitWriter,
) {
    let is_uniform = edge.iter().all(|visit| visit.ply == ply);
    bits.put(edge[0].play.into(), 15);
    bits.put(is_uniform.into(), 1);
    bits.put_gamma(edge.len() as u64);
    if (edge.len() as u64) < MANY {
        return write_games(edge, (!is_uniform).then_some(ply), row_bits, bits);
    }
    let mut games = BitWriter::default();
    write_games(edge, (!is_uniform).then_some(ply), row_bits, &mut games);
    write_tally(&tally(edge), bits);
    bits.put_gamma(games.len());
    bits.append(&games);
}

/// Rows, and plies as differences to one if they are not all that one.
fn write_games(edge: &[Visit], ply: Option<u16>, row_bits: u32, bits: &mut BitWriter) {
    write_rows(edge, row_bits, bits);
    let Some(ply) = ply else {
        return;
    };
    for visit in edge {
        let difference = i64::from(visit.ply) - i64::from(ply);
        bits.put_gamma(zigzag(difference) + 1);
    }
}

fn write_rows(edge: &[Visit], row_bits: u32, bits: &mut BitWriter) {
    let (first, last) = (edge[0].row, edge[edge.len() - 1].row);
    bits.put(first.into(), row_bits);
    if edge.len() < 2 {
        return;
    }
    let mean = (last - first) / (edge.len() as u32 - 1);
    let low = mean.max(1).ilog2();
    bits.put(low.into(), 5);
    for pair in edge.windows(2) {
        bits.put_rice(u64::from(pair[1].row - pair[0].row - 1), low);
    }
}

fn write_tally(tally: &Tally, bits: &mut BitWriter) {
    let year = tally.last_year.map_or(0, |year| u64::from(year) + 1);
    let [white, black] = tally.elo_sums;
    let [whites, blacks] = tally.elo_counts;
    for number in [
        tally.white,
        tally.draws,
        tally.black,
        white,
        black,
        whites,
        blacks,
        year,
    ] {
        bits.put_gamma(number + 1);
    }
}

fn read_tally(games: u64, bits: &mut BitReader<'_>) -> Option<Tally> {
    let mut numbers = [0; 8];
    for number in &mut numbers {
        *number = bits.take_gamma()? - 1;
    }
    let [
        white,
        draws,
        black,
        white_sum,
        black_sum,
        whites,
        blacks,
        year,
    ] = numbers;
    let known = white.checked_add(draws)?.checked_add(black)?;
    let is_sound = |sum: u64, count: u64| {
        let most = count.checked_mul(u16::MAX.into());
        count <= games && most.is_some_and(|most| sum <= most)
    };
    if !is_sound(white_sum, whites) || !is_sound(black_sum, blacks) {
        return None;
    }
    Some(Tally {
        white,
        draws,
        black,
        unknown: games.checked_sub(known)?,
        elo_sums: [white_sum, black_sum],
        elo_counts: [whites, blacks],
        last_year: match year {
            0 => None,
            year => Some(u16::try_from(year - 1).ok()?),
        },
    })
}

/// A run that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    bits: BitReader<'a>,
    row_bits: u32,
    ply: u64,
    /// How many rows are too many.
    twice: u64,
}

/// An edge that is read: a move, and the games that play it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a> {
    pub play: u16,
    pub games: u64,
    /// Of all games, if they are many.
    pub tally: Option<Tally>,
    /// The ply of all games, if they have one.
    uniform: bool,
    ply: u64,
    rows: BitReader<'a>,
    row_bits: u32,
}

impl<'a> Run<'a> {
    pub fn read(bytes: &'a [u8], row_bits: u32) -> Option<Run<'a>> {
        let mut bits = BitReader::new(bytes);
        let ply = bits.take_gamma()? - 1;
        let twice = bits.take_gamma()? - 1;
        let mut behind = bits;
        behind.skip(twice.checked_mul(row_bits.into())?)?;
        Some(Run {
            bits,
            row_bits,
            ply,
            twice,
        })
    }

    /// Rows that are in several edges, once for each edge too many.
    pub fn twice(&self) -> impl Iterator<Item = Option<u32>> + 'a {
        let (mut bits, width) = (self.bits, self.row_bits);
        (0..self.twice).map(move |_| Some(bits.take(width)? as u32))
    }

    /// The edges, one after the other.
    pub fn edges(&self) -> Option<Edges<'a>> {
        let mut bits = self.bits;
        bits.skip(self.twice * u64::from(self.row_bits))?;
        let left = bits.take_gamma()?;
        Some(Edges {
            bits,
            row_bits: self.row_bits,
            ply: self.ply,
            left,
        })
    }

    /// How many games have the position.
    pub fn games(&self) -> Option<u64> {
        let mut sum = 0u64;
        for edge in self.edges()? {
            sum = sum.saturating_add(edge?.games);
        }
        Some(sum.saturating_sub(self.twice))
    }

    /// A game that has the position, and when.
    pub fn example(&self) -> Option<(u32, u32)> {
        let edge = self.edges()?.next()??;
        let mut rows = edge.rows;
        let row = rows.take(self.row_bits)? as u32;
        Some((row, u32::try_from(self.ply).ok()?))
    }
}

/// See [`Run::edges`].
pub(super) struct Edges<'a> {
    bits: BitReader<'a>,
    row_bits: u32,
    ply: u64,
    left: u64,
}

impl<'a> Edges<'a> {
    fn read(&mut self) -> Option<Edge<'a>> {
        let play = self.bits.take(15)? as u16;
        let uniform = self.bits.take(1)? == 1;
        let games = self.bits.take_gamma()?;
        // Each is a row of its own.
        if games > 1 << self.row_bits {
            return None;
        }
        let (tally, len) = match games >= MANY {
            true => {
                let tally = read_tally(games, &mut self.bits)?;
                (Some(tally), Some(self.bits.take_gamma()?))
            }
            false => (None, None),
        };
        let edge = Edge {
            play,
            games,
            tally,
            uniform,
            ply: self.ply,
            rows: self.bits,
            row_bits: self.row_bits,
        };
        match len {
            Some(len) => self.bits.skip(len)?,
            None => self.bits = edge.end()?,
        }
        Some(edge)
    }
}

/// Stops behind the first edge that cannot be read.
impl<'a> Iterator for Edges<'a> {
    type Item = Option<Edge<'a>>;

    fn next(&mut self) -> Option<Option<Edge<'a>>> {
        self.left = self.left.checked_sub(1)?;
        let edge = self.read();
        if edge.is_none() {
            self.left = 0;
        }
        Some(edge)
    }
}

impl<'a> Edge<'a> {
    /// Calls with each row, in order; `None` if one cannot be read. Gives what is behind them.
    #[inline]
    pub fn for_each_row(&self, mut tell: impl FnMut(u32)) -> Option<BitReader<'a>> {
        let mut bits = self.rows;
        let mut row = bits.take(self.row_bits)? as u32;
        tell(row);
        if self.games > 1 {
            let low = bits.take(5)? as u32;
            for _ in 1..self.games {
                let gap = u32::try_from(bits.take_rice(low)?).ok()?;
                row = row.checked_add(gap)?.checked_add(1)?;
                tell(row);
            }
        }
        Some(bits)
    }

    /// The games with their plies, in order.
    pub fn visits(&self) -> Option<Visits<'a>> {
        let plies = match self.uniform {
            true => None,
            false => Some(self.for_each_row(|_| {})?),
        };
        let mut rows = self.rows;
        Some(Visits {
            row: rows.take(self.row_bits)? as u32,
            low: match self.games > 1 {
                true => rows.take(5)? as u32,
                false => 0,
            },
            rows,
            plies,
            ply: u32::try_from(self.ply).ok()?,
            left: self.games,
        })
    }

    fn end(&self) -> Option<BitReader<'a>> {
        let mut bits = self.for_each_row(|_| {})?;
        if !self.uniform {
            for _ in 0..self.games {
                bits.take_gamma()?;
            }
        }
        Some(bits)
    }
}

/// See [`Edge::visits`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Visits<'a> {
    /// The next row.
    row: u32,
    rows: BitReader<'a>,
    low: u32,
    /// Where plies are, if they are not all the same.
    plies: Option<BitReader<'a>>,
    ply: u32,
    left: u64,
}

impl Visits<'_> {
    #[inline]
    fn visit(&mut self) -> Option<(u32, u32)> {
        let ply = match &mut self.plies {
            None => self.ply,
            Some(plies) => {
                let difference = unzigzag(plies.take_gamma()? - 1);
                u32::try_from(i64::from(self.ply).checked_add(difference)?).ok()?
            }
        };
        let row = self.row;
        if self.left > 0 {
            let gap = u32::try_from(self.rows.take_rice(self.low)?).ok()?;
            self.row = row.checked_add(gap)?.checked_add(1)?;
        }
        Some((row, ply))
    }
}

/// Stops behind the first game that cannot be read.
impl Iterator for Visits<'_> {
    type Item = Option<(u32, u32)>;

    #[inline]
    fn next(&mut self) -> Option<Option<(u32, u32)>> {
        self.left = self.left.checked_sub(1)?;
        let visit = self.visit();
        if visit.is_none() {
            self.left = 0;
        }
        Some(visit)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn tally(edge: &[Visit]) -> Tally {
        Tally {
            unknown: edge.len() as u64 - 1,
            white: 1,
            last_year: Some(1999),
            ..Tally::default()
        }
    }

    proptest! {
        #[test]
        fn visits_come_back(
            visits in prop::collection::btree_map((0u16..4, 0u32..5_000), 0u16..30, 1..400),
        ) {
            let visits: Vec<Visit> = visits
                .into_iter()
                .map(|((play, row), ply)| Visit { play, row, ply })
                .collect();
            let mut bits = BitWriter::default();
            write(&visits, 13, tally, &mut bits);
            let bytes = bits.into_bytes();
            let run = Run::read(&bytes, 13).unwrap();
            let mut again = Vec::new();
            for edge in run.edges().unwrap() {
                let edge = edge.unwrap();
                for visit in edge.visits().unwrap() {
                    let (row, ply) = visit.unwrap();
                    again.push(Visit { play: edge.play, row, ply: ply as u16 });
                }
                prop_assert!(edge.tally.is_none_or(|tally| tally.games() == edge.games));
                prop_assert_eq!(edge.tally.is_some(), edge.games >= MANY);
            }
            prop_assert_eq!(run.example(), Some((visits[0].row, visits[0].ply.into())));
            let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
            visits.iter().for_each(|visit| *counts.entry(visit.row).or_default() += 1);
            for row in run.twice() {
                *counts.get_mut(&row.unwrap()).unwrap() -= 1;
            }
            prop_assert!(counts.values().all(|count| *count == 1));
            prop_assert_eq!(again, visits);
        }

        #[test]
        fn any_bytes_are_a_run_or_none(bytes: Vec<u8>) {
            let Some(run) = Run::read(&bytes, 9) else { return Ok(()) };
            let _ = run.example();
            run.twice().take_while(Option::is_some).for_each(drop);
            for edge in run.edges().into_iter().flatten().flatten() {
                edge.visits().into_iter().flatten().for_each(drop);
            }
        }
    }

    /// A run of one edge of so many games, up to where those begin.
    fn edge(games: u64, uniform: bool) -> BitWriter {
        let mut bits = BitWriter::default();
        // The ply is 5, nobody is there twice.
        for number in [6, 1, 1] {
            bits.put_gamma(number);
        }
        bits.put(9, 15);
        bits.put(uniform.into(), 1);
        bits.put_gamma(games);
        bits
    }

    #[test]
    fn a_ply_beyond_all_numbers_is_damage() {
        let mut bits = edge(1, false);
        bits.put(3, 13);
        bits.put_gamma(u64::MAX);
        let bytes = bits.into_bytes();
        let run = Run::read(&bytes, 13).unwrap();
        let edge = run.edges().unwrap().next().unwrap().unwrap();
        assert_eq!(edge.visits().unwrap().collect::<Vec<_>>(), [None]);
    }

    #[test]
    fn an_edge_has_no_more_games_and_ratings_than_there_are_rows() {
        let read = |games: u64, tally: [u64; 8]| {
            let mut bits = edge(games, true);
            for number in tally {
                bits.put_gamma(number + 1);
            }
            for number in [1, u64::MAX] {
                bits.put_gamma(number);
            }
            let bytes = bits.into_bytes();
            let run = Run::read(&bytes, 13).unwrap();
            run.edges().unwrap().next().unwrap().is_some()
        };
        let sound = [10, 20, 30, 2_000, 4_000, 1, 2, 1_999];
        assert!(read(8_192, sound));
        assert!(!read(8_193, sound));
        assert!(!read(u64::MAX, sound));
        for (place, number) in [(0, 8_192), (2, u64::MAX - 1), (3, 70_000), (6, 8_193)] {
            let mut wrong = sound;
            wrong[place] = number;
            assert!(!read(8_192, wrong), "{place}");
        }
    }
}
