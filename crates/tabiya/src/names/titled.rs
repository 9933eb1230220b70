//! Which spellings are one event, or one site.
//!
//! Numbers must be the same: `Linares 1998` is not `Linares 1999`, whatever else agrees.

use std::{
    collections::{BTreeSet, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
};

use tabiya_game::fold;

use super::{
    Group, Kind, Level, Spelling,
    authority::Authorities,
    census::{ByText, Census, Id},
    group::{self, Link, by_name},
    sound::{Part, is_one_error, sound},
    words::{plural, years},
};

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
        let numbered = raw.filter(|word| !word.is_empty()).map(|word| match number(word) {
            Some(number) => number.to_string(),
            None => fold::fold(word),
        });
        let numbered: Vec<String> = numbered.collect();
        let mut sounds: Vec<String> =
            numbered.iter().map(|word| sound(word, Part::Family)).collect();
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
    let sum: i64 = signed.map(|(&v, &next)| if v < next { -i64::from(v) } else { v.into() }).sum();
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
        titled: census.texts(kind).iter().map(|(_, text)| Titled::new(text)).collect(),
    };
    let mut links = names.links();
    for (one, other) in authorities.pairs() {
        let words = authorities.of(other).map_or("", |authority| &authority.words);
        links.push(Link {
            one,
            other,
            points: Level::SURE + 50,
            words: words.to_string(),
        });
    }
    let groups = group::groups(&links, least.points(), |a, b| !names.have_same_numbers(a, b));
    let grouped: HashMap<Id, usize> = groups
        .iter()
        .enumerate()
        .flat_map(|(at, group)| group.iter().map(move |&id| (id, at)))
        .collect();
    let is_inside = |link: &&Link| {
        let (one, other) = (grouped.get(&link.one), grouped.get(&link.other));
        one.is_some() && one == other
    };
    let perhaps = links.len() - links.iter().filter(is_inside).count();
    let by_name = by_name(&links);
    let mut found: Vec<Group> =
        groups.iter().filter_map(|group| names.group(group, &by_name, authorities)).collect();
    found.extend(names.renamed(&grouped, authorities));
    (found, perhaps)
}

impl Names<'_> {
    fn text(&self, id: Id) -> &str {
        self.census.texts(self.kind).text(id)
    }

    fn known(&self, id: Id) -> Known {
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
        let mut longer: HashMap<Id, u32> = HashMap::new();
        for &(one, other) in &pairs {
            if let Some((short, _)) = self.without_country(one, other) {
                *longer.entry(short).or_default() += 1;
            }
        }
        let link = |(one, other): (Id, Id)| {
            if !self.have_same_numbers(one, other) {
                return None;
            }
            let (mut points, words) = self.alike(one, other, &longer)?;
            let mut words = words.to_string();
            if points < Level::SURE {
                let (a, b) = (self.known(one), self.known(other));
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
    fn alike(&self, one: Id, other: Id, longer: &HashMap<Id, u32>) -> Option<(i32, &'static str)> {
        let (a, b) = (&self.titled[one as usize], &self.titled[other as usize]);
        if a.letters() == b.letters() {
            return Some((110, "the same letters"));
        }
        if a.numbered == b.numbered {
            return Some((85, "numbers are written otherwise"));
        }
        if a.sounds == b.sounds {
            let mut words = [a.words.clone(), b.words.clone()];
            words.iter_mut().for_each(|words| words.sort_unstable());
            return Some(match words[0] == words[1] {
                true => (80, "the same words in another order"),
                false => (75, "the words sound alike"),
            });
        }
        if let Some((short, _)) = self.without_country(one, other) {
            return Some(match longer.get(&short) {
                Some(1) => (62, "a country is missing"),
                _ => (35, "a country is missing, and there are several"),
            });
        }
        let (a, b) = (a.numbered.concat(), b.numbered.concat());
        let is_long = a.chars().count().min(b.chars().count()) >= 10;
        (is_long && is_one_error(&a, &b)).then_some((50, "a typing error"))
    }

    /// If one site is the other with the three letters of a country behind it: the shorter and the
    /// longer one.
    fn without_country(&self, one: Id, other: Id) -> Option<(Id, Id)> {
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
        (is_code && rest == words(short)).then_some((short, long))
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
                    add(key(&("error", rest.map(|(_, letter)| letter).collect::<String>())));
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
                pairs.extend(block[at + 1..].iter().take(20).map(|&(_, other)| (one, other)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    fn group(
        &self,
        ids: &[Id],
        links: &HashMap<Id, Vec<&Link>>,
        authorities: &Authorities,
    ) -> Option<Group> {
        let kept = ids.iter().copied().max_by_key(|&id| {
            let text = self.text(id);
            let is_neat = text.contains(char::is_lowercase) && text.trim() == text;
            let country = self.kind == Kind::Site && text.chars().rev().take(3).all(char::is_uppercase);
            let games = self.by_text.games(id).len();
            (authorities.of(id).is_some(), is_neat, country, games, std::cmp::Reverse(id))
        })?;
        let right = authorities.of(kept).map(|authority| authority.name.clone());
        let joined = group::joined(ids, kept, links).into_iter();
        let mut spellings: Vec<Spelling> = joined
            .map(|joined| self.spelling(joined.id, joined.level, &joined.link.words))
            .collect();
        if let Some(authority) = authorities.of(kept)
            && authority.name != self.text(kept)
        {
            spellings.insert(0, self.spelling(kept, authority.level, &authority.words));
        }
        Some(Group {
            kind: self.kind,
            name: right.unwrap_or_else(|| self.text(kept).to_string()),
            known: self.known(kept).words(),
            spellings,
        })
    }

    fn spelling(&self, id: Id, level: Level, words: &str) -> Spelling {
        let known = self.known(id);
        Spelling {
            id,
            name: self.text(id).to_string(),
            games: known.games.into(),
            level,
            reason: format!("{}: {words}; {}", level.name(), known.words()),
        }
    }

    /// Names that authorities spell otherwise and that are in no group.
    fn renamed(&self, grouped: &HashMap<Id, usize>, authorities: &Authorities) -> Vec<Group> {
        let alone = authorities.iter().filter(|(id, _)| !grouped.contains_key(id));
        let renamed = alone.filter(|(id, authority)| authority.name != self.text(*id));
        renamed
            .map(|(id, authority)| Group {
                kind: self.kind,
                name: authority.name.clone(),
                known: String::new(),
                spellings: vec![self.spelling(id, authority.level, &authority.words)],
            })
            .collect()
    }
}

fn key(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
