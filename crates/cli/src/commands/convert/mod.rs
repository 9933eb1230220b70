//! `tabiya convert`: games from any format into any other.
//!
//! Threads read parts of the inputs and write them in the new format; [`join::Joiner`] gives the
//! games their numbers and puts their bytes one after the other, so that the output does not
//! depend on the number of threads.

mod inputs;
mod join;
mod outputs;
mod report;
mod texts;

use std::{fs, path::PathBuf};

use anyhow::{Context, anyhow, bail};
use tabiya_formats::{
    convert_part, ordered,
    registry::{
        self, Dialect, FormatSpec, ReadOptions, WriteOptions,
        place::{self, Purpose, is_same_database},
    },
};
use tabiya_game::Numbers;

use self::{
    inputs::Inputs,
    join::{Joined, Joiner},
    outputs::Outputs,
    texts::Texts,
};
use crate::{
    exit::{self, Outcome},
    folder, format_arg,
    games::ReadArgs,
    message, output, password,
    progress::Progress,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya convert games.pgn.zst -o clean.pgn
  tabiya convert twic*.pgn --player carlsen --since 2023 -o carlsen.pgn.gz
  tabiya convert games.pgn --to uci > games.uci
  tabiya convert games.pgn --to csv -o headers.csv
  tabiya convert folder/ --to cbh -o all.cbh
  tabiya convert suite.epd -o suite.pgn
  tabiya convert games.pgn --eco B9 --games 1..1000 --no-comments -o najdorf.pgn
  tabiya convert big.pgn --split 100000 -o part.pgn
  tabiya convert cut-off.pgn.zst --salvage -o rescued.pgn
  tabiya convert games.pgn --dry-run --report report.json

What a format spells in another way, as \"Tal,M\" becomes \"Tal, M\", is reported but not lost.

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
    /// Files to read, packed or not, or folders of PGN, one after the other; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// The file to write, packed as its name says; without it, standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The format to write: pgn, cbh, si5, csv, … as `tabiya formats` lists them
    ///
    /// Without it, what the name of the output says, or pgn.
    #[arg(long, value_name = "FORMAT[:PROFILE]", value_parser = format_arg::writable(), hide_possible_values = true)]
    to: Option<FormatSpec>,

    /// Only the games with these numbers in their file: 7, 1..100, 50.. or 1,3,5..9
    ///
    /// Numbers begin at 1 and count all entries of a file, as `tabiya dump` and `tabiya delete` do:
    /// deleted games and texts too. In several inputs, each is counted for itself.
    #[arg(long, value_name = "NUMBERS")]
    games: Option<Numbers>,

    /// Stop at the first game that is broken, or would lose or respell something, and write nothing
    #[arg(long, conflicts_with = "split")]
    strict: bool,

    /// Write what can be read of an input that is damaged or cut off, and say what is missing
    ///
    /// Without it, nothing is written then. The last game may be incomplete.
    #[arg(long, conflicts_with = "strict")]
    salvage: bool,

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
pub fn run(mut args: Args) -> anyhow::Result<Outcome> {
    args.inputs = folder::expand(&args.inputs, args.output.as_deref())?;
    let to = output::dialect(args.output.as_deref(), args.to, args.purpose())?;
    let output = args.output.take();
    args.output = output.map(|path| place::file(&path, to, args.to));
    convert(&args, to)
}

fn convert(args: &Args, to: Dialect) -> anyhow::Result<Outcome> {
    let options = args.write_options();
    // Fails here if the format cannot be written.
    registry::writer(to, &options)?;
    check_paths(args, to)?;
    let outputs = args.outputs(to)?;
    let reading = ReadOptions {
        salvage: args.salvage,
        ..args.read.options()
    };
    let mut inputs = Inputs::new(args.inputs.clone(), args.read.from, reading, args.strict);
    let to_terminal = args.output.is_none() && !args.dry_run && outputs::stdout_is_terminal();
    let watch = inputs.watch();
    let progress = Progress::new(inputs.total(), move || watch.read(), !to_terminal);
    let mut joiner = Joiner::new(args, inputs.unwanted(), outputs, progress);
    let (filter, numbers) = (args.read.filter(), args.games.clone().unwrap_or_default());
    let texts = args.texts.as_deref().map(Texts::new);
    ordered(
        args.read.jobs(),
        || inputs.next_part(),
        |part| {
            let (source, part) = part?;
            let writer = registry::writer(to, &options)?;
            let writer = match &texts {
                Some(texts) => texts.wrap(writer),
                None => writer,
            };
            let converted = convert_part(&*part, &filter, &numbers, writer)
                .with_context(|| format!("cannot read {}", source.name))?;
            Ok((source, converted))
        },
        |part: anyhow::Result<_>| joiner.join(part),
    );
    // Closes the files before one of them may be replaced.
    let damage = inputs.into_damage();
    let mut joined = joiner.finish();
    joined.facts.damaged(damage, args.strict);
    if let Some(texts) = texts
        && joined.failed.is_none()
        && joined.facts.stopped.is_none()
        && !args.dry_run
    {
        joined.failed = texts.write().err();
    }
    finish(args, to, joined)
}

/// Puts the output in its place, unless something speaks against it.
fn finish(args: &Args, to: Dialect, joined: Joined) -> anyhow::Result<Outcome> {
    let Joined {
        facts,
        outputs,
        failed,
    } = joined;
    let unfinished = outputs.what_is_left();
    if let Some(error) = failed {
        if exit::is_closed_pipe(&error) {
            return Err(error);
        }
        match facts.reached {
            Some((source, number)) if number > 0 => {
                let name = &source.name;
                bail!("{error:#}; stopped after game {number} of {name}, {unfinished}");
            }
            _ => bail!("{error:#}; {unfinished}"),
        }
    }
    if !(facts.counts.add_up() && facts.others.add_up()) {
        let counts = (facts.counts, facts.others);
        bail!("the counts do not add up, which is a mistake of tabiya: {counts:?}; {unfinished}");
    }
    match &facts.stopped {
        Some(reason) => {
            drop(outputs);
            message::error(&anyhow!("{reason}; {unfinished}"));
        }
        None => outputs.finish()?.iter().for_each(message::warning),
    }
    if let Some(path) = &args.report {
        report::write(path, &facts, to, args)?;
    }
    report::summary(&facts, to, args.dry_run);
    Ok(if facts.is_fine() {
        Outcome::Fine
    } else {
        Outcome::Findings
    })
}

/// Refuses what would destroy something, and what is certain to fail, before any work is done.
fn check_paths(args: &Args, to: Dialect) -> anyhow::Result<()> {
    let dashes = args.inputs.iter().filter(|path| *path == "-").count();
    if dashes > 1 {
        bail!("standard input can be read only once");
    }
    for path in args.inputs.iter().filter(|path| *path != "-") {
        fs::metadata(path).with_context(|| format!("cannot open {}", path.display()))?;
    }
    if let Some(report) = &args.report {
        let others = args.inputs.iter().chain(&args.output);
        let mut others = others.into_iter();
        if let Some(path) = others.find(|path| is_same_database(path, report)) {
            bail!("the report would replace {}", path.display());
        }
        place::check_other(report, &["json"])?;
    }
    if args.split.is_some() && args.output.as_deref().is_some_and(|path| path == "-") {
        bail!("--split needs a file name, not standard output");
    }
    // Those of several files are looked at one by one.
    if let (Some(path), None) = (&args.output, args.split)
        && path != "-"
    {
        place::check(path, to, args.purpose())?;
    }
    Ok(())
}

impl Args {
    fn write_options(&self) -> WriteOptions {
        WriteOptions {
            one_line: self.one_line,
            comments: !self.no_comments,
            variations: !self.no_variations,
            nags: !self.no_nags,
            keep_raw: self.keep_raw,
        }
    }

    fn purpose(&self) -> Purpose {
        match self.append {
            true => Purpose::Append,
            false => Purpose::New,
        }
    }

    /// The password that the output gets. If an input has one, the one that is given is that of the
    /// input, and of the output only if the output needs one.
    fn new_password(&self, to: Dialect) -> anyhow::Result<Option<String>> {
        let is_sealed = |path: &PathBuf| registry::is_sealed(path, self.read.from);
        let of_input = self.inputs.iter().any(is_sealed);
        let given = self.read.password();
        match &self.output {
            Some(path) if to.profile.seals() && path != "-" => {
                let is_cbz = path
                    .extension()
                    .is_some_and(|it| it.eq_ignore_ascii_case("cbz"));
                password::of_new(path, given.filter(|_| is_cbz || !of_input))
            }
            // Who gives one relies on it.
            _ if given.is_some() && !of_input => bail!(
                "--password: no input has a password, and {to} cannot have one: leave it out, or \
                 write a .cbz"
            ),
            _ => Ok(None),
        }
    }

    fn outputs(&self, to: Dialect) -> anyhow::Result<Outputs> {
        if self.dry_run {
            return Ok(Outputs::nothing());
        }
        let password = self.new_password(to)?;
        match (&self.output, self.split, password) {
            (Some(path), Some(size), password) => {
                Ok(Outputs::split(to, path, size, &self.inputs, password))
            }
            (Some(path), None, Some(password)) if !(self.append && path.exists()) => {
                Outputs::sealed(to, path, &password)
            }
            (path, ..) => Outputs::one(to, path.as_deref(), self.append),
        }
    }
}
