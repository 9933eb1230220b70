//! A player's name taken apart.
//!
//! `Kasparov, Garry` says which of its words is the surname, `Garry Kasparov` and `Hou Yifan` do not:
//! such a name has several readings, and whoever compares two names takes those that fit best.

use tabiya_game::fold;

use super::sound::{Part, sound};

/// A player's name taken apart.
#[derive(Clone, Debug, Default)]
pub struct Spelled {
    /// All its letters and digits, folded, without what is not the name: titles, brackets.
    pub letters: String,
    /// What may be its surname and its given names. A name of one word has one reading.
    pub readings: Vec<Reading>,
    /// What tells namesakes apart: `jr`, `2`, `iii`.
    pub mark: String,
    /// What stands in brackets and is neither a title nor a colour: a year, a country.
    pub addition: String,
    /// Whether there is nothing but the name.
    pub is_bare: bool,
    /// Whether it may be that of an account on a server, where another letter is another person.
    pub is_handle: bool,
}

/// One way to understand a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The surname, folded, without spaces.
    pub family: String,
    /// How it sounds.
    pub sound: String,
    /// The given names.
    pub given: Vec<Given>,
    /// How sure this is.
    pub order: Order,
}

/// How a reading is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// A comma says so.
    Comma,
    /// There is no comma.
    Guessed,
    /// A comma says the contrary, as in `Garry, Kasparov`.
    Swapped,
    /// The first of several surnames, as in Spanish.
    Part,
}

/// A given name, or what is left of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// Folded.
    pub name: String,
    /// How it sounds.
    pub sound: String,
}

impl Given {
    fn new(name: &str) -> Given {
        Given {
            name: name.to_string(),
            sound: sound(name, Part::Given),
        }
    }

    /// Whether it is one letter.
    pub fn is_initial(&self) -> bool {
        self.name.chars().nth(1).is_none()
    }
}

impl Reading {
    fn new(family: &[String], given: &[String], order: Order) -> Reading {
        let family = family.concat();
        Reading {
            sound: sound(&family, Part::Family),
            family,
            given: given.iter().map(|name| Given::new(name)).collect(),
            order,
        }
    }

    /// Whether a given name is written out.
    pub fn is_full(&self) -> bool {
        self.given
            .iter()
            .any(|given| given.name.chars().nth(2).is_some())
    }
}

const TITLES: [&str; 14] = [
    "gm", "im", "fm", "cm", "wgm", "wim", "wfm", "wcm", "agm", "aim", "afm", "nm", "dr", "prof",
];

/// Words that stand before surnames and belong to them.
const PARTICLES: [&str; 24] = [
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "do", "la", "le", "los",
    "las", "ter", "ten", "zu", "zur", "el", "al", "st", "ben", "bin",
];

const MARKS: [&str; 6] = ["jr", "sr", "junior", "senior", "ii", "iii"];

/// What brackets say of a game and not of a player.
const COLOURS: [&str; 8] = ["wh", "bl", "white", "black", "w", "b", "weiss", "schwarz"];

/// Longer names are sentences.
const MOST_WORDS: usize = 8;

impl Spelled {
    /// Takes a name apart.
    pub fn new(name: &str) -> Spelled {
        if is_handle(name) {
            return Spelled {
                letters: name.trim().to_lowercase(),
                is_bare: true,
                is_handle: true,
                ..Spelled::default()
            };
        }
        let (bare, additions) = without_brackets(name);
        let mut spelled = Spelled {
            is_bare: additions.is_empty(),
            ..Spelled::default()
        };
        for word in additions.iter().flat_map(|addition| fold::words(addition)) {
            let is_said = TITLES.contains(&word.as_str()) || COLOURS.contains(&word.as_str());
            if !is_said {
                spelled.addition.push_str(&word);
            }
        }
        let comma = bare.split_once(',');
        // `G. Kasparov`: without a comma, initials are given names wherever they stand.
        let (mut family, mut given) = match comma {
            Some((before, after)) => (
                spelled.words(before, Part::Family),
                spelled.words(after, Part::Given),
            ),
            None => (spelled.words(&bare, Part::Given), Vec::new()),
        };
        if let Some((_, after)) = comma
            && given.is_empty()
        {
            // `Kumar,CM` is no candidate master.
            let letters = fold::fold(after);
            let letters = letters.chars().filter(|c| c.is_alphabetic());
            given = letters.map(String::from).take(MOST_WORDS).collect();
        }
        particles_first(&mut family, &mut given);
        spelled.letters = family.concat() + &given.concat();
        spelled.readings = match given.is_empty() {
            true => guesses(&family),
            false => with_comma(&family, &given),
        };
        spelled
    }

    /// Whether a given name is written out, however it is read.
    pub fn is_full(&self) -> bool {
        let mut sure = self
            .readings
            .iter()
            .filter(|reading| reading.order <= Order::Guessed);
        sure.any(Reading::is_full)
    }

    /// Whether there is a given name, or an initial.
    pub fn has_given(&self) -> bool {
        self.readings
            .iter()
            .any(|reading| !reading.given.is_empty())
    }

    /// The words of a part of a name, folded; titles and marks are taken out.
    fn words(&mut self, text: &str, part: Part) -> Vec<String> {
        let mut words = Vec::new();
        for word in text.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)) {
            let folded = fold::fold(word);
            let digits = folded.trim_start_matches(|c: char| !c.is_ascii_digit());
            match folded.as_str() {
                "" => {}
                title if TITLES.contains(&title) && is_upper(word) => self.is_bare = false,
                mark if MARKS.contains(&mark) => self.mark.push_str(mark),
                // `S2` is the second S.
                _ if !digits.is_empty() => {
                    self.mark.push_str(digits);
                    let letters = &folded[..folded.len() - digits.len()];
                    words.extend((!letters.is_empty()).then(|| letters.to_string()));
                }
                // `AV` is A and V. A name in capitals is longer.
                _ if part == Part::Given && is_initials(word) => {
                    words.extend(folded.chars().map(String::from));
                }
                _ => words.push(folded),
            }
        }
        words.truncate(MOST_WORDS);
        words
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '`' | '´' | '‘' | '’' | 'ʼ')
}

fn is_upper(word: &str) -> bool {
    word.chars().all(|c| !c.is_lowercase())
}

/// Two or three capitals.
fn is_initials(word: &str) -> bool {
    let count = word.chars().count();
    (2..=3).contains(&count) && word.chars().all(|c| c.is_uppercase())
}

/// One word with a digit, an underscore, a hyphen or a small letter first.
fn is_handle(name: &str) -> bool {
    let name = name.trim();
    let is_odd = |c: char| c.is_ascii_digit() || matches!(c, '_' | '-');
    !name.contains([' ', ',', '.'])
        && (name.contains(is_odd) || name.starts_with(char::is_lowercase))
}

/// A name without its brackets, and what stood in them.
fn without_brackets(name: &str) -> (String, Vec<String>) {
    let (mut bare, mut additions) = (String::with_capacity(name.len()), Vec::new());
    let mut inside: Option<String> = None;
    for c in name.chars() {
        match (c, &mut inside) {
            ('(' | '[' | '{', None) => inside = Some(String::new()),
            (')' | ']' | '}', Some(_)) => additions.extend(inside.take()),
            (c, Some(inside)) => inside.push(c),
            (c, None) => bare.push(c),
        }
    }
    // One that never ends is part of the name as well as of what is added.
    additions.extend(inside);
    (bare, additions)
}

/// `Wiel, J van der` is `Van der Wiel, J`.
fn particles_first(family: &mut Vec<String>, given: &mut Vec<String>) {
    let is_particle = |word: &String| PARTICLES.contains(&word.as_str());
    let last = given.iter().rposition(|word| !is_particle(word));
    let first = last.map_or(0, |last| last + 1);
    if first > 0 && first < given.len() {
        let particles = given.split_off(first);
        family.splice(0..0, particles);
    }
}

/// What a name with a comma may be.
fn with_comma(family: &[String], given: &[String]) -> Vec<Reading> {
    let mut readings = vec![Reading::new(family, given, Order::Comma)];
    let is_long = |word: &String| word.chars().nth(2).is_some();
    if given.iter().all(is_long) && given.len() <= 2 {
        readings.push(Reading::new(given, family, Order::Swapped));
    }
    let is_particle = |word: &String| PARTICLES.contains(&word.as_str());
    if family.len() > 1 && !family.iter().any(is_particle) && is_long(&family[0]) {
        readings.push(Reading::new(&family[..1], given, Order::Part));
    }
    readings
}

/// What words without a comma may be: the surname stands first or last, with its particles, and may
/// have two words.
fn guesses(words: &[String]) -> Vec<Reading> {
    let is_particle = |word: &String| PARTICLES.contains(&word.as_str());
    let mut readings = Vec::new();
    if words.len() < 2 {
        readings.extend(
            words
                .first()
                .map(|_| Reading::new(words, &[], Order::Comma)),
        );
        return readings;
    }
    let particle = words.iter().position(is_particle).filter(|&at| at > 0);
    let last = particle.unwrap_or(words.len() - 1);
    let leading = words.iter().take_while(|word| is_particle(word)).count();
    let first = (leading + 1).min(words.len() - 1);
    let mut splits = vec![(last, false), (first, true)];
    if words.len() > 2 {
        let end = words.len() - 1;
        splits.extend([(end, false), (end - 1, false), (1, false), (2, true)]);
        splits.sort_unstable();
        splits.dedup();
    }
    for (at, is_family_first) in splits {
        let (one, other) = words.split_at(at);
        let (family, given) = match is_family_first {
            true => (one, other),
            false => (other, one),
        };
        let is_initial = |word: &String| word.chars().nth(1).is_none();
        if family.iter().any(|word| !is_initial(word)) {
            readings.push(Reading::new(family, given, Order::Guessed));
        }
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its readings as `surname|given names`.
    fn readings(name: &str) -> Vec<String> {
        let text = |reading: &Reading| {
            let given: Vec<_> = reading
                .given
                .iter()
                .map(|given| given.name.as_str())
                .collect();
            format!("{}|{}", reading.family, given.join(" "))
        };
        Spelled::new(name).readings.iter().map(text).collect()
    }

    #[test]
    fn a_comma_says_which_word_is_the_surname() {
        assert_eq!(readings("Kasparov,G"), ["kasparov|g"]);
        assert_eq!(readings("Ivanov,AV"), ["ivanov|a v"]);
        assert_eq!(readings("Ivanov, A. V."), ["ivanov|a v"]);
        assert_eq!(
            readings("O'Kelly de Galway, Albéric")[0],
            "okellydegalway|alberic"
        );
        assert_eq!(readings("Kumar,CM"), ["kumar|c m"]);
        assert_eq!(readings("Wiel, J van der"), ["vanderwiel|j"]);
        assert_eq!(
            readings("Garcia Martinez, Silvino")[0],
            "garciamartinez|silvino"
        );
        assert!(readings("Garcia Martinez, Silvino").contains(&"garcia|silvino".to_string()));
    }

    #[test]
    fn without_one_it_is_the_first_or_the_last() {
        assert!(readings("Garry Kasparov").contains(&"kasparov|garry".to_string()));
        assert!(readings("Hou Yifan").contains(&"hou|yifan".to_string()));
        assert!(readings("John van der Wiel").contains(&"vanderwiel|john".to_string()));
        assert!(readings("G. Kasparov").contains(&"kasparov|g".to_string()));
        assert_eq!(readings("Kasparov"), ["kasparov|"]);
    }

    #[test]
    fn titles_and_brackets_are_not_the_name() {
        for name in [
            "GM Kasparov,G",
            "Kasparov,G (wh)",
            "Kasparov,G [GM]",
            "Kasparov,G (GM)",
        ] {
            let spelled = Spelled::new(name);
            assert_eq!(spelled.letters, "kasparovg", "{name}");
            assert!(!spelled.is_bare && spelled.addition.is_empty(), "{name}");
        }
        assert_eq!(Spelled::new("Ivanov,A (RUS)").addition, "rus");
    }

    #[test]
    fn namesakes_have_marks() {
        assert_eq!(Spelled::new("Pavlov,S2").mark, "2");
        assert_eq!(Spelled::new("Pavlov,S2").letters, "pavlovs");
        assert_eq!(Spelled::new("Byrne Jr,R").mark, "jr");
        assert_eq!(Spelled::new("Pavlov,S").mark, "");
    }

    #[test]
    fn accounts_are_no_names() {
        assert!(Spelled::new("chess_king99").is_handle);
        assert!(!Spelled::new("Kasparov").is_handle);
        assert!(!Spelled::new("Kasparov,G").is_handle);
    }

    #[test]
    fn anything_can_be_taken_apart() {
        for name in [
            "",
            ",",
            "(",
            ")(",
            "??",
            ",,,",
            "()",
            "1",
            "Dr",
            "x".repeat(9999).as_str(),
        ] {
            let _ = Spelled::new(name);
        }
    }
}
