//! Other spellings of a name, as people make them.

use super::field::Chance;

/// What is done to a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Perturbation {
    Case,
    Accents,
    Punctuation,
    Title,
    Order,
    Initials,
    Transliteration,
    TypingError,
    DoubleName,
}

const ALL: [Perturbation; 9] = [
    Perturbation::Case,
    Perturbation::Accents,
    Perturbation::Punctuation,
    Perturbation::Title,
    Perturbation::Order,
    Perturbation::Initials,
    Perturbation::Transliteration,
    Perturbation::TypingError,
    Perturbation::DoubleName,
];

/// A name in another spelling, in the first way that can be applied, from one that is chosen by chance
/// on.
pub fn perturbed(name: &str, chance: &mut Chance) -> Option<(Perturbation, String)> {
    let (family, given) = name.split_once(',')?;
    let (family, given) = (family.trim(), given.trim());
    if family.is_empty() || given.is_empty() || name.contains(['(', '"']) {
        return None;
    }
    let start = chance.below(ALL.len());
    let mut kinds = ALL.iter().cycle().skip(start).take(ALL.len());
    kinds.find_map(|&kind| {
        let alias = apply(kind, family, given, chance)?;
        (alias != name).then_some((kind, alias))
    })
}

fn apply(kind: Perturbation, family: &str, given: &str, chance: &mut Chance) -> Option<String> {
    let is_full = given.chars().nth(2).is_some() && given.chars().any(char::is_lowercase);
    Some(match kind {
        Perturbation::Case => format!("{}, {given}", family.to_uppercase()),
        Perturbation::Accents => format!("{},{given}", accented(family)?),
        Perturbation::Punctuation => match chance.below(3) {
            0 => format!("{family}, {given}."),
            1 => format!("{family} ,{given}"),
            _ => format!("{} , {given}", family.replace('-', " ")),
        },
        Perturbation::Title => match chance.below(3) {
            0 => format!("GM {family}, {given}"),
            1 => format!("{family},{given} (wh)"),
            _ => format!("{family},{given} (IM)"),
        },
        Perturbation::Order => match is_full {
            true => format!("{given} {family}"),
            false => format!("{given}. {family}"),
        },
        Perturbation::Initials if is_full => {
            let words = given
                .split([' ', '-'])
                .filter_map(|word| word.chars().next());
            format!("{family},{}", words.take(1).collect::<String>())
        }
        Perturbation::Initials => format!("{family}, {}", given_of(given, chance)?),
        Perturbation::Transliteration => {
            let other = transliterated(family, chance)?;
            format!("{other}, {given}")
        }
        // An initial is no first name that agrees.
        Perturbation::TypingError if is_full => format!("{}, {given}", mistyped(family, chance)?),
        Perturbation::TypingError => return None,
        Perturbation::DoubleName if is_full => {
            let (first, second) = family.split_once(' ')?;
            let is_name = |word: &str| word.chars().nth(3).is_some() && !word.contains(' ');
            (is_name(first) && is_name(second)).then(|| format!("{first}, {given}"))?
        }
        Perturbation::DoubleName => return None,
    })
}

/// With an accent on a vowel.
pub fn accented(family: &str) -> Option<String> {
    let accents = [("a", "á"), ("e", "é"), ("o", "ö"), ("i", "í"), ("u", "ü")];
    let (plain, accented) = accents.iter().find(|(plain, _)| family.contains(plain))?;
    Some(family.replacen(plain, accented, 1))
}

/// A given name that begins as an initial says.
fn given_of(initial: &str, chance: &mut Chance) -> Option<&'static str> {
    let mut letters = initial.chars();
    let (letter, None) = (letters.next()?, letters.next()) else {
        return None;
    };
    let names: Vec<&&str> = GIVEN
        .iter()
        .filter(|name| name.starts_with(letter))
        .collect();
    (!names.is_empty()).then(|| **chance.one(&names))
}

/// Spellings of other languages, tried in an order given by chance; the first that changes anything.
const LANGUAGES: [(&str, &str); 16] = [
    ("shch", "schtsch"),
    ("ch", "tsch"),
    ("sh", "sch"),
    ("zh", "z"),
    ("kh", "h"),
    ("ts", "c"),
    ("ov", "ow"),
    ("ev", "ew"),
    ("yu", "ju"),
    ("ya", "ja"),
    ("ue", "ü"),
    ("oe", "ö"),
    ("ae", "ä"),
    ("sky", "skij"),
    ("v", "w"),
    ("y", "i"),
];

fn transliterated(family: &str, chance: &mut Chance) -> Option<String> {
    let start = chance.below(LANGUAGES.len());
    let mut all = LANGUAGES.iter().cycle().skip(start).take(LANGUAGES.len());
    all.find_map(|(from, to)| {
        // A German `sch` is not the `ch` of others.
        let is_there = family.contains(from) && (*from != "ch" || !family.contains("sch"));
        is_there.then(|| family.replace(from, to))
    })
}

/// One edit behind the first letter of a long surname.
pub fn mistyped(family: &str, chance: &mut Chance) -> Option<String> {
    let mut letters: Vec<char> = family.chars().collect();
    if letters.len() < 7 || letters.contains(&' ') {
        return None;
    }
    let at = 1 + chance.below(letters.len() - 2);
    match chance.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at]),
        2 => letters.swap(at, at + 1),
        _ => letters[at] = if letters[at] == 'e' { 'r' } else { 'e' },
    }
    Some(letters.into_iter().collect())
}

/// Given names, by which people are also made.
pub const GIVEN: [&str; 96] = [
    "Alexander",
    "Andrei",
    "Anna",
    "Anton",
    "Artur",
    "Antonio",
    "Boris",
    "Bogdan",
    "Bruno",
    "Carlos",
    "Christian",
    "Carmen",
    "Daniel",
    "Dmitry",
    "Dieter",
    "Elena",
    "Evgeny",
    "Eduardo",
    "Fabian",
    "Felix",
    "Francisco",
    "Georg",
    "Grigory",
    "Gustavo",
    "Hans",
    "Helena",
    "Henrik",
    "Igor",
    "Ivan",
    "Irina",
    "Jan",
    "Jorge",
    "Julia",
    "Karl",
    "Konstantin",
    "Katarina",
    "Lars",
    "Leonid",
    "Luis",
    "Maria",
    "Mikhail",
    "Martin",
    "Natalia",
    "Nikolai",
    "Nils",
    "Olga",
    "Oleg",
    "Oscar",
    "Pavel",
    "Peter",
    "Pablo",
    "Quentin",
    "Qiang",
    "Robert",
    "Roman",
    "Ricardo",
    "Sergei",
    "Stefan",
    "Sofia",
    "Tatiana",
    "Thomas",
    "Timur",
    "Ulrich",
    "Ursula",
    "Uwe",
    "Viktor",
    "Vladimir",
    "Vera",
    "Wei",
    "Walter",
    "Wolfgang",
    "Xin",
    "Xavier",
    "Xenia",
    "Yuri",
    "Yan",
    "Yolanda",
    "Zoltan",
    "Zhen",
    "Zbigniew",
    "Aleksei",
    "Arkady",
    "Bernd",
    "Dirk",
    "Erik",
    "Gerhard",
    "Ingrid",
    "Jens",
    "Klaus",
    "Manuel",
    "Miguel",
    "Norbert",
    "Rafael",
    "Ruslan",
    "Sebastian",
    "Vasily",
];
