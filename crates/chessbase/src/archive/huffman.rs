//! The Huffman stage of a block: bytes as prefix codes of 1 to 15 bits.
//!
//! ```text
//! u16 big-endian    how many bytes come out
//! 256 times         4 bits: length of the code of byte 0, 1, … 255 (0: the byte does not occur)
//!                   that many bits: the code
//! codes             one for every byte, first bit in the highest place, nothing aligned
//! ```
//!
//! The codes are spelled out, so any prefix code may be met; a writer is free to choose.

use super::BlockFault;

/// Four bits hold the length of a code.
const MAX_BITS: u32 = 15;

/// Undoes the stage and appends what comes out, at most 65,535 bytes.
pub(super) fn decode(packed: &[u8], out: &mut Vec<u8>) -> Result<(), BlockFault> {
    let mut bits = BitReader::new(packed);
    let count = bits.read(16)? as usize;
    let codes = Codes::read(&mut bits)?;
    let table = codes.lookup_table()?;
    out.reserve(count);
    for _ in 0..count {
        let entry = table.entries[bits.peek(table.bits) as usize];
        if entry.bits == 0 {
            return Err(BlockFault::UnknownCode);
        }
        bits.skip(u32::from(entry.bits))?;
        out.push(entry.byte);
    }
    Ok(())
}

/// A code for every byte that occurs.
#[derive(Clone)]
pub(super) struct Codes {
    /// The bits of each code, in the lowest places.
    codes: [u16; 256],
    lengths: [u8; 256],
}

impl Codes {
    /// The best codes for some bytes.
    pub fn of(bytes: &[u8]) -> Codes {
        let mut counts = [0_u32; 256];
        for &byte in bytes {
            counts[usize::from(byte)] += 1;
        }
        let lengths = code_lengths(counts);
        Codes {
            codes: canonical(&lengths),
            lengths,
        }
    }

    /// Bits that a byte takes; 0 if it does not occur.
    pub fn bits(&self, byte: u8) -> u32 {
        u32::from(self.lengths[usize::from(byte)])
    }

    /// The length of what [`Codes::encode`] writes.
    pub fn encoded_len(&self, bytes: &[u8]) -> usize {
        let table: usize = self.lengths.iter().map(|&bits| 4 + usize::from(bits)).sum();
        let codes: usize = bytes.iter().map(|&byte| self.bits(byte) as usize).sum();
        2 + (table + codes).div_ceil(8)
    }

    /// Appends the whole stage: length, table and codes. `count` is the length of `bytes`, which
    /// must be the bytes the codes were made for.
    pub fn encode(&self, count: u16, bytes: &[u8], out: &mut Vec<u8>) {
        let mut bits = BitWriter::new(out);
        bits.write(count, 16);
        for (&code, &length) in self.codes.iter().zip(&self.lengths) {
            bits.write(u16::from(length), 4);
            bits.write(code, u32::from(length));
        }
        for &byte in bytes {
            bits.write(self.codes[usize::from(byte)], self.bits(byte));
        }
        bits.finish();
    }

    fn read(bits: &mut BitReader<'_>) -> Result<Codes, BlockFault> {
        let mut codes = Codes {
            codes: [0; 256],
            lengths: [0; 256],
        };
        for byte in 0..256 {
            let length = bits.read(4)?;
            codes.lengths[byte] = length as u8;
            codes.codes[byte] = bits.read(length)? as u16;
        }
        Ok(codes)
    }

    /// What every run of bits begins with, as far as codes are given.
    fn lookup_table(&self) -> Result<LookupTable, BlockFault> {
        let bits = u32::from(self.lengths.iter().copied().max().unwrap_or(0));
        let mut entries = vec![Entry::default(); 1 << bits];
        for byte in 0..=255_u8 {
            let length = self.bits(byte);
            if length == 0 {
                continue;
            }
            let free = bits - length;
            let first = usize::from(self.codes[usize::from(byte)]) << free;
            for entry in &mut entries[first..first + (1 << free)] {
                // One code is the beginning of another. Stopping here also bounds the work.
                if entry.bits != 0 {
                    return Err(BlockFault::AmbiguousCodes);
                }
                *entry = Entry {
                    byte,
                    bits: length as u8,
                };
            }
        }
        Ok(LookupTable { bits, entries })
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    byte: u8,
    /// 0 where no code begins like this.
    bits: u8,
}

struct LookupTable {
    bits: u32,
    entries: Vec<Entry>,
}

/// Lengths of the codes that make bytes of these counts shortest.
///
/// A tree of 65,535 bytes can be 22 deep: then the counts are halved until 15 bits are enough. It
/// takes counts that grow like Fibonacci numbers, so what this loses on best codes of 15 bits does
/// not show.
fn code_lengths(mut counts: [u32; 256]) -> [u8; 256] {
    loop {
        let depths = tree_depths(&counts);
        if depths.iter().all(|&depth| depth <= MAX_BITS) {
            return depths.map(|depth| depth as u8);
        }
        for count in &mut counts {
            *count = count.div_ceil(2);
        }
    }
}

/// How deep each byte sits in a Huffman tree, built with the method of two queues.
fn tree_depths(counts: &[u32; 256]) -> [u32; 256] {
    let mut leaves: Vec<usize> = (0..256).filter(|&byte| counts[byte] > 0).collect();
    leaves.sort_by_key(|&byte| counts[byte]);
    let mut depths = [0; 256];
    if let [only] = leaves[..] {
        // A code of no bits would say that the byte does not occur.
        depths[only] = 1;
        return depths;
    }
    // Nodes 0.. are the leaves in ascending order, then come the inner ones, in ascending order
    // by themselves.
    let mut weights: Vec<u32> = leaves.iter().map(|&byte| counts[byte]).collect();
    let mut parents = vec![0; leaves.len()];
    let (mut leaf, mut inner) = (0, leaves.len());
    while weights.len() + 1 < 2 * leaves.len() {
        let parent = weights.len();
        let mut weight = 0;
        for _ in 0..2 {
            let takes_leaf =
                leaf < leaves.len() && (inner >= parent || weights[leaf] <= weights[inner]);
            let next = if takes_leaf { &mut leaf } else { &mut inner };
            weight += weights[*next];
            parents[*next] = parent;
            *next += 1;
        }
        weights.push(weight);
        parents.push(parent);
    }
    let mut depth_of_node = vec![0; parents.len()];
    for node in (0..parents.len().saturating_sub(1)).rev() {
        depth_of_node[node] = depth_of_node[parents[node]] + 1;
    }
    for (node, &byte) in leaves.iter().enumerate() {
        depths[byte] = depth_of_node[node];
    }
    depths
}

/// Codes in ascending order of length, then of byte: each is the one before, plus one.
fn canonical(lengths: &[u8; 256]) -> [u16; 256] {
    let mut codes = [0; 256];
    let mut next = 0_u32;
    for length in 1..=MAX_BITS as u8 {
        for byte in (0..256).filter(|&byte| lengths[byte] == length) {
            codes[byte] = next as u16;
            next += 1;
        }
        next <<= 1;
    }
    codes
}

struct BitReader<'a> {
    rest: &'a [u8],
    /// The next bits, in the highest places; zeros after the end.
    buffer: u64,
    filled: u32,
}

impl<'a> BitReader<'a> {
    fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader {
            rest: bytes,
            buffer: 0,
            filled: 0,
        }
    }

    /// The next bits, up to 16 of them, without taking them; zeros stand for what is not there.
    fn peek(&mut self, count: u32) -> u32 {
        if self.filled < count {
            self.fill();
        }
        // In two steps: a shift by all 64 bits is none.
        (self.buffer >> 1 >> (63 - count)) as u32
    }

    fn skip(&mut self, count: u32) -> Result<(), BlockFault> {
        if self.filled < count {
            return Err(BlockFault::CodesCutOff);
        }
        self.buffer <<= count;
        self.filled -= count;
        Ok(())
    }

    fn read(&mut self, count: u32) -> Result<u32, BlockFault> {
        let value = self.peek(count);
        self.skip(count)?;
        Ok(value)
    }

    fn fill(&mut self) {
        while self.filled <= 56 {
            let Some((&byte, rest)) = self.rest.split_first() else {
                return;
            };
            self.buffer |= u64::from(byte) << (56 - self.filled);
            self.filled += 8;
            self.rest = rest;
        }
    }
}

struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    /// The bits that do not make a byte yet, in the lowest places.
    buffer: u32,
    filled: u32,
}

impl<'a> BitWriter<'a> {
    fn new(out: &'a mut Vec<u8>) -> BitWriter<'a> {
        BitWriter {
            out,
            buffer: 0,
            filled: 0,
        }
    }

    fn write(&mut self, bits: u16, count: u32) {
        self.buffer = self.buffer << count | u32::from(bits);
        self.filled += count;
        while self.filled >= 8 {
            self.filled -= 8;
            self.out.push((self.buffer >> self.filled) as u8);
        }
    }

    /// Fills the last byte with zeros.
    fn finish(self) {
        if self.filled > 0 {
            self.out.push((self.buffer << (8 - self.filled)) as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(bytes: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let codes = Codes::of(bytes);
        codes.encode(bytes.len() as u16, bytes, &mut packed);
        assert_eq!(packed.len(), codes.encoded_len(bytes));
        packed
    }

    fn decoded(packed: &[u8]) -> Result<Vec<u8>, BlockFault> {
        let mut out = Vec::new();
        decode(packed, &mut out).map(|()| out)
    }

    /// A table by hand: codes as strings of 0 and 1.
    fn by_hand(count: u16, codes: &[(u8, &str)], data: &str) -> Vec<u8> {
        let mut packed = Vec::new();
        let mut bits = BitWriter::new(&mut packed);
        bits.write(count, 16);
        for byte in 0..=255 {
            let code = codes.iter().find(|(of, _)| *of == byte).map_or("", |c| c.1);
            bits.write(code.len() as u16, 4);
            for digit in code.bytes() {
                bits.write(u16::from(digit == b'1'), 1);
            }
        }
        for digit in data.bytes() {
            bits.write(u16::from(digit == b'1'), 1);
        }
        bits.finish();
        packed
    }

    #[test]
    fn codes_need_not_be_canonical() {
        let packed = by_hand(
            4,
            &[(b'a', "1"), (b'b', "01"), (b'c', "000")],
            "1 01 000 1".replace(' ', "").as_str(),
        );
        assert_eq!(decoded(&packed), Ok(b"abca".to_vec()));
    }

    #[test]
    fn a_code_that_begins_another_is_refused() {
        let packed = by_hand(1, &[(b'a', "1"), (b'b', "10")], "1");
        assert_eq!(decoded(&packed), Err(BlockFault::AmbiguousCodes));
    }

    #[test]
    fn a_code_that_nobody_has_is_refused() {
        let packed = by_hand(1, &[(b'a', "11")], "00000000");
        assert_eq!(decoded(&packed), Err(BlockFault::UnknownCode));
        let no_codes_at_all = by_hand(1, &[], "0");
        assert_eq!(decoded(&no_codes_at_all), Err(BlockFault::UnknownCode));
    }

    #[test]
    fn every_cut_is_noticed() {
        let packed = encode(b"every cut is noticed");
        for len in 0..packed.len() {
            assert!(decoded(&packed[..len]).is_err(), "{len}");
        }
    }

    #[test]
    fn a_single_byte_takes_one_bit() {
        let bytes = vec![7; 800];
        assert_eq!(encode(&bytes).len(), 2 + (1024_usize + 1 + 800).div_ceil(8));
        assert_eq!(decoded(&encode(&bytes)), Ok(bytes));
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(decoded(&encode(b"")), Ok(Vec::new()));
    }

    #[test]
    fn codes_stay_within_15_bits() {
        let mut bytes = Vec::new();
        let (mut count, mut next) = (1, 1);
        for byte in 0..22 {
            bytes.extend(vec![byte; count]);
            (count, next) = (next, count + next);
        }
        let bytes = &bytes[bytes.len().saturating_sub(65_535)..];
        assert!(Codes::of(bytes).lengths.iter().all(|&length| length <= 15));
        assert_eq!(decoded(&encode(bytes)).as_deref(), Ok(bytes));
    }

    #[test]
    fn rare_bytes_have_the_longest_codes() {
        let codes = Codes::of(b"aaaaaaaabbbbccd");
        let lengths: Vec<u32> = b"abcd".iter().map(|&byte| codes.bits(byte)).collect();
        assert_eq!(lengths, [1, 2, 3, 3]);
    }

    proptest::proptest! {
        #[test]
        fn bytes_survive(bytes: Vec<u8>) {
            proptest::prop_assert_eq!(decoded(&encode(&bytes)), Ok(bytes));
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes: Vec<u8>) {
            let _ = decoded(&bytes);
        }
    }
}
