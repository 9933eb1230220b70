//! Perft suites: positions with the number of leaves at each depth.

use std::{env, fs};

use crate::data;

/// A position and what is known about it.
#[derive(Debug)]
pub struct Case {
    pub fen: String,
    /// Depth and nodes.
    pub counts: Vec<(u32, u64)>,
}

impl Case {
    /// The deepest listed depth of at most so many nodes.
    pub fn deepest(&self, limit: u64) -> Option<(u32, u64)> {
        let listed = self.counts.iter().copied();
        listed.filter(|&(_, nodes)| nodes <= limit).max()
    }
}

/// How many nodes a position may take: enough to be a proof with `TABIYA_FULL=1`, quick without.
pub fn node_limit() -> u64 {
    match env::var_os("TABIYA_FULL") {
        Some(_) => 5_000_000,
        None => 100_000,
    }
}

/// A suite from the data folder, `None` (and said so) if there is no such folder.
pub fn load(name: &str) -> Option<Vec<Case>> {
    let path = data::find("perft")?.join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let cases = if name.ends_with(".epd") {
        parse_epd(&text)
    } else {
        parse_perft(&text)
    };
    assert!(!cases.is_empty(), "{} holds no position", path.display());
    Some(cases)
}

/// `FEN ;D1 20 ;D2 400`
fn parse_epd(text: &str) -> Vec<Case> {
    let case = |line: &str| {
        let (fen, counts) = line.split_once(';').expect("a position and counts");
        let count = |word: &str| {
            let (depth, nodes) = word.trim().trim_start_matches('D').split_once(' ')?;
            Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
        };
        Case {
            fen: fen.trim().to_owned(),
            counts: counts
                .split(';')
                .map(|w| count(w).expect("a depth and nodes"))
                .collect(),
        }
    };
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(case)
        .collect()
}

/// Lines `epd FEN` and `perft DEPTH NODES`.
fn parse_perft(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("epd", fen)) => cases.push(Case {
                fen: fen.trim().to_owned(),
                counts: Vec::new(),
            }),
            Some(("perft", counts)) => {
                let (depth, nodes) = counts.trim().split_once(' ').expect("a depth and nodes");
                let case = cases.last_mut().expect("a position before its counts");
                case.counts.push((
                    depth.parse().expect("a depth"),
                    nodes.parse().expect("nodes"),
                ));
            }
            _ => {}
        }
    }
    cases
}
