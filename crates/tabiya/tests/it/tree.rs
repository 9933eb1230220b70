//! Trees, books and novelties against slow counts of their own, which know nothing of keys, sinks
//! or threads: they replay games and compare FENs.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use tabiya::{
    Action, Color, Filter, GameTree, Move, Open, Position, Variant,
    tree::{Book, BookWishes, Explorer, Node, NoveltyWishes, novelties},
};
use tabiya_formats::pgn::{WriteOptions, Writer};
use tabiya_game::generate::{Generator, Options};
use tempfile::TempDir;

use crate::data;

/// Positions are the same if their FENs are, without the clocks and with an en-passant square only
/// where the capture is legal.
fn fen(position: &Position) -> String {
    let mut setup = position.to_setup();
    setup.ep_square = position.ep_square_legal();
    let fen = setup.to_string();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

fn after(position: &Position, play: Move) -> Position {
    let mut after = *position;
    after.play_unchecked(play);
    after
}

/// The positions of a game, and the moves from them.
fn line(game: &GameTree) -> Vec<(Position, Option<Move>)> {
    let mut line = Vec::new();
    let mut last = game.start;
    for (before, action) in game.main_line() {
        let play = match action {
            Action::Move(play) => Some(play),
            Action::Null => None,
        };
        line.push((before, play));
        last = before;
        last.act(action);
    }
    line.push((last, None));
    line
}

/// What is played in a position: move, games that played it with their results, games that reached
/// the position after it.
fn slow(games: &[GameTree], position: &Position) -> BTreeMap<String, (u64, [u64; 4], u64)> {
    let wanted = fen(position);
    let mut counts: BTreeMap<String, (u64, [u64; 4], u64)> = BTreeMap::new();
    for game in games {
        let line = line(game);
        let places: BTreeSet<String> = line.iter().map(|(position, _)| fen(position)).collect();
        let here = line.iter().filter(|(position, _)| fen(position) == wanted);
        let played: BTreeSet<String> = here
            .filter_map(|(_, play)| play.map(|play| play.to_string()))
            .collect();
        let result = match game.result.token() {
            "1-0" => 0,
            "1/2-1/2" => 1,
            "0-1" => 2,
            _ => 3,
        };
        for &play in position.legal_moves().iter() {
            let name = play.to_string();
            let reached = places.contains(&fen(&after(position, play)));
            if reached {
                let count = counts.entry(name.clone()).or_default();
                count.2 += 1;
            }
            if played.contains(&name) {
                let count = counts.entry(name).or_default();
                count.0 += 1;
                count.1[result] += 1;
            }
        }
    }
    counts
}

fn told(node: &Node) -> BTreeMap<String, (u64, [u64; 4], u64)> {
    let twigs = node.moves.iter().map(|twig| {
        let played = &twig.branch.played;
        let results = [played.white, played.draws, played.black, played.unknown];
        let counts = (played.games(), results, twig.branch.reached);
        (twig.branch.play.to_string(), counts)
    });
    twigs.collect()
}

struct Room {
    _folder: TempDir,
    path: PathBuf,
    games: Vec<GameTree>,
}

impl Room {
    fn generated(options: Options) -> Room {
        let mut writer = Writer::new(WriteOptions::default());
        let mut generator = Generator::new(options);
        while generator.tell_game(&mut writer) {}
        Room::of(&writer.take())
    }

    fn of(pgn: &[u8]) -> Room {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, pgn).expect("a file");
        let games = tabiya::open(&path).expect("opened").games();
        Room {
            _folder: folder,
            games: games.collect::<Result<_, _>>().expect("games"),
            path,
        }
    }

    /// Positions of some games, some plies from the start.
    fn positions(&self) -> Vec<Position> {
        let mut positions = vec![Position::initial()];
        for (place, game) in self.games.iter().enumerate().step_by(7) {
            let line = line(game);
            let ply = (place * 5) % line.len().min(40);
            positions.push(line[ply].0);
        }
        positions
    }
}

fn grow(path: &Path, position: &Position, depth: u32, jobs: usize) -> Node {
    let how = Open::new().jobs(NonZeroUsize::new(jobs).expect("not 0"));
    let mut explorer = Explorer::new(position).depth(depth);
    explorer
        .add(&how.open(path).expect("opened"))
        .expect("games");
    explorer.finish().expect("a tree")
}

fn rooms() -> Vec<Room> {
    let book = Options {
        games: 150,
        seed: 11,
        book: true,
        ..Options::default()
    };
    let chess960 = Options {
        games: 60,
        seed: 12,
        chess960: true,
        variations: true,
        ..Options::default()
    };
    let samples = ["famous", "annotated", "setup", "chess960"].map(|name| {
        let path = format!("{}/../../samples/{name}.pgn", env!("CARGO_MANIFEST_DIR"));
        fs::read(path).expect("a sample")
    });
    vec![
        Room::generated(book),
        Room::generated(chess960),
        Room::of(&samples.concat()),
    ]
}

#[test]
fn a_tree_counts_what_a_slow_count_counts() {
    for room in rooms() {
        for position in room.positions() {
            let node = grow(&room.path, &position, 1, 2);
            assert_eq!(told(&node), slow(&room.games, &position), "{position}");
            let has = |game: &&GameTree| {
                let wanted = fen(&position);
                line(game).iter().any(|(there, _)| fen(there) == wanted)
            };
            let total = room.games.iter().filter(has).count();
            assert_eq!(node.total.games(), total as u64, "{position}");
        }
    }
}

fn each_node_is_as_alone(path: &Path, node: &Node, depth: u32) {
    let alone = grow(path, &node.position, 1, 2);
    assert_eq!(node.total, alone.total, "{}", node.position);
    let branches = |node: &Node| -> Vec<_> { node.moves.iter().map(|twig| twig.branch).collect() };
    assert_eq!(branches(node), branches(&alone), "{}", node.position);
    for twig in &node.moves {
        match &twig.next {
            Some(next) => each_node_is_as_alone(path, next, depth - 1),
            None => assert!(depth == 1 || twig.branch.played.games() == 0),
        }
    }
}

#[test]
fn every_node_of_a_deep_tree_is_as_if_asked_for_alone() {
    for room in rooms() {
        for position in room.positions().iter().step_by(9) {
            for depth in [2, 3] {
                let node = grow(&room.path, position, depth, 2);
                each_node_is_as_alone(&room.path, &node, depth);
            }
        }
    }
}

#[test]
fn castling_and_captures_on_the_way_are_near_enough() {
    // Both sides castle and capture within five plies of the position.
    let room = Room::of(
        b"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 5. Nxe5 Nxe4 6. d3 1-0\n\n\
          1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. Nxe5 O-O 5. O-O Nxe4 6. d4 0-1\n",
    );
    let start = line(&room.games[0])[6].0;
    let node = grow(&room.path, &start, 5, 1);
    each_node_is_as_alone(&room.path, &node, 5);
    let mut node = &node;
    for depth in (1..5).rev() {
        let twig = &node.moves[0];
        node = twig.next.as_ref().unwrap_or_else(|| panic!("{depth}"));
    }
    assert_eq!(node.total.games(), 2, "both orders lead to the same");
}

#[test]
fn the_number_of_threads_does_not_matter_and_databases_add_up() {
    let room = &rooms()[0];
    let one = grow(&room.path, &Position::initial(), 3, 1);
    assert_eq!(one, grow(&room.path, &Position::initial(), 3, 4));
    for depth in [1, 3] {
        let mut twice = Explorer::new(&Position::initial()).depth(depth);
        for _ in 0..2 {
            twice
                .add(&tabiya::open(&room.path).expect("opened"))
                .expect("games");
        }
        let twice = twice.finish().expect("a tree");
        assert_eq!(twice.total.games(), 2 * one.total.games());
        for (twig, once) in twice.moves.iter().zip(&one.moves) {
            assert_eq!(twig.branch.reached, 2 * once.branch.reached);
            assert_eq!(twig.branch.played.games(), 2 * once.branch.played.games());
        }
    }
}

#[test]
fn a_database_of_our_own_answers_as_a_file_does() {
    let room = &rooms()[0];
    let store = room.path.with_file_name("games.tabiya");
    tabiya::convert(&room.path, &store)
        .run()
        .expect("converted");
    for position in room.positions().iter().step_by(5) {
        assert_eq!(
            grow(&store, position, 2, 2),
            grow(&room.path, position, 2, 2)
        );
    }
}

/// Position, move, and points of the side that moves, as a book without a reader of ours has them.
fn read_book(bytes: &[u8]) -> Vec<(u64, u16, u16)> {
    assert!(bytes.len().is_multiple_of(16));
    let number = |bytes: &[u8]| bytes.iter().fold(0u64, |n, byte| n << 8 | u64::from(*byte));
    let entries: Vec<_> = bytes
        .chunks(16)
        .map(|entry| {
            assert_eq!(number(&entry[12..]), 0, "nothing was learnt");
            (
                number(&entry[..8]),
                number(&entry[8..10]) as u16,
                number(&entry[10..12]) as u16,
            )
        })
        .collect();
    assert!(entries.is_sorted_by_key(|(key, _, _)| *key));
    entries
}

fn slow_book(games: &[GameTree], wishes: &BookWishes) -> BTreeSet<(u64, u16, u16)> {
    let mut counts: HashMap<(u64, u16), (u64, u16)> = HashMap::new();
    for game in games {
        if game.start.variant() != Variant::Standard {
            continue;
        }
        let mut seen = BTreeSet::new();
        let line = line(game);
        for (before, play) in line.iter().take(wishes.max_ply as usize) {
            let (Some(play), true) = (play, wishes.side.is_none_or(|side| side == before.turn()))
            else {
                continue;
            };
            let (from, to) = (play.from().index() as u16, play.to().index() as u16);
            let roles = ["n", "b", "r", "q"];
            let letter = play.to_string().get(4..).unwrap_or("").to_string();
            let promotion = roles.iter().position(|role| *role == letter);
            let bits = promotion.map_or(0, |place| place as u16 + 1) << 12 | from << 6 | to;
            if !seen.insert((before.key().0, bits)) {
                continue;
            }
            let points = match (game.result.token(), before.turn()) {
                ("1-0", Color::White) | ("0-1", Color::Black) => 2,
                ("1/2-1/2", _) => 1,
                _ => 0,
            };
            let count = counts.entry((before.key().0, bits)).or_default();
            *count = (count.0 + 1, count.1 + points);
        }
    }
    let enough = counts
        .into_iter()
        .filter(|(_, (games, points))| *games >= wishes.min_games && *points > 0);
    enough
        .map(|((key, bits), (_, points))| (key, bits, points))
        .collect()
}

#[test]
fn a_book_has_what_a_slow_count_has() {
    for room in rooms() {
        for (min_games, max_ply, side) in [
            (1, 60, None),
            (3, 20, None),
            (2, 12, Some(Color::White)),
            (1, 1, None),
            (2, 9, Some(Color::Black)),
        ] {
            let wishes = BookWishes {
                min_games,
                max_ply,
                side,
                from: None,
            };
            let database = tabiya::open(&room.path).expect("opened");
            let book = Book::of(&[database], &wishes).expect("a book");
            let mut bytes = Vec::new();
            book.write(&mut bytes).expect("written");
            let entries = read_book(&bytes);
            let slow = slow_book(&room.games, &wishes);
            assert_eq!(entries.len(), slow.len());
            assert_eq!(entries.into_iter().collect::<BTreeSet<_>>(), slow);
        }
    }
}

#[test]
fn a_book_begins_where_it_is_asked_to() {
    let room = Room::of(b"1. e4 e5 2. Nf3 1-0\n\n1. d4 d5 2. c4 1-0\n");
    let wishes = BookWishes {
        min_games: 1,
        from: Some(line(&room.games[0])[1].0),
        side: Some(Color::White),
        ..BookWishes::default()
    };
    let database = tabiya::open(&room.path).expect("opened");
    let book = Book::of(&[database], &wishes).expect("a book");
    let moves: Vec<_> = book.entries().iter().map(|e| e.play.to_string()).collect();
    assert_eq!(moves, ["g1f3"]);
}

/// For each wanted game: its number, the ply of its novelty, earlier games of the position before.
fn slow_novelties(games: &[GameTree], wishes: &NoveltyWishes) -> Vec<(u64, u32, u64)> {
    let date = |game: &GameTree| game.tags.date().unwrap_or_default();
    let fens: Vec<Vec<String>> = games
        .iter()
        .map(|game| {
            let whole = line(game);
            let end = whole.iter().position(|(_, play)| play.is_none());
            let last = end.unwrap_or(0).min(wishes.max_ply as usize);
            whole[..=last].iter().map(|(there, _)| fen(there)).collect()
        })
        .collect();
    let mut found = Vec::new();
    for (place, game) in games.iter().enumerate() {
        if !wishes.filter.accepts_tags(&game.tags) {
            continue;
        }
        let earlier = |other: &usize| (date(&games[*other]), *other) < (date(game), place);
        let earlier: Vec<usize> = (0..games.len()).filter(earlier).collect();
        let known = |fen: &String| earlier.iter().filter(|&&o| fens[o].contains(fen)).count();
        let from = match &wishes.from {
            None => Some(0),
            Some(from) => fens[place].iter().position(|there| *there == fen(from)),
        };
        let Some(from) = from else { continue };
        let new = (from + 1..fens[place].len()).find(|&ply| {
            known(&fens[place][ply]) == 0 && !fens[place][..ply].contains(&fens[place][ply])
        });
        if let Some(ply) = new {
            let before = known(&fens[place][ply - 1]) as u64;
            if before >= wishes.min_games {
                found.push((game.place.number, ply as u32, before));
            }
        }
    }
    found
}

#[test]
fn novelties_are_those_of_a_slow_count() {
    for room in rooms() {
        let since = Filter {
            since: "1950".parse().ok(),
            ..Filter::default()
        };
        let from = room
            .games
            .iter()
            .map(|game| line(game)[1.min(line(game).len() - 1)].0);
        for wishes in [
            NoveltyWishes::default(),
            NoveltyWishes {
                filter: since,
                min_games: 2,
                ..NoveltyWishes::default()
            },
            NoveltyWishes {
                max_ply: 3,
                min_games: 0,
                from: from.clone().next(),
                ..NoveltyWishes::default()
            },
        ] {
            let database = tabiya::open(&room.path).expect("opened");
            let found = novelties(&[database], &wishes).expect("novelties");
            let told: Vec<_> = found
                .list
                .iter()
                .map(|novelty| (novelty.number, novelty.ply, novelty.earlier))
                .collect();
            assert_eq!(told, slow_novelties(&room.games, &wishes));
            for novelty in &found.list {
                assert!(novelty.before.legal_moves().contains(&novelty.play));
            }
        }
    }
}

#[test]
fn another_order_of_moves_is_no_novelty() {
    let games = "[Date \"2001.01.01\"]\n\n1. d4 Nf6 2. c4 e6 3. Nc3 *\n\n\
        [Date \"2001.01.01\"]\n\n1. d4 e6 2. c4 Nf6 3. Nf3 *\n\n\
        [Date \"2002\"]\n\n1. d4 e6 2. c4 Nf6 3. Nf3 *\n\n\
        [Date \"1999\"]\n\n1. e4 *\n";
    let room = Room::of(games.as_bytes());
    let database = tabiya::open(&room.path).expect("opened");
    let found = novelties(&[database], &NoveltyWishes::default()).expect("novelties");
    let told: Vec<_> = found
        .list
        .iter()
        .map(|n| (n.number, n.ply, n.earlier))
        .collect();
    // The first is the first to play 1. d4 in a known position: the game of 1999 had the start. The
    // second leaves it at 1... e6, for the position after 2. c4 Nf6 comes later. The third repeats.
    assert_eq!(told, [(1, 1, 1), (2, 2, 1)]);
    assert_eq!((found.games, found.without), (4, 1));
}

#[test]
#[ignore = "reads real games"]
fn real_games_are_counted_as_slowly() {
    let Some(path) = data::find("pgn/twic-small.pgn.zst") else {
        return;
    };
    let games = tabiya::open(&path).expect("opened").games();
    let games: Vec<GameTree> = games.take(1500).collect::<Result<_, _>>().expect("games");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.si5");
    let mut some = tabiya::create(&path).expect("begun");
    for game in &games {
        some.add(game).expect("added");
    }
    some.finish().expect("written");
    for place in [3, 500, 1200] {
        for ply in [0, 2, 6, 11, 25] {
            let line = line(&games[place]);
            let position = line[ply.min(line.len() - 1)].0;
            let node = grow(&path, &position, 1, 2);
            assert_eq!(told(&node), slow(&games, &position), "{position}");
        }
    }
    let node = grow(&path, &line(&games[3])[4].0, 3, 2);
    each_node_is_as_alone(&path, &node, 3);
}

#[test]
fn a_deep_tree_of_an_index_is_that_of_the_games() {
    let book = |games, seed| {
        let book = true;
        Room::generated(Options {
            games,
            seed,
            book,
            ..Options::default()
        })
    };
    // As many games as make positions cheaper to ask for than to hear, down to some depth.
    let (one, other) = (book(700, 21), book(200, 22));
    let store = one.path.with_file_name("games.tabiya");
    let converted = tabiya::convert(&one.path, &store).run();
    converted.expect("converted");
    let filter = Filter {
        result: Some(tabiya::GameResult::WhiteWins),
        ..Filter::default()
    };
    let grown = |first: &Path, with_other: bool, depth: u32, min_games: u64, filter: &Filter| {
        let explorer = Explorer::new(&Position::initial());
        let mut explorer = explorer.depth(depth).min_games(min_games);
        let mut paths = vec![first];
        paths.extend(with_other.then_some(&*other.path));
        for path in paths {
            let database = tabiya::open(path).expect("opened");
            explorer
                .add(&database.filter(filter.clone()))
                .expect("games");
        }
        explorer.finish().expect("a tree")
    };
    for (depth, min_games) in [(2, 1), (3, 1), (6, 40), (12, 100), (4, 1)] {
        for with_other in [false, true] {
            for filter in [&Filter::default(), &filter] {
                let games = grown(&one.path, with_other, depth, min_games, filter);
                let index = grown(&store, with_other, depth, min_games, filter);
                assert!(
                    games == index,
                    "{depth} {min_games} {with_other} {filter:?}"
                );
            }
        }
    }
}
