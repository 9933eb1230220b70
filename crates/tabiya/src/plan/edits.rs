//! Tags of many games that are to be changed in the same way.

use std::collections::HashMap;

use tabiya_game::{Event, Flow, GameSink, Needs};

use super::{Action, Plan, Step, change::without};
use crate::{Database, Numbers, Result, Tags};

/// What is to become of a tag.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TagEdit {
    /// It gets a value, and is added where it is not there.
    Set {
        /// The name of the tag.
        tag: String,
        /// The value.
        to: String,
    },
    /// It goes, where it is there.
    Remove {
        /// The name of the tag.
        tag: String,
    },
}

impl Plan {
    /// The plan by which tags are changed in all games of these numbers that pass the filter of the
    /// database. Games in which everything is already so are not part of it.
    ///
    /// ```
    /// use tabiya::plan::{Plan, TagEdit};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 *\n\n[Event \"Riga\"]\n\n1. d4 *\n")?;
    /// let edit = TagEdit::Set { tag: "Event".to_owned(), to: "Riga".to_owned() };
    /// let plan = Plan::of_edits(&tabiya::open(&path)?, &Default::default(), &[edit])?;
    /// assert_eq!(plan.steps.len(), 1);
    /// assert_eq!(plan.steps[0].games.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end.
    pub fn of_edits(database: &Database, numbers: &Numbers, edits: &[TagEdit]) -> Result<Plan> {
        let mut editor = Editor {
            numbers,
            edits,
            number: 0,
            tags: Tags::new(),
            found: vec![HashMap::new(); edits.len()],
        };
        database.tell(&mut editor)?;
        let mut steps = Vec::new();
        for (found, group) in editor.found.into_iter().zip(1..) {
            let mut found: Vec<(Action, Vec<u64>)> = found.into_iter().collect();
            found.sort_unstable_by(|(_, one), (_, other)| one.cmp(other));
            steps.extend(found.into_iter().map(|(action, games)| Step {
                group,
                database: database.path().to_owned(),
                games: games.into_iter().collect(),
                action,
                which: None,
                reason: String::new(),
            }));
        }
        Plan { steps }.identified()
    }
}

/// Hears tags and finds out what each edit does to them.
struct Editor<'a> {
    numbers: &'a Numbers,
    edits: &'a [TagEdit],
    number: u64,
    tags: Tags,
    /// By edits: what becomes of which games.
    found: Vec<HashMap<Action, Vec<u64>>>,
}

impl Editor<'_> {
    fn end(&mut self) {
        for (edit, found) in self.edits.iter().zip(&mut self.found) {
            let action = match edit {
                TagEdit::Set { tag, to } => match self.tags.get(tag) {
                    Some(value) if value == to => continue,
                    from => Action::Set {
                        tag: tag.clone(),
                        from: from.map(str::to_owned),
                        to: to.clone(),
                    },
                },
                TagEdit::Remove { tag } => {
                    let Some(place) = self.tags.iter().position(|(name, _)| name == tag) else {
                        continue;
                    };
                    Action::Remove {
                        tag: tag.clone(),
                        from: self.tags.get(tag).unwrap_or_default().to_owned(),
                        place,
                        next: without(&self.tags, tag).get(tag).map(str::to_owned),
                    }
                }
            };
            // The next edit finds what this one has left.
            match edit {
                TagEdit::Set { tag, to } => self.tags.set(tag, to),
                TagEdit::Remove { tag } => self.tags = without(&self.tags, tag),
            }
            found.entry(action).or_default().push(self.number);
        }
    }
}

impl GameSink for Editor<'_> {
    fn needs(&mut self) -> Needs {
        Needs::TAGS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.number = place.number;
                self.tags.clear();
                let is_behind = self.numbers.last().is_some_and(|last| last < place.number);
                if is_behind {
                    return Flow::Stop;
                }
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { .. } if self.numbers.contains(self.number) => self.end(),
            _ => {}
        }
        Flow::Continue
    }
}
