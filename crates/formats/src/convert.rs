//! One part of a database, written in another format.

use tabiya_game::{
    Event, Filter, Filtered, Flow, GameErrorKind, GameSink, GameState, Losses, Needs, Place,
    SourceError,
};

use crate::{GameWriter, Part};

/// What a part became. Threads make them, in any order; whoever joins them knows the numbers of
/// their games.
#[derive(Debug, Default)]
pub struct Converted {
    /// All entries that were wanted, one after the other.
    pub bytes: Vec<u8>,
    /// How many entries the part has, wanted or not.
    pub read: u64,
    /// Which of these are no games, from 0.
    pub others: Vec<u64>,
    /// How many more it has that are marked as deleted, and were not told.
    pub deleted: u64,
    /// The entries that were wanted, in order.
    pub entries: Vec<ConvertedEntry>,
}

/// An entry of a part that was wanted.
#[derive(Debug)]
pub struct ConvertedEntry {
    /// Which entry of the part it is, from 0.
    pub index: u64,
    /// Where its bytes end; they begin where those of the entry before end.
    pub end: usize,
    /// Where it stands in the input.
    pub place: Place,
    /// It is a game, and not a text or something that nobody understands.
    pub is_game: bool,
    /// The format could not take it at all.
    pub refused: bool,
    /// What is wrong with it, if it is a broken game.
    pub fault: Option<Box<Fault>>,
    /// What was lost.
    pub losses: Losses,
}

/// The first thing in a broken game that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What is wrong.
    pub kind: GameErrorKind,
    /// A sentence for people.
    pub message: String,
    /// Where.
    pub place: Place,
    /// How many such things the game has.
    pub errors: u64,
}

/// Writes the wanted entries of a part.
///
/// ```
/// use tabiya_formats::{Database, convert_part, lines::MoveWriter, pgn::Pgn};
/// use tabiya_game::Filter;
///
/// let mut pgn = Pgn::new("1. e4 e5 *\n\n1. d4 Ke5 *\n".as_bytes(), Default::default());
/// let part = pgn.next_part()?.unwrap();
/// let converted = convert_part(&*part, &Filter::default(), Box::new(MoveWriter::uci()))?;
/// assert_eq!(converted.bytes, b"e2e4 e7e5\nd2d4\n");
/// assert!(converted.entries[1].fault.is_some());
/// # Ok::<(), tabiya_game::SourceError>(())
/// ```
///
/// # Errors
/// If the part cannot be read.
pub fn convert_part(
    part: &dyn Part,
    filter: &Filter,
    writer: Box<dyn GameWriter>,
) -> Result<Converted, SourceError> {
    let recorder = Recorder {
        writer,
        index: 0,
        place: Place::default(),
        fault: None,
        entries: Vec::new(),
    };
    let (mut recorder, read, others) = if filter.is_empty() {
        let counter = Numbered::count(part, recorder)?;
        (counter.sink, counter.read, counter.others)
    } else {
        let counter = Numbered::count(part, Filtered::new(filter, recorder))?;
        (counter.sink.into_sink(), counter.read, counter.others)
    };
    Ok(Converted {
        bytes: recorder.writer.take(),
        read,
        others,
        deleted: part.deleted(),
        entries: recorder.entries,
    })
}

/// Counts entries before they are filtered.
struct Numbered<S> {
    sink: S,
    read: u64,
    others: Vec<u64>,
}

impl<S: Indexed> Numbered<S> {
    /// Tells a part to a sink.
    fn count(part: &dyn Part, sink: S) -> Result<Numbered<S>, SourceError> {
        let mut counter = Numbered {
            sink,
            read: 0,
            others: Vec::new(),
        };
        part.tell(&mut counter)?;
        Ok(counter)
    }
}

/// A sink that wants to know the numbers of entries.
trait Indexed: GameSink {
    fn set_index(&mut self, index: u64);
}

impl Indexed for Recorder {
    fn set_index(&mut self, index: u64) {
        self.index = index;
    }
}

impl Indexed for Filtered<'_, Recorder> {
    fn set_index(&mut self, index: u64) {
        self.sink_mut().index = index;
    }
}

impl<S: Indexed> GameSink for Numbered<S> {
    fn needs(&self) -> Needs {
        self.sink.needs()
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) | Event::Text { .. } | Event::Opaque { .. } = event {
            if !matches!(event, Event::GameStart(_)) {
                self.others.push(self.read);
            }
            self.sink.set_index(self.read);
            self.read += 1;
        }
        self.sink.event(event)
    }
}

/// Notes where each entry ends and what happened to it.
struct Recorder {
    writer: Box<dyn GameWriter>,
    index: u64,
    place: Place,
    fault: Option<Box<Fault>>,
    entries: Vec<ConvertedEntry>,
}

impl Recorder {
    fn note_error(&mut self, error: &tabiya_game::GameError<'_>) {
        match &mut self.fault {
            Some(fault) => fault.errors += 1,
            None => {
                self.fault = Some(Box::new(Fault {
                    kind: error.kind,
                    message: error.message.to_string(),
                    place: error.place,
                    errors: 1,
                }));
            }
        }
    }

    fn end_entry(&mut self, is_game: bool) {
        let end = self.writer.len();
        let start = self.entries.last().map_or(0, |entry| entry.end);
        let losses = self.writer.take_losses();
        self.entries.push(ConvertedEntry {
            index: self.index,
            end,
            place: self.place,
            is_game,
            // Nothing was written, and the writer says why.
            refused: end == start && !losses.is_empty(),
            fault: self.fault.take(),
            losses,
        });
    }
}

impl GameSink for Recorder {
    fn needs(&self) -> Needs {
        self.writer.needs()
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.place = place;
                self.fault = None;
            }
            Event::Error(error) => self.note_error(&error),
            Event::GameEnd { state, .. } => {
                let flow = self.writer.event(event);
                if state == GameState::Complete {
                    self.fault = None;
                }
                self.end_entry(true);
                return flow;
            }
            Event::Text { .. } | Event::Opaque { .. } => {
                let flow = self.writer.event(event);
                self.end_entry(false);
                return flow;
            }
            _ => {}
        }
        self.writer.event(event)
    }
}
