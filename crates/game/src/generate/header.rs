//! Who plays, where and when: names that belong to nobody.

use tabiya_chess::{Position, Setup, Variant};

use super::{
    Options,
    play::{Ending, Played},
    random::{Random, mix},
};
use crate::{Date, Tags};

/// How many players there are; the first ones play most.
const PLAYERS: u32 = 2_000;

/// Somebody with a number and a rating.
#[derive(Clone, Copy)]
pub(super) struct Player {
    number: u32,
    rating: u32,
}

impl Player {
    fn draw(seed: u64, random: &mut Random) -> Player {
        // A limit drawn at random makes small numbers more frequent, as some people play more.
        let limit = random.below(PLAYERS) + 1;
        let number = random.below(limit) + 1;
        let talent = mix(seed ^ mix(u64::from(number))) % 1_500;
        Player {
            number,
            rating: 1_200 + talent as u32 + random.below(60),
        }
    }

    /// How much the player errs, in centipawns: 20 to about 130.
    pub(super) fn blur(self) -> u32 {
        20 + (2_760 - self.rating.min(2_760)) / 14
    }

    fn name(self) -> String {
        format!("Player {:04}", self.number)
    }
}

/// White and Black.
pub(super) fn players(options: &Options, random: &mut Random) -> [Player; 2] {
    [(); 2].map(|()| Player::draw(options.seed, random))
}

/// Writes the tags of a game, the roster first.
pub(super) fn write(
    tags: &mut Tags,
    options: &Options,
    players: [Player; 2],
    start: &Position,
    played: &Played,
    random: &mut Random,
) {
    let year = 1_960 + random.below(66) as u16;
    tags.push("Event", event(year, random));
    tags.push("Site", site(random));
    tags.push("Date", date(year, random).to_string());
    tags.push("Round", round(random));
    let names = players.map(Player::name);
    for (tag, name) in ["White", "Black"].into_iter().zip(names) {
        let name = if random.once_in(200) {
            "?".into()
        } else {
            name
        };
        tags.push(tag, name);
    }
    tags.push("Result", played.result.tag());
    push_ratings(tags, players, random);
    if random.once_in(8) {
        tags.push("ECO", "?");
    }
    push_start(tags, start, random);
    if random.once_in(3) {
        tags.push("PlyCount", played.actions.len().to_string());
    }
    if random.once_in(3) {
        let control = random.pick(&["40/7200:3600", "5400+30", "600+5", "180", "-", "?"]);
        tags.push("TimeControl", control);
    }
    if random.once_in(3) {
        tags.push("Termination", termination(played.ending));
    }
    if options.variations {
        push_odd(tags, random);
    }
}

fn event(year: u16, random: &mut Random) -> String {
    let kind = random.pick(&["Open", "Match", "Rapid", "Blitz", "League", "Cup"]);
    match random.below(12) {
        0 => "?".into(),
        1 => format!("{kind} {}", random.below(30) + 1),
        _ => format!("{kind} {year}"),
    }
}

fn site(random: &mut Random) -> String {
    match random.below(6) {
        0 => "?".into(),
        _ => format!("Hall {:02}", random.below(60) + 1),
    }
}

/// Of some dates only the year is known, or nothing at all.
fn date(year: u16, random: &mut Random) -> Date {
    let month = random.below(12) as u8 + 1;
    let day = random.below(28) as u8 + 1;
    let mut date = Date::new(year, month, day);
    let unknown = random.below(20);
    if unknown < 5 {
        date.day = None;
    }
    if unknown < 3 {
        date.month = None;
    }
    if unknown < 1 {
        date.year = None;
    }
    date
}

fn round(random: &mut Random) -> String {
    let round = random.below(11) + 1;
    match random.below(10) {
        0 => "?".into(),
        1 => "-".into(),
        2 | 3 => format!("{round}.{}", random.below(40) + 1),
        _ => round.to_string(),
    }
}

fn push_ratings(tags: &mut Tags, players: [Player; 2], random: &mut Random) {
    let known = random.below(8);
    for (tag, player) in ["WhiteElo", "BlackElo"].into_iter().zip(players) {
        match known {
            0 => {}
            1 => tags.push(tag, "?"),
            _ => tags.push(tag, player.rating.to_string()),
        }
    }
}

fn push_start(tags: &mut Tags, start: &Position, random: &mut Random) {
    let setup = start.to_setup();
    let fen = match start.variant() {
        Variant::Standard if setup == Setup::INITIAL => return,
        Variant::Chess960 => {
            tags.push("Variant", "Chess960");
            match random.once_in(2) {
                true => setup.to_shredder_fen(),
                false => setup.to_string(),
            }
        }
        _ => setup.to_string(),
    };
    tags.push("SetUp", "1");
    tags.push("FEN", fen);
}

fn termination(ending: Ending) -> &'static str {
    match ending {
        Ending::Unfinished => "unterminated",
        Ending::Time => "time forfeit",
        Ending::Forfeit => "forfeit",
        _ => "normal",
    }
}

/// Tags that try readers: marks and backslashes, other scripts, repetitions, long values, none.
fn push_odd(tags: &mut Tags, random: &mut Random) {
    const ODD: [(&str, &str); 16] = [
        ("Annotator", "the \"quiet\" one"),
        ("Source", r"C:\games\open"),
        ("Source", r"ends with a backslash\"),
        ("Remark", r#"\" and \\ and "]"#),
        ("Remark", "[Event \"no event\"]"),
        ("Remark", "{no comment} ; (no variation) $5 *"),
        ("Remark", "  spaces  around  "),
        ("Remark", "a\ttab"),
        ("Remark", ""),
        ("Opening", "Größe, été, señal, łódź"),
        ("Opening", "Дебют 象棋 שחמט شطرنج"),
        ("Opening", "♘f3 ½ 🙂 e\u{301}\u{a0}x"),
        ("Annotator", "Annotator 1"),
        ("Annotator", "Annotator 2"),
        ("White", "a second White"),
        ("x_1", "%percent"),
    ];
    if !random.once_in(3) {
        return;
    }
    for _ in 0..random.within(&(1..=3)) {
        let (name, value) = random.pick(&ODD);
        tags.push(name, value);
    }
    if random.once_in(8) {
        let length = random.within(&(200..=5_000));
        let value: String = (0..length)
            .map(|at| char::from(b'a' + (at % 26) as u8))
            .collect();
        tags.push("Long", value);
    }
}
