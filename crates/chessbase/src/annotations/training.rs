//! Training questions (09).
//!
//! `01 00 01`, the length from here on, seconds, points, four texts (the question, what is said
//! to a wrong answer, two hints), then the answers: from, to, 00, points and a text. A text is
//! there in several languages, each with its number and length. All numbers are little-endian,
//! squares are counted from 0 up the files.

use tabiya_game::{Answer, Training, Wording};

use super::bytes::Bytes;
use super::languages::{of_text, to_text};
use super::marks::{index_of_square, square_of_index};
use crate::encoding::TextCodec;

const MARK: [u8; 3] = [1, 0, 1];

pub(super) fn read(data: &[u8], codec: &TextCodec) -> Option<Training> {
    let mut bytes = Bytes(data);
    let mark = bytes.array::<3>()?;
    let length = usize::from(bytes.u16_le()?);
    if mark != MARK || length + MARK.len() != data.len() {
        return None;
    }
    let seconds = bytes.u32_le()?;
    let points = bytes.u16_le()?;
    let mut text = || read_wordings(&mut bytes, codec);
    let (question, refusal, hints) = (text()?, text()?, [text()?, text()?]);
    let mut answers = Vec::new();
    for _ in 0..bytes.u8()? {
        let [from, to, 0, points] = bytes.array()? else {
            return None;
        };
        answers.push(Answer {
            from: square_of_index(from)?,
            to: square_of_index(to)?,
            points,
            feedback: read_wordings(&mut bytes, codec)?,
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

fn read_wordings(bytes: &mut Bytes<'_>, codec: &TextCodec) -> Option<Vec<Wording>> {
    let count = bytes.u16_le()?;
    let mut wordings = Vec::new();
    for _ in 0..count {
        let language = bytes.u16_le()?;
        let length = bytes.u16_le()?;
        let text = codec.text(bytes.take(length.into())?);
        wordings.push(Wording::new(of_text(language), text));
    }
    Some(wordings)
}

/// The bytes of a question; none if it is too long, or in a language or with letters that
/// ChessBase does not have.
pub(super) fn write(asked: &Training, codec: &TextCodec) -> Option<Vec<u8>> {
    let mut data = Vec::from(MARK);
    data.extend_from_slice(&[0, 0]);
    let seconds = match asked.seconds {
        Some(0) => return None,
        seconds => seconds.unwrap_or(0),
    };
    data.extend_from_slice(&seconds.to_le_bytes());
    data.extend_from_slice(&asked.points.to_le_bytes());
    let [hint, second_hint] = &asked.hints;
    for text in [&asked.question, &asked.refusal, hint, second_hint] {
        write_wordings(text, codec, &mut data)?;
    }
    data.push(u8::try_from(asked.answers.len()).ok()?);
    for answer in &asked.answers {
        let (from, to) = (index_of_square(answer.from), index_of_square(answer.to));
        data.extend_from_slice(&[from, to, 0, answer.points]);
        write_wordings(&answer.feedback, codec, &mut data)?;
    }
    let length = u16::try_from(data.len() - MARK.len()).ok()?;
    data[3..5].copy_from_slice(&length.to_le_bytes());
    (data.len() <= super::MAX_DATA).then_some(data)
}

fn write_wordings(wordings: &[Wording], codec: &TextCodec, data: &mut Vec<u8>) -> Option<()> {
    data.extend_from_slice(&u16::try_from(wordings.len()).ok()?.to_le_bytes());
    for wording in wordings {
        let (bytes, lost) = codec.encode_text(&wording.text);
        let length = u16::try_from(bytes.len()).ok().filter(|_| lost == 0)?;
        data.extend_from_slice(&to_text(wording.language.as_deref())?.to_le_bytes());
        data.extend_from_slice(&length.to_le_bytes());
        data.extend_from_slice(&bytes);
    }
    Some(())
}
