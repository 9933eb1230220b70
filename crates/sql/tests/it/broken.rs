//! Files whose games are broken have the same games, whatever of them is asked.

use crate::room::{Room, ask, generated, session};

/// What is put into games to break them.
const PIECES: [&str; 16] = [
    "1-0 ",
    "0-1",
    "1/2-1/2 ",
    "* ",
    "(",
    ")",
    "{",
    "}",
    "\n\n",
    "1. e4 ",
    "[White \"x\"]\n",
    "\"",
    "\n",
    "%",
    ";",
    "1:0 ",
];

/// Numbers that are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        // Knuth's MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

fn broken(text: &str, dice: &mut Dice) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..1 + dice.below(30) {
        let at = dice.below(characters.len());
        match dice.below(3) {
            0 => drop(characters.remove(at)),
            _ => drop(characters.splice(at..at, PIECES[dice.below(PIECES.len())].chars())),
        }
    }
    characters.into_iter().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_counts_and_results_are_the_same_with_moves_and_without() {
    let room = Room::new();
    let whole = room.pgn("whole.pgn", &generated(0..8));
    let whole = std::fs::read_to_string(whole).expect("text");
    let mut dice = Dice(1);
    for round in 0..60 {
        let text = broken(&whole, &mut dice);
        let file = room.write("broken.pgn", &text);
        let session = session([&file]).await;
        let columns = "id, white, black, event, date, result, eco, other_tags, tag_order";
        let heads = ask(
            &session,
            &format!("SELECT {columns} FROM games ORDER BY id"),
        )
        .await;
        let sql = format!("SELECT {columns}, ply_count, main_line FROM games ORDER BY id");
        let mut games = ask(&session, &sql).await;
        for game in &mut games {
            game.truncate(heads[0].len());
        }
        assert!(heads == games, "{round}: {heads:?} {games:?}\n{text}");
        let counts = "SELECT (SELECT count(*) FROM games) AS a, \
                      (SELECT count(ply_count) FROM games) AS b, \
                      (SELECT count(*) FROM games WHERE ply_count > 0) AS c, \
                      (SELECT count(DISTINCT game) FROM positions) AS d";
        let counts = ask(&session, counts).await.remove(0);
        assert_eq!(counts[0], counts[1], "{round}: {text}");
        assert_eq!(counts[2], counts[3], "{round}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_those_of_a_database_of_the_same_games() {
    let room = Room::new();
    let text = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0 0-1\n\n\
                [White \"C\"]\n[Result \"*\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf71-0\n\n\
                [White \"E\"]\n[Result \"1/2-1/2\"]\n\n1. e4 1-0 e5 2. Nf3\n";
    let file = room.write("games.pgn", text);
    let store = room.path("games.tabiya");
    tabiya::convert(&file, &store).run().expect("converted");
    for sql in [
        "SELECT white, result FROM games ORDER BY id",
        "SELECT white, result, ply_count FROM games ORDER BY id",
    ] {
        let rows = ask(&session([&file]).await, sql).await;
        let results: Vec<&str> = rows.iter().map(|row| &*row[1]).collect();
        assert_eq!(results, ["1-0", "1-0", "1/2-1/2"]);
        assert_eq!(ask(&session([&store]).await, sql).await, rows);
    }
}
