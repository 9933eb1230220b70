//! Which formats there are, what they hold, and how a file is told to be of one.
//!
//! [`FORMATS`] is a plain table. [`open`] looks at the content of an input first and at its name
//! only where the content does not tell; [`writer`] and [`target`] make what writes a format.
//!
//! ```
//! use tabiya_formats::registry::{self, FormatSpec};
//!
//! let spec: FormatSpec = "uci:position".parse()?;
//! assert_eq!(spec.format.name, "uci");
//! assert_eq!(registry::by_path("games.pgn.zst").unwrap().to_string(), "pgn");
//!
//! let error = "uci:x".parse::<FormatSpec>().unwrap_err();
//! assert_eq!(error.to_string(), "uci has no profile \"x\": expected moves or position");
//! # Ok::<(), registry::SpecError>(())
//! ```

mod create;
mod edit;
mod foreign;
mod info;
mod open;
pub mod place;
mod spec;
#[cfg(test)]
mod tests;
mod zipped;

use std::{ffi::OsStr, fs, path::Path};

use encoding_rs::Encoding;
use tabiya_game::Limits;

use crate::{
    chessbase, cmbr, io::Compression, io::folder_of, jose, lines, pgn, ply16, scid, table,
};

pub use create::{sealed_target, target, writer};
pub(crate) use edit::Editing;
pub use edit::{Compacted, Editor, Mark};
pub use foreign::{FOREIGN, Foreign};
pub use info::{Candidate, Certainty, FormatInfo, Holds, LocalFile, Profile};
pub(crate) use info::{Creator, OpenResult, Opener, TargetKind};
pub use open::{Opened, dump, is_sealed, open, open_input};
pub use spec::{Dialect, FormatSpec, SpecError, listed, names};

/// All formats.
pub const FORMATS: &[FormatInfo] = &[
    pgn::FORMAT,
    chessbase::FORMAT,
    jose::FORMAT,
    scid::FORMAT,
    ply16::FORMAT,
    cmbr::FORMAT,
    lines::UCI,
    lines::LAN,
    lines::FEN,
    lines::EPD,
    table::CSV,
    table::JSONL,
];

/// How a database is read.
#[derive(Clone, Default, Debug)]
pub struct ReadOptions {
    /// The encoding of texts, where the format does not say.
    pub encoding: Option<&'static Encoding>,
    /// Limits against hostile files.
    pub limits: Limits,
    /// Dates of jose's databases are a day early, as in the archives that were published.
    pub jose_date_fix: bool,
    /// Entries that are marked as deleted are wanted too.
    pub deleted: bool,
    /// The password of an archive that has one.
    pub password: Option<String>,
    /// Of an archive that is damaged or cut off, what can be read is wanted; the rest is a warning.
    pub salvage: bool,
}

/// How games are written. What is not wanted is left out and is not lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// The moves of a game in one line, in formats that have a choice.
    pub one_line: bool,
    /// Comments and annotations are wanted.
    pub comments: bool,
    /// Variations are wanted.
    pub variations: bool,
    /// NAGs are wanted.
    pub nags: bool,
    /// Annotations that only another format understands are kept as they are, in formats that
    /// have a spelling for them. Without this they are lost.
    pub keep_raw: bool,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            one_line: false,
            comments: true,
            variations: true,
            nags: true,
            keep_raw: false,
        }
    }
}

impl WriteOptions {
    pub(crate) fn wishes(&self) -> lines::Wishes {
        lines::Wishes {
            comments: self.comments,
            variations: self.variations,
            nags: self.nags,
        }
    }
}

/// All dialects of all formats.
pub fn dialects() -> impl Iterator<Item = Dialect> {
    FORMATS.iter().flat_map(|format| {
        let profiles = format.profiles.iter();
        profiles.map(move |profile| Dialect { format, profile })
    })
}

/// The format of a name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static FormatInfo> {
    FORMATS
        .iter()
        .find(|format| format.name.eq_ignore_ascii_case(name))
}

/// The dialect that the extension of a path says, whatever it is packed with.
#[must_use]
pub fn by_path(path: impl AsRef<Path>) -> Option<Dialect> {
    let extension = extension(path.as_ref())?;
    dialects().find(|dialect| dialect.profile.extensions.contains(&extension.as_str()))
}

/// The dialect that the content of a file says, and how surely.
#[must_use]
pub fn by_content(candidate: &Candidate<'_>) -> Option<(Dialect, Certainty)> {
    let judged = dialects().map(|dialect| (dialect, dialect.profile.recognise(candidate)));
    best(judged)
}

/// The first of those that are the most certain, if there is any certainty.
fn best(judged: impl Iterator<Item = (Dialect, Certainty)>) -> Option<(Dialect, Certainty)> {
    let mut best = None;
    for (dialect, certainty) in judged {
        if certainty > best.map_or(Certainty::No, |(_, certainty)| certainty) {
            best = Some((dialect, certainty));
        }
    }
    best
}

/// How many bytes a database takes: a file, with those beside it that belong to it, or all files of a
/// folder. `None` if it is neither.
#[must_use]
pub fn bytes_on_disk(path: &Path, dialect: Dialect) -> Option<u64> {
    let profile = dialect.profile;
    let length = |path: &Path| {
        let metadata = fs::metadata(path).ok()?;
        metadata.is_file().then_some(metadata.len())
    };
    let (folder, stem) = match path.is_dir() {
        true => (path, None),
        false if !profile.is_several_files() => return length(path),
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
            profile.extensions.contains(&name) || profile.companions.contains(&name)
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
