//! Time spent on a move (07), the clocks at the end (16, 17) and the time control (24).

use std::fmt::Write;
use std::time::Duration;

use super::bytes::Bytes;

/// Hours, minutes, seconds and hundredths.
pub(super) fn read_spent(data: &[u8]) -> Option<Duration> {
    let &[hours, minutes @ 0..60, seconds @ 0..60, hundredths @ 0..100] = data else {
        return None;
    };
    let seconds = (u64::from(hours) * 60 + u64::from(minutes)) * 60 + u64::from(seconds);
    Some(Duration::from_secs(seconds) + Duration::from_millis(u64::from(hundredths) * 10))
}

pub(super) fn write_spent(time: Duration) -> Option<Vec<u8>> {
    let hundredths = whole_hundredths(time)?;
    let seconds = hundredths / 100;
    let hours = u8::try_from(seconds / 3600).ok()?;
    // The remainders are below 100.
    Some(vec![
        hours,
        (seconds / 60 % 60) as u8,
        (seconds % 60) as u8,
        (hundredths % 100) as u8,
    ])
}

fn whole_hundredths(time: Duration) -> Option<u64> {
    let hundredths = u64::from(time.subsec_nanos() / 10_000_000);
    let whole = time.subsec_nanos().is_multiple_of(10_000_000);
    let seconds = whole.then(|| time.as_secs().checked_mul(100))??;
    seconds.checked_add(hundredths)
}

/// A clock, in hundredths of a second.
pub(super) fn read_clock(data: &[u8]) -> Option<u32> {
    let value = i32::from_be_bytes(data.try_into().ok()?);
    u32::try_from(value).ok()
}

/// The value of the tag of a clock: `1:29:59`, and hundredths if there are any.
pub(super) fn clock_to_tag(hundredths: u32) -> String {
    let seconds = hundredths / 100;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let mut value = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    if !hundredths.is_multiple_of(100) {
        let written = write!(value, ".{:02}", hundredths % 100);
        debug_assert!(written.is_ok(), "a String takes any text");
    }
    value
}

/// The clock of a tag, if the tag is written as [`clock_to_tag`] does.
pub(super) fn clock_of_tag(value: &str) -> Option<u32> {
    let (clock, fraction) = value.split_once('.').unwrap_or((value, "0"));
    let mut fields = clock.split(':');
    let mut next = || fields.next()?.parse::<u32>().ok();
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    let seconds = hours
        .checked_mul(60)?
        .checked_add(minutes)?
        .checked_mul(60)?
        .checked_add(seconds)?;
    let hundredths = seconds
        .checked_mul(100)?
        .checked_add(fraction.parse().ok()?)?;
    let same = i32::try_from(hundredths).is_ok() && clock_to_tag(hundredths) == value;
    same.then_some(hundredths)
}

/// A time control of up to three stages.
///
/// ```
/// use tabiya_chessbase::annotations::TimeControl;
///
/// let control = TimeControl::of_tag("40/7200+30:900+30").unwrap();
/// assert_eq!(control.to_tag(), "40/7200+30:900+30");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeControl {
    stages: Vec<Stage>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stage {
    /// How many moves; none for the rest of the game.
    moves: Option<u16>,
    seconds: u32,
    increment: u32,
}

/// So many moves are written for the rest of the game.
const ALL_MOVES: u16 = 1000;

/// The kinds of stages.
const REST: u8 = 0;
const STAGE: u8 = 1;
const REST_WITH_INCREMENT: u8 = 3;
const NO_STAGE: u8 = 5;

impl TimeControl {
    /// Three stages of which the last may be none. Fractions of seconds are not understood.
    pub(super) fn read(data: &[u8]) -> Option<TimeControl> {
        let mut bytes = Bytes(data);
        let mut stages = Vec::new();
        let mut ended = false;
        for _ in 0..3 {
            let mut seconds = || {
                let hundredths = u32::try_from(bytes.i32_be()?).ok()?;
                hundredths.is_multiple_of(100).then_some(hundredths / 100)
            };
            let (seconds, increment) = (seconds()?, seconds()?);
            let (moves, kind) = (bytes.u16_be()?, bytes.u8()?);
            let moves = match kind {
                NO_STAGE => {
                    ended = true;
                    continue;
                }
                STAGE => Some(moves),
                REST | REST_WITH_INCREMENT => None,
                _ => return None,
            };
            if ended {
                return None;
            }
            stages.push(Stage {
                moves,
                seconds,
                increment,
            });
        }
        let sound = bytes.is_empty() && !stages.is_empty();
        sound.then_some(TimeControl { stages })
    }

    pub(super) fn write(&self) -> Option<Vec<u8>> {
        let mut data = Vec::with_capacity(33);
        for index in 0..3 {
            let (stage, kind) = match self.stages.get(index) {
                None => (None, NO_STAGE),
                Some(stage) if stage.moves.is_some() => (Some(stage), STAGE),
                Some(stage) if stage.increment == 0 => (Some(stage), REST),
                stage => (stage, REST_WITH_INCREMENT),
            };
            let hundredths = |seconds: u32| i32::try_from(seconds.checked_mul(100)?).ok();
            let (seconds, increment, moves) = match stage {
                Some(stage) => (
                    hundredths(stage.seconds)?,
                    hundredths(stage.increment)?,
                    stage.moves.unwrap_or(ALL_MOVES),
                ),
                None => (0, 0, 0),
            };
            data.extend_from_slice(&seconds.to_be_bytes());
            data.extend_from_slice(&increment.to_be_bytes());
            data.extend_from_slice(&moves.to_be_bytes());
            data.push(kind);
        }
        Some(data)
    }

    /// The value of the tag TimeControl.
    #[must_use]
    pub fn to_tag(&self) -> String {
        let stages = self.stages.iter().map(|stage| {
            let moves = stage
                .moves
                .map_or(String::new(), |moves| format!("{moves}/"));
            match stage.increment {
                0 => format!("{moves}{}", stage.seconds),
                increment => format!("{moves}{}+{increment}", stage.seconds),
            }
        });
        stages.collect::<Vec<_>>().join(":")
    }

    /// The time control of a tag, if it has at most three stages in seconds and is spelled as
    /// [`TimeControl::to_tag`] does.
    #[must_use]
    pub fn of_tag(value: &str) -> Option<TimeControl> {
        let stage = |text: &str| {
            let (moves, time) = match text.split_once('/') {
                Some((moves, time)) => (Some(moves.parse().ok()?), time),
                None => (None, text),
            };
            let (seconds, increment) = time.split_once('+').unwrap_or((time, "0"));
            Some(Stage {
                moves,
                seconds: seconds.parse().ok()?,
                increment: increment.parse().ok()?,
            })
        };
        let stages = value.split(':').map(stage).collect::<Option<Vec<_>>>()?;
        let control = TimeControl { stages };
        let same = control.stages.len() <= 3 && control.to_tag() == value;
        (same && control.write().is_some()).then_some(control)
    }
}
