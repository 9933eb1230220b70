//! What programs that run engine matches write into comments, without a command.

use std::time::Duration;

use tabiya_chess::Color;

use super::read::{centipawns, digits, duration, mate, small};
use crate::{Annotation, Evaluation, Score};

/// Evaluation, time spent and clock, as far as a text has them.
pub(super) type Found = [Option<Annotation>; 3];

/// What a text says in one of the profiles.
pub(super) fn annotations(text: &str, mover: Color) -> Found {
    cutechess(text, mover)
        .or_else(|| tcec(text))
        .unwrap_or_default()
}

/// `+0.71/22 1.2s, White mates`: score, depth, time, and words that do not matter.
///
/// Only a score of zero has no sign (fastchess pull request 703); to ask for it keeps the
/// `1/2-1/2 Gelfand - Shirov` of quotations out.
fn cutechess(text: &str, mover: Color) -> Option<Found> {
    let text = text.trim_start();
    if !text.starts_with(['+', '-', '0']) {
        return None;
    }
    let ends = |c: char| c == ',' || c.is_whitespace();
    let (verdict, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    let (value, depth) = verdict.split_once('/')?;
    let score = score(value)?;
    if !value.starts_with(['+', '-']) && score != Score::Centipawns(0) {
        return None;
    }
    let evaluation = Evaluation {
        score: match mover {
            Color::White => score,
            Color::Black => reversed(score)?,
        },
        depth: Some(small(depth)?),
    };
    let time = rest.trim_start().split(ends).next().and_then(seconds);
    Some([
        Some(Annotation::Evaluation(evaluation)),
        time.map(Annotation::TimeSpent),
        None,
    ])
}

/// `d=22, sd=35, mt=15000, tl=4801000, …, wv=0.71, …`: fields, of which `wv` must be there.
fn tcec(text: &str) -> Option<Found> {
    if !text.contains("wv=") {
        return None;
    }
    let (mut white, mut depth, mut spent, mut left) = (None, None, None, None);
    let fields = text.split(',').filter_map(|field| field.split_once('='));
    for (key, value) in fields {
        match key.trim() {
            "wv" => white = score(value.trim()),
            "d" => depth = small(value.trim()),
            "mt" => spent = time(value.trim()),
            "tl" => left = time(value.trim()),
            _ => {}
        }
    }
    let evaluation = Evaluation {
        score: white?,
        depth,
    };
    Some([
        Some(Annotation::Evaluation(evaluation)),
        spent.map(Annotation::TimeSpent),
        left.map(Annotation::Clock),
    ])
}

/// `+0.71` or `-M5`, where a mate is in plies (cutechess issue 873; the TCEC games count the same
/// way): the third ply and the fourth belong to the second move.
fn score(text: &str) -> Option<Score> {
    if text.contains('M') {
        let plies = mate(text)?;
        return Some(Score::Mate(plies / 2 + plies % 2));
    }
    text.contains('.')
        .then(|| centipawns(text))?
        .map(Score::Centipawns)
}

/// The score for the other side.
fn reversed(score: Score) -> Option<Score> {
    Some(match score {
        Score::Centipawns(value) => Score::Centipawns(value.checked_neg()?),
        Score::Mate(moves) => Score::Mate(moves.checked_neg()?),
    })
}

/// `1.2s`.
fn seconds(text: &str) -> Option<Duration> {
    duration(text.strip_suffix('s')?)
}

/// `15000`, in milliseconds, or `00:00:15`.
fn time(text: &str) -> Option<Duration> {
    match text.contains(':') {
        true => duration(text),
        false => digits(text).map(Duration::from_millis),
    }
}
