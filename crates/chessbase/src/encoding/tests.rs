use encoding_rs::{GBK, WINDOWS_1250, WINDOWS_1251, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257};
use proptest::prelude::*;

use super::*;

fn detected(encoding: &'static Encoding, text: &str) -> &'static Encoding {
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable, "{text}");
    TextCodec::detect([&bytes[..]]).encoding()
}

#[test]
fn plain_text_is_windows_1252() {
    assert_eq!(
        TextCodec::detect([&b"1.e4 e5"[..]]).encoding(),
        WINDOWS_1252
    );
    assert_eq!(TextCodec::detect([]).encoding(), WINDOWS_1252);
}

#[test]
fn texts_in_utf_8_alone_make_a_utf_8_database() {
    let codec = TextCodec::detect(["weiß".as_bytes(), b"plain"]);
    assert_eq!(codec.encoding(), UTF_8);
    assert_eq!(
        codec.encode_text("ψ♔"),
        ("ψ\u{e024}".as_bytes().to_vec(), 0)
    );
    assert_eq!(codec.text("ψ\u{e024}".as_bytes()), "ψ♔");
    assert_eq!(codec.name("ψ\u{e024}".as_bytes()), "ψ\u{e024}");
}

#[test]
fn western_languages_stay_in_windows_1252() {
    for text in [
        "Schwarz könnte natürlich auch gleich zurückschlagen, doch dann hätte Weiß die \
         größere Initiative und ein schönes Läuferpaar, während der Bauer später fällt. \
         Für Übergänge ins Endspiel müßte er überdies prüfen, ob die Türme rechtzeitig kämen.",
        "Après cette poussée, les Noirs ont dû céder la case centrale et la défense a été très \
         pénible. L'idée était de préparer la percée à l'aile dame, où la pièce sacrifiée \
         dégageait déjà une compensation évidente; la réponse exacte n'a été trouvée qu'après.",
        "La única continuación que daría alguna compensación después de la jugada anterior, \
         según la opinión del campeón, sería también ésta: así el peón quedaría débil y el \
         próximo año tendría más fácil la decisión, aunque aquí está aún más difícil.",
        "Então as pretas não têm mais a opção de roque e a posição é péssima, com três peões a \
         menos; a solução está na ação rápida: não há salvação além da combinação já vista.",
        "Perché il Nero può così già difendere la metà del lato di donna: però è più forte \
         l'idea di aprire la città, ciò che dà libertà e qualità alla possibilità; andrà più giù.",
        "Då får svart en stark ställning för över på kungsflygeln både löpare och torn är på \
         väg, så det är svårt att försvara sig här när även hästen står så långt från målet.",
    ] {
        assert_eq!(detected(WINDOWS_1252, text), WINDOWS_1252, "{text}");
    }
}

#[test]
fn other_languages_are_known_by_their_letters() {
    for (encoding, text) in [
        (
            WINDOWS_1250,
            "Białe zdobyły przewagę i powinny były zagrać gońcem, aby później rozwinąć się \
             szybciej; czarne jednak znalazły się w kłopotach już po pierwszej zmianie, więc \
             mogły tylko czekać. Została też końcówka z różnymi gońcami, którą białe \
             wygrały dzięki wieży, choć także król mógł się jeszcze bronić.",
        ),
        (
            WINDOWS_1250,
            "Bílý měl po výměně střelců lepší pozici, černý však při přechodu do koncovky \
             přehlédl, že věž může být ještě vrácena. Takže příště raději tři tahy předtím \
             zvážit, zda není lepší držet všechny pěšce.",
        ),
        (
            WINDOWS_1250,
            "A világos döntő előnyt szerzett, mert a sötét futó nem tudott időben visszatérni; \
             így a gyalogok előretörése eldöntötte a küzdelmet, és a győztes végül könnyű \
             végjátékot nyert a felső sakktáblán, ahol űzték a királynőt.",
        ),
        (
            WINDOWS_1251,
            "Белые получили большое преимущество и должны были сыграть слоном.",
        ),
        (
            WINDOWS_1253,
            "Ο λευκός έχει μεγάλο πλεονέκτημα και πρέπει να παίξει τον αξιωματικό.",
        ),
        (
            WINDOWS_1254,
            "Beyazın avantajı açıktı, fakat siyahın karşı saldırısı da güçlüydü; şah kanadında \
             atın çıkışı doğru değildi, çünkü kalenin sütunu kapanıyor ve ağır taşlar yetişmiyor. \
             Kısa rok şimdi daha iyi, ışık sızıyor.",
        ),
        (
            WINDOWS_1257,
            "Baltieji įgijo didelį pranašumą ir turėjo žaisti rikiu, kad vėliau greičiau \
             išvystytų figūras; juodieji jau po pirmųjų ėjimų atsidūrė sunkioje padėtyje, tačiau \
             galėjo dar šiek tiek priešintis, žinoma, kitų galimybių nebebuvo. Žiūrovai \
             šį ėjimą įvertino kaip labai stiprų, nes žirgas jį pasiekė per tris ėjimus.",
        ),
    ] {
        assert_eq!(detected(encoding, text), encoding, "{text}");
    }
}

#[test]
fn a_few_foreign_names_do_not_decide() {
    assert_eq!(detected(WINDOWS_1250, "Łódź, Dvořák, Żółw"), WINDOWS_1252);
}

#[test]
fn a_weak_knight_is_not_hebrew() {
    let codec = TextCodec::default();
    assert_eq!(codec.text(b"\xd7\xa4a8"), "✕♘a8");
    assert_eq!(codec.text("×¤".as_bytes()), "×¤");
    assert_eq!(codec.text("שלום".as_bytes()), "שלום");
    assert_eq!(codec.text(b"da\xdf\xbd"), "daß½");
}

#[test]
fn names_have_letters_where_texts_have_symbols() {
    let codec = TextCodec::default();
    assert_eq!(codec.name(b"\xa7 5"), "§ 5");
    assert_eq!(codec.text(b"\xa7 5"), "♙ 5");
    assert_eq!(codec.encode_name("§ 5"), (b"\xa7 5".to_vec(), 0));
    let strict = TextCodec::new(WINDOWS_1252);
    assert_eq!(strict.encode_text("§ 5"), (b"? 5".to_vec(), 1));
}

#[test]
fn symbols_are_letters_in_other_pages() {
    let codec = TextCodec::new(WINDOWS_1251);
    assert_eq!(codec.text(b"\xa8\xe6"), "Ёж");
    assert_eq!(codec.text(b"\xa4"), "¤");
}

#[test]
fn letters_that_look_like_utf_8_are_written_as_utf_8() {
    let codec = TextCodec::default();
    let (bytes, lost) = codec.encode_name("Ã¤");
    assert_eq!((codec.name(&bytes), lost), ("Ã¤".into(), 0));
    let strict = TextCodec::new(WINDOWS_1252);
    assert_eq!(strict.encode_name("Ã¤"), (b"\xc3\xa4".to_vec(), 0));
    assert_eq!(strict.name(b"\xc3\xa4"), "Ã¤");
}

#[test]
fn what_the_page_does_not_have_is_written_as_utf_8_where_that_is_read() {
    let codec = TextCodec::default();
    let utf8 = "Еж \u{e024} …".as_bytes();
    assert_eq!(codec.encode_text("Еж ♔ …"), (utf8.to_vec(), 0));
    assert_eq!(codec.text(utf8), "Еж ♔ …");
    let strict = TextCodec::new(WINDOWS_1252);
    assert_eq!(strict.encode_text("Еж ♔ …"), (b"?? \xa2 ?".to_vec(), 3));
    // A Hebrew letter alone would not be taken for one.
    assert_eq!(codec.encode_text("פ"), (b"?".to_vec(), 1));
}

/// In texts of ChessBase 92 is no apostrophe but a diagonal: in a real database the apostrophe and
/// the ellipsis stand in UTF-8 texts alone, and their bytes in Windows-1252 texts are symbols.
#[test]
fn only_what_symbols_displace_makes_a_western_text_utf_8() {
    let codec = TextCodec::default();
    for byte in 0x80..=0xff_u8 {
        let letter = codec.name(&[byte]).into_owned();
        let text = format!("{letter} is a letter");
        let (bytes, lost) = codec.encode_text(&text);
        let displaced = symbols::from_byte(byte).is_some_and(|symbol| letter != symbol.to_string());
        assert_eq!((bytes[0] != byte, lost), (displaced, 0), "{letter}");
        assert_eq!(codec.text(&bytes), text);
    }
}

#[test]
fn private_characters_are_symbols_in_every_page() {
    let codec = TextCodec::default();
    assert_eq!(
        codec.encode_text("wei\u{df} \u{e028}f3"),
        (b"wei\xdf \xa4f3".to_vec(), 0)
    );
    assert_eq!(codec.encode_name("\u{e028}").0, "\u{e028}".as_bytes());
    // Of others nobody knows what they are.
    assert_eq!(codec.encode_text("\u{e001}").0, "\u{e001}".as_bytes());
    assert_eq!(
        codec.encode_text("\u{416}\u{e028}").0,
        "\u{416}\u{e028}".as_bytes()
    );
}

#[test]
fn characters_may_have_several_bytes() {
    let codec = TextCodec::new(GBK);
    let (bytes, lost) = codec.encode_text("国际象棋 ♔");
    assert_eq!((codec.text(&bytes), lost), ("国际象棋 ?".into(), 1));
}

proptest! {
    #[test]
    fn any_bytes_are_a_text_that_is_written_the_same(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x80u8.., Just(b'a')], 0..20),
        page in prop::sample::select(vec![
            WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257,
        ]),
    ) {
        let codec = TextCodec::new(page);
        let name = codec.name(&bytes);
        prop_assert_eq!(codec.encode_name(&name), (bytes.clone(), 0));
        // One of the two bytes for compensation becomes the other.
        let usual: Vec<u8> = bytes
            .iter()
            .map(|byte| match byte {
                0xa9 if page == WINDOWS_1252 => 0xb0,
                other => *other,
            })
            .collect();
        let text = codec.text(&bytes);
        prop_assert_eq!(codec.encode_text(&text), (usual, 0));
    }

    #[test]
    fn any_text_is_written_and_read_but_for_what_is_counted(text in any::<String>()) {
        for codec in [TextCodec::default(), TextCodec::mixed(UTF_8), TextCodec::mixed(WINDOWS_1251)] {
            let (bytes, lost) = codec.encode_text(&text);
            let read = codec.text(&bytes);
            let private = |c: &char| symbols::from_private(*c).is_some();
            if lost == 0 && !text.chars().any(|c| private(&c)) {
                prop_assert_eq!(&read, &text);
            }
            let _ = TextCodec::detect([&bytes[..], text.as_bytes()]);
        }
    }
}

#[test]
fn old_texts_in_a_database_of_utf8_are_western() {
    let codec = TextCodec::mixed(UTF_8);
    assert_eq!(codec.text("Карпов — Таль".as_bytes()), "Карпов — Таль");
    assert_eq!(codec.text(b"\x97"), "—");
    assert_eq!(codec.name(b"M\xfcller"), "Müller");
    assert_eq!(TextCodec::new(UTF_8).name(b"M\xfcller"), "M\u{fffd}ller");
}
