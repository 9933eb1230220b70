//! Questions to the reader: ChessBase's command for them, and ours.
//!
//! `[%tqu "En","question","hint","hint","f6h7","feedback",6,…]` knows one language and neither
//! the time to think nor what is said to wrong answers. Where that is not enough, our command
//! lists everything as words: seconds and points, then `q`uestion, `r`efusal, first and second
//! hint (`h`, `i`), and each `a`nswer with its `f`eedback.

use std::fmt::{self, Write};

use tabiya_chess::Square;

use super::quote::{self, Arguments, is_plain, is_word};
use super::read::{digits, small};
use crate::{Answer, Training, Wording};

/// Stands for a time or a language that is not known.
const NONE: &str = "-";

pub(super) fn spell(asked: &Training, out: &mut impl Write) -> fmt::Result {
    match tqu_language(asked) {
        Some(language) => spell_tqu(asked, language, out),
        None => spell_own(asked, out),
    }
}

/// The language of a question that ChessBase's command can hold.
fn tqu_language(asked: &Training) -> Option<&str> {
    let [question] = &asked.question[..] else {
        return None;
    };
    let language = question.language.as_deref()?;
    let [first, second] = language.as_bytes() else {
        return None;
    };
    let simple = first.is_ascii_lowercase() && second.is_ascii_lowercase();
    let of_it = |wordings: &[Wording]| match wordings {
        [] => true,
        [only] => {
            only.language.as_deref() == Some(language)
                && !only.text.is_empty()
                && is_plain(&only.text)
        }
        _ => false,
    };
    let holds = simple
        && is_plain(&question.text)
        && asked.seconds.is_none()
        && asked.refusal.is_empty()
        && asked.hints.iter().all(|hint| of_it(hint))
        && asked.answers.iter().all(|answer| of_it(&answer.feedback))
        && asked.answers.first()?.points == u8::try_from(asked.points).ok()?;
    holds.then_some(language)
}

fn spell_tqu(asked: &Training, language: &str, out: &mut impl Write) -> fmt::Result {
    let (first, rest) = language.split_at(1);
    let text = |wordings: &[Wording]| wordings.first().map_or("", |it| &it.text).to_owned();
    let [hint, second_hint] = &asked.hints;
    write!(
        out,
        "[%tqu \"{}{rest}\",\"{}\",\"{}\",\"{}\"",
        first.to_ascii_uppercase(),
        text(&asked.question),
        text(hint),
        text(second_hint)
    )?;
    for answer in &asked.answers {
        let Answer {
            from, to, points, ..
        } = answer;
        let feedback = text(&answer.feedback);
        write!(out, ",\"{from}{to}\",\"{feedback}\",{points}")?;
    }
    out.write_char(']')
}

/// The question of ChessBase's command. Answers that promote have no squares of their own here
/// and are not understood.
pub(super) fn read_tqu(arguments: &str) -> Option<Training> {
    let mut fields = Fields(arguments);
    let language = fields.text()?;
    let simple = language.len() == 2 && language.bytes().all(|byte| byte.is_ascii_alphabetic());
    let language = simple.then(|| language.to_ascii_lowercase())?;
    let wording = |text: &str| match text {
        "" => Vec::new(),
        _ => vec![Wording::new(Some(&language), text)],
    };
    let mut asked = Training {
        question: vec![Wording::new(Some(&language), fields.text()?)],
        hints: [wording(fields.text()?), wording(fields.text()?)],
        ..Training::default()
    };
    while !fields.0.is_empty() {
        let (from, to) = squares(fields.text()?)?;
        asked.answers.push(Answer {
            from,
            to,
            feedback: wording(fields.text()?),
            points: u8::try_from(digits(fields.next()?)?).ok()?,
        });
    }
    asked.points = asked.answers.first()?.points.into();
    Some(asked)
}

/// Fields with commas between them, texts in quotation marks.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let end = match self.0.strip_prefix('"') {
            Some(inside) => inside.find('"')? + 2,
            None => self.0.find(',').unwrap_or(self.0.len()),
        };
        let (field, rest) = self.0.split_at(end);
        self.0 = match rest.trim_start() {
            "" => "",
            rest => rest.strip_prefix(',')?.trim_start(),
        };
        Some(field.trim_end())
    }

    fn text(&mut self) -> Option<&'a str> {
        self.next()?.strip_prefix('"')?.strip_suffix('"')
    }
}

fn squares(text: &str) -> Option<(Square, Square)> {
    let &[from_file, from_rank, to_file, to_rank] = text.as_bytes() else {
        return None;
    };
    let from = Square::from_ascii(from_file, from_rank)?;
    Some((from, Square::from_ascii(to_file, to_rank)?))
}

fn spell_own(asked: &Training, out: &mut impl Write) -> fmt::Result {
    out.write_str("[%tabiya training ")?;
    match asked.seconds {
        Some(seconds) => write!(out, "{seconds} {}", asked.points)?,
        None => write!(out, "{NONE} {}", asked.points)?,
    }
    let [hint, second_hint] = &asked.hints;
    spell_wordings('q', &asked.question, out)?;
    spell_wordings('r', &asked.refusal, out)?;
    spell_wordings('h', hint, out)?;
    spell_wordings('i', second_hint, out)?;
    for answer in &asked.answers {
        write!(out, " a {}{} {}", answer.from, answer.to, answer.points)?;
        spell_wordings('f', &answer.feedback, out)?;
    }
    out.write_char(']')
}

fn spell_wordings(kind: char, wordings: &[Wording], out: &mut impl Write) -> fmt::Result {
    for wording in wordings {
        let language = match wording.language.as_deref() {
            None => NONE,
            Some(language) if is_word(language) && language != NONE => language,
            Some(_) => return Err(fmt::Error),
        };
        write!(out, " {kind} {language} ")?;
        quote::write(&wording.text, out)?;
    }
    Ok(())
}

/// The question of our command.
pub(super) fn read_own(arguments: &mut Arguments<'_>) -> Option<Training> {
    let seconds = match arguments.word()? {
        NONE => None,
        seconds => Some(u32::try_from(digits(seconds)?).ok()?),
    };
    let mut asked = Training {
        seconds,
        points: small(arguments.word()?)?,
        ..Training::default()
    };
    while !arguments.is_empty() {
        let kind = arguments.word()?;
        if kind == "a" {
            let (from, to) = squares(arguments.word()?)?;
            asked.answers.push(Answer {
                from,
                to,
                points: u8::try_from(digits(arguments.word()?)?).ok()?,
                feedback: Vec::new(),
            });
            continue;
        }
        let language = Some(arguments.word()?).filter(|language| *language != NONE);
        let wording = Wording::new(language, arguments.text()?);
        match kind {
            "q" => asked.question.push(wording),
            "r" => asked.refusal.push(wording),
            "h" => asked.hints[0].push(wording),
            "i" => asked.hints[1].push(wording),
            "f" => asked.answers.last_mut()?.feedback.push(wording),
            _ => return None,
        }
    }
    Some(asked)
}
