//! DuckDB asks the Parquet files of an export, where it is installed.
#![cfg(feature = "parquet")]

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
};

use tabiya_chess::{Action, Position};
use tabiya_formats::{
    Destination,
    registry::{Registry, WriteOptions},
};
use tabiya_game::{
    GameTree,
    generate::{Generator, Options},
};
use tabiya_store::parquet::PARQUET;

/// Answers by SQL, a line each.
const SCRIPT: &str = r#"
import sys, duckdb
lake, key = sys.argv[1], int(sys.argv[2])
def ask(sql):
    for row in duckdb.sql(sql.replace("POSITIONS", f"'{lake}/positions/*.parquet'")
                             .replace("GAMES", f"'{lake}/games.parquet'")).fetchall():
        print("\t".join("NULL" if cell is None else str(cell) for cell in row))
ask(f"select san, uci, count(*) from POSITIONS where key = {key} group by all order by all")
print("--")
ask("select id, white, black, white_rating, date, result, ply_count, main_line from GAMES order by id")
print("--")
ask("""select id, string_agg(san, ' ' order by ply), min(ply), max(ply)
       from GAMES join POSITIONS on game = id group by id order by id""")
"#;

/// The Python to use: that of `TABIYA_PYTHON`, which must have DuckDB then.
fn python() -> PathBuf {
    std::env::var_os("TABIYA_PYTHON").map_or_else(|| "python3".into(), PathBuf::from)
}

/// Whether Python has DuckDB; says so if it does not.
fn is_there() -> bool {
    let found = Command::new(python())
        .args(["-c", "import duckdb"])
        .output();
    let is_there = found.is_ok_and(|output| output.status.success());
    if !is_there {
        assert!(
            std::env::var_os("TABIYA_PYTHON").is_none(),
            "{} has no duckdb",
            python().display()
        );
        let _ = writeln!(io::stderr(), "skipped: python3 has no duckdb");
    }
    is_there
}

fn export(games: &[GameTree], folder: &Path) {
    let registry = Registry::of(&[&PARQUET]);
    let options = WriteOptions::default();
    let profile = registry.spec("parquet").unwrap().for_writing(Some(folder));
    let mut writer = registry.writer(profile, &options).unwrap();
    let destination = Destination::New(folder);
    let mut target = registry.target(profile, destination, &options).unwrap();
    for game in games {
        game.tell(&mut *writer);
        target.add_written(&mut *writer).unwrap();
    }
    target.finish().unwrap();
}

fn answers(lake: &Path, key: i64) -> Vec<String> {
    let output = Command::new(python())
        .args(["-c", SCRIPT])
        .arg(lake)
        .arg(key.to_string())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split("--\n").map(str::to_owned).collect()
}

#[test]
fn duckdb_finds_the_moves_that_were_played_in_parquet_files() {
    if !is_there() {
        return;
    }
    let generator = Generator::new(Options::default());
    let games: Vec<GameTree> = (0..200).map(|index| generator.game(index)).collect();
    let folder = tempfile::tempdir().unwrap();
    let lake = folder.path().join("lake");
    export(&games, &lake);

    let start = Position::initial().key();
    let mut moves: BTreeMap<(String, String), usize> = BTreeMap::new();
    let (mut headers, mut lines) = (String::new(), String::new());
    for (game, id) in games.iter().zip(1..) {
        let (mut sans, mut ucis) = (Vec::new(), Vec::new());
        for (before, action) in game.main_line() {
            let Action::Move(play) = action else {
                panic!("no null moves without variations");
            };
            let (san, uci) = (before.san(play).to_string(), before.uci(play).to_string());
            if before.key() == start {
                *moves.entry((san.clone(), uci.clone())).or_default() += 1;
            }
            sans.push(san);
            ucis.push(uci);
        }
        let tag = |name: &str| game.tags.get(name).unwrap_or("NULL").to_owned();
        let date = match tag("Date").replace('.', "").replace('?', "0") {
            date if date.trim_matches('0').is_empty() => "0".to_owned(),
            date => date,
        };
        let line = match ucis.is_empty() {
            true => "NULL".to_owned(),
            false => ucis.join(" "),
        };
        let (count, result) = (ucis.len(), game.result.tag());
        let (white, black) = (tag("White"), tag("Black"));
        let elo = Some(tag("WhiteElo")).filter(|elo| elo.parse::<i16>().is_ok());
        let elo = elo.unwrap_or("NULL".to_owned());
        headers += &format!("{id}\t{white}\t{black}\t{elo}\t{date}\t{result}\t{count}\t{line}\n");
        if count > 0 {
            lines += &format!("{id}\t{}\t1\t{count}\n", sans.join(" "));
        }
    }
    let moves = moves
        .iter()
        .map(|((san, uci), count)| format!("{san}\t{uci}\t{count}\n"));
    let found = answers(&lake, start.0 as i64);
    assert_eq!(found[0], moves.collect::<String>());
    assert!(found[1].lines().eq(headers.lines()), "{}", found[1]);
    assert!(found[2].lines().eq(lines.lines()), "{}", found[2]);
}
