//! What the headers of all games say, in a few bytes each: for lists in an order, and for pages about
//! players and openings.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{
    Array, ArrayRef, Int8Array, Int16Array, Int32Array, RecordBatch, StringArray, cast::AsArray,
};
use tabiya::{
    Date, Error, Event, Flow, GameResult, GameSink, Needs, Tags, TimeControl,
    store::{Batch, Store},
};

/// What all headers say.
pub struct Census {
    /// Of the entries, by their numbers from 1.
    facts: Vec<Facts>,
    players: Vec<Player>,
    by_name: HashMap<Arc<str>, u32>,
}

/// What the header of a game says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// White and Black.
    pub players: [Option<PlayerId>; 2],
    /// Their ratings; 0 if they are not known.
    elo: [u16; 2],
    /// `YYYYMMDD`, with zeros for what is unknown.
    pub date: u32,
    /// The opening's code.
    pub eco: Option<Eco>,
    pub end: End,
    pub speed: Option<Speed>,
    /// Its event is called so.
    pub casual: bool,
}

/// A player, by the place in the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlayerId(std::num::NonZeroU32);

/// A code such as B90, as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Eco(std::num::NonZeroU16);

/// How an entry ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum End {
    /// It is deleted, or no game.
    #[default]
    NoGame,
    White,
    Draw,
    Black,
    Unknown,
}

/// How fast a game was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speed {
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
}

/// A player.
pub struct Player {
    pub name: Arc<str>,
    pub games: u32,
    /// The first and the last year that is known; 0 if none is.
    pub first: u16,
    pub last: u16,
    /// The highest rating; 0 if none is known.
    pub max_elo: u16,
}

impl Speed {
    const ALL: [Speed; 5] = [
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }

    pub fn named(name: &str) -> Option<Speed> {
        Speed::ALL.into_iter().find(|speed| speed.name() == name)
    }

    /// Of a tag `TimeControl`.
    fn of(tag: &str) -> Option<Speed> {
        Speed::ALL.into_iter().find(|speed| {
            let class: Result<TimeControl, _> = speed.name().parse();
            class.is_ok_and(|class| class.fits(tag))
        })
    }
}

impl Eco {
    /// The code that a text begins with.
    pub fn of(text: &str) -> Option<Eco> {
        let [
            letter @ b'A'..=b'E',
            tens @ b'0'..=b'9',
            ones @ b'0'..=b'9',
            ..,
        ] = *text.as_bytes()
        else {
            return None;
        };
        let digits = u16::from(tens - b'0') * 10 + u16::from(ones - b'0');
        std::num::NonZeroU16::new(1 + u16::from(letter - b'A') * 100 + digits).map(Eco)
    }
}

impl std::fmt::Display for Eco {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = self.0.get() - 1;
        let letter = char::from(b'A' + (number / 100) as u8);
        write!(f, "{letter}{:02}", number % 100)
    }
}

impl Facts {
    /// How fast it was, as clients are told and ask: where nothing is said of time, there was plenty.
    pub fn speed_told(&self) -> Speed {
        self.speed.unwrap_or(Speed::Classical)
    }

    pub fn elo(&self, side: usize) -> Option<u16> {
        (self.elo[side] > 0).then_some(self.elo[side])
    }

    /// The year, if it is known.
    pub fn year(&self) -> Option<u16> {
        let year = (self.date / 10_000) as u16;
        (year > 0).then_some(year)
    }

    /// Whether the month is known.
    pub fn has_month(&self) -> bool {
        !(self.date / 100).is_multiple_of(100) && self.year().is_some()
    }

    /// `2014-06`, `2014` or nothing, as far as it is known.
    pub fn month(&self) -> String {
        match (self.year(), self.has_month()) {
            (None, _) => String::new(),
            (Some(year), false) => format!("{year:04}"),
            (Some(year), true) => format!("{year:04}-{:02}", self.date / 100 % 100),
        }
    }

    /// The first and the last day that it may have been played on.
    pub fn days(&self) -> (u32, u32) {
        let (year, month, day) = (self.date / 10_000, self.date / 100 % 100, self.date % 100);
        let day_of = |month: u32, day: u32| year * 10_000 + month * 100 + day;
        match (month, day) {
            (0, _) => (day_of(1, 1), day_of(12, 31)),
            (month, 0) => (day_of(month, 1), day_of(month, 31)),
            (month, day) => (day_of(month, day), day_of(month, day)),
        }
    }

    /// Twice the mean of the known ratings, so that nothing is rounded.
    pub fn twice_mean(&self) -> Option<u32> {
        match (self.elo(0), self.elo(1)) {
            (Some(white), Some(black)) => Some(u32::from(white) + u32::from(black)),
            (one, other) => one.or(other).map(|elo| 2 * u32::from(elo)),
        }
    }

    /// Games of strong players before others. A player whose rating is not known may be anybody: such
    /// games come behind those in which both are.
    pub fn strength(&self) -> u32 {
        let both = u32::from(self.elo(0).is_some() && self.elo(1).is_some());
        both << 24 | self.twice_mean().unwrap_or(0)
    }

    pub fn is_game(&self) -> bool {
        self.end != End::NoGame
    }
}

impl Census {
    /// Reads the columns of a store. What columns do not have is told by the games.
    pub fn of(store: &Store) -> Result<Census, Error> {
        let count = usize::try_from(store.count()).unwrap_or(usize::MAX);
        let mut maker = Maker {
            facts: Vec::with_capacity(count),
            players: Vec::new(),
            by_name: HashMap::new(),
        };
        let mut white = Names::default();
        let mut black = Names::default();
        for batch in store.batches() {
            maker.batch(store, &batch?, &mut white, &mut black)?;
        }
        let mut census = Census {
            facts: maker.facts,
            players: maker.players,
            by_name: maker.by_name,
        };
        census.count();
        Ok(census)
    }

    fn count(&mut self) {
        for facts in self.facts.iter().filter(|facts| facts.is_game()) {
            for (side, player) in facts.players.into_iter().enumerate() {
                let Some(player) = player else { continue };
                let player = &mut self.players[player.place()];
                player.games += 1;
                player.max_elo = player.max_elo.max(facts.elo[side]);
                let Some(year) = facts.year() else { continue };
                player.last = player.last.max(year);
                if player.first == 0 || year < player.first {
                    player.first = year;
                }
            }
        }
    }

    /// What the header of an entry says.
    pub fn facts(&self, number: u64) -> Facts {
        let place = number
            .checked_sub(1)
            .and_then(|place| usize::try_from(place).ok());
        let facts = place.and_then(|place| self.facts.get(place));
        facts.copied().unwrap_or_default()
    }

    /// All games with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u64, &Facts)> {
        (1..).zip(&self.facts).filter(|(_, facts)| facts.is_game())
    }

    /// Those who have played games.
    pub fn players(&self) -> impl Iterator<Item = (PlayerId, &Player)> {
        let players = (0..).filter_map(PlayerId::at).zip(&self.players);
        players.filter(|(_, player)| player.games > 0)
    }

    pub fn player(&self, id: PlayerId) -> &Player {
        &self.players[id.place()]
    }

    /// A player by the exact name.
    pub fn by_name(&self, name: &str) -> Option<PlayerId> {
        let id = self.by_name.get(name).copied().and_then(PlayerId::at)?;
        (self.player(id).games > 0).then_some(id)
    }
}

impl PlayerId {
    fn at(place: u32) -> Option<PlayerId> {
        std::num::NonZeroU32::new(place.checked_add(1)?).map(PlayerId)
    }

    fn place(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Makes a census, batch by batch.
struct Maker {
    facts: Vec<Facts>,
    players: Vec<Player>,
    by_name: HashMap<Arc<str>, u32>,
}

/// The players that the texts of a column are; a segment has one list of texts for all its batches.
#[derive(Default)]
struct Names {
    texts: Option<ArrayRef>,
    players: Vec<Option<PlayerId>>,
}

impl Maker {
    fn batch(
        &mut self,
        store: &Store,
        batch: &Batch,
        white: &mut Names,
        black: &mut Names,
    ) -> Result<(), Error> {
        let games = &batch.games;
        let columns = Columns {
            players: [
                self.players_of(games, "white", white),
                self.players_of(games, "black", black),
            ],
            elo: ["white_rating", "black_rating"].map(|name| Numbers::of(games, name)),
            date: Numbers::of(games, "date"),
            utc_date: Numbers::of(games, "utc_date"),
            eco: texts(games, "eco", Eco::of),
            end: texts(games, "result", |token| token.parse().ok().map(end)),
            speed: texts(games, "time_control", Speed::of),
            casual: texts(games, "event", |event| Some(is_casual(event))),
        };
        let is_null = |name: &str| {
            let column = games.column_by_name(name);
            move |row: usize| column.is_none_or(|column| column.is_null(row))
        };
        let (is_game, is_plain) = (is_null("kind"), is_null("other_tags"));
        for (row, number) in batch.numbers.clone().enumerate() {
            let facts = if store.is_deleted(number) {
                Facts::default()
            } else if store.is_replaced(number) || !is_plain(row) {
                self.told(store, number)?
            } else if is_game(row) {
                columns.facts(row)
            } else {
                Facts::default()
            };
            self.facts.push(facts);
        }
        Ok(())
    }

    /// From the tags of a game itself.
    fn told(&mut self, store: &Store, number: u64) -> Result<Facts, Error> {
        let mut header = Header::default();
        store.tell(number, &mut header)?;
        let Header { tags, end } = header;
        if end == End::NoGame {
            return Ok(Facts::default());
        }
        let date = tags.date().unwrap_or_default();
        Ok(Facts {
            players: [tags.white(), tags.black()].map(|name| self.player(name?)),
            elo: [tags.white_elo(), tags.black_elo()].map(Option::unwrap_or_default),
            date: packed(date),
            eco: tags.eco().and_then(Eco::of),
            end,
            speed: tags.get("TimeControl").and_then(Speed::of),
            casual: tags.event().is_some_and(is_casual),
        })
    }

    /// The player of a name; none of a name that says nothing.
    fn player(&mut self, name: &str) -> Option<PlayerId> {
        if matches!(name, "" | "?" | "-") {
            return None;
        }
        if let Some(place) = self.by_name.get(name) {
            return PlayerId::at(*place);
        }
        let place = u32::try_from(self.players.len()).ok()?;
        let name: Arc<str> = name.into();
        self.by_name.insert(Arc::clone(&name), place);
        self.players.push(Player {
            name,
            games: 0,
            first: 0,
            last: 0,
            max_elo: 0,
        });
        PlayerId::at(place)
    }

    /// The players of a column, row by row.
    fn players_of(
        &mut self,
        games: &RecordBatch,
        column: &str,
        names: &mut Names,
    ) -> Vec<Option<PlayerId>> {
        let Some(column) = games.column_by_name(column) else {
            return vec![None; games.num_rows()];
        };
        let Some(dictionary) = column.as_any_dictionary_opt() else {
            let texts = column.as_string::<i32>().iter();
            return texts.map(|name| self.player(name?)).collect();
        };
        let values = dictionary.values();
        let is_known = names
            .texts
            .as_ref()
            .is_some_and(|texts| is_same(texts, values));
        if !is_known {
            let all = values.as_string::<i32>().iter();
            names.players = all.map(|name| self.player(name?)).collect();
            names.texts = Some(Arc::clone(values));
        }
        let keys = dictionary.keys();
        let places = dictionary.normalized_keys().into_iter().enumerate();
        places
            .map(|(row, place)| match keys.is_null(row) {
                true => None,
                false => names.players.get(place).copied().flatten(),
            })
            .collect()
    }
}

/// Whether two lists of texts are the same bytes of a file.
fn is_same(one: &ArrayRef, other: &ArrayRef) -> bool {
    let place = |array: &ArrayRef| -> (usize, *const u8) {
        (array.len(), array.as_string::<i32>().value_data().as_ptr())
    };
    place(one) == place(other)
}

/// The columns of a batch that are asked.
struct Columns<'a> {
    players: [Vec<Option<PlayerId>>; 2],
    elo: [Numbers<'a>; 2],
    date: Numbers<'a>,
    utc_date: Numbers<'a>,
    eco: Vec<Option<Eco>>,
    end: Vec<Option<End>>,
    speed: Vec<Option<Speed>>,
    casual: Vec<Option<bool>>,
}

impl Columns<'_> {
    fn facts(&self, row: usize) -> Facts {
        let elo = |side: usize| {
            self.elo[side]
                .get(row)
                .and_then(|elo| u16::try_from(elo).ok())
        };
        // Without a year nothing is known.
        let date = |dates: &Numbers<'_>| dates.get(row).filter(|date| *date >= 10_000);
        let date = date(&self.date).or_else(|| date(&self.utc_date));
        Facts {
            players: [self.players[0][row], self.players[1][row]],
            elo: [elo(0).unwrap_or(0), elo(1).unwrap_or(0)],
            date: date.and_then(|date| u32::try_from(date).ok()).unwrap_or(0),
            eco: self.eco[row],
            end: self.end[row].unwrap_or(End::Unknown),
            speed: self.speed[row],
            casual: self.casual[row].unwrap_or(false),
        }
    }
}

/// A column of numbers, as narrow as its segment allows.
enum Numbers<'a> {
    None,
    Byte(&'a Int8Array),
    Short(&'a Int16Array),
    Int(&'a Int32Array),
}

impl<'a> Numbers<'a> {
    fn of(games: &'a RecordBatch, name: &str) -> Numbers<'a> {
        let Some(column) = games.column_by_name(name).map(|column| column.as_any()) else {
            return Numbers::None;
        };
        if let Some(bytes) = column.downcast_ref() {
            return Numbers::Byte(bytes);
        }
        if let Some(shorts) = column.downcast_ref() {
            return Numbers::Short(shorts);
        }
        column.downcast_ref().map_or(Numbers::None, Numbers::Int)
    }

    fn get(&self, row: usize) -> Option<i32> {
        match self {
            Numbers::None => None,
            Numbers::Byte(array) => array.is_valid(row).then(|| array.value(row).into()),
            Numbers::Short(array) => array.is_valid(row).then(|| array.value(row).into()),
            Numbers::Int(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }
}

/// What the texts of a column say, row by row; each distinct text of a batch is asked once or so.
fn texts<T: Copy>(
    games: &RecordBatch,
    name: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Vec<Option<T>> {
    let Some(column) = games.column_by_name(name) else {
        return vec![None; games.num_rows()];
    };
    let Some(dictionary) = column.as_any_dictionary_opt() else {
        let texts: &StringArray = column.as_string();
        return texts.iter().map(|text| read(text?)).collect();
    };
    let values: &StringArray = dictionary.values().as_string();
    let keys = dictionary.keys();
    let mut known: Vec<Option<Option<T>>> = vec![None; values.len()];
    let places = dictionary.normalized_keys().into_iter().enumerate();
    places
        .map(|(row, place)| {
            if keys.is_null(row) {
                return None;
            }
            let known = known.get_mut(place)?;
            *known.get_or_insert_with(|| read(values.value(place)))
        })
        .collect()
}

fn is_casual(event: &str) -> bool {
    let head = event.trim_start().get(.."casual".len());
    head.is_some_and(|head| head.eq_ignore_ascii_case("casual"))
}

/// `YYYYMMDD`.
fn packed(date: Date) -> u32 {
    let Some(year) = date.year else { return 0 };
    let [month, day] = [date.month, date.day].map(|part| u32::from(part.unwrap_or(0)));
    u32::from(year) * 10_000 + month * 100 + day
}

fn end(result: GameResult) -> End {
    match result.token() {
        "1-0" => End::White,
        "0-1" => End::Black,
        "1/2-1/2" => End::Draw,
        _ => End::Unknown,
    }
}

/// Hears tags, and whether it is a game at all.
#[derive(Default)]
struct Header {
    tags: Tags,
    end: End,
}

impl GameSink for Header {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.tags(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { result, .. } => self.end = end(result),
            _ => {}
        }
        Flow::Continue
    }
}
