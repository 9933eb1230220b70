//! What the command prints: findings as they come, then the counts.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use serde::Serialize;
use tabiya_game::{
    Losses, Place,
    check::{Finding, FindingKind, Fix, Severity},
};

use super::examiner::{Examined, Mended};
use crate::{
    style::Palette,
    text::{clean, games, grouped},
};

/// How findings are printed.
#[derive(Clone, Copy)]
pub struct Format {
    /// As JSON.
    pub json: bool,
    /// Only those that are at least so bad.
    pub level: Severity,
    /// Games are mended.
    pub repair: bool,
}

/// Prints findings and counts them.
pub struct Report<W> {
    output: W,
    palette: Palette,
    format: Format,
    file: String,
    /// Games in the parts of the file before this one.
    games_before: u64,
    /// An entry of the array stands in JSON already.
    comma: bool,
    /// In JSON the repairs form an array of their own, after the problems.
    repairs: Vec<String>,
    kinds: BTreeMap<FindingKind, u64>,
    fixes: BTreeMap<Fix, u64>,
    losses: Losses,
    totals: Totals,
    still_broken: u64,
    failed_inputs: u64,
    /// What is wrong with inputs as a whole.
    damage: Vec<Damage>,
}

#[derive(Default, Serialize)]
struct Totals {
    files: u64,
    games: u64,
    filtered: u64,
    faulty: u64,
    broken: u64,
}

#[derive(Serialize)]
struct Problem<'a> {
    file: &'a str,
    line: u64,
    column: u32,
    offset: u64,
    game: u64,
    severity: &'a str,
    kind: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct Repair<'a> {
    file: &'a str,
    line: u64,
    column: u32,
    offset: u64,
    game: u64,
    fix: &'a str,
}

#[derive(Serialize)]
struct Counts<'a> {
    #[serde(flatten)]
    totals: &'a Totals,
    kinds: Vec<KindCount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes: Option<BTreeMap<&'static str, u64>>,
}

#[derive(Serialize)]
struct Damage {
    file: String,
    message: String,
}

#[derive(Serialize)]
struct KindCount {
    kind: &'static str,
    severity: &'static str,
    findings: u64,
}

impl<W: Write> Report<W> {
    /// Begins a report.
    pub fn new(mut output: W, palette: Palette, format: Format) -> io::Result<Report<W>> {
        if format.json {
            write!(output, "{{\"problems\":[")?;
        }
        Ok(Report {
            output,
            palette,
            format,
            file: String::new(),
            games_before: 0,
            comma: false,
            repairs: Vec::new(),
            kinds: BTreeMap::new(),
            fixes: BTreeMap::new(),
            losses: Losses::default(),
            totals: Totals::default(),
            still_broken: 0,
            failed_inputs: 0,
            damage: Vec::new(),
        })
    }

    /// What follows is about another file.
    pub fn start_file(&mut self, path: &Path) {
        self.file = path.display().to_string();
        self.games_before = 0;
        self.totals.files += 1;
    }

    /// Prints and counts what was found in the next part of the file.
    pub fn part(&mut self, examined: Examined) -> io::Result<()> {
        let before = if examined.numbered {
            0
        } else {
            self.games_before
        };
        let mut fixes = examined.fixes.iter().peekable();
        for finding in &examined.findings {
            while let Some(fix) = fixes.next_if(|fix| fix.game < finding.game) {
                self.fix(fix, before)?;
            }
            self.finding(finding, before)?;
        }
        fixes.try_for_each(|fix| self.fix(fix, before))?;
        self.games_before += examined.read;
        self.losses.append(examined.losses);
        let totals = &mut self.totals;
        totals.games += examined.checked;
        totals.filtered += examined.read - examined.checked;
        totals.faulty += examined.faulty;
        totals.broken += examined.broken;
        self.still_broken += examined.still_broken;
        Ok(())
    }

    /// Counts games of which all bytes were looked at, and not what is in them.
    #[cfg(feature = "parquet")]
    pub fn games(&mut self, games: u64) {
        self.totals.games += games;
    }

    fn finding(&mut self, finding: &Finding, before: u64) -> io::Result<()> {
        *self.kinds.entry(finding.kind).or_default() += 1;
        let severity = finding.kind.severity();
        if severity < self.format.level {
            return Ok(());
        }
        let game = before + finding.game;
        if self.format.json {
            let problem = Problem {
                file: &self.file,
                line: finding.place.line,
                column: finding.place.column,
                offset: finding.place.offset,
                game,
                severity: severity.name(),
                kind: finding.kind.name(),
                message: &finding.message,
            };
            let comma = if self.comma { ",\n" } else { "\n" };
            self.comma = true;
            write!(self.output, "{comma}{}", serde_json::to_string(&problem)?)
        } else {
            let style = match severity {
                Severity::Error => self.palette.error,
                Severity::Warning => self.palette.warning,
                Severity::Note => self.palette.label,
            };
            let place = located(&self.file, finding.place);
            let (kind, message) = (finding.kind, clean(&finding.message));
            writeln!(
                self.output,
                "{place}: {style}{severity}:{style:#} {kind} in game {game}: {message}"
            )
        }
    }

    fn fix(&mut self, mended: &Mended, before: u64) -> io::Result<()> {
        *self.fixes.entry(mended.fix).or_default() += 1;
        let game = before + mended.game;
        if self.format.json {
            self.repairs.push(serde_json::to_string(&Repair {
                file: &self.file,
                line: mended.place.line,
                column: mended.place.column,
                offset: mended.place.offset,
                game,
                fix: mended.fix.name(),
            })?);
            return Ok(());
        }
        let style = self.palette.label;
        let (place, fix) = (located(&self.file, mended.place), mended.fix);
        writeln!(
            self.output,
            "{place}: {style}mended:{style:#} {fix} in game {game}"
        )
    }

    /// Notes that an input could not be read, or not to its end.
    pub fn input_failed(&mut self) {
        self.failed_inputs += 1;
    }

    /// How many inputs could not be read, or not to their ends.
    pub fn failed_inputs(&self) -> u64 {
        self.failed_inputs
    }

    /// Whether there were errors or warnings.
    pub fn has_faults(&self) -> bool {
        let is_fault = |kind: &FindingKind| kind.severity() != Severity::Note;
        !self.damage.is_empty() || self.kinds.keys().any(is_fault)
    }

    /// An input is not whole, a sentence for each thing that is wrong with it: that is a fault,
    /// though its games may have none.
    pub fn damage(&mut self, sentences: &[String]) -> io::Result<()> {
        for message in sentences {
            if !self.format.json {
                let (style, file) = (self.palette.error, clean(&self.file));
                writeln!(
                    self.output,
                    "{file}: {style}error:{style:#} damaged: {message}"
                )?;
            }
            self.damage.push(Damage {
                file: self.file.clone(),
                message: message.clone(),
            });
        }
        Ok(())
    }

    /// Prints the counts and gives the output back.
    pub fn finish(mut self) -> io::Result<W> {
        if self.format.json {
            self.write_json_end()?;
        } else {
            self.write_summary()?;
        }
        Ok(self.output)
    }

    fn write_json_end(&mut self) -> io::Result<()> {
        write!(self.output, "\n],\n")?;
        if !self.damage.is_empty() {
            let damage = serde_json::to_string(&self.damage)?;
            writeln!(self.output, "\"damage\":{damage},")?;
        }
        if self.format.repair {
            let repairs = self.repairs.join(",\n");
            writeln!(self.output, "\"repairs\":[\n{repairs}\n],")?;
        }
        let fixes = self.fixes.iter().map(|(fix, count)| (fix.name(), *count));
        let counts = Counts {
            totals: &self.totals,
            kinds: sorted(&self.kinds)
                .map(|(kind, findings)| KindCount {
                    kind: kind.name(),
                    severity: kind.severity().name(),
                    findings,
                })
                .collect(),
            fixes: self.format.repair.then(|| fixes.collect()),
        };
        writeln!(
            self.output,
            "\"counts\":{}}}",
            serde_json::to_string(&counts)?
        )
    }

    fn write_summary(&mut self) -> io::Result<()> {
        let printed = sorted(&self.kinds).any(|(kind, _)| kind.severity() >= self.format.level);
        if printed || !self.fixes.is_empty() {
            writeln!(self.output)?;
        }
        for (kind, count) in sorted(&self.kinds) {
            let (severity, count) = (kind.severity(), grouped(count));
            writeln!(self.output, "{severity:<8} {kind:<20} {count:>10}")?;
        }
        for (fix, count) in &self.fixes {
            let count = grouped(*count);
            writeln!(self.output, "{:<8} {fix:<20} {count:>10}", "mended")?;
        }
        for (kind, count, example) in self.losses.iter() {
            let (count, kind) = (grouped(count), kind.name());
            let what = clean(&example.what);
            writeln!(
                self.output,
                "{:<8} {kind:<20} {count:>10}  such as {what}",
                "lost"
            )?;
        }
        if !self.kinds.is_empty() {
            writeln!(self.output)?;
        }
        let totals = &self.totals;
        let games = games(totals.games);
        let faults = match totals.faulty {
            0 if self.has_faults() => "damaged; the games have no errors".to_string(),
            0 if self.failed_inputs > 0 => "no errors in what could be read".to_string(),
            0 => "nothing wrong".to_string(),
            faulty => format!(
                "{} with errors or warnings, {} broken",
                grouped(faulty),
                grouped(totals.broken)
            ),
        };
        let filtered = match totals.filtered {
            0 => String::new(),
            filtered => format!("; {} not asked for", grouped(filtered)),
        };
        writeln!(self.output, "{games}: {faults}{filtered}")?;
        if self.format.repair {
            let written = grouped(totals.games);
            let broken = grouped(self.still_broken);
            writeln!(self.output, "{written} written, {broken} still broken")?;
        }
        Ok(())
    }
}

/// The kinds with their counts, the worst first.
fn sorted(kinds: &BTreeMap<FindingKind, u64>) -> impl Iterator<Item = (FindingKind, u64)> {
    Severity::ALL.into_iter().flat_map(move |severity| {
        let kinds = kinds.iter().map(|(kind, count)| (*kind, *count));
        kinds.filter(move |(kind, _)| kind.severity() == severity)
    })
}

/// `file:line:column`, as compilers have it; without lines, the byte.
fn located(file: &str, place: Place) -> String {
    let file = clean(file);
    match place.line {
        0 => format!("{file}:byte {}", place.offset),
        _ => format!("{file}:{}:{}", place.line, place.column),
    }
}
