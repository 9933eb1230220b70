//! The fields of a game.

use std::borrow::Cow;

use tabiya_chess::{Position, Setup, Variant};
use tabiya_game::{Event, Flow, GameErrorKind, GameResult, Listener, Place};

use super::{FRAME, checksum};
use crate::{
    pgn::start_of_tags,
    ply16::{
        code::Profile,
        error::{Error, ErrorKind},
        reader::{Moves, ReadOptions, text},
    },
};

/// The bit of the flags that says that a start position follows the tags.
pub(super) const HAS_START: u8 = 1;

/// A start that the tags do not say.
pub(super) struct Start<'b> {
    pub(super) variant: u8,
    pub(super) fen: Cow<'b, str>,
}

/// What the bytes of a game say, as far as they could be read.
#[derive(Default)]
pub(super) struct Record<'b> {
    result: GameResult,
    tags: Vec<(Cow<'b, str>, Cow<'b, str>)>,
    start: Option<Start<'b>>,
    words: &'b [u8],
    words_offset: u64,
}

/// Reads one field after the other.
pub(super) struct Fields<'b> {
    rest: &'b [u8],
    offset: u64,
}

impl<'b> Fields<'b> {
    pub(super) fn new(bytes: &'b [u8], offset: u64) -> Fields<'b> {
        Fields {
            rest: bytes,
            offset,
        }
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    pub(super) fn rest(&self) -> &'b [u8] {
        self.rest
    }

    pub(super) fn bytes(&mut self, length: usize) -> Result<&'b [u8], ErrorKind> {
        let (bytes, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(ErrorKind::Truncated)?;
        self.rest = rest;
        self.offset += length as u64;
        Ok(bytes)
    }

    pub(super) fn byte(&mut self) -> Result<u8, ErrorKind> {
        Ok(self.bytes(1)?[0])
    }

    pub(super) fn number(&mut self) -> Result<u32, ErrorKind> {
        let bytes = self.bytes(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A text behind its length.
    pub(super) fn text(&mut self) -> Result<Cow<'b, str>, ErrorKind> {
        let length = self.number()? as usize;
        self.bytes(length).map(text)
    }
}

/// The result of a byte: its place among [`GameResult::ALL`].
pub(super) fn result_of(byte: u8) -> Result<GameResult, ErrorKind> {
    let result = GameResult::ALL.get(usize::from(byte)).copied();
    result.ok_or(ErrorKind::BadField { field: "result" })
}

/// The variant of a byte: its place among [`Variant::ALL`].
pub(super) fn variant_of(byte: u8) -> Option<Variant> {
    Variant::ALL.get(usize::from(byte)).copied()
}

impl<'b> Record<'b> {
    /// Reads the fields into the record as far as they go.
    fn read(&mut self, fields: &mut Fields<'b>) -> Result<(), ErrorKind> {
        self.result = result_of(fields.byte()?)?;
        let flags = fields.byte()?;
        if flags & !HAS_START != 0 {
            return Err(ErrorKind::BadField { field: "flags" });
        }
        let tags = fields.number()?;
        for _ in 0..tags {
            let name = fields.text()?;
            self.tags.push((name, fields.text()?));
        }
        if flags & HAS_START != 0 {
            self.start = Some(Start {
                variant: fields.byte()?,
                fen: fields.text()?,
            });
        }
        let length = (fields.number()? as usize).saturating_mul(2);
        self.words_offset = fields.offset();
        self.words = fields.bytes(length.min(fields.rest().len()))?;
        if self.words.len() < length {
            return Err(ErrorKind::Truncated);
        }
        match fields.rest().is_empty() {
            true => Ok(()),
            false => Err(ErrorKind::BadField { field: "bytes" }),
        }
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(n, _)| n == name);
        tag.map(|(_, value)| &**value)
    }

    fn start(&self) -> Result<Position, (GameErrorKind, String)> {
        match &self.start {
            Some(start) => start.position(),
            None => start_of_tags(self.tag("FEN"), self.tag("Variant")),
        }
    }
}

impl Start<'_> {
    pub(super) fn position(&self) -> Result<Position, (GameErrorKind, String)> {
        let Some(variant) = variant_of(self.variant) else {
            let message = format!("variant {} is not known here", self.variant);
            return Err((GameErrorKind::UnknownVariant, message));
        };
        let bad_start = |e: &dyn std::fmt::Display| (GameErrorKind::BadStart, e.to_string());
        let setup: Setup = self.fen.parse().map_err(|e| bad_start(&e))?;
        Position::from_setup(&setup, variant).map_err(|e| bad_start(&e))
    }
}

/// Tells the game of a frame and its fields, damaged or not, that stands at a byte of the file.
pub(super) fn tell(frame: &[u8], offset: u64, options: ReadOptions, sink: &mut Listener<'_>) {
    let needs = sink.needs();
    let fields = frame.get(FRAME..).unwrap_or_default();
    let mut damage = Vec::new();
    let mut record = Record::default();
    let mut reader = Fields::new(fields, offset + (frame.len() - fields.len()) as u64);
    if let Err(kind) = record.read(&mut reader) {
        let offset = reader.offset();
        damage.push((Error { kind, offset }, reader.rest()));
    }
    if let Some(kind) = frame_error(frame, fields) {
        damage.push((Error { kind, offset }, &[]));
    }
    let mut flow = sink.event(Event::GameStart(Place::at_byte(offset)));
    for (name, value) in &record.tags {
        if needs.tags && flow == Flow::Continue {
            flow = sink.event(Event::Tag { name, value });
        }
    }
    let moves = Moves {
        words: record.words,
        offset: record.words_offset,
        profile: Profile::Document,
        options,
        start: record.start(),
        result: record.result,
    };
    moves.tell(flow, &damage, sink);
}

/// What is wrong with the length and the checksum.
fn frame_error(frame: &[u8], fields: &[u8]) -> Option<ErrorKind> {
    let mut header = Fields::new(frame, 0);
    header.bytes(4).ok()?;
    let (Ok(length), Ok(expected)) = (header.number(), header.number()) else {
        return Some(ErrorKind::Truncated);
    };
    if length as usize != fields.len() {
        let field = "length";
        return Some(ErrorKind::BadField { field });
    }
    let found = checksum(fields);
    (found != expected).then_some(ErrorKind::BadChecksum { found, expected })
}

/// Tells bytes that belong to no game.
pub(super) fn tell_gap(bytes: &[u8], offset: u64, sink: &mut Listener<'_>) {
    let flow = sink.event(Event::GameStart(Place::at_byte(offset)));
    let moves = Moves {
        words: &[],
        offset,
        profile: Profile::Document,
        options: ReadOptions::default(),
        start: Ok(Position::initial()),
        result: GameResult::Unknown,
    };
    let kind = ErrorKind::NoRecord;
    let damage = [(Error { kind, offset }, bytes)];
    moves.tell(flow, &damage, sink);
}
