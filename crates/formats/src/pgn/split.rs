//! A stream cut into texts of whole games, so that several threads can read them.

use std::io::{self, Read};

use memchr::{memchr_iter, memchr2, memrchr2};
use tabiya_game::{Limits, Place};

use super::lexer::starts_game;

/// How large a part is: some hundred games, so that threads seldom wait for each other.
const PART: usize = 1 << 20;

/// Whole games as they stand in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The text, in whatever encoding.
    pub bytes: Vec<u8>,
    /// Where it begins in the file.
    pub place: Place,
    /// The last game was cut off because it is larger than the limit.
    pub cut: bool,
}

/// Cuts a stream between games.
///
/// Where it cuts depends on the text alone, so every reader of the parts finds the same games.
pub struct Splitter<R> {
    input: R,
    buffer: Vec<u8>,
    place: Place,
    limits: Limits,
    at_end: bool,
}

impl<R: Read> Splitter<R> {
    /// Cuts a stream.
    pub fn new(input: R, limits: Limits) -> Splitter<R> {
        Splitter {
            input,
            buffer: Vec::new(),
            place: Place {
                line: 1,
                column: 1,
                ..Place::default()
            },
            limits,
            at_end: false,
        }
    }

    /// The next part; `None` at the end.
    ///
    /// # Errors
    /// If the stream cannot be read. What was read before stays: the next call returns it, and
    /// the one after that the end.
    pub fn next_part(&mut self) -> io::Result<Option<Part>> {
        let limit = self.limits.game_bytes.max(PART);
        let mut wanted = PART;
        loop {
            self.fill(wanted + PART)?;
            if let Some(cut) = self.find_cut(wanted) {
                return Ok(Some(self.take(cut, false)));
            }
            if self.at_end {
                let rest = self.buffer.len();
                return Ok((rest > 0).then(|| self.take(rest, false)));
            }
            if self.buffer.len() >= limit + PART {
                let cut = memrchr2(b'\n', b' ', &self.buffer[..limit]).map_or(limit, |at| at + 1);
                return Ok(Some(self.take(cut, true)));
            }
            // A game larger than a part: look for its end further on.
            wanted = self.buffer.len() - PART / 2;
        }
    }

    /// Reads until so many bytes are there.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        while !self.at_end && self.buffer.len() < wanted {
            let missing = (wanted - self.buffer.len()) as u64;
            let result = (&mut self.input)
                .take(missing)
                .read_to_end(&mut self.buffer);
            match result {
                Ok(0) => self.at_end = true,
                Ok(_) => {}
                Err(error) => {
                    self.at_end = true;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The first place from a byte on where a game begins for sure.
    fn find_cut(&self, from: usize) -> Option<usize> {
        let bytes = &self.buffer[..];
        let tail = bytes.get(from..)?;
        // What the last kilobyte looks like may change with what follows.
        let sure = match self.at_end {
            true => tail.len(),
            false => tail.len().saturating_sub(1 << 10),
        };
        memchr_iter(b'[', &tail[..sure])
            .map(|at| from + at)
            .find(|&at| starts_game(bytes, at) && !self.is_inside_comment(at))
    }

    /// Whether a comment is open at a byte. A comment that does not end before the next begins
    /// was never closed: the game begins all the same, as the lexer sees it.
    fn is_inside_comment(&self, at: usize) -> bool {
        let (before, after) = self.buffer.split_at(at);
        match memrchr2(b'{', b'}', before) {
            Some(last) if before[last] == b'{' => match memchr2(b'{', b'}', after) {
                Some(next) => after[next] == b'}',
                None => !self.at_end,
            },
            _ => false,
        }
    }

    fn take(&mut self, length: usize, cut: bool) -> Part {
        let rest = self.buffer.split_off(length);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let part = Part {
            place: self.place,
            cut,
            bytes,
        };
        self.place.offset += length as u64;
        self.place.line += memchr_iter(b'\n', &part.bytes).count() as u64;
        if let Some(last) = memchr::memrchr(b'\n', &part.bytes) {
            self.place.column = (length - last) as u32;
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<Part> {
        let mut splitter = Splitter::new(text.as_bytes(), Limits::default());
        std::iter::from_fn(|| splitter.next_part().unwrap()).collect()
    }

    fn game(number: usize, moves: &str) -> String {
        format!("[Event \"{number}\"]\n[Site \"?\"]\n\n{moves} 1-0\n\n")
    }

    #[test]
    fn parts_hold_whole_games_and_all_of_the_text() {
        let text: String = (0..60_000).map(|n| game(n, "1. e4 {a} e5")).collect();
        let parts = parts(&text);
        assert!(parts.len() > 1);
        let mut offset = 0;
        let mut line = 1;
        for part in &parts {
            assert!(part.bytes.starts_with(b"[Event"));
            assert!(part.bytes.ends_with(b"1-0\n\n"));
            assert_eq!(
                (part.place.offset, part.place.line, part.place.column),
                (offset, line, 1)
            );
            offset += part.bytes.len() as u64;
            line += memchr_iter(b'\n', &part.bytes).count() as u64;
        }
        assert_eq!(offset, text.len() as u64);
    }

    #[test]
    fn an_empty_stream_has_no_parts() {
        assert_eq!(parts(""), []);
    }

    #[test]
    fn a_large_comment_stays_in_one_part() {
        let large = format!("{{{}}}", "[Event \"no\"]\n\n".repeat(200_000));
        let text = game(1, &large) + &game(2, "1. d4");
        let parts = parts(&text);
        assert!(parts[0].bytes.len() > large.len());
        assert_eq!(
            parts.iter().map(|p| p.bytes.len()).sum::<usize>(),
            text.len()
        );
    }

    #[test]
    fn a_game_beyond_the_limit_is_cut() {
        let limits = Limits {
            game_bytes: 2 << 20,
            ..Limits::default()
        };
        let text = "e4 ".repeat(2 << 20);
        let mut splitter = Splitter::new(text.as_bytes(), limits);
        let first = splitter.next_part().unwrap().unwrap();
        assert!(first.cut && first.bytes.len() <= 2 << 20);
        let mut total = first.bytes.len();
        while let Some(part) = splitter.next_part().unwrap() {
            total += part.bytes.len();
        }
        assert_eq!(total, text.len());
    }
}
