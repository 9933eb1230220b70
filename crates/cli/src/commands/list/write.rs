//! A list in columns, as CSV, or as JSON.

use std::io::{self, Write};

use tabiya_formats::table::quoted;

use super::row::Row;
use crate::{
    list_format::ListFormat,
    output::Output,
    style::Palette,
    terminal,
    text::{fit, pad},
};

/// How wide a table is where nobody says: in files and pipes.
const USUAL: usize = 160;

/// Prints one row after the other.
pub struct Writer {
    format: ListFormat,
    output: Output,
    columns: Vec<Column>,
    /// Those of CSV, which has room for all.
    cells: Vec<Column>,
    /// What is too long for its column is cut, so that a line of a terminal is a row. Files and
    /// pipes get all of it.
    cuts: bool,
    /// Whether the titles of a table are printed. They wait for something to stand over.
    has_heading: bool,
    rows: u64,
}

/// A column of a table.
#[derive(Clone, Copy)]
struct Column {
    title: &'static str,
    /// What programs call it.
    name: &'static str,
    width: usize,
    /// Numbers stand at the right.
    right: bool,
    value: fn(&Row) -> String,
}

/// Which file a row is from; programs get the whole path.
const FILE: &str = "file";

/// All columns, in their order, with their smallest widths.
const COLUMNS: [Column; 14] = [
    left(FILE, 12, |row| file_name(&row.file)),
    right("no", 7, |row| row.number.to_string()).called("number"),
    left("white", 10, |row| row.white.clone()),
    right("elo", 4, |row| rating(row.white_elo)).called("white_elo"),
    left("black", 10, |row| row.black.clone()),
    right("elo", 4, |row| rating(row.black_elo)).called("black_elo"),
    left("result", 7, |row| row.result.clone()),
    left("date", 10, |row| row.date.clone()),
    left("eco", 3, |row| row.eco.clone()),
    right("plies", 5, |row| row.plies.to_string()),
    right("ply", 4, |row| number(row.ply)),
    right("distance", 8, |row| number(row.distance)),
    left("event", 10, |row| row.event.clone()),
    left("opening", 12, |row| row.opening.clone()),
];

/// Columns that a list of games has none of: what a search finds.
pub const OF_A_SEARCH: [&str; 2] = ["ply", "distance"];

/// What a narrow table leaves out, from the first on.
const LEFT_OUT: [&str; 8] = [
    "opening", "event", "plies", "file", "elo", "eco", "date", "result",
];

/// What takes the room that is left, and how much of it.
const WIDE: [(&str, usize); 4] = [("white", 3), ("black", 3), ("event", 3), ("opening", 4)];

/// Names seldom need more.
const WIDEST: usize = 32;

const fn left(title: &'static str, width: usize, value: fn(&Row) -> String) -> Column {
    Column {
        title,
        name: title,
        width,
        right: false,
        value,
    }
}

impl Column {
    /// Programs call it something else than people.
    const fn called(self, name: &'static str) -> Column {
        Column { name, ..self }
    }
}

const fn right(title: &'static str, width: usize, value: fn(&Row) -> String) -> Column {
    Column {
        right: true,
        ..left(title, width, value)
    }
}

impl Writer {
    /// Prints what stands before the rows for programs. With several files, each row says from which it is. Some
    /// columns may be left out.
    pub fn new(
        format: ListFormat,
        output: Output,
        several: bool,
        without: &[&str],
    ) -> io::Result<Writer> {
        let width = terminal::columns(&output);
        let mut cells = COLUMNS.to_vec();
        cells.retain(|column| !without.contains(&column.title));
        let mut writer = Writer {
            columns: layout(width.unwrap_or(USUAL), several, &cells),
            cells,
            cuts: width.is_some(),
            format,
            output,
            has_heading: false,
            rows: 0,
        };
        match format {
            ListFormat::Table => {}
            ListFormat::Csv => {
                let names: Vec<&str> = writer.cells.iter().map(|column| column.name).collect();
                writeln!(writer.output, "{}", names.join(","))?;
            }
            ListFormat::Json => write!(writer.output, "[")?,
        }
        Ok(writer)
    }

    fn heading(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.has_heading, true) {
            return Ok(());
        }
        let style = Palette::of(&self.output).label;
        let titles = self.columns.iter();
        let titles = titles.map(|column| cell(column, column.title, self.cuts));
        let line = titles.collect::<Vec<_>>().join(" ");
        writeln!(self.output, "{style}{}{style:#}", line.trim_end())
    }

    /// Whether rows are printed with what a column has.
    pub fn shows(&self, title: &str) -> bool {
        let of = |columns: &[Column]| columns.iter().any(|column| column.title == title);
        match self.format {
            ListFormat::Table => of(&self.columns),
            ListFormat::Csv => of(&self.cells),
            ListFormat::Json => true,
        }
    }

    pub fn row(&mut self, row: &Row) -> io::Result<()> {
        self.rows += 1;
        match self.format {
            ListFormat::Table => {
                self.heading()?;
                let cells = self.columns.iter();
                let cells = cells.map(|column| cell(column, &(column.value)(row), self.cuts));
                let line = cells.collect::<Vec<_>>().join(" ");
                writeln!(self.output, "{}", line.trim_end())
            }
            ListFormat::Csv => {
                let text = |column: &Column| match column.title {
                    FILE => row.file.clone(),
                    _ => (column.value)(row),
                };
                let cells = self
                    .cells
                    .iter()
                    .map(|column| quoted(&text(column)).into_owned());
                writeln!(self.output, "{}", cells.collect::<Vec<_>>().join(","))
            }
            ListFormat::Json => {
                let comma = if self.rows > 1 { "," } else { "" };
                write!(self.output, "{comma}\n  ")?;
                Ok(serde_json::to_writer(&mut self.output, row)?)
            }
        }
    }

    /// A line below a table.
    pub fn note(&mut self, line: &str) -> io::Result<()> {
        match self.format {
            ListFormat::Table => {
                self.heading()?;
                writeln!(self.output, "{line}")
            }
            ListFormat::Csv | ListFormat::Json => Ok(()),
        }
    }

    /// Prints what stands behind the rows. Beside an error there is no table without rows.
    pub fn finish(mut self, failed: bool) -> anyhow::Result<()> {
        match self.format {
            ListFormat::Table if failed => {}
            ListFormat::Table => self.heading()?,
            ListFormat::Csv => {}
            ListFormat::Json => {
                writeln!(self.output, "{}]", if self.rows > 0 { "\n" } else { "" })?;
            }
        }
        self.output.finish()
    }
}

/// The columns that a width has room for, and their widths.
fn layout(width: usize, several: bool, columns: &[Column]) -> Vec<Column> {
    let mut columns: Vec<Column> = columns.to_vec();
    columns.retain(|column| several || column.title != FILE);
    let taken = |columns: &[Column]| {
        let widths = columns.iter().map(|column| column.width + 1);
        widths.sum::<usize>().saturating_sub(1)
    };
    for title in LEFT_OUT {
        if taken(&columns) > width {
            columns.retain(|column| column.title != title);
        }
    }
    let room = width.saturating_sub(taken(&columns));
    let share = |column: &Column| {
        let share = WIDE.iter().find(|(title, _)| *title == column.title);
        share.map_or(0, |(_, share)| *share)
    };
    let shares: usize = columns.iter().map(share).sum();
    for column in &mut columns {
        let more = room * share(column) / shares.max(1);
        column.width += more.min(WIDEST.saturating_sub(column.width));
    }
    // Names are cut before a line is broken.
    while taken(&columns) > width {
        let Some(widest) = columns.iter_mut().max_by_key(|column| column.width) else {
            break;
        };
        if widest.width <= 1 {
            break;
        }
        widest.width -= 1;
    }
    columns
}

fn cell(column: &Column, text: &str, cuts: bool) -> String {
    let width = column.width;
    match column.right {
        // A number is never cut.
        true => format!("{text:>width$}"),
        false if cuts => fit(text, width),
        false => pad(text, width),
    }
}

fn rating(elo: Option<u16>) -> String {
    number(elo.map(u32::from))
}

fn number(number: Option<u32>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn file_name(path: &str) -> String {
    let name = std::path::Path::new(path).file_name();
    name.map_or_else(
        || path.to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_fits_every_terminal() {
        for width in 24..300 {
            for several in [false, true] {
                let columns = layout(width, several, &COLUMNS);
                let widths: usize = columns.iter().map(|column| column.width + 1).sum();
                assert!(widths - 1 <= width, "{width}");
                let titles: Vec<_> = columns.iter().map(|column| column.title).collect();
                assert!(
                    titles.contains(&"white") && titles.contains(&"no"),
                    "{width}"
                );
            }
        }
        let mut listed = COLUMNS.to_vec();
        listed.retain(|column| !OF_A_SEARCH.contains(&column.title));
        assert_eq!(layout(USUAL, true, &listed).len(), listed.len());
        assert_eq!(layout(100, false, &listed).len(), listed.len() - 1);
        assert_eq!(layout(80, false, &listed).len(), listed.len() - 2);
        assert_eq!(layout(30, false, &listed).len(), 3);
    }
}
