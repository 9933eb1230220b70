//! The order in which ChessBase keeps names.
//!
//! Every name has a key of eight bytes; names whose keys differ are compared by them. Else they are
//! compared as Windows sorts words: letters without case, then without accents at first, digits
//! before letters, other signs before digits.

use std::cmp::Ordering;

use encoding_rs::UTF_8;

use super::super::{
    entities::EntityKind,
    names::{Player, Source, Team, Titles, Tournament},
};
use crate::encoding::TextCodec;

/// A name, ready to be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collated {
    /// 0 if nothing but the fields tells, 1 if there is nothing to tell.
    pub key: u64,
    fields: Vec<Field>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Field {
    Number(i64),
    /// What counts first, then accents.
    Text(Vec<u32>, Vec<u8>),
}

/// Signs that do not count in names of people and tournaments.
const IGNORED: [char; 4] = ['\'', '’', '-', '‐'];

impl Collated {
    /// The name in a record.
    #[must_use]
    pub fn new(kind: EntityKind, record: &[u8]) -> Collated {
        let codec = TextCodec::mixed(UTF_8);
        let text = |bytes: &[u8]| codec.name(bytes).into_owned();
        match kind {
            EntityKind::Player => {
                let player = Player::read(record).unwrap_or_default();
                let (last, first) = (text(player.last), text(player.first));
                let is_key = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b' ';
                let key = match last.is_empty() && first.is_empty() {
                    true => 1,
                    false => key(&[], &last, 8, is_key),
                };
                let fields = vec![words(&last, true), words(&first, true)];
                Collated { key, fields }
            }
            EntityKind::Tournament => tournament(record, &codec),
            EntityKind::Source => {
                let source = Source::read(record).unwrap_or_default();
                let title = text(source.title);
                Collated {
                    key: plain_key(&title),
                    fields: vec![words(&title, false)],
                }
            }
            EntityKind::Team => {
                let team = Team::read(record).unwrap_or_default();
                let title = text(team.title);
                let numbers = [
                    i64::from(team.number),
                    i64::from(team.nation.0),
                    i64::from(team.year),
                    i64::from(team.season),
                ];
                let mut fields = vec![words(&title, false)];
                fields.extend(numbers.map(Field::Number));
                let key = match title.is_empty() && numbers != [0; 4] {
                    true => 0,
                    false => plain_key(&title),
                };
                Collated { key, fields }
            }
            EntityKind::Tag => {
                let titles = Titles::read(record).unwrap_or_default();
                let (language, title) = titles.0.first().copied().unwrap_or((0, b""));
                let title = text(title);
                // The eighth letter is looked at, though there is no room for it.
                let sound = title.bytes().take(8).all(|byte| byte.is_ascii());
                let key = match (title.is_empty(), sound) {
                    (true, _) => 1,
                    (_, false) => 0,
                    _ => key(&[language as u8], &title, 7, |_| true),
                };
                let fields = vec![Field::Number(language.into()), words(&title, false)];
                Collated { key, fields }
            }
        }
    }

    /// Where it stands compared with another one of its kind; equal if only their numbers tell.
    #[must_use]
    pub fn compare(&self, other: &Collated) -> Ordering {
        if self.key != 0 && other.key != 0 && self.key != other.key {
            return self.key.cmp(&other.key);
        }
        self.fields.cmp(&other.fields)
    }
}

fn tournament(record: &[u8], codec: &TextCodec) -> Collated {
    let tournament = Tournament::read(record).unwrap_or_default();
    let (title, place) = (codec.name(tournament.title), codec.name(tournament.place));
    let date = tournament.date;
    let empty = title.is_empty() && place.is_empty();
    let key = match empty && [date.year(), date.month().into(), date.day().into()] == [0; 3] {
        true => 1,
        false => {
            let year = date.year().to_be_bytes();
            key(&year, &title, 6, |c| {
                c.is_ascii_lowercase() || c.is_ascii_digit()
            })
        }
    };
    Collated {
        key,
        fields: vec![
            Field::Number(date.year().into()),
            words(&title, true),
            words(&place, true),
            Field::Number(date.month().into()),
            Field::Number(date.day().into()),
        ],
    }
}

/// The key of a title of which any letter of ASCII counts.
fn plain_key(title: &str) -> u64 {
    match title.is_empty() {
        true => 1,
        false => key(&[], title, 8, |_| true),
    }
}

/// Some bytes, then as many of the first letters as there is room for; 0 if one is not allowed.
fn key(begin: &[u8], text: &str, letters: usize, allowed: impl Fn(u8) -> bool) -> u64 {
    let mut bytes = [0; 8];
    bytes[..begin.len()].copy_from_slice(begin);
    for (place, byte) in bytes[begin.len()..]
        .iter_mut()
        .zip(text.bytes().take(letters))
    {
        let byte = byte.to_ascii_lowercase();
        if !byte.is_ascii() || !allowed(byte) {
            return 0;
        }
        *place = byte;
    }
    u64::from_be_bytes(bytes)
}

/// A text as words are sorted.
fn words(text: &str, ignores: bool) -> Field {
    let (mut first, mut accents) = (Vec::new(), Vec::new());
    for character in text.chars() {
        if ignores && IGNORED.contains(&character) {
            continue;
        }
        for character in character.to_lowercase() {
            let (letters, accent) = plain(character);
            for letter in letters.chars() {
                first.push(weight(letter));
                accents.push(accent);
            }
        }
    }
    Field::Text(first, accents)
}

/// Other signs, then digits, then letters, then pieces.
fn weight(character: char) -> u32 {
    const CLASS: u32 = 0x20_0000;
    let class = match character {
        '+' | '<' | '=' | '>' => 1,
        _ if character.is_numeric() => 2,
        _ if character.is_alphabetic() => 3,
        '♔'..='♟' | '\u{e024}'..='\u{e029}' => 4,
        _ => 0,
    };
    class * CLASS + character as u32
}

/// Letters with accents, by what they are without.
const ACCENTS: [(&str, &str); 22] = [
    ("a", "àáâãäåāăąǎ"),
    ("ae", "æ"),
    ("c", "çćĉċč"),
    ("d", "ďđð"),
    ("e", "èéêëēĕėęě"),
    ("g", "ĝğġģ"),
    ("h", "ĥħ"),
    ("i", "ìíîïĩīĭįı"),
    ("j", "ĵ"),
    ("k", "ķ"),
    ("l", "ĺļľŀł"),
    ("n", "ñńņňŋ"),
    ("o", "òóôõöøōŏő"),
    ("oe", "œ"),
    ("r", "ŕŗř"),
    ("s", "śŝşšș"),
    ("ss", "ß"),
    ("t", "ţťŧț"),
    ("u", "ùúûüũūŭůűų"),
    ("w", "ŵ"),
    ("y", "ýÿŷ"),
    ("z", "źżž"),
];

/// A letter without its accent, and which accent it had.
fn plain(character: char) -> (String, u8) {
    for (letters, accented) in ACCENTS {
        if let Some(place) = accented.chars().position(|it| it == character) {
            return (letters.to_owned(), place as u8 + 1);
        }
    }
    (character.to_string(), 0)
}
