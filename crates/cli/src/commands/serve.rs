//! `tabiya serve`: a database in the browser, and for programs.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, anyhow, bail};
use tabiya::{EarlierOutput, registry};
use tabiya_formats::io::TemporaryFolder;
use tabiya_server::{BindError, Options, Server};

use super::convert;
use crate::{
    exit::Outcome,
    folder,
    games::{self, ReadArgs},
    interrupt, message, openings,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya serve games.tabiya --open
  tabiya serve twic.pgn.zst
  tabiya serve games.tabiya --port 9000 --writable
  TABIYA_TOKEN=$(openssl rand -hex 16) tabiya serve games.tabiya --listen 0.0.0.0
  curl 'http://127.0.0.1:8000/api/tree?play=e2e4,c7c5&elo_min=2500'
  curl 'http://127.0.0.1:8000/masters?play=e2e4,e7e5'

The page shows what is played in a position, the games, players and openings; programs find the same
under /api, described in /api/openapi.json, and Lichess's opening explorer under /lichess, /masters and
/player. Files of any other format, and several, are imported into a temporary database first.

Only this machine can reach the server, unless --listen says otherwise; then a token is needed, which
clients send as `Authorization: Bearer TOKEN` and browsers get by /?token=TOKEN. Ctrl-C ends it.
docs/server.md has all of it.

Exit codes: 0 it was ended, 1 some games of a file are broken, 2 the database cannot be read or the
address not be listened on.";

/// Explore a database in the browser, and answer programs as Lichess's explorer does
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// A database of tabiya's own, or files of any format, packed or not, or folders of PGN
    #[arg(value_name = "DATABASE", required = true)]
    inputs: Vec<PathBuf>,

    /// The port to listen on; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    port: u16,

    /// The address to listen on; others than those of this machine need --token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// Games may be added, by the page and by programs
    #[arg(long)]
    writable: bool,

    /// What clients must know to be answered, 8 characters or more
    ///
    /// Others on this machine can read it in the list of processes: the variable TABIYA_TOKEN is
    /// safer.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Write no line for each request
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Serves until somebody ends it.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let source = Source::of(&args)?;
    let mut options = Options {
        listen: SocketAddr::new(args.listen, args.port),
        token: token(args.token)?,
        writable: args.writable,
        name: source.name.clone(),
        openings: openings::table(None)?,
        ..Options::default()
    };
    if !args.quiet {
        options.log = Some(Arc::new(|line: &str| message::note(line)));
    }
    let given = options.token.clone();
    let server = Server::bind(&source.path, options).map_err(explain)?;
    let stop = server.stop();
    // The first signal lets it answer whom it has heard; the next one ends it at once.
    let heard = AtomicBool::new(false);
    interrupt::say_farewell(move |_| {
        let is_first = !heard.swap(true, Ordering::Relaxed);
        if is_first {
            stop.now();
        }
        is_first
    });
    let address = format!("http://{}/", server.address());
    message::note(format_args!(
        "{} is served at {address} (Ctrl-C ends it)",
        source.path_or_name()
    ));
    if args.open {
        let page = match given {
            Some(token) => format!("{address}?token={token}"),
            None => address,
        };
        if let Err(error) = open(&page) {
            message::warning(format_args!("no browser can be opened: {error}"));
        }
    }
    server.run().context("the server has stopped")?;
    Ok(source.outcome)
}

/// The variable that may have the token.
const TOKEN: &str = "TABIYA_TOKEN";

fn token(given: Option<String>) -> anyhow::Result<Option<String>> {
    match (given, std::env::var(TOKEN)) {
        (Some(token), _) => Ok(Some(token)),
        (None, Ok(token)) => Ok(Some(token).filter(|token| !token.is_empty())),
        (None, Err(std::env::VarError::NotPresent)) => Ok(None),
        (None, Err(error)) => Err(error).context("TABIYA_TOKEN cannot be read"),
    }
}

/// What is served.
struct Source {
    path: PathBuf,
    /// What it is called, if it was imported.
    name: Option<String>,
    /// How the import went.
    outcome: Outcome,
    /// Goes with the server.
    _folder: Option<TemporaryFolder>,
}

impl Source {
    fn of(args: &Args) -> anyhow::Result<Source> {
        let inputs = folder::expand(&args.inputs, EarlierOutput::Nothing)?;
        if let [path] = inputs.as_slice()
            && games::open(path, args.read.how())?.format().format.name == "tabiya"
        {
            if !args.read.filter().is_empty() {
                bail!("filters are for files that are imported first; the page has its own");
            }
            return Ok(Source {
                path: path.clone(),
                name: None,
                outcome: Outcome::Fine,
                _folder: None,
            });
        }
        if args.writable {
            bail!(
                "--writable needs a database of tabiya's own, or what is added would be gone with the \
                 server: `tabiya import games.tabiya …` makes one"
            );
        }
        Source::imported(args)
    }

    /// Imports files into a database that goes with the server.
    fn imported(args: &Args) -> anyhow::Result<Source> {
        let folder = TemporaryFolder::create().context("no room for a temporary database")?;
        let path = folder.path().join("games.tabiya");
        let outcome = convert::run(convert::Args {
            inputs: args.inputs.clone(),
            output: Some(path.clone()),
            to: Some(registry().spec("tabiya")?),
            read: args.read.clone(),
            ..convert::Args::default()
        })?;
        if outcome == Outcome::Failed {
            bail!("nothing is served");
        }
        Ok(Source {
            path,
            name: Some(names(&args.inputs)),
            outcome,
            _folder: Some(folder),
        })
    }

    fn path_or_name(&self) -> String {
        let path = || self.path.display().to_string();
        self.name.clone().unwrap_or_else(path)
    }
}

/// `twic.pgn`, or `twic.pgn and 3 more`
fn names(inputs: &[PathBuf]) -> String {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        name.to_string_lossy().into_owned()
    };
    match inputs {
        [] => String::new(),
        [only] => name(only),
        [first, others @ ..] => format!("{} and {} more", name(first), others.len()),
    }
}

/// What to do about it, by the names of options.
fn explain(error: BindError) -> anyhow::Error {
    match error {
        BindError::Database(error) => error.into(),
        BindError::NeedsToken(_) => {
            anyhow!("{error}: --token TOKEN, or the variable TABIYA_TOKEN")
        }
        BindError::Listen(..) => {
            anyhow!("{error}: --port chooses another port, 0 any that is free")
        }
        error => anyhow!("{error}"),
    }
}

/// Opens a page as the system does.
fn open(page: &str) -> std::io::Result<()> {
    let mut command = match std::env::consts::OS {
        "macos" => process::Command::new("open"),
        "windows" => {
            let mut command = process::Command::new("rundll32");
            command.arg("url.dll,FileProtocolHandler");
            command
        }
        _ => process::Command::new("xdg-open"),
    };
    let nothing = process::Stdio::null;
    let command = command
        .arg(page)
        .stdin(nothing())
        .stdout(nothing())
        .stderr(nothing());
    // It ends by itself.
    command.spawn().map(drop)
}
