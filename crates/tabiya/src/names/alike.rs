//! How two names of players agree, by their letters alone.

use super::{
    sound::{is_one_error, is_same_given, skeleton},
    spelled::{Given, Order, Reading, Spelled},
};

/// How two surnames agree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Families {
    /// The same letters.
    Same,
    /// The same sounds.
    Sound,
    /// The same consonants.
    Consonants,
    /// One typing error, in a name of so many letters.
    Typo,
    /// The first of several surnames.
    Part,
}

/// How two given names agree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Givens {
    /// The same letters, written out.
    Same,
    /// The same sounds, written out.
    Sound,
    /// One typing error.
    Typo,
    /// Written out in both, but one has more of them.
    Fewer,
    /// One is the beginning of the other: an initial as a rule.
    Short,
    /// The same initials in both.
    Initials,
    /// Initials, or an initial and a name, that sound alike: `W` and `V`.
    LikeInitials,
    /// The same first initial; one has more of them.
    MoreInitials,
    /// One has none.
    Missing,
    /// Neither has any.
    None,
}

/// How two names agree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Likeness {
    /// All letters are the same: case, accents, punctuation, titles and brackets are not.
    pub same_letters: bool,
    /// Surname and given name stand in another order.
    pub is_turned: bool,
    /// They do so although both have a comma.
    pub is_swapped: bool,
    /// Only one has something in brackets that is neither a title nor a colour.
    pub has_addition: bool,
    pub families: Families,
    pub givens: Givens,
    /// The letters of the shorter surname.
    pub length: usize,
}

/// How two names agree at best; `None` if they do not.
pub fn likeness(one: &Spelled, other: &Spelled) -> Option<Likeness> {
    if one.mark != other.mark || is_other(&one.addition, &other.addition) {
        return None;
    }
    if one.is_handle || other.is_handle {
        let is_same = one.is_handle && other.is_handle && one.letters == other.letters;
        return is_same.then_some(Likeness::ACCOUNT);
    }
    let mut best: Option<Likeness> = None;
    for a in &one.readings {
        for b in &other.readings {
            if let Some(found) = of_readings(a, b, one.letters == other.letters)
                && best.is_none_or(|best| found.points() > best.points())
            {
                best = Some(found);
            }
        }
    }
    let has_addition = one.addition != other.addition;
    best.map(|best| Likeness {
        has_addition,
        ..best
    })
}

/// Whether both say something in brackets, and not the same.
fn is_other(one: &str, other: &str) -> bool {
    !one.is_empty() && !other.is_empty() && one != other
}

fn of_readings(a: &Reading, b: &Reading, same_letters: bool) -> Option<Likeness> {
    let is_odd = |order: Order| matches!(order, Order::Swapped | Order::Part);
    // Two guesses on top of each other prove nothing.
    if is_odd(a.order) && (is_odd(b.order) || b.order == Order::Guessed)
        || is_odd(b.order) && a.order == Order::Guessed
    {
        return None;
    }
    let is_part = a.order == Order::Part || b.order == Order::Part;
    let families = match families(a, b)? {
        Families::Same | Families::Sound if is_part => Families::Part,
        _ if is_part => return None,
        families => families,
    };
    Some(Likeness {
        same_letters: same_letters && families == Families::Same,
        is_turned: a.order != b.order,
        is_swapped: a.order == Order::Swapped || b.order == Order::Swapped,
        has_addition: false,
        families,
        givens: givens(&a.given, &b.given)?,
        length: a.family.chars().count().min(b.family.chars().count()),
    })
}

fn families(a: &Reading, b: &Reading) -> Option<Families> {
    let is_long = |reading: &Reading, least: usize| reading.family.chars().nth(least - 1).is_some();
    let (is_five, is_six) = (
        is_long(a, 5) && is_long(b, 5),
        is_long(a, 6) && is_long(b, 6),
    );
    if a.family == b.family {
        Some(Families::Same)
    } else if a.sound == b.sound && !a.sound.is_empty() {
        Some(Families::Sound)
    } else if is_five && (is_one_error(&a.sound, &b.sound) || is_one_error(&a.family, &b.family)) {
        // `Ivanov` and `Ivanova` are a man and a woman.
        (!differ_by_gender(&a.family, &b.family)).then_some(Families::Typo)
    } else if is_six && skeleton(&a.sound) == skeleton(&b.sound) {
        (!differ_by_gender(&a.family, &b.family)).then_some(Families::Consonants)
    } else {
        None
    }
}

/// Whether one surname is the other with the ending of a woman's.
fn differ_by_gender(one: &str, other: &str) -> bool {
    let (short, long) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    let is_woman = long.ends_with('a') || long.ends_with("aia") || long.ends_with("aya");
    let is_longer = long
        .strip_prefix(short)
        .is_some_and(|ending| matches!(ending, "a" | "ova"));
    let stems = short.strip_suffix(['y', 'i']).zip(long.strip_suffix('a'));
    is_woman && (is_longer || stems.is_some_and(|(man, woman)| woman.starts_with(man)))
}

/// How given names agree; `None` if they are others.
fn givens(a: &[Given], b: &[Given]) -> Option<Givens> {
    match (a, b) {
        ([], []) => return Some(Givens::None),
        ([], _) | (_, []) => return Some(Givens::Missing),
        _ => {}
    }
    let are_initials = |names: &[Given]| names.iter().all(Given::is_initial);
    let joined =
        |names: &[Given], text: fn(&Given) -> &str| -> String { names.iter().map(text).collect() };
    if joined(a, |given| &given.name) == joined(b, |given| &given.name) {
        return Some(match are_initials(a) {
            true => Givens::Initials,
            false => Givens::Same,
        });
    }
    let sounds = [a, b].map(|names| joined(names, |given| &given.sound));
    if !are_initials(a) && !are_initials(b) && sounds[0] == sounds[1] {
        return Some(Givens::of_sound(&sounds[0]));
    }
    let each: Option<Vec<Givens>> = a.iter().zip(b).map(|(a, b)| one_given(a, b)).collect();
    let mut agreement = each?.into_iter().reduce(Givens::and)?;
    if a.len() != b.len() {
        let short = if a.len() < b.len() { a } else { b };
        agreement = agreement.and(
            match (are_initials(a) && are_initials(b), are_initials(short)) {
                (true, _) => Givens::MoreInitials,
                (_, true) => Givens::Short,
                _ => Givens::Fewer,
            },
        );
    }
    Some(agreement)
}

/// How one given name agrees with another.
fn one_given(a: &Given, b: &Given) -> Option<Givens> {
    if a.name == b.name {
        return Some(match a.is_initial() {
            true => Givens::Initials,
            false => Givens::Same,
        });
    }
    if is_same_given(&a.sound, &b.sound) {
        return Some(match a.is_initial() || b.is_initial() {
            true => Givens::LikeInitials,
            false => Givens::of_sound(&a.sound),
        });
    }
    let begins = |short: &Given, long: &Given| long.name.starts_with(&short.name);
    if begins(a, b) || begins(b, a) {
        // `Juan` begins `Juana`, and is no short form of it.
        let is_ending =
            a.name.len().abs_diff(b.name.len()) == 1 && !a.is_initial() && !b.is_initial();
        return (!is_ending).then_some(Givens::Short);
    }
    let sounds_so =
        |short: &Given, long: &Given| short.is_initial() && long.sound.starts_with(&short.sound);
    if sounds_so(a, b) || sounds_so(b, a) {
        return Some(Givens::LikeInitials);
    }
    let is_long = |given: &Given| given.name.chars().nth(4).is_some();
    let is_typo = is_long(a) && is_long(b) && is_one_error(&a.name, &b.name);
    (is_typo && !differ_by_gender(&a.name, &b.name) && !differ_at_end(&a.name, &b.name))
        .then_some(Givens::Typo)
}

/// Whether only the last letter differs, and is a vowel in both: `Mario` and `Maria`.
fn differ_at_end(one: &str, other: &str) -> bool {
    const VOWELS: [char; 6] = ['a', 'e', 'i', 'o', 'u', 'y'];
    match (one.strip_suffix(VOWELS), other.strip_suffix(VOWELS)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

impl Givens {
    /// Names that sound alike. Short ones do so by chance, as `Yu` and `Yue`.
    fn of_sound(sound: &str) -> Givens {
        match sound.chars().nth(4) {
            Some(_) => Givens::Sound,
            None => Givens::Typo,
        }
    }

    /// The weaker of two agreements.
    fn and(self, other: Givens) -> Givens {
        let weakness = |givens: Givens| match givens {
            Givens::Same => 0,
            Givens::Sound => 1,
            Givens::Fewer => 2,
            Givens::Typo => 3,
            Givens::Short => 4,
            Givens::Initials => 5,
            Givens::LikeInitials => 6,
            Givens::MoreInitials => 7,
            Givens::Missing => 8,
            Givens::None => 9,
        };
        // An initial beside a name that is written out says no less than the name alone.
        match (self, other) {
            (Givens::Initials, written @ (Givens::Same | Givens::Sound | Givens::Short))
            | (written @ (Givens::Same | Givens::Sound | Givens::Short), Givens::Initials) => {
                written
            }
            (one, other) if weakness(one) >= weakness(other) => one,
            (_, other) => other,
        }
    }
}

/// Whether two names have one surname, as it sounds, and given names that exclude each other.
pub fn are_others(one: &Spelled, other: &Spelled) -> bool {
    let sure = |reading: &&Reading| reading.order <= Order::Guessed;
    let sounds = |a: &Reading| {
        let mut others = other.readings.iter().filter(sure);
        others.any(|b| a.sound == b.sound)
    };
    likeness(one, other).is_none() && one.readings.iter().filter(sure).any(sounds)
}

impl Likeness {
    /// Of two accounts that differ in case alone.
    const ACCOUNT: Likeness = Likeness {
        same_letters: true,
        is_turned: false,
        is_swapped: false,
        has_addition: false,
        families: Families::Same,
        givens: Givens::None,
        length: 0,
    };

    /// How much the letters alone speak for one person.
    ///
    /// Measured on players whose FIDE ids are known, in `tests/it/names/accuracy.rs`: what is below the
    /// mark of what is likely was wrong too often without anything that games say for it.
    pub fn points(&self) -> i32 {
        let turned = if self.is_turned { 3 } else { 0 };
        let added = if self.has_addition { 15 } else { 0 };
        match (self.same_letters, self.is_swapped) {
            (true, _) => 110 - added,
            (_, true) => self.swapped_points() - added,
            _ => self.ordinary_points() - turned - added,
        }
    }

    fn swapped_points(&self) -> i32 {
        match (self.families, self.givens) {
            (Families::Same, Givens::Same) => 50,
            (Families::Same | Families::Sound, Givens::Same | Givens::Sound) => 30,
            _ => 0,
        }
    }

    fn ordinary_points(&self) -> i32 {
        let is_long = self.length >= 7;
        match (self.families, self.givens) {
            (Families::Same, Givens::Same | Givens::Initials | Givens::None) => 105,
            (Families::Same, Givens::Sound) => 70,
            (Families::Same, Givens::Fewer | Givens::Typo) => 45,
            (Families::Same, Givens::Short) => 42,
            (Families::Same, Givens::LikeInitials | Givens::Missing) => 20,
            (Families::Same, Givens::MoreInitials) => 15,
            (Families::Sound, Givens::Same) => 80,
            (Families::Sound, Givens::Sound) => 75,
            (Families::Sound, Givens::Initials) => 50,
            (Families::Sound, Givens::Fewer) => 45,
            (Families::Sound, Givens::Typo | Givens::LikeInitials) => 42,
            (Families::Sound, Givens::Short) => 38,
            (Families::Typo, Givens::Same | Givens::Sound) if is_long => 51,
            (Families::Typo, Givens::Same | Givens::Sound) => 30,
            (Families::Typo, Givens::Initials | Givens::Short | Givens::Fewer) if is_long => 15,
            (Families::Consonants, Givens::Same | Givens::Sound) if is_long => 35,
            (Families::Consonants, Givens::Same | Givens::Sound) => 25,
            (Families::Part, Givens::Same | Givens::Sound) => 52,
            (Families::Part, Givens::Fewer) => 25,
            (Families::Part, Givens::Short | Givens::Initials) => 10,
            _ => 0,
        }
    }

    /// How they agree, in words.
    pub fn words(&self) -> String {
        let families = match self.families {
            _ if self.same_letters => "the same letters",
            Families::Same => "the same surname",
            Families::Sound => "surnames that sound alike",
            Families::Consonants => "surnames with the same consonants",
            Families::Typo => "surnames that differ by a typing error",
            Families::Part => "one of two surnames",
        };
        let givens = match self.givens {
            _ if self.same_letters => "",
            Givens::Same => ", the same given name",
            Givens::Sound => ", given names that sound alike",
            Givens::Typo => ", given names that differ by a typing error",
            Givens::Fewer => ", fewer given names",
            Givens::Short => ", a given name that is cut short",
            Givens::Initials => ", the same initials",
            Givens::LikeInitials => ", initials that sound alike",
            Givens::MoreInitials => ", fewer initials",
            Givens::Missing => ", no given name",
            Givens::None => "",
        };
        let turned = match self.is_turned && self.families != Families::Part {
            true => ", in another order",
            false => "",
        };
        format!("{families}{givens}{turned}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str) -> Option<(Families, Givens)> {
        let found = likeness(&Spelled::new(one), &Spelled::new(other))?;
        Some((found.families, found.givens))
    }

    #[test]
    fn spellings_of_one_player_agree() {
        use Families::*;
        for (one, other, families, givens) in [
            ("Kasparov,G", "Kasparov, Garry", Same, Givens::Short),
            ("Garry Kasparov", "Kasparov, Garry", Same, Givens::Same),
            ("KASPAROV, Garry", "Kasparov, Garry", Same, Givens::Same),
            (
                "Korchnoi, Viktor",
                "Kortschnoj, Wiktor",
                Sound,
                Givens::Sound,
            ),
            ("Ivanchuk,V", "Iwantschuk,W", Sound, Givens::LikeInitials),
            ("Müller, Karsten", "Mueller, Karsten", Sound, Givens::Same),
            ("Kasparov, Garry", "Kaspraov, Garry", Typo, Givens::Same),
            (
                "Garcia Martinez, Silvino",
                "Garcia, Silvino",
                Part,
                Givens::Same,
            ),
            ("Hou Yifan", "Hou, Yifan", Same, Givens::Same),
            ("Yifan Hou", "Hou,Y", Same, Givens::Short),
            (
                "Fischer, Robert James",
                "Fischer, Robert",
                Same,
                Givens::Fewer,
            ),
            ("Kasparov", "Kasparov, Garry", Same, Givens::Missing),
            ("Ivanov,AV", "Ivanov,A", Same, Givens::MoreInitials),
            ("Ivanov,AV", "Ivanov, Alexander V", Same, Givens::Short),
            ("Ang Jia Jun", "Ang, Jiajun", Same, Givens::Same),
            ("Wiel, J van der", "Van der Wiel, John", Same, Givens::Short),
        ] {
            assert_eq!(alike(one, other), Some((families, givens)), "{one} {other}");
            assert_eq!(alike(other, one), Some((families, givens)), "{other} {one}");
        }
    }

    #[test]
    fn other_players_do_not() {
        for (one, other) in [
            ("Polgar,J", "Polgar,Z"),
            ("Ivanov, Alexander", "Ivanov, Andrey"),
            ("Ivanov,A", "Ivanova,A"),
            ("Pavlov,S", "Pavlov,S2"),
            ("Karpov,A", "Kasparov,A"),
            ("Ivanov,A (RUS)", "Ivanov,A (BUL)"),
            ("Garcia, Juan", "Garcia, Juana"),
            ("Rossi, Mario", "Rossi, Maria"),
            ("Byrne, R", "Byrne Jr, R"),
        ] {
            assert_eq!(alike(one, other), None, "{one} {other}");
        }
    }
}
