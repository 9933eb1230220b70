//! Passwords of archives, asked for without showing them.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use anyhow::{Context, bail};

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

/// The password that an archive is written with, if it has one. A `.cbz` is an archive with a
/// password: readers tell it by its name. Without one that is given, it is asked for.
pub fn of_new(path: &Path, given: Option<&str>) -> anyhow::Result<Option<String>> {
    let extension = path.extension().unwrap_or_default();
    match given {
        Some(password) => Ok(Some(password.to_owned())),
        None if !extension.eq_ignore_ascii_case("cbz") => Ok(None),
        None if can_ask() => ask_twice(path).map(Some),
        None => bail!("{} needs a password: say --password", path.display()),
    }
}

/// Asks for a new password. Who mistypes one that cannot be seen would never open the file again.
fn ask_twice(path: &Path) -> anyhow::Result<String> {
    let password = ask(path)?;
    let again = rpassword::prompt_password("The same again: ").context("cannot read a password")?;
    agreed(password, &again)
}

fn agreed(password: String, again: &str) -> anyhow::Result<String> {
    match password == again {
        true => Ok(password),
        false => bail!("the two passwords are not the same: nothing was written"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_password_is_typed_twice_the_same() {
        assert_eq!(agreed("sesame".into(), "sesame").unwrap(), "sesame");
        assert!(agreed("sesame".into(), "seasme").is_err());
    }

    #[test]
    fn only_a_cbz_needs_one() {
        assert_eq!(of_new(Path::new("a.cbv"), None).unwrap(), None);
        let given = of_new(Path::new("a.CBZ"), Some("x")).unwrap();
        assert_eq!(given.as_deref(), Some("x"));
    }
}
