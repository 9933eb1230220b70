//! The LZ stage of a block: runs and copies of what came before.
//!
//! A control word (u16, little-endian) announces 16 tokens, highest bit first: 0 is a byte as it
//! is, 1 a tag whose high nibble says what follows.
//!
//! | high | token | bytes | gives |
//! |---|---|---|---|
//! | 0 | short run | `0l vv` | 3 + l times v |
//! | 1 | long run | `1l hh vv` | 19 + l + 16 h times v |
//! | 2 | long copy | `2l hh nn` | 16 + n bytes from 3 + l + 16 h back |
//! | 3 to 15 | short copy | `nl hh` | n bytes from 3 + l + 16 h back |
//!
//! The last control word is followed by fewer tokens if there are no more. A copy may reach into
//! earlier blocks of the same file, and into what it writes itself.

use super::BlockFault;

/// The shortest run and the shortest copy; also the least distance of a copy.
pub(super) const MIN_LENGTH: usize = 3;
/// The longest run of two bytes; one more takes three.
pub(super) const MAX_SHORT_RUN: usize = MIN_LENGTH + 15;
pub(super) const MAX_RUN: usize = MAX_SHORT_RUN + 1 + 0xFFF;
/// The longest copy of two bytes; one more takes three.
pub(super) const MAX_SHORT_COPY: usize = 15;
pub(super) const MAX_COPY: usize = MAX_SHORT_COPY + 1 + 0xFF;
/// How far back a copy reaches, and how much of a file must be kept for the next block.
pub(super) const MAX_DISTANCE: usize = MIN_LENGTH + 0xFFF;

/// A step of the stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Literal(u8),
    Run { value: u8, length: usize },
    Copy { distance: usize, length: usize },
}

/// Undoes the stage: appends to `window`, which holds what came before in the same file. No more
/// than `limit` bytes come out.
pub(super) fn decode(packed: &[u8], window: &mut Vec<u8>, limit: usize) -> Result<(), BlockFault> {
    let end = window.len() + limit;
    let mut tokens = Tokens::new(packed);
    while let Some(token) = tokens.next()? {
        let length = match token {
            Token::Literal(_) => 1,
            Token::Run { length, .. } | Token::Copy { length, .. } => length,
        };
        if window.len() + length > end {
            return Err(BlockFault::TooLarge);
        }
        match token {
            Token::Literal(byte) => window.push(byte),
            Token::Run { value, length } => window.resize(window.len() + length, value),
            Token::Copy { distance, length } => copy(window, distance, length)?,
        }
    }
    Ok(())
}

fn copy(window: &mut Vec<u8>, distance: usize, length: usize) -> Result<(), BlockFault> {
    let Some(start) = window.len().checked_sub(distance) else {
        return Err(BlockFault::DistanceTooFar {
            distance,
            available: window.len(),
        });
    };
    if distance >= length {
        window.extend_from_within(start..start + length);
    } else {
        // The copy reads what it has just written.
        for at in start..start + length {
            window.push(window[at]);
        }
    }
    Ok(())
}

struct Tokens<'a> {
    rest: &'a [u8],
    /// The bits of tokens to come, the next one highest, and one more below them: when only that
    /// is left, a control word follows.
    control: u32,
}

/// Only the bit below the tokens is left.
const NO_TOKENS: u32 = 1 << 31;

impl<'a> Tokens<'a> {
    fn new(packed: &'a [u8]) -> Tokens<'a> {
        Tokens {
            rest: packed,
            control: NO_TOKENS,
        }
    }

    /// The next token; `None` at the end.
    fn next(&mut self) -> Result<Option<Token>, BlockFault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        if self.control == NO_TOKENS {
            let word = u16::from_le_bytes([self.byte()?, self.byte()?]);
            self.control = u32::from(word) << 16 | NO_TOKENS >> 16;
            if self.rest.is_empty() {
                return Ok(None);
            }
        }
        let is_tag = self.control >> 31 == 1;
        self.control <<= 1;
        let first = self.byte()?;
        Ok(Some(match is_tag {
            true => self.tagged(first)?,
            false => Token::Literal(first),
        }))
    }

    fn tagged(&mut self, tag: u8) -> Result<Token, BlockFault> {
        let (high, low) = (usize::from(tag >> 4), usize::from(tag & 15));
        if high == 0 {
            return Ok(Token::Run {
                value: self.byte()?,
                length: MIN_LENGTH + low,
            });
        }
        let wide = low + (usize::from(self.byte()?) << 4);
        Ok(match high {
            1 => Token::Run {
                value: self.byte()?,
                length: MAX_SHORT_RUN + 1 + wide,
            },
            2 => Token::Copy {
                distance: MIN_LENGTH + wide,
                length: MAX_SHORT_COPY + 1 + usize::from(self.byte()?),
            },
            length => Token::Copy {
                distance: MIN_LENGTH + wide,
                length,
            },
        })
    }

    fn byte(&mut self) -> Result<u8, BlockFault> {
        let (&byte, rest) = self.rest.split_first().ok_or(BlockFault::TokenCutOff)?;
        self.rest = rest;
        Ok(byte)
    }
}

impl Token {
    /// The bytes of a token, and how many of them there are. Runs and copies must be of lengths
    /// and distances that exist.
    pub fn bytes(self) -> ([u8; 3], usize) {
        match self {
            Token::Literal(byte) => ([byte, 0, 0], 1),
            Token::Run { value, length } if length <= MAX_SHORT_RUN => {
                ([(length - MIN_LENGTH) as u8, value, 0], 2)
            }
            Token::Run { value, length } => {
                let wide = length - MAX_SHORT_RUN - 1;
                ([0x10 | (wide & 15) as u8, (wide >> 4) as u8, value], 3)
            }
            Token::Copy { distance, length } => {
                let wide = distance - MIN_LENGTH;
                let (low, high) = ((wide & 15) as u8, (wide >> 4) as u8);
                match length <= MAX_SHORT_COPY {
                    true => ([(length as u8) << 4 | low, high, 0], 2),
                    false => {
                        let more = (length - MAX_SHORT_COPY - 1) as u8;
                        ([0x20 | low, high, more], 3)
                    }
                }
            }
        }
    }
}

/// Appends tokens, with their control words.
pub(super) fn encode(tokens: impl IntoIterator<Item = Token>, out: &mut Vec<u8>) {
    let mut control_at = out.len();
    let mut control = 0_u16;
    for (number, token) in tokens.into_iter().enumerate() {
        if number % 16 == 0 {
            control_at = out.len();
            control = 0;
            out.extend([0; 2]);
        }
        if !matches!(token, Token::Literal(_)) {
            control |= 0x8000 >> (number % 16);
        }
        let (bytes, len) = token.bytes();
        out.extend_from_slice(&bytes[..len]);
        out[control_at..control_at + 2].copy_from_slice(&control.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(packed: &[u8], before: &[u8]) -> Result<Vec<u8>, BlockFault> {
        let mut window = before.to_vec();
        decode(packed, &mut window, 65_535).map(|()| window.split_off(before.len()))
    }

    #[test]
    fn literals_follow_a_zero_word() {
        assert_eq!(decoded(b"\0\0abc", b""), Ok(b"abc".to_vec()));
        assert_eq!(decoded(b"", b""), Ok(Vec::new()));
    }

    #[test]
    fn runs_are_short_or_long() {
        assert_eq!(decoded(&[0, 0x80, 0x02, b'x'], b""), Ok(vec![b'x'; 5]));
        let long = decoded(&[0, 0x80, 0x11, 0x02, b'x'], b"");
        assert_eq!(long, Ok(vec![b'x'; 19 + 1 + 32]));
    }

    #[test]
    fn copies_reach_into_earlier_blocks() {
        assert_eq!(decoded(&[0, 0x80, 0x31, 0], b"1234"), Ok(b"123".to_vec()));
    }

    #[test]
    fn copies_repeat_themselves() {
        let copied = decoded(&[0, 0x80, 0x70, 0], b"abc");
        assert_eq!(copied, Ok(b"abcabca".to_vec()));
    }

    #[test]
    fn copies_of_what_was_never_there_are_refused() {
        let fault = BlockFault::DistanceTooFar {
            distance: 3,
            available: 2,
        };
        assert_eq!(decoded(&[0, 0x80, 0x30, 0], b"ab"), Err(fault));
    }

    #[test]
    fn a_token_cut_off_is_refused() {
        for packed in [
            &[0][..],
            &[0, 0x80, 0x00],
            &[0, 0x80, 0x10, 0],
            &[0, 0x80, 0x20, 0],
        ] {
            assert_eq!(decoded(packed, b"abcdef"), Err(BlockFault::TokenCutOff));
        }
    }

    #[test]
    fn no_more_than_the_limit_comes_out() {
        let mut window = Vec::new();
        let run = [0, 0x80, 0x1F, 0xFF, b'x'];
        assert_eq!(decode(&run, &mut window, 4_113), Err(BlockFault::TooLarge));
        assert!(window.is_empty());
        assert_eq!(decode(&run, &mut window, 4_114), Ok(()));
        assert_eq!(window.len(), MAX_RUN);
    }

    #[test]
    fn every_length_and_distance_comes_back() {
        let runs = (MIN_LENGTH..=MAX_RUN).map(|length| Token::Run { value: 9, length });
        let copies = (MIN_LENGTH..=MAX_COPY).map(|length| Token::Copy {
            distance: 4000,
            length,
        });
        let distances = (MIN_LENGTH..=MAX_DISTANCE).map(|distance| Token::Copy {
            distance,
            length: 3 + distance % 100,
        });
        let all: Vec<Token> = runs.chain(copies).chain(distances).collect();
        let mut packed = Vec::new();
        encode(all.iter().copied(), &mut packed);
        let mut tokens = Tokens::new(&packed);
        for token in all {
            assert_eq!(tokens.next(), Ok(Some(token)));
        }
        assert_eq!(tokens.next(), Ok(None));
    }

    proptest::proptest! {
        #[test]
        fn arbitrary_bytes_do_not_panic(packed: Vec<u8>, before: Vec<u8>) {
            if let Ok(bytes) = decoded(&packed, &before) {
                proptest::prop_assert!(bytes.len() <= 65_535);
            }
        }
    }
}
