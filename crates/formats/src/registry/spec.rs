//! A format as people name it: `uci` or `uci:position`.

use std::{fmt, ops::Deref, path::Path};

use super::{Candidate, FormatInfo, Profile, Registry, best, extension, profiles_of};

/// A format and one of its profiles.
#[derive(Clone, Copy, Debug)]
pub struct FormatProfile {
    /// The format.
    pub format: &'static FormatInfo,
    /// The profile.
    pub profile: &'static dyn Profile,
}

/// It can do what its profile can.
impl Deref for FormatProfile {
    type Target = dyn Profile;

    fn deref(&self) -> &Self::Target {
        self.profile
    }
}

impl FormatProfile {
    /// Whether its files have an extension, which is in lower case.
    pub(super) fn is_called(&self, extension: &str) -> bool {
        self.profile.extensions().contains(&extension)
    }
}

/// As in an option: `pgn`, `jose:document`.
impl fmt::Display for FormatProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format.name)?;
        match self.profile.name() {
            "" => Ok(()),
            name => write!(f, ":{name}"),
        }
    }
}

/// A format and perhaps one of its profiles, as people ask for it.
#[derive(Clone, Copy, Debug)]
pub struct FormatSpec {
    /// The format.
    pub format: &'static FormatInfo,
    /// The profile, if one was named.
    pub profile: Option<&'static dyn Profile>,
    /// The extension of its files that it was named by, as `cbz` names an archive.
    pub extension: Option<&'static str>,
}

impl FormatSpec {
    /// The profile that is meant for reading a file: the one named, or else the one that the file
    /// looks like, or else the first that can be read.
    #[must_use]
    pub fn for_reading(&self, candidate: &Candidate<'_>) -> FormatProfile {
        let judged = self.profiles().filter(|profile| profile.reads());
        let judged = judged.map(|profile| (profile, profile.recognise(candidate)));
        let found = best(judged).map(|(profile, _)| profile);
        self.named()
            .or(found)
            .unwrap_or_else(|| self.first(|profile| profile.reads()))
    }

    /// The profile that is meant for writing: the one named, or else the one whose files are
    /// called like this, or else the first that can be written.
    #[must_use]
    pub fn for_writing(&self, path: Option<&Path>) -> FormatProfile {
        let extension = path.and_then(extension);
        let by_path = extension.and_then(|extension| {
            let mut written = self.profiles().filter(|profile| profile.writes());
            written.find(|profile| profile.is_called(&extension))
        });
        self.named()
            .or(by_path)
            .unwrap_or_else(|| self.first(|profile| profile.writes()))
    }

    /// The profile that is meant for games as bare bytes.
    #[must_use]
    pub fn for_streams(&self) -> FormatProfile {
        self.named()
            .unwrap_or_else(|| self.first(|profile| profile.streams()))
    }

    fn profiles(&self) -> impl Iterator<Item = FormatProfile> {
        profiles_of(self.format)
    }

    fn named(&self) -> Option<FormatProfile> {
        let format = self.format;
        self.profile
            .map(|profile| FormatProfile { format, profile })
    }

    /// The first profile that can do something; if none can, the usual one.
    fn first(&self, can: impl Fn(&dyn Profile) -> bool) -> FormatProfile {
        let able = self.profiles().find(|profile| can(profile.profile));
        able.unwrap_or(FormatProfile {
            format: self.format,
            profile: self.format.profiles[0],
        })
    }
}

impl fmt::Display for FormatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format.name)?;
        match self.profile {
            Some(profile) => write!(f, ":{}", profile.name()),
            None => Ok(()),
        }
    }
}

/// The text names no format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// There is no such format.
    #[error("no format {name:?}: expected {expected}")]
    Format {
        /// What was asked for.
        name: String,
        /// What there is.
        expected: String,
    },
    /// The format has no such profile.
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

impl Registry {
    /// A format as people name it: `pgn`, `jose:document`.
    ///
    /// # Errors
    /// If there is no such format, or it has no such profile.
    pub fn spec(&self, text: &str) -> Result<FormatSpec, SpecError> {
        let (name, profile) = match text.split_once(':') {
            Some((name, profile)) => (name, Some(profile)),
            None => (text, None),
        };
        let Some(format) = self.by_name(name) else {
            let unknown = || SpecError::Format {
                name: name.into(),
                expected: listed(self.names(|_| true).into_iter()),
            };
            return match profile {
                None => self.by_profile(name).ok_or_else(unknown),
                Some(_) => Err(unknown()),
            };
        };
        let Some(wanted) = profile else {
            return Ok(FormatSpec {
                format,
                profile: None,
                extension: None,
            });
        };
        match find_profile(format, wanted) {
            Some(profile) => Ok(FormatSpec {
                format,
                profile: Some(profile),
                extension: None,
            }),
            None => Err(SpecError::Profile {
                format: format.name,
                profile: wanted.to_string(),
                expected: match format.profiles {
                    [_] => format!("{} alone", format.name),
                    profiles => listed(profiles.iter().map(|profile| profile.name())),
                },
            }),
        }
    }

    /// A profile whose name begins with that of its format needs no colon: `cmbr24`. Nor does one
    /// that is called by the extension of its files: `cbh`.
    fn by_profile(&self, name: &str) -> Option<FormatSpec> {
        let own = |profile: &FormatProfile| {
            let own = profile.name();
            own.starts_with(profile.format.name) && own.eq_ignore_ascii_case(name)
        };
        let called = |profile: FormatProfile| {
            let extensions = profile.extensions().iter();
            let mut same = extensions.filter(|extension| extension.eq_ignore_ascii_case(name));
            Some((profile, Some(*same.next()?)))
        };
        let own = self.ranked().find(own).map(|profile| (profile, None));
        let (found, extension) = own.or_else(|| self.ranked().find_map(called))?;
        // Every companion of a database means all of it.
        let extension = extension.filter(|_| !found.profile.several_files());
        Some(FormatSpec {
            format: found.format,
            profile: Some(found.profile),
            extension,
        })
    }

    /// The short names of all formats that can do something, as people type them: `pgn`, `cbh`,
    /// `si5`.
    #[must_use]
    pub fn names(&self, can: impl Fn(&dyn Profile) -> bool) -> Vec<&'static str> {
        let mut names = Vec::new();
        for profile in self.profiles().filter(|profile| can(profile.profile)) {
            for name in [Some(&profile.format.name), profile.extensions().first()] {
                names.extend(name.filter(|name| !names.contains(*name)));
            }
        }
        names
    }
}

fn find_profile(format: &'static FormatInfo, wanted: &str) -> Option<&'static dyn Profile> {
    let named =
        |profile: &&dyn Profile| !wanted.is_empty() && profile.name().eq_ignore_ascii_case(wanted);
    format.profiles.iter().copied().find(named)
}

/// `a`, `a or b`, `a, b or c`.
pub fn listed(names: impl Iterator<Item = impl Into<String>>) -> String {
    let names: Vec<String> = names.map(Into::into).collect();
    match names.as_slice() {
        [] => "none".to_string(),
        [name] => name.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}
