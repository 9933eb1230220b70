//! What every byte of a stream means.

use tabiya_chess::{Color, Move, Position, Role};

use super::{
    Profile, code,
    error::ErrorKind,
    line::Line,
    playable::is_playable,
    reader::by_squares,
    scan::{Code, Scanner},
    store::{self, Data},
    text,
};
use crate::{
    dump::{self, Dump},
    stream::Streams,
};

/// Explains a stream that starts from a position.
pub(super) fn explain(profile: Profile, streams: &Streams, start: &Position) -> Dump {
    let mut guide = Guide {
        profile,
        dump: Dump::new("moves"),
        texts: Vec::new(),
        scan: Scanner::new(profile, &streams.main, &streams.texts),
        line: Line::new(start),
        open: Vec::new(),
        spoiled: None,
    };
    guide.all();
    guide.finish(streams)
}

struct Guide<'a> {
    profile: Profile,
    dump: Dump,
    texts: Vec<dump::Line>,
    scan: Scanner<'a>,
    line: Line,
    open: Vec<Line>,
    /// The depth at which a move could not be played: what follows it there is not known.
    spoiled: Option<usize>,
}

impl<'a> Guide<'a> {
    fn all(&mut self) {
        loop {
            match self.scan.next() {
                Ok(Code::End) => return self.say("end of data"),
                Ok(code) => self.explain(code),
                Err(kind) if kind.is_fatal() => {
                    self.scan.give_up();
                    return self.say_error(kind);
                }
                Err(kind) => self.say_error(kind),
            }
        }
    }

    fn explain(&mut self, code: Code<'a>) {
        let (position, pieces) = (&self.line.position, &self.line.pieces);
        match code {
            Code::Move(code) => {
                let play = code::decode_move(self.profile, code, position, pieces);
                self.play(&move_meaning(code), play);
            }
            Code::Long(code, second) => {
                let (us, board) = (position.turn(), position.board());
                let play = code::decode_long(self.profile, code, second, us, board, pieces);
                let from = play.ok().map(Move::from);
                let role = from.and_then(|from| position.board().role_at(from));
                self.play(&long_meaning(code, second, role), play);
            }
            Code::Squares(squares) => self.play("move by squares", by_squares(squares)),
            Code::Null => self.pass("null move", "--"),
            Code::Missing => self.pass("ply left out", "..."),
            Code::Nag(nag) => {
                let nag = tabiya_game::Nag(nag);
                let symbol = nag.symbol().map(|symbol| format!(" ({symbol})"));
                self.say(format!("NAG {nag}{}", symbol.unwrap_or_default()));
            }
            Code::Result(result) => self.say(format!("result {result}")),
            Code::Text(marker, bytes) => self.text(marker, bytes),
            Code::Comment(place, language, bytes) => {
                let place = store::comment_place(place);
                let language = store::language(language).flatten().unwrap_or("no");
                let text = String::from_utf8_lossy(bytes);
                self.say(format!("comment {place:?}, {language} language: {text:?}"));
            }
            Code::Data(kind, payload) => self.data(kind, payload),
            Code::Open => self.open_variation(),
            Code::Close => self.close_variation(),
            Code::Nothing => self.say("reserved, passed over"),
            Code::End => {}
        }
    }

    fn play(&mut self, meaning: &str, play: Result<Move, ErrorKind>) {
        if self.spoiled.is_some() {
            return self.say(meaning);
        }
        let play = match play {
            Ok(play) if is_playable(&self.line.position, play) => play,
            Ok(play) => return self.spoil(meaning, ErrorKind::IllegalMove { play }),
            Err(kind) => return self.spoil(meaning, kind),
        };
        let legal = self.line.position.is_legal(play);
        let san = self.line.position.san(play);
        let remark = if legal { "" } else { ", not legal" };
        let line = self.next_line(format!("{meaning}{remark}"));
        let number = number(&self.line.position);
        self.dump.push(line.with_san(format!("{number} {san}")));
        self.line.play(play);
    }

    fn pass(&mut self, meaning: &str, san: &str) {
        let number = number(&self.line.position);
        let line = self.next_line(meaning.into());
        self.dump.push(line.with_san(format!("{number} {san}")));
        self.line.pass();
    }

    fn spoil(&mut self, meaning: &str, kind: ErrorKind) {
        self.spoiled = Some(self.open.len());
        self.say(format!("{meaning}: {kind}; what follows is not played"));
    }

    fn text(&mut self, marker: u8, bytes: &[u8]) {
        let what = super::error_of(marker).map_or("comment", |(_, message)| message);
        let text = match text::decode(bytes, true) {
            Some(text) => format!("{text:?}"),
            None => ErrorKind::BadText.to_string(),
        };
        if self.profile != Profile::Program {
            return self.say(format!("{what}: {text}"));
        }
        self.say(format!("{what}, text {}", self.texts.len() + 1));
        let (at, bytes) = self.scan.text();
        let line = dump::Line::new(at as u64, bytes, text);
        self.texts.push(line.at_depth(self.open.len()));
    }

    fn data(&mut self, kind: u8, payload: &[u8]) {
        let Some(data) = store::decode(kind, payload) else {
            return self.say_error(ErrorKind::BadData { kind });
        };
        let meaning = match data {
            Data::Annotation(annotation) => annotation
                .to_command()
                .unwrap_or_else(|| format!("{annotation:?}")),
            Data::Error(error) => format!(
                "{} at {}: {}, {:?}",
                error.kind, error.place, error.message, error.raw
            ),
            Data::Comment(place, language, text) => {
                format!("comment {place:?}, {language} language: {text:?}")
            }
            Data::Position(setup) => match self.line.jump(&setup) {
                true => format!("goes on from {setup}"),
                false => ErrorKind::BadData { kind }.to_string(),
            },
            Data::Forfeit => "the result is a forfeit".into(),
            Data::State(state) => format!("the game is {state:?}"),
            Data::Rules(variant) => match self.line.follow_rules(variant) {
                true => format!("the rules of {variant}"),
                false => ErrorKind::BadData { kind }.to_string(),
            },
        };
        self.say(meaning);
    }

    fn open_variation(&mut self) {
        let at_start = self.line.fresh && self.profile != Profile::Store;
        let fault = match at_start && self.spoiled.is_none() {
            true => format!(": {}", ErrorKind::VariationAtStart),
            false => String::new(),
        };
        self.say(format!("variation{fault}"));
        let branch = self.line.branch();
        self.open.push(std::mem::replace(&mut self.line, branch));
    }

    fn close_variation(&mut self) {
        let Some(outer) = self.open.pop() else {
            return self.say_error(ErrorKind::VariationUnderflow);
        };
        self.line = outer;
        if self.spoiled.is_some_and(|depth| depth > self.open.len()) {
            self.spoiled = None;
        }
        self.say("end of variation");
    }

    fn next_line(&self, meaning: String) -> dump::Line {
        let at = self.scan.start() as u64;
        dump::Line::new(at, self.scan.bytes(), meaning).at_depth(self.open.len())
    }

    fn say(&mut self, meaning: impl Into<String>) {
        let line = self.next_line(meaning.into());
        self.dump.push(line);
    }

    fn say_error(&mut self, kind: ErrorKind) {
        self.say(format!("error {}: {kind}", kind.name()));
    }

    /// What stands behind the end of data, and the texts.
    fn finish(mut self, streams: &Streams) -> Dump {
        if !self.open.is_empty() {
            self.dump.push(dump::Line::new(
                streams.main.len() as u64,
                [],
                format!("error UnclosedVariation: {}", ErrorKind::UnclosedVariation),
            ));
        }
        let (main, _) = self.scan.rest();
        if !main.is_empty() {
            let bytes = main.len();
            let kind = ErrorKind::TrailingData { bytes };
            let at = (streams.main.len() - bytes) as u64;
            let meaning = format!("error {}: {kind}", kind.name());
            self.dump.push(dump::Line::new(at, main, meaning));
        }
        if streams.texts.is_empty() {
            return self.dump;
        }
        self.dump.section("texts");
        let mut at = 0;
        for line in self.texts {
            at += line.bytes.len();
            self.dump.push(line);
        }
        let texts = &streams.texts[at..];
        if !texts.is_empty() {
            let bytes = texts.len();
            let kind = ErrorKind::TextLeftOver { bytes };
            let meaning = format!("error {}: {kind}", kind.name());
            self.dump.push(dump::Line::new(at as u64, texts, meaning));
        }
        self.dump
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

fn move_meaning(code: u8) -> String {
    match code {
        code::CASTLE_H => "castling towards the h-file".into(),
        code::CASTLE_A => "castling towards the a-file".into(),
        _ => {
            let (slot, offset) = code::piece_of(code);
            let (role, index) = (slot.role(), slot.number());
            let meaning = code::offset_meaning(role, offset);
            match role {
                Role::King | Role::Queen => format!("{role}, {meaning}"),
                _ => format!("{role} {index}, {meaning}"),
            }
        }
    }
}

fn long_meaning(code: u8, second: u8, role: Option<Role>) -> String {
    let index = code & 7;
    if code < code::PROMOTED {
        let meaning = code::offset_meaning(Role::Pawn, second >> 2 & 3);
        return format!("pawn {index}, {meaning}, promotes");
    }
    match role {
        Some(role) => {
            let meaning = code::offset_meaning(role, second & 31);
            format!("{role} that was pawn {index}, {meaning}")
        }
        None => format!("piece that was pawn {index}, offset {}", second & 31),
    }
}
