//! Questions that a database of tabiya's own answers by itself: from its columns, its index of
//! positions and its signatures.

use tabiya_game::{Event, Flow, GameResult, GameSink, Needs, Tags};
use tabiya_search::{Exact, Query, Test};
use tabiya_store::{GameSet, Hit, How, Near, Store};

use super::Question;
use crate::Result;

/// A game that answers, and after how many plies it answers the query.
type Answer = (u64, Option<u32>);

/// The games that answer and come nearest to what is asked for, the nearest first, and how many
/// answer in all; `None` if every game has to be asked.
pub(super) fn nearest(
    question: &Question,
    store: &Store,
    jobs: usize,
    most: usize,
) -> Result<Option<(Vec<Near>, u64)>> {
    let Some(position) = &question.near else {
        return Ok(None);
    };
    let others = Question {
        near: None,
        ..question.clone()
    };
    let among = hits(&others, store, jobs)?;
    let among = among.map(|found| found.iter().map(|(number, _)| *number).collect::<GameSet>());
    let mut near = store.near(
        position,
        &How {
            among: among.as_ref(),
            variations: question.variations,
            jobs,
            cancel: None,
        },
    )?;
    let total = near.len() as u64;
    near.sort_unstable();
    near.truncate(most);
    Ok(Some((near, total)))
}

/// The games that answer, in the order of their numbers; `None` if every game has to be
/// asked.
pub(super) fn hits(question: &Question, store: &Store, jobs: usize) -> Result<Option<Vec<Answer>>> {
    let Question {
        filter,
        query,
        near,
        variations,
    } = question;
    if near.is_some() || query.is_none() && filter.is_empty() {
        return Ok(None);
    }
    let among = match filter.is_empty() {
        true => None,
        false => Some(store.select(filter)?),
    };
    let Some(query) = query else {
        let numbers = among.iter().flat_map(GameSet::iter);
        return Ok(Some(numbers.map(|number| (number, None)).collect()));
    };
    let found = match exact(query).filter(|_| !variations) {
        Some(position) => {
            let at = store.games_at(position.position(), among.as_ref())?;
            match query {
                Query::Somewhere(_) => at,
                _ => {
                    let at: GameSet = at.iter().map(|hit| hit.number).collect();
                    search(store, query, Some(&at), jobs, false)?
                }
            }
        }
        None => search(store, query, among.as_ref(), jobs, *variations)?,
    };
    let found = found.into_iter().map(|hit| (hit.number, Some(hit.ply)));
    Ok(Some(found.collect()))
}

fn search(
    store: &Store,
    query: &Query,
    among: Option<&GameSet>,
    jobs: usize,
    variations: bool,
) -> Result<Vec<Hit>> {
    let how = How {
        among,
        variations,
        jobs,
        cancel: None,
    };
    store.search(query, &how)
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

/// What is told of a game that answers.
pub(super) fn hit(
    store: &Store,
    number: u64,
    ply: Option<u32>,
    distance: Option<u32>,
) -> Result<super::Hit> {
    let mut header = Header::default();
    store.tell(number, &mut header)?;
    Ok(super::Hit {
        number,
        ply,
        distance,
        tags: header.tags,
        result: header.result,
    })
}

/// What the list of games says of one.
#[derive(Default)]
struct Header {
    tags: Tags,
    result: GameResult,
}

impl GameSink for Header {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.tags(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { result, .. } => self.result = result,
            _ => {}
        }
        Flow::Continue
    }
}
