//! Rows to events.

use tabiya_chess::Position;
use tabiya_formats::jose::Reader;
use tabiya_game::{
    Comment, CommentPlace, Event, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState,
    Listener, Needs, Place,
};

use crate::{
    movetext::Movetext,
    notes::{NoteCells, NoteReader},
    row::Other,
    shape::{self, Before, Numbers, Shape},
};

/// The moves of a game, and what other columns say about them.
#[derive(Clone, Copy)]
pub(crate) struct Noted<'a> {
    pub game: Movetext<'a>,
    pub notes: NoteCells<'a>,
}

impl Noted<'_> {
    /// Tells the moves, from the start to the end of the game. The result is the one that is known
    /// besides.
    pub fn tell(&self, reader: &mut Reader, result: GameResult, sink: &mut Listener<'_>) {
        let Ok(start) = self.game.position() else {
            let message = "the start position is not as it was written";
            return end_broken(GameErrorKind::BadStart, message, result, None, sink);
        };
        let start = sink.needs().start(start);
        let told = if self.notes.shapes.is_empty() || !sink.needs().notes {
            reader.tell_moves(self.game.moves.into(), &start, sink)
        } else {
            let mut with_notes = WithNotes {
                notes: NoteReader::new(self.notes),
                needs: sink.needs(),
                sink,
                depth: 0,
                pending: None,
                spelled: String::new(),
                flow: Flow::Continue,
            };
            let mut listener = Listener::settled(with_notes.needs, &mut with_notes);
            let told = reader.tell_moves(self.game.moves.into(), &start, &mut listener);
            with_notes.flush();
            told
        };
        sink.event(Event::GameEnd {
            result: told.result.unwrap_or(GameResult::Unknown),
            state: told.state,
        });
    }
}

/// Puts comments behind the plies of the main line and their glyphs.
struct WithNotes<'a, 's, 'l> {
    notes: NoteReader<'a>,
    needs: Needs,
    sink: &'l mut Listener<'s>,
    depth: usize,
    /// What is said of the last ply, until it is told.
    pending: Option<(Shape, Numbers)>,
    spelled: String,
    flow: Flow,
}

impl WithNotes<'_, '_, '_> {
    fn flush(&mut self) {
        let Some((shape, numbers)) = self.pending.take() else {
            return;
        };
        self.flow = match shape.is_typed() {
            true => match shape::to_annotation(shape, numbers) {
                Some(annotation) => self.sink.event(Event::Annotation(&annotation)),
                None => Flow::Continue,
            },
            false => {
                let judged = numbers
                    .judgement
                    .map(|judgement| self.comment(|spelled| judgement.spell(spelled)));
                match judged.unwrap_or(Flow::Continue) {
                    Flow::Continue => self.comment(|out| shape::spell(shape, numbers, out)),
                    flow => flow,
                }
            }
        };
    }

    /// Tells a comment that somebody spells.
    fn comment(&mut self, spell: impl FnOnce(&mut String)) -> Flow {
        self.spelled.clear();
        spell(&mut self.spelled);
        self.sink.event(Event::Comment(Comment {
            place: CommentPlace::After,
            language: None,
            text: &self.spelled,
        }))
    }
}

impl GameSink for WithNotes<'_, '_, '_> {
    fn needs(&mut self) -> Needs {
        self.needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        // A comment that stands before what is said of the ply.
        let is_before = matches!(event, Event::Comment(_))
            && matches!(self.pending, Some((shape, _)) if shape.before == Before::Comment);
        if !is_before && !matches!(event, Event::Nag(_)) {
            self.flush();
            if self.flow != Flow::Continue {
                return self.flow;
            }
        }
        match event {
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let flow = self.sink.event(event);
        if is_before && flow == Flow::Continue {
            self.flush();
            return self.flow;
        }
        if flow == Flow::SkipVariation && event == Event::VariationStart {
            self.depth -= 1;
        }
        let is_ply = matches!(event, Event::Move { .. } | Event::Null { .. });
        if is_ply && self.depth == 0 && flow == Flow::Continue {
            self.pending = self.notes.next_ply();
        }
        flow
    }
}

/// Tells an entry that is no game.
pub(crate) fn other(body: &[u8], place: Place, sink: &mut Listener<'_>) {
    let mut rest = body;
    loop {
        match Other::take(&mut rest) {
            Some(Other::Text {
                title,
                language,
                text,
            }) => sink.event(Event::Text {
                place,
                title,
                language,
                text,
            }),
            Some(Other::Opaque { format, bytes }) => sink.event(Event::Opaque {
                place,
                format,
                bytes,
            }),
            // Nobody understands what is left, and it is not lost.
            None => sink.event(Event::Opaque {
                place,
                format: UNREADABLE,
                bytes: std::mem::take(&mut rest),
            }),
        };
        if rest.is_empty() {
            return;
        }
    }
}

/// The format of what is damaged.
const UNREADABLE: &str = "tabiya, damaged";

/// Tells that an entry cannot be read at all; it is taken for a game.
pub(crate) fn lost(message: &str, place: Place, sink: &mut dyn GameSink) -> Flow {
    let mut sink: Listener<'_> = Listener::new(sink);
    match sink.event(Event::GameStart(place)) {
        Flow::Continue => {
            let (kind, result) = (GameErrorKind::Unreadable, GameResult::Unknown);
            end_broken(kind, message, result, None, &mut sink);
        }
        _ => end(GameResult::Unknown, GameState::Broken, &mut sink),
    }
    sink.finish()
}

/// Tells that an entry which is no game cannot be read.
pub(crate) fn lost_other(message: &str, place: Place, sink: &mut Listener<'_>) {
    let (format, bytes) = (UNREADABLE, message.as_bytes());
    sink.event(Event::Opaque {
        place,
        format,
        bytes,
    });
}

/// Ends a game of which no moves can be told, behind its start.
pub(crate) fn end_broken(
    kind: GameErrorKind,
    message: &str,
    result: GameResult,
    start: Option<Position>,
    sink: &mut Listener<'_>,
) {
    let start = start.unwrap_or_else(Position::initial);
    if sink.needs().moves && sink.event(Event::Start(&start)) != Flow::Continue {
        return end(result, GameState::Broken, sink);
    }
    sink.event(Event::Error(GameError {
        kind,
        message,
        raw: "",
        place: Place::default(),
        first: None,
    }));
    end(result, GameState::Broken, sink);
}

fn end(result: GameResult, state: GameState, sink: &mut Listener<'_>) {
    sink.event(Event::GameEnd { result, state });
}
