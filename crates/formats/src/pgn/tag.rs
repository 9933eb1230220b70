//! Tag pairs: `[Name "value"]`.

use std::borrow::Cow;

use memchr::{memchr2, memchr3};

/// A tag pair as it stands in a text.
#[derive(Debug, PartialEq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    pub(super) value: Cow<'t, str>,
    /// Where the text goes on.
    pub(super) end: usize,
    /// Whether quotation marks or a bracket were missing.
    pub(super) damaged: bool,
}

/// The tag at a byte that holds `[`, `None` if it is not built like one at all.
///
/// The value ends at a quotation mark that is followed by the bracket, so that quotation marks
/// without a backslash, which several programs write, stay in the value. Where marks or bracket
/// are missing, the line ends the tag.
pub(super) fn read(text: &str, at: usize) -> Option<Tag<'_>> {
    if let Some(tag) = read_plain(text, at) {
        return Some(tag);
    }
    let bytes = text.as_bytes();
    let line_end = memchr2(b'\n', b'\r', &bytes[at..]).map_or(text.len(), |length| at + length);
    let line = &text[at + 1..line_end];
    let inner = line.trim_start();
    let name = name_of(inner)?;
    let value_at = line_end - inner.len() + name.len();
    let rest = &text[value_at..line_end];
    let quoted = rest.trim_start();
    if let Some(body) = quoted.strip_prefix('"')
        && let Some((length, after)) = closing(body)
    {
        return Some(Tag {
            name,
            value: unescape(&body[..length]),
            end: line_end - body.len() + after,
            damaged: false,
        });
    }
    // Something is missing: take what looks like the value.
    let value = quoted.trim_end().trim_start_matches('"');
    let (value, end) = match value.rfind(']') {
        Some(bracket) => (&value[..bracket], line_end),
        None => (value, line_end),
    };
    Some(Tag {
        name,
        value: unescape(value.trim_end().trim_end_matches('"')),
        end,
        damaged: true,
    })
}

/// The name that a text begins with.
fn name_of(text: &str) -> Option<&str> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | ']' | '[');
    let length = text.find(ends).unwrap_or(text.len());
    let name = &text[..length];
    name.starts_with(char::is_alphanumeric).then_some(name)
}

/// Whether a tag of that name is read as it was written.
#[inline]
pub(super) fn can_be_named(name: &str) -> bool {
    // Nearly every name is so, and looking at characters takes long.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_plain && !name.is_empty() || name_of(name) == Some(name)
}

/// A tag without backslashes, quotation marks in the value or faults: nearly every one is so.
#[inline]
fn read_plain(text: &str, at: usize) -> Option<Tag<'_>> {
    let bytes = text.as_bytes();
    let name_start = at + 1;
    let name_length = bytes[name_start..]
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let name_end = name_start + name_length;
    let (b' ', b'"') = (*bytes.get(name_end)?, *bytes.get(name_end + 1)?) else {
        return None;
    };
    let value_start = name_end + 2;
    let value_end = value_start + memchr3(b'"', b'\\', b'\n', &bytes[value_start..])?;
    let plain = bytes[name_start].is_ascii_alphanumeric()
        && bytes[value_end] == b'"'
        && bytes.get(value_end + 1) == Some(&b']');
    plain.then(|| Tag {
        name: &text[name_start..name_end],
        value: Cow::Borrowed(&text[value_start..value_end]),
        end: value_end + 2,
        damaged: false,
    })
}

/// The length of a value and where the text goes on behind its bracket.
fn closing(body: &str) -> Option<(usize, usize)> {
    let bytes = body.as_bytes();
    let mut at = 0;
    while let Some(length) = memchr2(b'"', b'\\', &bytes[at..]) {
        at += length;
        if bytes[at] == b'\\' {
            // The backslash escapes only itself and the mark, and a mark before the bracket at
            // the very end is the closing one: `[Event "C:\"]`.
            let escapes = match bytes.get(at + 1) {
                Some(b'\\') => true,
                Some(b'"') => closing_after(bytes, at + 2).is_none() || has_later(bytes, at + 2),
                _ => false,
            };
            at += if escapes { 2 } else { 1 };
            continue;
        }
        if let Some(after) = closing_after(bytes, at + 1) {
            return Some((at, after));
        }
        at += 1;
    }
    None
}

/// Where the text goes on if only spaces and the bracket follow.
fn closing_after(bytes: &[u8], at: usize) -> Option<usize> {
    let spaces = bytes[at..].iter().take_while(|b| **b == b' ').count();
    (bytes.get(at + spaces) == Some(&b']')).then_some(at + spaces + 1)
}

/// Whether another mark with a bracket behind it follows.
fn has_later(bytes: &[u8], from: usize) -> bool {
    let marks = memchr::memchr_iter(b'"', &bytes[from..]);
    marks
        .into_iter()
        .any(|mark| closing_after(bytes, from + mark + 1).is_some())
}

/// Removes the backslashes before quotation marks and backslashes; others stay.
fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                characters.next();
                out.push(next);
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Adds a tag pair with a line break. A line break in the value would end the tag, so it becomes
/// a space; returns whether that was needed.
pub(super) fn write(name: &str, value: &str, out: &mut Vec<u8>) -> bool {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    // Looking at all bytes, whatever they are, is quicker than stopping at the first.
    let odd = |byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
    let plain = !value.bytes().fold(false, |any, byte| any | odd(byte));
    let changed = match plain {
        true => {
            out.extend_from_slice(value.as_bytes());
            false
        }
        false => escape(value, out),
    };
    out.extend_from_slice(b"\"]\n");
    changed
}

fn escape(value: &str, out: &mut Vec<u8>) -> bool {
    let mut changed = false;
    for byte in value.bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' | b'\r' => {
                changed = true;
                out.push(b' ');
            }
            _ => out.push(byte),
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(line: &str) -> (String, bool) {
        let tag = read(line, 0).unwrap();
        (tag.value.into_owned(), tag.damaged)
    }

    #[test]
    fn escaped_marks_and_backslashes() {
        assert_eq!(
            value(r#"[Event "a \"b\" \\ c"]"#),
            (r#"a "b" \ c"#.into(), false)
        );
        assert_eq!(value(r#"[Event "a "b" c"]"#), (r#"a "b" c"#.into(), false));
        assert_eq!(value(r#"[Event "C:\temp\"]"#), (r"C:\temp\".into(), false));
        assert_eq!(value(r#"[Event "a\"]b"]"#), (r#"a"]b"#.into(), false));
    }

    #[test]
    fn missing_marks_and_brackets_are_damage() {
        for line in [
            r#"[Event "x"#,
            r#"[Event "x]"#,
            r#"[Event x"]"#,
            "[Event x]",
            r#"[Event "x""#,
        ] {
            assert_eq!(value(line), ("x".into(), true), "{line}");
        }
        assert_eq!(read("[%clk 1]", 0), None);
        assert_eq!(read("[]", 0), None);
    }

    #[test]
    fn several_on_a_line() {
        let line = r#"[White "a"] [Black "b"] 1. e4"#;
        let first = read(line, 0).unwrap();
        let second = read(line, first.end + 1).unwrap();
        assert_eq!((second.name, &*second.value), ("Black", "b"));
        assert_eq!(&line[second.end..], " 1. e4");
    }

    proptest! {
        #[test]
        fn any_value_comes_back(value in r#"[a-c"\\\] \[{};%é]{0,12}"#) {
            let mut out = Vec::new();
            prop_assert!(!write("Event", &value, &mut out));
            let text = String::from_utf8(out).unwrap();
            let tag = read(&text, 0).unwrap();
            prop_assert_eq!(tag.value, value);
            prop_assert!(!tag.damaged);
            prop_assert_eq!(&text[tag.end..], "\n");
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\[.*") {
            let _ = read(&text, 0);
        }
    }
}
