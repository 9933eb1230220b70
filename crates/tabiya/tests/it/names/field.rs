//! Games of people who are known, under names that may be spelled in several ways.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt::Write,
};

use tabiya::{
    Filter,
    names::{Kind, Level, Names},
};
use tabiya_game::generate;

use super::perturb::{Perturbation, perturbed};

/// Numbers that look like chance and are the same in every run.
pub struct Chance {
    seed: u64,
    drawn: u64,
}

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance { seed, drawn: 0 }
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        (generate::number(self.seed, self.drawn) % end as u64) as usize
    }

    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A game, with players as numbers of people.
#[derive(Clone, Debug)]
pub struct Game {
    pub players: [usize; 2],
    pub ratings: [u16; 2],
    pub event: String,
    pub site: String,
    pub date: String,
    pub round: String,
}

/// People who played games, each with one name.
pub struct Field {
    pub names: Vec<String>,
    pub games: Vec<Game>,
}

/// A second spelling of somebody.
pub struct Alias {
    pub kind: Perturbation,
    pub name: String,
}

/// What came out.
#[derive(Default, Debug)]
pub struct Figures {
    pub people: usize,
    pub aliases: usize,
    pub found: usize,
    pub proposed: usize,
    pub right: Vec<String>,
    pub wrong: Vec<String>,
    /// Aliases and how many of them were found, by kind.
    pub by_kind: BTreeMap<Perturbation, (usize, usize)>,
    pub missed: Vec<String>,
}

impl Figures {
    pub fn precision(&self) -> f64 {
        1.0 - self.wrong.len() as f64 / self.proposed.max(1) as f64
    }

    pub fn recall(&self) -> f64 {
        self.found as f64 / self.aliases.max(1) as f64
    }

    pub fn print(&self, title: &str) {
        println!(
            "{title}: {} people, {} second spellings, {} merges proposed, {} wrong",
            self.people,
            self.aliases,
            self.proposed,
            self.wrong.len()
        );
        println!(
            "  precision {:.2} %, recall {:.2} %",
            self.precision() * 100.0,
            self.recall() * 100.0
        );
        for (kind, (all, found)) in &self.by_kind {
            println!("  {:<16} {found:>5} of {all:>5}", format!("{kind:?}"));
        }
    }
}

impl Field {
    /// Gives every so-many-th person who has enough events a second spelling, which half of the events
    /// have: whoever writes down an event spells a name in one way.
    fn aliases(&self, every: usize) -> HashMap<usize, Alias> {
        let mut events: HashMap<usize, HashSet<&str>> = HashMap::new();
        for game in &self.games {
            for player in game.players {
                events.entry(player).or_default().insert(&game.event);
            }
        }
        let mut taken: HashSet<String> = self.names.iter().cloned().collect();
        let mut aliases = HashMap::new();
        let mut chance = Chance::new(18);
        for (person, name) in self.names.iter().enumerate() {
            let is_known = events.get(&person).is_some_and(|events| events.len() > 1);
            if person % every != 0 || !is_known {
                continue;
            }
            let Some((kind, alias)) = perturbed(name, &mut chance) else {
                continue;
            };
            if taken.insert(alias.clone()) {
                aliases.insert(person, Alias { kind, name: alias });
            }
        }
        aliases
    }

    /// All games as PGN, the aliases among them.
    fn pgn(&self, aliases: &HashMap<usize, Alias>) -> (String, HashMap<String, usize>) {
        let mut text = String::new();
        let mut spelled: HashMap<String, usize> = HashMap::new();
        for game in &self.games {
            let name = |person: usize| {
                let alias = aliases
                    .get(&person)
                    .filter(|_| is_second(person, &game.event));
                alias.map_or(&self.names[person], |alias| &alias.name)
            };
            let [white, black] = game.players.map(name);
            spelled.insert(white.clone(), game.players[0]);
            spelled.insert(black.clone(), game.players[1]);
            let (event, site, date, round) = (&game.event, &game.site, &game.date, &game.round);
            let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
            for (tag, value) in [
                ("Event", event.as_str()),
                ("Site", site),
                ("Date", date),
                ("Round", round),
                ("White", white),
                ("Black", black),
            ] {
                writeln!(text, "[{tag} \"{}\"]", escaped(value)).unwrap();
            }
            for (tag, rating) in ["WhiteElo", "BlackElo"].into_iter().zip(game.ratings) {
                if rating > 0 {
                    writeln!(text, "[{tag} \"{rating}\"]").unwrap();
                }
            }
            text.push_str("\n1. e4 *\n\n");
        }
        (text, spelled)
    }

    /// How well second spellings are found.
    pub fn measure(&self, every: usize, least: Level) -> Figures {
        let aliases = self.aliases(every);
        let (text, spelled) = self.pgn(&aliases);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, text).unwrap();
        let names = Names::new().kinds(&[Kind::Player]).least(least);
        let database = tabiya::open(&path).unwrap();
        let proposals = names.propose(&[database], &Filter::default()).unwrap();
        let mut figures = Figures {
            people: self.names.len(),
            ..Figures::default()
        };
        let mut group_of: HashMap<&str, usize> = HashMap::new();
        for (at, group) in proposals.groups.iter().enumerate() {
            let person = spelled[&group.name];
            group_of.insert(&group.name, at);
            for spelling in &group.spellings {
                group_of.insert(&spelling.name, at);
                figures.proposed += 1;
                let told = format!("{} -> {} [{}]", spelling.name, group.name, spelling.reason);
                match spelled[&spelling.name] == person {
                    true => figures.right.push(told),
                    false => figures.wrong.push(told),
                }
            }
        }
        for (person, alias) in &aliases {
            let name = &self.names[*person];
            // Chance may have given all games to one of the two.
            if !spelled.contains_key(name) || !spelled.contains_key(&alias.name) {
                continue;
            }
            let one = group_of.get(name.as_str());
            let is_found = one.is_some() && one == group_of.get(alias.name.as_str());
            figures.aliases += 1;
            figures.found += usize::from(is_found);
            let (all, found) = figures.by_kind.entry(alias.kind).or_default();
            *all += 1;
            *found += usize::from(is_found);
            if !is_found {
                figures
                    .missed
                    .push(format!("{:?}: {name} / {}", alias.kind, alias.name));
            }
        }
        figures
    }
}

/// Whether an event has the second spelling of a person.
fn is_second(person: usize, event: &str) -> bool {
    let letters = event.bytes().fold(person as u64, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    generate::number(letters, 1).is_multiple_of(2)
}
