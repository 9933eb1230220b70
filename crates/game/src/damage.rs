//! What is wrong with an entry that is no game.

use std::fmt;

/// Damage that an [`Event::Opaque`](crate::Event::Opaque) tells. Readers spell it behind the name
/// of their format, and whoever hears the entry reads it from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage<'a> {
    /// The entry that was told before, of the same number, is there but damaged: a sentence.
    Beside(&'a str),
    /// The entry is too damaged to be told as what it is, which is said: `text "Preface"`.
    Whole(&'a str),
}

impl<'a> Damage<'a> {
    const BESIDE: &'static str = "damage: ";
    const WHOLE: &'static str = "damaged ";

    /// The damage that the format of an opaque entry tells; `None` if it is not damaged.
    #[must_use]
    pub fn of(format: &'a str) -> Option<Damage<'a>> {
        let (_, what) = format.split_once(", ")?;
        let beside = what.strip_prefix(Damage::BESIDE).map(Damage::Beside);
        beside.or_else(|| what.strip_prefix(Damage::WHOLE).map(Damage::Whole))
    }

    /// The format of an opaque entry that tells this damage.
    #[must_use]
    pub fn format(self, format: &str) -> String {
        match self {
            Damage::Beside(what) => format!("{format}, {}{what}", Damage::BESIDE),
            Damage::Whole(what) => format!("{format}, {}{what}", Damage::WHOLE),
        }
    }
}

impl fmt::Display for Damage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Beside(what) => f.write_str(what),
            Damage::Whole(what) => write!(f, "a {what} that cannot be read"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_read_from_the_format_that_tells_it() {
        for damage in [Damage::Beside("cut, off"), Damage::Whole("text \"A, b\"")] {
            assert_eq!(Damage::of(&damage.format("2cbh")), Some(damage));
        }
        for sound in ["cdb", "2cbh, whole entry", "damage: of no format"] {
            assert_eq!(Damage::of(sound), None);
        }
    }
}
