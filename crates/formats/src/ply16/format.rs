//! ply16 as the registry knows it.

use std::{io, sync::Arc};

use tabiya_game::Error;

use super::{Codec, Profile as Words, ReadOptions, cdb, file};
use crate::{
    Database,
    dump::Dump,
    io::{Contents, Lock, Output},
    registry::{
        self, Certainty, Creator, FormatInfo, Holds, LocalFile, Opener, Profile, TargetKind,
    },
    target::{Destination, Target},
};

/// Two bytes a ply.
pub const FORMAT: FormatInfo = FormatInfo {
    name: "ply16",
    title: "two bytes a ply: which piece, and what it does",
    profiles: &[
        Profile {
            name: "document",
            title: "the words of the document, in files of tabiya's own",
            extensions: &["ply16"],
            holds: Holds {
                tags: true,
                unknown_tags: true,
                tag_order: true,
                chess960: false,
                ..Holds::MOVES
            },
            limits: "64 MiB a game, 8 pieces of a kind",
            recognise: |candidate| file::recognise(candidate.head),
            read: Some(Opener::Stream(|input, _| {
                Box::new(file::Ply16::new(input, ReadOptions::default()))
            })),
            write: Some(Creator {
                writer: |options| {
                    Box::new(file::RecordWriter::default().with_wishes(options.wishes()))
                },
                target: TargetKind::Sequence {
                    mark: &file::HEADING,
                },
            }),
            dump: Some(|file, game, _| {
                let contents = file.contents()?;
                found(file::explain_game(&contents, game - 1)?, game)
            }),
            stream: Some(&Codec::new(Words::Document)),
            ..Profile::BARE
        },
        Profile {
            name: "program",
            title: "files of the program chessdb, low byte first",
            extensions: &["cdb"],
            holds: Holds {
                tags: true,
                chess960: false,
                ..Holds::MOVES
            },
            limits: "65,535 plies a game, 16 tags, 8 queens",
            recognise: |candidate| {
                // Without a magic, any short text may be one: its name has to say so.
                let guess = cdb::looks_like_cdb(candidate.head, candidate.len);
                Certainty::sure_if(guess == Certainty::Sure)
            },
            read: Some(Opener::Contents(open_cdb)),
            write: Some(Creator {
                writer: |options| {
                    Box::new(cdb::RecordWriter::default().with_wishes(options.wishes()))
                },
                target: TargetKind::Built {
                    create: create_cdb,
                    needs_file: false,
                    appends: false,
                },
            }),
            dump: Some(dump_cdb),
            stream: Some(&Codec::new(Words::Program)),
            ..Profile::BARE
        },
    ],
};

fn open_cdb(contents: Contents, _: &registry::ReadOptions) -> Result<Box<dyn Database>, Error> {
    let cdb = cdb::Cdb::open(Arc::new(contents), ReadOptions::default())?;
    Ok(Box::new(cdb))
}

fn dump_cdb(file: LocalFile, game: u64, _: &registry::ReadOptions) -> Result<Dump, Error> {
    let contents = file.contents()?;
    found(cdb::explain_game(&contents, game - 1)?, game)
}

fn found(dump: Option<Dump>, game: u64) -> Result<Dump, Error> {
    dump.ok_or_else(|| Error::no_such_game(game))
}

fn create_cdb(destination: Destination<'_>) -> io::Result<Box<dyn Target>> {
    let lock = destination.lock()?;
    let output = destination.output()?;
    Ok(Box::new(CdbTarget {
        builder: cdb::Builder::new(output, cdb::created_now()),
        _lock: lock,
    }))
}

/// A `.cdb` that is written.
struct CdbTarget {
    builder: cdb::Builder<Output>,
    /// Given up last.
    _lock: Option<Lock>,
}

impl Target for CdbTarget {
    fn add(&mut self, record: &[u8]) -> io::Result<()> {
        self.builder.add(record)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        let CdbTarget { builder, _lock } = *self;
        let output = builder.finish()?;
        output.finish().map_err(io::Error::from)?;
        Ok(Vec::new())
    }
}
