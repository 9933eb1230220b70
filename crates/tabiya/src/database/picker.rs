//! One game out of many.

use tabiya_game::{Event, Filter, Filtered, Flow, GameSink, GameTree, Needs};

/// Counts the games that it is told, and keeps one of them, if that passes a filter.
pub struct Picker<'f> {
    wanted: Wanted,
    heard: u64,
    /// Which of the games that were told is kept, from 1.
    kept: u64,
    /// The game that is being told may be the one.
    listening: bool,
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
            kept: 0,
            listening: false,
            filtered: Filtered::new(filter, Keep::default()),
        }
    }

    /// How many games have been told.
    pub fn heard(&self) -> u64 {
        self.heard
    }

    /// The game, if there was such a one and it passed. Where its file has no number for it, it
    /// is counted from those that came before what was told.
    pub fn into_game(self, before: u64) -> Option<GameTree> {
        let mut game = self.filtered.into_sink().game?;
        if game.place.number == 0 {
            game.place.number = before + self.kept;
        }
        Some(game)
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
            false => Needs {
                tags: false,
                ..Needs::TAGS
            },
        }
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.listening = self.wants_next();
            self.heard += 1;
        }
        if !self.listening {
            return Flow::SkipGame;
        }
        let flow = self.filtered.event(event);
        if self.kept == 0 && self.filtered.sink().game.is_some() {
            self.kept = self.heard;
        }
        flow
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
