//! What do a game's moves cost as bytes? Every profile with bare streams, beside aix's codecs and
//! gigachess's 16-bit words: bytes a ply, and the time to encode and to decode one.
//!
//! tabiya and aix hand out every move with its position when they decode; gigachess's trusted
//! replay plays without asking whether a move is legal.

#[path = "../oracle/games.rs"]
mod games;
#[path = "../oracle/words.rs"]
mod words;

use aix_chess_compression::{CompressionLevel, Decode, Decoder, Encode, EncodedGame, Encoder};
use shakmaty::{CastlingMode, Chess};
use tabiya_chess::{Action, Position};
use tabiya_formats::stream::{StreamCodec, Streams};
use tabiya_game::{Event, Flow, GameSink, GameTree, Item, Losses, Needs};
use tabiya_peers::contest::Contest;

const LEVELS: [(&str, CompressionLevel); 3] = [
    ("aix low", CompressionLevel::Low),
    ("aix medium", CompressionLevel::Medium),
    ("aix high", CompressionLevel::High),
];

fn main() {
    let Some(games) = games::load("twic-small") else {
        return;
    };
    let games: Vec<_> = games
        .into_iter()
        .filter(|game| game.start == Chess::default())
        .collect();
    let plies: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
    let ucis: Vec<Vec<String>> = games.iter().map(ucis).collect();
    let trees: Vec<GameTree> = ucis.iter().map(|ucis| tree(ucis)).collect();
    let words: Vec<Vec<u16>> = ucis.iter().map(|ucis| words::of_ucis(ucis)).collect();

    let codecs: Vec<(&'static str, &'static dyn StreamCodec)> = tabiya::registry()
        .profiles()
        .filter_map(|profile| {
            let name: &'static str = profile.to_string().leak();
            Some((name, profile.profile.stream()?))
        })
        .collect();
    let encoded: Vec<Vec<Streams>> = codecs
        .iter()
        .map(|(_, codec)| trees.iter().map(|tree| encode(*codec, tree)).collect())
        .collect();
    let aix: Vec<Vec<Vec<u8>>> = LEVELS
        .iter()
        .map(|(_, level)| {
            let bytes = |game| encode_aix(*level, game).into_bytes();
            games.iter().map(bytes).collect()
        })
        .collect();

    println!("bytes a ply ({plies} plies)");
    for ((name, _), games) in codecs.iter().zip(&encoded) {
        print_size(name, games.iter().map(|game| game.main.len()).sum(), plies);
    }
    for ((name, _), games) in LEVELS.iter().zip(&aix) {
        print_size(name, games.iter().map(Vec::len).sum(), plies);
    }
    print_size("gigachess words", 2 * plies as usize, plies);

    let mut contest = Contest::new("encode known moves", "ply", plies);
    for (name, codec) in &codecs {
        contest = contest.add_other(name, || sum(&trees, |tree| encode(*codec, tree).main.len()));
    }
    for (name, level) in LEVELS {
        let games = &games;
        contest = contest.add_other(name, move || {
            sum(games, |game| encode_aix(level, game).into_bytes().len())
        });
    }
    contest.run();

    let mut contest = Contest::new("decode to moves and positions", "ply", plies);
    for ((name, codec), games) in codecs.iter().zip(&encoded) {
        let start = Position::initial();
        contest = contest.add(name, move || {
            sum(games, |streams| {
                let mut counter = Counter::default();
                codec
                    .decode(streams, &start, &mut counter)
                    .expect("what was encoded");
                counter.plies
            })
        });
    }
    for ((name, _), games) in LEVELS.iter().zip(&aix) {
        contest = contest.add(name, || sum(games, |bytes| decode_aix(bytes)));
    }
    contest
        .add("gigachess words, trusted", || {
            sum(&words, |words| {
                let mut plies = 0;
                let start = gigachess::Board::startpos();
                gigachess::replay_moves2_trusted(&start, words, |_, ply| {
                    plies = usize::from(ply as u16);
                    gigachess::Flow::Continue
                });
                plies
            })
        })
        .run();
}

fn sum<T>(games: &[T], work: impl Fn(&T) -> usize) -> u64 {
    games.iter().map(|game| work(game) as u64).sum()
}

fn print_size(name: &str, bytes: usize, plies: u64) {
    println!("  {name:<28} {:>6.3}", bytes as f64 / plies as f64);
}

fn ucis(game: &games::Game) -> Vec<String> {
    let uci = |play: &shakmaty::Move| play.to_uci(CastlingMode::Chess960).to_string();
    game.moves.iter().map(uci).collect()
}

fn tree(ucis: &[String]) -> GameTree {
    let mut position = Position::initial();
    let mut tree = GameTree::default();
    for uci in ucis {
        match position.parse_uci(uci) {
            Ok(Action::Move(play)) => {
                position.play_unchecked(play);
                tree.items.push(Item::Move(play));
            }
            other => panic!("{uci}: {other:?}"),
        }
    }
    tree
}

fn encode(codec: &dyn StreamCodec, tree: &GameTree) -> Streams {
    let mut losses = Losses::default();
    codec.encode(tree, &mut losses).expect("a game of chess")
}

fn encode_aix(level: CompressionLevel, game: &games::Game) -> EncodedGame<'static> {
    let mut encoder = Encoder::new(level);
    for &play in &game.moves {
        encoder.encode_move(play).expect("a legal move");
    }
    encoder.finish()
}

fn decode_aix(bytes: &[u8]) -> usize {
    let game = EncodedGame::from_bytes(bytes).expect("what was encoded");
    let mut decoder = Decoder::new(&game);
    let mut plies = 0;
    while let Some(position) = decoder.next_position() {
        position.expect("what was encoded");
        plies += 1;
    }
    plies
}

/// Counts the moves it hears.
#[derive(Default)]
struct Counter {
    plies: usize,
}

impl GameSink for Counter {
    fn needs(&mut self) -> Needs {
        Needs::TAGS.moves(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Move { .. } = event {
            self.plies += 1;
        }
        Flow::Continue
    }
}
