//! What the `store` profile adds: codes `9B` to `9F` and the kinds of data behind `9D`.
//!
//! | Kind | What | Payload |
//! |---|---|---|
//! | 1 | coloured squares | for each: colour letter, square |
//! | 2 | coloured arrows | for each: colour letter, from, to |
//! | 3, 4, 5 | clock, time spent, mechanical clock | seconds, then nanoseconds unless 0 |
//! | 6, 7 | evaluation in centipawns, mate | value (zigzag), then the depth if known |
//! | 8 | evaluation profile | first ply, then a signed 16-bit value for each position |
//! | 9 | raw annotation | length of the format's name, name, code (16 bits), bytes |
//! | 10 | annotation by its command in PGN | text |
//! | 11 | error | kind, offset, line, column, length of the message, message, raw text |
//! | 12 | comment in a language without a number | place, length of the language, language, text |
//! | 13 | position before the next ply | FEN |
//! | 14 | the result that follows is a forfeit | |
//! | 15 | state of the game | 0 complete, 1 broken |
//! | 16 | rules of the game | name of the variant |
//! | 17 | all of an entry that is no game | its items, as the store has them |
//!
//! Numbers are LEB128 where nothing else is said, fixed numbers little-endian. Kinds 13 to 15 are
//! written only where the game is not as a reader would expect, 16 and 17 only at the
//! [head](super::Head) of a stream. Other kinds are kept as raw annotations of the format
//! [`UNKNOWN`].

use std::time::Duration;

use tabiya_chess::{Position, Setup, Square, Variant};
use tabiya_game::{
    Annotation, Arrow, CommentPlace, Evaluation, GameError, GameErrorKind, GameState, Mark,
    MarkColor, Place, Profile, Score,
};

/// A move by squares.
pub(super) const SQUARES: u8 = 0x9b;
/// A NAG above 255.
pub(super) const WIDE_NAG: u8 = 0x9c;
/// Data of a kind.
pub(super) const DATA: u8 = 0x9d;
/// A ply that was left out.
pub(super) const MISSING: u8 = 0x9e;
/// A comment with place and language.
pub(super) const COMMENT: u8 = 0x9f;

/// The format of raw annotations that stand for data of an unknown kind.
const UNKNOWN: &str = "jose-store";

const MARKS: u8 = 1;
const ARROWS: u8 = 2;
const CLOCK: u8 = 3;
const TIME_SPENT: u8 = 4;
const MECHANICAL: u8 = 5;
const CENTIPAWNS: u8 = 6;
const MATE: u8 = 7;
const PROFILE: u8 = 8;
const RAW: u8 = 9;
const COMMAND: u8 = 10;
const ERROR: u8 = 11;
const LANGUAGE: u8 = 12;
pub(super) const POSITION: u8 = 13;
const FORFEIT: u8 = 14;
const STATE: u8 = 15;
pub(super) const RULES: u8 = 16;
pub(super) const OTHER: u8 = 17;

/// Kinds of errors by their numbers.
const ERRORS: [GameErrorKind; 8] = [
    GameErrorKind::IllegalMove,
    GameErrorKind::AmbiguousMove,
    GameErrorKind::Unreadable,
    GameErrorKind::BadStart,
    GameErrorKind::UnknownVariant,
    GameErrorKind::BadTag,
    GameErrorKind::Unbalanced,
    GameErrorKind::Limit,
];

/// Languages by their numbers, from 1: the codes of ISO 639-1 in their order. 0 is no language.
const LANGUAGES: [&str; 184] = [
    "aa", "ab", "ae", "af", "ak", "am", "an", "ar", "as", "av", "ay", "az", "ba", "be", "bg", "bh",
    "bi", "bm", "bn", "bo", "br", "bs", "ca", "ce", "ch", "co", "cr", "cs", "cu", "cv", "cy", "da",
    "de", "dv", "dz", "ee", "el", "en", "eo", "es", "et", "eu", "fa", "ff", "fi", "fj", "fo", "fr",
    "fy", "ga", "gd", "gl", "gn", "gu", "gv", "ha", "he", "hi", "ho", "hr", "ht", "hu", "hy", "hz",
    "ia", "id", "ie", "ig", "ii", "ik", "io", "is", "it", "iu", "ja", "jv", "ka", "kg", "ki", "kj",
    "kk", "kl", "km", "kn", "ko", "kr", "ks", "ku", "kv", "kw", "ky", "la", "lb", "lg", "li", "ln",
    "lo", "lt", "lu", "lv", "mg", "mh", "mi", "mk", "ml", "mn", "mr", "ms", "mt", "my", "na", "nb",
    "nd", "ne", "ng", "nl", "nn", "no", "nr", "nv", "ny", "oc", "oj", "om", "or", "os", "pa", "pi",
    "pl", "ps", "pt", "qu", "rm", "rn", "ro", "ru", "rw", "sa", "sc", "sd", "se", "sg", "si", "sk",
    "sl", "sm", "sn", "so", "sq", "sr", "ss", "st", "su", "sv", "sw", "ta", "te", "tg", "th", "ti",
    "tk", "tl", "tn", "to", "tr", "ts", "tt", "tw", "ty", "ug", "uk", "ur", "uz", "ve", "vi", "vo",
    "wa", "wo", "xh", "yi", "yo", "za", "zh", "zu",
];

/// What data of a known kind says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Data<'a> {
    Annotation(Annotation),
    Error(GameError<'a>),
    /// A comment with its place and its language.
    Comment(CommentPlace, &'a str, &'a str),
    Position(Box<Setup>),
    Forfeit,
    State(GameState),
    /// The rules of the whole game.
    Rules(Variant),
}

/// A number of seven bits a byte, the lowest first.
pub(super) fn leb128(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        // The tenth byte has room for one bit.
        if bits.checked_shl(shift)? >> shift != bits {
            return None;
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

pub(super) fn put_leb128(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The meaning of data; `None` if its payload is not as its kind wants it.
pub(super) fn decode(kind: u8, payload: &[u8]) -> Option<Data<'_>> {
    Some(match kind {
        MARKS..=COMMAND => Data::Annotation(annotation(kind, payload)?),
        ERROR => Data::Error(error(payload)?),
        LANGUAGE => {
            let (place, mut rest) = payload.split_first()?;
            let language = text(&mut rest)?;
            Data::Comment(comment_place(*place)?, language, str::from_utf8(rest).ok()?)
        }
        POSITION => Data::Position(Box::new(str::from_utf8(payload).ok()?.parse().ok()?)),
        FORFEIT => payload.is_empty().then_some(Data::Forfeit)?,
        STATE => Data::State(match payload {
            [0] => GameState::Complete,
            [1] => GameState::Broken,
            _ => return None,
        }),
        RULES => {
            let names = |variant: &Variant| variant.name().as_bytes() == payload;
            Data::Rules(Variant::ALL.into_iter().find(names)?)
        }
        // No game has it in it.
        OTHER => return None,
        _ => Data::Annotation(Annotation::Raw {
            format: UNKNOWN.into(),
            code: u16::from(kind),
            bytes: payload.into(),
        }),
    })
}

/// Before or after a move.
pub(super) fn comment_place(number: u8) -> Option<CommentPlace> {
    match number {
        0 => Some(CommentPlace::After),
        1 => Some(CommentPlace::Before),
        _ => None,
    }
}

/// The language of a number: `Some(None)` for none, `None` for a number without a meaning.
pub(super) fn language(number: u8) -> Option<Option<&'static str>> {
    match number.checked_sub(1) {
        None => Some(None),
        Some(index) => LANGUAGES.get(usize::from(index)).copied().map(Some),
    }
}

/// A text behind its length.
fn text<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let length = usize::try_from(leb128(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    str::from_utf8(text).ok()
}

fn square(number: u8) -> Option<Square> {
    (number < 64).then(|| Square::from_index(number))
}

fn color(letter: u8) -> Option<MarkColor> {
    MarkColor::from_letter(char::from(letter))
}

fn annotation(kind: u8, mut payload: &[u8]) -> Option<Annotation> {
    Some(match kind {
        MARKS => Annotation::Squares(all(payload, |&[letter, on]| {
            Some(Mark {
                color: color(letter)?,
                square: square(on)?,
            })
        })?),
        ARROWS => Annotation::Arrows(all(payload, |&[letter, from, to]| {
            Some(Arrow {
                color: color(letter)?,
                from: square(from)?,
                to: square(to)?,
            })
        })?),
        CLOCK => Annotation::Clock(duration(payload)?),
        TIME_SPENT => Annotation::TimeSpent(duration(payload)?),
        MECHANICAL => Annotation::MechanicalClock(duration(payload)?),
        CENTIPAWNS => Annotation::Evaluation(evaluation(payload, Score::Centipawns)?),
        MATE => Annotation::Evaluation(evaluation(payload, Score::Mate)?),
        PROFILE => Annotation::EvaluationProfile(Profile {
            first: u16::try_from(leb128(&mut payload)?).ok()?,
            values: all(payload, |bytes| Some(i16::from_le_bytes(*bytes)))?,
        }),
        RAW => {
            let format = text(&mut payload)?.to_owned();
            let (code, bytes) = payload.split_first_chunk::<2>()?;
            Annotation::Raw {
                format,
                code: u16::from_le_bytes(*code),
                bytes: bytes.to_vec(),
            }
        }
        _ => tabiya_game::command::canonical(str::from_utf8(payload).ok()?)?,
    })
}

/// Every group of `N` bytes, if nothing is left over and all are sound.
fn all<const N: usize, T>(payload: &[u8], read: impl Fn(&[u8; N]) -> Option<T>) -> Option<Vec<T>> {
    let (groups, rest) = payload.as_chunks::<N>();
    if !rest.is_empty() {
        return None;
    }
    groups.iter().map(read).collect()
}

fn duration(mut payload: &[u8]) -> Option<Duration> {
    let seconds = leb128(&mut payload)?;
    let nanoseconds = match payload {
        [] => 0,
        _ => u32::try_from(leb128(&mut payload)?).ok()?,
    };
    (payload.is_empty() && nanoseconds < 1_000_000_000).then(|| Duration::new(seconds, nanoseconds))
}

fn evaluation(mut payload: &[u8], score: fn(i32) -> Score) -> Option<Evaluation> {
    let zigzag = u32::try_from(leb128(&mut payload)?).ok()?;
    let value = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
    let depth = match payload {
        [] => None,
        _ => Some(u16::try_from(leb128(&mut payload)?).ok()?),
    };
    payload.is_empty().then(|| Evaluation {
        score: score(value),
        depth,
    })
}

fn error(payload: &[u8]) -> Option<GameError<'_>> {
    let (kind, mut rest) = payload.split_first()?;
    let kind = *ERRORS.get(usize::from(*kind))?;
    let first = Place {
        offset: leb128(&mut rest)?,
        line: leb128(&mut rest)?,
        column: u32::try_from(leb128(&mut rest)?).ok()?,
        number: 0,
    };
    Some(GameError {
        kind,
        message: text(&mut rest)?,
        raw: str::from_utf8(rest).ok()?,
        // Who knows where the bytes are says so.
        place: Place::default(),
        first: Some(first),
    })
}

/// Writes data of a kind, whose payload `write` makes.
pub(super) fn put_data(kind: u8, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    // Nearly all are short, so that one byte holds the length.
    out.extend([DATA, 0, kind]);
    let start = out.len() - 1;
    write(out);
    let length = out.len() - start;
    if length < 0x80 {
        out[start - 1] = length as u8;
    } else {
        let mut head = Vec::new();
        put_leb128(length as u64, &mut head);
        out.splice(start - 1..start, head);
    }
}

/// Writes an annotation; `false` if it has no form here.
pub(super) fn put_annotation(annotation: &Annotation, out: &mut Vec<u8>) -> bool {
    match annotation {
        Annotation::Squares(marks) => put_data(MARKS, out, |out| {
            for mark in marks {
                out.extend([mark.color.letter() as u8, mark.square.index() as u8]);
            }
        }),
        Annotation::Arrows(arrows) => put_data(ARROWS, out, |out| {
            for arrow in arrows {
                out.push(arrow.color.letter() as u8);
                out.extend([arrow.from.index() as u8, arrow.to.index() as u8]);
            }
        }),
        Annotation::Clock(time) => put_duration(CLOCK, *time, out),
        Annotation::TimeSpent(time) => put_duration(TIME_SPENT, *time, out),
        Annotation::MechanicalClock(time) => put_duration(MECHANICAL, *time, out),
        Annotation::Evaluation(said) => put_evaluation(*said, out),
        Annotation::EvaluationProfile(profile) => put_data(PROFILE, out, |out| {
            put_leb128(profile.first.into(), out);
            out.extend(profile.values.iter().flat_map(|value| value.to_le_bytes()));
        }),
        Annotation::Raw {
            format,
            code,
            bytes,
        } => put_data(RAW, out, |out| {
            put_text(format, out);
            out.extend(code.to_le_bytes());
            out.extend_from_slice(bytes);
        }),
        other => match other.to_command() {
            Some(command) => put_data(COMMAND, out, |out| out.extend(command.bytes())),
            None => return false,
        },
    }
    true
}

fn put_duration(kind: u8, time: Duration, out: &mut Vec<u8>) {
    put_data(kind, out, |out| {
        put_leb128(time.as_secs(), out);
        if time.subsec_nanos() > 0 {
            put_leb128(time.subsec_nanos().into(), out);
        }
    });
}

fn put_evaluation(said: Evaluation, out: &mut Vec<u8>) {
    let (kind, value) = match said.score {
        Score::Centipawns(value) => (CENTIPAWNS, value),
        Score::Mate(moves) => (MATE, moves),
    };
    put_data(kind, out, |out| {
        let zigzag = (value << 1 ^ value >> 31) as u32;
        put_leb128(zigzag.into(), out);
        if let Some(depth) = said.depth {
            put_leb128(depth.into(), out);
        }
    });
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    put_leb128(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

/// Writes an error.
pub(super) fn put_error(error: &GameError<'_>, out: &mut Vec<u8>) {
    put_data(ERROR, out, |out| {
        let number = ERRORS.iter().position(|&kind| kind == error.kind);
        // The table has all kinds there are; a later one would be "unreadable".
        out.push(number.unwrap_or(2) as u8);
        let place = error.origin();
        put_leb128(place.offset, out);
        put_leb128(place.line, out);
        put_leb128(place.column.into(), out);
        put_text(error.message, out);
        out.extend_from_slice(error.raw.as_bytes());
    });
}

/// Writes a comment with its place and its language.
pub(super) fn put_comment(
    place: CommentPlace,
    language: Option<&str>,
    comment: &str,
    out: &mut Vec<u8>,
) {
    let place = match place {
        CommentPlace::After => 0,
        CommentPlace::Before => 1,
    };
    let number = match language {
        None => Some(0),
        Some(code) => LANGUAGES.binary_search(&code).ok().map(|index| index + 1),
    };
    match (number, language) {
        (Some(number), _) => {
            out.extend([COMMENT, place, number as u8]);
            put_text(comment, out);
        }
        (None, language) => put_data(LANGUAGE, out, |out| {
            out.push(place);
            put_text(language.unwrap_or_default(), out);
            out.extend_from_slice(comment.as_bytes());
        }),
    }
}

/// Says which position the next ply is played in.
pub(super) fn put_position(position: &Position, out: &mut Vec<u8>) {
    put_data(POSITION, out, |out| {
        out.extend_from_slice(position.to_string().as_bytes());
    });
}

/// Says that the result that follows is a forfeit.
pub(super) fn put_forfeit(out: &mut Vec<u8>) {
    put_data(FORFEIT, out, |_| ());
}

/// Says whether the game could be read whole.
pub(super) fn put_state(state: GameState, out: &mut Vec<u8>) {
    let number = match state {
        GameState::Complete => 0,
        GameState::Broken => 1,
    };
    put_data(STATE, out, |out| out.push(number));
}
