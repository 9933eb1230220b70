//! Tags to fields of the index, names and extra tags.

use tabiya_game::Date;

use crate::writing::is_respelled;

use super::{
    Version,
    game::tags,
    index::{
        Entry, NAMES, PackedDate,
        fields::{Rating, eco_number, flags, rating_tag},
        si4,
    },
    names::sn4,
};

/// The tags of a game that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    pub names: [Option<String>; 5],
    /// The values that went into the index.
    pub entry: Entry,
    date: bool,
    /// The date of the event, and where among the extra tags it came.
    event_date: Option<(String, usize)>,
    eco: bool,
    flags: bool,
    pub fen: Option<String>,
    pub result: Option<String>,
    pub variant: Option<String>,
    pub termination: Option<String>,
    /// The extra tags as the record has them.
    pub extra: Vec<u8>,
}

/// What became of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    Whole,
    /// It is there, but will be spelled in another way.
    Respelled,
    /// It has no place.
    Lost,
}

impl Kept {
    /// What became of a value.
    pub(super) fn of(name: &str, was: &str, is: &str) -> Kept {
        match was == is {
            true => Kept::Whole,
            false if is_respelled(name, was, is) => Kept::Respelled,
            false => Kept::Lost,
        }
    }
}

impl Header {
    /// Forgets the tags of the game before.
    pub(super) fn clear(&mut self) {
        let mut extra = std::mem::take(&mut self.extra);
        extra.clear();
        *self = Header {
            extra,
            ..Header::default()
        };
    }

    /// Takes a tag.
    ///
    /// What a field of the index has no room for becomes an extra tag of the same name, which
    /// programs show as it is.
    pub(super) fn tag(&mut self, version: Version, name: &str, value: &str) -> Kept {
        if let Some(place) = NAMES.iter().position(|known| *known == name) {
            return self.name(version, place, value);
        }
        let once = match name {
            "FEN" => &mut self.fen,
            "Result" => &mut self.result,
            "Date" if !self.date => return self.date(value),
            "EventDate" if self.event_date.is_none() => {
                // Whether there is room depends on the date, which may follow.
                self.event_date = Some((value.to_owned(), self.extra.len()));
                return Kept::Whole;
            }
            "ECO" if !self.eco => return self.eco(value),
            "ScidFlags" => return self.flags(value),
            "Variant" => {
                self.variant = Some(value.to_owned());
                return self.extra(name, value);
            }
            "Termination" => {
                self.termination = Some(value.to_owned());
                return self.extra(name, value);
            }
            _ => return self.rating(name, value),
        };
        if once.is_some() {
            return Kept::Lost;
        }
        *once = Some(value.to_owned());
        Kept::Whole
    }

    /// All tags have been taken.
    pub(super) fn finish(&mut self, version: Version) -> Kept {
        let Some((value, at)) = self.event_date.take() else {
            return Kept::Whole;
        };
        let date = value.parse().ok().and_then(PackedDate::new);
        let fits = |event: &PackedDate| {
            version == Version::Si5 || si4::holds_event_date(*event, self.entry.date)
        };
        match date.filter(|event| !event.is_unknown()).filter(fits) {
            Some(date) => {
                self.entry.event_date = date;
                spelled(date, &value)
            }
            None => {
                let mut tag = Vec::new();
                let written = tags::put("EventDate", &value, &mut tag);
                self.extra.splice(at..at, tag);
                match written {
                    true => Kept::Whole,
                    false => Kept::Lost,
                }
            }
        }
    }

    fn name(&mut self, version: Version, place: usize, value: &str) -> Kept {
        if self.names[place].is_some() {
            return Kept::Lost;
        }
        let mut name = match value.contains('\0') {
            true => value.replace('\0', ""),
            false => value.to_owned(),
        };
        if version != Version::Si5 {
            let mut end = name.len().min(sn4::LONGEST);
            while !name.is_char_boundary(end) {
                end -= 1;
            }
            name.truncate(end);
        }
        let kept = match value {
            // An empty name is that of a game without the tag.
            "" => Kept::Respelled,
            value => Kept::of(NAMES[place], value, &name),
        };
        self.names[place] = Some(name);
        kept
    }

    fn date(&mut self, value: &str) -> Kept {
        self.date = true;
        let date = value.parse().ok().and_then(PackedDate::new);
        match date {
            Some(date) if !date.is_unknown() || Date::default().to_string() == value => {
                self.entry.date = date;
                spelled(date, value)
            }
            _ => self.extra("Date", value),
        }
    }

    fn eco(&mut self, value: &str) -> Kept {
        match eco_number(value) {
            Some(number) => {
                self.eco = true;
                self.entry.eco = number;
                Kept::Whole
            }
            None => self.extra("ECO", value),
        }
    }

    fn flags(&mut self, value: &str) -> Kept {
        if std::mem::replace(&mut self.flags, true) {
            return Kept::Lost;
        }
        self.entry.flags = flags::of_letters(value);
        let letters = flags::letters(self.entry.flags);
        match value.chars().all(|letter| letters.contains(letter)) {
            true if letters == value && !value.is_empty() => Kept::Whole,
            true => Kept::Respelled,
            false => Kept::Lost,
        }
    }

    /// The first rating of a side has a field.
    fn rating(&mut self, name: &str, value: &str) -> Kept {
        if let Some((color, _)) = rating_tag(name)
            && let Some(rating) = Rating::of_tag(name, value)
        {
            let place = &mut self.entry.ratings[color as usize];
            if place.value == 0 {
                *place = rating;
                return Kept::Whole;
            }
        }
        self.extra(name, value)
    }

    /// Puts a tag among the extra ones.
    pub(super) fn extra(&mut self, name: &str, value: &str) -> Kept {
        match tags::put(name, value, &mut self.extra) {
            true => Kept::Whole,
            false => Kept::Lost,
        }
    }
}

fn spelled(date: PackedDate, value: &str) -> Kept {
    Kept::of("Date", value, &date.date().to_string())
}
