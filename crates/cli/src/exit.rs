//! How the command ends: 0 all is well, 1 something was found, 2 wrong use or failed input or
//! output. (130, on Ctrl-C, is in [`crate::interrupt`].)

use std::{
    io,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

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

/// Whether an input was damaged. One place for all commands: none of them can forget to say so.
static DAMAGED: AtomicBool = AtomicBool::new(false);

/// Notes that an input is not whole: the command cannot end with 0 any more.
pub fn note_damage() {
    DAMAGED.store(true, Ordering::Relaxed);
}

/// The exit code of a command; its error goes to stderr.
pub fn code(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Fine) if !DAMAGED.load(Ordering::Relaxed) => ExitCode::SUCCESS,
        Ok(Outcome::Fine | Outcome::Findings) => ExitCode::from(1),
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
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    // What an error of the libraries says is its cause's, which is not told once more.
    let system = |cause: &(dyn std::error::Error + 'static)| {
        let inner = cause.downcast_ref::<tabiya_game::Error>();
        let inner = inner.and_then(|error| error.cause().downcast_ref::<io::Error>());
        let system = cause.downcast_ref::<io::Error>().or(inner);
        system.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(system)
}
