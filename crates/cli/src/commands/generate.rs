//! `tabiya generate`: games that nobody played.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    ops::{ControlFlow, Range, RangeInclusive},
    path::PathBuf,
    thread,
};

use indicatif::{ProgressBar, ProgressStyle};
use tabiya::registry;
use tabiya_formats::{
    Destination, Records, Target, ordered, pgn,
    registry::{
        FormatProfile, FormatSpec, Settings, WriteOptions,
        place::{self, Purpose},
    },
    signature,
};
use tabiya_game::{
    GameTree, Losses,
    generate::{Generator, Options},
};

use super::encode;
use crate::{
    exit::Outcome,
    format_arg, message,
    output::{self, unwritten},
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya generate --games 5
  tabiya generate --games 1000000 --book -o million.pgn.zst
  tabiya generate --games 500 --seed 7 --variations -o odd.pgn
  tabiya generate --games 1000 -o games.si5
  tabiya generate --games 100 --chess960 --plies 40..200 -o shuffled.pgn

Exit codes: 1 if the format cannot hold all of the games.";

/// Make legal games from a seed
///
/// The same options make the same games on every machine. Players and events have numbers for
/// names. Game 17 is the same however many games there are.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    games: u64,

    /// Another seed makes other games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// How many plies games have, if they do not end by rule before
    #[arg(long, value_name = "RANGE", default_value = "20..120", value_parser = plies)]
    plies: RangeInclusive<u16>,

    /// Annotate the games, with all that makes conversions go wrong
    ///
    /// Nested variations, comments in odd places and of odd contents, all NAGs, commands, null
    /// moves, set-up starts, odd tags.
    #[arg(long)]
    variations: bool,

    /// Make games of Chess960
    #[arg(long)]
    chess960: bool,

    /// Let games share openings, as those of real collections do
    #[arg(long)]
    book: bool,

    /// The file to write, packed as its name says; without it, standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The format to write; without it, what the name of the output says, or pgn
    #[arg(long, value_name = "FORMAT[:PROFILE]", value_parser = format_arg::writable(), hide_possible_values = true)]
    to: Option<FormatSpec>,

    /// How many threads work; the output is the same for any number
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Print the conversion signature: a number for all that fixed games tell, and one for what
    /// is told after each format
    #[arg(long, exclusive = true)]
    signature: bool,
}

/// How many games a thread makes before it hands them over.
const PART: u64 = 128;

/// Makes the games.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.signature {
        return print_signature();
    }
    let generator = Generator::new(Options {
        seed: args.seed,
        games: args.games,
        plies: args.plies.clone(),
        variations: args.variations,
        chess960: args.chess960,
        book: args.book,
    });
    let path = args.output.as_deref().filter(|path| *path != "-");
    let to = output::profile(path, args.to, Purpose::New)?;
    let path = path.map(|path| place::file(registry(), path, to, args.to));
    let path = path.as_deref();
    let destination = path.map_or(Destination::Stdout, Destination::New);
    // Fails here if the format cannot be written.
    registry().writer(to, &whole())?;
    let target = registry().target(to, destination, &whole());
    let mut target = target.map_err(|error| unwritten(error, path))?;
    let mut losses = Losses::default();
    let jobs = args
        .jobs
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get);
    let progress = progress(args.games);
    let mut parts = parts(args.games);
    let mut failure = None;
    ordered(
        jobs,
        || parts.next(),
        |part| write(&generator, to, part),
        |part| match part.and_then(|part| add(part, &mut *target, &mut losses)) {
            Ok(games) => {
                progress.inc(games);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        },
    );
    progress.finish_and_clear();
    if let Some(error) = failure {
        return Err(unwritten(error, path));
    }
    let finished = target.finish();
    let warnings = finished.map_err(|error| unwritten(error, path))?;
    warnings.iter().for_each(message::warning);
    Ok(encode::report(&losses))
}

/// A line on stderr, where that is a terminal.
fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let template = "{bar:30} {percent:>3}%  {human_pos} games, {per_sec}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// The numbers of the games, a part at a time.
fn parts(games: u64) -> impl Iterator<Item = Range<u64>> + Send {
    let mut start = 0u64;
    std::iter::from_fn(move || {
        let part = start..games.min(start.saturating_add(PART));
        start = part.end;
        (!part.is_empty()).then_some(part)
    })
}

/// Games of a format, each with its records.
struct Part {
    records: Records,
    /// Where each game ends.
    ends: Vec<usize>,
    losses: Losses,
    /// The number of the first game.
    first: u64,
}

/// All is kept, raw annotations included, where the format has a spelling for it.
fn whole() -> WriteOptions {
    WriteOptions {
        settings: Settings::new().with(&pgn::KEEP_RAW, true),
        ..WriteOptions::default()
    }
}

fn write(generator: &Generator, to: FormatProfile, numbers: Range<u64>) -> io::Result<Part> {
    let mut writer = registry().writer(to, &whole()).map_err(io::Error::other)?;
    let mut tree = GameTree::default();
    let (mut ends, mut losses) = (Vec::new(), Losses::default());
    let first = numbers.start + 1;
    for index in numbers {
        generator.make(index, &mut tree);
        tree.tell(&mut *writer);
        let mut lost = writer.take_losses();
        lost.set_game(index + 1);
        losses.append(lost);
        ends.push(writer.len());
    }
    let records = writer.take();
    Ok(Part {
        records,
        ends,
        losses,
        first,
    })
}

/// Puts games behind the others, and says how many they are.
fn add(part: Part, target: &mut dyn Target, losses: &mut Losses) -> io::Result<u64> {
    let mut start = 0;
    losses.append(part.losses);
    for (number, end) in (part.first..).zip(&part.ends) {
        if *end > start {
            target.add(&part.records, start..*end)?;
            let mut beside_others = target.take_losses();
            beside_others.set_game(number);
            losses.append(beside_others);
        }
        start = *end;
    }
    Ok(part.ends.len() as u64)
}

fn print_signature() -> anyhow::Result<Outcome> {
    let mut output = output::Output::stdout();
    writeln!(output, "{:<17}  {:016x}", "games", signature::told())?;
    for (profile, signature) in signature::through_formats(registry())? {
        writeln!(output, "{:<17}  {signature:016x}", profile.to_string())?;
    }
    output.finish()?;
    Ok(Outcome::Fine)
}

/// `20..120`, or one number.
fn plies(text: &str) -> Result<RangeInclusive<u16>, String> {
    let number = |text: &str| {
        text.parse::<u16>()
            .map_err(|_| format!("{text:?} is not a number from 0 to {}", u16::MAX))
    };
    let (least, most) = match text.split_once("..") {
        Some((least, most)) => (number(least)?, number(most)?),
        None => (number(text)?, number(text)?),
    };
    match least <= most {
        true => Ok(least..=most),
        false => Err("expected the smaller number first, as in 20..120".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_a_range_or_a_number() {
        assert_eq!(plies("20..120"), Ok(20..=120));
        assert_eq!(plies("60"), Ok(60..=60));
        for text in ["", "..", "20..", "9..3", "-1", "1..70000", "a..b", "1...5"] {
            assert!(plies(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_cover_all_games() {
        for games in [0, 1, PART - 1, PART, PART + 1, 1_000] {
            let all: Vec<u64> = parts(games).flatten().collect();
            assert!(all.into_iter().eq(0..games));
        }
    }
}
