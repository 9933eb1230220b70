//! What a search finds, as a table, CSV or JSON.

use std::{io::Write, path::PathBuf};

use serde::Serialize;
use tabiya::search::{Hit, Question, Ranking, Sort};

use super::{Args, Format};
use crate::{
    commands::list::{row::Row, write::Writer},
    list_format::ListFormat,
    output::Output,
    text::{games, grouped},
};

/// Prints hits, at once where that is possible.
pub struct Printer {
    /// The names of the inputs.
    files: Vec<String>,
    sheet: Sheet,
    /// Those that wait until all have come.
    ranking: Ranking,
    /// How many may still be printed at once; `None` if all have to wait.
    at_once: Option<AtOnce>,
    shown: u64,
    total: u64,
}

struct AtOnce {
    skip: usize,
    left: usize,
}

enum Sheet {
    Lines(Writer),
    Json(Output),
}

/// A game for programs.
#[derive(Serialize)]
struct Game {
    /// Its number in its file.
    id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    white: String,
    white_elo: Option<u16>,
    black: String,
    black_elo: Option<u16>,
    result: String,
    date: String,
    eco: String,
    opening: Option<Name>,
    event: String,
    ply: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
}

/// An opening.
#[derive(Serialize)]
struct Name {
    eco: String,
    name: String,
}

impl Printer {
    pub fn new(args: &Args, inputs: &[PathBuf], question: &Question) -> anyhow::Result<Printer> {
        let output = Output::open(args.output.as_deref(), &["txt", "csv", "json"])?;
        let lines = match args.format {
            Some(Format::Json) => None,
            Some(Format::Csv) => Some(ListFormat::Csv),
            Some(Format::Table | Format::Pgn) | None => Some(ListFormat::Table),
        };
        let several = inputs.len() > 1;
        let mut without = vec!["plies"];
        if !several {
            without.push("file");
        }
        if question.near.is_none() {
            without.push("distance");
            if question.query.is_none() {
                without.push("ply");
            }
        }
        let streams = lines.is_some() && args.sort() == Sort::Id && !args.reverse;
        Ok(Printer {
            files: inputs
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            sheet: match lines {
                Some(format) => Sheet::Lines(Writer::new(format, output, several, &without)?),
                None => Sheet::Json(output),
            },
            ranking: args.ranking(),
            at_once: streams.then(|| AtOnce {
                skip: args.skip(),
                left: args.limit().unwrap_or(usize::MAX),
            }),
            shown: 0,
            total: 0,
        })
    }

    /// Whether the openings of games are printed.
    pub fn names_openings(&self) -> bool {
        match &self.sheet {
            Sheet::Lines(writer) => writer.shows("opening"),
            Sheet::Json(_) => true,
        }
    }

    /// Takes the next game of an input.
    pub fn take(&mut self, input: usize, hit: Hit) -> anyhow::Result<()> {
        self.total += 1;
        let Some(at_once) = &mut self.at_once else {
            self.ranking.take(input, hit);
            return Ok(());
        };
        if at_once.skip > 0 {
            at_once.skip -= 1;
        } else if at_once.left > 0 {
            at_once.left -= 1;
            self.print(input, hit)?;
        }
        Ok(())
    }

    /// So many more answer that are not shown.
    pub fn count(&mut self, others: u64) {
        self.total += others;
    }

    fn print(&mut self, input: usize, hit: Hit) -> anyhow::Result<()> {
        self.shown += 1;
        let file = &self.files[input];
        match &mut self.sheet {
            Sheet::Lines(writer) => writer.row(&row(file, &hit))?,
            Sheet::Json(output) => {
                let comma = if self.shown > 1 { "," } else { "" };
                write!(output, "{comma}\n  ")?;
                let file = (self.files.len() > 1).then(|| file.clone());
                serde_json::to_writer(output, &game(file, &hit))?;
            }
        }
        Ok(())
    }

    /// Prints what has waited, and how many there are, which is returned. That there are none is not
    /// said where an input could not be read.
    pub fn finish(mut self, failed: bool) -> anyhow::Result<u64> {
        let total = self.total;
        if let Sheet::Json(output) = &mut self.sheet {
            write!(output, "{{\"total\": {total}, \"games\": [")?;
        }
        let waited = std::mem::replace(&mut self.ranking, Ranking::new(Sort::Id));
        for (input, hit) in waited.finish() {
            self.print(input, hit)?;
        }
        let shown = self.shown;
        match self.sheet {
            Sheet::Lines(mut writer) => {
                if total > 0 || !failed {
                    writer.note(&last_line(shown, total))?;
                }
                writer.finish(failed)?;
            }
            Sheet::Json(mut output) => {
                writeln!(output, "{}]}}", if shown > 0 { "\n" } else { "" })?;
                output.finish()?;
            }
        }
        Ok(total)
    }
}

/// How many of how many are shown.
fn last_line(shown: u64, total: u64) -> String {
    match (shown, total) {
        (_, 0) => "no game found".to_string(),
        (shown, total) if shown == total => format!("{} found", games(total)),
        _ => {
            let (shown, total) = (grouped(shown), games(total));
            format!("{shown} of {total} shown: --limit N shows others, --all shows all")
        }
    }
}

fn row(file: &str, hit: &Hit) -> Row {
    Row {
        file: file.to_string(),
        number: hit.number,
        ply: hit.ply,
        distance: hit.distance,
        opening: hit
            .opening
            .as_ref()
            .map_or_else(String::new, |it| it.name.clone()),
        ..Row::of(&hit.tags, hit.result)
    }
}

fn game(file: Option<String>, hit: &Hit) -> Game {
    let row = Row::of(&hit.tags, hit.result);
    Game {
        id: hit.number,
        file,
        white: row.white,
        white_elo: row.white_elo,
        black: row.black,
        black_elo: row.black_elo,
        result: row.result,
        date: row.date,
        eco: row.eco,
        opening: hit.opening.as_ref().map(|opening| Name {
            eco: opening.eco.clone(),
            name: opening.name.clone(),
        }),
        event: row.event,
        ply: hit.ply,
        distance: hit.distance,
    }
}
