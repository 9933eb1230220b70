//! Why a copy is kept or goes, in words.

use std::collections::HashMap;

use tabiya_game::{Item, Tags};

use super::{
    Preference,
    copies::{Copied, is_note},
    merge,
};

/// Why a copy is kept, of so many.
pub(super) fn kept(why: Option<&Preference>, kept: &Copied, copies: usize) -> String {
    let plies = kept.line.len();
    match why {
        None => format!("the first of {copies} copies that are equally good"),
        Some(Preference::Database(path)) => {
            format!(
                "of {copies} copies, those of {} are preferred",
                path.display()
            )
        }
        Some(Preference::Longest) => format!("the longest of {copies} copies, with {plies} plies"),
        Some(Preference::Annotated) => format!("the one with most annotations of {copies} copies"),
        Some(Preference::Header) => format!("the one of which most is known, of {copies} copies"),
        Some(Preference::Newest) => format!("the last of {copies} copies"),
    }
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

fn moves(kept: &Copied, copy: &Copied) -> String {
    let pairs = kept.line.iter().zip(&copy.line);
    let common = pairs.take_while(|(one, other)| one == other).count();
    let (kept, own) = (kept.line.len(), copy.line.len());
    match (own, kept) {
        (0, 0) => "neither has moves, and their headers agree".to_owned(),
        (0, _) => "it has no moves, and their headers agree".to_owned(),
        _ if common == own && common == kept => format!("the same {own} plies"),
        _ if common == own => format!("its {own} plies are the first of {kept}"),
        _ if common == kept => format!("the same {kept} plies, and {} more", own - kept),
        _ => format!("the same {common} plies, then {} others", own - common),
    }
}
