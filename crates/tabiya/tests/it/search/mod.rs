//! Questions by chance, asked by the search and, without haste, by a scan that knows nothing of it.

mod ask;
mod game;
mod random;

use std::{fs, num::NonZeroUsize};

use ask::Ask;
use game::Game;
use random::Random;
use tabiya::{
    Error, Open,
    search::{Hit, Question, Ranking, Sort},
};
use tabiya_chess::Position;
use tabiya_game::{
    GameTree,
    generate::{Generator, Options},
};
use tabiya_search::{Nearest, Query, Seeker};

use crate::data;

/// Games of all kinds that nobody played.
fn generated(count: u64) -> Vec<GameTree> {
    let plain = Options {
        games: count,
        book: true,
        ..Options::default()
    };
    let annotated = Options {
        variations: true,
        book: false,
        ..plain.clone()
    };
    let chess960 = Options {
        chess960: true,
        ..annotated.clone()
    };
    let games = [plain, annotated, chess960].map(|options| {
        let generator = Generator::new(options);
        (0..count).map(move |index| generator.game(index))
    });
    games.into_iter().flatten().collect()
}

/// What was compared.
#[derive(Default)]
struct Compared {
    games: usize,
    hits: usize,
    /// Questions that some games answer, and others do not.
    telling: usize,
}

/// Asks so many questions both ways.
fn compare(trees: &[GameTree], questions: usize, seed: u64) -> Compared {
    let (trees, games): (Vec<&GameTree>, Vec<Game>) = trees
        .iter()
        .filter_map(|tree| Some((tree, Game::of(tree)?)))
        .unzip();
    let mut random = Random::new(&games, seed);
    let mut compared = Compared {
        games: games.len(),
        ..Compared::default()
    };
    for number in 0..questions {
        let ask = random.ask(number, 2);
        let text = ask.text();
        let query: Query = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut hits = 0;
        for (tree, game) in trees.iter().zip(&games) {
            // Without variations, the second answer is the first.
            let ways: &[bool] = match game.others.is_empty() {
                true => &[false],
                false => &[false, true],
            };
            for &variations in ways {
                let found = seek(&query, tree, variations);
                let expected = ask.answers(game, variations);
                assert_eq!(
                    found.is_some(),
                    expected,
                    "{text}, variations {variations}: {tree:#?}"
                );
                if !variations && let Some(ply) = ask.ply(game) {
                    assert_eq!(found, Some(ply), "{text}: {tree:#?}");
                }
                hits += usize::from(expected && !variations);
            }
        }
        compared.hits += hits;
        compared.telling += usize::from(hits > 0 && hits < games.len());
    }
    compared
}

fn seek(query: &Query, tree: &GameTree, variations: bool) -> Option<u32> {
    let mut seeker = Seeker::new(query).in_variations(variations);
    tree.tell(&mut seeker);
    seeker.found()
}

#[test]
fn questions_by_chance_are_answered_as_a_slow_scan_answers_them() {
    let compared = compare(&generated(9), 200, 1);
    assert!(compared.games > 20, "{} games", compared.games);
    assert!(
        compared.telling > 100,
        "{} questions tell games apart",
        compared.telling
    );
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn two_thousand_questions_are_answered_as_a_slow_scan_answers_them() {
    let mut games = generated(5);
    for name in ["twic-small.pgn.zst", "chess960.pgn.zst", "lichess.pgn.zst"] {
        let Some(path) = data::find(&format!("pgn/{name}")) else {
            continue;
        };
        let real = tabiya::open(path).expect("real games").games();
        games.extend(real.take(20).map(|game| game.expect("a game")));
    }
    let compared = compare(&games, 2_000, 2);
    eprintln!(
        "2,000 questions to {} games: {} hits, {} tell games apart",
        compared.games, compared.hits, compared.telling
    );
    assert!(compared.telling > 1_000, "{}", compared.telling);
}

#[test]
fn the_nearest_position_is_that_of_a_slow_scan() {
    let trees = generated(8);
    let games = trees
        .iter()
        .filter_map(|tree| Some((tree, Game::of(tree)?)));
    let games: Vec<(&GameTree, Game)> = games.collect();
    for (wanted, _) in games.iter().step_by(3) {
        let positions: Vec<Position> = wanted.main_line().map(|(before, _)| before).collect();
        let Some(position) = positions.get(positions.len() / 2) else {
            continue;
        };
        let marked = GameTree {
            start: *position,
            ..GameTree::default()
        };
        let marked = &Game::of(&marked).expect("a start").main[0];
        for (tree, game) in &games {
            let mut nearest = Nearest::new(position);
            tree.tell(&mut nearest);
            let distances = game
                .main
                .iter()
                .map(|snap| (ask::distance(marked, snap), snap.ply));
            assert_eq!(nearest.found(), distances.min());
        }
    }
}

/// Several files of different formats, and what is found in them.
fn searched(jobs: usize, ranking: Ranking, question: &Question) -> (u64, Vec<(usize, Hit)>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let pgn = path("a.pgn");
    let mut games = tabiya::create(&pgn).expect("a file");
    for game in generated(40) {
        games.add(&game).expect("added");
    }
    games.finish().expect("finished");
    let others = ["b.si5", "c.tabiya", "d.pgn.zst"].map(path);
    for other in &others {
        tabiya::convert(&pgn, other).run().expect("converted");
    }
    let mut ranking = ranking;
    let inputs = std::iter::once(&pgn).chain(&others);
    for (input, path) in inputs.enumerate() {
        let jobs = NonZeroUsize::new(jobs).expect("threads");
        let database = Open::new().jobs(jobs).open(path).expect("opened");
        let each = |hit| {
            ranking.take(input, hit);
            Ok::<_, Error>(())
        };
        question.ask(&database, each).expect("asked");
    }
    (ranking.total(), ranking.finish().collect())
}

#[test]
fn files_of_all_formats_give_the_same_games_in_the_same_order_on_any_number_of_threads() {
    let question = Question {
        query: Some("check and turn(white)".parse().expect("a query")),
        ..Question::default()
    };
    let (total, one) = searched(1, Ranking::new(Sort::Id), &question);
    assert_eq!(total, one.len() as u64);
    assert!(total > 40, "{total}");
    assert_eq!(
        searched(3, Ranking::new(Sort::Id), &question),
        (total, one.clone())
    );
    let of_input = |input: usize| -> Vec<(u64, Option<u32>)> {
        let hits = one.iter().filter(|(of, _)| *of == input);
        hits.map(|(_, hit)| (hit.number, hit.ply)).collect()
    };
    for input in 1..4 {
        assert_eq!(of_input(input), of_input(0));
    }
    let (same, few) = searched(2, Ranking::new(Sort::Id).skip(2).limit(5), &question);
    assert_eq!((same, &few[..]), (total, &one[2..7]));
}

#[test]
fn headers_and_positions_are_asked_in_one_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let games = "[White \"Réti\"]\n\n1. e4 e5 *\n\n[White \"Réti\"]\n\n1. d4 *\n\n[White \"Tal\"]\n\n1. e4 e5 *\n";
    fs::write(&path, games).expect("written");
    let question = Question {
        filter: tabiya::Filter {
            player: Some("reti".into()),
            ..tabiya::Filter::default()
        },
        query: Some("played(e5)".parse().expect("a query")),
        near: Some(Position::initial()),
        ..Question::default()
    };
    let mut hits = Vec::new();
    let total = question.ask(&tabiya::open(&path).expect("opened"), |hit| {
        hits.push((hit.number, hit.distance, hit.ply));
        Ok::<_, Error>(())
    });
    assert_eq!(total.expect("asked"), 1);
    assert_eq!(hits, [(1, Some(0), Some(0))]);
}

#[test]
fn whoever_waits_may_end_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    fs::write(&path, "1. e4 *\n").expect("written");
    let database = tabiya::open(&path)
        .expect("opened")
        .watch(|_| std::ops::ControlFlow::Break(()));
    let asked = Question::default().ask(&database, |_| Ok::<_, Error>(()));
    assert_eq!(asked.unwrap_err().kind(), tabiya::ErrorKind::Cancelled);
}

#[test]
fn every_kind_of_question_is_asked() {
    let trees = generated(4);
    let games: Vec<Game> = trees.iter().filter_map(Game::of).collect();
    let mut random = Random::new(&games, 7);
    let texts: Vec<String> = (0..2_000)
        .map(|number| Ask::text(&random.ask(number, 2)))
        .collect();
    let all = texts.join("\n");
    for word in [
        "fen(",
        "loose(",
        "moves(",
        "pattern(",
        "mirrored(",
        "material(K",
        "balance=",
        "opposite-bishops",
        "pawns(white=",
        "pawns(black-files=",
        "isolated",
        "doubled:",
        "passed",
        "backward",
        "iqp",
        "hanging",
        "similar(",
        "turn(",
        "check",
        "mate",
        "stalemate",
        "castled(",
        "moved(",
        "captured()",
        "played(",
        "underpromotion",
        "ply(",
        "somewhere(",
        "never(",
        "held(",
        "sequence(",
        "streak(",
        "manoeuvre(",
        "sacrifice(",
        "ends(",
        "result(",
        " and ",
        " or ",
        "not ",
        "flip(",
        "[!",
    ] {
        assert!(all.contains(word), "{word}");
    }
}

/// A store answers from its columns, its index and its signatures; a file is read to its end.
#[test]
fn a_store_answers_as_a_file_of_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, store] = ["games.pgn", "games.tabiya"].map(|name| folder.path().join(name));
    let trees = generated(40);
    let mut games = tabiya::create(&file).expect("a place");
    for tree in &trees {
        games.add(tree).expect("room");
    }
    games.finish().expect("a file");
    tabiya::convert(&file, &store).run().expect("a store");
    let known: Vec<Game> = trees.iter().filter_map(Game::of).collect();
    let mut random = Random::new(&known, 3);
    let filters = [
        tabiya::Filter::default(),
        tabiya::Filter {
            result: "1-0".parse().ok(),
            ..tabiya::Filter::default()
        },
    ];
    for number in 0..60 {
        let question = Question {
            filter: filters[number % 2].clone(),
            query: Some(random.ask(number, 1).text().parse().expect("a query")),
            variations: number % 5 == 4,
            ..Question::default()
        };
        assert_eq!(
            all(&question, &store),
            all(&question, &file),
            "{question:?}"
        );
    }
}

/// A store reads the headers of those games only that are shown.
#[test]
fn a_store_has_the_same_nearest_games_as_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, store] = ["games.pgn", "games.tabiya"].map(|name| folder.path().join(name));
    let trees = generated(40);
    let mut games = tabiya::create(&file).expect("a place");
    for tree in &trees {
        games.add(tree).expect("room");
    }
    games.finish().expect("a file");
    tabiya::convert(&file, &store).run().expect("a store");
    for (number, tree) in trees.iter().step_by(5).enumerate() {
        let line: Vec<Position> = tree.main_line().map(|(before, _)| before).collect();
        let Some(position) = line.get(line.len() / 2) else {
            continue;
        };
        let question = Question {
            query: (number % 3 == 1).then(|| "check".parse().expect("a query")),
            near: Some(*position),
            variations: number % 4 == 2,
            ..Question::default()
        };
        let nearest = |path: &std::path::Path| {
            let mut hits = Vec::new();
            let database = tabiya::open(path).expect("a database");
            let total = question.ask_nearest(&database, 7, |hit| {
                hits.push(hit);
                Ok::<_, Error>(())
            });
            (total.expect("an answer"), hits)
        };
        let (total, hits) = nearest(&store);
        assert_eq!(hits.len(), 7);
        assert_eq!((total, hits), nearest(&file), "{question:?}");
    }
}

fn all(question: &Question, path: &std::path::Path) -> Vec<Hit> {
    let mut hits = Vec::new();
    let database = tabiya::open(path).expect("a database");
    let total = question.ask(&database, |hit| {
        hits.push(hit);
        Ok::<_, Error>(())
    });
    assert_eq!(total.expect("an answer"), hits.len() as u64);
    hits
}
