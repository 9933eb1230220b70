//! `tabiya decode`: bytes of a format as a game.

use std::{io::Write, path::Path};

use tabiya_formats::{
    pgn::{WriteOptions, Writer},
    registry::FormatSpec,
    stream::Streams,
};
use tabiya_game::GameTree;

use super::encode;
use crate::{args::StartArgs, exit::Outcome, games::spec, hexdump, input, message, output::Output};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya decode --as jose:program 13132E22D3FF
  tabiya decode --as jose:program --explain 13E0D3FF+6100
  tabiya decode --as ply16:document 40 02 46 02
  tabiya decode --as cmbr24 --fen \"8/P7/8/8/8/8/k1K4p/8 w - - 0 1\" 5000E3

Exit codes: 1 if the bytes are damaged, 2 if they are not hexadecimal.";

/// Decode the bytes of a format into moves
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The format
    #[arg(long = "as", value_name = "FORMAT[:PROFILE]", value_parser = spec)]
    source: FormatSpec,

    /// The bytes in hexadecimal, a second stream behind a +; without them, standard input is read
    #[arg(value_name = "HEX")]
    bytes: Vec<String>,

    /// Show every byte with its meaning
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    start: StartArgs,
}

/// A game has less.
const TEXT_LIMIT: u64 = 256 << 20;

/// Prints the moves.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let codec = encode::codec(args.source)?;
    let text = match args.bytes.as_slice() {
        [] => String::from_utf8_lossy(&input::read(Path::new("-"), TEXT_LIMIT)?).into_owned(),
        words => words.join(" "),
    };
    let streams: Streams = text.parse()?;
    let start = args.start.position()?;
    let mut tree = GameTree::default();
    let decoded = codec.decode(&streams, &start, &mut tree);
    let mut output = Output::stdout();
    match args.explain {
        true => hexdump::write(&mut output, &codec.explain(&streams, &start))?,
        false => writeln!(output, "{}", movetext(&tree))?,
    }
    output.finish()?;
    Ok(match decoded {
        Ok(()) => Outcome::Fine,
        Err(error) => {
            message::warning(format!("{} at {error}", error.name));
            Outcome::Findings
        }
    })
}

/// The moves of a game as PGN has them, without tags.
fn movetext(tree: &GameTree) -> String {
    let mut writer = Writer::new(WriteOptions {
        columns: None,
        ..WriteOptions::default()
    });
    tree.tell(&mut writer);
    let pgn = String::from_utf8_lossy(&writer.take()).into_owned();
    // The tags end with an empty line; in one line, moves have none.
    let moves = pgn.split("\n\n").nth(1);
    moves.unwrap_or_default().to_string()
}
