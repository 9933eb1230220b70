//! Numbers of as few bits as they need.

/// Puts numbers behind each other, the lowest bits first.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    /// How many bits are pending: fewer than 32.
    count: u32,
}

impl BitWriter {
    /// A number of so many bits, at most 32.
    #[inline]
    pub fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 32 && value >> width == 0);
        self.pending |= value << self.count;
        self.count += width;
        if self.count >= 32 {
            self.bytes
                .extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    /// A number from 1, the smaller the shorter: as many zeros as it has bits behind its first,
    /// a one, those bits.
    #[inline]
    pub fn put_gamma(&mut self, value: u64) {
        let width = value.max(1).ilog2();
        let low = value & !(1 << width);
        if width < 16 {
            return self.put((low << 1 | 1) << width, 2 * width + 1);
        }
        self.put_zeros(width.into());
        self.put(1, 1);
        self.put_long(low, width);
    }

    /// A number, short if it is below 2 to the power of `low`: its upper bits as zeros and a one,
    /// then the lower ones.
    #[inline]
    pub fn put_rice(&mut self, value: u64, low: u32) {
        let (zeros, rest) = (value >> low, value & ((1 << low) - 1));
        if zeros + u64::from(low) < 32 {
            return self.put((rest << 1 | 1) << zeros, zeros as u32 + 1 + low);
        }
        self.put_zeros(zeros);
        self.put(1, 1);
        self.put(rest, low);
    }

    /// Adds the bits of another.
    pub fn append(&mut self, other: &BitWriter) {
        for &byte in &other.bytes {
            self.put(byte.into(), 8);
        }
        self.put(other.pending, other.count);
    }

    /// How many bits there are.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8 + u64::from(self.count)
    }

    /// All bits, to a whole number of bytes.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.end();
        self.bytes
    }

    /// Goes on with a new byte, and says how many there are.
    pub fn end(&mut self) -> usize {
        let rest = self.count.div_ceil(8) as usize;
        self.bytes
            .extend_from_slice(&self.pending.to_le_bytes()[..rest]);
        (self.pending, self.count) = (0, 0);
        self.bytes.len()
    }

    fn put_long(&mut self, value: u64, width: u32) {
        let low = width.min(32);
        self.put(value & ((1 << low) - 1), low);
        if width > 32 {
            self.put(value >> 32, width - 32);
        }
    }

    fn put_zeros(&mut self, mut count: u64) {
        while count > 0 {
            let some = count.min(32);
            self.put(0, some as u32);
            count -= some;
        }
    }
}

/// Takes numbers from the front. Behind the end there is nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, at: 0 }
    }

    /// The next bits, at least 57 of them; zeros behind the end.
    #[inline]
    fn peek(&self) -> u64 {
        let byte = self.at / 8;
        let word = match self.bytes.get(byte..byte + 8) {
            Some(word) => u64::from_le_bytes(word.try_into().expect("it is so long")),
            None => self.last_word(byte),
        };
        word >> (self.at % 8)
    }

    #[cold]
    fn last_word(&self, byte: usize) -> u64 {
        let rest = self.bytes.get(byte..).unwrap_or_default();
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        u64::from_le_bytes(word)
    }

    /// Goes on by some bits, if they are there.
    #[inline]
    pub fn skip(&mut self, bits: u64) -> Option<()> {
        let at = self.at.checked_add(usize::try_from(bits).ok()?)?;
        self.at = at;
        (at <= self.bytes.len() * 8).then_some(())
    }

    /// A number of so many bits, at most 32.
    #[inline]
    pub fn take(&mut self, width: u32) -> Option<u64> {
        let value = self.peek() & ((1 << width) - 1);
        self.skip(width.into())?;
        Some(value)
    }

    /// See [`BitWriter::put_gamma`].
    #[inline]
    pub fn take_gamma(&mut self) -> Option<u64> {
        let width = u32::try_from(self.take_zeros()?).ok()?;
        let low = width.min(32);
        let mut value = self.take(low)?;
        if width > 32 {
            let high = width.checked_sub(32).filter(|high| *high < 32)?;
            value |= self.take(high)? << 32;
        }
        Some(value | 1 << width)
    }

    /// See [`BitWriter::put_rice`].
    #[inline]
    pub fn take_rice(&mut self, low: u32) -> Option<u64> {
        let word = self.peek();
        let zeros = word.trailing_zeros();
        // All of it is in one word nearly always.
        if zeros + low < 56 {
            self.skip(u64::from(zeros + 1 + low))?;
            let value = word >> (zeros + 1) & ((1 << low) - 1);
            return Some(u64::from(zeros) << low | value);
        }
        let upper = self.take_zeros()?;
        let lower = self.take(low)?;
        Some(upper.checked_mul(1 << low)? | lower)
    }

    /// How many zeros stand before the next one, which is taken too.
    #[inline]
    fn take_zeros(&mut self) -> Option<u64> {
        let mut count = 0;
        loop {
            let zeros = self.peek().trailing_zeros();
            if zeros < 56 {
                self.skip(u64::from(zeros) + 1)?;
                return Some(count + u64::from(zeros));
            }
            self.skip(56)?;
            count += 56;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<(u32, u16)>, low in 0u32..20) {
            let mut writer = BitWriter::default();
            for &(wide, small) in &numbers {
                writer.put_gamma(u64::from(wide) + 1);
                writer.put_rice(small.into(), low);
                writer.put(wide.into(), 32);
            }
            let mut outer = BitWriter::default();
            outer.put(1, 3);
            outer.append(&writer);
            prop_assert_eq!(outer.len(), writer.len() + 3);
            let bytes = outer.into_bytes();
            let mut reader = BitReader::new(&bytes);
            reader.skip(3).unwrap();
            for &(wide, small) in &numbers {
                prop_assert_eq!(reader.take_gamma(), Some(u64::from(wide) + 1));
                prop_assert_eq!(reader.take_rice(low), Some(small.into()));
                prop_assert_eq!(reader.take(32), Some(wide.into()));
            }
        }

        #[test]
        fn any_bytes_are_numbers_or_none(bytes: Vec<u8>, low in 0u32..32) {
            let mut reader = BitReader::new(&bytes);
            while reader.take_gamma().is_some() {}
            let mut reader = BitReader::new(&bytes);
            while reader.take_rice(low).is_some() {}
        }
    }
}
