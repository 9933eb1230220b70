//! Questions that a database of tabiya's own answers by itself: from its columns, its index of
//! positions and its signatures.

use tabiya_game::{Event, Flow, GameResult, GameSink, Needs, Tags};
use tabiya_search::{Exact, Query, Test};
use tabiya_store::{GameSet, Hit, How, Store};

use super::Question;
use crate::Result;

/// A game that answers, and after how many plies it answers the query.
type Answer = (u64, Option<u32>);

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
    let how = How {
        among: among.as_ref(),
        variations: *variations,
        jobs,
        cancel: None,
    };
    let found = find(store, query, &how)?.into_iter();
    let found = found.map(|hit| (hit.number, Some(hit.ply)));
    Ok(Some(found.collect()))
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
pub fn find(store: &Store, query: &Query, how: &How<'_>) -> Result<Vec<Hit>> {
    let Some(position) = exact(query).filter(|_| !how.variations) else {
        return store.search(query, how);
    };
    let at = store.games_at(position.position(), how.among)?;
    if let Query::Somewhere(_) = query {
        return Ok(at);
    }
    let at: GameSet = at.iter().map(|hit| hit.number).collect();
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
#[derive(Default)]
pub(super) struct Header {
    pub tags: Tags,
    pub result: GameResult,
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
