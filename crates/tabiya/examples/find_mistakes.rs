//! What is wrong with the games of a database, and which kinds of mistakes there are.
//!
//! ```sh
//! cargo run --release --example find_mistakes -- games.pgn
//! ```

use std::{collections::BTreeMap, env, error::Error};

use tabiya::check::{Checker, Severity};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which database?")?;
    let mut checker = Checker::default();
    tabiya::open(path)?.tell(&mut checker)?;
    let mut kinds = BTreeMap::new();
    for finding in checker.take_findings() {
        *kinds.entry(finding.kind).or_insert(0) += 1;
        if finding.kind.severity() == Severity::Error {
            let (game, place) = (finding.game, finding.place);
            println!("game {game}, {place}: {}", finding.message);
        }
    }
    for (kind, count) in kinds {
        println!("{} {kind}: {count}", kind.severity());
    }
    println!("{} games, {} broken", checker.games(), checker.broken());
    Ok(())
}
