//! What happened, for people and for programs.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::Path,
};

use serde::Serialize;
use tabiya::{Absent, BROKEN_LISTED, BrokenGame, Compression, Counts, Report};
use tabiya_formats::io::Output;

use super::Args;

/// How many broken games people want to read about.
const BROKEN_SHOWN: usize = 5;

/// Tells on stderr what happened.
pub fn summary(report: &Report, args: &Args) {
    // Whoever has closed stderr does not want to hear it.
    let _ = tell(&mut anstream::stderr().lock(), report, args);
}

fn tell(out: &mut impl Write, report: &Report, args: &Args) -> io::Result<()> {
    let nothing = if args.dry_run {
        " (dry run: nothing was written)"
    } else {
        ""
    };
    let sum = |counts: Counts| {
        let Counts {
            read,
            written,
            refused,
            filtered,
            deleted,
        } = counts;
        let became = format!("{written} written + {refused} refused + {filtered} filtered");
        (read, format!("{became} + {deleted} deleted{nothing}"))
    };
    let s = |count: u64| if count == 1 { "" } else { "s" };
    // Of games that were found before, no others are read.
    if args.numbers_of.is_empty() {
        let (read, became) = sum(report.counts);
        writeln!(out, "{read} game{} read = {became}", s(read))?;
    } else {
        let Counts {
            written, refused, ..
        } = report.counts;
        let found = written + refused;
        writeln!(
            out,
            "{found} game{} found = {written} written + {refused} refused{nothing}",
            s(found)
        )?;
    }
    if report.others.read > 0 {
        let (read, became) = sum(report.others);
        writeln!(out, "{read} texts and other entries read = {became}")?;
    }
    let (to, left_out) = (report.format, report.format.profile.leaves_out());
    if !left_out.is_empty() {
        writeln!(out, "{to} holds no {left_out}: they are left out")?;
    }
    if report.broken_count > 0 {
        writeln!(
            out,
            "{} broken, written as far as they can be read",
            report.broken_count
        )?;
        for broken in report.broken.iter().take(BROKEN_SHOWN) {
            let BrokenGame {
                number,
                source,
                fault,
                ..
            } = broken;
            let (name, place, kind) = (&source.name, fault.place, fault.kind);
            writeln!(
                out,
                "  game {number} ({name}, {place}): {kind}, {}",
                fault.message
            )?;
        }
        let more = report.broken_count.saturating_sub(BROKEN_SHOWN as u64);
        if more > 0 {
            writeln!(out, "  and {more} more; --report FILE lists them")?;
        }
    }
    for absent in &report.absent {
        writeln!(out, "{absent}{}", advice_on(absent))?;
    }
    if !report.damage.is_empty() {
        let inputs: BTreeSet<&str> = report.damage.iter().map(|d| d.input.as_str()).collect();
        let inputs: Vec<&str> = inputs.into_iter().collect();
        writeln!(out, "damaged, games may be missing: {}", inputs.join(", "))?;
    }
    for (kind, count, first) in report.losses.iter() {
        let what = &first.what;
        match (first.game, report.loss_input(kind)) {
            (0, name) => writeln!(
                out,
                "{count} {kind} lost, the first in {name} itself: {what}"
            ),
            (game, name) if report.inputs.len() > 1 => {
                writeln!(
                    out,
                    "{count} {kind} lost, the first in game {game} of {name}: {what}"
                )
            }
            (game, _) => writeln!(out, "{count} {kind} lost, the first in game {game}: {what}"),
        }?;
    }
    if let Some(respelled) = report.losses.respelled() {
        let (count, game, what) = (respelled.count, respelled.game, &respelled.what);
        let first = match &report.respelled_input {
            Some(input) if report.inputs.len() > 1 => format!("game {game} of {}", input.name),
            _ => format!("game {game}"),
        };
        writeln!(
            out,
            "{count} values respelled, of which nothing is lost; the first in {first}: {what}"
        )?;
    }
    Ok(())
}

/// What somebody may do about a game that is not there.
fn advice_on(absent: &Absent) -> &'static str {
    match absent.is_deleted {
        true => "; --deleted reads it",
        false => "",
    }
}

/// Writes the same facts, and every broken game, as JSON.
pub fn write(
    path: &Path,
    report: &Report,
    stopped: Option<&str>,
    args: &Args,
) -> anyhow::Result<()> {
    let mut output = Output::create(path, Compression::of_path(path))?;
    serde_json::to_writer_pretty(&mut output, &JsonReport::new(report, stopped, args))?;
    writeln!(output)?;
    Ok(output.finish().map_err(io::Error::from)?)
}

#[derive(Serialize)]
struct JsonReport<'a> {
    tabiya: &'static str,
    inputs: Vec<InputReport<'a>>,
    output: Option<String>,
    format: String,
    dry_run: bool,
    /// Why it stopped before its end.
    stopped: Option<&'a str>,
    counts: CountsReport,
    /// Texts and other entries that are no games.
    other_entries: CountsReport,
    /// What could not be read.
    damage: Vec<DamageReport<'a>>,
    /// Games that were asked for by their numbers, and are not there.
    absent: Vec<AbsentReport<'a>>,
    losses: Vec<LossReport<'a>>,
    /// What nobody expects the format to hold; empty for most.
    left_out: &'static str,
    /// What is held in another spelling, of which nothing is lost.
    respelled: Option<RespelledReport<'a>>,
    broken_count: u64,
    /// How many broken games are listed at most.
    broken_listed_at_most: usize,
    broken: Vec<BrokenReport<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct InputReport<'a> {
    name: &'a str,
    format: String,
    compression: String,
    games: u64,
}

#[derive(Serialize)]
struct CountsReport {
    read: u64,
    written: u64,
    refused: u64,
    filtered: u64,
    deleted: u64,
}

#[derive(Serialize)]
struct DamageReport<'a> {
    input: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct AbsentReport<'a> {
    input: &'a str,
    games: String,
    /// The last number of the input.
    last: u64,
    deleted: bool,
}

#[derive(Serialize)]
struct LossReport<'a> {
    kind: &'static str,
    count: u64,
    first_input: &'a str,
    /// 0 for what belongs to the whole database.
    first_game: u64,
    example: &'a str,
}

#[derive(Serialize)]
struct RespelledReport<'a> {
    count: u64,
    first_input: &'a str,
    first_game: u64,
    example: &'a str,
}

#[derive(Serialize)]
struct BrokenReport<'a> {
    game: u64,
    input: &'a str,
    line: u64,
    column: u32,
    offset: u64,
    kind: &'static str,
    message: &'a str,
    errors: u64,
}

impl CountsReport {
    fn new(counts: Counts) -> CountsReport {
        CountsReport {
            read: counts.read,
            written: counts.written,
            refused: counts.refused,
            filtered: counts.filtered,
            deleted: counts.deleted,
        }
    }
}

impl<'a> JsonReport<'a> {
    fn new(report: &'a Report, stopped: Option<&'a str>, args: &Args) -> JsonReport<'a> {
        let inputs = report.inputs.iter().map(|(source, games)| InputReport {
            name: &source.name,
            format: source.format.to_string(),
            compression: source.compression.to_string(),
            games: *games,
        });
        let damage = report.damage.iter().map(|damage| DamageReport {
            input: &damage.input,
            message: &damage.message,
        });
        let absent = report.absent.iter().map(|absent| AbsentReport {
            input: &absent.input,
            games: absent.numbers.to_string(),
            last: absent.last,
            deleted: absent.is_deleted,
        });
        let losses = report.losses.iter().map(|(kind, count, first)| LossReport {
            kind: kind.name(),
            count,
            first_input: report.loss_input(kind),
            first_game: first.game,
            example: &first.what,
        });
        JsonReport {
            tabiya: env!("CARGO_PKG_VERSION"),
            inputs: inputs.collect(),
            output: args.output.as_ref().map(|path| path.display().to_string()),
            format: report.format.to_string(),
            dry_run: args.dry_run,
            stopped,
            counts: CountsReport::new(report.counts),
            other_entries: CountsReport::new(report.others),
            damage: damage.collect(),
            absent: absent.collect(),
            losses: losses.collect(),
            left_out: report.format.profile.leaves_out(),
            respelled: report.losses.respelled().map(|respelled| RespelledReport {
                count: respelled.count,
                first_input: report.respelled_input.as_ref().map_or("", |it| &it.name),
                first_game: respelled.game,
                example: &respelled.what,
            }),
            broken_count: report.broken_count,
            broken_listed_at_most: BROKEN_LISTED,
            broken: report.broken.iter().map(BrokenReport::new).collect(),
            seconds: report.elapsed.as_secs_f64(),
        }
    }
}

impl<'a> BrokenReport<'a> {
    fn new(broken: &'a BrokenGame) -> BrokenReport<'a> {
        let fault = &broken.fault;
        BrokenReport {
            game: broken.number,
            input: &broken.source.name,
            line: fault.place.line,
            column: fault.place.column,
            offset: fault.place.offset,
            kind: fault.kind.name(),
            message: &fault.message,
            errors: fault.errors,
        }
    }
}
