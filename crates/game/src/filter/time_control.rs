//! Which time controls are wanted.

use std::str::FromStr;

/// A time control as the tag `TimeControl` has it, or a class of them.
///
/// A class is told from the seconds that a player has for 40 moves, increments included: less than
/// 180 are bullet, less than 480 blitz, less than 1500 rapid, less than a day classical, and more
/// are correspondence.
///
/// ```
/// use tabiya_game::TimeControl;
///
/// let blitz: TimeControl = "blitz".parse()?;
/// assert!(blitz.fits("180+2") && blitz.fits("300") && !blitz.fits("600+5"));
/// assert!("300+5".parse::<TimeControl>()?.fits("300+5"));
/// # Ok::<(), tabiya_game::ParseTimeControlError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl(Wanted);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Wanted {
    /// In seconds for 40 moves: at least, and less than.
    Class(u64, u64),
    /// The tag, without spaces.
    Exactly(String),
}

/// The moves that tell a class.
const MOVES: u64 = 40;

const DAY: u64 = 24 * 60 * 60;

const CLASSES: [(&str, u64, u64); 5] = [
    ("bullet", 0, 180),
    ("blitz", 180, 480),
    ("rapid", 480, 1_500),
    ("classical", 1_500, DAY),
    ("correspondence", DAY, u64::MAX),
];

/// The text is no time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "not a time control: expected bullet, blitz, rapid, classical or correspondence, or seconds as \
     PGN writes them, 300+5 or 40/7200:3600"
)]
pub struct ParseTimeControlError;

impl TimeControl {
    /// Whether a tag is such a time control.
    #[must_use]
    pub fn fits(&self, tag: &str) -> bool {
        match &self.0 {
            Wanted::Exactly(text) => *text == without_spaces(tag),
            Wanted::Class(least, end) => {
                seconds(&without_spaces(tag)).is_some_and(|time| (*least..*end).contains(&time))
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let text = without_spaces(text).to_ascii_lowercase();
        if let Some((_, least, end)) = CLASSES.into_iter().find(|(name, ..)| *name == text) {
            return Ok(TimeControl(Wanted::Class(least, end)));
        }
        match text == "-" || seconds(&text).is_some() {
            true => Ok(TimeControl(Wanted::Exactly(text))),
            false => Err(ParseTimeControlError),
        }
    }
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The seconds that a player has for the first 40 moves; `None` if nobody can tell.
fn seconds(tag: &str) -> Option<u64> {
    let mut periods = tag
        .split(':')
        .map(Period::parse)
        .collect::<Option<Vec<_>>>()?;
    let mut time = 0u64;
    let mut left = MOVES;
    let last = periods.pop()?;
    // The last period comes again and again.
    for period in periods.into_iter().chain(std::iter::repeat(last)) {
        let played = period.moves.unwrap_or(left).min(left);
        let gained = period.increment.checked_mul(played)?;
        time = time.checked_add(period.seconds)?.checked_add(gained)?;
        left -= played;
        if left == 0 {
            break;
        }
    }
    Some(time)
}

/// One of the parts of a time control: `40/7200`, `3600`, `300+5`, `*180`.
#[derive(Clone, Copy)]
struct Period {
    /// For so many moves; `None` for the rest of the game.
    moves: Option<u64>,
    seconds: u64,
    increment: u64,
}

impl Period {
    fn parse(text: &str) -> Option<Period> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), time),
            None => (None, text),
        };
        let (seconds, increment) = time.split_once('+').unwrap_or((time, "0"));
        Some(Period {
            moves,
            seconds: seconds.strip_prefix('*').unwrap_or(seconds).parse().ok()?,
            increment: increment.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_told_from_the_time_for_forty_moves() {
        for (class, tags) in [
            ("bullet", &["60", "60+1", "120+1", "15", "*60"][..]),
            ("blitz", &["180", "180+2", "300+3", "300"]),
            ("rapid", &["600", "900+10", "600+5", "300+5"]),
            (
                "classical",
                &["1800", "5400+30", "40/7200:3600", "40/7200:20/3600:900+30"],
            ),
            ("correspondence", &["1/86400", "40/8640000"]),
        ] {
            for tag in tags {
                for (other, ..) in CLASSES {
                    let is_it = other.parse::<TimeControl>().unwrap().fits(tag);
                    assert_eq!(is_it, other == class, "{tag} {other}");
                }
            }
        }
        for tag in [
            "",
            "?",
            "-",
            "90 minutes",
            "300+",
            "0/60",
            "99999999999999999999",
        ] {
            for (class, ..) in CLASSES {
                assert!(!class.parse::<TimeControl>().unwrap().fits(tag), "{tag}");
            }
        }
    }

    #[test]
    fn one_time_control_is_that_one_alone() {
        let control: TimeControl = "300+5".parse().unwrap();
        assert!(control.fits("300+5") && control.fits(" 300 + 5"));
        assert!(!control.fits("300") && !control.fits("1300+5"));
        assert!("-".parse::<TimeControl>().unwrap().fits("-"));
        for wrong in ["", "fast", "5 min", "300+x"] {
            assert_eq!(
                wrong.parse::<TimeControl>(),
                Err(ParseTimeControlError),
                "{wrong}"
            );
        }
    }
}
