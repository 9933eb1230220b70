//! Timing rivals against each other in one run.
//!
//! Absolute times drift with the load of the machine, so the contestants take turns, round by
//! round, and the best round of each counts. What is printed is a time per unit of work and how
//! many times faster or slower than tabiya each rival is.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// A contest over one amount of work.
pub struct Contest<'a> {
    title: String,
    unit: &'static str,
    work: u64,
    rounds: usize,
    contestants: Vec<Contestant<'a>>,
}

struct Contestant<'a> {
    name: &'static str,
    /// Whether the result can be compared with the first contestant's.
    comparable: bool,
    /// Does the work; its result, and how long it took if the contestant knows better.
    run: Box<dyn FnMut() -> (u64, Option<Duration>) + 'a>,
    best: Duration,
}

impl<'a> Contest<'a> {
    /// A contest over `work` units, such as `node` or `ply`.
    pub fn new(title: impl Into<String>, unit: &'static str, work: u64) -> Contest<'a> {
        Contest {
            title: title.into(),
            unit,
            work,
            rounds: 5,
            contestants: Vec::new(),
        }
    }

    /// Adds a contestant. Its result must equal that of the first one: rivals that do not do the
    /// same work are not compared.
    pub fn add(self, name: &'static str, mut run: impl FnMut() -> u64 + 'a) -> Contest<'a> {
        self.push(name, true, move || (run(), None))
    }

    /// Adds a contestant that does the same work but comes to a result of its own kind, such as
    /// another sort of key.
    pub fn add_other(self, name: &'static str, mut run: impl FnMut() -> u64 + 'a) -> Contest<'a> {
        self.push(name, false, move || (run(), None))
    }

    /// Adds a contestant that works in a process of its own, and says how long the work took
    /// without the start of the process.
    pub fn add_process(
        self,
        name: &'static str,
        mut run: impl FnMut() -> Duration + 'a,
    ) -> Contest<'a> {
        self.push(name, false, move || (0, Some(run())))
    }

    fn push(
        mut self,
        name: &'static str,
        comparable: bool,
        run: impl FnMut() -> (u64, Option<Duration>) + 'a,
    ) -> Contest<'a> {
        self.contestants.push(Contestant {
            name,
            comparable,
            run: Box::new(run),
            best: Duration::MAX,
        });
        self
    }

    /// Runs the contest and prints the table. The first contestant is the one the others are
    /// measured by.
    ///
    /// # Panics
    /// If two contestants come to different results.
    pub fn run(mut self) {
        for _ in 0..self.rounds {
            let mut first = None;
            for contestant in &mut self.contestants {
                let start = Instant::now();
                let (result, time) = black_box((contestant.run)());
                let time = time.unwrap_or_else(|| start.elapsed());
                contestant.best = contestant.best.min(time);
                let expected = *first.get_or_insert(result);
                if !contestant.comparable {
                    continue;
                }
                assert_eq!(result, expected, "{}: {}", self.title, contestant.name);
            }
        }
        println!(
            "\n{} ({} {}, best of {} rounds)",
            self.title, self.work, self.unit, self.rounds
        );
        let ours = self.contestants[0].best.as_secs_f64();
        for contestant in &self.contestants {
            let time = contestant.best.as_secs_f64();
            println!(
                "  {:<28} {:>9.2} ns/{} {:>9.1} M {}/s   tabiya is {:.2}x as fast",
                contestant.name,
                time * 1e9 / self.work as f64,
                self.unit,
                self.work as f64 / time / 1e6,
                self.unit,
                time / ours,
            );
        }
    }
}
