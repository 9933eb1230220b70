//! Lines as the registry knows them.

use super::{MoveWriter, PositionWriter, Positions, recognise};
use crate::{
    GameWriter,
    registry::{
        Candidate, Certainty, Creator, FormatInfo, Holds, Opener, Profile, TargetKind, WriteOptions,
    },
};

/// Moves as engines write them.
pub const UCI: FormatInfo = FormatInfo {
    name: "uci",
    title: "moves as engines write them, a game a line",
    profiles: &[
        profile(
            "moves",
            "e2e4 e7e5; another start has `position fen FEN moves` before it",
            &["uci"],
            |candidate| recognise::uci(candidate.head),
            |options| Box::new(MoveWriter::uci().with_wishes(options.wishes())),
        ),
        profile(
            "position",
            "position startpos moves e2e4 e7e5",
            &[],
            |_| Certainty::No,
            |options| Box::new(MoveWriter::uci_position().with_wishes(options.wishes())),
        ),
    ],
};

/// Moves in long algebraic notation.
pub const LAN: FormatInfo = FormatInfo {
    name: "lan",
    title: "long algebraic moves, a game a line",
    profiles: &[profile(
        "",
        "e2-e4 e7-e5 Ng1-f3",
        &["lan"],
        |candidate| recognise::lan(candidate.head),
        |options| Box::new(MoveWriter::lan().with_wishes(options.wishes())),
    )],
};

/// Positions.
pub const FEN: FormatInfo = FormatInfo {
    name: "fen",
    title: "every position of the main lines, one a line",
    profiles: &[positions(profile(
        "",
        "positions",
        &["fen"],
        |candidate| recognise::fen(candidate.head),
        |options| Box::new(PositionWriter::fen().with_wishes(options.wishes())),
    ))],
};

/// Positions with operations.
pub const EPD: FormatInfo = FormatInfo {
    name: "epd",
    title: "every position of the main lines, with clocks and players",
    profiles: &[positions(profile(
        "",
        "positions with operations",
        &["epd"],
        |candidate| recognise::epd(candidate.head),
        |options| Box::new(PositionWriter::epd().with_wishes(options.wishes())),
    ))],
};

/// Lines of positions, of which each is read as a game without moves.
const fn positions(written: Profile) -> Profile {
    Profile {
        holds: Holds {
            moves: false,
            ..Holds::MOVES
        },
        read: Some(Opener::Stream(|input, options| {
            Box::new(Positions::new(input, options.encoding))
        })),
        ..written
    }
}

/// A dialect that is only written.
const fn profile(
    name: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    recognise: fn(&Candidate<'_>) -> Certainty,
    writer: fn(&WriteOptions) -> Box<dyn GameWriter>,
) -> Profile {
    Profile {
        name,
        title,
        extensions,
        holds: Holds::MOVES,
        limits: "none",
        recognise,
        read: None,
        write: Some(Creator {
            writer,
            target: TargetKind::Sequence { mark: b"" },
        }),
        dump: None,
        ..Profile::BARE
    }
}
