//! The list of members at the beginning of an archive.
//!
//! ```text
//! 0  u16  8, the length of this header          4  u16  173, the length of a record
//! 2  u16  how many members                      6  u16  3, most likely a version
//! ```
//!
//! All numbers are little-endian. A record:
//!
//! | offset | bytes | |
//! |---|---|---|
//! | 0 | 128 | name, Windows-1252, ended by a zero; anything may follow |
//! | 128, 132, 136 | 4 each | offset of the data, its length, the length of the file |
//! | 140 | 1 | 1 in all files seen |
//! | 141, 145 | 4 each | date and time of the file, in decimal digits: 20160806, 15180712 |
//! | 149, 157, 165 | 8 each | offset, length of the data and of the file once more |

use std::{
    fmt,
    time::{SystemTime, UNIX_EPOCH},
};

use super::{
    ArchiveError, ArchiveErrorKind,
    name::{self, NAME_FIELD, Taken},
};

pub(super) const HEADER: usize = 8;
pub(super) const RECORD: usize = 173;

const HEADER_LEN: u16 = HEADER as u16;
const RECORD_LEN: u16 = RECORD as u16;
const VERSION: u16 = 3;

/// A record has a name and three numbers of 32 bits at least.
const SHORTEST: usize = NAME_FIELD + 12;
/// Its length has a byte of its own, with a zero behind it.
const LONGEST: usize = u8::MAX as usize;

/// The byte before the date.
const ALWAYS_ONE: u8 = 1;

/// A file in an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    pub(super) name: String,
    pub(super) start: u64,
    pub(super) packed: u64,
    pub(super) size: u64,
    pub(super) modified: Option<Modified>,
}

impl Member {
    /// The name, with `/` between folders. It is safe to join to a path: it neither leaves the
    /// folder nor means something special on another system.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes that it takes in the archive.
    pub fn packed(&self) -> u64 {
        self.packed
    }

    /// When the file was last written, if the archive tells.
    pub fn modified(&self) -> Option<Modified> {
        self.modified
    }

    fn end(&self) -> Option<u64> {
        self.start.checked_add(self.packed)
    }
}

/// When a file was last written, by the clock on the wall of whoever packed it.
///
/// Stored as it is read aloud: `20160806` and `15180712` for 6 August 2016, 15:18:07.12.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modified {
    /// Year, month, day.
    pub date: u32,
    /// Hour, minute, second, hundredth.
    pub time: u32,
}

impl Modified {
    /// The same in the world's time zone, which is not that of the wall; `None` outside the years
    /// 1970 to 9999.
    pub fn from_system_time(time: SystemTime) -> Option<Modified> {
        let since = time.duration_since(UNIX_EPOCH).ok()?;
        let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
        let (year, month, day) = civil_date(days)?;
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        let time = (hour * 100 + minute) * 100 + second;
        Some(Modified {
            date: (year * 100 + month) * 100 + day,
            time: time as u32 * 100 + since.subsec_millis() / 10,
        })
    }
}

impl fmt::Display for Modified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Modified { date, time } = self;
        let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
        let (hour, minute, second) = (time / 1_000_000, time / 10_000 % 100, time / 100 % 100);
        write!(f, "{year:04}-{month:02}-{day:02} ")?;
        write!(f, "{hour:02}:{minute:02}:{second:02}")
    }
}

/// Year, month and day of a day since 1 January 1970.
fn civil_date(mut days: u64) -> Option<(u32, u32, u32)> {
    let mut year = 1970;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
        if year > 9999 {
            return None;
        }
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    Some((year, month, days as u32 + 1))
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// What the first bytes of an archive say about its list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Directory {
    /// How many members there are.
    pub members: u16,
    /// Bytes of a record.
    pub record: usize,
    /// Whether it is laid out as in all archives seen.
    pub is_usual: bool,
}

impl Directory {
    /// Reads the first bytes; `None` if they are not those of an archive. An archive says how long
    /// its records are: shorter ones have no numbers of 64 bits, longer ones say more.
    pub fn parse(bytes: [u8; HEADER]) -> Option<Directory> {
        let [header, members, record, version] = words(bytes);
        let record = usize::from(record);
        let is_one = header == HEADER_LEN && (SHORTEST..=LONGEST).contains(&record);
        is_one.then_some(Directory {
            members,
            record,
            is_usual: (record, version) == (RECORD, VERSION),
        })
    }

    /// Bytes of the list.
    pub fn len(self) -> usize {
        usize::from(self.members) * self.record
    }
}

fn words(bytes: [u8; HEADER]) -> [u16; 4] {
    let [a, b, c, d, e, f, g, h] = bytes;
    [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes)
}

pub(super) fn header(members: u16) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let words = [HEADER_LEN, members, RECORD_LEN, VERSION];
    for (field, word) in header.as_chunks_mut().0.iter_mut().zip(words) {
        *field = word.to_le_bytes();
    }
    header
}

impl Member {
    /// Reads a record. Where the data is has not been checked yet.
    fn parse(record: &[u8]) -> Result<Member, ArchiveErrorKind> {
        let (name, numbers) = record
            .split_first_chunk()
            .expect("a record begins with a name");
        let short = |at: usize| u32_at(numbers, at - NAME_FIELD);
        let long = |at: usize| {
            let low = u64::from(short(at));
            low | u64::from(short(at + 4)) << 32
        };
        let (date, time) = (short(141), short(145));
        Ok(Member {
            name: name::parse(name)?,
            start: agreed("offset", short(128), long(149))?,
            packed: agreed("packed size", short(132), long(157))?,
            size: agreed("size", short(136), long(165))?,
            modified: (date != 0).then_some(Modified { date, time }),
        })
    }

    pub(super) fn to_record(&self) -> Result<[u8; RECORD], ArchiveErrorKind> {
        let mut record = Vec::with_capacity(RECORD);
        record.extend(name::to_field(&self.name)?);
        for number in [self.start, self.packed, self.size] {
            // What ChessBase puts here for 4 GiB and more has not been seen.
            let short = u32::try_from(number).unwrap_or(u32::MAX);
            record.extend(short.to_le_bytes());
        }
        let modified = self.modified.unwrap_or(Modified { date: 0, time: 0 });
        record.push(ALWAYS_ONE);
        record.extend(modified.date.to_le_bytes());
        record.extend(modified.time.to_le_bytes());
        for number in [self.start, self.packed, self.size] {
            record.extend(number.to_le_bytes());
        }
        Ok(record.try_into().expect("the fields make a record"))
    }
}

/// A number; 0 if the record ends before it.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let field = bytes.get(at..).and_then(|field| field.first_chunk());
    field.map_or(0, |field| u32::from_le_bytes(*field))
}

/// A number from its two forms. One may be missing; the short one has no room for more than 4 GiB.
fn agreed(field: &'static str, short: u32, long: u64) -> Result<u64, ArchiveErrorKind> {
    match (short, long) {
        (_, 0) => Ok(u64::from(short)),
        (0, _) => Ok(long),
        _ if long > u64::from(u32::MAX) || long == u64::from(short) => Ok(long),
        _ => Err(ArchiveErrorKind::Contradiction { field, short, long }),
    }
}

/// Reads all records of an archive of `len` bytes, and refuses lists that contradict themselves.
pub(super) fn parse_members(
    records: &[u8],
    record_len: usize,
    len: u64,
) -> Result<Vec<Member>, ArchiveError> {
    let directory_end = (HEADER + records.len()) as u64;
    let mut members = Vec::new();
    let mut taken = Taken::default();
    for (number, record) in records.chunks_exact(record_len).enumerate() {
        let at = |kind| ArchiveError::from(kind).at((HEADER + number * record_len) as u64);
        let member = Member::parse(record).map_err(at)?;
        taken.take(&member.name).map_err(at)?;
        let is_inside = member.start >= directory_end && member.end().is_some_and(|end| end <= len);
        // Nothing may be anywhere.
        if member.packed > 0 && !is_inside {
            let kind = ArchiveErrorKind::RecordOutOfRange {
                start: member.start,
                packed: member.packed,
            };
            return Err(at(kind).in_member(&member.name));
        }
        members.push(member);
    }
    check_overlaps(&members)?;
    Ok(members)
}

fn check_overlaps(members: &[Member]) -> Result<(), ArchiveError> {
    let mut by_start: Vec<&Member> = members.iter().filter(|member| member.packed > 0).collect();
    by_start.sort_by_key(|member| member.start);
    for pair in by_start.windows(2) {
        if pair[0].end() > Some(pair[1].start) {
            let other = pair[0].name.clone();
            let error = ArchiveError::from(ArchiveErrorKind::Overlap { other });
            return Err(error.in_member(&pair[1].name).at(pair[1].start));
        }
    }
    Ok(())
}
