//! Items as notes, and notes as items.

use tabiya_game::{Annotation, CommentPlace, LossKind};

use super::{FORMAT, Item, convert, quotation::Quotation, training};
use crate::{
    annotations::{self, Layout, Note, Written, bytes::Bytes, kind, languages},
    encoding::TextCodec,
};

/// How this family lays out its items.
pub(crate) const LAYOUT: Layout = Layout { write, language };

/// Bytes before the letters of a text: zeros, the language, the length.
pub(super) const TEXT_HEAD: usize = 8;

/// The longest text: a frame has room for more.
const LONGEST_TEXT: usize = 16 << 20;

/// The languages of comments, with the countries that stand for them in the classic family.
const LANGUAGES: [(u16, u16); 10] = [
    (0, 42),
    (1, 53),
    (2, 49),
    (3, 43),
    (4, 70),
    (5, 103),
    (6, 117),
    (7, 0),
    (12, 116),
    (18, 55),
];

fn country_of(language: u16) -> u16 {
    let known = LANGUAGES.iter().find(|(number, _)| *number == language);
    known.map_or(languages::NEWER.saturating_add(language), |(_, it)| *it)
}

fn language_of(country: u16) -> Option<u16> {
    let known = LANGUAGES.iter().find(|(_, it)| *it == country);
    let newer = || country.checked_sub(languages::NEWER);
    known.map(|(number, _)| *number).or_else(newer)
}

/// The country of a comment's language, if this family has a number for it.
fn language(language: Option<&str>) -> Option<u16> {
    languages::to_comment(language).filter(|country| language_of(*country).is_some())
}

/// What an item says. Whatever would not be written as it is stays raw; texts are the exception,
/// because there are several encodings.
pub(crate) fn read_note(item: &Item<'_>, codec: &TextCodec) -> Note {
    let typed = u8::try_from(item.kind).ok().and_then(|kind| match kind {
        kind::TEXT_AFTER | kind::TEXT_BEFORE => read_text(kind, item.data, codec),
        _ => read_typed(kind, item, codec).filter(|note| is(note, kind, item.data, codec)),
    });
    typed.unwrap_or_else(|| {
        Note::Annotation(Annotation::Raw {
            format: FORMAT.to_owned(),
            code: item.kind,
            bytes: item.data.to_vec(),
        })
    })
}

fn is(note: &Note, kind: u8, data: &[u8], codec: &TextCodec) -> bool {
    matches!(&write(note, codec).items[..], [(it, written)] if *it == kind && written == data)
}

fn read_text(kind: u8, data: &[u8], codec: &TextCodec) -> Option<Note> {
    let mut bytes = Bytes(data);
    let (0, language) = (bytes.u16_le()?, bytes.u16_le()?) else {
        return None;
    };
    let text = codec.text(bytes.str32()?);
    Some(Note::of_text(kind, country_of(language), text, codec))
}

fn read_typed(kind: u8, item: &Item<'_>, codec: &TextCodec) -> Option<Note> {
    let data = item.data;
    Some(Note::Annotation(match kind {
        kind::TRAINING => Annotation::Training(Box::new(training::read(data, codec)?)),
        kind::QUOTATION => Annotation::Quotation(Box::new(tabiya_game::Quotation {
            text: Quotation::read(data)?.text(codec),
            format: FORMAT.to_owned(),
            bytes: data.to_vec(),
        })),
        kind::WEB_LINK => {
            let mut bytes = Bytes(data.strip_prefix(&[1])?);
            let mut text = || Some(codec.name(bytes.str32()?).into_owned());
            let (url, text) = (text()?, text()?);
            Annotation::WebLink { url, text }
        }
        _ => {
            let classic = annotations::Item {
                position: item.position,
                kind,
                data: &convert::to_classic(kind, data)?,
            };
            return Some(Note::read(&classic, codec));
        }
    }))
}

/// The items of a note.
fn write(note: &Note, codec: &TextCodec) -> Written {
    let annotation = match note {
        Note::Text {
            place,
            country,
            text,
        } => return write_text(*place, *country, text, codec),
        Note::Annotation(annotation) => annotation,
        _ => return convert_written(note, codec),
    };
    let mut written = Written::default();
    let item = match annotation {
        Annotation::Raw {
            format,
            code,
            bytes,
        } if format == FORMAT => u8::try_from(*code).ok().map(|code| (code, bytes.clone())),
        Annotation::Quotation(quoted) if quoted.format == FORMAT => {
            let read = Quotation::read(&quoted.bytes);
            let same = read.is_some_and(|read| read.text(codec) == quoted.text);
            same.then(|| (kind::QUOTATION, quoted.bytes.clone()))
        }
        // Those of the classic family are laid out in another way.
        Annotation::Quotation(_) => None,
        Annotation::Training(asked) => {
            let item = training::write(asked, codec).map(|data| (kind::TRAINING, data));
            if item.is_some() && training::has_languages(asked) {
                let what = "the languages of a training question";
                written.lose(LossKind::Language, what);
            }
            item
        }
        Annotation::WebLink { url, text } => {
            let [url, text] = [url, text].map(|text| {
                let (bytes, lost) = codec.encode_name(text);
                (lost == 0).then(|| convert::with_length(&bytes))
            });
            let data = url
                .zip(text)
                .map(|(url, text)| [&[1], &url[..], &text].concat());
            data.map(|data| (kind::WEB_LINK, data))
        }
        _ => return convert_written(note, codec),
    };
    // What could not be read back would end the reading of all that follows it.
    let item =
        item.filter(|(kind, data)| super::length::of((*kind).into(), data) == Ok(data.len()));
    match item {
        Some(item) => written.items.push(item),
        None => return write_command(annotation, codec),
    }
    written
}

/// The items that the classic family has for a note, laid out in the way of this one.
fn convert_written(note: &Note, codec: &TextCodec) -> Written {
    let mut written = note.write(codec);
    let items = written.items.iter().map(|(kind, data)| match *kind {
        kind::TEXT_AFTER | kind::TEXT_BEFORE => {
            let language = language_of(u16::from(*data.get(1)?))?;
            Some((*kind, text_data(language, data.get(2..)?)))
        }
        kind => Some((kind, convert::from_classic(kind, data)?)),
    });
    match items.collect::<Option<Vec<_>>>() {
        Some(items) => written.items = items,
        None => match note {
            Note::Annotation(annotation) => return write_command(annotation, codec),
            _ => written.lose(LossKind::Annotation, "an annotation that has no layout"),
        },
    }
    written
}

/// A text that holds the command of an annotation.
fn write_command(annotation: &Annotation, codec: &TextCodec) -> Written {
    match annotation.to_command() {
        Some(command) => write_text(CommentPlace::After, 0, &command, codec),
        None => {
            let mut written = Written::default();
            written.lose(LossKind::Annotation, "an annotation without a spelling");
            written
        }
    }
}

fn write_text(place: CommentPlace, country: u16, text: &str, codec: &TextCodec) -> Written {
    let mut written = Written::default();
    let kind = match place {
        CommentPlace::Before => kind::TEXT_BEFORE,
        CommentPlace::After => kind::TEXT_AFTER,
    };
    let language = language_of(country).unwrap_or_else(|| {
        written.lose(LossKind::Language, "the language of a comment");
        7
    });
    let (bytes, lost) = codec.encode_text(text);
    if lost > 0 {
        written.lose(LossKind::Comment, "letters of a comment");
    }
    match bytes.len() <= LONGEST_TEXT {
        true => written.items.push((kind, text_data(language, &bytes))),
        false => written.lose(LossKind::Comment, "a comment that is too long"),
    }
    written
}

fn text_data(language: u16, text: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(TEXT_HEAD + text.len());
    data.extend([0; 2]);
    data.extend(language.to_le_bytes());
    data.extend(convert::with_length(text));
    data
}
