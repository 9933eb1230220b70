//! ChessBase's tables: any bytes are read as the file that the first byte chooses; what is read is
//! written the same, and tags made of it settle.

#![no_main]

use std::borrow::Cow;

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::files::{
    FileKind,
    annotators::Annotator,
    avl::{Node, check},
    entity::{Entities, Entity},
    extended::{self, Extended},
    flags_file::Flags,
    game_tags::GameTag,
    header::{Entry, FileHeader, GameRecord, Headers},
    ini::Ini,
    players::Player,
    set::Tables,
    sources::Source,
    stores::StoreHeader,
    tags::{FromMoves, game_tags, look_up, look_up_text, parts, text_tags},
    teams::Team,
    tournament_extra::TournamentExtras,
    tournaments::Tournament,
};

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let kind = FileKind::ALL[usize::from(first) % FileKind::ALL.len()];
    rewrite(kind, bytes);
    tell(kind, bytes);
});

/// What is read is the beginning of the file.
fn rewrite(kind: FileKind, bytes: &[u8]) {
    let written = match kind {
        FileKind::Headers => headers(bytes),
        FileKind::Moves | FileKind::Annotations => {
            StoreHeader::from_bytes(bytes).map(|header| header.to_bytes())
        }
        FileKind::Extended => extended(bytes),
        FileKind::Players => names::<Player>(bytes),
        FileKind::Tournaments => names::<Tournament>(bytes),
        FileKind::Annotators => names::<Annotator>(bytes),
        FileKind::Sources => names::<Source>(bytes),
        FileKind::Teams => names::<Team>(bytes),
        FileKind::GameTags => names::<GameTag>(bytes),
        FileKind::TournamentExtra => extras(bytes),
        FileKind::Flags => Flags::from_bytes(bytes).ok().map(|flags| flags.to_bytes()),
        _ => Some(Ini::from_bytes(bytes).to_bytes()),
    };
    if let Some(written) = written {
        assert!(bytes.starts_with(&written));
    }
}

fn headers(bytes: &[u8]) -> Option<Vec<u8>> {
    let headers = Headers::new(bytes).ok()?;
    let mut written = headers.header().to_bytes().to_vec();
    written.extend(headers.iter().flat_map(|(_, entry)| entry.to_bytes()));
    Some(written)
}

fn extended(bytes: &[u8]) -> Option<Vec<u8>> {
    let extended = Extended::new(bytes).ok()?;
    let header = extended.header();
    let mut written = header.to_bytes(header.count).to_vec();
    let size = header.record_size as usize;
    if size <= extended::RECORD {
        for id in 1..=extended.len() {
            written.extend(&extended.get(id).to_bytes()[..size]);
        }
    }
    Some(written)
}

fn extras(bytes: &[u8]) -> Option<Vec<u8>> {
    let extras = TournamentExtras::new(bytes).ok()?;
    let mut written = extras.header().to_bytes().to_vec();
    let size = extras.header().record_size as usize;
    // No version has records that end within the last date.
    if size == 61 || size >= 65 {
        for extra in (0..extras.len()).filter_map(|id| extras.get(id)) {
            written.extend(extra.to_bytes(size));
        }
    }
    Some(written)
}

fn names<T: Entity>(bytes: &[u8]) -> Option<Vec<u8>> {
    let names = Entities::<T>::new(bytes).ok()?;
    let mut written = names.header().to_bytes();
    names.iter().for_each(|record| record.write(&mut written));
    let records: Vec<_> = names.iter().collect();
    let nodes: Vec<Node> = records.iter().map(|record| record.node).collect();
    let at = |id: i32| &records[id as usize].data;
    let _ = check(&nodes, names.header().root, |a, b| at(a).compare(at(b)));
    Some(written)
}

/// The file as the companion of a header that refers to it.
fn tell(kind: FileKind, bytes: &[u8]) {
    let header = FileHeader::new(1).to_bytes();
    let headers = [header, GameRecord::default().to_bytes()].concat();
    let tables = Tables::new(|other| match other {
        _ if other == kind => Some(bytes),
        FileKind::Headers => Some(headers.as_slice()),
        _ => None,
    });
    let Ok(tables) = tables else { return };
    let moves = FromMoves::default();
    let mut warnings = Vec::new();
    for (id, entry) in tables.headers.iter() {
        let extended = tables.extended.as_ref().map(|extended| extended.get(id));
        let extended = extended.unwrap_or_default();
        match entry {
            Entry::Game(game) => {
                let details = look_up(&tables, &game, &extended, &mut warnings);
                let tags = game_tags(&game, &extended, &details, &moves, &decode);
                let parts = parts(&tags, &moves, &encode, &decode);
                let (record, extended) = (&parts.record, &parts.extended);
                let _ = game_tags(record, extended, &parts.details, &moves, &decode);
            }
            Entry::Text(text) => {
                let details = look_up_text(&tables, &text, &mut warnings);
                let _ = text_tags(&text, &details, &decode);
            }
            _ => {}
        }
    }
}

fn decode(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn encode(text: &str) -> Cow<'_, [u8]> {
    text.as_bytes().into()
}
