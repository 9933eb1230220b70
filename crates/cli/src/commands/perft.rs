//! `tabiya perft`: how many lines of play there are.

use std::io::Write;

use anyhow::bail;
use clap::ValueEnum;
use tabiya_chess::{
    Position, Variant,
    mailbox::{self, Mailbox},
};

use crate::{args::PositionArgs, exit::Outcome, output::Output};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya perft 5
  tabiya perft 3 --divide
  tabiya perft 4 --board mailbox r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -
  tabiya perft 4 --variant antichess";

/// Count the lines of play of a length; the total is the last line
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    // A byte: a greater depth could exhaust the stack before anything is counted.
    /// How many plies
    depth: u8,

    #[command(flatten)]
    position: PositionArgs,

    /// Which move generator counts
    #[arg(long, value_enum, value_name = "BOARD", default_value_t = Board::Bitboard)]
    board: Board,

    /// Print the count of every first move before the total
    #[arg(long)]
    divide: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Board {
    /// The fast one
    Bitboard,
    /// The reference: 120 cells and step tables
    Mailbox,
}

/// Prints the counts.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let (Board::Mailbox, Variant::Antichess) = (args.board, args.position.variant) {
        bail!("--board mailbox does not know antichess: use --board bitboard");
    }
    let position = args.position.position()?;
    let depth = args.depth.into();
    let mut output = Output::stdout();
    // At depth 0 there is no first move to divide by.
    let total = if args.divide && depth > 0 {
        let counts = divide(&position, args.board, depth)?;
        for (play, lines) in &counts {
            writeln!(output, "{play}: {lines}")?;
        }
        writeln!(output)?;
        counts.iter().map(|(_, lines)| lines).sum()
    } else {
        perft(&position, args.board, depth)?
    };
    writeln!(output, "{total}")?;
    output.finish()?;
    Ok(Outcome::Fine)
}

fn perft(position: &Position, board: Board, depth: u32) -> anyhow::Result<u64> {
    Ok(match board {
        Board::Bitboard => tabiya_chess::perft(position, depth),
        Board::Mailbox => mailbox::perft(&Mailbox::from_setup(&position.to_setup())?, depth),
    })
}

/// The counts by the first move, in alphabetical order.
fn divide(position: &Position, board: Board, depth: u32) -> anyhow::Result<Vec<(String, u64)>> {
    let counts = match board {
        Board::Bitboard => tabiya_chess::divide(position, depth),
        Board::Mailbox => mailbox::divide(&Mailbox::from_setup(&position.to_setup())?, depth),
    };
    let named = |(play, lines)| (position.uci(play).to_string(), lines);
    let mut counts: Vec<_> = counts.into_iter().map(named).collect();
    counts.sort_unstable();
    Ok(counts)
}
