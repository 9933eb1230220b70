//! What people and programs say about moves.

use std::time::Duration;

use tabiya_chess::{Position, Square};

use super::{player, random::Random};
use crate::{
    Annotation, Arrow, CommentPlace, Evaluation, Item, Mark, MarkColor, Nag, Profile, Score,
    command,
};

/// A glyph: the common ones half of the time, else any.
pub(super) fn nag(random: &mut Random) -> Nag {
    const COMMON: [u16; 16] = [1, 2, 3, 4, 5, 6, 7, 10, 13, 14, 15, 16, 17, 18, 19, 146];
    Nag(match random.below(64) {
        0..=30 => random.pick(&COMMON),
        31 => 256 + random.below(65_280) as u16,
        _ => random.below(256) as u16,
    })
}

/// A comment, most often words.
pub(super) fn comment(place: CommentPlace, random: &mut Random) -> Item {
    let text = match random.below(3) {
        0 => odd_text(random),
        _ => sentence(random),
    };
    // The one spelling of an annotation is the annotation, not a text.
    match command::canonical(&text) {
        Some(annotation) => Item::Annotation(annotation),
        None => comment_of(place, text),
    }
}

/// A comment with a text.
pub(super) fn comment_of(place: CommentPlace, text: String) -> Item {
    Item::Comment {
        place,
        language: None,
        text,
    }
}

/// Words about chess that say nothing.
fn sentence(random: &mut Random) -> String {
    const WORDS: [&str; 40] = [
        "White",
        "Black",
        "the",
        "a",
        "pawn",
        "rook",
        "knight",
        "bishop",
        "queen",
        "king",
        "file",
        "rank",
        "centre",
        "wing",
        "plan",
        "threat",
        "now",
        "later",
        "better",
        "worse",
        "was",
        "is",
        "would",
        "have",
        "been",
        "and",
        "but",
        "with",
        "without",
        "attack",
        "defence",
        "exchange",
        "initiative",
        "time",
        "tempo",
        "weak",
        "strong",
        "square",
        "open",
        "closed",
    ];
    let mut text = String::new();
    for _ in 0..random.within(&(1..=14)) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(random.pick(&WORDS));
    }
    if random.once_in(2) {
        text.push('.');
    }
    text
}

/// Texts that try readers and writers.
fn odd_text(random: &mut Random) -> String {
    const ODD: [&str; 40] = [
        "",
        " ",
        " a space before and after ",
        "two  spaces   and three",
        "a\ttab",
        "Größe, été, señal, łódź",
        "Ход сделан. 好棋! שח‎ شطرنج",
        "♘f3 ½ ± ⩲ 🙂 e\u{301} \u{a0}no-break",
        "\u{feff}mark \u{200d}joiner \u{2028}separator",
        "{in braces}",
        "braces {within {braces}} of a text",
        "a brace } that closes nothing",
        "a brace { that is never closed",
        "}{",
        "} two } of } them { and { one",
        "; a semicolon",
        "% a percent sign",
        "%percent",
        "[Event \"no event\"] [Site \"?\"]",
        "see [Event \"no event\"]",
        "1. e4 e5 2. Nf3 (2. f4) 1-0",
        "(in brackets) ) (",
        "$5 !? +- = N RR ep",
        "1-0",
        "*",
        "--",
        "\"quotation marks\" and \\ backslashes \\\\",
        "[%clk 0:05:00] A text behind it.",
        "A text before it. [%eval 0.31]",
        "[%eval 0.5]",
        "[%clk 4:30]",
        "[%cal Ge2e4][%csl Rd4]",
        " [%eval 0.17] [%clk 0:00:30] ",
        "[%cal Ge2e4, Rd1d8 ]",
        "[%unknown 1,2 [nested]]",
        "[%clk 0:00:-1]",
        "[% no name]",
        "[%clk 0:05",
        "[%csl Ga4",
        "+0.71/22 1.2s",
    ];
    match random.below(48) {
        0 => long_text(random),
        1 => "x".repeat(random.within(&(81..=400)) as usize),
        _ => random.pick(&ODD).to_owned(),
    }
}

/// A text of up to some ten thousand characters.
fn long_text(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.within(&(20..=250)) {
        text.push_str(&sentence(random));
        text.push(' ');
    }
    text
}

/// A typed annotation of a position.
pub(super) fn annotation(position: &Position, random: &mut Random) -> Annotation {
    match random.below(16) {
        0..=3 => Annotation::Arrows(several(random, arrow)),
        4..=6 => Annotation::Squares(several(random, mark)),
        7..=9 => evaluation(position, random),
        10 | 11 => Annotation::Clock(duration(7_200, random)),
        12 => Annotation::TimeSpent(duration(600, random)),
        13 => Annotation::MechanicalClock(Duration::from_secs(u64::from(random.below(120)) * 60)),
        14 => profile(random),
        _ => raw(random),
    }
}

fn several<T>(random: &mut Random, one: fn(&mut Random) -> T) -> Vec<T> {
    (0..random.within(&(1..=4))).map(|_| one(random)).collect()
}

fn color(random: &mut Random) -> MarkColor {
    let letter = random.pick(&['G', 'Y', 'R', 'B', 'G', 'Y', 'R', 'B', 'C', 'O']);
    MarkColor::from_letter(letter).unwrap_or(MarkColor::GREEN)
}

fn square(random: &mut Random) -> Square {
    Square::from_index(random.below(64) as u8)
}

fn mark(random: &mut Random) -> Mark {
    Mark {
        color: color(random),
        square: square(random),
    }
}

fn arrow(random: &mut Random) -> Arrow {
    Arrow {
        color: color(random),
        from: square(random),
        to: square(random),
    }
}

/// Seconds, and now and then tenths or thousandths.
fn duration(seconds: u32, random: &mut Random) -> Duration {
    let whole = Duration::from_secs(random.below(seconds).into());
    whole
        + match random.below(6) {
            0 => Duration::from_millis(u64::from(random.below(10)) * 100),
            1 => Duration::from_millis(random.below(1_000).into()),
            _ => Duration::ZERO,
        }
}

/// The time left to somebody who has made so many moves.
pub(super) fn clock(moves: u32, random: &mut Random) -> Annotation {
    let left = 5_400u32.saturating_sub(moves * 80);
    Annotation::Clock(Duration::from_secs((left + random.below(60)).into()))
}

/// What an engine might say: the material and a little more.
pub(super) fn evaluation(position: &Position, random: &mut Random) -> Annotation {
    let value = player::balance(position.board()) + random.below(100) as i32 - 50;
    let score = match random.below(12) {
        0 => Score::Mate((random.below(9) as i32 + 1) * if value < 0 { -1 } else { 1 }),
        _ => Score::Centipawns(value),
    };
    let depth = match random.once_in(3) {
        true => Some(random.below(50) as u16 + 1),
        false => None,
    };
    Annotation::Evaluation(Evaluation { score, depth })
}

fn profile(random: &mut Random) -> Annotation {
    let values = (0..random.within(&(1..=30)))
        .map(|_| match random.below(10) {
            0 => Profile::NONE,
            1 => 29_990,
            _ => random.below(600) as i16 - 300,
        })
        .collect();
    Annotation::EvaluationProfile(Profile {
        first: random.below(4) as u16,
        values,
    })
}

fn raw(random: &mut Random) -> Annotation {
    Annotation::Raw {
        format: "generated".to_owned(),
        code: random.below(256) as u16,
        bytes: (0..random.below(12)).map(|_| random.next() as u8).collect(),
    }
}
