//! `tabiya completions`: what a shell needs to complete the command line.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{args::Cli, exit::Outcome, output::Output};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions zsh > ~/.zfunc/_tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish";

/// Print the completions of a shell
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Which shell
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    // The generator panics when a write fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tabiya", &mut script);
    let mut output = Output::stdout();
    output.write_all(&script)?;
    output.finish()?;
    Ok(Outcome::Fine)
}
