//! ply16 as the registry knows it.

use std::{
    io::{self, Read},
    ops::Range,
    sync::Arc,
};

use tabiya_game::Error;

use super::{Codec, Profile as Words, ReadOptions, cdb, file};
use crate::{
    GameWriter, Records, Sequence,
    dump::Dump,
    io::{Contents, Lock, Output},
    registry::{
        self, Candidate, Certainty, Creator, Explainer, FormatInfo, Holds, LocalFile, OpenContents,
        OpenResult, OpenStream, Opener, Profile, WriteOptions,
    },
    stream::StreamCodec,
    target::{Destination, Target},
};

/// Two bytes a ply.
pub static FORMAT: FormatInfo = FormatInfo {
    name: "ply16",
    title: "two bytes a ply: which piece, and what it does",
    profiles: &[&Document, &Program],
};

struct Document;

impl Profile for Document {
    fn name(&self) -> &'static str {
        "document"
    }

    fn title(&self) -> &'static str {
        "the words of the document, in files of tabiya's own"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ply16"]
    }

    fn holds(&self) -> Holds {
        Holds {
            tags: true,
            unknown_tags: true,
            tag_order: true,
            chess960: false,
            ..Holds::MOVES
        }
    }

    fn limits(&self) -> &'static str {
        "64 MiB a game, 8 pieces of a kind"
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        file::recognise(candidate.head)
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::Stream(self))
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }

    fn dump(&self) -> Option<&dyn Explainer> {
        Some(self)
    }

    fn stream(&self) -> Option<&dyn StreamCodec> {
        const CODEC: Codec = Codec::new(Words::Document);
        Some(&CODEC)
    }
}

impl OpenStream for Document {
    fn open_stream(&self, input: Box<dyn Read + Send>, _: &registry::ReadOptions) -> OpenResult {
        Ok(Box::new(file::Ply16::new(input, ReadOptions::default())))
    }
}

impl Creator for Document {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(file::RecordWriter::default().with_wishes(options.wishes()))
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        Sequence::create(destination, file::RECORDS, &file::HEADING)
    }
}

impl Explainer for Document {
    fn explain(
        &self,
        file: LocalFile,
        game: u64,
        _: &registry::ReadOptions,
    ) -> Result<Dump, Error> {
        let dump = file::explain_game(&file.contents()?, game - 1)?;
        dump.ok_or_else(|| Error::no_such_game(game))
    }
}

struct Program;

impl Profile for Program {
    fn name(&self) -> &'static str {
        "program"
    }

    fn title(&self) -> &'static str {
        "files of the program chessdb, low byte first"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["cdb"]
    }

    fn holds(&self) -> Holds {
        Holds {
            tags: true,
            chess960: false,
            ..Holds::MOVES
        }
    }

    fn limits(&self) -> &'static str {
        "65,535 plies a game, 16 tags, 8 queens"
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        // Without a magic, any short text may be one: its name has to say so.
        let guess = cdb::looks_like_cdb(candidate.head, candidate.len);
        Certainty::sure_if(guess == Certainty::Sure)
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::Contents(self))
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }

    fn dump(&self) -> Option<&dyn Explainer> {
        Some(self)
    }

    fn stream(&self) -> Option<&dyn StreamCodec> {
        const CODEC: Codec = Codec::new(Words::Program);
        Some(&CODEC)
    }
}

impl OpenContents for Program {
    fn open_contents(&self, contents: Contents, _: &registry::ReadOptions) -> OpenResult {
        let cdb = cdb::Cdb::open(Arc::new(contents), ReadOptions::default())?;
        Ok(Box::new(cdb))
    }
}

impl Creator for Program {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(cdb::RecordWriter::default().with_wishes(options.wishes()))
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        let lock = destination.lock()?;
        let output = destination.output()?;
        Ok(Box::new(CdbTarget {
            builder: cdb::Builder::new(output, cdb::created_now()),
            _lock: lock,
        }))
    }

    fn appends(&self) -> bool {
        false
    }
}

impl Explainer for Program {
    fn explain(
        &self,
        file: LocalFile,
        game: u64,
        _: &registry::ReadOptions,
    ) -> Result<Dump, Error> {
        let dump = cdb::explain_game(&file.contents()?, game - 1)?;
        dump.ok_or_else(|| Error::no_such_game(game))
    }
}

/// A `.cdb` that is written.
struct CdbTarget {
    builder: cdb::Builder<Output>,
    /// Given up last.
    _lock: Option<Lock>,
}

impl Target for CdbTarget {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        self.builder.add(records.slice(cdb::RECORDS, which)?)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        let CdbTarget { builder, _lock } = *self;
        let output = builder.finish()?;
        output.finish().map_err(io::Error::from)?;
        Ok(Vec::new())
    }
}
