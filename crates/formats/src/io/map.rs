//! Files in memory without reading them. The one place in this crate with `unsafe`.
#![allow(unsafe_code)]

use std::{fs::File, io};

use memmap2::Mmap;

/// Maps a file for reading.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a mapping is a slice that nobody may change while it lives, which no program can
    // promise for a file: whoever writes to it meanwhile changes the slice, and whoever cuts it
    // off ends this process with a signal. Readers here look at bytes only through slices of
    // `u8`, check every length and offset they find, and never rely on having seen a byte twice
    // with the same value, so a change can give a wrong game but no wrong access. The file is
    // opened for reading and outlives this call; `memmap2` keeps what it needs of it.
    unsafe { Mmap::map(file) }
}
