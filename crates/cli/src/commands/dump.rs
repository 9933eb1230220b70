//! `tabiya dump`: every byte of a game, explained.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tabiya::{
    Database, Error, ErrorKind, Filter, FormatSpec, GameTree, Losses, ReadOptions, registry,
};
use tabiya_formats::stream::{StreamCodec, Streams};

use super::encode;
use crate::{
    args::{StartArgs, game_number},
    exit::Outcome,
    format_arg,
    games::{self, ReadArgs, password_settings},
    hexdump, input,
    output::Output,
    password,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya dump games.cdb --game 12
  tabiya dump games.pgn --game 3 --as jose:document
  tabiya dump moves.bin --as cmbr24

Without --as, the bytes are those of the file. With --as, the game is encoded first; a file that
is no database is taken as one game in bare bytes.

Exit codes: 1 if the bytes are damaged or something was lost, 2 if there is no such game.";

/// Show every byte of a game with its meaning
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The file to read
    #[arg(value_name = "FILE")]
    input: PathBuf,

    /// Which entry of the file, counted from 1; deleted games and texts count
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = game_number)]
    game: u64,

    /// Encode the game so, and show those bytes
    #[arg(long = "as", value_name = "FORMAT[:PROFILE]", value_parser = format_arg::streamed(), hide_possible_values = true)]
    target: Option<FormatSpec>,

    /// The format of the file, if its content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_arg::readable(), hide_possible_values = true)]
    from: Option<FormatSpec>,

    /// The password of an archive
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,

    #[command(flatten)]
    start: StartArgs,
}

impl Args {
    fn read(&self) -> ReadArgs {
        ReadArgs::all(self.from, self.password.clone())
    }
}

/// A bare stream is one game.
const STREAM_LIMIT: u64 = 64 << 20;

/// Prints the dump.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let Some(spec) = args.target else {
        return dump_file(args);
    };
    let codec = encode::codec(spec)?;
    match games::open(&args.input, args.read().how()) {
        Ok(database) if args.from.is_none() && is_meant(&database, spec) => dump_file(args),
        Ok(database) => {
            let (tree, _) = games::game(database, Some(args.game), Filter::default())?;
            dump_game(&tree, codec)
        }
        Err(error) if is_no_database(&error) => dump_stream(args, codec),
        Err(error) => Err(error),
    }
}

/// The file is of the format already.
fn is_meant(database: &Database, spec: FormatSpec) -> bool {
    let own = database.format();
    own.format.name == spec.format.name && own.profile.name() == spec.for_streams().profile.name()
}

fn is_no_database(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref().map(Error::kind);
    matches!(kind, Some(ErrorKind::UnknownFormat | ErrorKind::Foreign))
}

fn dump_file(args: &Args) -> anyhow::Result<Outcome> {
    let mut options = ReadOptions {
        settings: password_settings(args.password.as_deref()),
        ..ReadOptions::default()
    };
    if args.input.as_path() != "-" {
        if args.password.is_none()
            && registry().is_sealed(&args.input, args.from)
            && password::can_ask()
        {
            let password = password::ask(&args.input)?;
            options.settings = password_settings(Some(&password));
        }
        // Says what is missing.
        let how = games::how(args.from).options(options.clone());
        games::open(&args.input, how)?;
    }
    let Some((_, dump)) = registry().dump(&args.input, args.from, args.game, &options)? else {
        bail!(
            "{} is text: read it as it is, or see how a game is encoded, for example by --as jose",
            args.input.display()
        );
    };
    let mut output = Output::stdout();
    hexdump::write(&mut output, &dump)?;
    output.finish()?;
    Ok(Outcome::Fine)
}

fn dump_game(tree: &GameTree, codec: &dyn StreamCodec) -> anyhow::Result<Outcome> {
    let mut losses = Losses::default();
    let streams = codec.encode(tree, &mut losses)?;
    let mut output = Output::stdout();
    hexdump::write(&mut output, &codec.explain(&streams, &tree.start))?;
    output.finish()?;
    Ok(encode::report(&losses))
}

fn dump_stream(args: &Args, codec: &dyn StreamCodec) -> anyhow::Result<Outcome> {
    let start = args.start.position()?;
    let path: &Path = &args.input;
    let bytes = input::read(path, STREAM_LIMIT).with_context(|| path.display().to_string())?;
    let streams = Streams::from(bytes);
    let mut output = Output::stdout();
    hexdump::write(&mut output, &codec.explain(&streams, &start))?;
    output.finish()?;
    let mut tree = GameTree::default();
    Ok(match codec.decode(&streams, &start, &mut tree) {
        Ok(()) => Outcome::Fine,
        Err(_) => Outcome::Findings,
    })
}
