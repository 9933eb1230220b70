//! How long do questions take, against whoever else answers them? In one run, on the same games:
//!
//! * questions about headers, against DuckDB on the Parquet files of an export;
//! * `reaches` on every game, against a bare loop that replays all main lines on all cores;
//! * questions that the index answers, against `tabiya search`;
//! * questions of which a part is answered where rows are read, against the same in a form in which it
//!   is not.
//!
//! ```sh
//! SQL_GAMES=games.tabiya cargo bench -p tabiya-sql --bench questions
//! ```
//!
//! Without `SQL_GAMES`, 100,000 games are generated. DuckDB is asked by the Python of `TABIYA_PYTHON`
//! (`python3` without it), and left out where that has no `duckdb`. Times are by the clock, the best of
//! several rounds in which all take turns.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use datafusion::arrow::array::AsArray;
use tabiya::search::Question;
use tabiya_game::{
    GameTree,
    generate::{Generator, Options as Generated},
};
use tabiya_sql::{Options, Session};
use tabiya_store::{
    Store,
    movetext::{Movetext, Player},
    table::StoreTable,
};
use tokio::runtime::Runtime;

const ROUNDS: usize = 5;

/// What people ask of headers, as both understand it.
const HEADERS: [(&str, &str); 6] = [
    ("all games", "select count(*) from games"),
    (
        "results",
        "select result, count(*) from games group by result order by 1",
    ),
    (
        "by year and result",
        "select date / 10000 as year, result, count(*), avg(white_rating) from games group by 1, 2 order by 1, 2",
    ),
    (
        "busiest players",
        "select white, count(*) from games group by white order by 2 desc, 1 limit 10",
    ),
    (
        "one player",
        "select count(*), avg(black_rating) from games where white = 'Carlsen,M' or white = 'Player 1'",
    ),
    (
        "long games of strong players",
        "select count(*) from games where ply_count > 120 and white_rating > 2500",
    ),
];

/// The Najdorf, a Ruy Lopez, and a position that nobody has.
const POSITIONS: [(&str, &str); 3] = [
    (
        "Najdorf",
        "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    ),
    (
        "Ruy Lopez",
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    ),
    ("nowhere", "8/8/8/4k3/8/2K5/8/QQQ5 w - - 0 1"),
];

/// What is answered where rows are read, and the same asked so that it is not.
const PUSHED: [(&str, &str, &str); 5] = [
    (
        "limit",
        "select id, white from games limit 10",
        "select id, white from games order by id + 0 limit 10",
    ),
    (
        "columns",
        "select count(white) from games",
        "select count(white), count(moves), count(main_line) from games",
    ),
    (
        "key",
        "select count(*) from positions where key = position_key('rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6')",
        "select count(*) from positions where key + 0 = position_key('rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6')",
    ),
    (
        "numbers",
        "select count(*) from positions where game < 1000",
        "select count(*) from positions where game + 0 < 1000",
    ),
    (
        "header",
        "select count(main_line) from games where white = 'Carlsen,M' or white = 'Player 1'",
        "select count(main_line) from games where white || '' = 'Carlsen,M' or white || '' = 'Player 1'",
    ),
];

fn main() {
    let runtime = Runtime::new().expect("threads");
    let folder = tempfile::tempdir().expect("a folder");
    let store = games(folder.path());
    let lake = folder.path().join("lake");
    export(&store, &lake);
    let options = Options::default();
    let ours = runtime.block_on(Session::open([&store], &options));
    let ours = ours.expect("a session");
    let parquet = runtime.block_on(Session::open([&lake], &options));
    let parquet = parquet.expect("a session");
    let mut duck = Duck::start(&lake);
    let ask = |session: &Session, sql: &str| runtime.block_on(ask(session, sql));

    println!("\nheaders, ms      tabiya  tabiya on Parquet  DuckDB on Parquet  DuckDB/tabiya");
    for (title, sql) in HEADERS {
        let best = contest(&mut [
            &mut || timed(|| ask(&ours, sql)),
            &mut || timed(|| ask(&parquet, sql)),
            &mut || duck.as_mut().map_or(Duration::ZERO, |duck| duck.ask(sql)),
        ]);
        line(title, &best, best[2], best[0]);
    }

    println!("\nevery game, ms   reaches    replay loop  loop/reaches");
    for (title, fen) in POSITIONS {
        // No index answers what is compared with something else.
        let sql = format!("select count(*) from games where reaches(moves, '{fen}') = (id > 0)");
        let opened = Store::open(&store).expect("a store");
        let best = contest(&mut [&mut || timed(|| ask(&ours, &sql)), &mut || {
            timed(|| replay(&opened))
        }]);
        line(title, &best, best[1], best[0]);
    }

    println!("\nby the index, ms SQL        search       SQL/search");
    for (title, fen) in POSITIONS {
        let sql = format!("select id from games where reaches(moves, '{fen}')");
        let database = tabiya::open(&store).expect("a database");
        let query = format!("fen({fen})").parse().expect("a question");
        let question = Question {
            query: Some(query),
            ..Question::default()
        };
        let search = || {
            let mut found = 0;
            let each = |_| {
                found += 1;
                Ok::<_, tabiya::Error>(())
            };
            question.ask(&database, each).expect("an answer");
            found
        };
        assert_eq!(search(), rows(&runtime, &ours, &sql), "{title}");
        let best = contest(&mut [&mut || timed(|| ask(&ours, &sql)), &mut || timed(search)]);
        line(title, &best, best[0], best[1]);
    }

    println!("\npushed down, ms  pushed     not pushed   not/pushed");
    for (title, pushed, not) in PUSHED {
        let best = contest(&mut [&mut || timed(|| ask(&ours, pushed)), &mut || {
            timed(|| ask(&ours, not))
        }]);
        line(title, &best, best[1], best[0]);
    }
}

/// The best times of some, who take turns.
fn contest(runs: &mut [&mut dyn FnMut() -> Duration]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; runs.len()];
    for _ in 0..ROUNDS {
        for (run, best) in runs.iter_mut().zip(&mut best) {
            *best = run().min(*best);
        }
    }
    best
}

fn line(title: &str, times: &[Duration], one: Duration, other: Duration) {
    print!("{title:30}");
    for time in times {
        print!("{:>12.2}", time.as_secs_f64() * 1e3);
    }
    println!("{:>12.2}", one.as_secs_f64() / other.as_secs_f64());
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

async fn ask(session: &Session, sql: &str) -> usize {
    let answer = session.query(sql).await.expect("an answer");
    let batches = answer.collect().await.expect("rows");
    batches.iter().map(|batch| batch.num_rows()).sum()
}

fn rows(runtime: &Runtime, session: &Session, sql: &str) -> usize {
    runtime.block_on(ask(session, sql))
}

/// Plays every main line, on all cores.
fn replay(store: &Store) -> u64 {
    let table = StoreTable::new(store);
    let moves = table.games().index_of("moves").expect("moves");
    let (blocks, next) = (table.blocks(), AtomicUsize::new(0));
    let work = || {
        let player = Player::new();
        let mut plies = 0_u64;
        while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let rows = table.rows(block, None);
            let batch = table.read_games(block, &rows, &[moves]).expect("moves");
            for bytes in batch.column(0).as_binary_view().iter().flatten() {
                let Ok(Some(game)) = Movetext::parse(bytes) else {
                    continue;
                };
                let _ = player.play_boards(game, |_, _| {
                    plies += 1;
                    ControlFlow::Continue(())
                });
            }
        }
        plies
    };
    let jobs = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let plies = workers.into_iter().map(|worker| worker.join());
        plies.map(|plies| plies.expect("no panic")).sum()
    })
}

/// The database of `SQL_GAMES`, or one of generated games.
fn games(folder: &Path) -> PathBuf {
    if let Some(path) = env::var_os("SQL_GAMES") {
        return path.into();
    }
    let path = folder.join("games.tabiya");
    let games = 100_000;
    let generator = Generator::new(Generated {
        games,
        book: true,
        ..Generated::default()
    });
    let mut importer = Store::import(&path).expect("a store");
    let mut game = GameTree::default();
    for index in 0..games {
        generator.make(index, &mut game);
        importer.add(&game).expect("a game");
    }
    importer
        .finish()
        .and_then(|done| done.merge())
        .expect("a store");
    path
}

fn export(store: &Path, lake: &Path) {
    let mut formats = tabiya::registry().clone();
    formats.register(&tabiya_store::parquet::PARQUET);
    let format = formats.spec("parquet").expect("a format");
    tabiya::convert(store, lake)
        .registry(formats)
        .format(format)
        .run()
        .expect("an export");
}

/// DuckDB, in a process of its own that says how long its answers take.
struct Duck {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

const SCRIPT: &str = "
import sys, time, duckdb
connection = duckdb.connect()
connection.execute(f\"create view games as select * from '{sys.argv[1]}/games.parquet'\")
print('ready', flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    connection.execute(line).fetchall()
    print(time.perf_counter() - start, flush=True)
";

impl Duck {
    fn start(lake: &Path) -> Option<Duck> {
        let python = env::var_os("TABIYA_PYTHON").unwrap_or_else(|| "python3".into());
        let mut process = Command::new(python)
            .args(["-c", SCRIPT])
            .arg(lake)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let questions = process.stdin.take()?;
        let mut answers = BufReader::new(process.stdout.take()?);
        let mut ready = String::new();
        answers.read_line(&mut ready).ok()?;
        if ready.trim() != "ready" {
            println!("no DuckDB: its column stays 0");
            return None;
        }
        Some(Duck {
            process,
            questions,
            answers,
        })
    }

    fn ask(&mut self, sql: &str) -> Duration {
        writeln!(self.questions, "{}", sql.replace(" / 10000", " // 10000")).expect("it listens");
        let mut seconds = String::new();
        self.answers.read_line(&mut seconds).expect("it answers");
        Duration::from_secs_f64(seconds.trim().parse().expect("seconds"))
    }
}

impl Drop for Duck {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
