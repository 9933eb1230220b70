//! A deleted game that goes elsewhere says so, and one that comes says so too.

use tabiya_game::{Event, Flow, GameSink, Needs, Tags};

/// The tag by which the mark of a deleted game goes from one format to another: Scid's flags.
const FLAGS: &str = "ScidFlags";
/// The one that is a mark.
const MARK: char = 'D';

/// Whether tags say that their game is deleted.
pub(crate) fn is_marked(tags: &Tags) -> bool {
    tags.iter()
        .any(|(name, value)| name == FLAGS && value.contains(MARK))
}

/// The tags of a game that is deleted no longer.
pub(crate) fn without_mark(tags: &Tags) -> Tags {
    let mut kept = Tags::default();
    for (name, value) in tags.iter() {
        match name {
            FLAGS if value.contains(MARK) => match value.replace(MARK, "") {
                rest if rest.is_empty() => {}
                rest => kept.push(name, &rest),
            },
            _ => kept.push(name, value),
        }
    }
    kept
}

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
                if !value.contains(MARK) {
                    let value = &format!("{MARK}{value}");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_that_goes_leaves_the_other_flags() {
        for (value, left) in [("D", None), ("WDB", Some("WB")), ("W", Some("W"))] {
            let mut tags = Tags::default();
            tags.push("White", "D");
            tags.push(FLAGS, value);
            assert_eq!(is_marked(&tags), value.contains('D'), "{value}");
            let tags = without_mark(&tags);
            assert!(!is_marked(&tags), "{value}");
            assert_eq!((tags.get("White"), tags.get(FLAGS)), (Some("D"), left));
        }
    }
}
