//! A format as people name it: `uci` or `uci:position`.

use std::{fmt, str::FromStr};

use super::{FORMATS, FormatInfo, Profile, WriteOptions, by_name};
use crate::GameWriter;

/// A format and perhaps one of its dialects.
#[derive(Clone, Copy, Debug)]
pub struct FormatSpec {
    /// The format.
    pub format: &'static FormatInfo,
    /// The dialect; the usual one if it is `None`.
    pub profile: Option<&'static Profile>,
}

impl FormatSpec {
    /// A format in its usual dialect.
    #[must_use]
    pub const fn of(format: &'static FormatInfo) -> FormatSpec {
        FormatSpec {
            format,
            profile: None,
        }
    }
}

impl fmt::Display for FormatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format.name)?;
        match self.profile {
            Some(profile) => write!(f, ":{}", profile.name),
            None => Ok(()),
        }
    }
}

/// The text names no format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// There is no such format.
    #[error("no format {name:?}: expected {}", listed(FORMATS.iter().map(|format| format.name)))]
    Format {
        /// What was asked for.
        name: String,
    },
    /// The format has no such dialect.
    #[error("{format} has no profile {profile:?}: expected {expected}")]
    Profile {
        /// The format.
        format: &'static str,
        /// What was asked for.
        profile: String,
        /// What there is.
        expected: String,
    },
}

impl FromStr for FormatSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<FormatSpec, SpecError> {
        let (name, profile) = match text.split_once(':') {
            Some((name, profile)) => (name, Some(profile)),
            None => (text, None),
        };
        let format = by_name(name).ok_or_else(|| SpecError::Format { name: name.into() })?;
        let Some(wanted) = profile else {
            return Ok(FormatSpec::of(format));
        };
        let named = |profile: &&Profile| profile.name.eq_ignore_ascii_case(wanted);
        match format.profiles.iter().find(named) {
            Some(profile) => Ok(FormatSpec {
                format,
                profile: Some(profile),
            }),
            None => Err(SpecError::Profile {
                format: format.name,
                profile: wanted.to_string(),
                expected: match format.profiles {
                    [] => format!("{} alone", format.name),
                    profiles => listed(profiles.iter().map(|profile| profile.name)),
                },
            }),
        }
    }
}

/// A format cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{format} can be read but not written: expected {}",
    listed(writable())
)]
pub struct CreateError {
    /// The format.
    pub format: &'static str,
}

/// A writer of a format.
///
/// # Errors
/// If the format can only be read.
pub fn create(
    spec: FormatSpec,
    options: &WriteOptions,
) -> Result<Box<dyn GameWriter>, CreateError> {
    match spec.format.create {
        Some(create) => Ok(create(spec.profile, options)),
        None => Err(CreateError {
            format: spec.format.name,
        }),
    }
}

fn writable() -> impl Iterator<Item = &'static str> {
    let formats = FORMATS.iter().filter(|format| format.writes());
    formats.map(|format| format.name)
}

/// The names of what can be read.
pub(super) fn readable() -> impl Iterator<Item = &'static str> {
    let formats = FORMATS.iter().filter(|format| format.reads());
    formats.map(|format| format.name)
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    match names.as_slice() {
        [] => "none".to_string(),
        [name] => (*name).to_string(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}
