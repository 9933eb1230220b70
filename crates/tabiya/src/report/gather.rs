//! The games that a dossier is about, counted in every way at once.

use std::collections::{BTreeMap, HashMap};

use tabiya_chess::{Color, Key, Move, Position};
use tabiya_game::{Event, Filter, Flow, GameResult, GameSink, Needs, Tags, Words};
use tabiya_search::Exact;

use super::shelf::{Candidate, Shelves};
use crate::{
    Database, Error, Result,
    database::InPlace,
    merge::{Arena, Place, ROOT, Step},
    tree::{Game, Tally},
};

/// What a dossier is about.
pub enum Matter {
    /// A player of this name.
    Player(Words),
    /// Games that have a position, whose key is beside it.
    Position(Box<Exact>, Key),
}

impl Matter {
    pub fn position(position: &Position) -> Matter {
        Matter::Position(Box::new(Exact::new(*position)), Exact::key(position))
    }

    /// Where lines begin.
    fn root(&self) -> Position {
        match self {
            Matter::Player(_) => Position::initial(),
            Matter::Position(exact, _) => *exact.position(),
        }
    }

    /// For whom results are counted: the player's colour, or White.
    pub fn side(&self, tags: &Tags) -> Color {
        match self {
            Matter::Player(name) if !name.name(tags.get("White").unwrap_or("")) => Color::Black,
            _ => Color::White,
        }
    }
}

/// How many plies lines have behind the position where they begin.
const LINE_PLIES: usize = 12;

/// Sums of games, seen from the side that counts: White in a tally is that side.
pub struct Gathered {
    pub total: Tally,
    /// By the colour of the side that counts.
    pub colours: [Tally; 2],
    /// Those of them with a result and an opponent who has a rating.
    pub rated: [Tally; 2],
    pub years: BTreeMap<Option<u16>, Tally>,
    /// By a hundred points of rating.
    pub bands: BTreeMap<Option<u16>, Tally>,
    /// Opponents of a player; of an opening, who plays it with White and with Black.
    pub people: [HashMap<String, Tally>; 2],
    /// The names of the side that counts.
    pub names: HashMap<String, u64>,
    /// Of each colour of the side that counts.
    pub lines: [Arena; 2],
    pub shelves: Shelves,
    /// All games that were heard, those that it is not about too, seen from White's side.
    pub all: BTreeMap<Option<u16>, Tally>,
}

impl Gathered {
    fn new(matter: &Matter) -> Gathered {
        Gathered {
            total: Tally::default(),
            colours: Default::default(),
            rated: Default::default(),
            years: BTreeMap::new(),
            bands: BTreeMap::new(),
            people: Default::default(),
            names: HashMap::new(),
            lines: [Arena::new(matter.root()), Arena::new(matter.root())],
            shelves: Shelves::new(matter),
            all: BTreeMap::new(),
        }
    }

    /// Adds later games, so many behind the first of their database.
    fn absorb(&mut self, mut other: Gathered, before: u64) {
        self.total.merge(&other.total);
        let own = self.colours.iter_mut().chain(&mut self.rated);
        for (here, there) in own.zip(other.colours.iter().chain(&other.rated)) {
            here.merge(there);
        }
        merge(&mut self.years, other.years);
        merge(&mut self.bands, other.bands);
        merge(&mut self.all, other.all);
        for (here, there) in self.people.iter_mut().zip(other.people) {
            for (name, tally) in there {
                here.entry(name).or_default().merge(&tally);
            }
        }
        for (name, games) in other.names {
            *self.names.entry(name).or_default() += games;
        }
        let [white, black] = other.lines;
        self.lines[0].absorb(white);
        self.lines[1].absorb(black);
        other.shelves.number(before);
        self.shelves.absorb(other.shelves);
    }
}

fn merge<K: Ord>(here: &mut BTreeMap<K, Tally>, there: BTreeMap<K, Tally>) {
    for (key, tally) in there {
        here.entry(key).or_default().merge(&tally);
    }
}

/// Hears the games that pass a filter and counts those that the dossier is about.
pub fn gather(databases: &[Database], filter: &Filter, matter: &Matter) -> Result<Gathered> {
    let mut sum = Gathered::new(matter);
    for (index, database) in databases.iter().enumerate() {
        #[cfg(feature = "store")]
        if stored::gather(database, index, filter, matter, &mut sum)? {
            continue;
        }
        let make = || Gatherer::new(matter, index);
        database.par_placed::<_, Error>(filter, make, |part, before| {
            sum.absorb(part.sum, before);
            Ok(())
        })?;
    }
    Ok(sum)
}

/// Hears games.
struct Gatherer<'m> {
    matter: &'m Matter,
    /// Which database they are of.
    database: usize,
    /// So many games of the part come before this one.
    before: u64,
    tags: Tags,
    heard: Heard,
    sum: Gathered,
}

/// What has been heard of a game.
#[derive(Default)]
struct Heard {
    number: u64,
    start: Position,
    moves: Vec<Move>,
    /// More than the moves, where some are null moves or left out.
    plies: u32,
    /// Something was no move: lines and moves end there.
    is_torn: bool,
    /// After how many moves lines begin.
    root: Option<usize>,
}

impl<'m> Gatherer<'m> {
    fn new(matter: &'m Matter, database: usize) -> Gatherer<'m> {
        Gatherer {
            matter,
            database,
            before: 0,
            tags: Tags::new(),
            heard: Heard::default(),
            sum: Gathered::new(matter),
        }
    }

    fn start(&mut self, position: &Position) -> Flow {
        self.heard.start = position.with_key();
        match self.matter {
            Matter::Player(_) => {
                let is_usual = *position == Position::initial();
                self.heard.root = is_usual.then_some(0);
                Flow::Continue
            }
            Matter::Position(..) => self.position(position),
        }
    }

    /// Looks whether this is the position. A game that cannot come to it any more is skipped.
    fn position(&mut self, position: &Position) -> Flow {
        let Matter::Position(exact, key) = self.matter else {
            return Flow::Continue;
        };
        if self.heard.root.is_some() {
            return Flow::Continue;
        }
        if *key == Exact::key(position) && exact.fits(position) {
            self.heard.root = Some(self.heard.moves.len());
        } else if !exact.is_ahead(position.board()) {
            return Flow::SkipGame;
        }
        Flow::Continue
    }

    fn play(&mut self, play: Move, after: Option<&Position>) -> Flow {
        self.heard.plies += 1;
        if !self.heard.is_torn {
            self.heard.moves.push(play);
        }
        match after {
            Some(after) => self.position(after),
            None => Flow::Continue,
        }
    }

    fn end(&mut self, result: GameResult) {
        let game = Game::new(&self.tags, result);
        let year = self.sum.all.entry(game.year).or_default();
        year.add(&game);
        let is_wanted = match self.matter {
            Matter::Player(_) => true,
            Matter::Position(..) => self.heard.root.is_some(),
        };
        if is_wanted {
            self.add(&game, result);
        }
    }

    fn add(&mut self, game: &Game, result: GameResult) {
        let side = self.matter.side(&self.tags);
        let seen = seen_by(side, game);
        let sum = &mut self.sum;
        sum.total.add(&seen);
        sum.colours[side as usize].add(&seen);
        if seen.elo[1].is_some() && seen.result.token() != "*" {
            sum.rated[side as usize].add(&seen);
        }
        sum.years.entry(seen.year).or_default().add(&seen);
        let [white, black] = ["White", "Black"].map(|tag| self.tags.get(tag).unwrap_or("?"));
        let rating = match self.matter {
            Matter::Player(_) => {
                let (own, other) = match side {
                    Color::White => (white, black),
                    Color::Black => (black, white),
                };
                *entry(&mut sum.names, own) += 1;
                entry(&mut sum.people[0], other).add(&seen);
                seen.elo[1]
            }
            Matter::Position(..) => {
                entry(&mut sum.people[0], white).add(&seen);
                entry(&mut sum.people[1], black).add(&seen_by(Color::Black, game));
                let both = game.elo[0].zip(game.elo[1]);
                both.map(|(white, black)| u16::midpoint(white, black))
            }
        };
        let band = rating.map(|rating| rating / 100);
        sum.bands.entry(band).or_default().add(&seen);
        self.add_line(side, &seen);
        let candidate = Candidate {
            database: self.database,
            number: self.heard.number,
            before: self.before,
            tags: &self.tags,
            result,
            plies: self.heard.plies,
            start: self.heard.start,
            moves: &self.heard.moves,
        };
        self.sum.shelves.offer(&candidate, &seen);
    }

    fn add_line(&mut self, side: Color, seen: &Game) {
        let Some(root) = self.heard.root else { return };
        let tree = &mut self.sum.lines[side as usize];
        let mut results = [0; 4];
        results[match seen.result.token() {
            "1-0" => 0,
            "1/2-1/2" => 1,
            "0-1" => 2,
            _ => 3,
        }] = 1;
        tree.count(ROOT, results);
        let mut place: Place = ROOT;
        for &play in self.heard.moves[root..].iter().take(LINE_PLIES) {
            place = tree.grow(place, Step::Move(play));
            tree.count(place, results);
        }
    }
}

/// The entry of a name, which is copied only if it is new.
fn entry<'m, T: Default>(map: &'m mut HashMap<String, T>, name: &str) -> &'m mut T {
    if !map.contains_key(name) {
        map.insert(name.to_string(), T::default());
    }
    map.get_mut(name).expect("it was inserted")
}

/// A game as one side sees it: White is that side.
pub fn seen_by(side: Color, game: &Game) -> Game {
    let [white, black] = game.elo;
    match side {
        Color::White => *game,
        Color::Black => Game {
            result: match game.result.token() {
                "1-0" => GameResult::BlackWins,
                "0-1" => GameResult::WhiteWins,
                _ => game.result,
            },
            elo: [black, white],
            year: game.year,
        },
    }
}

impl InPlace for Gatherer<'_> {
    fn place(&mut self, before: u64) {
        self.before = before;
    }
}

impl GameSink for Gatherer<'_> {
    fn needs(&mut self) -> Needs {
        let needs = Needs::TAGS.moves(true);
        match self.matter {
            Matter::Player(_) => needs,
            Matter::Position(..) => needs.after(true).keys(true),
        }
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.tags.clear();
                let mut moves = std::mem::take(&mut self.heard.moves);
                moves.clear();
                self.heard = Heard {
                    number: place.number,
                    moves,
                    ..Heard::default()
                };
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::Start(position) => return self.start(position),
            Event::Move { play, after, .. } => return self.play(play, after),
            Event::Null { .. } | Event::Missing => {
                self.heard.plies += 1;
                self.heard.is_torn = true;
            }
            Event::VariationStart => return Flow::SkipVariation,
            Event::GameEnd { result, .. } => self.end(result),
            _ => {}
        }
        Flow::Continue
    }
}

/// A database of tabiya's own knows which games they are.
#[cfg(feature = "store")]
mod stored {
    use std::ops::ControlFlow;

    use tabiya_formats::ordered;

    use super::*;

    /// How many games a thread takes at once.
    const CHUNK: usize = 1_000;

    /// Counts the games of a store; `false` if the database is none.
    pub fn gather(
        database: &Database,
        index: usize,
        filter: &Filter,
        matter: &Matter,
        sum: &mut Gathered,
    ) -> Result<bool> {
        let Some(store) = database.store() else {
            return Ok(false);
        };
        let among = match filter.is_empty() {
            true => None,
            false => Some(store.select(filter)?),
        };
        let numbers: Vec<u64> = match matter {
            Matter::Player(_) => among.iter().flat_map(|set| set.iter()).collect(),
            Matter::Position(exact, _) => {
                count_all(database, filter, &mut sum.all)?;
                let hits = store.games_at(exact.position(), among.as_ref())?;
                hits.map(|hit| hit.number).collect()
            }
        };
        let mut chunks = numbers.chunks(CHUNK);
        let mut failed = None;
        let work = |chunk: &[u64]| {
            let mut part = Gatherer::new(matter, index);
            for &number in chunk {
                store.tell(number, &mut part)?;
            }
            Ok::<_, Error>(part.sum)
        };
        ordered(
            database.threads(),
            || chunks.next(),
            work,
            |part| match part {
                Ok(mut part) => {
                    // These have been counted with all others.
                    part.all.clear();
                    sum.absorb(part, 0);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        match failed {
            Some(error) => Err(error.trying_to("read", database.name())),
            None => Ok(true),
        }
    }

    /// Counts all games by their years, from their headers.
    fn count_all(
        database: &Database,
        filter: &Filter,
        all: &mut BTreeMap<Option<u16>, Tally>,
    ) -> Result<()> {
        database.par_placed::<_, Error>(filter, Years::default, |part, _| {
            merge(all, part.years);
            Ok(())
        })?;
        Ok(())
    }

    #[derive(Default)]
    struct Years {
        tags: Tags,
        years: BTreeMap<Option<u16>, Tally>,
    }

    impl InPlace for Years {
        fn place(&mut self, _: u64) {}
    }

    impl GameSink for Years {
        fn needs(&mut self) -> Needs {
            Needs::TAGS
        }

        fn event(&mut self, event: Event<'_>) -> Flow {
            match event {
                Event::GameStart(_) => self.tags.clear(),
                Event::Tag { name, value } => self.tags.push(name, value),
                Event::GameEnd { result, .. } => {
                    let game = Game::new(&self.tags, result);
                    self.years.entry(game.year).or_default().add(&game);
                }
                _ => {}
            }
            Flow::Continue
        }
    }
}
