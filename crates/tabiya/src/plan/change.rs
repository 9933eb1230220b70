//! What a step does to a game, and how it is taken back.

use tabiya_game::{GameResult, GameTree, Tags};

use super::{Action, describe};

/// Whether steps are done or undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Apply,
    Undo,
}

impl Direction {
    /// The other one.
    pub fn reversed(self) -> Direction {
        match self {
            Direction::Apply => Direction::Undo,
            Direction::Undo => Direction::Apply,
        }
    }
}

/// A game and whether it is marked as deleted.
pub(super) struct Entry<'a> {
    pub game: &'a mut GameTree,
    pub deleted: &'a mut bool,
}

/// Tags that say how a game starts: they are told by its start, not the start by them.
const OF_THE_START: [&str; 3] = ["FEN", "SetUp", "Variant"];

/// Says what stands in the way of an action, whatever the game.
pub(super) fn check(action: &Action) -> Result<(), String> {
    let (tag, to) = match action {
        Action::Keep { .. } | Action::Delete { .. } => return Ok(()),
        Action::Set { tag, to, .. } => (tag, Some(to)),
        Action::Remove { tag, .. } => (tag, None),
    };
    if tag.is_empty() {
        return Err("a tag has no name".to_owned());
    }
    if OF_THE_START.contains(&tag.as_str()) {
        return Err(format!(
            "{tag} says how a game starts and is not changed: put another game in its place"
        ));
    }
    if tag == "ScidFlags" && to.is_some_and(|to| to.contains('D')) {
        return Err("the flag D is the mark of deleted games: delete the game".to_owned());
    }
    if tag == "Result" && to.is_some_and(|to| result(to).is_none()) {
        return Err("a Result is 1-0, 0-1, 1/2-1/2 or *".to_owned());
    }
    Ok(())
}

impl Entry<'_> {
    /// Does or undoes an action; what is not as expected is told in words.
    pub fn perform(&mut self, action: &Action, direction: Direction) -> Result<(), String> {
        match (action, direction) {
            (Action::Keep { from }, Direction::Apply) => {
                self.expect_deleted(false)?;
                self.expect(from.as_deref())
            }
            (Action::Keep { .. }, Direction::Undo) => Ok(()),
            (Action::Delete { from }, _) => {
                let deletes = direction == Direction::Apply;
                self.expect_deleted(!deletes)?;
                self.expect(from.as_deref())?;
                *self.deleted = deletes;
                Ok(())
            }
            (Action::Set { tag, from, to }, Direction::Apply) => {
                self.set(tag, from.as_deref(), Some(to))
            }
            (Action::Set { tag, from, to }, Direction::Undo) => {
                self.set(tag, Some(to), from.as_deref())
            }
            (Action::Remove { tag, from, .. }, Direction::Apply) => self.set(tag, Some(from), None),
            (
                Action::Remove {
                    tag,
                    from,
                    place,
                    next,
                },
                Direction::Undo,
            ) => self.bring_back(tag, from, *place, next.as_deref()),
        }
    }

    fn expect_deleted(&self, expected: bool) -> Result<(), String> {
        match *self.deleted {
            deleted if deleted == expected => Ok(()),
            true => Err("it is deleted".to_owned()),
            false => Err("it is not deleted".to_owned()),
        }
    }

    fn expect(&self, expected: Option<&str>) -> Result<(), String> {
        let Some(expected) = expected else {
            return Ok(());
        };
        let found = describe(self.game);
        match found == expected {
            true => Ok(()),
            false => Err(format!("it is {found:?}, not {expected:?}")),
        }
    }

    /// Looks whether a game can be changed, and its first tag of a name has a value.
    fn expect_tag(&self, tag: &str, expected: Option<&str>) -> Result<(), String> {
        self.expect_deleted(false)?;
        match (self.game.tags.get(tag), expected) {
            (found, expected) if found == expected => Ok(()),
            (None, _) => Err(format!("it has no tag {tag}")),
            (Some(found), None) => Err(format!("{tag} is {found:?} already")),
            (Some(found), Some(from)) => Err(format!("{tag} is {found:?}, not {from:?}")),
        }
    }

    fn set(&mut self, tag: &str, from: Option<&str>, to: Option<&str>) -> Result<(), String> {
        self.expect_tag(tag, from)?;
        if tag == "Result" {
            self.set_result(from, to)?;
        }
        let tags = &mut self.game.tags;
        match to {
            Some(to) => tags.set(tag, to),
            None => *tags = without(tags, tag),
        }
        Ok(())
    }

    /// Puts a tag back to its place, before the one of that name that was behind it.
    fn bring_back(
        &mut self,
        tag: &str,
        value: &str,
        place: usize,
        next: Option<&str>,
    ) -> Result<(), String> {
        self.expect_tag(tag, next)?;
        if tag == "Result" {
            self.set_result(None, Some(value))?;
        }
        self.game.tags = with(&self.game.tags, place, (tag, value));
        Ok(())
    }

    /// The result at the end of the moves goes with the tag. If they did not agree before, nobody
    /// could tell afterwards what it was.
    fn set_result(&mut self, from: Option<&str>, to: Option<&str>) -> Result<(), String> {
        let end = &mut self.game.result;
        let value = from.or(to).unwrap_or_default();
        if result(value).unwrap_or_default() != *end {
            let end = end.tag();
            return Err(format!(
                "its moves end with {end}, and its Result is {value:?}"
            ));
        }
        if let (Some(_), Some(to)) = (from, to) {
            *end = result(to).unwrap_or_default();
        }
        Ok(())
    }
}

fn result(value: &str) -> Option<GameResult> {
    value.parse().ok()
}

/// Tags without the first one of a name.
pub(super) fn without(tags: &Tags, name: &str) -> Tags {
    let gone = tags.iter().position(|(own, _)| own == name);
    let kept = tags.iter().enumerate();
    let kept = kept.filter(|(index, _)| Some(*index) != gone);
    kept.map(|(_, pair)| pair).collect()
}

/// Tags with another one behind so many.
fn with(tags: &Tags, place: usize, tag: (&str, &str)) -> Tags {
    let (before, behind) = (tags.iter().take(place), tags.iter().skip(place));
    before.chain([tag]).chain(behind).collect()
}
