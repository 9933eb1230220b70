//! The index: what is known of every game without looking at its moves.

pub mod fields;
pub(super) mod si4;
pub(super) mod si5;

use tabiya_game::GameResult;

use super::Version;
pub use fields::{PackedDate, Rating};

/// What the index says of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// Where its record begins in the game file.
    pub offset: u64,
    /// How long its record is.
    pub length: u32,
    /// The numbers of its names, in the order of [`NAMES`].
    pub names: [u32; 5],
    /// See [`fields::flags`].
    pub flags: u32,
    /// How it ended; forfeits are wins.
    pub result: GameResult,
    /// The code of the number of glyphs, [`fields::count_of_code`].
    pub nags: u8,
    /// The code of the number of comments.
    pub comments: u8,
    /// The code of the number of variations.
    pub variations: u8,
    /// The opening, [`fields::eco_text`].
    pub eco: u16,
    /// When it was played.
    pub date: PackedDate,
    /// When the event began.
    pub event_date: PackedDate,
    /// The ratings of White and Black.
    pub ratings: [Rating; 2],
    /// The code of the opening line that it begins with.
    pub line: u8,
    /// The pieces that were left after the main line.
    pub material: u32,
    /// The plies of the main line, modulo 1024.
    pub plies: u16,
    /// In which order pawns left home.
    pub home_pawns: HomePawns,
    /// It castles as only Chess960 does; si5 alone knows.
    pub chess960: bool,
}

/// What the names of an [`Entry`] are, in order; also the order in which new ones get numbers.
pub const NAMES: [&str; 5] = ["Event", "Site", "Round", "White", "Black"];

/// In which order the pawns of a main line left home, each in half a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HomePawns {
    /// How many left.
    pub count: u8,
    /// Which: 15 for a2 to 8 for h2, 7 for a7 to 0 for h7, the high half first.
    pub list: [u8; 8],
}

impl HomePawns {
    pub(super) fn push(&mut self, pawn: u8) {
        if let Some(byte) = self.list.get_mut(usize::from(self.count / 2)) {
            *byte |= match self.count % 2 {
                0 => pawn << 4,
                _ => pawn,
            };
            self.count += 1;
        }
    }
}

impl Entry {
    /// Whether all bits of a flag are set.
    #[must_use]
    pub const fn has(&self, flag: u32) -> bool {
        self.flags & flag == flag
    }
}

/// Reads a record of a version; `None` if it is too short.
pub(super) fn read(version: Version, bytes: &[u8]) -> Option<Entry> {
    match version {
        Version::Si3 => {
            // The older layout has no byte of custom flags.
            let (head, tail) = bytes.split_at_checked(6)?;
            let mut wide = [0; si4::RECORD];
            wide[..6].copy_from_slice(head);
            wide[7..].copy_from_slice(tail.get(..40)?);
            Some(si4::read(&wide))
        }
        Version::Si4 => Some(si4::read(bytes.first_chunk()?)),
        Version::Si5 => Some(si5::read(bytes.first_chunk()?)),
    }
}

/// Where the record of a game ends in the game file. All of an index is asked for it, so nothing
/// else is looked at.
pub(super) fn end(version: Version, bytes: &[u8]) -> Option<u64> {
    match version {
        // In the older layout nothing is longer than 16 bits can say.
        Version::Si3 => Some(si4::end(bytes.first_chunk()?, 0)),
        Version::Si4 => Some(si4::end(bytes.first_chunk()?, *bytes.get(6)?)),
        Version::Si5 => Some(si5::end(bytes.first_chunk()?)),
    }
}

/// Adds a record of a version that is written.
pub(super) fn write(version: Version, entry: &Entry, out: &mut Vec<u8>) {
    match version {
        Version::Si3 | Version::Si4 => out.extend_from_slice(&si4::write(entry)),
        Version::Si5 => out.extend_from_slice(&si5::write(entry)),
    }
}

/// Results by their number.
const RESULTS: [GameResult; 4] = [
    GameResult::Unknown,
    GameResult::WhiteWins,
    GameResult::BlackWins,
    GameResult::Draw,
];

fn result_of(bits: u32) -> GameResult {
    RESULTS[bits as usize & 3]
}

fn bits_of(result: GameResult) -> u32 {
    match result.token() {
        "1-0" => 1,
        "0-1" => 2,
        "1/2-1/2" => 3,
        _ => 0,
    }
}

/// Types without a name count as the first.
fn rating(kind: u32, value: u32) -> Rating {
    Rating {
        kind: if kind < 7 { kind as u8 } else { 0 },
        value: value as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_game_is_found_without_the_rest_of_its_entry() {
        for (offset, length) in [(0, 0), (1, 2), (0xffff_ffff, 0x1_ffff), (7, 0x1_0000)] {
            let entry = Entry {
                offset,
                length,
                flags: fields::flags::of_letters(fields::flags::LETTERS),
                ..Entry::default()
            };
            for version in [Version::Si4, Version::Si5] {
                let mut bytes = Vec::new();
                write(version, &entry, &mut bytes);
                assert_eq!(end(version, &bytes), Some(offset + u64::from(length)));
            }
        }
        let far = Entry {
            offset: 0x7fff_ffff_ffff,
            length: 1,
            ..Entry::default()
        };
        let mut bytes = Vec::new();
        write(Version::Si5, &far, &mut bytes);
        assert_eq!(end(Version::Si5, &bytes), Some(0x8000_0000_0000));
    }
}
