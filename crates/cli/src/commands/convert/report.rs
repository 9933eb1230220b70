//! What happened, for people and for programs.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::Path,
};

use serde::Serialize;
use tabiya_formats::{
    io::{Compression, Output},
    registry::Dialect,
};
use tabiya_game::{Counts, LossKind};

use super::{
    Args,
    join::{BROKEN_LISTED, BrokenGame, Facts},
};

/// How many broken games people want to read about.
const BROKEN_SHOWN: usize = 5;

/// Tells on stderr what happened.
pub fn summary(facts: &Facts, to: Dialect, dry_run: bool) {
    // Whoever has closed stderr does not want to hear it.
    let _ = tell(&mut anstream::stderr().lock(), facts, to, dry_run);
}

fn tell(out: &mut impl Write, facts: &Facts, to: Dialect, dry_run: bool) -> io::Result<()> {
    let nothing = if dry_run {
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
    let (read, became) = sum(facts.counts);
    writeln!(out, "{read} games read = {became}")?;
    if facts.others.read > 0 {
        let (read, became) = sum(facts.others);
        writeln!(out, "{read} texts and other entries read = {became}")?;
    }
    let left_out = to.profile.leaves_out();
    if !left_out.is_empty() {
        writeln!(out, "{to} holds no {left_out}: they are left out")?;
    }
    if facts.broken_count > 0 {
        writeln!(
            out,
            "{} broken, written as far as they can be read",
            facts.broken_count
        )?;
        for broken in facts.broken.iter().take(BROKEN_SHOWN) {
            let BrokenGame {
                number,
                source,
                fault,
            } = broken;
            let (name, place, kind) = (&source.name, fault.place, fault.kind);
            writeln!(
                out,
                "  game {number} ({name}, {place}): {kind}, {}",
                fault.message
            )?;
        }
        let more = facts.broken_count.saturating_sub(BROKEN_SHOWN as u64);
        if more > 0 {
            writeln!(out, "  and {more} more; --report FILE lists them")?;
        }
    }
    if !facts.damage.is_empty() {
        let inputs: BTreeSet<&str> = facts.damage.iter().map(|d| d.input.as_str()).collect();
        let inputs: Vec<&str> = inputs.into_iter().collect();
        writeln!(out, "damaged, games may be missing: {}", inputs.join(", "))?;
    }
    for (kind, count, first) in facts.losses.iter() {
        let what = &first.what;
        match (first.game, loss_source(facts, kind)) {
            (0, name) => writeln!(
                out,
                "{count} {kind} lost, the first in {name} itself: {what}"
            ),
            (game, name) if facts.sources.len() > 1 => {
                writeln!(
                    out,
                    "{count} {kind} lost, the first in game {game} of {name}: {what}"
                )
            }
            (game, _) => writeln!(out, "{count} {kind} lost, the first in game {game}: {what}"),
        }?;
    }
    if let Some(respelled) = facts.losses.respelled() {
        let count = respelled.count;
        writeln!(
            out,
            "{count} tags respelled, of which nothing is lost; the first in {respelled}"
        )?;
    }
    Ok(())
}

/// The name of the input that has the first loss of a kind.
fn loss_source(facts: &Facts, kind: LossKind) -> &str {
    let source = facts.loss_sources.get(&kind);
    source.map_or("", |source| &source.name)
}

/// Writes the same facts, and every broken game, as JSON.
pub fn write(path: &Path, facts: &Facts, to: Dialect, args: &Args) -> anyhow::Result<()> {
    let mut output = Output::create(path, Compression::of_path(path))?;
    serde_json::to_writer_pretty(&mut output, &Report::new(facts, to, args))?;
    writeln!(output)?;
    Ok(output.finish().map_err(io::Error::from)?)
}

#[derive(Serialize)]
struct Report<'a> {
    tabiya: &'static str,
    inputs: Vec<InputReport<'a>>,
    output: Option<String>,
    format: String,
    dry_run: bool,
    /// Why `--strict` stopped.
    stopped: Option<&'a str>,
    counts: CountsReport,
    /// Texts and other entries that are no games.
    other_entries: CountsReport,
    /// What could not be read.
    damage: Vec<DamageReport<'a>>,
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
    format: &'a str,
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

impl<'a> Report<'a> {
    fn new(facts: &'a Facts, to: Dialect, args: &Args) -> Report<'a> {
        let inputs = facts.sources.iter().map(|(source, games)| InputReport {
            name: &source.name,
            format: &source.format,
            compression: source.compression.to_string(),
            games: *games,
        });
        let damage = facts.damage.iter().map(|damage| DamageReport {
            input: &damage.input,
            message: &damage.message,
        });
        let losses = facts.losses.iter().map(|(kind, count, first)| LossReport {
            kind: kind.name(),
            count,
            first_input: loss_source(facts, kind),
            first_game: first.game,
            example: &first.what,
        });
        Report {
            tabiya: env!("CARGO_PKG_VERSION"),
            inputs: inputs.collect(),
            output: args.output.as_ref().map(|path| path.display().to_string()),
            format: to.to_string(),
            dry_run: args.dry_run,
            stopped: facts.stopped.as_deref(),
            counts: CountsReport::new(facts.counts),
            other_entries: CountsReport::new(facts.others),
            damage: damage.collect(),
            losses: losses.collect(),
            left_out: to.profile.leaves_out(),
            respelled: facts.losses.respelled().map(|respelled| RespelledReport {
                count: respelled.count,
                first_game: respelled.game,
                example: &respelled.what,
            }),
            broken_count: facts.broken_count,
            broken_listed_at_most: BROKEN_LISTED,
            broken: facts.broken.iter().map(BrokenReport::new).collect(),
            seconds: facts.elapsed.as_secs_f64(),
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
