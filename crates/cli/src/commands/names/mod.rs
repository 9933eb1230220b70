//! `tabiya names`: one name for one player, one event, one site.

mod list;

use std::path::PathBuf;

use tabiya::{
    EarlierOutput, check_different,
    names::{Kind, Level, Names, Proposals},
};

use crate::{
    exit::Outcome,
    folder,
    games::{self, ReadArgs},
    interrupt,
    output::Output,
    plans,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya names games.tabiya
  tabiya names games.tabiya --players -o plan.tsv
  tabiya names --apply plan.tsv
  tabiya names --undo plan.tsv
  tabiya names games.pgn.zst --players --since 2000 --all
  tabiya names games.tabiya --fide players_list_foa.zip -o plan.json
  tabiya names games.tabiya --spelling spelling.ssp -o plan.tsv

Nothing is changed before a plan is applied, and what was applied can be undone. A plan has a line
for each spelling, tag and database: read it, and delete the lines that you do not want. What is sure
or likely is proposed, with --all also what is only perhaps so; the reason of each line says which it
is, and why. Spellings of people who have played each other, who have different FIDE ids, or who were
in the same round are never proposed, whatever they look like. docs/names.md explains how it is found
out.

Plans are applied to databases of tabiya's own: `tabiya import` makes one of any files.

Exit codes: 0 there is nothing to propose or the plan is applied, 1 something is proposed, 2 wrong use
or failed input or output, 130 interrupted by Ctrl-C.";

/// Find spellings that are one player, event or site, and make them one
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("Proposing").multiple(true).args(["inputs", "players", "events", "sites", "all", "apart", "spelling", "fide", "output"]))]
pub struct Args {
    /// Databases and files to read, packed or not, or folders of PGN; - is standard input
    #[arg(value_name = "IN", required_unless_present_any = ["apply", "undo"])]
    inputs: Vec<PathBuf>,

    /// Look at players; without --players, --events and --sites, at all three
    #[arg(long)]
    players: bool,

    /// Look at events
    #[arg(long)]
    events: bool,

    /// Look at sites
    #[arg(long)]
    sites: bool,

    /// Propose what is only perhaps one, too
    #[arg(long)]
    all: bool,

    /// List names that look alike and are not one, and names that several people have
    #[arg(long)]
    apart: bool,

    /// Right and wrong names, as Scid's spelling files have them
    #[arg(long, value_name = "FILE.ssp")]
    spelling: Option<PathBuf>,

    /// The list of players that FIDE publishes, as text or XML, packed or not
    #[arg(long, value_name = "FILE")]
    fide: Option<PathBuf>,

    /// The plan to write, JSON if its name ends in .json; - is standard output
    ///
    /// Deleted games are not changed, so there is no plan for them.
    #[arg(short, long, value_name = "PLAN", conflicts_with = "deleted")]
    output: Option<PathBuf>,

    /// Change the databases as a plan says
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["undo", "Proposing", "from", "encoding", "jose_date_fix", "deleted", "password", "jobs", "FilterArgs"])]
    apply: Option<PathBuf>,

    /// Take back what a plan has changed
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["Proposing", "from", "encoding", "jose_date_fix", "deleted", "password", "jobs", "FilterArgs"])]
    undo: Option<PathBuf>,

    #[command(flatten)]
    read: ReadArgs,
}

/// Proposes, applies or undoes.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.apply {
        plans::apply(path, "names")?;
        return Ok(Outcome::Fine);
    }
    if let Some(path) = &args.undo {
        plans::undo(path)?;
        return Ok(Outcome::Fine);
    }
    plans::check_spares(args.output.as_deref(), "names")?;
    interrupt::leaves("nothing was changed");
    let proposals = propose(args)?;
    match &args.output {
        None => list::write(Output::stdout(), &proposals, &args.kinds(), args.apart)?,
        Some(path) => {
            plans::write(&proposals.plan()?, path)?;
            if path != "-" {
                list::write_summary(Output::stdout(), &proposals, &args.kinds())?;
            }
        }
    }
    Ok(match proposals.groups.is_empty() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}

impl Args {
    fn kinds(&self) -> Vec<Kind> {
        let wanted = [self.players, self.events, self.sites];
        let wanted = Kind::ALL.into_iter().zip(wanted);
        let kinds: Vec<Kind> = wanted.filter(|(_, is)| *is).map(|(kind, _)| kind).collect();
        match kinds.is_empty() {
            true => Kind::ALL.to_vec(),
            false => kinds,
        }
    }
}

fn propose(args: &Args) -> anyhow::Result<Proposals> {
    let least = if args.all {
        Level::Perhaps
    } else {
        Level::Likely
    };
    let mut names = Names::new().kinds(&args.kinds()).least(least);
    if let Some(path) = &args.spelling {
        names = names.spelling(path);
    }
    if let Some(path) = &args.fide {
        names = names.fide(path);
    }
    let inputs = folder::expand(&args.inputs, EarlierOutput::Nothing)?;
    check_different(&inputs)?;
    let databases = inputs.iter().map(|path| {
        let database = games::open(path, args.read.how())?;
        anyhow::Ok(games::with_bar(database))
    });
    let databases = databases.collect::<anyhow::Result<Vec<_>>>()?;
    Ok(names.propose(&databases, &args.read.filter())?)
}
