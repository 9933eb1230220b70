//! Scid finds the same games in a database of tabiya as in its own.
//!
//! Its searches trust what the index says of the moves: which pawns left home in which order, the
//! first moves, the pieces at the end, promotions. A wrong field hides games.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
    path::Path,
};

use tabiya_chess::Position;
use tabiya_game::GameTree;
use tabiya_peers::{data, random::Random, scid::Scid};

use super::{RARE, parse, tournaments, write, write_pgn};

/// How many positions are looked for, and for how many of them similar ones as well.
const POSITIONS: usize = 240;
const SIMILAR: usize = 40;

/// Searches that go by the index alone.
const HEADERS: [&str; 14] = [
    "-white Ka",
    "-black {Short}",
    "-event Premier",
    "-site Hastings",
    "-round 2",
    "-date {1999.01.01 1999.06.30}",
    "-welo {2600 2700}",
    "-belo {2300 2400}",
    "-delo {100 300}",
    "-eco {B00 B49}",
    "-length {10 20}",
    "-toMove w",
    "-gnum {50 60}",
    "-flag D",
];

/// Searches for pieces that were on the board at some time.
const MATERIALS: [&str; 5] = [
    "-wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wm {0 0} -bm {0 0}",
    "-wq {2 9} -bq {0 9}",
    "-wb {2 2} -bn {2 2} -wn {0 0} -bb {0 0}",
    "-wp {0 0}",
    "-wn {3 9}",
];

/// The position after a ply of the main line, or at the end if there are fewer.
fn position_at(game: &GameTree, ply: usize) -> Position {
    let mut last = game.start;
    for (number, (before, action)) in game.main_line().enumerate() {
        last = before;
        if number == ply {
            return before;
        }
        last.act(action);
    }
    last
}

/// Positions of openings, middle games and endings, and some that nobody had.
fn positions(games: &[GameTree], random: &mut Random) -> Vec<Position> {
    let mut positions = vec![Position::initial()];
    while positions.len() < POSITIONS {
        let game = &games[random.below(games.len())];
        let ply = match positions.len() % 3 {
            0 => random.below(16),
            1 => 16 + random.below(40),
            _ => 56 + random.below(60),
        };
        let mut position = position_at(game, ply);
        if positions.len() % 5 == 0 {
            let moves = position.legal_moves();
            if !moves.is_empty() {
                position.play_unchecked(moves[random.below(moves.len())]);
            }
        }
        positions.push(position);
    }
    positions
}

/// Board and side to move, which is what Scid compares.
fn key(position: &Position) -> String {
    let fen = position.to_setup().to_string();
    let mut fields = fen.split(' ');
    let board = fields.next().unwrap_or_default();
    format!("{board} {}", fields.next().unwrap_or_default())
}

/// In which games positions are, by playing all of them: for each the numbers of games.
fn found_by_playing(games: &[GameTree], positions: &[Position]) -> Vec<Vec<String>> {
    let mut wanted: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, position) in positions.iter().enumerate() {
        wanted.entry(key(position)).or_default().push(index);
    }
    let mut found = vec![Vec::new(); positions.len()];
    for (number, game) in (1..).zip(games) {
        let mut note = |position: &Position| {
            for index in wanted.get(&key(position)).into_iter().flatten() {
                let numbers: &mut Vec<String> = &mut found[*index];
                if numbers.last() != Some(&format!("{number}")) {
                    numbers.push(format!("{number}"));
                }
            }
        };
        note(&game.start);
        for (before, action) in game.main_line() {
            let mut after = before;
            after.act(action);
            note(&after);
        }
    }
    found
}

/// What each search finds, by what it was: numbers of games, and at which ply.
fn searched(scid: &Scid, base: &Path, positions: &[Position]) -> BTreeMap<String, String> {
    let mut script = format!(
        "set base [sc_base open SCID4 {}]
        sc_base switch $base
        proc found what {{
            puts -nonewline \"$what:\"
            foreach {{id line more}} [sc_base gameslist $::base 0 999999 dbfilter N+] {{
                puts -nonewline \" $id\"
            }}
            puts \"\"
        }}
        proc look {{what fen types}} {{
            sc_game new
            sc_game startBoard $fen
            foreach type $types {{
                sc_search board RESET $type 0 0
                found \"$type $what\"
            }}
            puts \"Tree $what: [string map {{\\n |}} [sc_tree stats $::base dbfilter]]\"
        }}\n",
        base.display()
    );
    for (index, position) in positions.iter().enumerate() {
        let types = match index % (POSITIONS / SIMILAR) {
            0 => "Exact Pawns Files Material",
            _ => "Exact",
        };
        let fen = position.to_setup();
        writeln!(script, "look {index} {{{fen}}} {{{types}}}").expect("a line");
    }
    for search in HEADERS {
        let filter = "sc_filter search $base dbfilter header -filter RESET";
        writeln!(script, "{filter} {search}; found {{header {search}}}").expect("a line");
    }
    for search in MATERIALS {
        let filter = "sc_search material -filter RESET -length 1";
        writeln!(script, "{filter} {search}; found {{material {search}}}").expect("a line");
    }
    let said = scid.run(&script);
    let lines = said.lines().filter_map(|line| line.split_once(": "));
    lines
        .map(|(what, found)| (what.into(), found.into()))
        .collect()
}

#[test]
fn scid_finds_the_same_games_in_both() {
    let Some(scid) = Scid::find() else { return };
    let Some(data) = data::folder() else { return };
    let mut games = tournaments(&data, 6_000);
    games.extend(parse(RARE));
    let folder = tempfile::tempdir().expect("a folder");
    let [ours, theirs, pgn] =
        ["ours.si4", "theirs.si4", "games.pgn"].map(|n| folder.path().join(n));
    write_pgn(&pgn, &games);
    write(&ours, &games);
    let imported = scid.run(&format!(
        "set base [sc_base create SCID4 {}]\nputs [sc_base import $base {}]",
        theirs.with_extension("").display(),
        pgn.display()
    ));
    assert_eq!(imported.trim(), format!("{} {{}}", games.len()));
    let positions = positions(&games, &mut Random::new(7));
    let [ours, theirs] =
        [ours, theirs].map(|base| searched(&scid, &base.with_extension(""), &positions));
    for (what, theirs) in &theirs {
        assert_eq!(ours.get(what), Some(theirs), "{what}");
    }
    assert_eq!(ours.len(), theirs.len());
    for what in HEADERS.map(|search| format!("header {search}")) {
        assert!(!ours.get(&what).is_none_or(String::is_empty), "{what}");
    }
    let mut hits = 0;
    for (index, expected) in found_by_playing(&games, &positions).iter().enumerate() {
        let found = ours
            .get(&format!("Exact {index}"))
            .map_or("", String::as_str);
        let numbers: Vec<&str> = found
            .split_whitespace()
            .filter_map(|id| Some(id.split_once('_')?.0))
            .collect();
        assert_eq!(numbers, *expected, "{}", positions[index].to_setup());
        hits += usize::from(!numbers.is_empty());
    }
    println!(
        "{POSITIONS} positions, {hits} of them found; {} searches",
        ours.len()
    );
    assert!(hits > POSITIONS / 2 && hits < POSITIONS);
}
