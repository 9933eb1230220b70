//! Where games leave a repertoire, against a slow look at FENs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use tabiya::{
    Color, Error, Filter, GameTree, Item, Position,
    repertoire::{Ending, Followed, Repertoire, Summary},
};
use tabiya_formats::pgn::Writer;
use tabiya_game::generate::{Generator, Options};
use tempfile::TempDir;

struct Room(TempDir);

impl Room {
    fn new() -> Room {
        Room(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).expect("written");
        path
    }

    fn repertoire(&self, text: &str) -> Repertoire {
        let path = self.file("mine.pgn", text);
        Repertoire::read(&tabiya::open(path).expect("opened")).expect("a repertoire")
    }

    fn follow(&self, repertoire: &Repertoire, side: Color, games: &str) -> Vec<Followed> {
        let path = self.file("games.pgn", games);
        follow(repertoire, side, &path)
    }
}

fn follow(repertoire: &Repertoire, side: Color, path: &PathBuf) -> Vec<Followed> {
    let mut found = Vec::new();
    let database = tabiya::open(path).expect("opened");
    let each = |game| {
        found.push(game);
        Ok::<_, Error>(())
    };
    repertoire
        .follow(side, &database, &Filter::default(), each)
        .expect("read");
    found
}

/// Number, plies, ending, and what was played instead.
fn facts(games: &[Followed]) -> Vec<(u64, u32, Ending, String)> {
    let fact = |game: &Followed| {
        let san = game.played.map(|play| game.position.san(play).to_string());
        (
            game.number,
            game.plies,
            game.ending,
            san.unwrap_or_default(),
        )
    };
    games.iter().map(fact).collect()
}

const MINE: &str =
    "1. e4 e5 (1... c5 2. c3 d5 (2... Nf6 3. e5)) 2. Nf3 Nc6 3. Bb5 *\n\n1. e4 e6 *\n";

#[test]
fn each_game_says_who_left_first_and_how() {
    let room = Room::new();
    let mine = room.repertoire(MINE);
    assert_eq!(mine.side(), Some(Color::White));
    let games = room.follow(
        &mine,
        Color::White,
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. e4 c5 2. Nf3 *\n\n1. e4 c5 2. c3 e6 *\n\n\
         1. e4 e5 *\n\n1. e4 e6 2. d4 *\n\n1. d4 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n",
    );
    let expected = [
        (1, 5, Ending::Line, "a6".to_string()),
        (2, 2, Ending::Me, "Nf3".to_string()),
        (3, 3, Ending::Opponent, "e6".to_string()),
        (4, 2, Ending::Game, String::new()),
        (5, 2, Ending::Line, "d4".to_string()),
        (6, 0, Ending::Me, "d4".to_string()),
        (7, 5, Ending::Line, String::new()),
    ];
    assert_eq!(facts(&games), expected);
    let follows: Vec<u64> = games
        .iter()
        .filter(|game| game.follows())
        .map(|game| game.number)
        .collect();
    assert_eq!(follows, [1, 3, 4, 5, 7]);
}

#[test]
fn another_order_of_moves_is_no_departure() {
    let room = Room::new();
    let mine = room.repertoire("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Qc2 *\n");
    let games = room.follow(
        &mine,
        Color::White,
        "1. c4 e6 2. Nc3 Nf6 3. d4 Bb4 4. e3 *\n",
    );
    assert_eq!(facts(&games), [(1, 6, Ending::Me, "e3".to_string())]);
}

#[test]
fn the_opponents_first_move_may_be_the_gap() {
    let room = Room::new();
    let mine = room.repertoire("1. e4 e5 2. Nf3 (2. Bc4 Nf6) Nc6 *\n");
    assert_eq!(mine.side(), Some(Color::Black));
    let games = room.follow(
        &mine,
        Color::Black,
        "1. d4 d5 *\n\n1. d4 Nf6 *\n\n1. e4 e5 2. f4 *\n",
    );
    let mut summary = Summary::new(&mine, Color::Black);
    games.iter().for_each(|game| summary.add(game));
    assert_eq!(summary.left_by_opponent, 3);
    // Nothing of the repertoire was played in the first two.
    assert_eq!(summary.follow.games(), 1);
    let gaps: Vec<_> = summary
        .gaps()
        .into_iter()
        .map(|gap| (gap.line, gap.games.games()))
        .collect();
    assert_eq!(
        gaps,
        [("1. d4".to_string(), 2), ("1. e4 e5 2. f4".to_string(), 1)]
    );
}

#[test]
fn a_move_that_the_repertoire_names_may_have_no_answer() {
    let room = Room::new();
    let mine = room.repertoire(MINE);
    let games = room.follow(
        &mine,
        Color::White,
        "1. e4 e6 2. d4 1-0\n\n1. e4 e6 1-0\n\n1. e4 d5 0-1\n\n1. e4 c5 2. d4 *\n",
    );
    let mut summary = Summary::new(&mine, Color::White);
    games.iter().for_each(|game| summary.add(game));
    let gaps = summary.gaps();
    assert_eq!(
        (gaps[0].line.as_str(), gaps[0].is_known),
        ("1. e4 e6", true)
    );
    assert_eq!((gaps[0].games.games(), gaps[0].games.white), (2, 2));
    assert_eq!(
        (gaps[1].line.as_str(), gaps[1].is_known),
        ("1. e4 d5", false)
    );
    let slips = summary.slips();
    assert_eq!(slips.len(), 1);
    assert_eq!(
        (slips[0].line.as_str(), slips[0].played.as_str()),
        ("1. e4 c5", "d4")
    );
    assert_eq!(slips[0].expected, ["c3"]);
    assert_eq!(summary.mean_plies(), Some(5.0 / 3.0));
}

#[test]
fn what_is_no_repertoire_is_refused() {
    let room = Room::new();
    let path = room.file("empty.pgn", "*\n");
    let error = Repertoire::read(&tabiya::open(path).expect("opened")).unwrap_err();
    assert!(error.to_string().contains("no moves"), "{error}");
    let mine = room.repertoire("1. e4 e5 2. Nf3 *\n");
    assert_eq!(mine.side(), None, "one line is anybody's");
}

#[test]
fn null_moves_end_a_line_and_a_game() {
    let room = Room::new();
    let mine = room.repertoire("1. e4 -- (1... c5 2. c3) 2. d4 *\n");
    let games = room.follow(
        &mine,
        Color::White,
        "1. e4 c5 2. -- d5 3. c3 *\n\n1. e4 c5 2. c3 *\n",
    );
    let expected = [
        (1, 2, Ending::Game, String::new()),
        (2, 3, Ending::Line, String::new()),
    ];
    assert_eq!(facts(&games), expected);
}

/// Positions are the same if their FENs are, without the clocks and with an en-passant square only
/// where the capture is legal.
fn fen(position: &Position) -> String {
    let mut setup = position.to_setup();
    setup.ep_square = position.ep_square_legal();
    let fen = setup.to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Every position of a repertoire with its moves, from a walk through its items.
fn slow_repertoire(games: &[GameTree]) -> BTreeMap<String, BTreeSet<String>> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for game in games {
        let mut here = (game.start, game.start);
        let mut left = Vec::new();
        known.entry(fen(&here.0)).or_default();
        for item in &game.items {
            match item {
                Item::Move(play) => {
                    known
                        .entry(fen(&here.0))
                        .or_default()
                        .insert(play.to_string());
                    let before = here.0;
                    here.0.play_unchecked(*play);
                    here.1 = before;
                    known.entry(fen(&here.0)).or_default();
                }
                Item::VariationStart => {
                    left.push(here);
                    here.0 = here.1;
                }
                Item::VariationEnd => here = left.pop().expect("a line was left"),
                _ => {}
            }
        }
    }
    known
}

#[test]
fn generated_games_leave_where_a_slow_look_says() {
    let generator = Generator::new(Options {
        games: 400,
        plies: 10..=50,
        book: true,
        ..Options::default()
    });
    let room = Room::new();
    let all: Vec<GameTree> = (0..400).map(|number| generator.game(number)).collect();
    let text = |games: &[GameTree]| {
        let mut writer = Writer::default();
        games.iter().for_each(|game| {
            game.tell(&mut writer);
        });
        writer.take()
    };
    let (mine, games) = all.split_at(40);
    let path = room.file("mine.pgn", text(mine));
    let repertoire = Repertoire::read(&tabiya::open(&path).expect("opened")).expect("read");
    let known = slow_repertoire(mine);
    assert_eq!(repertoire.positions(), known.len());
    for side in [Color::White, Color::Black] {
        let path = room.file("games.pgn", text(games));
        let found = follow(&repertoire, side, &path);
        assert_eq!(found.len(), games.len());
        for (game, found) in games.iter().zip(&found) {
            let mut position = game.start;
            let mut last = (0, position, None);
            for (ply, (before, action)) in (1..).zip(game.main_line()) {
                if known.contains_key(&fen(&before)) {
                    last = (ply - 1, before, action.to_move());
                }
                position = before;
                position.act(action);
                if known.contains_key(&fen(&position)) {
                    last = (ply, position, None);
                }
            }
            let (plies, at, played) = last;
            let ending = match played {
                _ if known[&fen(&at)].is_empty() => Ending::Line,
                None => Ending::Game,
                Some(_) if at.turn() == side => Ending::Me,
                Some(_) => Ending::Opponent,
            };
            assert_eq!(
                (found.plies, found.ending, found.played),
                (plies, ending, played)
            );
        }
    }
}
