//! A stream of any size, cut into games.

use std::io::{self, Read};

use memchr::memmem::Finder;

use super::{FRAME, MARK, MOST, checksum};

/// A stretch of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Where it begins among the bytes at hand.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// It begins with the mark of a game; else it belongs to none.
    pub(super) is_game: bool,
}

/// Finds the games of a stream. Memory is bounded by the largest game.
pub(super) struct Splitter<R> {
    input: R,
    /// Finds marks.
    finder: Finder<'static>,
    /// What has been read and not handed out.
    buffer: Vec<u8>,
    /// Where the buffer begins in the file.
    offset: u64,
    /// Up to where the buffer has been cut.
    at: usize,
    ended: bool,
}

impl<R: Read> Splitter<R> {
    pub(super) fn new(input: R) -> Splitter<R> {
        Splitter {
            input,
            finder: Finder::new(&MARK),
            buffer: Vec::new(),
            offset: 0,
            at: 0,
            ended: false,
        }
    }

    /// The first bytes of the file, as many as there are.
    pub(super) fn header(&mut self, length: usize) -> io::Result<&[u8]> {
        self.fill(length)?;
        self.at = length.min(self.buffer.len());
        Ok(&self.buffer[..self.at])
    }

    /// Takes what has been cut, with its place in the file.
    pub(super) fn take(&mut self) -> (Vec<u8>, u64) {
        let offset = self.offset;
        let rest = self.buffer.split_off(self.at);
        self.offset += self.at as u64;
        self.at = 0;
        (std::mem::replace(&mut self.buffer, rest), offset)
    }

    /// How many bytes have been cut and not taken.
    pub(super) fn cut(&self) -> usize {
        self.at
    }

    /// Reads until there are so many bytes behind the last cut, or no more.
    fn fill(&mut self, length: usize) -> io::Result<()> {
        const STEP: usize = 1 << 16;
        while !self.ended && self.buffer.len() - self.at < length {
            // Step by step: a length that lies does not take memory.
            let step = (&mut self.input).take(STEP as u64);
            let read = { step }.read_to_end(&mut self.buffer)?;
            self.ended = read == 0;
        }
        Ok(())
    }

    /// Cuts the next piece off; `None` at the end.
    pub(super) fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        self.fill(FRAME)?;
        let rest = &self.buffer[self.at..];
        if rest.is_empty() {
            return Ok(None);
        }
        let is_game = rest.starts_with(&MARK);
        let length = match is_game {
            true => self.game()?,
            false => self.next_mark(1)?,
        };
        let start = self.at;
        self.at += length;
        Ok(Some(Piece {
            start,
            end: self.at,
            is_game,
        }))
    }

    /// How long the game is that begins here: as long as it says if that fits what follows, else
    /// up to the next mark. Every byte is looked at a fixed number of times, whatever lengths
    /// say.
    fn game(&mut self) -> io::Result<usize> {
        let frame: Option<[u8; FRAME]> = self.buffer[self.at..].first_chunk().copied();
        let Some([_, _, _, _, l0, l1, l2, l3, c0, c1, c2, c3]) = frame else {
            return Ok(self.buffer.len() - self.at);
        };
        let length = u32::from_be_bytes([l0, l1, l2, l3]) as usize;
        if length > MOST {
            return self.next_mark(MARK.len());
        }
        let end = FRAME + length;
        self.fill(end + MARK.len())?;
        let rest = &self.buffer[self.at..];
        let fields = &rest[FRAME..end.min(rest.len())];
        if let Some(found) = self.finder.find(fields) {
            // No game has a mark within: this one swallows others.
            return Ok(FRAME + found);
        }
        let is_followed = |behind: &[u8]| behind.is_empty() || behind.starts_with(&MARK);
        if rest.get(end..).is_some_and(is_followed) {
            return Ok(end);
        }
        // Something else follows. If the game is sound, it is that which is damaged.
        let is_whole = fields.len() == length;
        if is_whole && checksum(fields) == u32::from_be_bytes([c0, c1, c2, c3]) {
            return Ok(end);
        }
        self.next_mark(FRAME)
    }

    /// How far it is to the next mark or, if there is none near, as far as a piece may be.
    fn next_mark(&mut self, from: usize) -> io::Result<usize> {
        let mut from = from;
        loop {
            let rest = &self.buffer[self.at..];
            let length = rest.len().min(FRAME + MOST);
            if let Some(found) = self.finder.find(rest.get(from..length).unwrap_or_default()) {
                return Ok(from + found);
            }
            if self.ended || length == FRAME + MOST {
                return Ok(length);
            }
            // A mark may be cut in two by what has been read.
            from = from.max((length + 1).saturating_sub(MARK.len()));
            self.fill(length + 1)?;
        }
    }
}
