//! A deleted game that goes elsewhere says so.

use tabiya_game::{Event, Flow, GameSink, Needs};

/// The tag by which the mark of a deleted game goes from one format to another: Scid's flags.
const FLAGS: &str = "ScidFlags";

/// Tells a game that is marked as deleted, with a `D` in its flags.
pub(crate) struct Marked<'s> {
    sink: &'s mut dyn GameSink,
    tags: bool,
    is_game: bool,
    told: bool,
}

impl<'s> Marked<'s> {
    pub fn new(sink: &'s mut dyn GameSink) -> Marked<'s> {
        Marked {
            sink,
            tags: false,
            is_game: false,
            told: false,
        }
    }
}

impl GameSink for Marked<'_> {
    fn needs(&mut self) -> Needs {
        let needs = self.sink.needs();
        self.tags = needs.tags;
        needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.is_game = true,
            Event::Tag { name: FLAGS, value } => {
                self.told = true;
                if !value.contains('D') {
                    let value = &format!("D{value}");
                    return self.sink.event(Event::Tag { name: FLAGS, value });
                }
            }
            Event::Tag { .. } => {}
            // The tags are complete.
            _ if self.tags && self.is_game && !self.told => {
                self.told = true;
                let (name, value) = (FLAGS, "D");
                let flow = self.sink.event(Event::Tag { name, value });
                if flow != Flow::Continue && !matches!(event, Event::GameEnd { .. }) {
                    return flow;
                }
            }
            _ => {}
        }
        self.sink.event(event)
    }
}
