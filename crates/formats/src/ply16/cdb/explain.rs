//! What every byte of a file means.

use super::{
    FEN, GAME, TAGS,
    layout::{Generation, Header, Layout, u32_at},
    reader::View,
    strings::Strings,
};
use crate::{
    dump::{Dump, Line},
    pgn::start_of_tags,
    ply16::{
        code::Profile,
        error::{Error, ErrorKind},
        explain,
        reader::{ReadOptions, Replay, text},
    },
};

/// What the bytes of a file's header and of one of its games mean; `None` if there are not so
/// many games. Games are counted from 0.
///
/// # Errors
/// If it is not a `.cdb` file.
pub fn explain_game(bytes: &[u8], index: u64) -> Result<Option<Dump>, Error> {
    let layout = Layout::find(bytes).ok_or(Error {
        kind: ErrorKind::UnrecognisedContainer,
        offset: 0,
    })?;
    let index = match u32::try_from(index) {
        Ok(index) if index < layout.header.games => index,
        _ => return Ok(None),
    };
    let strings = Strings::find(&bytes[layout.strings..], layout.header.strings);
    let view = View {
        bytes,
        layout: &layout,
        strings: &strings,
        options: ReadOptions::default(),
    };
    let mut dump = Dump::new("header");
    explain_header(&layout.header, bytes, &mut dump);
    explain_index(&view, index, &mut dump);
    explain_fields(&view, index, &mut dump);
    Ok(Some(dump))
}

fn explain_header(header: &Header, bytes: &[u8], dump: &mut Dump) {
    let mut field = |from: usize, to: usize, meaning: String| {
        dump.push(Line::new(from as u64, &bytes[from..to], meaning));
    };
    field(0, 8, format!("nanoseconds since 1970: {}", header.created));
    field(8, 12, format!("games: {}", header.games));
    field(12, 16, format!("strings: {}", header.strings));
    if let Some(index) = header.index {
        let end = header.generation.header();
        field(16, end, format!("the index begins at byte {index}"));
    }
}

fn explain_index(view: &View<'_>, index: u32, dump: &mut Dump) {
    let (Some(range), Some(entry)) = (
        view.layout.entry_range(index),
        view.layout.entry(view.bytes, index),
    ) else {
        return;
    };
    dump.section("index");
    let plies = range.end - 2;
    let agrees = match view.layout.agrees(view.bytes, entry) {
        true => String::new(),
        false => format!("; {}", ErrorKind::BadIndex),
    };
    let meaning = match view.layout.header.generation {
        Generation::First => return,
        _ => format!("game {index} begins at byte {}{agrees}", entry.offset),
    };
    let bytes = view.bytes;
    dump.push(Line::new(
        range.start as u64,
        &bytes[range.start..plies],
        meaning,
    ));
    let meaning = format!("plies: {}", entry.plies);
    dump.push(Line::new(plies as u64, &bytes[plies..range.end], meaning));
}

fn explain_fields(view: &View<'_>, index: u32, dump: &mut Dump) {
    let mut damage = Vec::new();
    let Some(entry) = view.locate(index, &mut damage) else {
        return;
    };
    dump.section("game");
    let bytes = view.bytes;
    for (slot, name) in TAGS.into_iter().enumerate() {
        let at = entry.offset + 4 * slot;
        let Some(id) = u32_at(bytes, at) else { return };
        dump.push(Line::new(
            at as u64,
            &bytes[at..at + 4],
            explain_tag(view, name, id),
        ));
    }
    let plies = entry.offset + GAME - 2;
    let meaning = format!("plies: {}", entry.plies);
    dump.push(Line::new(plies as u64, &bytes[plies..plies + 2], meaning));
    dump.section("moves");
    let tags = view.tags(entry.offset, &mut damage);
    let words = view.words(entry, &mut damage);
    let offset = (entry.offset + GAME) as u64;
    match start_of_tags(tags[FEN].as_deref(), None) {
        Ok(start) => {
            let mut replay = Replay::new(words, offset, Profile::Program, view.options, &start);
            explain::words(&mut replay, Profile::Program, dump);
        }
        Err((_, message)) => dump.push(Line::new(offset, words, message)),
    }
}

fn explain_tag(view: &View<'_>, name: &str, id: u32) -> String {
    let Some(range) = view.strings.range(id) else {
        let count = view.strings.len();
        return format!("{name}: string {id} of {count}, which is none");
    };
    if range.is_empty() {
        return format!("{name}: none");
    }
    let at = view.layout.strings + range.start;
    let value = text(&view.bytes[view.layout.strings..][range]);
    format!("{name}: string {id} at byte {at}, {value:?}")
}
