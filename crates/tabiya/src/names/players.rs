//! Which spellings are one player's.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use super::{
    Apart, Group, Kind, Level,
    alike::{Likeness, are_others, likeness},
    authority::Authorities,
    block,
    census::{Census, Id},
    evidence::{Against, Evidence, Profiles},
    group::{self, Link, Named, by_name},
    spelled::{Order, Spelled},
};

/// Who is compared with whom, and by what.
struct Players<'c> {
    names: Vec<Spelled>,
    profiles: Profiles<'c>,
    /// FIDE ids of names whose games have none, by FIDE's list.
    listed: HashMap<Id, u32>,
    /// How many names have a surname, as it sounds.
    namesakes: HashMap<String, u32>,
}

/// What came of it.
pub struct Found {
    pub groups: Vec<Group>,
    pub apart: Vec<Apart>,
    /// Pairs that are perhaps one, and in no group.
    pub perhaps: usize,
}

/// Names that look alike and are not merged are told from here on.
const WORTH_TELLING: i32 = Level::LIKELY;

/// Two people to whom a short name can belong are too many, unless one leads by so much.
const LEAD: i32 = 25;

/// What a name is worth that could be two people's.
const AMBIGUOUS: i32 = Level::LIKELY - 1;

/// What a shared FIDE id is worth, if the letters are others.
const SAME_ID: i32 = 80;

/// Finds the spellings that are one player's.
pub fn find(census: &Census, authorities: &Authorities, least: Level) -> Found {
    let players = Players::new(census, authorities);
    let (mut links, mut apart) = players.links();
    let contested = players.add_authorities(authorities, &mut links, &mut apart);
    players.doubt(&mut links);
    links.retain(|link| link.points >= Level::PERHAPS);
    let (groups, perhaps) = group::assemble(&players, &links, least, authorities, &contested);
    players.add_shared(&mut apart);
    Found {
        groups,
        apart,
        perhaps,
    }
}

impl Named for Players<'_> {
    fn kind(&self) -> Kind {
        Kind::Player
    }

    fn text(&self, id: Id) -> &str {
        self.profiles.text(id)
    }

    fn games(&self, id: Id) -> u64 {
        self.profiles.of(id).games.into()
    }

    fn known(&self, id: Id) -> String {
        self.profiles.of(id).words()
    }

    fn are_excluded(&self, one: Id, other: Id) -> bool {
        let (a, b) = (self.name(one), self.name(other));
        if !self.has_same_id(one, other) && (a.mark != b.mark || are_others(a, b)) {
            return true;
        }
        self.listed_apart(one, other).is_some() || self.evidence(one, other).is_err()
    }

    /// The name that is kept: one that an authority has; among those whose surname most games have,
    /// one with a FIDE id, the fullest, a neat one, the one with most games.
    fn kept(&self, ids: &[Id], authorities: &Authorities) -> Option<Id> {
        // With the first name that has it, which decides where games do not.
        let mut games: HashMap<&str, (u32, Reverse<Id>)> = HashMap::new();
        let families = |id: Id| {
            let readings = self.name(id).readings.iter();
            let sure = readings.filter(|reading| reading.order <= Order::Guessed);
            sure.map(|reading| reading.family.as_str())
        };
        for &id in ids {
            for family in families(id) {
                let (count, first) = games.entry(family).or_insert((0, Reverse(id)));
                *count += self.profiles.of(id).games;
                *first = (*first).max(Reverse(id));
            }
        }
        let games = games.into_iter();
        let most = games.max_by_key(|&(family, known)| (known, Reverse(family)));
        let is_most = |id: Id| most.is_none_or(|(most, _)| families(id).any(|it| it == most));
        ids.iter().copied().max_by_key(|&id| {
            let (name, text, profile) = (self.name(id), self.text(id), self.profiles.of(id));
            let is_neat = name.is_bare && text.contains(char::is_lowercase) && text.trim() == text;
            (
                authorities.of(id).is_some(),
                is_most(id),
                profile.fide_id.is_some(),
                (name.is_full(), name.has_given()),
                is_neat,
                (
                    profile.games,
                    text.contains(", "),
                    text.contains(','),
                    Reverse(id),
                ),
            )
        })
    }
}

impl<'c> Players<'c> {
    fn new(census: &'c Census, authorities: &Authorities) -> Players<'c> {
        let names: Vec<_> = census
            .players
            .iter()
            .map(|(_, name)| Spelled::new(name))
            .collect();
        let mut namesakes = HashMap::new();
        for reading in names.iter().filter_map(|name| name.readings.first()) {
            *namesakes.entry(reading.sound.clone()).or_default() += 1;
        }
        Players {
            names,
            profiles: Profiles::new(census),
            listed: authorities
                .iter()
                .filter_map(|(id, authority)| Some((id, authority.fide_id?)))
                .collect(),
            namesakes,
        }
    }

    fn name(&self, id: Id) -> &Spelled {
        &self.names[id as usize]
    }

    /// All pairs that may be one player, and those that look so and are not.
    fn links(&self) -> (Vec<Link>, Vec<Apart>) {
        let players = (0..).zip(&self.profiles.profiles);
        let fide_ids = players.filter_map(|(id, profile)| Some((profile.fide_id?, id)));
        let (mut links, mut apart) = (Vec::new(), Vec::new());
        for (one, other) in block::pairs(&self.names, fide_ids) {
            let likeness = likeness(self.name(one), self.name(other));
            let points = likeness.map_or(0, |likeness| likeness.points());
            let has_same_id = self.has_same_id(one, other);
            if points == 0 && !has_same_id {
                continue;
            }
            let evidence = match self.listed_apart(one, other) {
                Some(against) => Err(against),
                None => self.evidence(one, other),
            };
            match evidence {
                Ok(evidence) => links.extend(self.link(one, other, likeness, &evidence)),
                Err(against) if points >= WORTH_TELLING => {
                    apart.push(self.apart(one, other, &against));
                }
                Err(_) => {}
            }
        }
        (links, apart)
    }

    /// The FIDE ids of two names, if they are those of different people.
    fn listed_apart(&self, one: Id, other: Id) -> Option<Against> {
        let fide_id = |id: Id| {
            let own = self.profiles.of(id).fide_id;
            own.or_else(|| self.listed.get(&id).copied())
        };
        let (one, other) = (fide_id(one)?, fide_id(other)?);
        (one != other).then_some(Against::FideIds(one, other))
    }

    fn has_same_id(&self, one: Id, other: Id) -> bool {
        let fide_id = |id: Id| self.profiles.of(id).fide_id;
        fide_id(one).is_some() && fide_id(one) == fide_id(other)
    }

    fn evidence(&self, one: Id, other: Id) -> Result<Evidence, Against> {
        // The same game may be there twice, with both names spelled otherwise.
        let alike = |a: Id, b: Id| likeness(self.name(a), self.name(b)).is_some();
        self.profiles.evidence(one, other, alike)
    }

    fn link(
        &self,
        one: Id,
        other: Id,
        likeness: Option<Likeness>,
        evidence: &Evidence,
    ) -> Option<Link> {
        let letters = likeness.map_or(0, |likeness| likeness.points());
        let mut points = letters + evidence.points();
        if letters < Level::SURE {
            points += self.rarity(one, other);
        }
        if evidence.same_id.is_some() {
            points = SAME_ID + evidence.points().max(0) + letters;
        }
        let words = likeness.map_or("other letters".to_string(), |likeness| likeness.words());
        (points >= Level::PERHAPS).then(|| Link {
            one,
            other,
            points,
            words: words + &evidence.words(),
        })
    }

    /// Two names of a rare surname are rather one person's than two of a common one.
    fn rarity(&self, one: Id, other: Id) -> i32 {
        let count = |id: Id| {
            let reading = self.name(id).readings.first();
            reading
                .and_then(|reading| self.namesakes.get(&reading.sound))
                .copied()
        };
        match count(one).max(count(other)).unwrap_or_default() {
            0..=3 => 12,
            4..=8 => 0,
            9..=20 => -10,
            _ => -20,
        }
    }

    /// A name that could be short for two that exclude each other is perhaps neither.
    fn doubt(&self, links: &mut [Link]) {
        let mut capped = Vec::new();
        for (name, mut mine) in by_name(links) {
            mine.sort_by_key(|link| (Reverse(link.points), link.beyond(name)));
            let Some((best, rivals)) = mine.split_first() else {
                continue;
            };
            for rival in rivals {
                let (one, other) = (best.beyond(name), rival.beyond(name));
                if !self.are_excluded(one, other) {
                    continue;
                }
                if rival.points < Level::SURE {
                    capped.push((rival.one, rival.other));
                }
                if best.points - rival.points < LEAD && best.points < Level::SURE {
                    capped.push((best.one, best.other));
                }
            }
        }
        capped.sort_unstable();
        for link in links {
            if capped.binary_search(&(link.one, link.other)).is_ok() && link.points > AMBIGUOUS {
                link.points = AMBIGUOUS;
                link.words += "; others could be meant as well";
            }
        }
    }

    /// Names to which authorities give one spelling belong together, unless the games say otherwise:
    /// those of which they do.
    fn add_authorities(
        &self,
        authorities: &Authorities,
        links: &mut Vec<Link>,
        apart: &mut Vec<Apart>,
    ) -> HashSet<Id> {
        let mut contested = HashSet::new();
        for (one, other) in authorities.pairs() {
            match self.evidence(one, other) {
                Ok(evidence) => {
                    let words = authorities
                        .of(other)
                        .map_or("", |authority| &authority.words);
                    links.push(Link {
                        one,
                        other,
                        points: Level::SURE + 50,
                        words: words.to_string() + &evidence.words(),
                    });
                }
                Err(against) => {
                    apart.push(self.apart(one, other, &against));
                    contested.extend([one, other]);
                }
            }
        }
        contested
    }

    fn apart(&self, one: Id, other: Id, against: &Against) -> Apart {
        Apart {
            kind: Kind::Player,
            names: vec![self.text(one).to_string(), self.text(other).to_string()],
            reason: against.words(),
        }
    }

    /// Names that several people have, by their FIDE ids.
    fn add_shared(&self, apart: &mut Vec<Apart>) {
        for (id, profile) in (0..).zip(&self.profiles.profiles) {
            // A single game may have a wrong id.
            let ids = profile.fide_ids.iter().filter(|&&(_, count)| count > 1);
            let ids: Vec<String> = ids
                .map(|(fide_id, count)| format!("{fide_id} in {count}"))
                .collect();
            if ids.len() > 1 {
                apart.push(Apart {
                    kind: Kind::Player,
                    names: vec![self.text(id).to_string()],
                    reason: format!("one name with several FIDE ids: {} games", ids.join(", ")),
                });
            }
        }
    }
}
