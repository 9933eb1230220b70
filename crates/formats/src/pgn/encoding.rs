//! Bytes to text, game by game.

use std::borrow::Cow;

use encoding_rs::{Encoding, WINDOWS_1252};
use tabiya_game::Place;

use super::lexer::starts_game;

/// A text and where its bytes came from.
#[derive(Debug)]
pub(super) struct Decoded<'b> {
    pub(super) text: Cow<'b, str>,
    /// Where each game begins in the text and in the bytes, and whether its characters were
    /// single bytes. Empty if the bytes are the text.
    segments: Vec<Segment>,
}

#[derive(Debug)]
struct Segment {
    text_start: usize,
    byte_start: usize,
    single_bytes: bool,
}

impl Decoded<'_> {
    /// Where a byte of the text was in the file.
    pub(super) fn offset(&self, at: usize, base: &Place) -> u64 {
        let index = self.segments.partition_point(|s| s.text_start <= at);
        let within = match index.checked_sub(1).map(|index| &self.segments[index]) {
            None => at,
            Some(segment) if segment.single_bytes => {
                segment.byte_start + self.text[segment.text_start..at].chars().count()
            }
            Some(segment) => segment.byte_start + at - segment.text_start,
        };
        base.offset + within as u64
    }
}

/// Decodes whole games: as UTF-8 where a game is valid UTF-8, else as Windows-1252. A file may
/// hold both, because people paste files together. With an encoding given, everything is that.
pub(super) fn decode<'b>(bytes: &'b [u8], encoding: Option<&'static Encoding>) -> Decoded<'b> {
    if let Some(encoding) = encoding {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        let segments = match encoding.is_single_byte() {
            true => vec![Segment {
                text_start: 0,
                byte_start: 0,
                single_bytes: true,
            }],
            false => Vec::new(),
        };
        return Decoded { text, segments };
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded {
            text: Cow::Borrowed(text),
            segments: Vec::new(),
        };
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut segments = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let end = memchr::memchr_iter(b'[', &bytes[start + 1..])
            .map(|at| start + 1 + at)
            .find(|&at| starts_game(bytes, at))
            .unwrap_or(bytes.len());
        let game = &bytes[start..end];
        let valid = std::str::from_utf8(game);
        segments.push(Segment {
            text_start: text.len(),
            byte_start: start,
            single_bytes: valid.is_err(),
        });
        match valid {
            Ok(game) => text.push_str(game),
            Err(_) => text.push_str(&WINDOWS_1252.decode_without_bom_handling(game).0),
        }
        start = end;
    }
    Decoded {
        text: Cow::Owned(text),
        segments,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_own_encoding() {
        let mut bytes = b"[White \"R\xe9ti\"]\n\n1. Nf3 *\n\n".to_vec();
        bytes.extend("[White \"Réti\"]\n\n1. c4 *\n".bytes());
        let decoded = decode(&bytes, None);
        assert_eq!(decoded.text.matches("Réti").count(), 2);
        let base = Place::default();
        for needle in ["1. Nf3", "1. c4"] {
            let at = decoded.text.find(needle).unwrap();
            let found = decoded.offset(at, &base) as usize;
            assert!(bytes[found..].starts_with(needle.as_bytes()), "{needle}");
        }
    }

    #[test]
    fn a_given_encoding_wins() {
        let bytes = b"[White \"\xca\xe0\xf0\xef\xee\xe2\"]";
        let decoded = decode(bytes, Some(encoding_rs::WINDOWS_1251));
        assert_eq!(decoded.text, "[White \"Карпов\"]");
    }
}
