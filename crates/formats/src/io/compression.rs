//! The compressions we know: their first bytes and their extensions.

use std::{fmt, path::Path};

/// How the bytes of a file are packed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Compression {
    /// As they are.
    #[default]
    None,
    /// Zstandard, `.zst`.
    Zstd,
    /// Gzip, `.gz`.
    Gzip,
    /// Bzip2, `.bz2`.
    Bzip2,
    /// Xz, `.xz`.
    Xz,
    /// A zip archive, `.zip`.
    Zip,
}

/// As many bytes as [`Compression::of_content`] wants to see.
pub(super) const HEAD: usize = 10;

const ZSTD: &[u8] = b"\x28\xB5\x2F\xFD";
/// Frames for whom it may concern; the first byte is 0x50 to 0x5F (RFC 8878, section 3.1.2).
const ZSTD_SKIPPABLE: &[u8] = b"\x2A\x4D\x18";
const GZIP: &[u8] = b"\x1F\x8B\x08";
const BZIP2: &[u8] = b"BZh";
/// `BZh9` alone could begin a text; behind the level stands a block or the end of the stream.
const BZIP2_BLOCK: &[u8] = b"\x31\x41\x59\x26\x53\x59";
const BZIP2_END: &[u8] = b"\x17\x72\x45\x38\x50\x90";
const XZ: &[u8] = b"\xFD7zXZ\0";
const ZIP: &[u8] = b"PK\x03\x04";
const ZIP_EMPTY: &[u8] = b"PK\x05\x06";

impl Compression {
    /// Every compression, plain files first.
    pub const ALL: [Compression; 6] = [
        Compression::None,
        Compression::Zstd,
        Compression::Gzip,
        Compression::Bzip2,
        Compression::Xz,
        Compression::Zip,
    ];

    /// What the first bytes of a file (ten are enough) say.
    pub fn of_content(head: &[u8]) -> Compression {
        match head {
            _ if head.starts_with(ZSTD) => Compression::Zstd,
            [0x50..=0x5F, rest @ ..] if rest.starts_with(ZSTD_SKIPPABLE) => Compression::Zstd,
            _ if head.starts_with(GZIP) => Compression::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(BZIP2_BLOCK) || rest.starts_with(BZIP2_END) =>
            {
                Compression::Bzip2
            }
            _ if head.starts_with(XZ) => Compression::Xz,
            _ if head.starts_with(ZIP) || head.starts_with(ZIP_EMPTY) => Compression::Zip,
            _ => Compression::None,
        }
    }

    /// What the extension of a path asks for, in any case: the choice for an output. For an input
    /// it is no more than a guess.
    pub fn of_path(path: impl AsRef<Path>) -> Compression {
        let Some(extension) = path.as_ref().extension() else {
            return Compression::None;
        };
        Compression::ALL
            .into_iter()
            .find(|compression| {
                compression
                    .extension()
                    .is_some_and(|known| extension.eq_ignore_ascii_case(known))
            })
            .unwrap_or_default()
    }

    /// The extension without its dot.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Compression::None => None,
            Compression::Zstd => Some("zst"),
            Compression::Gzip => Some("gz"),
            Compression::Bzip2 => Some("bz2"),
            Compression::Xz => Some("xz"),
            Compression::Zip => Some("zip"),
        }
    }

    /// Whether a whole file is no more than the beginning of the mark that opens this
    /// compression: then it was cut off before it could be recognised.
    pub(super) fn is_cut_mark(self, file: &[u8]) -> bool {
        let mark = match self {
            Compression::None => return false,
            Compression::Zstd if file.first().is_some_and(|byte| byte >> 4 == 5) => {
                return ZSTD_SKIPPABLE.starts_with(&file[1..]);
            }
            Compression::Zstd => ZSTD,
            Compression::Gzip => GZIP,
            Compression::Bzip2 => {
                let (mark, block) = file.split_at(file.len().min(4));
                return !file.is_empty()
                    && BZIP2.starts_with(&mark[..mark.len().min(3)])
                    && (BZIP2_BLOCK.starts_with(block) || BZIP2_END.starts_with(block));
            }
            Compression::Xz => XZ,
            Compression::Zip => {
                return !file.is_empty() && (ZIP.starts_with(file) || ZIP_EMPTY.starts_with(file));
            }
        };
        !file.is_empty() && mark.starts_with(file)
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::None => "plain",
            Compression::Zstd => "zstd",
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Zip => "zip",
        })
    }
}
