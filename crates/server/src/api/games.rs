//! `GET /api/games`, and how games are found by everything that asks as it does.

use axum::{Json, extract::State};
use serde::Serialize;
use tabiya::{
    Event, Filter, Flow, GameResult, GameSink, Needs, Tags,
    search::{self, Exact, Query, Test},
    store::{Hit, How, Watch},
};
use tabiya_chess::{Position, Variant};
use utoipa::ToSchema;

use crate::{
    app::{App, Shared},
    ask::{Ask, ConditionParams, FilterParams, PageParams, SortKey},
    census::Census,
    failure::{ErrorAnswer, Failure},
    position::PositionParams,
    work::Work,
};

/// Games that were found.
#[derive(Serialize, ToSchema)]
pub struct GamesBody {
    /// All of them, listed or not.
    total: u64,
    games: Vec<GameRow>,
}

/// A game in a line.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameRow {
    /// Its number in the database.
    id: u64,
    white: String,
    black: String,
    white_elo: Option<u16>,
    black_elo: Option<u16>,
    #[schema(example = "1-0")]
    result: &'static str,
    #[schema(example = "1851.06.21")]
    date: String,
    event: String,
    site: String,
    round: String,
    eco: String,
    /// As its tag says, or else the name of its code.
    opening: String,
    /// Of the main line.
    plies: u32,
    /// After how many plies it has what was asked for.
    ply: Option<u32>,
}

/// What is asked of games.
pub struct Search {
    filter: Filter,
    what: What,
}

/// What is asked of their boards.
enum What {
    Nothing,
    Position(Box<Position>),
    Query(Query),
}

impl Search {
    pub fn new(
        position: &PositionParams,
        filter: &FilterParams,
        conditions: &ConditionParams,
    ) -> Result<Search, Failure> {
        let filter = filter.filter()?;
        let query = conditions.query()?;
        let is_placed = match (conditions.any, &query) {
            (true, _) => false,
            // The start of a game is asked for by those who say nothing else.
            (false, Some(_)) => position.is_given(),
            (false, None) => true,
        };
        // It must be right even where it is not asked for.
        let line = position.line(Variant::Standard)?;
        let here = line.position();
        let what = match (is_placed, query) {
            (false, None) => What::Nothing,
            (false, Some(query)) => What::Query(query),
            (true, None) => What::Position(Box::new(*here)),
            (true, Some(query)) => {
                let here = Query::Somewhere(Test::Exact(Exact::new(*here)));
                What::Query(Query::All(vec![here, query]))
            }
        };
        Ok(Search { filter, what })
    }

    /// The games that are found, in the order of their numbers, with the plies of what was asked.
    pub fn find(&self, work: &Work) -> Result<Vec<(u64, Option<u32>)>, Failure> {
        let among = work.opened.select(&self.filter, &work.cancel)?;
        let among = among.as_deref();
        let store = &work.opened.store;
        let with_ply = |hit: Hit| (hit.number, Some(hit.ply));
        match &self.what {
            What::Nothing => Ok(match among {
                Some(games) => games.iter().map(|number| (number, None)).collect(),
                None => {
                    let all = work.opened.census()?.all();
                    all.map(|(number, _)| (number, None)).collect()
                }
            }),
            What::Position(position) => {
                let hits = store.games_at(position, among)?;
                Ok(hits.map(with_ply).collect())
            }
            What::Query(query) => {
                let go_on = |_| work.go_on();
                let how = How {
                    among,
                    variations: false,
                    jobs: work.jobs,
                    watch: Watch::new(&go_on),
                };
                let hits = search::find(store, query, &how)?;
                Ok(hits.into_iter().map(with_ply).collect())
            }
        }
    }
}

/// Leaves the games that a page lists, in its order. They come in the order of their numbers.
pub fn page<T: Copy>(
    mut found: Vec<(u64, T)>,
    census: Option<&Census>,
    page: &PageParams,
) -> Vec<(u64, T)> {
    let end = page.offset.saturating_add(page.limit).min(found.len());
    let start = page.offset.min(end);
    if let Some(census) = census.filter(|_| start < end) {
        let key = |(number, _): &(u64, T)| page.sort.rank(*number, &census.facts(*number));
        if end < found.len() {
            found.select_nth_unstable_by_key(end - 1, key);
            found.truncate(end);
        }
        found.sort_unstable_by_key(key);
    }
    found.truncate(end);
    found.split_off(start)
}

/// The census that an order needs.
pub fn census_for(work: &Work, sort: SortKey) -> Result<Option<&Census>, Failure> {
    match sort {
        SortKey::Id => Ok(None),
        SortKey::Elo | SortKey::Date => work.opened.census().map(Some),
    }
}

/// Games by their headers, a position, or what happens in them.
#[utoipa::path(
    get,
    path = "/api/games",
    params(PositionParams, FilterParams, ConditionParams, PageParams),
    responses(
        (status = 200, body = GamesBody),
        (status = 400, body = ErrorAnswer),
        (status = 503, description = "too many questions, or this one takes too long", body = ErrorAnswer),
    )
)]
pub async fn games(
    State(app): State<Shared>,
    Ask(position): Ask<PositionParams>,
    Ask(filter): Ask<FilterParams>,
    Ask(conditions): Ask<ConditionParams>,
    Ask(mut wanted): Ask<PageParams>,
) -> Result<Json<GamesBody>, Failure> {
    let search = Search::new(&position, &filter, &conditions)?;
    wanted.limit = wanted.limit.min(app.options.limits.games);
    let names = app.clone();
    let body = app.ask(move |work| {
        let found = search.find(work)?;
        let total = found.len() as u64;
        let listed = page(found, census_for(work, wanted.sort)?, &wanted);
        let row = |(number, ply)| GameRow::read(&names, work, number, ply);
        Ok(GamesBody {
            total,
            games: listed.into_iter().map(row).collect::<Result<_, _>>()?,
        })
    });
    Ok(Json(body.await?))
}

impl GameRow {
    fn read(app: &App, work: &Work, id: u64, ply: Option<u32>) -> Result<GameRow, Failure> {
        let mut heard = Header::default();
        work.opened.store.tell(id, &mut heard)?;
        let Header {
            tags,
            result,
            plies,
        } = heard;
        let text = |name: &str| tags.get(name).unwrap_or_default().to_owned();
        let named = || tags.eco().and_then(|code| app.name_of_code(code));
        let opening = tags.get("Opening").or_else(named);
        Ok(GameRow {
            id,
            white: text("White"),
            black: text("Black"),
            white_elo: tags.white_elo(),
            black_elo: tags.black_elo(),
            result: result.tag(),
            date: text("Date"),
            event: text("Event"),
            site: text("Site"),
            round: text("Round"),
            eco: text("ECO"),
            opening: opening.unwrap_or_default().to_owned(),
            plies,
            ply,
        })
    }
}

/// Hears tags and the length of the main line.
#[derive(Default)]
struct Header {
    tags: Tags,
    result: GameResult,
    plies: u32,
}

impl GameSink for Header {
    fn needs(&mut self) -> Needs {
        Needs::ALL.variations(false).notes(false)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::Move { .. } | Event::Null { .. } | Event::Missing => self.plies += 1,
            Event::VariationStart => return Flow::SkipVariation,
            Event::GameEnd { result, .. } => self.result = result,
            _ => {}
        }
        Flow::Continue
    }
}
