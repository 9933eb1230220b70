//! How many merges are right, and how many spellings are found.

use std::collections::{HashMap, HashSet};

use tabiya::{Event, Flow, GameSink, names::Level};
use tabiya_game::{Needs, Tags};

use super::{
    data,
    field::{Chance, Field, Game},
    perturb::GIVEN,
};

/// Parts of surnames, in five kinds of languages.
const STEMS: [&str; 60] = [
    "Ivan",
    "Petr",
    "Smirn",
    "Kuznets",
    "Sokol",
    "Morozh",
    "Volk",
    "Lebed",
    "Kozl",
    "Novik",
    "Pavl",
    "Semen",
    "Golub",
    "Vinograd",
    "Bogdan",
    "Vorobi",
    "Fedor",
    "Mikhail",
    "Belya",
    "Tarash",
    "Zaits",
    "Shcherbak",
    "Chernysh",
    "Yakovl",
    "Yushk",
    "Muell",
    "Schroed",
    "Koenig",
    "Baum",
    "Hoff",
    "Schwarz",
    "Krueg",
    "Weiss",
    "Lehm",
    "Soerens",
    "Aager",
    "Lindstr",
    "Bergst",
    "Haug",
    "Oest",
    "Garcia",
    "Martin",
    "Rodrig",
    "Fernand",
    "Gutier",
    "Velasq",
    "Moral",
    "Ortiz",
    "Iglesi",
    "Dominguez",
    "Harris",
    "Thornt",
    "Wellingt",
    "Blackw",
    "Ashw",
    "Kowal",
    "Wisniew",
    "Zielins",
    "Novotn",
    "Horvath",
];
const ENDINGS: [&str; 20] = [
    "ov", "enko", "sky", "chuk", "in", "ev", "er", "mann", "sen", "son", "berg", "stein", "ez",
    "ado", "ero", "ton", "worth", "ic", "ek", "ai",
];

/// People of whom many have one surname, or surnames that differ in a letter.
fn people(count: usize) -> Vec<String> {
    let mut chance = Chance::new(7);
    let (mut names, mut taken) = (Vec::new(), HashSet::new());
    while names.len() < count {
        let stem = STEMS[chance.below(STEMS.len())];
        let mut family = format!("{stem}{}", chance.one(&ENDINGS));
        // A tenth has two surnames.
        if chance.below(10) == 0 {
            let second = STEMS[chance.below(STEMS.len())];
            family = format!("{family} {second}{}", chance.one(&ENDINGS));
        }
        let name = format!("{family}, {}", chance.one(&GIVEN));
        if taken.insert(name.clone()) {
            names.push(name);
        }
    }
    names
}

/// Two tournaments a year for everybody, of ten players of about one strength.
pub fn generated(count: usize) -> Field {
    let names = people(count);
    let mut chance = Chance::new(3);
    let strength: Vec<usize> = names.iter().map(|_| 1400 + chance.below(1200)).collect();
    let debut: Vec<usize> = names.iter().map(|_| 1970 + chance.below(45)).collect();
    let mut games = Vec::new();
    for (year, kind) in (1970..2020).flat_map(|year| [(year, "Open"), (year, "Cup")]) {
        let is_active = |&person: &usize| (debut[person]..debut[person] + 6).contains(&year);
        let mut active: Vec<usize> = (0..count).filter(is_active).collect();
        active.sort_by_cached_key(|&person| strength[person] + chance.below(200));
        // A rating changes with the year.
        let rating = |person: usize| {
            let step = tabiya_game::generate::number(person as u64, year as u64) % 60;
            (strength[person] as u64 + step) as u16
        };
        for (number, players) in active.chunks(10).enumerate() {
            let rounds = (1..players.len()).step_by(2).enumerate();
            let pairs = rounds.flat_map(move |(round, shift)| {
                let boards = players.iter().enumerate();
                boards.map(move |(at, &white)| {
                    let black = players[(at + shift) % players.len()];
                    (white, black, format!("{}.{}", round + 1, at + 1))
                })
            });
            games.extend(pairs.map(|(white, black, round)| Game {
                players: [white, black],
                ratings: [rating(white), rating(black)],
                event: format!("{kind} {number} of {year}"),
                site: "Somewhere".to_string(),
                date: format!("{year}.??.??"),
                round,
            }));
        }
    }
    Field { names, games }
}

#[test]
fn generated_people_are_told_apart() {
    let figures = generated(3000).measure(2, Level::Likely);
    figures.print("generated");
    assert!(figures.aliases > 1000, "{}", figures.aliases);
    assert!(figures.precision() >= 0.99, "{:#?}", figures.wrong);
    assert!(figures.recall() >= 0.95, "{:#?}", figures.missed);
}

/// Hears who played whom.
#[derive(Default)]
struct Headers {
    tags: Tags,
    all: Vec<Tags>,
}

impl GameSink for Headers {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.tags(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.tags.clear(),
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { .. } => self.all.push(self.tags.clone()),
            _ => {}
        }
        Flow::Continue
    }
}

/// The headers of all games of a file, if it is there.
pub fn headers(file: &str) -> Option<Vec<Tags>> {
    let path = data::find(file)?;
    let mut headers = Headers::default();
    tabiya::open(&path).unwrap().tell(&mut headers).unwrap();
    Some(headers.all)
}

/// Games of people who are known by their FIDE ids, each by the name that most of their games have. Of
/// people with one name, only one takes part.
pub fn tournaments(file: &str) -> Option<Field> {
    let headers = headers(file)?;
    let sides = [("White", "WhiteFideId"), ("Black", "BlackFideId")];
    let mut names: HashMap<&str, HashMap<&str, u32>> = HashMap::new();
    for tags in &headers {
        for (side, id) in sides {
            if let (Some(name), Some(id)) = (tags.get(side), tags.get(id)) {
                *names.entry(id).or_default().entry(name).or_default() += 1;
            }
        }
    }
    let mut people: Vec<(&str, &str)> = names
        .iter()
        .filter_map(|(id, names)| {
            let most = names.iter().max_by_key(|&(name, count)| (*count, *name))?;
            Some((*id, *most.0))
        })
        .collect();
    people.sort_unstable();
    let mut taken = HashSet::new();
    people.retain(|(_, name)| taken.insert(name.to_lowercase()));
    let numbers: HashMap<&str, usize> = people
        .iter()
        .enumerate()
        .map(|(at, (id, _))| (*id, at))
        .collect();
    let game = |tags: &Tags| {
        let player = |id| tags.get(id).and_then(|id| numbers.get(id)).copied();
        let text = |tag| tags.get(tag).unwrap_or("?").to_string();
        Some(Game {
            players: [player("WhiteFideId")?, player("BlackFideId")?],
            ratings: [tags.white_elo(), tags.black_elo()].map(Option::unwrap_or_default),
            event: text("Event"),
            site: text("Site"),
            date: text("Date"),
            round: text("Round"),
        })
    };
    Some(Field {
        games: headers.iter().filter_map(game).collect(),
        names: people.iter().map(|(_, name)| name.to_string()).collect(),
    })
}

#[test]
#[ignore = "needs data"]
fn real_people_are_told_apart() {
    let Some(field) = tournaments("pgn/twic-large.pgn.zst") else {
        return;
    };
    let figures = field.measure(4, Level::Likely);
    figures.print("twic-large");
    assert!(figures.aliases > 1000, "{}", figures.aliases);
    assert!(figures.precision() >= 0.99, "{:#?}", figures.wrong);
    // What is missed are initials of players whose ratings do not tell.
    assert!(figures.recall() >= 0.93, "{:#?}", figures.missed);
}
