//! The average rating of White by year, from two columns and without looking at a game.
//!
//! ```sh
//! cargo run --example rating_by_year games.tabiya
//! ```

use std::{collections::BTreeMap, env, error::Error, num::NonZeroUsize, thread};

use arrow_array::{
    Array,
    cast::AsArray,
    types::{Int16Type, Int32Type},
};
use tabiya_store::{Batch, Store};

/// How many ratings there are of a year, and their sum.
type Years = BTreeMap<i32, (i64, i64)>;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected a database")?;
    let store = Store::open(path)?;
    let jobs = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut years = Years::new();
    for part in store.par_batches(jobs, ratings)? {
        for (year, (count, sum)) in part {
            let all = years.entry(year).or_default();
            *all = (all.0 + count, all.1 + sum);
        }
    }
    for (year, (count, sum)) in years {
        println!("{year}: {} in {count} games", sum / count);
    }
    Ok(())
}

/// The ratings of one batch. The arrays are the bytes of the file: nothing is copied.
fn ratings(batch: Batch) -> Years {
    let mut years = Years::new();
    // A column that says nothing of any game is not there.
    let columns = ["date", "white_rating"].map(|name| batch.games.column_by_name(name));
    let [Some(dates), Some(ratings)] = columns else {
        return years;
    };
    // Dates are YYYYMMDD, 0000 if the year is not known.
    let (dates, ratings) = (
        dates.as_primitive::<Int32Type>(),
        ratings.as_primitive::<Int16Type>(),
    );
    for row in 0..dates.len() {
        let year = if dates.is_valid(row) {
            dates.value(row) / 10_000
        } else {
            0
        };
        if year > 0 && ratings.is_valid(row) {
            let of_year = years.entry(year).or_default();
            *of_year = (of_year.0 + 1, of_year.1 + i64::from(ratings.value(row)));
        }
    }
    years
}
