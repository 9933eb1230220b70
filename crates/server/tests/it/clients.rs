//! Clients of others: berserk, Lichess's own for Python, and schemathesis, which asks what the
//! description of the interface says. They are run where Python has them; `TABIYA_PYTHON` names one that
//! has, and then they must be there.

use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use tabiya_server::{Options, Server};

use crate::common::{GAMES, database};

/// The Python to use, and whether it must have what is asked of it.
fn python() -> (PathBuf, bool) {
    match std::env::var_os("TABIYA_PYTHON") {
        Some(path) => (path.into(), true),
        None => ("python3".into(), false),
    }
}

/// Whether Python has a package.
fn has(package: &str) -> bool {
    let (python, needed) = python();
    let import = Command::new(&python)
        .args(["-c", &format!("import {package}")])
        .output();
    let found = import.is_ok_and(|output| output.status.success());
    assert!(found || !needed, "{} has no {package}", python.display());
    if !found {
        eprintln!("skipped: no {package}; TABIYA_PYTHON names a Python that has it");
    }
    found
}

/// Runs a command against a server.
fn run(command: &mut Command, argument: impl Fn(&str) -> Vec<String>) {
    let (_folder, path) = database(GAMES);
    let server = Server::bind(&path, Options::default()).expect("a server");
    let (address, stop) = (format!("http://{}", server.address()), server.stop());
    let running = thread::spawn(|| server.run());
    let output = command
        .args(argument(&address))
        .output()
        .expect("a program");
    stop.now();
    running.join().expect("no panic").expect("no error");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{told}");
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/clients")
        .join(name)
}

#[test]
fn berserk_plays_through_an_opening() {
    if has("berserk") {
        let mut command = Command::new(python().0);
        command.arg(script("berserk_client.py"));
        run(&mut command, |address| vec![address.to_owned()]);
    }
}

#[test]
fn schemathesis_finds_nothing_that_is_not_as_described() {
    if has("schemathesis") {
        // It stands beside the Python that has it, or where the system looks.
        let beside = python().0.with_file_name("schemathesis");
        let schemathesis = match beside.exists() {
            true => beside.display().to_string(),
            false => "schemathesis".to_owned(),
        };
        let mut command = Command::new("bash");
        command.arg(script("describe.sh"));
        run(&mut command, |address| {
            vec![schemathesis.clone(), address.to_owned()]
        });
    }
}
