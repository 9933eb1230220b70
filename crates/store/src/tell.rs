//! Rows to events.

use tabiya_chess::{Position, Setup, Variant};
use tabiya_formats::jose::Reader;
use tabiya_game::{
    Comment, CommentPlace, Event, Flow, GameResult, GameSink, Listener, Needs, Place,
};

use crate::{
    notes::{NoteCells, NoteReader},
    row::{opaque_of, text_of},
    shape,
};

/// The movetext of a game, as it lies in the columns.
#[derive(Clone, Copy)]
pub(crate) struct Movetext<'a> {
    pub start: Option<&'a str>,
    pub variant: Variant,
    pub bytes: &'a [u8],
    pub notes: NoteCells<'a>,
}

/// Why an entry cannot be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Damaged {
    #[error("the start position is none")]
    Start,
    #[error("the text is cut off")]
    Text,
}

impl Movetext<'_> {
    /// Tells the moves, from the start to the end of the game.
    pub fn tell(&self, reader: &mut Reader, sink: &mut Listener<'_>) -> Result<(), Damaged> {
        let start = self.position().ok_or(Damaged::Start)?;
        let told = if self.notes.shapes.is_empty() || !sink.needs().notes {
            reader.tell_moves(self.bytes.into(), &start, sink)
        } else {
            let mut with_notes = WithNotes {
                notes: NoteReader::new(self.notes),
                needs: sink.needs(),
                sink,
                depth: 0,
                comment: String::new(),
                flow: Flow::Continue,
            };
            let mut listener = Listener::settled(with_notes.needs, &mut with_notes);
            let told = reader.tell_moves(self.bytes.into(), &start, &mut listener);
            with_notes.flush();
            told
        };
        sink.event(Event::GameEnd {
            result: told.result.unwrap_or(GameResult::Unknown),
            state: told.state,
        });
        Ok(())
    }

    fn position(&self) -> Option<Position> {
        let setup = match self.start {
            Some(fen) => fen.parse::<Setup>().ok()?,
            None => Setup::INITIAL,
        };
        Position::from_setup(&setup, self.variant).ok()
    }
}

/// Puts comments behind the plies of the main line and their glyphs.
struct WithNotes<'a, 's, 'l> {
    notes: NoteReader<'a>,
    needs: Needs,
    sink: &'l mut Listener<'s>,
    depth: usize,
    /// The comment of the last ply, until it is told.
    comment: String,
    flow: Flow,
}

impl WithNotes<'_, '_, '_> {
    fn flush(&mut self) {
        if self.comment.is_empty() {
            return;
        }
        self.flow = self.sink.event(Event::Comment(Comment {
            place: CommentPlace::After,
            language: None,
            text: &self.comment,
        }));
        self.comment.clear();
    }
}

impl GameSink for WithNotes<'_, '_, '_> {
    fn needs(&mut self) -> Needs {
        self.needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if !matches!(event, Event::Nag(_)) {
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
        if flow == Flow::SkipVariation && event == Event::VariationStart {
            self.depth -= 1;
        }
        if matches!(event, Event::Move { .. } | Event::Null { .. }) && self.depth == 0 {
            if let Some((shape, numbers)) = self.notes.next_ply() {
                shape::spell(shape, numbers, &mut self.comment);
            }
        }
        flow
    }
}

/// Tells a text.
pub(crate) fn text(body: &[u8], place: Place, sink: &mut Listener<'_>) -> Result<(), Damaged> {
    let (title, language, text) = text_of(body).ok_or(Damaged::Text)?;
    sink.event(Event::Text {
        place,
        title,
        language,
        text,
    });
    Ok(())
}

/// Tells something that nobody understands.
pub(crate) fn opaque(body: &[u8], place: Place, sink: &mut Listener<'_>) -> Result<(), Damaged> {
    let (format, bytes) = opaque_of(body).ok_or(Damaged::Text)?;
    sink.event(Event::Opaque {
        place,
        format,
        bytes,
    });
    Ok(())
}
