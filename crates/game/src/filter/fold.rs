//! Names without what people spell differently: case, accents, spaces, the order of their words.
//!
//! The same player is `Réti, Richard`, `Reti,R` and `Richard Reti`. [`fold`] and [`words`] turn names
//! into what they have in common; [`is_name`] says whether one name can be meant by another.
//!
//! ```
//! use tabiya_game::fold::{fold, is_name, words};
//!
//! assert_eq!(fold("RÉTI, Richard"), "reti, richard");
//! assert_eq!(fold("Großmann, Søren"), "grossmann, soren");
//! assert_eq!(words("Vachier-Lagrave,M"), ["vachier", "lagrave", "m"]);
//!
//! assert!(is_name(&words("Vladimir Kramnik"), &words("Kramnik, Vladimir")));
//! assert!(is_name(&words("Vladimir Kramnik"), &words("Kramnik,V")));
//! assert!(!is_name(&words("Vladimir Kramnik"), &words("Kramnik, Boris")));
//! ```
//!
//! What is not folded: `ue` is not `ü`, and scripts are not turned into each other.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A text in lower case, without accents and apostrophes. Letters that have none by themselves, as
/// `ø` and `ß`, become those that people type instead.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        let bytes = text.bytes().filter(|byte| !matches!(byte, b'\'' | b'`'));
        folded.extend(bytes.map(|byte| char::from(byte.to_ascii_lowercase())));
        return folded;
    }
    let bare = text.nfkd().filter(|c| !is_combining_mark(*c));
    for letter in bare.flat_map(char::to_lowercase) {
        match plain(letter) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(letter),
        }
    }
    folded
}

/// What people type for a letter that is not made of another one and an accent.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ŧ' => "t",
        'ŋ' => "n",
        'ı' => "i",
        '\'' | '`' | '´' | '‘' | '’' | 'ʼ' => "",
        _ => return None,
    })
}

/// The words of a name, folded: what stands between spaces, commas, hyphens and points.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_string).collect()
}

/// Whether all words stand among those of a text, in any order; the beginning of each is enough.
#[must_use]
pub fn are_among(wanted: &[String], text: &[String]) -> bool {
    Match::of(wanted, text).missing.is_empty()
}

/// Whether a name can be meant by another: its words stand among those of the other, in any order,
/// the beginning of each is enough, and where the other has only an initial, that is enough too. One
/// word at least must be there, whole: `Anand,V` is not `Vuilleumier,A`, nor is `van Wely` `van Rijn,W`.
#[must_use]
pub fn is_name(wanted: &[String], name: &[String]) -> bool {
    let Match {
        is_one_whole,
        missing,
        mut left,
    } = Match::of(wanted, name);
    let mut is_initial = |word: &&String| {
        let at = left.iter().position(|initial| {
            let mut letters = initial.chars();
            letters.next() == word.chars().next() && letters.next().is_none()
        });
        at.map(|at| left.swap_remove(at)).is_some()
    };
    missing.is_empty() || is_one_whole && missing.iter().all(&mut is_initial)
}

/// Whether a word tells people apart: initials do not, nor what stands before many surnames.
fn is_telling(word: &str) -> bool {
    const PARTICLES: [&str; 20] = [
        "van", "von", "der", "den", "de", "del", "della", "di", "da", "do", "dos", "du", "la",
        "le", "el", "al", "ben", "bin", "ter", "ten",
    ];
    word.chars().nth(1).is_some() && !PARTICLES.contains(&word)
}

struct Match<'w, 't> {
    /// One of those that were found, not only its beginning, and it tells people apart.
    is_one_whole: bool,
    missing: Vec<&'w String>,
    /// Words of the text that stand for none.
    left: Vec<&'t String>,
}

impl<'w, 't> Match<'w, 't> {
    /// Each word of the text stands for one that is wanted at most.
    fn of(wanted: &'w [String], text: &'t [String]) -> Match<'w, 't> {
        let mut left: Vec<&String> = text.iter().collect();
        // The longest choose first: `k` could take the word that `karpov` needs.
        let mut wanted: Vec<&String> = wanted.iter().collect();
        wanted.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let mut is_one_whole = false;
        wanted.retain(|word| {
            let whole = left.iter().position(|other| other == word);
            is_one_whole |= whole.is_some() && is_telling(word);
            let at = whole.or_else(|| left.iter().position(|other| other.starts_with(*word)));
            at.map(|at| left.swap_remove(at)).is_none()
        });
        Match {
            is_one_whole,
            missing: wanted,
            left,
        }
    }
}

/// A text folded and without spaces, so that `De la Paz` and `DeLaPaz` are the same.
pub(super) fn packed(text: &str) -> String {
    let mut packed = String::with_capacity(text.len());
    pack(text, &mut packed);
    packed
}

/// Adds a text to another, folded and without spaces: `De la Paz` and `DeLaPaz` are the same.
///
/// ```
/// let mut packed = String::new();
/// tabiya_game::fold::pack("De la Páz", &mut packed);
/// assert_eq!(packed, "delapaz");
/// ```
pub fn pack(text: &str, packed: &mut String) {
    // Nearly all are so, and need no copy.
    if text.is_ascii() {
        let letters = text.chars().filter(|c| !c.is_whitespace());
        let letters = letters.filter(|c| !matches!(c, '\'' | '`'));
        packed.extend(letters.map(|c| c.to_ascii_lowercase()));
        return;
    }
    packed.extend(fold(text).chars().filter(|c| !c.is_whitespace()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(wanted: &str, name: &str) -> bool {
        is_name(&words(wanted), &words(name))
    }

    #[test]
    fn accents_and_case_are_gone() {
        for (text, folded) in [
            ("Réti", "reti"),
            ("RE\u{301}TI", "reti"),
            ("Đurić", "duric"),
            ("Łukasz", "lukasz"),
            ("Þórhallsson", "thorhallsson"),
            ("O’Kelly", "okelly"),
            ("O'Kelly", "okelly"),
            ("ﬁne", "fine"),
            ("Ёлкин", "елкин"),
            ("İpatov", "ipatov"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn words_may_stand_in_any_order_and_be_initials() {
        assert!(name("Vladimir Kramnik", "Kramnik, Vladimir"));
        assert!(name("Vladimir Kramnik", "Kramnik,V"));
        assert!(name("Vladimir Kramnik", "Kramnik,V.B."));
        assert!(name("V. Kramnik", "Kramnik, Vladimir"));
        assert!(name("john van der wiel", "Van der Wiel, John"));
        assert!(name("Wiel, J van der", "Van der Wiel, John"));
        assert!(name("k karpov", "Karpov, K"));
    }

    #[test]
    fn another_player_is_not_meant() {
        assert!(!name("Vladimir Kramnik", "Kramnik, Boris"));
        assert!(!name("Vladimir Kramnik", "Kramnik"));
        assert!(!name("Vladimir Kramnik", "V, K"));
        assert!(!name("Vladimir Vladimir", "Kramnik, Vladimir"));
        // Neither an initial nor a particle is a word that is there.
        assert!(!name("Anand,V", "Vuilleumier,A"));
        assert!(!name("Adams,Mi", "Mirzoev,A"));
        assert!(!name("Van Wely", "Van Rijn,W"));
        assert!(name("Van Wely", "Van Wely,L"));
        assert!(name("So, Wesley", "So,W"));
        // One initial stands for one name.
        assert!(!name("Victor Vladimir Kramnik", "Kramnik,V"));
    }

    #[test]
    fn words_of_a_text_are_not_initials() {
        let among = |wanted, text| are_among(&words(wanted), &words(text));
        assert!(among("chess tata", "Tata Steel Chess 2020"));
        assert!(!among("tata steel", "Tata S"));
    }
}
