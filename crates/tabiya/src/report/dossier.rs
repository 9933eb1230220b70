//! The figures of a dossier.

use serde::Serialize;

use super::{html, markdown, page::Page};
use crate::tree::{Tally, opponents, performance};
use tabiya_chess::Color;

/// What databases know about a player or an opening. Results are those of the player, or of White.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Dossier {
    /// Who or what it is about.
    pub subject: Subject,
    /// The databases that were asked.
    pub databases: Vec<String>,
    /// How many games it is about.
    pub games: u64,
    /// The year of the first of them that has one.
    pub first_year: Option<u16>,
    /// The year of the last.
    pub last_year: Option<u16>,
    /// How they ended.
    pub total: Score,
    /// How all other games ended; of an opening.
    pub others: Option<Score>,
    /// With White and with Black; of a player.
    pub by_colour: Vec<Row>,
    /// Year by year, from the first on; games without a year come last.
    pub by_year: Vec<YearRow>,
    /// By the rating of the opponent, or the mean of both ratings of an opening; unrated ones last.
    pub by_strength: Vec<Row>,
    /// Opponents, or those who play an opening, those of most games first.
    pub people: Vec<People>,
    /// The lines that are played most.
    pub lines: Vec<Lines>,
    /// Games worth a look.
    pub shelves: Vec<Shelf>,
}

/// Who or what a dossier is about.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Subject {
    /// A player.
    Player {
        /// The name, as most games spell it.
        name: String,
        /// All spellings, the most frequent first: if they are of several people, so is the
        /// dossier.
        spellings: Vec<Spelling>,
    },
    /// A position.
    Opening {
        /// The position.
        fen: String,
        /// How one comes there, as SAN; empty if that is not known.
        line: String,
        /// The code of the opening, the last one on the way.
        eco: Option<String>,
        /// Its name.
        name: Option<String>,
    },
}

/// A name as games have it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Spelling {
    /// The name.
    pub name: String,
    /// How many games have it so.
    pub games: u64,
}

/// Results of games.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Score {
    /// How many games.
    pub games: u64,
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Without a result.
    pub unknown: u64,
    /// Points of a hundred, in games with a result, to a tenth.
    pub percent: Option<f64>,
    /// The mean of the opponents' known ratings.
    pub opponents: Option<i64>,
    /// The rating that such results stand for, by FIDE's table.
    pub performance: Option<i64>,
    /// How many games the performance is of: those with a result against an opponent with a rating,
    /// where they are counted apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rated: Option<u64>,
}

impl Score {
    /// From a tally in which White is the side that counts.
    pub(super) fn of(tally: &Tally) -> Score {
        let tenths = |score: f64| (score * 1000.0).round() / 10.0;
        Score {
            games: tally.games(),
            wins: tally.white,
            draws: tally.draws,
            losses: tally.black,
            unknown: tally.unknown,
            percent: tally.score().map(tenths),
            opponents: opponents(tally, Color::White).map(|mean| mean.round() as i64),
            performance: performance(tally, Color::White),
            rated: None,
        }
    }

    /// The same with the performance of those games that say something about it.
    pub(super) fn with_rated(self, rated: &Tally) -> Score {
        Score {
            performance: performance(rated, Color::White),
            rated: Some(rated.games()),
            ..self
        }
    }
}

/// Results under a name.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// What games have in common.
    pub label: String,
    /// How they ended.
    pub score: Score,
    /// How games of others ended, if they are compared.
    pub others: Option<Score>,
}

/// A year.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct YearRow {
    /// The year; `None` where games have none.
    pub year: Option<u16>,
    /// How games ended.
    pub score: Score,
    /// The mean of the player's own known ratings.
    pub rating: Option<i64>,
    /// How many of a hundred games of that year these are; of an opening.
    pub share: Option<f64>,
}

/// People with their results.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct People {
    /// Who they are.
    pub title: String,
    /// How many there are.
    pub count: u64,
    /// Those of most games.
    pub rows: Vec<Row>,
}

/// Lines that are played most.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Lines {
    /// Which ones.
    pub title: String,
    /// How many games they are chosen from.
    pub games: u64,
    /// The lines, each behind the one it comes from.
    pub rows: Vec<LineRow>,
}

/// A line.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct LineRow {
    /// In how many other lines of the list it stands.
    pub depth: usize,
    /// Its moves, behind those of the line in which it stands.
    pub moves: String,
    /// All its moves.
    pub line: String,
    /// The code of the opening, the last one on the way.
    pub eco: Option<String>,
    /// Its name.
    pub opening: Option<String>,
    /// How games went that were played so.
    pub score: Score,
    /// How many of a hundred games went this way.
    pub share: f64,
    /// Games of other players in which the last move was played in the same position, seen from the
    /// same side; of a player.
    pub others: Option<Score>,
}

/// Games of one kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Shelf {
    /// Of which.
    pub title: String,
    /// The games, the best first.
    pub games: Vec<ModelGame>,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct ModelGame {
    /// Its database.
    pub database: String,
    /// Its number there.
    pub number: u64,
    /// White's name; `?` if it is not known.
    pub white: String,
    /// White's rating.
    pub white_elo: Option<u16>,
    /// Black's name.
    pub black: String,
    /// Black's rating.
    pub black_elo: Option<u16>,
    /// The result.
    pub result: String,
    /// The date, as far as it is known.
    pub date: String,
    /// The event.
    pub event: String,
    /// The site.
    pub site: String,
    /// The code that the game says it is of.
    pub eco: Option<String>,
    /// How many plies it has.
    pub plies: u32,
    /// Its moves, from the start of the game.
    pub moves: String,
}

impl Dossier {
    /// A page of HTML that needs nothing else.
    #[must_use]
    pub fn to_html(&self) -> String {
        html::write(&Page::of(self))
    }

    /// A text of Markdown. Charts are left out; the tables have their figures.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        markdown::write(&Page::of(self))
    }

    /// For programs.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("names and numbers");
        text.push('\n');
        text
    }
}
