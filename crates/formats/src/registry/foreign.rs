//! Files that people mistake for games, or that hold games in ways not known here.
//!
//! Marks come from the files' specifications, those of chess databases from files themselves.

use std::path::Path;

use super::extension;

/// A kind of file that cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub struct Foreign {
    /// What it is, with its article.
    pub title: &'static str,
    /// What to do instead.
    pub advice: &'static str,
    /// By what its first bytes tell it.
    marks: &'static [Mark],
    /// The extensions of its files, for those that have no marks.
    extensions: &'static [&'static str],
    /// The extensions of those that commands write, which they may replace.
    written: &'static [&'static str],
}

/// What the first bytes of a kind of file are like.
#[derive(Debug, PartialEq, Eq)]
enum Mark {
    /// Bytes that stand at a place.
    Bytes(usize, &'static [u8]),
    /// An object of JSON, or a list of them.
    Json,
}

const YET: &str = "export its games as PGN from the program it belongs to";
const UNPACK: &str = "unpack it first";
const NO_GAMES: &str = "it holds no games that could be read";

/// Kinds of files that cannot be read.
pub const FOREIGN: &[Foreign] = &[
    Foreign {
        title: "a ChessBase database in one file",
        advice: YET,
        marks: &[],
        extensions: &["cbone"],
        written: &[],
    },
    Foreign {
        title: "a companion of a ChessBase database",
        advice: "open the .cbh file beside it",
        marks: &[],
        extensions: &["cbb", "cbm", "cib", "cib2", "cit", "cit2", "flags"],
        written: &[],
    },
    Foreign {
        title: "an opening book",
        advice: NO_GAMES,
        marks: &[],
        extensions: &["ctg", "ctb", "cto", "abk"],
        written: &[],
    },
    Foreign {
        title: "an SQLite database",
        advice: YET,
        marks: &[Mark::Bytes(0, b"SQLite format 3\0")],
        extensions: &["db3", "sqlite"],
        written: &[],
    },
    Foreign {
        title: "a RAR archive",
        advice: UNPACK,
        marks: &[Mark::Bytes(0, b"Rar!\x1a\x07")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a 7z archive",
        advice: UNPACK,
        marks: &[Mark::Bytes(0, b"7z\xbc\xaf\x27\x1c")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a tar archive",
        advice: UNPACK,
        marks: &[Mark::Bytes(257, b"ustar\0"), Mark::Bytes(257, b"ustar  \0")],
        extensions: &["tar", "tgz", "tbz2", "txz"],
        written: &[],
    },
    Foreign {
        title: "compressed twice",
        advice: UNPACK,
        marks: &[
            Mark::Bytes(0, b"PK\x03\x04"),
            Mark::Bytes(0, b"\x1f\x8b\x08"),
            Mark::Bytes(0, b"\x28\xb5\x2f\xfd"),
            Mark::Bytes(0, b"\xfd7zXZ\0"),
        ],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a file in UTF-16",
        advice: "convert it to UTF-8 first, for example by iconv -f UTF-16 -t UTF-8",
        marks: &[Mark::Bytes(0, b"\xff\xfe"), Mark::Bytes(0, b"\xfe\xff")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a web page",
        advice: "it may be an error page of a server: fetch the file again",
        marks: &[
            Mark::Bytes(0, b"<!DOCTYPE"),
            Mark::Bytes(0, b"<!doctype"),
            Mark::Bytes(0, b"<html"),
            Mark::Bytes(0, b"<HTML"),
            Mark::Bytes(0, b"<?xml"),
        ],
        extensions: &["html", "htm"],
        written: &["html", "htm"],
    },
    Foreign {
        title: "a JSON file",
        advice: NO_GAMES,
        marks: &[Mark::Json],
        extensions: &[],
        written: &["json", "jsonl", "ndjson"],
    },
    Foreign {
        title: "an Arrow or Parquet file",
        advice: "as part of a database of tabiya's own or of an export, give its folder",
        marks: &[Mark::Bytes(0, b"ARROW1"), Mark::Bytes(0, b"PAR1")],
        extensions: &[],
        written: &["parquet", "arrow", "feather"],
    },
    Foreign {
        title: "a PDF document",
        advice: NO_GAMES,
        marks: &[Mark::Bytes(0, b"%PDF-")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "an image",
        advice: NO_GAMES,
        marks: &[
            Mark::Bytes(0, b"\x89PNG\r\n\x1a\n"),
            Mark::Bytes(0, b"\xff\xd8\xff"),
            Mark::Bytes(0, b"GIF8"),
        ],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a program",
        advice: NO_GAMES,
        marks: &[
            Mark::Bytes(0, b"\x7fELF"),
            Mark::Bytes(0, b"MZ\x90\0"),
            Mark::Bytes(0, b"\xcf\xfa\xed\xfe"),
        ],
        extensions: &[],
        written: &[],
    },
];

impl Foreign {
    /// The kind that has its mark in the first bytes of a file.
    #[must_use]
    pub fn by_content(head: &[u8]) -> Option<&'static Foreign> {
        let is_it = |kind: &&Foreign| kind.marks.iter().any(|mark| mark.is_in(head));
        FOREIGN.iter().find(is_it)
    }

    /// The kind that has its mark not at the beginning, where it could be chance, but further on.
    pub(super) fn by_mark_inside(head: &[u8]) -> Option<&'static Foreign> {
        let is_inside = |mark: &&Mark| matches!(mark, Mark::Bytes(1.., _));
        let has = |kind: &&Foreign| {
            let mut inside = kind.marks.iter().filter(is_inside);
            inside.any(|mark| mark.is_in(head))
        };
        FOREIGN.iter().find(has)
    }

    /// Whether commands write such files by one of some extensions.
    pub(super) fn is_written_as(&self, extensions: &[&str]) -> bool {
        self.written.iter().any(|own| extensions.contains(own))
    }

    /// The kind that the extension of a path says, whatever it is packed with.
    #[must_use]
    pub fn by_path(path: impl AsRef<Path>) -> Option<&'static Foreign> {
        let extension = extension(path.as_ref())?;
        FOREIGN
            .iter()
            .find(|kind| kind.extensions.contains(&extension.as_str()))
    }
}

impl Mark {
    fn is_in(&self, head: &[u8]) -> bool {
        match self {
            Mark::Bytes(at, bytes) => head.get(*at..).is_some_and(|head| head.starts_with(bytes)),
            Mark::Json => is_json(head),
        }
    }
}

/// Whether a text is an object with a first name and a colon behind it, or a list of such. A comment of PGN
/// begins with a brace, too, and perhaps with a quotation: `{"I resign," he said.} 1. e4`.
fn is_json(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let first = head.strip_prefix(b"[").unwrap_or(head);
    let Some(object) = first.trim_ascii_start().strip_prefix(b"{") else {
        return false;
    };
    let Some(name) = object.trim_ascii_start().strip_prefix(b"\"") else {
        return false;
    };
    let mut is_escaped = false;
    let end = name.iter().position(|&byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    let rest = end.map(|end| name[end + 1..].trim_ascii_start());
    rest.is_some_and(|rest| rest.starts_with(b":"))
}
