//! Whether a file looks like a `.cdb`.

use super::TAGS;
use super::layout::{Generation, Header, Layout, game_length, plies_at, u32_at};
use crate::registry::Certainty;

/// The years 2020 and 2100 in nanoseconds: the program is not older.
const YEARS: std::ops::Range<u64> = 1_577_836_800_000_000_000..4_102_444_800_000_000_000;

/// Whether the first bytes of a file look like those of a `.cdb`; `length` is that of the whole
/// file, if it is known. There is no magic, so this is a guess: sure is a header of its time with
/// numbers that fit each other, the length and all the games in sight.
#[must_use]
pub fn looks_like_cdb(head: &[u8], length: Option<u64>) -> Certainty {
    if length == Some(head.len() as u64) {
        return match Layout::find(head) {
            Some(layout) if YEARS.contains(&layout.header.created) => Certainty::Sure,
            Some(_) => Certainty::Perhaps,
            None => Certainty::No,
        };
    }
    let guesses = Generation::ALL.into_iter().map(|generation| {
        let header = Header::read(head, generation)?;
        guess(&header, head, length)
    });
    guesses.flatten().max().unwrap_or(Certainty::No)
}

/// How sure it is that the games in sight belong to a header; `None` if they do not.
fn guess(header: &Header, head: &[u8], length: Option<u64>) -> Option<Certainty> {
    let start = header.generation.header();
    let games = u64::from(header.games);
    // The fewest bytes that so many games and strings take.
    let fewest = start as u64 + games * game_length(0) as u64;
    let most = start as u64 + games * game_length(u16::MAX) as u64;
    let games_end = match header.index {
        Some(index) if (fewest..=most).contains(&index) => index,
        Some(_) => return None,
        None => fewest,
    };
    let end = games_end + games * header.generation.entry() as u64 + u64::from(header.strings);
    if header.games == 0 || header.strings == 0 || length.is_some_and(|length| end > length) {
        return None;
    }
    let mut at = start;
    for seen in 0..header.games {
        let Some(plies) = plies_at(head, at) else {
            let sure = seen > 0 && YEARS.contains(&header.created);
            return Some(if sure {
                Certainty::Sure
            } else {
                Certainty::Perhaps
            });
        };
        let mut ids = (0..TAGS.len()).filter_map(|slot| u32_at(head, at + 4 * slot));
        if ids.any(|id| id >= header.strings) {
            return None;
        }
        at += game_length(plies);
        if header.index.is_some_and(|index| at as u64 > index) {
            return None;
        }
    }
    Some(Certainty::Sure)
}
