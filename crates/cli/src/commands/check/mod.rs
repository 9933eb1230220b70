//! `tabiya check`: what is wrong with games, and a copy in which some of it is mended.

mod examiner;
#[cfg(feature = "parquet")]
mod lake;
mod report;

use std::{
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::ValueEnum;
use tabiya::{Database, EarlierOutput, Filter, Open, WriteOptions, check::Severity, registry};
use tabiya_formats::{Destination, Target};

use crate::{
    exit::Outcome,
    folder,
    games::{self, ReadArgs},
    message,
    output::{Output, unwritten},
    style::Palette,
};
use examiner::Examiner;
use report::{Format, Report};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya check games.pgn
  tabiya check *.pgn.zst --level error
  tabiya check games.pgn --repair mended.pgn
  tabiya check --json - < games.pgn | jq '.counts.kinds'

One finding a line, FILE:LINE:COLUMN: SEVERITY: KIND in game N: MESSAGE, then a table of the kinds
and the counts. What is wrong with tags or the result is found where the game begins.

--json prints one object: \"problems\", an array with one finding a line; with --repair \"repairs\",
built alike; \"damage\", if inputs are not whole; \"counts\".

--repair mends what needs no guessing: the result where only the tag, the end of the moves or a mate
knows it, missing tags of the roster, a missing SetUp, tags repeated word for word, tags, comments
and variations that were not closed. What cannot be read is kept in a comment that says so.

The index of a database of tabiya's own follows from its games: a damaged one is made again. Of an
export to Parquet all files are compared with their checksums, by a tabiya built with Parquet.

Exit codes: 1 if there are errors or warnings in the input, repaired or not; notes do not count.";

/// Find what is wrong with games: broken moves, results, tags, dates, start positions
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, or folders of PGN; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// Print the findings that are at least as bad as this; the counts are of all
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Warning)]
    level: Level,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write all games to a PGN file, mended; - is standard output, and the report goes to stderr
    #[arg(long, value_name = "OUT")]
    repair: Option<PathBuf>,

    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Level {
    /// What cannot be read, or contradicts itself
    Error,
    /// Also what is missing or odd
    Warning,
    /// Also what is worth knowing
    Note,
}

impl Level {
    fn severity(self) -> Severity {
        match self {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Note => Severity::Note,
        }
    }
}

/// Checks all inputs.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut mended = match &args.repair {
        Some(path) => Some(mended_output(path)?),
        None => None,
    };
    let format = Format {
        json: args.json,
        level: args.level.severity(),
        repair: args.repair.is_some(),
    };
    if args.repair.as_deref() == Some(Path::new("-")) {
        let stderr = io::BufWriter::new(io::stderr().lock());
        let mut report = Report::new(stderr, Palette::default(), format)?;
        let outcome = check(args, &mut report, &mut mended)?;
        report.finish()?.flush()?;
        finish(mended, outcome)?;
        return Ok(outcome);
    }
    let output = Output::stdout();
    let palette = Palette::of(&output);
    let mut report = Report::new(output, palette, format)?;
    let outcome = check(args, &mut report, &mut mended)?;
    // First the file: who has read the report may rely on it.
    finish(mended, outcome)?;
    report.finish()?.finish()?;
    Ok(outcome)
}

/// A file of mended games.
struct Mended {
    path: PathBuf,
    games: Box<dyn Target>,
}

/// Where mended games go, as PGN and nothing else.
fn mended_output(path: &Path) -> anyhow::Result<Mended> {
    let pgn = registry().spec("pgn")?;
    let (pgn, place) = match path == "-" {
        true => (pgn.for_writing(None), Destination::Stdout),
        false => (pgn.for_writing(Some(path)), Destination::New(path)),
    };
    let target = registry().target(pgn, place, &WriteOptions::default());
    Ok(Mended {
        path: path.to_owned(),
        games: target.context("--repair writes PGN")?,
    })
}

/// Gives the mended games their name, unless some could not be read: what was there before then
/// stays.
fn finish(mended: Option<Mended>, outcome: Outcome) -> anyhow::Result<()> {
    let Some(Mended { path, games }) = mended else {
        return Ok(());
    };
    if outcome == Outcome::Failed {
        drop(games);
        let name = path.display();
        message::warning(format_args!(
            "{name} was not written: not all games could be read"
        ));
        return Ok(());
    }
    let finished = games.finish();
    finished.map_err(|error| unwritten(error, Some(&path)))?;
    Ok(())
}

fn check(
    args: &Args,
    report: &mut Report<impl Write>,
    mended: &mut Option<Mended>,
) -> anyhow::Result<Outcome> {
    let filter = args.read.filter();
    let earlier = args.repair.as_deref();
    let earlier = earlier.map_or(EarlierOutput::Nothing, EarlierOutput::File);
    let inputs = args.inputs.clone();
    #[cfg(feature = "parquet")]
    let inputs = lake::check(&inputs, args.repair.is_some(), report)?;
    for path in &folder::expand(&inputs, earlier)? {
        let indexes = mended_indexes(path);
        let database = match games::open(path, how(args)) {
            Ok(database) => games::with_bar_beside_lines(database),
            Err(error) => {
                message::error(&error);
                report.input_failed();
                continue;
            }
        };
        report.start_file(path);
        report.damage(&indexes)?;
        report.damage(database.damage())?;
        let result = check_file(&database, &filter, report, mended);
        match result {
            Ok(()) => {}
            // A report that cannot be written ends the command; an input does not.
            Err(error) if error.downcast_ref::<tabiya::Error>().is_some() => {
                message::error(&error);
                report.input_failed();
            }
            Err(error) => return Err(error),
        }
    }
    Ok(match (report.failed_inputs() > 0, report.has_faults()) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Findings,
        (false, false) => Outcome::Fine,
    })
}

/// What follows from the games alone is made again, if it is damaged and the database can be written. If
/// not, it is named as other damage is.
fn mended_indexes(path: &Path) -> Vec<String> {
    let files = tabiya::mend_index(path).unwrap_or_default();
    let sentences = files.iter().map(|file| {
        let file = file.display();
        format!("{file}: it was not as it was written, and was made again")
    });
    sentences.collect()
}

/// How inputs are read: what is damaged is a finding like others, and what is left is examined too. A
/// copy is mended of what is whole only, for it would lack the rest.
fn how(args: &Args) -> Open {
    args.read.how().salvage(args.repair.is_none())
}

fn check_file(
    database: &Database,
    filter: &Filter,
    report: &mut Report<impl Write>,
    mended: &mut Option<Mended>,
) -> anyhow::Result<()> {
    let repair = mended.is_some();
    database.par_parts(
        |part| {
            let mut examiner = Examiner::new(filter, repair);
            part.tell(&mut examiner)?;
            Ok(examiner.finish())
        },
        |mut examined| {
            if let Some(mended) = mended {
                let added = mended.games.add_written(&mut examined.pgn);
                added.map_err(|error| unwritten(error, Some(&mended.path)))?;
            }
            report.part(examined)?;
            Ok(ControlFlow::Continue(()))
        },
    )
}
