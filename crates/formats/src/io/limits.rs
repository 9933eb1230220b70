//! How far a compressed file may grow: a few bytes can unpack to terabytes of zeros.

/// 64 TiB, more than anybody keeps in one file; a server that takes files from strangers wants less.
pub const DEFAULT_MAX_OUTPUT: u64 = 64 << 40;

/// 2,000 bytes out of one. Games of chess reach 3 to 10; zeros packed by zstd, bzip2 or xz exceed it
/// at once. Gzip and deflate cannot: their formats end at 1,032, which keeps such a bomb in
/// proportion to its file.
///
/// Made-up files may be stopped by it: 50 KB of games, repeated to 100 MB, reach 3,800 with zstd.
pub const DEFAULT_MAX_RATIO: u64 = 2_000;

/// 64 MiB may come out before [`InputLimits::max_ratio`] counts: a short file of one repeated game
/// is no attack.
pub const RATIO_GRACE: u64 = 64 << 20;

/// 1 GiB. `zstd -19` wants 8 MiB, `zstd --long` 128 MiB, `xz -9` 65 MiB.
pub const DEFAULT_MAX_MEMORY: u64 = 1 << 30;

/// What a compressed [`Input`](super::Input) may cost. Plain files are as large as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputLimits {
    /// Bytes that may come out; [`DEFAULT_MAX_OUTPUT`].
    pub max_output: u64,
    /// Bytes that may come out of one byte of the file, once [`RATIO_GRACE`] has come out;
    /// [`DEFAULT_MAX_RATIO`].
    pub max_ratio: u64,
    /// Bytes of memory that a file may ask of the zstd and xz decoders; [`DEFAULT_MAX_MEMORY`].
    /// Zstd knows only powers of two: the next lower one counts, but at least 1 KiB.
    pub max_memory: u64,
}

impl Default for InputLimits {
    fn default() -> InputLimits {
        InputLimits {
            max_output: DEFAULT_MAX_OUTPUT,
            max_ratio: DEFAULT_MAX_RATIO,
            max_memory: DEFAULT_MAX_MEMORY,
        }
    }
}

impl InputLimits {
    /// Checks that `output` bytes may have come out of `raw` bytes of the file.
    pub fn check_ratio(&self, output: u64, raw: u64) -> Result<(), LimitReached> {
        if output > RATIO_GRACE && output / raw.max(1) >= self.max_ratio {
            return Err(LimitReached::Ratio(self.max_ratio));
        }
        Ok(())
    }
}

/// The limit that stopped an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LimitReached {
    /// [`InputLimits::max_output`].
    #[error("it unpacks to more than {0} bytes")]
    Output(u64),
    /// [`InputLimits::max_ratio`].
    #[error("it unpacks to more than {0} times its size")]
    Ratio(u64),
    /// [`InputLimits::max_memory`].
    #[error("unpacking it takes more than {0} bytes of memory")]
    Memory(u64),
}
