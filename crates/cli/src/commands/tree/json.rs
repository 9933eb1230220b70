//! A tree as JSON, in the shape of the Lichess opening explorer, with more fields.

use std::io::{self, Write};

use serde_json::{Value, json};
use tabiya::{
    openings::{Opening, Openings},
    tree::{Node, Twig},
};

use super::{Place, row::Row};
use crate::output::Output;

/// Writes a tree for programs.
pub fn write(output: &mut Output, node: &Node, place: &Place, names: &Openings) -> io::Result<()> {
    let total = &node.total;
    let value = json!({
        "fen": node.position.to_setup().to_string(),
        "opening": opening(place.opening(names)),
        "white": total.white,
        "draws": total.draws,
        "black": total.black,
        "unknown": total.unknown,
        "games": total.games(),
        "moves": moves(node, names),
        // The explorer lists games here; `tabiya search` finds them.
        "topGames": [],
        "recentGames": [],
    });
    serde_json::to_writer_pretty(&mut *output, &value)?;
    writeln!(output)
}

fn moves(node: &Node, names: &Openings) -> Vec<Value> {
    let twig = |twig: &Twig| {
        let row = Row::new(&node.position, twig.branch, names);
        let played = &twig.branch.played;
        let mut value = json!({
            "uci": row.uci,
            "san": row.san,
            "averageRating": row.average,
            "averageOpponentRating": row.opponents,
            "performance": row.performance,
            "white": played.white,
            "draws": played.draws,
            "black": played.black,
            "unknown": played.unknown,
            "played": played.games(),
            "reached": twig.branch.reached,
            "lastYear": played.last_year,
            "game": null,
            "opening": opening(row.opening),
        });
        if let Some(next) = &twig.next {
            value["moves"] = Value::from(moves(next, names));
        }
        value
    };
    node.moves.iter().map(twig).collect()
}

/// `null` where there is no name.
pub fn opening(opening: Option<&Opening>) -> Value {
    opening.map_or(
        Value::Null,
        |opening| json!({"eco": opening.eco, "name": opening.name}),
    )
}
