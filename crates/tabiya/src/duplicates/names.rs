//! Whether two names can be those of one player, or of one event.

use tabiya_game::fold::{are_among, words};

use super::facts::hash;

/// Names have no more words than this that count.
const MOST_WORDS: usize = 16;
/// Nor longer ones.
const MOST_LETTERS: usize = 32;
/// So many words of a name are looked for.
const MOST_KEYS: usize = 4;

/// A name, taken apart.
#[derive(Debug, Default)]
pub(super) struct Name {
    /// Folded, without what stands between them. None if the name is not known.
    words: Vec<String>,
}

/// How two names are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Likeness {
    /// They can be spellings of one.
    Same,
    /// One is not known.
    Unknown,
    /// They have a word in common and others that are not: brothers, or a mistake.
    Kin,
    /// They are others.
    Different,
}

impl Name {
    pub fn new(text: &str) -> Name {
        let mut words = words(text);
        // Whatever somebody writes into a tag, comparing it takes no time.
        words.truncate(MOST_WORDS);
        for word in &mut words {
            if let Some((end, _)) = word.char_indices().nth(MOST_LETTERS) {
                word.truncate(end);
            }
        }
        let letters: String = words.concat();
        if matches!(letters.as_str(), "nn" | "unknown" | "anonymous") {
            words.clear();
        }
        Name { words }
    }

    pub fn is_known(&self) -> bool {
        !self.words.is_empty()
    }

    /// Hashes of its words, for names that have one in common.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        let words = self.words.iter().filter(|word| word.len() > 1);
        words.take(MOST_KEYS).map(|word| hash(&[word.as_str()]))
    }

    /// Whether the name of an event has all that another has, or the other way round.
    pub fn is_part_of(&self, other: &Name) -> bool {
        are_among(&self.words, &other.words) || are_among(&other.words, &self.words)
    }

    /// All its letters, whatever stood between them.
    fn letters(&self) -> impl Iterator<Item = u8> + '_ {
        self.words.iter().flat_map(|word| word.bytes())
    }

    pub fn likeness(&self, other: &Name) -> Likeness {
        if !self.is_known() || !other.is_known() {
            return Likeness::Unknown;
        }
        if self.letters().eq(other.letters()) {
            return Likeness::Same;
        }
        let (short, long) = match self.words.len() <= other.words.len() {
            true => (&self.words, &other.words),
            false => (&other.words, &self.words),
        };
        let (matched, whole) = pair_up(short, long);
        match (whole, matched == short.len()) {
            (0, _) => Likeness::Different,
            (_, true) => Likeness::Same,
            (_, false) => Likeness::Kin,
        }
    }
}

/// How many words of a name stand for words of another, and how many of these are whole ones.
fn pair_up(short: &[String], long: &[String]) -> (usize, usize) {
    let all = |words: &[String]| (1u32 << words.len()) - 1;
    // A bit for each word that is left: a name has no more than MOST_WORDS.
    let (mut wanted, mut left) = (all(short), all(long));
    let (mut matched, mut whole) = (0, 0);
    // The same words first, then mistakes, then initials: `k` could take the word that `karpov` needs.
    for kind in [is_same, is_misspelt, is_beginning] {
        for (at, word) in short.iter().enumerate() {
            let is_left = |other: &usize| left >> other & 1 == 1;
            let mut others = (0..long.len()).filter(is_left);
            let found = match wanted >> at & 1 {
                1 => others.find(|other| kind(word, &long[*other])),
                _ => None,
            };
            if let Some(other) = found {
                (wanted, left) = (wanted & !(1 << at), left & !(1 << other));
                matched += 1;
                whole += usize::from(word.len().min(long[other].len()) > 1);
            }
        }
    }
    (matched, whole)
}

fn is_same(one: &str, other: &str) -> bool {
    one == other
}

/// Initials, and names that are cut off. Numbers, as those of engines, are whole or others.
fn is_beginning(one: &str, other: &str) -> bool {
    !has_digits(one) && !has_digits(other) && (one.starts_with(other) || other.starts_with(one))
}

fn has_digits(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether one letter is wrong, missing, too many or changed places with the next; two in a long
/// word. Short words are easily others.
fn is_misspelt(one: &str, other: &str) -> bool {
    let allowed = match one.len().min(other.len()) {
        0..=3 => return false,
        _ if has_digits(one) || has_digits(other) => return false,
        4..=7 => 1,
        _ => 2,
    };
    one.len().abs_diff(other.len()) <= 2 * allowed && distance(one, other, allowed) <= allowed
}

/// How many letters are wrong, missing, too many or exchanged; more than `most` are not counted to
/// the end.
fn distance(one: &str, other: &str, most: usize) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (last[j] + usize::from(a != b))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            let is_exchanged = i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b;
            if is_exchanged {
                let twice: &Vec<usize> = &before;
                least = least.min(twice[j - 1] + 1);
            }
            row.push(least);
        }
        if row.iter().all(|count| *count > most) {
            return most + 1;
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(one: &str, other: &str) -> Likeness {
        let (one, other) = (Name::new(one), Name::new(other));
        assert_eq!(one.likeness(&other), other.likeness(&one));
        one.likeness(&other)
    }

    #[test]
    fn spellings_of_one_name_are_the_same() {
        for (one, other) in [
            ("Réti, Richard", "Reti,R"),
            ("Carlsen, Magnus", "Magnus Carlsen"),
            ("CARLSEN M.", "Carlsen,Magnus"),
            ("Nepomniachtchi, Ian", "Nepomniachtc,I"),
            ("Nepomniachtchi, Ian", "Nepomniashchi, I"),
            ("Vachier-Lagrave, Maxime", "Vachier Lagrave,M"),
            ("Karjakin, Sergey", "Kariakin,S"),
            ("So, Wesley", "So,W"),
            ("Kramnik", "Kramnik, Vladimir"),
            ("Kasparov, Garry", "Kasparov, Gary"),
            ("Kasaprov, Garry", "Kasparov, Garry"),
        ] {
            assert_eq!(likeness(one, other), Likeness::Same, "{one}, {other}");
        }
    }

    #[test]
    fn other_people_are_not() {
        for (one, other) in [
            ("Carlsen, Magnus", "Caruana, Fabiano"),
            ("Tal, Mikhail", "Botvinnik, M"),
            ("Short, N", "So, W"),
            ("Li Chao", "Wang Hao"),
        ] {
            assert_eq!(likeness(one, other), Likeness::Different, "{one}, {other}");
        }
        for (one, other) in [
            ("Polgar, Judit", "Polgar, Sofia"),
            ("Ivanov, Sergey", "Ivanov, Alexander"),
            ("Kramnik, Vladimir", "Kramnik, Boris"),
            ("Stockfish 14.1", "Stockfish 15"),
            ("Player 0017", "Player 0018"),
        ] {
            assert_eq!(likeness(one, other), Likeness::Kin, "{one}, {other}");
        }
        for unknown in ["", "?", "NN", "N.N.", "-"] {
            assert_eq!(likeness(unknown, "Tal"), Likeness::Unknown, "{unknown}");
        }
    }
}
