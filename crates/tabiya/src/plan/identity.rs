//! Which games are meant, so that numbers that have come to stand for others change nothing.

use std::{collections::BTreeMap, path::Path};

use super::{Action, Plan, Step, describe};
use crate::{GameTree, Open, Result, is_read_once};

/// What is known of the games of one step.
#[derive(Clone, Default, Debug)]
pub(super) struct Identity {
    games: u64,
    sum: u64,
    /// The description of the last one.
    last: String,
}

impl Identity {
    /// Adds a game, in any order.
    pub fn add(&mut self, game: &GameTree) {
        self.last = describe(game);
        self.sum = self.sum.wrapping_add(hash(&self.last));
        self.games += 1;
    }

    /// As a plan has it: one game by its description, several by a number that is that of no others.
    pub fn words(&self) -> String {
        match self.games {
            1 => self.last.clone(),
            games => format!("{games} games, {:016x}", self.sum),
        }
    }

    /// Says in words what is not as the plan has it.
    pub fn check(&self, step: &Step) -> Result<(), String> {
        let found = self.words();
        match step.which.as_deref() {
            Some(expected) if expected != found && self.games == 1 => Err(format!(
                "game {}: it is {found:?}, not {expected:?}",
                step.games
            )),
            Some(expected) if expected != found => Err(format!(
                "games {}: some are others than those that the plan was made for, or were changed \
                 since",
                step.games
            )),
            _ => Ok(()),
        }
    }
}

/// The same for ever, since plans are kept: FNV-1a, its bits mixed so that sums of it can be told
/// apart.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325, step);
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

impl Plan {
    /// Notes in steps that change tags which games they are about, so that they change no others:
    /// after a database was compacted, or a game replaced, a number stands for another one. Only
    /// databases of tabiya's own are looked at, for only their tags are changed.
    ///
    /// # Errors
    /// If a database cannot be read, or has no such game.
    pub fn identified(mut self) -> Result<Plan> {
        let mut wanted: BTreeMap<&Path, BTreeMap<u64, Vec<usize>>> = BTreeMap::new();
        for (index, step) in self.steps.iter().enumerate() {
            if matches!(step.action, Action::Set { .. } | Action::Remove { .. }) {
                let games = wanted.entry(&step.database).or_default();
                for number in step.games.iter() {
                    games.entry(number).or_default().push(index);
                }
            }
        }
        let mut found: BTreeMap<usize, Identity> = BTreeMap::new();
        for (path, games) in wanted {
            if is_read_once(path) {
                continue;
            }
            let database = Open::new().deleted(true).open(path)?;
            if !database.is_own() {
                continue;
            }
            for (number, steps) in games {
                let game = database.get(number)?;
                for step in steps {
                    found.entry(step).or_default().add(&game);
                }
            }
        }
        for (step, identity) in found {
            self.steps[step].which = Some(identity.words());
        }
        Ok(self)
    }
}
