//! A search in parts, on several threads.

use std::{
    ops::{ControlFlow, Range},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use tabiya_chess::Position;
use tabiya_formats::jose::Positions;
use tabiya_game::Error;
use tabiya_search::{Query, Seeker, Stepper};

use super::{Hit, How};
use crate::{
    row::Kind,
    segment::{header::Header, moves::Moves},
    signature::Signature,
    snapshot::{Ids, Layer, Snapshot},
};

/// How many rows a thread takes at a time.
const ROWS: usize = 4_096;

/// What a thread has found, and the part that it could not read.
type Done = (Vec<Hit>, Option<(usize, Error)>);

/// Some rows of a batch.
struct Part<'a> {
    layer: &'a Layer<'a>,
    batch: usize,
    /// The first row of the batch.
    start: usize,
    /// Rows of the batch.
    rows: Range<usize>,
}

pub(super) fn search(snapshot: &Snapshot, query: &Query, how: &How<'_>) -> Result<Vec<Hit>, Error> {
    let layers: Vec<Layer<'_>> = snapshot.layers().collect();
    let parts: Vec<Part<'_>> = layers.iter().flat_map(parts).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let work = || {
        let mut scan = Scan::new(snapshot, query, how);
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
    let done: Vec<Done> = thread::scope(|scope| {
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

/// What a thread needs, and what it has found.
struct Scan<'a> {
    snapshot: &'a Snapshot,
    query: &'a Query,
    how: &'a How<'a>,
    stepper: Stepper<'a>,
    seeker: Seeker<'a>,
    positions: Positions,
    hits: Vec<Hit>,
}

impl<'a> Scan<'a> {
    fn new(snapshot: &'a Snapshot, query: &'a Query, how: &'a How<'a>) -> Scan<'a> {
        Scan {
            snapshot,
            query,
            how,
            stepper: Stepper::new(query),
            seeker: Seeker::new(query).in_variations(how.variations),
            positions: Positions::new(&Position::initial()),
            hits: Vec::new(),
        }
    }

    fn part(&mut self, part: &Part<'_>) -> Result<(), Error> {
        self.how.watch.tell(part.rows.len())?;
        let segment = part.layer.segment();
        let (header, moves) = (segment.header(part.batch), segment.movetext(part.batch));
        let columns = match (header, moves) {
            (Ok(header), Ok(moves)) => Some((header, moves)),
            (Err(error), _) | (_, Err(error)) => {
                let first = part.start + part.rows.start;
                self.snapshot.refuse(part.layer, first, &error)?;
                None
            }
        };
        for row in part.rows.clone() {
            let signature = match columns {
                Some((_, moves)) => moves.signature(row),
                None => Signature::UNKNOWN,
            };
            let is_plain = self.is_plain(signature);
            if is_plain && !self.query.may_hold(&signature) {
                continue;
            }
            let id = part.layer.ids.get(part.start + row);
            if !self.is_wanted(part.layer, id) {
                continue;
            }
            let replayed = match columns {
                Some((header, moves)) if is_plain => self.replay(header, moves, row),
                _ => None,
            };
            let found = match replayed {
                Some(found) => found,
                None => self.tell(part.layer, part.start + row)?,
            };
            self.hits.extend(found.map(|ply| Hit {
                number: id + 1,
                ply,
            }));
        }
        Ok(())
    }

    /// Whether the main line is all that counts, and follows from its moves.
    fn is_plain(&self, signature: Signature) -> bool {
        let says_all = !self.how.variations || !signature.has_variations();
        says_all && !signature.is_silent()
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

    /// Where a game answers, from its bytes; `None` if they are not as plain as they should be.
    fn replay(&mut self, header: &Header, moves: &Moves, row: usize) -> Option<Option<u32>> {
        if header.kind(row) != Kind::Game {
            return Some(None);
        }
        let Scan {
            stepper, positions, ..
        } = self;
        stepper.begin();
        let decided = |decided: bool| match decided {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        if !stepper.step(None, positions.start()) {
            let body = moves.body(row);
            let shown = match stepper.needs_moves() {
                true => positions
                    .show::<true>(body, |last, position| decided(stepper.step(last, position))),
                false => positions
                    .show::<false>(body, |last, position| decided(stepper.step(last, position))),
            };
            shown.ok()?;
        }
        Some(stepper.finish(header.result(row)))
    }

    /// Where a game answers when it is told; an entry that is none does not.
    fn tell(&mut self, layer: &Layer<'_>, row: usize) -> Result<Option<u32>, Error> {
        self.seeker.forget();
        self.snapshot.tell_row(layer, row, &mut self.seeker)?;
        Ok(self.seeker.found())
    }
}
