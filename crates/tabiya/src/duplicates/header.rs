//! What two headers have in common.

use tabiya_game::GameResult;

use super::facts::{Collection, Facts, PackedDate, Round};

/// How two values of a header are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// They say the same.
    Same,
    /// They do not contradict each other: one says more than the other.
    Alike,
    /// One is not known.
    Unknown,
    /// A mistake of somebody who copied it: a day or two later, day and month exchanged, one number
    /// wrong.
    Near,
    /// They contradict each other.
    Different,
}

/// What the headers say of whether two games were played on the same occasion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Occasion {
    /// It is another day, round or result.
    Other,
    /// Nothing.
    Silent,
    /// It may well be the same.
    Fitting,
    /// The same event, day and round.
    Same,
}

impl Occasion {
    pub fn of(all: &Collection, one: &Facts, other: &Facts) -> Occasion {
        let date = dates(one.date, other.date);
        let round = rounds(one.round, other.round);
        // Texts are compared only where numbers do not decide.
        let event = || events(all, one.event, other.event);
        let result = results(one.result, other.result);
        let fits = |value: Value| matches!(value, Value::Same | Value::Alike);
        // Somebody has copied the day wrongly: the same round says more, above all if it has a board,
        // or both players have the ratings that they had.
        let is_round = round == Value::Same && result != Value::Different;
        let is_certain = is_round && (one.round.board > 0 || have_same_ratings(one, other));
        match date {
            Value::Near if is_round && event() == Value::Same => return Occasion::Fitting,
            Value::Near if is_round => return Occasion::Silent,
            Value::Different if is_certain => return Occasion::Silent,
            _ => {}
        }
        let contradicts = |value: Value| matches!(value, Value::Near | Value::Different);
        if [date, round, result].into_iter().any(contradicts) {
            return Occasion::Other;
        }
        let event = event();
        if [date, event, round] == [Value::Same; 3] {
            return Occasion::Same;
        }
        let is_fitting = date == Value::Same
            || fits(event) && round == Value::Same
            || fits(date) && (fits(event) || round == Value::Same);
        match is_fitting {
            true => Occasion::Fitting,
            false => Occasion::Silent,
        }
    }
}

pub(super) fn dates(one: PackedDate, other: PackedDate) -> Value {
    let parts = [
        (one.year, other.year),
        (one.month.into(), other.month.into()),
        (one.day.into(), other.day.into()),
    ];
    if one.year == 0 || other.year == 0 {
        return Value::Unknown;
    }
    let is_unknown = |(one, other): &(u16, u16)| *one == 0 || *other == 0;
    let wrong = parts
        .iter()
        .filter(|pair| !is_unknown(pair) && pair.0 != pair.1);
    let is_exchanged = one.month == other.day && one.day == other.month && one.month > 0;
    match (wrong.count(), parts.iter().any(is_unknown)) {
        (0, false) => Value::Same,
        (0, true) => Value::Alike,
        (1, false) => Value::Near,
        (_, false) if one.year == other.year && is_exchanged => Value::Near,
        (_, false) if days(one).abs_diff(days(other)) <= 3 => Value::Near,
        _ => Value::Different,
    }
}

/// Days since long ago, about: months are of the same length.
fn days(date: PackedDate) -> u32 {
    (u32::from(date.year) * 12 + u32::from(date.month)) * 31 + u32::from(date.day)
}

/// Whether both players have the same ratings, colours aside.
fn have_same_ratings(one: &Facts, other: &Facts) -> bool {
    let ([white, black], other) = (one.ratings, other.ratings);
    white > 0 && black > 0 && (other == [white, black] || other == [black, white])
}

pub(super) fn rounds(one: Round, other: Round) -> Value {
    match (one.main, other.main) {
        (0, _) | (_, 0) => Value::Unknown,
        (a, b) if a != b => Value::Different,
        _ if one.board == other.board => Value::Same,
        _ if one.board == 0 || other.board == 0 => Value::Alike,
        _ => Value::Different,
    }
}

fn events(all: &Collection, one: u32, other: u32) -> Value {
    let (a, b) = (all.events.get(one), all.events.get(other));
    match a.is_known() && b.is_known() {
        false => Value::Unknown,
        true if one == other || a.is_part_of(b) => Value::Same,
        true => Value::Different,
    }
}

fn results(one: GameResult, other: GameResult) -> Value {
    match (one.token(), other.token()) {
        ("*", _) | (_, "*") => Value::Unknown,
        (one, other) if one == other => Value::Same,
        _ => Value::Different,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_say_more_or_less_or_contradict_each_other() {
        let date = |text: &str| PackedDate::from(text.parse::<tabiya_game::Date>().unwrap());
        for (one, other, value) in [
            ("2019.05.01", "2019.05.01", Value::Same),
            ("2019.05.01", "2019.??.??", Value::Alike),
            ("2019.05.01", "????.??.??", Value::Unknown),
            ("2019.05.01", "2019.05.02", Value::Near),
            ("2019.05.01", "2019.01.05", Value::Near),
            ("2019.05.31", "2019.06.02", Value::Near),
            ("2019.05.01", "2018.05.01", Value::Near),
            ("2019.05.01", "2018.??.??", Value::Different),
            ("2019.05.01", "2017.03.07", Value::Different),
        ] {
            assert_eq!(dates(date(one), date(other)), value, "{one} {other}");
            assert_eq!(dates(date(other), date(one)), value, "{other} {one}");
        }
    }
}
