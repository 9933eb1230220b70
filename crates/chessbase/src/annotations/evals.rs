//! Evaluations: of one position (21), and the profile of a game (26).

use tabiya_game::{Evaluation, Profile, Score};

use super::bytes::Bytes;

/// The kinds of values.
const CENTIPAWNS: u8 = 0;
const MATE: u8 = 1;
const NONE: u8 = 0xff;

/// Value, kind and depth; depth 0 is none.
pub(super) fn read_evaluation(data: &[u8]) -> Option<Evaluation> {
    let &[v0, v1, kind, 0, d0, d1] = data else {
        return None;
    };
    let value = i16::from_le_bytes([v0, v1]).into();
    let depth = u16::try_from(i16::from_le_bytes([d0, d1])).ok()?;
    Some(Evaluation {
        score: match kind {
            CENTIPAWNS => Score::Centipawns(value),
            MATE => Score::Mate(value),
            _ => return None,
        },
        depth: (depth != 0).then_some(depth),
    })
}

pub(super) fn write_evaluation(said: Evaluation) -> Option<Vec<u8>> {
    let (value, kind) = match said.score {
        Score::Centipawns(value) => (value, CENTIPAWNS),
        Score::Mate(moves) => (moves, MATE),
    };
    let depth = match said.depth {
        None => 0,
        Some(0) => return None,
        Some(depth) => i16::try_from(depth).ok()?,
    };
    let [v0, v1] = i16::try_from(value).ok()?.to_le_bytes();
    let [d0, d1] = depth.to_le_bytes();
    Some(vec![v0, v1, kind, 0, d0, d1])
}

/// From here on a value of a [`Profile`] is a mate: 30000 less the plies to it.
const MATES: i16 = 30_000;

/// ChessBase has no mate in more plies than that, and an evaluation is never so high.
const LONGEST_MATE: i16 = 1_200;

/// Number of positions, then kind, depth and value of each. The depths are left out if they say
/// nothing: 1 wherever there is a value, as in profiles that came from PGN.
pub(super) fn read_profile(data: &[u8]) -> Option<(Profile, Option<Vec<u8>>)> {
    let mut bytes = Bytes(data);
    let count = usize::from(bytes.u16_be()?);
    let (entries, rest) = bytes.0.as_chunks::<4>();
    if count == 0 || entries.len() != count || !rest.is_empty() {
        return None;
    }
    let (mut values, mut depths) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for &[kind, depth, v0, v1] in entries {
        let value = i16::from_be_bytes([v0, v1]);
        values.push(match kind {
            CENTIPAWNS => value,
            MATE => MATES.checked_sub(value.checked_abs()?)? * value.signum(),
            NONE => Profile::NONE,
            _ => return None,
        });
        depths.push(depth);
    }
    let profile = Profile { first: 0, values };
    let told = (depths != usual_depths(&profile)).then_some(depths);
    Some((profile, told))
}

fn usual_depths(profile: &Profile) -> Vec<u8> {
    let values = profile.values.iter();
    values
        .map(|value| u8::from(*value != Profile::NONE))
        .collect()
}

pub(super) fn write_profile(profile: &Profile, depths: Option<&[u8]>) -> Option<Vec<u8>> {
    let usual;
    let depths = match depths {
        Some(depths) => depths,
        None => {
            usual = usual_depths(profile);
            &usual
        }
    };
    let count = u16::try_from(profile.values.len()).ok()?;
    if profile.first != 0 || count == 0 || depths.len() != profile.values.len() {
        return None;
    }
    let mut data = count.to_be_bytes().to_vec();
    for (value, depth) in profile.values.iter().zip(depths) {
        let plies = MATES.checked_sub(value.checked_abs()?);
        let (kind, value) = match plies {
            _ if *value == Profile::NONE => (NONE, 0),
            // On the board already, a mate has no sign to say whose it is: it stays a number.
            Some(plies @ 1..=LONGEST_MATE) => (MATE, plies * value.signum()),
            _ => (CENTIPAWNS, *value),
        };
        data.extend_from_slice(&[kind, *depth]);
        data.extend_from_slice(&value.to_be_bytes());
    }
    Some(data)
}
