//! PGN of any size, read in parts.

use std::io::Read;

use encoding_rs::Encoding;
use tabiya_game::{Error, Flow, GameSink, Limits};

use super::{Parser, Splitter, encoding, split};
use crate::database::{Database, Part};

/// How PGN is read.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReadOptions {
    /// The encoding of the whole file; without one, each game is UTF-8 or Windows-1252.
    pub encoding: Option<&'static Encoding>,
    /// Limits against hostile files.
    pub limits: Limits,
}

/// A PGN file or stream, open for reading.
///
/// ```
/// use tabiya_formats::{Database, pgn::Pgn};
/// use tabiya_game::GameTree;
///
/// let mut pgn = Pgn::new("1. e4 e5 *".as_bytes(), Default::default());
/// let part = pgn.next_part()?.unwrap();
/// let mut tree = GameTree::default();
/// part.tell(&mut tree)?;
/// assert_eq!(tree.main_line().count(), 2);
/// # Ok::<(), tabiya_game::Error>(())
/// ```
pub struct Pgn<R> {
    splitter: Splitter<R>,
    options: ReadOptions,
}

impl<R: Read + Send> Pgn<R> {
    /// Reads a stream of text.
    pub fn new(input: R, options: ReadOptions) -> Pgn<R> {
        Pgn {
            splitter: Splitter::new(input, options.limits),
            options,
        }
    }
}

impl<R: Read + Send> Database for Pgn<R> {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        let part = self.splitter.next_part()?;
        let options = self.options;
        Ok(part.map(|part| Box::new(PgnPart { part, options }) as Box<dyn Part>))
    }
}

struct PgnPart {
    part: split::Part,
    options: ReadOptions,
}

impl Part for PgnPart {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        let decoded = encoding::decode(&self.part.bytes, self.options.encoding);
        let mut parser = Parser::of_part(&decoded, self.part.place, self.part.cut)
            .with_limits(self.options.limits);
        while parser.read_game(sink) {}
        Ok(parser.flow())
    }
}
