//! Text from files, made fit for a terminal.

use std::borrow::Cow;

/// The text without control characters: an escape sequence in a game could do anything to a
/// terminal, and a line break would end a line that tools read.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unfit) {
        return Cow::Borrowed(text);
    }
    let fit = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        c if is_unfit(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    Cow::Owned(text.chars().map(fit).collect())
}

/// Control characters, and the marks that turn the direction of writing around.
fn is_unfit(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text in so many columns, filled up with spaces or cut with an ellipsis.
pub fn fit(text: &str, columns: usize) -> String {
    let text = clean(text);
    let length = text.chars().count();
    if length <= columns {
        return format!("{text}{:1$}", "", columns - length);
    }
    let mut cut: String = text.chars().take(columns.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// The text in so many columns, or more if it is longer: for files and pipes, which have no edge.
pub fn pad(text: &str, columns: usize) -> String {
    fit(text, columns.max(text.chars().count()))
}

/// Words in lines of so many columns; a word that is longer has a line of its own.
pub fn filled(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// `1 game`, `12 games`
pub fn games(count: u64) -> String {
    counted(count, "game")
}

/// `1 step`, `12 steps`
pub fn counted(count: u64, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {thing}{s}", grouped(count))
}

/// A number with a space between groups of three digits, from five digits on.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_lose_their_power() {
        assert_eq!(clean("a\u{1b}[31m\tb\n"), "a\u{fffd}[31m b ");
        assert_eq!(clean("\u{202e}Réti"), "\u{fffd}Réti");
        assert!(matches!(clean("Réti ♔"), Cow::Borrowed(_)));
    }

    #[test]
    fn text_fits_its_columns() {
        assert_eq!(fit("Réti", 6), "Réti  ");
        assert_eq!(fit("Capablanca", 6), "Capab…");
        assert_eq!(fit("a", 0), "…");
        assert_eq!(pad("Réti", 6), "Réti  ");
        assert_eq!(pad("Capablanca", 6), "Capablanca");
    }

    #[test]
    fn lines_are_no_longer_than_a_narrow_terminal() {
        assert_eq!(filled("12 games, 3 broken", 10), ["12 games,", "3 broken"]);
        assert_eq!(filled("12 games", 80), ["12 games"]);
        assert_eq!(filled("extraordinary", 5), ["extraordinary"]);
    }

    #[test]
    fn long_numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1234), "1234");
        assert_eq!(grouped(12_345), "12 345");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }
}
