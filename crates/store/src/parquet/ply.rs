//! A ply of a main line, and its bytes while it waits to be sorted.

use tabiya_chess::{SanText, Uci};
use tabiya_game::Score;

use crate::number::{put, put_bytes, take, take_text, unzigzag, zigzag};

/// A ply of a game, as its writer has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ply {
    /// The key of the position in which it is played, as [`Exact::key`](tabiya_search::Exact::key) has it.
    pub key: u64,
    /// Which ply of the game it is, from 1.
    pub number: u32,
    /// The move; nothing where the turn passes.
    pub play: Option<(Uci, SanText)>,
    /// What is left on the mover's clock, in milliseconds.
    pub clock: Option<u64>,
    /// What an engine thinks of the position after it.
    pub score: Option<Score>,
}

/// The same, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record<'a> {
    pub key: i64,
    pub game: i64,
    pub ply: i32,
    pub uci: &'a str,
    pub san: &'a str,
    pub clock: Option<i64>,
    /// Centipawns.
    pub evaluation: Option<i32>,
    /// Moves to mate.
    pub mate: Option<i32>,
}

const HAS_CLOCK: u8 = 1;
const HAS_EVALUATION: u8 = 2;
const HAS_MATE: u8 = 4;

impl Ply {
    /// Its bytes, as [`Record::take`] reads them: the key comes first.
    pub fn put(&self, game: i64, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.key as i64).to_le_bytes());
        put(zigzag(game), out);
        put(u64::from(self.number), out);
        match &self.play {
            Some((uci, san)) => {
                put_bytes(uci.to_string().as_bytes(), out);
                put_bytes(san.as_bytes(), out);
            }
            None => {
                put_bytes(b"0000", out);
                put_bytes(b"--", out);
            }
        }
        let score = match self.score {
            Some(Score::Centipawns(_)) => HAS_EVALUATION,
            Some(Score::Mate(_)) => HAS_MATE,
            None => 0,
        };
        out.push(score | if self.clock.is_some() { HAS_CLOCK } else { 0 });
        if let Some(clock) = self.clock {
            put(clock, out);
        }
        if let Some(Score::Centipawns(value) | Score::Mate(value)) = self.score {
            put(zigzag(value.into()), out);
        }
    }
}

impl<'a> Record<'a> {
    /// Reads all of some bytes.
    pub fn take(mut bytes: &'a [u8]) -> Option<Record<'a>> {
        let key = key(bytes)?;
        let bytes = &mut bytes;
        *bytes = bytes.get(size_of::<i64>()..)?;
        let mut record = Record {
            key,
            game: unzigzag(take(bytes)?),
            ply: take(bytes)?.try_into().ok()?,
            uci: take_text(bytes)?,
            san: take_text(bytes)?,
            clock: None,
            evaluation: None,
            mate: None,
        };
        let (&flags, rest) = bytes.split_first()?;
        *bytes = rest;
        if flags & HAS_CLOCK != 0 {
            record.clock = Some(take(bytes)?.try_into().ok()?);
        }
        let mut score = || Some(i32::try_from(unzigzag(take(bytes)?)).ok());
        match flags {
            _ if flags & HAS_EVALUATION != 0 => record.evaluation = score()?,
            _ if flags & HAS_MATE != 0 => record.mate = score()?,
            _ => {}
        }
        Some(record)
    }
}

/// The key that the bytes of a record begin with.
pub(super) fn key(bytes: &[u8]) -> Option<i64> {
    bytes.first_chunk().map(|key| i64::from_le_bytes(*key))
}
