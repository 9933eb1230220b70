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
    /// Bytes that it has at a place.
    marks: &'static [(usize, &'static [u8])],
    /// The extensions of its files, for those that have no marks.
    extensions: &'static [&'static str],
    /// The extensions of those that commands write, which they may replace.
    written: &'static [&'static str],
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
        marks: &[(0, b"SQLite format 3\0")],
        extensions: &["db3", "sqlite"],
        written: &[],
    },
    Foreign {
        title: "a RAR archive",
        advice: UNPACK,
        marks: &[(0, b"Rar!\x1a\x07")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a 7z archive",
        advice: UNPACK,
        marks: &[(0, b"7z\xbc\xaf\x27\x1c")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a tar archive",
        advice: UNPACK,
        marks: &[(257, b"ustar\0"), (257, b"ustar  \0")],
        extensions: &["tar", "tgz", "tbz2", "txz"],
        written: &[],
    },
    Foreign {
        title: "compressed twice",
        advice: UNPACK,
        marks: &[
            (0, b"PK\x03\x04"),
            (0, b"\x1f\x8b\x08"),
            (0, b"\x28\xb5\x2f\xfd"),
            (0, b"\xfd7zXZ\0"),
        ],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a file in UTF-16",
        advice: "convert it to UTF-8 first, for example by iconv -f UTF-16 -t UTF-8",
        marks: &[(0, b"\xff\xfe"), (0, b"\xfe\xff")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a web page",
        advice: "it may be an error page of a server: fetch the file again",
        marks: &[
            (0, b"<!DOCTYPE"),
            (0, b"<!doctype"),
            (0, b"<html"),
            (0, b"<HTML"),
            (0, b"<?xml"),
        ],
        extensions: &["html", "htm"],
        written: &["html", "htm"],
    },
    Foreign {
        title: "a JSON file",
        advice: NO_GAMES,
        // A comment of PGN begins with a brace, too, but hardly so.
        marks: &[
            (0, b"{\""),
            (0, b"{\n\""),
            (0, b"{\n  \""),
            (0, b"{\n    \""),
            (0, b"{\n\t\""),
            (0, b"{\r\n  \""),
            (0, b"[{\""),
            (0, b"[\n  {"),
        ],
        extensions: &[],
        written: &["json", "jsonl", "ndjson"],
    },
    Foreign {
        title: "an Arrow or Parquet file",
        advice: "as part of a database of tabiya's own or of an export, give its folder",
        marks: &[(0, b"ARROW1"), (0, b"PAR1")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a PDF document",
        advice: NO_GAMES,
        marks: &[(0, b"%PDF-")],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "an image",
        advice: NO_GAMES,
        marks: &[
            (0, b"\x89PNG\r\n\x1a\n"),
            (0, b"\xff\xd8\xff"),
            (0, b"GIF8"),
        ],
        extensions: &[],
        written: &[],
    },
    Foreign {
        title: "a program",
        advice: NO_GAMES,
        marks: &[(0, b"\x7fELF"), (0, b"MZ\x90\0"), (0, b"\xcf\xfa\xed\xfe")],
        extensions: &[],
        written: &[],
    },
];

impl Foreign {
    /// The kind that has its mark in the first bytes of a file.
    #[must_use]
    pub fn by_content(head: &[u8]) -> Option<&'static Foreign> {
        let has = |mark: &&(usize, &[u8])| has_mark(head, mark);
        let is_it = |kind: &&Foreign| kind.marks.iter().any(|mark| has(&mark));
        FOREIGN.iter().find(is_it)
    }

    /// The kind that has its mark not at the beginning, where it could be chance, but further on.
    pub(super) fn by_mark_inside(head: &[u8]) -> Option<&'static Foreign> {
        let has = |mark: &&(usize, &[u8])| mark.0 > 0 && has_mark(head, mark);
        let is_it = |kind: &&Foreign| kind.marks.iter().any(|mark| has(&mark));
        FOREIGN.iter().find(is_it)
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

fn has_mark(head: &[u8], (at, mark): &(usize, &[u8])) -> bool {
    head.get(*at..).is_some_and(|bytes| bytes.starts_with(mark))
}
