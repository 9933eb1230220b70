//! One part of a database, written in another format.

use std::ops::Range;

use tabiya_game::{
    Error, Event, Filter, Filtered, Flow, GameErrorKind, GameSink, GameState, Losses, Needs,
    Numbers, Place,
};

use crate::{DeletedEntry, GameWriter, Part, Records};

/// What a part became. Threads make them, in any order; whoever joins them knows the numbers of
/// their games.
#[derive(Debug)]
pub struct Converted {
    /// All entries that were wanted, one after the other.
    pub records: Records,
    /// How many entries the part has, wanted or not; those behind the last wanted number are not
    /// counted.
    pub read: u64,
    /// Which of these are no games, from 0.
    pub others: Vec<u64>,
    /// How many of them are games whose numbers only whoever has counted those before can tell.
    pub uncounted: u64,
    /// The number in the file of its last entry, if the file has numbers, else 0.
    pub last_number: u64,
    /// Those that it has besides, up to the last wanted number: they are marked as deleted, and
    /// were not told.
    pub deleted: Vec<DeletedEntry>,
    /// The entries that were wanted, in order.
    pub entries: Vec<ConvertedEntry>,
    /// The writer takes no more.
    pub stopped: bool,
}

impl Converted {
    /// All of the records, for [`Target::add`](crate::Target::add).
    #[must_use]
    pub fn all(&self) -> Range<usize> {
        0..self.entries.last().map_or(0, |entry| entry.end)
    }
}

/// An entry of a part that was wanted.
#[derive(Debug)]
pub struct ConvertedEntry {
    /// Which entry of the part it is, from 0.
    pub index: u64,
    /// What is known of its number in the file.
    pub number: EntryNumber,
    /// Where its records end, as [`GameWriter::len`] counts; they begin where those of the entry
    /// before end.
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

/// What a part knows of the number of an entry in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EntryNumber {
    /// It is this one.
    InFile(u64),
    /// So many games of the part come before it, and those of the parts before.
    InPart(u64),
    /// It has none: it belongs to the whole database.
    #[default]
    Nothing,
}

impl EntryNumber {
    /// The number in the file, if so many games came in the parts before.
    #[must_use]
    pub fn after(self, games: u64) -> Option<u64> {
        match self {
            EntryNumber::InFile(number) => Some(number),
            EntryNumber::InPart(index) => Some(games + index + 1),
            EntryNumber::Nothing => None,
        }
    }
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
/// `numbers` picks entries by their numbers in the file as far as the part knows them; of the
/// others [`EntryNumber::after`] tells.
///
/// ```
/// use tabiya_formats::{Database, convert_part, engine_text::MoveWriter, pgn::Pgn};
/// use tabiya_game::{Filter, Numbers};
///
/// let mut pgn = Pgn::new("1. e4 e5 *\n\n1. d4 Ke5 *\n".as_bytes(), Default::default());
/// let part = pgn.next_part()?.unwrap();
/// let (filter, all) = (Filter::default(), Numbers::default());
/// let converted = convert_part(&*part, &filter, &all, Box::new(MoveWriter::uci()))?;
/// assert_eq!(converted.records.bytes(), Some(&b"e2e4 e7e5\nd2d4\n"[..]));
/// assert!(converted.entries[1].fault.is_some());
/// # Ok::<(), tabiya_game::Error>(())
/// ```
///
/// # Errors
/// If the part cannot be read.
pub fn convert_part(
    part: &dyn Part,
    filter: &Filter,
    numbers: &Numbers,
    writer: Box<dyn GameWriter>,
) -> Result<Converted, Error> {
    let recorder = Recorder {
        writer,
        entry: Numbering::default(),
        place: Place::default(),
        fault: None,
        entries: Vec::new(),
        stopped: false,
    };
    let (mut recorder, count, others) = match filter.is_empty() {
        true => count(part, numbers, recorder)?,
        false => {
            let (sink, count, others) = count(part, numbers, Filtered::new(filter, recorder))?;
            (sink.into_sink(), count, others)
        }
    };
    let last = numbers.last().unwrap_or(u64::MAX);
    let mut deleted = part.deleted();
    deleted.retain(|entry| entry.number <= last);
    let last_deleted = deleted.last().map_or(0, |entry| entry.number);
    Ok(Converted {
        records: recorder.writer.take(),
        read: count.read,
        others,
        uncounted: count.games,
        last_number: count.last_number.max(last_deleted),
        deleted,
        entries: recorder.entries,
        stopped: recorder.stopped,
    })
}

/// Tells a part to a sink behind a [`Numbered`]: the sink, what was counted, and which entries are
/// no games.
fn count<S: Indexed>(
    part: &dyn Part,
    numbers: &Numbers,
    sink: S,
) -> Result<(S, Numbering, Vec<u64>), Error> {
    let mut numbered = Numbered {
        sink,
        numbers: (!numbers.is_all()).then_some(numbers),
        count: Numbering::default(),
        others: Vec::new(),
        skipping: false,
        past: false,
    };
    part.tell(&mut numbered)?;
    Ok((numbered.sink, numbered.count, numbered.others))
}

/// Counts entries before they are filtered, and passes over those of numbers that nobody wants.
struct Numbered<'n, S> {
    sink: S,
    /// The numbers that are wanted, if not all are.
    numbers: Option<&'n Numbers>,
    count: Numbering,
    /// Entries that are no games.
    others: Vec<u64>,
    /// The entry that is being told is not wanted.
    skipping: bool,
    /// It is behind the last one that is.
    past: bool,
}

/// How far the entries of a part have been counted.
#[derive(Clone, Copy, Default)]
struct Numbering {
    read: u64,
    games: u64,
    last_number: u64,
    number: EntryNumber,
}

/// A sink that wants to know the numbers of entries.
trait Indexed: GameSink {
    fn set_entry(&mut self, entry: Numbering);
}

impl Indexed for Recorder {
    fn set_entry(&mut self, entry: Numbering) {
        self.entry = entry;
    }
}

impl Indexed for Filtered<'_, Recorder> {
    fn set_entry(&mut self, entry: Numbering) {
        self.sink_mut().entry = entry;
    }
}

impl<S: Indexed> Numbered<'_, S> {
    fn begin(&mut self, place: Place, is_game: bool) {
        let count = &mut self.count;
        if !is_game && count.number == EntryNumber::InFile(place.number) {
            // Another language of the same text, or its formatting.
            return;
        }
        count.number = match place.number {
            0 if is_game => EntryNumber::InPart(count.games),
            0 => EntryNumber::Nothing,
            number => EntryNumber::InFile(number),
        };
        count.games += u64::from(is_game && place.number == 0);
        count.last_number = count.last_number.max(place.number);
        self.skipping = match (self.numbers, count.number) {
            (None, _) | (_, EntryNumber::InPart(_)) => false,
            (Some(numbers), EntryNumber::InFile(number)) => !numbers.contains(number),
            (Some(_), EntryNumber::Nothing) => true,
        };
        let last = self.numbers.and_then(Numbers::last);
        if last.is_none_or(|last| place.number <= last) {
            self.sink.set_entry(*count);
            if !is_game {
                self.others.push(count.read);
            }
            count.read += 1;
        } else {
            self.past = true;
        }
    }
}

impl<S: Indexed> GameSink for Numbered<'_, S> {
    fn needs(&mut self) -> Needs {
        self.sink.needs()
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Some(place) = event.entry() {
            self.begin(place, matches!(event, Event::GameStart(_)));
        }
        match self.skipping {
            true if self.past => Flow::Stop,
            true => Flow::SkipGame,
            false => self.sink.event(event),
        }
    }
}

/// Notes where each entry ends and what happened to it.
struct Recorder {
    writer: Box<dyn GameWriter>,
    entry: Numbering,
    place: Place,
    fault: Option<Box<Fault>>,
    entries: Vec<ConvertedEntry>,
    stopped: bool,
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

    #[inline]
    fn write(&mut self, event: Event<'_>) -> Flow {
        let flow = self.writer.event(event);
        self.stopped |= flow == Flow::Stop;
        flow
    }

    fn end_entry(&mut self, is_game: bool) {
        let end = self.writer.len();
        let start = self.entries.last().map_or(0, |entry| entry.end);
        let losses = self.writer.take_losses();
        if let Some(last) = self.entries.last_mut()
            && last.index == self.entry.read
        {
            last.refused &= end == start && !losses.is_empty();
            last.end = end;
            last.losses.append_of_same_entry(losses);
            return;
        }
        self.entries.push(ConvertedEntry {
            index: self.entry.read,
            number: self.entry.number,
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
    fn needs(&mut self) -> Needs {
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
                let flow = self.write(event);
                if state == GameState::Complete {
                    self.fault = None;
                }
                self.end_entry(true);
                return flow;
            }
            Event::Text { place, .. } | Event::Opaque { place, .. } => {
                self.place = place;
                let flow = self.write(event);
                self.end_entry(false);
                return flow;
            }
            _ => {}
        }
        self.write(event)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use tabiya_game::GameResult;

    use super::*;
    use crate::{Database, ordered, pgn};

    /// Takes one game, and no more.
    #[derive(Default)]
    struct Full(pgn::Writer);

    impl GameSink for Full {
        fn event(&mut self, event: Event<'_>) -> Flow {
            match (self.0.event(event), event) {
                (_, Event::GameEnd { .. }) => Flow::Stop,
                (flow, _) => flow,
            }
        }
    }

    impl GameWriter for Full {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn take(&mut self) -> Records {
            GameWriter::take(&mut self.0)
        }

        fn take_losses(&mut self) -> Losses {
            self.0.take_losses()
        }
    }

    #[test]
    fn a_writer_that_is_full_ends_the_reading_in_all_threads() {
        let text = "[White \"x\"]\n\n1. e4 e5 *\n\n".repeat(200_000);
        for jobs in [1, 4] {
            let mut database = pgn::Pgn::new(text.as_bytes(), Default::default());
            let (mut parts, mut games) = (0, 0);
            ordered(
                jobs,
                || database.next_part().expect("readable text"),
                |part| {
                    let (filter, all) = (Filter::default(), Numbers::default());
                    convert_part(&*part, &filter, &all, Box::new(Full::default()))
                },
                |converted| {
                    let converted = converted.expect("readable text");
                    parts += 1;
                    games += converted.entries.len();
                    assert_eq!(converted.read, 1);
                    match converted.stopped {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                },
            );
            assert_eq!((parts, games), (1, 1));
        }
    }

    /// A text in two languages, as one entry tells it.
    struct TwoLanguages;

    impl Part for TwoLanguages {
        fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
            for (number, language) in [(1, "en"), (1, "de"), (2, "en")] {
                sink.event(Event::Text {
                    place: Place::of_entry(number, 46),
                    title: "Foreword",
                    language: Some(language),
                    text: "…",
                });
            }
            Ok(Flow::Continue)
        }
    }

    #[test]
    fn a_text_in_two_languages_is_one_entry() {
        for result in [None, Some(GameResult::Draw)] {
            let filter = Filter {
                result,
                ..Filter::default()
            };
            let writer = Box::new(pgn::Writer::default());
            let converted = convert_part(&TwoLanguages, &filter, &Numbers::default(), writer);
            let converted = converted.expect("it tells");
            assert_eq!((converted.read, converted.others.len()), (2, 2));
            if filter.is_empty() {
                assert_eq!(converted.entries.len(), 2);
                let first = &converted.entries[0];
                assert_eq!((first.refused, first.losses.count()), (true, 1));
            }
        }
    }
}
