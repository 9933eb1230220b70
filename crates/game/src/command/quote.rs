//! Words and texts in the arguments of our own commands.

use std::fmt::{self, Write};

/// Whether a text is a word that ends neither the command nor the comment around it.
pub(super) fn is_word(text: &str) -> bool {
    let stands = |byte: u8| byte.is_ascii_graphic() && !b"[]{}\"".contains(&byte);
    !text.is_empty() && text.bytes().all(stands)
}

/// A text between quotation marks. What would end the text, the command or the comment, and what
/// a line break would change, is written as `%` and two hexadecimal digits.
pub(super) fn write(text: &str, out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    let mut after_space = true;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let lonely_space = !after_space && characters.peek().is_some_and(|&next| next != ' ');
        if (c == ' ' && !lonely_space) || is_escaped(c) {
            write!(out, "%{:02x}", c as u32)?;
        } else {
            out.write_char(c)?;
        }
        after_space = c == ' ';
    }
    out.write_char('"')
}

/// Whether a text stands between quotation marks as it is.
pub(super) fn is_plain(text: &str) -> bool {
    let padded = text.starts_with(' ') || text.ends_with(' ') || text.contains("  ");
    !padded && !text.contains(is_escaped)
}

fn is_escaped(c: char) -> bool {
    matches!(c, '[' | ']' | '{' | '}' | '%' | '"') || c.is_ascii_control()
}

/// The arguments of a command, one after the other.
pub(super) struct Arguments<'a>(&'a str);

impl<'a> Arguments<'a> {
    pub(super) fn new(text: &'a str) -> Arguments<'a> {
        Arguments(text.trim_start())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next word.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let end = self.0.find(char::is_whitespace).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest.trim_start();
        is_word(word).then_some(word)
    }

    /// The next text, which [`write`] wrote.
    pub(super) fn text(&mut self) -> Option<String> {
        let (inside, rest) = self.0.strip_prefix('"')?.split_once('"')?;
        self.0 = rest.trim_start();
        unescape(inside)
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let code = u8::from_str_radix(after.get(..2)?, 16).ok()?;
        out.push(code.is_ascii().then_some(char::from(code))?);
        rest = &after[2..];
    }
    out.push_str(rest);
    Some(out)
}
