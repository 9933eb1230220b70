//! Why a copy is kept or goes, in words.

use std::collections::HashMap;

use tabiya_game::{Item, Tags};

use super::{
    Preference,
    copies::{Copied, Rule, is_note},
    merge,
};
use crate::words::plural;

/// Why a copy is kept, of so many: `of 4 copies, 2 are in my.tabiya; the longest of these, with 60
/// plies`.
pub(super) fn kept(rules: &[Rule<'_>], kept: &Copied, copies: usize) -> String {
    let [earlier @ .., (last, 1)] = rules else {
        return match rules {
            [] => format!("the first of {copies} copies that are equally good"),
            _ => format!("{}; the first of these", narrowed(rules, copies)),
        };
    };
    let of = match earlier {
        [] => format!("of {copies} copies"),
        _ => "of these".to_owned(),
    };
    let which = match last {
        Preference::Database(path) => format!("the only one {of} in {}", path.display()),
        Preference::Longest => format!("the longest {of}, with {} plies", kept.line.len()),
        Preference::Annotated => format!("the one with most annotations {of}"),
        Preference::Header => format!("the one of which most is known, {of}"),
        Preference::Newest => format!("the last {of}"),
    };
    match earlier {
        [] => which,
        _ => format!("{}; {which}", narrowed(earlier, copies)),
    }
}

/// How rules that did not decide have left some of the copies.
fn narrowed(rules: &[Rule<'_>], copies: usize) -> String {
    let rule = |(preference, left): &Rule<'_>| match preference {
        Preference::Database(path) => format!("{left} are in {}", path.display()),
        Preference::Longest => format!("{left} are the longest"),
        Preference::Annotated => format!("{left} have most annotations"),
        Preference::Header => format!("{left} are those of which most is known"),
        Preference::Newest => format!("{left} are the last"),
    };
    let rules: Vec<String> = rules.iter().map(rule).collect();
    format!("of {copies} copies, {}", rules.join(", of these "))
}

/// Why another is a copy of the one that is kept, and what goes with it: `tags` are those that the kept
/// one has in the end.
pub(super) fn deleted(kept: &Copied, tags: &Tags, copy: &Copied) -> String {
    let mut words = moves(kept, copy);
    if merge::is_swapped(kept, copy) {
        words.push_str("; colours are swapped in its header");
    }
    match notes_alone(kept, copy) {
        0 => {}
        1 => words.push_str("; it has a comment, glyph or variation that is not in the kept one"),
        count => words.push_str(&format!(
            "; it has {count} comments, glyphs and variations that are not in the kept one"
        )),
    }
    let differences = merge::differences(tags, copy);
    if !differences.is_empty() {
        words.push_str("; it says otherwise: ");
        words.push_str(&differences.join(", "));
    }
    words
}

/// How many notes only a copy has. A variation is known by its first move.
fn notes_alone(kept: &Copied, copy: &Copied) -> usize {
    let notes = |copy: &Copied| {
        let items = &copy.game.items;
        let places = (0..items.len()).filter(|&at| is_note(&items[at]));
        let told = places.map(|at| match items[at] {
            Item::VariationStart => format!("{:?}", &items[at..items.len().min(at + 2)]),
            ref note => format!("{note:?}"),
        });
        told.collect::<Vec<String>>()
    };
    let mut known: HashMap<String, usize> = HashMap::new();
    for note in notes(kept) {
        *known.entry(note).or_default() += 1;
    }
    let alone = notes(copy).into_iter().filter(|note| {
        match known.get_mut(note).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                false
            }
            None => true,
        }
    });
    alone.count()
}

fn plies(count: usize) -> String {
    match count {
        1 => "ply".to_owned(),
        _ => format!("{count} plies"),
    }
}

fn moves(kept: &Copied, copy: &Copied) -> String {
    let pairs = kept.line.iter().zip(&copy.line);
    let common = pairs.take_while(|(one, other)| one == other).count();
    let (kept, own) = (kept.line.len(), copy.line.len());
    match (own, kept) {
        (0, 0) => "neither has moves, and their headers agree".to_owned(),
        (0, _) => "it has no moves, and their headers agree".to_owned(),
        _ if common == own && common == kept => format!("the same {}", plies(own)),
        (1, _) if common == own => format!("its only ply is the first of {kept}"),
        _ if common == own => format!("its {own} plies are the first of {kept}"),
        _ if common == kept => format!("the same {}, and {} more", plies(kept), own - kept),
        _ => {
            let others = plural((own - common) as u64, "other");
            format!("the same {}, then {others}", plies(common))
        }
    }
}
