//! `tabiya delete` and `tabiya undelete`: marks on games of a database.

use std::{collections::BTreeSet, io::Write, path::PathBuf};

use anyhow::bail;
use tabiya::{FormatSpec, Numbers, registry};
use tabiya_formats::registry::{Deletion, Editor};

use crate::{exit::Outcome, format_arg, games, heading, output::Output};

const DELETE_EXAMPLES: &str = "\
EXAMPLES:
  tabiya delete my.si5 7
  tabiya delete my.cbh 3 10..12

Numbers begin at 1 and count all entries of the file, deleted games and texts too, as `tabiya dump`
counts them.

Exit codes: 2 if there is no such game, or the database cannot be changed.";

/// Mark games of a database as deleted
///
/// They stay in the file, and other commands read them only with --deleted. `tabiya undelete`
/// brings them back, `tabiya compact` removes them for good.
#[derive(clap::Args)]
#[command(after_long_help = DELETE_EXAMPLES)]
pub struct DeleteArgs {
    #[command(flatten)]
    games: GamesArgs,
}

const UNDELETE_EXAMPLES: &str = "\
EXAMPLES:
  tabiya undelete my.si5 7
  tabiya undelete my.cbh 1..

Numbers begin at 1 and count all entries of the file, deleted games and texts too, as `tabiya dump`
counts them.

Exit codes: 2 if there is no such game, or the database cannot be changed.";

/// Bring deleted games of a database back
#[derive(clap::Args)]
#[command(after_long_help = UNDELETE_EXAMPLES)]
pub struct UndeleteArgs {
    #[command(flatten)]
    games: GamesArgs,
}

#[derive(clap::Args)]
struct GamesArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    path: PathBuf,

    /// Which games: 7, 10..12, 50.. or 1,3,5..9
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<Numbers>,

    /// The format of the database, if its content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_arg::readable(), hide_possible_values = true)]
    from: Option<FormatSpec>,
}

/// Marks games as deleted.
pub fn delete(args: &DeleteArgs) -> anyhow::Result<Outcome> {
    change(&args.games, Deletion::Deleted)
}

/// Takes the marks away.
pub fn undelete(args: &UndeleteArgs) -> anyhow::Result<Outcome> {
    change(&args.games, Deletion::Kept)
}

/// Changes the marks, and says of which games they were.
fn change(args: &GamesArgs, deletion: Deletion) -> anyhow::Result<Outcome> {
    let editor = Editor::open(registry(), &args.path, args.from)?;
    let (games, headings) = meant(args)?;
    editor.set_deletion(&games, deletion)?;
    let done = match deletion {
        Deletion::Deleted => "deleted",
        Deletion::Kept => "kept",
    };
    let mut output = Output::stdout();
    for (number, heading) in games.iter().zip(headings) {
        writeln!(output, "{done} {number}: {heading}")?;
    }
    output.finish()?;
    Ok(Outcome::Fine)
}

/// The games that are meant, in order: their numbers, and what they are.
fn meant(args: &GamesArgs) -> anyhow::Result<(Vec<u64>, Vec<String>)> {
    let database = games::open(&args.path, games::how(args.from))?;
    let count = database.count().unwrap_or_default();
    let mut numbers = BTreeSet::new();
    for span in args.games.iter().flat_map(Numbers::spans) {
        let (least, most) = (span.least.unwrap_or(1), span.most.unwrap_or(count));
        if most > count || least > count {
            let name = args.path.display();
            // Texts have numbers too: how many games there are is another question.
            bail!("no game {span}: the last one of {name} is {count}");
        }
        numbers.extend(least..=most);
    }
    let heading = |number: &u64| heading::of_entry(&database, *number);
    let headings = numbers.iter().map(heading).collect();
    Ok((numbers.into_iter().collect(), headings))
}
