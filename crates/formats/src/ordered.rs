//! Work on many parts at once, results in order.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{Condvar, Mutex, mpsc},
    thread,
};

/// More threads than this help nobody, unless there are more processors: each of them costs memory,
/// and so do the parts that wait for it.
const MOST_JOBS: usize = 64;

/// Takes parts from `next`, works on them in `jobs` threads, and hands the results to `join` in
/// the order of the parts: the outcome does not depend on the number of threads.
///
/// `next` runs in a thread of its own, `join` in the caller's. At most a few parts a thread are
/// under way at a time, so memory stays bounded however large the input is; for the same reason
/// there are no more threads than processors, or 64 where that is more. When `join` breaks,
/// the parts that are still under way are dropped.
///
/// ```
/// use std::ops::ControlFlow;
/// use tabiya_formats::ordered;
///
/// let mut parts = 0..100;
/// let mut squares = Vec::new();
/// ordered(4, || parts.next(), |n| n * n, |square| {
///     squares.push(square);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(squares[99], 9801);
/// assert!(squares.is_sorted());
/// ```
///
/// # Panics
/// If `next`, `work` or `join` does.
pub fn ordered<T: Send, U: Send>(
    jobs: usize,
    next: impl FnMut() -> Option<T> + Send,
    work: impl Fn(T) -> U + Sync,
    join: impl FnMut(U) -> ControlFlow<()>,
) {
    ordered_within(jobs, usual_window(jobs), next, work, join);
}

/// How many parts [`ordered`] has under way at a time.
#[must_use]
pub fn usual_window(jobs: usize) -> usize {
    jobs.saturating_mul(4)
}

/// As [`ordered`], with at most so many parts under way at a time: for results that are large, where
/// each that waits costs memory.
///
/// # Panics
/// If `next`, `work` or `join` does.
pub fn ordered_within<T: Send, U: Send>(
    jobs: usize,
    window: usize,
    mut next: impl FnMut() -> Option<T> + Send,
    work: impl Fn(T) -> U + Sync,
    mut join: impl FnMut(U) -> ControlFlow<()>,
) {
    let jobs = jobs.min(
        thread::available_parallelism()
            .map_or(1, usize::from)
            .max(MOST_JOBS),
    );
    if jobs <= 1 {
        while let Some(part) = next() {
            if join(work(part)).is_break() {
                return;
            }
        }
        return;
    }
    let (part_sender, part_receiver) = mpsc::sync_channel::<(u64, T)>(jobs);
    let (result_sender, result_receiver) = mpsc::channel::<(u64, U)>();
    let part_receiver = Mutex::new(part_receiver);
    let window = Window::new(window.max(1) as u64);
    let (part_receiver, work, window) = (&part_receiver, &work, &window);
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut number = 0;
            // The window first: a part that nobody waits for is not even read.
            while window.wait_for(number) {
                let Some(part) = next() else { return };
                if part_sender.send((number, part)).is_err() {
                    return;
                }
                number += 1;
            }
        });
        for _ in 0..jobs {
            let results = result_sender.clone();
            scope.spawn(move || {
                let _guard = CloseOnPanic(window);
                loop {
                    let received = match part_receiver.lock() {
                        Ok(parts) => parts.recv(),
                        Err(_) => return,
                    };
                    let Ok((number, part)) = received else {
                        return;
                    };
                    if results.send((number, work(part))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(result_sender);
        // The same here: the scope waits for the producer.
        let _guard = CloseOnPanic(window);
        join_in_order(result_receiver, window, &mut join);
        window.close();
        // Wakes the producer if it waits for room in the channel.
        if let Ok(parts) = part_receiver.lock() {
            while parts.recv().is_ok() {}
        }
    });
}

/// How far parts may run ahead of the one that is joined next: without it the results behind one
/// slow part would pile up.
struct Window {
    size: u64,
    /// How many parts have been joined; `None` when no more are wanted.
    joined: Mutex<Option<u64>>,
    moved: Condvar,
}

impl Window {
    fn new(size: u64) -> Window {
        Window {
            size,
            joined: Mutex::new(Some(0)),
            moved: Condvar::new(),
        }
    }

    /// Waits until a part may start; `false` when no more are wanted.
    fn wait_for(&self, number: u64) -> bool {
        let Ok(joined) = self.joined.lock() else {
            return false;
        };
        let far = |joined: &mut Option<u64>| {
            joined.is_some_and(|n| number >= n.saturating_add(self.size))
        };
        match self.moved.wait_while(joined, far) {
            Ok(joined) => joined.is_some(),
            Err(_) => false,
        }
    }

    fn set(&self, joined: Option<u64>) {
        if let Ok(mut value) = self.joined.lock() {
            *value = joined;
        }
        self.moved.notify_all();
    }

    fn close(&self) {
        self.set(None);
    }
}

/// A part that panics is never joined, so that the producer would wait for it for ever: whoever panics
/// says that no more are wanted, and the panic gets to the caller.
struct CloseOnPanic<'w>(&'w Window);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}

fn join_in_order<U>(
    results: mpsc::Receiver<(u64, U)>,
    window: &Window,
    join: &mut impl FnMut(U) -> ControlFlow<()>,
) {
    let mut early = BTreeMap::new();
    let mut expected = 0;
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&expected) {
            expected += 1;
            if join(result).is_break() {
                return;
            }
            window.set(Some(expected));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{self, AssertUnwindSafe},
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    fn run(jobs: usize, parts: usize, stop_after: usize) -> Vec<usize> {
        let mut source = 0..parts;
        let mut joined = Vec::new();
        ordered(
            jobs,
            || source.next(),
            |part| {
                // Later parts are quicker, so that they come first.
                thread::sleep(std::time::Duration::from_micros(200 * (part % 3) as u64));
                part
            },
            |part| {
                joined.push(part);
                match joined.len() == stop_after {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        joined
    }

    #[test]
    fn the_order_does_not_depend_on_the_number_of_threads() {
        for jobs in [1, 2, 8] {
            assert_eq!(run(jobs, 200, usize::MAX), (0..200).collect::<Vec<_>>());
        }
    }

    #[test]
    fn breaking_off_ends_all_threads() {
        for jobs in [1, 2, 8] {
            assert_eq!(run(jobs, 100_000, 5), [0, 1, 2, 3, 4]);
        }
    }

    /// Runs many parts of which somebody panics at one.
    fn panics(work: impl Fn(usize) -> usize + Sync, join: impl FnMut(usize)) -> bool {
        let mut source = 0..10_000;
        let mut join = join;
        let run = || {
            ordered(
                4,
                || source.next(),
                &work,
                |part| {
                    join(part);
                    ControlFlow::Continue(())
                },
            );
        };
        panic::catch_unwind(AssertUnwindSafe(run)).is_err()
    }

    #[test]
    fn a_panic_ends_the_work_and_gets_to_the_caller() {
        let at_100 = |part| {
            if part == 100 {
                panic!("on purpose")
            } else {
                part
            }
        };
        assert!(panics(at_100, drop));
        assert!(panics(
            |part| part,
            |part| {
                at_100(part);
            }
        ));
    }

    #[test]
    fn a_window_bounds_the_parts_that_are_under_way() {
        assert!(most_under_way(4, 6) <= 7);
    }

    #[test]
    fn only_a_few_parts_are_under_way() {
        assert!(most_under_way(4, 16) <= 17);
    }

    fn most_under_way(jobs: usize, window: usize) -> usize {
        let alive = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let mut source = 0..1_000;
        ordered_within(
            jobs,
            window,
            || {
                let part = source.next()?;
                most.fetch_max(alive.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                Some(part)
            },
            |part| {
                // The first is so slow that all others could be done before it.
                let pause = if part == 0 { 50 } else { 0 };
                thread::sleep(std::time::Duration::from_millis(pause));
                part
            },
            |_| {
                alive.fetch_sub(1, Ordering::SeqCst);
                ControlFlow::Continue(())
            },
        );
        most.into_inner()
    }
}
