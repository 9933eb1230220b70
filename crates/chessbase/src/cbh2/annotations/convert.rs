//! Data that both families lay out alike, but for the order of bytes and lengths.

use crate::annotations::{bytes::Bytes, kind};

/// Bytes of a stage of a time control, and how many there are.
const STAGE: usize = 11;
const STAGES: usize = 3;

/// The data of an item as the classic family has it; `None` if that is known of none.
pub(super) fn to_classic(kind: u8, data: &[u8]) -> Option<Vec<u8>> {
    match kind {
        kind::GLYPHS | kind::PAWN_STRUCTURE | kind::CRITICAL | kind::EVALUATION => {
            Some(data.to_vec())
        }
        kind::SQUARES | kind::ARROWS | kind::PIECE_PATH => {
            let mut bytes = Bytes(data);
            let inner = bytes.str32()?;
            bytes.is_empty().then(|| inner.to_vec())
        }
        kind::TIME_SPENT
        | kind::WHITE_CLOCK
        | kind::BLACK_CLOCK
        | kind::MEDALS
        | kind::COLOR
        | kind::VIDEO_TIME => Some(reversed(data)),
        kind::TIME_CONTROL => {
            let (stages, rest) = data.strip_prefix(&[1])?.split_at_checked(STAGE * STAGES)?;
            let turned = stages.chunks(STAGE).flat_map(turn_stage);
            (rest == [0; 4]).then(|| turned.collect())
        }
        kind::PROFILE => {
            let mut bytes = Bytes(data.strip_prefix(&[1])?);
            let entries = bytes.str32().filter(|_| bytes.is_empty())?;
            let (count, entries) = entries.split_first_chunk::<2>()?;
            let mut classic = reversed(count);
            entries
                .chunks(4)
                .for_each(|one| classic.extend(reversed(one)));
            Some(classic)
        }
        _ => None,
    }
}

/// The data of a classic item as this family has it; `None` if that is known of none.
pub(super) fn from_classic(kind: u8, data: &[u8]) -> Option<Vec<u8>> {
    match kind {
        kind::GLYPHS => {
            let mut glyphs = data.to_vec();
            glyphs.resize(3, 0);
            Some(glyphs)
        }
        kind::PAWN_STRUCTURE | kind::CRITICAL => (data.len() == 1).then(|| data.to_vec()),
        kind::EVALUATION => (data.len() == 6).then(|| data.to_vec()),
        kind::SQUARES | kind::ARROWS | kind::PIECE_PATH => Some(with_length(data)),
        kind::TIME_SPENT
        | kind::WHITE_CLOCK
        | kind::BLACK_CLOCK
        | kind::MEDALS
        | kind::COLOR
        | kind::VIDEO_TIME => (data.len() == 4).then(|| reversed(data)),
        kind::TIME_CONTROL => {
            let whole = data.len() == STAGE * STAGES;
            let stages = data.chunks(STAGE).flat_map(turn_stage);
            whole.then(|| [1].into_iter().chain(stages).chain([0; 4]).collect())
        }
        kind::PROFILE => {
            let (count, entries) = data.split_first_chunk::<2>()?;
            // The number has a sign here.
            if u16::from_be_bytes(*count) > i16::MAX as u16 {
                return None;
            }
            let mut inner = reversed(count);
            entries
                .chunks(4)
                .for_each(|one| inner.extend(reversed(one)));
            Some([&[1], &with_length(&inner)[..]].concat())
        }
        _ => None,
    }
}

fn reversed(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().rev().copied().collect()
}

/// Start and increment (4 bytes each), moves (2) and kind.
fn turn_stage(stage: &[u8]) -> Vec<u8> {
    let fields = [(0, 4), (4, 8), (8, 10), (10, 11)];
    let field = |(from, to): (usize, usize)| reversed(stage.get(from..to).unwrap_or_default());
    fields.into_iter().flat_map(field).collect()
}

pub(super) fn with_length(bytes: &[u8]) -> Vec<u8> {
    let length = (bytes.len() as u32).to_le_bytes();
    [&length[..], bytes].concat()
}
