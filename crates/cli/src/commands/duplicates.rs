//! `tabiya duplicates`: games that are in a collection more than once.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::PathBuf,
};

use anyhow::{Context, bail};
use tabiya::{
    Database, EarlierOutput, FormatSpec, check_different,
    duplicates::{Found, How, Preference, find, plan},
    plan::{Action, Plan, Step},
};

use crate::{
    exit::Outcome,
    filter_args::FilterArgs,
    folder, format_arg, games, interrupt, message,
    output::Output,
    plans,
    style::Palette,
    text::{clean, counted, grouped},
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya duplicates games.tabiya
  tabiya duplicates games.tabiya -o plan.tsv
  tabiya duplicates --apply plan.tsv
  tabiya duplicates --undo plan.tsv
  tabiya duplicates mine.tabiya mega.cbh --prefer mine.tabiya -o plan.json
  tabiya duplicates games.tabiya --exact --since 2020
  tabiya duplicates games.tabiya --prefer annotated,header -o plan.tsv

Nothing is changed before --apply. A plan has a line for each copy, says why it is one, which copy is
kept and what it gets from the others; edit it as you like. --apply marks copies as deleted in one
step for each database, or does nothing if a game is not as the plan says; --undo takes that back.
Without --prefer, the longest copy is kept, then the one with most annotations, then the one of which
most is known, then the first. docs/duplicates.md tells how games are compared.

Exit codes: 0 if there are none, 1 if there are some, 2 if a database cannot be read or changed.";

/// Find games that are there more than once, and decide which copies go
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Databases or files, packed or not, or folders of PGN
    #[arg(value_name = "IN", required_unless_present_any = ["apply", "undo"])]
    inputs: Vec<PathBuf>,

    /// Only games with the same moves and the same seven tags that every game has
    #[arg(long)]
    exact: bool,

    /// Which copy is kept: longest, annotated, header, newest, or that of a file; or several
    #[arg(long, value_name = "WHICH", value_delimiter = ',')]
    prefer: Vec<PathBuf>,

    /// The file that gets the plan, as JSON if it is called so; - is standard output
    #[arg(short, long, value_name = "PLAN")]
    output: Option<PathBuf>,

    /// Do what a plan says
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["inputs", "undo", "output", "exact", "prefer", "from", "jobs", "FilterArgs"])]
    apply: Option<PathBuf>,

    /// Take back what a plan has done
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["inputs", "output", "exact", "prefer", "from", "jobs", "FilterArgs"])]
    undo: Option<PathBuf>,

    /// The format of the inputs, if their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_arg::readable(), hide_possible_values = true)]
    from: Option<FormatSpec>,

    /// How many threads work; the output is the same for any number
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    filter: FilterArgs,
}

/// Finds copies, or does with a plan what was asked for.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.apply {
        plans::apply(path, "duplicates")?;
        return Ok(Outcome::Fine);
    }
    if let Some(path) = &args.undo {
        plans::undo(path)?;
        return Ok(Outcome::Fine);
    }
    plans::check_spares(args.output.as_deref(), "duplicates")?;
    interrupt::leaves("nothing was changed");
    let databases = open(&args)?;
    let prefer = preferences(&args, &databases)?;
    let how = match args.exact {
        true => How::Exact,
        false => How::Near,
    };
    let found = find(&databases, &args.filter.filter(), how)?;
    let plan = plan(&databases, &found, &prefer)?;
    // The bars go before anything is printed.
    drop(databases);
    match &args.output {
        Some(path) => {
            plans::write(&plan, path)?;
            message::note(summary(&found));
        }
        None => print(&plan, &found)?,
    }
    Ok(match found.groups.is_empty() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}

fn open(args: &Args) -> anyhow::Result<Vec<Database>> {
    let inputs = folder::expand(&args.inputs, EarlierOutput::Nothing)?;
    if let Some(path) = inputs.iter().find(|path| tabiya::is_read_once(path)) {
        let name = path.display();
        bail!(
            "{name} can be read only once, and its copies are looked at again: save it to a file"
        );
    }
    check_different(&inputs)?;
    let open = |path: &PathBuf| {
        let mut how = games::how(args.from);
        if let Some(jobs) = args.jobs {
            how = how.jobs(jobs);
        }
        games::open(path, how).map(games::with_bar)
    };
    inputs.iter().map(open).collect()
}

/// What is preferred: a word, or the name of an input.
fn preferences(args: &Args, databases: &[Database]) -> anyhow::Result<Vec<Preference>> {
    let preference = |which: &PathBuf| {
        let known = Preference::named(which, databases.iter().map(Database::path));
        known.with_context(|| {
            format!(
                "--prefer {}: expected longest, annotated, header, newest or one of the inputs",
                which.display()
            )
        })
    };
    args.prefer.iter().map(preference).collect()
}

/// `12 games: 2 are there more than once, 3 copies could go`.
fn summary(found: &Found) -> String {
    let (games, copies) = (counted(found.games, "game"), found.copies());
    let copies = match copies {
        1 => "1 copy".to_owned(),
        _ => format!("{} copies", grouped(copies)),
    };
    match found.groups.len() {
        0 => format!("{games}, none of them twice"),
        1 => format!("{games}: 1 is there more than once, {copies} could go"),
        groups => {
            let groups = grouped(groups as u64);
            format!("{games}: {groups} are there more than once, {copies} could go")
        }
    }
}

/// Prints what was found, for people.
fn print(plan: &Plan, found: &Found) -> anyhow::Result<()> {
    let mut output = Output::stdout();
    let mut group = 0;
    for step in &plan.steps {
        if step.group != group && group > 0 {
            writeln!(output)?;
        }
        group = step.group;
        line(&mut output, step)?;
    }
    if group > 0 {
        writeln!(output)?;
    }
    writeln!(output, "{}", summary(found))?;
    output.finish()
}

fn line(output: &mut Output, step: &Step) -> io::Result<()> {
    let Palette { label, strong, .. } = Palette::of(output);
    let place = format!("{} {}", step.database.display(), step.games);
    let (action, what) = match &step.action {
        Action::Keep { from } => ("keep", from.clone().unwrap_or_default()),
        Action::Delete { from } => ("delete", from.clone().unwrap_or_default()),
        Action::Set { tag, to, .. } => ("set", format!("{tag} {to:?}")),
        Action::Remove { tag, .. } => ("remove", tag.clone()),
    };
    writeln!(
        output,
        "{strong}{action:<6}{strong:#} {}  {}",
        clean(&place),
        clean(&what)
    )?;
    writeln!(output, "       {label}{}{label:#}", clean(&step.reason))
}
