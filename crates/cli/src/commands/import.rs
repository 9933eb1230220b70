//! `tabiya import`: games of any format into a database.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tabiya::registry;

use super::convert;
use crate::{exit::Outcome, games::ReadArgs};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya import games.tabiya twic*.pgn.zst my.cbh old.si4
  tabiya import games.tabiya folder/ --memory 2G
  tabiya import archive.tabiya lichess*.pgn.zst --no-index
  tabiya import games.tabiya lichess.pgn.zst --elo 2400.. --since 2024
  zstdcat games.pgn.zst | tabiya import games.tabiya -
  tabiya import games.tabiya week.pgn --strict --report report.json

The database is made if it is not there; else the games are added to it, all or none. Whatever a
game has comes back as it was: tags in their order, comments, odd values, broken games, texts.
Others may read the database meanwhile, and see it as it was. `tabiya export` writes it out.

Exit codes: 0 every wanted game was imported whole, 1 some are broken, 2 wrong use or failed input or
output, 130 interrupted by Ctrl-C.";

/// Add games of any format to a database of tabiya's own
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database, a folder such as games.tabiya
    #[arg(value_name = "DATABASE")]
    database: PathBuf,

    /// Files to read, packed or not, or folders of PGN, one after the other; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// About how much memory is used: 512M, 2G
    #[arg(long, value_name = "SIZE", default_value = "512M")]
    memory: String,

    /// Make no index of positions: quicker and smaller, until `tabiya index` makes it
    #[arg(long)]
    no_index: bool,

    /// Stop at the first game that is broken, and import nothing
    #[arg(long)]
    strict: bool,

    /// Import what can be read of an input that is damaged or cut off, and say what is missing
    #[arg(long, conflicts_with = "strict")]
    salvage: bool,

    /// Write what happened as JSON, with every broken game, 10,000 at most
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Do everything but import
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Imports, and tells what happened.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    if args.database.is_file() {
        let name = args.database.display();
        bail!("{name} is a file, and databases of tabiya's own are folders: choose another name");
    }
    let inputs = expand(args.inputs)?;
    convert::run(convert::Args {
        inputs,
        output: Some(args.database),
        to: Some(registry().spec("tabiya")?),
        append: true,
        memory: Some(args.memory),
        no_index: args.no_index,
        strict: args.strict,
        salvage: args.salvage,
        report: args.report,
        dry_run: args.dry_run,
        read: args.read,
        ..convert::Args::default()
    })
}

/// The files of patterns that no shell has replaced by names.
fn expand(inputs: Vec<PathBuf>) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for input in inputs {
        match input.to_str().filter(|text| is_pattern(text, &input)) {
            None => files.push(input),
            Some(pattern) => {
                let found =
                    glob::glob(pattern).with_context(|| format!("{pattern} is no pattern"))?;
                let before = files.len();
                files.extend(found.collect::<Result<Vec<_>, _>>()?);
                if files.len() == before {
                    bail!("no file is called like {pattern}");
                }
            }
        }
    }
    Ok(files)
}

fn is_pattern(text: &str, path: &Path) -> bool {
    text.contains(['*', '?', '[']) && !path.exists()
}
