//! How games begin, and how they end then. All cores count.
//!
//! ```sh
//! cargo run --release --example opening_statistics -- games.pgn.zst 4
//! ```

use std::{collections::BTreeMap, env, error::Error};

use tabiya::{GameResult, GameTree, Variant};

/// Wins of White, draws, wins of Black.
type Score = [u64; 3];

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which database?")?;
    let plies: usize = env::args().nth(2).unwrap_or("4".to_string()).parse()?;
    let openings = tabiya::open(path)?.par_fold(
        BTreeMap::<String, Score>::new,
        |openings, game| {
            if let (Some(opening), Some(score)) = (opening(game, plies), score(game.result)) {
                add(openings.entry(opening).or_default(), score);
            }
        },
        |openings, later| {
            for (opening, score) in later {
                add(openings.entry(opening).or_default(), score);
            }
        },
    )?;
    let mut openings: Vec<(String, Score)> = openings.into_iter().collect();
    // The sort is stable: openings of the same number stay in alphabetical order.
    openings.sort_by_key(|(_, score)| std::cmp::Reverse(score.iter().sum::<u64>()));
    for (opening, [white, draws, black]) in openings.iter().take(5) {
        println!("{opening:<20}  +{white} ={draws} -{black}");
    }
    Ok(())
}

/// The first moves, in games that begin where games of chess begin.
fn opening(game: &GameTree, plies: usize) -> Option<String> {
    if game.start.variant() != Variant::Standard || game.tags.get("FEN").is_some() {
        return None;
    }
    let moves = game.main_line().take(plies);
    let sans = moves.map(|(before, action)| Some(before.san(action.to_move()?).to_string()));
    Some(sans.collect::<Option<Vec<_>>>()?.join(" "))
}

fn score(result: GameResult) -> Option<Score> {
    match result.token() {
        "1-0" => Some([1, 0, 0]),
        "1/2-1/2" => Some([0, 1, 0]),
        "0-1" => Some([0, 0, 1]),
        _ => None,
    }
}

fn add(sum: &mut Score, more: Score) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}
