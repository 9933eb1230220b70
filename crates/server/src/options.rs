//! How a server is set up.

use std::{
    borrow::Cow,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use tabiya::openings::Openings;

/// How a database is served.
#[derive(Clone)]
pub struct Options {
    /// Where to listen; port 0 is one that is free.
    pub listen: SocketAddr,
    /// What clients must know to be answered. Needed wherever others can reach the server.
    pub token: Option<String>,
    /// Whether games may be added.
    pub writable: bool,
    /// What the database is called, if not by its folder.
    pub name: Option<String>,
    /// The table that names openings.
    pub openings: Cow<'static, Openings>,
    /// How much is allowed.
    pub limits: Limits,
    /// Hears a line for each request that was answered.
    pub log: Option<Log>,
}

/// Hears lines.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// How much is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many questions are worked on at once.
    pub work: usize,
    /// How many may wait for that; others are told to come again.
    pub waiting: usize,
    /// How long a question may wait, and then how long it may take.
    pub time: Duration,
    /// How long a client may take to say what it wants.
    pub header_time: Duration,
    /// How long a client may take to send a file, and a file to be made or read.
    pub file_time: Duration,
    /// How many connections there are at once; others wait.
    pub connections: usize,
    /// How many clients may listen for events.
    pub listeners: usize,
    /// How many games are listed at once.
    pub games: usize,
    /// How many games are exported at once.
    pub exported: usize,
    /// How many exports there are at once, those that are being sent too.
    pub exports: usize,
    /// How many moves a game may have that is told as JSON.
    pub moves: usize,
    /// How many bytes a file may have that is imported.
    pub import: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            token: None,
            writable: false,
            name: None,
            openings: Cow::Borrowed(Openings::eco()),
            limits: Limits::default(),
            log: None,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            work: cores,
            waiting: 256,
            time: Duration::from_secs(30),
            header_time: Duration::from_secs(10),
            file_time: Duration::from_secs(600),
            connections: 512,
            listeners: 64,
            games: 500,
            exported: 100_000,
            exports: 4,
            moves: 100_000,
            import: 256 << 20,
        }
    }
}
