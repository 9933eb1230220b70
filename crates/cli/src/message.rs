//! What is said on stderr.

use std::{fmt::Display, io::Write};

use anstyle::Style;

use crate::{advice, style};

/// Why the command has failed, with its causes.
pub fn error(error: &anyhow::Error) {
    let advice = advice::on(error);
    say("error", style::ERROR, &format_args!("{error:#}{advice}"));
}

/// What the user should know although the command goes on.
pub fn warning(text: impl Display) {
    say("warning", style::WARNING, &text);
}

/// What a command does or has done, where standard output is for something else.
pub fn note(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

fn say(kind: &str, style: Style, text: &dyn Display) {
    // Whoever has closed stderr does not want to hear it.
    let _ = writeln!(anstream::stderr(), "{style}{kind}:{style:#} {text}");
}
