//! The command `tabiya-executor`: does the work of a cluster.

use std::{
    io::{self, Write},
    net::IpAddr,
    num::NonZeroUsize,
    path::PathBuf,
    process,
    time::Duration,
};

use clap::Parser;
use log::LevelFilter;
use tabiya_sql::cluster::{
    self, Error,
    executor::{self, Options},
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya-executor
  tabiya-executor --data-port 50061 --task-port 50062
  tabiya-executor --scheduler 10.0.0.1:50050 --bind 10.0.0.2 --memory 16G --work-dir /fast/disk
  AWS_REGION=eu-central-1 tabiya-executor --scheduler scheduler:50050 --bind 0.0.0.0 --advertise worker-1

WHO MAY ASK: anyone who can connect. There are no passwords and no encryption: whoever reaches the two
ports can give it work, read what it can read, and stop it. It listens on 127.0.0.1; give it another
address only in a network where you trust everybody. docs/cluster.md says more.

What it may read is what its user may read: run it as one that sees the games and nothing else. Keys for
an object store are those of its environment, AWS_ACCESS_KEY_ID and the like.

Exit codes: 0 stopped by Ctrl-C or SIGTERM, 2 wrong use, no scheduler, or it could not listen.";

/// Do the work that tabiya-scheduler hands out
#[derive(Parser)]
#[command(name = "tabiya-executor", version, after_long_help = EXAMPLES)]
struct Args {
    /// The scheduler
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    scheduler: String,

    /// For so many seconds a scheduler that is not there is waited for
    #[arg(long, value_name = "SECONDS", default_value_t = Options::default().patience.as_secs())]
    wait: u64,

    /// Where to listen
    #[arg(long, value_name = "IP", default_value_t = Options::default().bind)]
    bind: IpAddr,

    /// Where others fetch what it has made; port 0 is one that is free
    #[arg(long, value_name = "PORT", default_value_t = Options::default().data_port)]
    data_port: u16,

    /// Where the scheduler gives it work; port 0 is one that is free
    #[arg(long, value_name = "PORT", default_value_t = Options::default().task_port)]
    task_port: u16,

    /// By which name others reach this machine, if not by the address where it listens
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,

    /// How much to do at a time; without it, as much as the machine has cores
    #[arg(long, value_name = "N")]
    cores: Option<NonZeroUsize>,

    /// How much memory sorting, joining and grouping may take: 512M, 16G; what is more goes to the disk
    ///
    /// Each core has its share. Without it, seven tenths of the machine's memory.
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<usize>,

    /// Where to put what others fetch, and what does not fit into memory
    ///
    /// It makes a folder of its own there, which is gone when the executor ends. Without it, among the
    /// system's temporary files.
    #[arg(long, value_name = "FOLDER")]
    work_dir: Option<PathBuf>,

    /// Every so many seconds it gives a sign of life; several times in the scheduler's --executor-timeout
    #[arg(long, value_name = "SECONDS", default_value_t = Options::default().heartbeat.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat: u64,

    /// What to tell on stderr: off, error, warn, info, debug, trace
    #[arg(long, value_name = "LEVEL", default_value = "warn", value_parser = cluster::level)]
    log: LevelFilter,
}

fn memory(text: &str) -> Result<usize, String> {
    tabiya_store::memory_size(text).map_err(|error| error.to_string())
}

// Work goes on if nobody can be told of it: what `print!` and the like do is a panic.
#[tokio::main]
async fn main() {
    let args = Args::parse();
    cluster::tell_on_stderr(args.log);
    let ended = run(args).await;
    if let Err(error) = &ended {
        let _ = writeln!(io::stderr(), "error: {error}");
    }
    // Tasks that nobody wants any more are not waited for, as they would be at the end of `main`.
    process::exit(if ended.is_ok() { 0 } else { 2 });
}

async fn run(args: Args) -> Result<(), Error> {
    let (bind, scheduler) = (args.bind, args.scheduler.clone());
    let options = Options {
        scheduler: args.scheduler,
        patience: Duration::from_secs(args.wait),
        bind,
        data_port: args.data_port,
        task_port: args.task_port,
        advertise: args.advertise,
        cores: args.cores,
        memory: args.memory,
        work_folder: args.work_dir,
        heartbeat: Duration::from_secs(args.heartbeat),
    };
    if !bind.is_loopback() {
        let _ = writeln!(
            io::stderr(),
            "note: anyone who can connect to {bind} can give it work and read what it can read"
        );
    }
    let ready = move || {
        let _ = writeln!(io::stdout(), "ready for {scheduler}");
    };
    executor::run(&options, ready).await
}
