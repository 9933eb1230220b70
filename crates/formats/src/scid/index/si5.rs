//! The index of version 5: 56 bytes a game and nothing else, low bytes first.

use super::{Entry, HomePawns, PackedDate, bits_of, rating, result_of};

/// The bytes of a record.
pub(in crate::scid) const RECORD: usize = 56;

pub(in crate::scid) fn read(bytes: &[u8; RECORD]) -> Entry {
    let (words, list) = bytes.split_at(48);
    let mut word = [0; 12];
    for (word, bytes) in word.iter_mut().zip(words.chunks_exact(4)) {
        *word = bytes
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | u32::from(*byte));
    }
    let mut home_pawns = HomePawns {
        count: (word[11] >> 24) as u8,
        list: [0; 8],
    };
    home_pawns.list.copy_from_slice(list);
    let low = |word: u32, bits: u32| word & ((1 << bits) - 1);
    Entry {
        offset: u64::from(low(word[8], 15)) << 32 | u64::from(word[9]),
        length: word[8] >> 15,
        names: [
            low(word[2], 28),
            word[3],
            low(word[4], 31),
            low(word[0], 28),
            low(word[1], 28),
        ],
        flags: low(word[7], 22),
        result: result_of(word[11] >> 16),
        nags: (word[2] >> 28) as u8,
        comments: (word[0] >> 28) as u8,
        variations: (word[1] >> 28) as u8,
        eco: word[11] as u16,
        date: PackedDate(low(word[5], 20)),
        event_date: PackedDate(low(word[6], 20)),
        ratings: [
            rating(word[11] >> 21 & 7, word[5] >> 20),
            rating(word[11] >> 18 & 7, word[6] >> 20),
        ],
        line: (word[10] >> 24) as u8,
        material: low(word[10], 24),
        plies: (word[7] >> 22) as u16,
        home_pawns,
        chess960: word[4] >> 31 != 0,
    }
}

/// Where the record of a game ends.
pub(in crate::scid) fn end(bytes: &[u8; RECORD]) -> u64 {
    let word = |at: usize| {
        let [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        u64::from(u32::from_le_bytes([a, b, c, d]))
    };
    let (high, low) = (word(32), word(36));
    ((high & 0x7fff) << 32 | low) + (high >> 15)
}

pub(in crate::scid) fn write(entry: &Entry) -> [u8; RECORD] {
    let [event, site, round, white, black] = entry.names;
    let [white_rating, black_rating] = entry.ratings;
    let high = |value: u8, bits: u32| u32::from(value) << bits;
    let words = [
        high(entry.comments, 28) | white,
        high(entry.variations, 28) | black,
        high(entry.nags, 28) | event,
        site,
        u32::from(entry.chess960) << 31 | round,
        u32::from(white_rating.value) << 20 | entry.date.0,
        u32::from(black_rating.value) << 20 | entry.event_date.0,
        u32::from(entry.plies) << 22 | entry.flags,
        entry.length << 15 | (entry.offset >> 32) as u32,
        entry.offset as u32,
        high(entry.line, 24) | entry.material,
        high(entry.home_pawns.count, 24)
            | high(white_rating.kind, 21)
            | high(black_rating.kind, 18)
            | bits_of(entry.result) << 16
            | u32::from(entry.eco),
    ];
    let mut out = [0; RECORD];
    for (bytes, word) in out.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    out[48..].copy_from_slice(&entry.home_pawns.list);
    out
}
