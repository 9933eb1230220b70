//! What can be mended without guessing.

use std::fmt;

use super::checker::proven;
use crate::{CommentPlace, GameErrorKind, GameResult, GameState, GameTree, Item, ROSTER, Tags};

/// Something that was mended in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Fix {
    /// Tags of the roster that were not there stand as unknown.
    RosterCompleted,
    /// The result was taken from the tag, the end of the moves or the last position, where only
    /// one of them knew it.
    ResultCompleted,
    /// The tag `SetUp` was added beside a FEN.
    SetUpAdded,
    /// A tag that was there twice, with the same value, is there once.
    TagRemoved,
    /// A tag without its quotation marks or bracket has them.
    TagClosed,
    /// A comment without an end has one.
    CommentClosed,
    /// A variation without an end has one, or a bracket that closed nothing is gone.
    BracketsBalanced,
}

impl Fix {
    /// What was done, for a summary.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fix::RosterCompleted => "roster completed",
            Fix::ResultCompleted => "result completed",
            Fix::SetUpAdded => "SetUp added",
            Fix::TagRemoved => "repeated tag removed",
            Fix::TagClosed => "tag closed",
            Fix::CommentClosed => "comment closed",
            Fix::BracketsBalanced => "brackets balanced",
        }
    }
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Mends a game as far as nothing has to be guessed, and says what was done. What cannot be read
/// stays where it is.
///
/// ```
/// use tabiya_game::{GameResult, GameTree, check::{Fix, repair}};
///
/// let mut tree = GameTree::default();
/// tree.tags.push("White", "Réti");
/// tree.result = GameResult::WhiteWins;
/// assert_eq!(repair(&mut tree), [Fix::RosterCompleted, Fix::ResultCompleted]);
/// assert_eq!(tree.tags.get("Result"), Some("1-0"));
/// ```
pub fn repair(tree: &mut GameTree) -> Vec<Fix> {
    let mut fixes = Vec::new();
    remove_doubles(&mut tree.tags, &mut fixes);
    if ROSTER.iter().any(|name| tree.tags.get(name).is_none()) {
        fixes.push(Fix::RosterCompleted);
    }
    if tree.tags.get("FEN").is_some() && tree.tags.get("SetUp").is_none() {
        tree.tags.push("SetUp", "1");
        fixes.push(Fix::SetUpAdded);
    }
    // First the moves: their end may prove the result.
    mend_items(tree, &mut fixes);
    complete_result(tree, &mut fixes);
    let roster = tree.tags.in_export_order();
    let roster: Tags = roster.into_iter().collect();
    if roster.len() != tree.tags.len() {
        tree.tags = roster;
    }
    fixes
}

fn remove_doubles(tags: &mut Tags, fixes: &mut Vec<Fix>) {
    let is_double = |index: usize, pair: (&str, &str)| tags.iter().take(index).any(|p| p == pair);
    let kept: Tags = tags
        .iter()
        .enumerate()
        .filter(|(index, pair)| !is_double(*index, *pair))
        .map(|(_, pair)| pair)
        .collect();
    fixes.extend((kept.len()..tags.len()).map(|_| Fix::TagRemoved));
    *tags = kept;
}

/// Where tag and moves do not say the same: one that knows counts, and where both claim to know,
/// the last position decides if it can.
fn complete_result(tree: &mut GameTree, fixes: &mut Vec<Fix>) {
    let tag = tree.tags.result();
    let told = tag.unwrap_or_default();
    let result = tree.result;
    let known = |result: GameResult| result != GameResult::Unknown;
    let truth = match (known(told), known(result)) {
        (true, true) if told.token() == result.token() => return,
        (true, false) => told,
        (false, true) => result,
        (knows, _) => match proven_by_end(tree) {
            Some(truth) if !knows || [told.token(), result.token()].contains(&truth.token()) => {
                truth
            }
            _ => return,
        },
    };
    tree.result = truth;
    tree.tags.set("Result", truth.tag());
    fixes.push(Fix::ResultCompleted);
}

/// The result that the last position of a game proves, if all of its main line was read.
fn proven_by_end(tree: &GameTree) -> Option<GameResult> {
    let spoilt = |item: &Item| matches!(item, Item::Error { .. } | Item::Missing);
    if tree.items.iter().any(spoilt) {
        return None;
    }
    let (mut position, action) = tree.main_line().last()?;
    position.act(action);
    proven(&position)
}

fn mend_items(tree: &mut GameTree, fixes: &mut Vec<Fix>) {
    let mut moved = false;
    let mut items = Vec::with_capacity(tree.items.len());
    for item in std::mem::take(&mut tree.items) {
        moved |= matches!(item, Item::Move(_) | Item::Null);
        match mend(&item, &tree.tags, moved) {
            Some((fix, mended)) => {
                fixes.push(fix);
                items.extend(mended);
            }
            None => items.push(item),
        }
    }
    let broken = items.iter().any(|item| matches!(item, Item::Error { .. }));
    if !broken {
        tree.state = GameState::Complete;
    }
    tree.items = items;
}

/// What stands in the place of an error that says all there is to say.
fn mend(item: &Item, tags: &Tags, moved: bool) -> Option<(Fix, Option<Item>)> {
    let Item::Error { kind, raw, .. } = item else {
        return None;
    };
    match kind {
        GameErrorKind::BadTag if is_told(raw, tags) => Some((Fix::TagClosed, None)),
        GameErrorKind::Unbalanced => match raw.as_str() {
            "" | ")" | "}" | "]" => Some((Fix::BracketsBalanced, None)),
            raw => {
                let text = raw.strip_prefix('{')?;
                let words: Vec<&str> = text.split_whitespace().collect();
                let place = match moved {
                    true => CommentPlace::After,
                    false => CommentPlace::Before,
                };
                let comment = Item::Comment {
                    place,
                    language: None,
                    text: words.join(" "),
                };
                Some((Fix::CommentClosed, Some(comment)))
            }
        },
        _ => None,
    }
}

/// Whether the text of a damaged tag says nothing that the tags do not say.
fn is_told(raw: &str, tags: &Tags) -> bool {
    let marks = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"');
    let bare = raw.trim_matches(marks);
    tags.iter().any(|(name, value)| {
        bare.strip_prefix(name)
            .is_some_and(|rest| rest.trim_matches(marks) == value.trim_matches(marks))
    })
}
