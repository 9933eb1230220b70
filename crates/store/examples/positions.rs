//! How large the index of positions is, how long it takes to make, and how quick it answers.
//!
//! ```sh
//! GAMES=100000 cargo run --release -p tabiya-store --example positions -- games.tabiya
//! PGN=games.pgn cargo run --release -p tabiya-store --example positions -- games.tabiya
//! ```
//!
//! A database that is not there is made first: of games from a file, or of generated ones.

use std::{
    error::Error,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use tabiya_chess::Position;
use tabiya_formats::pgn::Parser;
use tabiya_game::{
    GameTree,
    generate::{Generator, Options, number},
};
use tabiya_store::{GameSet, Store};

const QUESTIONS: u64 = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a database")?;
    let path = Path::new(&path);
    if !path.exists() {
        let (wall, cpu) = (Instant::now(), cpu());
        make(path)?;
        println!(
            "import: {:.2?}, {:.2?} of processors",
            wall.elapsed(),
            self::cpu() - cpu
        );
    }
    let (wall, before) = (Instant::now(), cpu());
    Store::open(path)?.reindex(512 << 20)?;
    println!(
        "index: {:.2?}, {:.2?} of processors",
        wall.elapsed(),
        cpu() - before
    );
    sizes(path)?;
    let wall = Instant::now();
    let store = Store::open(path)?;
    println!("open: {:.2?}", wall.elapsed());
    ask(&store)
}

fn make(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut importer = Store::import(path)?;
    if let Ok(pgn) = std::env::var("PGN") {
        let text = fs::read(pgn)?;
        let text = String::from_utf8_lossy(&text);
        let (mut parser, mut game) = (Parser::new(&text), GameTree::default());
        while parser.read_game(&mut game) {
            importer.add(&game)?;
        }
    } else {
        let games = std::env::var("GAMES").map_or(Ok(100_000), |games| games.parse())?;
        let options = Options {
            book: true,
            ..Options::default()
        };
        let generator = Generator::new(options);
        for index in 0..games {
            importer.add(&generator.game(index))?;
        }
    }
    importer.finish()?.merge()?;
    Ok(())
}

/// What the parts of the files have, as `docs/store.md` describes them.
fn sizes(path: &Path) -> Result<(), Box<dyn Error>> {
    let count = Store::open(path)?.count() as f64;
    let (mut facts, mut buckets, mut runs, mut tables, mut all) = (0, 0, 0, 0, 0);
    for file in fs::read_dir(path)? {
        let file = file?.path();
        if !file.to_string_lossy().ends_with("-index.bin") {
            continue;
        }
        let bytes = fs::read(file)?;
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
        let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight"));
        let foot = bytes.len() - 32;
        let end = foot - 4 * foot.div_ceil(65_540);
        let shards = 1usize << bytes[foot + 17];
        let directory = end - 8 * (shards + 1);
        all += bytes.len();
        facts += 8 * u32_at(foot + 8) as usize;
        for shard in 0..shards {
            let start = u64_at(directory + 8 * shard) as usize;
            let end = u64_at(directory + 8 * shard + 8) as usize;
            let (own_buckets, own_runs) = (4 << bytes[start + 9], u32_at(start + 12) as usize);
            buckets += own_buckets;
            runs += own_runs;
            tables += end - start - 16 - own_buckets - own_runs;
        }
    }
    println!("bytes a game of {count} games:");
    for (name, bytes) in [
        ("facts", facts),
        ("buckets", buckets),
        ("runs", runs),
        ("tables", tables),
        ("all", all),
    ] {
        println!("  {name:8} {:7.1}", bytes as f64 / count);
    }
    Ok(())
}

fn ask(store: &Store) -> Result<(), Box<dyn Error>> {
    println!("segments: {}", store.segments());
    let (mut positions, mut game) = (Vec::new(), GameTree::default());
    for index in 0..QUESTIONS {
        store.tell(1 + number(7, index) % store.count(), &mut game)?;
        let place = number(8, index) as usize % game.main_line().count().max(1);
        let found = game.main_line().nth(place);
        positions.extend(found.map(|(position, _)| position));
    }
    let third: GameSet = (1..=store.count())
        .filter(|index| number(9, *index).is_multiple_of(3))
        .collect();
    let few: GameSet = (1..=store.count())
        .filter(|index| number(10, *index).is_multiple_of(1_000))
        .collect();
    println!("milliseconds of processor: half of all, 99 of 100, most");
    for round in ["first time", "again"] {
        println!("{round}:");
        for (name, among) in [
            ("", None),
            (", a third", Some(&third)),
            (", few", Some(&few)),
        ] {
            report(&format!("games, how many{name}"), &positions, |position| {
                let hits = store.games_at(position, among);
                hits.map(|hits| hits.len() as usize)
            })?;
            report(&format!("games{name}"), &positions, |position| {
                store.games_at(position, among).map(Iterator::count)
            })?;
            report(&format!("tree{name}"), &positions, |position| {
                store
                    .tree_at(position, among)
                    .map(|answer| answer.branches.len())
            })?;
            report(
                &format!("tree at the start{name}"),
                &[Position::initial()],
                |position| {
                    store
                        .tree_at(position, among)
                        .map(|answer| answer.branches.len())
                },
            )?;
        }
    }
    Ok(())
}

fn report<E: Error + 'static>(
    name: &str,
    positions: &[Position],
    ask: impl Fn(&Position) -> Result<usize, E>,
) -> Result<(), Box<dyn Error>> {
    let mut times = Vec::new();
    for position in positions {
        let before = cpu();
        std::hint::black_box(ask(position)?);
        times.push((cpu() - before).as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!(
        "  {name:26} {:8.3} {:8.3} {:8.3}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    Ok(())
}

/// The time of processors that this process has used.
#[cfg(unix)]
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Elsewhere the clock on the wall has to do.
#[cfg(not(unix))]
fn cpu() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}
