//! `tabiya convert`: games from any format into any other.

mod report;

use std::{
    io::{self, IsTerminal},
    num::NonZeroU64,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{anyhow, bail};
use tabiya::{
    Convert, Damage, Database, EarlierOutput, Edit, Error, ErrorKind, FormatProfile, FormatSpec,
    Numbers, Registry, Report, Settings, Stopped, WriteOptions, registry,
};
use tabiya_formats::{
    pgn,
    registry::place::{self, Purpose, is_same_database},
};

use crate::{
    exit::Outcome,
    folder, format_arg,
    games::{self, ReadArgs},
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
#[derive(clap::Args, Default)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, or folders of PGN, one after the other; - is standard input
    #[arg(value_name = "IN", required = true)]
    pub(super) inputs: Vec<PathBuf>,

    /// The file to write, packed as its name says; without it, standard output
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,

    /// The format to write: pgn, cbh, si5, csv, … as `tabiya formats` lists them
    ///
    /// Without it, what the name of the output says, or pgn.
    #[arg(long, value_name = "FORMAT[:PROFILE]", value_parser = format_arg::writable(), hide_possible_values = true)]
    pub(super) to: Option<FormatSpec>,

    /// Only the games with these numbers in their file: 7, 1..100, 50.. or 1,3,5..9
    ///
    /// Numbers begin at 1 and count all entries of a file, as `tabiya dump` and `tabiya delete` do:
    /// deleted games and texts too. In several inputs, each is counted for itself.
    #[arg(long, value_name = "NUMBERS")]
    pub(super) games: Option<Numbers>,

    /// Stop at the first game that is broken, or would lose or respell something, and write nothing
    #[arg(long, conflicts_with = "split")]
    pub(super) strict: bool,

    /// Write what can be read of an input that is damaged or cut off, and say what is missing
    ///
    /// Without it, an input whose end is missing fails, and nothing is written. The last game may be
    /// incomplete.
    #[arg(long, conflicts_with = "strict")]
    pub(super) salvage: bool,

    /// Write the texts that belong to no game as files into a folder
    ///
    /// One file for each text and language, HTML or plain as they are stored. They count as
    /// written. A folder that has texts already is refused.
    #[arg(long, value_name = "FOLDER")]
    pub(super) texts: Option<PathBuf>,

    /// So many games a file: out-0001.pgn, out-0002.pgn, …
    ///
    /// Each file appears when it is complete, so those before a failure are there.
    #[arg(long, value_name = "N", requires = "output", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) split: Option<u64>,

    /// Add the games to those that the output has already
    #[arg(long, requires = "output", conflicts_with = "split")]
    pub(super) append: bool,

    /// Write what happened as JSON, with every broken game, 10,000 at most
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// Do everything but write the output
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Write the moves of a game in one line
    #[arg(long, help_heading = "What is written")]
    pub(super) one_line: bool,

    /// Leave out comments, and the clocks and evaluations in them
    #[arg(long, help_heading = "What is written")]
    pub(super) no_comments: bool,

    /// Leave out variations
    #[arg(long, help_heading = "What is written")]
    pub(super) no_variations: bool,

    /// Leave out NAGs
    #[arg(long, help_heading = "What is written")]
    pub(super) no_nags: bool,

    /// Keep annotations that only another format understands, as commands in comments
    #[arg(long, help_heading = "What is written")]
    pub(super) keep_raw: bool,

    /// The numbers that are wanted of some inputs, by what has searched them.
    #[arg(skip)]
    pub(super) numbers_of: Vec<(PathBuf, Numbers)>,

    /// Inputs that have been searched: they are read as they were then.
    #[arg(skip)]
    pub(super) opened: Vec<Database>,

    /// About how much memory is used, by what writes databases of tabiya's own.
    #[arg(skip)]
    pub(super) memory: Option<String>,

    /// Whether these have no index of positions.
    #[arg(skip)]
    pub(super) no_index: bool,

    /// Which formats there are.
    #[arg(skip)]
    pub(super) formats: Formats,

    /// What is changed in each game.
    #[arg(skip)]
    pub(super) edit: Option<Edit>,

    #[command(flatten)]
    pub(super) read: ReadArgs,
}

/// The formats that games are written in: those that everybody has, unless a command has one more.
#[derive(Clone)]
pub(super) struct Formats(pub Registry);

impl Default for Formats {
    fn default() -> Formats {
        Formats(registry().clone())
    }
}

/// Converts, and tells what happened.
pub fn run(mut args: Args) -> anyhow::Result<Outcome> {
    let earlier = match (&args.output, args.split) {
        (None, _) => EarlierOutput::Nothing,
        (Some(output), None) => EarlierOutput::File(output),
        (Some(output), Some(_)) => EarlierOutput::Split(output),
    };
    args.inputs = folder::expand(&args.inputs, earlier)?;
    let to = output::profile(args.output.as_deref(), args.to, args.purpose())?;
    let output = args.output.take();
    let formats = &args.formats.0;
    args.output = output.map(|path| place::file(formats, &path, to, args.to));
    // Fails here if the format cannot be written, before anybody is asked for a password.
    formats.writer(to, &args.write_options())?;
    check_paths(&args)?;
    let conversion = args.conversion(to)?;
    let to_terminal = args.output.is_none() && !args.dry_run && io::stdout().is_terminal();
    let progress = Progress::new(!to_terminal);
    let mut said = 0;
    let mut say = |damage: &[Damage]| {
        damage[said..].iter().for_each(message::warning);
        said = damage.len();
    };
    let converted = conversion
        .watch(|now| {
            say(now.damage);
            progress.update_games(now.games, now.bytes, now.total);
            ControlFlow::Continue(())
        })
        .run();
    drop(progress);
    match converted {
        Ok(report) => {
            say(&report.damage);
            report.warnings.iter().for_each(message::warning);
            tell(&args, &report, None)
        }
        Err(stopped) => {
            if let Some(report) = &stopped.report {
                say(&report.damage);
            }
            stop(&args, to, stopped)
        }
    }
}

/// Tells why it has not come to its end. What is not whole is a finding, anything else a failure.
fn stop(args: &Args, to: FormatProfile, stopped: Stopped) -> anyhow::Result<Outcome> {
    let error = &stopped.error;
    match &stopped.report {
        Some(report) if error.kind() == ErrorKind::NotWhole => {
            let reason = objection(error);
            message::error(&anyhow!("{reason}; {}", stopped.left));
            return tell(args, report, Some(&reason));
        }
        // Whoever wants a report wants it of a failure most of all.
        Some(report) => {
            if let Some(path) = &args.report
                && let Err(second) = report::write(path, report, Some(&error.to_string()), args)
            {
                // Why the games were not converted comes first.
                message::error(&failure(to, stopped));
                return Err(second);
            }
        }
        None => {}
    }
    Err(failure(to, stopped))
}

/// Why it failed, with what to do.
fn failure(to: FormatProfile, stopped: Stopped) -> anyhow::Error {
    let error = &stopped.error;
    match to.profile.extensions().first() {
        Some(extension) if error.kind() == ErrorKind::NeedsFile => {
            anyhow!("{error}, as in -o games.{extension}")
        }
        _ => Error::from(stopped).into(),
    }
}

/// What `--strict` has against a game, or a whole database.
fn objection(error: &Error) -> String {
    match (error.game(), error.file(), error.place()) {
        (Some(game), Some(file), Some(place)) => {
            format!("game {game} ({file}, {place}): {}", error.cause())
        }
        _ => error.to_string(),
    }
}

/// Tells what happened, and why `--strict` stopped it, if it did.
fn tell(args: &Args, report: &Report, stopped: Option<&str>) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.report {
        report::write(path, report, stopped, args)?;
    }
    report::summary(report, args);
    Ok(match report.is_whole() && stopped.is_none() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}

/// Refuses what would destroy something, before any work is done.
fn check_paths(args: &Args) -> anyhow::Result<()> {
    if let Some(report) = &args.report {
        let mut others = args.inputs.iter().chain(&args.output);
        if let Some(path) = others.find(|path| is_same_database(registry(), path, report)) {
            bail!("the report would replace {}", path.display());
        }
        place::check_other(registry(), report, &["json"])?;
        // Whoever finds out only after the work is done has no report.
        let folder = report
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!("{}: no such folder for the report", folder.display());
        }
    }
    if args.split.is_some() && args.output.as_deref().is_some_and(|path| path == "-") {
        bail!("--split needs a file name, not standard output");
    }
    Ok(())
}

impl Args {
    fn write_options(&self) -> WriteOptions {
        let mut settings = Settings::new()
            .with(&pgn::ONE_LINE, self.one_line)
            .with(&pgn::KEEP_RAW, self.keep_raw);
        if let Some(memory) = &self.memory {
            games::set(&mut settings, "memory", memory.as_str());
        }
        if self.no_index {
            games::set(&mut settings, "no-index", true);
        }
        WriteOptions {
            comments: !self.no_comments,
            variations: !self.no_variations,
            nags: !self.no_nags,
            settings,
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
    fn new_password(&self, to: FormatProfile) -> anyhow::Result<Option<String>> {
        let is_sealed = |path: &PathBuf| registry().is_sealed(path, self.read.from);
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

    fn conversion<'w>(&self, to: FormatProfile) -> anyhow::Result<Convert<'w>> {
        let output = self.output.as_deref().unwrap_or(Path::new("-"));
        let inputs = self.inputs.iter();
        let mut conversion = inputs
            .fold(Convert::to(output), |conversion, input| {
                conversion.input(input)
            })
            .reading(self.read.how().salvage(self.salvage))
            .filter(self.read.filter())
            .numbers(self.games.clone().unwrap_or_default())
            .options(self.write_options())
            .registry(self.formats.0.clone())
            .strict(self.strict)
            .append(self.append)
            .dry_run(self.dry_run);
        for (input, numbers) in &self.numbers_of {
            conversion = conversion.numbers_of(input, numbers.clone());
        }
        for database in &self.opened {
            conversion = conversion.as_opened(database);
        }
        if let Some(format) = self.to {
            conversion = conversion.format(format);
        }
        if let Some(size) = self.split.and_then(NonZeroU64::new) {
            conversion = conversion.split(size);
        }
        if let Some(folder) = &self.texts {
            conversion = conversion.texts(folder);
        }
        if let Some(edit) = &self.edit {
            conversion = conversion.edit(Arc::clone(edit));
        }
        Ok(match self.new_password(to)? {
            Some(password) => conversion.password(password),
            None => conversion,
        })
    }
}
