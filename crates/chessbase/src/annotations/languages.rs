//! The languages of texts.
//!
//! Comments name a language by the number of a country; training questions and guiding texts
//! have numbers of their own.

use std::borrow::Cow;

/// Countries that stand for a language in comments.
const COMMENTS: [(u16, &str); 9] = [
    (42, "en"),
    (43, "es"),
    (49, "fr"),
    (53, "de"),
    (55, "el"),
    (70, "it"),
    (103, "nl"),
    (116, "pl"),
    (117, "pt"),
];

/// The languages of guiding texts and training questions, from 0.
const TEXTS: [&str; 7] = ["en", "de", "fr", "es", "it", "nl", "pt"];

/// The number of a guiding text in no language in particular.
pub(crate) const ANY: u16 = 7;

/// What other countries are called, as a private tag of BCP 47: `x-cb-120`.
const PRIVATE: &str = "x-cb-";

/// Languages of the newer family that have no country here: 256 and their number.
pub(crate) const NEWER: u16 = 0x100;

/// What those are called: `x-2cb-13`.
const PRIVATE_NEWER: &str = "x-2cb-";

/// The language of a comment; 0 is none in particular.
pub(crate) fn of_comment(country: u16) -> Option<Cow<'static, str>> {
    match country {
        0 => return None,
        NEWER.. => return Some(Cow::Owned(format!("{PRIVATE_NEWER}{}", country - NEWER))),
        _ => {}
    }
    let known = COMMENTS.iter().find(|(number, _)| *number == country);
    Some(match known {
        Some((_, code)) => Cow::Borrowed(code),
        None => Cow::Owned(format!("{PRIVATE}{country}")),
    })
}

/// The number of a comment's language, if it has one.
pub(crate) fn to_comment(language: Option<&str>) -> Option<u16> {
    let Some(language) = language else {
        return Some(0);
    };
    let known = COMMENTS.iter().find(|(_, code)| *code == language);
    match known {
        Some((number, _)) => Some(*number),
        None => {
            let number = match language.strip_prefix(PRIVATE_NEWER) {
                Some(number) => number.parse::<u16>().ok()?.checked_add(NEWER)?,
                None => language.strip_prefix(PRIVATE)?.parse().ok()?,
            };
            (of_comment(number)? == language).then_some(number)
        }
    }
}

/// The language of a guiding text or a training question, if it has one.
pub(crate) fn of_text(number: u16) -> Option<&'static str> {
    TEXTS.get(usize::from(number)).copied()
}

/// The number of the language of a guiding text or a training question.
pub(crate) fn to_text(language: Option<&str>) -> Option<u16> {
    let Some(language) = language else {
        return Some(ANY);
    };
    // There are seven.
    let index = TEXTS.iter().position(|code| *code == language)?;
    u16::try_from(index).ok()
}
