//! The file `.ply16`: words of the document's profile with all tags of their games.
//!
//! The document has no file; this one is tabiya's own. It is written from front to back and read
//! so: a pipe will do. Every game says how long it is and has a checksum; where bytes are
//! damaged, the next game is found by its mark.
//!
//! ```
//! use tabiya_formats::{Database, ply16::file, pgn::Parser};
//! use tabiya_game::GameTree;
//!
//! let mut records = file::RecordWriter::default();
//! Parser::new("[White \"Réti\"]\n1. Nf3 d5 2. c4 1/2").read_game(&mut records);
//! let bytes = [file::HEADING.to_vec(), records.take()].concat();
//!
//! let mut games = file::Ply16::new(&bytes[..], Default::default());
//! let mut tree = GameTree::default();
//! games.next_part()?.expect("a part").tell(&mut tree)?;
//! assert_eq!(tree.tags.get("White"), Some("Réti"));
//! assert_eq!(tree.main_line().count(), 3);
//! # Ok::<(), tabiya_game::Error>(())
//! ```

mod explain;
mod reader;
mod record;
mod split;
mod writer;

use crate::registry::Certainty;

pub use explain::explain_game;
pub use reader::Ply16;
pub use writer::RecordWriter;

/// How a file begins. The first byte is not ASCII and the last two are a line break: a file that
/// went through a transfer of texts is found out at once.
pub const MAGIC: [u8; 8] = *b"\x89PLY16\r\n";

/// What the [`Records`](crate::Records) of a [`RecordWriter`] are called.
pub(super) const RECORDS: &str = "ply16";

/// The version of the layout.
const VERSION: u16 = 1;

/// The bytes before the first game: [`MAGIC`], version, flags.
const HEADER: usize = 12;

/// The bytes before the first record.
pub const HEADING: [u8; HEADER] = {
    let mut heading = [0; HEADER];
    let mut at = 0;
    while at < MAGIC.len() {
        heading[at] = MAGIC[at];
        at += 1;
    }
    [heading[8], heading[9]] = VERSION.to_be_bytes();
    heading
};

/// How a game begins. No byte FD stands in UTF-8, in a piece byte, or at the front of a length, so
/// the mark cannot stand among the fields of a game.
const MARK: [u8; 4] = *b"\xfdGM\xfd";

/// The bytes of a game before its fields: [`MARK`], length, checksum.
const FRAME: usize = 12;

/// How many bytes the fields of a game may have.
const MOST: usize = 64 << 20;

/// Whether the first bytes of a file are those of a `.ply16` file.
#[must_use]
pub fn recognise(head: &[u8]) -> Certainty {
    match head.starts_with(&MAGIC) {
        true => Certainty::Sure,
        false => Certainty::No,
    }
}

fn checksum(fields: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(fields);
    crc.sum()
}
