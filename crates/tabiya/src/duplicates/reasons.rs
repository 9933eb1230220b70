//! Why a copy is kept or goes, in words.

use super::{Preference, copies::Copied, merge};

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

/// Why another is a copy of the one that is kept, and in what they differ.
pub(super) fn deleted(kept: &Copied, copy: &Copied) -> String {
    let mut words = moves(kept, copy);
    if merge::is_swapped(kept, copy) {
        words.push_str("; colours are swapped in its header");
    }
    let differences = merge::differences(kept, copy);
    if !differences.is_empty() {
        words.push_str("; it says otherwise: ");
        words.push_str(&differences.join(", "));
    }
    words
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
