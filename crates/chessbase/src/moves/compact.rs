//! The compact encoder: a byte for most moves.

use super::{
    codes::{self, Word},
    mode::Cipher,
};

/// What a stream of either encoder consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A step of a piece, by its code.
    Step(u8),
    /// Castling to the h side, or to the a side.
    Castling { h_side: bool },
    /// A move by its squares.
    Word(Word),
    /// The turn passes.
    Null,
    /// The position is kept.
    Push,
    /// The line ends.
    Pop,
    /// A code that means nothing.
    Padding(u8),
    /// The stream ends within a move.
    Cut,
}

/// Reads tokens one after the other. Where lines begin and end, and how often the cipher turns,
/// needs no board.
pub(super) trait Tokens {
    fn next(&mut self) -> Option<Token>;

    /// Where in the stream the last token begins.
    fn token_start(&self) -> usize;

    /// How many bytes have not been read.
    fn left(&self) -> usize;
}

/// The tokens of a compact stream.
pub(super) struct Compact<'a> {
    stream: &'a [u8],
    at: usize,
    start: usize,
    /// The moves so far in all lines, modulo 256.
    count: u8,
    cipher: Cipher,
}

impl<'a> Compact<'a> {
    pub(super) fn new(stream: &'a [u8], cipher: Cipher) -> Compact<'a> {
        Compact {
            stream,
            at: 0,
            start: 0,
            count: 0,
            cipher,
        }
    }

    #[inline(always)]
    fn code(&mut self) -> Option<u8> {
        let byte = *self.stream.get(self.at)?;
        self.at += 1;
        Some(self.cipher.decode(byte, self.count))
    }

    /// The marker of a word and its two bytes are of one move: the cipher does not turn between.
    fn word(&mut self) -> Token {
        match (self.code(), self.code()) {
            (Some(high), Some(low)) => {
                self.moved(Token::Word(Word(u16::from_be_bytes([high, low]))))
            }
            _ => Token::Cut,
        }
    }

    #[inline(always)]
    fn moved(&mut self, token: Token) -> Token {
        self.count = self.count.wrapping_add(1);
        token
    }
}

impl Tokens for Compact<'_> {
    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        self.start = self.at;
        let code = self.code()?;
        Some(match code {
            codes::NULL => self.moved(Token::Null),
            codes::SHORT | codes::LONG => self.moved(Token::Castling {
                h_side: code == codes::SHORT,
            }),
            codes::WORD => self.word(),
            codes::PUSH => Token::Push,
            codes::POP => Token::Pop,
            236..=253 => Token::Padding(code),
            _ => self.moved(Token::Step(code)),
        })
    }

    fn token_start(&self) -> usize {
        self.start
    }

    fn left(&self) -> usize {
        self.stream.len() - self.at
    }
}
