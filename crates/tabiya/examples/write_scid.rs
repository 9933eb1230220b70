//! A Scid database, made move by move.
//!
//! ```sh
//! cargo run --release --example write_scid -- mine.si5
//! ```
//!
//! The name says the format: `mine.cbh` would be one of ChessBase, `mine.pgn` PGN.

use std::{env, error::Error};

use tabiya::{CommentPlace, GameResult, GameTree, Item};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which database?")?;
    let mut games = tabiya::create(&path)?;
    let losses = games.add(&scholars_mate()?)?;
    println!("{} losses", losses.count());
    // Before this line there is no file; after it, it is complete.
    games.finish()?;

    let game = tabiya::open(&path)?.get(1)?;
    println!("{}: {} plies", path, game.main_line().count());
    Ok(())
}

fn scholars_mate() -> Result<GameTree, Box<dyn Error>> {
    let mut game = GameTree::default();
    game.tags.push("White", "Scholar");
    game.tags.push("Black", "Pupil");
    let mut position = game.start;
    for san in "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#".split(' ') {
        let play = position.parse_san(san)?.to_move().ok_or("a null move")?;
        game.items.push(Item::Move(play));
        position.play(play)?;
    }
    game.items.push(Item::Comment {
        place: CommentPlace::After,
        language: None,
        text: "Everybody falls for it once.".to_string(),
    });
    game.result = GameResult::WhiteWins;
    game.tags.push("Result", game.result.tag());
    Ok(game)
}
