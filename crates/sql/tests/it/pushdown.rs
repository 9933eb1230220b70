//! What is not looked at: each by the plan, and by the same answer as without.

use std::{collections::BTreeMap, num::NonZeroUsize};

use tabiya::{
    GameTree, Position,
    search::{self, Exact, Question},
    store::{How, Store},
};
use tabiya_sql::{Options, Session};

use crate::room::{Room, analyze, append, ask, ask_sorted, cell, explain, generated, session};

/// Asks twice: as it is, and with the condition in a form that nobody but DataFusion understands.
async fn both(
    session: &Session,
    select: &str,
    condition: &str,
) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let plain = ask_sorted(session, &format!("{select} WHERE {condition}")).await;
    let slow = format!(
        "{select} WHERE random() < 2 AND CASE WHEN random() > 2 THEN false WHEN {condition} THEN true ELSE false END"
    );
    (plain, ask_sorted(session, &slow).await)
}

/// The number that stands behind some words.
fn number(text: &str, words: &str) -> u64 {
    let at = text
        .find(words)
        .unwrap_or_else(|| panic!("no {words:?} in {text}"));
    let digits = text[at + words.len()..]
        .chars()
        .take_while(char::is_ascii_digit);
    digits
        .collect::<String>()
        .parse()
        .unwrap_or_else(|_| panic!("no number in {text}"))
}

/// All numbers that stand behind some words.
fn sum(text: &str, words: &str) -> u64 {
    let parts = text.split(words).skip(1);
    let digits = parts.map(|part| {
        part.chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
    });
    digits.filter_map(|digits| digits.parse::<u64>().ok()).sum()
}

/// A position that several games have, and one that a single game has.
fn positions(games: &[Option<GameTree>]) -> (Position, Position) {
    let mut seen: BTreeMap<String, (u32, Position)> = BTreeMap::new();
    for game in games.iter().flatten() {
        let mut own = std::collections::BTreeSet::new();
        for (before, _) in game.main_line().skip(1) {
            let fen = before.to_setup().to_string();
            if own.insert(fen.clone()) {
                seen.entry(fen).or_insert((0, before)).0 += 1;
            }
        }
    }
    let common = seen.values().rfind(|(count, _)| (5..50).contains(count));
    let rare = seen.values().filter(|(count, _)| *count == 1).nth(1_000);
    (common.expect("a common one").1, rare.expect("a rare one").1)
}

fn fen(position: &Position) -> String {
    position.to_setup().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn reaches_is_answered_by_the_index() {
    let room = Room::new();
    let (path, games) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let (common, rare) = positions(&games);
    for position in [Position::initial(), common, rare] {
        let condition = format!("reaches(moves, '{}')", fen(&position));
        let (plain, slow) = both(&session, "SELECT id, white, date FROM games", &condition).await;
        assert!(!plain.is_empty());
        assert_eq!(plain, slow, "{condition}");
        let plan = explain(
            &session,
            &format!("SELECT white FROM games WHERE {condition}"),
        )
        .await;
        assert_eq!(number(&plan, "index: "), plain.len() as u64, "{plan}");
        // The moves are not even read.
        assert!(plan.contains("columns=[white]"), "{plan}");
        assert!(!plan.contains("FilterExec"), "{plan}");
        let count = cell(
            &session,
            &format!("SELECT count(*) FROM games WHERE {condition}"),
        )
        .await;
        assert_eq!(count, plain.len().to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ply_that_is_compared_is_looked_for_only_where_the_index_says() {
    let room = Room::new();
    let (path, games) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let (common, _) = positions(&games);
    for comparison in ["< 9", "IS NOT NULL", "= 5", "> 100"] {
        let condition = format!("ply_of(moves, '{}') {comparison}", fen(&common));
        let (plain, slow) = both(&session, "SELECT id FROM games", &condition).await;
        assert_eq!(plain, slow, "{condition}");
        let plan = explain(&session, &format!("SELECT id FROM games WHERE {condition}")).await;
        assert!(plan.contains("index: "), "{plan}");
    }
    let missing = format!("ply_of(moves, '{}') IS NULL", fen(&common));
    let (plain, slow) = both(&session, "SELECT id FROM games", &missing).await;
    assert_eq!(plain, slow);
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_is_answered_by_signatures_and_the_replay() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    for pattern in ["mate", "material(Q=0 q=0)", "pattern(Pe4 pe5)"] {
        let condition = format!("matches(moves, '{pattern}')");
        let (plain, slow) = both(&session, "SELECT id FROM games", &condition).await;
        assert_eq!(plain, slow, "{condition}");
        let plan = explain(&session, &format!("SELECT id FROM games WHERE {condition}")).await;
        assert!(plan.contains("search: "), "{plan}");
        assert!(plan.contains("columns=[id]"), "{plan}");
        let store = Store::open(&path).unwrap();
        let hits = search::find(&store, &pattern.parse().unwrap(), &How::default()).unwrap();
        assert_eq!(plain.len(), hits.len(), "{pattern}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_a_key_are_found_by_the_index() {
    let room = Room::new();
    let (path, games) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let (common, rare) = positions(&games);
    for position in [Position::initial(), common, rare] {
        let key = Exact::key(&position).0.cast_signed();
        let condition = format!("key = {key}");
        let select = "SELECT game, ply, uci, san, side FROM positions";
        let (plain, slow) = both(&session, select, &condition).await;
        assert!(!plain.is_empty());
        assert_eq!(plain, slow, "{condition}");
        let sql = format!("SELECT uci FROM positions WHERE {condition}");
        let plan = explain(&session, &sql).await;
        assert!(number(&plan, "index: ") >= plain.len() as u64, "{plan}");
        assert!(
            number(&plan, "index: ") < 697 || position == Position::initial(),
            "{plan}"
        );
        let read = sum(&analyze(&session, &sql).await, "games_read=");
        assert_eq!(read, number(&plan, "index: "));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_come_from_fens_too() {
    let room = Room::new();
    let (path, games) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let (common, _) = positions(&games);
    let sql = format!(
        "SELECT count(*) FROM positions WHERE key = position_key('{}')",
        fen(&common)
    );
    assert!(explain(&session, &sql).await.contains("index: "));
    let key = Exact::key(&common).0.cast_signed();
    let plain = format!("SELECT count(*) FROM positions WHERE key = {key}");
    assert_eq!(cell(&session, &sql).await, cell(&session, &plain).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_plies_and_games_that_are_asked_for_are_replayed() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    for condition in [
        "ply <= 10",
        "ply = 3",
        "ply BETWEEN 5 AND 8",
        "ply > 40",
        "ply < 0",
        "game = 5",
        "game IN (3, 4, 5, 420, 9999)",
        "game > 690 AND ply = 1",
        "game = 1 OR game = 7",
    ] {
        let (plain, slow) = both(
            &session,
            "SELECT game, ply, uci, key FROM positions",
            condition,
        )
        .await;
        assert_eq!(plain, slow, "{condition}");
    }
    let read = |text: String| sum(&text, "games_read=");
    let one = analyze(&session, "SELECT uci FROM positions WHERE game = 5").await;
    assert_eq!(read(one), 1);
    let plan = explain(&session, "SELECT uci FROM positions WHERE ply <= 10").await;
    assert!(plan.contains("plies=1..=10"), "{plan}");
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_on_headers_leave_out_blocks_and_rows() {
    let room = Room::new();
    let path = room.path("games.tabiya");
    // Segments that are not merged: dates grow from one to the next.
    for year in [1990, 2000, 2010] {
        let mut games = generated(0..200);
        for (index, game) in games.iter_mut().enumerate() {
            game.tags
                .set("Date", format!("{year}.01.{:02}", index % 28 + 1));
            game.tags
                .set("White", format!("Player {}", year + index % 10));
            if index % 3 == 0 {
                let others = game.tags.clone();
                game.tags.clear();
                for (name, value) in others.iter().filter(|(name, _)| *name != "WhiteElo") {
                    game.tags.push(name, value);
                }
            }
        }
        append(&path, &games);
    }
    let session = session([&path]).await;
    for (condition, blocks) in [
        ("date > 20050000", Some(1)),
        ("date BETWEEN 20000101 AND 20000103", Some(1)),
        ("date < 19000000", Some(0)),
        ("white = 'Player 2003'", Some(1)),
        ("white IN ('Player 1990', 'Player 2010')", Some(2)),
        ("white LIKE '%201%'", Some(1)),
        ("lower(white) = 'player 1995'", Some(1)),
        ("white = 'nobody'", Some(0)),
        ("white IS NULL", None),
        ("white_rating IS NULL", Some(3)),
        ("white_rating > 2000 AND black_rating < 2000", None),
        ("white_rating > black_rating", Some(3)),
        ("white = 'Player 2003' OR date < 19900110", Some(3)),
        ("white NOT LIKE '%199%' AND date > 19900000", Some(2)),
    ] {
        let (plain, slow) = both(&session, "SELECT id, white, date FROM games", condition).await;
        assert_eq!(plain, slow, "{condition}");
        let sql = format!("SELECT id, moves FROM games WHERE {condition}");
        let plan = explain(&session, &sql).await;
        if let Some(blocks) = blocks {
            assert_eq!(number(&plan, "blocks="), blocks, "{condition}: {plan}");
        }
        // Nothing else is read of rows that do not pass.
        let read = sum(&analyze(&session, &sql).await, "games_read=");
        assert_eq!(read, plain.len() as u64, "{condition}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_join_only_games_that_have_partners_are_replayed() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let name = cell(&session, "SELECT max(white) FROM games").await;
    let sql = format!(
        "SELECT game, ply, san FROM positions JOIN games ON game = id WHERE white = '{name}'"
    );
    let own = cell(
        &session,
        &format!("SELECT count(*) FROM games WHERE white = '{name}'"),
    )
    .await;
    let slow = format!(
        "SELECT game, ply, san FROM positions WHERE game + random() * 0 IN (SELECT id FROM games WHERE white = '{name}')"
    );
    assert_eq!(
        ask_sorted(&session, &sql).await,
        ask_sorted(&session, &slow).await
    );
    let plan = analyze(&session, &sql).await;
    let scan = plan
        .lines()
        .find(|line| line.contains("StoreScan: positions"));
    let read = sum(scan.expect("a scan"), "games_read=");
    assert_eq!(read.to_string(), own, "{plan}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_stops_reading() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let pgn = room.pgn("games.pgn", &generated(0..30));
    let stored = session([&path]).await;
    let rows = ask(&stored, "SELECT id FROM games LIMIT 5").await;
    assert_eq!(rows.concat(), ["1", "3", "4", "5", "6"]);
    // An edited entry stands behind the others.
    let sql = "SELECT id FROM games WHERE id IN (5, 6, 7, 8, 699) LIMIT 4";
    assert_eq!(ask(&stored, sql).await.concat(), ["5", "6", "8", "7"]);
    let plan = analyze(&stored, "SELECT id, moves FROM games LIMIT 5").await;
    assert_eq!(sum(&plan, "games_read="), 5, "{plan}");
    let plan = analyze(&stored, "SELECT uci FROM positions LIMIT 5").await;
    assert!(sum(&plan, "games_read=") <= 128, "{plan}");
    let told = session([&pgn]).await;
    let rows = ask(&told, "SELECT id FROM games LIMIT 5").await;
    assert_eq!(rows.concat(), ["1", "2", "3", "4", "5"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_is_filled_where_headers_and_moves_are_asked_for() {
    let room = Room::new();
    // More games than are looked at first, and those that are wanted behind them.
    let games = (1..=6_000).map(|number| {
        let white = match number {
            5_000.. => "Late",
            _ => "Early",
        };
        format!("[White \"{white}\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *\n\n")
    });
    let pgn = room.write("games.pgn", &games.collect::<String>());
    let path = room.path("games.tabiya");
    let converted = tabiya::convert(&pgn, &path).run().expect("a database");
    assert_eq!(converted.counts.written, 6_000);
    let session = session([&path]).await;
    for asked in [
        "matches(moves, 'check')",
        "matches(moves, 'check') AND matches(moves, 'pattern(Qf7)')",
    ] {
        let sql = format!("SELECT id FROM games WHERE {asked} AND white = 'Late' LIMIT 3");
        let rows = ask(&session, &sql).await;
        assert_eq!(rows.concat(), ["5000", "5001", "5002"], "{asked}");
        // Nobody looks at the moves of the others.
        let searched = sum(&analyze(&session, &sql).await, "games_searched=");
        assert!(searched <= 1_001, "{asked}: {searched}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_is_kept_and_filled_where_several_read() {
    let room = Room::new();
    let path = room.path("games.tabiya");
    // Three segments of two blocks and more each: the limit is more than a block has.
    for segment in 0..3 {
        let games = (0..10_000).map(|number| {
            let last = ["Qh5", "Nf3"][number % 2];
            format!("[White \"{segment}\"]\n\n1. e4 e5 2. {last} *\n\n")
        });
        let pgn = room.write("games.pgn", &games.collect::<String>());
        let conversion = tabiya::convert(&pgn, &path).append(segment > 0);
        assert_eq!(conversion.run().expect("games").counts.written, 10_000);
    }
    Store::open(&path).unwrap().mark(&[2, 9_999], true).unwrap();
    let session = session([&path]).await;
    let queen = "matches(moves, 'pattern(Qh5)')";
    for (asked, there) in [
        ("true".to_owned(), 29_998),
        (queen.to_owned(), 14_999),
        (format!("{queen} AND white = '2'"), 5_000),
        (format!("{queen} AND white <> '1'"), 9_999),
    ] {
        for (limit, offset) in [(9_000, 0), (9_000, 100), (29_000, 0), (20_000, 9_000)] {
            let sql = format!("SELECT id FROM games WHERE {asked} LIMIT {limit} OFFSET {offset}");
            let mut rows = ask(&session, &sql).await;
            let expected = usize::min(limit, usize::saturating_sub(there, offset));
            assert_eq!(rows.len(), expected, "{sql}");
            rows.sort();
            rows.dedup();
            assert_eq!(rows.len(), expected, "{sql}: a game twice");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn how_many_games_there_are_is_known_without_reading() {
    let room = Room::new();
    let (path, games) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let plan = explain(&session, "SELECT count(*) FROM games").await;
    assert!(!plan.contains("StoreScan"), "{plan}");
    let there = games.iter().flatten().count();
    assert_eq!(
        cell(&session, "SELECT count(*) FROM games").await,
        there.to_string()
    );
    for condition in ["id > 0", "id BETWEEN 1 AND 10", "id = 2", "id IN (1, 2, 3)"] {
        let (plain, slow) = both(&session, "SELECT id FROM games", condition).await;
        assert_eq!(plain, slow, "{condition}");
        let count = cell(
            &session,
            &format!("SELECT count(*) FROM games WHERE {condition}"),
        )
        .await;
        assert_eq!(count, plain.len().to_string(), "{condition}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_index_all_games_are_asked_and_the_answer_is_the_same() {
    let room = Room::new();
    let (path, games) = room.overlaid("games.tabiya");
    let (common, _) = positions(&games);
    let sql = format!(
        "SELECT id FROM games WHERE reaches(moves, '{}')",
        fen(&common)
    );
    let key = Exact::key(&common).0.cast_signed();
    let by_key = format!("SELECT game, ply FROM positions WHERE key = {key}");
    let with = session([&path]).await;
    let (one, other) = (
        ask_sorted(&with, &sql).await,
        ask_sorted(&with, &by_key).await,
    );
    Store::open(&path).unwrap().drop_index().unwrap();
    let without = session([&path]).await;
    assert_eq!(ask_sorted(&without, &sql).await, one);
    assert_eq!(ask_sorted(&without, &by_key).await, other);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "reads real games"]
async fn real_games_are_found_as_a_search_finds_them() {
    let Some(file) = crate::data::find("pgn/twic-small.pgn.zst") else {
        return;
    };
    let room = Room::new();
    let path = room.path("twic.tabiya");
    tabiya::convert(&file, &path).run().unwrap();
    let session = session([&path]).await;
    let database = tabiya::open(&path).unwrap();
    for (sql, query) in [
        (
            "reaches(moves, 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2')",
            "moves(1. e4 c5)",
        ),
        ("matches(moves, 'material(KRPKR)')", "material(KRPKR)"),
        (
            "matches(moves, 'pattern(Nd5 Pe4 pd6)')",
            "pattern(Nd5 Pe4 pd6)",
        ),
    ] {
        let question = Question {
            query: Some(query.parse().unwrap()),
            ..Question::default()
        };
        let mut expected = Vec::new();
        let found = question.ask(&database, |hit| {
            expected.push(hit.number.to_string());
            Ok::<_, tabiya::Error>(())
        });
        assert!(found.unwrap() > 0, "{query}");
        let sql = format!("SELECT id FROM games WHERE {sql} ORDER BY id");
        assert_eq!(ask(&session, &sql).await.concat(), expected, "{query}");
    }
}

/// What is asked of the numbers of games changes while they are read: nothing is lost or doubled by it.
#[tokio::test(flavor = "multi_thread")]
async fn the_greatest_numbers_are_found_by_any_number_of_threads() {
    let room = Room::new();
    let (path, games) = room.overlaid("games.tabiya");
    let plies = |game: &Option<GameTree>| game.as_ref().map_or(0, |game| game.main_line().count());
    let numbers = games.iter().enumerate().rev();
    let last: Vec<usize> = numbers
        .flat_map(|(index, game)| std::iter::repeat_n(index + 1, plies(game)))
        .collect();
    for threads in [1, 2, 3, 8] {
        let options = Options {
            threads: NonZeroUsize::new(threads),
            ..Options::default()
        };
        let session = Session::open([&path], &options).await.unwrap();
        for _ in 0..5 {
            let most = cell(&session, "SELECT max(game) FROM positions").await;
            assert_eq!(most, last[0].to_string(), "{threads} threads");
            let least = cell(&session, "SELECT min(game) FROM positions").await;
            assert_eq!(least, last.last().unwrap().to_string());
            let sql =
                "SELECT sum(game) FROM (SELECT game FROM positions ORDER BY game DESC LIMIT 9000)";
            let sum: usize = last.iter().take(9000).sum();
            assert_eq!(cell(&session, sql).await, sum.to_string(), "{threads}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn partners_are_looked_for_among_the_first_games_only() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let sql = "SELECT count(*) FROM (SELECT id FROM games LIMIT 10) AS g \
               JOIN (VALUES (600), (601)) AS v (x) ON g.id = v.x";
    assert_eq!(cell(&session, sql).await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_stops_a_search() {
    let room = Room::new();
    let path = room.path("games.tabiya");
    append(&path, &generated(0..9000));
    let session = session([&path]).await;
    let sql = "SELECT id FROM games WHERE matches(moves, 'material(Q=1 q=1)') LIMIT 3";
    assert_eq!(ask(&session, sql).await, [["1"], ["2"], ["3"]]);
    let plan = analyze(&session, sql).await;
    assert!(plan.contains("games_searched=4.10 K"), "{plan}");
    let none = "SELECT id FROM games WHERE matches(moves, 'material(Q=9)') LIMIT 3";
    assert!(ask(&session, none).await.is_empty());
    let plan = analyze(&session, none).await;
    assert!(plan.contains("games_searched=9.00 K"), "{plan}");
}
