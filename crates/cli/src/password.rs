//! Passwords of archives, asked for without showing them.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use anyhow::Context;

/// Whether somebody is there to answer.
pub fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for the password of a file.
pub fn ask(path: &Path) -> anyhow::Result<String> {
    let prompt = format!("Password of {}: ", path.display());
    rpassword::prompt_password(prompt).context("cannot read a password")
}

/// Asks for the password of a file if somebody is there to answer.
pub fn ask_if_possible(path: &Path) -> Option<String> {
    match can_ask() {
        true => ask(path).ok(),
        false => None,
    }
}
