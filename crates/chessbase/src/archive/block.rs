//! Blocks: what a member of an archive is packed in.
//!
//! ```text
//! u16 little-endian    length of the payload
//! u16 little-endian    checksum: the sum of the payload's 16-bit words, an odd last byte left out
//! payload              u8 stages: bit 0 LZ, bit 1 Huffman (done last, undone first), then data
//! ```

use super::{
    BlockFault,
    huffman::{self, Codes},
    lz,
    matcher::{Matcher, Prices},
};

/// Length and checksum.
pub(super) const FRAME: usize = 4;

/// How much of a file ChessBase puts into a block, and so do we.
pub(super) const BLOCK_INPUT: usize = 61_440;

/// More never comes out of a block. Lengths inside a block have 16 bits; LZ has no length, and a
/// forged block could grow a thousandfold.
pub(super) const MAX_BLOCK_OUTPUT: usize = 65_535;

const LZ: u8 = 1;
const HUFFMAN: u8 = 2;

/// The four bytes before the payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    pub len: u16,
    pub checksum: u16,
}

impl Frame {
    pub fn of(payload: &[u8]) -> Option<Frame> {
        Some(Frame {
            len: u16::try_from(payload.len()).ok()?,
            checksum: checksum(payload),
        })
    }

    pub fn parse(bytes: [u8; FRAME]) -> Frame {
        let [len, len_high, sum, sum_high] = bytes;
        Frame {
            len: u16::from_le_bytes([len, len_high]),
            checksum: u16::from_le_bytes([sum, sum_high]),
        }
    }

    pub fn to_bytes(self) -> [u8; FRAME] {
        let [len, len_high] = self.len.to_le_bytes();
        let [sum, sum_high] = self.checksum.to_le_bytes();
        [len, len_high, sum, sum_high]
    }

    /// Readers that are around ignore the field, so a packer may have left it empty.
    pub fn check(self, payload: &[u8]) -> Result<(), BlockFault> {
        let found = checksum(payload);
        if self.checksum != 0 && self.checksum != found {
            return Err(BlockFault::BadChecksum {
                stored: self.checksum,
                found,
            });
        }
        Ok(())
    }
}

fn checksum(payload: &[u8]) -> u16 {
    let (words, _odd) = payload.as_chunks::<2>();
    words
        .iter()
        .fold(0, |sum, &word| sum.wrapping_add(u16::from_le_bytes(word)))
}

/// Unpacks the blocks of one member, in their order.
pub(super) struct Unpacker {
    /// What copies of the next block may reach, and what the last block gave after it.
    window: Vec<u8>,
    /// Where the last block begins in the window.
    start: usize,
    /// What comes out of the Huffman stage if LZ follows.
    tokens: Vec<u8>,
}

impl Unpacker {
    pub fn new() -> Unpacker {
        Unpacker {
            window: Vec::new(),
            start: 0,
            tokens: Vec::new(),
        }
    }

    /// Unpacks the next block. A damaged one gives nothing.
    pub fn unpack(&mut self, payload: &[u8]) -> Result<(), BlockFault> {
        let old = self.window.len().saturating_sub(lz::MAX_DISTANCE);
        self.window.drain(..old);
        self.start = self.window.len();
        let unpacked = self.undo_stages(payload);
        if unpacked.is_err() {
            self.window.truncate(self.start);
        }
        unpacked
    }

    fn undo_stages(&mut self, payload: &[u8]) -> Result<(), BlockFault> {
        let (&stages, data) = payload.split_first().ok_or(BlockFault::Empty)?;
        match stages {
            0 => self.window.extend_from_slice(data),
            LZ => lz::decode(data, &mut self.window, MAX_BLOCK_OUTPUT)?,
            HUFFMAN => huffman::decode(data, &mut self.window)?,
            3 => {
                self.tokens.clear();
                huffman::decode(data, &mut self.tokens)?;
                lz::decode(&self.tokens, &mut self.window, MAX_BLOCK_OUTPUT)?;
            }
            stages => return Err(BlockFault::UnknownStages(stages)),
        }
        Ok(())
    }

    /// What the last block gave is history from now on.
    pub fn forget_output(&mut self) {
        self.start = self.window.len();
    }

    /// What the last block gave.
    pub fn output(&self) -> &[u8] {
        &self.window[self.start..]
    }

    #[cfg(test)]
    pub fn memory(&self) -> usize {
        self.window.capacity() + self.tokens.capacity()
    }
}

/// Packs blocks, each in the way that makes it smallest.
pub(super) struct Packer {
    matcher: Matcher,
}

impl Packer {
    pub fn new() -> Packer {
        Packer {
            matcher: Matcher::new(),
        }
    }

    /// The payload for at most [`BLOCK_INPUT`] bytes. It is no longer than they are, plus one.
    pub fn pack(&mut self, input: &[u8]) -> Vec<u8> {
        debug_assert!(input.len() <= BLOCK_INPUT);
        let mut smallest = payload(0, input);
        let mut offer = |candidate: Option<Vec<u8>>| {
            if let Some(candidate) = candidate.filter(|new| new.len() < smallest.len()) {
                smallest = candidate;
            }
        };
        offer(coded(HUFFMAN, input, &Codes::of(input)));
        self.matcher.find(input);
        let tokens = self.tokens(input, &Prices::plain());
        let codes = Codes::of(&tokens);
        offer(Some(payload(LZ, &tokens)));
        offer(coded(LZ | HUFFMAN, &tokens, &codes));
        let tokens = self.tokens(input, &Prices::coded(&codes));
        offer(coded(LZ | HUFFMAN, &tokens, &Codes::of(&tokens)));
        smallest
    }

    fn tokens(&self, input: &[u8], prices: &Prices) -> Vec<u8> {
        let mut bytes = Vec::new();
        lz::encode(self.matcher.tokens(input, prices), &mut bytes);
        bytes
    }
}

fn payload(stages: u8, data: &[u8]) -> Vec<u8> {
    let mut payload = Vec::with_capacity(1 + data.len());
    payload.push(stages);
    payload.extend_from_slice(data);
    payload
}

/// A payload whose last stage is Huffman; `None` if the stage cannot hold so much.
fn coded(stages: u8, data: &[u8], codes: &Codes) -> Option<Vec<u8>> {
    let count = u16::try_from(data.len()).ok()?;
    let mut payload = Vec::with_capacity(1 + codes.encoded_len(data));
    payload.push(stages);
    codes.encode(count, data, &mut payload);
    Some(payload)
}
