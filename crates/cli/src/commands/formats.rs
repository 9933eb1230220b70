//! `tabiya formats`: what can be read and written.

use std::io::Write;

use anstyle::Style;
use serde::Serialize;
use tabiya::registry;
use tabiya_formats::registry::{FormatInfo, Profile};

use crate::{exit::Outcome, output::Output, style::Palette, terminal, text::filled};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya formats
  tabiya formats --json";

/// List the formats that can be read and written, and what they hold
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Write the list as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the table.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut output = Output::stdout();
    if args.json {
        let rows: Vec<_> = registry().formats().map(JsonFormat::new).collect();
        serde_json::to_writer_pretty(&mut output, &rows)?;
        writeln!(output)?;
    } else {
        table(&mut output)?;
    }
    output.finish()?;
    Ok(Outcome::Fine)
}

type Column = (&'static str, fn(&dyn Profile) -> bool);

/// The columns: a heading and what a format has there.
const COLUMNS: [Column; 10] = [
    ("read", |profile| profile.reads()),
    ("write", |profile| profile.writes()),
    ("edit", |profile| profile.edits()),
    ("tags", |profile| profile.holds().tags),
    ("any tags", |profile| profile.holds().unknown_tags),
    ("variations", |profile| profile.holds().variations),
    ("comments", |profile| profile.holds().comments),
    ("NAGs", |profile| profile.holds().nags),
    ("set-ups", |profile| profile.holds().setups),
    ("chess960", |profile| profile.holds().chess960),
];

fn table(output: &mut Output) -> std::io::Result<()> {
    let Palette { label, .. } = Palette::of(output);
    let width = registry()
        .profiles()
        .map(|profile| profile.to_string().len())
        .max()
        .unwrap_or_default();
    let headings: usize = COLUMNS.iter().map(|(heading, _)| heading.len() + 2).sum();
    // The last column may be as long as it likes, but has a heading.
    let least = width + 2 + headings + "files".len();
    if let Some(columns) = terminal::columns(output).filter(|columns| *columns < least) {
        return list(output, label, columns);
    }
    write!(output, "{label}{:<width$}  ", "format")?;
    for (heading, _) in COLUMNS {
        write!(output, "{heading}  ")?;
    }
    writeln!(output, "files{label:#}")?;
    for profile in registry().profiles() {
        write!(output, "{:<width$}  ", profile.to_string())?;
        for (heading, has) in COLUMNS {
            let mark = if has(profile.profile) { "yes" } else { "-" };
            write!(output, "{mark:<width$}  ", width = heading.len())?;
        }
        let files = profile.extensions().iter();
        let files: Vec<String> = files.map(|extension| format!(".{extension}")).collect();
        writeln!(output, "{}", files.join(" "))?;
    }
    writeln!(output)?;
    titles(output, label, terminal::columns(output))
}

/// What a narrow terminal has room for: a format a paragraph.
fn list(output: &mut Output, label: Style, columns: usize) -> std::io::Result<()> {
    for profile in registry().profiles() {
        let has = COLUMNS.iter().filter(|(_, has)| has(profile.profile));
        let has: Vec<&str> = has.map(|(heading, _)| *heading).collect();
        writeln!(output, "{label}{profile}{label:#}")?;
        for line in filled(&has.join(", "), columns.saturating_sub(2)) {
            writeln!(output, "  {line}")?;
        }
    }
    writeln!(output)?;
    titles(output, label, Some(columns))
}

/// What the formats are, in lines that fit a terminal.
fn titles(output: &mut Output, label: Style, columns: Option<usize>) -> std::io::Result<()> {
    let columns = columns.unwrap_or(usize::MAX);
    for format in registry().formats() {
        let width = format.name.len() + 2;
        let mut start = format!("{label}{}{label:#}  ", format.name);
        for line in filled(format.title, columns.saturating_sub(width)) {
            writeln!(output, "{start}{line}")?;
            start = " ".repeat(width);
        }
        let profiles = format.profiles.iter();
        for profile in profiles.filter(|_| format.profiles.len() > 1) {
            let mut start = format!("  :{:<10}  ", profile.name());
            let width = start.chars().count();
            for line in filled(profile.title(), columns.saturating_sub(width)) {
                writeln!(output, "{start}{line}")?;
                start = " ".repeat(width);
            }
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonFormat {
    name: &'static str,
    title: &'static str,
    profiles: Vec<JsonProfile>,
}

#[derive(Serialize)]
struct JsonProfile {
    name: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    reads: bool,
    writes: bool,
    edits: bool,
    streams: bool,
    moves: bool,
    tags: bool,
    unknown_tags: bool,
    tag_order: bool,
    variations: bool,
    comments: bool,
    nags: bool,
    setups: bool,
    chess960: bool,
    limits: &'static str,
    leaves_out: &'static str,
}

impl JsonFormat {
    fn new(format: &FormatInfo) -> JsonFormat {
        JsonFormat {
            name: format.name,
            title: format.title,
            profiles: format
                .profiles
                .iter()
                .copied()
                .map(JsonProfile::new)
                .collect(),
        }
    }
}

impl JsonProfile {
    fn new(profile: &dyn Profile) -> JsonProfile {
        JsonProfile {
            name: profile.name(),
            title: profile.title(),
            extensions: profile.extensions(),
            reads: profile.reads(),
            writes: profile.writes(),
            edits: profile.edits(),
            streams: profile.streams(),
            moves: profile.holds().moves,
            tags: profile.holds().tags,
            unknown_tags: profile.holds().unknown_tags,
            tag_order: profile.holds().tag_order,
            variations: profile.holds().variations,
            comments: profile.holds().comments,
            nags: profile.holds().nags,
            setups: profile.holds().setups,
            chess960: profile.holds().chess960,
            limits: profile.limits(),
            leaves_out: profile.leaves_out(),
        }
    }
}
