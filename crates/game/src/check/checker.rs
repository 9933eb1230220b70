//! A sink that looks for faults.

use tabiya_chess::{Color, Move, Position, Setup, Status, Variant};

use super::{Finding, FindingKind};
use crate::{
    Damage, Date, Event, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState, Place,
    ROSTER,
};

/// Hears games and keeps what is wrong with them.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    findings: Vec<Finding>,
    games: u64,
    /// The number of the game that is heard.
    number: u64,
    broken: u64,
    faulty: u64,
    damaged: u64,
    /// How many findings there were before this game.
    before: usize,
    place: Place,
    tags: Header,
    line: MainLine,
}

/// A bit for each tag of the roster.
const ALL_OF_ROSTER: u8 = (1 << ROSTER.len()) - 1;

/// What the tags of a game say.
#[derive(Clone, Debug, Default)]
struct Header {
    /// Which tags of the roster are there, bit by bit.
    roster: u8,
    result: Option<String>,
    fen: Option<String>,
    set_up: Option<String>,
    ply_count: Option<u32>,
    /// The names so far, one after the other, and their ends.
    names: String,
    ends: Vec<usize>,
}

impl Header {
    fn clear(&mut self) {
        self.roster = 0;
        self.result = None;
        self.fen = None;
        self.set_up = None;
        self.ply_count = None;
        self.names.clear();
        self.ends.clear();
    }

    /// Remembers a name; `false` if it is known already.
    fn is_new(&mut self, name: &str) -> bool {
        let mut start = 0;
        for &end in &self.ends {
            if self.names.as_bytes()[start..end] == *name.as_bytes() {
                return false;
            }
            start = end;
        }
        self.names.push_str(name);
        self.ends.push(self.names.len());
        true
    }
}

/// The main line as far as it has been heard.
#[derive(Clone, Debug, Default)]
struct MainLine {
    depth: usize,
    plies: u32,
    /// The last move and the position it was played in; `None` after a null move.
    last: Option<(Position, Move)>,
    /// Nothing is known about the end of the line.
    spoilt: bool,
    null: bool,
    missing: bool,
    started: bool,
}

impl Checker {
    /// What was found since it was last taken, in the order of the games.
    #[must_use]
    pub fn take_findings(&mut self) -> Vec<Finding> {
        self.before = 0;
        std::mem::take(&mut self.findings)
    }

    /// Gives the next game a number, where it is not the one after the last.
    pub fn set_next_number(&mut self, number: u64) {
        self.number = number.saturating_sub(1);
    }

    /// How many games it has heard.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many of them could not be read in full.
    #[must_use]
    pub fn broken(&self) -> u64 {
        self.broken
    }

    /// How many of them have findings that are more than notes.
    #[must_use]
    pub fn faulty(&self) -> u64 {
        self.faulty
    }

    /// How many entries that are no games are damaged.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    fn find(&mut self, kind: FindingKind, message: impl Into<String>) {
        self.findings.push(Finding {
            game: self.number,
            place: self.place,
            kind,
            message: message.into(),
        });
    }

    fn tag(&mut self, name: &str, value: &str) {
        if !self.tags.is_new(name) {
            self.find(
                FindingKind::RepeatedTag,
                format!("the tag {name} is there twice"),
            );
            return;
        }
        if let Some(place) = ROSTER.iter().position(|&roster| roster == name) {
            self.tags.roster |= 1 << place;
        }
        match name {
            "Date" | "EventDate" | "UTCDate" => self.date(name, value),
            "WhiteElo" | "BlackElo" => self.rating(name, value),
            "Result" => self.tags.result = Some(value.to_owned()),
            "FEN" => self.tags.fen = Some(value.to_owned()),
            "SetUp" => self.tags.set_up = Some(value.to_owned()),
            "PlyCount" => self.tags.ply_count = value.trim().parse().ok(),
            _ => {}
        }
    }

    fn date(&mut self, name: &str, value: &str) {
        let fault = match value.parse::<Date>() {
            Err(error) => error.to_string(),
            Ok(date) if !exists(date) => "there is no such day".to_owned(),
            Ok(_) => return,
        };
        self.find(
            FindingKind::BadDate,
            format!("{name} {}: {fault}", quoted(value)),
        );
    }

    fn rating(&mut self, name: &str, value: &str) {
        // Unknown ratings have many spellings.
        const UNKNOWN: [&str; 8] = ["", "?", "-", "*", "unr", "unr.", "unrated", "unknown"];
        let written = value.trim();
        let sound = written.parse().is_ok_and(|rating: u32| rating < 5_000);
        let is_value = |unknown: &&str| unknown.eq_ignore_ascii_case(written);
        if !sound && !UNKNOWN.iter().any(is_value) {
            let message = format!("{name} {}: not a rating", quoted(value));
            self.find(FindingKind::BadRating, message);
        }
    }

    /// The header is complete.
    fn start(&mut self, position: &Position) {
        self.line = MainLine {
            started: true,
            ..MainLine::default()
        };
        if self.tags.roster != ALL_OF_ROSTER {
            self.roster();
        }
        self.set_up(position);
    }

    fn roster(&mut self) {
        for (kind, names) in [
            (FindingKind::MissingTags, &ROSTER[4..]),
            (FindingKind::IncompleteRoster, &ROSTER[..4]),
        ] {
            let is_there = |name: &str| {
                let place = ROSTER.iter().position(|&roster| roster == name);
                place.is_some_and(|place| self.tags.roster & (1 << place) != 0)
            };
            let missing: Vec<&str> = names.iter().copied().filter(|n| !is_there(n)).collect();
            if !missing.is_empty() {
                self.find(kind, format!("no tag {}", missing.join(", ")));
            }
        }
    }

    fn set_up(&mut self, position: &Position) {
        let promised = self.tags.set_up.as_deref().map(str::trim);
        let Some(fen) = self.tags.fen.take() else {
            if promised == Some("1") {
                let message = "the tag SetUp says 1, but there is no tag FEN";
                self.find(FindingKind::SetUp, message);
            }
            return;
        };
        match promised {
            Some("1") => {}
            None => self.find(FindingKind::SetUp, "the tag FEN without the tag SetUp"),
            Some(other) => {
                let message = format!("the tag SetUp says {}, but there is a FEN", quoted(other));
                self.find(FindingKind::SetUp, message);
            }
        }
        // A FEN that cannot be read is told by the reader.
        if let (Ok(setup), false) = (
            fen.parse::<Setup>(),
            position.variant() == Variant::Antichess,
        ) {
            for warning in setup.warnings() {
                self.find(FindingKind::OddStart, warning.to_string());
            }
        }
    }

    fn error(&mut self, error: &GameError<'_>) {
        // After one that swallows moves nobody knows how the game ended.
        let harmless = match error.kind {
            GameErrorKind::BadTag => true,
            GameErrorKind::Unbalanced => !error.raw.starts_with('{'),
            _ => false,
        };
        self.line.spoilt |= self.line.depth == 0 && !harmless;
        let mut message = error.message.to_owned();
        if let Some(first) = error.first {
            message.push_str(&format!(" (before it was converted, at {first})"));
        }
        if let Some(raw) = excerpt(error.raw) {
            message.push_str(&format!(": {raw}"));
        }
        self.findings.push(Finding {
            game: self.number,
            place: error.place,
            kind: FindingKind::Reading(error.kind),
            message,
        });
    }

    /// An entry that is no game is damaged. It is not one of the games that have findings.
    fn damage(&mut self, place: Place, damage: Damage<'_>) {
        self.damaged += 1;
        self.findings.push(Finding {
            game: match place.number {
                0 => self.number + 1,
                number => number,
            },
            place,
            kind: FindingKind::Reading(GameErrorKind::Unreadable),
            message: damage.to_string(),
        });
        self.before = self.findings.len();
    }

    fn end(&mut self, result: GameResult, state: GameState) {
        self.broken += u64::from(state == GameState::Broken);
        if self.line.started {
            self.moves(state, result);
        }
        self.result_tag(result);
        let new = &self.findings[self.before..];
        let fault = |finding: &Finding| finding.kind.severity() != super::Severity::Note;
        self.faulty += u64::from(new.iter().any(fault));
        self.before = self.findings.len();
    }

    fn moves(&mut self, state: GameState, result: GameResult) {
        if self.line.null {
            self.find(FindingKind::NullMove, "the main line has a null move");
        }
        if self.line.missing {
            self.find(FindingKind::MissingPly, "a ply was left out");
        }
        if self.line.plies == 0 && state == GameState::Complete && !result.is_forfeit() {
            self.find(FindingKind::NoMoves, "the game has no moves");
        }
        if self.line.spoilt || self.line.missing {
            return;
        }
        let plies = self.line.plies;
        if let Some(count) = self.tags.ply_count.filter(|&count| count != plies) {
            let message = format!("the tag PlyCount says {count}, the game has {plies} plies");
            self.find(FindingKind::WrongPlyCount, message);
        }
        if let Some((before, play)) = &self.line.last {
            let mut position = *before;
            position.play_unchecked(*play);
            if let Some(message) = contradiction(&position, result) {
                self.find(FindingKind::ImpossibleResult, message);
            }
        }
    }

    fn result_tag(&mut self, result: GameResult) {
        let Some(value) = self.tags.result.take() else {
            return;
        };
        match value.parse::<GameResult>() {
            Err(error) => {
                let message = format!("Result {}: {error}", quoted(&value));
                self.find(FindingKind::BadResult, message);
            }
            Ok(tag) if tag.token() != result.token() => {
                let known = |result| result != GameResult::Unknown;
                let kind = match known(tag) && known(result) {
                    true => FindingKind::ResultsDiffer,
                    false => FindingKind::ResultUnknown,
                };
                let value = excerpt(&value).unwrap_or_else(|| "nothing".to_owned());
                let message = format!("the tag Result says {value}, the moves end with {result}");
                self.find(kind, message);
            }
            Ok(_) => {}
        }
    }
}

impl GameSink for Checker {
    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            // Nearly all events are moves: they need not pay for the others.
            Event::Move { before, play, .. } => self.play(before, play),
            other => self.other_event(&other),
        }
        Flow::Continue
    }
}

impl Checker {
    #[inline]
    fn play(&mut self, before: &Position, play: Move) {
        if self.line.depth == 0 {
            self.line.plies += 1;
            self.line.last = Some((*before, play));
        }
    }

    #[inline(never)]
    fn other_event(&mut self, event: &Event<'_>) {
        match *event {
            Event::Move { before, play, .. } => self.play(before, play),
            Event::Null { .. } => {
                if self.line.depth == 0 {
                    self.line.plies += 1;
                    self.line.null = true;
                    self.line.last = None;
                }
            }
            Event::Missing => self.line.missing |= self.line.depth == 0,
            Event::VariationStart => self.line.depth += 1,
            Event::VariationEnd => self.line.depth = self.line.depth.saturating_sub(1),
            Event::Error(error) => self.error(&error),
            Event::GameStart(place) => {
                self.games += 1;
                self.number += 1;
                self.place = place;
                self.tags.clear();
                self.line.started = false;
            }
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(position) => self.start(position),
            Event::GameEnd { result, state } => self.end(result, state),
            Event::Opaque { place, format, .. } => {
                if let Some(damage) = Damage::of(format) {
                    self.damage(place, damage);
                }
            }
            Event::Nag(_) | Event::Comment(_) | Event::Annotation(_) | Event::Text { .. } => {}
        }
    }
}

/// The result that a position proves: mate, stalemate, or nothing left in antichess.
pub(super) fn proven(position: &Position) -> Option<GameResult> {
    let won_by = |color| match color {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    };
    match position.status() {
        Status::Checkmate => Some(won_by(!position.turn())),
        Status::NothingLeft(winner) => Some(won_by(winner)),
        Status::Stalemate => Some(GameResult::Draw),
        Status::InProgress | Status::Check | Status::InsufficientMaterial => None,
    }
}

/// Why a result cannot be the one of a position. A forfeit is possible in any.
fn contradiction(position: &Position, result: GameResult) -> Option<String> {
    // Few games end by rule: most last moves are followed by a legal one, which is quick to see.
    let truth = proven(position)?;
    (truth.token() != result.token() && !result.is_forfeit()).then(|| {
        let status = position.status();
        format!("the last position is {status}, so {truth}, but the result is {result}")
    })
}

/// Whether a date is in the calendar, as far as it is known.
fn exists(date: Date) -> bool {
    // Nobody has written down a game of chess before; a year such as 202 lacks a digit.
    if date.year.is_some_and(|year| year < 1_000) {
        return false;
    }
    let (Some(month), Some(day)) = (date.month, date.day) else {
        return true;
    };
    let leap = |year: u16| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if date.year.is_none_or(leap) => 29,
        2 => 28,
        _ => 31,
    };
    day <= days
}

/// The start of a text that may be long; nothing of an empty one.
fn excerpt(text: &str) -> Option<String> {
    const LENGTH: usize = 60;
    let mut words = text.split_whitespace();
    let mut short = words.next()?.to_owned();
    for word in words {
        short.push(' ');
        short.push_str(word);
        if short.len() > LENGTH {
            break;
        }
    }
    if short.chars().count() > LENGTH {
        short = short.chars().take(LENGTH - 1).chain(['…']).collect();
    }
    Some(short)
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", excerpt(value).unwrap_or_default())
}
