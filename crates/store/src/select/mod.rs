//! Entries whose headers pass a filter, from the columns.
//!
//! A distinct text is asked once, numbers one after the other. What columns do not have, because a
//! value stands beside them, is told and judged as the games of any file are: the answers are the
//! same.

mod ask;
pub(crate) mod bits;
pub(crate) mod folded;
mod plan;

use std::ops::Range;

use tabiya_game::{Error, Filter, Filtered};

use self::{ask::Columns, bits::Bits, plan::Plan};
use crate::{
    GameSet, Store, Watch,
    row::Kind,
    segment::header::Header,
    snapshot::{Ids, Layer, Snapshot},
};

impl Store {
    /// The entries that pass a filter, as they are now; not those that are deleted.
    ///
    /// ```
    /// use tabiya_game::{Filter, GameTree};
    /// use tabiya_store::Store;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// let mut importer = Store::import(&path)?;
    /// let mut game = GameTree::default();
    /// importer.add(&game)?;
    /// game.tags.push("White", "Réti, Richard");
    /// importer.add(&game)?;
    /// importer.finish()?;
    ///
    /// let filter = Filter {
    ///     player: Some("richard reti".into()),
    ///     ..Filter::default()
    /// };
    /// let found = Store::open(&path)?.select(&filter)?;
    /// assert_eq!(found.iter().collect::<Vec<_>>(), [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn select(&self, filter: &Filter) -> Result<GameSet, Error> {
        self.select_watched(filter, Watch::NOBODY)
    }

    /// The same, and tells somebody how far it is: most filters are answered at once, but texts in
    /// comments are looked for in the games themselves.
    ///
    /// # Errors
    /// If the store is damaged, or nobody wants to know any more.
    pub fn select_watched(&self, filter: &Filter, watch: Watch<'_>) -> Result<GameSet, Error> {
        let snapshot = self.snapshot();
        let number = |id: u64| usize::try_from(id + 1).unwrap_or(usize::MAX);
        let mut numbers = Bits::none(number(snapshot.len()));
        for layer in snapshot.layers() {
            let wanted = Selection::new(filter, snapshot, &layer, watch).rows()?;
            match &layer.ids {
                Ids::Range(ids) => numbers.set_from(number(ids.start), &wanted),
                Ids::List(ids) => {
                    for (row, id) in ids.iter().enumerate() {
                        numbers.set(number(id), wanted.get(row));
                    }
                }
            }
        }
        for id in snapshot.deleted.within(0..snapshot.len()) {
            numbers.set(number(*id), false);
        }
        Ok(GameSet::from_bits(&numbers))
    }
}

/// A filter on the rows of a segment.
struct Selection<'a> {
    filter: &'a Filter,
    plan: Plan<'a>,
    tags: Vec<&'static str>,
    /// Whether something is asked that no column answers.
    is_about_games: bool,
    snapshot: &'a Snapshot,
    layer: &'a Layer<'a>,
    watch: Watch<'a>,
}

/// So many games are judged before somebody is told.
const JUDGED: usize = 1_024;

impl<'a> Selection<'a> {
    fn new(
        filter: &'a Filter,
        snapshot: &'a Snapshot,
        layer: &'a Layer<'a>,
        watch: Watch<'a>,
    ) -> Selection<'a> {
        let plan = Plan::new(filter);
        Selection {
            filter,
            tags: plan.tags(),
            is_about_games: filter.chess960.is_some() || filter.comment.is_some(),
            plan,
            snapshot,
            layer,
            watch,
        }
    }

    /// The rows that are wanted.
    fn rows(&self) -> Result<Bits, Error> {
        let segment = self.layer.segment();
        let len = segment.batches().last().map_or(0, |rows| rows.end);
        // Whoever asks nothing gets what is no game, too.
        if self.filter.is_empty() {
            return Ok(Bits::all(len));
        }
        let mut wanted = Bits::none(len);
        for (index, rows) in segment.batches().enumerate() {
            let bits = match segment.header(index) {
                Ok(header) => {
                    let columns = Columns {
                        header,
                        folded: &segment.folded,
                        rows: rows.len(),
                    };
                    let mut bits = columns.ask(&self.plan);
                    let doubtful = self.doubtful(index, header, &rows)?;
                    // What no column answers is asked of the games that are left.
                    let doubtful = match self.is_about_games {
                        true => doubtful.or(&bits),
                        false => doubtful,
                    };
                    self.judge_all(doubtful.iter(), rows.start, &mut bits)?;
                    match header.kinds() {
                        Some(_) => bits.and(&Bits::of_rows(rows.len(), |row| {
                            header.kind(row) == Kind::Game
                        })),
                        None => bits,
                    }
                }
                Err(error) => {
                    self.snapshot.refuse(self.layer, rows.start, &error)?;
                    let mut bits = Bits::none(rows.len());
                    self.judge_all(0..rows.len(), rows.start, &mut bits)?;
                    bits
                }
            };
            wanted.set_from(rows.start, &bits);
            self.watch.tell(rows.len())?;
        }
        Ok(wanted)
    }

    /// Judges rows of a batch, which begins at a row of the segment.
    fn judge_all(
        &self,
        rows: impl Iterator<Item = usize>,
        start: usize,
        bits: &mut Bits,
    ) -> Result<(), Error> {
        for (judged, row) in rows.enumerate() {
            if judged % JUDGED == 0 {
                self.watch.tell(0)?;
            }
            bits.set(row, self.judge(start + row)?);
        }
        Ok(())
    }

    /// The rows of a batch of which the columns do not say all that is asked.
    fn doubtful(&self, index: usize, header: &Header, of: &Range<usize>) -> Result<Bits, Error> {
        let rows = of.len();
        let mut doubtful = ask::beside(header, &self.tags, rows);
        if self.filter.plies.is_some() {
            let segment = self.layer.segment();
            let odd = match segment.movetext(index) {
                Ok(moves) => Bits::of_rows(rows, |row| moves.signature(row).is_odd()),
                Err(error) => {
                    self.snapshot.refuse(self.layer, of.start, &error)?;
                    Bits::all(rows)
                }
            };
            doubtful = doubtful.or(&odd);
        }
        Ok(doubtful)
    }

    /// Tells a row and judges what is heard.
    fn judge(&self, row: usize) -> Result<bool, Error> {
        let mut judge = Filtered::new(self.filter, ());
        self.snapshot.tell_row(self.layer, row, &mut judge)?;
        Ok(judge.passed() > 0)
    }
}
