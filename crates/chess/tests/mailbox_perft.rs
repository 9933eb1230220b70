//! The mailbox's legal moves against published counts.
//!
//! The positions are not part of the repository: they are read from the folder named by
//! `TABIYA_DATA`. Each is counted at its deepest listed depth within a limit of nodes, which
//! `TABIYA_FULL=1` raises.

use std::{env, fs, path::PathBuf};

use tabiya_chess::{Setup, mailbox};

/// What a default test run may count in a position.
const QUICK_NODES: u64 = 100_000;
/// What a full run may count.
const FULL_NODES: u64 = 5_000_000;

fn node_limit() -> u64 {
    match env::var("TABIYA_FULL").as_deref() {
        Ok("1") => FULL_NODES,
        _ => QUICK_NODES,
    }
}

/// A file of the data folder, if it is there.
fn read(name: &str) -> Option<String> {
    let folder = env::var_os("TABIYA_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let text = fs::read_to_string(folder.join("perft").join(name)).ok();
    if text.is_none() {
        println!("skipped: no data");
    }
    text
}

/// Counts a position at the deepest of its depths that the limit allows, or at the first where
/// all are beyond it.
fn check(fen: &str, counts: &[(u8, u64)]) -> u64 {
    let setup: Setup = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
    let board = mailbox::Mailbox::from_setup(&setup).unwrap_or_else(|e| panic!("{fen}: {e}"));
    let within = counts.iter().rfind(|(_, count)| *count <= node_limit());
    let deepest = within.or(counts.first());
    let &(depth, expected) = deepest.unwrap_or_else(|| panic!("{fen}: no counts"));
    assert_eq!(
        mailbox::perft(&board, depth),
        expected,
        "{fen} at depth {depth}"
    );
    expected
}

/// `FEN ;D1 20 ;D2 400`, a position a line.
fn check_epd(name: &str) {
    let Some(text) = read(name) else { return };
    let mut nodes = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut parts = line.split(';');
        let fen = parts.next().unwrap_or_default().trim();
        let counts: Vec<_> = parts.map(|part| parse_count(part.trim(), 'D')).collect();
        nodes += check(fen, &counts);
    }
    println!("{name}: {nodes} nodes");
}

fn parse_count(text: &str, prefix: char) -> (u8, u64) {
    let numbers = text.trim_start_matches(prefix);
    let (depth, count) = numbers.trim().split_once(' ').expect("depth and count");
    let count = count.trim().parse().expect("a count");
    (depth.parse().expect("a depth"), count)
}

#[test]
fn standard_positions_count_right() {
    check_epd("standard.epd");
}

#[test]
fn chess960_positions_count_right() {
    check_epd("chess960.epd");
}

/// `epd …` and `perft 1 20` on lines of their own.
#[test]
fn tricky_positions_count_right() {
    let Some(text) = read("tricky.perft") else {
        return;
    };
    let mut positions: Vec<(&str, Vec<(u8, u64)>)> = Vec::new();
    for line in text.lines() {
        match (line.split_once(' '), positions.last_mut()) {
            (Some(("epd", fen)), _) => positions.push((fen, Vec::new())),
            (Some(("perft", count)), Some((_, counts))) => counts.push(parse_count(count, 'D')),
            _ => {}
        }
    }
    assert!(!positions.is_empty());
    for (fen, counts) in &positions {
        check(fen, counts);
    }
}
