//! A dossier as Markdown, with tables as GitHub has them.

use std::fmt::Write;

use super::{
    html::tame,
    page::{Body, Cell, Page, Section, Table, players, text, whereabouts},
};

/// The text.
pub fn write(page: &Page<'_>) -> String {
    let mut out = format!("# {}\n\n", escape(&page.title));
    if !page.subtitle.is_empty() {
        push(&mut out, format_args!("{}\n\n", code(&page.subtitle)));
    }
    if let Some(fen) = page.fen {
        push(&mut out, format_args!("{}\n\n", code(fen)));
    }
    for (name, value) in &page.facts {
        push(&mut out, format_args!("* {name}: {}\n", escape(value)));
    }
    for section in &page.sections {
        write_section(&mut out, section, page.several);
    }
    out
}

fn write_section(out: &mut String, section: &Section<'_>, several: bool) {
    push(out, format_args!("\n## {}\n\n", escape(&section.title)));
    match &section.body {
        Body::Table(table) => write_table(out, table),
        Body::Games(games) => {
            for (number, game) in (1..).zip(*games) {
                let (players, whereabouts) = (players(game), whereabouts(game, several));
                push(
                    out,
                    format_args!(
                        "{number}. **{}** {}  \n   {} {}\n",
                        escape(&players),
                        escape(&whereabouts),
                        escape(&game.moves),
                        escape(&game.result)
                    ),
                );
            }
        }
    }
    if !section.about.is_empty() {
        push(out, format_args!("\n{}\n", escape(&section.about)));
    }
}

fn write_table(out: &mut String, table: &Table) {
    // Bars are pictures: the columns beside them have their figures, or else they are these.
    let has_counts = table.columns.contains(&"won");
    let is_told = |cell: &&Cell| !(has_counts && matches!(cell, Cell::Bar(_)));
    let columns = table.columns.iter();
    let columns: Vec<&str> = columns
        .filter(|column| !(has_counts && **column == "results"))
        .copied()
        .collect();
    push(out, format_args!("| {} |\n", columns.join(" | ")));
    let first = table.rows.first().map(Vec::as_slice).unwrap_or_default();
    let rules = first.iter().filter(is_told).map(|cell| match cell {
        Cell::Text(_) | Cell::Line(..) | Cell::Bar(_) => "---",
        _ => "--:",
    });
    push(
        out,
        format_args!("| {} |\n", rules.collect::<Vec<_>>().join(" | ")),
    );
    for row in &table.rows {
        let cells: Vec<String> = row.iter().filter(is_told).map(cell_text).collect();
        push(out, format_args!("| {} |\n", cells.join(" | ")));
    }
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        // Spaces at the beginning of a cell are not shown.
        Cell::Line(depth, moves) => format!("{}{}", "· ".repeat(*depth), escape(moves)),
        cell => escape(&text(cell)),
    }
}

/// Text that means nothing but itself.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(tame(c)),
        }
    }
    out
}

/// Moves and FENs, as they are.
fn code(text: &str) -> String {
    let plain: String = text.chars().map(tame).filter(|c| *c != '`').collect();
    format!("`{plain}`")
}

/// A text takes whatever is written to it.
fn push(out: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(what);
}
