//! What is remembered of each game.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hasher, RandomState},
    sync::LazyLock,
};

use tabiya_chess::{Move, Position};
use tabiya_game::{Date, Event, Filter, Flow, GameResult, GameSink, Needs};

use super::{
    GameRef,
    names::{Likeness, Name},
};
use crate::{Database, Result, database::InPlace};

/// After so many plies each the hash of the line is kept.
pub(super) const STEP: u32 = 8;

/// The index of a game in a [`Collection`].
pub(super) type Game = u32;

/// What is known of a game.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// The number in its database.
    number: u64,
    database: u32,
    /// Where its checkpoints begin.
    first: u64,
    /// All of its main line, and its start.
    pub line: u64,
    /// The seven tags that every game has.
    pub roster: u64,
    pub plies: u32,
    pub white: u32,
    pub black: u32,
    pub event: u32,
    pub date: PackedDate,
    pub round: Round,
    /// White's and Black's; 0 if they are not known.
    pub ratings: [u16; 2],
    pub result: GameResult,
    /// What tells games of servers apart.
    pub mark: Mark,
}

/// What servers say of each game: hashes, 0 if they say nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mark {
    /// Of its address: the server, and where it is there.
    server: u32,
    path: u32,
    /// When it began, to the second.
    time: u32,
}

impl Mark {
    /// Takes an address, if it is one of something on a server.
    fn set_address(&mut self, text: &str) {
        let rest = text
            .strip_prefix("https://")
            .or(text.strip_prefix("http://"));
        if let Some((server, path)) = rest.and_then(|rest| rest.trim().split_once('/'))
            && !path.is_empty()
        {
            (self.server, self.path) = (hash32(server), hash32(path));
        }
    }

    fn set_time(&mut self, text: &str) {
        if text.bytes().any(|byte| byte.is_ascii_digit()) {
            self.time = hash32(text);
        }
    }

    /// Whether both cannot be of one game: other addresses on one server, or another time.
    pub fn contradicts(&self, other: Mark) -> bool {
        let is_elsewhere =
            self.server != 0 && self.server == other.server && self.path != other.path;
        is_elsewhere || self.time != 0 && other.time != 0 && self.time != other.time
    }
}

fn hash32(text: &str) -> u32 {
    (hash(&[text]) as u32).max(1)
}

/// A date in four bytes; what is not known is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct PackedDate {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

impl From<Date> for PackedDate {
    fn from(date: Date) -> PackedDate {
        PackedDate {
            year: date.year.unwrap_or(0),
            month: date.month.unwrap_or(0),
            day: date.day.unwrap_or(0),
        }
    }
}

/// A round as `9.10`: the number before the point and what is behind it; 0 if it is not known. Of what is
/// no number it is a hash, above all numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Round {
    pub main: u16,
    pub board: u16,
}

impl Round {
    /// The first value of what is no number.
    const WORDS: u16 = 1 << 15;

    fn parse(text: &str) -> Round {
        let (main, board) = text.split_once('.').unwrap_or((text, ""));
        let part = |text: &str| match text.trim().trim_start_matches('0') {
            "" | "?" | "-" => 0,
            text => match text.parse() {
                Ok(number) if number < Round::WORDS => number,
                _ => Round::WORDS | hash(&[text]) as u16,
            },
        };
        Round {
            main: part(main),
            board: part(board),
        }
    }
}

/// All games of some databases.
#[derive(Default)]
pub(super) struct Collection {
    pub facts: Vec<Facts>,
    checkpoints: Vec<u32>,
    pub names: Names,
    pub events: Names,
}

/// Texts that many games have in common, once each.
#[derive(Default)]
pub(super) struct Names {
    ids: HashMap<Box<str>, u32>,
    names: Vec<Name>,
}

impl Names {
    fn id(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.names.len() as u32;
        self.ids.insert(text.into(), id);
        self.names.push(Name::new(text));
        id
    }

    pub fn get(&self, id: u32) -> &Name {
        &self.names[id as usize]
    }

    /// How two of them are to each other.
    pub fn likeness(&self, one: u32, other: u32) -> Likeness {
        let name = self.get(one);
        match one == other && name.is_known() {
            true => Likeness::Same,
            false => name.likeness(self.get(other)),
        }
    }
}

impl Collection {
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    pub fn place(&self, game: Game) -> GameRef {
        let facts = self.facts(game);
        GameRef {
            database: facts.database as usize,
            number: facts.number,
        }
    }

    pub fn facts(&self, game: Game) -> &Facts {
        &self.facts[game as usize]
    }

    /// The hashes of its line after 8, 16, 24 … plies.
    pub fn checkpoints(&self, game: Game) -> &[u32] {
        let first = self.facts(game).first as usize;
        let count = (self.facts(game).plies / STEP) as usize;
        &self.checkpoints[first..first + count]
    }

    /// Reads the games of a database, by all cores.
    pub fn read(&mut self, index: usize, database: &Database, filter: &Filter) -> Result<()> {
        database.par_placed::<_, crate::Error>(filter, Reader::default, |reader, before| {
            let names: Vec<u32> = reader
                .names
                .texts
                .iter()
                .map(|name| self.names.id(name))
                .collect();
            let events: Vec<u32> = reader
                .events
                .texts
                .iter()
                .map(|name| self.events.id(name))
                .collect();
            let first = self.checkpoints.len() as u64;
            self.checkpoints.extend(reader.checkpoints);
            for mut facts in reader.found {
                // Threads do not know how many games came before theirs, nor of which database they are.
                facts.database = index as u32;
                if !reader.is_numbered {
                    facts.number += before;
                }
                facts.first += first;
                facts.white = names[facts.white as usize];
                facts.black = names[facts.black as usize];
                facts.event = events[facts.event as usize];
                self.facts.push(facts);
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Texts of one part of a database.
#[derive(Default)]
struct Texts {
    ids: HashMap<String, u32>,
    texts: Vec<String>,
}

impl Texts {
    fn id(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.texts.len() as u32;
        self.ids.insert(text.to_owned(), id);
        self.texts.push(text.to_owned());
        id
    }
}

/// Hears the games of one part of a database.
#[derive(Default)]
struct Reader {
    before: u64,
    names: Texts,
    events: Texts,
    checkpoints: Vec<u32>,
    found: Vec<Facts>,
    /// Whether the format tells the numbers of games.
    is_numbered: bool,
    game: Heard,
}

/// What has been heard of a game.
#[derive(Default)]
struct Heard {
    number: u64,
    white: u32,
    black: u32,
    event: u32,
    date: PackedDate,
    round: Round,
    ratings: [u16; 2],
    result: GameResult,
    mark: Mark,
    roster: u64,
    line: u64,
    plies: u32,
    first: u64,
    /// A ply was left out: nobody knows the line behind it.
    ended: bool,
}

impl InPlace for Reader {
    fn place(&mut self, before: u64) {
        self.before = before;
    }
}

impl Reader {
    fn start(&mut self, number: u64) {
        self.game = Heard {
            number,
            white: self.names.id(""),
            black: self.names.id(""),
            event: self.events.id(""),
            first: self.checkpoints.len() as u64,
            ..Heard::default()
        };
    }

    fn tag(&mut self, name: &str, value: &str) {
        let game = &mut self.game;
        match name {
            "White" => game.white = self.names.id(value),
            "Black" => game.black = self.names.id(value),
            "Event" => game.event = self.events.id(value),
            "Round" => game.round = Round::parse(value),
            "Result" => game.result = value.parse().unwrap_or_default(),
            "Date" | "UTCDate" => {
                let date = value.parse::<Date>().unwrap_or_default();
                if game.date.year == 0 {
                    game.date = date.into();
                }
            }
            "WhiteElo" => game.ratings[0] = rating(value),
            "BlackElo" => game.ratings[1] = rating(value),
            "Site" | "Link" => game.mark.set_address(value),
            "UTCTime" => game.mark.set_time(value),
            _ => return,
        }
        if !matches!(
            name,
            "UTCDate" | "UTCTime" | "Link" | "WhiteElo" | "BlackElo"
        ) {
            // In any order.
            game.roster = game.roster.wrapping_add(hash(&[name, value]));
        }
    }

    fn begin(&mut self, start: &Position) {
        let seed = hash_number(start.key().0, start.variant() as u64);
        self.game.line = seed;
    }

    fn ply(&mut self, code: u16) {
        let game = &mut self.game;
        if game.ended {
            return;
        }
        game.line = hash_number(game.line, code.into());
        game.plies += 1;
        if game.plies.is_multiple_of(STEP) {
            self.checkpoints.push((game.line >> 32) as u32);
        }
    }

    fn end(&mut self, result: GameResult) {
        let game = &self.game;
        self.is_numbered = game.number > 0;
        self.found.push(Facts {
            number: match game.number {
                0 => self.before + 1,
                number => number,
            },
            database: 0,
            first: game.first,
            line: game.line,
            roster: game.roster,
            plies: game.plies,
            white: game.white,
            black: game.black,
            event: game.event,
            date: game.date,
            round: game.round,
            ratings: game.ratings,
            result: match game.result {
                GameResult::Unknown => result,
                known => known,
            },
            mark: game.mark,
        });
    }
}

impl GameSink for Reader {
    fn needs(&mut self) -> Needs {
        Needs::TAGS.moves(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => self.start(place.number),
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(start) => self.begin(start),
            Event::Move { play, .. } => self.ply(play.to_bits()),
            Event::Null { .. } => self.ply(NULL),
            Event::Missing => self.game.ended = true,
            Event::VariationStart => return Flow::SkipVariation,
            Event::GameEnd { result, .. } => self.end(result),
            _ => {}
        }
        Flow::Continue
    }
}

fn rating(value: &str) -> u16 {
    value.trim().parse().unwrap_or(0)
}

/// No move goes from a square to itself.
const NULL: u16 = Move::new(tabiya_chess::Square::A1, tabiya_chess::Square::A1).to_bits();

/// Mixes a number into a hash: as good as any where nobody attacks, and a multiplication a ply.
pub(super) fn hash_number(hash: u64, number: u64) -> u64 {
    let mixed = (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// A hash of texts. Who does not know the process cannot make texts that have the same.
pub(super) fn hash(texts: &[&str]) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    let mut hasher = STATE.build_hasher();
    for text in texts {
        hasher.write(text.as_bytes());
        hasher.write_u8(0xFF);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_numbers_of_rounds_are_the_same() {
        for number in 1..Round::WORDS {
            let round = Round {
                main: number,
                board: 0,
            };
            assert_eq!(Round::parse(&format!("0{number} ")), round);
            let round = Round {
                main: 7,
                board: number,
            };
            assert_eq!(Round::parse(&format!("7.{number}")), round);
        }
        for unknown in ["", "?", "-", "0", "?.?"] {
            assert_eq!(Round::parse(unknown), Round::default(), "{unknown}");
        }
        for other in ["final", "32768", "-1", "+-"] {
            let round = Round::parse(other);
            assert!(round.main >= Round::WORDS, "{other}");
            assert_eq!(Round::parse(other), round);
        }
    }
}
