//! `tabiya merge`: games into one annotated tree.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use tabiya::{
    Create, EarlierOutput, ErrorKind, FormatProfile, FormatSpec, GameTree, Losses, check_different,
    merge::{MergeWishes, Merger},
};
use tabiya_formats::registry::place::Purpose;

use crate::{
    exit::Outcome,
    folder, format_arg,
    games::{self, ReadArgs},
    interrupt, message, output,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya merge my-analysis.pgn trainer.cbh -o repertoire.pgn
  tabiya merge games.tabiya --player carlsen --eco B90..B99 --max-ply 30 --statistics -o najdorf.pgn
  tabiya merge twic.pgn.zst --white \"Kasparov\" --max-ply 24 --sources -o tree.si5
  tabiya merge a.pgn b.pgn > both.pgn

Every move, comment, glyph, arrow and variation of every game is in the tree; what two games say of
the same move in the same words is there once. The main line is the move that most games have played,
and of those that are equal the one that came first. Transpositions stay lines of their own. Games
that start from other positions make trees of their own, one game each in the output.
docs/merge.md tells more.

Exit codes: 0 all is in the tree, 1 no game was found, or the format of the output cannot hold all, 2
wrong use, an input that cannot be read to its end, a tree that grows too large, or failed output; then
nothing is written.";

/// Merge games into one annotated tree
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, or folders of PGN; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// The file to write, in the format that its name says; without it, PGN to standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The format to write, one that holds variations: pgn, cbh, si5, …
    #[arg(long, value_name = "FORMAT[:PROFILE]", value_parser = format_arg::writable(), hide_possible_values = true)]
    to: Option<FormatSpec>,

    /// Say after each move how many games have played it, and what White scored
    ///
    /// As far as games share their moves: behind that, one goes on alone.
    #[arg(long)]
    statistics: bool,

    /// Say where a game ends, or is cut, who played it, when, and how it ended
    #[arg(long)]
    sources: bool,

    /// Leave out moves behind so many plies, and what is said about them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_ply: Option<u32>,

    /// Leave out clocks and times spent, which belong to one game
    #[arg(long)]
    no_clocks: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Merges all inputs.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let to = output::profile(args.output.as_deref(), args.to, Purpose::New)?;
    if !to.profile.holds().variations {
        bail!("{to} holds no variations: write the tree as pgn, cbh, si5 or a .tabiya");
    }
    let earlier = match &args.output {
        Some(output) => EarlierOutput::File(output),
        None => EarlierOutput::Nothing,
    };
    let inputs = folder::expand(&args.inputs, earlier)?;
    output::check_spares(args.output.as_deref(), &inputs)?;
    check_different(&inputs)?;
    interrupt::leaves("nothing was written");
    let mut merger = Merger::new(args.wishes());
    for path in &inputs {
        let database = games::open(path, args.read.how())?;
        let database = games::with_bar(database).filter(args.read.filter());
        merger.add(&database).map_err(|error| match error.kind() {
            ErrorKind::Limit => anyhow!("{error}; --max-ply N and filters make it smaller"),
            _ => error.into(),
        })?;
    }
    let games = merger.games();
    if games == 0 {
        message::warning("no game was found, and nothing is written");
        return Ok(Outcome::Findings);
    }
    let trees = merger.finish();
    tell(games, &trees);
    if args.output.as_deref().is_none_or(|path| path == "-") {
        interrupt::leaves("standard output is not complete");
    }
    let losses = write(args, to, &trees)?;
    for (kind, count, first) in losses.iter() {
        message::warning(format_args!(
            "{count} {kind} lost, the first in tree {}: {}",
            first.game, first.what
        ));
    }
    Ok(match losses.is_empty() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}

impl Args {
    fn wishes(&self) -> MergeWishes {
        MergeWishes {
            statistics: self.statistics,
            sources: self.sources,
            clocks: !self.no_clocks,
            max_ply: self.max_ply,
        }
    }
}

/// Says what has become of the games.
fn tell(games: u64, trees: &[GameTree]) {
    let s = |count: u64| if count == 1 { "" } else { "s" };
    let count = trees.len() as u64;
    let why = match count {
        1 => "",
        _ => ", one for each start position",
    };
    message::note(format_args!(
        "{games} game{} in {count} tree{}{why}",
        s(games),
        s(count)
    ));
}

/// Writes the trees, and returns what the format cannot hold.
fn write(args: &Args, to: FormatProfile, trees: &[GameTree]) -> anyhow::Result<Losses> {
    let path = args.output.as_deref().unwrap_or(Path::new("-"));
    let create = match args.to {
        Some(format) => Create::new().format(format),
        None => Create::new(),
    };
    let written = || -> tabiya::Result<Losses> {
        let mut output = create.create(path)?;
        let mut losses = Losses::default();
        for tree in trees {
            losses.append(output.add(tree)?);
        }
        output.finish()?.iter().for_each(message::warning);
        Ok(losses)
    };
    written().map_err(
        |error| match (error.kind(), to.profile.extensions().first()) {
            (ErrorKind::NeedsFile, Some(extension)) => {
                anyhow!("{error}, as in -o tree.{extension}")
            }
            _ => output::unwritten(error, args.output.as_deref()),
        },
    )
}
