//! Plans are applied and undone: everything is looked at first, then each database is changed at
//! once.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use tabiya_formats::{
    io::{Lock, TemporaryFolder},
    registry::{Deletion, Editor},
};

use super::{
    Action, Plan, Step,
    change::{Direction, Entry, check},
    identity::Identity,
};
use crate::{Database, Error, ErrorKind, GameTree, Open, Result, registry};

/// What has been changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// How many databases.
    pub databases: u64,
    /// How many games have other tags.
    pub edited: u64,
    /// How many games are deleted, or no longer so.
    pub marked: u64,
    /// How many steps were applied together with those that are undone, and are not.
    pub left: u64,
}

/// How many differences are named.
const NAMED: usize = 5;

impl Plan {
    /// Does all that the plan says. Every game is looked at before anything is changed: if one is
    /// not as the plan says that it is, or a database cannot be written, nothing happens. Then each
    /// database is changed at once; if one fails, those before it are changed back.
    ///
    /// # Errors
    /// If a game is not there, or is not what the plan expects; if a database cannot take a step,
    /// or somebody else is writing. A database that was to be changed before is named.
    pub fn apply(&self) -> Result<Applied> {
        self.run(Direction::Apply)
    }

    /// Takes back all that [`Plan::apply`] has done, in the same way. Of several databases, one to
    /// which the plan was not applied is left alone.
    ///
    /// # Errors
    /// If a game is not there, or is not as the plan has left it; if a database cannot take a step,
    /// or somebody else is writing.
    pub fn undo(&self) -> Result<Applied> {
        self.run(Direction::Undo)
    }

    /// The plan that was last applied to a database of tabiya's own, or rather those of its steps
    /// that were about it. There is none if it was undone, or numbers of games have begun anew.
    ///
    /// # Errors
    /// If it is of another format, or cannot be read.
    #[cfg_attr(not(feature = "store"), expect(unused_variables))]
    pub fn last_of(path: impl AsRef<Path>) -> Result<Option<Plan>> {
        let path = path.as_ref();
        #[cfg(feature = "store")]
        if let Some(store) = crate::open(path)?.store() {
            let Some(memo) = store.memo()? else {
                return Ok(None);
            };
            let mut plan = Plan::parse(&String::from_utf8_lossy(memo))?;
            for step in &mut plan.steps {
                step.database = path.to_owned();
            }
            return Ok(Some(plan));
        }
        Err(only_own(path))
    }

    /// Whether a database is not as the plan expects it: it may have been applied, and changed since, so
    /// that nobody can tell. So it is for a database that cannot be read.
    #[must_use]
    pub fn may_be_applied(&self) -> bool {
        let names: BTreeSet<&Path> = self.steps.iter().map(|step| &*step.database).collect();
        names.into_iter().any(|name| !self.is_untouched(name))
    }

    fn run(&self, direction: Direction) -> Result<Applied> {
        let mut jobs = self.ready(direction)?;
        jobs.retain(|job| !job.is_idle());
        for job in &jobs {
            let probed = job.probe();
            probed.map_err(|error| error.with_consequence("nothing was changed"))?;
        }
        let mut applied = Applied::default();
        for (done, job) in jobs.iter().enumerate() {
            if let Err(error) = job.run(&mut applied) {
                return Err(self.taken_back(&jobs[..done], error));
            }
        }
        Ok(applied)
    }

    /// What is to be done, if everything is as expected. Who was interrupted between two databases
    /// has not changed the second, and there is nothing to take back in it.
    fn ready(&self, direction: Direction) -> Result<Vec<Job<'_>>> {
        let (mut ready, mut differences, mut untouched) = (Vec::new(), Vec::new(), Vec::new());
        for job in self.jobs(direction)? {
            let mut found = Vec::new();
            job.check(&mut found)?;
            match found.is_empty() {
                true => ready.push(job),
                false if direction == Direction::Undo && self.is_untouched(&job.path) => {
                    untouched.extend(found);
                }
                false => differences.extend(found),
            }
        }
        if ready.iter().all(Job::is_idle) {
            differences.extend(untouched);
        }
        differences.truncate(NAMED);
        match differences.is_empty() {
            true => Ok(ready),
            false => Err(changed(&differences)),
        }
    }

    /// Whether a database is as the plan expects it before it is applied.
    fn is_untouched(&self, database: &Path) -> bool {
        let about = self.about(&[database]);
        let jobs = about.jobs(Direction::Apply);
        jobs.is_ok_and(|jobs| jobs.iter().all(Job::is_ready))
    }

    /// Takes back what has been done in some databases, after another has failed.
    fn taken_back(&self, done: &[Job<'_>], error: Error) -> Error {
        let [Job { direction, .. }, ..] = done else {
            return error;
        };
        let names: Vec<&Path> = done.iter().map(|job| &*job.path).collect();
        let undone = self.about(&names).run(direction.reversed());
        let names: Vec<String> = names
            .iter()
            .map(|name| name.display().to_string())
            .collect();
        let names = names.join(", ");
        error.with_consequence(match undone {
            Ok(_) => format!("{names} was changed before and is as it was again"),
            Err(error) => format!(
                "{names} was changed before and could not be changed back ({error}): undo the plan, \
                 which leaves alone what it has not changed"
            ),
        })
    }

    /// Those of its steps that are about some databases.
    fn about(&self, databases: &[&Path]) -> Plan {
        let steps = self.steps.iter();
        let steps = steps.filter(|step| databases.contains(&&*step.database));
        Plan {
            steps: steps.cloned().collect(),
        }
    }

    /// What is to be done with each database, in the order in which they are named.
    fn jobs(&self, direction: Direction) -> Result<Vec<Job<'_>>> {
        let mut jobs: Vec<Job<'_>> = Vec::new();
        let mut places: BTreeMap<&Path, usize> = BTreeMap::new();
        for step in &self.steps {
            check(&step.action).map_err(|words| {
                let error = Error::new(ErrorKind::Unsupported, words);
                error.in_file(step.database.display().to_string())
            })?;
            let place = *places.entry(&step.database).or_insert(jobs.len());
            if place == jobs.len() {
                jobs.push(Job::open(&step.database, direction)?);
            }
            jobs[place].add(step)?;
        }
        Ok(jobs)
    }
}

/// What a plan says of one database.
struct Job<'p> {
    path: PathBuf,
    direction: Direction,
    database: Database,
    steps: Vec<&'p Step>,
    /// Places of steps, in the order in which they are done, by games.
    games: BTreeMap<u64, Vec<usize>>,
}

impl<'p> Job<'p> {
    fn open(path: &Path, direction: Direction) -> Result<Job<'p>> {
        Ok(Job {
            path: path.to_owned(),
            direction,
            // Deleted games are looked at, too.
            database: Open::new().deleted(true).open(path)?,
            games: BTreeMap::new(),
            steps: Vec::new(),
        })
    }

    fn add(&mut self, step: &'p Step) -> Result<()> {
        let last = step.games.last();
        // Ranges are endless work if nobody looks at their ends first.
        match self.database.count() {
            Some(count) if last > count => {
                let missing = Error::no_such_game(last);
                return Err(missing.in_file(self.path.display().to_string()));
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

    /// Whether everything is as expected.
    fn is_ready(&self) -> bool {
        let mut differences = Vec::new();
        self.check(&mut differences).is_ok() && differences.is_empty()
    }

    /// Looks whether the database can be written, before any other is.
    fn probe(&self) -> Result<()> {
        let name = || self.path.display().to_string();
        let unwritable = |error: std::io::Error| Error::from(error).trying_to("change", name());
        Lock::of(&self.path).map_err(unwritable)?;
        if self.database.is_own() {
            TemporaryFolder::create_in(&self.path).map_err(unwritable)?;
        }
        Ok(())
    }

    /// Whether nothing but `keep` is said of it.
    fn is_idle(&self) -> bool {
        let is_keep = |step: &&Step| matches!(step.action, Action::Keep { .. });
        self.steps.iter().all(is_keep)
    }

    /// Looks whether everything is as expected, and says what is not.
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
                let game = self.database.get(number)?;
                if !look(number, game, self.database.is_deleted(number)) {
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
            return Err(Error::no_such_game(number).in_file(self.path.display().to_string()));
        }
        differences.extend(self.others(&identities));
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
        let mut meet = |game: &GameTree| {
            for &step in steps {
                if self.steps[step].which.is_some() {
                    identities[step].add(game);
                }
            }
        };
        if self.direction == Direction::Apply {
            meet(entry.game);
        }
        for &step in steps {
            let performed = entry.perform(&self.steps[step].action, self.direction);
            performed.map_err(|words| format!("game {number}: {words}"))?;
        }
        if self.direction == Direction::Undo {
            meet(entry.game);
        }
        Ok(())
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
        format!("{}: {words}", self.path.display())
    }

    fn run(&self, applied: &mut Applied) -> Result<()> {
        applied.databases += 1;
        match self.database.is_own() {
            true => self.run_own(applied),
            false => self.run_other(applied),
        }
    }

    #[cfg(not(feature = "store"))]
    fn run_own(&self, _: &mut Applied) -> Result<()> {
        Err(only_own(&self.path))
    }

    /// All steps are one change: it is made wholly or not at all.
    #[cfg(feature = "store")]
    fn run_own(&self, applied: &mut Applied) -> Result<()> {
        let store = tabiya_store::Store::open(&self.path)?;
        let memo = match self.direction {
            Direction::Apply => Some(self.own_steps()),
            Direction::Undo => self.left(store.memo()?, applied)?,
        };
        let memo = memo.map(|plan| serde_json::to_vec(&plan).map_err(std::io::Error::from));
        let memo = memo.transpose()?;
        let (mut edited, mut marked) = (0, 0);
        let (mut identities, mut left) = (self.identities(), self.games.len());
        store.amend(
            self.games.keys().copied(),
            memo.as_deref(),
            |number, entry| {
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
            },
        )?;
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
        let mut plan = Plan::parse(&String::from_utf8_lossy(memo))?;
        let own = self.own_steps();
        // Groups and reasons are for people, who may have changed them.
        let own: std::collections::HashSet<_> = own
            .steps
            .iter()
            .map(|step| (&step.games, &step.action))
            .collect();
        let before = plan.steps.len();
        plan.steps
            .retain(|step| !own.contains(&(&step.games, &step.action)));
        let is_keep = |step: &&Step| matches!(step.action, Action::Keep { .. });
        let left = plan.steps.iter().filter(|step| !is_keep(step)).count();
        if plan.steps.len() < before {
            applied.left += left as u64;
        }
        Ok((left > 0).then_some(plan))
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

fn changed(differences: &[String]) -> Error {
    let words = format!(
        "the database is not as the plan says: {}",
        differences.join("; ")
    );
    Error::new(ErrorKind::Changed, words).with_consequence("nothing was changed")
}

fn only_own(path: &Path) -> Error {
    let words = "is of another format than tabiya's own, and its tags are not changed where they \
                 are: import it into a .tabiya first";
    Error::about(ErrorKind::Unsupported, path.display().to_string(), words)
}
