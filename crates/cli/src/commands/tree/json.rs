//! A tree as JSON, in the shape of the Lichess opening explorer, with more fields.

use std::io::{self, Write};

use serde::Serialize;
use tabiya::{
    openings::{Opening, Openings},
    tree::{Node, Twig},
};

use super::{Place, row::Row};
use crate::output::Output;

#[derive(Serialize)]
struct Document<'o> {
    opening: Option<Name<'o>>,
    white: u64,
    draws: u64,
    black: u64,
    unknown: u64,
    fen: String,
    moves: Vec<Move<'o>>,
    /// The explorer lists games here; a search finds them.
    #[serde(rename = "topGames")]
    top_games: [(); 0],
    #[serde(rename = "recentGames")]
    recent_games: [(); 0],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Move<'o> {
    uci: String,
    san: String,
    average_rating: Option<u64>,
    average_opponent_rating: Option<u64>,
    performance: Option<i64>,
    white: u64,
    draws: u64,
    black: u64,
    unknown: u64,
    played: u64,
    reached: u64,
    last_year: Option<u16>,
    /// The explorer shows a game here if it is the only one.
    game: Option<()>,
    opening: Option<Name<'o>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Move<'o>>>,
}

/// An opening.
#[derive(Serialize)]
pub struct Name<'o> {
    eco: &'o str,
    name: &'o str,
}

impl<'o> Name<'o> {
    pub fn of(opening: &'o Opening) -> Name<'o> {
        Name {
            eco: &opening.eco,
            name: &opening.name,
        }
    }
}

/// Writes a tree for programs.
pub fn write(output: &mut Output, node: &Node, place: &Place, names: &Openings) -> io::Result<()> {
    let total = &node.total;
    let document = Document {
        opening: place.opening(names).map(Name::of),
        white: total.white,
        draws: total.draws,
        black: total.black,
        unknown: total.unknown,
        fen: node.position.to_setup().to_string(),
        moves: moves(node, names),
        top_games: [],
        recent_games: [],
    };
    serde_json::to_writer_pretty(&mut *output, &document)?;
    writeln!(output)
}

fn moves<'o>(node: &Node, names: &'o Openings) -> Vec<Move<'o>> {
    let of = |twig: &Twig| {
        let row = Row::new(&node.position, twig.branch, names);
        let played = &twig.branch.played;
        Move {
            uci: row.uci,
            san: row.san,
            average_rating: row.average,
            average_opponent_rating: row.opponents,
            performance: row.performance,
            white: played.white,
            draws: played.draws,
            black: played.black,
            unknown: played.unknown,
            played: played.games(),
            reached: twig.branch.reached,
            last_year: played.last_year,
            game: None,
            opening: row.opening.map(Name::of),
            moves: twig.next.as_ref().map(|next| moves(next, names)),
        }
    };
    node.moves.iter().map(of).collect()
}
