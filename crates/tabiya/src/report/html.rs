//! A dossier as a page of HTML that needs nothing else: no script, no font, no picture from
//! elsewhere.

use std::fmt::Write;

use tabiya_chess::{Position, Setup, Variant, diagram};

use super::{
    ModelGame, chart,
    page::{Body, Cell, Chart, Page, Section, Table, players, text, whereabouts},
};

const STYLE: &str = include_str!("style.css");

/// Nothing may be loaded and nothing may run, whatever names games have.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The page.
pub fn write(page: &Page<'_>) -> String {
    let title = escape(&page.title);
    let class = match page.fen {
        Some(_) => "opening",
        None => "player",
    };
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"generator\" content=\"tabiya {}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body class=\"{class}\">\n\
         <header>\n<h1>{title}</h1>\n",
        env!("CARGO_PKG_VERSION")
    );
    head(&mut html, page);
    html.push_str("</header>\n<main>\n");
    for section in &page.sections {
        write_section(&mut html, section, page);
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// What is known at a glance.
fn head(html: &mut String, page: &Page<'_>) {
    if !page.subtitle.is_empty() {
        push(
            html,
            format_args!("<p class=\"line\">{}</p>\n", escape(&page.subtitle)),
        );
    }
    html.push_str("<div class=\"glance\">\n");
    if let Some((fen, board)) = page.fen.and_then(|fen| Some((escape(fen), board(fen)?))) {
        push(
            html,
            format_args!("<figure>{board}<figcaption>{fen}</figcaption></figure>\n"),
        );
    }
    html.push_str("<dl>\n");
    for (name, value) in &page.facts {
        push(
            html,
            format_args!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(value)),
        );
    }
    html.push_str("</dl>\n</div>\n");
    let [won, drawn, lost] = page.legend;
    push(
        html,
        format_args!(
            "<p class=\"legend\"><span class=\"w\"></span> {won} <span class=\"d\"></span> {drawn} \
             <span class=\"l\"></span> {lost}</p>\n"
        ),
    );
}

/// The diagram of a position.
fn board(fen: &str) -> Option<String> {
    let setup: Setup = fen.parse().ok()?;
    let position = Position::from_setup(&setup, Variant::Standard).ok()?;
    Some(diagram::Svg::new(position.board()).to_string())
}

fn write_section(html: &mut String, section: &Section<'_>, page: &Page<'_>) {
    let legend = page.legend;
    let title = escape(&section.title);
    push(html, format_args!("<section>\n<h2>{title}</h2>\n"));
    if !section.charts.is_empty() {
        html.push_str("<div class=\"charts\">\n");
        for chart in &section.charts {
            write_chart(html, chart, legend);
        }
        html.push_str("</div>\n");
    }
    match &section.body {
        Body::Table(table) => write_table(html, &title, table, legend),
        Body::Games(games) => write_games(html, games, page.several),
    }
    if !section.about.is_empty() {
        push(
            html,
            format_args!("<p class=\"about\">{}</p>\n", escape(&section.about)),
        );
    }
    html.push_str("</section>\n");
}

fn write_chart(html: &mut String, chart: &Chart, legend: [&str; 3]) {
    let (title, svg) = match chart {
        Chart::Columns { title, years } => (title, chart::columns(title, years, legend)),
        Chart::Curve {
            title,
            unit,
            points,
        } => (title, chart::curve(title, unit, points)),
    };
    if !svg.is_empty() {
        push(
            html,
            format_args!("<figure>{svg}<figcaption>{title}</figcaption></figure>\n"),
        );
    }
}

fn write_table(html: &mut String, title: &str, table: &Table, legend: [&str; 3]) {
    // A table that is wider than the window scrolls, and can be scrolled by the keyboard.
    push(
        html,
        format_args!(
            "<div class=\"wide\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\">\n<table>\n\
             <caption>{title}</caption>\n<thead><tr>"
        ),
    );
    for (place, column) in table.columns.iter().enumerate() {
        let first = table.rows.first().and_then(|row| row.get(place));
        let class = class(column, first);
        push(html, format_args!("<th scope=\"col\"{class}>{column}</th>"));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (place, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
            let class = class(column, Some(cell));
            let content = content(cell, legend);
            match place {
                0 => push(
                    html,
                    format_args!("<th scope=\"row\"{class}>{content}</th>"),
                ),
                _ => push(html, format_args!("<td{class}>{content}</td>")),
            }
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
}

/// Numbers stand at the right. What a bar tells, too, is left out where there is little room.
fn class(column: &str, cell: Option<&Cell>) -> &'static str {
    match (column, cell) {
        ("won" | "drawn" | "lost" | "share", _) => " class=\"number minor\"",
        (_, Some(Cell::Bar(_))) => " class=\"results\"",
        ("opening", _) => " class=\"name\"",
        (_, Some(Cell::Text(_) | Cell::Line(..)) | None) => "",
        _ => " class=\"number\"",
    }
}

fn content(cell: &Cell, legend: [&str; 3]) -> String {
    match cell {
        Cell::Bar(score) => chart::bar(score, legend),
        Cell::Line(depth, moves) => {
            let moves = together(moves);
            format!("<span class=\"moves\" style=\"padding-left:{depth}em\">{moves}</span>")
        }
        Cell::Difference(Some(by)) => {
            let sign = if *by < 0.0 { "less" } else { "more" };
            format!("<span class=\"{sign}\">{}</span>", text(cell))
        }
        cell => escape(&text(cell)),
    }
}

/// Moves whose numbers stay with them, and whose castlings stay in one line.
fn together(moves: &str) -> String {
    let mut html = String::new();
    let mut number = "";
    for word in moves.split(' ') {
        if word.ends_with('.') {
            number = word;
            continue;
        }
        let space = if html.is_empty() { "" } else { " " };
        let gap = if number.is_empty() { "" } else { "&nbsp;" };
        let (number, word) = (escape(std::mem::take(&mut number)), escape(word));
        push(
            &mut html,
            format_args!("{space}<span>{number}{gap}{word}</span>"),
        );
    }
    html
}

fn write_games(html: &mut String, games: &[ModelGame], several: bool) {
    html.push_str("<ol class=\"games\">\n");
    for game in games {
        push(
            html,
            format_args!(
                "<li><details><summary><b>{}</b> <span>{}</span></summary><p>{} {}</p></details></li>\n",
                escape(&players(game)),
                escape(&whereabouts(game, several)),
                escape(&game.moves),
                escape(&game.result)
            ),
        );
    }
    html.push_str("</ol>\n");
}

/// Text that means nothing but itself: names of games may hold anything. Control characters, and
/// those that turn the direction of writing around, would reach beyond it.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(tame(c)),
        }
    }
    out
}

/// A character that stays where it is.
pub fn tame(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// A text takes whatever is written to it.
fn push(html: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = html.write_fmt(what);
}
