//! PGN as the registry knows it.

use std::io::{self, Read};

use super::{Pgn, ReadOptions, WriteOptions, Writer, recognise::recognise};
use crate::{
    Destination, GameWriter, Sequence, Target,
    registry::{
        self, Candidate, Certainty, Creator, FormatInfo, Holds, OpenResult, OpenStream, Opener,
        OptionInfo, OptionKind, Profile,
    },
};

/// Portable Game Notation.
pub static FORMAT: FormatInfo = FormatInfo {
    name: "pgn",
    title: "Portable Game Notation",
    profiles: &[&Text],
};

/// Whether the moves of a game are written in one line.
pub const ONE_LINE: OptionInfo = OptionInfo {
    name: "one-line",
    help: "The moves of a game in one line",
    kind: OptionKind::Flag,
};

/// Whether annotations that only another format understands are kept as they are. Without this
/// they are lost.
pub const KEEP_RAW: OptionInfo = OptionInfo {
    name: "keep-raw",
    help: "Annotations that only another format understands are kept as they are",
    kind: OptionKind::Flag,
};

/// What [`Records`](crate::Records) of a [`Writer`] are called: a text.
pub const RECORDS: &str = "pgn";

struct Text;

impl Profile for Text {
    fn title(&self) -> &'static str {
        "text that every chess program reads"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pgn"]
    }

    fn holds(&self) -> Holds {
        Holds::ALL
    }

    fn limits(&self) -> &'static str {
        "64 MiB a game, 1,024 nested variations"
    }

    fn options(&self) -> &'static [OptionInfo] {
        &[ONE_LINE, KEEP_RAW]
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        match candidate.folder {
            true => Certainty::No,
            false => recognise(candidate.head),
        }
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::Stream(self))
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }
}

impl OpenStream for Text {
    fn open_stream(
        &self,
        input: Box<dyn Read + Send>,
        options: &registry::ReadOptions,
    ) -> OpenResult {
        let options = ReadOptions {
            encoding: options.encoding,
            limits: options.limits,
        };
        Ok(Box::new(Pgn::new(input, options)))
    }
}

impl Creator for Text {
    fn writer(&self, options: &registry::WriteOptions) -> Box<dyn GameWriter> {
        let columns = WriteOptions::default().columns;
        Box::new(Writer::new(WriteOptions {
            columns: columns.filter(|_| !options.settings.flag(&ONE_LINE)),
            comments: options.comments,
            variations: options.variations,
            nags: options.nags,
            keep_raw: options.settings.flag(&KEEP_RAW),
        }))
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &registry::WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        Sequence::create(destination, RECORDS, b"")
    }
}
