//! An answer as a table.

use std::io::Write;

use tabiya_sql::output::Column;

use crate::{output::Output, style::Palette, terminal, text};

/// A row: what is null has no text.
pub type Row = Vec<Option<String>>;

/// Cells that are wider are cut, where a person reads along.
const WIDEST: usize = 48;

/// Whether the answer is that to `EXPLAIN`.
pub fn is_plan(columns: &[Column]) -> bool {
    let names = columns.iter().map(|column| column.name.as_str());
    names.eq(["plan_type", "plan"])
}

/// Writes plans as they are drawn: of many lines, indented.
pub fn write_plan(rows: &[Row], out: &mut Output) -> anyhow::Result<()> {
    let strong = Palette::of(out).strong;
    for row in rows {
        let mut cells = row.iter().map(|cell| cell.as_deref().unwrap_or(""));
        let (name, plan) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        writeln!(out, "{strong}{}{strong:#}", text::clean(name))?;
        for line in plan.lines() {
            writeln!(out, "{}", text::clean(line))?;
        }
    }
    Ok(())
}

/// Writes names and rows; numbers stand on the right of their columns.
pub fn write(columns: &[Column], rows: &[Row], out: &mut Output) -> anyhow::Result<()> {
    let most = terminal::columns(out).map_or(usize::MAX, |_| WIDEST);
    let cells = |row: &Row| -> Vec<String> {
        let clean = |cell: &Option<String>| text::clean(cell.as_deref().unwrap_or("")).into_owned();
        row.iter().map(clean).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let names: Vec<String> = columns
        .iter()
        .map(|column| text::clean(&column.name).into_owned())
        .collect();
    let widths: Vec<usize> = (0..columns.len())
        .map(|place| {
            let width = |row: &Vec<String>| row[place].chars().count();
            let widest = rows.iter().map(width).max().unwrap_or(0);
            widest.max(width(&names)).min(most)
        })
        .collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).zip(columns);
        let cells = cells.map(|((cell, &width), column)| match column.is_number {
            true => format!("{cell:>width$}"),
            false => text::fit(cell, width),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let strong = Palette::of(out).strong;
    writeln!(out, "{strong}{}{strong:#}", line(&names))?;
    for row in &rows {
        writeln!(out, "{}", line(row))?;
    }
    Ok(())
}
