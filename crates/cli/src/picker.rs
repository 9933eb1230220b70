//! One game out of many.

use tabiya_game::{Event, Filter, Filtered, Flow, GameSink, GameTree, Needs};

/// Counts the games that are wanted, and keeps one of them.
pub struct Picker<'f>(Filtered<'f, Pick>);

struct Pick {
    /// The game to keep, counted from 1.
    wanted: Option<u64>,
    heard: u64,
    /// The game that is being told is the one.
    listening: bool,
    tree: Option<GameTree>,
}

impl<'f> Picker<'f> {
    pub fn new(filter: &'f Filter, wanted: Option<u64>) -> Picker<'f> {
        let pick = Pick {
            wanted,
            heard: 0,
            listening: false,
            tree: None,
        };
        Picker(Filtered::new(filter, pick))
    }

    /// How many games have passed the filter.
    pub fn passed(&self) -> u64 {
        self.0.sink().heard
    }

    /// The game, if there was such a one.
    pub fn into_game(self) -> Option<GameTree> {
        self.0.into_sink().tree
    }
}

impl GameSink for Picker<'_> {
    fn needs(&self) -> Needs {
        self.0.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.0.event(event)
    }
}

impl GameSink for Pick {
    fn needs(&self) -> Needs {
        match self.wanted == Some(self.heard + 1) {
            true => Needs::ALL,
            false => Needs {
                tags: false,
                ..Needs::TAGS
            },
        }
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.heard += 1;
            self.listening = self.wanted == Some(self.heard);
        }
        if !self.listening {
            return Flow::SkipGame;
        }
        self.tree.get_or_insert_default().event(event)
    }
}
