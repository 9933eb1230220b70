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
    /// What each word is made of.
    letters: Vec<Letters>,
    /// Hashes of some words, for names that have one in common.
    keys: Vec<u64>,
}

/// Which letters a word has, so that two are not compared letter by letter if they have too few in
/// common.
#[derive(Clone, Copy, Debug)]
struct Letters(u32);

impl Letters {
    const DIGITS: u32 = 1 << 31;

    fn of(word: &str) -> Letters {
        let bit = |letter: char| match letter.is_ascii_digit() {
            true => Letters::DIGITS,
            // Two letters may share a bit: then they are told apart later.
            false => 1 << (u32::from(letter) % 31),
        };
        Letters(word.chars().fold(0, |bits, letter| bits | bit(letter)))
    }

    fn has_digits(self) -> bool {
        self.0 & Letters::DIGITS != 0
    }

    /// At least so many letters must be wrong if one word was to be the other.
    fn least_wrong(self, other: Letters) -> u32 {
        let (own, others) = (self.0 & !other.0, other.0 & !self.0);
        own.count_ones().max(others.count_ones())
    }
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
        let telling = words.iter().filter(|word| word.len() > 1);
        let keys = telling.take(MOST_KEYS).map(|word| hash(&[word.as_str()]));
        Name {
            letters: words.iter().map(|word| Letters::of(word)).collect(),
            keys: keys.collect(),
            words,
        }
    }

    pub fn is_known(&self) -> bool {
        !self.words.is_empty()
    }

    /// Hashes of its words, for names that have one in common.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Whether the name of an event has all that another has, or the other way round.
    pub fn is_part_of(&self, other: &Name) -> bool {
        are_among(&self.words, &other.words) || are_among(&other.words, &self.words)
    }

    fn words(&self) -> impl Iterator<Item = Word<'_>> {
        let words = self.words.iter().zip(&self.letters);
        words.map(|(text, &letters)| Word { text, letters })
    }

    /// All its letters, whatever stood between them.
    fn all_letters(&self) -> impl Iterator<Item = u8> + '_ {
        self.words.iter().flat_map(|word| word.bytes())
    }

    pub fn likeness(&self, other: &Name) -> Likeness {
        if !self.is_known() || !other.is_known() {
            return Likeness::Unknown;
        }
        if self.all_letters().eq(other.all_letters()) {
            return Likeness::Same;
        }
        let (short, long) = match self.words.len() <= other.words.len() {
            true => (self, other),
            false => (other, self),
        };
        let (matched, whole) = pair_up(short, long);
        match (whole, matched == short.words.len()) {
            (0, _) => Likeness::Different,
            (_, true) => Likeness::Same,
            (_, false) => Likeness::Kin,
        }
    }
}

/// How many words of a name stand for words of another, and how many of these are whole ones.
fn pair_up(short: &Name, long: &Name) -> (usize, usize) {
    let all = |name: &Name| (1u32 << name.words.len()) - 1;
    // A bit for each word that is left: a name has no more than MOST_WORDS.
    let (mut wanted, mut left) = (all(short), all(long));
    let (mut matched, mut whole) = (0, 0);
    // The same words first, then mistakes, then initials: `k` could take the word that `karpov` needs.
    for kind in [is_same, is_misspelt, is_beginning] {
        for (at, word) in short.words().enumerate() {
            if wanted >> at & 1 == 0 {
                continue;
            }
            let mut others = long.words().enumerate();
            let found = others.find(|(other, its)| left >> other & 1 == 1 && kind(word, *its));
            if let Some((other, its)) = found {
                (wanted, left) = (wanted & !(1 << at), left & !(1 << other));
                matched += 1;
                whole += usize::from(word.text.len().min(its.text.len()) > 1);
            }
        }
    }
    (matched, whole)
}

/// A word of a name.
#[derive(Clone, Copy)]
struct Word<'n> {
    text: &'n str,
    letters: Letters,
}

fn is_same(one: Word<'_>, other: Word<'_>) -> bool {
    one.text == other.text
}

/// Initials, and names that are cut off. Numbers, as those of engines, are whole or others.
fn is_beginning(one: Word<'_>, other: Word<'_>) -> bool {
    let has_digits = one.letters.has_digits() || other.letters.has_digits();
    !has_digits && (one.text.starts_with(other.text) || other.text.starts_with(one.text))
}

/// Whether one letter is wrong, missing, too many or changed places with the next; two in a long
/// word. Short words are easily others.
fn is_misspelt(one: Word<'_>, other: Word<'_>) -> bool {
    let allowed = match one.text.len().min(other.text.len()) {
        0..=3 => return false,
        _ if one.letters.has_digits() || other.letters.has_digits() => return false,
        4..=7 => 1,
        _ => 2,
    };
    one.text.len().abs_diff(other.text.len()) <= 2 * allowed
        && one.letters.least_wrong(other.letters) as usize <= allowed
        && distance(one.text, other.text, allowed) <= allowed
}

/// How many letters are wrong, missing, too many or exchanged; more than `most` are not counted to
/// the end.
fn distance(one: &str, other: &str, most: usize) -> usize {
    let (mut one_letters, mut other_letters) = (['\0'; MOST_LETTERS], ['\0'; MOST_LETTERS]);
    let one = spelled(one, &mut one_letters);
    let other = spelled(other, &mut other_letters);
    let mut before = [0; MOST_LETTERS + 1];
    let mut last: [usize; MOST_LETTERS + 1] = std::array::from_fn(|count| count);
    for (i, a) in one.iter().enumerate() {
        let mut row = [i + 1; MOST_LETTERS + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (last[j] + usize::from(a != b))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            let is_exchanged = i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b;
            if is_exchanged {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        if row[..=other.len()].iter().all(|count| *count > most) {
            return most + 1;
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

/// The letters of a word, of which there are not more than [`MOST_LETTERS`].
fn spelled<'l>(word: &str, letters: &'l mut [char; MOST_LETTERS]) -> &'l [char] {
    let places = letters.iter_mut().zip(word.chars());
    let count = places.map(|(place, letter)| *place = letter).count();
    &letters[..count]
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
