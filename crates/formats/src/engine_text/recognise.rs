//! Whether a text looks like one of these formats.

use tabiya_chess::Setup;

use crate::registry::Certainty;

/// FEN: the first line has six fields that are one.
pub(crate) fn fen(head: &[u8]) -> Certainty {
    certainty(
        first_line(head).is_some_and(|line| {
            line.split_whitespace().count() == 6 && line.parse::<Setup>().is_ok()
        }),
    )
}

/// EPD: the first line has four fields of a FEN, perhaps operations after them.
pub(crate) fn epd(head: &[u8]) -> Certainty {
    let is_epd = |line: &str| {
        let fields: Vec<_> = line.split_whitespace().take(4).collect();
        fields.len() == 4 && fields.join(" ").parse::<Setup>().is_ok()
    };
    certainty(fen(head) == Certainty::No && first_line(head).is_some_and(is_epd))
}

/// UCI: the first line has nothing but moves, or is a command `position`.
pub(crate) fn uci(head: &[u8]) -> Certainty {
    certainty(first_line(head).is_some_and(|line| {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("position") => matches!(words.next(), Some("startpos" | "fen")),
            Some(first) => is_uci(first) && words.all(is_uci),
            None => false,
        }
    }))
}

/// Long algebraic: the first line has nothing but moves with both squares.
pub(crate) fn lan(head: &[u8]) -> Certainty {
    certainty(first_line(head).is_some_and(|line| {
        let mut words = line.split_whitespace();
        words.next().is_some_and(is_long) && words.all(|word| is_long(word) || word == "--")
    }))
}

fn certainty(sure: bool) -> Certainty {
    if sure { Certainty::Sure } else { Certainty::No }
}

/// The first line that is not empty; the last one may be cut off, so it loses its last word.
fn first_line(head: &[u8]) -> Option<&str> {
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let head = &head[start..];
    let line = match head.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(end) => &head[..end],
        None if head.len() < 1 << 10 => head,
        None => &head[..head.iter().rposition(|&byte| byte == b' ')?],
    };
    std::str::from_utf8(line).ok()
}

fn is_uci(word: &str) -> bool {
    let square =
        |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    match *word.as_bytes() {
        [a, b, c, d] => (square(a, b) && square(c, d)) || word == "0000",
        [a, b, c, d, b'q' | b'r' | b'b' | b'n' | b'k'] => square(a, b) && square(c, d),
        _ => false,
    }
}

fn is_long(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']);
    let word = word.strip_prefix(['N', 'B', 'R', 'Q', 'K']).unwrap_or(word);
    match word.split_once(['-', 'x']) {
        Some((from, to)) => is_uci(&format!("{from}{}", to.split('=').next().unwrap_or(to))),
        None => false,
    }
}
