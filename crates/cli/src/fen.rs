//! A FEN from the command line, and what is wrong with it, pointed at.

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use tabiya_chess::{FenError, Setup};

/// Reads a FEN; the error shows it.
pub fn parse(text: &str) -> Result<Setup, BadFen> {
    Setup::from_str(text).map_err(|error| BadFen {
        text: text.to_string(),
        error,
    })
}

/// A text that is not a FEN, with the place at fault.
#[derive(Debug)]
pub struct BadFen {
    text: String,
    error: FenError,
}

impl std::error::Error for BadFen {}

/// How much of a long line is shown on each side of the place at fault.
const CONTEXT: usize = 60;

impl Display for BadFen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let at = self.error.column - 1;
        let first = at.saturating_sub(CONTEXT);
        let mut shown = self.text.chars().skip(first).map(printable);
        let before = if first > 0 { "…" } else { "" };
        let line: String = shown.by_ref().take(at - first + CONTEXT).collect();
        let after = if shown.next().is_some() { "…" } else { "" };
        let indent = before.chars().count() + at - first;
        writeln!(f, "{}", self.error)?;
        writeln!(f, "  {before}{line}{after}")?;
        write!(f, "  {:indent$}^", "")
    }
}

/// A tab, a line end or an escape sequence would move the caret, or worse.
fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Vec<String> {
        let message = parse(text).expect_err("not a FEN").to_string();
        message.lines().map(str::to_string).collect()
    }

    #[test]
    fn the_caret_stands_under_the_column_at_fault() {
        let lines = message("8/8/8/8/8/8/8/9 w");
        assert!(
            lines[0].starts_with("bad FEN, board (column 15): "),
            "{lines:?}"
        );
        assert_eq!(lines[1], "  8/8/8/8/8/8/8/9 w");
        assert_eq!(lines[2], "                ^");
    }

    #[test]
    fn an_empty_text_has_a_caret_too() {
        assert_eq!(message("")[1..], ["  ", "  ^"]);
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let lines = message(&format!(
            "8/8/8/8/8/8/8/8 w - - 0 1{}x{}",
            " ".repeat(999),
            "y".repeat(999)
        ));
        let caret = lines[2].chars().count() - 1;
        assert_eq!(lines[1].chars().nth(caret), Some('x'));
        assert!(lines[1].starts_with("  … ") && lines[1].ends_with("y…"));
        assert!(
            lines.iter().all(|line| line.chars().count() < 130),
            "{lines:?}"
        );
    }

    #[test]
    fn control_characters_are_not_printed() {
        assert_eq!(
            message("8/8/8/8/8/8/8/8 \u{1b}[31m")[1],
            "  8/8/8/8/8/8/8/8  [31m"
        );
    }
}
