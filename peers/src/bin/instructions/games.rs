//! The games through which the loops go, in files of the formats that are read.

use std::{fs, path::Path};

use tabiya::registry;
use tabiya_formats::{
    Destination, jose::Profile, pgn, registry::WriteOptions, stream::StreamCodec,
};
use tabiya_game::{
    CommentPlace, GameTree, Item, Losses,
    generate::{Generator, Options},
};

/// How many games there are.
const GAMES: u64 = 1_500;

/// Tournament games as PGN.
pub const TOURNAMENT: &str = "tournament.pgn";
/// The same with a comment after each move, as servers write them.
pub const COMMENTED: &str = "commented.pgn";
/// The tournament games as a ChessBase database.
pub const CHESSBASE: &str = "tournament.cbh";
/// The tournament games as a Scid database.
pub const SCID: &str = "tournament.si4";
/// The moves of each game as stored by jose's `store` profile, each with its length before it.
pub const STORED: &str = "stored.moves";

/// Makes all files in a folder.
///
/// # Panics
/// If there is no room.
pub fn make(folder: &Path) {
    let generator = Generator::new(Options {
        games: GAMES,
        book: true,
        ..Options::default()
    });
    let games: Vec<GameTree> = (0..GAMES).map(|index| generator.game(index)).collect();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("room");
    write(TOURNAMENT, &pgn_of(&games, pgn::WriteOptions::default()));
    let stored = games.iter().flat_map(|game| {
        let stream = stored(game);
        let length = u32::try_from(stream.len()).expect("a short game");
        length.to_le_bytes().into_iter().chain(stream)
    });
    write(STORED, &stored.collect::<Vec<u8>>());
    for name in [CHESSBASE, SCID] {
        database(&games, &folder.join(name));
    }
    let commented: Vec<GameTree> = games.into_iter().map(commented).collect();
    let one_line = pgn::WriteOptions {
        columns: None,
        ..pgn::WriteOptions::default()
    };
    write(COMMENTED, &pgn_of(&commented, one_line));
}

fn pgn_of(games: &[GameTree], options: pgn::WriteOptions) -> Vec<u8> {
    let mut writer = pgn::Writer::new(options);
    for game in games {
        game.tell(&mut writer);
    }
    writer.take()
}

/// A game with an evaluation and a clock after each move.
fn commented(mut game: GameTree) -> GameTree {
    let mut moves = 0u32;
    let mut items = Vec::with_capacity(2 * game.items.len());
    for item in game.items {
        let is_move = matches!(item, Item::Move(_));
        items.push(item);
        if is_move {
            moves += 1;
            let (eval, clock) = (moves * 37 % 500, 600 - moves);
            items.push(Item::Comment {
                place: CommentPlace::After,
                language: None,
                text: format!(
                    " [%eval {}.{:02}] [%clk 0:{:02}:{:02}] ",
                    eval / 100,
                    eval % 100,
                    clock / 60,
                    clock % 60
                ),
            });
        }
    }
    game.items = items;
    game
}

fn stored(game: &GameTree) -> Vec<u8> {
    let streams = Profile::Store.encode(game, &mut Losses::default());
    streams.expect("legal moves").main
}

/// The games in the format that the name of a file tells.
fn database(games: &[GameTree], path: &Path) {
    let profile = registry().by_path(path).expect("a known name");
    let options = WriteOptions::default();
    let mut writer = registry().writer(profile, &options).expect("it is written");
    let target = registry().target(profile, Destination::New(path), &options);
    let mut target = target.expect("room");
    for game in games {
        game.tell(&mut writer);
        target.add_written(&mut *writer).expect("room");
    }
    target.finish().expect("room");
}
