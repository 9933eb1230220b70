//! How many copies are found, and that nothing else is.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    io::Write,
    path::{Path, PathBuf},
};

use tabiya::{
    Event, Filter, Flow, GameResult, GameSink, GameTree,
    duplicates::{Found, How, find},
};
use tabiya_game::generate::{Generator, Options, number};

use super::{
    data,
    perturb::{Way, items, main_line},
};

fn write(path: &Path, games: impl IntoIterator<Item = GameTree>) {
    let mut new = tabiya::create(path).unwrap();
    for game in games {
        new.add(&game).unwrap();
    }
    new.finish().unwrap();
}

fn found_in(games: impl IntoIterator<Item = GameTree>) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    write(&path, games);
    let databases = [tabiya::open(&path).unwrap()];
    find(&databases, &Filter::default(), How::Near).unwrap()
}

/// How many of these games are found when copies that differ in a way stand behind them: in a
/// thousand. And how many other pairs are found.
fn recall(games: &[GameTree], way: Way) -> (f64, usize) {
    let copies = (0..)
        .zip(games)
        .map(|(index, game)| way.copy(game, number(17, index)));
    let found = found_in(games.iter().cloned().chain(copies));
    let count = games.len() as u64;
    let mut hits = 0;
    let mut others = 0;
    for group in &found.groups {
        let numbers: BTreeSet<u64> = group.iter().map(|game| game.number).collect();
        let originals = numbers.iter().filter(|number| **number <= count);
        let pairs = originals
            .filter(|number| numbers.contains(&(*number + count)))
            .count();
        hits += pairs;
        let games: BTreeSet<u64> = numbers.iter().map(|number| (number - 1) % count).collect();
        others += games.len() - 1;
    }
    (hits as f64 * 1_000.0 / count as f64, others)
}

/// Said aloud, so that figures can be written down.
fn say(words: String) {
    let _ = writeln!(std::io::stderr(), "{words}");
}

#[test]
fn copies_of_generated_games_are_found_however_they_differ() {
    let generator = Generator::new(Options {
        seed: 18,
        games: 1_000,
        plies: 50..=120,
        book: true,
        ..Options::default()
    });
    let games = (0..1_000).map(|index| generator.game(index));
    let games: Vec<GameTree> = games.filter(|game| game.items.len() >= 50).collect();
    for way in Way::ALL {
        let (found, others) = recall(&games, way);
        say(format!(
            "generated, {way:?}: {found:.1} of 1,000, {others} others"
        ));
        assert!(found >= 990.0, "{way:?}: {found}");
        assert_eq!(others, 0, "{way:?}");
    }
}

#[test]
fn generated_games_that_share_openings_are_others() {
    let generator = Generator::new(Options {
        seed: 19,
        games: 3_000,
        plies: 14..=60,
        book: true,
        ..Options::default()
    });
    let found = found_in((0..3_000).map(|index| generator.game(index)));
    assert_eq!(found.groups, Vec::<Vec<_>>::new());
}

#[test]
fn the_same_short_draw_by_others_is_another_game() {
    let generator = Generator::new(Options {
        seed: 20,
        games: 1_000,
        plies: 30..=40,
        ..Options::default()
    });
    let line = main_line(&generator.game(3));
    // All of them have the same moves, or the first 14 or 15 of them.
    let games = (0..1_000).map(|index| {
        let mut game = generator.game(index);
        game.items = items(&line[..14 + index as usize % 3]);
        game.result = GameResult::Draw;
        game.tags.set("Result", "1/2-1/2");
        game
    });
    let found = found_in(games);
    assert_eq!(found.groups, Vec::<Vec<_>>::new());
}

/// Whether a game of a number is wanted.
type Wanted<'a> = dyn FnMut(u64, &GameTree) -> bool + 'a;

/// Chosen games of a file.
struct Chosen<'a> {
    is_wanted: Box<Wanted<'a>>,
    game: GameTree,
    found: Vec<GameTree>,
    most: usize,
}

impl GameSink for Chosen<'_> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let flow = self.game.event(event);
        if let Event::GameEnd { .. } = event
            && (self.is_wanted)(self.game.place.number, &self.game)
        {
            self.found.push(self.game.clone());
            if self.found.len() == self.most {
                return Flow::Stop;
            }
        }
        flow
    }
}

fn choose(
    path: &PathBuf,
    most: usize,
    is_wanted: impl FnMut(u64, &GameTree) -> bool,
) -> Vec<GameTree> {
    let mut chosen = Chosen {
        is_wanted: Box::new(is_wanted),
        game: GameTree::default(),
        found: Vec::new(),
        most,
    };
    tabiya::open(path).unwrap().tell(&mut chosen).unwrap();
    chosen.found
}

/// Who played when, without regard to spelling: a file has each but once.
fn occasion(game: &GameTree) -> String {
    let family = |side: &str| {
        let name = game.tags.get(side).unwrap_or("?").to_lowercase();
        name.split(',').next().unwrap_or_default().trim().to_owned()
    };
    let (white, black) = (family("White"), family("Black"));
    let date = game.tags.get("Date").unwrap_or("?");
    format!(
        "{white} {black} {date} {}",
        game.tags.get("Round").unwrap_or("?")
    )
}

/// Five thousand real games, each in six copies that differ in six ways: nearly all are found.
#[test]
#[ignore = "needs data"]
fn copies_of_real_games_are_found_however_they_differ() {
    let Some(path) = data::find("pgn/twic-small.pgn.zst") else {
        return;
    };
    let mut seen = HashSet::new();
    let games = choose(&path, 5_000, |_, game| {
        !game.items.is_empty() && seen.insert(occasion(game))
    });
    assert_eq!(games.len(), 5_000);
    let figures = Way::ALL.map(|way| (way, recall(&games, way)));
    for (way, (found, others)) in figures {
        say(format!(
            "5,000 real games, {way:?}: {found:.1} of 1,000, {others} others"
        ));
    }
    for (way, (found, others)) in figures {
        assert!(found >= 990.0, "{way:?}: {found}");
        assert_eq!(others, 0, "{way:?}");
    }
}

/// Ten thousand real games with the most common openings, and short draws: none is taken for another.
#[test]
#[ignore = "needs data"]
fn real_games_that_share_openings_and_short_draws_are_others() {
    let Some(path) = data::find("pgn/twic-medium.pgn.zst") else {
        return;
    };
    const PLIES: usize = 16;
    let mut lines: HashMap<Vec<tabiya::Move>, Vec<u64>> = HashMap::new();
    let mut draws: BTreeSet<u64> = BTreeSet::new();
    let mut seen = HashSet::new();
    choose(&path, usize::MAX, |number, game| {
        let line = main_line(game);
        if !line.is_empty() && seen.insert(occasion(game)) {
            if line.len() <= 40 && game.result == GameResult::Draw {
                draws.insert(number);
            } else if line.len() >= PLIES {
                let start = line[..PLIES].to_vec();
                lines.entry(start).or_default().push(number);
            }
        }
        false
    });
    let mut lines: Vec<Vec<u64>> = lines.into_values().collect();
    lines.sort_by_key(|games| (std::cmp::Reverse(games.len()), games[0]));
    let mut wanted: HashSet<u64> = draws.iter().copied().take(5_000).collect();
    let draws = wanted.len();
    let room = 10_000 - draws;
    wanted.extend(lines.into_iter().flatten().take(room));
    let games = choose(&path, usize::MAX, |number, _| wanted.contains(&number));
    assert_eq!(games.len(), 10_000);
    say(format!("10,000 real games, {draws} of them short draws"));
    let found = found_in(games.iter().cloned());
    for group in &found.groups {
        for place in group {
            let game = &games[place.number as usize - 1];
            let tags: Vec<_> = game.tags.iter().map(|(_, value)| value).take(7).collect();
            say(format!(
                "{}: {tags:?}, {} plies",
                place.number,
                game.items.len()
            ));
        }
    }
    assert_eq!(found.groups, Vec::<Vec<_>>::new());
}
