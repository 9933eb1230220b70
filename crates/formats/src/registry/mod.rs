//! Which formats there are, what they hold, and how a file is told to be of one.
//!
//! [`FORMATS`] is a plain table. [`open`] looks at the content of an input first and at its name
//! only where the content does not tell; [`create`] makes a writer.
//!
//! ```
//! use tabiya_formats::registry::{self, FormatSpec};
//!
//! let spec: FormatSpec = "uci:position".parse()?;
//! assert_eq!(spec.format.name, "uci");
//! assert_eq!(registry::by_path("games.pgn.zst").unwrap().name, "pgn");
//!
//! let error = "pdf".parse::<FormatSpec>().unwrap_err();
//! assert_eq!(error.to_string(), "no format \"pdf\": expected pgn, uci, lan, fen or epd");
//! # Ok::<(), registry::SpecError>(())
//! ```

mod foreign;
mod open;
mod spec;
#[cfg(test)]
mod tests;

use std::path::Path;

use encoding_rs::Encoding;
use tabiya_game::Limits;

use crate::{
    Database, GameWriter,
    io::Compression,
    lines::{self, MoveWriter, PositionWriter, Wishes},
    pgn,
};

pub use foreign::{FOREIGN, Foreign};
pub use open::{OpenError, Opened, open};
pub use spec::{CreateError, FormatSpec, SpecError, create};

/// A format: what it is, what it holds, and how it is read and written.
#[derive(Debug)]
pub struct FormatInfo {
    /// Its short name, as options take it.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its dialects, the usual one first; empty if there is only one.
    pub profiles: &'static [Profile],
    /// The extensions of its files, without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// What it can hold.
    pub holds: Holds,
    /// What cannot be exceeded.
    pub limits: &'static str,
    recognise: fn(&[u8]) -> Certainty,
    open: Option<OpenFn>,
    create: Option<CreateFn>,
}

type OpenFn = fn(Box<dyn std::io::Read + Send>, &ReadOptions) -> Box<dyn Database>;
type CreateFn = fn(Option<&'static Profile>, &WriteOptions) -> Box<dyn GameWriter>;

impl FormatInfo {
    /// Whether it can be read.
    #[must_use]
    pub const fn reads(&self) -> bool {
        self.open.is_some()
    }

    /// Whether it can be written.
    #[must_use]
    pub const fn writes(&self) -> bool {
        self.create.is_some()
    }

    /// Whether the first bytes of a file look like it.
    #[must_use]
    pub fn recognise(&self, head: &[u8]) -> Certainty {
        (self.recognise)(head)
    }
}

/// A dialect of a format.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name, as it stands behind the colon.
    pub name: &'static str,
    /// What is different.
    pub title: &'static str,
}

/// What a format can hold besides the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holds {
    /// The tags that most games have: names, event, date, result.
    pub tags: bool,
    /// Any other tags.
    pub unknown_tags: bool,
    /// Variations.
    pub variations: bool,
    /// Comments.
    pub comments: bool,
    /// NAGs.
    pub nags: bool,
    /// Starts from any position.
    pub setups: bool,
    /// Castling with rooks and kings anywhere.
    pub chess960: bool,
}

/// How sure a format is that a file is one of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// It is none.
    No,
    /// It may be one.
    Perhaps,
    /// It is one.
    Sure,
}

/// How a database is read.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReadOptions {
    /// The encoding of texts, where the format does not say.
    pub encoding: Option<&'static Encoding>,
    /// Limits against hostile files.
    pub limits: Limits,
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
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            one_line: false,
            comments: true,
            variations: true,
            nags: true,
        }
    }
}

impl WriteOptions {
    fn wishes(&self) -> Wishes {
        Wishes {
            comments: self.comments,
            variations: self.variations,
            nags: self.nags,
        }
    }
}

/// What a line of moves or of positions holds.
const BARE: Holds = Holds {
    tags: false,
    unknown_tags: false,
    variations: false,
    comments: false,
    nags: false,
    setups: true,
    chess960: true,
};

/// All formats.
pub const FORMATS: &[FormatInfo] = &[
    FormatInfo {
        name: "pgn",
        title: "Portable Game Notation",
        profiles: &[],
        extensions: &["pgn"],
        holds: Holds {
            tags: true,
            unknown_tags: true,
            variations: true,
            comments: true,
            nags: true,
            setups: true,
            chess960: true,
        },
        limits: "64 MiB a game, 1,024 nested variations",
        recognise: pgn::recognise::recognise,
        open: Some(open_pgn),
        create: Some(create_pgn),
    },
    FormatInfo {
        name: "uci",
        title: "moves as engines write them, a game a line",
        profiles: &[
            Profile {
                name: "moves",
                title: "e2e4 e7e5; another start has `position fen FEN moves` before it",
            },
            Profile {
                name: "position",
                title: "position startpos moves e2e4 e7e5",
            },
        ],
        extensions: &["uci"],
        holds: BARE,
        limits: "none",
        recognise: lines::recognise::uci,
        open: None,
        create: Some(|profile, options| {
            let writer = match profile {
                Some(profile) if profile.name == "position" => MoveWriter::uci_position(),
                _ => MoveWriter::uci(),
            };
            Box::new(writer.with_wishes(options.wishes()))
        }),
    },
    FormatInfo {
        name: "lan",
        title: "long algebraic moves, a game a line",
        profiles: &[],
        extensions: &["lan"],
        holds: BARE,
        limits: "none",
        recognise: lines::recognise::lan,
        open: None,
        create: Some(|_, options| Box::new(MoveWriter::lan().with_wishes(options.wishes()))),
    },
    FormatInfo {
        name: "fen",
        title: "every position of the main lines, one a line",
        profiles: &[],
        extensions: &["fen"],
        holds: BARE,
        limits: "none",
        recognise: lines::recognise::fen,
        open: None,
        create: Some(|_, options| Box::new(PositionWriter::fen().with_wishes(options.wishes()))),
    },
    FormatInfo {
        name: "epd",
        title: "every position of the main lines, with clocks and players",
        profiles: &[],
        extensions: &["epd"],
        holds: BARE,
        limits: "none",
        recognise: lines::recognise::epd,
        open: None,
        create: Some(|_, options| Box::new(PositionWriter::epd().with_wishes(options.wishes()))),
    },
];

fn open_pgn(input: Box<dyn std::io::Read + Send>, options: &ReadOptions) -> Box<dyn Database> {
    let options = pgn::ReadOptions {
        encoding: options.encoding,
        limits: options.limits,
    };
    Box::new(pgn::Pgn::new(input, options))
}

fn create_pgn(_: Option<&'static Profile>, options: &WriteOptions) -> Box<dyn GameWriter> {
    let defaults = pgn::WriteOptions::default();
    Box::new(pgn::Writer::new(pgn::WriteOptions {
        columns: if options.one_line {
            None
        } else {
            defaults.columns
        },
        comments: options.comments,
        variations: options.variations,
        nags: options.nags,
    }))
}

/// The format of a name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static FormatInfo> {
    FORMATS
        .iter()
        .find(|format| format.name.eq_ignore_ascii_case(name))
}

/// The format that the extension of a path says, whatever it is packed with.
#[must_use]
pub fn by_path(path: impl AsRef<Path>) -> Option<&'static FormatInfo> {
    let extension = extension(path.as_ref())?;
    FORMATS
        .iter()
        .find(|format| format.extensions.contains(&extension.as_str()))
}

/// The format that the first bytes of an unpacked file say, and how surely.
#[must_use]
pub fn by_content(head: &[u8]) -> Option<(&'static FormatInfo, Certainty)> {
    let mut best = None;
    for format in FORMATS {
        let certainty = format.recognise(head);
        if certainty > best.map_or(Certainty::No, |(_, certainty)| certainty) {
            best = Some((format, certainty));
        }
    }
    best
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
