//! The mailbox's legal moves, proven by counting them as the bitboards' are.

use tabiya_chess::{Setup, mailbox};

use crate::suites;

fn run(name: &str) {
    let Some(cases) = suites::load(name) else {
        return;
    };
    let mut total = 0;
    for case in &cases {
        let fen = &case.fen;
        let setup: Setup = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
        let board = mailbox::Mailbox::from_setup(&setup).unwrap_or_else(|e| panic!("{fen}: {e}"));
        // Where every listed depth is beyond the limit, the first is counted all the same.
        let deepest = case.deepest(suites::node_limit());
        let listed = deepest.or(case.counts.first().copied());
        let (depth, nodes) = listed.unwrap_or_else(|| panic!("{fen}: no counts"));
        assert_eq!(mailbox::perft(&board, depth), nodes, "{fen} depth {depth}");
        total += nodes;
    }
    println!("{name}: {} positions, {total} nodes", cases.len());
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn standard_suite() {
    run("standard.epd");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn chess960_suite() {
    run("chess960.epd");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn tricky_suite() {
    run("tricky.perft");
}
