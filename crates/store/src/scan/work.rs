//! A search in parts, on several threads.

use std::{
    ops::{ControlFlow, Range},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use tabiya_chess::{Board, Position, Step};
use tabiya_formats::jose::{Positions, Steps};
use tabiya_game::{Error, GameResult};
use tabiya_search::{Facts as _, Glance, Query, Scene, Seeker, Seen, Sight, Stepper};

use super::{Hit, How, sieve::Sieve};
use crate::{
    row::Kind,
    segment::{header::Header, moves::Moves},
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
    let sieve = Sieve::new(query);
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let work = || {
        let mut scan = Scan::new(snapshot, query, &sieve, how);
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
    sieve: &'a Sieve,
    steps: Steps,
    /// What boards tell, if they tell something.
    glance: Option<Glance<'a>>,
    positions: Positions,
    stepper: Stepper<'a>,
    seeker: Seeker<'a>,
    hits: Vec<Hit>,
}

impl<'a> Scan<'a> {
    fn new(
        snapshot: &'a Snapshot,
        query: &'a Query,
        sieve: &'a Sieve,
        how: &'a How<'a>,
    ) -> Scan<'a> {
        let start = Position::initial();
        Scan {
            snapshot,
            query,
            how,
            sieve,
            steps: Steps::new(&start),
            glance: Glance::new(query, &start),
            positions: Positions::new(&start),
            stepper: Stepper::new(query),
            seeker: Seeker::new(query).in_variations(how.variations),
            hits: Vec::new(),
        }
    }

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
            } else if self.sieve.passes(signature) && self.query.may_hold(&signature) {
                let promotions = signature.has_promotion();
                self.row(part, row, |scan| {
                    scan.replay(header, moves, row, promotions)
                })?;
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
        replay: impl FnOnce(&mut Self) -> Option<Option<u32>>,
    ) -> Result<(), Error> {
        let id = part.layer.ids.get(part.start + row);
        if !self.is_wanted(part.layer, id) {
            return Ok(());
        }
        let found = match replay(self) {
            Some(found) => found,
            None => self.tell(part.layer, part.start + row)?,
        };
        self.hits.extend(found.map(|ply| Hit {
            number: id + 1,
            ply,
        }));
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

    /// Where a game answers, from its bytes; `None` if they are not as plain as they should be.
    fn replay(
        &mut self,
        header: &Header,
        moves: &Moves,
        row: usize,
        promotions: bool,
    ) -> Option<Option<u32>> {
        if header.kind(row) != Kind::Game {
            return Some(None);
        }
        let body = moves.body(row);
        match self.glance(body, promotions)? {
            Seen::Yes(ply) => Some(Some(ply)),
            Seen::No => Some(None),
            Seen::Perhaps => self.look(body, || header.result(row)),
        }
    }

    /// What the boards of a game tell.
    fn glance(&mut self, body: &[u8], promotions: bool) -> Option<Seen> {
        let Some(glance) = &mut self.glance else {
            return Some(Seen::Perhaps);
        };
        glance.begin(promotions);
        let show = |step: &Step, board: &Board| decided(glance.step(step, board));
        self.steps.show(body, show).ok()?;
        Some(glance.finish())
    }

    /// Where a game answers, from its positions, or its boards if they are enough.
    fn look(&mut self, body: &[u8], result: impl Fn() -> GameResult) -> Option<Option<u32>> {
        let Scan {
            stepper,
            positions,
            steps,
            ..
        } = self;
        stepper.begin();
        if !stepper.step(&Scene::of_position(positions.start(), None)) {
            let sight = stepper.sight();
            let mut show = |scene: Scene<'_>| decided(stepper.step(&scene));
            let shown = match sight {
                Sight::Boards => steps.show(body, |step, board| show(Scene::of_board(board, step))),
                Sight::Positions => positions
                    .show::<false>(body, |_, position| show(Scene::of_position(position, None))),
                Sight::Moves => positions.show::<true>(body, |last, position| {
                    show(Scene::of_position(position, last))
                }),
            };
            shown.ok()?;
        }
        Some(stepper.finish(result()))
    }

    /// Where a game answers when it is told; an entry that is none does not.
    fn tell(&mut self, layer: &Layer<'_>, row: usize) -> Result<Option<u32>, Error> {
        self.seeker.forget();
        self.snapshot.tell_row(layer, row, &mut self.seeker)?;
        Ok(self.seeker.found())
    }
}

fn decided(decided: bool) -> ControlFlow<()> {
    match decided {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}
