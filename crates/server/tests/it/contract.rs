//! What each path answers, to the letter.

use serde_json::{Value, json};

use crate::common::{Site, request};

#[tokio::test]
async fn info_says_what_is_served() {
    let mut info = Site::new().json("/api/info").await;
    let formats = info["formats"].take();
    assert_eq!(
        info,
        json!({
            "name": "games.tabiya", "games": 5, "deleted": 0, "writable": false,
            "version": env!("CARGO_PKG_VERSION"), "formats": null,
        })
    );
    let formats = formats.as_array().expect("a list");
    for (name, extension) in [
        ("pgn", "pgn"),
        ("chessbase:cbh", "cbh"),
        ("scid:si5", "si5"),
    ] {
        let format = json!({"name": name, "extension": extension});
        assert!(formats.contains(&format), "{format} in {formats:?}");
    }
}

#[tokio::test]
async fn a_position_has_its_name_and_its_legal_moves() {
    let site = Site::new();
    let answer = site
        .json("/api/position?fen=7k/5Q2/6K1/8/8/8/8/8%20b")
        .await;
    assert_eq!(
        answer,
        json!({
            "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "turn": "black", "check": false,
            "outcome": "stalemate", "opening": null, "last": null, "legal": [],
        })
    );
    let fen = "8/P7/8/8/8/k7/8/K7_w_-_-_0_1";
    let answer = site
        .json(&format!("/api/position?fen={fen}&play=a7a8q"))
        .await;
    assert_eq!(answer["last"], json!({"uci": "a7a8q", "san": "a8=Q+"}));
    assert_eq!(
        (&answer["turn"], &answer["check"]),
        (&json!("black"), &json!(true))
    );
    assert_eq!(
        answer["legal"],
        json!([{"uci": "a3b3", "san": "Kb3", "fen": "Q7/8/8/8/8/1k6/8/K7 w - - 1 2"},
               {"uci": "a3b4", "san": "Kb4", "fen": "Q7/8/8/8/1k6/8/8/K7 w - - 1 2"}])
    );
    let start = site.json("/api/position").await;
    assert_eq!(
        (&start["opening"], &start["last"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(start["legal"].as_array().map(Vec::len), Some(20));
    let sicilian = site.json("/api/position?play=e2e4,c7c5").await;
    assert_eq!(sicilian["opening"]["eco"], "B20");
    // The name stays behind the last position that has one.
    let later = site.json("/api/position?play=e2e4,c7c5,a2a4,a7a5").await;
    assert_eq!(later["opening"]["eco"], "B20");
}

#[tokio::test]
async fn a_tree_has_both_counts() {
    let mut answer = Site::new().json("/api/tree?play=e2e4,e7e5").await;
    assert_eq!(answer["legal"].take().as_array().map(Vec::len), Some(29));
    assert_eq!(
        answer,
        json!({
            "fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
            "opening": {"eco": "C20", "name": "King's Pawn Game: 1... e5"},
            "white": 1, "draws": 1, "black": 0, "games": 2, "legal": null,
            "moves": [
                {
                    "uci": "g1f3", "san": "Nf3", "games": 1, "reached": 2,
                    "white": 0, "draws": 1, "black": 0,
                    "averageRating": 2450, "performance": 2400, "lastYear": 2024,
                    "opening": {"eco": "C40", "name": "King's Knight Opening: 2. Nf3"},
                },
                {
                    "uci": "f2f4", "san": "f4", "games": 1, "reached": 1,
                    "white": 1, "draws": 0, "black": 0,
                    "averageRating": null, "performance": null, "lastYear": 1851,
                    "opening": {"eco": "C30", "name": "King's Gambit: 2. f4"},
                },
            ],
        })
    );
}

#[tokio::test]
async fn filters_mean_what_they_mean_to_the_command() {
    let site = Site::new();
    for (filter, games) in [
        ("player=tal", 2),
        ("player=tal&versus=keres", 2),
        ("white=tal", 1),
        ("black=TAL", 1),
        ("event=blitz", 1),
        ("site=riga", 1),
        ("since=2024-06", 1),
        ("since=2024", 2),
        ("until=1900", 1),
        ("eco=C4", 2),
        ("eco=C33,C42", 3),
        ("result=1-0", 1),
        ("result=*", 2),
        ("elo_min=2505", 1),
        ("elo_max=2405", 1),
        ("title=GM", 0),
        ("time_control=blitz", 1),
        ("comment=good", 1),
        ("player=&since=&comment=", 5),
    ] {
        let found = site.json(&format!("/api/games?any=1&{filter}")).await;
        assert_eq!(found["total"], games, "{filter}");
    }
    let tree = site.json("/api/tree?white=tal").await;
    assert_eq!(
        (&tree["games"], &tree["moves"][0]["uci"]),
        (&json!(1), &json!("e2e4"))
    );
}

#[tokio::test]
async fn games_of_a_position_are_listed_in_an_order() {
    let answer = Site::new()
        .json("/api/games?play=e2e4,e7e5&sort=date")
        .await;
    assert_eq!(
        answer,
        json!({"total": 2, "games": [
            {
                "id": 2, "white": "Tal", "black": "Keres", "whiteElo": 2500, "blackElo": 2400,
                "result": "1/2-1/2", "date": "2024.05.31", "event": "Rated Blitz game",
                "site": "Riga", "round": "2", "eco": "C42", "opening": "Petrov", "plies": 4, "ply": 2,
            },
            {
                "id": 1, "white": "Anderssen, Adolf", "black": "Kieseritzky, Lionel",
                "whiteElo": null, "blackElo": null, "result": "1-0", "date": "1851.06.21",
                "event": "Casual game", "site": "London", "round": "1", "eco": "C33",
                "opening": "King's Gambit Accepted: 2... exf4", "plies": 4, "ply": 2,
            },
        ]})
    );
}

/// The numbers of the games that are listed.
async fn ids(site: &Site, query: &str) -> Vec<u64> {
    let answer = site.json(&format!("/api/games?{query}")).await;
    let games = answer["games"].as_array().expect("a list").iter();
    games
        .map(|game| game["id"].as_u64().expect("a number"))
        .collect()
}

#[tokio::test]
async fn pages_and_orders_of_games() {
    let site = Site::new();
    assert_eq!(ids(&site, "any=1&sort=id").await, [1, 2, 3, 4, 5]);
    assert_eq!(ids(&site, "any=1&sort=elo").await, [3, 2, 1, 4, 5]);
    assert_eq!(ids(&site, "any=1").await, [3, 2, 1, 4, 5]);
    assert_eq!(ids(&site, "any=1&sort=date").await, [3, 2, 1, 4, 5]);
    assert_eq!(ids(&site, "any=1&sort=elo&limit=2&offset=1").await, [2, 1]);
    assert!(ids(&site, "any=1&limit=0").await.is_empty());
    assert!(
        ids(&site, "any=1&offset=18446744073709551615")
            .await
            .is_empty()
    );
    // Without `any`, the start of a game is asked for.
    assert_eq!(ids(&site, "sort=id&eco=C42").await, [2, 3]);
    assert_eq!(ids(&site, "sort=id&play=d2d4").await, [4]);
}

#[tokio::test]
async fn conditions_are_those_of_the_command() {
    let site = Site::new();
    assert_eq!(ids(&site, "sort=id&pattern=pf4").await, [1]);
    assert_eq!(ids(&site, "sort=id&material=P%3D7").await, [1]);
    assert_eq!(ids(&site, "sort=id&pawns=doubled:black").await, [1]);
    assert_eq!(ids(&site, "sort=id&manoeuvre=Ng1-f3").await, [2, 3]);
    assert_eq!(
        ids(&site, "sort=id&query=%7B%22captured%22:%22P%22%7D").await,
        [1]
    );
    // With a position, both are asked of the game.
    assert_eq!(ids(&site, "sort=id&manoeuvre=Ng1-f3&play=e2e4").await, [2]);
    assert_eq!(
        ids(&site, "sort=id&manoeuvre=Ng1-f3&play=e2e4&any=1").await,
        [2, 3]
    );
}

#[tokio::test]
async fn a_game_is_told_with_all_that_is_said_about_it() {
    let answer = Site::new().json("/api/games/4").await;
    let node = |ply: u32, uci: &str, san: &str, fen: &str| {
        json!({"ply": ply, "uci": uci, "san": san, "fen": fen, "nags": [], "evaluation": null,
               "arrows": [], "squares": [], "variations": []})
    };
    let mut d4 = node(
        1,
        "d2d4",
        "d4",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1",
    );
    d4["nags"] = json!([1]);
    d4["before"] = json!("Before all");
    d4["comment"] = json!("good");
    d4["clock"] = json!(90.0);
    d4["evaluation"] = json!({"cp": 25});
    d4["arrows"] = json!([{"from": "d2", "to": "d4", "colour": "green"},
                          {"from": "d7", "to": "d5", "colour": "red"}]);
    d4["squares"] = json!([{"square": "d4", "colour": "yellow"}]);
    let mut c4 = node(
        1,
        "c2c4",
        "c4",
        "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq c3 0 1",
    );
    c4["comment"] = json!("other");
    let mut c5 = node(
        2,
        "c7c5",
        "c5",
        "rnbqkbnr/pp1ppppp/8/2p5/2P5/8/PP1PPPPP/RNBQKBNR w KQkq c6 0 2",
    );
    let mut e5 = node(
        2,
        "e7e5",
        "e5",
        "rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq e6 0 2",
    );
    e5["nags"] = json!([6]);
    let nc3 = node(
        3,
        "b1c3",
        "Nc3",
        "rnbqkbnr/pppp1ppp/8/4p3/2P5/2N5/PP1PPPPP/R1BQKBNR b KQkq - 1 2",
    );
    c5["variations"] = json!([[e5, nc3]]);
    let b3 = node(
        1,
        "b2b3",
        "b3",
        "rnbqkbnr/pppppppp/8/8/8/1P6/P1PPPPPP/RNBQKBNR b KQkq - 0 1",
    );
    d4["variations"] = json!([[c4, c5], [b3]]);
    let mut d5 = node(
        2,
        "d7d5",
        "d5",
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 2",
    );
    d5["evaluation"] = json!({"mate": -3});
    assert_eq!(
        answer,
        json!({
            "id": 4,
            "tags": [["Event", "?"], ["White", "<script>alert(1)</script>"],
                     ["Black", "\" onmouseover=\"x"], ["Result", "*"]],
            "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "result": "*", "deleted": false, "errors": [], "arrows": [], "squares": [], "comment": "",
            "line": [d4, d5],
        })
    );
}

#[tokio::test]
async fn a_broken_game_says_what_could_not_be_read() {
    let answer = Site::new().json("/api/games/5").await;
    let errors = answer["errors"].as_array().expect("a list");
    let first = errors[0].as_str().expect("words");
    assert!(first.starts_with("after ply 1: illegal move: "), "{first}");
    assert!(first.contains("Ke4"), "{first}");
    assert_eq!(answer["line"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_game_that_is_nested_deeply_is_told() {
    let depth = 1_000;
    let moves = format!("1. e4 {}e5{} *", "(1. d4 ".repeat(depth), ")".repeat(depth));
    // The moves of a variation replace the move before it: each is one of the last.
    let site = Site::with(&format!("[White \"A\"]\n\n{moves}\n"), Default::default());
    let reply = site.get("/api/games/1").await;
    assert_eq!(reply.status, 200);
    let nested = reply.text().matches("\"variations\":[[").count();
    assert_eq!(nested, depth);
}

#[tokio::test]
async fn what_is_drawn_before_the_first_move_is_told() {
    let moves = "{ [%cal Ge2e4] [%csl Rd4] Look! } 1. e4 { [%cal Bg1f3] } *";
    let site = Site::with(&format!("[White \"A\"]\n\n{moves}\n"), Default::default());
    let game = site.json("/api/games/1").await;
    assert_eq!(
        (
            &game["arrows"],
            &game["squares"],
            &game["line"][0]["before"]
        ),
        (
            &json!([{"from": "e2", "to": "e4", "colour": "green"}]),
            &json!([{"square": "d4", "colour": "red"}]),
            &json!("Look!")
        )
    );
    assert_eq!(
        game["line"][0]["arrows"],
        json!([{"from": "g1", "to": "f3", "colour": "blue"}])
    );
}

#[tokio::test]
async fn an_export_is_of_the_games_that_are_found_now() {
    let games: String = (1..=6)
        .map(|number| format!("[White \"W{number}\"]\n\n1. e4 *\n\n"))
        .collect();
    let site = Site::with(&games, Default::default());
    let open = || tabiya::store::Store::open(&site.path).expect("a store");
    open().mark(&[1], true).expect("it can be changed");
    open().compact().expect("it can be changed");
    let text = site.get("/api/export?white=W5").await.text();
    assert!(
        text.contains("[White \"W5\"]") && !text.contains("W6"),
        "{text}"
    );
}

#[tokio::test]
async fn a_game_is_told_as_pgn() {
    let site = Site::new();
    for path in ["/api/games/1.pgn", "/masters/pgn/1", "/master/pgn/1"] {
        let reply = site.get(path).await;
        assert_eq!(
            reply.header("content-type"),
            "application/x-chess-pgn; charset=utf-8"
        );
        let text = reply.text();
        assert!(text.starts_with("[Event \"Casual game\"]\n"), "{text}");
        assert!(text.contains("\n1. e4 e5 2. f4 exf4 1-0\n"), "{text}");
    }
    assert!(
        site.refusal("/api/games/6", 404)
            .await
            .contains("no game 6")
    );
    assert!(
        site.refusal("/api/games/0", 404)
            .await
            .contains("no game 0")
    );
    assert!(
        site.refusal("/api/games/6.pgn", 404)
            .await
            .contains("no game 6")
    );
    site.refusal("/api/games/x", 400).await;
    site.refusal("/api/games/-1", 400).await;
    site.refusal("/api/games/99999999999999999999", 400).await;
}

#[tokio::test]
async fn players_are_found_by_part_of_their_names() {
    let site = Site::new();
    assert_eq!(
        site.json("/api/players?name=ADOLF%20anderss").await,
        json!({"players": [
            {"name": "Anderssen, Adolf", "games": 1, "first": 1851, "last": 1851, "maxElo": null},
        ]})
    );
    assert_eq!(
        site.json("/api/players?limit=2").await,
        json!({"players": [
            {"name": "Keres", "games": 2, "first": 2024, "last": 2024, "maxElo": 2410},
            {"name": "Tal", "games": 2, "first": 2024, "last": 2024, "maxElo": 2510},
        ]})
    );
    assert_eq!(
        site.json("/api/players?name=nowhere").await,
        json!({"players": []})
    );
}

#[tokio::test]
async fn a_name_in_quotation_marks_is_that_name_alone() {
    let site = Site::new();
    for (player, games) in [
        ("ta", 2),
        ("%22Tal%22", 2),
        ("%22Ta%22", 0),
        ("%22tal%22", 0),
    ] {
        let found = site
            .json(&format!("/api/games?any=1&player={player}"))
            .await;
        assert_eq!(found["total"], games, "{player}");
    }
}

#[tokio::test]
async fn a_player_has_results_years_openings_and_opponents() {
    let site = Site::new();
    let petrov = |score: f64| {
        let name = "Petrov's Defence: 2... Nf6";
        json!([{"eco": "C42", "name": name, "games": 1, "score": score}])
    };
    assert_eq!(
        site.json("/api/player?name=Tal").await,
        json!({
            "name": "Tal", "games": 2,
            "white": {"games": 1, "wins": 0, "draws": 1, "losses": 0},
            "black": {"games": 1, "wins": 1, "draws": 0, "losses": 0},
            "years": [{"year": 2024, "games": 2, "points": 1.5, "score": 0.75, "rating": 2505}],
            "openings": {"white": petrov(0.5), "black": petrov(1.0)},
            "opponents": [{"name": "Keres", "games": 2, "score": 0.75}],
        })
    );
    assert!(
        site.refusal("/api/player?name=tal", 404)
            .await
            .contains("/api/players")
    );
    site.refusal("/api/player", 400).await;
}

#[tokio::test]
async fn an_opening_has_its_position_its_games_and_its_players() {
    let site = Site::new();
    assert_eq!(
        site.json("/api/opening?eco=c42").await,
        json!({
            "eco": "C42", "name": "Petrov's Defence: 2... Nf6",
            "fen": "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "games": 2, "white": 0, "draws": 1, "black": 1,
            "years": [{"year": 2024, "games": 2, "points": 0.5, "score": 0.25, "rating": 2455}],
            "players": [{"name": "Keres", "games": 2, "score": 0.25},
                        {"name": "Tal", "games": 2, "score": 0.75}],
        })
    );
    for eco in ["", "F00", "B9", "B901"] {
        site.refusal(&format!("/api/opening?eco={eco}"), 400).await;
    }
}

#[tokio::test]
async fn games_are_exported_in_any_format() {
    let site = Site::new();
    let reply = site.get("/api/export?player=tal&sort=x").await;
    assert_eq!(reply.status, 400, "an order makes no sense here");
    let reply = site.get("/api/export?any=1&player=tal").await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(
        reply.header("content-disposition"),
        "attachment; filename=\"games.pgn\""
    );
    assert_eq!(reply.header("x-tabiya-losses"), "0");
    assert_eq!(reply.text().matches("[White ").count(), 2);
    let reply = site.get("/api/export?any=1&format=uci").await;
    assert!(
        reply.text().starts_with("e2e4 e7e5 f2f4 e5f4\n"),
        "{}",
        reply.text()
    );
    assert_ne!(reply.header("x-tabiya-losses"), "0");
    for format in ["cbh", "si5", "tabiya"] {
        let reply = site
            .get(&format!("/api/export?any=1&format={format}"))
            .await;
        assert_eq!(
            reply.header("content-disposition"),
            "attachment; filename=\"games.zip\""
        );
        assert!(reply.body.starts_with(b"PK"));
    }
    site.refusal("/api/export?format=nonsense", 400).await;
    site.refusal("/api/export?any=1&player=nobody-at-all", 404)
        .await;
}

#[tokio::test]
async fn lichess_is_answered_as_lichess_answers() {
    let site = Site::new();
    let answer = site
        .json("/lichess?play=e2e4,e7e5&history=true&recentGames=1&topGames=1")
        .await;
    let petrov = json!({
        "uci": "g1f3", "id": "2", "winner": null, "speed": "blitz", "mode": "rated",
        "white": {"name": "Tal", "rating": 2500}, "black": {"name": "Keres", "rating": 2400},
        "year": 2024, "month": "2024-05",
    });
    let mut only = petrov.clone();
    only.as_object_mut().expect("an object").remove("uci");
    assert_eq!(
        answer,
        json!({
            "white": 1, "draws": 1, "black": 0,
            "opening": {"eco": "C20", "name": "King's Pawn Game: 1... e5"},
            "moves": [
                {
                    "uci": "g1f3", "san": "Nf3", "averageRating": 2450,
                    "white": 0, "draws": 1, "black": 0, "game": only,
                    "opening": {"eco": "C40", "name": "King's Knight Opening: 2. Nf3"},
                },
                {
                    "uci": "f2f4", "san": "f4", "averageRating": 0,
                    "white": 1, "draws": 0, "black": 0,
                    "game": {
                        "id": "1", "winner": "white", "speed": "classical", "mode": "casual",
                        "white": {"name": "Anderssen, Adolf", "rating": 0},
                        "black": {"name": "Kieseritzky, Lionel", "rating": 0},
                        "year": 1851, "month": "1851-06",
                    },
                    "opening": {"eco": "C30", "name": "King's Gambit: 2. f4"},
                },
            ],
            "topGames": [petrov], "recentGames": [petrov],
            "history": [
                {"month": "1851-06", "white": 1, "draws": 0, "black": 0},
                {"month": "2024-05", "white": 0, "draws": 1, "black": 0},
            ],
        })
    );
}

#[tokio::test]
async fn the_questions_of_lichess_choose_games() {
    let site = Site::new();
    let cases: [(&str, [u64; 3]); 16] = [
        ("", [1, 1, 1]),
        // Games without a time control are told as classical ones.
        ("speeds=classical", [1, 0, 1]),
        ("speeds=classical,blitz", [1, 1, 1]),
        ("variant=antichess", [0, 0, 0]),
        ("speeds=blitz", [0, 1, 0]),
        ("speeds=blitz,rapid&variant=standard", [0, 1, 0]),
        ("ratings=2200", [0, 1, 1]),
        ("ratings=2500", [0, 0, 0]),
        (
            "ratings=0,1000,1200,1400,1600,1800,2000,2200,2500",
            [1, 1, 1],
        ),
        ("since=2024-06", [0, 0, 1]),
        ("since=2024-06&until=2024-06", [0, 0, 1]),
        ("until=2024-05", [1, 1, 0]),
        ("until=1851", [1, 0, 0]),
        ("moves=1&topGames=0&recentGames=0&unheard=of", [1, 1, 1]),
        ("variant=chess960", [1, 1, 1]),
        ("fen=", [1, 1, 1]),
    ];
    for (query, [white, draws, black]) in cases {
        let answer = site.json(&format!("/lichess?{query}")).await;
        let told = (&answer["white"], &answer["draws"], &answer["black"]);
        assert_eq!(
            told,
            (&json!(white), &json!(draws), &json!(black)),
            "{query}"
        );
    }
    for query in [
        "speeds=fast",
        "ratings=1500",
        "since=soon",
        "moves=-1",
        "moves=many",
        "variant=crazyhouse",
        "play=e2e5",
        "play=0000",
        "fen=x",
    ] {
        site.refusal(&format!("/lichess?{query}"), 400).await;
    }
}

#[tokio::test]
async fn masters_have_no_speed() {
    let answer = Site::new()
        .json("/masters?since=2024&until=2024&topGames=1&moves=1")
        .await;
    assert_eq!(
        answer,
        json!({
            "white": 0, "draws": 1, "black": 1, "opening": null,
            "moves": [{
                "uci": "g1f3", "san": "Nf3", "averageRating": 2460,
                "white": 0, "draws": 0, "black": 1,
                "game": {
                    "id": "3", "winner": "black",
                    "white": {"name": "Keres", "rating": 2410}, "black": {"name": "Tal", "rating": 2510},
                    "year": 2024, "month": "2024-06",
                },
                "opening": {"eco": "A04", "name": "Réti Opening: 1. Nf3"},
            }],
            "topGames": [{
                "uci": "g1f3", "id": "3", "winner": "black",
                "white": {"name": "Keres", "rating": 2410}, "black": {"name": "Tal", "rating": 2510},
                "year": 2024, "month": "2024-06",
            }],
        })
    );
}

#[tokio::test]
async fn a_player_is_told_as_a_line() {
    let site = Site::new();
    let reply = site.get("/player?player=tal&color=black&play=g1f3").await;
    assert_eq!(reply.header("content-type"), "application/x-ndjson");
    let text = reply.text();
    assert_eq!((text.lines().count(), text.ends_with('\n')), (1, true));
    let game = json!({
        "id": "3", "winner": "black", "speed": "classical", "mode": "rated",
        "white": {"name": "Keres", "rating": 2410}, "black": {"name": "Tal", "rating": 2510},
        "year": 2024, "month": "2024-06",
    });
    let mut recent = game.clone();
    recent["uci"] = json!("e7e5");
    assert_eq!(
        reply.json(),
        json!({
            "white": 0, "draws": 0, "black": 1, "queuePosition": 0,
            "opening": {"eco": "A04", "name": "Réti Opening: 1. Nf3"},
            "moves": [{
                "uci": "e7e5", "san": "e5", "averageOpponentRating": 2410, "performance": 3210,
                "white": 0, "draws": 0, "black": 1, "game": game, "opening": null,
            }],
            "recentGames": [recent],
        })
    );
    let white = site
        .get("/player?player=tal&color=white&modes=rated")
        .await
        .json();
    assert_eq!(white["draws"], 1);
    let casual = site
        .get("/player?player=tal&color=white&modes=casual")
        .await
        .json();
    assert_eq!(
        (&casual["draws"], &casual["moves"]),
        (&json!(0), &json!([]))
    );
    site.refusal("/player?player=tal", 400).await;
    site.refusal("/player?color=white", 400).await;
    site.refusal("/player?player=&color=white", 400).await;
    site.refusal("/player?player=tal&color=red", 400).await;
}

#[tokio::test]
async fn deleted_and_replaced_games_count_as_they_are() {
    let site = Site::new();
    let store = tabiya::store::Store::open(&site.path).expect("a store");
    store.mark(&[2], true).expect("a mark");
    let mut game = tabiya::GameTree::default();
    game.tags.push("White", "Tal");
    game.tags.push("WhiteElo", "2700");
    store.replace(3, &game).expect("a change");
    let site = Site {
        router: tabiya_server::router(&site.path, Default::default()).expect("a router"),
        ..site
    };
    let tal = site.json("/api/player?name=Tal").await;
    assert_eq!((&tal["games"], &tal["years"]), (&json!(1), &json!([])));
    assert_eq!(ids(&site, "any=1").await, [3, 1, 4, 5]);
    assert_eq!(site.json("/api/info").await["deleted"], 1);
    assert_eq!(site.json("/api/games/2").await["deleted"], true);
}

#[tokio::test]
async fn the_page_is_served_with_its_types() {
    let site = Site::new();
    let reply = site.get("/").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    let tag = reply.header("etag").to_owned();
    let mut again = request("/index.html");
    again
        .headers_mut()
        .insert("if-none-match", tag.parse().expect("a header"));
    let reply = site.send(again).await;
    assert_eq!((reply.status.as_u16(), reply.body.len()), (304, 0));
}

#[tokio::test]
async fn health_and_metrics_are_told() {
    let site = Site::new();
    assert_eq!(site.get("/healthz").await.text(), "ok\n");
    site.get("/api/info").await;
    site.get("/nowhere/at/all").await;
    let text = site.get("/metrics").await.text();
    for line in [
        "tabiya_requests_total{route=\"/api/info\",status=\"200\"} 1",
        "tabiya_requests_total{route=\"other\",status=\"404\"} 1",
        "tabiya_request_seconds_count{route=\"/healthz\"} 1",
        "tabiya_games 5",
        "tabiya_questions 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
}
