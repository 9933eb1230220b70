//! What is said about a game, at the moves where it belongs.

use tabiya_game::{Event, Flow, GameError, GameErrorKind, GameSink, Listener, Place};

use crate::{
    annotations::{AnnotationError, Note, Record},
    encoding::TextCodec,
    moves::{self, Scope, StoredGame},
};

/// Something to be told as an error.
pub(crate) struct Fault {
    pub(crate) kind: GameErrorKind,
    pub(crate) message: String,
    pub(crate) raw: Vec<u8>,
    pub(crate) offset: u64,
}

impl Fault {
    pub(crate) fn tell(&self, sink: &mut Listener<'_>) {
        let raw: String = self.raw.iter().map(|byte| format!("{byte:02x}")).collect();
        sink.event(Event::Error(GameError {
            kind: self.kind,
            message: &self.message,
            raw: &raw,
            place: Place::at_byte(self.offset),
            first: None,
        }));
    }
}

/// The notes of a game. Positions count stored moves from 0; what is before the first of them
/// belongs to the game as a whole.
#[derive(Default)]
pub(crate) struct Notes {
    notes: Vec<(i32, Note)>,
    /// Where they stand, for those that tell what is broken.
    pub place: Place,
}

impl Notes {
    pub(crate) fn clear(&mut self) {
        self.notes.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Adds the notes of a record; if it is cut off or an item is broken, those before the damage.
    /// Without `all`, only those that are tags.
    pub(crate) fn read(
        &mut self,
        bytes: &[u8],
        codec: &TextCodec,
        all: bool,
    ) -> Result<(), AnnotationError> {
        let (record, mut error) = match Record::parse(bytes) {
            Ok(record) => (record, None),
            Err(error) => (Record::cut(bytes).ok_or(error)?, Some(error)),
        };
        for item in record.items() {
            let item = match item {
                Ok(item) => item,
                Err(broken) => {
                    error.get_or_insert(broken);
                    break;
                }
            };
            let note = (item.position, Note::read(&item, codec));
            if all || note.1.tag().is_some() {
                self.notes.push(note);
            }
        }
        // Real records are in order.
        self.notes.sort_by_key(|(position, _)| *position);
        error.map_or(Ok(()), Err)
    }

    /// Adds a note. Those that are added ascend.
    pub(crate) fn push(&mut self, position: i32, note: Note) {
        self.notes.push((position, note));
    }

    /// Gives every note the position that another way to count gives its move; those whose move
    /// is not there are taken out. Returns how many.
    pub(crate) fn renumber(&mut self, place: impl Fn(i32) -> Option<i32>) -> usize {
        let before = self.notes.len();
        self.notes.retain_mut(|(position, _)| {
            let placed = place(*position);
            *position = placed.unwrap_or(*position);
            placed.is_some()
        });
        self.notes.sort_by_key(|(position, _)| *position);
        before - self.notes.len()
    }

    /// The notes that are tags.
    pub(crate) fn tags(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.notes.iter().filter_map(|(_, note)| note.tag())
    }

    /// Fits the notes to the moves that there are: what stands behind the last one belongs to the
    /// end of the main line. Of a damaged game such notes belong to moves that are lost: they are
    /// taken out. Returns how many.
    pub(crate) fn fit(&mut self, game: &StoredGame, scope: Scope) -> usize {
        let stored = i32::try_from(game.stored_moves()).unwrap_or(i32::MAX);
        let behind = self.notes.partition_point(|(at, _)| *at < stored);
        if behind == self.notes.len() {
            return 0;
        }
        if scope == Scope::MainLine || game.error().is_some() {
            let before = self.notes.len();
            self.notes.truncate(behind);
            return match scope {
                Scope::MainLine => 0,
                Scope::All => before - behind,
            };
        }
        let last = i32::try_from(game.main_plies()).unwrap_or(i32::MAX) - 1;
        for (position, _) in &mut self.notes[behind..] {
            *position = last;
        }
        self.notes.sort_by_key(|(position, _)| *position);
        0
    }

    /// Whether one of them tells what is broken.
    pub(crate) fn has_errors(&self) -> bool {
        self.notes.iter().any(|(_, note)| note.error().is_some())
    }

    /// Tells what is said about the game as a whole.
    pub(crate) fn tell_whole(&self, sink: &mut Listener<'_>) -> Flow {
        let end = self.notes.partition_point(|(at, _)| *at < 0);
        tell((&self.notes[..end], self.place), |_| true, sink)
    }

    fn at(&self, stored: u32) -> &[(i32, Note)] {
        let position = i32::try_from(stored).unwrap_or(i32::MAX) - 1;
        let start = self.notes.partition_point(|(at, _)| *at < position);
        let count = self.notes[start..].partition_point(|(at, _)| *at == position);
        &self.notes[start..start + count]
    }
}

impl moves::Notes for &Notes {
    fn before<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut Listener<'_, S>) -> Flow {
        tell((self.at(stored), self.place), Note::is_before, sink)
    }

    fn after<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut Listener<'_, S>) -> Flow {
        tell(
            (self.at(stored), self.place),
            |note| !note.is_before(),
            sink,
        )
    }
}

fn tell<S: GameSink + ?Sized>(
    (notes, place): (&[(i32, Note)], Place),
    wanted: impl Fn(&Note) -> bool,
    sink: &mut Listener<'_, S>,
) -> Flow {
    let mut flow = Flow::Continue;
    for (_, note) in notes.iter().filter(|(_, note)| wanted(note)) {
        note.tell(&mut |event: Event<'_>| {
            if flow != Flow::SkipGame {
                flow = sink.event(match event {
                    Event::Error(error) => Event::Error(GameError { place, ..error }),
                    other => other,
                });
            }
        });
    }
    flow
}
