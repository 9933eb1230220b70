//! Texts as bytes without a zero.
//!
//! The document wants UTF-8. The program writes every UTF-16 unit by itself, so that characters
//! above U+FFFF become two groups of three bytes (CESU-8); very old data is ISO-8859-1.

use std::borrow::Cow;

/// Reads a text of any profile: UTF-8 with characters above U+FFFF in either form; or, if
/// `latin1` allows it, ISO-8859-1.
pub(super) fn decode(bytes: &[u8], latin1: bool) -> Option<Cow<'_, str>> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    if let Some(text) = join_surrogates(bytes) {
        return Some(Cow::Owned(text));
    }
    // The first 256 characters are those of ISO-8859-1.
    latin1.then(|| bytes.iter().copied().map(char::from).collect())
}

fn join_surrogates(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let plain = match str::from_utf8(rest) {
            Ok(end) => {
                text.push_str(end);
                return Some(text);
            }
            Err(error) => error.valid_up_to(),
        };
        let (good, bad) = rest.split_at(plain);
        text.push_str(str::from_utf8(good).ok()?);
        let (pair, more) = bad.split_first_chunk::<6>()?;
        text.push(surrogate_pair(pair)?);
        rest = more;
    }
}

/// The character of two surrogates of three bytes each.
fn surrogate_pair(bytes: &[u8; 6]) -> Option<char> {
    let &[
        0xed,
        high_1 @ 0xa0..=0xaf,
        high_2,
        0xed,
        low_1 @ 0xb0..=0xbf,
        low_2,
    ] = bytes
    else {
        return None;
    };
    if high_2 & 0xc0 != 0x80 || low_2 & 0xc0 != 0x80 {
        return None;
    }
    let unit = |first: u8, second: u8| u32::from(first & 0x0f) << 6 | u32::from(second & 0x3f);
    char::from_u32(0x1_0000 + (unit(high_1, high_2) << 10) + unit(low_1 & 0x0f, low_2))
}

/// Writes a text; zero characters are left out.
pub(super) fn encode(text: &str, surrogates: bool, out: &mut Vec<u8>) {
    if !text.contains('\0') && (!surrogates || text.bytes().all(|byte| byte < 0xf0)) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    for character in text.chars().filter(|&character| character != '\0') {
        if surrogates && character > '\u{ffff}' {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // A surrogate has the bits of three bytes of UTF-8 that no character has.
                out.extend([
                    0xed,
                    0x80 | (*unit >> 6 & 0x3f) as u8,
                    0x80 | (*unit & 0x3f) as u8,
                ]);
            }
        } else {
            let mut buffer = [0; 4];
            out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn characters_above_ffff_are_read_in_both_forms() {
        for bytes in ["😀 ok".as_bytes(), b"\xed\xa0\xbd\xed\xb8\x80 ok"] {
            assert_eq!(decode(bytes, false).as_deref(), Some("😀 ok"));
        }
    }

    #[test]
    fn half_a_pair_is_no_text() {
        for bytes in [
            &b"\xed\xa0\xbd"[..],
            b"\xed\xa0\xbdabc",
            b"\xed\xb8\x80\xed\xa0\xbd",
            b"\xed\xa0\xbd\xed\xb8",
            b"\xed\xa0\xbd\xed\xb8\x40",
        ] {
            assert_eq!(decode(bytes, false), None, "{bytes:02x?}");
        }
    }

    #[test]
    fn latin_1_is_read_only_on_request() {
        assert_eq!(decode(b"R\xe9ti", false), None);
        assert_eq!(decode(b"R\xe9ti", true).as_deref(), Some("Réti"));
        assert_eq!(decode("Réti".as_bytes(), true).as_deref(), Some("Réti"));
    }

    proptest! {
        #[test]
        fn texts_come_back(text in "[^\0]*", surrogates: bool) {
            let mut bytes = Vec::new();
            encode(&text, surrogates, &mut bytes);
            prop_assert!(!bytes.contains(&0));
            let decoded = decode(&bytes, false);
            prop_assert_eq!(decoded.as_deref(), Some(&*text));
        }

        #[test]
        fn any_bytes_are_a_text_or_none(bytes: Vec<u8>) {
            prop_assert!(decode(&bytes, true).is_some());
            let _ = decode(&bytes, false);
        }
    }
}
