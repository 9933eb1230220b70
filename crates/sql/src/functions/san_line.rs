//! `san_line(moves, n)`

use std::{fmt::Write as _, ops::ControlFlow, sync::Arc};

use datafusion::{
    arrow::{
        array::{ArrayRef, StringViewBuilder},
        datatypes::DataType,
    },
    common::Result,
};
use tabiya_chess::{Color, Position};
use tabiya_formats::jose::Error;
use tabiya_store::movetext::Movetext;

use super::{
    arguments::{Arguments, Kind},
    function::{About, Parameter},
    ply_of::MOVES,
};

/// Its name.
pub const NAME: &str = "san_line";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "The first plies of the main line as people write them: `1. e4 c5 2. Nf3`. A null move is `--`, a \
            ply that was left out `...`. All of it if it is shorter; null if there is no game.",
    parameters: &[
        MOVES,
        Parameter {
            name: "n",
            kind: Kind::Integer,
            about: "How many plies, at most.",
        },
    ],
    returns: DataType::Utf8View,
    example: "SELECT san_line(moves, 6) AS line, count(*) AS games FROM games GROUP BY line ORDER BY games DESC",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let (moves, counts) = (arguments.moves(0)?, arguments.numbers(1)?);
    let mut lines = StringViewBuilder::with_capacity(arguments.rows);
    let mut line = String::new();
    for row in 0..arguments.rows {
        let (Some(game), Some(count)) = (moves.game(row)?, counts.get(row)) else {
            lines.append_null();
            continue;
        };
        line.clear();
        let most = u32::try_from(count.max(0)).unwrap_or(u32::MAX);
        write_line(game, most, &mut line).map_err(|error| moves.damaged(&error))?;
        lines.append_value(&line);
    }
    Ok(Arc::new(lines.finish()))
}

/// Writes the first plies of a game.
fn write_line(game: Movetext<'_>, most: u32, line: &mut String) -> Result<(), Error> {
    let mut last: Option<(u32, Position)> = None;
    game.for_each_position(|ply, play, position| {
        if let Some((before, from)) = last {
            for _ in before + 1..ply.min(most.saturating_add(1)) {
                line.push_str("... ");
            }
            if ply > most {
                return ControlFlow::Break(());
            }
            let from = play.map_or(&from, |(from, _)| from);
            write_number(from, line);
            // A String takes any text.
            let _ = match play {
                Some((from, play)) => write!(line, "{} ", from.san(play)),
                None => write!(line, "-- "),
            };
        }
        last = Some((ply, *position));
        match ply < most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    line.truncate(line.trim_end().len());
    Ok(())
}

/// Writes the number of a move, if White plays it or nothing stands before it.
fn write_number(before: &Position, line: &mut String) {
    let number = before.fullmove_number();
    // A String takes any text.
    let _ = match before.turn() {
        Color::White => write!(line, "{number}. "),
        Color::Black if line.is_empty() || line.ends_with("... ") => write!(line, "{number}... "),
        Color::Black => Ok(()),
    };
}
