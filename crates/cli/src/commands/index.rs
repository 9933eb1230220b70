//! `tabiya index`: what a database knows of the positions of its games.

use std::{io::Write, path::PathBuf};

use tabiya::IndexWish;

use crate::{exit::Outcome, output::Output, text::grouped};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya index games.tabiya
  tabiya index games.tabiya --rebuild --memory 2G
  tabiya index games.tabiya --drop

Questions about positions have the same answers with an index and without one; without one all games
are read for each. Imports bring theirs along, so this is needed only for a database of an earlier
version, after --drop, or when `tabiya check` could not make a damaged one again.

Exit codes: 2 if the database cannot be read or written; it is then as it was.";

/// Make, remove or make anew the index that finds positions in a database
///
/// Without an option, an index is made wherever one is missing or damaged. The games are not touched.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database, a folder such as games.tabiya
    #[arg(value_name = "DATABASE")]
    path: PathBuf,

    /// Make all of it anew
    #[arg(long)]
    rebuild: bool,

    /// Remove it: the database is smaller, and questions about positions take longer
    #[arg(long, conflicts_with = "rebuild")]
    drop: bool,

    /// About how much memory is used: 512M, 2G
    #[arg(long, value_name = "SIZE", default_value = "512M")]
    memory: String,
}

/// Does it, and tells how large the index is.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let wish = match (args.drop, args.rebuild) {
        (true, _) => IndexWish::Drop,
        (_, true) => IndexWish::Rebuild,
        _ => IndexWish::Complete,
    };
    let indexed = tabiya::index(&args.path, wish, &args.memory)?;
    let mut output = Output::stdout();
    writeln!(
        output,
        "{} entries, index of {} bytes",
        grouped(indexed.entries),
        grouped(indexed.bytes)
    )?;
    output.finish()?;
    Ok(Outcome::Fine)
}
