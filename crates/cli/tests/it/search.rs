//! `tabiya search`, run as a process on the sample games.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::room::{Ran, Room, tabiya};

/// Words of a command line, which are separated by bars so that they may have spaces.
fn run_in(folder: &Path, line: &str) -> Ran {
    let words: Vec<&str> = line.split('|').map(str::trim).collect();
    let output = tabiya(&words).current_dir(folder).output();
    Ran::new(line.to_string(), output.expect("the command starts"))
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// Numbers and plies of the games that are found.
#[track_caller]
fn found(line: &str) -> Vec<(u64, Option<u64>)> {
    let ran = run_in(&samples(), &format!("search|{line}|--format|json"));
    let json: serde_json::Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let games = json["games"].as_array().expect("games");
    let code = if json["total"] == 0 { 1 } else { 0 };
    ran.ends(code);
    let game = |game: &serde_json::Value| (game["id"].as_u64().expect("id"), game["ply"].as_u64());
    games.iter().map(game).collect()
}

/// Numbers alone.
#[track_caller]
fn numbers(line: &str) -> Vec<u64> {
    found(line).into_iter().map(|(number, _)| number).collect()
}

#[test]
fn fen_is_an_exact_position() {
    let sicilian = "famous.pgn|--fen|rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w";
    let games = [(1, Some(2)), (24, Some(2)), (27, Some(2)), (28, Some(2))];
    assert_eq!(found(&format!("{sicilian} KQkq - 0 2")), games);
    assert_eq!(
        found(&format!("{sicilian} - -")),
        [],
        "the rights are others"
    );
    assert_eq!(found(&format!("{sicilian} - -|--loose")), games);
    let chess960 = "chess960.pgn|--fen|nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1";
    assert_eq!(found(chess960), [(1, Some(0))]);
}

#[test]
fn moves_lead_to_a_position_by_any_way() {
    let line = "famous.pgn|--moves|1. c4 e6 2. Nf3 d5 3. d4 Nf6 4. Nc3";
    assert_eq!(found(line), [(9, Some(7)), (26, Some(7))]);
}

#[test]
fn pattern_is_part_of_a_board_with_its_images() {
    let bishop = "famous.pgn|--pattern|Bh7 kg8";
    assert_eq!(found(bishop), [(6, Some(29))]);
    let flipped = [(6, Some(29)), (10, Some(38))];
    assert_eq!(found(&format!("{bishop}|--flip")), flipped);
    assert_eq!(numbers("famous.pgn|--pattern|Nb5"), [5, 9, 15, 24, 28]);
    let mirrored = [5, 9, 12, 15, 24, 28, 29, 31, 34];
    assert_eq!(numbers("famous.pgn|--pattern|Nb5|--mirror"), mirrored);
    // Black to play has a rook there, and nothing else is asked.
    assert_eq!(
        found("setup.pgn|--pattern|8/8/8/8/8/8/r7/8"),
        [(3, Some(0))]
    );
}

#[test]
fn material_is_counted_and_held() {
    assert_eq!(found("setup.pgn|--material|KRPKR"), [(3, Some(0))]);
    assert_eq!(
        found("setup.pgn|--material|P=1 p=0 R=0 r=0"),
        [(1, Some(12)), (4, Some(0))]
    );
    assert_eq!(
        found("setup.pgn|--material|KPK|--plies-held|10"),
        [(4, Some(9))]
    );
    assert_eq!(found("setup.pgn|--material|KPK|--plies-held|50"), []);
    let bishops = "famous.pgn|--material|opposite-bishops|--plies-held|20";
    assert_eq!(
        found(bishops),
        [(10, Some(58)), (24, Some(60)), (32, Some(88))]
    );
}

#[test]
fn pawns_have_structures() {
    let alone = "famous.pgn|--pawns|iqp:black|--player|levitsky";
    assert_eq!(found(alone), [(8, Some(17))]);
    let doubled = "famous.pgn|--pawns|passed:white doubled:white|--white|tal";
    assert_eq!(found(doubled), [(20, Some(19)), (24, Some(61))]);
}

#[test]
fn a_manoeuvre_is_the_way_of_one_piece() {
    assert_eq!(
        found("famous.pgn|--manoeuvre|Ng1-f3-e5-c6"),
        [(3, Some(13))]
    );
    assert_eq!(found("famous.pgn|--manoeuvre|Ng1-f3-e5-c6-b8"), []);
}

#[test]
fn a_sequence_has_gaps_and_a_streak_has_none() {
    let both = "played(Bxh7); played(Bxg7)";
    assert_eq!(
        found(&format!("famous.pgn|--sequence|{both}")),
        [(6, Some(33))]
    );
    assert_eq!(found(&format!("famous.pgn|--streak|{both}")), []);
    let streak = "famous.pgn|--streak|played(Bxh7); played(Kxh7)";
    assert_eq!(found(streak), [(6, Some(30))]);
}

#[test]
fn castling_has_a_side_and_a_wing() {
    assert_eq!(numbers("famous.pgn|--castled=black-queenside"), [21, 33]);
    assert_eq!(
        found("famous.pgn|--castled=white|--player|la bourdonnais"),
        [(1, Some(21))]
    );
    assert_eq!(
        found("famous.pgn|--castled|--player|la bourdonnais"),
        [(1, Some(20))]
    );
    assert_eq!(found("famous.pgn|--castled|--player|hamppe"), []);
    assert_eq!(numbers("chess960.pgn|--castled=white-queenside"), [1]);
}

#[test]
fn check_mate_stalemate_and_underpromotion_are_found() {
    let mates = [(2, Some(45)), (10, Some(64)), (17, Some(82))];
    assert_eq!(found("famous.pgn|--mate"), mates);
    assert_eq!(
        found("famous.pgn|--check|--player|kieseritzky"),
        [(2, Some(6))]
    );
    assert_eq!(found("setup.pgn|--underpromotion"), [(2, Some(11))]);
    assert_eq!(found("famous.pgn|annotated.pgn|setup.pgn|--stalemate"), []);
}

#[test]
fn a_stalemate_is_found() {
    let game = "[SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1/2-1/2\n";
    let room = Room::with("a.pgn", game);
    let csv = run_in(room.folder(), "search|a.pgn|--stalemate|--format|csv")
        .ends(0)
        .out;
    assert!(csv.ends_with(",1,,\n"), "{csv}");
}

#[test]
fn a_sacrifice_is_not_regained() {
    // The pawn of the gambit comes back five plies after it was taken; the bishop does not.
    let immortal = "famous.pgn|--player|kieseritzky|--sacrifice";
    assert_eq!(found(&format!("{immortal}|4")), [(2, Some(3))]);
    assert_eq!(found(&format!("{immortal}|6")), [(2, Some(21))]);
    assert_eq!(
        found("famous.pgn|--sacrifice|9|--mate"),
        [(2, Some(45)), (10, Some(64)), (17, Some(82))]
    );
}

#[test]
fn similar_positions_come_with_their_distances() {
    let slav = "rnbqkb1r/pp3ppp/2p1pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq -";
    let line = format!("search|famous.pgn|--similar|{slav}|--limit|3|--format|json");
    let json: serde_json::Value =
        serde_json::from_str(&run_in(&samples(), &line).ends(0).out).expect("JSON");
    assert_eq!(json["total"], 34);
    let games = json["games"].as_array().expect("games");
    let games: Vec<_> = games
        .iter()
        .map(|game| (&game["id"], &game["distance"]))
        .collect();
    assert_eq!(
        format!("{games:?}"),
        "[(Number(34), Number(0)), (Number(9), Number(5)), (Number(26), Number(5))]"
    );
}

#[test]
fn variations_are_searched_if_they_are_asked_for() {
    let room = Room::with("a.pgn", "1. e4 e5 (1... c5 2. c3) 2. Nf3 *\n");
    let line = "search|a.pgn|--moves|1. e4 c5 2. c3";
    run_in(room.folder(), line).ends(1);
    run_in(room.folder(), &format!("{line}|--in-variations")).ends(0);
}

#[test]
fn where_joins_with_and_or_and_not() {
    let line = "famous.pgn|--where|never(check) and (moves(1. d4) or moves(1. c4))";
    assert_eq!(numbers(line), [8, 9, 26]);
    assert_eq!(
        numbers("famous.pgn|--where|mate and not moved(B)"),
        [10, 17]
    );
}

#[test]
fn conditions_together_are_asked_of_the_whole_game() {
    assert_eq!(found("famous.pgn|--mate|--pattern|Bh1"), []);
    let both = "famous.pgn|--mate|--castled=white|--result|0-1";
    assert_eq!(found(both), [(10, Some(64))]);
}

#[test]
fn queries_of_scoutfish_run_unchanged() {
    let mates = r#"famous.pgn|--query|{"result": "0-1", "result-type": "mate"}"#;
    assert_eq!(found(mates), [(10, Some(64)), (17, Some(82))]);
    let page = r#"famous.pgn|--query|{"skip": 1, "limit": 2, "moved": "KP", "captured": "Q"}"#;
    assert_eq!(found(page), [(4, Some(19)), (7, Some(45))]);
}

#[test]
fn header_filters_find_games_by_two_players_comments_and_starts() {
    let files = "famous.pgn|annotated.pgn|chess960.pgn";
    assert_eq!(
        numbers(&format!("{files}|--player|Fischer|--versus|spassky")),
        [26]
    );
    assert_eq!(
        numbers(&format!("{files}|--player|spassky|--versus|bent larsen")),
        [9]
    );
    assert_eq!(numbers(&format!("{files}|--chess960|342")), [1]);
    assert_eq!(
        numbers(&format!(
            "{files}|--comment|pawns seventh|--black|bourdonnais"
        )),
        [1]
    );
    assert_eq!(
        numbers(&format!("{files}|--player|reti|--result|1-0")),
        [13, 4]
    );
}

/// Four games with ratings, titles, ids and clocks.
fn rated() -> Room {
    let game = |white: &str, black: &str, date: &str, more: &str| {
        format!(
            "[White \"A\"]\n[Black \"B\"]\n[Date \"{date}\"]\n[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n{more}\n1. e4 *\n\n"
        )
    };
    let games = [
        game(
            "2500",
            "2400",
            "2020.01.01",
            "[WhiteTitle \"GM\"]\n[WhiteFideId \"123\"]\n",
        ),
        game("2700", "2760", "2021.01.01", "[TimeControl \"180+2\"]\n"),
        game("?", "2800", "????.??.??", "[BlackTitle \"WGM\"]\n"),
        game("?", "?", "2019.??.??", ""),
    ];
    Room::with("rated.pgn", games.concat())
}

#[track_caller]
fn column(room: &Room, line: &str) -> String {
    let line = format!("search|rated.pgn|{line}|--format|csv");
    let text = run_in(room.folder(), &line).out;
    let numbers = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().expect("a number"));
    numbers.collect::<Vec<_>>().join(" ")
}

#[test]
fn ratings_titles_ids_and_clocks_are_filters() {
    let room = rated();
    assert_eq!(column(&room, "--elo-diff|50.."), "1");
    assert_eq!(column(&room, "--elo-diff|-60..0"), "2");
    assert_eq!(column(&room, "--elo-mean|2700.."), "2");
    assert_eq!(column(&room, "--title|gm"), "1");
    assert_eq!(column(&room, "--title|GM,WGM"), "1 3");
    assert_eq!(column(&room, "--fide-id|123"), "1");
    assert_eq!(column(&room, "--time-control|blitz"), "2");
}

#[test]
fn games_are_sorted_and_what_is_not_known_comes_last() {
    let room = rated();
    assert_eq!(column(&room, "--sort|elo"), "3 2 1 4");
    assert_eq!(column(&room, "--sort|elo|--reverse"), "1 2 3 4");
    assert_eq!(column(&room, "--sort|date"), "2 1 4 3");
    assert_eq!(column(&room, "--sort|date|--limit|1"), "2");
    assert_eq!(column(&room, "--sort|id|--reverse|--limit|2"), "4 3");
    assert_eq!(column(&room, "--jobs|3"), "1 2 3 4");
}

#[test]
fn a_table_says_how_many_of_how_many_it_shows() {
    let text = run_in(&samples(), "search|famous.pgn").ends(0).out;
    assert_eq!(
        text.lines().count(),
        22,
        "a heading, 20 games and the last line"
    );
    assert!(
        text.ends_with("20 of 34 games shown: --limit N shows others, --all shows all\n"),
        "{text}"
    );
    let text = run_in(&samples(), "search|famous.pgn|--all").ends(0).out;
    assert!(text.ends_with("34 games found\n"), "{text}");
    let text = run_in(&samples(), "search|famous.pgn|--player|nobody")
        .ends(1)
        .out;
    assert!(text.ends_with("no game found\n"), "{text}");
}

#[test]
fn json_has_the_true_total_and_the_file_where_there_are_several() {
    let line = "search|famous.pgn|annotated.pgn|--mate|--limit|4|--format|json";
    let json: serde_json::Value =
        serde_json::from_str(&run_in(&samples(), line).ends(0).out).expect("JSON");
    assert_eq!(json["total"], 6);
    assert_eq!(json["games"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["games"][3]["file"], "annotated.pgn");
    assert_eq!(json["games"][3]["white"], "Anderssen, Adolf");
    let none = run_in(&samples(), "search|famous.pgn|--stalemate|--format|json")
        .ends(1)
        .out;
    assert_eq!(none, "{\"total\": 0, \"games\": []}\n");
}

#[test]
fn games_that_are_found_are_written_whole() {
    let room = Room::new();
    let output = |name: &str| room.path(name).display().to_string();
    for name in ["found.pgn", "found.tabiya", "found.si5"] {
        let line = format!("search|famous.pgn|annotated.pgn|--mate|-o|{}", output(name));
        let written = run_in(&samples(), &line);
        // Scid respells nothing of these games.
        written.ends(0);
        let listed = run_in(room.folder(), &format!("list|{name}|--format|csv"));
        assert_eq!(listed.ends(0).out.lines().count(), 7, "{name}");
    }
    let same = run_in(
        &samples(),
        "search|famous.pgn|annotated.pgn|--mate|--format|pgn",
    );
    let file = room.read("found.pgn");
    assert_eq!(same.ends(0).out, file);
    // With all their variations and comments, as a conversion writes them.
    let whole = run_in(&samples(), "convert|annotated.pgn|--games|1");
    assert!(file.contains(&whole.ends(0).out), "{file}");
    // A store is searched as well.
    let text = run_in(room.folder(), "search|found.tabiya|--mate")
        .ends(0)
        .out;
    assert!(text.ends_with("6 games found\n"), "{text}");
}

#[test]
fn the_best_of_several_files_are_written_in_their_order() {
    let room = rated();
    fs::copy(room.path("rated.pgn"), room.path("again.pgn")).expect("copied");
    let line = "search|again.pgn|rated.pgn|--sort|elo|--limit|3|-o|best.pgn";
    run_in(room.folder(), line).ends(0);
    let listed = run_in(room.folder(), "list|best.pgn|--format|csv")
        .ends(0)
        .out;
    let blacks: Vec<_> = listed
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(5).unwrap())
        .collect();
    assert_eq!(blacks, ["2760", "2800", "2800"]);
}

#[test]
fn nothing_is_written_where_nothing_is_found() {
    let room = rated();
    let said = run_in(room.folder(), "search|rated.pgn|--mate|-o|none.pgn")
        .ends(1)
        .err;
    assert!(!room.path("none.pgn").exists());
    assert!(said.contains("no game was found"), "{said}");
}

#[test]
fn a_list_goes_into_a_file() {
    let room = rated();
    run_in(room.folder(), "search|rated.pgn|--format|csv|-o|hits.csv").ends(0);
    let csv = room.read("hits.csv");
    assert_eq!(csv.lines().count(), 5);
    let into_games = run_in(room.folder(), "search|rated.pgn|--format|csv|-o|rated.pgn");
    into_games.ends(2);
    assert!(room.read("rated.pgn").contains("2760"));
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_searched() {
    let Ran { out, err, .. } =
        run_in(&samples(), "search|no such file.pgn|famous.pgn|--mate").ends(2);
    assert!(out.ends_with("3 games found\n"), "{out}");
    assert!(err.contains("no such file.pgn"), "{err}");
}

#[test]
fn a_wrong_question_is_refused_before_anything_is_read() {
    for line in [
        "--where|chekc",
        "--fen|x",
        "--loose",
        "--mirror",
        "--limit|3|--all",
        "--versus|tal",
    ] {
        run_in(&samples(), &format!("search|famous.pgn|{line}")).ends(2);
    }
}

#[test]
fn a_question_that_nothing_can_answer_is_refused_and_says_why() {
    for (line, reason) in [
        ("--pawns|white=a1", "no pawn stands on the first rank"),
        ("--pawns|white-files=abcdefghh", "8 pawns at most"),
        ("--material|Q=-1", "no side has this material"),
        ("--material|P=9..", "8 pawns at most"),
        ("--manoeuvre|Nf3-f4", "a knight does not go from f3 to f4"),
        (
            "--where|manoeuvre(Ra1-b2)",
            "a rook does not go from a1 to b2",
        ),
    ] {
        let ran = run_in(&samples(), &format!("search|famous.pgn|{line}"));
        let said = ran.ends(2).err;
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn openings_are_named() {
    let line = "famous.pgn|--player|fischer|--castled=black-queenside";
    let json = run_in(&samples(), &format!("search|{line}|--format|json"))
        .ends(0)
        .out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let opening = &json["games"][0]["opening"];
    let name = opening["name"].as_str().expect("a name");
    assert_eq!(opening["eco"], "C17");
    let csv = run_in(&samples(), &format!("search|{line}|--format|csv"))
        .ends(0)
        .out;
    let heading = "number,white,white_elo,black,black_elo,result,date,eco,ply,event,opening";
    assert_eq!(csv.lines().next(), Some(heading), "one file is not named");
    assert!(
        csv.trim_end().ends_with(name) || csv.contains(&format!("\"{name}\"")),
        "{csv}"
    );
    let table = run_in(&samples(), &format!("search|{line}")).ends(0).out;
    assert!(table.contains(name), "{table}");
    let listed = run_in(&samples(), "list|famous.pgn|--format|json")
        .ends(0)
        .out;
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed[20]["opening"], name);
}
