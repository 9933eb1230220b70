//! What a plan says of one database: looked at first, then done in one change.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
};

use tabiya_formats::{
    io::{Lock, TemporaryFolder},
    registry::{Deletion, Editor},
};

use super::{
    Action, Applied, Plan, Step,
    change::{Direction, Entry},
    identity::Identity,
};
use crate::{Database, Error, ErrorKind, GameTree, Open, Result, registry};

/// How many differences are named.
pub(super) const NAMED: usize = 5;

/// What a database of tabiya's own remembers once it is changed.
pub(super) enum Memo {
    /// What can be taken back of the plan.
    OfPlan,
    /// What it remembered before the change that is taken back.
    Was(Option<Vec<u8>>),
}

/// What a plan says of one database.
pub(super) struct Job<'p> {
    path: PathBuf,
    direction: Direction,
    database: Database,
    steps: Vec<&'p Step>,
    /// Places of steps, in the order in which they are done, by games.
    games: BTreeMap<u64, Vec<usize>>,
    /// What else the database remembers, where games are known again only without it.
    rest: Rest,
}

/// Steps that were applied to games beside those of a job, and still are.
#[derive(Default)]
struct Rest {
    steps: Vec<Step>,
    /// Places of steps, from the last to the first, by games.
    games: BTreeMap<u64, Vec<usize>>,
}

impl<'p> Job<'p> {
    pub fn open(path: &Path, direction: Direction) -> Result<Job<'p>> {
        Ok(Job {
            path: path.to_owned(),
            direction,
            // Deleted games are looked at, too.
            database: Open::new().deleted(true).open(path)?,
            games: BTreeMap::new(),
            steps: Vec::new(),
            rest: Rest::default(),
        })
    }

    /// The same steps the other way round, in the database as it is now.
    pub fn reversed(&self) -> Result<Job<'p>> {
        let mut reversed = Job::open(&self.path, self.direction.reversed())?;
        for step in &self.steps {
            reversed.add(step)?;
        }
        match &reversed.examine()?[..] {
            [] => Ok(reversed),
            differences => Err(changed(differences)),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub fn add(&mut self, step: &'p Step) -> Result<()> {
        let last = step.games.last();
        // Ranges are endless work if nobody looks at their ends first.
        match self.database.count() {
            Some(count) if last > count => {
                return Err(Error::no_such_game(last).in_file(self.name()));
            }
            None if last > u64::from(u32::MAX) => return Err(Error::no_such_game(last)),
            _ => {}
        }
        for number in step.games.iter() {
            let steps = self.games.entry(number).or_default();
            match self.direction {
                Direction::Apply => steps.push(self.steps.len()),
                Direction::Undo => steps.insert(0, self.steps.len()),
            }
        }
        self.steps.push(step);
        Ok(())
    }

    /// Looks whether everything is as expected, and says what is not.
    ///
    /// A game is told by what it was before its plan. If only a part of the plan is undone, or done
    /// again, that is what it would be without the other part, which the database remembers.
    pub fn examine(&mut self) -> Result<Vec<String>> {
        let mut differences = Vec::new();
        self.check(&mut differences)?;
        if !differences.is_empty() && self.recall()? {
            let mut others = Vec::new();
            self.check(&mut others)?;
            match others.is_empty() {
                true => differences.clear(),
                false => self.rest = Rest::default(),
            }
        }
        Ok(differences)
    }

    /// Asks the database what else was done to these games; whether there is anything.
    fn recall(&mut self) -> Result<bool> {
        let Some(memo) = self.memo()? else {
            return Ok(false);
        };
        let mut plan = remembered(&memo)?;
        self.take_own(&mut plan);
        let mut rest = Rest {
            steps: plan.steps,
            games: BTreeMap::new(),
        };
        for (place, step) in rest.steps.iter().enumerate() {
            for number in step.games.iter() {
                if self.games.contains_key(&number) {
                    rest.games.entry(number).or_default().insert(0, place);
                }
            }
        }
        self.rest = rest;
        Ok(!self.rest.games.is_empty())
    }

    /// What the database remembers, if it is one of tabiya's own.
    pub fn memo(&self) -> Result<Option<Vec<u8>>> {
        #[cfg(feature = "store")]
        if self.database.is_own() {
            let store = tabiya_store::Store::open(&self.path)?;
            return Ok(store.memo()?.map(<[u8]>::to_vec));
        }
        Ok(None)
    }

    /// Looks whether the database can be written, before any other is.
    pub fn probe(&self) -> Result<()> {
        let unwritable =
            |error: std::io::Error| Error::from(error).trying_to("change", self.name());
        Lock::of(&self.path).map_err(unwritable)?;
        if self.database.is_own() {
            TemporaryFolder::create_in(&self.path).map_err(unwritable)?;
        }
        Ok(())
    }

    /// Whether nothing but `keep` is said of it.
    pub fn is_idle(&self) -> bool {
        let is_keep = |step: &&Step| matches!(step.action, Action::Keep { .. });
        self.steps.iter().all(is_keep)
    }

    /// Adds what is not as expected, or the first of it.
    fn check(&self, differences: &mut Vec<String>) -> Result<()> {
        self.check_format()?;
        let mut identities = self.identities();
        let mut look = |number: u64, mut game: GameTree, mut deleted: bool| {
            let (game, deleted) = (&mut game, &mut deleted);
            let entry = &mut Entry { game, deleted };
            if let Err(words) = self.perform(number, entry, &mut identities) {
                differences.push(self.difference(&words));
            }
            differences.len() < NAMED
        };
        if self.database.count().is_some() {
            for &number in self.games.keys() {
                let deleted = self.database.is_deleted(number);
                let mut game = self.database.get(number)?;
                if deleted {
                    self.take_mark(number, &mut game)?;
                }
                if !look(number, game, deleted) {
                    return Ok(());
                }
            }
            differences.extend(self.others(&identities));
            return Ok(());
        }
        let mut found = 0;
        for game in self.database.games() {
            let game = game?;
            let number = game.place.number;
            if self.games.contains_key(&number) {
                found += 1;
                if !look(number, game, false) {
                    return Ok(());
                }
            }
        }
        if let Some(&number) = self.games.keys().nth(found) {
            return Err(Error::no_such_game(number).in_file(self.name()));
        }
        differences.extend(self.others(&identities));
        Ok(())
    }

    /// A game of tabiya's own that is deleted is told with a mark in its tags, which it has not got.
    #[cfg(feature = "store")]
    fn take_mark(&self, number: u64, game: &mut GameTree) -> Result<()> {
        if let Some(store) = self.database.any_store() {
            let mut stored = GameTree::default();
            store.tell(number, &mut stored)?;
            game.tags = stored.tags;
        }
        Ok(())
    }

    #[cfg(not(feature = "store"))]
    fn take_mark(&self, _: u64, _: &mut GameTree) -> Result<()> {
        Ok(())
    }

    /// Whether the format can take the steps.
    fn check_format(&self) -> Result<()> {
        if self.is_idle() || self.database.is_own() {
            return Ok(());
        }
        let marks =
            |step: &&Step| matches!(step.action, Action::Keep { .. } | Action::Delete { .. });
        match self.steps.iter().all(marks) {
            true => Editor::open(registry(), &self.path, None).map(|_| ()),
            false => Err(only_own(&self.path)),
        }
    }

    /// Of each step, what is known of its games, which is nothing yet.
    fn identities(&self) -> Vec<Identity> {
        vec![Identity::default(); self.steps.len()]
    }

    /// Does all steps that are about a game. What it was before the plan, or is after that has been
    /// undone, tells whether it is the one that is meant.
    fn perform(
        &self,
        number: u64,
        entry: &mut Entry<'_>,
        identities: &mut [Identity],
    ) -> Result<(), String> {
        let steps = self.games.get(&number).map_or(&[][..], Vec::as_slice);
        let mut meet = |entry: &Entry<'_>| {
            let game = self.without_rest(number, entry);
            for &step in steps {
                if self.steps[step].which.is_some() {
                    identities[step].add(&game);
                }
            }
        };
        if self.direction == Direction::Apply {
            meet(entry);
        }
        for &step in steps {
            let performed = entry.perform(&self.steps[step].action, self.direction);
            performed.map_err(|words| format!("game {number}: {words}"))?;
        }
        if self.direction == Direction::Undo {
            meet(entry);
        }
        Ok(())
    }

    /// What a game would be if what else was done to it had not been, as far as that can be told.
    fn without_rest<'g>(&self, number: u64, entry: &'g Entry<'_>) -> Cow<'g, GameTree> {
        let Some(steps) = self.rest.games.get(&number) else {
            return Cow::Borrowed(entry.game);
        };
        let (mut game, mut deleted) = (entry.game.clone(), *entry.deleted);
        let mut earlier = Entry {
            game: &mut game,
            deleted: &mut deleted,
        };
        let mut actions = steps.iter().map(|&step| &self.rest.steps[step].action);
        match actions.try_for_each(|action| earlier.perform(action, Direction::Undo)) {
            Ok(()) => Cow::Owned(game),
            Err(_) => Cow::Borrowed(entry.game),
        }
    }

    /// Steps whose games are others than those that are meant, once all have been met.
    fn others(&self, identities: &[Identity]) -> Vec<String> {
        let steps = self.steps.iter().zip(identities);
        let wrong = steps.filter_map(|(step, identity)| identity.check(step).err());
        wrong
            .take(NAMED)
            .map(|words| self.difference(&words))
            .collect()
    }

    fn difference(&self, words: &str) -> String {
        format!("{}: {words}", self.name())
    }

    pub fn run(&self, memo: Memo, applied: &mut Applied) -> Result<()> {
        applied.databases += 1;
        match self.database.is_own() {
            true => self.run_own(memo, applied),
            false => self.run_other(applied),
        }
    }

    #[cfg(not(feature = "store"))]
    fn run_own(&self, _: Memo, _: &mut Applied) -> Result<()> {
        Err(only_own(&self.path))
    }

    /// All steps are one change: it is made wholly or not at all.
    #[cfg(feature = "store")]
    fn run_own(&self, memo: Memo, applied: &mut Applied) -> Result<()> {
        let store = tabiya_store::Store::open(&self.path)?;
        let plan = match (memo, self.direction) {
            (Memo::Was(memo), _) => return self.amend(&store, memo.as_deref(), applied),
            (Memo::OfPlan, Direction::Apply) => Some(self.own_steps()),
            (Memo::OfPlan, Direction::Undo) => self.left(store.memo()?, applied)?,
        };
        let memo = plan.map(|plan| serde_json::to_vec(&plan).map_err(std::io::Error::from));
        self.amend(&store, memo.transpose()?.as_deref(), applied)
    }

    #[cfg(feature = "store")]
    fn amend(
        &self,
        store: &tabiya_store::Store,
        memo: Option<&[u8]>,
        applied: &mut Applied,
    ) -> Result<()> {
        let (mut edited, mut marked) = (0, 0);
        let (mut identities, mut left) = (self.identities(), self.games.len());
        store.amend(self.games.keys().copied(), memo, |number, entry| {
            let (deleted, tags) = (entry.deleted, entry.game.tags.clone());
            let mut changing = Entry {
                game: &mut entry.game,
                deleted: &mut entry.deleted,
            };
            // It may have been changed since it was looked at.
            let performed = self.perform(number, &mut changing, &mut identities);
            performed.map_err(|words| changed(&[self.difference(&words)]))?;
            left -= 1;
            if left == 0
                && let others @ [_, ..] = &self.others(&identities)[..]
            {
                return Err(changed(others));
            }
            marked += u64::from(entry.deleted != deleted);
            edited += u64::from(entry.game.tags != tags);
            Ok(())
        })?;
        applied.edited += edited;
        applied.marked += marked;
        Ok(())
    }

    /// The steps as the database remembers them: it may have another name when it is asked for them.
    #[cfg(feature = "store")]
    fn own_steps(&self) -> Plan {
        let steps = self.steps.iter().map(|step| Step {
            database: PathBuf::from("."),
            ..(*step).clone()
        });
        Plan {
            steps: steps.collect(),
        }
    }

    /// What the database remembers without what is undone: the rest of the plan, or another one that
    /// was applied later, can still be.
    #[cfg(feature = "store")]
    fn left(&self, memo: Option<&[u8]>, applied: &mut Applied) -> Result<Option<Plan>> {
        let Some(memo) = memo else {
            return Ok(None);
        };
        let mut plan = remembered(memo)?;
        let before = plan.steps.len();
        self.take_own(&mut plan);
        let is_keep = |step: &&Step| matches!(step.action, Action::Keep { .. });
        let left = plan.steps.iter().filter(|step| !is_keep(step)).count();
        if plan.steps.len() < before {
            applied.left += left as u64;
        }
        Ok((left > 0).then_some(plan))
    }

    /// Takes these steps out of what a database remembers.
    fn take_own(&self, plan: &mut Plan) {
        // Groups and reasons are for people, who may have changed them.
        let own: HashSet<_> = self
            .steps
            .iter()
            .map(|step| (&step.games, &step.action))
            .collect();
        plan.steps
            .retain(|step| !own.contains(&(&step.games, &step.action)));
    }

    fn run_other(&self, applied: &mut Applied) -> Result<()> {
        let deletion = match self.direction {
            Direction::Apply => Deletion::Deleted,
            Direction::Undo => Deletion::Kept,
        };
        let is_deleted = |steps: &[usize]| {
            let mut actions = steps.iter().map(|&step| &self.steps[step].action);
            actions.any(|action| matches!(action, Action::Delete { .. }))
        };
        let numbers: Vec<u64> = self
            .games
            .iter()
            .filter(|(_, steps)| is_deleted(steps))
            .map(|(number, _)| *number)
            .collect();
        Editor::open(registry(), &self.path, None)?.set_deletion(&numbers, deletion)?;
        applied.marked += numbers.len() as u64;
        Ok(())
    }
}

/// The plan that a database remembers, with a name for it that is not its own.
pub(super) fn remembered(memo: &[u8]) -> Result<Plan> {
    Plan::parse(&String::from_utf8_lossy(memo))
}

pub(super) fn changed(differences: &[String]) -> Error {
    let words = format!(
        "the database is not as the plan says: {}",
        differences.join("; ")
    );
    Error::new(ErrorKind::Changed, words).with_consequence("nothing was changed")
}

pub(super) fn only_own(path: &Path) -> Error {
    let words = "is of another format than tabiya's own, and its tags are not changed where they \
                 are: import it into a .tabiya first";
    Error::about(ErrorKind::Unsupported, path.display().to_string(), words)
}
