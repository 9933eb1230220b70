//! The code page of a database, by its letters.

use encoding_rs::{
    Encoding, UTF_8, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254,
    WINDOWS_1257,
};

/// How often the letters beyond `a` to `z` occur in a language, in parts of ten thousand letters
/// or so. Only proportions matter, and only lower case.
struct Language {
    encoding: &'static Encoding,
    letters: &'static [(char, u16)],
}

#[rustfmt::skip]
const LANGUAGES: &[Language] = &[
    // French, German, Spanish, Portuguese, Italian, and the north.
    Language { encoding: WINDOWS_1252, letters: &[
        ('é', 190), ('à', 49), ('è', 27), ('ê', 22), ('ç', 9), ('û', 6), ('ù', 6), ('î', 5),
        ('â', 5), ('ô', 2), ('œ', 2), ('ë', 1), ('ï', 1),
    ] },
    Language { encoding: WINDOWS_1252, letters: &[
        ('ü', 100), ('ä', 58), ('ö', 44), ('ß', 31), ('é', 2),
    ] },
    Language { encoding: WINDOWS_1252, letters: &[
        ('ó', 83), ('í', 73), ('á', 50), ('é', 43), ('ñ', 31), ('ú', 17), ('ü', 1), ('¿', 3),
        ('¡', 3),
    ] },
    Language { encoding: WINDOWS_1252, letters: &[
        ('ã', 73), ('ç', 53), ('ê', 45), ('é', 34), ('ó', 30), ('á', 20), ('ú', 20), ('í', 13),
        ('à', 7), ('â', 6), ('õ', 5), ('ô', 4),
    ] },
    Language { encoding: WINDOWS_1252, letters: &[
        ('à', 64), ('è', 50), ('ù', 17), ('é', 15), ('ò', 15), ('ì', 10),
    ] },
    Language { encoding: WINDOWS_1252, letters: &[
        ('ä', 180), ('ö', 130), ('å', 134), ('ø', 94), ('æ', 87), ('é', 5),
    ] },
    // Names from everywhere, as in the comments of tournament games.
    Language { encoding: WINDOWS_1252, letters: &[
        ('é', 60), ('ü', 60), ('ö', 50), ('ä', 40), ('á', 40), ('ó', 40), ('í', 40), ('è', 20),
        ('ç', 20), ('ñ', 15), ('ã', 15), ('ß', 15), ('ø', 15), ('å', 15), ('à', 15), ('ú', 10),
        ('ê', 10), ('ô', 5), ('ë', 5), ('æ', 5), ('š', 5), ('ž', 5), ('ý', 5), ('ï', 3), ('â', 3),
        ('î', 3), ('û', 3), ('õ', 3), ('ì', 3), ('ò', 3), ('ù', 3), ('ð', 2), ('þ', 2), ('œ', 2),
        ('ÿ', 1),
    ] },
    // Polish, Czech, Hungarian.
    Language { encoding: WINDOWS_1250, letters: &[
        ('ł', 182), ('ę', 111), ('ą', 99), ('ó', 85), ('ż', 83), ('ś', 66), ('ć', 40), ('ń', 20),
        ('ź', 6),
    ] },
    Language { encoding: WINDOWS_1250, letters: &[
        ('í', 241), ('á', 207), ('ě', 122), ('é', 100), ('ý', 80), ('ž', 72), ('š', 69), ('č', 46),
        ('ř', 38), ('ů', 20), ('ú', 5), ('ó', 2), ('ď', 2), ('ň', 1), ('ť', 1), ('ľ', 1),
    ] },
    Language { encoding: WINDOWS_1250, letters: &[
        ('á', 340), ('é', 320), ('ö', 100), ('ó', 90), ('ő', 88), ('í', 65), ('ú', 60), ('ü', 50),
        ('ű', 30),
    ] },
    // Russian and its neighbours.
    Language { encoding: WINDOWS_1251, letters: &[
        ('о', 1097), ('е', 845), ('а', 801), ('и', 735), ('н', 670), ('т', 626), ('с', 547),
        ('р', 473), ('в', 454), ('л', 440), ('к', 349), ('м', 321), ('д', 298), ('п', 281),
        ('у', 262), ('я', 201), ('ы', 190), ('ь', 174), ('г', 170), ('з', 165), ('б', 159),
        ('ч', 144), ('й', 121), ('х', 97), ('ж', 94), ('ш', 73), ('ю', 64), ('ц', 48), ('щ', 36),
        ('э', 32), ('ф', 26), ('ъ', 4), ('ё', 4), ('і', 20), ('ї', 10), ('є', 10), ('ў', 5),
    ] },
    // Greek.
    Language { encoding: WINDOWS_1253, letters: &[
        ('α', 900), ('ο', 850), ('τ', 800), ('ι', 700), ('ε', 680), ('ν', 650), ('σ', 480),
        ('ρ', 420), ('κ', 410), ('η', 400), ('ς', 390), ('π', 380), ('υ', 350), ('μ', 330),
        ('λ', 280), ('ό', 180), ('ί', 180), ('ά', 170), ('γ', 170), ('έ', 150), ('δ', 150),
        ('ω', 150), ('ή', 130), ('ύ', 100), ('θ', 100), ('χ', 90), ('φ', 80), ('β', 70), ('ώ', 60),
        ('ξ', 40), ('ζ', 30), ('ψ', 15), ('ϊ', 3),
    ] },
    // Turkish.
    Language { encoding: WINDOWS_1254, letters: &[
        ('ı', 510), ('ü', 185), ('ş', 178), ('ç', 116), ('ğ', 113), ('ö', 78), ('â', 2), ('î', 1),
    ] },
    // Lithuanian, Latvian.
    Language { encoding: WINDOWS_1257, letters: &[
        ('ė', 160), ('š', 110), ('ų', 130), ('ž', 90), ('į', 60), ('ą', 70), ('ū', 50), ('č', 45),
        ('ę', 25),
    ] },
    Language { encoding: WINDOWS_1257, letters: &[
        ('ā', 450), ('ī', 190), ('ē', 180), ('š', 120), ('ū', 60), ('ļ', 50), ('ņ', 50), ('ž', 25),
        ('ķ', 20), ('č', 15), ('ģ', 10),
    ] },
];

/// So many letters are needed to say anything but Windows-1252.
const ENOUGH: u32 = 30;

/// How much likelier another page must be, letter by letter, as a natural logarithm.
const CLEARLY: f64 = 0.2;

/// The likelihood of a letter that a language does not have: names and typing errors.
const RARE: f64 = 0.001;

/// Looks at texts, one after the other, for the code page they are in.
///
/// ```
/// use tabiya_chessbase::encoding::Detector;
///
/// let mut detector = Detector::default();
/// detector.add(b"plain English needs no code page");
/// assert_eq!(detector.encoding(), encoding_rs::WINDOWS_1252);
/// ```
#[derive(Clone, Debug)]
pub struct Detector {
    /// How often each byte from 80 on stood in a word; capital letters count as small ones.
    bytes: [u32; 128],
    /// How many texts were UTF-8.
    utf8: u32,
}

impl Default for Detector {
    fn default() -> Detector {
        Detector {
            bytes: [0; 128],
            utf8: 0,
        }
    }
}

impl Detector {
    /// Looks at a text.
    pub fn add(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return;
        }
        if as_utf8(text).is_some() {
            self.utf8 = self.utf8.saturating_add(1);
            return;
        }
        let is_letter = |at: usize| {
            let byte = text.get(at).copied().unwrap_or(b' ');
            byte.is_ascii_alphabetic() || byte >= 0xc0
        };
        for (at, &byte) in text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            // ChessBase's symbols are below C0 and follow figures and spaces rather than letters.
            let follows = at > 0 && is_letter(at - 1);
            let in_word = follows || (byte >= 0xc0 && is_letter(at + 1));
            if in_word && !matches!(byte, 0xd7 | 0xf7) {
                let count = &mut self.bytes[index(byte)];
                *count = count.saturating_add(1);
            }
        }
    }

    /// The encoding of the texts: UTF-8 if they are all in that, else the Windows page that fits
    /// best. Windows-1252 unless another one is clearly better.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        let letters = self.bytes.iter().copied().map(u64::from).sum::<u64>();
        if letters == 0 && self.utf8 > 0 {
            return UTF_8;
        }
        if letters < u64::from(ENOUGH) {
            return WINDOWS_1252;
        }
        let best = |western: bool| {
            LANGUAGES
                .iter()
                .filter(|language| (language.encoding == WINDOWS_1252) == western)
                .map(|language| (self.likelihood(language), language.encoding))
                .max_by(|a, b| a.0.total_cmp(&b.0))
        };
        match (best(true), best(false)) {
            (Some((western, _)), Some((other, encoding)))
                if other > western + CLEARLY * letters as f64 =>
            {
                encoding
            }
            _ => WINDOWS_1252,
        }
    }

    /// The logarithm of how likely the letters are in a language.
    fn likelihood(&self, language: &Language) -> f64 {
        let total: f64 = language.letters.iter().map(|(_, n)| f64::from(*n)).sum();
        let mut likely = [RARE; 128];
        for (letter, often) in language.letters {
            let mut buffer = [0; 4];
            let (encoded, _, _) = language.encoding.encode(letter.encode_utf8(&mut buffer));
            if let &[byte] = &encoded[..] {
                likely[index(byte)] += f64::from(*often) / total;
            }
        }
        let counted = self.bytes.iter().zip(likely);
        counted.map(|(&n, likely)| f64::from(n) * likely.ln()).sum()
    }
}

/// Where a byte is counted. From C0 on, all pages have capitals 20 below the small letters.
fn index(byte: u8) -> usize {
    let small = match byte {
        0xc0..=0xdf => byte | 0x20,
        _ => byte,
    };
    usize::from(small & 0x7f)
}

/// A text that is UTF-8 beyond reasonable doubt.
///
/// A weak point and a piece, `×¤`, would be a Hebrew letter in UTF-8, and `ß½` one of N'Ko; if
/// such letters stand alone, they are no letters.
pub(super) fn as_utf8(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    if text.is_ascii() {
        return Some(text);
    }
    let doubtful = |c: char| matches!(c, '\u{5c0}'..='\u{5ff}' | '\u{7c0}'..='\u{7ff}');
    let mut characters = text.chars().peekable();
    let (mut sure, mut before) = (false, ' ');
    while let Some(c) = characters.next()
        && !sure
    {
        let alone = !doubtful(before) && !characters.peek().is_some_and(|next| doubtful(*next));
        sure = !(c.is_ascii() || doubtful(c) && alone);
        before = c;
    }
    sure.then_some(text)
}
