//! `tabiya search`: the games that answer a question.

mod conditions;
mod print;
mod repertoire;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::bail;
use clap::ValueEnum;
use tabiya::{
    Database, EarlierOutput, Error, Numbers, is_read_once, registry,
    search::{Hit, Question, Ranking, Sort},
};

use self::{conditions::Conditions, print::Printer, repertoire::RepertoireArgs};
use super::convert;
use crate::{
    exit::Outcome,
    folder,
    games::{self, ReadArgs},
    message, openings, output,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya search twic.pgn.zst --player carlsen --moves \"1. e4 c5 2. Nf3\"
  tabiya search games.tabiya my.cbh old.si4 --material KRPKR --plies-held 20 --sort elo
  tabiya search games.pgn --fen \"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq -\"
  tabiya search games.pgn --pattern \"Bh7 kg8\" --flip --sacrifice 10 --result 1-0
  tabiya search games.pgn --manoeuvre Nf3-d2-f1-g3 --pawns iqp:black --format json
  tabiya search games.pgn --similar 8/5pk1/6p1/8/3R4/6P1/r4PK1/8 --limit 10
  tabiya search games.pgn --where \"check and pattern(Qh7) or never(castled(white))\" -o found.pgn
  tabiya search games.tabiya --repertoire my-white.pgn --since 2023
  tabiya search games.tabiya --repertoire my-white.pgn -o relevant.pgn
  tabiya search my-games.pgn --player me --repertoire black.pgn --colour black --left-by me
  tabiya search games.pgn --query '{\"sequence\": [{\"captured\": \"Q\"}, {\"material\": \"KRKP\"}]}'

Conditions given together must all be met, each somewhere in the game; --where joins them with and, or
and not, and asks about one position. docs/search.md defines each of them. Numbers are those of the
games in their files: `tabiya show --game` takes them. The ply is the number of plies after which the
question is answered.

A table shows 20 games, and its last line says of how many; --limit and --all show others. CSV, JSON
and games have all. Games that are written stay in the order of their files.

Exit codes: 0 games were found, 1 none was, or parts of a database are missing, or a game could not
be written whole, 2 wrong use, an input that cannot be read to its end, or failed output.";

/// Find games by their headers, positions and moves, in files of any format
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to search, packed or not, or folders of PGN; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// Sort by this: the highest mean rating first, the latest first, or as they stand in their files
    #[arg(long, value_name = "KEY", value_enum)]
    sort: Option<Key>,

    /// The other way round
    #[arg(long)]
    reverse: bool,

    /// So many games at most
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// All games
    #[arg(long, conflicts_with = "limit")]
    all: bool,

    /// How games are printed
    ///
    /// Without it, a table, or with --output whatever the name of the file says.
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,

    /// Write the games that are found, in the format that the name says: found.pgn, found.cbh, …
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    #[command(flatten)]
    conditions: Conditions,

    #[command(flatten)]
    repertoire: RepertoireArgs,

    #[command(flatten)]
    read: ReadArgs,
}

/// By what games are sorted.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Key {
    /// The mean of the known ratings, the highest first
    Elo,
    /// The date, the latest first
    Date,
    /// The order of the inputs, and the numbers in them
    Id,
}

/// How games are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns for people
    Table,
    /// One object: {"total": N, "games": […]}
    Json,
    /// Comma-separated values with a line of names
    Csv,
    /// The games themselves
    Pgn,
}

/// How many games are shown, if nobody says.
const SHOWN: usize = 20;

/// Searches all inputs.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let earlier = match (&args.output, args.writes_games()) {
        (Some(output), true) => EarlierOutput::File(output),
        _ => EarlierOutput::Nothing,
    };
    let inputs = folder::expand(&args.inputs, earlier)?;
    if args.writes_games() {
        output::check_spares(args.output.as_deref(), &inputs)?;
    }
    if let Some(path) = args.repertoire.path.clone() {
        return repertoire::run(args, &path, &inputs);
    }
    let question = args.conditions.question(args.read.filter())?;
    match args.writes_games() {
        true => write_games(args, &inputs, &question),
        false => print(&args, &inputs, question),
    }
}

/// Prints what is found, as a table or for programs.
fn print(args: &Args, inputs: &[PathBuf], mut question: Question) -> anyhow::Result<Outcome> {
    let mut printer = Printer::new(args, inputs, &question)?;
    if printer.names_openings() {
        question.openings = Some(Arc::new(openings::table(None)?.into_owned()));
    }
    let asked = ask(args, inputs, &question, |input, hit| {
        printer.take(input, hit)
    })?;
    printer.count(asked.others);
    let total = printer.finish(asked.failed)?;
    Ok(outcome(total, asked.failed))
}

/// Writes the games that are found, as a conversion does.
fn write_games(args: Args, inputs: &[PathBuf], question: &Question) -> anyhow::Result<Outcome> {
    check_read_again(inputs)?;
    let (numbers, asked) = numbers(&args, inputs, question)?;
    write_numbers(args, inputs, numbers, asked.failed, asked.databases)
}

/// What is found is read once more, to be written.
fn check_read_again(inputs: &[PathBuf]) -> anyhow::Result<()> {
    match inputs.iter().find(|path| is_read_once(path)) {
        Some(path) => {
            let name = path.display();
            bail!("{name} can be read only once: search it in a file to write what is found")
        }
        None => Ok(()),
    }
}

/// Writes the games of these numbers of each input, as they were when the databases were opened.
fn write_numbers(
    args: Args,
    inputs: &[PathBuf],
    numbers: Vec<Numbers>,
    failed: bool,
    opened: Vec<Database>,
) -> anyhow::Result<Outcome> {
    let found = inputs.iter().zip(numbers);
    let numbers_of: Vec<(PathBuf, Numbers)> = found
        .filter(|(_, numbers)| numbers.last() != Some(0))
        .map(|(path, numbers)| (path.clone(), numbers))
        .collect();
    if numbers_of.is_empty() {
        message::warning("no game was found, and nothing is written");
        return Ok(outcome(0, failed));
    }
    let to = match args.format {
        Some(_) => Some(registry().spec("pgn")?),
        None => None,
    };
    let written = convert::run(convert::Args {
        inputs: numbers_of.iter().map(|(path, _)| path.clone()).collect(),
        numbers_of,
        opened,
        output: args.output,
        to,
        read: args.read,
        ..convert::Args::default()
    })?;
    Ok(match failed {
        true => Outcome::Failed,
        false => written,
    })
}

/// The numbers of the games that are wanted, for each input, and how it was asked.
fn numbers(
    args: &Args,
    inputs: &[PathBuf],
    question: &Question,
) -> anyhow::Result<(Vec<Numbers>, Asked)> {
    let mut numbers = vec![Vec::new(); inputs.len()];
    let mut ranking = args.ranking();
    let has_all = args.limit().is_none() && args.skip() == 0;
    let asked = ask(args, inputs, question, |input, hit| {
        match has_all {
            // There may be many, and nothing else of them is needed.
            true => numbers[input].push(hit.number),
            false => ranking.take(input, hit),
        }
        Ok(())
    })?;
    for (input, hit) in ranking.finish() {
        numbers[input].push(hit.number);
    }
    let in_order = |mut numbers: Vec<u64>| {
        numbers.sort_unstable();
        numbers.into_iter().collect()
    };
    Ok((numbers.into_iter().map(in_order).collect(), asked))
}

/// Asks one input after the other. One that cannot be read is told, and does not keep the others
/// from being searched; whether there was such a one.
fn ask(
    args: &Args,
    inputs: &[PathBuf],
    question: &Question,
    mut each: impl FnMut(usize, Hit) -> anyhow::Result<()>,
) -> anyhow::Result<Asked> {
    let mut asked = Asked::default();
    let mut left = args.first();
    for (input, path) in inputs.iter().enumerate() {
        let mut handed = 0;
        let total = ask_one(args, path, question, left, |hit| {
            handed += 1;
            each(input, hit)
        });
        left -= handed;
        match total {
            Ok((total, database)) => {
                asked.others += total - handed as u64;
                asked.databases.push(database);
            }
            Err(error) if error.downcast_ref::<Error>().is_none() => return Err(error),
            Err(error) => {
                message::error(&error);
                asked.failed = true;
            }
        }
    }
    Ok(asked)
}

/// How all inputs were asked.
#[derive(Default)]
struct Asked {
    /// One could not be read.
    failed: bool,
    /// So many games answer that nobody wants to see.
    others: u64,
    /// Those that could be read.
    databases: Vec<Database>,
}

fn ask_one(
    args: &Args,
    path: &Path,
    question: &Question,
    first: usize,
    each: impl FnMut(Hit) -> anyhow::Result<()>,
) -> anyhow::Result<(u64, Database)> {
    let database = games::open(path, args.read.how())?;
    let database = games::with_bar_beside_lines(database);
    let total = match args.nearest() {
        Some(nearest) => question.ask_nearest(&database, nearest, each),
        None => question.ask_first(&database, first, each),
    }?;
    Ok((total, games::without_bar(database)))
}

fn outcome(total: u64, failed: bool) -> Outcome {
    match (failed, total) {
        (true, _) => Outcome::Failed,
        (false, 0) => Outcome::Findings,
        (false, _) => Outcome::Fine,
    }
}

impl Args {
    /// Whether the games themselves are wanted.
    fn writes_games(&self) -> bool {
        match self.format {
            Some(format) => format == Format::Pgn,
            None => self.output.is_some(),
        }
    }

    /// How many games are wanted, if not all.
    fn limit(&self) -> Option<usize> {
        let asked = self.limit.or_else(|| {
            let limit = self.conditions.scout.as_ref()?.limit?;
            Some(usize::try_from(limit).unwrap_or(usize::MAX))
        });
        let is_short = !self.writes_games() && matches!(self.format, None | Some(Format::Table));
        match asked {
            _ if self.all => None,
            Some(limit) => Some(limit),
            // Every game is near, more or less.
            None if is_short || self.conditions.by_distance() => Some(SHOWN),
            None => None,
        }
    }

    /// How many games that come first are not wanted: scoutfish's queries may say.
    fn skip(&self) -> usize {
        let skip = self.conditions.scout.as_ref().map_or(0, |scout| scout.skip);
        usize::try_from(skip).unwrap_or(usize::MAX)
    }

    /// How many games have to be looked at, in the order of the files.
    fn first(&self) -> usize {
        match self.limit() {
            Some(limit) if self.sort() == Sort::Id && !self.reverse => {
                limit.saturating_add(self.skip())
            }
            _ => usize::MAX,
        }
    }

    /// How many games of each input have to be looked at, if nothing but their distance counts.
    fn nearest(&self) -> Option<usize> {
        let limit = self.limit()?.saturating_add(self.skip());
        (self.sort() == Sort::Distance && !self.reverse).then_some(limit)
    }

    fn sort(&self) -> Sort {
        match self.sort {
            Some(Key::Elo) => Sort::Elo,
            Some(Key::Date) => Sort::Date,
            None if self.conditions.by_distance() => Sort::Distance,
            None | Some(Key::Id) => Sort::Id,
        }
    }

    /// Takes games and keeps those that are wanted, in their order.
    fn ranking(&self) -> Ranking {
        Ranking::new(self.sort())
            .reverse(self.reverse)
            .skip(self.skip())
            .limit(self.limit().unwrap_or(usize::MAX))
    }
}
