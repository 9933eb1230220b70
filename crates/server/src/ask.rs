//! What is asked, as parameters of a query.

use std::cmp::Reverse;

use axum::{
    extract::{FromRequestParts, Query},
    http::{Uri, request::Parts},
};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use tabiya::{
    Date, EcoSpan, Filter, Span,
    search::{self, ParseError, Test, scout::Scout},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    census::Facts,
    explorer,
    failure::Failure,
    position::{PositionParams, given},
};

/// All names and values of a query.
pub fn pairs(query: &str) -> Option<Vec<(String, String)>> {
    let uri = Uri::builder()
        .path_and_query(format!("/?{query}"))
        .build()
        .ok()?;
    read_from(&uri)
}

/// Parameters of the query. What cannot be read is told as everything else is.
pub struct Ask<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Ask<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Ask<T>, Failure> {
        read(&parts.uri)
    }
}

fn read<T: DeserializeOwned>(uri: &Uri) -> Result<Ask<T>, Failure> {
    match Query::try_from_uri(uri) {
        Ok(Query(asked)) => Ok(Ask(asked)),
        Err(rejected) => Err(Failure::wrong(rejected.body_text())),
    }
}

/// Which games are wanted: those that answer every question. They are the options of the command
/// `tabiya`, and mean the same.
#[derive(Deserialize, IntoParams, Default)]
#[into_params(parameter_in = Query)]
pub struct FilterParams {
    /// White's or Black's name has this text. Neither case, accents nor the order of words count;
    /// a name in quotation marks is that one alone.
    pub player: Option<String>,
    /// The name of the other player has this text; needs `player`.
    pub versus: Option<String>,
    /// White's name has this text.
    pub white: Option<String>,
    /// Black's name has this text.
    pub black: Option<String>,
    /// The event has this text.
    pub event: Option<String>,
    /// The site has this text.
    pub site: Option<String>,
    /// Played on this day or later: 2024, 2024-05 or 2024-05-31.
    #[param(example = "1972-07")]
    pub since: Option<String>,
    /// Played on this day or before.
    pub until: Option<String>,
    /// Opening codes: B90..B99, their beginning, B9, or several, B90,C42.
    #[param(example = "B9")]
    pub eco: Option<String>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *.
    #[param(example = "1-0")]
    pub result: Option<String>,
    /// A rating of either player is at least so high.
    pub elo_min: Option<u16>,
    /// A rating of either player is at most so high.
    pub elo_max: Option<u16>,
    /// A title of either player, or several: GM or WGM,WIM.
    pub title: Option<String>,
    /// bullet, blitz, rapid, classical, correspondence, or seconds as PGN has them: 300+5.
    #[param(example = "blitz")]
    pub time_control: Option<String>,
    /// A comment has this text, in variations too. All games that pass the other filters are read.
    pub comment: Option<String>,
}

impl FilterParams {
    /// The filter that was asked for.
    pub fn filter(&self) -> Result<Filter, Failure> {
        let words = |text| given(text).map(Into::into);
        if given(&self.versus).is_some() && given(&self.player).is_none() {
            return Err(Failure::parameter("versus", "needs player"));
        }
        let (least, most) = (self.elo_min, self.elo_max);
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            return Err(Failure::parameter("elo_min", "is more than elo_max"));
        }
        let elo = least.or(most).map(|_| Span { least, most });
        let titles = given(&self.title)
            .into_iter()
            .flat_map(|text| text.split(','));
        Ok(Filter {
            player: words(&self.player),
            versus: words(&self.versus),
            white: words(&self.white),
            black: words(&self.black),
            event: words(&self.event),
            site: words(&self.site),
            since: date("since", &self.since)?,
            until: date("until", &self.until)?,
            eco: codes(&self.eco)?,
            result: parsed("result", &self.result)?,
            elo,
            titles: titles
                .map(|title| title.trim().to_owned())
                .filter(|title| !title.is_empty())
                .collect(),
            time_control: parsed("time_control", &self.time_control)?,
            comment: words(&self.comment),
            ..Filter::default()
        })
    }
}

/// What a parameter says, if it is given.
pub fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
    name: &str,
    text: &Option<String>,
) -> Result<Option<T>, Failure> {
    let parsed = given(text).map(str::parse).transpose();
    parsed.map_err(|error| Failure::parameter(name, error))
}

/// A date of which at least the year is known: anything else would let all games through.
pub fn date(name: &str, text: &Option<String>) -> Result<Option<Date>, Failure> {
    let Some(text) = given(text) else {
        return Ok(None);
    };
    match text.parse::<Date>() {
        Ok(date) if date.year.is_some() => Ok(Some(date)),
        _ => Err(Failure::parameter(
            name,
            "expected YYYY, YYYY-MM or YYYY-MM-DD",
        )),
    }
}

fn codes(text: &Option<String>) -> Result<Vec<EcoSpan>, Failure> {
    let codes = given(text).into_iter().flat_map(|text| text.split(','));
    codes
        .map(|code| code.trim().parse())
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::parameter("eco", error))
}

/// What is asked of the positions and moves of games, as the options of `tabiya search` have it. A
/// game must meet all conditions, each somewhere in its main line.
#[derive(Deserialize, IntoParams, Default)]
#[into_params(parameter_in = Query)]
pub struct ConditionParams {
    /// Only headers are searched; no position is asked for.
    #[serde(default, deserialize_with = "flag")]
    pub any: bool,
    /// Part of a board: `Nd5 0pd 2R7`, or as in FEN.
    #[param(example = "Bh7 kg8")]
    pub pattern: Option<String>,
    /// What is left: `KRPKR`, or `Q=0 q=0 R-r=1`.
    #[param(example = "KRPKR")]
    pub material: Option<String>,
    /// Pawn structure: `iqp`, `isolated:white`, `white=a2,b2`.
    #[param(example = "iqp:white")]
    pub pawns: Option<String>,
    /// The way of a piece: `Nf3-d2-f1-g3`.
    #[param(example = "Nf3-d2-f1")]
    pub manoeuvre: Option<String>,
    /// A query of scoutfish, as JSON.
    #[param(example = r#"{"captured": "Q"}"#)]
    pub query: Option<String>,
}

impl ConditionParams {
    /// The conditions that were given, together.
    pub fn query(&self) -> Result<Option<search::Query>, Failure> {
        let mut queries = Vec::new();
        if let Some(pattern) = parsed("pattern", &self.pattern)? {
            queries.push(search::Query::Somewhere(Test::Pattern(pattern)));
        }
        if let Some(material) = parsed("material", &self.material)? {
            queries.push(search::Query::Somewhere(Test::Material(material)));
        }
        if let Some(pawns) = parsed("pawns", &self.pawns)? {
            queries.push(search::Query::Somewhere(Test::Pawns(pawns)));
        }
        if let Some(path) = parsed("manoeuvre", &self.manoeuvre)? {
            queries.push(search::Query::Manoeuvre(path));
        }
        if let Some(scout) = scout(&self.query)? {
            queries.push(scout);
        }
        Ok(match queries.len() {
            0 | 1 => queries.pop(),
            _ => Some(search::Query::All(queries)),
        })
    }
}

fn scout(text: &Option<String>) -> Result<Option<search::Query>, Failure> {
    let Some(text) = given(text) else {
        return Ok(None);
    };
    let scout: Result<Scout, ParseError> = text.parse();
    let scout = scout.map_err(|error| Failure::parameter("query", error))?;
    match scout.skip > 0 || scout.limit.is_some() {
        true => Err(Failure::parameter(
            "query",
            "skip and limit are parameters here, offset and limit",
        )),
        false => Ok(Some(scout.query)),
    }
}

/// Which of the games that were found are listed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageParams {
    /// In which order.
    #[serde(default)]
    #[param(inline)]
    pub sort: SortKey,
    /// So many at most.
    #[serde(default = "fifty")]
    #[param(minimum = 0, maximum = 500, default = 50)]
    pub limit: usize,
    /// So many that come first are left out.
    #[serde(default)]
    #[param(minimum = 0, default = 0)]
    pub offset: usize,
}

impl Default for PageParams {
    fn default() -> PageParams {
        PageParams {
            sort: SortKey::default(),
            limit: fifty(),
            offset: 0,
        }
    }
}

fn fifty() -> usize {
    50
}

/// In which order games are listed. What is not known comes last.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SortKey {
    /// The highest mean of the known ratings first.
    #[default]
    Elo,
    /// The latest first.
    Date,
    /// By their numbers.
    Id,
}

/// The place of a game in an order: what is less comes first.
pub type Rank = (Reverse<u32>, u64);

impl SortKey {
    /// Where a game stands, by its number and what its header says.
    pub fn rank(self, number: u64, facts: &Facts) -> Rank {
        // Unknown is 0, and so comes last.
        let value = match self {
            SortKey::Elo => facts.strength(),
            SortKey::Date => facts.date,
            SortKey::Id => 0,
        };
        (Reverse(value), number)
    }
}

/// `1`, `true`, `0` or `false`.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "1" | "true" => Ok(true),
        "" | "0" | "false" => Ok(false),
        _ => Err(serde::de::Error::custom("expected true or false")),
    }
}

/// A query string, read by everything that reads one.
pub fn read_everything(query: &str) {
    let Ok(uri) = Uri::builder().path_and_query(format!("/?{query}")).build() else {
        return;
    };
    if let Ok(Ask(asked)) = read::<PositionParams>(&uri) {
        for variant in tabiya::Variant::ALL {
            if let Ok(line) = asked.line(variant) {
                let _ =
                    crate::position::PositionAnswer::new(&line, tabiya::openings::Openings::eco());
            }
        }
    }
    if let Ok(Ask(asked)) = read::<FilterParams>(&uri) {
        let _ = asked.filter();
    }
    if let Ok(Ask(asked)) = read::<ConditionParams>(&uri) {
        let _ = asked.query();
    }
    let _ = read::<PageParams>(&uri);
    explorer::read_everything(&uri);
}

/// The parameters of a query string, for who has no request.
pub fn read_from<T: DeserializeOwned>(uri: &Uri) -> Option<T> {
    read(uri).ok().map(|Ask(asked)| asked)
}
