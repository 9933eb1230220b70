//! Who follows a database that grows: a state that was opened stays as it is, and a new one has what
//! came in between.
//!
//! ```sh
//! cargo run --example follow_appends new.tabiya
//! ```

use std::{env, error::Error};

use tabiya_game::GameTree;
use tabiya_store::Store;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected a name for a database")?;
    add(&path, &["Morphy, Paul", "Anderssen, Adolf"])?;
    let mut store = Store::open(&path)?;
    for players in [
        &["Steinitz, William"][..],
        &["Lasker, Emanuel", "Tarrasch, Siegbert"],
    ] {
        add(&path, players)?;
        let later = Store::open(&path)?;
        println!("{} games before, {} now", store.count(), later.count());
        for number in store.count() + 1..=later.count() {
            let mut game = GameTree::default();
            later.tell(number, &mut game)?;
            println!("{number}: {}", game.tags.get("White").unwrap_or("?"));
        }
        store = later;
    }
    Ok(())
}

/// Adds a game of each player. It is there from `finish` on, whatever happens; `merge` is for speed.
fn add(path: &str, players: &[&str]) -> Result<(), tabiya_game::Error> {
    let mut importer = Store::import(path)?;
    for player in players {
        let mut game = GameTree::default();
        game.tags.push("White", player);
        importer.add(&game)?;
    }
    importer.finish()?.merge()?;
    Ok(())
}
