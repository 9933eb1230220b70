//! What functions say, compared with what other parts of tabiya say of the same games.

use tabiya::{
    Action, GameTree,
    openings::{Classifier, Openings},
    search::Query,
};
use tabiya_search::{Seeker, material::spelled};
use tabiya_sql::{ErrorKind, Session, functions};

use crate::{
    room::{Room, ask, cell, generated, session},
    samples::{ODD, Samples, games},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Games of all kinds, and a session over them.
async fn all() -> (Room, Vec<GameTree>, Session) {
    let room = Room::new();
    let mut all = games();
    all.extend(generated(0..150));
    let odd = room.write("odd.pgn", ODD);
    let odd = tabiya::open(odd).expect("games").games();
    all.extend(odd.map(|game| game.expect("a game")));
    let path = room.path("all.tabiya");
    crate::room::append(&path, &all);
    let session = session([&path]).await;
    (room, all, session)
}

/// The first ply at which a game answers a query, as events tell it.
fn first_ply(game: &GameTree, query: &Query) -> Option<u32> {
    let mut seeker = Seeker::new(query);
    game.tell(&mut seeker);
    seeker.found()
}

/// A column of texts, one for each game; empty for null.
async fn column(session: &Session, expression: &str) -> Vec<String> {
    let sql = format!("SELECT {expression} FROM games ORDER BY id");
    ask(session, &sql).await.into_iter().flatten().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_found_where_events_have_them() {
    let (_room, games, session) = all().await;
    let mut hits = 0;
    for index in (0..games.len()).step_by(9) {
        let line: Vec<_> = games[index].main_line().collect();
        let Some((position, _)) = line.get(index % line.len().max(1)) else {
            continue;
        };
        let query: Query = format!("fen({position})").parse().expect("a question");
        let plies = column(&session, &format!("ply_of(moves, '{position}')")).await;
        let reached = column(&session, &format!("reaches(moves, '{position}')")).await;
        for ((game, ply), reached) in games.iter().zip(plies).zip(reached) {
            let expected = first_ply(game, &query);
            assert_eq!(ply, expected.map(|ply| ply.to_string()).unwrap_or_default());
            assert_eq!(reached, expected.is_some().to_string());
            hits += usize::from(expected.is_some());
        }
    }
    assert!(hits > games.len() / 9, "{hits}");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_as_events_answer_them() {
    let (_room, games, session) = all().await;
    for question in [
        "check",
        "ends(mate)",
        "never(check)",
        "pattern(Nd5)",
        "material(Q=0 q=0)",
        "castled(white kingside) and captured(q)",
        "sequence(played(Nf3); played(Bb5))",
        "sacrifice(6) and result(1-0 0-1)",
        "underpromotion or held(10, material(balance=3..))",
        "manoeuvre(Ng1-f3-e5)",
        "moves(1. e4)",
    ] {
        let query: Query = question.parse().expect("a question");
        let expected = games
            .iter()
            .map(|game| first_ply(game, &query).is_some().to_string());
        let matched = column(&session, &format!("matches(moves, '{question}')")).await;
        assert!(matched.into_iter().eq(expected), "{question}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_and_material_are_those_of_the_moves() {
    let (_room, games, session) = all().await;
    for ply in [0, 1, 7, 30, 61] {
        let positions: Vec<_> = games
            .iter()
            .map(|game| {
                let line = game.main_line().map(|(before, action)| {
                    let mut after = before;
                    after.act(action);
                    after
                });
                std::iter::once(game.start).chain(line).nth(ply)
            })
            .collect();
        let fens = column(&session, &format!("fen_after(moves, {ply})")).await;
        let expected = positions.iter().map(|position| match position {
            Some(position) => position.to_string(),
            None => String::new(),
        });
        assert!(fens.into_iter().eq(expected), "{ply}");
        let material = column(&session, &format!("material(moves, {ply})")).await;
        let expected = positions.iter().map(|position| match position {
            Some(position) => spelled(position.board()),
            None => String::new(),
        });
        assert!(material.into_iter().eq(expected), "{ply}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn openings_are_those_of_the_classifier() {
    let (_room, games, session) = all().await;
    let codes = column(&session, "eco(moves)").await;
    let names = column(&session, "opening(moves)").await;
    let mut classifier = Classifier::new(Openings::eco());
    for ((game, code), name) in games.iter().zip(codes).zip(names) {
        game.tell(&mut classifier);
        let opening = classifier.found().map(|(opening, _)| opening);
        assert_eq!(code, opening.map_or("", |opening| &opening.eco));
        assert_eq!(name, opening.map_or("", |opening| &opening.name));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_are_those_that_people_write() {
    let (_room, games, session) = all().await;
    let lines = column(&session, "san_line(moves, 1000)").await;
    for (game, line) in games.iter().zip(lines) {
        let words = line.split_whitespace().filter(|word| !word.ends_with('.'));
        let expected = game.main_line().map(|(before, action)| match action {
            Action::Move(play) => before.san(play).to_string(),
            Action::Null => "--".into(),
        });
        assert!(words.map(str::to_owned).eq(expected), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_kinds_of_bytes_and_texts_are_taken() {
    let samples = Samples::new();
    let session = samples.session().await;
    let expected = column(&session, &format!("reaches(moves, '{START}')")).await;
    for bytes in ["Binary", "LargeBinary", "BinaryView"] {
        for text in ["Utf8", "LargeUtf8", "Utf8View", "Dictionary(Int32, Utf8)"] {
            let call =
                format!("reaches(arrow_cast(moves, '{bytes}'), arrow_cast('{START}', '{text}'))");
            assert_eq!(column(&session, &call).await, expected, "{call}");
        }
    }
    let ply = column(&session, "fen_after(moves, arrow_cast(4, 'UInt8'))").await;
    assert_eq!(ply, column(&session, "fen_after(moves, 4)").await);
}

/// What a question that is refused says.
async fn refused(session: &Session, sql: &str) -> String {
    let answer = match session.query(sql).await {
        Ok(answer) => answer.collect().await.map(drop),
        Err(error) => Err(error),
    };
    answer.expect_err(sql).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_name_what_is_wrong_and_what_to_do() {
    let samples = Samples::new();
    let session = samples.session().await;
    for (call, words) in [
        ("reaches(main_line, 'x')", ["column `moves`", "main_line"]),
        ("reaches(moves, '8/8/8 w - -')", ["reaches", "8/8/8 w - -"]),
        ("ply_of(moves, 'nonsense')", ["ply_of", "nonsense"]),
        (
            "matches(moves, 'chekc')",
            ["chekc", "tabiya search --where"],
        ),
        ("matches(moves, 'pattern(Bz9)')", ["matches", "z9"]),
        (
            "fen_piece('4k3/8/8/8/8/8/8/4K3 w - -', 'z1')",
            ["a1 to h8", "z1"],
        ),
        (
            "san_line(moves, 'all')",
            ["san_line(moves, n)", "whole number"],
        ),
        ("eco(id)", ["eco(moves)", "column `moves`"]),
        ("reaches(moves)", ["reaches(moves, fen)", "1 arguments"]),
        ("score(id)", ["score(result[, colour])", "text"]),
        ("chess_date(-7)", ["chess_date", "-7"]),
    ] {
        let said = refused(&session, &format!("SELECT {call} FROM games")).await;
        assert!(
            words.iter().all(|word| said.contains(word)),
            "{call}: {said}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_moves_are_an_error_and_no_answer() {
    let none: [&str; 0] = [];
    let session = session(none).await;
    for bytes in ["13", "9D", "9D0510", "FE", "9B404000FF"] {
        for call in [
            format!("reaches(X'{bytes}', '4k3/8/8/8/8/8/8/4K3 w - - 0 1')"),
            format!("matches(X'{bytes}', 'mate')"),
            format!("san_line(X'{bytes}', 100)"),
            format!("eco(X'{bytes}')"),
        ] {
            let said = refused(&session, &format!("SELECT {call}")).await;
            assert!(said.contains("damaged"), "{call}: {said}");
        }
    }
    // An entry that is no game has nothing to say.
    let other = tabiya_store::movetext::join_other(b"\x01\0\0\0");
    let hex: String = other.iter().map(|byte| format!("{byte:02X}")).collect();
    assert_eq!(cell(&session, &format!("SELECT eco(X'{hex}')")).await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_function_is_told_with_its_neighbour() {
    let samples = Samples::new();
    let session = samples.session().await;
    let error = session.query("SELECT reachs(moves, 'x') FROM games").await;
    let error = error.err().expect("no such function");
    assert_eq!(error.kind(), ErrorKind::UnknownFunction);
    assert!(error.to_string().contains("reaches"), "{error}");
}

#[test]
fn functions_have_names_of_their_own() {
    let mut names: Vec<String> = functions::scalar()
        .iter()
        .map(|function| function.name().to_owned())
        .collect();
    let aggregate = functions::aggregate();
    names.extend(aggregate.iter().map(|function| function.name().to_owned()));
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}
