//! Every move of every game that is not deleted, by all cores: how often does each piece capture?
//!
//! ```sh
//! cargo run --example parallel_scan games.tabiya
//! ```

use std::{collections::BTreeMap, env, error::Error, num::NonZeroUsize, thread};

use tabiya_game::{Event, Flow, GameSink, Needs};
use tabiya_store::Store;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected a database")?;
    let store = Store::open(path)?;
    let jobs = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let parts = store.par_batches(jobs, |batch| {
        let mut captures = Captures::default();
        for number in batch.numbers.filter(|number| !store.is_deleted(*number)) {
            store.tell(number, &mut captures)?;
        }
        Ok::<_, tabiya_game::Error>(captures)
    })?;
    let mut all = BTreeMap::new();
    for part in parts {
        for (piece, count) in part?.0 {
            *all.entry(piece).or_insert(0) += count;
        }
    }
    for (piece, count) in all {
        println!("{piece}: {count}");
    }
    Ok(())
}

/// Captures by the piece that makes them.
#[derive(Default)]
struct Captures(BTreeMap<String, u64>);

impl GameSink for Captures {
    /// Neither tags nor variations nor comments: what is not wanted is not read.
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Move { before, play, .. } = event
            && before.is_capture(play)
            && let Some(role) = before.board().role_at(play.from())
        {
            *self.0.entry(role.to_string()).or_default() += 1;
        }
        Flow::Continue
    }
}
