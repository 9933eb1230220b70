//! How the command ends: 0 all is well, 1 something was found, 2 wrong use or failed input or
//! output. (130, on Ctrl-C, is in [`crate::interrupt`].)

use std::{io, process::ExitCode};

use crate::message;

/// What a command that ran to its end has to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing to report.
    Fine,
    /// The input was read and something is wrong with it.
    Findings,
    /// Part of the input could not be read, which has been said; the rest has been dealt with.
    Failed,
}

/// The exit code of a command; its error goes to stderr.
pub fn code(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Ok(Outcome::Failed) => ExitCode::from(2),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            message::error(&error);
            ExitCode::from(2)
        }
    }
}

/// The exit code of a command line that clap refused or answered itself (`--help`).
pub fn usage(message: &clap::Error) -> ExitCode {
    let _ = message.print();
    match message.exit_code() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    }
}

/// The reader of our output, `head` for one, has seen enough. Rust ignores SIGPIPE, so this
/// arrives as an error of a write.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
