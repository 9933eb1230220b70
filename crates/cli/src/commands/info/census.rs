//! The numbers of games, and the names of their openings.

use std::collections::HashMap;

use tabiya::{
    Event, Flow, GameSink, Needs, Survey,
    openings::{Classifier, Openings},
};

use crate::openings::text;

/// Hears games for a survey, and counts their openings.
pub struct Census<'o> {
    survey: Survey,
    classifier: Classifier<'o>,
    openings: HashMap<String, u64>,
}

impl<'o> Census<'o> {
    pub fn new(table: &'o Openings) -> Census<'o> {
        Census {
            survey: Survey::default(),
            classifier: Classifier::new(table),
            openings: HashMap::new(),
        }
    }

    /// The survey, and games by opening.
    pub fn finish(self) -> (Survey, HashMap<String, u64>) {
        (self.survey, self.openings)
    }
}

/// Adds the counts of other games.
pub fn add(sum: &mut HashMap<String, u64>, more: HashMap<String, u64>) {
    for (name, count) in more {
        *sum.entry(name).or_default() += count;
    }
}

impl GameSink for Census<'_> {
    fn needs(&mut self) -> Needs {
        self.survey.needs().after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.classifier.event(event);
        // The start of a game is no opening yet.
        if let Event::GameEnd { .. } = event
            && let Some((opening, 1..)) = self.classifier.found()
        {
            *self.openings.entry(text(opening)).or_default() += 1;
        }
        self.survey.event(event)
    }
}
