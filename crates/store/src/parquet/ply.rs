//! A ply of a main line, and its bytes while it waits to be sorted.

use tabiya_chess::Color;
use tabiya_game::Score;

use crate::{
    number::{put, put_bytes, take, take_text, unzigzag, zigzag},
    table::{Men, NULL_SAN, NULL_UCI, Ply, PositionRow},
};

const HAS_CLOCK: u8 = 1;
const HAS_EVALUATION: u8 = 2;
const HAS_MATE: u8 = 4;
const IS_BLACK: u8 = 8;

/// The bytes of a ply of a game, as [`take_row`] reads them: the key comes first.
pub(super) fn put_ply(game: i64, ply: &Ply, out: &mut Vec<u8>) {
    out.extend_from_slice(&ply.key.cast_signed().to_le_bytes());
    put(zigzag(game), out);
    put(u64::from(ply.number), out);
    match &ply.play {
        Some((uci, san)) => {
            put_bytes(uci.to_string().as_bytes(), out);
            put_bytes(san.as_bytes(), out);
        }
        None => {
            put_bytes(NULL_UCI.as_bytes(), out);
            put_bytes(NULL_SAN.as_bytes(), out);
        }
    }
    ply.men.put(out);
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let is_mate = matches!(ply.score, Some(Score::Mate(_)));
    out.push(
        flag(ply.clock.is_some(), HAS_CLOCK)
            | flag(ply.score.is_some() && !is_mate, HAS_EVALUATION)
            | flag(is_mate, HAS_MATE)
            | flag(ply.side == Color::Black, IS_BLACK),
    );
    if let Some(clock) = ply.clock {
        put(clock, out);
    }
    if let Some(Score::Centipawns(value) | Score::Mate(value)) = ply.score {
        put(zigzag(value.into()), out);
    }
}

/// Reads a row from all of some bytes.
pub(super) fn take_row(mut bytes: &[u8]) -> Option<PositionRow<'_>> {
    let key = key(bytes)?;
    let bytes = &mut bytes;
    *bytes = bytes.get(size_of::<i64>()..)?;
    let mut row = PositionRow {
        key,
        game: unzigzag(take(bytes)?),
        ply: take(bytes)?.try_into().ok()?,
        uci: take_text(bytes)?,
        san: take_text(bytes)?,
        men: Men::take(bytes)?,
        side: Color::White,
        clock: None,
        evaluation: None,
        mate: None,
    };
    let (&flags, rest) = bytes.split_first()?;
    *bytes = rest;
    if flags & IS_BLACK != 0 {
        row.side = Color::Black;
    }
    if flags & HAS_CLOCK != 0 {
        row.clock = Some(take(bytes)?.try_into().ok()?);
    }
    let mut score = || Some(i32::try_from(unzigzag(take(bytes)?)).ok());
    match flags {
        _ if flags & HAS_EVALUATION != 0 => row.evaluation = score()?,
        _ if flags & HAS_MATE != 0 => row.mate = score()?,
        _ => {}
    }
    Some(row)
}

/// The key that the bytes of a record begin with.
pub(super) fn key(bytes: &[u8]) -> Option<i64> {
    bytes.first_chunk().map(|key| i64::from_le_bytes(*key))
}
