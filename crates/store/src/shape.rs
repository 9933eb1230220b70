//! Comments that say what a clock or an engine shows, and nothing else, in the shapes that servers
//! write: `[%clk 0:03:00]`, ` [%eval 0.17] [%clk 0:00:30] `.
//!
//! A comment of such a shape is its shape and numbers; spelled again it is the same to the last
//! byte. Whatever is not spelled so is no such comment.

use std::{fmt::Write, time::Duration};

use tabiya_game::{Annotation, Evaluation, Score};

use crate::judgement::Judgement;

/// What stands in the comment, in this order. The last ones are no comments: the reader has taken
/// them for what they mean.
const ORDERS: [&[Item]; 12] = [
    &[Item::Clock],
    &[Item::Evaluation],
    &[Item::Spent],
    &[Item::Evaluation, Item::Clock],
    &[Item::Clock, Item::Evaluation],
    &[Item::Clock, Item::Spent],
    &[Item::Spent, Item::Clock],
    &[Item::Evaluation, Item::Spent],
    &[Item::Evaluation, Item::Clock, Item::Spent],
    &[Item::Clock],
    &[Item::Evaluation],
    &[Item::Spent],
];

/// The first of those that are no comments.
const TYPED: u8 = 9;

/// The first codes of comments that have something before them.
const BEHIND_COMMENT: u8 = 1 + 8 * ORDERS.len() as u8;
const BEHIND_JUDGEMENT: u8 = BEHIND_COMMENT + 8 * TYPED;

/// One command of a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Clock,
    Evaluation,
    Spent,
}

impl Item {
    const ALL: [Item; 3] = [Item::Clock, Item::Evaluation, Item::Spent];

    const fn opening(self) -> &'static str {
        match self {
            Item::Clock => "[%clk ",
            Item::Evaluation => "[%eval ",
            Item::Spent => "[%emt ",
        }
    }
}

/// What stands between a move with its glyphs and the comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Before {
    #[default]
    Nothing,
    /// Another comment, which is part of the movetext.
    Comment,
    /// A [`Judgement`].
    Judgement,
}

/// How a comment is spelled; the numbers are apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub before: Before,
    order: u8,
    /// A space at the beginning and at the end.
    spaced: bool,
    /// Times have a digit behind the point.
    tenths: bool,
    /// Pawns have two digits behind the point, even if the last one is a zero.
    hundredths: bool,
}

impl Shape {
    /// A number for each shape, from 1.
    pub const fn code(self) -> u8 {
        let flags = (self.hundredths as u8) << 2 | (self.spaced as u8) << 1 | self.tenths as u8;
        let first = match self.before {
            Before::Nothing => 1,
            Before::Comment => BEHIND_COMMENT,
            Before::Judgement => BEHIND_JUDGEMENT,
        };
        first + (self.order << 3 | flags)
    }

    /// The shape of a number.
    pub fn of_code(code: u8) -> Option<Shape> {
        let (before, first) = match code {
            BEHIND_JUDGEMENT.. => (Before::Judgement, BEHIND_JUDGEMENT),
            BEHIND_COMMENT.. => (Before::Comment, BEHIND_COMMENT),
            _ => (Before::Nothing, 1),
        };
        let bits = code.checked_sub(first)?;
        let shape = Shape {
            before,
            order: bits >> 3,
            hundredths: bits & 4 != 0,
            spaced: bits & 2 != 0,
            tenths: bits & 1 != 0,
        };
        let is_plain = !shape.spaced && before == Before::Nothing;
        let is_sound = usize::from(shape.order) < ORDERS.len() && (!shape.is_typed() || is_plain);
        is_sound.then_some(shape)
    }

    /// The same with pawns as the comment before has them, if these can be so too: what is equal is
    /// kept once.
    pub fn like(self, before: Shape, numbers: Numbers) -> Shape {
        let is_either = matches!(numbers.score, Some(Score::Centipawns(value)) if value % 10 != 0)
            || matches!(numbers.score, Some(Score::Mate(_)));
        Shape {
            hundredths: match is_either && !self.is_typed() && !before.is_typed() {
                true => before.hundredths,
                false => self.hundredths,
            },
            ..self
        }
    }

    /// Whether it is an annotation and not a comment.
    pub const fn is_typed(self) -> bool {
        self.order >= TYPED
    }

    fn items(self) -> &'static [Item] {
        ORDERS[usize::from(self.order)]
    }
}

/// The numbers of a comment; those that its shape has are there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Numbers {
    /// In seconds, or in tenths of seconds if the shape has them.
    pub clock: Option<u32>,
    /// The same.
    pub spent: Option<u32>,
    pub score: Option<Score>,
    /// What stands before the comment, if that is a judgement.
    pub judgement: Option<Judgement>,
}

/// Takes a comment apart, if it has one of the shapes.
pub(crate) fn parse(text: &str) -> Option<(Shape, Numbers)> {
    let inner = text
        .strip_prefix(' ')
        .and_then(|text| text.strip_suffix(' '));
    let spaced = inner.is_some();
    let mut rest = inner.unwrap_or(text);
    let mut numbers = Numbers::default();
    let mut items = [Item::Clock; 3];
    let mut count = 0;
    let mut tenths = None;
    let mut hundredths = false;
    loop {
        let (item, argument, behind) = command(rest)?;
        *items.get_mut(count)? = item;
        count += 1;
        match item {
            Item::Evaluation => numbers.score = Some(score(argument, &mut hundredths)?),
            Item::Clock => numbers.clock = Some(time(argument, &mut tenths)?),
            Item::Spent => numbers.spent = Some(time(argument, &mut tenths)?),
        }
        if behind.is_empty() {
            break;
        }
        rest = behind.strip_prefix(' ')?;
    }
    let order = ORDERS.iter().position(|order| **order == items[..count])?;
    let shape = Shape {
        before: Before::Nothing,
        order: order as u8,
        spaced,
        tenths: tenths.unwrap_or(false),
        hundredths,
    };
    Some((shape, numbers))
}

/// Takes an annotation apart, if it has one of the shapes.
pub(crate) fn of_annotation(annotation: &Annotation) -> Option<(Shape, Numbers)> {
    let mut numbers = Numbers::default();
    let mut tenths = false;
    let mut time = |time: &Duration| {
        let nanos = time.subsec_nanos();
        tenths = nanos > 0;
        let tenth = u64::from(nanos / 100_000_000);
        let count = match tenths {
            true => time.as_secs().checked_mul(10)?.checked_add(tenth)?,
            false => time.as_secs(),
        };
        nanos
            .is_multiple_of(100_000_000)
            .then(|| u32::try_from(count).ok())?
    };
    let item = match annotation {
        Annotation::Clock(left) => {
            numbers.clock = Some(time(left)?);
            Item::Clock
        }
        Annotation::TimeSpent(spent) => {
            numbers.spent = Some(time(spent)?);
            Item::Spent
        }
        Annotation::Evaluation(Evaluation { score, depth: None }) => {
            numbers.score = Some(*score);
            Item::Evaluation
        }
        _ => return None,
    };
    let typed = &ORDERS[usize::from(TYPED)..];
    let order = typed.iter().position(|order| **order == [item])?;
    let shape = Shape {
        before: Before::Nothing,
        order: TYPED + order as u8,
        spaced: false,
        tenths,
        hundredths: false,
    };
    Some((shape, numbers))
}

/// The annotation that was taken apart.
pub(crate) fn to_annotation(shape: Shape, numbers: Numbers) -> Option<Annotation> {
    let time = |count: u32| match shape.tenths {
        true => Duration::from_millis(u64::from(count) * 100),
        false => Duration::from_secs(count.into()),
    };
    match shape.items() {
        [Item::Clock] => Some(Annotation::Clock(time(numbers.clock?))),
        [Item::Spent] => Some(Annotation::TimeSpent(time(numbers.spent?))),
        [Item::Evaluation] => Some(Annotation::Evaluation(Evaluation {
            score: numbers.score?,
            depth: None,
        })),
        _ => None,
    }
}

/// The first command, its argument, and what is behind it.
fn command(text: &str) -> Option<(Item, &str, &str)> {
    let mut items = Item::ALL.into_iter();
    let (item, rest) = items.find_map(|item| Some((item, text.strip_prefix(item.opening())?)))?;
    let (argument, behind) = rest.split_once(']')?;
    Some((item, argument, behind))
}

/// `1:29:59` or `1:29:59.5`; all times of a comment have tenths or none has.
fn time(text: &str, tenths: &mut Option<bool>) -> Option<u32> {
    let (whole, tenth) = match text.split_once('.') {
        Some((whole, tenth)) => (whole, Some(digits(tenth, 1)?)),
        None => (text, None),
    };
    if *tenths.get_or_insert(tenth.is_some()) != tenth.is_some() {
        return None;
    }
    let (hours, rest) = whole.split_once(':')?;
    let (minutes, seconds) = rest.split_once(':')?;
    let (minutes, seconds) = (digits(minutes, 2)?, digits(seconds, 2)?);
    if minutes > 59 || seconds > 59 {
        return None;
    }
    let hours = number(hours)?.checked_mul(3600)?;
    let seconds = hours.checked_add(minutes * 60 + seconds)?;
    match tenth {
        Some(tenth) => seconds.checked_mul(10)?.checked_add(tenth),
        None => Some(seconds),
    }
}

/// `0.17`, `-1.5`, `-1.50`, `#3` or `#-3`; whether two digits are there of which the last is a zero.
pub(crate) fn score(text: &str, hundredths: &mut bool) -> Option<Score> {
    if let Some(mate) = text.strip_prefix('#') {
        return signed(mate, number).map(Score::Mate);
    }
    *hundredths = text.len() > 2 && text.ends_with('0') && text.as_bytes()[text.len() - 3] == b'.';
    let centipawns = |text: &str| {
        let (pawns, decimals) = text.split_once('.')?;
        let pawns = number(pawns)?.checked_mul(100)?;
        let decimals = match decimals.len() {
            1 => digits(decimals, 1)? * 10,
            _ => digits(decimals, 2)?,
        };
        pawns.checked_add(decimals)
    };
    signed(text, centipawns).map(Score::Centipawns)
}

/// A number with its sign, if it has one; there is no minus zero.
fn signed(text: &str, read: impl Fn(&str) -> Option<u32>) -> Option<i32> {
    match text.strip_prefix('-') {
        Some(text) => match i32::try_from(read(text)?).ok()? {
            0 => None,
            value => Some(-value),
        },
        None => i32::try_from(read(text)?).ok(),
    }
}

/// A number without zeros before it.
fn number(text: &str) -> Option<u32> {
    let plain = text == "0" || !text.starts_with('0');
    (plain && text.len() <= 9).then(|| digits(text, text.len()))?
}

/// So many digits, at least one.
fn digits(text: &str, count: usize) -> Option<u32> {
    let all = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.parse().ok())?
}

/// Spells a comment. A number that its shape needs and that is not there is told as 0.
pub(crate) fn spell(shape: Shape, numbers: Numbers, out: &mut String) {
    let edge = if shape.spaced { " " } else { "" };
    out.push_str(edge);
    for (index, item) in shape.items().iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(item.opening());
        match item {
            Item::Clock => spell_time(numbers.clock, shape.tenths, out),
            Item::Spent => spell_time(numbers.spent, shape.tenths, out),
            Item::Evaluation => spell_score(numbers.score, shape.hundredths, out),
        }
        out.push(']');
    }
    out.push_str(edge);
}

fn spell_time(value: Option<u32>, tenths: bool, out: &mut String) {
    let value = value.unwrap_or(0);
    let seconds = if tenths { value / 10 } else { value };
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let _ = write!(out, "{hours}:{minutes:02}:{:02}", seconds % 60);
    if tenths {
        let _ = write!(out, ".{}", value % 10);
    }
}

pub(crate) fn spell_score(score: Option<Score>, hundredths: bool, out: &mut String) {
    let _ = match score.unwrap_or(Score::Centipawns(0)) {
        Score::Mate(moves) => write!(out, "#{moves}"),
        Score::Centipawns(value) => {
            let sign = if value < 0 { "-" } else { "" };
            let (pawns, decimals) = (value.unsigned_abs() / 100, value.unsigned_abs() % 100);
            match decimals.is_multiple_of(10) && !hundredths {
                true => write!(out, "{sign}{pawns}.{}", decimals / 10),
                false => write!(out, "{sign}{pawns}.{decimals:02}"),
            }
        }
    };
}

/// Which numbers a shape has.
pub(crate) fn has(shape: Shape) -> (bool, bool, bool) {
    let has = |item| shape.items().contains(&item);
    (has(Item::Clock), has(Item::Spent), has(Item::Evaluation))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spelled(text: &str) -> Option<String> {
        let (shape, numbers) = parse(text)?;
        assert_eq!(Shape::of_code(shape.code()), Some(shape));
        let mut out = String::new();
        spell(shape, numbers, &mut out);
        Some(out)
    }

    #[test]
    fn what_servers_write_has_a_shape() {
        for text in [
            "[%clk 0:03:00]",
            "[%clk 0:02:59.9]",
            "[%clk 1:30:05] [%emt 0:00:09]",
            "[%emt 0:00:09] [%clk 1:30:05]",
            " [%eval 0.17] [%clk 0:00:30] ",
            " [%eval #-3] [%clk 0:00:30] ",
            "[%eval -12.05]",
            "[%eval 0.00]",
            "[%eval 0.0]",
            " [%eval -0.5] [%clk 0:00:30] ",
            "[%eval 12.30]",
            "[%clk 99:59:59]",
        ] {
            assert_eq!(spelled(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn annotations_come_back() {
        for command in [
            "[%clk 0:03:00]",
            "[%clk 0:02:59.9]",
            "[%emt 0:00:00]",
            "[%eval #-3]",
            "[%eval 0.17]",
        ] {
            let annotation = tabiya_game::command::canonical(command).unwrap();
            let (shape, numbers) = of_annotation(&annotation).unwrap();
            assert_eq!(Shape::of_code(shape.code()), Some(shape));
            assert_eq!(to_annotation(shape, numbers), Some(annotation), "{command}");
        }
        for command in [
            "[%clk 0:02:59.95]",
            "[%eval 0.17,22]",
            "[%mct 0:12:00]",
            "[%clk 9999999:00:00]",
        ] {
            let annotation = tabiya_game::command::canonical(command).unwrap();
            assert_eq!(of_annotation(&annotation), None, "{command}");
        }
    }

    #[test]
    fn other_spellings_have_none() {
        for text in [
            "",
            " ",
            "[%clk 3:00]",
            "[%clk 00:03:00]",
            "[%clk 0:3:00]",
            "[%clk 0:03:60]",
            "[%clk 0:03:00.50]",
            "[%clk 0:03:00 ]",
            "[%clk 0:03:00] ",
            "[%clk 0:03:00]  [%eval 0.17]",
            "[%clk 0:03:00][%eval 0.17]",
            "[%clk 0:03:00] [%clk 0:03:00]",
            "[%clk 0:03:00.5] [%emt 0:00:01]",
            "[%eval 0.]",
            "[%eval 0.170]",
            "[%eval 0.100]",
            "[%eval .5]",
            "[%eval -0.0]",
            "[%eval +0.17]",
            "[%eval -0.00]",
            "[%eval 0.17,22]",
            "[%eval #-0]",
            "[%eval 17]",
            "Forced. [%clk 0:03:00]",
            "[%clk 99999999999:00:00]",
        ] {
            assert_eq!(spelled(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_has_a_shape_is_spelled_as_it_was(
            text in r" ?(\[%(clk|emt|eval) [-#]?[0-9]{1,2}(:[0-9]{2}){0,2}(\.[0-9]{1,2})?\] ?){1,3}"
        ) {
            if let Some(again) = spelled(&text) {
                prop_assert_eq!(again, text);
            }
        }

        #[test]
        fn no_clock_becomes_another(
            // Around what seconds, and tenths of them, can be counted to, and whatever has 9 digits.
            hours in prop_oneof![1_193_040u32..1_193_050, 119_300u32..119_310, 0u32..1_000_000_000],
            minutes in 0u32..60,
            seconds in 0u32..60,
            tenths in prop_oneof![Just(String::new()), (0u32..10).prop_map(|it| format!(".{it}"))],
        ) {
            let text = format!("[%clk {hours}:{minutes:02}:{seconds:02}{tenths}]");
            if let Some(again) = spelled(&text) {
                prop_assert_eq!(again, text);
            }
        }
    }
}
