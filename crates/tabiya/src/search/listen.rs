//! A sink that asks games a question.

use tabiya_game::{Event, Flow, GameResult, GameSink, Needs, Tags};
use tabiya_search::{Nearest, Seeker, openings::Classifier};

use super::{Hit, Question, named};

/// Asks the games of a part that pass the filter.
pub struct Asker<'q> {
    seeker: Option<Ear<Seeker<'q>>>,
    nearest: Option<Ear<Nearest<'q>>>,
    classifier: Option<Ear<Classifier<'q>>>,
    number: u64,
    tags: Tags,
    hits: Vec<Hit>,
}

/// One of several sinks that hear the same game.
struct Ear<S> {
    sink: S,
    /// It has not heard enough of this game.
    listens: bool,
}

impl<S: GameSink> Ear<S> {
    fn new(sink: S) -> Ear<S> {
        Ear {
            sink,
            listens: true,
        }
    }

    /// Tells an event, if it still listens or must hear this one. Whether it listens on.
    fn hear(&mut self, event: Event<'_>) -> bool {
        match event {
            Event::GameStart(_) => self.listens = true,
            Event::GameEnd { .. } => {
                self.sink.event(event);
                return false;
            }
            _ => {}
        }
        self.listens = self.listens && self.sink.event(event) == Flow::Continue;
        self.listens
    }
}

impl<'q> Asker<'q> {
    pub fn new(question: &'q Question) -> Asker<'q> {
        let variations = question.variations;
        let seeker = question.query.as_ref().map(Seeker::new);
        let nearest = question.near.as_ref().map(Nearest::new);
        Asker {
            seeker: seeker.map(|seeker| Ear::new(seeker.in_variations(variations))),
            nearest: nearest.map(|nearest| Ear::new(nearest.in_variations(variations))),
            classifier: question
                .openings
                .as_deref()
                .map(|it| Ear::new(Classifier::new(it))),
            number: 0,
            tags: Tags::new(),
            hits: Vec::new(),
        }
    }

    /// The games that answer.
    pub fn finish(self) -> Vec<Hit> {
        self.hits
    }

    /// Tells all. Whether one of them listens on.
    fn hear(&mut self, event: Event<'_>) -> bool {
        let seeks = self.seeker.as_mut().is_some_and(|ear| ear.hear(event));
        let nears = self.nearest.as_mut().is_some_and(|ear| ear.hear(event));
        let names = self.classifier.as_mut().is_some_and(|ear| ear.hear(event));
        seeks || nears || names
    }

    /// The game has ended: it may answer.
    fn answer(&mut self, result: GameResult) {
        let found = self.seeker.as_ref().map(|ear| ear.sink.found());
        let near = self.nearest.as_ref().map(|ear| ear.sink.found());
        // What is asked must be answered.
        if found == Some(None) || near == Some(None) {
            return;
        }
        let near = near.flatten();
        let hit = Hit {
            number: self.number,
            ply: near.map(|(_, ply)| ply).or(found.flatten()),
            distance: near.map(|(distance, _)| distance),
            tags: self.tags.clone(),
            result,
            opening: named(self.classifier.as_ref().map(|ear| &ear.sink)),
        };
        self.hits.push(hit);
    }
}

impl GameSink for Asker<'_> {
    fn needs(&mut self) -> Needs {
        let seeker = self.seeker.as_mut().map(|ear| ear.sink.needs());
        // Both need the same, if both are there.
        let needs = seeker.or_else(|| self.nearest.as_mut().map(|ear| ear.sink.needs()));
        let needs = needs.unwrap_or(Needs::NOTHING).tags(true);
        match self.classifier {
            Some(_) => needs.moves(true).after(true).keys(true),
            None => needs,
        }
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.number = place.number;
                self.tags.clear();
                self.hear(event);
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { result, .. } => {
                self.hear(event);
                self.answer(result);
            }
            _ if !self.hear(event) => return Flow::SkipGame,
            _ => {}
        }
        Flow::Continue
    }
}
