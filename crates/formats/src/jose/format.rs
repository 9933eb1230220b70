//! jose as the registry knows it.

use super::Profile as Stream;
use crate::registry::{FormatInfo, Holds, Profile};

/// One byte a move.
pub const FORMAT: FormatInfo = FormatInfo {
    name: "jose",
    title: "one byte a move, with variations, comments and all else",
    profiles: &[
        Profile {
            name: "document",
            title: "the stream of the document",
            holds: MOVETEXT,
            limits: "NAGs up to 255, two knights, bishops and rooks and a queen of a side's own",
            stream: Some(&Stream::Document),
            ..Profile::BARE
        },
        Profile {
            name: "program",
            title: "the streams of the program jose",
            holds: MOVETEXT,
            limits: "NAGs up to 255, two knights, bishops and rooks and a queen of a side's own",
            stream: Some(&Stream::Program),
            ..Profile::BARE
        },
        Profile {
            name: "store",
            title: "the stream of tabiya's own database, which holds everything",
            holds: MOVETEXT,
            stream: Some(&Stream::Store),
            ..Profile::BARE
        },
    ],
};

const MOVETEXT: Holds = Holds {
    variations: true,
    comments: true,
    nags: true,
    ..Holds::MOVES
};
