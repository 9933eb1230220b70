//! `tabiya serve`, run as a process and asked over loopback.
#![cfg(feature = "server")]

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, ChildStderr, Command, Output, Stdio},
};

use tempfile::TempDir;

const GAMES: &str = "[White \"Tal\"]\n[Result \"1-0\"]\n\n1. e4 c6 1-0\n\n1. d4 *\n";

struct Room(TempDir);

/// A server that runs, and what it says.
struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
}

impl Room {
    fn new() -> Room {
        let room = Room(tempfile::tempdir().expect("a folder"));
        fs::write(room.path("games.pgn"), GAMES).expect("a file");
        fs::create_dir(room.path("temporary")).expect("a folder");
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(args).current_dir(self.0.path());
        command
            .env("TMPDIR", self.path("temporary"))
            .env_remove("TABIYA_TOKEN");
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("it runs")
    }

    /// Starts a server on any port, and waits until it says where.
    fn serve(&self, args: &[&str]) -> Running {
        let args = [&["serve", "--port", "0"][..], args].concat();
        let mut child = self
            .command(&args)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut said = String::new();
        let address = loop {
            let count = stderr.read_line(&mut said).expect("words");
            assert_ne!(count, 0, "{said}");
            if let Some((_, rest)) = said.split_once("http://") {
                break rest.split('/').next().expect("an address").to_owned();
            }
        };
        Running {
            child,
            stderr,
            address,
        }
    }
}

impl Running {
    fn get(&self, path: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let (host, close) = (&self.address, "Connection: close");
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{close}\r\n{headers}\r\n");
        stream.write_all(head.as_bytes()).expect("a question");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// Sends a signal, and tells the exit code and all that was said.
    #[cfg(unix)]
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let kill = Command::new("kill")
            .args([signal, &self.child.id().to_string()])
            .status();
        assert!(kill.expect("kill runs").success());
        let mut said = String::new();
        self.stderr.read_to_string(&mut said).expect("words");
        (self.child.wait().expect("it ends").code(), said)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test has failed, or it has ended by itself.
        let _ = self.child.kill();
    }
}

#[cfg(unix)]
#[test]
fn a_file_is_imported_served_and_forgotten() {
    let room = Room::new();
    for signal in ["-INT", "-TERM"] {
        let running = room.serve(&["games.pgn"]);
        let info = running.get("/api/info", "");
        assert!(
            info.contains("\"name\":\"games.pgn\",\"games\":2"),
            "{info}"
        );
        let tree = running.get("/api/tree?play=e2e4", "");
        assert!(tree.contains("\"san\":\"c6\""), "{tree}");
        let (code, said) = running.end(signal);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains(" ms GET /api/tree?play=e2e4\n"), "{said}");
        let left = fs::read_dir(room.path("temporary"))
            .expect("a folder")
            .count();
        assert_eq!(left, 0, "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn a_database_is_served_where_it_is() {
    let room = Room::new();
    assert!(
        room.run(&["import", "a.tabiya", "games.pgn"])
            .status
            .success()
    );
    let running = room.serve(&["a.tabiya", "--quiet", "--token", "open-sesame"]);
    assert!(running.get("/api/info", "").starts_with("HTTP/1.1 401"));
    let info = running.get("/api/info", "Authorization: Bearer open-sesame\r\n");
    assert!(info.contains("\"name\":\"a.tabiya\",\"games\":2"), "{info}");
    let (code, said) = running.end("-INT");
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert!(room.path("a.tabiya/manifest.json").exists());
}

#[test]
fn what_cannot_be_served_is_said() {
    let room = Room::new();
    assert!(
        room.run(&["import", "a.tabiya", "games.pgn"])
            .status
            .success()
    );
    for (args, words) in [
        (&["a.tabiya", "--listen", "0.0.0.0"][..], "--token"),
        (&["a.tabiya", "--token", "short"][..], "8 characters"),
        (&["games.pgn", "--writable"][..], "tabiya import"),
        (&["nowhere.tabiya"][..], "nowhere.tabiya"),
        (&["a.tabiya", "--player", "tal"][..], "filters"),
        (&["a.tabiya", "--listen", "nonsense"][..], "--listen"),
    ] {
        let output = room.run(&[&["serve", "--port", "0"][..], args].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_port_that_is_taken_is_said() {
    let room = Room::new();
    let running = room.serve(&["games.pgn"]);
    let port = running
        .address
        .rsplit(':')
        .next()
        .expect("a port")
        .to_owned();
    let output = room.run(&["serve", "games.pgn", "--port", &port]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--port"), "{said}");
    running.end("-INT");
}
