//! Tables as the registry knows them.

use std::io;

use super::{RowWriter, writer::HEADING};
use crate::{
    Destination, GameWriter, Sequence, Target,
    registry::{Creator, FormatInfo, Holds, Profile, WriteOptions},
};

/// Comma-separated values.
pub static CSV: FormatInfo = FormatInfo {
    name: "csv",
    title: "headers of games as a table, a game a line, for spreadsheets",
    profiles: &[&Table {
        title: "rows of comma-separated values",
        records: "csv",
        extensions: &["csv"],
        mark: HEADING,
        writer: RowWriter::csv,
    }],
};

/// Objects of JSON, one a line.
pub static JSONL: FormatInfo = FormatInfo {
    name: "jsonl",
    title: "headers of games as JSON, an object a line, for programs",
    profiles: &[&Table {
        title: "objects of JSON",
        records: "jsonl",
        extensions: &["jsonl", "ndjson"],
        mark: b"",
        writer: RowWriter::jsonl,
    }],
};

/// A kind of table.
struct Table {
    title: &'static str,
    /// What its [`Records`](crate::Records) are called.
    records: &'static str,
    extensions: &'static [&'static str],
    /// What stands before the rows.
    mark: &'static [u8],
    writer: fn() -> RowWriter,
}

impl Profile for Table {
    fn title(&self) -> &'static str {
        self.title
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn holds(&self) -> Holds {
        Holds {
            moves: false,
            tags: true,
            unknown_tags: true,
            ..Holds::MOVES
        }
    }

    fn leaves_out(&self) -> &'static str {
        "moves, variations, comments and NAGs"
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }
}

impl Creator for Table {
    fn writer(&self, _: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new((self.writer)())
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        Sequence::create(destination, self.records, self.mark)
    }
}
