//! PGN as the registry knows it.

use super::{Pgn, ReadOptions, WriteOptions, Writer, recognise::recognise};
use crate::registry::{Certainty, Creator, FormatInfo, Holds, Opener, Profile, TargetKind};

/// Portable Game Notation.
pub const FORMAT: FormatInfo = FormatInfo {
    name: "pgn",
    title: "Portable Game Notation",
    profiles: &[Profile {
        name: "",
        title: "text that every chess program reads",
        extensions: &["pgn"],
        holds: Holds::ALL,
        limits: "64 MiB a game, 1,024 nested variations",
        recognise: |candidate| match candidate.folder {
            true => Certainty::No,
            false => recognise(candidate.head),
        },
        read: Some(Opener::Stream(|input, options| {
            let options = ReadOptions {
                encoding: options.encoding,
                limits: options.limits,
            };
            Box::new(Pgn::new(input, options))
        })),
        write: Some(Creator {
            writer: |options| {
                let columns = WriteOptions::default().columns;
                Box::new(Writer::new(WriteOptions {
                    columns: columns.filter(|_| !options.one_line),
                    comments: options.comments,
                    variations: options.variations,
                    nags: options.nags,
                    keep_raw: options.keep_raw,
                }))
            },
            target: TargetKind::Sequence { mark: b"" },
        }),
        dump: None,
        ..Profile::BARE
    }],
};
