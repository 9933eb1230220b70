//! `tabiya eco`: the openings of games, by their positions.

mod apply;
mod summary;
mod write;

use std::path::PathBuf;

use tabiya::{
    Database, EarlierOutput, FormatSpec,
    openings::{Agreement, Openings, classify},
};

use self::{summary::Summary, write::Writer};
use crate::{
    exit::Outcome,
    folder, format_arg,
    games::{self, ReadArgs},
    list_format::ListFormat,
    message, openings,
    output::Output,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya eco games.pgn
  tabiya eco games.tabiya --differ --table openings.tsv
  tabiya eco my.cbh --eco B9 --format csv > openings.csv
  tabiya eco twic.pgn.zst --summary
  tabiya eco games.pgn --apply -o classified.pgn
  tabiya eco games.tabiya --apply --names

A game belongs to the deepest of its positions that has a name, whatever the order of its moves. A
table has lines with tabs: code, name, moves, as Lichess publishes them; a folder stands for the
.tsv files in it. Without --table, TABIYA_OPENINGS names one; without that, it is tabiya's own of
500 codes. --apply sets the tag ECO, in a copy or in place of a database of tabiya's own, and says
how many games have changed. docs/openings.md explains why codes differ.

Exit codes: 1 if parts of a database are missing or a copy is not whole, 2 if an input cannot be read
to its end.";

/// Find the openings of games, compare them with their ECO tags, and set these
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, or folders of PGN; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// A table of openings, or a folder of such
    #[arg(long, value_name = "FILE.tsv")]
    table: Option<PathBuf>,

    /// List only games whose ECO tag is another
    #[arg(long, conflicts_with = "apply")]
    differ: bool,

    /// Print only how many games agree with their tags
    #[arg(long, conflicts_with_all = ["apply", "differ"])]
    summary: bool,

    /// How the list is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormat::Table, conflicts_with = "apply")]
    format: ListFormat,

    /// Set the tag ECO of each game to the code that was found
    #[arg(long)]
    apply: bool,

    /// Set the tag Opening to the name, too
    #[arg(long, requires = "apply")]
    names: bool,

    /// The file that gets the games with their new tags, packed as its name says
    ///
    /// Without it, a database of tabiya's own is changed in place.
    #[arg(short, long, value_name = "OUT", requires = "apply")]
    output: Option<PathBuf>,

    /// The format to write, if the name of the output does not say
    #[arg(long, value_name = "FORMAT[:PROFILE]", value_parser = format_arg::writable(), hide_possible_values = true, requires = "output")]
    to: Option<FormatSpec>,

    #[command(flatten)]
    read: ReadArgs,
}

/// Finds openings, and does with them what was asked for.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let table = openings::table(args.table.as_deref())?;
    if args.apply {
        return apply::run(args, table);
    }
    let inputs = folder::expand(&args.inputs, EarlierOutput::Nothing)?;
    let mut writer = Writer::new(&args, Output::stdout(), inputs.len() > 1)?;
    let mut summary = Summary::default();
    let mut failed = false;
    for path in &inputs {
        let read = games::open(path, args.read.how())
            .and_then(|database| list(database, &args, &table, &mut summary, &mut writer));
        match read {
            Ok(()) => {}
            // A list that cannot be written ends the command; an input does not.
            Err(error) if error.downcast_ref::<tabiya::Error>().is_none() => return Err(error),
            Err(error) => {
                message::error(&error);
                failed = true;
            }
        }
    }
    writer.finish(&summary, failed)?;
    Ok(match failed {
        true => Outcome::Failed,
        false => Outcome::Fine,
    })
}

fn list(
    database: Database,
    args: &Args,
    table: &Openings,
    summary: &mut Summary,
    writer: &mut Writer,
) -> anyhow::Result<()> {
    let database = games::with_bar_beside_lines(database);
    let file = database.path().display().to_string();
    classify(&database, &args.read.filter(), table, |game| {
        summary.add(&game);
        let is_wanted = !args.differ || game.agreement() == Agreement::Other;
        match is_wanted && !args.summary {
            true => Ok(writer.game(&file, &game)?),
            false => anyhow::Ok(()),
        }
    })
}
