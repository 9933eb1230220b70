//! How fast are games imported into a database, and how large is it? tabiya's own against the Scid
//! that is installed, from PGN that is not packed: time by the clock, peak memory, bytes, and how long
//! it takes to open what was made.
//!
//! Each import runs in a process of its own, so that its memory can be told: this program starts
//! itself. tabiya works on two threads and makes sure that what it wrote is on the disk. Scid uses a
//! second thread. Neither start counts.
//!
//! `STORE_GAMES` says how many games are generated (100,000 if it is not set), `STORE_ROUNDS` how often
//! each import is run (3), `STORE_SETS` which sets are wanted: `twic-large,lichess,book`.

use std::{
    collections::HashSet,
    env,
    fs::{self, File},
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, Instant},
};

use arrow_array::{
    Array, ArrayRef,
    cast::AsArray,
    types::{Int16Type, Int32Type},
};
use tabiya::{Convert, Settings, WriteOptions};
use tabiya_formats::io::Input;
use tabiya_game::GameTree;
use tabiya_peers::{data, generated, scid::Scid};
use tabiya_store::{MEMORY, NO_INDEX, Store};

/// Under this name it is told what to import, and where to: it is its own child then.
const CHILD: &str = "STORE_CHILD";

/// Under this name it is told whether it makes an index.
const CHILD_INDEXES: &str = "STORE_CHILD_INDEXES";

fn main() {
    if let Some(pgn) = env::var_os(CHILD) {
        return import(Path::new(&pgn));
    }
    let Some(scid) = Scid::find() else { return };
    let wanted = env::var("STORE_SETS").unwrap_or_else(|_| "twic-large,lichess,book".to_owned());
    let room = tempfile::tempdir().expect("a folder");
    let pgn = room.path().join("games.pgn");
    for set in wanted.split(',') {
        if set == "book" {
            grow(&scid, &pgn);
        } else if let Some(folder) = data::folder() {
            unpack(&folder.join(format!("pgn/{set}.pgn.zst")), &pgn).expect("a file");
            compare(&scid, set, &pgn);
        }
    }
}

fn number(variable: &str, default: u64) -> u64 {
    let text = env::var(variable).ok();
    text.map_or(default, |text| text.parse().expect("a number"))
}

/// A twentieth of the generated games, then all: how does it grow?
fn grow(scid: &Scid, pgn: &Path) {
    let games = number("STORE_GAMES", 100_000);
    for games in [games / 20, games] {
        generated::write(games, pgn).expect("there is room");
        compare(scid, &format!("book, {games} games"), pgn);
    }
}

fn unpack(from: &Path, to: &Path) -> io::Result<()> {
    let mut input = Input::open(from).expect("a file");
    io::copy(&mut input, &mut File::create(to)?)?;
    Ok(())
}

/// What an import took.
#[derive(Clone, Copy)]
struct Cost {
    time: Duration,
    /// The most memory that its process had at any time.
    memory: u64,
}

impl Cost {
    /// The better time, and the worse memory.
    fn best(self, other: Option<Cost>) -> Cost {
        Cost {
            time: other.map_or(self.time, |other| self.time.min(other.time)),
            memory: other.map_or(self.memory, |other| self.memory.max(other.memory)),
        }
    }

    /// From what a process prints: microseconds, and its status as the system tells it.
    fn parse(said: &str) -> Cost {
        let mut lines = said.lines();
        let time = lines.next().and_then(|line| line.trim().parse().ok());
        let memory = lines.find_map(|line| line.strip_prefix("VmHWM:"));
        let memory = memory.and_then(|text| text.trim().strip_suffix("kB")?.trim().parse().ok());
        Cost {
            time: Duration::from_micros(time.expect("a time")),
            memory: memory.map_or(0, |kilobytes: u64| kilobytes << 10),
        }
    }
}

/// What has become of the games.
struct Made {
    name: &'static str,
    cost: Cost,
    bytes: u64,
}

fn compare(scid: &Scid, title: &str, pgn: &Path) {
    let (ours, theirs) = (pgn.with_file_name("a.tabiya"), pgn.with_file_name("theirs"));
    let (mut our_cost, mut indexed_cost, mut their_cost) = (None, None, None);
    for _ in 0..number("STORE_ROUNDS", 3).max(1) {
        let _ = fs::remove_dir_all(&ours);
        our_cost = Some(our_import(pgn, false).best(our_cost));
        let _ = fs::remove_dir_all(&ours);
        indexed_cost = Some(our_import(pgn, true).best(indexed_cost));
        their_cost = Some(their_import(scid, pgn, &theirs).best(their_cost));
    }
    let store = Store::open(&ours).expect("a database");
    let columns = columns(&store);
    let (games, plies) = (store.count(), columns.plies);
    let size = |path: PathBuf| fs::metadata(path).map_or(0, |file| file.len());
    let bytes = store.bytes() + size(ours.join("manifest.json"));
    let made = [
        Made {
            name: "tabiya",
            cost: our_cost.expect("a round"),
            bytes: bytes - store.index_bytes(),
        },
        Made {
            name: "with index",
            cost: indexed_cost.expect("a round"),
            bytes,
        },
        Made {
            name: "Scid, si4",
            cost: their_cost.expect("a round"),
            bytes: ["si4", "sn4", "sg4"]
                .map(|kind| size(theirs.with_extension(kind)))
                .iter()
                .sum(),
        },
    ];
    println!(
        "\n{title}: {games} games, {plies} plies, {} MB of PGN",
        size(pgn.into()) >> 20
    );
    for Made { name, cost, bytes } in &made {
        let seconds = cost.time.as_secs_f64();
        println!(
            "  {name:<12} {seconds:>8.2} s {:>9.0} games/s {:>8.1} B/game {:>6.2} B/ply {:>6} MB at most   \
             tabiya is {:.2}x as fast, {:.2}x as large",
            games as f64 / seconds,
            *bytes as f64 / games as f64,
            *bytes as f64 / plies as f64,
            cost.memory >> 20,
            seconds / made[0].cost.time.as_secs_f64(),
            made[0].bytes as f64 / *bytes as f64,
        );
    }
    columns.print(games, plies);
    print_opening(&ours, games);
}

/// How many bytes each column has, and how many plies the games.
#[derive(Default)]
struct Columns {
    plies: u64,
    /// Names and bytes, in the order in which they are first met.
    bytes: Vec<(String, u64)>,
}

fn columns(store: &Store) -> Columns {
    let (mut found, mut seen) = (Columns::default(), HashSet::new());
    for batch in store.batches() {
        let batch = batch.expect("it is whole");
        found.plies += plies(
            batch
                .games
                .column_by_name("ply_count")
                .expect("always there"),
        );
        for part in [&batch.games, &batch.moves] {
            for (field, column) in part.schema().fields().iter().zip(part.columns()) {
                let bytes = bytes(column, &mut seen);
                let known = found
                    .bytes
                    .iter_mut()
                    .find(|(name, _)| name == field.name());
                match known {
                    Some((_, sum)) => *sum += bytes,
                    None => found.bytes.push((field.name().clone(), bytes)),
                }
            }
        }
    }
    found
}

fn plies(column: &ArrayRef) -> u64 {
    let sum = match column.as_primitive_opt::<Int16Type>() {
        Some(plies) => plies.iter().flatten().map(i64::from).sum::<i64>(),
        None => {
            let plies = column.as_primitive::<Int32Type>();
            plies.iter().flatten().map(i64::from).sum()
        }
    };
    sum.unsigned_abs()
}

/// How many bytes of the file a column has that were not seen before: batches share dictionaries.
fn bytes(column: &ArrayRef, seen: &mut HashSet<*const u8>) -> u64 {
    let data = column.to_data();
    let of_values = data.child_data().iter().flat_map(|values| values.buffers());
    let nulls = data.nulls().map(|nulls| nulls.buffer());
    let buffers = data.buffers().iter().chain(of_values).chain(nulls);
    let new = buffers.filter(|buffer| seen.insert(buffer.as_ptr()));
    new.map(|buffer| buffer.len() as u64).sum()
}

impl Columns {
    /// The largest first; small ones together.
    fn print(mut self, games: u64, plies: u64) {
        self.bytes
            .sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let a_game = |bytes: u64| bytes as f64 / games as f64;
        let (large, small) = self.bytes.split_at(self.bytes.len().min(12));
        for (name, bytes) in large {
            let a_ply = *bytes as f64 / plies as f64;
            println!(
                "    {name:<16} {:>8.2} B/game {a_ply:>6.3} B/ply",
                a_game(*bytes)
            );
        }
        let rest = small.iter().map(|(_, bytes)| bytes).sum();
        println!(
            "    {:<16} {:>8.2} B/game",
            format!("{} others", small.len()),
            a_game(rest)
        );
    }
}

/// How long it takes until games can be asked for, and until the last one is told.
fn print_opening(path: &Path, games: u64) {
    let best = |what: &dyn Fn()| {
        let rounds = (0..20).map(|_| {
            let start = Instant::now();
            what();
            start.elapsed()
        });
        rounds.min().expect("rounds").as_secs_f64() * 1e3
    };
    let open = best(&|| drop(Store::open(path).expect("a database")));
    let tell = best(&|| {
        let store = Store::open(path).expect("a database");
        let told = store.tell(games, &mut GameTree::default());
        told.expect("the last game");
    });
    println!("    opened in {open:.3} ms, and the last game told in {tell:.3} ms");
}

/// The import, in a process of its own.
fn our_import(pgn: &Path, indexes: bool) -> Cost {
    let program = env::current_exe().expect("this program");
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(program)
        .env(CHILD, pgn)
        .env(CHILD_INDEXES, indexes.to_string())
        .output()
        .expect("it starts");
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{status}: {errors}");
    Cost::parse(&String::from_utf8_lossy(&stdout))
}

/// The child: imports as `tabiya import` does, beside the games, and tells what it took.
fn import(pgn: &Path) {
    let start = Instant::now();
    let options = WriteOptions {
        settings: Settings::new().with(&MEMORY, "512M").with(
            &NO_INDEX,
            env::var(CHILD_INDEXES).is_ok_and(|text| text == "false"),
        ),
        ..WriteOptions::default()
    };
    let imported = Convert::to(pgn.with_file_name("a.tabiya"))
        .input(pgn)
        .options(options)
        .append(true)
        .jobs(NonZeroUsize::new(2).expect("two"))
        .run();
    assert!(imported.is_ok(), "it is written");
    println!("{}", start.elapsed().as_micros());
    println!(
        "{}",
        fs::read_to_string("/proc/self/status").unwrap_or_default()
    );
}

fn their_import(scid: &Scid, pgn: &Path, base: &Path) -> Cost {
    // It makes no database where there is one.
    for kind in ["si4", "sn4", "sg4"] {
        let _ = fs::remove_file(base.with_extension(kind));
    }
    Cost::parse(&scid.run(&format!(
        "puts [lindex [time {{
            set base [sc_base create SCID4 {}]
            sc_base import $base {}
            sc_base close $base
        }}] 0]
        if {{[file exists /proc/self/status]}} {{
            set status [open /proc/self/status]
            puts [read $status]
        }}",
        base.display(),
        pgn.display()
    )))
}
