//! A small reader of databases, put together from their parts.

use std::{borrow::Cow, path::Path};

use tabiya_chess::Position;
use tabiya_chessbase::{
    annotations::{Note, read_record},
    encoding::TextCodec,
    files::{
        FileKind,
        extended::ExtendedRecord,
        header::{Entry, GameRecord},
        set::{FileSet, Tables},
        tags::{FromMoves, game_tags, look_up, variant_tag},
    },
    moves::{Notes, Scope, StoredGame},
    text::GuidingText,
};
use tabiya_game::{Event, Flow, GameSink, GameTree, Listener, Place};

/// Tells all entries of a database.
pub fn tell(files: &FileSet, codec: &TextCodec, sink: &mut dyn GameSink) {
    let tables = files.tables().expect("tables");
    for (id, entry) in tables.headers.iter() {
        tell_entry(files, &tables, codec, id, &entry, sink);
    }
}

/// Tells one entry.
pub fn tell_entry(
    files: &FileSet,
    tables: &Tables<'_>,
    codec: &TextCodec,
    id: u32,
    entry: &Entry,
    sink: &mut dyn GameSink,
) {
    let extended = extended(tables, id);
    match entry {
        Entry::Game(game) => tell_game(files, tables, codec, (game, &extended), sink),
        Entry::Text(text) => {
            let bytes = at(files, FileKind::Moves, text.text);
            if let Ok(text) = GuidingText::parse(bytes) {
                text.tell(Place::default(), codec, &mut |event| {
                    sink.event(event);
                });
            }
        }
        _ => {}
    }
}

pub fn extended(tables: &Tables<'_>, id: u32) -> ExtendedRecord {
    let extended = tables.extended.as_ref();
    extended.map_or_else(ExtendedRecord::default, |extended| extended.get(id))
}

/// The bytes of a file from an offset on.
pub fn at(files: &FileSet, kind: FileKind, offset: u32) -> &[u8] {
    let file = files.get(kind).map_or(&[][..], |file| file);
    file.get(offset as usize..).unwrap_or_default()
}

/// The record of moves at an offset.
pub fn moves_at(files: &FileSet, offset: u32) -> &[u8] {
    let bytes = at(files, FileKind::Moves, offset);
    let size = bytes.first_chunk().map_or(0, |&[_, high, middle, low]| {
        u32::from_be_bytes([0, high, middle, low]) as usize
    });
    &bytes[..size.min(bytes.len())]
}

fn tell_game(
    files: &FileSet,
    tables: &Tables<'_>,
    codec: &TextCodec,
    (header, extended): (&GameRecord, &ExtendedRecord),
    sink: &mut dyn GameSink,
) {
    let mut game = StoredGame::default();
    let _ = game.read(at(files, FileKind::Moves, header.moves), Scope::All);
    let notes = match header.annotations {
        0 => Vec::new(),
        offset => read_record(at(files, FileKind::Annotations, offset), codec)
            .map(|(notes, _)| notes)
            .unwrap_or_default(),
    };
    let sink: &mut Listener<'_> = &mut Listener::new(sink);
    sink.event(Event::GameStart(Place::default()));
    let details = look_up(tables, header, extended, &mut Vec::new());
    let start = *game.start();
    let fen = (start != Position::initial()).then(|| start.to_string());
    let from_moves = FromMoves {
        fen: fen.as_deref(),
        variant: variant_tag(start.variant()),
        plies: Some(game.main_line().count()),
    };
    let decode = |bytes: &[u8]| -> String { codec.name(bytes).into_owned() };
    let tags = game_tags(header, extended, &details, &from_moves, &|bytes| {
        Cow::Owned(decode(bytes))
    });
    for (name, value) in tags.iter() {
        sink.event(Event::Tag { name, value });
    }
    for (_, note) in &notes {
        if let Some((name, value)) = note.tag() {
            let value = &value;
            sink.event(Event::Tag { name, value });
        }
    }
    sink.event(Event::Start(&start));
    let placed = Placed(&notes);
    placed.tell(-1, false, sink);
    game.tell(sink, 0, &mut &placed);
    sink.event(Event::GameEnd {
        result: header.ending.result(),
        state: game.state(),
    });
}

struct Placed<'n>(&'n [(i32, Note)]);

impl Placed<'_> {
    fn tell<S: GameSink + ?Sized>(&self, position: i32, before: bool, sink: &mut Listener<'_, S>) {
        let wanted = |note: &Note| position == -1 || note.is_before() == before;
        for (_, note) in self
            .0
            .iter()
            .filter(|(at, note)| *at == position && wanted(note))
        {
            note.tell(&mut |event| {
                sink.event(event);
            });
        }
    }
}

impl Notes for &Placed<'_> {
    fn before<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut Listener<'_, S>) -> Flow {
        self.tell(stored as i32 - 1, true, sink);
        Flow::Continue
    }

    fn after<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut Listener<'_, S>) -> Flow {
        self.tell(stored as i32 - 1, false, sink);
        Flow::Continue
    }
}

/// All entries of a database: games, and texts as games with a title.
#[derive(Default)]
pub struct Entries(pub Vec<GameTree>);

impl GameSink for Entries {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.0.push(GameTree::default()),
            Event::Text {
                title,
                language,
                text,
                ..
            } => {
                let mut tree = GameTree::default();
                tree.tags.push("title", title);
                tree.tags.push("language", language.unwrap_or_default());
                tree.tags.push("text", text);
                self.0.push(tree);
                return Flow::Continue;
            }
            Event::Opaque { .. } => return Flow::Continue,
            _ => {}
        }
        let event = match event {
            Event::GameStart(_) => Event::GameStart(Place::default()),
            Event::Error(mut error) => {
                // Where it stands in the file is not part of it; where it first stood is.
                error.place = error.first.take().unwrap_or_default();
                Event::Error(error)
            }
            other => other,
        };
        self.0.last_mut().expect("an entry").event(event)
    }
}

pub fn read(path: &Path) -> Vec<GameTree> {
    let files = FileSet::open(path).expect("a database");
    let mut entries = Entries::default();
    tell(&files, &TextCodec::default(), &mut entries);
    entries.0
}
