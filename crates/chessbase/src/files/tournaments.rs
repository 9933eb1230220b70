//! `.cbt`: tournaments.
//!
//! ```
//! use tabiya_chessbase::files::tournaments::{Form, Tournament, TournamentKind};
//!
//! let kind = TournamentKind::parse("team-swiss (rapid)").unwrap();
//! assert_eq!((kind.form(), kind.is_team(), kind.is_rapid()), (Form::Swiss, true, true));
//! assert_eq!(kind.to_string(), "team-swiss (rapid)");
//! ```

use std::{cmp::Ordering, fmt};

use super::{Field, FileKind, PackedDate, bytes::Fields, entity::Entity, nations::Nation};

/// A tournament.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tournament {
    /// What it is called.
    pub title: Field<40>,
    /// Where it took place.
    pub place: Field<30>,
    /// When it began.
    pub date: PackedDate,
    /// What kind of tournament it is.
    pub kind: TournamentKind,
    /// In which nation it took place.
    pub nation: Nation,
    /// 0.
    pub unknown_77: u8,
    /// The category by FIDE; 0 if it has none.
    pub category: u8,
    /// Bit 0 complete, in old files; bit 1 complete; bit 2 board points; bit 3 three points for a
    /// win.
    pub flags: u8,
    /// How many rounds; 0 if that is not known.
    pub rounds: u8,
    /// 0.
    pub unknown_81: u8,
}

/// What kind of tournament it is: two bytes, one with the form and the time that players have, one
/// that says whether teams play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TournamentKind {
    /// The lower five bits are the form; bit 5 blitz, 6 rapid, 7 correspondence.
    pub form_and_time: u8,
    /// Bit 0: teams play.
    pub team: u8,
}

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Form {
    /// Not known.
    Unset,
    /// A single game.
    Game,
    /// A match.
    Match,
    /// Everybody plays everybody.
    RoundRobin,
    /// The Swiss system.
    Swiss,
    /// Teams; how they are paired is not known.
    Team,
    /// Who loses is out.
    KnockOut,
    /// One against many.
    Simultaneous,
    /// Everybody of one team plays everybody of the other.
    Scheveningen,
    /// A number that no program is known to write.
    Other(u8),
}

/// The forms that have a word in PGN, by their numbers.
const FORMS: [(Form, &str); 9] = [
    (Form::Unset, ""),
    (Form::Game, "game"),
    (Form::Match, "match"),
    (Form::RoundRobin, "tourn"),
    (Form::Swiss, "swiss"),
    (Form::Team, "team"),
    (Form::KnockOut, "k.o."),
    (Form::Simultaneous, "simul"),
    (Form::Scheveningen, "schev"),
];

/// The times that have a word in PGN, and their bits.
const TIMES: [(u8, &str); 3] = [(1 << 5, "blitz"), (1 << 6, "rapid"), (1 << 7, "corr")];

impl TournamentKind {
    /// Who plays whom.
    #[must_use]
    pub fn form(self) -> Form {
        let number = self.form_and_time & 31;
        let form = FORMS.get(usize::from(number));
        form.map_or(Form::Other(number), |(form, _)| *form)
    }

    /// Whether teams play.
    #[must_use]
    pub fn is_team(self) -> bool {
        self.team & 1 != 0 || self.form() == Form::Team
    }

    /// Whether it is rapid.
    #[must_use]
    pub const fn is_rapid(self) -> bool {
        self.form_and_time & 1 << 6 != 0
    }

    /// Reads what an `EventType` tag says, `None` if it is something else.
    ///
    /// `team` alone becomes the bit and no form, as ChessBase reads it.
    #[must_use]
    pub fn parse(text: &str) -> Option<TournamentKind> {
        let text = text.trim().to_ascii_lowercase();
        let (form, time) = match text.split_once('(') {
            Some((form, time)) => (form.trim_end(), time.strip_suffix(')')?),
            None if TIMES.iter().any(|(_, word)| *word == text) => ("", text.as_str()),
            None => (text.as_str(), ""),
        };
        let (team, form) = match form.strip_prefix("team") {
            Some("") => (1, ""),
            Some(rest) => (1, rest.strip_prefix('-')?),
            None => (0, form),
        };
        let form = FORMS.iter().position(|(_, word)| *word == form)? as u8;
        let times = time
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty());
        let mut form_and_time = form;
        for word in times {
            form_and_time |= TIMES.iter().find(|(_, other)| *other == word)?.0;
        }
        let kind = TournamentKind {
            form_and_time,
            team,
        };
        (kind != TournamentKind::default()).then_some(kind)
    }
}

/// As an `EventType` tag says it; nothing if nothing is known.
impl fmt::Display for TournamentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = FORMS.get(usize::from(self.form_and_time & 31));
        let form = form.map_or("", |(_, word)| *word);
        let team = self.is_team() && form != "team";
        let words = match (team, form) {
            (true, "") => "team".to_string(),
            (true, form) => format!("team-{form}"),
            (false, form) => form.to_string(),
        };
        f.write_str(&words)?;
        let times = TIMES
            .iter()
            .filter(|(bit, _)| self.form_and_time & bit != 0);
        let times: Vec<&str> = times.map(|(_, word)| *word).collect();
        match (words.is_empty(), times.is_empty()) {
            (_, true) => Ok(()),
            (true, false) if times.len() == 1 => f.write_str(times[0]),
            (true, false) => write!(f, "({})", times.join(", ")),
            (false, false) => write!(f, " ({})", times.join(", ")),
        }
    }
}

/// What decides the place of a tournament among the others: title, place, and the parts of the day
/// on which it began.
pub type Key = (Field<40>, Field<30>, [u16; 3]);

impl Tournament {
    /// The key of the tournament in its file: [`compare`](Entity::compare) looks at nothing else.
    #[must_use]
    pub fn key(&self) -> Key {
        let (month, day) = (self.date.month().into(), self.date.day().into());
        (self.title, self.place, [self.date.year(), month, day])
    }
}

impl Entity for Tournament {
    const FILE: FileKind = FileKind::Tournaments;
    const SIZE: usize = 82;

    fn read(bytes: &[u8]) -> Tournament {
        let mut fields = Fields::new(bytes);
        Tournament {
            title: Field::from_bytes(fields.array()),
            place: Field::from_bytes(fields.array()),
            date: PackedDate(fields.u32_le()),
            kind: TournamentKind {
                form_and_time: fields.u8(),
                team: fields.u8(),
            },
            nation: Nation(fields.u8()),
            unknown_77: fields.u8(),
            category: fields.u8(),
            flags: fields.u8(),
            rounds: fields.u8(),
            unknown_81: fields.u8(),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.title.as_bytes());
        bytes.extend(self.place.as_bytes());
        bytes.extend(self.date.0.to_le_bytes());
        bytes.extend([self.kind.form_and_time, self.kind.team, self.nation.0]);
        bytes.extend([self.unknown_77, self.category, self.flags]);
        bytes.extend([self.rounds, self.unknown_81]);
    }

    /// The latest year first, and within a year by title and place; then the latest day first.
    fn compare(&self, other: &Tournament) -> Ordering {
        let day = |tournament: &Tournament| (tournament.date.month(), tournament.date.day());
        let year = other.date.year().cmp(&self.date.year());
        year.then_with(|| self.title.compare_signed(&other.title))
            .then_with(|| self.place.compare_signed(&other.place))
            .then_with(|| day(other).cmp(&day(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_the_words_of_the_program() {
        let kind = |form_and_time, team| TournamentKind {
            form_and_time,
            team,
        };
        for (kind, words) in [
            (kind(0, 0), ""),
            (kind(4, 0), "swiss"),
            (kind(35, 0), "tourn (blitz)"),
            (kind(64, 0), "rapid"),
            (kind(0, 1), "team"),
            (kind(5, 0), "team"),
            (kind(6, 1), "team-k.o."),
            (kind(0x81, 0), "game (corr)"),
        ] {
            assert_eq!(kind.to_string(), words);
        }
    }

    #[test]
    fn all_kinds_are_read_back_in_words() {
        for form_and_time in 0..=u8::MAX {
            for team in [0, 1] {
                let kind = TournamentKind {
                    form_and_time,
                    team,
                };
                let words = kind.to_string();
                let again = TournamentKind::parse(&words).unwrap_or_default();
                assert_eq!(again.to_string(), words);
                if !matches!(kind.form(), Form::Team | Form::Other(_)) {
                    assert_eq!(again, kind, "{words}");
                }
            }
        }
    }

    #[test]
    fn other_words_are_no_kinds() {
        for text in [
            "",
            "?",
            "open",
            "swiss (bullet)",
            "swiss (rapid",
            "teams",
            "team-open",
        ] {
            assert_eq!(TournamentKind::parse(text), None, "{text}");
        }
    }
}
