//! `tabiya moves`: the legal moves of a position.

use std::io::Write;

use crate::{args::PositionArgs, exit::Outcome, output::Output};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya moves
  tabiya moves --uci \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"
  tabiya moves --variant chess960 --uci bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1
  echo 8/8/8/8/8/8/8/k1K4R | tabiya moves -";

/// List the legal moves of a position, one a line
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Write moves as games do: Nf3, exd5, O-O (the default)
    #[arg(long, conflicts_with = "uci")]
    san: bool,

    /// Write moves as engines do: g1f3, e4d5, e1g1
    #[arg(long)]
    uci: bool,
}

/// Prints the moves in alphabetical order.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let position = args.position.position()?;
    let moves = position.legal_moves();
    let mut lines: Vec<String> = if args.uci {
        moves
            .iter()
            .map(|&play| position.uci(play).to_string())
            .collect()
    } else {
        moves
            .iter()
            .map(|&play| position.san(play).to_string())
            .collect()
    };
    lines.sort_unstable();
    let mut output = Output::stdout();
    for line in lines {
        writeln!(output, "{line}")?;
    }
    output.finish()?;
    Ok(Outcome::Fine)
}
