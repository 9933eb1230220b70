//! One game out of many.

use tabiya_game::{Event, Filter, Filtered, Flow, GameSink, GameTree, Needs};

/// Counts the games that it is told, and keeps one of them, if that passes a filter.
pub struct Picker<'f> {
    wanted: Wanted,
    heard: u64,
    /// The game that is being told may be the one.
    listening: bool,
    /// Which of those told was the last that might be the one, from 1.
    candidate: u64,
    filtered: Filtered<'f, Keep>,
}

/// Which game is to be kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// None: they are only counted.
    Nothing,
    /// The first that passes the filter.
    First,
    /// The one of this number among all that are told, from 1.
    Nth(u64),
}

impl<'f> Picker<'f> {
    pub fn new(filter: &'f Filter, wanted: Wanted) -> Picker<'f> {
        Picker {
            wanted,
            heard: 0,
            listening: false,
            candidate: 0,
            filtered: Filtered::new(filter, Keep::default()),
        }
    }

    /// How many games have been told.
    pub fn heard(&self) -> u64 {
        self.heard
    }

    /// The game, if there was such a one and it passed. A game without a number of its own gets
    /// its number in the file, of which so many games stand before those told here.
    pub fn into_game(self, before: u64) -> Option<GameTree> {
        let mut game = self.filtered.into_sink().game?;
        if game.place.number == 0 {
            game.place.number = before + self.candidate;
        }
        Some(game)
    }

    fn is_done(&self) -> bool {
        match self.wanted {
            Wanted::Nothing => false,
            Wanted::First => self.filtered.sink().game.is_some(),
            Wanted::Nth(number) => self.heard >= number,
        }
    }

    fn wants_next(&self) -> bool {
        match self.wanted {
            Wanted::Nothing => false,
            Wanted::First => self.filtered.sink().game.is_none(),
            Wanted::Nth(number) => number == self.heard + 1,
        }
    }
}

impl GameSink for Picker<'_> {
    fn needs(&mut self) -> Needs {
        match self.wants_next() {
            true => self.filtered.needs(),
            false => Needs::NOTHING,
        }
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.listening = self.wants_next();
            self.heard += 1;
            if self.listening {
                self.candidate = self.heard;
            }
        }
        let flow = match self.listening {
            true => self.filtered.event(event),
            false => Flow::SkipGame,
        };
        match event {
            Event::GameEnd { .. } if self.is_done() => Flow::Stop,
            _ => flow,
        }
    }
}

/// Keeps a game.
#[derive(Default)]
struct Keep {
    game: Option<GameTree>,
}

impl GameSink for Keep {
    fn event(&mut self, event: Event<'_>) -> Flow {
        self.game.get_or_insert_default().event(event)
    }
}
