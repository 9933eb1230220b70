//! `tabiya formats`: what can be read and written.

use std::io::Write;

use serde::Serialize;
use tabiya_formats::registry::{FORMATS, FormatInfo};

use crate::{exit::Outcome, output::Output, style::Palette};

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
        let rows: Vec<_> = FORMATS.iter().map(JsonFormat::new).collect();
        serde_json::to_writer_pretty(&mut output, &rows)?;
        writeln!(output)?;
    } else {
        table(&mut output)?;
    }
    output.finish()?;
    Ok(Outcome::Fine)
}

type Column = (&'static str, fn(&FormatInfo) -> bool);

/// The columns: a heading and what a format has there.
const COLUMNS: [Column; 9] = [
    ("read", FormatInfo::reads),
    ("write", FormatInfo::writes),
    ("tags", |format| format.holds.tags),
    ("any tags", |format| format.holds.unknown_tags),
    ("variations", |format| format.holds.variations),
    ("comments", |format| format.holds.comments),
    ("NAGs", |format| format.holds.nags),
    ("set-ups", |format| format.holds.setups),
    ("chess960", |format| format.holds.chess960),
];

fn table(output: &mut Output) -> std::io::Result<()> {
    let Palette { label, .. } = Palette::of(output);
    write!(output, "{label}{:<8}", "format")?;
    for (heading, _) in COLUMNS {
        write!(output, "{heading}  ")?;
    }
    writeln!(output, "what it is{label:#}")?;
    for format in FORMATS {
        write!(output, "{:<8}", format.name)?;
        for (heading, has) in COLUMNS {
            let mark = if has(format) { "yes" } else { "-" };
            write!(output, "{mark:<width$}  ", width = heading.len())?;
        }
        writeln!(output, "{}", format.title)?;
    }
    writeln!(output)?;
    writeln!(output, "{label}profiles, as in --to uci:position{label:#}")?;
    for format in FORMATS {
        for profile in format.profiles {
            let name = format!("{}:{}", format.name, profile.name);
            writeln!(output, "{name:<14}  {}", profile.title)?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonFormat {
    name: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    profiles: Vec<JsonProfile>,
    reads: bool,
    writes: bool,
    tags: bool,
    unknown_tags: bool,
    variations: bool,
    comments: bool,
    nags: bool,
    setups: bool,
    chess960: bool,
    limits: &'static str,
}

#[derive(Serialize)]
struct JsonProfile {
    name: &'static str,
    title: &'static str,
}

impl JsonFormat {
    fn new(format: &FormatInfo) -> JsonFormat {
        let profiles = format.profiles.iter().map(|profile| JsonProfile {
            name: profile.name,
            title: profile.title,
        });
        JsonFormat {
            name: format.name,
            title: format.title,
            extensions: format.extensions,
            profiles: profiles.collect(),
            reads: format.reads(),
            writes: format.writes(),
            tags: format.holds.tags,
            unknown_tags: format.holds.unknown_tags,
            variations: format.holds.variations,
            comments: format.holds.comments,
            nags: format.holds.nags,
            setups: format.holds.setups,
            chess960: format.holds.chess960,
            limits: format.limits,
        }
    }
}
