//! Plans are applied and undone: everything is looked at first, then each database is changed at
//! once.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::{
    Plan,
    change::{Direction, check},
    job::{Job, Memo, NAMED, changed, only_own, remembered},
};
use crate::{Error, ErrorKind, Result};

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

/// How a database is changed.
type Change<'c> = &'c dyn Fn(&Job<'_>, Memo, &mut Applied) -> Result<()>;

impl Plan {
    /// Does all that the plan says. Every game is looked at before anything is changed: if one is
    /// not as the plan says that it is, or a database cannot be written, nothing happens. Then each
    /// database is changed at once; if one fails, those before it are changed back.
    ///
    /// # Errors
    /// If a game is not there, or is not what the plan expects; if a database cannot take a step,
    /// or somebody else is writing. A database that was changed before is named.
    /// [`ErrorKind::NotLasting`] if all was done, but a database could not be made to last.
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
            let mut plan = remembered(memo)?;
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
        self.run_by(direction, &|job, memo, applied| job.run(memo, applied))
    }

    /// Runs with databases that are changed in some way: tests let that fail.
    fn run_by(&self, direction: Direction, change: Change<'_>) -> Result<Applied> {
        let mut jobs = self.ready(direction)?;
        jobs.retain(|job| !job.is_idle());
        for job in &jobs {
            let probed = job.probe();
            probed.map_err(|error| error.with_consequence("nothing was changed"))?;
        }
        let mut applied = Applied::default();
        let (mut done, mut fleeting) = (Vec::new(), Vec::new());
        for job in &jobs {
            let memo = job.memo()?;
            match change(job, Memo::OfPlan, &mut applied) {
                Ok(()) => {}
                // It is changed, even if it may not last: the others follow.
                Err(error) if error.kind() == ErrorKind::NotLasting => {
                    fleeting.push((job.name(), error));
                }
                Err(error) => return Err(taken_back(&done, error, change)),
            }
            done.push((job, memo));
        }
        match fleeting.is_empty() {
            true => Ok(applied),
            false => Err(not_lasting(fleeting)),
        }
    }

    /// What is to be done, if everything is as expected. Who was interrupted between two databases
    /// has not changed the second, and there is nothing to take back in it.
    fn ready(&self, direction: Direction) -> Result<Vec<Job<'_>>> {
        let (mut ready, mut differences, mut untouched) = (Vec::new(), Vec::new(), Vec::new());
        for mut job in self.jobs(direction)? {
            let found = job.examine()?;
            match found.is_empty() {
                true => ready.push(job),
                false if direction == Direction::Undo && self.is_untouched(job.path()) => {
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
        let about = self.about(database);
        let jobs = about.jobs(Direction::Apply);
        let is_ready = |job: &mut Job<'_>| job.examine().is_ok_and(|found| found.is_empty());
        jobs.is_ok_and(|mut jobs| jobs.iter_mut().all(is_ready))
    }

    /// Those of its steps that are about a database.
    fn about(&self, database: &Path) -> Plan {
        let steps = self.steps.iter();
        let steps = steps.filter(|step| step.database == database);
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

/// Takes back what has been done in databases, each with what it remembered before, after another
/// has failed.
fn taken_back(done: &[(&Job<'_>, Option<Vec<u8>>)], error: Error, change: Change<'_>) -> Error {
    if done.is_empty() {
        return error;
    }
    let (mut back, mut fleeting, mut stuck) = (Vec::new(), Vec::new(), Vec::new());
    for (job, memo) in done {
        let undo = |reversed: Job<'_>| {
            let memo = Memo::Was(memo.clone());
            change(&reversed, memo, &mut Applied::default())
        };
        let name = job.name();
        match job.reversed().and_then(undo) {
            Ok(()) => back.push(name),
            Err(error) if error.kind() == ErrorKind::NotLasting => fleeting.push(name),
            Err(error) => stuck.push(format!(
                "{name} was changed before and could not be changed back ({error}): undo the plan, \
                 which leaves alone what it has not changed"
            )),
        }
    }
    let words = [
        said_of(
            &back,
            "was changed before and is as it was again",
            "were changed before and are as they were again",
        ),
        said_of(
            &fleeting,
            "is as it was again, but may not stay so if the machine stops now",
            "are as they were again, but may not stay so if the machine stops now",
        ),
    ];
    let words: Vec<String> = words.into_iter().flatten().chain(stuck).collect();
    error.with_consequence(words.join("; "))
}

/// A sentence about one or more databases, if there are any.
fn said_of(names: &[String], one: &str, several: &str) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("{name} {one}")),
        names => Some(format!("{} {several}", names.join(", "))),
    }
}

/// All databases are changed, and of some it is not sure that they stay so.
fn not_lasting(mut errors: Vec<(String, Error)>) -> Error {
    let (_, first) = errors.remove(0);
    let others: Vec<String> = errors.into_iter().map(|(name, _)| name).collect();
    let done = "all that the plan says was done";
    first.with_consequence(match &others[..] {
        [] => done.to_owned(),
        others => format!("so may {}; {done}", others.join(", ")),
    })
}

#[cfg(all(test, feature = "store"))]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::plan::{Action, Step};

    const MACHINE: &str = "may be lost if the machine stops now";

    /// Databases of one game each, with a plan that names their players.
    struct Bases {
        _folder: tempfile::TempDir,
        paths: Vec<PathBuf>,
        plan: Plan,
    }

    impl Bases {
        fn new() -> Bases {
            let folder = tempfile::tempdir().unwrap();
            let paths = ["a", "b", "c"].map(|name| folder.path().join(format!("{name}.tabiya")));
            for path in &paths {
                let mut game = crate::GameTree::default();
                game.tags.push("White", "Tal,M");
                let mut games = crate::create(path).unwrap();
                games.add(&game).unwrap();
                games.finish().unwrap();
            }
            let steps = paths
                .iter()
                .map(|path| set(path, "White", "Tal,M", "Tal, Mikhail"));
            let plan = Plan {
                steps: steps.collect(),
            };
            Bases {
                _folder: folder,
                plan: plan.identified().unwrap(),
                paths: paths.into(),
            }
        }

        fn whites(&self) -> Vec<String> {
            let white = |path| {
                let game = crate::open(path).unwrap().get(1).unwrap();
                game.tags.white().unwrap().to_owned()
            };
            self.paths.iter().map(white).collect()
        }

        /// Runs it while some databases fail: the change is there or not.
        fn run(&self, direction: Direction, failures: &[(usize, ErrorKind)]) -> Result<Applied> {
            self.plan.run_by(direction, &|job, memo, applied| {
                let failing = |(place, _): &&(usize, ErrorKind)| self.paths[*place] == job.path();
                let Some((_, kind)) = failures.iter().find(failing) else {
                    return job.run(memo, applied);
                };
                let words = match kind {
                    ErrorKind::NotLasting => {
                        job.run(memo, applied)?;
                        MACHINE
                    }
                    _ => "the disk is full",
                };
                Err(Error::new(*kind, words).in_file(job.name()))
            })
        }

        fn names_in(&self, words: &str) -> String {
            let name = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
            let mut words = words.to_owned();
            for path in &self.paths {
                words = words.replace(path.to_str().unwrap(), &name(path));
            }
            words
        }
    }

    fn set(path: &Path, tag: &str, from: &str, to: &str) -> Step {
        Step {
            group: 1,
            database: path.to_owned(),
            games: [1].into_iter().collect(),
            action: Action::Set {
                tag: tag.to_owned(),
                from: Some(from.to_owned()),
                to: to.to_owned(),
            },
            which: None,
            reason: String::new(),
        }
    }

    #[test]
    fn what_fails_last_leaves_all_as_they_were_and_what_they_remember() {
        let bases = Bases::new();
        let earlier = Plan {
            steps: vec![set(&bases.paths[0], "White", "Tal,M", "Tal")],
        };
        earlier.apply().unwrap();
        let later = Plan {
            steps: vec![set(&bases.paths[0], "White", "Tal", "Tal,M")],
        };
        later.apply().unwrap();
        let words = bases.run(Direction::Apply, &[(2, ErrorKind::Io)]);
        let words = bases.names_in(&words.unwrap_err().to_string());
        assert_eq!(
            words,
            "c: the disk is full; a, b were changed before and are as they were again"
        );
        assert_eq!(bases.whites(), ["Tal,M"; 3]);
        assert_eq!(Plan::last_of(&bases.paths[0]).unwrap(), Some(later));
        assert_eq!(Plan::last_of(&bases.paths[1]).unwrap(), None);
    }

    #[test]
    fn an_undo_that_fails_last_can_be_repeated_without_the_plan() {
        let bases = Bases::new();
        bases.plan.apply().unwrap();
        let words = bases.run(Direction::Undo, &[(1, ErrorKind::Io)]);
        let words = bases.names_in(&words.unwrap_err().to_string());
        assert_eq!(
            words,
            "b: the disk is full; a was changed before and is as it was again"
        );
        assert_eq!(bases.whites(), ["Tal, Mikhail"; 3]);
        for (path, step) in bases.paths.iter().zip(&bases.plan.steps) {
            let last = Plan::last_of(path).unwrap().expect("it is applied");
            assert_eq!(last.steps, std::slice::from_ref(step));
            last.undo().unwrap();
        }
        assert_eq!(bases.whites(), ["Tal,M"; 3]);
    }

    #[test]
    fn what_may_not_last_is_changed_and_the_others_follow() {
        let bases = Bases::new();
        let fleeting = [(0, ErrorKind::NotLasting), (1, ErrorKind::NotLasting)];
        let error = bases.run(Direction::Apply, &fleeting).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotLasting);
        assert_eq!(
            bases.names_in(&error.to_string()),
            format!("a: {MACHINE}; so may b; all that the plan says was done")
        );
        assert_eq!(bases.whites(), ["Tal, Mikhail"; 3]);
        bases.plan.undo().unwrap();
        assert_eq!(bases.whites(), ["Tal,M"; 3]);
    }

    #[test]
    fn what_may_not_last_is_changed_back_with_the_others() {
        let bases = Bases::new();
        let failures = [(0, ErrorKind::NotLasting), (2, ErrorKind::Io)];
        let words = bases.run(Direction::Apply, &failures);
        let words = bases.names_in(&words.unwrap_err().to_string());
        assert_eq!(
            words,
            "c: the disk is full; b was changed before and is as it was again; a is as it was again, \
             but may not stay so if the machine stops now"
        );
        assert_eq!(bases.whites(), ["Tal,M"; 3]);
        assert_eq!(Plan::last_of(&bases.paths[0]).unwrap(), None);
    }
}
