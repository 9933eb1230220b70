//! `tabiya sql`: questions in SQL, to databases, files and clusters.

mod prompt;
mod statement;
mod table;

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use tabiya_formats::io::Compression;
use tabiya_sql::{
    Answer, Options, Session, cluster,
    output::{self as answers, Writer},
};
use tokio::{runtime::Runtime, sync::oneshot};

use self::{prompt::Prompt, statement::Asked};
use crate::{
    exit::Outcome,
    interrupt, message,
    output::{self, Output},
    progress::Waiting,
    text,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya sql games.tabiya \"SELECT result, count(*) FROM games GROUP BY result\"
  tabiya sql games.tabiya \"SELECT white, black, san_line(moves, 20) FROM games WHERE reaches(moves, 'r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -')\"
  tabiya sql twic.pgn.zst \"SELECT * FROM players ORDER BY games DESC LIMIT 10\"
  tabiya sql games.tabiya my.cbh \"SELECT count(*) FROM games JOIN my.games AS mine USING (white, black, date)\"
  tabiya sql \"SELECT count(*) FROM 'my.cbh'\"
  tabiya sql games.tabiya -f questions.sql --format csv -o answers.csv
  tabiya sql games.tabiya \"EXPLAIN SELECT count(*) FROM games WHERE white LIKE 'Tal%'\"
  tabiya sql games.tabiya
  tabiya sql --cluster 10.0.0.1:50050 s3://lake/2024 \"SELECT count(*) FROM positions\"

Inputs are databases and files of any format, and folders that `tabiya export --parquet` wrote. The
tables are games, positions, players and events; docs/sql.md has their columns, docs/sql-functions.md
what chess adds to SQL. Nothing is ever changed. Without a question one is asked for, with a history,
and names completed by Tab; a statement ends with a semicolon, and Ctrl-C ends a question.

A table shows 100 rows, and says how many there are; --all shows all. CSV, JSON, Parquet and Arrow
have all.

Exit codes: 0 it was answered, 2 a question that cannot be, an input that cannot be read, or failed
output, 130 interrupted by Ctrl-C.";

/// Ask databases and files of any format in SQL
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Databases and files, then the question, a word with spaces in it; - is standard input
    #[arg(value_name = "IN|SQL")]
    words: Vec<PathBuf>,

    /// Read statements, with a semicolon between two, from a file; - is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// How answers are written
    ///
    /// Without it, what the name of the output says, or a table.
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,

    /// Write the answer into a file, which appears when it is complete
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Show all rows of a table
    ///
    /// They are held in memory, to be lined up.
    #[arg(long)]
    all: bool,

    /// Ask the scheduler of a cluster, which reads the export that the input names
    #[arg(long, value_name = "HOST:PORT")]
    cluster: Option<String>,

    /// Into how many parts a cluster divides a step of the work, where the data allows it
    ///
    /// As many as it has cores, or a few times that, keep all of them busy. Without it, 16, or more for an
    /// export of more than 4 GB.
    #[arg(long, value_name = "N", requires = "cluster")]
    partitions: Option<std::num::NonZeroUsize>,

    /// About how much memory a question may use, before it spills to the disk: 512M, 2G
    ///
    /// On a cluster, `tabiya-executor --memory` says it.
    #[arg(long, value_name = "SIZE", value_parser = size, conflicts_with = "cluster")]
    memory: Option<usize>,

    /// About how much disk a question may use for what does not fit into --memory: 10G, 500G
    ///
    /// Without it, 100G.
    #[arg(long, value_name = "SIZE", value_parser = size, conflicts_with = "cluster")]
    disk: Option<usize>,

    /// Give up after so many seconds: when inputs are not open by then, or an answer is not complete
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// How many threads work
    ///
    /// On a cluster, `tabiya-executor --cores` says it.
    #[arg(long, value_name = "N", conflicts_with = "cluster")]
    jobs: Option<std::num::NonZeroUsize>,
}

impl Args {
    /// The file that is written; standard output is none.
    fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != "-")
    }

    /// Whether all that is written is one file: two of some formats behind each other are none.
    fn want_one_file(&self) -> anyhow::Result<bool> {
        let is_binary = match Wanted::of(self)? {
            Wanted::Written(format) => format.is_binary(),
            Wanted::Table => false,
        };
        Ok(is_binary || self.path().is_some())
    }
}

/// How answers are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns for people
    Table,
    /// Comma-separated values with a line of names
    Csv,
    /// An array of objects
    Json,
    /// A Parquet file
    Parquet,
    /// An Arrow IPC file
    Arrow,
}

/// So many rows of a table are shown.
const ROWS: usize = 100;

/// Answers.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let asked = statement::asked(args.words.clone(), args.file.as_deref())?;
    let desk = Desk::open(&args, &asked.inputs)?;
    match statements_of(asked)? {
        Some(text) => desk.answer_all(&args, &text),
        None => desk.answer_whoever_types(&args),
    }
}

/// What is asked; from a pipe, if nobody sits at the keyboard.
fn statements_of(asked: Asked) -> anyhow::Result<Option<String>> {
    match asked.statements {
        None if !io::stdin().is_terminal() => {
            let piped = statement::asked(Vec::new(), Some(Path::new("-")))?;
            Ok(piped.statements)
        }
        statements => Ok(statements),
    }
}

/// Where questions are answered.
struct Desk {
    session: Session,
    running: Running,
    runtime: Runtime,
}

/// Tells the question that is worked on that it is not wanted any more.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<Option<oneshot::Sender<i32>>>>);

impl Running {
    fn begin(&self) -> oneshot::Receiver<i32> {
        let (stop, stopped) = oneshot::channel();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
        stopped
    }

    /// A signal has come. Whether there was one.
    fn stop(&self, signal: i32) -> bool {
        let stop = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        stop.is_some_and(|stop| stop.send(signal).is_ok())
    }
}

/// What became of a question.
enum Done<T> {
    Answered(T),
    /// By a signal.
    Interrupted(i32),
}

impl Desk {
    fn open(args: &Args, inputs: &[PathBuf]) -> anyhow::Result<Desk> {
        let options = Options {
            memory: args.memory,
            disk: args.disk.map(|bytes| bytes as u64),
            timeout: args.timeout,
            threads: args.jobs,
            ..Options::default()
        };
        let runtime = Runtime::new().context("no threads can be started")?;
        let opened = async {
            match &args.cluster {
                Some(address) => connected(address, inputs, args.partitions, &options).await,
                None => Session::open(inputs, &options).await.map_err(said),
            }
        };
        let session = match runtime.block_on(in_time(args.timeout, opened)) {
            Ok(session) => session,
            Err(error) => {
                // What waits for others is not waited for.
                runtime.shutdown_background();
                return Err(error);
            }
        };
        let running = Running::default();
        let heard = running.clone();
        interrupt::say_farewell(move |signal| heard.stop(signal));
        Ok(Desk {
            session,
            running,
            runtime,
        })
    }

    /// Works on something until it is done or nobody wants it any more.
    fn work<T>(&self, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<Done<T>> {
        let stopped = self.running.begin();
        self.runtime.block_on(async {
            tokio::select! {
                done = work => Ok(Done::Answered(done?)),
                Ok(signal) = stopped => Ok(Done::Interrupted(signal)),
            }
        })
    }

    /// Answers the statements of a text.
    fn answer_all(self, args: &Args, text: &str) -> anyhow::Result<Outcome> {
        let statements = tabiya_sql::statements(text).map_err(said)?;
        if statements.is_empty() {
            bail!(
                "there is no statement: say what you want to know, as SELECT count(*) FROM games"
            );
        }
        let answers = statements.iter().filter(|it| tabiya_sql::has_answer(it));
        let answers = answers.count();
        if args.want_one_file()? && answers != 1 {
            bail!("an output is for one answer, and there are {answers}");
        }
        for (index, statement) in statements.iter().enumerate() {
            let done = match self.answer(args, statement) {
                Ok(Done::Answered(())) => continue,
                Err(error) if statements.len() > 1 => {
                    Err(error.context(format!("statement {}", index + 1)))
                }
                done => done,
            };
            // A cluster hears of it by the connection that ends.
            drop(self.session);
            self.runtime.shutdown_timeout(FAREWELL);
            if let Done::Interrupted(signal) = done? {
                interrupt::end(signal);
            }
            return Ok(Outcome::Failed);
        }
        Ok(Outcome::Fine)
    }

    /// Answers whatever is typed, until that is enough.
    fn answer_whoever_types(self, args: &Args) -> anyhow::Result<Outcome> {
        if args.want_one_file()? {
            bail!("an output is for one answer: say the question, too");
        }
        let mut prompt = Prompt::new(self.words())?;
        message::note(
            "Questions end with a semicolon; SHOW TABLES; lists what there is, Ctrl-D ends.",
        );
        loop {
            match prompt.next()? {
                prompt::Typed::End => {
                    // What was interrupted may still be at a batch.
                    drop(self.session);
                    self.runtime.shutdown_background();
                    return Ok(Outcome::Fine);
                }
                prompt::Typed::Nothing => {}
                prompt::Typed::Statements(text) => {
                    let answered = tabiya_sql::statements(&text)
                        .map_err(said)
                        .and_then(|statements| self.answer_each(args, &statements));
                    if let Err(error) = answered {
                        message::error(&error);
                    }
                    // There may be a view that was not there before.
                    prompt.complete(self.words());
                }
            }
        }
    }

    /// What can be completed: names, and words of SQL.
    fn words(&self) -> Vec<String> {
        let mut words = self.runtime.block_on(self.session.names());
        words.extend(KEYWORDS.map(str::to_owned));
        words
    }

    fn answer_each(&self, args: &Args, statements: &[String]) -> anyhow::Result<()> {
        for statement in statements {
            if let Done::Interrupted(signal) = self.answer(args, statement)? {
                if !interrupt::is_ctrl_c(signal) {
                    interrupt::end(signal);
                }
                message::note("interrupted");
                break;
            }
        }
        Ok(())
    }

    /// Answers a statement.
    fn answer(&self, args: &Args, statement: &str) -> anyhow::Result<Done<()>> {
        let wanted = Wanted::of(args)?;
        let waiting = Waiting::begin();
        let query = async { self.session.query(statement).await.map_err(said) };
        let answer = match self.work(query)? {
            Done::Answered(answer) => answer,
            Done::Interrupted(signal) => return Ok(Done::Interrupted(signal)),
        };
        match wanted {
            Wanted::Table => self.show(args, answer, waiting),
            Wanted::Written(_) if answer.schema().fields().is_empty() => Ok(Done::Answered(())),
            Wanted::Written(format) => self.write(args, answer, format, waiting),
        }
    }

    /// A table of the first rows.
    fn show(&self, args: &Args, mut answer: Answer, waiting: Waiting) -> anyhow::Result<Done<()>> {
        let mut out = Output::open(args.output.as_deref(), &["txt"])?;
        let columns = answers::columns(&answer.schema());
        let is_whole = args.all || table::is_plan(&columns);
        let most = if is_whole { usize::MAX } else { ROWS };
        let (mut rows, mut total) = (Vec::new(), 0);
        let gathered = self.work(async {
            while let Some(batch) = answer.next().await {
                let batch = batch.map_err(said)?;
                total += batch.num_rows() as u64;
                waiting.rows(total);
                let wanted = batch.num_rows().min(most - rows.len());
                rows.extend(answers::texts(&batch.slice(0, wanted))?);
                let_others().await;
            }
            Ok(())
        })?;
        drop(waiting);
        if let Done::Interrupted(signal) = gathered {
            return Ok(Done::Interrupted(signal));
        }
        if columns.is_empty() {
            return Ok(Done::Answered(()));
        }
        if table::is_plan(&columns) {
            table::write_plan(&rows, &mut out)?;
            out.finish()?;
            return Ok(Done::Answered(()));
        }
        table::write(&columns, &rows, &mut out)?;
        if (rows.len() as u64) < total {
            let (shown, total) = (rows.len(), text::counted(total, "row"));
            writeln!(out, "the first {shown} of {total}; --all shows all")?;
        } else {
            writeln!(out, "{}", text::counted(total, "row"))?;
        }
        out.finish()?;
        Ok(Done::Answered(()))
    }

    /// All rows, for programs.
    fn write(
        &self,
        args: &Args,
        mut answer: Answer,
        format: answers::Format,
        waiting: Waiting,
    ) -> anyhow::Result<Done<()>> {
        let path = args.output.as_deref();
        let (out, closed) = Sink::open(path, format)?;
        // It would stand between the lines.
        let waiting = (!out.is_stdout()).then_some(waiting);
        let mut writer = Writer::new(format, &answer.schema(), out)?;
        let mut total = 0;
        let written = self.work(async {
            while let Some(batch) = answer.next().await {
                let batch = batch.map_err(said)?;
                total += batch.num_rows() as u64;
                if let Some(waiting) = &waiting {
                    waiting.rows(total);
                }
                writer.write(&batch).map_err(|error| closed.or(error))?;
                let_others().await;
            }
            Ok(())
        })?;
        if let Done::Interrupted(signal) = written {
            return Ok(Done::Interrupted(signal));
        }
        let out = writer.finish().map_err(|error| closed.or(error))?;
        out.finish()?;
        Ok(Done::Answered(()))
    }
}

/// Rows may come without end: whoever interrupts is heard between them.
async fn let_others() {
    tokio::task::yield_now().await;
}

/// How long what was interrupted or has failed may take to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// Words of SQL that are completed.
const KEYWORDS: [&str; 34] = [
    "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CREATE", "DESC", "DESCRIBE", "DISTINCT", "ELSE",
    "END", "EXPLAIN", "FROM", "GROUP", "HAVING", "ILIKE", "IN", "IS", "JOIN", "LEFT", "LIKE",
    "LIMIT", "NOT", "NULL", "ON", "OR", "ORDER", "SELECT", "SHOW", "TABLES", "THEN", "VIEW",
    "WHERE",
];

/// Waits until inputs are open, but not for longer than a question may take.
async fn in_time<T>(
    limit: Option<Duration>,
    opened: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<T> {
    let Some(limit) = limit else {
        return opened.await;
    };
    let seconds = limit.as_secs_f64();
    let late = |_| anyhow!("opening took longer than {seconds} s, and was given up");
    tokio::time::timeout(limit, opened).await.map_err(late)?
}

/// A session that a cluster answers.
async fn connected(
    address: &str,
    inputs: &[PathBuf],
    partitions: Option<std::num::NonZeroUsize>,
    options: &Options,
) -> anyhow::Result<Session> {
    let [location] = inputs else {
        bail!("a cluster reads one export: say where it is, as s3://bucket/lake or /data/lake");
    };
    let location = location.to_str().context("the location is not UTF-8")?;
    let mut cluster = cluster::Options {
        partitions,
        ..cluster::Options::default()
    };
    if let Some(timeout) = options.timeout {
        cluster.patience = cluster.patience.min(timeout);
    }
    let context = cluster::connect(address, location, &cluster).await;
    Ok(Session::over(context.map_err(said)?, options))
}

/// What the engine says, which tells its causes itself: they are not told once more.
fn said(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("{error}")
}

/// How an answer is wanted.
enum Wanted {
    Table,
    Written(answers::Format),
}

impl Wanted {
    fn of(args: &Args) -> anyhow::Result<Wanted> {
        let path = args.path();
        let wanted = match (args.format, path) {
            (Some(Format::Table), _) | (None, None) => return Ok(Wanted::Table),
            (Some(Format::Csv), _) => answers::Format::Csv,
            (Some(Format::Json), _) => answers::Format::Json,
            (Some(Format::Parquet), _) => answers::Format::Parquet,
            (Some(Format::Arrow), _) => answers::Format::Arrow,
            (None, Some(path)) => match named(path) {
                Some(format) => format,
                None => bail!(
                    "{}: its name says no format; say one with --format",
                    path.display()
                ),
            },
        };
        if wanted.is_binary() && path.is_none() && io::stdout().is_terminal() {
            bail!("this format is nothing for a terminal: -o names a file for it");
        }
        Ok(Wanted::Written(wanted))
    }
}

/// The format that the name of a file says, packed or not.
fn named(path: &Path) -> Option<answers::Format> {
    let name = match Compression::of_path(path) {
        Compression::None => path.to_owned(),
        _ => path.with_extension(""),
    };
    answers::Format::of_extension(name.extension()?.to_str()?)
}

/// Where an answer for programs goes.
enum Sink {
    Stdout(io::BufWriter<io::Stdout>, Closed),
    File(Box<tabiya_formats::io::Output>),
}

/// Whether whoever reads standard output has seen enough: writers of formats tell an error by its words
/// alone.
#[derive(Clone, Default)]
struct Closed(Arc<AtomicBool>);

impl Closed {
    fn notice(&self, error: io::Error) -> io::Error {
        if error.kind() == io::ErrorKind::BrokenPipe {
            self.0.store(true, Ordering::Relaxed);
        }
        output::of_stdout(error)
    }

    fn or(&self, error: io::Error) -> io::Error {
        match self.0.load(Ordering::Relaxed) {
            true => io::ErrorKind::BrokenPipe.into(),
            false => error,
        }
    }
}

impl Sink {
    fn open(path: Option<&Path>, format: answers::Format) -> anyhow::Result<(Sink, Closed)> {
        let own: &[&str] = match format {
            answers::Format::Csv => &["csv"],
            answers::Format::Json => &["json"],
            answers::Format::Parquet => &["parquet"],
            answers::Format::Arrow => &["arrow", "feather"],
        };
        let closed = Closed::default();
        let sink = match Output::open(path, own)? {
            Output::File(file) => Sink::File(file),
            _ => Sink::Stdout(io::BufWriter::new(io::stdout()), closed.clone()),
        };
        Ok((sink, closed))
    }

    fn is_stdout(&self) -> bool {
        matches!(self, Sink::Stdout(..))
    }

    /// Writes what is left and gives the file its name.
    fn finish(self) -> anyhow::Result<()> {
        match self {
            Sink::Stdout(mut out, _) => Ok(out.flush().map_err(output::of_stdout)?),
            Sink::File(file) => Ok(file.finish()?),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(out, closed) => out.write(bytes).map_err(|error| closed.notice(error)),
            Sink::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(out, closed) => out.flush().map_err(|error| closed.notice(error)),
            Sink::File(file) => file.flush(),
        }
    }
}

/// A size of memory: `512M`, `2G`.
fn size(text: &str) -> Result<usize, String> {
    tabiya::store::memory_size(text).map_err(|error| error.to_string())
}

/// A time in seconds: `10`, `0.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected seconds, such as 10 or 0.5".to_string())
}
