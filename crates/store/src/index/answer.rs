//! All segments, asked.

use std::{
    cell::{Cell, OnceCell},
    num::NonZeroUsize,
    thread,
};

use tabiya_chess::{Move, Position};
use tabiya_game::{Error, GameSink};
use tabiya_search::{
    Exact, Query, Seeker, Test,
    tree::{Branch, Tree, TreeAnswer},
};

use super::{
    asked::{Asked, Games, Trouble, Wanted},
    hits::{Blocks, Hits, InSegment, Visitors},
};
use crate::{GameSet, Hit, How, Store, movetext::Sought, snapshot::Part};

/// Rows of a part that are asked for.
pub(super) struct Rows<'a> {
    part: &'a Part<'a>,
    among: Option<&'a GameSet>,
    /// How often somebody has asked.
    asked: Cell<u32>,
    /// A bit for each row, for those who ask often.
    dense: OnceCell<Vec<u64>>,
}

impl<'a> Rows<'a> {
    pub fn new(part: &'a Part<'a>, among: Option<&'a GameSet>) -> Rows<'a> {
        Rows {
            part,
            among,
            asked: Cell::new(0),
            dense: OnceCell::new(),
        }
    }

    /// The games that an index has found among them; their rows are counted from a number.
    fn found<'b>(self, games: Games<'b>, first: u64) -> InSegment<'b> {
        let (count, visitors) = match games {
            Games::Few(games) => (games.len() as u64, Visitors::Few(games.into_iter())),
            Games::Many(run, count) => {
                let rows = self.part.rows;
                let blocks = Blocks::new(run, rows, self.into_bits());
                (count, Visitors::Many(blocks))
            }
        };
        InSegment {
            first,
            count,
            visitors,
        }
    }

    /// A bit for each row, unless all are wanted.
    fn into_bits(self) -> Option<Vec<u64>> {
        if self.is_everything() {
            return None;
        }
        self.dense.get_or_init(|| self.make_dense());
        self.dense.into_inner()
    }

    #[cold]
    fn make_dense(&self) -> Vec<u64> {
        let mut bits = vec![0; self.part.rows.div_ceil(64) as usize];
        let mut set = |row: u32, wanted: bool| {
            let bit = 1 << (row % 64);
            match (bits.get_mut(row as usize / 64), wanted) {
                (Some(word), true) => *word |= bit,
                (Some(word), false) => *word &= !bit,
                (None, _) => {}
            }
        };
        match (self.among, self.part.numbers()) {
            (Some(among), Some(numbers)) => {
                let first = numbers.start;
                among.for_each_in(numbers, |number| set((number - first) as u32, true));
            }
            _ => {
                let rows = 0..self.part.rows;
                let is_in = |row: &u32| {
                    let number = self.part.number(*row);
                    self.among.is_none_or(|among| among.contains(number))
                };
                rows.filter(is_in).for_each(|row| set(row, true));
            }
        }
        for &row in self.part.hidden() {
            set(row, false);
        }
        bits
    }
}

impl Wanted for Rows<'_> {
    fn is_everything(&self) -> bool {
        self.among.is_none() && self.part.hidden().is_empty()
    }

    #[inline]
    fn has(&self, row: u32) -> bool {
        /// So often it is cheaper to look it up.
        const OFTEN: u32 = 1_000;
        if let Some(bits) = self.dense.get() {
            let word = bits.get(row as usize / 64).copied().unwrap_or(0);
            return word >> (row % 64) & 1 == 1;
        }
        if self.is_everything() {
            return row < self.part.rows;
        }
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() == OFTEN {
            self.dense.get_or_init(|| self.make_dense());
        }
        row < self.part.rows
            && !self.part.is_hidden(row)
            && self
                .among
                .is_none_or(|among| among.contains(self.part.number(row)))
    }
}

impl Store {
    /// The games, but not the deleted ones, that have a position in their main lines, exactly as
    /// [`Exact`] means it, in the order of their numbers.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = tabiya_store::Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let store = tabiya_store::Store::open(&path)?;
    /// let mut hits = store.games_at(&tabiya_chess::Position::initial(), None)?;
    /// assert_eq!(hits.len(), 1);
    /// let hit = hits.next().expect("one");
    /// assert_eq!((hit.number, hit.ply), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If games are damaged. A damaged index is not asked.
    pub fn games_at(
        &self,
        position: &Position,
        among: Option<&GameSet>,
    ) -> Result<Hits<'_>, Error> {
        let query = Query::Somewhere(Test::Exact(Exact::new(*position)));
        if self.unindexed() > Store::MANY {
            let jobs = thread::available_parallelism().map_or(1, NonZeroUsize::get);
            let how = How {
                among,
                jobs,
                ..How::default()
            };
            return Ok(Hits::new(Vec::new(), self.search(&query, &how)?));
        }
        let question = Sought::new(position);
        let (mut segments, mut others) = (Vec::new(), Vec::new());
        let mut seeker = Seeker::new(&query);
        for part in self.snapshot().parts() {
            let rows = Rows::new(&part, among);
            let asked = self.ask(&part, |asked| asked.games(&question, &rows))?;
            self.tell_rows(&part, asked.left, &rows, &mut seeker, |number, seeker| {
                let found = seeker.found();
                others.extend(found.map(|ply| Hit { number, ply }));
            })?;
            let Some(games) = asked.games else { continue };
            match part.numbers() {
                Some(numbers) => segments.push(rows.found(games, numbers.start)),
                // They replace others here and there.
                None => others.extend(rows.found(games, 0).map(|hit| Hit {
                    number: part.number(hit.number as u32),
                    ..hit
                })),
            }
        }
        Ok(Hits::new(segments, others))
    }

    /// What is played in a position, and how it went: what a [`Tree`] says that has heard all games
    /// but the deleted ones.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = tabiya_store::Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let store = tabiya_store::Store::open(&path)?;
    /// let answer = store.tree_at(&tabiya_chess::Position::initial(), None)?;
    /// assert_eq!(answer.total.games(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If games are damaged. A damaged index is not asked.
    pub fn tree_at(
        &self,
        position: &Position,
        among: Option<&GameSet>,
    ) -> Result<TreeAnswer, Error> {
        let question = Sought::new(position);
        let children: Vec<(Move, Sought)> = position
            .legal_moves()
            .iter()
            .map(|&play| {
                let mut after = *position;
                after.play_unchecked(play);
                (play, Sought::new(&after))
            })
            .collect();
        let mut tree = Tree::new(position);
        let mut answer = TreeAnswer::default();
        let mut branches: Vec<Branch> = children
            .iter()
            .map(|(play, _)| Branch {
                play: *play,
                played: Default::default(),
                reached: 0,
            })
            .collect();
        for part in self.snapshot().parts() {
            let rows = Rows::new(&part, among);
            let asked = self.ask(&part, |asked| asked.played(&question, &children, &rows))?;
            if let Some(played) = asked.games {
                answer.total.merge(&played.total);
                for (branch, (tally, reached)) in branches.iter_mut().zip(played.moves) {
                    branch.played.merge(&tally);
                    branch.reached = branch.reached.saturating_add(reached);
                }
            }
            self.tell_rows(&part, asked.left, &rows, &mut tree, |_, _| {})?;
        }
        let told = tree.answer();
        answer.total.merge(&told.total);
        for one in told.branches {
            if let Some(branch) = branches.iter_mut().find(|branch| branch.play == one.play) {
                branch.played.merge(&one.played);
                branch.reached = branch.reached.saturating_add(one.reached);
            }
        }
        branches.retain(|branch| branch.reached > 0);
        Branch::sort(&mut branches);
        answer.branches = branches;
        Ok(answer)
    }

    /// Asks the index of a part, if it has a sound one.
    pub(super) fn ask<'a, T>(
        &self,
        part: &Part<'a>,
        ask: impl FnOnce(&Asked<'a>) -> Result<T, Trouble>,
    ) -> Result<Answered<T>, Error> {
        let everything = || Answered {
            games: None,
            left: (0..part.rows).collect(),
        };
        let Some(index) = part.index() else {
            return Ok(everything());
        };
        let asked = index.ask(part.segment());
        let answered = ask(&asked).and_then(|games| {
            Ok(Answered {
                games: Some(games),
                left: asked.file.rest()?,
            })
        });
        match answered {
            Ok(answered) => Ok(answered),
            Err(Trouble::Index) => Ok(everything()),
            Err(Trouble::Games(error)) => Err(self.snapshot().damaged_part(part, &error)),
        }
    }

    /// Tells games that no index knows.
    pub(super) fn tell_rows<S: GameSink>(
        &self,
        part: &Part<'_>,
        rows: Vec<u32>,
        wanted: &impl Wanted,
        sink: &mut S,
        mut heard: impl FnMut(u64, &S),
    ) -> Result<(), Error> {
        for row in rows.into_iter().filter(|row| wanted.has(*row)) {
            let number = part.number(row);
            if part.is_game(row) {
                self.tell(number, sink)?;
                heard(number, sink);
            }
        }
        Ok(())
    }
}

/// What an index says, if it can be asked, and the rows that it does not know.
pub(super) struct Answered<T> {
    pub games: Option<T>,
    pub left: Vec<u32>,
}
