//! The index of a segment: which games have a position, and what they play there.
//!
//! Most positions stand in one game only. For those there is a table that knows about where the
//! game is, and not the position; the few games that it names are played, and one of them has it or none
//! has. Positions that several games have are kept as [runs](run): the games by what they play
//! there, with sums. Keys collide: those of a run are compared by a hash of the board too when it is
//! made, and one of them on the board with the position that is asked for.
//!
//! An index is made of a segment and of nothing else, and can be made again. Without one, or with a
//! damaged one, all games are told instead.

mod answer;
mod asked;
mod bits;
mod build;
mod checker;
mod entry;
mod facts;
mod file;
mod fuse;
mod hits;
mod key;
mod run;
mod shard;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use bytes::Bytes;

use crate::{movetext::Player, segment::read::Segment};

pub(crate) use build::{BuildError, Plan, build};
pub use hits::Hits;

use asked::Asked;
use file::File;

/// An index that is open.
pub(crate) struct Index(File);

impl Index {
    /// Opens the file of a segment of so many rows. `None` if it is not as it was written; what is
    /// behind its end is looked at later.
    pub fn open(bytes: Bytes, crc: u32, rows: u64) -> Option<Index> {
        let file = File::open(bytes, crc)?;
        (u64::from(file.foot.rows) == rows).then_some(Index(file))
    }

    /// Whether all of it is as it was written.
    pub fn is_whole(&self) -> bool {
        self.0.check_all().is_ok()
    }

    /// How many games it leaves out, at most.
    pub fn left_out(&self) -> u64 {
        // Each of them takes a byte or more.
        self.0.foot.rest.into()
    }

    /// Opens a file with whatever checksums it should have.
    #[cfg(test)]
    fn sealed(mut bytes: Vec<u8>) -> Option<Index> {
        let crc = file::seal(&mut bytes)?;
        File::open(bytes.into(), crc).map(Index)
    }

    fn ask<'a>(&'a self, segment: &'a Segment) -> Asked<'a> {
        Asked {
            segment,
            file: &self.0,
            player: &PLAYER,
        }
    }
}

static PLAYER: LazyLock<Player> = LazyLock::new(Player::new);
