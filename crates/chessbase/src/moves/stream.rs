//! Codes and words to bytes.

use super::{
    codes::{self, Word},
    mode::{Cipher, Mode},
    simple,
};

/// A move as the compact and as the simple encoder write it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code {
    /// Its one-byte code, or [`codes::WORD`] if it has none.
    pub(super) byte: u8,
    pub(super) word: Word,
}

impl Code {
    pub(super) const NULL: Code = Code {
        byte: codes::NULL,
        word: Word(0),
    };
}

/// Writes moves through the cipher.
pub(super) struct Stream<'a> {
    out: &'a mut Vec<u8>,
    cipher: Cipher,
    /// A word for every move.
    simple: bool,
    /// In simple modes: a move's target comes first.
    swapped: bool,
    /// The moves so far.
    count: u32,
}

impl<'a> Stream<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>, mode: Mode) -> Stream<'a> {
        Stream {
            out,
            cipher: mode.cipher(),
            simple: mode.is_simple(),
            swapped: mode.is_reversed(),
            count: 0,
        }
    }

    pub(super) fn quotation(out: &'a mut Vec<u8>) -> Stream<'a> {
        Stream {
            out,
            cipher: Cipher::QUOTATION,
            simple: true,
            swapped: false,
            count: 0,
        }
    }

    /// Writes a move. Other moves from the same position come later if it `pushes`; its line ends
    /// with it if it `pops`.
    pub(super) fn play(&mut self, code: Code, pushes: bool, pops: bool) {
        match self.simple {
            true => self.play_simple(code.word, pushes, pops),
            false => self.play_compact(code, pushes, pops),
        }
    }

    fn play_simple(&mut self, word: Word, pushes: bool, pops: bool) {
        let Word(word) = if self.swapped { word.swapped() } else { word };
        let push = if pushes { simple::PUSH } else { 0 };
        let pop = if pops { simple::POP } else { 0 };
        self.word(word | push | pop);
        self.count += 1;
    }

    fn play_compact(&mut self, code: Code, pushes: bool, pops: bool) {
        if pushes {
            self.byte(codes::PUSH);
        }
        self.byte(code.byte);
        if code.byte == codes::WORD {
            self.word(code.word.0);
        }
        self.count += 1;
        if pops {
            self.byte(codes::POP);
        }
    }

    /// Writes what an empty game has: an end, or in simple modes nothing.
    pub(super) fn end_empty_game(&mut self) {
        if !self.simple {
            self.byte(codes::POP);
        }
    }

    fn byte(&mut self, code: u8) {
        // The cipher counts modulo 256.
        self.out.push(self.cipher.encode(code, self.count as u8));
    }

    fn word(&mut self, word: u16) {
        let [high, low] = word.to_be_bytes();
        self.byte(high);
        self.byte(low);
    }
}
