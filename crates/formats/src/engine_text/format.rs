//! Lines as the registry knows them.

use std::io::{self, Read};

use super::{MoveWriter, PositionWriter, Positions, recognise};
use crate::{
    Destination, GameWriter, Sequence, Target,
    registry::{
        Candidate, Certainty, Creator, FormatInfo, Holds, OpenResult, OpenStream, Opener, Profile,
        ReadOptions, WriteOptions,
    },
    writing::Wishes,
};

/// Moves as engines write them.
pub static UCI: FormatInfo = FormatInfo {
    name: "uci",
    title: "moves as engines write them, a game a line",
    profiles: &[
        &Lines {
            name: "moves",
            title: "e2e4 e7e5; another start has `position fen FEN moves` before it",
            records: "uci:moves",
            extensions: &["uci"],
            recognise: recognise::uci,
            writer: |wishes| Box::new(MoveWriter::uci().with_wishes(wishes)),
        },
        &Lines {
            name: "position",
            title: "position startpos moves e2e4 e7e5",
            records: "uci:position",
            extensions: &[],
            recognise: |_| Certainty::No,
            writer: |wishes| Box::new(MoveWriter::uci_position().with_wishes(wishes)),
        },
    ],
};

/// Moves in long algebraic notation.
pub static LAN: FormatInfo = FormatInfo {
    name: "lan",
    title: "long algebraic moves, a game a line",
    profiles: &[&Lines {
        name: "",
        title: "e2-e4 e7-e5 Ng1-f3",
        records: "lan",
        extensions: &["lan"],
        recognise: recognise::lan,
        writer: |wishes| Box::new(MoveWriter::lan().with_wishes(wishes)),
    }],
};

/// Positions.
pub static FEN: FormatInfo = FormatInfo {
    name: "fen",
    title: "every position of the main lines, one a line",
    profiles: &[&PositionLines(Lines {
        name: "",
        title: "positions",
        records: "fen",
        extensions: &["fen"],
        recognise: recognise::fen,
        writer: |wishes| Box::new(PositionWriter::fen().with_wishes(wishes)),
    })],
};

/// Positions with operations.
pub static EPD: FormatInfo = FormatInfo {
    name: "epd",
    title: "every position of the main lines, with clocks and players",
    profiles: &[&PositionLines(Lines {
        name: "",
        title: "positions with operations",
        records: "epd",
        extensions: &["epd"],
        recognise: recognise::epd,
        writer: |wishes| Box::new(PositionWriter::epd().with_wishes(wishes)),
    })],
};

/// A profile that is only written.
struct Lines {
    name: &'static str,
    title: &'static str,
    /// What its [`Records`](crate::Records) are called.
    records: &'static str,
    extensions: &'static [&'static str],
    recognise: fn(&[u8]) -> Certainty,
    writer: fn(Wishes) -> Box<dyn GameWriter>,
}

impl Profile for Lines {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        (self.recognise)(candidate.head)
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }
}

impl Creator for Lines {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        (self.writer)(options.wishes())
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        Sequence::create(destination, self.records, b"")
    }
}

/// Lines of positions, of which each is read as a game without moves.
struct PositionLines(Lines);

impl Profile for PositionLines {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn title(&self) -> &'static str {
        self.0.title
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.0.extensions
    }

    fn holds(&self) -> Holds {
        Holds {
            moves: false,
            ..Holds::MOVES
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        self.0.recognise(candidate)
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::Stream(self))
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(&self.0)
    }
}

impl OpenStream for PositionLines {
    fn open_stream(&self, input: Box<dyn Read + Send>, options: &ReadOptions) -> OpenResult {
        Ok(Box::new(Positions::new(input, options.encoding)))
    }
}
