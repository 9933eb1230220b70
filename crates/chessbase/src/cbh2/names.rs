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

use crate::{
    annotations::bytes::Bytes,
    files::{PackedDate, nations::Nation, tournaments::TournamentKind},
};

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
