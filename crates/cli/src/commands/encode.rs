//! `tabiya encode`: a game as the bytes of a format.

use std::{io::Write, path::Path};

use anyhow::{Context, bail};
use tabiya::registry;
use tabiya_formats::{
    pgn::Parser,
    registry::{FormatSpec, listed},
    stream::StreamCodec,
};
use tabiya_game::{GameState, GameTree, Item, Losses};

use crate::{args::StartArgs, exit::Outcome, format_arg, hexdump, input, message, output::Output};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya encode --as ply16 \"1. e4 e5 2. Nf3\"
  tabiya encode --as jose:program --explain \"1. e4 {Best by test} e5 (1... c5 2. Nf3)\"
  tabiya encode --as cmbr24 --fen \"8/P7/8/8/8/8/k1K4p/8 w - - 0 1\" \"1. a8=N h1=B\"
  tabiya encode --as jose < game.pgn

A second stream, as jose:program has one for texts, stands behind a +.

Exit codes: 1 if something was lost, 2 if the text cannot be read or the format cannot hold it.";

/// Encode a game, given as text, in the bytes of a format
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The format
    #[arg(long = "as", value_name = "FORMAT[:PROFILE]", value_parser = format_arg::streamed(), hide_possible_values = true)]
    target: FormatSpec,

    /// The moves as PGN has them; without them, standard input is read
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,

    /// Show every byte with its meaning
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    start: StartArgs,
}

/// A game has less.
const TEXT_LIMIT: u64 = 64 << 20;

/// Prints the bytes.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let codec = codec(args.target)?;
    let text = match args.moves.as_slice() {
        [] => String::from_utf8_lossy(&input::read(Path::new("-"), TEXT_LIMIT)?).into_owned(),
        words => words.join(" "),
    };
    let tree = parse(&text, &args.start)?;
    let mut losses = Losses::default();
    let streams = codec.encode(&tree, &mut losses)?;
    let mut output = Output::stdout();
    match args.explain {
        true => hexdump::write(&mut output, &codec.explain(&streams, &tree.start))?,
        false => writeln!(output, "{streams}")?,
    }
    output.finish()?;
    Ok(report(&losses))
}

/// The game of a text.
fn parse(text: &str, start: &StartArgs) -> anyhow::Result<GameTree> {
    let tagged = start.tagged(text)?;
    let mut tree = GameTree::default();
    let mut parser = Parser::new(&tagged);
    parser.read_game(&mut tree);
    let error = tree.items.iter().find_map(|item| match item {
        Item::Error { message, raw, .. } => Some((message, raw)),
        _ => None,
    });
    if let Some((message, raw)) = error {
        bail!("cannot read {raw:?}: {message}");
    }
    if tree.state == GameState::Broken {
        bail!("the text is not a game");
    }
    if parser.read_game(&mut GameTree::default()) {
        bail!("there is more than one game: give one at a time");
    }
    Ok(tree)
}

/// The codec of a format.
pub fn codec(spec: FormatSpec) -> anyhow::Result<&'static dyn StreamCodec> {
    let profile = spec.for_streams();
    profile.profile.stream().with_context(|| {
        let able = registry().profiles();
        let able = able.filter(|profile| profile.streams());
        let able = listed(able.map(|profile| profile.to_string()));
        format!("{profile} is no format of bare bytes: expected {able}")
    })
}

/// Says what was lost.
pub fn report(losses: &Losses) -> Outcome {
    for (kind, count, loss) in losses.iter() {
        message::warning(match count {
            1 => format!("lost: {}", loss.what),
            _ => format!("lost {count} {kind}, the first: {}", loss.what),
        });
    }
    if let Some(respelled) = losses.respelled() {
        let (count, what) = (respelled.count, &respelled.what);
        message::warning(match count {
            1 => format!("respelled: {what}"),
            _ => format!("respelled {count} tags, the first: {what}"),
        });
    }
    match losses.is_empty() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    }
}
