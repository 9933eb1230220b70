//! `tabiya convert`: games from any format into any other.

mod report;

use std::{
    io::{self, IsTerminal},
    num::NonZeroU64,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{anyhow, bail};
use tabiya::{Convert, Error, FormatSpec, Numbers, Report, WriteOptions, same_file};

use crate::{exit::Outcome, games::ReadArgs, message, progress::Progress};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya convert games.pgn.zst -o clean.pgn
  tabiya convert twic*.pgn --player carlsen --since 2023 -o carlsen.pgn.gz
  tabiya convert games.pgn --to uci > games.uci
  tabiya convert games.pgn --eco B9 --games 1..1000 --no-comments -o najdorf.pgn
  tabiya convert big.pgn --split 100000 -o part.pgn
  tabiya convert games.pgn --dry-run --report report.json

Exit codes: 0 every wanted game was written whole, 1 some are broken, refused or lost something, 2
wrong use or failed input or output, 130 interrupted by Ctrl-C. `tabiya formats` lists the formats.";

/// Convert games into another format, or clean up PGN
///
/// A broken game is written as far as it can be read, with the rest of its text in a comment.
/// What a format cannot hold is counted and reported. An output file appears only when it is
/// complete; if anything fails, what was there before is left.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, one after the other; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// The file to write, packed as its name says; without it, standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The format to write; without it, what the name of the output says, or pgn
    #[arg(long, value_name = "FORMAT[:PROFILE]")]
    to: Option<FormatSpec>,

    /// Only the games with these numbers in their file: 7, 1..100, 50.. or 1,3,5..9
    ///
    /// Numbers begin at 1 and count all entries of a file, as `tabiya dump` and `tabiya delete` do:
    /// deleted games and texts too. In several inputs, each is counted for itself.
    #[arg(long, value_name = "NUMBERS")]
    games: Option<Numbers>,

    /// Stop at the first game that is broken or would lose something, and write nothing
    #[arg(long, conflicts_with = "split")]
    strict: bool,

    /// Write the texts that belong to no game as files into a folder
    ///
    /// One file for each text and language, HTML or plain as they are stored. They count as
    /// written.
    #[arg(long, value_name = "FOLDER")]
    texts: Option<PathBuf>,

    /// So many games a file: out-0001.pgn, out-0002.pgn, …
    ///
    /// Each file appears when it is complete, so those before a failure are there.
    #[arg(long, value_name = "N", requires = "output", value_parser = clap::value_parser!(u64).range(1..))]
    split: Option<u64>,

    /// Add the games to those that the output has already
    #[arg(long, requires = "output", conflicts_with = "split")]
    append: bool,

    /// Write what happened as JSON, with every broken game, 10,000 at most
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Do everything but write the output
    #[arg(long)]
    dry_run: bool,

    /// Write the moves of a game in one line
    #[arg(long, help_heading = "What is written")]
    one_line: bool,

    /// Leave out comments, and the clocks and evaluations in them
    #[arg(long, help_heading = "What is written")]
    no_comments: bool,

    /// Leave out variations
    #[arg(long, help_heading = "What is written")]
    no_variations: bool,

    /// Leave out NAGs
    #[arg(long, help_heading = "What is written")]
    no_nags: bool,

    /// Keep annotations that only another format understands, as commands in comments
    #[arg(long, help_heading = "What is written")]
    keep_raw: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Converts, and tells what happened.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    check_paths(args)?;
    let to_terminal = args.output.is_none() && !args.dry_run && io::stdout().is_terminal();
    let progress = Progress::new(!to_terminal);
    let mut said = 0;
    let mut say = |warnings: &[String]| {
        warnings[said..].iter().for_each(message::warning);
        said = warnings.len();
    };
    let converted = args
        .conversion()
        .watch(|now| {
            say(now.warnings);
            progress.update_games(now.games, now.bytes, now.total);
            ControlFlow::Continue(())
        })
        .run();
    drop(progress);
    match converted {
        Ok(report) => {
            say(&report.warnings);
            tell(args, &report, None)
        }
        Err(Error::Stopped(stopped)) => {
            say(&stopped.report.warnings);
            let Error::Strict(reason) = &stopped.error else {
                return fail(Error::Stopped(stopped));
            };
            message::error(&anyhow!("{stopped}"));
            tell(args, &stopped.report, Some(reason))
        }
        Err(error) => fail(error),
    }
}

/// Who does not read on has not been failed.
fn fail(error: Error) -> anyhow::Result<Outcome> {
    match error.is_closed_pipe() {
        true => Ok(Outcome::Fine),
        false => Err(error.into()),
    }
}

/// Tells what happened, and why `--strict` stopped it, if it did.
fn tell(args: &Args, report: &Report, stopped: Option<&str>) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.report {
        report::write(path, report, stopped, args)?;
    }
    report::summary(report, args.dry_run);
    Ok(match report.is_whole() && stopped.is_none() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}

/// Refuses what would destroy something, before any work is done.
fn check_paths(args: &Args) -> anyhow::Result<()> {
    if let Some(report) = &args.report {
        let mut others = args.inputs.iter().chain(&args.output);
        if let Some(path) = others.find(|path| same_file(path, report)) {
            bail!("the report would replace {}", path.display());
        }
    }
    if args.split.is_some() && args.output.as_deref().is_some_and(|path| path == "-") {
        bail!("--split needs a file name, not standard output");
    }
    Ok(())
}

impl Args {
    fn conversion<'w>(&self) -> Convert<'w> {
        let output = self.output.as_deref().unwrap_or(Path::new("-"));
        let (first, others) = self.inputs.split_first().expect("an input is required");
        let mut conversion = Convert::new(first, output)
            .reading(self.read.how())
            .filter(self.read.filter())
            .numbers(self.games.clone().unwrap_or_default())
            .options(self.write_options())
            .strict(self.strict)
            .append(self.append)
            .dry_run(self.dry_run);
        for input in others {
            conversion = conversion.input(input);
        }
        if let Some(format) = self.to {
            conversion = conversion.format(format);
        }
        if let Some(size) = self.split.and_then(NonZeroU64::new) {
            conversion = conversion.split(size);
        }
        match &self.texts {
            Some(folder) => conversion.texts(folder),
            None => conversion,
        }
    }

    fn write_options(&self) -> WriteOptions {
        WriteOptions {
            one_line: self.one_line,
            comments: !self.no_comments,
            variations: !self.no_variations,
            nags: !self.no_nags,
            keep_raw: self.keep_raw,
        }
    }
}
