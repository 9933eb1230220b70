//! Questions that a database of tabiya's own answers by itself: from its columns, its index of
//! positions and its signatures.

use std::ops::ControlFlow;

use tabiya_formats::ordered;
use tabiya_game::{Event, Flow, GameResult, GameSink, Needs, Tags};
use tabiya_search::{
    Exact, Query, Test,
    openings::{Classifier, Openings},
};
use tabiya_store::{GameSet, How, Store, Watch};

use super::{Hit, Question, named};
use crate::{
    Database, Error, Result,
    database::{Gauge, select, tells_games},
};

/// A game that answers.
#[derive(Clone, Copy)]
struct Answer {
    number: u64,
    /// After how many plies it answers the query, or comes nearest.
    ply: Option<u32>,
    /// How near it comes.
    distance: Option<u32>,
}

impl Answer {
    fn new(number: u64, ply: Option<u32>) -> Answer {
        Answer {
            number,
            ply,
            distance: None,
        }
    }
}

/// So many headers are read by a thread at a time.
const HEADERS: usize = 256;

/// Hands out the first games that answer, in the order of their numbers. How many there are; `None`
/// if every game has to be asked.
pub(super) fn ask<E: From<Error>>(
    question: &Question,
    database: &Database,
    first: usize,
    each: impl FnMut(Hit) -> Result<(), E>,
) -> Result<Option<u64>, E> {
    let Some(store) = database.store() else {
        return Ok(None);
    };
    let gauge = gauge(question, database, &store);
    let jobs = database.threads();
    let Some(answers) = answers(question, &store, jobs, &gauge)? else {
        return Ok(None);
    };
    let total = answers.len() as u64;
    let shown = &answers[..answers.len().min(first)];
    hand_out(shown, question, &store, jobs, &gauge, each)?;
    gauge.finish()?;
    Ok(Some(total))
}

/// Hands out the games that answer and come nearest to what is asked for, the nearest first. How many
/// answer in all; `None` if every game has to be asked.
pub(super) fn ask_nearest<E: From<Error>>(
    question: &Question,
    database: &Database,
    most: usize,
    each: impl FnMut(Hit) -> Result<(), E>,
) -> Result<Option<u64>, E> {
    let (Some(position), Some(store)) = (&question.near, database.store()) else {
        return Ok(None);
    };
    let gauge = gauge(question, database, &store);
    let jobs = database.threads();
    let others = Question {
        near: None,
        ..question.clone()
    };
    let among = answers(&others, &store, jobs, &gauge)?;
    let among = among.map(|found| found.iter().map(|game| game.number).collect::<GameSet>());
    let hear = |entries| gauge.add(entries);
    let how = How {
        among: among.as_ref(),
        variations: question.variations,
        jobs,
        watch: Watch::new(&hear),
    };
    let mut near = store.near(position, &how)?;
    let total = near.len() as u64;
    near.sort_unstable();
    near.truncate(most);
    let nearest: Vec<Answer> = near
        .into_iter()
        .map(|near| Answer {
            number: near.number,
            ply: Some(near.ply),
            distance: Some(near.distance),
        })
        .collect();
    hand_out(&nearest, question, &store, jobs, &gauge, each)?;
    gauge.finish()?;
    Ok(Some(total))
}

/// Tells how far an answer has come: all entries are looked at once for everything that is asked of
/// games.
fn gauge(question: &Question, database: &Database, store: &Store) -> Gauge {
    let passes = [
        tells_games(&question.filter),
        question.query.is_some(),
        question.near.is_some(),
    ];
    let passes = passes.into_iter().map(u64::from).sum::<u64>();
    database.gauge(store, passes * store.count())
}

/// The games that answer, in the order of their numbers; `None` if every game has to be
/// asked.
fn answers(
    question: &Question,
    store: &Store,
    jobs: usize,
    gauge: &Gauge,
) -> Result<Option<Vec<Answer>>> {
    let Question { filter, query, .. } = question;
    if question.near.is_some() || query.is_none() && filter.is_empty() {
        return Ok(None);
    }
    let among = select(store, filter, gauge)?;
    let Some(query) = query else {
        let numbers = among.iter().flat_map(GameSet::iter);
        return Ok(Some(
            numbers.map(|number| Answer::new(number, None)).collect(),
        ));
    };
    let hear = |entries| gauge.add(entries);
    let how = How {
        among: among.as_ref(),
        variations: question.variations,
        jobs,
        watch: Watch::new(&hear),
    };
    let found = find(store, query, &how)?;
    let found = found.into_iter();
    let found = found.map(|hit| Answer::new(hit.number, Some(hit.ply)));
    Ok(Some(found.collect()))
}

/// Reads the headers of games by all cores, and hands them out in their order.
fn hand_out<E: From<Error>>(
    answers: &[Answer],
    question: &Question,
    store: &Store,
    jobs: usize,
    gauge: &Gauge,
    mut each: impl FnMut(Hit) -> Result<(), E>,
) -> Result<(), E> {
    let mut chunks = answers.chunks(HEADERS);
    let mut done = Ok(());
    let read = |chunk: &[Answer]| -> Result<Vec<Hit>> {
        gauge.look(0)?;
        let mut header = Header::new(question.openings.as_deref());
        let hit = |answer: &Answer| {
            store.tell(answer.number, &mut header)?;
            Ok(header.hit(answer))
        };
        chunk.iter().map(hit).collect()
    };
    ordered(
        jobs.min(answers.len().div_ceil(HEADERS)).max(1),
        || chunks.next(),
        read,
        |hits| {
            done = hits
                .map_err(E::from)
                .and_then(|hits| hits.into_iter().try_for_each(&mut each));
            match done {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        },
    );
    done
}

/// The games of a store that answer a query, in the order of their numbers. The index names those that
/// have a position which the query asks for, and only they are played.
///
/// ```
/// use tabiya::{search, store::{How, Store}};
///
/// # let folder = tempfile::tempdir()?;
/// # let (pgn, path) = (folder.path().join("games.pgn"), folder.path().join("games.tabiya"));
/// # std::fs::write(&pgn, "1. e4 e5 *\n\n1. d4 d5 *\n")?;
/// # tabiya::convert(&pgn, &path).run()?;
/// let store = Store::open(&path)?;
/// let hits = search::find(&store, &"moves(1. d4)".parse()?, &How::default())?;
/// assert_eq!((hits.len(), hits[0].number, hits[0].ply), (1, 2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the store is damaged, or the search is cancelled.
pub fn find(store: &Store, query: &Query, how: &How<'_>) -> Result<Vec<tabiya_store::Hit>> {
    let is_quick = !how.variations && store.unindexed() <= Store::MANY;
    let Some(position) = exact(query).filter(|_| is_quick) else {
        return store.search(query, how);
    };
    let at = store.games_at(position.position(), how.among)?;
    if let Query::Somewhere(_) = query {
        return Ok(at.collect());
    }
    let at: GameSet = at.map(|hit| hit.number).collect();
    let among = Some(&at);
    store.search(query, &How { among, ..*how })
}

/// A position that a game must have to answer.
fn exact(query: &Query) -> Option<&Exact> {
    match query {
        Query::Somewhere(test) => exact_test(test),
        Query::All(queries) => queries.iter().find_map(exact),
        _ => None,
    }
}

fn exact_test(test: &Test) -> Option<&Exact> {
    match test {
        Test::Exact(exact) => Some(exact).filter(|exact| !exact.is_loose()),
        _ => None,
    }
}

/// What the list of games says of one.
struct Header<'o> {
    tags: Tags,
    result: GameResult,
    classifier: Option<Classifier<'o>>,
}

impl<'o> Header<'o> {
    fn new(openings: Option<&'o Openings>) -> Header<'o> {
        Header {
            tags: Tags::new(),
            result: GameResult::default(),
            classifier: openings.map(Classifier::new),
        }
    }

    /// The game that was told last.
    fn hit(&self, answer: &Answer) -> Hit {
        let &Answer {
            number,
            ply,
            distance,
        } = answer;
        Hit {
            number,
            ply,
            distance,
            tags: self.tags.clone(),
            result: self.result,
            opening: named(self.classifier.as_ref()),
        }
    }
}

impl GameSink for Header<'_> {
    fn needs(&mut self) -> Needs {
        let needs = self.classifier.as_mut().map(Classifier::needs);
        needs.unwrap_or(Needs::NOTHING).tags(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.tags.clear(),
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { result, .. } => self.result = result,
            _ => {}
        }
        match &mut self.classifier {
            Some(classifier) => classifier.event(event),
            None => Flow::Continue,
        }
    }
}
