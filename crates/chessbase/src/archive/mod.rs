//! ChessBase archives: `.cbv`, and `.cbz` with a password.
//!
//! An archive is a list of members, then their data in blocks of at most 60 KB. A block is stored
//! as it is, or goes through an LZ stage, a Huffman stage, or both. A `.cbz` is the same under DES.
//!
//! [`Archive`] reads, [`unpack()`] writes the members to a folder, [`unpack_temporary`] gives
//! readers a `.cbh` for a while; [`pack`] and [`Packer`] write archives that ChessBase's own
//! readers should take: blocks, order and fields are like in its archives.
//!
//! Nothing in an archive is trusted. Names that would leave the folder, that are devices on
//! Windows or that are there twice are refused when the archive is opened, and so is data outside
//! the file or shared by two members. More than the announced size never comes out of a member,
//! and memory stays below half a megabyte however large it is. Blocks carry a checksum.
//!
//! ```
//! use std::io::{Cursor, Read};
//! use tabiya_chessbase::archive::{Archive, Packer};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut packer = Packer::new();
//! packer.add("games.ini", None, &b"[DescrCBG]\r\nTitle=Games\r\n"[..])?;
//! let mut bytes = Vec::new();
//! packer.finish(&mut bytes, Some("secret"))?;
//!
//! let mut archive = Archive::open(Cursor::new(bytes), Some("secret"))?;
//! assert_eq!(archive.members()[0].name(), "games.ini");
//! let mut text = String::new();
//! archive.read(0).read_to_string(&mut text)?;
//! assert!(text.contains("Title=Games"));
//! # Ok(())
//! # }
//! ```

mod block;
mod des;
mod error;
mod header;
mod huffman;
mod lz;
mod matcher;
pub(super) mod name;
mod reader;
mod unpack;
mod writer;

#[cfg(test)]
mod tests;

pub use error::{ArchiveError, ArchiveErrorKind, BlockFault, NameFault};
pub use header::{Member, Modified};
pub use reader::{Archive, MemberReader};
pub use unpack::{Existing, Unpacked, salvage, salvage_temporary, unpack, unpack_temporary};
pub(super) use unpack::{
    Members, salvage_database, salvage_members, unpack_database, unpack_members,
};
pub use writer::{Packed, Packer, database_files, pack, pack_database};

/// Whether a file begins like an archive without a password. One with a password begins like
/// anything: only its name, `.cbz`, tells.
pub fn recognise(head: &[u8]) -> bool {
    let directory = head
        .first_chunk()
        .and_then(|head| header::Directory::parse(*head));
    directory.is_some_and(|directory| directory.is_usual)
}
