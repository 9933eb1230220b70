//! A server on loopback, with real connections.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tabiya_server::{BindError, Limits, Options, Server, Stop};

use crate::common::{GAMES, database};

/// A server that runs.
struct Running {
    address: SocketAddr,
    stop: Stop,
    thread: JoinHandle<std::io::Result<()>>,
}

impl Running {
    fn start(path: &Path, options: Options) -> Running {
        let server = Server::bind(path, options).expect("a server");
        Running {
            address: server.address(),
            stop: server.stop(),
            thread: thread::spawn(|| server.run()),
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        let patience = Some(Duration::from_secs(20));
        stream.set_read_timeout(patience).expect("a time");
        stream
    }

    /// Asks, and hears all that is said.
    fn get(&self, path: &str) -> String {
        let mut stream = self.connect();
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("a question");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    fn end(self) {
        self.stop.now();
        self.thread.join().expect("no panic").expect("no error");
    }
}

/// Waits for something.
#[track_caller]
fn wait_for(what: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !what() {
        assert!(Instant::now() < end, "it never came");
        thread::sleep(Duration::from_millis(50));
    }
}

fn add(path: &Path, games: &str) {
    let text = path.with_extension("more.pgn");
    std::fs::write(&text, games).expect("a file");
    tabiya::convert(&text, path)
        .append(true)
        .run()
        .expect("more games");
}

#[test]
fn a_database_that_grows_is_followed_and_told() {
    let (_folder, path) = database(GAMES);
    let running = Running::start(&path, Options::default());
    assert!(running.get("/api/info").contains("\"games\":5"));
    wait_for(|| running.get("/api/info").contains("\"players\":8"));
    let mut events = running.connect();
    let head = "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    events.write_all(head.as_bytes()).expect("a question");
    let mut heard = String::new();
    let mut hear = |words: &str| {
        let mut bytes = [0; 1_000];
        while !heard.contains(words) {
            let count = events.read(&mut bytes).expect("an event");
            assert_ne!(count, 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    };
    hear("data: {\"games\":5}");
    add(&path, "[White \"Later\"]\n\n1. a4 *\n");
    hear("data: {\"games\":6}");
    assert!(running.get("/api/tree?play=a2a4").contains("\"games\":1"));
    wait_for(|| running.get("/api/info").contains("\"players\":9"));
    // Listeners do not keep it from ending.
    running.end();
    hear("\r\n0\r\n");
}

#[test]
fn clients_that_say_nothing_do_not_keep_others_out() {
    let (_folder, path) = database(GAMES);
    let limits = Limits {
        connections: 8,
        header_time: Duration::from_millis(300),
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let running = Running::start(&path, options);
    let idle: Vec<TcpStream> = (0..100).map(|_| running.connect()).collect();
    let mut slow: Vec<TcpStream> = (0..20).map(|_| running.connect()).collect();
    for stream in &mut slow {
        stream
            .write_all(b"GET /api/info HTTP/1.1\r\nHo")
            .expect("a few bytes");
    }
    assert!(running.get("/healthz").ends_with("ok\n"));
    drop((idle, slow));
    running.end();
}

#[test]
fn a_head_that_has_no_end_is_cut_off() {
    let (_folder, path) = database(GAMES);
    let running = Running::start(&path, Options::default());
    let mut stream = running.connect();
    let line = format!("X-Much: {}\r\n", "x".repeat(1_000));
    let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n");
    let written = (0..10_000)
        .take_while(|_| stream.write_all(line.as_bytes()).is_ok())
        .count();
    assert!(written < 10_000, "ten megabytes were taken");
    let mut stream = running.connect();
    stream
        .write_all(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
        .expect("bytes");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 2"));
    assert!(running.get("/healthz").ends_with("ok\n"));
    running.end();
}

#[test]
fn a_thousand_connections_one_after_the_other_leave_nothing_behind() {
    let (_folder, path) = database(GAMES);
    let running = Running::start(&path, Options::default());
    for _ in 0..1_000 {
        drop(running.connect());
    }
    for _ in 0..100 {
        assert!(
            running
                .get("/api/tree?play=e2e4")
                .starts_with("HTTP/1.1 200")
        );
    }
    wait_for(|| running.get("/metrics").contains("tabiya_connections 1\n"));
    running.end();
}

#[test]
fn what_is_being_answered_is_answered_when_the_server_ends() {
    let (_folder, path) = database(GAMES);
    let running = Running::start(&path, Options::default());
    let mut stream = running.connect();
    let head = "GET /api/tree HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("a question");
    let mut answer = vec![0; 12];
    stream.read_exact(&mut answer).expect("the beginning");
    let address = running.address;
    running.end();
    assert_eq!(answer, b"HTTP/1.1 200");
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).expect("the rest");
    assert!(rest.ends_with(b"}"));
    assert!(
        TcpStream::connect(address).is_err(),
        "nobody listens any more"
    );
}

#[test]
fn others_need_a_token() {
    let (_folder, path) = database(GAMES);
    let open = |token: Option<&str>| {
        let options = Options {
            listen: "0.0.0.0:0".parse().expect("an address"),
            token: token.map(str::to_owned),
            ..Options::default()
        };
        Server::bind(&path, options)
    };
    assert!(matches!(open(None), Err(BindError::NeedsToken(_))));
    for token in ["", "short", "with spaces in it", "with;semicolon"] {
        assert!(
            matches!(open(Some(token)), Err(BindError::BadToken)),
            "{token}"
        );
    }
    assert!(open(Some("long-enough")).is_ok());
    let nothing = Server::bind(path.join("nowhere"), Options::default());
    assert!(matches!(nothing, Err(BindError::Database(_))));
}
