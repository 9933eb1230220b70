//! Games with their first moves that no earlier game has.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use serde_json::json;
use tabiya::{
    openings::Openings,
    tree::{Novelties, Novelty, NoveltyWishes, novelties},
};
use tabiya_formats::table::quoted;

use super::{Args, Place, json::Name, number};
use crate::{
    exit::Outcome,
    games,
    list_format::ListFormat,
    openings::text,
    output::Output,
    style::Palette,
    text::{clean, fit, games as count, grouped},
};

/// Lists them.
pub fn list(
    args: &Args,
    place: &Place,
    inputs: &[PathBuf],
    names: &Openings,
) -> anyhow::Result<Outcome> {
    let usual = NoveltyWishes::default();
    let wishes = NoveltyWishes {
        filter: args.read.filter(),
        min_games: args.min_games.unwrap_or(usual.min_games),
        max_ply: args.max_ply.unwrap_or(usual.max_ply),
        from: place.given(),
    };
    let mut databases = Vec::new();
    for path in inputs {
        databases.push(games::with_bar(games::open(path, args.read.how())?));
    }
    let found = novelties(&databases, &wishes)?;
    drop(databases);
    let rows: Vec<Row> = found
        .list
        .iter()
        .map(|novelty| Row::new(novelty, inputs, names))
        .collect();
    let mut output = Output::stdout();
    match args.format {
        ListFormat::Table => write_table(&mut output, &rows, &found, inputs.len() > 1)?,
        ListFormat::Csv => write_csv(&mut output, &rows)?,
        ListFormat::Json => write_json(&mut output, &rows, &found)?,
    }
    output.finish()?;
    Ok(Outcome::Fine)
}

/// A novelty in a line.
struct Row<'n> {
    file: String,
    novelty: &'n Novelty,
    white: String,
    black: String,
    date: String,
    /// `12... Nf6`
    played: String,
    san: String,
    opening: Option<&'n tabiya::openings::Opening>,
}

impl<'n> Row<'n> {
    fn new(novelty: &'n Novelty, inputs: &[PathBuf], names: &'n Openings) -> Row<'n> {
        let tags = &novelty.tags;
        let san = novelty.before.san(novelty.play).to_string();
        let known = |name: &str| tags.get(name).unwrap_or("?").to_string();
        Row {
            file: inputs[novelty.database].display().to_string(),
            novelty,
            white: known("White"),
            black: known("Black"),
            date: tags
                .date()
                .map_or_else(String::new, |date| date.to_string()),
            played: format!("{}{san}", number(&novelty.before)),
            san,
            opening: novelty.opening(names),
        }
    }
}

fn write_table(
    output: &mut Output,
    rows: &[Row<'_>],
    found: &Novelties,
    several: bool,
) -> io::Result<()> {
    let style = Palette::of(output).label;
    if !rows.is_empty() {
        let file = if several { "file                 " } else { "" };
        writeln!(
            output,
            "{style}{file}     no {:<20} {:<20} {:<10} ply {:<12}  earlier opening{style:#}",
            "white", "black", "date", "novelty"
        )?;
    }
    for row in rows {
        let file = match several {
            true => format!("{} ", fit(&row.file, 20)),
            false => String::new(),
        };
        let Novelty {
            number,
            ply,
            earlier,
            ..
        } = row.novelty;
        let line = format!(
            "{file}{number:>7} {} {} {:<10} {ply:>3} {:<12} {earlier:>8} {}",
            fit(&row.white, 20),
            fit(&row.black, 20),
            row.date,
            row.played,
            clean(&row.opening.map(text).unwrap_or_default()),
        );
        writeln!(output, "{}", line.trim_end())?;
    }
    let listed = rows.len() as u64;
    let rare = found.games - found.without - listed;
    if listed > 0 {
        writeln!(output)?;
    }
    writeln!(
        output,
        "{}: {} novelties listed, {} in positions of fewer games, {} following earlier ones",
        count(found.games),
        grouped(listed),
        grouped(rare),
        count(found.without)
    )
}

fn write_csv(output: &mut Output, rows: &[Row<'_>]) -> io::Result<()> {
    writeln!(
        output,
        "file,number,white,black,date,ply,move,uci,earlier,fen,eco,opening"
    )?;
    for row in rows {
        let novelty = row.novelty;
        let eco = row.opening.map_or("", |opening| &opening.eco);
        let name = row.opening.map_or("", |opening| &opening.name);
        let cells = [
            row.file.clone(),
            novelty.number.to_string(),
            row.white.clone(),
            row.black.clone(),
            row.date.clone(),
            novelty.ply.to_string(),
            row.san.clone(),
            novelty.before.uci(novelty.play).to_string(),
            novelty.earlier.to_string(),
            novelty.before.to_setup().to_string(),
            eco.to_string(),
            name.to_string(),
        ];
        let cells: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
        writeln!(output, "{}", cells.join(","))?;
    }
    Ok(())
}

fn write_json(output: &mut Output, rows: &[Row<'_>], found: &Novelties) -> io::Result<()> {
    let object = |row: &Row<'_>| {
        let novelty = row.novelty;
        json!({
            "file": row.file,
            "number": novelty.number,
            "white": row.white,
            "black": row.black,
            "date": row.date,
            "ply": novelty.ply,
            "san": row.san,
            "uci": novelty.before.uci(novelty.play).to_string(),
            "earlier": novelty.earlier,
            "fen": novelty.before.to_setup().to_string(),
            "opening": row.opening.map(Name::of),
        })
    };
    let value = json!({
        "games": found.games,
        "without": found.without,
        "novelties": rows.iter().map(object).collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *output, &value)?;
    writeln!(output)
}
