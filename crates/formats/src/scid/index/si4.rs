//! The index of version 4: a header, then 47 bytes a game, high bytes first.

use std::ops::RangeInclusive;

use super::{Entry, HomePawns, PackedDate, bits_of, rating, result_of};
use crate::scid::{
    error::{Error, ErrorKind, File},
    info::Information,
};

pub(in crate::scid) const MAGIC: [u8; 8] = *b"Scid.si\0";

/// The bytes of a record.
pub(in crate::scid) const RECORD: usize = 47;
/// The bytes of a record of version 3.
pub(in crate::scid) const OLD_RECORD: usize = 46;
/// The bytes of the header.
pub(in crate::scid) const HEADER: usize = 182;
/// The bytes of the header of version 3, which has no names of flags.
pub(in crate::scid) const OLD_HEADER: usize = 128;

const VERSION: u16 = 400;
const OLD_VERSIONS: RangeInclusive<u16> = 300..=399;

/// The longest description and the longest name of a flag; behind each stands a zero.
pub(in crate::scid) const DESCRIPTION: usize = 107;
pub(in crate::scid) const FLAG_NAME: usize = 8;

/// What the header says.
#[derive(Clone, Debug)]
pub(in crate::scid) struct Header {
    pub old: bool,
    pub games: u32,
    pub info: Information,
}

impl Header {
    /// Reads a header.
    pub(in crate::scid) fn read(bytes: &[u8]) -> Result<Header, Error> {
        let fail = |kind: ErrorKind, offset| Err(kind.at(File::Index, offset));
        if !bytes.starts_with(&MAGIC) || bytes.len() < OLD_HEADER {
            return fail(ErrorKind::BadMagic(File::Index), 0);
        }
        let version = be(bytes, 8, 2) as u16;
        let old = OLD_VERSIONS.contains(&version);
        if version != VERSION && !old {
            return fail(ErrorKind::BadVersion(version), 8);
        }
        if !old && bytes.len() < HEADER {
            return fail(ErrorKind::BadMagic(File::Index), 0);
        }
        let mut info = Information {
            kind: be(bytes, 10, 4),
            autoload: be(bytes, 17, 3),
            description: text(&bytes[20..OLD_HEADER]),
            ..Information::default()
        };
        if !old {
            let names = bytes[OLD_HEADER..HEADER].chunks_exact(FLAG_NAME + 1);
            for (name, field) in info.flags.iter_mut().zip(names) {
                *name = text(field);
            }
        }
        Ok(Header {
            old,
            games: be(bytes, 14, 3),
            info,
        })
    }

    /// The bytes of a header of version 4.
    pub(in crate::scid) fn write(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_be_bytes());
        bytes[10..14].copy_from_slice(&self.info.kind.to_be_bytes());
        bytes[14..17].copy_from_slice(&self.games.to_be_bytes()[1..]);
        bytes[17..20].copy_from_slice(&self.info.autoload.to_be_bytes()[1..]);
        put_text(&mut bytes[20..OLD_HEADER], &self.info.description);
        let names = bytes[OLD_HEADER..].chunks_exact_mut(FLAG_NAME + 1);
        for (name, field) in self.info.flags.iter().zip(names) {
            put_text(field, name);
        }
        bytes
    }
}

/// A text of a field, up to its zero.
fn text(field: &[u8]) -> Vec<u8> {
    let end = field.iter().position(|byte| *byte == 0);
    field[..end.unwrap_or(field.len())].to_vec()
}

/// Puts a text before a zero.
fn put_text(field: &mut [u8], text: &[u8]) {
    let room = field.len() - 1;
    for (byte, of_text) in field[..room].iter_mut().zip(text) {
        *byte = *of_text;
    }
}

/// A number of some bytes. All places are within what the caller has.
fn be(bytes: &[u8], at: usize, count: usize) -> u32 {
    let bytes = bytes[at..at + count].iter();
    bytes.fold(0, |number, byte| number << 8 | u32::from(*byte))
}

pub(in crate::scid) fn read(bytes: &[u8; RECORD]) -> Entry {
    let at = |at, count| be(bytes, at, count);
    let (players, others) = (at(9, 1), at(14, 1));
    let counts = at(21, 2);
    let date = PackedDate(at(25, 4) & 0xf_ffff);
    let ratings = [at(29, 2), at(31, 2)];
    let (material, plies) = (at(33, 4), at(38, 1));
    let mut list = [0; 8];
    list.copy_from_slice(&bytes[39..]);
    Entry {
        offset: at(0, 4).into(),
        length: at(4, 2) | (at(6, 1) & 0x80) << 9,
        names: [
            at(15, 2) | (others >> 5) << 16,
            at(17, 2) | (others >> 2 & 7) << 16,
            at(19, 2) | (others & 3) << 16,
            at(10, 2) | (players >> 4) << 16,
            at(12, 2) | (players & 15) << 16,
        ],
        flags: at(7, 2) | (at(6, 1) & 0x3f) << 16,
        result: result_of(counts >> 12),
        nags: (counts >> 8 & 15) as u8,
        comments: (counts >> 4 & 15) as u8,
        variations: (counts & 15) as u8,
        eco: at(23, 2) as u16,
        date,
        event_date: event_date(at(25, 4) >> 20, date),
        ratings: ratings.map(|word| rating(word >> 12, word & 0xfff)),
        line: (material >> 24) as u8,
        material: material & 0xff_ffff,
        plies: (at(37, 1) | (plies >> 6) << 8) as u16,
        home_pawns: HomePawns {
            count: (plies & 0x3f) as u8,
            list,
        },
        chess960: false,
    }
}

/// Where the record of a game ends, by its first bytes and the one with the last bit of its length.
pub(in crate::scid) fn end(first: &[u8; 6], high: u8) -> u64 {
    let [a, b, c, d, e, f] = *first;
    let length = u64::from(u16::from_be_bytes([e, f])) | u64::from(high & 0x80) << 9;
    u64::from(u32::from_be_bytes([a, b, c, d])) + length
}

/// The year of an event is stored by how far it is from that of the game: 4 is the same year.
fn event_date(bits: u32, date: PackedDate) -> PackedDate {
    match bits >> 9 {
        0 => PackedDate::default(),
        code => {
            let year = (date.year() + code).saturating_sub(4).min(2_047);
            PackedDate::of_parts(year, bits >> 5 & 15, bits & 31)
        }
    }
}

/// The bits of the date of an event; 0 if its year is too far from that of the game.
fn event_bits(event: PackedDate, date: PackedDate) -> u32 {
    match (event.year() + 4).checked_sub(date.year()) {
        Some(code @ 1..=7) => code << 9 | event.month() << 5 | event.day(),
        _ => 0,
    }
}

/// Whether the date of an event can be told from what is stored of it.
pub(in crate::scid) fn holds_event_date(event: PackedDate, date: PackedDate) -> bool {
    event_date(event_bits(event, date), date) == event
}

pub(in crate::scid) fn write(entry: &Entry) -> [u8; RECORD] {
    let mut out = [0; RECORD];
    let mut at = 0;
    let mut put = |value: u32, count: usize| {
        out[at..at + count].copy_from_slice(&value.to_be_bytes()[4 - count..]);
        at += count;
    };
    let [event, site, round, white, black] = entry.names;
    put(entry.offset as u32, 4);
    put(entry.length, 2);
    put(entry.length >> 16 << 7 | entry.flags >> 16 & 0x3f, 1);
    put(entry.flags, 2);
    put(white >> 16 << 4 | black >> 16 & 15, 1);
    put(white, 2);
    put(black, 2);
    put(
        event >> 16 << 5 | (site >> 16 & 7) << 2 | round >> 16 & 3,
        1,
    );
    put(event, 2);
    put(site, 2);
    put(round, 2);
    let counts = [entry.nags, entry.comments, entry.variations];
    let counts = counts.iter().fold(bits_of(entry.result), |bits, count| {
        bits << 4 | u32::from(*count)
    });
    put(counts, 2);
    put(entry.eco.into(), 2);
    put(
        event_bits(entry.event_date, entry.date) << 20 | entry.date.0,
        4,
    );
    for rating in entry.ratings {
        put(u32::from(rating.kind) << 12 | u32::from(rating.value), 2);
    }
    put(u32::from(entry.line) << 24 | entry.material, 4);
    let plies = u32::from(entry.plies);
    put(plies, 1);
    put(plies >> 8 << 6 | u32::from(entry.home_pawns.count), 1);
    out[39..].copy_from_slice(&entry.home_pawns.list);
    out
}
