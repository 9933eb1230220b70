//! The positions whose keys begin with the same bits.
//!
//! ```text
//! seed, segments                  four bytes each: where the places of the table are
//! segment bits, bucket bits       one byte each
//! nothing                         two bytes
//! bytes of the runs               four bytes
//! where each bucket begins        four bytes each, from the first run
//! runs                            by buckets: a byte of the key, the length as LEB128, the run
//! table                           for positions of one game: its row without the lowest bits
//! ```
//!
//! The bits of a key behind those of the shard tell the bucket, and eight more its byte.

use std::ops::Range;

use tabiya_search::tree::Tally;

use super::{
    bits::BitWriter,
    entry::{self, Entry},
    file::{Damaged, File, Foot},
    fuse::{self, Filler},
    run::{self, Run, Visit},
};
use crate::number;

const HEAD: usize = 16;

/// So many runs share a bucket, about.
const BUCKET: usize = 8;

/// Writes a shard of entries in the order of their keys, those of one key by rows and plies.
pub(super) fn write(
    entries: &mut [Entry],
    foot: &Foot,
    filler: &mut Filler,
    tally: impl Fn(&[Visit]) -> Tally,
) -> Vec<u8> {
    let mut singles: Vec<(u64, u32)> = Vec::with_capacity(entries.len());
    let mut runs = Runs::default();
    let (mut places, mut visits) = (Vec::new(), Vec::new());
    let key = |entry: &Entry| foot.narrow(entry.key);
    for group in entries.chunk_by_mut(|one, other| key(one) == key(other)) {
        let first = group[0];
        let is_one = group.iter().all(|entry| entry.is_same(&first));
        if is_one && first.row() == group[group.len() - 1].row() {
            singles.push((key(&first), first.row() >> foot.group_bits));
            continue;
        }
        if !is_one {
            group.sort_by_key(Entry::identity);
        }
        for position in group.chunk_by(Entry::is_same) {
            entry::visits(position, &mut places, &mut visits);
            run::write(&visits, foot.row_bits(), &tally, &mut runs.bits);
            runs.ends.push((key(&first), runs.bits.end()));
        }
    }
    let (shape, table) = filler.build(&singles);
    let bucket_bits = (runs.ends.len() / BUCKET).max(1).ilog2();
    let (buckets, records) = write_runs(runs, foot, bucket_bits);
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&shape.seed.to_le_bytes());
    bytes.extend_from_slice(&shape.segments.to_le_bytes());
    bytes.extend_from_slice(&[shape.segment_bits as u8, bucket_bits as u8, 0, 0]);
    bytes.extend_from_slice(&(records.len() as u32).to_le_bytes());
    for bucket in buckets {
        bytes.extend_from_slice(&bucket.to_le_bytes());
    }
    bytes.extend_from_slice(&records);
    bytes.extend_from_slice(&fuse::pack(table, foot.value_bits()));
    bytes
}

/// Runs, one behind the other.
#[derive(Default)]
struct Runs {
    bits: BitWriter,
    /// The key of each, and where it ends.
    ends: Vec<(u64, usize)>,
}

/// Where each bucket begins, and the runs.
fn write_runs(runs: Runs, foot: &Foot, bucket_bits: u32) -> (Vec<u32>, Vec<u8>) {
    let mut buckets = Vec::with_capacity(1 << bucket_bits);
    let (bytes, mut start) = (runs.bits.into_bytes(), 0);
    let mut records = Vec::with_capacity(bytes.len() + 3 * runs.ends.len());
    for (key, end) in runs.ends {
        let run = &bytes[start..end];
        start = end;
        let (bucket, tag) = bucket_of(foot.shard_of(key).1, bucket_bits);
        while buckets.len() <= bucket {
            buckets.push(records.len() as u32);
        }
        records.push(tag);
        number::put_bytes(run, &mut records);
    }
    buckets.resize(1 << bucket_bits, records.len() as u32);
    (buckets, records)
}

/// The bucket of the bits of a key, and the byte in it.
fn bucket_of(bits: u64, bucket_bits: u32) -> (usize, u8) {
    let bucket = bits.checked_shr(64 - bucket_bits).unwrap_or(0);
    (bucket as usize, (bits << bucket_bits >> 56) as u8)
}

/// A shard that is read.
pub(super) struct Shard<'a> {
    file: &'a File,
    shape: fuse::Shape,
    bucket_bits: u32,
    buckets: usize,
    runs: Range<usize>,
    table: Range<usize>,
}

impl<'a> Shard<'a> {
    pub fn open(file: &'a File, number: usize) -> Result<Shard<'a>, Damaged> {
        let place = file.shard(number)?;
        let buckets = place.start.checked_add(HEAD).ok_or(Damaged)?;
        let head = file.get(place.start..buckets)?;
        let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four"));
        let shape = fuse::Shape {
            seed: number(0),
            segments: number(4),
            segment_bits: head[8].into(),
        };
        let bucket_bits = u32::from(head[9]);
        if shape.segment_bits > 16 || bucket_bits > 24 {
            return Err(Damaged);
        }
        let runs = buckets + (4 << bucket_bits);
        let table = runs + number(12) as usize;
        let bits = shape.places() * u64::from(file.foot.value_bits());
        if table as u64 + bits.div_ceil(8) != place.end as u64 {
            return Err(Damaged);
        }
        Ok(Shard {
            file,
            shape,
            bucket_bits,
            buckets,
            runs: runs..table,
            table: table..place.end,
        })
    }

    /// The runs that may be of a key whose bits behind the shard are these.
    pub fn runs(
        &self,
        bits: u64,
    ) -> Result<impl Iterator<Item = Result<Run<'a>, Damaged>>, Damaged> {
        let (bucket, tag) = bucket_of(bits, self.bucket_bits);
        let start = self.bucket(bucket)?;
        let end = match bucket + 1 < 1 << self.bucket_bits {
            true => self.bucket(bucket + 1)?,
            false => self.runs.end,
        };
        let mut rest = self.file.get(start..end)?;
        let row_bits = self.file.foot.row_bits();
        Ok(std::iter::from_fn(move || {
            loop {
                let (&own, mut behind) = rest.split_first()?;
                let Some(bytes) = number::take_bytes(&mut behind) else {
                    rest = &[];
                    return Some(Err(Damaged));
                };
                rest = behind;
                if own == tag {
                    return Some(Run::read(bytes, row_bits).ok_or(Damaged));
                }
            }
        }))
    }

    fn bucket(&self, bucket: usize) -> Result<usize, Damaged> {
        let at = self.buckets + 4 * bucket;
        let bytes = self.file.get(at..at + 4)?.try_into().expect("four");
        Ok(self.runs.start + u32::from_le_bytes(bytes) as usize)
    }

    /// The rows of which one has the position of a key, if only one game has it.
    pub fn rows(&self, key: u64) -> Result<Range<u32>, Damaged> {
        let width = self.file.foot.value_bits();
        let mut sum = 0;
        for place in self.shape.look(key) {
            sum ^= self.value(place, width)?;
        }
        let group = self.file.foot.group_bits;
        let rows = self.file.foot.rows;
        let row = |number: u64| u32::try_from(number << group).map_or(rows, |row| row.min(rows));
        Ok(row(sum)..row(sum + 1))
    }

    fn value(&self, place: usize, width: u32) -> Result<u64, Damaged> {
        let at = place as u64 * u64::from(width);
        let start = self.table.start + (at / 8) as usize;
        let bytes = self.file.get(start..self.table.end.min(start + 8))?;
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        Ok(u64::from_le_bytes(word) >> (at % 8) & ((1 << width) - 1))
    }
}
