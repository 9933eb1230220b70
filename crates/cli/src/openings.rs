//! Which names openings have: those of tabiya's own table, or of another.

use std::{
    borrow::Cow,
    env,
    path::{Path, PathBuf},
};

use anyhow::Context;
use tabiya::openings::{self, Opening, Openings};

/// The variable that names a table.
const VARIABLE: &str = "TABIYA_OPENINGS";

/// The table that was asked for: an option, or else the variable.
pub fn table(given: Option<&Path>) -> anyhow::Result<Cow<'static, Openings>> {
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    match (given, named.map(PathBuf::from)) {
        (Some(path), _) => Ok(Cow::Owned(openings::read(path)?)),
        (None, Some(path)) => {
            let table = openings::read(path);
            let table = table.with_context(|| format!("{VARIABLE} names no table of openings"))?;
            Ok(Cow::Owned(table))
        }
        (None, None) => Ok(Cow::Borrowed(Openings::eco())),
    }
}

/// `B90 Sicilian, Najdorf`
pub fn text(opening: &Opening) -> String {
    format!("{} {}", opening.eco, opening.name)
}
