//! What copies of a game know that the one that is kept does not.

use tabiya_game::{Date, Tags};

use super::{
    copies::Copied,
    names::{Likeness, Name},
};
use crate::plan::Action;

/// Tags that tell of a file or of moves, not of the game.
const OWN: [&str; 9] = [
    "FEN",
    "SetUp",
    "Variant",
    "PlyCount",
    "ScidFlags",
    "Annotator",
    "Source",
    "SourceDate",
    "SourceVersion",
];

/// Tags that tell of the moves, whoever has played them.
const OF_MOVES: [&str; 3] = ["ECO", "Opening", "Variation"];

/// Whether a tag says something.
pub(super) fn is_known(name: &str, value: &str) -> bool {
    match (name, value.trim()) {
        (_, "" | "?" | "-" | "??" | "????.??.??") => false,
        ("Result", value) => value != "*",
        ("WhiteElo" | "BlackElo", value) => value != "0",
        _ => true,
    }
}

/// How many parts of a date are known.
pub(super) fn precision(value: &str) -> usize {
    let Date { year, month, day } = value.parse().unwrap_or_default();
    [year.is_some(), month.is_some(), day.is_some()]
        .into_iter()
        .filter(|is_known| *is_known)
        .count()
}

/// Whether White of one is Black of the other.
pub(super) fn is_swapped(one: &Copied, other: &Copied) -> bool {
    let names = |copy: &Copied| {
        ["White", "Black"].map(|side| Name::new(copy.game.tags.get(side).unwrap_or_default()))
    };
    let ([white, black], [other_white, other_black]) = (names(one), names(other));
    let is_same = |one: &Name, other: &Name| one.likeness(other) == Likeness::Same;
    is_same(&white, &other_black)
        && is_same(&black, &other_white)
        && !(is_same(&white, &other_white) && is_same(&black, &other_black))
}

/// What the kept copy gets from the others, and from which.
pub(super) fn missing<'c>(kept: &Copied, others: &'c [Copied]) -> Vec<(Action, &'c Copied)> {
    let mut tags = kept.game.tags.clone();
    let mut steps = Vec::new();
    for other in others {
        let trust = Trust::of(&tags, kept, other);
        for (name, value) in other.game.tags.iter() {
            if OWN.contains(&name) || !is_known(name, value) || !trust.takes(name) {
                continue;
            }
            let own = tags.get(name);
            let is_wanted = match own.filter(|own| is_known(name, own)) {
                None => true,
                Some(own) => is_more_precise(name, own, value),
            };
            // The result at the end of the moves goes with the tag, and must agree with it.
            let is_result = name == "Result";
            let is_settled = is_result && (own.is_none() || kept.game.result.tag() != "*");
            if !is_wanted || is_settled {
                continue;
            }
            let set = Action::Set {
                tag: name.to_owned(),
                from: own.map(str::to_owned),
                to: value.to_owned(),
            };
            steps.push((set, other));
            tags.set(name, value);
        }
    }
    steps
}

/// Which tags of a copy are believed.
struct Trust {
    /// Whether it can be about the same game in all respects: no player is another one.
    players: bool,
    /// White's and Black's.
    sides: [bool; 2],
}

impl Trust {
    /// What a copy says of a player holds for whoever has that name, or where there is none yet.
    fn of(tags: &Tags, kept: &Copied, other: &Copied) -> Trust {
        let swapped = is_swapped(kept, other);
        let mut players = true;
        let sides = ["White", "Black"].map(|side| {
            let name = |tags: &Tags| Name::new(tags.get(side).unwrap_or_default());
            let (own, theirs) = (name(tags), name(&other.game.tags));
            match own.likeness(&theirs) {
                Likeness::Same => !swapped,
                Likeness::Unknown => !swapped && !own.is_known() && theirs.is_known(),
                Likeness::Kin | Likeness::Different => {
                    players &= swapped;
                    false
                }
            }
        });
        Trust { players, sides }
    }

    fn takes(&self, name: &str) -> bool {
        match ["White", "Black"].map(|side| name.starts_with(side)) {
            [true, _] => self.players && self.sides[0],
            [_, true] => self.players && self.sides[1],
            _ => self.players || OF_MOVES.contains(&name),
        }
    }
}

/// Whether a date says the same as another, and more.
fn is_more_precise(name: &str, own: &str, other: &str) -> bool {
    let is_date = name.ends_with("Date");
    let (Ok(own), Ok(other)) = (own.parse::<Date>(), other.parse::<Date>()) else {
        return false;
    };
    let fits = |own: Option<u16>, other: Option<u16>| own.is_none() || own == other;
    let parts = |date: Date| {
        [
            date.year,
            date.month.map(u16::from),
            date.day.map(u16::from),
        ]
    };
    let mut pairs = parts(own).into_iter().zip(parts(other));
    is_date && own != other && pairs.all(|(own, other)| fits(own, other))
}

/// What a copy says and the one that is kept does not say, with the tags that it has in the end.
pub(super) fn differences(kept: &Tags, copy: &Copied) -> Vec<String> {
    let tags = copy.game.tags.iter();
    let told = tags.filter(|(name, value)| {
        let own = kept.get(name).unwrap_or_default();
        !OWN.contains(name)
            && is_known(name, value)
            && own != *value
            && !is_more_precise(name, value, own)
    });
    told.map(|(name, value)| format!("{name} {value:?}"))
        .collect()
}
