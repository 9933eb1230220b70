//! `tabiya man`: manual pages, made from the same definitions as `--help`.

use std::{
    fs,
    io::{self, Write},
    iter,
    path::PathBuf,
};

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};

use crate::{args::Cli, exit::Outcome, output::Output};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya man > tabiya.1
  tabiya man --out ~/.local/share/man/man1";

/// Write the manual pages
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Write a page for every command into this folder; without it, print the main page
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Writes the pages.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    // Building gives the subcommands their full names and the options they inherit.
    let mut tabiya = Cli::command().disable_help_subcommand(true);
    tabiya.build();
    let Some(folder) = &args.out else {
        write_page(&tabiya, Output::stdout())?;
        return Ok(Outcome::Fine);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for command in iter::once(&tabiya).chain(tabiya.get_subcommands()) {
        let file = folder.join(page(command).get_filename());
        write_page(command, Output::open(Some(&file), &["1"])?)?;
    }
    Ok(Outcome::Fine)
}

fn page(command: &Command) -> Man {
    Man::new(command.clone()).source(concat!("tabiya ", env!("CARGO_PKG_VERSION")))
}

fn write_page(command: &Command, mut output: Output) -> anyhow::Result<()> {
    let page = page(command);
    page.render_title(&mut output)?;
    page.render_name_section(&mut output)?;
    page.render_synopsis_section(&mut output)?;
    page.render_description_section(&mut output)?;
    page.render_options_section(&mut output)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut output)?;
    }
    write_examples(command, &mut output)?;
    output.finish()
}

/// The text after the options, with its own heading and its own lines.
fn write_examples(command: &Command, output: &mut impl Write) -> io::Result<()> {
    let text = command
        .get_after_long_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let text = text.strip_prefix("EXAMPLES:\n").unwrap_or(&text);
    let mut section = Roff::new();
    section.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in text.lines() {
        section.text([roman(line)]);
    }
    section.control("fi", []).to_writer(output)
}
