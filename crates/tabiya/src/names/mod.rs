//! One name for one player, one event, one site.
//!
//! A collection from many sources spells them in many ways: `Kasparov,G`, `KASPAROV, Garry`, `Garri
//! Kasparow`. [`Names`] finds spellings that are one, tells how sure that is and why, and makes a
//! [`Plan`] of it, which can be read, edited, applied and undone. What it cannot know it leaves alone:
//! two people under one name are worse than one under two.
//!
//! ```
//! use tabiya::{Filter, names::{Kind, Level, Names}};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # let game = |white: &str, year: u16| {
//! #     format!("[White \"{white}\"]\n[Black \"Karpov, Anatoly\"]\n[Date \"{year}.??.??\"]\n[WhiteElo \"2700\"]\n\n1. e4 *\n\n")
//! # };
//! # std::fs::write(&path, game("Kasparov, Garry", 1985) + &game("Garry Kasparov", 1986))?;
//! let database = tabiya::open(&path)?;
//! let proposals = Names::new().kinds(&[Kind::Player]).propose(&[database], &Filter::default())?;
//! let group = &proposals.groups[0];
//! assert_eq!(group.name, "Kasparov, Garry");
//! assert_eq!(group.spellings[0].name, "Garry Kasparov");
//! assert_eq!(group.spellings[0].level, Level::Sure);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alike;
mod authority;
mod block;
mod census;
mod evidence;
mod fide;
mod group;
mod players;
mod sound;
mod spelled;
mod spelling;
mod titled;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Path, PathBuf},
};

use tabiya_game::Filter;

use crate::{
    Database, Result, check_different,
    plan::{Action, Plan, Step},
};
use authority::{Authorities, List};
use census::{ByText, Census, Id};
use evidence::Profiles;

/// Whose names they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Players, of both colours.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Player, Kind::Event, Kind::Site];

    /// What one of them is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Player => "player",
            Kind::Event => "event",
            Kind::Site => "site",
        }
    }
}

/// How sure it is that two spellings are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// They may be, and something is missing.
    Perhaps,
    /// They are, as far as can be seen.
    Likely,
    /// They are.
    Sure,
}

impl Level {
    const SURE: i32 = 100;
    const LIKELY: i32 = 60;
    const PERHAPS: i32 = 30;

    fn of(points: i32) -> Level {
        match points {
            Level::SURE.. => Level::Sure,
            Level::LIKELY.. => Level::Likely,
            _ => Level::Perhaps,
        }
    }

    fn points(self) -> i32 {
        match self {
            Level::Sure => Level::SURE,
            Level::Likely => Level::LIKELY,
            Level::Perhaps => Level::PERHAPS,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Sure => "sure",
            Level::Likely => "likely",
            Level::Perhaps => "perhaps",
        }
    }
}

/// Looks for spellings that are one.
#[derive(Clone, Debug)]
pub struct Names {
    kinds: Vec<Kind>,
    least: Level,
    spelling: Option<PathBuf>,
    fide: Option<PathBuf>,
}

impl Default for Names {
    fn default() -> Names {
        Names::new()
    }
}

impl Names {
    /// Looks at players, events and sites, for what is sure or likely.
    #[must_use]
    pub fn new() -> Names {
        Names {
            kinds: Kind::ALL.to_vec(),
            least: Level::Likely,
            spelling: None,
            fide: None,
        }
    }

    /// Looks at names of these kinds only.
    #[must_use]
    pub fn kinds(mut self, kinds: &[Kind]) -> Names {
        self.kinds = kinds.to_vec();
        self.kinds.sort_unstable();
        self.kinds.dedup();
        self
    }

    /// Proposes what is at least so sure.
    #[must_use]
    pub fn least(mut self, least: Level) -> Names {
        self.least = least;
        self
    }

    /// Believes a spelling file of Scid.
    #[must_use]
    pub fn spelling(mut self, path: impl AsRef<Path>) -> Names {
        self.spelling = Some(path.as_ref().to_owned());
        self
    }

    /// Believes a list of players that FIDE publishes, packed or not.
    #[must_use]
    pub fn fide(mut self, path: impl AsRef<Path>) -> Names {
        self.fide = Some(path.as_ref().to_owned());
        self
    }

    /// Reads games that pass a filter, and proposes which spellings are one. Whoever watches one of the
    /// databases is asked whether to go on while the other files are read, and before the names of each kind
    /// are compared.
    ///
    /// # Errors
    /// If a database is there twice, or a database or one of the files cannot be read to its end.
    pub fn propose(&self, databases: &[Database], filter: &Filter) -> Result<Proposals> {
        check_different(databases.iter().map(Database::path))?;
        let mut census = Census::default();
        for database in databases {
            census.read(database, filter)?;
        }
        let mut authorities: HashMap<Kind, Authorities> = HashMap::new();
        let (mut groups, mut apart, mut perhaps) = (Vec::new(), Vec::new(), 0);
        let go_on = || databases.iter().try_for_each(Database::go_on);
        if let Some(path) = &self.spelling {
            let list = List::new(path, &go_on);
            spelling::read(list, &census, &self.kinds, &mut authorities, &mut apart)?;
        }
        if let Some(path) = &self.fide {
            let players = authorities.entry(Kind::Player).or_default();
            let list = List::new(path, &go_on);
            fide::read(list, &Profiles::new(&census), players, &mut apart)?;
        }
        for &kind in &self.kinds {
            go_on()?;
            let authorities = authorities.remove(&kind).unwrap_or_default();
            let (more, doubtful) = match kind {
                Kind::Player => {
                    let found = players::find(&census, &authorities, self.least);
                    apart.extend(found.apart);
                    (found.groups, found.perhaps)
                }
                _ => titled::find(&census, kind, &authorities, self.least),
            };
            groups.extend(more);
            perhaps += doubtful;
        }
        groups.retain(|group| !group.spellings.is_empty());
        groups.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        apart.sort_by(|a, b| (a.kind, &a.names).cmp(&(b.kind, &b.names)));
        Ok(Proposals {
            census,
            groups,
            apart,
            perhaps,
        })
    }
}

/// Spellings that are one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Whose they are.
    pub kind: Kind,
    /// The spelling that all get.
    pub name: String,
    /// The games that have it now, in words.
    pub known: String,
    /// The others.
    pub spellings: Vec<Spelling>,
}

/// A spelling that is to be replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spelling {
    id: Id,
    /// As it stands in the games.
    pub name: String,
    /// How many games have it.
    pub games: u64,
    /// How sure it is.
    pub level: Level,
    /// Why, in words.
    pub reason: String,
}

/// Names that look alike and are not one, or one that is several people's: nothing is proposed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apart {
    /// Whose they are.
    pub kind: Kind,
    /// The names.
    pub names: Vec<String>,
    /// Why, in words.
    pub reason: String,
}

/// Which spellings are one.
pub struct Proposals {
    census: Census,
    /// By kind and name.
    pub groups: Vec<Group>,
    /// What looks alike and stays apart, by kind and name.
    pub apart: Vec<Apart>,
    /// How many pairs of spellings are perhaps one, and in no group.
    pub perhaps: usize,
}

impl Proposals {
    /// How many games were read.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.census.games.len() as u64
    }

    /// What is to be changed in the databases: all spellings that are proposed, a group each.
    ///
    /// # Errors
    /// If games of a database of tabiya's own cannot be read again.
    pub fn plan(&self) -> Result<Plan> {
        let by_kind: HashMap<Kind, ByText> = self
            .groups
            .iter()
            .map(|group| group.kind)
            .collect::<BTreeSet<Kind>>()
            .into_iter()
            .map(|kind| (kind, self.census.by_text(kind)))
            .collect();
        let mut steps = Vec::new();
        for (number, group) in (1..).zip(&self.groups) {
            for spelling in &group.spellings {
                let games = by_kind[&group.kind].games(spelling.id);
                self.add_steps(number, group, spelling, games, &mut steps);
            }
        }
        Plan { steps }.identified()
    }

    /// A step for each database and each tag that has a spelling.
    fn add_steps(
        &self,
        number: u64,
        group: &Group,
        spelling: &Spelling,
        games: &[u32],
        steps: &mut Vec<Step>,
    ) {
        let mut places: BTreeMap<(usize, &'static str), Vec<u64>> = BTreeMap::new();
        for &place in games {
            let (database, game) = (
                self.census.database(place as usize),
                &self.census.games[place as usize],
            );
            for (tag, id) in game.names(group.kind) {
                if id == spelling.id {
                    places.entry((database, tag)).or_default().push(game.number);
                }
            }
        }
        for ((database, tag), numbers) in places {
            steps.push(Step {
                group: number,
                database: self.census.databases[database].clone(),
                games: numbers.into_iter().collect(),
                action: Action::Set {
                    tag: tag.to_string(),
                    from: Some(spelling.name.clone()),
                    to: group.name.clone(),
                },
                which: None,
                reason: spelling.reason.clone(),
            });
        }
    }

    /// How many different names of a kind there are.
    #[must_use]
    pub fn names(&self, kind: Kind) -> u64 {
        self.census.texts(kind).len() as u64
    }
}
