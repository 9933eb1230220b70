//! The simple encoder: a word for every move, with the starts and ends of lines in its top bits.

use super::{
    codes::Word,
    compact::{Token, Tokens},
    mode::Cipher,
};

/// The position before this move is kept.
pub(super) const PUSH: u16 = 0x8000;
/// The line ends with this move.
pub(super) const POP: u16 = 0x4000;

/// How long a word is.
pub(super) const WORD_LENGTH: usize = 2;

/// The squares of a word; both 0 in a null move.
const SQUARES: u16 = 0x0fff;

/// Where the null move stands that ends a quoted game, or the end of the stream.
pub(super) fn quotation_end(stream: &[u8]) -> usize {
    let mut words = Simple::new(stream, Cipher::QUOTATION, false);
    loop {
        match words.word() {
            Some(Ok(word)) if word & SQUARES != 0 => {}
            Some(Ok(_)) => return words.start,
            Some(Err(_)) | None => return stream.len(),
        }
    }
}

/// The tokens of a simple stream.
pub(super) struct Simple<'a> {
    stream: &'a [u8],
    at: usize,
    start: usize,
    count: u8,
    cipher: Cipher,
    swapped: bool,
    /// A word has been read whose move and end have not been told.
    pending: Pending,
}

#[derive(Clone, Copy)]
enum Pending {
    Nothing,
    Move(u16),
    Pop,
}

impl<'a> Simple<'a> {
    pub(super) fn new(stream: &'a [u8], cipher: Cipher, swapped: bool) -> Simple<'a> {
        Simple {
            stream,
            at: 0,
            start: 0,
            count: 0,
            cipher,
            swapped,
            pending: Pending::Nothing,
        }
    }

    /// The next word; `None` at the end of the stream.
    fn word(&mut self) -> Option<Result<u16, Token>> {
        self.start = self.at;
        let (high, low) = match self.stream[self.at..] {
            [] => return None,
            [_] => {
                self.at += 1;
                return Some(Err(Token::Cut));
            }
            [high, low, ..] => (high, low),
        };
        self.at += 2;
        let bytes = [high, low].map(|byte| self.cipher.decode(byte, self.count));
        self.count = self.count.wrapping_add(1);
        Some(Ok(u16::from_be_bytes(bytes)))
    }

    fn play(&mut self, word: u16) -> Token {
        self.pending = match word & POP {
            0 => Pending::Nothing,
            _ => Pending::Pop,
        };
        let play = Word(word & 0x3fff);
        match (word & SQUARES, self.swapped) {
            (0, _) => Token::Null,
            (_, false) => Token::Word(play),
            (_, true) => Token::Word(play.swapped()),
        }
    }
}

impl Tokens for Simple<'_> {
    fn next(&mut self) -> Option<Token> {
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Move(word) => return Some(self.play(word)),
            Pending::Pop => return Some(Token::Pop),
            Pending::Nothing => {}
        }
        Some(match self.word()? {
            Err(cut) => cut,
            Ok(word) if word & PUSH != 0 => {
                self.pending = Pending::Move(word);
                Token::Push
            }
            Ok(word) => self.play(word),
        })
    }

    fn token_start(&self) -> usize {
        self.start
    }

    fn left(&self) -> usize {
        self.stream.len() - self.at
    }
}
