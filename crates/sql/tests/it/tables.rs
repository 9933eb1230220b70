//! What is in the tables, wherever games come from.

use std::path::Path;

use tabiya::GameTree;

use crate::room::{Room, ask, ask_sorted, cell, export, generated, sample, session};

/// Questions to both tables, which all inputs answer alike.
const QUESTIONS: [&str; 6] = [
    "SELECT white, black, result, date, white_rating, eco, ply_count, broken FROM games",
    "SELECT main_line, start, variant, signature FROM games",
    "SELECT id, moves FROM games",
    "SELECT key, game, ply, side, uci, san, material FROM positions",
    "SELECT * FROM players",
    "SELECT * FROM events",
];

fn convert(from: &Path, to: &Path) {
    tabiya::convert(from, to).run().expect("converted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_a_database_and_an_export_have_the_same_rows() {
    for name in ["famous.pgn", "setup.pgn", "chess960.pgn", "annotated.pgn"] {
        let room = Room::new();
        let (store, lake) = (room.path("games.tabiya"), room.path("lake"));
        convert(&sample(name), &store);
        export(&store, &lake);
        let file = session([sample(name)]).await;
        let store = session([store]).await;
        let lake = session([lake]).await;
        for question in QUESTIONS {
            let expected = ask_sorted(&file, question).await;
            assert!(
                !expected.is_empty() || question.contains("events"),
                "{name}: {question}"
            );
            let stored = ask_sorted(&store, question).await;
            assert_eq!(stored, expected, "database, {name}: {question}");
            let exported = ask_sorted(&lake, question).await;
            assert_eq!(exported, expected, "export, {name}: {question}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_games_never_appear_and_edited_ones_appear_edited() {
    let room = Room::new();
    let (path, games) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let rows = ask(
        &session,
        "SELECT id, white, black, ply_count FROM games ORDER BY id",
    )
    .await;
    let expected = |(index, game): (usize, &Option<GameTree>)| {
        let game = game.as_ref()?;
        let tag = |name: &str| game.tags.get(name).unwrap_or_default().to_owned();
        let plies = game.main_line().count();
        Some(vec![
            (index + 1).to_string(),
            tag("White"),
            tag("Black"),
            plies.to_string(),
        ])
    };
    let expected: Vec<Vec<String>> = games.iter().enumerate().filter_map(expected).collect();
    assert!(rows == expected);
    let count = cell(&session, "SELECT count(*) FROM positions").await;
    let plies: usize = games
        .iter()
        .flatten()
        .map(|game| game.main_line().count())
        .sum();
    assert_eq!(count, plies.to_string());
    let hidden = "SELECT count(*) FROM positions WHERE game IN (2, 420, 555)";
    assert_eq!(cell(&session, hidden).await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn players_and_events_are_summed_up() {
    let room = Room::new();
    let path = room.write(
        "games.pgn",
        "[Event \"Match\"]\n[Site \"Paris\"]\n[Date \"1858.10.??\"]\n[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2500\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
         [Event \"Match\"]\n[Site \"Paris\"]\n[Date \"1860.01.02\"]\n[White \"B\"]\n[Black \"A\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2600\"]\n[Result \"1/2-1/2\"]\n\n1. d4 1/2-1/2\n\n\
         [White \"A\"]\n[Black \"C\"]\n[Result \"*\"]\n\n1. c4 *\n\n\
         [Event \"?\"]\n[White \"C\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. f4 1-0\n",
    );
    let session = session([&path]).await;
    let players = ask(&session, "SELECT * FROM players ORDER BY name").await;
    assert_eq!(
        players,
        [
            ["A", "3", "2", "1", "1.5", "1858", "1860", "2600", ""],
            ["B", "2", "1", "1", "0.5", "1858", "1860", "2400", ""],
            ["C", "2", "1", "1", "1.0", "", "", "", ""],
        ]
    );
    let events = ask(&session, "SELECT * FROM events").await;
    assert_eq!(
        events,
        [["Match", "Paris", "2", "18581000", "18600102", "2500.0"]]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_read_as_often_as_it_is_asked() {
    let room = Room::new();
    let path = room.pgn("games.pgn", &generated(0..50));
    let session = session([&path]).await;
    for _ in 0..3 {
        assert_eq!(cell(&session, "SELECT count(*) FROM games").await, "50");
    }
    let both = "SELECT count(*) FROM games AS a JOIN positions AS p ON p.game = a.id";
    let plies: usize = generated(0..50)
        .iter()
        .map(|game| game.main_line().count())
        .sum();
    assert_eq!(cell(&session, both).await, plies.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_and_evaluations_are_numbers() {
    let room = Room::new();
    let pgn = "1. e4 { [%eval 0.17] [%clk 0:03:00] } e5 { [%eval #-3] } *\n";
    let path = room.write("games.pgn", pgn);
    let store = room.path("games.tabiya");
    convert(&path, &store);
    for input in [&path, &store] {
        let session = session([input]).await;
        let sql = "SELECT ply, clock, evaluation, mate FROM positions ORDER BY ply";
        let rows = ask(&session, sql).await;
        assert_eq!(rows, [["1", "180000", "17", ""], ["2", "", "", "-3"]]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_have_columns_under_their_own_names() {
    let room = Room::new();
    let path = room.write("games.pgn", "[Board \"7\"]\n[White \"A\"]\n\n1. e4 *\n");
    let session = session([&path]).await;
    assert_eq!(cell(&session, "SELECT \"Board\" FROM games").await, "7");
}

/// Tags whose names columns have already, or others but for case, are not lost.
#[tokio::test(flavor = "multi_thread")]
async fn tags_without_columns_are_beside_them_wherever_games_come_from() {
    let room = Room::new();
    let game = |tags: &str| format!("{tags}\n[White \"A\"]\n[Result \"*\"]\n\n1. e4 *\n\n");
    let tags = "[Variant \"Horde\"]\n[Kind \"odd\"]\n[board \"7\"]";
    let more = "[Board \"8\"]\n[Id \"9\"]\n[id \"x5\"]\n[main_line \"x6\"]";
    let pgn: String = (0..60).flat_map(|_| [game(tags), game(more)]).collect();
    let path = room.write("games.pgn", &pgn);
    let (store, lake) = (room.path("games.tabiya"), room.path("lake"));
    convert(&path, &store);
    export(&store, &lake);
    let sql = "SELECT other_tags, tag_order FROM games ORDER BY id";
    let file = ask(&session([&path]).await, sql).await;
    for word in ["Horde", "odd", "7", "9", "x5", "x6"] {
        let has = |row: &&Vec<String>| row[0].contains(word);
        assert_eq!(file.iter().filter(has).count(), 60, "{word}: {file:?}");
    }
    for input in [&path, &store, &lake] {
        let session = session([input]).await;
        assert_eq!(ask(&session, sql).await, file);
        // What is asked of them is asked of what they are in the table.
        for condition in [
            "other_tags LIKE '%Horde%'",
            "other_tags LIKE '%x6%' AND tag_order IS NOT NULL",
            "tag_order LIKE '%[\"Variant\"]%' OR other_tags LIKE '%Variant%'",
        ] {
            let count = format!("SELECT count(*) FROM games WHERE {condition}");
            let sure = format!("SELECT sum(CASE WHEN {condition} THEN 1 ELSE 0 END) FROM games");
            let (count, sure) = (ask(&session, &count).await, ask(&session, &sure).await);
            assert_eq!(count, sure, "{condition} in {}", input.display());
            assert_ne!(count[0][0], "0", "{condition}");
        }
    }
}
