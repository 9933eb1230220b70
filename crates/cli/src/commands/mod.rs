//! One file a command: its arguments, and what it does.

pub mod board;
pub mod completions;
pub mod generate;
pub mod man;
pub mod moves;
pub mod perft;

use crate::{args::Command, exit::Outcome};

/// Runs a command to its end.
pub fn run(command: Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Board(args) => board::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
