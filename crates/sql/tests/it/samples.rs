//! The sample games as a database, and odd ones beside them.

use std::path::PathBuf;

use tabiya::GameTree;
use tabiya_sql::Session;

use crate::room::{Room, append, sample, session};

/// The sample games, in the order of their numbers in the database.
pub const SAMPLES: [&str; 4] = ["annotated.pgn", "chess960.pgn", "famous.pgn", "setup.pgn"];

/// Games that few programs write: other rules, null moves, moves that are not legal, nothing at
/// all, forfeits, and a start with Black to move.
pub const ODD: &str = r#"[Event "Antichess"]
[White "Loser"]
[Black "Winner"]
[Date "2020.01.02"]
[Result "0-1"]
[Variant "Antichess"]

1. e3 b5 2. Bxb5 Nf6 3. Bxd7 Nbxd7 0-1

[Event "A null move"]
[Date "2021.??.??"]
[Result "*"]

1. e4 -- 2. d4 e5 *

[Event "Broken"]
[Date "2021.03.??"]
[Result "1-0"]

1. e4 e5 2. Ke3 Nc6 1-0

[Event "Nothing was played"]
[Date "????.??.??"]
[Result "+:-"]

*

[Event "Black to move"]
[Date "1999.12.31"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"]

40... Kd7 41. e4 1/2-1/2

[Event "En passant"]
[Result "1-0"]

1. e4 a6 2. e5 d5 3. exd6 1-0

[Event "Antichess from elsewhere"]
[Result "1-0"]
[Variant "Antichess"]
[SetUp "1"]
[FEN "8/8/8/8/8/p7/8/1K6 w - - 0 1"]

1. Ka2 1-0
"#;

/// The sample games.
pub fn games() -> Vec<GameTree> {
    let files = SAMPLES.into_iter().map(sample);
    let games = files.flat_map(|path| tabiya::open(path).expect("samples").games());
    games.map(|game| game.expect("a game")).collect()
}

/// A folder with the samples as a database, and the odd games.
pub struct Samples {
    // It is removed with the folder.
    _room: Room,
    pub database: PathBuf,
    pub odd: PathBuf,
}

impl Samples {
    pub fn new() -> Samples {
        let room = Room::new();
        let database = room.path("samples.tabiya");
        append(&database, &games());
        let odd = room.write("odd.pgn", ODD);
        Samples {
            _room: room,
            database,
            odd,
        }
    }

    /// A session whose `games` are the samples, and `odd.games` the others.
    pub async fn session(&self) -> Session {
        session([&self.database, &self.odd]).await
    }
}
