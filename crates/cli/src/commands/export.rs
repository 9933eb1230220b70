//! `tabiya export`: games of a database into any format.

use std::path::PathBuf;

use anyhow::bail;
use tabiya::{Error, ErrorKind, FormatSpec, Numbers};

use super::convert;
use crate::{
    exit::Outcome,
    format_arg,
    games::{self, ReadArgs},
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya export games.tabiya -o games.pgn.zst
  tabiya export games.tabiya --player carlsen --since 2023 -o carlsen.cbh
  tabiya export games.tabiya --games 1..1000 -o first.si5
  tabiya export games.tabiya --to csv > headers.csv

An export is a conversion: `tabiya convert` reads databases too, and has more options. What the other
format cannot hold is counted and reported; PGN holds all but pictures and texts.

Exit codes: 0 every wanted game was written whole, 1 some are broken, refused or lost something, 2
wrong use or failed input or output, 130 interrupted by Ctrl-C.";

/// Write games of a database of tabiya's own in any format
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database, a folder such as games.tabiya
    #[arg(value_name = "DATABASE")]
    database: PathBuf,

    /// The file to write, packed as its name says; without it, standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The format to write: pgn, cbh, si5, csv, … as `tabiya formats` lists them
    ///
    /// Without it, what the name of the output says, or pgn.
    #[arg(long, value_name = "FORMAT[:PROFILE]", value_parser = format_arg::writable(), hide_possible_values = true)]
    to: Option<FormatSpec>,

    /// Only the games with these numbers: 7, 1..100, 50.. or 1,3,5..9
    #[arg(long, value_name = "NUMBERS")]
    games: Option<Numbers>,

    /// Stop at the first game that is broken, or would lose or respell something, and write nothing
    #[arg(long)]
    strict: bool,

    /// Write what can be read of a database that is damaged, and say what is missing
    #[arg(long, conflicts_with = "strict")]
    salvage: bool,

    /// Write the texts that belong to no game as files into a folder
    #[arg(long, value_name = "FOLDER")]
    texts: Option<PathBuf>,

    /// Write what happened as JSON, with every broken game, 10,000 at most
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Do everything but write the output
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Exports, and tells what happened.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let how = games::how(args.read.from).salvage(true);
    let format = how.open(&args.database)?.format();
    if format.format.name != "tabiya" {
        let name = args.database.display();
        bail!("{name} is {format}, and no database of tabiya's own: tabiya convert reads it");
    }
    let salvage = args.salvage;
    let exported = convert::run(convert::Args {
        inputs: vec![args.database],
        output: args.output,
        to: args.to,
        games: args.games,
        strict: args.strict,
        salvage: args.salvage,
        texts: args.texts,
        report: args.report,
        dry_run: args.dry_run,
        read: args.read,
        ..convert::Args::default()
    });
    let is_damaged = |error: &Error| error.kind() == ErrorKind::Damaged;
    match exported {
        Err(error) if !salvage && error.downcast_ref().is_some_and(is_damaged) => {
            bail!("{error}; --salvage writes what can be read")
        }
        exported => exported,
    }
}
