//! Dossiers: what databases know about a player, or about an opening.
//!
//! A [`Dossier`] has the figures; it is told as a page of HTML, as Markdown or as JSON.
//!
//! ```
//! use tabiya::report::{self, Wishes};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "[White \"Tal\"]\n[Black \"<b>\"]\n\n1. e4 e5 1-0\n\n[White \"Tal\"]\n\n1. d4 1/2-1/2\n")?;
//! let databases = [tabiya::open(&path)?];
//! let dossier = report::player(&databases, &"tal".into(), &Wishes::default())?;
//! assert_eq!((dossier.games, dossier.total.wins, dossier.total.percent), (2, 1, Some(75.0)));
//! assert!(dossier.to_html().contains("&lt;b&gt;"));
//!
//! let line = tabiya::tree::line("1. e4 e5")?;
//! let dossier = report::opening(&databases, &line, &Wishes::default())?;
//! assert_eq!(dossier.games, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Databases are read up to twice. One of tabiya's own answers from its columns and its index, and
//! only the games that are told about are read.

mod chart;
mod dossier;
mod gather;
mod html;
mod lines;
mod markdown;
mod others;
mod page;
mod shelf;
mod write;

use std::borrow::Cow;

pub use dossier::{
    Dossier, LineRow, Lines, ModelGame, People, Row, Score, Shelf, Spelling, Subject, YearRow,
};

use crate::{Database, Filter, Position, Result, Words, openings::Openings};
use gather::Matter;

/// What a dossier is made of.
#[derive(Clone, Debug)]
pub struct Wishes<'o> {
    /// Games that count; who the player is, is asked besides.
    pub filter: Filter,
    /// Names of openings.
    pub openings: Cow<'o, Openings>,
}

impl Default for Wishes<'_> {
    /// All games, with tabiya's own names of openings.
    fn default() -> Self {
        Wishes {
            filter: Filter::default(),
            openings: Cow::Borrowed(Openings::eco()),
        }
    }
}

/// All about a player, whose name is found as [`Filter::player`] finds it. A game in which both
/// sides have the name counts for White.
///
/// # Errors
/// If a database cannot be read to its end, or not twice.
pub fn player(databases: &[Database], name: &Words, wishes: &Wishes<'_>) -> Result<Dossier> {
    let filter = Filter {
        player: Some(name.clone()),
        ..wishes.filter.clone()
    };
    let matter = Matter::Player(name.clone());
    let sum = gather::gather(databases, &filter, &matter)?;
    let mut dossier = write::player(&sum, databases, &wishes.openings);
    others::compare(&mut dossier, &sum, databases, name, &wishes.filter)?;
    Ok(dossier)
}

/// All about a position, the last of a line; those before it say how one comes there, and may be
/// left out. Games count however they came to it.
///
/// # Errors
/// If a database cannot be read to its end.
pub fn opening(databases: &[Database], line: &[Position], wishes: &Wishes<'_>) -> Result<Dossier> {
    let position = line.last().copied().unwrap_or_default();
    let matter = Matter::position(&position);
    let sum = gather::gather(databases, &wishes.filter, &matter)?;
    Ok(write::opening(&sum, databases, line, &wishes.openings))
}
