//! `tabiya replace`: another game in the place of one.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::bail;
use tabiya::{FormatSpec, GameState, GameTree, registry};
use tabiya_formats::registry::Editor;

use super::encode;
use crate::{
    args::game_number,
    exit::Outcome,
    format_arg,
    games::{self, ReadArgs},
    heading, message,
    output::Output,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya replace my.si5 7 corrected.pgn
  tabiya convert other.cbh --games 12 | tabiya replace my.cbh 7 -

Numbers begin at 1 and count all entries of a file, deleted games and texts too, as `tabiya dump`
counts them. `tabiya convert --games` counts in the same way.

Exit codes: 1 if the database cannot hold all of the new game, 2 if there is no such game, the new
one is broken, or the database cannot be changed.";

/// Put another game in the place of one
///
/// The new game keeps the number of the old one. What the old one took up in the file becomes
/// free when the database is compacted.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database
    #[arg(value_name = "DATABASE")]
    path: PathBuf,

    /// The number of the game to be replaced
    #[arg(value_name = "N", value_parser = game_number)]
    number: u64,

    /// A file with the new game, and no other, in any format; - is standard input
    #[arg(value_name = "FILE")]
    game: PathBuf,

    /// The format of the file with the new game, if its content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_arg::readable(), hide_possible_values = true)]
    from: Option<FormatSpec>,
}

/// Replaces the game, and says which one it was.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let editor = Editor::open(registry(), &args.path, None)?;
    let game = only_game(&args.game, args.from)?;
    let database = games::open(&args.path, games::how(None))?;
    let old = heading::of_entry(&database, args.number);
    let is_deleted = database.is_deleted(args.number);
    // A file that is open cannot be replaced everywhere.
    drop(database);
    let losses = editor.replace(args.number, &game)?;
    let mut output = Output::stdout();
    writeln!(output, "replaced {}: {old}", args.number)?;
    writeln!(output, "by: {}", heading::of_game(&game))?;
    output.finish()?;
    if is_deleted {
        message::warning(format_args!(
            "{} is still marked as deleted: tabiya undelete takes the mark away",
            args.number
        ));
    }
    Ok(encode::report(&losses))
}

/// The game of a file that has one and is whole.
fn only_game(path: &Path, from: Option<FormatSpec>) -> anyhow::Result<GameTree> {
    let database = games::open(path, ReadArgs::all(from, None).how())?;
    let (count, first) = database.par_fold(
        || (0u64, None),
        |(count, first), game| {
            *count += 1;
            first.get_or_insert_with(|| game.clone());
        },
        |(count, first), (more, later)| {
            *count += more;
            *first = first.take().or(later);
        },
    )?;
    let name = path.display();
    match first {
        Some(_) if count > 1 => bail!(
            "{name} has {count} games: pick one by `tabiya convert {name} --games N -o one.pgn`"
        ),
        Some(game) if game.state == GameState::Complete => Ok(game),
        Some(_) => bail!("the game in {name} is broken: `tabiya check` says where"),
        None => bail!("{name} has no game"),
    }
}
