//! What the header of a game says about its annotations.

use super::{Item, kind};

/// What annotations there are, as the header of a game counts them.
///
/// Flags and magnitudes have more bits, which speak of the moves; these are 0 here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Which types there are.
    pub flags: u32,
    /// All medals of the game and its moves.
    pub medals: u16,
    /// Which there are many of.
    pub magnitudes: u16,
}

/// The flag of a type.
const FLAGS: [(u8, u32); 20] = [
    (kind::TEXT_AFTER, 2),
    (kind::TEXT_BEFORE, 2),
    (kind::GLYPHS, 3),
    (kind::SQUARES, 4),
    (kind::ARROWS, 5),
    (kind::TIME_SPENT, 7),
    (kind::UNKNOWN_08, 8),
    (kind::TRAINING, 9),
    (kind::SOUND, 16),
    (kind::PICTURE, 17),
    (kind::VIDEO, 18),
    (kind::QUOTATION, 19),
    (kind::PAWN_STRUCTURE, 20),
    (kind::PIECE_PATH, 21),
    (kind::WHITE_CLOCK, 22),
    (kind::BLACK_CLOCK, 23),
    (kind::CRITICAL, 24),
    (kind::CORRESPONDENCE, 25),
    (kind::UNKNOWN_1A, 26),
    (kind::WEB_LINK, 28),
];

/// So many bytes of text are much, and so many items of other types, by their flags.
const MUCH_TEXT: usize = 201;
const MANY: [(u32, usize); 5] = [(3, 10), (4, 10), (5, 6), (7, 10), (9, 6)];

/// The flag of texts.
const COMMENTARY: u32 = 2;

impl Facts {
    /// The facts about some items.
    ///
    /// ```
    /// use tabiya_chessbase::annotations::{Facts, Item};
    ///
    /// let novelty = Item { position: 9, kind: 0x22, data: &[0, 0, 0, 8] };
    /// let good = Item { position: 9, kind: 0x03, data: &[1] };
    /// let facts = Facts::of([novelty, good]);
    /// assert_eq!((facts.flags, facts.medals, facts.magnitudes), (0b1000, 8, 0));
    /// ```
    pub fn of<'a>(items: impl IntoIterator<Item = Item<'a>>) -> Facts {
        Facts::count(items.into_iter().map(|item| {
            let medals = match (item.kind, item.data) {
                (kind::MEDALS, &[_, _, high, low]) => u16::from_be_bytes([high, low]),
                _ => 0,
            };
            (item.kind, item.data.len().saturating_sub(2), medals)
        }))
    }

    /// The same from types, each with the bytes of its text, and its medals.
    pub(crate) fn count(items: impl Iterator<Item = (u8, usize, u16)>) -> Facts {
        let mut facts = Facts::default();
        let mut counts = [0usize; 32];
        let mut text = 0usize;
        for (kind, letters, medals) in items {
            if let Some((_, flag)) = FLAGS.iter().find(|(it, _)| *it == kind) {
                facts.flags |= 1 << flag;
                counts[*flag as usize] += 1;
                if *flag == COMMENTARY {
                    text += letters;
                }
            }
            facts.medals |= medals;
        }
        if text >= MUCH_TEXT {
            facts.magnitudes |= 1 << COMMENTARY;
        }
        for (flag, many) in MANY {
            if counts[flag as usize] >= many {
                facts.magnitudes |= 1 << flag;
            }
        }
        facts
    }
}

/// The two lowest bits of the magnitudes, from the number of plies in variations.
#[must_use]
pub const fn variations_magnitude(plies: usize) -> u16 {
    match plies {
        0..=50 => 0,
        51..=300 => 1,
        301..=1000 => 2,
        _ => 3,
    }
}
