//! Which copy of a game is kept, and why.

use std::collections::{BTreeSet, HashMap};

use tabiya_game::{Event, Flow, GameSink, GameTree, Item};

use super::{
    Found, GameRef, Preference,
    merge::{is_known, precision},
    reasons,
};
use crate::{
    Action, Database, Result,
    plan::{self, Plan, Step},
};

/// So many copies are in memory at a time.
const BATCH: usize = 100_000;

/// Decides which copy of each game is kept, and what of the others' headers it gets.
///
/// What is preferred decides in its order; then the longest copy is kept, the one with most
/// annotations, the one of which most is known, the first. Tags are added only to games of
/// databases of tabiya's own, for others cannot take them; what contradicts is only told.
///
/// # Errors
/// If a database cannot be read, or only once.
pub fn plan(databases: &[Database], found: &Found, prefer: &[Preference]) -> Result<Plan> {
    let defaults = [
        Preference::Longest,
        Preference::Annotated,
        Preference::Header,
    ];
    let order: Vec<&Preference> = prefer.iter().chain(&defaults).collect();
    let mut steps = Vec::new();
    let mut rest = &found.groups[..];
    let mut group_number = 0;
    while !rest.is_empty() {
        let mut count = 0;
        let fits = |group: &&Vec<GameRef>| {
            count += group.len();
            count <= BATCH
        };
        let (batch, later) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        rest = later;
        let mut copies = read(databases, batch)?;
        for group in batch {
            group_number += 1;
            let copies: Vec<Copied> = group
                .iter()
                .filter_map(|game| copies.remove(game))
                .collect();
            steps.extend(decide(databases, group_number, copies, &order));
        }
    }
    Ok(Plan { steps })
}

/// A copy of a game.
pub(super) struct Copied {
    pub place: GameRef,
    pub game: GameTree,
    /// Its main line; nothing stands for a null move.
    pub line: Vec<Action>,
}

impl Copied {
    fn new(place: GameRef, game: GameTree) -> Copied {
        let line = game.main_line().map(|(_, action)| action).collect();
        Copied { place, game, line }
    }

    fn rank(&self, preference: &Preference, databases: &[Database]) -> u64 {
        match preference {
            Preference::Database(path) => u64::from(databases[self.place.database].path() == path),
            Preference::Longest => self.line.len() as u64,
            Preference::Annotated => {
                let items = self.game.items.iter();
                items.filter(|item| is_note(item)).count() as u64
            }
            Preference::Header => {
                let tags = self.game.tags.iter();
                let known = tags.filter(|(name, value)| is_known(name, value)).count();
                (known + precision(self.game.tags.get("Date").unwrap_or_default())) as u64
            }
            Preference::Newest => (self.place.database as u64) << 48 | self.place.number,
        }
    }
}

/// Whether somebody has said something of a game that is no move of it.
pub(super) fn is_note(item: &Item) -> bool {
    matches!(
        item,
        Item::Nag(_) | Item::Comment { .. } | Item::Annotation(_) | Item::VariationStart
    )
}

/// Reads the copies of some games.
fn read(databases: &[Database], groups: &[Vec<GameRef>]) -> Result<HashMap<GameRef, Copied>> {
    let mut wanted = vec![BTreeSet::new(); databases.len()];
    for place in groups.iter().flatten() {
        wanted[place.database].insert(place.number);
    }
    let mut copies = HashMap::new();
    for (index, (database, numbers)) in databases.iter().zip(wanted).enumerate() {
        let mut take = |game: GameTree| {
            let place = GameRef {
                database: index,
                number: game.place.number,
            };
            copies.insert(place, Copied::new(place, game));
        };
        if database.count().is_some() {
            for number in numbers {
                take(database.get(number)?);
            }
        } else if !numbers.is_empty() {
            let mut picked = Picked {
                numbers: &numbers,
                game: None,
                take: &mut take,
            };
            database.tell(&mut picked)?;
        }
    }
    Ok(copies)
}

/// Hears games of some numbers.
struct Picked<'a> {
    numbers: &'a BTreeSet<u64>,
    game: Option<GameTree>,
    take: &'a mut dyn FnMut(GameTree),
}

impl GameSink for Picked<'_> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(place) = event {
            let is_wanted = self.numbers.contains(&place.number);
            self.game = is_wanted.then(GameTree::default);
            if self.numbers.last().is_none_or(|last| *last < place.number) {
                return Flow::Stop;
            }
        }
        let Some(game) = &mut self.game else {
            return Flow::SkipGame;
        };
        let flow = game.event(event);
        if let Event::GameEnd { .. } = event
            && let Some(game) = self.game.take()
        {
            (self.take)(game);
        }
        flow
    }
}

/// A rule that has told copies apart, and how many were left.
pub(super) type Rule<'a> = (&'a Preference, usize);

/// The rules that decided for the first of some copies, which are in their order.
fn rules<'a>(databases: &[Database], copies: &[Copied], order: &[&'a Preference]) -> Vec<Rule<'a>> {
    let mut left: Vec<&Copied> = copies.iter().collect();
    let mut rules = Vec::new();
    for &preference in order {
        let before = left.len();
        let best = copies[0].rank(preference, databases);
        left.retain(|copy| copy.rank(preference, databases) == best);
        if left.len() < before {
            rules.push((preference, left.len()));
        }
    }
    rules
}

/// The steps of one group: the copy that is kept comes first.
fn decide(
    databases: &[Database],
    group: u64,
    mut copies: Vec<Copied>,
    order: &[&Preference],
) -> Vec<Step> {
    // The first of equal ones stays the first.
    let ranks = |copy: &Copied| -> Vec<u64> {
        order
            .iter()
            .map(|preference| copy.rank(preference, databases))
            .collect()
    };
    copies.sort_by_cached_key(|copy| std::cmp::Reverse(ranks(copy)));
    let [kept, others @ ..] = &copies[..] else {
        return Vec::new();
    };
    let rules = rules(databases, &copies, order);
    let step = |copy: &Copied, action: plan::Action, reason: String| Step {
        group,
        database: databases[copy.place.database].path().to_owned(),
        games: [copy.place.number].into_iter().collect(),
        which: matches!(action, plan::Action::Set { .. }).then(|| plan::describe(&copy.game)),
        action,
        reason,
    };
    let which = |copy: &Copied| Some(plan::describe(&copy.game));
    let keep = plan::Action::Keep { from: which(kept) };
    let mut steps = vec![step(kept, keep, reasons::kept(&rules, kept, copies.len()))];
    let name = |copy: &Copied| match copy.place.database == kept.place.database {
        true => format!("game {}", copy.place.number),
        false => {
            let path = databases[copy.place.database].path().display();
            format!("game {} of {path}", copy.place.number)
        }
    };
    let mut tags = kept.game.tags.clone();
    if databases[kept.place.database].is_own() {
        for (set, from) in super::merge::missing(kept, others) {
            if let plan::Action::Set { tag, to, .. } = &set {
                tags.set(tag, to);
            }
            steps.push(step(kept, set, format!("{} says so", name(from))));
        }
    }
    steps.extend(others.iter().map(|copy| {
        let delete = plan::Action::Delete { from: which(copy) };
        step(copy, delete, reasons::deleted(kept, &tags, copy))
    }));
    steps
}
