//! Which formats there are, what they hold, and how a file is told to be of one.
//!
//! A format is a [`FormatInfo`] with a [`Profile`] for each of its profiles, and is registered in a
//! [`Registry`]. [`Registry::open`] looks at the content of an input first and at its name only
//! where the content does not tell; [`Registry::writer`] and [`Registry::target`] make what writes
//! a format. A format of another crate can do all that those of this one can.
//!
//! ```
//! use tabiya_formats::registry::Registry;
//!
//! let registry = Registry::of(tabiya_formats::FORMATS);
//! let spec = registry.spec("uci:position")?;
//! assert_eq!(spec.format.name, "uci");
//! assert_eq!(registry.by_path("games.pgn.zst").unwrap().to_string(), "pgn");
//!
//! let error = registry.spec("uci:x").unwrap_err();
//! assert_eq!(error.to_string(), "uci has no profile \"x\": expected moves or position");
//! # Ok::<(), tabiya_formats::registry::SpecError>(())
//! ```

mod create;
mod edit;
mod foreign;
mod info;
mod open;
mod options;
pub mod place;
mod profile;
mod spec;
mod unpacked;
mod zipped;

use std::{ffi::OsStr, fs, path::Path};

use crate::io::{Compression, folder_of};

pub use edit::{Compacted, Deletion, Editor};
pub use foreign::{FOREIGN, Foreign};
pub use info::{Candidate, Certainty, FormatInfo, Holds, LocalFile};
pub use open::Opened;
pub use options::{
    OptionInfo, OptionKind, OptionValue, PASSWORD, ReadOptions, Settings, WriteOptions,
};
pub use profile::{
    Creator, Editing, Explainer, OpenContents, OpenFile, OpenResult, OpenStream, Opener, Profile,
};
pub use spec::{FormatProfile, FormatSpec, SpecError, listed};

/// Formats that are known.
///
/// Where two of them claim a file with the same right, it belongs to the one that was registered
/// later; of those that a registry begins with, to the one that comes first.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    formats: Vec<&'static FormatInfo>,
    /// How many of them it began with.
    first: usize,
}

impl Registry {
    /// No format is known.
    #[must_use]
    pub const fn new() -> Registry {
        Registry {
            formats: Vec::new(),
            first: 0,
        }
    }

    /// These formats are known. Those that are most surely recognised come first.
    #[must_use]
    pub fn of(formats: &[&'static FormatInfo]) -> Registry {
        let mut registry = Registry::new();
        for format in formats {
            registry.register(format);
        }
        registry.first = registry.formats.len();
        registry
    }

    /// Adds a format. One of the same name makes room for it.
    pub fn register(&mut self, format: &'static FormatInfo) -> &mut Registry {
        let same = |known: &&mut &FormatInfo| known.name.eq_ignore_ascii_case(format.name);
        match self.formats.iter_mut().find(same) {
            Some(known) => *known = format,
            None => self.formats.push(format),
        }
        self
    }

    /// All formats, in the order they were registered in.
    pub fn formats(&self) -> impl Iterator<Item = &'static FormatInfo> {
        self.formats.iter().copied()
    }

    /// All profiles of all formats.
    pub fn profiles(&self) -> impl Iterator<Item = FormatProfile> {
        self.formats().flat_map(profiles_of)
    }

    /// All profiles; who comes first has the better right.
    fn ranked(&self) -> impl Iterator<Item = FormatProfile> {
        let (first, later) = self.formats.split_at(self.first);
        let ranked = later.iter().rev().chain(first);
        ranked.copied().flat_map(profiles_of)
    }

    /// What formats let one set under a name.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&'static OptionInfo> {
        let mut all = self.profiles().flat_map(|profile| profile.options());
        all.find(|option| option.name == name)
    }

    /// The format of a name.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&'static FormatInfo> {
        self.formats()
            .find(|format| format.name.eq_ignore_ascii_case(name))
    }

    /// The profile that the extension of a path says, whatever it is packed with.
    #[must_use]
    pub fn by_path(&self, path: impl AsRef<Path>) -> Option<FormatProfile> {
        let extension = extension(path.as_ref())?;
        self.ranked().find(|profile| profile.is_called(&extension))
    }

    /// The profile that the content of a file says, and how surely.
    #[must_use]
    pub fn by_content(&self, candidate: &Candidate<'_>) -> Option<(FormatProfile, Certainty)> {
        let judged = self.ranked();
        best(judged.map(|profile| (profile, profile.recognise(candidate))))
    }

    /// The names of all profiles that can do something, for people.
    fn able(&self, can: impl Fn(&dyn Profile) -> bool) -> String {
        let able = self.profiles().filter(|profile| can(profile.profile));
        listed(able.map(|profile| profile.to_string()))
    }
}

fn profiles_of(format: &'static FormatInfo) -> impl Iterator<Item = FormatProfile> {
    let profiles = format.profiles.iter();
    profiles.map(move |&profile| FormatProfile { format, profile })
}

/// The first of those that are the most certain, if there is any certainty.
fn best(
    judged: impl Iterator<Item = (FormatProfile, Certainty)>,
) -> Option<(FormatProfile, Certainty)> {
    let mut best = None;
    for (profile, certainty) in judged {
        if certainty > best.map_or(Certainty::No, |(_, certainty)| certainty) {
            best = Some((profile, certainty));
        }
    }
    best
}

/// How many bytes a database takes: a file, with those beside it that belong to it, or all files of a
/// folder. `None` if it is neither.
#[must_use]
pub fn bytes_on_disk(path: &Path, profile: FormatProfile) -> Option<u64> {
    let length = |path: &Path| {
        let metadata = fs::metadata(path).ok()?;
        metadata.is_file().then_some(metadata.len())
    };
    let (folder, stem) = match path.is_dir() {
        true => (path, None),
        false if !profile.several_files() => return length(path),
        // All of it is packed into one file.
        false if Compression::of_path(path) != Compression::None => return length(path),
        false => (folder_of(path), path.file_stem()),
    };
    let belongs = |file: &Path| {
        let same = |stem: &OsStr| {
            file.file_stem()
                .is_some_and(|own| own.eq_ignore_ascii_case(stem))
        };
        let called = |name: &String| {
            let name = name.as_str();
            profile.extensions().contains(&name) || profile.companions().contains(&name)
        };
        stem.is_none_or(|stem| same(stem) && extension(file).as_ref().is_some_and(called))
    };
    let files = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    Some(
        files
            .filter(|file| belongs(file))
            .filter_map(|file| length(&file))
            .sum(),
    )
}

/// The extension in lower case, without that of a compression.
fn extension(path: &Path) -> Option<String> {
    let stem;
    let path = match Compression::of_path(path) {
        Compression::None => path,
        _ => {
            stem = Path::new(path.file_stem()?).to_path_buf();
            &stem
        }
    };
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}
