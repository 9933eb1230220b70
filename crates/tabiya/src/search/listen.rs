//! A sink that asks games a question.

use tabiya_game::{Event, Filtered, Flow, GameResult, GameSink, Needs, Tags};
use tabiya_search::{Nearest, Seeker, openings::Classifier};

use super::{Hit, Question, named};

/// Asks the games of a part.
pub struct Listener<'q> {
    filtered: Filtered<'q, Asker<'q>>,
    /// Games so far, wanted or not.
    heard: u64,
}

impl<'q> Listener<'q> {
    pub fn new(question: &'q Question) -> Listener<'q> {
        let variations = question.variations;
        let seeker = question.query.as_ref().map(Seeker::new);
        let nearest = question.near.as_ref().map(Nearest::new);
        let asker = Asker {
            seeker: seeker.map(|seeker| Ear::new(seeker.in_variations(variations))),
            nearest: nearest.map(|nearest| Ear::new(nearest.in_variations(variations))),
            classifier: question
                .openings
                .as_deref()
                .map(|it| Ear::new(Classifier::new(it))),
            number: 0,
            place: 0,
            tags: Tags::new(),
            hits: Vec::new(),
        };
        Listener {
            filtered: Filtered::new(&question.filter, asker),
            heard: 0,
        }
    }

    /// The games that answer, each with its place among those that were heard, and how many were.
    pub fn finish(self) -> (Vec<(u64, Hit)>, u64) {
        (self.filtered.into_sink().hits, self.heard)
    }
}

impl GameSink for Listener<'_> {
    fn needs(&mut self) -> Needs {
        self.filtered.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.heard += 1;
            self.filtered.sink_mut().place = self.heard;
        }
        self.filtered.event(event)
    }
}

/// Hears the games that pass the filter.
struct Asker<'q> {
    seeker: Option<Ear<Seeker<'q>>>,
    nearest: Option<Ear<Nearest<'q>>>,
    classifier: Option<Ear<Classifier<'q>>>,
    number: u64,
    place: u64,
    tags: Tags,
    hits: Vec<(u64, Hit)>,
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

impl Asker<'_> {
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
        self.hits.push((self.place, hit));
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
