//! What a list says about a game.

use std::cmp::Ordering;

use clap::ValueEnum;
use serde::Serialize;
use tabiya::openings::{Classifier, Openings};
use tabiya_game::{Event, Filter, Filtered, Flow, GameResult, GameSink, Needs, Tags, fold};

use crate::heading::position_name;

/// A game in a line.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    pub file: String,
    /// As its file counts it.
    pub number: u64,
    pub white: String,
    pub white_elo: Option<u16>,
    pub black: String,
    pub black_elo: Option<u16>,
    pub result: String,
    pub date: String,
    pub eco: String,
    pub opening: String,
    pub plies: u64,
    pub event: String,
    /// Where a search found something in it, and how near that is.
    #[serde(skip)]
    pub ply: Option<u32>,
    #[serde(skip)]
    pub distance: Option<u32>,
    /// In which order it came.
    #[serde(skip)]
    pub place: u64,
}

/// By what rows are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Key {
    /// The order of the file
    Number,
    /// White's name
    White,
    /// Black's name
    Black,
    /// The mean of the known ratings
    Elo,
    /// White's rating
    WhiteElo,
    /// Black's rating
    BlackElo,
    /// The result
    Result,
    /// The date
    Date,
    /// The opening's code
    Eco,
    /// The length of the main line
    Plies,
    /// The event
    Event,
}

/// What rows are compared by; `None` if it is not known.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Number(u64),
    Text(String),
}

impl Row {
    /// What tags say about a game, and its end.
    pub fn of(tags: &Tags, result: GameResult) -> Row {
        let known = |name: &str| tags.get(name).unwrap_or_default().to_string();
        Row {
            white: known("White"),
            white_elo: tags.white_elo(),
            black: known("Black"),
            black_elo: tags.black_elo(),
            result: result.tag().to_string(),
            date: tags
                .date()
                .map_or_else(String::new, |date| date.to_string()),
            eco: tags.eco().unwrap_or_default().to_string(),
            // A position has no event, but may have a name.
            event: match position_name(tags) {
                Some(name) if tags.get("Event").is_none() => name.to_owned(),
                _ => known("Event"),
            },
            ..Row::default()
        }
    }

    /// Says which file it is from, and how many games came before its part.
    pub fn settle(&mut self, file: &str, before: u64) {
        self.file = file.to_string();
        self.place += before;
        if self.number == 0 {
            self.number = self.place;
        }
    }

    fn rank(&self, key: Key) -> Option<Rank> {
        let text = |text: &str| {
            let known = !text.is_empty() && text != "?";
            known.then(|| Rank::Text(fold::fold(text)))
        };
        let number = |number: Option<u16>| number.map(|number| Rank::Number(number.into()));
        match key {
            Key::Number => Some(Rank::Number(0)),
            Key::White => text(&self.white),
            Key::Black => text(&self.black),
            Key::Elo => {
                let known = [self.white_elo, self.black_elo].into_iter().flatten();
                let (sum, count) = known.fold((0, 0), |(sum, count), elo| {
                    (sum + u64::from(elo), count + 1)
                });
                // In halves, so that nothing is rounded.
                (count > 0).then(|| Rank::Number(2 * sum / count))
            }
            Key::WhiteElo => number(self.white_elo),
            Key::BlackElo => number(self.black_elo),
            Key::Result => text(&self.result),
            Key::Date if self.date.starts_with('?') => None,
            Key::Date => text(&self.date),
            Key::Eco => text(&self.eco),
            Key::Plies => Some(Rank::Number(self.plies)),
            Key::Event => text(&self.event),
        }
    }
}

/// Sorts rows, those without a value last, those with the same in the order in which they came.
pub fn sort(rows: &mut Vec<Row>, key: Key, reverse: bool) {
    if key == Key::Number {
        if reverse {
            rows.reverse();
        }
        return;
    }
    let mut ranked: Vec<(Option<Rank>, Row)> = std::mem::take(rows)
        .into_iter()
        .map(|row| (row.rank(key), row))
        .collect();
    ranked.sort_by(|(one, _), (other, _)| match (one, other) {
        (Some(one), Some(other)) if reverse => other.cmp(one),
        (Some(one), Some(other)) => one.cmp(other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    rows.extend(ranked.into_iter().map(|(_, row)| row));
}

/// Leaves out all but the rows that would come first. Others may follow them and be sorted again.
pub fn keep_first(rows: &mut Vec<Row>, key: Key, reverse: bool, count: usize) {
    if (key, reverse) == (Key::Number, true) {
        // They stay in the order in which they came, of which the end counts.
        rows.drain(..rows.len().saturating_sub(count));
        return;
    }
    sort(rows, key, reverse);
    rows.truncate(count);
}

/// Makes a row of each game that is wanted.
pub struct Rows<'f> {
    wanted: Filtered<'f, Wanted<'f>>,
    heard: u64,
}

impl<'f> Rows<'f> {
    /// With the table that names openings, if they are listed.
    pub fn new(filter: &'f Filter, openings: Option<&'f Openings>) -> Rows<'f> {
        let wanted = Wanted {
            rows: Vec::new(),
            tags: Tags::new(),
            current: Row::default(),
            place: 0,
            classifier: openings.map(Classifier::new),
        };
        Rows {
            wanted: Filtered::new(filter, wanted),
            heard: 0,
        }
    }

    /// The rows, and how many games there were, wanted or not.
    pub fn finish(self) -> (Vec<Row>, u64) {
        (self.wanted.into_sink().rows, self.heard)
    }
}

impl GameSink for Rows<'_> {
    fn needs(&mut self) -> Needs {
        self.wanted.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.heard += 1;
            self.wanted.sink_mut().place = self.heard;
        }
        self.wanted.event(event)
    }
}

struct Wanted<'o> {
    rows: Vec<Row>,
    tags: Tags,
    current: Row,
    /// The number of the game among those that were heard.
    place: u64,
    classifier: Option<Classifier<'o>>,
}

impl Wanted<'_> {
    fn end(&mut self, result: GameResult) {
        let heard = std::mem::take(&mut self.current);
        let row = Row {
            number: heard.number,
            place: heard.place,
            plies: heard.plies,
            opening: self.opening(),
            ..Row::of(&self.tags, result)
        };
        self.rows.push(row);
    }

    /// The name of the opening. The start of a game is none yet.
    fn opening(&self) -> String {
        let found = self.classifier.as_ref().and_then(Classifier::found);
        let found = found.filter(|(_, ply)| *ply > 0);
        found.map_or_else(String::new, |(opening, _)| opening.name.clone())
    }
}

impl GameSink for Wanted<'_> {
    fn needs(&mut self) -> Needs {
        let names = self.classifier.is_some();
        let needs = Needs::ALL.variations(false).notes(false);
        needs.after(names).keys(names)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Some(classifier) = &mut self.classifier {
            classifier.event(event);
        }
        match event {
            Event::GameStart(place) => {
                self.tags.clear();
                self.current = Row {
                    number: place.number,
                    place: self.place,
                    ..Row::default()
                };
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::Move { .. } | Event::Null { .. } | Event::Missing => self.current.plies += 1,
            Event::VariationStart => return Flow::SkipVariation,
            Event::GameEnd { result, .. } => self.end(result),
            _ => {}
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(white: &str, elo: Option<u16>, date: &str) -> Row {
        Row {
            white: white.to_string(),
            white_elo: elo,
            date: date.to_string(),
            ..Row::default()
        }
    }

    fn sorted(key: Key, reverse: bool) -> String {
        let mut rows = vec![
            row("Réti", Some(2700), "1921.05.01"),
            row("reshevsky", None, ""),
            row("", Some(2500), "1921.??.??"),
            row("Zukertort", Some(2700), "1883.01.01"),
        ];
        sort(&mut rows, key, reverse);
        let names: Vec<_> = rows.into_iter().map(|row| row.white).collect();
        names.join(" ")
    }

    #[test]
    fn what_is_not_known_comes_last_in_either_direction() {
        assert_eq!(sorted(Key::White, false), "reshevsky Réti Zukertort ");
        assert_eq!(sorted(Key::White, true), "Zukertort Réti reshevsky ");
        assert_eq!(sorted(Key::WhiteElo, false), " Réti Zukertort reshevsky");
        assert_eq!(sorted(Key::Elo, true), "Réti Zukertort  reshevsky");
        assert_eq!(sorted(Key::Date, false), "Zukertort Réti  reshevsky");
        assert_eq!(sorted(Key::Number, true), "Zukertort  reshevsky Réti");
    }
}
