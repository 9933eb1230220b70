//! A conversion with a progress bar, which ends after a minute if it is not done by then.
//!
//! ```sh
//! cargo run --release --example convert_with_progress -- games.cbh games.pgn.zst
//! ```

use std::{
    env,
    error::Error,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use indicatif::ProgressBar;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [input, output] = paths.as_slice() else {
        return Err("from where to where?".into());
    };
    let bar = ProgressBar::no_length();
    let end = Instant::now() + Duration::from_secs(60);
    let report = tabiya::convert(input, output)
        .watch(|now| {
            if let Some(total) = now.total {
                bar.set_length(total);
            }
            bar.set_position(now.bytes);
            match Instant::now() < end {
                true => ControlFlow::Continue(()),
                // What was there before is left as it was.
                false => ControlFlow::Break(()),
            }
        })
        .run()?;
    bar.finish_and_clear();
    let counts = report.counts;
    println!(
        "{} games read = {} written + {} refused + {} filtered + {} deleted",
        counts.read, counts.written, counts.refused, counts.filtered, counts.deleted
    );
    for (kind, count, first) in report.losses.iter() {
        println!(
            "{count} {kind} lost, the first in game {}: {}",
            first.game, first.what
        );
    }
    for broken in &report.broken {
        println!("game {} is broken: {}", broken.number, broken.fault.message);
    }
    Ok(())
}
