//! What every byte of a game means.

use tabiya_chess::{Color, Position};
use tabiya_game::Nag;

use super::{
    Scid, Version,
    database::Base,
    game::{
        code,
        reader::{Comments, Record, Step, Walker, whole_fen},
    },
    index::{
        Entry, NAMES,
        fields::{count_of_code, eco_text, flags},
    },
    names::KIND_OF,
    tell::ReadOptions,
};
use crate::dump::{Dump, Line};

/// Explains a game by its number from 1: its record in the index, its names, its tags, its start,
/// every byte of its moves, its comments. `None` if there is none.
#[must_use]
pub fn explain_game(scid: &Scid, number: u64) -> Option<Dump> {
    let base = scid.base();
    let index = number.checked_sub(1)?;
    let entry = base.entry(index)?;
    let mut dump = Dump::default();
    explain_index(base, index, &entry, &mut dump);
    explain_names(base, &entry, &mut dump);
    match base.game_record(&entry) {
        Ok(bytes) => {
            let guide = Guide {
                record: Record::new(bytes),
                offset: entry.offset,
                options: ReadOptions::default(),
                digit: base.version.digit(),
            };
            guide.explain(entry.chess960, &mut dump);
        }
        Err(kind) => {
            dump.section(format!("game (sg{})", base.version.digit()));
            dump.push(Line::new(entry.offset, [], kind.to_string()));
        }
    }
    Some(dump)
}

fn explain_index(base: &Base, index: u64, entry: &Entry, dump: &mut Dump) {
    dump.section(format!("index (si{})", base.version.digit()));
    let Some((at, bytes)) = base.index_record(index) else {
        return;
    };
    let mut field = |from: usize, to: usize, meaning: String| {
        if let Some(bytes) = bytes.get(from..to) {
            dump.push(Line::new((at + from) as u64, bytes, meaning));
        }
    };
    let place = format!("the game is {} bytes at {}", entry.length, entry.offset);
    let flags = format!("flags {:06X}: {}", entry.flags, flag_words(entry));
    let counts = format!(
        "result {}, about {} glyphs, {} comments, {} variations",
        entry.result,
        count_of_code(entry.nags),
        count_of_code(entry.comments),
        count_of_code(entry.variations)
    );
    let eco = eco_text(entry.eco).unwrap_or_else(|| "none".into());
    let dates = format!(
        "date {}, event date {}",
        entry.date.date(),
        entry.event_date.date()
    );
    let [white, black] = entry.ratings;
    let ratings = format!(
        "{} {}, {} {}",
        white.tag_name(Color::White),
        white.value,
        black.tag_name(Color::Black),
        black.value
    );
    let line = format!(
        "opening line {}, material {:06X}",
        entry.line, entry.material
    );
    let plies = format!("{} plies", entry.plies);
    let pawns = format!("{} pawns left home, in this order", entry.home_pawns.count);
    match base.version {
        Version::Si5 => {
            field(0, 20, format!("numbers of names and counts: {counts}"));
            field(20, 28, format!("{dates}, {ratings}"));
            field(28, 32, format!("{plies}, {flags}"));
            field(32, 40, place);
            field(40, 44, line);
            field(44, 48, format!("types of ratings, result, ECO {eco}"));
            field(48, 56, pawns);
        }
        version => {
            // The older layout has one byte less, before the flags.
            let shift = usize::from(version == Version::Si3);
            field(0, 7 - shift, place);
            field(7 - shift, 9 - shift, flags);
            field(9 - shift, 21 - shift, "numbers of names".into());
            field(21 - shift, 23 - shift, counts);
            field(23 - shift, 25 - shift, format!("ECO {eco}"));
            field(25 - shift, 29 - shift, dates);
            field(29 - shift, 33 - shift, ratings);
            field(33 - shift, 37 - shift, line);
            field(37 - shift, 39 - shift, plies);
            field(39 - shift, 47 - shift, pawns);
        }
    }
}

fn flag_words(entry: &Entry) -> String {
    let mut words: Vec<String> = Vec::new();
    for (flag, word) in [
        (flags::SETUP, "own start"),
        (flags::PROMOTION, "promotion"),
        (flags::UNDER_PROMOTION, "under-promotion"),
    ] {
        if entry.has(flag) {
            words.push(word.into());
        }
    }
    let letters = flags::letters(entry.flags);
    if !letters.is_empty() {
        words.push(letters);
    }
    if entry.chess960 {
        words.push("Chess960".into());
    }
    match words.is_empty() {
        true => "none".into(),
        false => words.join(", "),
    }
}

/// Names have no place of their own in the file of version 4, where they share their beginnings.
fn explain_names(base: &Base, entry: &Entry, dump: &mut Dump) {
    dump.section(format!("names (sn{})", base.version.digit()));
    for (place, tag) in NAMES.into_iter().enumerate() {
        let id = entry.names[place];
        let name = base.names.get(KIND_OF[place], id);
        let meaning = match name {
            Some(name) => {
                let name = ReadOptions::default().text(name).into_owned();
                format!("{tag} is number {id}: {name:?}")
            }
            None => format!("{tag} is number {id}, which is not there"),
        };
        dump.push(Line::new(0, name.unwrap_or_default(), meaning));
    }
}

struct Guide<'a> {
    record: Record<'a>,
    offset: u64,
    options: ReadOptions,
    digit: char,
}

impl Guide<'_> {
    fn explain(&self, chess960: bool, dump: &mut Dump) {
        dump.section(format!("tags (sg{})", self.digit));
        let mut at = 0;
        let mut variant = chess960.then(|| "Chess960".to_string());
        for tag in &self.record.tags {
            let value = self.options.text(tag.value);
            let meaning = match tag.name {
                Some(name) => {
                    let name = self.options.text(name);
                    if name == "Variant" {
                        variant = Some(value.to_string());
                    }
                    format!("{name} {value:?}")
                }
                None => "a tag of which nobody knows the name".into(),
            };
            dump.push(self.line(at, tag.raw.len(), meaning));
            at += tag.raw.len();
        }
        if self.record.flags.is_some() {
            dump.push(self.line(at, 1, "end of tags".into()));
        }
        let fen = self.explain_start(dump);
        if let Some((kind, at)) = &self.record.fault {
            return dump.push(self.rest(*at, kind.to_string()));
        }
        match self.record.start(fen.as_deref(), variant.as_deref()) {
            Ok((start, pieces)) => {
                // A dump shows what a reader with the usual limits would not.
                let walker = Walker::new(&self.record, &start, &pieces, usize::MAX);
                self.explain_moves(walker, dump);
            }
            Err(kind) => dump.push(self.rest(self.record.moves, kind.to_string())),
        }
    }

    fn explain_start(&self, dump: &mut Dump) -> Option<String> {
        let (flags, at) = self.record.flags?;
        dump.section(format!("start (sg{})", self.digit));
        let start = match flags & 1 {
            0 => "usual start",
            _ => "own start",
        };
        let promotion = match flags & 6 {
            0 => "no promotions in the main line",
            2 => "promotions in the main line",
            _ => "promotions, also to less than a queen, in the main line",
        };
        dump.push(self.line(at, 1, format!("{start}, {promotion}")));
        let fen = self.options.text(self.record.fen?);
        let length = self.record.fen?.len() + 1;
        dump.push(self.line(at + 1, length, format!("FEN {fen}")));
        Some(whole_fen(&fen).into_owned())
    }

    fn explain_moves(&self, mut walker: Walker<'_>, dump: &mut Dump) {
        dump.section(format!("moves (sg{})", self.digit));
        let mut marks = 0;
        loop {
            let before = *walker.position();
            let (at, depth, pieces) = (walker.at(), walker.depth(), *walker.pieces());
            let step = match walker.step() {
                Ok(step) => step,
                Err(kind) => return dump.push(self.rest(at, kind.to_string())),
            };
            let length = walker.at() - at;
            let (meaning, san) = match step {
                Step::Move(play) => {
                    let byte = self.record.bytes[at];
                    let role = before.board().role_at(play.from());
                    let meaning = role.map(|role| match length {
                        1 => code::meaning(role, byte >> 4, byte & 15),
                        _ => format!("{role} {}, diagonally to {}", byte >> 4, play.to()),
                    });
                    debug_assert_eq!(pieces.number(before.turn(), play.from()), byte >> 4);
                    let san = before.san(play).as_str().to_string();
                    (meaning.unwrap_or_default(), Some(san))
                }
                Step::Null => ("null move".into(), Some("--".into())),
                Step::Nag(nag) => {
                    let nag = Nag(nag.into());
                    let symbol = nag.symbol().map(|symbol| format!(" ({symbol})"));
                    (format!("NAG {nag}{}", symbol.unwrap_or_default()), None)
                }
                Step::Comment => {
                    marks += 1;
                    (format!("comment {marks}"), None)
                }
                Step::Open => ("variation".into(), None),
                Step::Close => ("end of variation".into(), None),
                Step::End => ("end of the game".into(), None),
            };
            let mut line = self.line(at, length, meaning).at_depth(depth);
            if let Some(san) = san {
                line = line.with_san(format!("{} {san}", number(&before)));
            }
            dump.push(line);
            if step == Step::End {
                return self.explain_comments(&walker, marks, dump);
            }
        }
    }

    fn explain_comments(&self, walker: &Walker<'_>, marks: usize, dump: &mut Dump) {
        let bytes = self.record.bytes;
        let mut at = walker.at();
        if at == bytes.len() && marks == 0 {
            return;
        }
        dump.section(format!("comments (sg{})", self.digit));
        let mut comments = Comments::after(walker);
        for number in 1..=marks {
            let Some(text) = comments.next() else {
                return dump.push(self.rest(at, format!("comment {number} is not there")));
            };
            let length = text.len() + 1;
            let meaning = format!("comment {number}: {:?}", self.options.text(text));
            dump.push(self.line(at, length, meaning));
            at += length;
        }
        if at < bytes.len() {
            dump.push(self.rest(at, "nothing is marked to have this comment".into()));
        }
    }

    fn line(&self, at: usize, length: usize, meaning: String) -> Line {
        let bytes = self.record.bytes.get(at..at + length).unwrap_or_default();
        Line::new(self.offset.saturating_add(at as u64), bytes, meaning)
    }

    fn rest(&self, at: usize, meaning: String) -> Line {
        self.line(at, self.record.bytes.len().saturating_sub(at), meaning)
    }
}

/// `12.` or `12...`
fn number(position: &Position) -> String {
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", position.fullmove_number())
}
