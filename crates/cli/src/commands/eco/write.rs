//! Games with their openings, in columns, as CSV, or as JSON.

use std::io::{self, Write};

use serde::Serialize;
use tabiya::openings::Classified;
use tabiya_formats::table::quoted;

use super::{Args, summary::Summary};
use crate::{
    list_format::ListFormat,
    output::Output,
    style::Palette,
    text::{clean, fit},
};

/// Prints one game after the other.
pub struct Writer {
    format: ListFormat,
    output: Output,
    /// Each line says from which file it is.
    several: bool,
    /// Whether the titles of a table are printed, or not wanted. They wait for something to stand over.
    has_heading: bool,
    rows: u64,
}

/// A game in a line.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    number: u64,
    white: &'a str,
    black: &'a str,
    /// Of the tag.
    tagged: &'a str,
    /// Of the position.
    eco: &'a str,
    opening: &'a str,
    ply: Option<u32>,
    agreement: &'static str,
}

impl Writer {
    /// Prints what stands before the games for programs.
    pub fn new(args: &Args, output: Output, several: bool) -> io::Result<Writer> {
        let mut writer = Writer {
            format: args.format,
            output,
            several,
            has_heading: args.summary,
            rows: 0,
        };
        match writer.format {
            ListFormat::Table => {}
            ListFormat::Csv => writeln!(
                writer.output,
                "file,number,white,black,tagged,eco,opening,ply,agreement"
            )?,
            ListFormat::Json => write!(writer.output, "{{\"games\": [")?,
        }
        Ok(writer)
    }

    fn heading(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.has_heading, true) {
            return Ok(());
        }
        let style = Palette::of(&self.output).label;
        let file = if self.several {
            "file                 "
        } else {
            ""
        };
        writeln!(
            self.output,
            "{style}{file}     no {:<20} {:<20} tag eco ply opening{style:#}",
            "white", "black"
        )
    }

    pub fn game(&mut self, file: &str, game: &Classified<'_>) -> io::Result<()> {
        self.rows += 1;
        let row = Row {
            file,
            number: game.number,
            white: game.tags.white().unwrap_or("?"),
            black: game.tags.black().unwrap_or("?"),
            tagged: game.tags.eco().unwrap_or_default(),
            eco: game.opening.map_or("", |(opening, _)| &opening.eco),
            opening: game.opening.map_or("", |(opening, _)| &opening.name),
            ply: game.opening.map(|(_, ply)| ply),
            agreement: game.agreement().name(),
        };
        match self.format {
            ListFormat::Table => self.line(&row),
            ListFormat::Csv => self.csv(&row),
            ListFormat::Json => {
                let comma = if self.rows > 1 { "," } else { "" };
                write!(self.output, "{comma}\n  ")?;
                Ok(serde_json::to_writer(&mut self.output, &row)?)
            }
        }
    }

    fn line(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.heading()?;
        let file = match self.several {
            true => format!("{} ", fit(row.file, 20)),
            false => String::new(),
        };
        let line = format!(
            "{file}{:>7} {} {} {} {:<3} {:>3} {}",
            row.number,
            fit(row.white, 20),
            fit(row.black, 20),
            fit(row.tagged, 3),
            row.eco,
            row.ply.map_or_else(String::new, |ply| ply.to_string()),
            clean(row.opening),
        );
        writeln!(self.output, "{}", line.trim_end())
    }

    fn csv(&mut self, row: &Row<'_>) -> io::Result<()> {
        let (number, ply) = (row.number.to_string(), row.ply.map(|ply| ply.to_string()));
        let cells = [
            row.file,
            &number,
            row.white,
            row.black,
            row.tagged,
            row.eco,
            row.opening,
            ply.as_deref().unwrap_or_default(),
            row.agreement,
        ];
        let cells: Vec<_> = cells.into_iter().map(quoted).collect();
        writeln!(self.output, "{}", cells.join(","))
    }

    /// Prints how many games agree. Beside an error there is no table of nothing.
    pub fn finish(mut self, summary: &Summary, failed: bool) -> anyhow::Result<()> {
        match self.format {
            ListFormat::Table if failed && summary.is_empty() => {}
            ListFormat::Table => {
                self.heading()?;
                if self.rows > 0 {
                    writeln!(self.output)?;
                }
                summary.write(&mut self.output)?;
            }
            ListFormat::Csv => {}
            ListFormat::Json => {
                let line = if self.rows > 0 { "\n" } else { "" };
                writeln!(self.output, "{line}], \"summary\": {}}}", summary.json())?;
            }
        }
        self.output.finish()
    }
}
