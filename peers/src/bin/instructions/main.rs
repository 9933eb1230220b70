//! How many instructions do the loops take through which every game passes? Counted by callgrind,
//! so that load, clock and neighbours do not matter, on generated games, which are the same
//! everywhere.
//!
//! ```sh
//! cargo run --release --bin instructions               # compare with the figures kept
//! cargo run --release --bin instructions -- --restate  # keep new figures
//! ```
//!
//! A loop that takes over 5 % more than it did fails, if the compiler is the one of the figures
//! kept; another compiler makes other code, and is only told about. A loop that takes nothing, or is
//! gone, fails under any.

mod figures;
mod games;
mod loops;

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use figures::{Figures, Verdict};
use loops::Loop;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => compare(false),
        ["--restate"] => compare(true),
        // What the program starts itself as, under callgrind.
        ["--loop", name, folder] => match Loop::named(name) {
            Some(hot) => {
                println!("{}", hot.run(Path::new(folder)));
                ExitCode::SUCCESS
            }
            None => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: instructions [--restate]");
    ExitCode::from(2)
}

fn compare(restate: bool) -> ExitCode {
    if !has_valgrind() {
        println!("skipped: no valgrind");
        return ExitCode::SUCCESS;
    }
    let folder = tempfile::tempdir().expect("a folder");
    games::make(folder.path());
    let counted = Figures {
        compiler: compiler(),
        loops: Loop::ALL
            .iter()
            .map(|hot| (hot.name().to_owned(), count(*hot, folder.path())))
            .collect(),
    };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("instructions.txt");
    let kept = Figures::load(&path);
    println!("instructions a ply; kept: {}", kept.compiler);
    let verdict = figures::compare(&kept, &counted, |line| println!("{line}"));
    let uncounted = counted
        .loops
        .iter()
        .any(|(_, figure)| figure.is_nan() || *figure <= 0.0);
    if restate && !uncounted {
        counted.store(&path);
        return ExitCode::SUCCESS;
    }
    match verdict {
        Verdict::Nothing => {
            println!("not everything was counted; if a loop is meant to be gone, --restate");
            ExitCode::FAILURE
        }
        Verdict::Fine => ExitCode::SUCCESS,
        Verdict::OtherCompiler => {
            println!("not judged: this is {}", counted.compiler);
            ExitCode::SUCCESS
        }
        Verdict::Slower => {
            println!("more instructions than before; if that is the price of something, --restate");
            ExitCode::FAILURE
        }
    }
}

fn has_valgrind() -> bool {
    let output = Command::new("valgrind").arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

/// The compiler in use, as it calls itself, and what it compiles for.
fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let output = output.expect("rustc built this");
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    format!("{version} {}", env::consts::ARCH)
}

/// The instructions of a loop for each ply of its games.
fn count(hot: Loop, folder: &Path) -> f64 {
    let counts = folder.join("callgrind.out");
    let output = Command::new("valgrind")
        .args(["-q", "--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect=*{}*", loops::COUNTED))
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(env::current_exe().expect("a name"))
        .args(["--loop", hot.name()])
        .arg(folder)
        .output()
        .expect("valgrind starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", hot.name());
    let plies: u64 = String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .expect("the number of plies");
    let text = std::fs::read_to_string(&counts).expect("counts");
    figures::total(&text).expect("a total") as f64 / plies as f64
}
