//! The command `tabiya-scheduler`: takes questions to a cluster, and hands out the work.

use std::{
    io::{self, Write},
    net::SocketAddr,
    process::ExitCode,
    time::Duration,
};

use clap::Parser;
use log::LevelFilter;
use tabiya_sql::cluster::{self, Error, Scheduler, SchedulerOptions};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya-scheduler
  tabiya-executor
  tabiya sql --cluster 127.0.0.1:50050 lake \"select count(*) from games\"

  tabiya-scheduler --bind 10.0.0.1:50050
  tabiya-executor --scheduler 10.0.0.1:50050 --bind 10.0.0.2

WHO MAY ASK: anyone who can connect. There are no passwords and no encryption: whoever reaches the port
can run queries, read what the executors can read, and stop the work of others. It listens on
127.0.0.1, where only programs of this machine reach it. Give it another address only in a network where
you trust everybody, or behind a firewall or a VPN. docs/cluster.md says more.

Exit codes: 0 stopped by Ctrl-C or SIGTERM, 2 wrong use, it could not listen, or it has broken down.";

/// Take questions to a cluster, and hand out the work to tabiya-executor
#[derive(Parser)]
#[command(name = "tabiya-scheduler", version, after_long_help = EXAMPLES)]
struct Args {
    /// Where to listen; port 0 is one that is free
    #[arg(long, value_name = "IP:PORT", default_value_t = SchedulerOptions::default().bind)]
    bind: SocketAddr,

    /// By which name executors reach this machine, if not by the address where it listens
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,

    /// After so many seconds without a sign of life an executor's work is given to others
    #[arg(long, value_name = "SECONDS", default_value_t = SchedulerOptions::default().executor_timeout.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    executor_timeout: u64,

    /// For so many seconds the parts of an answer are kept for whoever asked
    #[arg(long, value_name = "SECONDS", default_value_t = SchedulerOptions::default().keep_results.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    keep_results: u64,

    /// Let clients fetch rows here, where they cannot reach the executors: containers, an SSH tunnel
    #[arg(long)]
    relay: bool,

    /// What to tell on stderr: off, error, warn, info, debug, trace
    #[arg(long, value_name = "LEVEL", default_value = "warn", value_parser = cluster::level)]
    log: LevelFilter,
}

// Work goes on if nobody can be told of it: what `print!` and the like do is a panic.
#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    cluster::tell_on_stderr(args.log);
    match run(args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn run(args: Args) -> Result<(), Error> {
    let scheduler = Scheduler::bind(&SchedulerOptions {
        bind: args.bind,
        advertise: args.advertise,
        executor_timeout: Duration::from_secs(args.executor_timeout),
        keep_results: Duration::from_secs(args.keep_results),
        relay: args.relay,
    })
    .await?;
    let address = scheduler.address();
    let _ = writeln!(io::stdout(), "listening on {address}");
    if !address.ip().is_loopback() {
        let _ = writeln!(
            io::stderr(),
            "note: anyone who can connect to {address} can run queries and read what the executors can read"
        );
    }
    tokio::select! {
        ended = scheduler.run() => ended,
        _ = tokio::signal::ctrl_c() => Ok(()),
        () = terminated() => Ok(()),
    }
}

/// Waits for SIGTERM, or for ever where there is none.
async fn terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut signal) = signal(SignalKind::terminate()) {
            signal.recv().await;
            return;
        }
    }
    std::future::pending().await
}
