//! How a name sounds, whatever language it was written down in.
//!
//! `Kortschnoj`, `Kortchnoi` and `Korchnoy` are one name in German, French and English; `Müller`,
//! `Mueller` and `Muller` are one on different keyboards. [`sound`] makes one text of each. It is
//! rough: two names that sound alike may be two, and it takes more to call them one.

use std::iter;

/// Which part of a name a word is: letters sound differently there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A surname.
    Family,
    /// A given name.
    Given,
}

/// What letters stand for in one language or another, the longest first. What a table of one
/// language would keep apart, as the `z` of German and of English, is left to a typing error.
const LETTERS: [(&str, &str); 43] = [
    ("schtsch", "sc"),
    ("stsch", "sc"),
    ("schch", "sc"),
    ("shch", "sc"),
    ("szcz", "sc"),
    ("tsch", "c"),
    ("dsch", "dz"),
    ("tch", "c"),
    ("sch", "s"),
    ("dzh", "dz"),
    ("gue", "ge"),
    ("gui", "gi"),
    ("ch", "c"),
    ("cz", "c"),
    ("cs", "c"),
    ("ts", "c"),
    ("tz", "c"),
    ("sh", "s"),
    ("sz", "s"),
    ("zh", "z"),
    ("zs", "z"),
    ("kh", "h"),
    ("ph", "f"),
    ("th", "t"),
    ("gh", "g"),
    ("ck", "k"),
    ("qu", "kv"),
    ("ou", "u"),
    // Umlauts, and the letters of the north, as keyboards without them have it.
    ("ae", "a"),
    ("oe", "o"),
    ("ue", "u"),
    ("aa", "a"),
    ("x", "ks"),
    ("q", "k"),
    ("w", "v"),
    ("j", "i"),
    ("y", "i"),
    // Cyrillic, as passports have it.
    ("щ", "sc"),
    ("ш", "s"),
    ("ч", "c"),
    ("ц", "c"),
    ("ю", "iu"),
    ("я", "ia"),
];

/// Letters of Russian and Ukrainian that are one letter elsewhere. Accents are gone: `й` is `и`.
const CYRILLIC: &str = "абвгдеёжзийклмнопрстуфхыэєіїґ";
const LATIN_OF_CYRILLIC: &str = "abvgdeezziiklmnoprstufhieeiig";

/// A folded word as it sounds.
pub fn sound(word: &str, part: Part) -> String {
    let stem = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() > 1);
    match (stem("off"), stem("eff")) {
        (Some(stem), _) => smooth(&letters(&format!("{stem}ov"), part)),
        (_, Some(stem)) => smooth(&letters(&format!("{stem}ev"), part)),
        _ => smooth(&letters(word, part)),
    }
}

/// Each sound with one letter.
fn letters(word: &str, part: Part) -> String {
    let mut heard = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(letter) = rest.chars().next() {
        let known = LETTERS
            .iter()
            .find(|(letters, _)| rest.starts_with(letters));
        if let Some((letters, instead)) = known {
            heard.push_str(instead);
            rest = &rest[letters.len()..];
            continue;
        }
        rest = &rest[letter.len_utf8()..];
        match letter {
            'c' if is_k(heard.is_empty(), rest, part) => heard.push('k'),
            'ь' | 'ъ' => {}
            letter => heard.push(latin(letter)),
        }
    }
    heard
}

/// Whether a `c` is a `k`, as in Carlsen and Victor. Inside of surnames it is rather that of Slavic
/// names, which has lost its accent.
fn is_k(is_first: bool, rest: &str, part: Part) -> bool {
    let is_soft = rest.starts_with(['e', 'i', 'y']);
    !is_soft && (part == Part::Given || is_first)
}

fn latin(letter: char) -> char {
    let at = CYRILLIC.chars().position(|known| known == letter);
    at.and_then(|at| LATIN_OF_CYRILLIC.chars().nth(at))
        .unwrap_or(letter)
}

/// Without what languages write or leave out: `ie` for a soft `e`, double letters.
fn smooth(heard: &str) -> String {
    let heard: Vec<char> = heard.chars().collect();
    let mut smooth: Vec<char> = Vec::with_capacity(heard.len());
    for (at, &letter) in heard.iter().enumerate() {
        let next = heard.get(at + 1);
        match letter {
            // Yevgeny, Sergejew.
            'i' if next == Some(&'e') => {}
            // Fyodorov, but not Antonio.
            'i' if next == Some(&'o') && is_between_consonants(&heard, at) => {}
            'o' if at > 1 && heard[at - 1] == 'i' && is_between_consonants(&heard, at - 1) => {
                smooth.push('e');
            }
            letter if smooth.last() == Some(&letter) => {}
            letter => smooth.push(letter),
        }
    }
    smooth.into_iter().collect()
}

/// Whether an `io` stands between consonants.
fn is_between_consonants(heard: &[char], at: usize) -> bool {
    let is_consonant = |letter: Option<&char>| letter.is_some_and(|&letter| !is_vowel(letter));
    at > 0 && is_consonant(heard.get(at - 1)) && is_consonant(heard.get(at + 2))
}

/// Whether a letter of a sound is a vowel.
pub fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// The consonants of a sound: vowels are what languages differ most in.
pub fn skeleton(sound: &str) -> String {
    let first = sound.chars().take(1);
    let rest = sound.chars().skip(1).filter(|&letter| !is_vowel(letter));
    first.chain(rest).collect()
}

/// Given names that are one name in languages that are neighbours, as they sound.
const GIVEN: [&[&str]; 22] = [
    &[
        "aleksander",
        "aleksandr",
        "oleksandr",
        "aliaksandr",
        "olexandr",
    ],
    &["aleksandra", "oleksandra"],
    &["aleksei", "oleksi", "oleksei", "aliaksei"],
    &["andrei", "andri", "andre"],
    &["anastasia", "anastasiia", "anastasi"],
    &["artem", "artiom", "artom"],
    &["denis", "denys"],
    &["dmitri", "dmitro", "dimitri", "dzmitri", "dmitr"],
    &["ekaterina", "iekaterina", "katerina"],
    &["evgeni", "ievgen", "evgen", "evhen", "iauhen", "eugen"],
    &["gennadi", "henadi", "genadi", "henadz"],
    &["grigori", "hrihori", "grihori"],
    &["igor", "ihor"],
    &["konstantin", "kostiantin", "kanstancin"],
    &["mihail", "mihailo", "micail", "mikail", "mikhail"],
    &["nikolai", "mikola", "mikolai"],
    &["oleg", "oleh"],
    &["pavel", "pavlo"],
    &["sergei", "serhi", "siarhei", "serge", "sergi"],
    &["vasili", "vasil"],
    &["viktor", "viktar"],
    &["vladimir", "volodimir", "uladzimir", "vladimr"],
];

/// One for all given names that are one in languages that are neighbours, as they sound.
pub fn one_of_given(sound: &str) -> &str {
    let names = GIVEN.iter().find(|names| names.contains(&sound));
    names.map_or(sound, |names| names[0])
}

/// Whether two given names, as they sound, are one in languages that are neighbours.
pub fn is_same_given(one: &str, other: &str) -> bool {
    one_of_given(one) == one_of_given(other)
}

/// Whether one text becomes the other by one typing error: a letter too many, too few or wrong, or
/// two in the wrong order.
pub fn is_one_error(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = match one.len() <= other.len() {
        true => (&one[..], &other[..]),
        false => (&other[..], &one[..]),
    };
    let same = iter::zip(short, long).take_while(|(a, b)| a == b).count();
    match (&short[same..], &long[same..]) {
        ([], []) => false,
        (short, [_, rest @ ..]) if short == rest => true,
        ([_, short @ ..], [_, rest @ ..]) if short == rest => true,
        ([a, b, short @ ..], [c, d, rest @ ..]) => a == d && b == c && short == rest,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use tabiya_game::fold::fold;

    use super::*;

    fn family(name: &str) -> String {
        sound(&fold(name), Part::Family)
    }

    fn given(name: &str) -> String {
        sound(&fold(name), Part::Given)
    }

    #[test]
    fn surnames_sound_alike_in_all_languages() {
        for names in [
            &["Korchnoi", "Kortschnoj", "Kortchnoi", "Korchnoy", "Корчной"][..],
            &["Yusupov", "Jussupow", "Iusupov", "Yussupov", "Юсупов"],
            &["Ivanchuk", "Iwantschuk", "Ivantchouk", "Ivančuk", "Иванчук"],
            &["Müller", "Mueller", "Muller"],
            &["Smirnov", "Smirnoff", "Smirnow"],
            &["Sergeev", "Sergejew", "Sergeyev"],
            &["Fedorov", "Fyodorov", "Fjodorow", "Фёдоров"],
            &["Petrosian", "Petrosjan", "Petrosyan", "Петросян"],
            &["Botvinnik", "Botwinnik", "Ботвинник"],
            &["Tseshkovsky", "Ceskovskij", "Cseskovszkij"],
            &["Aagaard", "Ågaard"],
            &["Sørensen", "Sörensen", "Soerensen"],
            &["Khalifman", "Халифман"],
            &["Carlsen", "Karlsen"],
        ] {
            let sounds: Vec<_> = names.iter().map(|name| family(name)).collect();
            assert!(
                sounds.iter().all(|it| *it == sounds[0]),
                "{names:?} {sounds:?}"
            );
        }
    }

    #[test]
    fn given_names_sound_alike() {
        for names in [
            &["Viktor", "Victor", "Wiktor"][..],
            &["Alexander", "Aleksandr", "Oleksandr"],
            &["Evgeny", "Yevgeny", "Jewgenij", "Evgenii"],
            &["Sergei", "Sergey", "Serguei", "Serhiy"],
            &["Dmitry", "Dmitrij", "Dmitrii", "Dmytro"],
            &["Yuri", "Juri", "Iuri", "Youri", "Yury"],
            &["Vladimir", "Wladimir", "Volodymyr"],
            &["Mikhail", "Mihail", "Michail"],
        ] {
            let first = given(names[0]);
            for name in names {
                assert!(
                    is_same_given(&first, &given(name)),
                    "{names:?} {}",
                    given(name)
                );
            }
        }
        assert!(!is_same_given(&given("Andrei"), &given("Alexei")));
    }

    #[test]
    fn other_names_sound_otherwise() {
        for (one, other) in [
            ("Karpov", "Kasparov"),
            ("Petrov", "Petrosian"),
            ("Ivanov", "Ivanova"),
            ("Polgar", "Polugaevsky"),
            ("Schmidt", "Schmid"),
        ] {
            assert_ne!(family(one), family(other));
        }
    }

    #[test]
    fn one_typing_error_is_one() {
        for (one, other) in [
            ("kasparov", "kasprov"),
            ("kasparov", "kaspparov"),
            ("kasparov", "kasparow"),
            ("kasparov", "kaspraov"),
            ("kasparov", "asparov"),
            ("kasparov", "kasparo"),
        ] {
            assert!(
                is_one_error(one, other) && is_one_error(other, one),
                "{one} {other}"
            );
        }
        for (one, other) in [("kasparov", "kasparov"), ("kasparov", "karpov"), ("", "ab")] {
            assert!(
                !is_one_error(one, other) && !is_one_error(other, one),
                "{one} {other}"
            );
        }
    }
}
