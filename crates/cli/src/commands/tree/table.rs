//! A tree in columns, or as CSV.

use std::io::{self, Write};

use tabiya::{
    openings::Openings,
    tree::{Node, Tally},
};
use tabiya_formats::table::quoted;

use super::{Place, number, row::Row};
use crate::{
    openings::text,
    output::Output,
    style::Palette,
    terminal,
    text::{clean, fit, grouped},
};

/// How many columns a bar has.
const BAR: usize = 20;

/// Writes a tree for people.
pub fn write(output: &mut Output, node: &Node, place: &Place, names: &Openings) -> io::Result<()> {
    let palette = Palette::of(output);
    let label = palette.label;
    writeln!(
        output,
        "{label}position{label:#}  {}",
        node.position.to_setup()
    )?;
    if let Some(opening) = place.opening(names) {
        let text = text(opening);
        writeln!(output, "{label}opening{label:#}   {}", clean(&text))?;
    }
    writeln!(output, "{label}games{label:#}     {}", games(&node.total))?;
    if node.moves.is_empty() {
        return Ok(());
    }
    let mut lines = Vec::new();
    collect(node, 0, names, &mut lines);
    let longest = lines.iter().map(|line| line.name.chars().count());
    let mut table = Table {
        moves: longest.max().unwrap_or(0).max(4),
        columns: terminal::columns(output),
        output,
        palette,
    };
    table.heading()?;
    for line in &lines {
        table.line(line)?;
    }
    Ok(())
}

/// `12: 5 won by White, 4 drawn, 3 won by Black`
fn games(total: &Tally) -> String {
    let games = total.games();
    if games == 0 {
        return "none".to_string();
    }
    let mut text = format!(
        "{}: {} won by White, {} drawn, {} won by Black",
        grouped(games),
        grouped(total.white),
        grouped(total.draws),
        grouped(total.black)
    );
    if total.unknown > 0 {
        text.push_str(&format!(", {} without a result", grouped(total.unknown)));
    }
    text
}

/// A line of the table.
struct Line<'o> {
    name: String,
    row: Row<'o>,
}

fn collect<'o>(node: &Node, level: usize, names: &'o Openings, lines: &mut Vec<Line<'o>>) {
    for twig in &node.moves {
        let row = Row::new(&node.position, twig.branch, names);
        let number = number(&node.position);
        lines.push(Line {
            name: format!("{:1$}{number}{2}", "", 2 * level, row.san),
            row,
        });
        if let Some(next) = &twig.next {
            collect(next, level + 1, names, lines);
        }
    }
}

struct Table<'a> {
    output: &'a mut Output,
    palette: Palette,
    /// How wide the moves are.
    moves: usize,
    columns: Option<usize>,
}

impl Table<'_> {
    fn heading(&mut self) -> io::Result<()> {
        let style = self.palette.label;
        let width = self.moves;
        let (bar, rest) = (BAR, "score  avg perf year opening");
        writeln!(
            self.output,
            "\n{style}{:<width$} {:>9} {:>9} {:<bar$} {rest}{style:#}",
            "move", "played", "reached", "white draw black"
        )
    }

    fn line(&mut self, Line { name, row }: &Line<'_>) -> io::Result<()> {
        let branch = &row.branch;
        let width = self.moves;
        let played = grouped(branch.played.games());
        let reached = grouped(branch.reached);
        let start = format!("{name:<width$} {played:>9} {reached:>9} ");
        let score = row.score.map(|score| format!("{score:.0} %"));
        let number = |number: Option<i64>| number.map_or_else(String::new, |n| n.to_string());
        let average = number(row.average.map(|rating| rating as i64));
        let performance = number(row.performance);
        let year = number(branch.played.last_year.map(i64::from));
        let score = score.unwrap_or_default();
        let mut rest = format!(" {score:>5} {average:>4} {performance:>4} {year:>4} ");
        let opening = row.opening.map(text).unwrap_or_default();
        let taken = start.chars().count() + BAR + rest.chars().count();
        rest.push_str(&match self.columns {
            Some(columns) => fit(&opening, columns.saturating_sub(taken)),
            None => clean(&opening).into_owned(),
        });
        let (strong, label) = (self.palette.strong, self.palette.label);
        let [white, draws, black] = bar(&branch.played);
        writeln!(
            self.output,
            "{start}{strong}{white}{strong:#}{draws}{label}{black}{label:#}{}",
            rest.trim_end()
        )
    }
}

/// The shares of White, draws and Black of a bar. What there is at all is seen.
fn bar(tally: &Tally) -> [String; 3] {
    let counts = [tally.white, tally.draws, tally.black];
    let sum: f64 = counts.iter().map(|count| *count as f64).sum();
    if sum == 0.0 {
        return [" ".repeat(BAR), String::new(), String::new()];
    }
    let mut shares = counts.map(|count| {
        let share = (count as f64 * BAR as f64 / sum).round() as usize;
        share.max(usize::from(count > 0))
    });
    // Rounding is made good by the largest.
    let used: usize = shares.iter().sum();
    let largest = (0..3).max_by_key(|&place| counts[place]).unwrap_or(0);
    shares[largest] = (shares[largest] + BAR).saturating_sub(used);
    [
        "█".repeat(shares[0]),
        "▒".repeat(shares[1]),
        "░".repeat(shares[2]),
    ]
}

/// Writes a tree for programs, a move a line, with the moves that lead to it.
pub fn write_csv(output: &mut Output, node: &Node, names: &Openings) -> io::Result<()> {
    writeln!(
        output,
        "line,san,uci,played,reached,white,draws,black,unknown,score,average_rating,performance,\
         last_year,eco,opening"
    )?;
    csv_lines(output, node, "", names)
}

fn csv_lines(output: &mut Output, node: &Node, line: &str, names: &Openings) -> io::Result<()> {
    for twig in &node.moves {
        let row = Row::new(&node.position, twig.branch, names);
        let played = &twig.branch.played;
        let text = |number: Option<i64>| number.map_or_else(String::new, |n| n.to_string());
        let score = row.score.map(|score| format!("{score:.1}"));
        let cells = [
            quoted(line).into_owned(),
            row.san.clone(),
            row.uci.clone(),
            played.games().to_string(),
            twig.branch.reached.to_string(),
            played.white.to_string(),
            played.draws.to_string(),
            played.black.to_string(),
            played.unknown.to_string(),
            score.unwrap_or_default(),
            text(row.average.map(|rating| rating as i64)),
            text(row.performance),
            text(played.last_year.map(i64::from)),
            row.opening
                .map(|opening| quoted(&opening.eco).into_owned())
                .unwrap_or_default(),
            row.opening
                .map(|opening| quoted(&opening.name).into_owned())
                .unwrap_or_default(),
        ];
        writeln!(output, "{}", cells.join(","))?;
        if let Some(next) = &twig.next {
            let line = match line.is_empty() {
                true => row.san,
                false => format!("{line} {}", row.san),
            };
            csv_lines(output, next, &line, names)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(white: u64, draws: u64, black: u64) -> [usize; 3] {
        let tally = Tally {
            white,
            draws,
            black,
            ..Tally::default()
        };
        bar(&tally).map(|part| part.chars().filter(|c| *c != ' ').count())
    }

    #[test]
    fn a_bar_is_full_and_shows_what_there_is() {
        assert_eq!(widths(1, 1, 2), [5, 5, 10]);
        assert_eq!(widths(1, 1, 1).iter().sum::<usize>(), BAR);
        assert_eq!(widths(1, 1000, 1), [1, 18, 1]);
        assert_eq!(widths(0, 0, 0), [0, 0, 0]);
        assert_eq!(widths(3, 0, 0), [20, 0, 0]);
    }
}
