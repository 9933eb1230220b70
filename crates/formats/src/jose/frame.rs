//! What stands around the moves of a game in a database: its place, its tags and its end.

use tabiya_chess::Position;
use tabiya_game::{
    Annotation, Event, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState, Listener,
    Place, Tags,
};

use super::{Profile, Reader, reader::Input};
use crate::{
    dump::{Dump, Line},
    pgn,
    stream::{StreamCodec, Streams},
};

/// A game without its moves.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Where the game stands.
    pub place: Place,
    /// Its tags.
    pub tags: Tags,
    /// The start position, if it is not that of every game.
    pub fen: Option<String>,
    /// The name of the variant, if the game has one.
    pub variant: Option<String>,
    /// How it ended, if that is known without its moves.
    pub result: Option<GameResult>,
    /// What is wrong with it apart from its moves.
    pub faults: Vec<Fault>,
    /// Something about the whole game.
    pub note: Option<Annotation>,
}

/// Something outside of the moves that cannot be read.
#[derive(Debug)]
pub(super) struct Fault {
    pub kind: GameErrorKind,
    pub message: String,
    pub raw: String,
}

impl Frame {
    /// Notes that something is wrong.
    pub fn fault(&mut self, kind: GameErrorKind, message: String, raw: String) {
        let fault = Fault { kind, message, raw };
        self.faults.push(fault);
    }

    /// Tells a game with these moves; without them, only what is wrong.
    pub fn tell(&self, moves: Option<Input<'_>>, reader: &mut Reader, sink: &mut Listener<'_>) {
        let needs = sink.needs();
        let mut flow = sink.event(Event::GameStart(self.place));
        for (name, value) in self.tags.iter() {
            if flow == Flow::Continue && needs.tags {
                flow = sink.event(Event::Tag { name, value });
            }
        }
        let mut result = self.result;
        let mut state = match self.faults.is_empty() {
            true => GameState::Complete,
            false => GameState::Broken,
        };
        if flow == Flow::Continue && needs.moves {
            let told = self.tell_moves(moves, reader, sink);
            result = result.or(told.0);
            if told.1 == GameState::Broken {
                state = told.1;
            }
        }
        let result = result.unwrap_or_default();
        sink.event(Event::GameEnd { result, state });
    }

    /// What its tags are, and what every byte of its moves means.
    pub fn explain(&self, moves: Option<Input<'_>>, profile: Profile) -> Dump {
        let mut dump = Dump::new("tags");
        let mut say = |text: String| dump.push(Line::new(self.place.offset, [], text));
        for (name, value) in self.tags.iter() {
            say(format!("{name} {value:?}"));
        }
        for fault in &self.faults {
            say(format!("{}: {}", fault.kind, fault.message));
        }
        let start = match pgn::start_of_tags(self.fen.as_deref(), self.variant.as_deref()) {
            Ok(start) => start,
            Err((_, message)) => {
                say(message);
                return dump;
            }
        };
        if let Some(moves) = moves {
            let streams = Streams {
                main: moves.main.to_vec(),
                texts: moves.texts.to_vec(),
            };
            let mut explained = profile.explain(&streams, &start);
            let first = explained.sections.first_mut();
            for line in first.into_iter().flat_map(|section| &mut section.lines) {
                line.offset += moves.offset;
            }
            dump.sections.append(&mut explained.sections);
        }
        dump
    }

    fn tell_moves(
        &self,
        moves: Option<Input<'_>>,
        reader: &mut Reader,
        sink: &mut Listener<'_>,
    ) -> (Option<GameResult>, GameState) {
        let needs = sink.needs();
        let mut opening = Opening { frame: self, sink };
        let start = pgn::start_of_tags(self.fen.as_deref(), self.variant.as_deref());
        if let (Ok(start), Some(moves)) = (&start, moves) {
            let told = reader.tell_moves(moves, start, &mut Listener::settled(needs, &mut opening));
            return (told.result, told.state);
        }
        let initial = Position::initial();
        opening.event(Event::Start(start.as_ref().unwrap_or(&initial)));
        if let Err((kind, message)) = start {
            opening.event(Event::Error(GameError {
                kind,
                message: &message,
                // Without a start no move can be read.
                raw: &moves.map(|moves| hex(moves.main)).unwrap_or_default(),
                place: self.place,
                first: None,
            }));
        }
        (None, GameState::Broken)
    }
}

/// Puts what belongs to the whole game behind its start.
struct Opening<'f, 's> {
    frame: &'f Frame,
    sink: &'f mut Listener<'s>,
}

impl GameSink for Opening<'_, '_> {
    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        let flow = self.sink.event(event);
        match event {
            Event::Start(_) if flow == Flow::Continue => self.open(),
            _ => flow,
        }
    }
}

impl Opening<'_, '_> {
    fn open(&mut self) -> Flow {
        let mut flow = Flow::Continue;
        for fault in &self.frame.faults {
            if flow == Flow::Continue {
                flow = self.sink.event(Event::Error(GameError {
                    kind: fault.kind,
                    message: &fault.message,
                    raw: &fault.raw,
                    place: self.frame.place,
                    first: None,
                }));
            }
        }
        match &self.frame.note {
            Some(note) if flow == Flow::Continue && self.sink.needs().notes => {
                self.sink.event(Event::Annotation(note))
            }
            _ => flow,
        }
    }
}

/// Bytes that cannot be read, for people: at most the first 64 KiB, for a hole in a file may be as
/// large as the file.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    const MOST: usize = 64 << 10;
    let mut text = String::with_capacity(bytes.len().min(MOST) * 3);
    for byte in bytes.iter().take(MOST) {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{byte:02X}");
    }
    if bytes.len() > MOST {
        let _ = write!(text, " and {} more bytes", bytes.len() - MOST);
    }
    text
}
