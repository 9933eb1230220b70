//! CMBR as the registry knows it.

use std::io;

use tabiya_game::Error;

use super::{Cmbr, Cmbr24, Container, Layout, ReadOptions, Writer, explain_game};
use crate::{
    Destination, GameWriter, Sequence, Target,
    dump::Dump,
    io::Contents,
    registry::{
        self, Candidate, Certainty, Creator, Explainer, FormatInfo, Holds, LocalFile, OpenContents,
        OpenResult, Opener, Profile, WriteOptions,
    },
    stream::StreamCodec,
};

/// Chess move binary representation.
pub static FORMAT: FormatInfo = FormatInfo {
    name: "cmbr",
    title: "chess move binary representation, 16 bits a move",
    profiles: &[
        &File {
            container: Container::Program,
            name: "program",
            title: "files as the program means them, with counts of one byte",
            limits: "255 plies and 255 tags a game, 255 bytes a tag",
        },
        &File {
            container: Container::Wide,
            name: "wide",
            title: "the same with counts of two and four bytes, so that every game fits",
            limits: "65,535 tags a game, 65,535 bytes a tag",
        },
        &Words {
            name: "document",
            title: "the words of the document, a game without tags",
            holds: Holds::MOVES,
            codec: &Layout::Document,
        },
        &Words {
            name: "cmbr24",
            title: "the 24-bit words of the later program, a game without tags",
            holds: Holds {
                nags: true,
                ..Holds::MOVES
            },
            codec: &Cmbr24 {
                rewrite_castling: false,
            },
        },
    ],
};

struct File {
    container: Container,
    name: &'static str,
    title: &'static str,
    limits: &'static str,
}

impl Profile for File {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["cmbr"]
    }

    fn holds(&self) -> Holds {
        Holds {
            tags: true,
            unknown_tags: true,
            tag_order: true,
            ..Holds::MOVES
        }
    }

    fn limits(&self) -> &'static str {
        self.limits
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        Certainty::sure_if(Container::of(candidate.head) == Some(self.container))
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
        match self.container {
            Container::Program => Some(&Layout::Program),
            Container::Wide => None,
        }
    }
}

impl OpenContents for File {
    fn open_contents(&self, contents: Contents, options: &registry::ReadOptions) -> OpenResult {
        let options = ReadOptions {
            encoding: options.encoding,
            ..ReadOptions::default()
        };
        Ok(Box::new(Cmbr::open(contents, options)?))
    }
}

impl Creator for File {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(Writer::new(self.container).with_wishes(options.wishes()))
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        Sequence::create(
            destination,
            self.container.records(),
            &self.container.magic(),
        )
    }
}

impl Explainer for File {
    fn explain(
        &self,
        file: LocalFile,
        game: u64,
        _: &registry::ReadOptions,
    ) -> Result<Dump, Error> {
        let contents = file.contents()?;
        explain_game(&contents, game - 1).ok_or_else(|| Error::no_such_game(game))
    }
}

/// Bare words, without files.
struct Words {
    name: &'static str,
    title: &'static str,
    holds: Holds,
    codec: &'static dyn StreamCodec,
}

impl Profile for Words {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn holds(&self) -> Holds {
        self.holds
    }

    fn stream(&self) -> Option<&dyn StreamCodec> {
        Some(self.codec)
    }
}
