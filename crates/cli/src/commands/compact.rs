//! `tabiya compact`: a database without what nobody reads any more.

use std::{io::Write, path::PathBuf};

use tabiya::registry;
use tabiya_formats::registry::{Editor, FormatSpec};

use crate::{exit::Outcome, format_arg, output::Output, text::grouped};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya compact my.si5
  tabiya compact my.cbh

Exit codes: 2 if the database cannot be read or written; it is then as it was.";

/// Make a database smaller: without deleted games, unused names and holes
///
/// All other games stay, in their order, and get new numbers. The new state is built beside the
/// old one and takes its place when it is complete.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database
    #[arg(value_name = "DATABASE")]
    path: PathBuf,

    /// The format of the database, if its content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_arg::readable(), hide_possible_values = true)]
    from: Option<FormatSpec>,
}

/// Compacts, and tells what is gone.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let compacted = Editor::open(registry(), &args.path, args.from)?.compact()?;
    let mut output = Output::stdout();
    let smaller = match compacted.bytes {
        0 => "not smaller".to_string(),
        bytes => format!("{} bytes smaller", grouped(bytes)),
    };
    writeln!(
        output,
        "kept {}, removed {} deleted, {smaller}",
        grouped(compacted.games),
        grouped(compacted.deleted),
    )?;
    output.finish()?;
    Ok(Outcome::Fine)
}
