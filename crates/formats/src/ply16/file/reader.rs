//! Files to events.

use std::io::Read;

use tabiya_game::{Flow, GameSink, Listener};

use super::{
    HEADER, MAGIC, VERSION, record,
    split::{Piece, Splitter},
};
use crate::{
    database::{Database, Part},
    ply16::{
        error::{Error, ErrorKind},
        reader::ReadOptions,
    },
};

/// How many games, and how many bytes, a part has before it ends.
const PART_GAMES: usize = 1_000;
const PART_BYTES: usize = 1 << 20;

/// A `.ply16` file or stream, open for reading.
pub struct Ply16<R> {
    splitter: Splitter<R>,
    options: ReadOptions,
    begun: bool,
}

impl<R: Read> Ply16<R> {
    /// Reads a stream.
    pub fn new(input: R, options: ReadOptions) -> Ply16<R> {
        Ply16 {
            splitter: Splitter::new(input),
            options,
            begun: false,
        }
    }

    fn read_header(&mut self) -> Result<(), tabiya_game::Error> {
        let header = self.splitter.header(HEADER)?;
        if let Err(error) = check_header(header) {
            return Err(error.into());
        }
        self.splitter.take();
        self.begun = true;
        Ok(())
    }
}

/// Whether a file begins as it should.
pub(super) fn check_header(header: &[u8]) -> Result<(), Error> {
    let error = |kind, offset| Err(Error { kind, offset });
    if !header.starts_with(&MAGIC) {
        return error(ErrorKind::UnrecognisedContainer, 0);
    }
    match header.get(MAGIC.len()..HEADER) {
        None => error(ErrorKind::Truncated, header.len() as u64),
        Some([v0, v1, ..]) if u16::from_be_bytes([*v0, *v1]) != VERSION => {
            error(ErrorKind::BadField { field: "version" }, 8)
        }
        // Flags may one day say something that a reader must know.
        Some([_, _, 0, 0]) => Ok(()),
        Some(_) => error(ErrorKind::BadField { field: "flags" }, 10),
    }
}

impl<R: Read + Send> Database for Ply16<R> {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, tabiya_game::Error> {
        if !self.begun {
            self.read_header()?;
        }
        let mut pieces = Vec::new();
        while pieces.len() < PART_GAMES && self.splitter.cut() < PART_BYTES {
            match self.splitter.next_piece()? {
                Some(piece) => pieces.push(piece),
                None => break,
            }
        }
        if pieces.is_empty() {
            return Ok(None);
        }
        let (bytes, offset) = self.splitter.take();
        Ok(Some(Box::new(Games {
            bytes,
            offset,
            pieces,
            options: self.options,
        })))
    }
}

/// Some games in a row.
struct Games {
    bytes: Vec<u8>,
    offset: u64,
    pieces: Vec<Piece>,
    options: ReadOptions,
}

impl Part for Games {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, tabiya_game::Error> {
        for piece in &self.pieces {
            let bytes = &self.bytes[piece.start..piece.end];
            let offset = self.offset + piece.start as u64;
            let mut listener: Listener<'_> = Listener::new(sink);
            match piece.is_game {
                true => record::tell(bytes, offset, self.options, &mut listener),
                false => record::tell_gap(bytes, offset, &mut listener),
            }
            if listener.finish() == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}
