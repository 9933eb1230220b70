//! What every byte of a file means.

use tabiya_chess::Position;
use tabiya_game::{GameErrorKind, GameResult};

use super::{
    FRAME, HEADER,
    reader::check_header,
    record::{Fields, HAS_START, Start, result_of},
    split::Splitter,
};
use crate::{
    dump::{Dump, Line},
    pgn::start_of_tags,
    ply16::{
        code::Profile,
        error::{Error, ErrorKind},
        explain,
        reader::{ReadOptions, Replay},
    },
};

/// What the bytes of a file's header and of one of its games mean; `None` if there are not so
/// many games. Games are counted from 0, stretches that belong to none among them.
///
/// # Errors
/// If it is not a `.ply16` file.
pub fn explain_game(bytes: &[u8], index: u64) -> Result<Option<Dump>, Error> {
    check_header(&bytes[..bytes.len().min(HEADER)])?;
    let mut dump = Dump::new("header");
    let header = &bytes[..HEADER];
    dump.push(Line::new(0, &header[..8], "a .ply16 file"));
    dump.push(Line::new(8, &header[8..10], "version 1"));
    dump.push(Line::new(10, &header[10..], "no flags"));
    let mut splitter = Splitter::new(&bytes[HEADER..]);
    for _ in 0..index {
        match splitter.next_piece() {
            Ok(Some(_)) => drop(splitter.take()),
            _ => return Ok(None),
        }
    }
    let Ok(Some(piece)) = splitter.next_piece() else {
        return Ok(None);
    };
    let (game, offset) = splitter.take();
    let offset = offset + HEADER as u64;
    if piece.is_game {
        explain_record(&game, offset, &mut dump);
    } else {
        dump.section("damage");
        dump.push(Line::new(offset, game, ErrorKind::NoRecord.to_string()));
    }
    Ok(Some(dump))
}

fn explain_record(frame: &[u8], offset: u64, dump: &mut Dump) {
    dump.section("game");
    let mut record = Explained {
        fields: Fields::new(frame, offset),
        dump,
    };
    if let Err(kind) = record.read(frame) {
        let (rest, offset) = (record.fields.rest(), record.fields.offset());
        let meaning = format!("{}: {kind}", kind.name());
        dump.push(Line::new(offset, rest, meaning));
    }
}

/// Fields and what has been said about them.
struct Explained<'b, 'd> {
    fields: Fields<'b>,
    dump: &'d mut Dump,
}

impl<'b> Explained<'b, '_> {
    fn bytes(
        &mut self,
        length: usize,
        meaning: impl FnOnce(&'b [u8]) -> String,
    ) -> Result<&'b [u8], ErrorKind> {
        let offset = self.fields.offset();
        let bytes = self.fields.bytes(length)?;
        self.dump.push(Line::new(offset, bytes, meaning(bytes)));
        Ok(bytes)
    }

    fn number(&mut self, meaning: impl FnOnce(u32) -> String) -> Result<u32, ErrorKind> {
        let number = |bytes: &[u8]| bytes.iter().fold(0, |n, b| n << 8 | u32::from(*b));
        self.bytes(4, |bytes| meaning(number(bytes))).map(number)
    }

    /// A text behind its length.
    fn text(&mut self, name: &str) -> Result<String, ErrorKind> {
        let length = self.number(|length| format!("length of {name}: {length}"))?;
        let text = |bytes: &[u8]| crate::ply16::reader::text(bytes).into_owned();
        let bytes = self.bytes(length as usize, |bytes| {
            format!("{name}: {:?}", text(bytes))
        })?;
        Ok(text(bytes))
    }

    fn read(&mut self, frame: &[u8]) -> Result<(), ErrorKind> {
        self.bytes(4, |_| "mark of a game".to_owned())?;
        self.number(|length| format!("length of the fields: {length}"))?;
        let fields = frame.get(FRAME..).unwrap_or_default();
        let found = super::checksum(fields);
        self.number(|expected| match expected == found {
            true => "checksum, right".to_owned(),
            false => ErrorKind::BadChecksum { found, expected }.to_string(),
        })?;
        self.bytes(1, |byte| match result_of(byte[0]) {
            Ok(GameResult::Unknown) => "result: unknown".to_owned(),
            Ok(result) => format!("result: {}", result.tag()),
            Err(kind) => kind.to_string(),
        })?;
        let flags = self.bytes(1, |flags| match flags[0] & HAS_START {
            0 => "flags: the tags say the start".to_owned(),
            _ => "flags: a start follows the tags".to_owned(),
        })?[0];
        let (mut fen, mut variant) = (None, None);
        let tags = self.number(|count| format!("tags: {count}"))?;
        for _ in 0..tags {
            let name = self.text("name")?;
            let value = self.text(&name)?;
            match name.as_str() {
                "FEN" => drop(fen.get_or_insert(value)),
                "Variant" => drop(variant.get_or_insert(value)),
                _ => {}
            }
        }
        let start = match flags & HAS_START {
            0 => start_of_tags(fen.as_deref(), variant.as_deref()),
            _ => self.start()?,
        };
        self.words(start)
    }

    fn start(&mut self) -> Result<Result<Position, (GameErrorKind, String)>, ErrorKind> {
        let variant = self.bytes(1, |byte| match super::record::variant_of(byte[0]) {
            Some(variant) => format!("variant: {variant}"),
            None => "variant: unknown".to_owned(),
        })?[0];
        let fen = self.text("start")?.into();
        Ok(Start { variant, fen }.position())
    }

    fn words(&mut self, start: Result<Position, (GameErrorKind, String)>) -> Result<(), ErrorKind> {
        let count = self.number(|count| format!("words: {count}"))?;
        let length = (count as usize).saturating_mul(2);
        let offset = self.fields.offset();
        let words = self.fields.bytes(length.min(self.fields.rest().len()))?;
        self.dump.section("moves");
        match start {
            Ok(start) => {
                let options = ReadOptions::default();
                let mut replay = Replay::new(words, offset, Profile::Document, options, &start);
                explain::words(&mut replay, Profile::Document, self.dump);
            }
            Err((_, message)) => self.dump.push(Line::new(offset, words, message)),
        }
        match (words.len() < length, self.fields.rest()) {
            (true, _) => Err(ErrorKind::Truncated),
            (false, []) => Ok(()),
            (false, _) => Err(ErrorKind::BadField { field: "bytes" }),
        }
    }
}
