//! The one spelling of an annotation.

use std::fmt::{self, Display, Write};
use std::time::Duration;

use super::{own, training};
use crate::{Annotation, Evaluation, Profile, Score};

/// Writes the command of an annotation; an error if it has none.
pub(crate) fn spell(annotation: &Annotation, out: &mut impl Write) -> fmt::Result {
    match annotation {
        Annotation::Squares(marks) => list("csl", marks, out),
        Annotation::Arrows(arrows) => list("cal", arrows, out),
        Annotation::Clock(time) => duration("clk", *time, out),
        Annotation::TimeSpent(time) => duration("emt", *time, out),
        Annotation::MechanicalClock(time) => duration("mct", *time, out),
        Annotation::Evaluation(said) => evaluation(*said, out),
        Annotation::EvaluationProfile(said) => profile(said, out),
        Annotation::EvaluationDepths(depths) => own::depths(depths, out),
        Annotation::Medals(medals) => write!(out, "[%mdl {}]", medals.0),
        Annotation::CriticalPosition(phase) => write!(out, "[%crit {phase}]"),
        Annotation::Training(asked) => training::spell(asked, out),
        Annotation::Quotation(quoted) => own::quotation(quoted, out),
        Annotation::WebLink { url, text } => own::link(url, text, out),
        Annotation::VariationColor(color) => own::color(*color, out),
        Annotation::Raw {
            format,
            code,
            bytes,
        } => own::raw(format, *code, bytes, out),
    }
}

/// Whether a text is the spelling of an annotation. Nothing is allocated: as good as every clock
/// of a chess.com game passes here.
pub(super) fn is_spelled(annotation: &Annotation, text: &str) -> bool {
    let mut expected = Expected(text);
    spell(annotation, &mut expected).is_ok() && expected.0.is_empty()
}

/// A text that is crossed out as it is written again.
struct Expected<'a>(&'a str);

impl Write for Expected<'_> {
    fn write_str(&mut self, written: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(written).ok_or(fmt::Error)?;
        Ok(())
    }

    fn write_char(&mut self, written: char) -> fmt::Result {
        self.0 = self.0.strip_prefix(written).ok_or(fmt::Error)?;
        Ok(())
    }
}

fn list(name: &str, items: &[impl Display], out: &mut impl Write) -> fmt::Result {
    let (first, rest) = items.split_first().ok_or(fmt::Error)?;
    write!(out, "[%{name} {first}")?;
    for item in rest {
        write!(out, ",{item}")?;
    }
    out.write_char(']')
}

/// Hours, minutes and seconds, with as many decimals as it takes.
fn duration(name: &str, time: Duration, out: &mut impl Write) -> fmt::Result {
    let seconds = time.as_secs();
    out.write_str("[%")?;
    out.write_str(name)?;
    out.write_char(' ')?;
    number(seconds / 3600, 1, out)?;
    out.write_char(':')?;
    number(seconds / 60 % 60, 2, out)?;
    out.write_char(':')?;
    number(seconds % 60, 2, out)?;
    let (mut fraction, mut places) = (time.subsec_nanos(), 9);
    if fraction > 0 {
        while fraction % 10 == 0 {
            (fraction, places) = (fraction / 10, places - 1);
        }
        out.write_char('.')?;
        number(fraction.into(), places, out)?;
    }
    out.write_char(']')
}

/// A number with at least so many places. Clocks are most of what is ever spelled: with `write!`
/// the check of one takes half as many instructions again.
fn number(value: u64, places: u32, out: &mut impl Write) -> fmt::Result {
    let places = places.max(value.checked_ilog10().map_or(1, |power| power + 1));
    for power in (0..places).rev() {
        // The remainder is a digit.
        let digit = (value / 10u64.pow(power) % 10) as u8;
        out.write_char(char::from(b'0' + digit))?;
    }
    Ok(())
}

fn evaluation(said: Evaluation, out: &mut impl Write) -> fmt::Result {
    match said.score {
        Score::Mate(moves) => write!(out, "[%eval #{moves}")?,
        Score::Centipawns(value) => {
            let sign = if value < 0 { "-" } else { "" };
            let (pawns, hundredths) = (value.unsigned_abs() / 100, value.unsigned_abs() % 100);
            write!(out, "[%eval {sign}{pawns}.{hundredths:02}")?;
        }
    }
    if let Some(depth) = said.depth {
        write!(out, ",{depth}")?;
    }
    out.write_char(']')
}

/// First ply, last ply, values. The last ply must be a number that can be read again.
fn profile(said: &Profile, out: &mut impl Write) -> fmt::Result {
    let steps = said.values.len().checked_sub(1).ok_or(fmt::Error)?;
    let last = u16::try_from(steps)
        .ok()
        .and_then(|steps| said.first.checked_add(steps))
        .ok_or(fmt::Error)?;
    write!(out, "[%evp {},{last}", said.first)?;
    for value in &said.values {
        write!(out, ",{value}")?;
    }
    out.write_char(']')
}
