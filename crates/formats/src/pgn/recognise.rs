//! Whether a text looks like PGN.

use memchr::memchr2;

use super::{Lexer, Token, tag};
use crate::registry::Certainty;

/// Sure if there is a line with a tag; perhaps if it is text that begins with a move number, a
/// comment or a move.
pub(crate) fn recognise(head: &[u8]) -> Certainty {
    // Most bytes of any PGN are ASCII, so a wrong encoding does not matter here.
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() {
        return Certainty::Perhaps;
    }
    if lines(text).any(is_tag) {
        return Certainty::Sure;
    }
    let mut lexer = Lexer::new(text, 0);
    lexer.skip_space();
    let starts_game = match lexer.next_token() {
        Token::Number(number) => number < 1_000 && begins_with_number(text),
        Token::Comment(_) | Token::Result(_) => true,
        _ => false,
    };
    if starts_game {
        Certainty::Perhaps
    } else {
        Certainty::No
    }
}

/// A number with a dot; `12 apples` is no game.
fn begins_with_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.trim_start().starts_with('.')
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr2(b'\n', b'\r', text.as_bytes());
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

/// `[Name "value"]`; a damaged one could stand in any text.
fn is_tag(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('[') && tag::read(line, 0).is_some_and(|tag| !tag.damaged)
}
