//! How many bytes each column of a database takes: `cargo run -p tabiya-store --example sizes games.tabiya`.

use std::{
    collections::{BTreeMap, HashSet},
    env, process,
};

use arrow_array::{Array, RecordBatch, cast::AsArray};
use tabiya_game::{Event, Flow, GameSink};
use tabiya_store::Store;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(path) = env::args_os().nth(1) else {
        eprintln!("usage: sizes DATABASE");
        process::exit(2);
    };
    let store = Store::open(path)?;
    let mut columns = Columns::default();
    for batch in store.batches() {
        let batch = batch?;
        columns.add("games", &batch.games);
        columns.add("moves", &batch.moves);
    }
    let mut plies = Plies::default();
    for number in 1..=store.count() {
        store.tell(number, &mut plies)?;
    }
    let line = |name: &str, bytes: u64| {
        let (games, plies) = (store.count().max(1) as f64, plies.count.max(1) as f64);
        let (a_game, a_ply) = (bytes as f64 / games, bytes as f64 / plies);
        println!("{name:<28} {bytes:>12} {a_game:>9.2} {a_ply:>7.3}");
    };
    println!(
        "{:<28} {:>12} {:>9} {:>7}",
        "column", "bytes", "a game", "a ply"
    );
    let mut sorted: Vec<_> = columns.bytes.iter().collect();
    sorted.sort_by_key(|(_, bytes)| std::cmp::Reverse(**bytes));
    for (name, bytes) in sorted {
        line(name, *bytes);
    }
    let known: u64 = columns.bytes.values().sum();
    line("(all else in the files)", store.bytes() - known);
    line("(all files)", store.bytes());
    Ok(())
}

/// The bytes of each column.
#[derive(Default)]
struct Columns {
    bytes: BTreeMap<String, u64>,
    /// Dictionaries that were counted: all batches of a segment share them.
    dictionaries: HashSet<usize>,
}

impl Columns {
    fn add(&mut self, file: &str, batch: &RecordBatch) {
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            let mut bytes = own_bytes(&**array);
            if let Some(dictionary) = array.as_any_dictionary_opt() {
                let values = dictionary.values();
                let buffers = values.to_data();
                let place = buffers
                    .buffers()
                    .last()
                    .map_or(0, |it| it.as_ptr() as usize);
                if self.dictionaries.insert(place) {
                    bytes += own_bytes(&**values);
                }
            }
            *self
                .bytes
                .entry(format!("{file}.{}", field.name()))
                .or_default() += bytes as u64;
        }
    }
}

/// The bytes of an array without those of its dictionary.
fn own_bytes(array: &dyn Array) -> usize {
    let data = array.to_data();
    let nulls = data.nulls().map_or(0, |nulls| nulls.len().div_ceil(8));
    data.buffers()
        .iter()
        .map(|buffer| buffer.len())
        .sum::<usize>()
        + nulls
}

/// Counts the plies of main lines.
#[derive(Default)]
struct Plies {
    count: u64,
    depth: usize,
}

impl GameSink for Plies {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.depth = 0,
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            Event::Move { .. } | Event::Null { .. } if self.depth == 0 => self.count += 1,
            _ => {}
        }
        Flow::Continue
    }
}
