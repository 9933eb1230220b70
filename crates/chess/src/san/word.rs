//! A word of text in a register.

use crate::Square;

/// Up to eight bytes of text that may be a move: to take a move apart in a register is quicker than
/// byte by byte.
///
/// ```
/// use tabiya_chess::{Position, SanWord};
///
/// let mut position = Position::initial();
/// let word = SanWord::of(b"Nf3").unwrap();
/// position.play_plain_san(word, |before, play| assert_eq!(&*before.san(play), "Nf3")).unwrap();
/// assert!(SanWord::of(b"a long word").is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SanWord {
    /// The first byte in the lowest place. What stands behind the word is not looked at.
    bytes: u64,
    length: u32,
}

impl SanWord {
    /// The first so many of eight bytes, of which the first is in the lowest place, as
    /// [`u64::from_le_bytes`] has it. The others need not be zero.
    #[inline(always)]
    #[must_use]
    pub fn new(bytes: u64, length: usize) -> SanWord {
        let length = length as u32;
        SanWord { bytes, length }
    }

    /// A text; `None` if it is longer than eight bytes.
    #[inline]
    #[must_use]
    pub fn of(text: &[u8]) -> Option<SanWord> {
        let mut bytes = [0; 8];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(SanWord::new(u64::from_le_bytes(bytes), text.len()))
    }

    #[inline(always)]
    pub(super) fn len(self) -> u32 {
        self.length
    }

    /// The bytes from one on, in the lowest places.
    #[inline(always)]
    fn from(self, index: u32) -> u64 {
        self.bytes >> (index.wrapping_mul(8) & 63)
    }

    /// A byte; a meaningless one if the word is not so long.
    #[inline(always)]
    pub(super) fn at(self, index: u32) -> u8 {
        self.from(index) as u8
    }

    /// The square that two bytes name.
    #[inline(always)]
    pub(super) fn square(self, index: u32) -> Option<Square> {
        // Both at once. A byte that is too small borrows, and becomes too large itself.
        let pair = (self.from(index) as u16).wrapping_sub(u16::from_le_bytes(*b"a1"));
        (pair & 0xf8f8 == 0).then(|| Square::from_index((pair >> 5 | pair) as u8))
    }

    /// Without its check sign.
    #[inline(always)]
    pub(super) fn without_check_sign(self) -> SanWord {
        let sign = matches!(self.at(self.length.wrapping_sub(1)), b'+' | b'#');
        SanWord {
            length: self.length.wrapping_sub(u32::from(sign)),
            ..self
        }
    }

    /// Whether it is this text.
    #[inline]
    pub(super) fn is(self, text: &[u8]) -> bool {
        let length = self.length as usize;
        self.bytes.to_le_bytes().get(..length) == Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_bytes_is_a_square_or_none() {
        for pair in 0..=u16::MAX {
            let [file, rank] = pair.to_le_bytes();
            let named = std::str::from_utf8(&[file, rank])
                .ok()
                .and_then(|name| name.parse::<Square>().ok())
                .filter(|_| file.is_ascii_lowercase());
            let word = SanWord::new(u64::from(pair) << 8 | 0x78, 3);
            assert_eq!(word.square(1), named, "{file:#x} {rank:#x}");
        }
    }

    #[test]
    fn a_word_may_be_empty_or_claim_to_be_longer_than_it_is() {
        let mut position = crate::Position::initial();
        let bytes = u64::from_le_bytes(*b"Nf3+Nf3+");
        for length in [0, 1, 2, 9, 64, usize::MAX] {
            let played = position.play_plain_san(SanWord::new(bytes, length), |_, _| {});
            assert_eq!(played, None, "{length}");
        }
        let pawn = u64::from_le_bytes(*b"e4 e5 +#");
        for length in [0, 8, usize::MAX] {
            let played = position.play_plain_san(SanWord::new(pawn, length), |_, _| {});
            assert_eq!(played, None, "{length}");
        }
    }
}
