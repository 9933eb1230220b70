//! What every byte means.

use tabiya_chess::{Action, Color, Piece, Position, Rank, Role, Square};
use tabiya_game::Nag;

use super::{
    container::{Container, Record, TagFields},
    error::Error,
    reader::{Header, text},
    units::{Flagged, Step, Units, big_endian, whole_words},
    word::{Fields, Layout, Line as Origin, PROMOTIONS},
    word24::{self, Cmbr24},
};
use crate::dump::{Dump, Line};

/// Words whose fields can be told.
pub(super) trait Explain: Units {
    /// The fields of a word in a position.
    fn fields(&self, before: &Position, unit: &[u8]) -> String;
}

/// The bits of a word, apart by fields, and what they say.
impl Explain for Layout {
    fn fields(&self, before: &Position, unit: &[u8]) -> String {
        let word = big_endian(unit);
        let fields = Layout::fields(*self, word);
        let bits = format!(
            "{:02b} {:01b} {:01b} {:03b} {:06b} {:03b}",
            word >> 14,
            word >> 13 & 1,
            word >> 12 & 1,
            word >> 9 & 7,
            word >> 3 & 63,
            word & 7
        );
        let Some(role) = fields.role else {
            return match self.action(before, word) {
                Ok(Action::Null) => format!("{bits}: null move"),
                _ => format!("{bits}: {}", castling(word)),
            };
        };
        let origin = match fields.origin {
            Some(Origin::File(file)) => format!(" from the {}-file", file.letter()),
            Some(Origin::Rank(rank)) => format!(" from rank {}", rank.digit()),
            None => String::new(),
        };
        let promotion = promotion(*self, before, &fields);
        format!("{bits}: {role}{origin} to {}{promotion}", fields.to)
    }
}

fn castling(word: u16) -> &'static str {
    match word {
        6 => "castling short",
        7 => "castling long",
        _ => "no castling",
    }
}

/// What the first two bits say.
fn promotion(layout: Layout, before: &Position, fields: &Fields) -> String {
    let number = fields.promotion;
    let last_rank = fields.to.rank() == before.turn().rank(Rank::Eighth);
    if fields.role == Some(Role::Pawn) && last_rank {
        return format!(", becomes {}", PROMOTIONS[usize::from(number & 3)]);
    }
    match (number, layout, fields.origin) {
        (0, ..) => String::new(),
        (_, Layout::Program, Some(Origin::File(_))) => format!(", number {number} on that file"),
        _ => ", first two bits without meaning".to_string(),
    }
}

impl Explain for Flagged {
    fn fields(&self, before: &Position, unit: &[u8]) -> String {
        match unit {
            [flag, word @ ..] => {
                format!(
                    "flag {flag}, {}",
                    Explain::fields(&Layout::Program, before, word)
                )
            }
            [] => String::new(),
        }
    }
}

impl Explain for Cmbr24 {
    fn fields(&self, before: &Position, unit: &[u8]) -> String {
        let word = word24::number(unit);
        match self.step(before, word) {
            Ok(Step::Nag(nag)) => nag_meaning(nag),
            Ok(Step::Variation(number)) => variation_meaning(number),
            Ok(Step::Action(_)) if word < 0x10 => "castling as the Rust program writes it".into(),
            _ => move_fields(word),
        }
    }
}

fn nag_meaning(nag: Nag) -> String {
    match nag.symbol() {
        Some(symbol) => format!("glyph {nag} {symbol}"),
        None => format!("glyph {nag}"),
    }
}

/// The Rust program marks `!` and `?` as if they were variations.
fn variation_meaning(number: u16) -> String {
    match Nag(number).symbol().filter(|_| (1..=6).contains(&number)) {
        Some(symbol) => {
            format!("variation {number}, which is not in the stream, or the glyph {symbol}")
        }
        None => format!("variation {number}, which is not in the stream"),
    }
}

fn move_fields(word: u32) -> String {
    let square = |shift: u32| Square::from_index((word >> shift & 63) as u8);
    let color = Color::ALL[(word >> 11 & 1) as usize];
    let what = match word >> 8 & 7 {
        6 => format!("{color} castles short"),
        7 => format!("{color} castles long"),
        code => {
            let piece: Piece = Role::ALL[code as usize].of(color);
            format!("{piece} from {} to {}", square(12), square(18))
        }
    };
    const FLAGS: [(u32, u32, &str); 9] = [
        (0x01, 0x01, "check"),
        (0x02, 0x02, "mate"),
        (0x04, 0x04, "capture"),
        (0x70, 0x40, "becomes bishop"),
        (0x70, 0x50, "becomes knight"),
        (0x70, 0x60, "becomes rook"),
        (0x70, 0x70, "becomes queen"),
        (0x08, 0x08, "glyph"),
        (0x80, 0x80, "variation"),
    ];
    let set = FLAGS
        .iter()
        .filter(|(mask, value, _)| word & mask == *value);
    set.fold(what, |text, (.., name)| format!("{text}, {name}"))
}

/// A move with its number.
fn numbered(before: &Position, action: Action) -> String {
    let dots = match before.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    let number = before.fullmove_number();
    match action {
        Action::Move(play) => format!("{number}{dots} {}", before.san(play)),
        Action::Null => format!("{number}{dots} --"),
    }
}

/// Adds a line for each word, and one for what cannot be read.
pub(super) fn units<E: Explain>(
    words: &E,
    bytes: &[u8],
    base: u64,
    start: &Position,
    dump: &mut Dump,
) {
    let mut position = *start;
    let whole = bytes.chunks_exact(E::SIZE);
    let rest = whole.remainder();
    for (index, unit) in whole.enumerate() {
        let at = index * E::SIZE;
        let offset = base + at as u64;
        let step = match words.read(&position, unit) {
            Ok(step) => step,
            Err(kind) => {
                let kind = whole_words::<E>(rest).err().unwrap_or(kind);
                return dump.push(wrong(&Error { kind, offset }, &bytes[at..]));
            }
        };
        let mut line = Line::new(offset, unit, words.fields(&position, unit));
        if let Step::Action(action) = step {
            line = line.with_san(numbered(&position, action));
            position.act(action);
        }
        dump.push(line);
    }
    if let Err(kind) = whole_words::<E>(rest) {
        let offset = base + (bytes.len() - rest.len()) as u64;
        dump.push(wrong(&Error { kind, offset }, rest));
    }
}

fn wrong(error: &Error, bytes: &[u8]) -> Line {
    let meaning = format!("{}: {}", error.kind.name(), error.kind);
    Line::new(error.offset, bytes, meaning)
}

/// What every byte of a game of a file means; games are counted from 0. `None` if there is no
/// such game, or if the file is damaged before it.
///
/// ```
/// use tabiya_formats::cmbr::explain_game;
///
/// let file = b"cmbr\x04\x01\x01\x01\x01E\x01X\x04\x04\x02\x00\x00\xe0\x00\x01\x20\x03\x03u";
/// let dump = explain_game(file, 0).unwrap();
/// let moves = &dump.sections[2].lines;
/// assert_eq!((moves[1].offset, moves[1].san.as_deref()), (15, Some("1. e4")));
/// assert!(explain_game(file, 1).is_none());
/// ```
#[must_use]
pub fn explain_game(bytes: &[u8], index: u64) -> Option<Dump> {
    let container = Container::of(bytes)?;
    let mut at = container.magic().len();
    for _ in 0..index {
        let record = Record::find(bytes, at, container).ok()?;
        if record.damage.is_some() {
            return None;
        }
        at = record.end;
    }
    let record = Record::find(bytes, at, container).ok()?;
    Some(explain_record(bytes, &record, container))
}

fn explain_record(bytes: &[u8], record: &Record, container: Container) -> Dump {
    let line = |range: &std::ops::Range<usize>, meaning: String| {
        Line::new(range.start as u64, &bytes[range.clone()], meaning)
    };
    let mut dump = Dump::new("file");
    let counts = match container {
        Container::Program => "numbers of one byte",
        Container::Wide => "numbers of two and four bytes",
    };
    dump.push(line(&(0..5), format!("magic, {counts}")));
    dump.section("tags");
    let count = record.tag_count;
    dump.push(line(&record.start, format!("tags, {count}")));
    let mut header = Header::default();
    for tag in TagFields::new(bytes, record, container) {
        let (name, value) = (text(tag.name, None), text(tag.value, None));
        dump.push(line(&(tag.at..tag.end), format!("{name} {value:?}")));
        header.note(&name, value);
    }
    if !record.moves_start.is_empty() {
        dump.section("moves");
        let count = record.moves.len() / Flagged::SIZE;
        dump.push(line(&record.moves_start, format!("moves, {count}")));
        explain_moves(bytes, record, &header, &mut dump);
    }
    if let Some(letter) = bytes[record.result.clone()].last() {
        dump.section("result");
        let meaning = match super::container::result(*letter) {
            Ok(result) => format!("result {}", result.token()),
            Err(kind) => format!("{}: {kind}", kind.name()),
        };
        dump.push(line(&record.result, meaning));
    }
    if let Some((error, damaged)) = &record.damage {
        dump.push(wrong(error, &bytes[damaged.clone()]));
    }
    dump
}

fn explain_moves(bytes: &[u8], record: &Record, header: &Header<'_>, dump: &mut Dump) {
    let moves = &bytes[record.moves.clone()];
    let base = record.moves.start as u64;
    match header.start() {
        Ok(start) => units(&Flagged, moves, base, &start, dump),
        Err((_, message)) if !moves.is_empty() => {
            dump.push(Line::new(base, moves, format!("no start: {message}")));
        }
        Err(_) => {}
    }
}
