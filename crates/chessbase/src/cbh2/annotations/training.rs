//! Training questions (09).
//!
//! `01 01 v 00 00 00`, seconds, points, four lists (the question, what is said to a wrong answer,
//! two hints), then the answers: from, to, 00, points and a list. A list is a number of entries,
//! each with its kind (text, arrows, squares) and length. Questions with v = 2 and those with
//! arrows or squares stay raw.

use tabiya_game::{Answer, Training, Wording};

use super::convert::with_length;
use crate::{
    annotations::{
        bytes::Bytes,
        marks::{index_of_square, square_of_index},
    },
    encoding::TextCodec,
};

const MARK: [u8; 6] = [1, 1, 1, 0, 0, 0];

/// Entries of a list that are texts.
const TEXT: u16 = 0;

/// The same with several answers to choose from.
const CHOICE: [u8; 6] = [1, 1, 2, 0, 0, 0];

/// Takes a question.
pub(super) fn skip(bytes: &mut Bytes<'_>) -> Option<()> {
    let mark = bytes.array::<6>()?;
    bytes.take(6)?;
    (0..4).try_for_each(|_| skip_list(bytes))?;
    let answers = bytes.u8()?;
    (0..answers).try_for_each(|_| match mark {
        MARK => bytes.take(4).and_then(|_| skip_list(bytes)),
        CHOICE => {
            bytes.take(1)?;
            skip_list(bytes)?;
            skip_list(bytes)
        }
        _ => None,
    })?;
    matches!(mark, MARK | CHOICE).then_some(())
}

fn skip_list(bytes: &mut Bytes<'_>) -> Option<()> {
    let count = bytes.u16_le()?;
    (0..count).try_for_each(|_| {
        bytes.u16_le()?;
        bytes.str32().map(drop)
    })
}

pub(super) fn read(data: &[u8], codec: &TextCodec) -> Option<Training> {
    let mut bytes = Bytes(data);
    if bytes.array::<6>()? != MARK {
        return None;
    }
    let (seconds, points) = (bytes.u32_le()?, bytes.u16_le()?);
    let mut list = || read_list(&mut bytes, codec);
    let (question, refusal, hints) = (list()?, list()?, [list()?, list()?]);
    let mut answers = Vec::new();
    for _ in 0..bytes.u8()? {
        let [from, to, 0, points] = bytes.array()? else {
            return None;
        };
        answers.push(Answer {
            from: square_of_index(from)?,
            to: square_of_index(to)?,
            points,
            feedback: read_list(&mut bytes, codec)?,
        });
    }
    bytes.is_empty().then_some(Training {
        seconds: (seconds != 0).then_some(seconds),
        points,
        question,
        refusal,
        hints,
        answers,
    })
}

fn read_list(bytes: &mut Bytes<'_>, codec: &TextCodec) -> Option<Vec<Wording>> {
    let count = bytes.u16_le()?;
    let mut wordings = Vec::new();
    for _ in 0..count {
        if bytes.u16_le()? != TEXT {
            return None;
        }
        let text = codec.text(bytes.str32()?);
        wordings.push(Wording::new(None, text));
    }
    Some(wordings)
}

/// All that is said in a question.
fn wordings(asked: &Training) -> impl Iterator<Item = &Wording> {
    let lists = [&asked.question, &asked.refusal].into_iter();
    let answers = asked.answers.iter().map(|answer| &answer.feedback);
    lists.chain(&asked.hints).chain(answers).flatten()
}

/// Whether something is said in a language: there is no place for that here.
pub(super) fn has_languages(asked: &Training) -> bool {
    wordings(asked).any(|wording| wording.language.is_some())
}

/// The bytes of a question; none if it has letters or numbers that there is no room for.
pub(super) fn write(asked: &Training, codec: &TextCodec) -> Option<Vec<u8>> {
    let mut data = Vec::from(MARK);
    let seconds = match asked.seconds {
        Some(0) => return None,
        seconds => seconds.unwrap_or(0),
    };
    data.extend(seconds.to_le_bytes());
    data.extend(asked.points.to_le_bytes());
    let [hint, second_hint] = &asked.hints;
    for list in [&asked.question, &asked.refusal, hint, second_hint] {
        write_list(list, codec, &mut data)?;
    }
    data.push(u8::try_from(asked.answers.len()).ok()?);
    for answer in &asked.answers {
        let (from, to) = (index_of_square(answer.from), index_of_square(answer.to));
        data.extend([from, to, 0, answer.points]);
        write_list(&answer.feedback, codec, &mut data)?;
    }
    Some(data)
}

fn write_list(list: &[Wording], codec: &TextCodec, data: &mut Vec<u8>) -> Option<()> {
    data.extend(u16::try_from(list.len()).ok()?.to_le_bytes());
    for wording in list {
        let (bytes, lost) = codec.encode_text(&wording.text);
        if lost > 0 {
            return None;
        }
        data.extend(TEXT.to_le_bytes());
        data.extend(with_length(&bytes));
    }
    Some(())
}
