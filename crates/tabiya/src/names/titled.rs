//! Which spellings are one event, or one site.
//!
//! Numbers must be the same: `Linares 1998` is not `Linares 1999`, whatever else agrees.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet},
};

use tabiya_game::fold;

use super::{
    Group, Kind, Level,
    authority::Authorities,
    block::key,
    census::{ByText, Census, Id},
    group::{self, Link, Named},
    sound::{Part, is_one_error, sound},
};
use crate::words::{plural, years};

/// The name of an event or a site, taken apart.
struct Titled {
    /// Its words, folded.
    words: Vec<String>,
    /// Its words with numbers as digits: `XII`, `12th` and `12.` are `12`.
    numbered: Vec<String>,
    /// Its words as they sound, in order of the alphabet.
    sounds: Vec<String>,
}

impl Titled {
    fn new(text: &str) -> Titled {
        let raw = text.split(|c: char| !c.is_alphanumeric());
        let numbered = raw
            .filter(|word| !word.is_empty())
            .map(|word| match number(word) {
                Some(number) => number.to_string(),
                None => fold::fold(word),
            });
        let numbered: Vec<String> = numbered.collect();
        // `TCh` and `ch`, `GM` and `IM` are not spellings of one word.
        let mut sounds: Vec<String> = numbered
            .iter()
            .map(|word| match is_long(word, 5) {
                true => sound(word, Part::Family),
                false => word.clone(),
            })
            .collect();
        sounds.sort_unstable();
        Titled {
            words: fold::words(text),
            numbered,
            sounds,
        }
    }

    fn letters(&self) -> String {
        self.words.concat()
    }

    fn digits(&self) -> impl Iterator<Item = &String> {
        let is_number = |word: &&String| word.contains(|c: char| c.is_ascii_digit());
        self.numbered.iter().filter(is_number)
    }
}

fn is_long(word: &str, least: usize) -> bool {
    word.chars().nth(least - 1).is_some()
}

/// Whether one long word differs by a typing error, and no other differs: `Group A` and `Group B` are
/// two.
fn is_one_word_wrong(a: &[String], b: &[String]) -> bool {
    let mut differ = a.iter().zip(b).filter(|(a, b)| a != b);
    let (Some((one, other)), None) = (differ.next(), differ.next()) else {
        return false;
    };
    a.len() == b.len() && is_long(one, 6) && is_long(other, 6) && is_one_error(one, other)
}

/// A number in digits, with the ending of an ordinal, or in Roman capitals.
fn number(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if !digits.is_empty() {
        let ending = word[digits.len()..].to_ascii_lowercase();
        let is_ordinal = matches!(ending.as_str(), "" | "st" | "nd" | "rd" | "th" | "a" | "o");
        // A number too large for this is left as it is.
        return is_ordinal.then(|| digits.parse().ok()).flatten();
    }
    let is_roman = word.len() > 1 && word.chars().all(|c| "IVXL".contains(c));
    is_roman.then(|| roman(word)).flatten()
}

/// The value of a Roman number below 90.
fn roman(word: &str) -> Option<u32> {
    let value = |c: char| match c {
        'I' => 1,
        'V' => 5,
        'X' => 10,
        _ => 50,
    };
    let values: Vec<u32> = word.chars().map(value).collect();
    let next = values.iter().skip(1).chain([&0]);
    let signed = values.iter().zip(next);
    let sum: i64 = signed
        .map(|(&v, &next)| if v < next { -i64::from(v) } else { v.into() })
        .sum();
    u32::try_from(sum).ok().filter(|&sum| sum > 0)
}

/// What games say of one name.
#[derive(Default)]
struct Known {
    games: u32,
    first: u16,
    last: u16,
    /// Sites of an event, events of a site.
    elsewhere: BTreeSet<Id>,
}

impl Known {
    fn words(&self) -> String {
        plural(self.games.into(), "game") + &years(self.first, self.last)
    }
}

/// Names of one kind.
struct Names<'c> {
    kind: Kind,
    census: &'c Census,
    by_text: ByText,
    titled: Vec<Titled>,
}

/// Finds the spellings that are one event, or one site. How many pairs are perhaps one is told too.
pub fn find(
    census: &Census,
    kind: Kind,
    authorities: &Authorities,
    least: Level,
) -> (Vec<Group>, usize) {
    let names = Names {
        kind,
        census,
        by_text: census.by_text(kind),
        titled: census
            .texts(kind)
            .iter()
            .map(|(_, text)| Titled::new(text))
            .collect(),
    };
    let mut links = names.links();
    for (one, other) in authorities.pairs() {
        let words = authorities
            .of(other)
            .map_or("", |authority| &authority.words);
        links.push(Link {
            one,
            other,
            points: Level::SURE + 50,
            words: words.to_string(),
        });
    }
    group::assemble(&names, &links, least, authorities, &HashSet::new())
}

impl Named for Names<'_> {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn text(&self, id: Id) -> &str {
        self.census.texts(self.kind).text(id)
    }

    fn games(&self, id: Id) -> u64 {
        self.by_text.games(id).len() as u64
    }

    fn known(&self, id: Id) -> String {
        self.about(id).words()
    }

    fn are_excluded(&self, one: Id, other: Id) -> bool {
        !self.have_same_numbers(one, other)
    }

    /// One that an authority has, a neat one, one with a country, the one with most games.
    fn kept(&self, ids: &[Id], authorities: &Authorities) -> Option<Id> {
        ids.iter().copied().max_by_key(|&id| {
            let text = self.text(id);
            let is_neat = text.contains(char::is_lowercase) && text.trim() == text;
            let has_country =
                self.kind == Kind::Site && text.chars().rev().take(3).all(char::is_uppercase);
            let games = self.games(id);
            (
                authorities.of(id).is_some(),
                is_neat,
                has_country,
                games,
                Reverse(id),
            )
        })
    }
}

impl Names<'_> {
    fn about(&self, id: Id) -> Known {
        let mut known = Known::default();
        for &game in self.by_text.games(id) {
            let game = &self.census.games[game as usize];
            known.games += 1;
            if game.year > 0 {
                known.last = known.last.max(game.year);
                known.first = match known.first {
                    0 => game.year,
                    first => first.min(game.year),
                };
            }
            known.elsewhere.insert(match self.kind {
                Kind::Event => game.site,
                _ => game.event,
            });
        }
        known
    }

    fn have_same_numbers(&self, one: Id, other: Id) -> bool {
        let digits = |id: Id| {
            let mut digits: Vec<_> = self.titled[id as usize].digits().collect();
            digits.sort_unstable();
            digits
        };
        digits(one) == digits(other)
    }

    fn links(&self) -> Vec<Link> {
        let pairs = self.pairs();
        let mut countries: HashMap<Id, BTreeSet<&str>> = HashMap::new();
        for &(one, other) in &pairs {
            if let Some((short, country)) = self.without_country(one, other) {
                countries.entry(short).or_default().insert(country);
            }
        }
        let link = |(one, other): (Id, Id)| {
            if !self.have_same_numbers(one, other) {
                return None;
            }
            let (mut points, words) = self.alike(one, other, &countries)?;
            let mut words = words.to_string();
            if points < Level::SURE {
                let (a, b) = (self.about(one), self.about(other));
                let overlap = a.first <= b.last && b.first <= a.last;
                if overlap && !a.elsewhere.is_disjoint(&b.elsewhere) {
                    points += 15;
                    words += match self.kind {
                        Kind::Event => "; the same site and years",
                        _ => "; the same events and years",
                    };
                }
            }
            Some(Link {
                one,
                other,
                points,
                words,
            })
        };
        pairs.into_iter().filter_map(link).collect()
    }

    /// How two names agree.
    fn alike(
        &self,
        one: Id,
        other: Id,
        countries: &HashMap<Id, BTreeSet<&str>>,
    ) -> Option<(i32, &'static str)> {
        let (a, b) = (&self.titled[one as usize], &self.titled[other as usize]);
        if a.letters() == b.letters() {
            return Some((110, "the same letters"));
        }
        // There is a fourteenth open in many towns.
        let is_event = self.kind == Kind::Event;
        if a.numbered == b.numbered {
            let points = if is_event { 50 } else { 85 };
            return Some((points, "numbers are written otherwise"));
        }
        if a.sounds == b.sounds {
            let points = if is_event { 50 } else { 75 };
            let mut words = [a.words.clone(), b.words.clone()];
            words.iter_mut().for_each(|words| words.sort_unstable());
            return Some(match words[0] == words[1] {
                true => (points, "the same words in another order"),
                false => (points, "the words sound alike"),
            });
        }
        if let Some((short, _)) = self.without_country(one, other) {
            return Some(match countries.get(&short).map(BTreeSet::len) {
                Some(1) => (62, "a country is missing"),
                _ => (35, "a country is missing, and there are several"),
            });
        }
        is_one_word_wrong(&a.numbered, &b.numbered).then_some((50, "a typing error"))
    }

    /// If one site is the other with the three letters of a country behind it: the shorter one, and
    /// the letters.
    fn without_country(&self, one: Id, other: Id) -> Option<(Id, &str)> {
        if self.kind != Kind::Site {
            return None;
        }
        let words = |id: Id| &self.titled[id as usize].words;
        let (short, long) = match words(one).len() < words(other).len() {
            true => (one, other),
            false => (other, one),
        };
        let (country, rest) = words(long).split_last()?;
        let text = self.text(long).trim_end_matches([')', ']']);
        let is_code = country.len() == 3 && text.ends_with(&country.to_uppercase());
        (is_code && rest == words(short)).then_some((short, country.as_str()))
    }

    /// Pairs that are worth comparing, each once.
    fn pairs(&self) -> Vec<(Id, Id)> {
        let mut keys: Vec<(u64, Id)> = Vec::new();
        for (id, titled) in (0..).zip(&self.titled) {
            // Addresses of games are no names: each is another one, and there are millions.
            if titled.words.is_empty() || self.text(id).contains("://") {
                continue;
            }
            let mut add = |key: u64| keys.push((key, id));
            add(key(&("letters", titled.letters())));
            add(key(&("sounds", &titled.sounds)));
            if self.kind == Kind::Site {
                let words = &titled.words;
                add(key(&("place", words.concat())));
                add(key(&("place", words[..words.len() - 1].concat())));
            }
            let letters: Vec<char> = titled.numbered.concat().chars().collect();
            if letters.len() >= 9 {
                for left_out in 0..letters.len().min(64) {
                    let rest = letters.iter().enumerate().filter(|&(at, _)| at != left_out);
                    add(key(&(
                        "error",
                        rest.map(|(_, letter)| letter).collect::<String>(),
                    )));
                }
                add(key(&("error", letters.iter().collect::<String>())));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let mut pairs = Vec::new();
        for block in keys.chunk_by(|a, b| a.0 == b.0) {
            for (at, &(_, one)) in block.iter().enumerate() {
                // Of a large block everything hangs together by neighbours.
                pairs.extend(
                    block[at + 1..]
                        .iter()
                        .take(20)
                        .map(|&(_, other)| (one, other)),
                );
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}
