//! The command `tabiya`.
//!
//! Thin: arguments are read here, work is done by the libraries, and what they answer is printed.

mod advice;
mod args;
mod commands;
mod exit;
mod fen;
mod filter_args;
mod folder;
mod format_arg;
mod games;
mod heading;
mod hexdump;
mod input;
mod interrupt;
mod line_args;
mod list_format;
mod message;
mod openings;
mod output;
mod password;
mod plans;
mod progress;
mod style;
mod terminal;
mod text;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    tabiya_formats::io::tell_waiting(|words| message::note(words));
    match args::Cli::try_parse() {
        Ok(cli) => exit::code(interrupt::install().and_then(|()| commands::run(cli.command))),
        Err(message) => exit::usage(&message),
    }
}
