//! One case at a time.

use std::path::{Path, PathBuf};

use tabiya::{
    Database, ErrorKind, Filter, Open,
    duplicates::{Found, How, Preference, find, plan},
    plan::{Action, Plan},
};

const LONG: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 \
    8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 \
    15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8#";
const SHORT: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. Re1 Nd6 6. Nxe5 Be7 7. Bf1 Nxe5";

/// A header in one line: `White|Black|Date|Event|Round`.
fn game(header: &str, moves: &str, result: &str) -> String {
    let names = ["White", "Black", "Date", "Event", "Round"];
    let tags = names
        .iter()
        .zip(header.split('|'))
        .filter(|(_, value)| !value.is_empty());
    let tags: String = tags
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
        .collect();
    format!("{tags}[Result \"{result}\"]\n\n{moves} {result}\n\n")
}

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Files {
        Files {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn pgn(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn store(&self, name: &str, text: &str) -> PathBuf {
        let pgn = self.pgn("source.pgn", text);
        let path = self.folder.path().join(name);
        tabiya::convert(&pgn, &path).run().unwrap();
        path
    }
}

fn open(paths: &[&Path]) -> Vec<Database> {
    paths
        .iter()
        .map(|path| tabiya::open(path).unwrap())
        .collect()
}

fn look(text: &str, how: How) -> Found {
    let files = Files::new();
    let path = files.pgn("games.pgn", text);
    find(&open(&[&path]), &Filter::default(), how).unwrap()
}

/// The numbers of copies in a text.
fn copies(text: &str) -> Vec<Vec<u64>> {
    let found = look(text, How::Near);
    let numbers = |group: &Vec<_>| {
        let group: &Vec<tabiya::duplicates::GameRef> = group;
        group.iter().map(|game| game.number).collect()
    };
    found.groups.iter().map(numbers).collect()
}

const MORPHY: &str = "Morphy, Paul|Isouard, Carl|1858.10.21|Opera|1";

#[test]
fn a_game_is_the_same_however_its_header_is_written() {
    for other in [
        "Morphy,P|Isouard|1858.10.21|Opera|1",
        "Paul Morphy|Carl Isouard|1858.??.??|Paris Opera|?",
        "MORPHY P.|Isouart, C|1858.10.21||",
        "Morphy, Paul|Isouard, Carl|||",
        "Isouard, Carl|Morphy, Paul|1858.10.21|Opera|1",
        "Morphy, Paul|?|1858.10.21|Opera|",
        "Morphy, Paul|Isouard, Carl|1858.10.12|Opera house|1",
    ] {
        let text = game(MORPHY, LONG, "1-0") + &game(other, LONG, "1-0");
        assert_eq!(copies(&text), [[1, 2]], "{other}");
    }
}

#[test]
fn a_game_is_the_same_if_its_end_is_missing_or_differs() {
    for (moves, result) in [
        (&LONG[..LONG.find(" 15.").unwrap()], "*"),
        (&LONG[..LONG.find(" 17.").unwrap()], "1-0"),
        (
            &format!("{} 17. Kb1", &LONG[..LONG.find(" 17.").unwrap()]),
            "1-0",
        ),
    ] {
        let text = game(MORPHY, LONG, "1-0") + &game(MORPHY, moves, result);
        assert_eq!(copies(&text), [[1, 2]], "{moves}");
    }
}

#[test]
fn short_draws_by_others_or_on_another_day_are_others() {
    let first = game("Tal, M|Keres, P|1960.01.05|Riga|3", SHORT, "1/2-1/2");
    for other in [
        "Spassky, B|Petrosian, T|1961.02.03|Moscow|4",
        "Tal, M|Keres, P|1961.03.07|Tallinn|9",
        "Keres, P|Tal, M|1961.03.07|Tallinn|9",
        "Tal, M|Petrosian, T|1960.01.05|Riga|3",
        "Tal, M|Keres, P|1960.01.05|Riga|4",
        "?|?|||",
    ] {
        let text = first.clone() + &game(other, SHORT, "1/2-1/2");
        assert_eq!(copies(&text), Vec::<Vec<u64>>::new(), "{other}");
    }
    let same = first.clone() + &game("Tal,Mikhail|Keres,Paul|1960.01.05|Riga|3", SHORT, "1/2-1/2");
    assert_eq!(copies(&same), [[1, 2]]);
}

#[test]
fn games_that_share_an_opening_do_not_come_together_through_a_third() {
    let prefix = &LONG[..LONG.find(" 10.").unwrap()];
    let other = format!("{prefix} 10. O-O-O bxc4 11. Qxc4 Nbd7 12. f4 h6 13. Bh4 g5 14. fxg5 hxg5");
    let header = "Morphy, Paul|Isouard, Carl|||";
    let text = game("Morphy, Paul|Isouard, Carl|1858.10.21|Opera|1", LONG, "1-0")
        + &game("Morphy, Paul|Isouard, Carl|1859.02.01|Club|", &other, "1-0")
        + &game(header, prefix, "1-0");
    assert_eq!(copies(&text), Vec::<Vec<u64>>::new());
}

#[test]
fn games_without_moves_are_the_same_only_if_everything_else_is() {
    let known = "Tal, M|Keres, P|1960.01.05|Riga|3";
    let text = game(known, "", "1-0") + &game(known, "", "1-0");
    assert_eq!(copies(&text), [[1, 2]]);
    assert_eq!(
        copies(&(game(known, "", "1-0") + &game(known, SHORT, "1-0"))),
        [[1, 2]]
    );
    for other in [
        "Tal, M|Keres, P|1960.01.05|Riga|4",
        "Tal, M|Keres, P|||",
        "?|?|||",
    ] {
        let text = game(known, "", "1-0") + &game(other, "", "1-0");
        assert_eq!(copies(&text), Vec::<Vec<u64>>::new(), "{other}");
    }
    let nothing = game("", "", "*").repeat(3);
    assert_eq!(copies(&nothing), Vec::<Vec<u64>>::new());
    assert_eq!(look(&nothing, How::Exact).groups.len(), 0);
}

#[test]
fn of_many_games_without_moves_each_copy_is_found() {
    let header = |round: u32| format!("Tal, M|Keres, P|1960.01.05|Riga|{round}");
    let games = |moves: &str| -> String {
        let rounds = 1..=60;
        rounds
            .map(|round| game(&header(round), moves, "1-0"))
            .collect()
    };
    let pairs: Vec<[u64; 2]> = (1..=60).map(|number| [number, number + 60]).collect();
    assert_eq!(copies(&(games("") + &games(""))), pairs);
    let undated = game("Tal, M|Keres, P||Riga|", "", "1-0");
    assert_eq!(
        copies(&(games("") + &undated.repeat(2))),
        [[61, 62]],
        "all that they say is the same"
    );
}

#[test]
fn reasons_count_one_ply_and_one_other() {
    let files = Files::new();
    let known = "Tal, M|Keres, P|1960.01.05|Riga|3";
    let reason = |one: &str, other: &str| {
        let text = game(known, one, "1-0") + &game(known, other, "1-0");
        let databases = open(&[&files.pgn("games.pgn", &text)]);
        let found = find(&databases, &Filter::default(), How::Near).unwrap();
        let plan = plan(&databases, &found, &[]).unwrap();
        plan.steps.last().unwrap().reason.clone()
    };
    assert_eq!(reason("1. e4", "1. e4"), "the same ply");
    assert_eq!(
        reason(SHORT, &SHORT.replace("Bf1 Nxe5", "Bf1 O-O")),
        "the same 13 plies, then 1 other"
    );
}

#[test]
fn other_starts_are_other_games() {
    let header = "[White \"Tal, M\"]\n[Black \"Keres, P\"]\n[Date \"1960.01.05\"]\n[SetUp \"1\"]\n";
    let game = |fen: &str| format!("{header}[FEN \"{fen}\"]\n\n1. Kd2 Kd7 2. Kd3 Kd6 *\n\n");
    let (one, other) = (
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/7P/4K3 w - - 0 1",
    );
    assert_eq!(copies(&(game(one) + &game(one))), [[1, 2]]);
    assert_eq!(copies(&(game(one) + &game(other))), Vec::<Vec<u64>>::new());
    let chess960 = "[White \"A, B\"]\n[Black \"C, D\"]\n[Date \"2020.01.05\"]\n[Variant \"Chess960\"]\n\
        [FEN \"bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w KQkq - 0 1\"]\n\n1. e4 e5 2. d3 d6 *\n\n";
    assert_eq!(copies(&chess960.repeat(2)), [[1, 2]]);
}

#[test]
fn broken_games_are_compared_as_far_as_they_go() {
    let broken = LONG.replace("17. Rd8#", "17. Ra1-b9 hm");
    let text = game(MORPHY, LONG, "1-0") + &game(MORPHY, &broken, "1-0");
    assert_eq!(copies(&text), [[1, 2]]);
}

#[test]
fn many_copies_are_one_group() {
    let text = game(MORPHY, LONG, "1-0").repeat(200);
    let found = look(&text, How::Near);
    assert_eq!((found.groups.len(), found.copies()), (1, 199));
    let short = game("Tal, M|Keres, P|1960.01.05|Riga|3", SHORT, "1/2-1/2").repeat(200);
    assert_eq!(look(&short, How::Near).copies(), 199);
}

#[test]
fn exact_copies_have_the_same_tags() {
    let other = "Morphy,P|Isouard|1858.10.21|Opera|1";
    let text = game(MORPHY, LONG, "1-0") + &game(other, LONG, "1-0") + &game(MORPHY, LONG, "1-0");
    let groups = look(&text, How::Exact).groups;
    let numbers: Vec<u64> = groups[0].iter().map(|game| game.number).collect();
    assert_eq!((groups.len(), numbers), (1, vec![1, 3]));
}

#[test]
fn the_best_copy_is_kept_and_gets_what_it_lacks() {
    let files = Files::new();
    let annotated = LONG.replace("4. dxe5", "4. dxe5 {Best} $1");
    let first = files.store(
        "first.tabiya",
        &(game("Morphy, Paul|Isouard, Carl|1858.??.??||", LONG, "1-0")
            + &game("Tal, M|Keres, P|1960.01.05|Riga|3", SHORT, "1/2-1/2")),
    );
    let second = files.store(
        "second.tabiya",
        &game("Morphy,P|Isouard|1858.10.21|Opera|1", &annotated, "1-0"),
    );
    let databases = open(&[&first, &second]);
    let found = find(&databases, &Filter::default(), How::Near).unwrap();
    assert_eq!(found.games, 3);
    let kept = |prefer: &[Preference]| {
        let plan = plan(&databases, &found, prefer).unwrap();
        let keep = &plan.steps[0];
        assert!(matches!(keep.action, Action::Keep { .. }));
        (keep.database.clone(), plan)
    };
    assert_eq!(kept(&[]).0, second, "with annotations");
    assert_eq!(kept(&[Preference::Newest]).0, second);
    let (path, plan) = kept(&[Preference::Database(first.clone())]);
    assert_eq!(path, first);
    let sets: Vec<_> = plan
        .steps
        .iter()
        .filter_map(|step| match &step.action {
            Action::Set { tag, from, to } => Some((tag.as_str(), from.as_deref(), to.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(
        sets,
        [
            ("Date", Some("1858.??.??"), "1858.10.21"),
            ("Event", None, "Opera"),
            ("Round", None, "1"),
        ]
    );
    let reason = &plan.steps.last().unwrap().reason;
    assert_eq!(
        reason,
        "the same 33 plies; it has 2 comments, glyphs and variations that are not in the kept one; \
         it says otherwise: White \"Morphy,P\", Black \"Isouard\""
    );

    drop(databases);
    let said = |path: &Path| {
        let database = Open::new().deleted(true).open(path).unwrap();
        let game = database.get(1).unwrap();
        (game, database.is_deleted(1))
    };
    let before = (said(&first), said(&second));
    let mut text = Vec::new();
    plan.write(&mut text, Default::default()).unwrap();
    let plan = Plan::parse(&String::from_utf8(text).unwrap()).unwrap();
    plan.apply().unwrap();
    assert_eq!(said(&first).0.tags.event(), Some("Opera"));
    assert!(said(&second).1);
    let again = open(&[&first, &second]);
    let left = find(&again, &Filter::default(), How::Near).unwrap();
    assert_eq!((left.games, left.groups.len()), (2, 0));
    plan.undo().unwrap();
    assert_eq!((said(&first), said(&second)), before);
}

#[test]
fn filters_choose_what_is_looked_at() {
    let files = Files::new();
    let path = files.pgn("games.pgn", &game(MORPHY, LONG, "1-0").repeat(2));
    let filter = Filter {
        white: Some("tal".into()),
        ..Filter::default()
    };
    let found = find(&open(&[&path]), &filter, How::Near).unwrap();
    assert_eq!((found.games, found.groups.len()), (0, 0));
}

/// A draw that many know by heart.
const BERLIN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. Re1 Nd6 6. Nxe5 Be7 7. Bf1 Nxe5 \
    8. Rxe5 O-O 9. d4 Bf6 10. Re1 Re8 11. c3 Rxe1 12. Qxe1 Ne8 13. Bf4 d5 14. Bd3 g6";

#[test]
fn the_return_of_a_short_draw_is_another_game() {
    let first = "Carlsen, Magnus|So, Wesley|2020.09.15|Online|";
    for (round, other) in [
        ("", "So, Wesley|Carlsen, Magnus|2020.09.15|Online|"),
        ("1", "So, Wesley|Carlsen, Magnus|2020.09.15|Online|2"),
        ("1.1", "So, Wesley|Carlsen, Magnus|2020.09.15|Online|1.2"),
        ("1", "So, Wesley|Carlsen, Magnus|2020.09.15|Online|"),
        ("", "So,W|Carlsen,M|2020.09.15||"),
    ] {
        let text =
            game(&format!("{first}{round}"), BERLIN, "1/2-1/2") + &game(other, BERLIN, "1/2-1/2");
        assert_eq!(copies(&text), Vec::<Vec<u64>>::new(), "{round}: {other}");
    }
    // Two play one game in a round: somebody has taken White for Black.
    let text = game(
        "Carlsen, Magnus|So, Wesley|2020.09.15|Online|3.1",
        BERLIN,
        "1/2-1/2",
    ) + &game(
        "So, Wesley|Carlsen, Magnus|2020.09.15|Online|3.1",
        BERLIN,
        "1/2-1/2",
    );
    assert_eq!(copies(&text), [[1, 2]]);
}

#[test]
fn games_that_a_server_tells_apart_are_two() {
    let header = "a|b|2024.05.01|Rated blitz game|";
    let with = |tags: &str| {
        let game = game(header, LONG, "1-0");
        format!("{tags}{game}")
    };
    let address = |path: &str| with(&format!("[Site \"https://lichess.org/{path}\"]\n"));
    let time = |time: &str| with(&format!("[UTCTime \"{time}\"]\n"));
    let none = Vec::<Vec<u64>>::new();
    assert_eq!(copies(&(address("Ret1i7rI") + &address("os6PyJAJ"))), none);
    assert_eq!(
        copies(&(address("same0000") + &address("same0000"))),
        [[1, 2]]
    );
    assert_eq!(copies(&(time("11:06:00") + &time("10:57:12"))), none);
    assert_eq!(copies(&(time("11:06:00") + &time("11:06:00"))), [[1, 2]]);
    // Two servers may have one game.
    let elsewhere = with("[Site \"https://chess.example/game/7\"]\n");
    assert_eq!(copies(&(address("Ret1i7rI") + &elsewhere)), [[1, 2]]);
    // Whoever meets again in another round makes the same draw again.
    let round = |round: &str| {
        game(
            &format!("Anand, V|Kramnik, V|2008.10.01|Bonn|{round}"),
            BERLIN,
            "1/2-1/2",
        )
    };
    assert_eq!(copies(&(round("3") + &round("9"))), none);
    assert_eq!(copies(&(round("3") + &round("3"))), [[1, 2]]);
}

/// The tags that the kept one of two copies gets, and why the other goes.
fn planned(one: &str, other: &str) -> (Vec<String>, String) {
    let files = Files::new();
    let path = files.store("games.tabiya", &format!("{one}{other}"));
    let databases = open(&[&path]);
    let found = find(&databases, &Filter::default(), How::Near).unwrap();
    assert_eq!(found.groups.len(), 1);
    let steps = plan(&databases, &found, &[]).unwrap().steps;
    let sets = steps.iter().filter_map(|step| match &step.action {
        Action::Set { tag, .. } => Some(tag.clone()),
        _ => None,
    });
    (sets.collect(), steps.last().unwrap().reason.clone())
}

#[test]
fn nobody_gets_the_ratings_of_somebody_else() {
    let longer = LONG.replace("14. Rd1", "14. Rd1 {Check}");
    let kept = game(
        "Polgar, Judit|Isouard, Carl|1858.10.21|Opera|1",
        &longer,
        "1-0",
    );
    let others = "[WhiteElo \"2500\"]\n[WhiteFideId \"700070\"]\n[BlackElo \"2400\"]\n\
                  [ECO \"C41\"]\n[Site \"Paris\"]\n";
    let copy = |white: &str| {
        let header = format!("{white}|Isouard, Carl|1858.10.21|Opera|1");
        format!("{others}{}", game(&header, LONG, "1-0"))
    };
    let (sets, reason) = planned(&kept, &copy("Polgar, Sofia"));
    assert_eq!(sets, ["ECO"]);
    for told in ["WhiteElo \"2500\"", "BlackElo \"2400\"", "Site \"Paris\""] {
        assert!(reason.contains(told), "{reason}");
    }
    let (sets, _) = planned(&kept, &copy("Polgar,J"));
    assert_eq!(sets, ["WhiteElo", "WhiteFideId", "BlackElo", "ECO", "Site"]);
    let (sets, _) = planned(&kept, &copy("?"));
    assert_eq!(sets, ["BlackElo", "ECO", "Site"]);
}

#[test]
fn what_goes_with_a_copy_is_told() {
    let short = LONG.replace(" 17. Rd8#", "");
    let short = short.replace("4. dxe5", "4. dxe5 $1 {Best} (4. Bc4 Nf6)");
    let header = |tags: &str, moves: &str| format!("{tags}{}", game(MORPHY, moves, "1-0"));
    let one = header("[WhiteElo \"2690\"]\n[Club \"Paris\"]\n", LONG);
    let other = header("[WhiteElo \"2600\"]\n[Club \"London\"]\n", &short);
    let (_, reason) = planned(&one, &other);
    let notes = "it has 3 comments, glyphs and variations that are not in the kept one";
    assert!(reason.contains(notes), "{reason}");
    let tags = "it says otherwise: WhiteElo \"2600\", Club \"London\"";
    assert!(reason.contains(tags), "{reason}");
    let plain = header("", &LONG.replace(" 17. Rd8#", ""));
    let (_, reason) = planned(&one, &plain);
    assert_eq!(reason, "its 32 plies are the first of 33");
}

#[test]
fn a_database_is_no_copy_of_itself() {
    let files = Files::new();
    let path = files.store("games.tabiya", &game(MORPHY, LONG, "1-0"));
    let other = files.folder.path().join(".").join("games.tabiya");
    for databases in [open(&[&path, &path]), open(&[&path, &other])] {
        let error = find(&databases, &Filter::default(), How::Near).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongPlace);
        let words = error.to_string();
        assert!(words.ends_with("games.tabiya once more"), "{words}");
    }
}

#[test]
fn a_reason_is_true_of_all_copies_it_names() {
    let cut = |end: &str| LONG.split_once(end).expect("a part of it").0.to_owned();
    let known = "Morphy, Paul|Isouard|1858.10.21|Opera|1";
    let text = game("Morphy, Paul|Isouard|1858.10.21", LONG, "1-0")
        + &game(known, &cut(" 16."), "1-0")
        + &game(known, &cut(" 17."), "1-0");
    let files = Files::new();
    let databases = open(&[&files.pgn("games.pgn", &text)]);
    let found = find(&databases, &Filter::default(), How::Near).unwrap();
    let kept = |prefer: &[Preference]| {
        let plan = plan(&databases, &found, prefer).unwrap();
        assert_eq!(plan.steps.len(), 3);
        let step = &plan.steps[0];
        format!("{}: {}", step.games, step.reason)
    };
    assert_eq!(kept(&[]), "1: the longest of 3 copies, with 33 plies");
    // The first has more plies, and less is known of it.
    assert_eq!(
        kept(&[Preference::Header]),
        "3: of 3 copies, 2 are those of which most is known; the longest of these, with 32 plies"
    );
    assert_eq!(
        kept(&[Preference::Header, Preference::Newest]),
        "3: of 3 copies, 2 are those of which most is known; the last of these"
    );
    let [short, equal] = [cut(" 16."), cut(" 16.")].map(|moves| game(known, &moves, "1-0"));
    let poor = game("Morphy, Paul|Isouard|1858.10.21", LONG, "1-0");
    let databases = open(&[&files.pgn("equal.pgn", &(poor + &short + &equal))]);
    let found = find(&databases, &Filter::default(), How::Near).unwrap();
    let plan = plan(&databases, &found, &[Preference::Header]).unwrap();
    assert_eq!(
        plan.steps[0].reason,
        "of 3 copies, 2 are those of which most is known; the first of these"
    );
}
