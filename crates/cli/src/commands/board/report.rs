//! Everything about a position, for a person to read.

use std::io::{self, Write};

use tabiya_chess::{
    Board, Color, Position, Setup, Variant, diagram,
    values::{self, ValueSet},
};

use crate::{exit::Outcome, output::Output, style::Palette};

/// How long a line of moves may become.
const WIDTH: usize = 80;

/// Where the right-hand column begins.
const INDENT: usize = 12;

/// Writes the report; oddities are findings.
pub fn write(
    output: &mut Output,
    setup: &Setup,
    variant: Variant,
    bottom: Color,
) -> io::Result<Outcome> {
    let mut report = Report {
        palette: Palette::of(output),
        output,
    };
    writeln!(report.output, "{}", diagram::unicode(&setup.board, bottom))?;
    report.line("FEN", &setup.to_string())?;
    report.line("to move", &setup.turn.to_string())?;
    report.line("material", &material(&setup.board))?;
    let mut findings = Vec::new();
    match Position::from_setup(setup, variant) {
        Ok(position) => report.position(&position)?,
        Err(reason) => findings.push(format!("no moves can be generated: {reason}")),
    }
    if variant != Variant::Antichess {
        findings.extend(setup.warnings().iter().map(ToString::to_string));
    }
    for finding in &findings {
        report.warning(finding)?;
    }
    Ok(if findings.is_empty() {
        Outcome::Fine
    } else {
        Outcome::Findings
    })
}

struct Report<'a> {
    output: &'a mut Output,
    palette: Palette,
}

impl Report<'_> {
    fn position(&mut self, position: &Position) -> io::Result<()> {
        self.line("castling", &castling(position))?;
        self.line("en passant", &en_passant(position))?;
        self.line("key", &position.key().to_string())?;
        self.line("status", &position.status().to_string())?;
        let moves = position.legal_moves();
        let mut moves: Vec<String> = moves
            .iter()
            .map(|&play| position.san(play).to_string())
            .collect();
        moves.sort_unstable();
        let label = match moves.len() {
            1 => "1 move".to_string(),
            count => format!("{count} moves"),
        };
        let mut rows = rows(&moves).into_iter();
        self.line(&label, &rows.next().unwrap_or_default())?;
        rows.try_for_each(|row| self.line("", &row))
    }

    fn line(&mut self, label: &str, text: &str) -> io::Result<()> {
        let style = self.palette.label;
        let gap = if text.is_empty() { 0 } else { INDENT };
        writeln!(self.output, "{style}{label:<gap$}{style:#}{text}")
    }

    fn warning(&mut self, text: &str) -> io::Result<()> {
        let style = self.palette.warning;
        let label = "warning";
        writeln!(self.output, "{style}{label:<INDENT$}{style:#}{text}")
    }
}

/// What White has more than Black, in pawns, as each set of values has it.
fn material(board: &Board) -> String {
    let balance = |set| match values::balance(board, set) {
        0 => format!("{set} 0"),
        balance => format!("{set} {:+.2}", f64::from(balance) / 100.0),
    };
    ValueSet::ALL.map(balance).join(", ")
}

/// With which rooks each side may still castle.
fn castling(position: &Position) -> String {
    let rights: Vec<String> = Color::ALL
        .into_iter()
        .filter_map(|color| castling_of(position, color))
        .collect();
    if rights.is_empty() {
        "none".to_string()
    } else {
        rights.join(", ")
    }
}

fn castling_of(position: &Position, color: Color) -> Option<String> {
    let king = position.board().king(color)?;
    let rooks = position.castling_rooks() & position.board().side(color);
    // The h side first, as in KQkq.
    let h_side = rooks.last().filter(|&rook| rook > king);
    let a_side = rooks.first().filter(|&rook| rook < king);
    let short = h_side.map(|rook| format!(" O-O ({rook})"));
    let long = a_side.map(|rook| format!(" O-O-O ({rook})"));
    let names: String = short.into_iter().chain(long).collect();
    rooks.any().then(|| format!("{color}{names}"))
}

fn en_passant(position: &Position) -> String {
    match position.ep_square() {
        None => "none".to_string(),
        Some(square) if position.ep_square_legal().is_some() => square.to_string(),
        Some(square) => format!("{square} (no pawn can capture)"),
    }
}

/// Words in lines that fit beside the labels.
fn rows(words: &[String]) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in words {
        match rows.last_mut() {
            Some(row) if INDENT + row.len() + 1 + word.len() <= WIDTH => {
                row.push(' ');
                row.push_str(word);
            }
            _ => rows.push(word.clone()),
        }
    }
    rows
}
