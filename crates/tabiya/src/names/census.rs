//! Who played whom, when and where: all that is known of names in games.

use std::{
    collections::{HashMap, hash_map::Entry},
    path::PathBuf,
};

use tabiya_game::{Date, Event, Filter, Flow, GameSink, Needs};

use super::Kind;
use crate::{Database, Error, Result, database::InPlace};

/// A text among those of its kind.
pub type Id = u32;

/// No text: the tag is missing, or says that nothing is known.
pub const NOBODY: Id = Id::MAX;

/// What a game says about names.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    pub number: u64,
    pub white: Id,
    pub black: Id,
    pub event: Id,
    pub site: Id,
    pub round: Id,
    pub white_elo: u16,
    pub black_elo: u16,
    /// 0 if it is not known.
    pub year: u16,
}

impl Default for Game {
    fn default() -> Game {
        Game {
            number: 0,
            white: NOBODY,
            black: NOBODY,
            event: NOBODY,
            site: NOBODY,
            round: NOBODY,
            white_elo: 0,
            black_elo: 0,
            year: 0,
        }
    }
}

impl Game {
    /// Its names of a kind, with their tags.
    pub fn names(&self, kind: Kind) -> impl Iterator<Item = (&'static str, Id)> {
        let names = match kind {
            Kind::Player => [("White", self.white), ("Black", self.black)],
            Kind::Event => [("Event", self.event), ("Event", NOBODY)],
            Kind::Site => [("Site", self.site), ("Site", NOBODY)],
        };
        names.into_iter().filter(|&(_, id)| id != NOBODY)
    }
}

/// Different texts, each once.
#[derive(Default)]
pub struct Texts {
    texts: Vec<Box<str>>,
    ids: HashMap<Box<str>, Id>,
}

impl Texts {
    /// The id of a text, which is added if it is new.
    pub fn id(&mut self, text: &str) -> Id {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = self.texts.len() as Id;
        self.texts.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }

    pub fn text(&self, id: Id) -> &str {
        &self.texts[id as usize]
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (Id, &str)> {
        (0..).zip(self.texts.iter().map(|text| &**text))
    }
}

/// How often a player has a FIDE id, or a federation.
type Counts<T> = HashMap<(Id, T), u32>;

/// All that is known of names in games of some databases.
#[derive(Default)]
pub struct Census {
    pub databases: Vec<PathBuf>,
    /// The first game of each database.
    starts: Vec<usize>,
    pub games: Vec<Game>,
    pub players: Texts,
    pub events: Texts,
    pub sites: Texts,
    rounds: Texts,
    pub fide_ids: Counts<u32>,
    pub federations: Counts<[u8; 3]>,
}

impl Census {
    /// Adds the games of a database that pass a filter.
    pub fn read(&mut self, database: &Database, filter: &Filter) -> Result<()> {
        self.databases.push(database.path().to_owned());
        self.starts.push(self.games.len());
        database.par_placed::<_, Error>(filter, Heard::default, |heard, before| {
            self.append(heard, before);
            Ok(())
        })?;
        Ok(())
    }

    fn append(&mut self, heard: Heard, before: u64) {
        let part = heard.census;
        let map = |from: &Texts, to: &mut Texts| -> Vec<Id> {
            from.iter().map(|(_, text)| to.id(text)).collect()
        };
        let players = map(&part.players, &mut self.players);
        let events = map(&part.events, &mut self.events);
        let sites = map(&part.sites, &mut self.sites);
        let rounds = map(&part.rounds, &mut self.rounds);
        let of = |ids: &[Id], id: Id| ids.get(id as usize).copied().unwrap_or(NOBODY);
        for (mut game, place) in part.games.into_iter().zip(heard.places) {
            if game.number == 0 {
                game.number = before + place + 1;
            }
            game.white = of(&players, game.white);
            game.black = of(&players, game.black);
            game.event = of(&events, game.event);
            game.site = of(&sites, game.site);
            game.round = of(&rounds, game.round);
            self.games.push(game);
        }
        for ((player, id), count) in part.fide_ids {
            *self.fide_ids.entry((of(&players, player), id)).or_default() += count;
        }
        for ((player, federation), count) in part.federations {
            let known = (of(&players, player), federation);
            *self.federations.entry(known).or_default() += count;
        }
    }

    /// The different texts of a kind.
    pub fn texts(&self, kind: Kind) -> &Texts {
        match kind {
            Kind::Player => &self.players,
            Kind::Event => &self.events,
            Kind::Site => &self.sites,
        }
    }

    /// The database of a game.
    pub fn database(&self, game: usize) -> usize {
        self.starts.partition_point(|&start| start <= game) - 1
    }

    /// Whether a game is of a known round.
    pub fn has_round(&self, game: &Game) -> bool {
        let is_digit = |c: char| c.is_ascii_digit();
        game.round != NOBODY && self.rounds.text(game.round).contains(is_digit)
    }

    pub fn round_text(&self, round: Id) -> &str {
        self.rounds.text(round)
    }

    /// The games of each text of a kind, in their order.
    pub fn by_text(&self, kind: Kind) -> ByText {
        let count = self.texts(kind).len();
        let mut ends = vec![0usize; count + 1];
        let each = |hear: &mut dyn FnMut(usize, usize)| {
            for (place, game) in self.games.iter().enumerate() {
                let mut last = NOBODY;
                for (_, id) in game.names(kind) {
                    // Whoever plays himself has one game of it.
                    if id != last {
                        hear(id as usize, place);
                    }
                    last = id;
                }
            }
        };
        each(&mut |id, _| ends[id + 1] += 1);
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut games = vec![0u32; ends[count]];
        let mut next = ends.clone();
        each(&mut |id, place| {
            games[next[id]] = place as u32;
            next[id] += 1;
        });
        ByText { ends, games }
    }
}

/// The games of each text.
pub struct ByText {
    ends: Vec<usize>,
    games: Vec<u32>,
}

impl ByText {
    /// The games of a text, as places among all.
    pub fn games(&self, id: Id) -> &[u32] {
        &self.games[self.ends[id as usize]..self.ends[id as usize + 1]]
    }
}

/// Hears the tags of games.
#[derive(Default)]
struct Heard {
    census: Census,
    /// How many games came before each in its part.
    places: Vec<u64>,
    place: u64,
    game: Game,
    /// Tags of names that have been heard, in the order of `Heard::tag`.
    heard: [bool; 5],
    /// White's and Black's, until the players are known.
    fide_ids: [Option<u32>; 2],
    federations: [Option<[u8; 3]>; 2],
}

impl InPlace for Heard {
    fn place(&mut self, before: u64) {
        self.place = before;
    }
}

impl GameSink for Heard {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.tags(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.game = Game {
                    number: place.number,
                    ..Game::default()
                };
                self.heard = [false; 5];
                self.fide_ids = [None; 2];
                self.federations = [None; 2];
            }
            Event::Tag { name, value } => self.tag(name, value),
            Event::GameEnd { .. } => self.end(),
            _ => {}
        }
        Flow::Continue
    }
}

impl Heard {
    fn tag(&mut self, name: &str, value: &str) {
        let (census, game, heard) = (&mut self.census, &mut self.game, &mut self.heard);
        // The first of several tags of a name counts, as in `Tags::get`, even if it says nothing.
        let mut set = |place: usize, id: &mut Id, texts: &mut Texts| {
            if !std::mem::replace(&mut heard[place], true) && is_known(value) {
                *id = texts.id(value);
            }
        };
        match name {
            "White" => set(0, &mut game.white, &mut census.players),
            "Black" => set(1, &mut game.black, &mut census.players),
            "Event" => set(2, &mut game.event, &mut census.events),
            "Site" => set(3, &mut game.site, &mut census.sites),
            "Round" => set(4, &mut game.round, &mut census.rounds),
            "Date" | "UTCDate" if game.year == 0 => {
                let year = value.parse::<Date>().ok().and_then(|date| date.year);
                game.year = year.unwrap_or_default();
            }
            "WhiteElo" if game.white_elo == 0 => game.white_elo = rating(value),
            "BlackElo" if game.black_elo == 0 => game.black_elo = rating(value),
            "WhiteFideId" => self.fide_ids[0] = self.fide_ids[0].or(fide_id(value)),
            "BlackFideId" => self.fide_ids[1] = self.fide_ids[1].or(fide_id(value)),
            "WhiteCountry" | "WhiteFed" | "WhiteFederation" => {
                self.federations[0] = self.federations[0].or(federation(value));
            }
            "BlackCountry" | "BlackFed" | "BlackFederation" => {
                self.federations[1] = self.federations[1].or(federation(value));
            }
            _ => {}
        }
    }

    fn end(&mut self) {
        self.census.games.push(self.game);
        self.places.push(self.place);
        let players = [self.game.white, self.game.black];
        for (side, player) in players.into_iter().enumerate() {
            if player == NOBODY {
                continue;
            }
            if let Some(id) = self.fide_ids[side] {
                count(self.census.fide_ids.entry((player, id)));
            }
            if let Some(federation) = self.federations[side] {
                count(self.census.federations.entry((player, federation)));
            }
        }
    }
}

fn count<K>(entry: Entry<'_, K, u32>) {
    *entry.or_default() += 1;
}

/// Whether a tag says anything.
fn is_known(value: &str) -> bool {
    !matches!(value.trim(), "" | "?" | "-" | "*")
}

fn rating(value: &str) -> u16 {
    let rating = value.trim().parse().unwrap_or_default();
    // What is outside is a mistake or a rating of another kind.
    if (100..=3999).contains(&rating) {
        rating
    } else {
        0
    }
}

/// A FIDE id, which has nine digits at most.
fn fide_id(value: &str) -> Option<u32> {
    let id = value.trim().parse().ok()?;
    (1..1_000_000_000).contains(&id).then_some(id)
}

/// A federation by its three letters.
fn federation(value: &str) -> Option<[u8; 3]> {
    let letters: [u8; 3] = value.trim().as_bytes().try_into().ok()?;
    let is_code = letters.iter().all(u8::is_ascii_alphabetic);
    is_code.then(|| letters.map(|letter| letter.to_ascii_uppercase()))
}
