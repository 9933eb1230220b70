//! `.flags`: which games are the best ones.
//!
//! Four odd bytes, two big-endian numbers, then two bits for each game (three in ChessBase 12),
//! the lowest bits of a byte first. The first place is that of game 0, which does not exist.
//!
//! ```
//! use tabiya_chessbase::files::flags_file::{Flags, GameMarks};
//!
//! let mut flags = Flags::new(9);
//! flags.set(9, GameMarks { evaluated: true, top: true });
//! let flags = Flags::from_bytes(&flags.to_bytes()).unwrap();
//! assert!(flags.get(9).top && !flags.get(8).evaluated);
//! ```

use super::{FileError, FileKind};

/// What the file begins with.
const MAGIC: [u8; 4] = [0x0f, 0x01, 0x0b, 0x09];
/// Bytes of the header.
const HEADER: usize = 12;
/// The program makes room in steps of sixteen words.
const STEP: usize = 64;

/// The marks of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct GameMarks {
    /// The program has looked at it.
    pub evaluated: bool,
    /// It is one of the best.
    pub top: bool,
}

/// The marks of all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flags {
    words: u32,
    bits: u32,
    marks: Vec<u8>,
}

impl Flags {
    /// A file with room for so many games, none of them marked.
    #[must_use]
    pub fn new(games: u32) -> Flags {
        let bytes = ((games as usize + 1) * 2).div_ceil(8);
        let marks = vec![0; bytes.next_multiple_of(STEP)];
        Flags {
            words: (marks.len() / 4) as u32,
            bits: 2,
            marks,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it does not begin with the header of such a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Flags, FileError> {
        let bad = |offset, why| FileError::header(FileKind::Flags, offset, why);
        let Some((header, marks)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(bad(bytes.len() as u64, "it ends within the header"));
        };
        let number = |at: usize| {
            header[at..at + 4]
                .iter()
                .fold(0, |n, b| n << 8 | u32::from(*b))
        };
        match number(8) {
            _ if header[..4] != MAGIC => Err(bad(0, "it does not begin with 0f 01 0b 09")),
            bits @ 2..=8 => Ok(Flags {
                words: number(4),
                bits,
                marks: marks.to_vec(),
            }),
            _ => Err(bad(8, "an unknown number of bits for each game")),
        }
    }

    /// Writes a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = [self.words.to_be_bytes(), self.bits.to_be_bytes()];
        [&MAGIC, numbers.as_flattened(), self.marks.as_slice()].concat()
    }

    /// The marks of a game by its id; none if the file is too short for it.
    #[must_use]
    pub fn get(&self, game: u32) -> GameMarks {
        let bit = |place: u64| {
            let byte = usize::try_from(place / 8).ok();
            let byte = byte.and_then(|byte| self.marks.get(byte)).copied();
            byte.unwrap_or(0) >> (place % 8) & 1 != 0
        };
        let first = u64::from(game) * u64::from(self.bits);
        GameMarks {
            top: bit(first),
            evaluated: bit(first + 1),
        }
    }

    /// Marks a game, if the file has room for it. Returns whether it has.
    pub fn set(&mut self, game: u32, mark: GameMarks) -> bool {
        let first = u64::from(game) * u64::from(self.bits);
        if (first + 1) / 8 >= self.marks.len() as u64 {
            return false;
        }
        for (place, set) in [(first, mark.top), (first + 1, mark.evaluated)] {
            let byte = &mut self.marks[(place / 8) as usize];
            *byte = *byte & !(1 << (place % 8)) | u8::from(set) << (place % 8);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_where_the_program_puts_them() {
        let mut flags = Flags::new(255);
        let top = GameMarks {
            evaluated: true,
            top: true,
        };
        assert!(flags.set(6, top));
        assert!(!flags.set(256, top));
        let bytes = flags.to_bytes();
        assert_eq!(bytes.len(), 76);
        assert_eq!(
            bytes[..16],
            [15, 1, 11, 9, 0, 0, 0, 16, 0, 0, 0, 2, 0, 0x30, 0, 0]
        );
        assert_eq!(
            (flags.get(6), flags.get(5), flags.get(9999)),
            (top, GameMarks::default(), GameMarks::default())
        );
    }

    #[test]
    fn three_bits_for_each_game_are_read_too() {
        let mut bytes = Flags::new(2).to_bytes();
        bytes[11] = 3;
        bytes[12..14].copy_from_slice(&[0b1001_0000, 0]);
        let flags = Flags::from_bytes(&bytes).unwrap();
        let evaluated = GameMarks {
            evaluated: true,
            top: false,
        };
        assert_eq!(flags.get(1), evaluated);
        assert_eq!(flags.get(2), evaluated);
        assert_eq!(flags.to_bytes(), bytes);
    }

    #[test]
    fn other_files_are_refused() {
        let bytes = Flags::new(1).to_bytes();
        assert!(Flags::from_bytes(&bytes[..11]).is_err());
        for place in [0, 11] {
            let mut bytes = bytes.clone();
            bytes[place] = 99;
            assert!(Flags::from_bytes(&bytes).is_err());
        }
    }
}
