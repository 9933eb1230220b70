//! How the time of a cluster grows with data and with executors, on this machine.
//!
//! `cargo bench -p tabiya-sql --bench cluster -- LAKE...` asks each export of one session, and of
//! clusters of one and of two executors with one core each: the best of three, in seconds. Scheduler,
//! executors and this program share the cores that there are.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

use datafusion::{
    arrow::{array::AsArray, datatypes::Int64Type},
    error::Result,
    prelude::{SessionConfig, SessionContext},
};
use tabiya_sql::lake::Lake;

#[allow(dead_code, reason = "tests of failures need more of a process")]
#[path = "../tests/it/cluster/process.rs"]
mod process;

use process::Cluster;

/// Nothing to do, a header, a group of many, all positions, and a join.
const QUESTIONS: [(&str, &str); 5] = [
    ("one row", "select 1 from games limit 1"),
    (
        "results",
        "select result, count(*) from games group by result",
    ),
    (
        "players",
        "select white, count(*) as games from games group by white order by games desc limit 10",
    ),
    (
        "distinct positions",
        "select count(distinct key) from positions",
    ),
    (
        "moves and results",
        "select san, result, count(*) from positions join games on game = id where ply = 1 \
         group by san, result",
    ),
];
const ROUNDS: usize = 3;

#[tokio::main]
async fn main() -> Result<()> {
    // `cargo bench` adds one of its own.
    let lakes = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    for lake in lakes {
        measure(&PathBuf::from(lake)).await?;
    }
    Ok(())
}

async fn measure(lake: &Path) -> Result<()> {
    let alone = local(lake).await;
    let games = number(&alone, "select count(*) from games").await?;
    let positions = number(&alone, "select count(*) from positions").await?;
    let (game_bytes, position_bytes) = (
        bytes(&lake.join("games.parquet"))?,
        bytes(&lake.join("positions"))?,
    );
    println!("\n{}: {games} games, {positions} positions", lake.display());
    println!(
        "bytes a game: {:.1} in games.parquet, {:.1} in positions ({:.2} a position)\n",
        game_bytes as f64 / games as f64,
        position_bytes as f64 / games as f64,
        position_bytes as f64 / positions as f64,
    );
    let one = Cluster::start(1);
    let two = Cluster::start(2);
    let (of_one, of_two) = (one.session(lake).await, two.session(lake).await);
    println!("| question | one session | one executor | two executors |");
    println!("|---|---|---|---|");
    for (name, sql) in QUESTIONS {
        let mut cells = Vec::new();
        for session in [&alone, &of_one, &of_two] {
            cells.push(format!("{:.2}", seconds(session, sql).await?));
        }
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// A session of this process, on one core as each executor is.
async fn local(lake: &Path) -> SessionContext {
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    let lake = Lake::parse(&lake.display().to_string()).expect("a folder");
    lake.register(&session).await.expect("an export");
    session
}

async fn number(session: &SessionContext, sql: &str) -> Result<i64> {
    let batches = session.sql(sql).await?.collect().await?;
    Ok(batches[0].column(0).as_primitive::<Int64Type>().value(0))
}

async fn seconds(session: &SessionContext, sql: &str) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        session.sql(sql).await?.collect().await?;
        best = best.min(started.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// The bytes of a file, or of all files of a folder.
fn bytes(path: &Path) -> io::Result<u64> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        return Ok(metadata.len());
    }
    let entries = fs::read_dir(path)?;
    entries.map(|entry| bytes(&entry?.path())).sum()
}
