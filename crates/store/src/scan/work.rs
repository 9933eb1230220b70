//! A search in parts, on several threads.

use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use tabiya_game::{Error, GameResult, GameSink};
use tabiya_search::Facts as _;

use super::How;
use crate::{
    row::Kind,
    segment::{header::Header, moves::Moves},
    signature::Signature,
    snapshot::{Ids, Layer, Snapshot},
};

/// How many rows a thread takes at a time.
const ROWS: usize = 4_096;

/// What a thread asks games.
pub(super) trait Ask {
    /// What a game answers with.
    type Answer: Ord + Send;

    /// Whether a game may answer of whose main line this is known, and all there is to know.
    fn may_answer(&self, signature: Signature) -> bool;

    /// What a game answers, from its bytes; `None` if they are not as plain as they should be.
    fn replay(&mut self, game: &Plain<'_>) -> Option<Option<Self::Answer>>;

    /// Who hears a game that is told.
    fn ear(&mut self) -> &mut dyn GameSink;

    /// What the game that was told answers, which is then forgotten.
    fn heard(&mut self) -> Option<Self::Answer>;
}

/// A game of which nothing but moves decides.
pub(super) struct Plain<'a> {
    /// The moves.
    pub body: &'a [u8],
    /// Pawns are promoted in it.
    pub promotions: bool,
    header: &'a Header,
    row: usize,
}

impl Plain<'_> {
    pub fn result(&self) -> GameResult {
        self.header.result(self.row)
    }
}

/// What a thread has found, and the part that it could not read.
type Done<A> = (Vec<(u64, A)>, Option<(usize, Error)>);

/// Some rows of a batch.
struct Part<'a> {
    layer: &'a Layer<'a>,
    batch: usize,
    /// The first row of the batch.
    start: usize,
    /// Rows of the batch.
    rows: Range<usize>,
}

/// The answers of games, with their numbers, in order; each thread makes what it asks.
pub(super) fn ask_all<A: Ask>(
    snapshot: &Snapshot,
    how: &How<'_>,
    make: impl Fn() -> A + Sync,
) -> Result<Vec<(u64, A::Answer)>, Error> {
    let layers: Vec<Layer<'_>> = snapshot.layers().collect();
    let parts: Vec<Part<'_>> = layers.iter().flat_map(parts).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let work = || {
        let mut scan = Scan {
            snapshot,
            how,
            asks: make(),
            hits: Vec::new(),
        };
        let mut error = None;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            // What comes behind an error is of no use.
            let Some(part) = parts
                .get(index)
                .filter(|_| index < failed.load(Ordering::Relaxed))
            else {
                return (scan.hits, error);
            };
            if let Err(found) = scan.part(part) {
                failed.fetch_min(index, Ordering::Relaxed);
                error = Some((index, found));
            }
        }
    };
    let jobs = how.jobs.clamp(1, parts.len().max(1));
    let done: Vec<Done<A::Answer>> = thread::scope(|scope| {
        let others: Vec<_> = (1..jobs).map(|_| scope.spawn(work)).collect();
        let mut done = vec![work()];
        done.extend(others.into_iter().map(|other| match other.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        done
    });
    let mut hits = Vec::new();
    let mut first: Option<(usize, Error)> = None;
    for (found, error) in done {
        hits.extend(found);
        first = match (first, error) {
            (Some(one), Some(other)) => Some(if one.0 < other.0 { one } else { other }),
            (one, other) => one.or(other),
        };
    }
    match first {
        Some((_, error)) => Err(error),
        None => {
            hits.sort_unstable();
            Ok(hits)
        }
    }
}

fn parts<'a>(layer: &'a Layer<'a>) -> impl Iterator<Item = Part<'a>> {
    let batches = layer.segment().batches().enumerate();
    batches.flat_map(move |(batch, rows)| {
        let starts = (0..rows.len()).step_by(ROWS);
        starts.map(move |first| Part {
            layer,
            batch,
            start: rows.start,
            rows: first..rows.len().min(first + ROWS),
        })
    })
}

/// What a thread asks, and what it has found.
struct Scan<'a, A: Ask> {
    snapshot: &'a Snapshot,
    how: &'a How<'a>,
    asks: A,
    hits: Vec<(u64, A::Answer)>,
}

impl<A: Ask> Scan<'_, A> {
    fn part(&mut self, part: &Part<'_>) -> Result<(), Error> {
        self.how.watch.tell(part.rows.len())?;
        let segment = part.layer.segment();
        let (header, moves) = (segment.header(part.batch), segment.movetext(part.batch));
        match (header, moves) {
            (Ok(header), Ok(moves)) => self.rows(part, header, moves),
            (Err(error), _) | (_, Err(error)) => {
                let first = part.start + part.rows.start;
                self.snapshot.refuse(part.layer, first, &error)?;
                let mut rows = part.rows.clone();
                rows.try_for_each(|row| self.row(part, row, |_| None))
            }
        }
    }

    fn rows(&mut self, part: &Part<'_>, header: &Header, moves: &Moves) -> Result<(), Error> {
        let signatures = moves.signatures(part.rows.clone());
        for (row, signature) in part.rows.clone().zip(signatures) {
            if !signature.says_all(self.how.variations) {
                self.row(part, row, |_| None)?;
            } else if self.asks.may_answer(signature) {
                let replay = |asks: &mut A| {
                    if header.kind(row) != Kind::Game {
                        return Some(None);
                    }
                    asks.replay(&Plain {
                        body: moves.body(row),
                        promotions: signature.has_promotion(),
                        header,
                        row,
                    })
                };
                self.row(part, row, replay)?;
            }
        }
        Ok(())
    }

    /// Looks at an entry, if it is asked for: first at its bytes, and if they do not say, at what
    /// is told of it.
    fn row(
        &mut self,
        part: &Part<'_>,
        row: usize,
        replay: impl FnOnce(&mut A) -> Option<Option<A::Answer>>,
    ) -> Result<(), Error> {
        let id = part.layer.ids.get(part.start + row);
        if !self.is_wanted(part.layer, id) {
            return Ok(());
        }
        let found = match replay(&mut self.asks) {
            Some(found) => found,
            None => {
                let ear = self.asks.ear();
                self.snapshot.tell_row(part.layer, part.start + row, ear)?;
                // An entry that is no game answers nothing.
                self.asks.heard()
            }
        };
        self.hits.extend(found.map(|answer| (id + 1, answer)));
        Ok(())
    }

    /// Whether an entry is asked for, and is there as the layer has it.
    fn is_wanted(&self, layer: &Layer<'_>, id: u64) -> bool {
        let among = self.how.among;
        among.is_none_or(|among| among.contains(id + 1))
            && !self.snapshot.deleted.contains(id)
            && match layer.ids {
                Ids::Range(_) => !self.snapshot.is_replaced(id),
                Ids::List(_) => self.snapshot.is_last(layer, id),
            }
    }
}
