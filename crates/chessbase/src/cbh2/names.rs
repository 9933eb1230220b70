//! What the records of `.2lid` say.
//!
//! Texts are UTF-8, each behind its length. Every record is read and written field by field; what
//! nobody understands is kept.
//!
//! ```
//! use tabiya_chessbase::cbh2::names::Player;
//!
//! let player = Player { last: b"Tal", first: b"Mikhail", ..Player::default() };
//! let record = player.to_bytes();
//! assert_eq!(Player::read(&record), Some(player));
//! ```

use super::entities::EntityKind;
use crate::{
    annotations::bytes::Bytes,
    files::{PackedDate, nations::Nation, tournaments::TournamentKind},
};

/// Whether a record is laid out as those of a kind.
pub(super) fn is_readable(kind: EntityKind, record: &[u8]) -> bool {
    match kind {
        EntityKind::Player => Player::read(record).is_some(),
        EntityKind::Tournament => Tournament::read(record).is_some(),
        EntityKind::Source => Source::read(record).is_some(),
        EntityKind::Team => Team::read(record).is_some(),
        EntityKind::Tag => Titles::read(record).is_some(),
    }
}

/// What a record is sorted by, as bytes: two that are called the same have the same. `None` if it is
/// called nothing, or cannot be read.
pub(super) fn sort_fields(kind: EntityKind, record: &[u8]) -> Option<Vec<u8>> {
    let mut fields = Vec::new();
    let texts: Vec<&[u8]> = match kind {
        EntityKind::Player => {
            let player = Player::read(record)?;
            vec![player.last, player.first]
        }
        EntityKind::Tournament => {
            let tournament = Tournament::read(record)?;
            fields.extend(tournament.date.0.to_le_bytes());
            vec![tournament.title, tournament.place]
        }
        EntityKind::Source => vec![Source::read(record)?.title],
        EntityKind::Team => {
            let team = Team::read(record)?;
            fields.extend([team.number, team.season, team.nation.0]);
            fields.extend(team.year.to_le_bytes());
            vec![team.title]
        }
        EntityKind::Tag => {
            let (language, title) = *Titles::read(record)?.0.first()?;
            fields.extend(language.to_le_bytes());
            vec![title]
        }
    };
    texts.iter().for_each(|text| put(&mut fields, text));
    let is_called = texts.iter().any(|text| !text.is_empty());
    is_called.then_some(fields)
}

/// Whether a record may be replaced by another one of the same name: tags tell the same of both, so
/// that no game gets a tag that it did not have, and where they differ besides it is silent.
pub(super) fn may_stand_for(kind: EntityKind, old: &[u8], new: &[u8]) -> bool {
    fn silent<T: PartialEq>(new: T, old: T, nothing: T) -> bool {
        new == old || new == nothing
    }
    let may = || -> Option<bool> {
        Some(match kind {
            EntityKind::Player => {
                let (old, new) = (Player::read(old)?, Player::read(new)?);
                new.fide_id.max(0) == old.fide_id.max(0)
                    && silent(new.chessbase_id.max(0), old.chessbase_id.max(0), 0)
                    && silent(new.unknown, old.unknown, [0; 2])
                    && silent(new.unknown_8, old.unknown_8, 8)
            }
            EntityKind::Tournament => {
                let (old, new) = (Tournament::read(old)?, Tournament::read(new)?);
                let nothing = Tournament::default();
                let told =
                    |it: &Tournament<'_>| (it.kind, it.nation, it.category, it.rounds, it.end);
                told(&new) == told(&old)
                    && silent(new.unknown_7, old.unknown_7, 0)
                    && silent(new.flags, old.flags, 0)
                    && silent(new.unknown_11, old.unknown_11, 0)
                    && silent(new.coordinates, old.coordinates, [0; 2])
                    && silent(new.unknown_20, old.unknown_20, nothing.unknown_20)
                    && silent(&new.tie_breaks, &old.tie_breaks, &Vec::new())
                    && silent(new.unknown_end, old.unknown_end, [0; 44])
            }
            EntityKind::Source => {
                let (old, new) = (Source::read(old)?, Source::read(new)?);
                let name = (new.publisher, new.publication) == (old.publisher, old.publication);
                let version = (new.date, new.version) == (old.date, old.version);
                name && version && new.quality == old.quality
            }
            // All that a team says is what it is sorted by.
            EntityKind::Team => true,
            EntityKind::Tag => {
                let (old, new) = (Titles::read(old)?, Titles::read(new)?);
                let is_told = |title: &&(i32, &[u8])| !title.1.is_empty();
                let [old, new] = [&old.0, &new.0].map(|titles| titles.iter().filter(is_told));
                new.eq(old)
            }
        })
    };
    may().unwrap_or(false)
}

/// As much of a record as a new file has room for; an empty one if it cannot be read.
pub(super) fn shorten(kind: EntityKind, record: &[u8]) -> Vec<u8> {
    let over = record.len().saturating_sub(kind.room());
    // The longest text of a record is what makes it long.
    match kind {
        EntityKind::Player => {
            let mut player = Player::read(record).unwrap_or_default();
            cut([&mut player.last, &mut player.first], over);
            player.to_bytes()
        }
        EntityKind::Tournament => {
            let mut tournament = Tournament::read(record).unwrap_or_default();
            let rules = tournament.tie_breaks.len().min(MOST_TIE_BREAKS);
            let over = over.saturating_sub(2 * (tournament.tie_breaks.len() - rules));
            tournament.tie_breaks.truncate(rules);
            cut([&mut tournament.title, &mut tournament.place], over);
            tournament.to_bytes()
        }
        EntityKind::Source => {
            let mut source = Source::read(record).unwrap_or_default();
            cut([&mut source.title, &mut source.publisher], over);
            source.to_bytes()
        }
        EntityKind::Team => {
            let mut team = Team::read(record).unwrap_or_default();
            cut([&mut team.title], over);
            team.to_bytes()
        }
        EntityKind::Tag => {
            let mut titles = Titles::read(record).unwrap_or_default();
            // One for each language that there is; more than have room are no titles.
            titles.0.truncate(MOST_TITLES);
            let length = titles.to_bytes().len();
            let over = length.saturating_sub(kind.room());
            cut(titles.0.iter_mut().map(|(_, title)| title), over);
            titles.to_bytes()
        }
    }
}

/// So many rules and titles always have room.
const MOST_TIE_BREAKS: usize = 16;
const MOST_TITLES: usize = 32;

/// Takes so many bytes from texts, always from the longest of them.
fn cut<'t, 'a: 't>(texts: impl IntoIterator<Item = &'t mut &'a [u8]>, mut over: usize) {
    let mut texts: Vec<&mut &[u8]> = texts.into_iter().collect();
    while over > 0
        && let Some(longest) = texts.iter_mut().max_by_key(|text| text.len())
        && !longest.is_empty()
    {
        let before = longest.len();
        // Half of it goes at most, so that two long ones stay as long as each other.
        let mut left = before - over.min(before.div_ceil(2));
        while left > 0 && longest[left] & 0xc0 == 0x80 {
            left -= 1;
        }
        **longest = &longest[..left];
        over = over.saturating_sub(before - left);
    }
}

fn put(out: &mut Vec<u8>, text: &[u8]) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text);
}

/// A player, or who annotated a game or wrote a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Player<'a> {
    /// The last name, or the whole of it.
    pub last: &'a [u8],
    /// The first name.
    pub first: &'a [u8],
    /// Zeros.
    pub unknown: [i32; 2],
    /// The number in ChessBase's own list of players: −1 if it was never looked up, 0 if there is
    /// none.
    pub chessbase_id: i32,
    /// 8.
    pub unknown_8: i32,
    /// The number that FIDE gave, in the same way.
    pub fide_id: i64,
}

impl Default for Player<'_> {
    fn default() -> Self {
        Player {
            last: b"",
            first: b"",
            unknown: [0; 2],
            chessbase_id: -1,
            unknown_8: 8,
            fide_id: -1,
        }
    }
}

impl<'a> Player<'a> {
    /// Reads a record, `None` if it is none.
    #[must_use]
    pub fn read(record: &'a [u8]) -> Option<Player<'a>> {
        let mut bytes = Bytes(record);
        let player = Player {
            last: bytes.str32()?,
            first: bytes.str32()?,
            unknown: [bytes.i32_le()?, bytes.i32_le()?],
            chessbase_id: bytes.i32_le()?,
            unknown_8: bytes.i32_le()?,
            fide_id: bytes.i64_le()?,
        };
        bytes.is_empty().then_some(player)
    }

    /// The record.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.last);
        put(&mut out, self.first);
        for number in self.unknown {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.chessbase_id.to_le_bytes());
        out.extend(self.unknown_8.to_le_bytes());
        out.extend(self.fide_id.to_le_bytes());
        out
    }
}

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament<'a> {
    /// Where it took place.
    pub place: &'a [u8],
    /// What it is called.
    pub title: &'a [u8],
    /// When it began.
    pub date: PackedDate,
    /// What kind it is.
    pub kind: TournamentKind,
    /// In which nation it took place.
    pub nation: Nation,
    /// 0.
    pub unknown_7: u8,
    /// The category by FIDE.
    pub category: u8,
    /// Bits 0 and 1 complete, 2 board points, 3 three points for a win.
    pub flags: u8,
    /// How many rounds.
    pub rounds: u8,
    /// 0.
    pub unknown_11: u8,
    /// Degrees north and east, as the bits of 32-bit numbers; 0 if they are not known.
    pub coordinates: [u32; 2],
    /// The nation of today, 37 bytes with a 7 in three places.
    pub unknown_20: [u8; 38],
    /// How ties are broken.
    pub tie_breaks: Vec<i16>,
    /// When it ended.
    pub end: PackedDate,
    /// Zeros.
    pub unknown_end: [u8; 44],
}

impl Default for Tournament<'_> {
    fn default() -> Self {
        let mut unknown_20 = [0; 38];
        for place in [34, 45, 56] {
            unknown_20[place - 20] = 7;
        }
        Tournament {
            place: b"",
            title: b"",
            date: PackedDate::default(),
            kind: TournamentKind::default(),
            nation: Nation::NONE,
            unknown_7: 0,
            category: 0,
            flags: 0,
            rounds: 0,
            unknown_11: 0,
            coordinates: [0; 2],
            unknown_20,
            tie_breaks: Vec::new(),
            end: PackedDate::default(),
            unknown_end: [0; 44],
        }
    }
}

impl<'a> Tournament<'a> {
    /// Reads a record, `None` if it is none.
    #[must_use]
    pub fn read(record: &'a [u8]) -> Option<Tournament<'a>> {
        let mut bytes = Bytes(record);
        let (place, title) = (bytes.str32()?, bytes.str32()?);
        let date = PackedDate(bytes.u32_le()?);
        let [form_and_time, team, nation, unknown_7] = bytes.array()?;
        let [category, flags, rounds, unknown_11] = bytes.array()?;
        let coordinates = [bytes.u32_le()?, bytes.u32_le()?];
        let unknown_20 = bytes.array()?;
        let count = usize::try_from(bytes.i16_le()?).ok()?;
        let tie_breaks = (0..count).map(|_| bytes.i16_le()).collect::<Option<_>>()?;
        let tournament = Tournament {
            place,
            title,
            date,
            kind: TournamentKind {
                form_and_time,
                team,
            },
            nation: Nation(nation),
            unknown_7,
            category,
            flags,
            rounds,
            unknown_11,
            coordinates,
            unknown_20,
            tie_breaks,
            end: PackedDate(bytes.u32_le()?),
            unknown_end: bytes.array()?,
        };
        bytes.is_empty().then_some(tournament)
    }

    /// The record.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.place);
        put(&mut out, self.title);
        out.extend(self.date.0.to_le_bytes());
        out.extend([self.kind.form_and_time, self.kind.team, self.nation.0]);
        out.extend([self.unknown_7, self.category, self.flags, self.rounds]);
        out.push(self.unknown_11);
        for degrees in self.coordinates {
            out.extend(degrees.to_le_bytes());
        }
        out.extend(self.unknown_20);
        out.extend((self.tie_breaks.len() as u16).to_le_bytes());
        for rule in &self.tie_breaks {
            out.extend(rule.to_le_bytes());
        }
        out.extend(self.end.0.to_le_bytes());
        out.extend(self.unknown_end);
        out
    }
}

/// A source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Source<'a> {
    /// What it is called.
    pub title: &'a [u8],
    /// Who published it.
    pub publisher: &'a [u8],
    /// When it was published.
    pub publication: PackedDate,
    /// When this version was made.
    pub date: PackedDate,
    /// The number of the version.
    pub version: i16,
    /// 0 nobody judged, 1 high, 2 medium, 3 low.
    pub quality: i16,
}

impl<'a> Source<'a> {
    /// Reads a record, `None` if it is none.
    #[must_use]
    pub fn read(record: &'a [u8]) -> Option<Source<'a>> {
        let mut bytes = Bytes(record);
        let source = Source {
            title: bytes.str32()?,
            publisher: bytes.str32()?,
            publication: PackedDate(bytes.u32_le()?),
            date: PackedDate(bytes.u32_le()?),
            version: bytes.i16_le()?,
            quality: bytes.i16_le()?,
        };
        bytes.is_empty().then_some(source)
    }

    /// The record.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.title);
        put(&mut out, self.publisher);
        out.extend(self.publication.0.to_le_bytes());
        out.extend(self.date.0.to_le_bytes());
        out.extend(self.version.to_le_bytes());
        out.extend(self.quality.to_le_bytes());
        out
    }
}

/// A team.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Team<'a> {
    /// What it is called.
    pub title: &'a [u8],
    /// Which team of a club.
    pub number: u8,
    /// Bit 0: it played from autumn to spring.
    pub season: u8,
    /// The year, or the first of two.
    pub year: i16,
    /// Where it comes from.
    pub nation: Nation,
}

impl<'a> Team<'a> {
    /// Reads a record, `None` if it is none.
    #[must_use]
    pub fn read(record: &'a [u8]) -> Option<Team<'a>> {
        let mut bytes = Bytes(record);
        let team = Team {
            title: bytes.str32()?,
            number: bytes.u8()?,
            season: bytes.u8()?,
            year: bytes.i16_le()?,
            nation: Nation(bytes.u8()?),
        };
        bytes.is_empty().then_some(team)
    }

    /// The record.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.title);
        out.extend([self.number, self.season]);
        out.extend(self.year.to_le_bytes());
        out.push(self.nation.0);
        out
    }
}

/// The titles of a game, a text or an analysis, each with the nation of its language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Titles<'a>(pub Vec<(i32, &'a [u8])>);

impl<'a> Titles<'a> {
    /// Reads a record, `None` if it is none.
    #[must_use]
    pub fn read(record: &'a [u8]) -> Option<Titles<'a>> {
        let mut bytes = Bytes(record);
        let count = usize::try_from(bytes.i32_le()?).ok()?;
        let mut titles = Vec::new();
        for _ in 0..count {
            titles.push((bytes.i32_le()?, bytes.str32()?));
        }
        bytes.is_empty().then_some(Titles(titles))
    }

    /// The record.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = (self.0.len() as u32).to_le_bytes().to_vec();
        for (language, title) in &self.0 {
            out.extend(language.to_le_bytes());
            put(&mut out, title);
        }
        out
    }
}
