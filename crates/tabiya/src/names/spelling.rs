//! Spelling files of Scid (`.ssp`).
//!
//! A section begins with `@PLAYER`, `@EVENT`, `@SITE` or `@ROUND`. A line is a right name, and the
//! lines behind it that begin with `=` are wrong ones. What follows a `#` is a comment, with titles
//! and years of players. `%Prefix "wrong" "right"`, `%Infix` and `%Suffix` replace parts of every name
//! of their section, letter by letter: the first beginning and the first end that fit, and all infixes
//! wherever they stand. Other lines with `%` tell about a player.
//!
//! What is known of the format is from Scid's class documentation and that of libscid; see
//! `docs/names.md`.

use std::collections::{HashMap, HashSet};

use tabiya_game::fold;

use super::{
    Apart, Kind, Level,
    authority::{Authorities, Authority, List, decoded},
    census::Census,
};
use crate::Result;

/// What replaces parts of names.
#[derive(Default)]
struct Rules {
    prefixes: Vec<(String, String)>,
    infixes: Vec<(String, String)>,
    suffixes: Vec<(String, String)>,
}

/// More than any name has. Rules that make each other's work longer would fill all memory.
const LONGEST_NAME: usize = 1 << 12;

impl Rules {
    /// A name with its parts replaced, `None` if that makes it longer than any name.
    fn apply(&self, text: &str) -> Option<String> {
        let mut name = text.to_string();
        let prefix = self
            .prefixes
            .iter()
            .find(|(wrong, _)| name.starts_with(wrong));
        if let Some((wrong, right)) = prefix {
            name = format!("{right}{}", &name[wrong.len()..]);
        }
        for (wrong, right) in &self.infixes {
            let more = name.matches(wrong).count() * right.len();
            if more > 0 && name.len() + more > LONGEST_NAME {
                return None;
            }
            name = name.replace(wrong, right);
        }
        let suffix = self
            .suffixes
            .iter()
            .find(|(wrong, _)| name.ends_with(wrong));
        if let Some((wrong, right)) = suffix {
            name = format!("{}{right}", &name[..name.len() - wrong.len()]);
        }
        (name == text || name.len() <= LONGEST_NAME).then_some(name)
    }
}

/// What a file says of one kind of names, as far as they occur.
#[derive(Default)]
struct Section {
    rules: Rules,
    /// The right name of each that occurs; `None` if there are several.
    right: HashMap<String, Option<String>>,
}

/// Names as they are compared: Scid does not mind case and punctuation either.
fn key(name: &str) -> String {
    let letters = fold::fold(name);
    letters.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Adds what a spelling file says of the names that occur.
pub fn read(
    list: List<'_>,
    census: &Census,
    kinds: &[Kind],
    authorities: &mut HashMap<Kind, Authorities>,
    apart: &mut Vec<Apart>,
) -> Result<()> {
    let mut sections: HashMap<Kind, Section> = HashMap::new();
    // Rules stand anywhere in their section, and decide which names are looked for.
    tell(list, kinds, |kind, said| {
        if let Said::Rule(place, wrong, right) = said {
            let section = sections.entry(kind).or_default();
            section.rules.add(place, wrong, right);
        }
    })?;
    let mut keys: HashMap<Kind, HashSet<String>> = HashMap::new();
    for &kind in kinds {
        let rules = &sections.entry(kind).or_default().rules;
        let known = keys.entry(kind).or_default();
        for (_, text) in census.texts(kind).iter() {
            // With and without what the rules replace.
            known.insert(key(text));
            known.extend(rules.apply(text).map(|ruled| key(&ruled)));
        }
    }
    tell(list, kinds, |kind, said| {
        if let Said::Name { spelled, right } = said {
            let section = sections.entry(kind).or_default();
            section.add(&keys[&kind], spelled, right);
        }
    })?;
    for (kind, section) in sections {
        let authorities = authorities.entry(kind).or_default();
        section.finish(kind, census, authorities, apart);
    }
    Ok(())
}

/// What a line says.
enum Said<'l> {
    Rule(Place, String, String),
    Name { spelled: &'l str, right: &'l str },
}

/// Tells all that a spelling file says of some kinds of names.
fn tell(list: List<'_>, kinds: &[Kind], mut hear: impl FnMut(Kind, Said<'_>)) -> Result<()> {
    let mut lines = list.lines()?;
    let mut kind: Option<Kind> = None;
    let mut right = String::new();
    let mut is_spelling_file = false;
    while let Some(line) = lines.next_line()? {
        let line = decoded(line);
        let text = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = text.strip_prefix('@') {
            is_spelling_file = true;
            kind = section(name).filter(|kind| kinds.contains(kind));
            right.clear();
            continue;
        }
        if text.is_empty() {
            continue;
        }
        if !is_spelling_file {
            return Err(lines.error("stands before a section such as @PLAYER: no spelling file"));
        }
        let Some(kind) = kind else {
            continue;
        };
        let right = &mut right;
        if text.starts_with('%') {
            match rule(&line) {
                Rule::Of(place, wrong, right) => hear(kind, Said::Rule(place, wrong, right)),
                Rule::None => {}
                Rule::Wrong => return Err(lines.error("has no two texts in quotes")),
            }
        } else if let Some(wrong) = text.strip_prefix('=') {
            if right.is_empty() {
                return Err(lines.error("is a wrong name without a right one before it"));
            }
            let spelled = wrong.trim();
            hear(kind, Said::Name { spelled, right });
        } else {
            *right = text.to_string();
            hear(
                kind,
                Said::Name {
                    spelled: text,
                    right,
                },
            );
        }
    }
    match is_spelling_file {
        true => Ok(()),
        false => Err(lines.file_error("has no section such as @PLAYER: no spelling file")),
    }
}

fn section(name: &str) -> Option<Kind> {
    match name.trim().to_ascii_uppercase().as_str() {
        "PLAYER" | "PLAYERS" => Some(Kind::Player),
        "EVENT" | "EVENTS" => Some(Kind::Event),
        "SITE" | "SITES" => Some(Kind::Site),
        _ => None,
    }
}

/// Where a rule looks.
#[derive(Clone, Copy)]
enum Place {
    Prefix,
    Infix,
    Suffix,
}

enum Rule {
    Of(Place, String, String),
    /// It tells something else.
    None,
    Wrong,
}

fn rule(line: &str) -> Rule {
    let line = line.trim();
    let word = line.split_whitespace().next().unwrap_or_default();
    let place = match word.to_ascii_lowercase().as_str() {
        "%prefix" => Place::Prefix,
        "%infix" => Place::Infix,
        "%suffix" => Place::Suffix,
        _ => return Rule::None,
    };
    let quoted: Vec<&str> = line.split('"').collect();
    match quoted.as_slice() {
        [_, wrong, _, right, ..] if !wrong.is_empty() => {
            Rule::Of(place, wrong.to_string(), right.to_string())
        }
        _ => Rule::Wrong,
    }
}

impl Rules {
    fn add(&mut self, place: Place, wrong: String, right: String) {
        match place {
            Place::Prefix => &mut self.prefixes,
            Place::Infix => &mut self.infixes,
            Place::Suffix => &mut self.suffixes,
        }
        .push((wrong, right));
    }
}

impl Section {
    /// Notes a spelling, if it occurs.
    fn add(&mut self, occur: &HashSet<String>, wrong: &str, right: &str) {
        let key = key(wrong);
        if !occur.contains(&key) {
            return;
        }
        let known = self
            .right
            .entry(key)
            .or_insert_with(|| Some(right.to_string()));
        if known.as_deref() != Some(right) {
            *known = None;
        }
    }

    fn finish(
        &self,
        kind: Kind,
        census: &Census,
        authorities: &mut Authorities,
        apart: &mut Vec<Apart>,
    ) {
        let mut leave = |text: &str, reason: &str| {
            apart.push(Apart {
                kind,
                names: vec![text.to_string()],
                reason: reason.to_string(),
            });
        };
        for (id, text) in census.texts(kind).iter() {
            let Some(ruled) = self.rules.apply(text) else {
                leave(text, "the rules of the spelling file make it too long");
                continue;
            };
            let known = self
                .right
                .get(&key(&ruled))
                .or_else(|| self.right.get(&key(text)));
            let name = match known {
                Some(Some(right)) => right.clone(),
                Some(None) => {
                    leave(text, "the spelling file has several right names for it");
                    continue;
                }
                None if ruled != text => ruled,
                None => continue,
            };
            let authority = Authority {
                name,
                level: Level::Sure,
                words: "the spelling file says so".to_string(),
                fide_id: None,
            };
            authorities.add(id, authority);
        }
    }
}
