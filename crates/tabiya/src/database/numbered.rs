//! Numbers for games of files that have none.

use tabiya_game::{Event, Flow, GameSink, Needs};

/// Counts games for a sink, in files whose games have no numbers of their own.
pub struct Numbered<S> {
    sink: S,
    /// Games so far.
    counted: u64,
}

impl<S> Numbered<S> {
    /// So many games have been counted before.
    pub fn new(counted: u64, sink: S) -> Numbered<S> {
        Numbered { sink, counted }
    }

    /// The sink, and how many games have been counted.
    pub fn into_parts(self) -> (S, u64) {
        (self.sink, self.counted)
    }
}

impl<S: GameSink> GameSink for Numbered<S> {
    fn needs(&mut self) -> Needs {
        self.sink.needs()
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(mut place) if place.number == 0 => {
                self.counted += 1;
                place.number = self.counted;
                self.sink.event(Event::GameStart(place))
            }
            event => self.sink.event(event),
        }
    }
}
