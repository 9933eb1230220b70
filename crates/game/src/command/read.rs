//! The arguments of commands.

use std::time::Duration;

use tabiya_chess::Square;

use super::{own, training};
use crate::{Annotation, Arrow, Evaluation, Mark, MarkColor, Medals, Phase, Profile, Score};

/// The meaning of a command.
pub(super) fn annotation(name: &str, arguments: &str) -> Option<Annotation> {
    Some(match name {
        "clk" => Annotation::Clock(duration(arguments)?),
        "emt" => Annotation::TimeSpent(duration(arguments)?),
        "mct" => Annotation::MechanicalClock(mechanical(arguments)?),
        "eval" => Annotation::Evaluation(evaluation(arguments)?),
        "evp" => Annotation::EvaluationProfile(profile(arguments)?),
        "csl" => Annotation::Squares(list(arguments, mark)?),
        "cal" => Annotation::Arrows(list(arguments, arrow)?),
        "mdl" => Annotation::Medals(Medals(u32::try_from(digits(arguments)?).ok()?)),
        "crit" => Annotation::CriticalPosition(phase(arguments)?),
        "tqu" => Annotation::Training(Box::new(training::read_tqu(arguments)?)),
        "tabiya" => own::read(arguments)?,
        _ => return None,
    })
}

/// `1:29:59.5`, `29:59` or `59.5`.
pub(super) fn duration(text: &str) -> Option<Duration> {
    // Clocks are most of what is ever read: bytes are looked at once, without `str` searchers.
    let text = text.as_bytes();
    let (clock, nanoseconds) = match text.iter().position(|byte| *byte == b'.') {
        Some(point) => (&text[..point], nanoseconds(&text[point + 1..])?),
        None => (text, 0),
    };
    let mut seconds = 0u64;
    for (index, field) in clock.split(|byte| *byte == b':').enumerate() {
        let value = digits(field)?;
        // The first field counts as far as it likes: 90:00 is an hour and a half.
        if index > 2 || (index > 0 && value > 59) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(value)?;
    }
    Some(Duration::new(seconds, nanoseconds))
}

/// As [`duration`], but two fields are hours and minutes.
fn mechanical(text: &str) -> Option<Duration> {
    if text.bytes().filter(|byte| *byte == b':').count() != 1 {
        return duration(text);
    }
    if text.contains('.') {
        return None;
    }
    duration(text)?.checked_mul(60)
}

/// The decimals of a second.
fn nanoseconds(fraction: &[u8]) -> Option<u32> {
    let missing = 9u32.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    // At most nine digits, so below 10^9.
    let value = u32::try_from(digits(fraction)?).ok()?;
    Some(value * 10u32.pow(missing))
}

/// `0.25`, `25`, `#-3`, and perhaps a depth: `0.25,22`.
fn evaluation(arguments: &str) -> Option<Evaluation> {
    let (value, depth) = match arguments.split_once(',') {
        Some((value, depth)) => (value.trim_end(), Some(small(depth.trim_start())?)),
        None => (arguments, None),
    };
    let score = match mate(value) {
        Some(moves) => Score::Mate(moves),
        None => Score::Centipawns(centipawns(value)?),
    };
    Some(Evaluation { score, depth })
}

/// `#3`, `#-3`, `M3`, `-M3`: the number, below zero when Black mates.
pub(super) fn mate(text: &str) -> Option<i32> {
    let (outer, rest) = sign(text);
    let (inner, count) = sign(rest.strip_prefix(['#', 'M'])?);
    let factor = match (outer, inner) {
        (factor, None) | (None, factor) => factor.unwrap_or(1),
        (Some(_), Some(_)) => return None,
    };
    i32::try_from(i64::try_from(digits(count)?).ok()?.checked_mul(factor)?).ok()
}

/// Pawns with a decimal point, or centipawns without.
pub(super) fn centipawns(text: &str) -> Option<i32> {
    let (factor, text) = sign(text);
    let hundredths = match text.split_once('.') {
        None => digits(text)?,
        Some((pawns, fraction)) => {
            let pawns = match pawns {
                "" => 0,
                _ => digits(pawns)?,
            };
            pawns.checked_mul(100)?.checked_add(hundredths(fraction)?)?
        }
    };
    let value = i64::try_from(hundredths).ok()?;
    i32::try_from(value.checked_mul(factor.unwrap_or(1))?).ok()
}

/// The decimals of a pawn, rounded.
fn hundredths(fraction: &str) -> Option<u64> {
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut places = fraction.bytes().map(|byte| u64::from(byte - b'0'));
    let mut place = || places.next().unwrap_or(0);
    Some(place() * 10 + place() + u64::from(place() >= 5))
}

/// First ply, last ply, and a value for each.
fn profile(arguments: &str) -> Option<Profile> {
    let mut fields = arguments.split(',').map(str::trim);
    let first = small(fields.next()?)?;
    let last = small(fields.next()?)?;
    let values: Vec<i16> = fields.map(value).collect::<Option<_>>()?;
    let count = usize::from(last.checked_sub(first)?) + 1;
    (values.len() == count).then_some(Profile { first, values })
}

fn value(text: &str) -> Option<i16> {
    let (factor, count) = sign(text);
    i16::try_from(
        i64::try_from(digits(count)?)
            .ok()?
            .checked_mul(factor.unwrap_or(1))?,
    )
    .ok()
}

/// All items of a list, if every one is sound; the list has at least one.
fn list<T>(arguments: &str, item: fn(&str) -> Option<T>) -> Option<Vec<T>> {
    arguments.split(',').map(|text| item(text.trim())).collect()
}

fn mark(text: &str) -> Option<Mark> {
    let &[color, file, rank] = text.as_bytes() else {
        return None;
    };
    Some(Mark {
        color: MarkColor::from_letter(char::from(color))?,
        square: Square::from_ascii(file, rank)?,
    })
}

fn arrow(text: &str) -> Option<Arrow> {
    let &[color, from_file, from_rank, to_file, to_rank] = text.as_bytes() else {
        return None;
    };
    Some(Arrow {
        color: MarkColor::from_letter(char::from(color))?,
        from: Square::from_ascii(from_file, from_rank)?,
        to: Square::from_ascii(to_file, to_rank)?,
    })
}

fn phase(name: &str) -> Option<Phase> {
    Phase::ALL.into_iter().find(|phase| phase.name() == name)
}

/// A sign, as a factor, and what follows.
fn sign(text: &str) -> (Option<i64>, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (Some(-1), &text[1..]),
        Some(b'+') => (Some(1), &text[1..]),
        _ => (None, text),
    }
}

/// A number of nothing but digits.
pub(super) fn digits(text: impl AsRef<[u8]>) -> Option<u64> {
    let text = text.as_ref();
    let value = text.iter().try_fold(0u64, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| byte - b'0')?;
        value.checked_mul(10)?.checked_add(digit.into())
    })?;
    (!text.is_empty()).then_some(value)
}

/// A depth, a ply or a code.
pub(super) fn small(text: &str) -> Option<u16> {
    u16::try_from(digits(text)?).ok()
}
