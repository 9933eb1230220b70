//! The games of a database, one a line.
//!
//! ```sh
//! cargo run --release --example list_games -- games.cbh
//! ```
//!
//! Any other format will do: what a file is, is told from its content.

use std::{env, error::Error};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which database?")?;
    let database = tabiya::open(path)?;
    println!("{}, {:?} entries", database.format(), database.count());
    for game in database.games() {
        let game = game?;
        let tag = |name| game.tags.get(name).unwrap_or("?");
        println!(
            "{:4}  {} - {}  {}  {} plies",
            game.place.number,
            tag("White"),
            tag("Black"),
            game.result,
            game.main_line().count()
        );
    }
    Ok(())
}
