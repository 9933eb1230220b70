//! Plain movetext: how nearly all moves, numbers and gaps look, recognised several bytes at a time.
//!
//! Everything here may say *not sure*; the lexer then has the word.

/// How far plain movetext is looked at: a space, a number of three digits with three dots and a
/// space, and a move of eight bytes.
pub(super) const WINDOW: usize = 24;

const ONES: u64 = 0x0101_0101_0101_0101;

/// Where a window goes on after a space or line break, if there is one.
#[inline(always)]
pub(super) fn after_space(window: &[u8; WINDOW]) -> usize {
    is_space(window[0])
}

/// The word of movetext that begins at the first or second byte of a window, its number passed
/// over: where it starts, eight bytes, the first in the lowest place, and how many of them are the
/// word. `None` if it is not so plain.
#[inline(always)]
pub(super) fn word(window: &[u8; WINDOW], start: usize) -> Option<(usize, u64, usize)> {
    let start = start + number_length(bytes_at(window, start))?;
    let word = bytes_at(window, start);
    Some((start, word, word_length(word)?))
}

/// Whether movetext follows behind tags: an empty line, and then what can be no tag.
#[inline]
pub(super) fn movetext_follows(rest: &[u8]) -> bool {
    matches!(
        rest,
        [b'\n', b'\n', b'0'..=b'9' | b'{', ..]
            | [b'\r', b'\n', b'\r', b'\n', b'0'..=b'9' | b'{', ..]
    )
}

/// Eight bytes of a window, the first in the lowest place.
#[inline(always)]
fn bytes_at(window: &[u8; WINDOW], at: usize) -> u64 {
    // No window begins with more than 15 bytes of number: the mask spares a bounds check.
    let bytes = window[at & 15..].first_chunk::<8>();
    u64::from_le_bytes(*bytes.unwrap_or(&[0; 8]))
}

/// 1 for a space or a line break, else 0, without a branch.
#[inline(always)]
fn is_space(byte: u8) -> usize {
    static SPACES: [u8; 256] = {
        let mut table = [0; 256];
        table[b' ' as usize] = 1;
        table[b'\n' as usize] = 1;
        table
    };
    usize::from(SPACES[usize::from(byte)])
}

/// How long the move number is at the start of some bytes, with one dot or three and a space behind
/// them; 0 if there is none, `None` if it looks otherwise.
#[inline(always)]
fn number_length(bytes: u64) -> Option<usize> {
    let at = |index: usize| (bytes >> (8 * index)) as u8;
    if !at(0).is_ascii_digit() {
        return Some(0);
    }
    let digits = if at(1) == b'.' {
        1
    } else if at(1).is_ascii_digit() && at(2) == b'.' {
        2
    } else if at(1).is_ascii_digit() && at(2).is_ascii_digit() && at(3) == b'.' {
        3
    } else {
        return None;
    };
    let dots = match (bytes >> (8 * digits + 8)) as u16 {
        THREE => 3,
        _ => 1,
    };
    const THREE: u16 = u16::from_le_bytes(*b"..");
    let length = digits + dots;
    Some(length + is_space(at(length)))
}

/// How many of eight bytes come before a space, a line break, a `!` or a `?`; `None` if all do.
#[inline(always)]
fn word_length(word: u64) -> Option<usize> {
    // The high bit of each byte below 0x23 and of each `?`, exact up to the first such byte.
    let below = word.wrapping_sub(ONES * 0x23) & !word;
    let marks = word ^ (ONES * b'?' as u64);
    let ends = (below | (marks.wrapping_sub(ONES) & !marks)) & (ONES * 0x80);
    (ends != 0).then(|| ends.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Option<(usize, String)> {
        let mut window = [b' '; WINDOW];
        window[..text.len()].copy_from_slice(text.as_bytes());
        let (start, bytes, length) = word(&window, after_space(&window))?;
        let word = String::from_utf8_lossy(&bytes.to_le_bytes()[..length]).into_owned();
        Some((start, word))
    }

    #[test]
    fn numbers_and_spaces_before_a_word_are_passed_over() {
        for (text, start) in [
            ("e4", 0),
            (" e4", 1),
            ("\ne4", 1),
            ("1.e4", 2),
            (" 1. e4", 4),
            (" 12... e4", 7),
            ("\n123...\ne4", 8),
            (" 123... e4", 8),
        ] {
            assert_eq!(split(text), Some((start, "e4".to_owned())), "{text:?}");
        }
    }

    #[test]
    fn words_end_at_spaces_and_judgements() {
        for (text, word) in [
            ("Nf3 Nc6", "Nf3"),
            ("Nf3!? Nc6", "Nf3"),
            ("Nf3? Nc6", "Nf3"),
            ("Nf3?! Nc6", "Nf3"),
            ("Qa1xb2+ Nc6", "Qa1xb2+"),
            ("bxa8=Q#\nNc6", "bxa8=Q#"),
            ("  e4", ""),
        ] {
            assert_eq!(
                split(text).map(|found| found.1),
                Some(word.to_owned()),
                "{text}"
            );
        }
        assert_eq!(split("something"), None);
    }

    #[test]
    fn other_numbers_are_not_sure() {
        for text in ["1 e4", "1234. e4", "1-0 ", "1/2-1/2 ", "12", "1) e4"] {
            assert_eq!(split(text), None, "{text}");
        }
    }

    #[test]
    fn every_byte_ends_a_word_or_does_not() {
        for byte in 0..=u8::MAX {
            let ends = byte < 0x23 || byte == b'?';
            for place in 0..8 {
                let mut bytes = [b'a'; 8];
                bytes[place] = byte;
                let length = word_length(u64::from_le_bytes(bytes));
                assert_eq!(length, ends.then_some(place), "{byte:#x} at {place}");
            }
        }
    }
}
