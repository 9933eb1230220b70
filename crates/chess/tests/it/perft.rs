//! Legal moves are proven by counting them: every position of the suites.

use tabiya_chess::{Position, Setup, Variant, perft};

use crate::suites;

fn position(fen: &str, variant: Variant) -> Position {
    let setup: Setup = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
    Position::from_setup(&setup, variant).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn run(name: &str, variant: Variant) {
    let Some(cases) = suites::load(name) else {
        return;
    };
    let mut proven = 0;
    for case in &cases {
        let Some((depth, nodes)) = case.deepest(suites::node_limit()) else {
            continue;
        };
        assert_eq!(
            perft(&position(&case.fen, variant), depth),
            nodes,
            "{} depth {depth}",
            case.fen
        );
        proven += 1;
    }
    assert!(
        proven * 10 >= cases.len() * 9,
        "{proven} of {} positions of {name}",
        cases.len()
    );
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn standard_suite() {
    run("standard.epd", Variant::Standard);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn chess960_suite() {
    run("chess960.epd", Variant::Chess960);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn tricky_suite() {
    run("tricky.perft", Variant::Standard);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn antichess_suite() {
    run("antichess.perft", Variant::Antichess);
}
