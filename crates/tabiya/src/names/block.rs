//! Which names are worth comparing: never all with all.
//!
//! Each name gets a few keys, and only names that share one are compared: the letters of the name,
//! the consonants of its surname with an initial, and its surname with any one letter left out, which
//! is what a typing error leaves alone. So time grows with the number of names, not with its square.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{
    census::Id,
    sound::{one_of_given, skeleton},
    spelled::{Reading, Spelled},
};

/// Larger blocks are sorted, and only neighbours compared.
const LARGE: usize = 120;

/// How far neighbours reach in large blocks.
const REACH: usize = 10;

/// A surname that more names have says nothing without a given name.
const MOST_NAMESAKES: usize = 8;

/// Shorter surnames are full of names that differ in one letter.
const LEAST_TYPO: usize = 5;

/// Pairs of names that may be one person's, each once, the smaller id first.
pub fn pairs(names: &[Spelled], fide_ids: impl Iterator<Item = (u32, Id)>) -> Vec<(Id, Id)> {
    let mut keys: Vec<(u64, Id)> = Vec::new();
    for (id, name) in (0..).zip(names) {
        keys.push((key(&("letters", &name.letters)), id));
        for reading in &name.readings {
            keys.extend(reading_keys(reading).map(|key| (key, id)));
        }
    }
    keys.extend(fide_ids.map(|(fide_id, id)| (key(&("fide", fide_id)), id)));
    keys.sort_unstable();
    keys.dedup();
    let mut pairs = Vec::new();
    for block in keys.chunk_by(|a, b| a.0 == b.0) {
        add_block(block, names, &mut pairs);
    }
    add_without_given(names, &mut pairs);
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// A number for whatever names are compared by.
pub fn key(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The keys of one reading.
fn reading_keys(reading: &Reading) -> impl Iterator<Item = u64> {
    let given = reading
        .given
        .first()
        .map_or("", |given| one_of_given(&given.sound));
    let initial = given.chars().next();
    let consonants = key(&("consonants", skeleton(&reading.sound), initial));
    let letters: Vec<char> = reading.family.chars().collect();
    // Of very long names the beginning is enough.
    let count = if letters.len() < LEAST_TYPO {
        0
    } else {
        letters.len().min(24)
    };
    let without = move |left_out: usize| {
        let rest = letters.iter().enumerate().filter(|&(at, _)| at != left_out);
        let rest: String = rest.map(|(_, letter)| letter).collect();
        key(&("error", rest, initial))
    };
    // One letter left out of both, or of one of them only.
    let errors = (0..count).map(without.clone());
    let whole = (count > 0).then(|| without(usize::MAX));
    errors.chain(whole).chain([consonants])
}

/// The pairs of a block.
fn add_block(block: &[(u64, Id)], names: &[Spelled], pairs: &mut Vec<(Id, Id)>) {
    let mut ids: Vec<Id> = block.iter().map(|&(_, id)| id).collect();
    let mut reach = ids.len();
    if ids.len() > LARGE {
        ids.sort_by(|&a, &b| {
            let letters = |id: Id| &names[id as usize].letters;
            letters(a).cmp(letters(b)).then(a.cmp(&b))
        });
        reach = REACH;
    }
    for (at, &one) in ids.iter().enumerate() {
        for &other in ids[at + 1..].iter().take(reach) {
            pairs.push((one.min(other), one.max(other)));
        }
    }
}

/// Names that are a surname alone, with those that have it and a given name.
fn add_without_given(names: &[Spelled], pairs: &mut Vec<(Id, Id)>) {
    let mut bare: HashMap<&str, Vec<Id>> = HashMap::new();
    let all = || (0..).zip(names);
    for (id, name) in all() {
        let is_bare = |reading: &&Reading| reading.given.is_empty() && !reading.sound.is_empty();
        if let Some(reading) = name.readings.first().filter(is_bare) {
            bare.entry(&reading.sound).or_default().push(id);
        }
    }
    let mut full: HashMap<&str, Vec<Id>> = HashMap::new();
    for (id, name) in all() {
        for reading in name
            .readings
            .iter()
            .filter(|reading| !reading.given.is_empty())
        {
            if bare.contains_key(reading.sound.as_str()) {
                full.entry(&reading.sound).or_default().push(id);
            }
        }
    }
    for (sound, others) in full
        .iter()
        .filter(|(_, others)| others.len() <= MOST_NAMESAKES)
    {
        for &one in &bare[sound] {
            pairs.extend(others.iter().map(|&other| (one.min(other), one.max(other))));
        }
    }
    pairs.retain(|(one, other)| one != other);
}
