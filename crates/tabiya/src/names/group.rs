//! From pairs of names to groups that are one.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use super::{
    Group, Kind, Level, Spelling,
    authority::{Authorities, Authority},
    census::Id,
};

/// Two names that may be one, and why.
#[derive(Clone, Debug)]
pub struct Link {
    pub one: Id,
    pub other: Id,
    pub points: i32,
    pub words: String,
}

impl Link {
    /// The name at the other end.
    pub fn beyond(&self, id: Id) -> Id {
        match self.one == id {
            true => self.other,
            false => self.one,
        }
    }
}

/// Names of one kind, as groups are made of them.
pub trait Named {
    fn kind(&self) -> Kind;

    fn text(&self, id: Id) -> &str;

    /// How many games have a name.
    fn games(&self, id: Id) -> u64;

    /// Its games and years, in words.
    fn known(&self, id: Id) -> String;

    /// Whether two names cannot be one.
    fn are_excluded(&self, one: Id, other: Id) -> bool;

    /// The name of a group that is kept.
    fn kept(&self, ids: &[Id], authorities: &Authorities) -> Option<Id>;
}

/// Groups of names that are at least so surely one, and how many links lead out of them. An authority
/// does not rename those whom it would make one against the evidence.
pub fn assemble(
    names: &impl Named,
    links: &[Link],
    least: Level,
    authorities: &Authorities,
    contested: &HashSet<Id>,
) -> (Vec<Group>, usize) {
    let are_excluded = |a: Id, b: Id| authorities.tell_apart(a, b) || names.are_excluded(a, b);
    let groups = groups(links, least.points(), are_excluded);
    let mut group_of: HashMap<Id, usize> = HashMap::new();
    for (at, group) in groups.iter().enumerate() {
        group_of.extend(group.iter().map(|&id| (id, at)));
    }
    let is_inside = |link: &&Link| {
        let (one, other) = (group_of.get(&link.one), group_of.get(&link.other));
        one.is_some() && one == other
    };
    let outside = links.len() - links.iter().filter(is_inside).count();
    let by_name = by_name(links);
    let found = groups.iter();
    let mut found: Vec<Group> = found
        .filter_map(|ids| group(names, ids, &by_name, authorities, contested))
        .collect();
    // Names that authorities spell otherwise, and that are in no group.
    let alone = authorities
        .iter()
        .filter(|(id, _)| !group_of.contains_key(id) && !contested.contains(id));
    let renamed = alone.filter(|(id, authority)| authority.name != names.text(*id));
    found.extend(renamed.map(|(id, authority)| Group {
        kind: names.kind(),
        name: authority.name.clone(),
        known: String::new(),
        spellings: vec![by_authority(names, id, authority)],
    }));
    (found, outside)
}

fn group(
    names: &impl Named,
    ids: &[Id],
    links: &HashMap<Id, Vec<&Link>>,
    authorities: &Authorities,
    contested: &HashSet<Id>,
) -> Option<Group> {
    let kept = names.kept(ids, authorities)?;
    let joined = joined(ids, kept, links).into_iter().map(|joined| {
        let through = match joined.link.beyond(joined.id) {
            id if id == kept => String::new(),
            id => format!(" (as {})", names.text(id)),
        };
        spelling(
            names,
            joined.id,
            joined.level,
            &(joined.link.words.clone() + &through),
        )
    });
    let is_contested = ids.iter().any(|id| contested.contains(id));
    let authority = authorities.of(kept).filter(|_| !is_contested);
    let other = authority.filter(|authority| authority.name != names.text(kept));
    let renamed = other.map(|authority| by_authority(names, kept, authority));
    Some(Group {
        kind: names.kind(),
        name: authority
            .map_or(names.text(kept), |authority| &authority.name)
            .to_string(),
        known: names.known(kept),
        spellings: renamed.into_iter().chain(joined).collect(),
    })
}

fn by_authority(names: &impl Named, id: Id, authority: &Authority) -> Spelling {
    spelling(names, id, authority.level, &authority.words)
}

fn spelling(names: &impl Named, id: Id, level: Level, words: &str) -> Spelling {
    Spelling {
        id,
        name: names.text(id).to_string(),
        games: names.games(id),
        level,
        reason: format!("{}: {words}; {}", level.name(), names.known(id)),
    }
}

/// Groups become no larger: everything in them is compared with everything.
const LARGEST: usize = 40;

/// Names that belong together by links of at least some points, the best links first. Two groups stay
/// apart if anybody in one cannot be somebody in the other.
fn groups(links: &[Link], least: i32, excluded: impl Fn(Id, Id) -> bool) -> Vec<Vec<Id>> {
    let mut order: Vec<&Link> = links.iter().filter(|link| link.points >= least).collect();
    order.sort_by_key(|link| (Reverse(link.points), link.one, link.other));
    let mut group_of: HashMap<Id, usize> = HashMap::new();
    let mut groups: Vec<Vec<Id>> = Vec::new();
    for link in order {
        let mut place = |id: Id| {
            *group_of.entry(id).or_insert_with(|| {
                groups.push(vec![id]);
                groups.len() - 1
            })
        };
        let (one, other) = (place(link.one), place(link.other));
        let (one, other) = (one.min(other), one.max(other));
        if one == other || groups[one].len() + groups[other].len() > LARGEST {
            continue;
        }
        let mut pairs = groups[one]
            .iter()
            .flat_map(|a| groups[other].iter().map(move |b| (a, b)));
        if pairs.any(|(&a, &b)| excluded(a, b)) {
            continue;
        }
        let moved = std::mem::take(&mut groups[other]);
        for &id in &moved {
            group_of.insert(id, one);
        }
        groups[one].extend(moved);
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// A name of a group, how surely it is the one that is kept, and why.
struct Joined<'l> {
    id: Id,
    level: Level,
    /// The best link to the name that is kept, or to one that has joined before.
    link: &'l Link,
}

/// How each name of a group comes to the one that is kept: over the strongest links.
fn joined<'l>(group: &[Id], kept: Id, links: &HashMap<Id, Vec<&'l Link>>) -> Vec<Joined<'l>> {
    let mut levels: HashMap<Id, Level> = HashMap::from([(kept, Level::Sure)]);
    let mut joined: Vec<Joined<'l>> = Vec::new();
    while joined.len() + 1 < group.len() {
        let reached = group.iter().filter(|id| levels.contains_key(id));
        let steps = reached.flat_map(|&from| {
            let from_here = links.get(&from).into_iter().flatten();
            from_here.map(move |link| (from, *link))
        });
        let steps = steps.filter(|(from, link)| {
            let to = link.beyond(*from);
            group.contains(&to) && !levels.contains_key(&to)
        });
        let level = |(from, link): &(Id, &Link)| levels[from].min(Level::of(link.points));
        // A direct way is better told than one by way of others.
        let best = steps.max_by_key(|step| {
            (
                level(step),
                step.0 == kept,
                step.1.points,
                Reverse(step.1.beyond(step.0)),
            )
        });
        let Some((from, link)) = best else {
            break;
        };
        let (id, level) = (link.beyond(from), level(&(from, link)));
        levels.insert(id, level);
        joined.push(Joined { id, level, link });
    }
    joined
}

/// The links of each name.
pub fn by_name(links: &[Link]) -> HashMap<Id, Vec<&Link>> {
    let mut by_name: HashMap<Id, Vec<&Link>> = HashMap::new();
    for link in links {
        by_name.entry(link.one).or_default().push(link);
        by_name.entry(link.other).or_default().push(link);
    }
    by_name
}
