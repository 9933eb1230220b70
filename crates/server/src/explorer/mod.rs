//! The interface of Lichess's opening explorer, as its public documentation describes it. What it
//! leaves open, and where games have less to say than those of Lichess, is in `docs/server.md`.

mod answer;
mod choice;
mod game;
pub mod lichess;
pub mod masters;
pub mod player;

use axum::http::Uri;
use serde::Deserialize;
use tabiya_chess::Variant;

pub use choice::Choice;

use answer::{Answer, Asked};

use crate::{
    app::{App, Shared},
    ask,
    failure::Failure,
    position::{Line, given},
};

/// The rules, by Lichess's names for them.
fn variant(name: &Option<String>) -> Result<Variant, Failure> {
    match given(name).unwrap_or("standard") {
        "standard" | "chess" | "fromPosition" => Ok(Variant::Standard),
        "chess960" => Ok(Variant::Chess960),
        "antichess" => Ok(Variant::Antichess),
        _ => Err(Failure::parameter(
            "variant",
            "expected standard, chess960, fromPosition or antichess",
        )),
    }
}

/// How many of something are wanted.
fn count(name: &str, text: &Option<String>, usual: usize) -> Result<usize, Failure> {
    /// More than anybody shows.
    const MOST: usize = 100;
    let count = ask::parsed(name, text)?.unwrap_or(usual);
    Ok(count.min(MOST))
}

/// Asks the database, and tells the answer in the shape that was asked for.
async fn told<T: Send + 'static>(
    app: Shared,
    asked: Asked,
    shape: impl FnOnce(&App, &Line, Answer) -> T + Send + 'static,
) -> Result<T, Failure> {
    let names = app.clone();
    let told = app.ask(move |work| {
        let answer = asked.answer(work)?;
        Ok(shape(&names, &asked.line, answer))
    });
    told.await
}

/// A query string, read as all that ask here read it.
pub fn read_everything(uri: &Uri) {
    #[derive(Deserialize)]
    struct Variants {
        variant: Option<String>,
    }
    if let Some(asked) = ask::read_from::<Variants>(uri) {
        let _ = variant(&asked.variant);
    }
    lichess::read_everything(uri);
    masters::read_everything(uri);
    player::read_everything(uri);
}
