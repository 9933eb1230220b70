//! CMBR as the registry knows it.

use tabiya_game::Error;

use super::{Cmbr, Cmbr24, Container, Layout, ReadOptions, Writer, explain_game};
use crate::{
    GameWriter,
    dump::Dump,
    io::Contents,
    registry::{
        self, Candidate, Certainty, Creator, FormatInfo, Holds, LocalFile, Opener, Profile,
        TargetKind,
    },
};

/// Chess move binary representation.
pub const FORMAT: FormatInfo = FormatInfo {
    name: "cmbr",
    title: "chess move binary representation, 16 bits a move",
    profiles: &[
        Profile {
            name: "program",
            title: "files as the program means them, with counts of one byte",
            extensions: &["cmbr"],
            holds: FILE,
            limits: "255 plies and 255 tags a game, 255 bytes a tag",
            recognise: |candidate| is(candidate, Container::Program),
            read: Some(Opener::Contents(open)),
            write: Some(Creator {
                writer: |options| writer(Container::Program, options),
                target: TargetKind::Sequence {
                    mark: &Container::Program.magic(),
                },
            }),
            dump: Some(dump),
            stream: Some(&Layout::Program),
            ..Profile::BARE
        },
        Profile {
            name: "wide",
            title: "the same with counts of two and four bytes, so that every game fits",
            extensions: &["cmbr"],
            holds: FILE,
            limits: "65,535 tags a game, 65,535 bytes a tag",
            recognise: |candidate| is(candidate, Container::Wide),
            read: Some(Opener::Contents(open)),
            write: Some(Creator {
                writer: |options| writer(Container::Wide, options),
                target: TargetKind::Sequence {
                    mark: &Container::Wide.magic(),
                },
            }),
            dump: Some(dump),
            ..Profile::BARE
        },
        Profile {
            name: "document",
            title: "the words of the document, a game without tags",
            stream: Some(&Layout::Document),
            ..Profile::BARE
        },
        Profile {
            name: "cmbr24",
            title: "the 24-bit words of the later program, a game without tags",
            holds: Holds {
                nags: true,
                ..Holds::MOVES
            },
            stream: Some(&Cmbr24 {
                rewrite_castling: false,
            }),
            ..Profile::BARE
        },
    ],
};

const FILE: Holds = Holds {
    tags: true,
    unknown_tags: true,
    tag_order: true,
    ..Holds::MOVES
};

fn is(candidate: &Candidate<'_>, container: Container) -> Certainty {
    Certainty::sure_if(Container::of(candidate.head) == Some(container))
}

fn open(
    contents: Contents,
    options: &registry::ReadOptions,
) -> Result<Box<dyn crate::Database>, Error> {
    let options = ReadOptions {
        encoding: options.encoding,
        ..ReadOptions::default()
    };
    Ok(Box::new(Cmbr::open(contents, options)?))
}

fn writer(container: Container, options: &registry::WriteOptions) -> Box<dyn GameWriter> {
    Box::new(Writer::new(container).with_wishes(options.wishes()))
}

fn dump(file: LocalFile, game: u64, _: &registry::ReadOptions) -> Result<Dump, Error> {
    let contents = file.contents()?;
    explain_game(&contents, game - 1).ok_or_else(|| Error::no_such_game(game))
}
