use encoding_rs::WINDOWS_1251;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// A text of version 3 with English and German contents and an empty page in French.
fn page() -> Vec<u8> {
    let empty = b"<HTML><HEAD><TITLE></TITLE></HEAD><BODY ></BODY></HTML>";
    let mut bytes = vec![0x80, 0, 0, 0, 3, 0, 1, 0];
    bytes.extend_from_slice(b"\x01\0\x05\0Titel\x01\x03\0");
    for (language, html) in [(0, &b"<p>Hi</p>"[..]), (1, b"<p>Na</p>"), (2, empty)] {
        bytes.extend_from_slice(&[language, 0, html.len() as u8, 0, 0, 0]);
        bytes.extend_from_slice(html);
        bytes.extend_from_slice(&[0; 4]);
    }
    bytes[3] = bytes.len() as u8;
    bytes
}

#[test]
fn a_page_in_several_languages_is_read_and_written() {
    let codec = TextCodec::default();
    let bytes = page();
    let text = GuidingText::parse(&bytes).expect("a text");
    assert!(text.is_html());
    assert_eq!(text.to_bytes(), bytes);
    let seen: Vec<_> = text
        .languages(&codec)
        .into_iter()
        .map(|page| (page.title, page.language, page.text))
        .collect();
    assert_eq!(
        seen,
        [
            ("Titel".into(), Some("en"), "<p>Hi</p>".into()),
            ("Titel".into(), Some("de"), "<p>Na</p>".into()),
        ]
    );
    text.tell(Place::default(), &codec, &mut |event| {
        let title = "Titel";
        let (language, text) = (Some("de"), "<p>Na</p>");
        let main = Event::Text {
            place: Place::default(),
            title,
            language,
            text,
        };
        assert_eq!(event, main);
    });
}

#[test]
fn plain_texts_have_formatting_that_is_kept() {
    let codec = TextCodec::new(WINDOWS_1251);
    for version in [1u8, 2] {
        let length = |n: u8| match version {
            1 => vec![n, 0],
            _ => vec![n, 0, 0, 0],
        };
        let mut bytes = vec![
            0x80, 0, 0, 0, version, 0, 1, 0, 1, 0, 2, 0, 0xa8, 0xe6, 1, 1, 0,
        ];
        bytes.extend_from_slice(&[0, 0]);
        bytes.extend_from_slice(&length(2));
        bytes.extend_from_slice(b"\xc5\xe6");
        bytes.extend_from_slice(&length(3));
        bytes.extend_from_slice(&[0x2c, 1, 9]);
        bytes[3] = bytes.len() as u8;
        let text = GuidingText::parse(&bytes).expect("a text");
        assert_eq!(text.to_bytes(), bytes);
        let main = text.main(&codec);
        assert_eq!((&*main.title, &*main.text), ("Ёж", "Еж"));
        assert_eq!(main.language, Some("en"));
    }
}

#[test]
fn a_text_without_titles_and_contents_is_empty() {
    let bytes = [0x80, 0, 0, 11, 3, 0, 0, 0, 1, 0, 0];
    let text = GuidingText::parse(&bytes).expect("a text");
    let main = text.main(&TextCodec::default());
    assert_eq!((&*main.title, main.language, &*main.text), ("", None, ""));
    assert_eq!(text.to_bytes(), bytes);
}

#[test]
fn what_stands_behind_the_contents_is_kept() {
    let mut bytes = page();
    bytes.push(7);
    bytes[3] += 1;
    let text = GuidingText::parse(&bytes).expect("a text");
    assert_eq!(text.to_bytes(), bytes);
}

#[test]
fn a_text_cut_short_says_where() {
    let bytes = page();
    for length in 0..bytes.len() {
        let wanted = if length < 4 { 4 } else { bytes.len() };
        let left = length;
        let kind = TextErrorKind::RecordOutOfRange { wanted, left };
        assert_eq!(
            GuidingText::parse(&bytes[..length]),
            Err(TextError { kind, offset: 0 })
        );
        if length >= 4 {
            let mut shorter = bytes[..length].to_vec();
            shorter[3] = length as u8;
            let error = GuidingText::parse(&shorter).expect_err("it is cut short");
            assert_eq!(error.kind, TextErrorKind::BadText);
        }
    }
}

#[test]
fn what_is_not_a_text_is_refused() {
    let fails = |bytes: &[u8]| GuidingText::parse(bytes).expect_err("no text");
    assert_eq!(fails(&[0, 0, 0, 4]).kind, TextErrorKind::NotAText);
    let unknown = fails(&[0x80, 0, 0, 8, 4, 0, 0, 0]);
    assert_eq!(unknown.kind, TextErrorKind::UnknownVersion { version: 4 });
    assert_eq!(unknown.offset, 4);
}

#[test]
fn what_a_new_text_cannot_hold_is_said() {
    let codec = TextCodec::new(WINDOWS_1251);
    let (text, losses) = GuidingText::new("é", Some("ru"), "", &codec).expect("it is short");
    assert_eq!(text.main(&codec).title, "?");
    assert_eq!(text.main(&codec).language, None);
    let kinds: Vec<_> = losses.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [LossKind::Language, LossKind::Entry]);
    let long = "x".repeat(0x1_0000);
    assert_eq!(GuidingText::new(&long, None, "", &codec), None);
    assert!(GuidingText::new(&long[1..], None, &long, &codec).is_some());
    assert_eq!(
        GuidingText::new("", None, &"x".repeat(1 << 24), &codec),
        None
    );
}

proptest! {
    #[test]
    fn any_bytes_are_a_text_or_an_error(
        version in 0u8..5,
        size in any::<u8>(),
        body in vec(prop_oneof![Just(0u8), 0u8..4, any::<u8>()], 0..100),
    ) {
        let bytes = [&[0x80, 0, 0, size, version, 0][..], &body].concat();
        if let Ok(text) = GuidingText::parse(&bytes) {
            // The highest bit says that it is a text; the others say nothing.
            prop_assert_eq!(text.to_bytes(), &bytes[..usize::from(size)]);
            let codec = TextCodec::default();
            let _ = (text.languages(&codec), text.main(&codec));
        }
    }

    #[test]
    fn a_new_text_is_read_as_it_is(title in "[a-zäé]{0,20}", html in any::<String>()) {
        let codec = TextCodec::default();
        let (text, losses) = GuidingText::new(&title, Some("fr"), &html, &codec).unwrap();
        prop_assert!(losses.is_empty());
        let read = GuidingText::parse(&text.to_bytes()).unwrap();
        let main = read.main(&codec);
        prop_assert_eq!((&*main.title, main.language, &*main.text), (&*title, Some("fr"), &*html));
    }
}
