//! `tabiya report`: a dossier of a player or an opening.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::bail;
use clap::ValueEnum;
use tabiya::{
    Database, EarlierOutput, check_different, is_read_once,
    report::{self, Dossier, Wishes},
};

use crate::{
    exit::Outcome,
    folder,
    games::{self, ReadArgs},
    interrupt,
    line_args::LineArgs,
    message, openings,
    output::Output,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya report games.tabiya --player \"Magnus Carlsen\" -o carlsen.html
  tabiya report twic.pgn.zst --player carlsen --versus nakamura --since 2015 -o match.md
  tabiya report games.tabiya --moves \"1. e4 c5 2. c3\" -o alapin.html
  tabiya report my.cbh --fen \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\" --format json | jq .total
  tabiya report games.tabiya --moves \"1. d4\" --player kasparov --elo 2600.. -o d4.html

Without --moves or --fen the dossier is about --player, and results are that player's; with one of
them it is about the position, results are White's, and --player is a filter like the others. The page
of HTML needs nothing else: it can be mailed, printed and read on a phone. docs/report.md defines
every figure. Names of openings are those of the table that TABIYA_OPENINGS names, or tabiya's own.

Exit codes: 0 there is something to report, 1 no game was found, and nothing is written, or parts of a
database are missing, 2 wrong use, an input that cannot be read to its end, or failed output.";

/// Make a dossier of a player or an opening, as HTML, Markdown or JSON
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, or folders of PGN
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    line: LineArgs,

    /// The file to write: .html, .md or .json; without it, Markdown to standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// How it is written, if the name of the output does not say
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    read: ReadArgs,
}

/// How a dossier is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A page that needs nothing else
    Html,
    /// Text with tables
    Markdown,
    /// Figures for programs
    Json,
}

/// Makes a dossier.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let format = args.format()?;
    let line = args.line.line()?;
    let mut filter = args.read.filter();
    if line.is_none() && filter.player.is_none() {
        bail!("a dossier of whom, or of what? --player NAME, --moves MOVES or --fen FEN says so");
    }
    let inputs = folder::expand(&args.inputs, EarlierOutput::Nothing)?;
    if let Some(path) = inputs.iter().find(|path| is_read_once(path)) {
        bail!(
            "{} can be read only once: save it in a file",
            path.display()
        );
    }
    check_different(&inputs)?;
    interrupt::leaves("nothing was written");
    let databases = inputs.iter().map(|path| open(args, path));
    let databases = databases.collect::<anyhow::Result<Vec<Database>>>()?;
    let openings = openings::table(None)?;
    let dossier = match (line, filter.player.clone()) {
        (None, Some(name)) => {
            filter.player = None;
            report::player(&databases, &name, &Wishes { filter, openings })?
        }
        (line, _) => {
            let line = line.unwrap_or_default();
            report::opening(&databases, &line, &Wishes { filter, openings })?
        }
    };
    drop(databases);
    if dossier.games == 0 {
        message::warning("no game was found, and nothing is written");
        return Ok(Outcome::Findings);
    }
    if args.output.as_deref().is_none_or(|path| path == "-") {
        interrupt::leaves("standard output is not complete");
    }
    write(args.output.as_deref(), format, &dossier)?;
    Ok(Outcome::Fine)
}

fn open(args: &Args, path: &Path) -> anyhow::Result<Database> {
    Ok(games::with_bar(games::open(path, args.read.how())?))
}

fn write(path: Option<&Path>, format: Format, dossier: &Dossier) -> anyhow::Result<()> {
    let mut output = Output::open(path, &["html", "htm", "md", "json"])?;
    let text = match format {
        Format::Html => dossier.to_html(),
        Format::Markdown => dossier.to_markdown(),
        Format::Json => dossier.to_json(),
    };
    output.write_all(text.as_bytes())?;
    output.finish()
}

impl Args {
    /// What was asked for, or what the name of the output says.
    fn format(&self) -> anyhow::Result<Format> {
        let named = self.output.as_deref().filter(|path| *path != "-");
        let extension = named.and_then(|path| path.extension()?.to_str());
        match (
            self.format,
            extension.map(str::to_ascii_lowercase).as_deref(),
        ) {
            (Some(format), _) => Ok(format),
            (None, Some("html" | "htm")) => Ok(Format::Html),
            (None, Some("md" | "markdown")) => Ok(Format::Markdown),
            (None, Some("json")) => Ok(Format::Json),
            (None, _) if named.is_none() => Ok(Format::Markdown),
            (None, _) => bail!(
                "{}: call it .html, .md or .json, or say --format",
                named.unwrap_or(Path::new("-")).display()
            ),
        }
    }
}
