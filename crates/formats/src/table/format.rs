//! Tables as the registry knows them.

use super::{RowWriter, writer::HEADING};
use crate::{
    GameWriter,
    registry::{Creator, FormatInfo, Holds, Profile, TargetKind, WriteOptions},
};

/// Comma-separated values.
pub const CSV: FormatInfo = FormatInfo {
    name: "csv",
    title: "headers of games as a table, a game a line, for spreadsheets",
    profiles: &[profile(
        "rows of comma-separated values",
        &["csv"],
        HEADING,
        |_| Box::new(RowWriter::csv()),
    )],
};

/// Objects of JSON, one a line.
pub const JSONL: FormatInfo = FormatInfo {
    name: "jsonl",
    title: "headers of games as JSON, an object a line, for programs",
    profiles: &[profile(
        "objects of JSON",
        &["jsonl", "ndjson"],
        b"",
        |_| Box::new(RowWriter::jsonl()),
    )],
};

const fn profile(
    title: &'static str,
    extensions: &'static [&'static str],
    mark: &'static [u8],
    writer: fn(&WriteOptions) -> Box<dyn GameWriter>,
) -> Profile {
    Profile {
        title,
        extensions,
        holds: Holds {
            moves: false,
            tags: true,
            unknown_tags: true,
            ..Holds::MOVES
        },
        leaves_out: "moves, variations, comments and NAGs",
        write: Some(Creator {
            writer,
            target: TargetKind::Sequence { mark },
        }),
        ..Profile::BARE
    }
}
