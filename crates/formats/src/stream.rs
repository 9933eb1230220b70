//! One game as bare bytes, without tags and without a file around it.
//!
//! This is what `tabiya encode`, `decode` and `dump` work with.

use std::{fmt, str::FromStr};

use tabiya_chess::Position;
use tabiya_game::{GameSink, GameTree, Losses};

use crate::dump::Dump;

/// Encodes the moves of a game and what is said about them.
pub trait StreamCodec: Sync {
    /// A game as bytes. What the stream cannot hold is noted as a loss of game 1, tags excepted:
    /// nobody expects them here.
    ///
    /// # Errors
    /// If the stream cannot hold the game at all, or not without changing its moves.
    fn encode(&self, game: &GameTree, losses: &mut Losses) -> Result<Streams, StreamError>;

    /// Tells the game of a stream that starts from a position: `GameStart`, `Start`, the moves,
    /// `GameEnd`. A stream that is bad somewhere is told up to there, as a broken game with an
    /// error at its byte, before the same error is returned.
    ///
    /// # Errors
    /// If the stream is not one.
    fn decode(
        &self,
        streams: &Streams,
        start: &Position,
        sink: &mut dyn GameSink,
    ) -> Result<(), StreamError>;

    /// What every byte means. Where the stream is bad, a line says so and holds the rest.
    fn explain(&self, streams: &Streams, start: &Position) -> Dump;
}

/// The bytes of a game. As text, hexadecimal digits; a second stream stands behind a `+`.
///
/// ```
/// use tabiya_formats::stream::Streams;
///
/// let streams: Streams = "13 E0 D3 FF + 61 00".parse()?;
/// assert_eq!(streams.main, [0x13, 0xe0, 0xd3, 0xff]);
/// assert_eq!(streams.texts, [0x61, 0]);
/// assert_eq!(streams.to_string(), "13 E0 D3 FF + 61 00");
/// # Ok::<(), tabiya_formats::stream::HexError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Streams {
    /// The moves.
    pub main: Vec<u8>,
    /// The texts, in formats that keep them apart; else empty.
    pub texts: Vec<u8>,
}

impl From<Vec<u8>> for Streams {
    fn from(main: Vec<u8>) -> Streams {
        Streams {
            main,
            texts: Vec::new(),
        }
    }
}

impl fmt::Display for Streams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.main)?;
        if !self.texts.is_empty() {
            f.write_str(" + ")?;
            write_hex(f, &self.texts)?;
        }
        Ok(())
    }
}

fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    for (index, byte) in bytes.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        write!(f, "{space}{byte:02X}")?;
    }
    Ok(())
}

/// A text is not hexadecimal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HexError {
    /// A character that is no digit.
    #[error("{character:?} is not a hexadecimal digit: expected pairs of 0-9 and A-F")]
    NotADigit {
        /// The character.
        character: char,
    },
    /// Half a byte at the end.
    #[error("an odd number of hexadecimal digits: a byte has two")]
    HalfAByte,
}

impl FromStr for Streams {
    type Err = HexError;

    /// Reads digits of either case; spaces may stand anywhere.
    fn from_str(text: &str) -> Result<Streams, HexError> {
        let (main, texts) = text.split_once('+').unwrap_or((text, ""));
        Ok(Streams {
            main: read_hex(main)?,
            texts: read_hex(texts)?,
        })
    }
}

fn read_hex(text: &str) -> Result<Vec<u8>, HexError> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for character in text.chars().filter(|c| !c.is_whitespace()) {
        let digit = character.to_digit(16);
        // A digit is below 16.
        let digit = digit.ok_or(HexError::NotADigit { character })? as u8;
        match high.take() {
            None => high = Some(digit),
            Some(high) => bytes.push(high << 4 | digit),
        }
    }
    match high {
        None => Ok(bytes),
        Some(_) => Err(HexError::HalfAByte),
    }
}

/// Why bytes are not a game of the format, or a game cannot be bytes of it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct StreamError {
    /// The name of the kind of error, as the format's own error type spells it: `OffBoard`.
    pub name: &'static str,
    /// Where: a byte, or a ply of a game.
    pub place: StreamPlace,
    /// What is wrong.
    pub message: String,
}

/// Where an error is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamPlace {
    /// At a byte of the stream, from 0.
    Byte(u64),
    /// At a ply of the game, from 1; 0 is before the first.
    Ply(u64),
}

impl fmt::Display for StreamPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamPlace::Byte(offset) => write!(f, "byte {offset}"),
            StreamPlace::Ply(ply) => write!(f, "ply {ply}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_may_be_of_either_case_and_apart() {
        let streams: Streams = " 0aF f 1\t2 ".parse().unwrap();
        assert_eq!(streams, Streams::from(vec![0x0a, 0xff, 0x12]));
    }

    #[test]
    fn what_is_not_hexadecimal_is_refused_with_the_reason() {
        let fails = |text: &str| text.parse::<Streams>().unwrap_err();
        assert_eq!(fails("13 x"), HexError::NotADigit { character: 'x' });
        assert_eq!(fails("13+1"), HexError::HalfAByte);
    }
}
