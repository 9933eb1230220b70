//! Whether a value of a tag is only spelled in another way.
//!
//! A format with a field for a name, a date or a round writes it in its own spelling. What comes back
//! then differs from what was there, but says the same: nothing is lost.

use tabiya_game::{Date, GameResult};

/// Whether two values of a tag say the same. Neither spaces nor case count, unknown values are all
/// the same, and dates, rounds, results and numbers are compared by what they mean.
///
/// `Tal,M` is `Tal, M`, `2001-3-4` is `2001.03.04` and a round `03` is `3`; but `B90a` is not `B90`.
#[must_use]
pub fn is_respelled(name: &str, was: &str, is: &str) -> bool {
    let letters = |text: &str| -> String {
        // A comma that nothing follows parts nothing.
        let text = text.trim_end_matches([' ', ',']);
        let letters = text.chars().filter(|c| !c.is_whitespace());
        letters.flat_map(char::to_lowercase).collect()
    };
    says_nothing(was) && says_nothing(is)
        || letters(was) == letters(is)
        || match name {
            "Date" | "EventDate" | "EventEndDate" | "UTCDate" | "SourceDate" => {
                let date = |text: &str| text.parse::<Date>().ok();
                date(was).is_some() && date(was) == date(is)
            }
            "Result" => {
                let result = |text: &str| text.parse::<GameResult>().ok();
                result(was).is_some() && result(was) == result(is)
            }
            _ => numbers(was).is_some() && numbers(was) == numbers(is),
        }
}

/// Whether a value stands for an unknown one: `?`, `-`, `0`, `????.??.??`.
#[must_use]
pub fn says_nothing(value: &str) -> bool {
    let is_filling = |c| matches!(c, ' ' | '?' | '-' | '.' | '0');
    value.chars().all(is_filling)
}

/// The numbers between points: `03.1` has 3 and 1.
fn numbers(text: &str) -> Option<Vec<u64>> {
    text.split('.')
        .map(|number| number.trim().parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_the_same_is_respelled() {
        for (name, was, is) in [
            ("White", "Gormally,D", "Gormally, D"),
            ("Event", "Tilburg ", "Tilburg"),
            ("Black", "Rumens,", "Rumens"),
            ("EventType", "Swiss", "swiss"),
            ("Date", "2001-3-4", "2001.03.04"),
            ("Date", "2001", "2001.??.??"),
            ("Round", "03.1", "3.1"),
            ("Result", "1/2", "1/2-1/2"),
            ("White", "", "?"),
        ] {
            assert!(is_respelled(name, was, is), "{name}: {was} is {is}");
        }
    }

    #[test]
    fn what_says_something_else_is_not() {
        for (name, was, is) in [
            ("White", "Gormally, Daniel", "Gormally, D"),
            ("White", "Réti", "Reti"),
            ("Date", "5000.01.01", "????.01.01"),
            ("Date", "soon", "later"),
            ("Round", "1.2.3", "1.2"),
            ("Round", "1.10", "1.1"),
            ("Result", "won", "*"),
            ("ECO", "B90a", "B90"),
            ("White", "Tal", "?"),
        ] {
            assert!(!is_respelled(name, was, is), "{name}: {was} is not {is}");
        }
    }
}
