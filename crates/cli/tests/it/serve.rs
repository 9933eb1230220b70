//! `tabiya serve`, run as a process and asked over loopback.
#![cfg(feature = "server")]

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ChildStderr, Command, Stdio},
};

use crate::room::Room;

const GAMES: &str = "[White \"Tal\"]\n[Result \"1-0\"]\n\n1. e4 c6 1-0\n\n1. d4 *\n";

/// A server that runs, and what it says.
struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
}

fn room() -> Room {
    let room = Room::with("games.pgn", GAMES);
    fs::create_dir(room.path("temporary")).expect("a folder");
    room
}

impl Room {
    /// Starts a server on any port, and waits until it says where.
    fn serve(&self, args: &[&str]) -> Running {
        let args = [&["serve", "--port", "0"][..], args].concat();
        let mut child = self
            .command(&args)
            .env("TMPDIR", self.path("temporary"))
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
    let room = room();
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
    let room = room();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
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
    let room = room();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    for (args, words) in [
        (&["a.tabiya", "--listen", "0.0.0.0"][..], "--token"),
        (&["a.tabiya", "--token", "short"][..], "8 characters"),
        (&["games.pgn", "--writable"][..], "tabiya import"),
        (&["nowhere.tabiya"][..], "nowhere.tabiya"),
        (&["a.tabiya", "--player", "tal"][..], "filters"),
        (&["a.tabiya", "--listen", "nonsense"][..], "--listen"),
    ] {
        let said = room.error(&[&["serve", "--port", "0"][..], args].concat());
        assert!(said.contains(words), "{args:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_port_that_is_taken_is_said() {
    let room = room();
    let running = room.serve(&["games.pgn"]);
    let port = running
        .address
        .rsplit(':')
        .next()
        .expect("a port")
        .to_owned();
    let said = room.error(&["serve", "games.pgn", "--port", &port]);
    assert!(said.contains("--port"), "{said}");
    running.end("-INT");
}
