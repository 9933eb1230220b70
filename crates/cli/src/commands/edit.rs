//! `tabiya edit`: tags of games are changed where they are.

use std::{io::Write, path::PathBuf};

use anyhow::{Context, bail};
use tabiya::{
    ErrorKind, Numbers,
    plan::{Plan, PlanFormat, Step, TagEdit},
    registry,
};
use tabiya_formats::registry::place::is_same_database;

use crate::{
    exit::Outcome, filter_args::FilterArgs, games, interrupt, message, output::Output, plans,
    text::grouped,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya edit games.tabiya --game 7 --set White=\"Tal, Mikhail\" --set WhiteElo=2700
  tabiya edit games.tabiya --game 3,10..12 --remove Annotator
  tabiya edit games.tabiya --event \"club evning\" --set Event=\"Club evening\" --dry-run
  tabiya edit games.tabiya --player carlsen --since 2020 --set WhiteTitle=GM --plan done.tsv
  tabiya edit games.tabiya --undo
  tabiya edit games.tabiya --undo done.tsv

Tags are changed by an overlay, all or none: whenever the process ends, the database is whole, in its
old state or in the new one. --undo without a plan takes back the last plan that was applied to the
database, be it by this command or another; after `tabiya compact` there is none. How a game starts
(FEN, SetUp, Variant) is not changed: `tabiya replace` puts another game in its place.

Exit codes: 2 if the database cannot be read or changed; it is then as it was.";

/// Change tags of games in a database of tabiya's own
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database, a folder such as games.tabiya
    #[arg(value_name = "DATABASE")]
    path: PathBuf,

    /// Which games: 7, 10..12, 50.. or 1,3,5..9
    #[arg(long, value_name = "GAMES")]
    game: Option<Numbers>,

    /// All games
    #[arg(long, conflicts_with = "game")]
    all: bool,

    /// Give a tag a value
    #[arg(long, value_name = "TAG=VALUE", value_parser = set)]
    set: Vec<TagEdit>,

    /// Remove a tag
    #[arg(long, value_name = "TAG", value_parser = tag_name)]
    remove: Vec<String>,

    /// Only print the plan
    #[arg(long)]
    dry_run: bool,

    /// The new file that gets the plan of what is done, as JSON if it is called so
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,

    /// Take back the last change, or that of a plan
    #[arg(long, value_name = "PLAN", num_args = 0..=1, conflicts_with_all = ["game", "all", "set", "remove", "dry_run", "plan", "FilterArgs"])]
    undo: Option<Option<PathBuf>>,

    #[command(flatten)]
    filter: FilterArgs,
}

/// Changes tags, or takes that back.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    if let Some(plan) = &args.undo {
        undo(&args, plan.as_ref())?;
        return Ok(Outcome::Fine);
    }
    let mut edits = args.set.clone();
    edits.extend(
        args.remove
            .iter()
            .cloned()
            .map(|tag| TagEdit::Remove { tag }),
    );
    check_once(&edits)?;
    if edits.is_empty() {
        bail!("nothing to change: say --set TAG=VALUE or --remove TAG");
    }
    if let Some(path) = args.plan.as_ref().filter(|path| path.exists()) {
        let name = path.display();
        bail!(
            "{name} exists, and may be what undoes another change: say another name for the plan"
        );
    }
    let filter = args.filter.filter();
    if args.game.is_none() && !args.all && filter.is_empty() {
        bail!("which games? Say --game, a filter such as --player, or --all");
    }
    interrupt::leaves("nothing was changed");
    let database = games::open(&args.path, games::how(None))?;
    let numbers = args.game.clone().unwrap_or_default();
    check_numbers(&numbers, &args, database.count())?;
    let database = games::with_bar(database.filter(filter));
    let plan = Plan::of_edits(&database, &numbers, &edits)?;
    drop(database);
    if args.dry_run {
        let mut output = Output::stdout();
        plan.write(&mut output, PlanFormat::Tsv)?;
        output.finish()?;
    }
    if !args.dry_run {
        apply(&plan, &args)?;
    }
    // What was refused, or has changed nothing, cannot be undone.
    if let Some(path) = args.plan.as_ref().filter(|_| !plan.steps.is_empty()) {
        plans::write(&plan, path)?;
    }
    Ok(Outcome::Fine)
}

/// A tag that is set has one value, and is there: anything else that is said of it is a mistake. Removed
/// it may be as often as a game has it.
fn check_once(edits: &[TagEdit]) -> anyhow::Result<()> {
    let tag = |edit: &TagEdit| match edit {
        TagEdit::Set { tag, .. } | TagEdit::Remove { tag } => tag.clone(),
    };
    let is_set = |edit: &&TagEdit| matches!(edit, TagEdit::Set { .. });
    for set in edits.iter().filter(is_set).map(tag) {
        if edits.iter().map(tag).filter(|other| *other == set).count() > 1 {
            bail!("{set} is to be changed twice: say --set or --remove once for each tag");
        }
    }
    Ok(())
}

/// A number that is none of the database is a mistake of whoever typed it.
fn check_numbers(numbers: &Numbers, args: &Args, count: Option<u64>) -> anyhow::Result<()> {
    match (numbers.last(), count) {
        (Some(last), Some(count)) if last > count => {
            let name = args.path.display();
            bail!("no game {last}: the last one of {name} is {count}");
        }
        _ => Ok(()),
    }
}

fn apply(plan: &Plan, args: &Args) -> anyhow::Result<()> {
    let mut output = Output::stdout();
    if plan.steps.is_empty() {
        writeln!(
            output,
            "nothing to change: no game is meant, or all are so already"
        )?;
        return output.finish();
    }
    interrupt::leaves(
        "the database is wholly in its old state or in its new one; --undo takes back the new one",
    );
    let applied = plan.apply()?;
    let (name, games) = (args.path.display(), grouped(applied.edited));
    let games = match applied.edited {
        1 => "1 game has".to_owned(),
        _ => format!("{games} games have"),
    };
    writeln!(
        output,
        "{games} other tags; `tabiya edit {name} --undo` takes it back"
    )?;
    output.finish()
}

fn undo(args: &Args, plan: Option<&PathBuf>) -> anyhow::Result<()> {
    let name = args.path.display();
    if let Some(path) = plan {
        let steps = Plan::read(path)?.steps;
        let is_other = |step: &&Step| !is_same_database(registry(), &step.database, &args.path);
        if let Some(step) = steps.iter().find(is_other) {
            let (plan, other) = (path.display(), step.database.display());
            bail!("{plan} is about {other}, not {name}");
        }
        return plans::undo(path);
    }
    let last = Plan::last_of(&args.path);
    let last = last?.with_context(|| format!("{name} has no change that could be undone"))?;
    let undone = last.undo().map_err(|error| match error.kind() {
        ErrorKind::Changed => anyhow::Error::from(error).context("it was changed otherwise since"),
        _ => error.into(),
    })?;
    message::note(format_args!("undone: {}", plans::told(undone)));
    Ok(())
}

/// A tag and its value, `White=Tal, Mikhail`.
fn set(text: &str) -> Result<TagEdit, String> {
    let Some((tag, to)) = text.split_once('=') else {
        return Err("expected TAG=VALUE, as in White=\"Tal, Mikhail\"".to_owned());
    };
    Ok(TagEdit::Set {
        tag: tag_name(tag)?,
        to: to.to_owned(),
    })
}

/// The name of a tag as PGN can have it.
fn tag_name(text: &str) -> Result<String, String> {
    let is_fit = |c: char| c.is_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-');
    match !text.is_empty() && text.chars().all(is_fit) {
        true => Ok(text.to_owned()),
        false => Err("the name of a tag is a word, as in White".to_owned()),
    }
}
