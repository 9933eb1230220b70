//! `tabiya search --repertoire`: where games follow a repertoire, and where they leave it.

mod report;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{
    ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use tabiya::{
    Database, Error, Numbers,
    repertoire::{Ending, Followed, Repertoire},
};
use tabiya_chess::Color;

use self::report::Report;
use super::{Args, Format};
use crate::{exit::Outcome, games, message};

/// A repertoire, and what is asked of it.
#[derive(clap::Args)]
#[command(next_help_heading = "Repertoire")]
pub struct RepertoireArgs {
    /// Tell where games follow this repertoire and leave it: games with variations, of any format
    ///
    /// By positions, so that another order of moves is no departure. With -o, the games that follow
    /// it are written.
    #[arg(long = "repertoire", value_name = "FILE")]
    pub path: Option<PathBuf>,

    /// Whose repertoire it is; without it, the side that has one move where the other has several
    #[arg(
        long,
        alias = "color",
        value_name = "SIDE",
        value_enum,
        requires = "path"
    )]
    colour: Option<Side>,

    /// Only games that end so, instead of those that follow it: me, opponent, line, game
    #[arg(
        long,
        value_name = "WHO",
        value_parser = left_by(),
        value_delimiter = ',',
        requires = "path"
    )]
    left_by: Vec<Ending>,
}

/// A side.
#[derive(Clone, Copy, ValueEnum)]
enum Side {
    White,
    Black,
}

/// Who has left a repertoire.
fn left_by() -> impl TypedValueParser<Value = Ending> {
    let help = |ending| match ending {
        Ending::Me => "The side whose repertoire it is played something else",
        Ending::Opponent => "The opponent played what the repertoire has no answer to",
        Ending::Line => "Nobody: the game followed it to the end of a line",
        Ending::Game => "Nobody: the game ended",
    };
    let names = Ending::ALL.map(|ending| PossibleValue::new(ending.name()).help(help(ending)));
    let known = |name: String| Ending::named(&name).expect("the name of one of them");
    PossibleValuesParser::new(names).map(known)
}

/// Compares games with a repertoire.
pub fn run(args: Args, path: &Path, inputs: &[PathBuf]) -> anyhow::Result<Outcome> {
    let question = args.conditions.question(args.read.filter())?;
    if question.query.is_some() || question.near.is_some() || question.variations {
        bail!(
            "--repertoire goes together with filters, but not with conditions: write the games that \
             follow it with -o, and search these"
        );
    }
    if args.sort.is_some() || args.reverse {
        bail!("--sort and --reverse do not go together with --repertoire");
    }
    if args.format == Some(Format::Csv) {
        bail!("--repertoire is told as a table or as JSON: --format json has the games");
    }
    let database = games::open(path, games::how(None))?;
    let repertoire = Repertoire::read(&database)?;
    let side = side(&args.repertoire, &repertoire)?;
    if args.writes_games() {
        return write_games(args, &repertoire, side, inputs);
    }
    let mut report = Report::new(&args, &repertoire, side);
    let compared = follow(&args, &repertoire, side, inputs, |input, game| {
        let file = (inputs.len() > 1).then(|| inputs[input].as_path());
        report.take(file, &game, game.is_wanted(&args.repertoire.left_by));
        Ok(())
    })?;
    let wanted = report.wanted();
    report.print(&args, path, compared.games)?;
    Ok(super::outcome(wanted, compared.failed))
}

/// Whose repertoire it is, as people say or as it looks like.
fn side(args: &RepertoireArgs, repertoire: &Repertoire) -> anyhow::Result<Color> {
    match args.colour {
        Some(Side::White) => Ok(Color::White),
        Some(Side::Black) => Ok(Color::Black),
        None => repertoire
            .side()
            .context("whose repertoire is it? --colour white or --colour black says so"),
    }
}

/// How all inputs were compared.
#[derive(Default)]
struct Compared {
    /// One could not be read.
    failed: bool,
    /// So many games passed the filters.
    games: u64,
    /// Those that could be read.
    databases: Vec<Database>,
}

/// Compares one input after the other. One that cannot be read is told, and does not keep the others
/// from being read.
fn follow(
    args: &Args,
    repertoire: &Repertoire,
    side: Color,
    inputs: &[PathBuf],
    mut each: impl FnMut(usize, Followed) -> anyhow::Result<()>,
) -> anyhow::Result<Compared> {
    let mut compared = Compared::default();
    let filter = args.read.filter();
    for (input, path) in inputs.iter().enumerate() {
        let games = games::open(path, args.read.how()).and_then(|database| {
            let database = games::with_bar(database);
            let games = repertoire.follow(side, &database, &filter, |game| each(input, game))?;
            anyhow::Ok((games, database))
        });
        match games {
            Ok((games, database)) => {
                compared.games += games;
                compared.databases.push(database);
            }
            Err(error) if error.downcast_ref::<Error>().is_none() => return Err(error),
            Err(error) => {
                message::error(&error);
                compared.failed = true;
            }
        }
    }
    Ok(compared)
}

/// Writes the games that are asked for.
fn write_games(
    args: Args,
    repertoire: &Repertoire,
    side: Color,
    inputs: &[PathBuf],
) -> anyhow::Result<Outcome> {
    super::check_read_again(inputs)?;
    let mut numbers = vec![Vec::new(); inputs.len()];
    let mut left = args.limit().unwrap_or(usize::MAX);
    let compared = follow(&args, repertoire, side, inputs, |input, game| {
        if left > 0 && game.is_wanted(&args.repertoire.left_by) {
            left -= 1;
            numbers[input].push(game.number);
        }
        Ok(())
    })?;
    let numbers: Vec<Numbers> = numbers
        .into_iter()
        .map(|numbers| numbers.into_iter().collect())
        .collect();
    super::write_numbers(args, inputs, numbers, compared.failed, compared.databases)
}
