//! Databases of Scid, versions 4 and 5.
//!
//! A database is three files: an index with a record of fixed size for each game (`.si4`, `.si5`),
//! the names that games share (`.sn4`, `.sn5`), and the games themselves (`.sg4`, `.sg5`). Both
//! versions have the same games; they differ in index and names. Version 3 can be read.
//!
//! | here | what it does |
//! |---|---|
//! | [`Scid`] | reads a database |
//! | [`Writer`], [`Builder`] | write one, or add to one |
//! | [`Editor`], [`compact`] | change one |
//! | [`explain_game`] | shows what every byte means |
//!
//! # What is read
//!
//! Everything a game has. The seven tags of every game come first, then ratings, ECO, event date
//! and flags (`ScidFlags`), which have fields in the index, then all other tags. An empty name is a
//! tag that is not there. Texts are UTF-8 or, in old databases, Windows-1252.
//!
//! Fields of the index that follow from the moves are not believed: in old databases many are
//! stale. A move that is not legal ends the game with an error that holds the rest of the record.
//!
//! # What is written
//!
//! Everything, the fields that searches rely on included. What a field has no room for becomes an
//! extra tag. Comments are joined where a move has several, because there is room for one; a
//! start from which Scid cannot load a game is refused, and so are records of 128 KiB and more.
//! A game whose `ScidFlags` have a `D` is written as deleted.
//!
//! ```
//! use tabiya_formats::{pgn::Parser, scid::{Builder, Scid, Version, Writer, explain_game}};
//!
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.si4");
//! let mut writer = Writer::new(Version::Si4);
//! Parser::new("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 *").read_game(&mut writer);
//! let mut builder = Builder::create(Version::Si4, &path)?;
//! builder.add(&writer.take())?;
//! builder.finish()?;
//!
//! let scid = Scid::open(&path, Default::default())?;
//! assert_eq!(scid.record(1), Some(&b"\0\0\xcf\xcf\x67\x22\x59\x81\x52\x0f"[..]));
//! let dump = explain_game(&scid, 1).unwrap();
//! let moves = &dump.sections[4].lines;
//! assert_eq!(moves[4].san.as_deref(), Some("3. Bb5"));
//! assert_eq!(moves[4].meaning, "bishop 5, falling to the b-file");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod database;
mod derived;
mod edit;
mod error;
mod explain;
mod files;
mod format;
mod game;
mod header;
mod index;
mod info;
mod names;
mod pending;
mod start;
mod stored_lines;
mod tell;
#[cfg(test)]
mod tests;
mod writer;

pub use builder::Builder;
pub use database::Scid;
pub use edit::{Editor, compact};
pub use error::{Error, ErrorKind, File};
pub use explain::explain_game;
pub use format::FORMAT;
pub use index::{Entry, HomePawns, NAMES, fields};
pub use info::Information;
pub use pending::NewGames;
pub use tell::ReadOptions;
pub use writer::Writer;

/// A version of the files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Version {
    /// Version 3, which can only be read.
    Si3,
    /// Version 4.
    Si4,
    /// Version 5.
    Si5,
}

impl Version {
    /// The digit in the extensions of its files.
    const fn digit(self) -> char {
        match self {
            Version::Si3 => '3',
            Version::Si4 => '4',
            Version::Si5 => '5',
        }
    }

    /// The version in which its games are written.
    const fn written(self) -> Version {
        match self {
            Version::Si3 => Version::Si4,
            other => other,
        }
    }
}
