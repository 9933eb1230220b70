//! `tabiya tree`: what is played in a position.

mod book;
mod json;
mod novelties;
mod row;
mod table;

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use tabiya::{
    EarlierOutput, ErrorKind,
    openings::{Opening, Openings},
    tree::{Explorer, Node},
};
use tabiya_chess::{Color, Position};

use crate::{
    exit::Outcome,
    folder,
    games::{self, ReadArgs},
    line_args::LineArgs,
    list_format::ListFormat,
    message, openings,
    output::Output,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya tree games.tabiya
  tabiya tree twic.pgn.zst --moves \"1. e4 c5 2. Nf3\" --elo 2500..
  tabiya tree my.cbh old.si4 --fen \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"
  tabiya tree games.tabiya --player carlsen --depth 3 --min-games 10
  tabiya tree games.tabiya --moves \"1. d4\" --format json | jq '.moves[0]'
  tabiya tree games.tabiya --novelties --since 2024 --min-games 50
  tabiya tree games.tabiya --polyglot book.bin --min-games 5 --only-white

\"played\" counts games in which the move was played in this position, \"reached\" games that have the
position after it, whatever their order of moves. A game counts once for each. The bar and the score
are White's; the performance is that of the side that moves. docs/tree.md defines every column.
Names of openings are those of the table that TABIYA_OPENINGS names, or tabiya's own.

Exit codes: 1 if parts of a database are missing, 2 if an input cannot be read to its end.";

/// Tell what is played in a position, and how it went
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, or folders of PGN; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    line: LineArgs,

    /// So many plies deep; each position has the same counts as if it were asked for alone
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,

    /// Only moves of so many games; of novelties, only in positions of so many earlier games
    #[arg(long, value_name = "N")]
    min_games: Option<u64>,

    /// How it is printed; JSON is that of the Lichess opening explorer, with more fields
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormat::Table)]
    format: ListFormat,

    /// List games with their first moves that no earlier game of the databases has
    ///
    /// Filters say which games are listed; they are compared with all games.
    #[arg(long, conflicts_with_all = ["depth", "polyglot"])]
    novelties: bool,

    /// Write an opening book for engines, in Polyglot's format, and print nothing else
    #[arg(long, value_name = "OUT", conflicts_with_all = ["depth", "format"])]
    polyglot: Option<PathBuf>,

    /// Only White's moves go into the book
    #[arg(long, requires = "polyglot", conflicts_with = "only_black")]
    only_white: bool,

    /// Only Black's moves go into the book
    #[arg(long, requires = "polyglot")]
    only_black: bool,

    /// Moves and novelties behind so many plies of a game do not count; 60 without it
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,

    #[command(flatten)]
    read: ReadArgs,
}

/// Tells what is played, in a way that was asked for.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let place = Place::of(args)?;
    let inputs = folder::expand(&args.inputs, EarlierOutput::Nothing)?;
    if let Some(path) = &args.polyglot {
        return book::write(args, &place, &inputs, path);
    }
    let names = openings::table(None)?;
    if args.novelties {
        return novelties::list(args, &place, &inputs, &names);
    }
    if args.max_ply.is_some() {
        bail!("--max-ply belongs to --novelties and --polyglot");
    }
    let mut explorer = Explorer::new(&place.position)
        .depth(args.depth)
        .min_games(args.min_games.unwrap_or(1));
    let mut failed = 0;
    for path in &inputs {
        let read = games::open(path, args.read.how()).and_then(|database| {
            let database = games::with_bar(database).filter(args.read.filter());
            Ok(explorer.add(&database)?)
        });
        if let Err(error) = read {
            message::error(&error);
            failed += 1;
        }
    }
    if failed == inputs.len() {
        // Nobody has said anything about the position.
        return Ok(Outcome::Failed);
    }
    let node = explorer.finish().map_err(|error| match error.kind() {
        ErrorKind::Limit => {
            anyhow!("{error}: --min-games N leaves rare moves out, or a smaller --depth")
        }
        _ => error.into(),
    })?;
    print(args.format, &node, &place, &names)?;
    Ok(match failed > 0 {
        true => Outcome::Failed,
        false => Outcome::Fine,
    })
}

fn print(format: ListFormat, node: &Node, place: &Place, names: &Openings) -> anyhow::Result<()> {
    let mut output = Output::stdout();
    match format {
        ListFormat::Table => table::write(&mut output, node, place, names)?,
        ListFormat::Csv => table::write_csv(&mut output, node, names)?,
        ListFormat::Json => json::write(&mut output, node, place, names)?,
    }
    output.finish()
}

/// The position that is asked for, and how it is come to.
struct Place {
    position: Position,
    /// Positions on the way, the last of which is the position itself.
    line: Vec<Position>,
    /// Something was asked for, and not only the start of a game.
    is_given: bool,
}

impl Place {
    fn of(args: &Args) -> anyhow::Result<Place> {
        let given = args.line.line()?;
        let is_given = given.is_some();
        let line = given.unwrap_or_else(|| vec![Position::initial()]);
        Ok(Place {
            position: *line.last().expect("a line has a start"),
            line,
            is_given,
        })
    }

    /// What was asked for, if anything was.
    fn given(&self) -> Option<Position> {
        self.is_given.then_some(self.position)
    }

    /// Its opening: the last position on the way that has a name. The start of a game is no
    /// opening yet, even where a table has a code for it.
    fn opening<'o>(&self, names: &'o Openings) -> Option<&'o Opening> {
        let mut line = self.line.iter().rev();
        line.find_map(|position| {
            let opening = names.of(position)?;
            (*position != Position::initial()).then_some(opening)
        })
    }
}

/// `12. ` or `12... `
fn number(position: &Position) -> String {
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots} ", position.fullmove_number())
}
