//! What every byte of a record means.

use tabiya_chess::{Color, Move, Position};

use super::{
    codes,
    compact::{Compact, Token, Tokens},
    decode::{MAX_OPEN, Scope, StoredGame},
    error::ErrorKind,
    record::{HEAD_LENGTH, Record, Start},
    setup::SETUP_LENGTH,
    simple::Simple,
    state::{State, Stop},
};
use tabiya_formats::dump::{Dump, Line};

/// Explains the record at the start of some bytes, which stand at an offset in their file.
///
/// ```
/// use tabiya_chessbase::moves::explain;
///
/// let dump = explain(&[0, 0, 0, 6, 0xff, 0x0d], 26);
/// let moves = &dump.sections[1].lines;
/// assert_eq!(moves[0].meaning, "code 128: pawn 5, two steps");
/// assert_eq!(moves[0].san.as_deref(), Some("1. e4"));
/// assert_eq!(moves[1].meaning, "code 255: end of line, end of game");
/// ```
#[must_use]
pub fn explain(bytes: &[u8], offset: u64) -> Dump {
    let mut dump = Dump::new("record");
    let record = match Record::new(bytes) {
        Ok(record) => record,
        Err(error) => {
            let head = &bytes[..bytes.len().min(HEAD_LENGTH)];
            dump.push(Line::new(offset, head, error.kind.to_string()));
            return dump;
        }
    };
    let stored = record.bytes();
    dump.push(Line::new(offset, &stored[..1], describe_flags(&record)));
    let size = format!("length {}", record.size());
    dump.push(Line::new(offset + 1, &stored[1..HEAD_LENGTH], size));
    let mut game = StoredGame::default();
    // Reading finds the castling rights that the game needs; its errors come up again below.
    let _ = game.read(stored, Scope::All);
    match record.start() {
        Ok(start) => {
            explain_start(&record, &start, offset, &mut dump);
            explain_moves(&record, &start, game.start(), offset, &mut dump);
        }
        Err(error) => {
            let at = error.offset.max(HEAD_LENGTH).min(stored.len());
            let rest = &stored[at..];
            dump.push(Line::new(offset + at as u64, rest, error.kind.to_string()));
        }
    }
    dump
}

fn describe_flags(record: &Record<'_>) -> String {
    let text = if record.is_text() { "text flag, " } else { "" };
    let start = if record.has_start() {
        "stored start, "
    } else {
        ""
    };
    match record.mode() {
        Ok(mode) => {
            let encoder = if mode.is_simple() {
                "simple"
            } else {
                "compact"
            };
            let (number, variant) = (mode.number(), mode.variant());
            format!("{text}{start}mode {number}: {variant}, {encoder} encoder")
        }
        Err(error) => format!("{text}{start}{error}"),
    }
}

fn explain_start(record: &Record<'_>, start: &Start, offset: u64, dump: &mut Dump) {
    if start.stream == HEAD_LENGTH {
        return;
    }
    dump.section("start");
    let bytes = &record.bytes()[..start.stream];
    let mut push = |from: usize, to: usize, meaning: String| {
        dump.push(Line::new(offset + from as u64, &bytes[from..to], meaning));
    };
    let mut at = HEAD_LENGTH;
    if record.has_start() {
        let (head, castling) = (bytes[at + 1], bytes[at + 2]);
        push(at, at + 1, "always 1".into());
        push(at + 1, at + 2, describe_turn(head));
        push(at + 2, at + 3, describe_castling(castling));
        push(at + 3, at + 4, format!("next move {}", bytes[at + 3]));
        push(
            at + 4,
            at + SETUP_LENGTH,
            start.position.board().to_string(),
        );
        at += SETUP_LENGTH;
    }
    if let Some(block) = start.chess960 {
        push(at, at + 1, format!("white king {}", block.kings[0]));
        push(at + 1, at + 2, format!("black king {}", block.kings[1]));
        push(at + 2, at + 3, format!("white rook {}", block.h_rooks[0]));
        push(at + 3, at + 4, format!("white rook {}", block.a_rooks[0]));
        if let Some(number) = block.number {
            push(at + 4, at + 5, format!("black rook {}", block.h_rooks[1]));
            push(at + 5, at + 6, format!("black rook {}", block.a_rooks[1]));
            push(at + 6, at + 8, format!("start position {number}"));
        }
    }
}

fn describe_turn(head: u8) -> String {
    let turn = if head & 16 == 0 {
        Color::White
    } else {
        Color::Black
    };
    match head & 15 {
        0 => format!("{turn} to move"),
        file @ 1..=8 => {
            let file = tabiya_chess::File::from_index(file - 1);
            format!("{turn} to move, en passant on the {file}-file")
        }
        file => format!("{turn} to move, en-passant file {file} means nothing"),
    }
}

fn describe_castling(bits: u8) -> String {
    let names = ["White long", "White short", "Black long", "Black short"];
    let rights = names.iter().enumerate();
    let held: Vec<&str> = rights
        .filter(|(bit, _)| bits >> bit & 1 == 1)
        .map(|(_, name)| *name)
        .collect();
    match held.is_empty() {
        true => "no castling".into(),
        false => format!("castling: {}", held.join(", ")),
    }
}

fn explain_moves(
    record: &Record<'_>,
    start: &Start,
    position: &Position,
    offset: u64,
    dump: &mut Dump,
) {
    dump.section("moves");
    let stream = &record.bytes()[start.stream..];
    let (cipher, reversed) = (start.mode.cipher(), start.mode.is_reversed());
    let mut guide = Guide {
        stream,
        simple: start.mode.is_simple(),
        offset: offset + start.stream as u64,
        state: State::new(position, reversed && !start.mode.is_simple()),
        depth: 0,
        returned: false,
        open: Vec::new(),
        dump,
    };
    match start.mode.is_simple() {
        false => guide.explain(Compact::new(stream, cipher)),
        true => guide.explain(Simple::new(stream, cipher, reversed)),
    }
}

/// Walks through a stream and says what it sees.
struct Guide<'a> {
    stream: &'a [u8],
    simple: bool,
    offset: u64,
    state: State,
    depth: usize,
    /// A line has just ended: the next move is another one from a position that was kept.
    returned: bool,
    /// The positions that are kept, with the depth of what comes from them.
    open: Vec<(State, usize)>,
    dump: &'a mut Dump,
}

impl Guide<'_> {
    fn explain<T: Tokens>(&mut self, mut tokens: T) {
        while let Some(token) = tokens.next() {
            let (from, to) = (tokens.token_start(), self.stream.len() - tokens.left());
            let before = self.state.position;
            let line = Line::new(self.offset + from as u64, &self.stream[from..to], "");
            let mut line = line.at_depth(self.depth);
            let told = match self.act(token) {
                Ok(told) => told,
                Err(kind) => {
                    line.bytes = self.stream[from..].to_vec();
                    line.meaning = format!("{}: {kind}", kind.name());
                    return self.push(line);
                }
            };
            line.meaning = told.meaning;
            line.san = told.play.map(|play| numbered(&before, play));
            self.push(line);
            if told.ends {
                return self.explain_trailing(to);
            }
        }
    }

    /// Adds a line, or what it says to the line of the same bytes.
    fn push(&mut self, line: Line) {
        let last = self
            .dump
            .sections
            .last_mut()
            .and_then(|section| section.lines.last_mut());
        match last {
            Some(last) if last.offset == line.offset => {
                last.meaning = format!("{}; {}", last.meaning, line.meaning);
                last.san = last.san.take().or(line.san);
                last.bytes = line.bytes;
            }
            _ => self.dump.push(line),
        }
    }

    fn act(&mut self, token: Token) -> Result<Told, ErrorKind> {
        let played = match token {
            Token::Step(code) => {
                let play = self.state.step(code);
                play.ok_or_else(|| self.state.step_error(code).into())
            }
            Token::Castling { h_side } => self.state.castle(h_side),
            Token::Word(word) => self.state.word(word),
            Token::Null => {
                self.state.pass();
                self.moved();
                return Ok(Told::new(describe(token, self.simple)));
            }
            Token::Push if self.open.len() == MAX_OPEN => {
                return Err(ErrorKind::NestingTooDeep { limit: MAX_OPEN });
            }
            Token::Push => {
                let depth = self.depth + usize::from(!self.returned);
                self.open.push((self.state, depth));
                return Ok(Told::new(describe(token, self.simple)));
            }
            Token::Pop => return Ok(self.pop()),
            Token::Padding(_) => return Ok(Told::new(describe(token, self.simple))),
            Token::Cut => {
                return Err(ErrorKind::TruncatedGame {
                    expected: 2,
                    found: 1,
                });
            }
        };
        let play = played.map_err(|stop| match stop {
            Stop::Error(kind) => kind,
            Stop::MissingRight(play) => self.state.illegal(play),
        })?;
        self.moved();
        Ok(Told {
            play: Some(play),
            ..Told::new(describe(token, self.simple))
        })
    }

    fn moved(&mut self) {
        self.state.plies += 1;
        self.returned = false;
    }

    fn pop(&mut self) -> Told {
        let mut told = Told::new(describe(Token::Pop, self.simple));
        match self.open.pop() {
            Some((state, depth)) => {
                (self.state, self.depth) = (state, depth);
                self.returned = true;
            }
            None => {
                told.meaning += ", end of game";
                told.ends = true;
            }
        }
        told
    }

    fn explain_trailing(&mut self, from: usize) {
        if from < self.stream.len() {
            let at = self.offset + from as u64;
            let meaning = "after the end, ignored";
            self.dump.push(Line::new(at, &self.stream[from..], meaning));
        }
    }
}

/// What a token is.
struct Told {
    meaning: String,
    play: Option<Move>,
    ends: bool,
}

impl Told {
    fn new(meaning: String) -> Told {
        Told {
            meaning,
            play: None,
            ends: false,
        }
    }
}

/// A token of the compact encoder is a code, one of the simple encoder a part of a word.
fn describe(token: Token, simple: bool) -> String {
    let code = match token {
        Token::Step(code) | Token::Padding(code) => code,
        Token::Castling { h_side: true } => codes::SHORT,
        Token::Castling { h_side: false } => codes::LONG,
        Token::Word(_) | Token::Cut => codes::WORD,
        Token::Null => codes::NULL,
        Token::Push => codes::PUSH,
        Token::Pop => codes::POP,
    };
    let mut meaning = match token {
        Token::Word(word) => {
            let bits = word.0 >> 12 & 3;
            format!("{} to {}, promotion bits {bits}", word.from(), word.to())
        }
        _ => codes::describe(code),
    };
    if !simple {
        meaning.insert_str(0, &format!("code {code}: "));
    }
    meaning
}

/// A move with its number: `12... Qxd5`.
fn numbered(before: &Position, play: Move) -> String {
    let dots = match before.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots} {}", before.fullmove_number(), before.san(play))
}
