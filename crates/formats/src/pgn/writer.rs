//! Events to text.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use tabiya_chess::{Color, Move, Position};
use tabiya_game::{
    Annotation, Comment, CommentPlace, Event, Flow, GameResult, GameSink, Loss, LossKind, Losses,
    Needs, ROSTER, Tags,
};

use super::{
    lexer::{BRACES_WITHIN, Lexer, Token},
    reader::is_given_rights,
    tag,
};
use crate::writing::{self, error_comment};

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// How long lines of moves may be; `None` writes the moves of a game in one line.
    pub columns: Option<usize>,
    /// Whether comments and annotations are written.
    pub comments: bool,
    /// Whether variations are written.
    pub variations: bool,
    /// Whether NAGs are written.
    pub nags: bool,
    /// Whether annotations that only another format understands are written, as commands of
    /// tabiya's own. Without this they are lost.
    pub keep_raw: bool,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            columns: Some(80),
            comments: true,
            variations: true,
            nags: true,
            keep_raw: false,
        }
    }
}

/// Writes games in the export format of the standard: the roster first, then the other tags in
/// their order, then the moves in lines of 80 columns.
///
/// ```
/// use tabiya_formats::pgn::{Parser, Writer};
///
/// let mut writer = Writer::default();
/// Parser::new("[White \"Réti\"]\n1.Nf3 d5 2.c4! {his opening} 1/2").read_game(&mut writer);
/// let text = String::from_utf8(writer.take()).unwrap();
/// assert!(text.ends_with("\n\n1. Nf3 d5 2. c4 $1 {his opening} 1/2-1/2\n\n"));
/// ```
#[derive(Debug, Default)]
pub struct Writer {
    options: WriteOptions,
    out: Vec<u8>,
    /// How many tags of the roster have been written.
    roster: usize,
    /// The tags of the game that did not come in the order of the export.
    tags: Tags,
    /// Where `*` stands as the result of a game without that tag, until its end is known.
    open_result: Option<usize>,
    /// Where the line that is being written begins.
    line_start: usize,
    /// Nothing stands in the line of moves yet, or a bracket that wants no space after it.
    glued: bool,
    /// The next move of Black needs its number, because something stands before it.
    number_due: bool,
    /// The number has been written already, before a comment.
    number_done: bool,
    /// Where the next move stands: the position before it, as far as known from the last one.
    next: Ply,
    /// The places of the lines that were left for a variation.
    open: Vec<(Ply, Ply)>,
    /// The place of the last move, to which a variation returns.
    last: Ply,
    /// No move of this line has been written yet.
    fresh: bool,
    /// A ply that was left out is to be written once it is known who moves after it.
    missing: bool,
    game: u64,
    losses: Losses,
}

/// How much room is made at most before it is needed.
const MOST_ROOM: usize = 1 << 20;

/// A move number and a side.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ply {
    number: u32,
    color: Color,
}

impl Default for Ply {
    fn default() -> Ply {
        Ply {
            number: 1,
            color: Color::White,
        }
    }
}

impl Ply {
    fn of(position: &Position) -> Ply {
        Ply {
            number: position.fullmove_number(),
            color: position.turn(),
        }
    }

    fn next(self) -> Ply {
        Ply {
            number: self.number.wrapping_add(self.color as u32),
            color: !self.color,
        }
    }
}

impl Writer {
    /// A writer with options.
    #[must_use]
    pub fn new(options: WriteOptions) -> Writer {
        Writer {
            options,
            ..Writer::default()
        }
    }

    /// What has been written since it was last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        self.line_start = 0;
        // What follows will be about as long: to grow step by step would copy it twice.
        let room = self.out.len().min(MOST_ROOM);
        std::mem::replace(&mut self.out, Vec::with_capacity(room))
    }

    /// How many bytes have been written since they were last taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing has been written since it was last taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// What could not be written; games are counted from 1 as they came.
    #[must_use]
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Takes the losses out.
    #[must_use]
    pub fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.losses)
    }

    fn lose(&mut self, kind: LossKind, what: impl Into<String>) {
        self.losses.push(Loss {
            game: self.game,
            kind,
            what: what.into(),
        });
    }

    /// Writes a tag at once if it comes in the order of the export, as most do; else keeps it.
    fn tag(&mut self, name: &str, value: &str) {
        let due = ROSTER.get(self.roster);
        if self.tags.is_empty() && due.is_none_or(|due| *due == name) {
            self.roster += usize::from(due.is_some());
            self.write_tag(name, value);
        } else {
            self.tags.push(name, value);
        }
    }

    fn write_tag(&mut self, name: &str, value: &str) {
        if !tag::can_be_named(name) {
            return self.lose(
                LossKind::Tag,
                format!("the tag {name:?}, a name that PGN has not"),
            );
        }
        if tag::write(name, value, &mut self.out) {
            self.lose(LossKind::Tag, format!("line breaks in the tag {name}"));
        }
    }

    /// Writes what is left of the roster, and then the tags that were kept.
    fn write_tags(&mut self) {
        let mut tags = std::mem::take(&mut self.tags);
        let mut written = [None; ROSTER.len()];
        for place in self.roster..ROSTER.len() {
            let mut named = tags.iter().enumerate();
            let found = named.find(|(_, (name, _))| *name == ROSTER[place]);
            let value = found.map_or(unknown(place), |(_, (_, value))| value);
            self.write_tag(ROSTER[place], value);
            if found.is_none() && ROSTER[place] == "Result" {
                // Behind it there are a quotation mark, a bracket and the end of the line.
                self.open_result = self.out.len().checked_sub(4);
            }
            written[place] = found.map(|(index, _)| index);
        }
        for (index, (name, value)) in tags.iter().enumerate() {
            if !written.contains(&Some(index)) {
                self.write_tag(name, value);
            }
        }
        tags.clear();
        self.tags = tags;
        self.out.push(b'\n');
        self.line_start = self.out.len();
        self.glued = true;
    }

    /// Makes room for a token: a space or, where the line would grow too long, a line break.
    #[inline]
    fn space_for(&mut self, length: usize) {
        if self.glued {
            self.glued = false;
            return;
        }
        let width = self.out.len() - self.line_start;
        match self.options.columns {
            Some(columns) if width + 1 + length > columns => self.break_line(),
            _ => self.out.push(b' '),
        }
    }

    fn break_line(&mut self) {
        self.out.push(b'\n');
        self.line_start = self.out.len();
    }

    #[inline]
    fn token(&mut self, token: &[u8]) {
        self.space_for(token.len());
        self.out.extend_from_slice(token);
    }

    /// The first so many bytes of a text, at most seven, with the space or line break before them in
    /// one go. To copy eight bytes and cut is quicker than to copy so many.
    #[inline(always)]
    fn short_token(&mut self, text: &[u8; 8], length: usize) {
        debug_assert!(length < 8, "there is no room for the space");
        let start = self.out.len();
        let columns = self.options.columns.unwrap_or(usize::MAX);
        let breaks = start - self.line_start >= columns.saturating_sub(length);
        let mut word = u64::from_le_bytes(*text);
        let mut end = start + length;
        if !self.glued {
            let mark = if breaks { b'\n' } else { b' ' };
            word = word << 8 | u64::from(mark);
            end += 1;
            if breaks {
                self.line_start = start + 1;
            }
        }
        self.glued = false;
        self.out.extend_from_slice(&word.to_le_bytes());
        self.out.truncate(end);
    }

    /// The number of the next move, if it needs one: always for White, for Black after a break.
    #[inline]
    fn number(&mut self, at: Ply) {
        if self.number_done {
            self.number_done = false;
            self.number_due = false;
            return;
        }
        if at.color == Color::Black && !self.number_due {
            return;
        }
        self.number_due = false;
        let Some((text, length)) = NUMBERS.get(at.number as usize) else {
            return self.large_number(at);
        };
        // Formatting a number in the usual way takes as long as SAN.
        let length = usize::from(*length);
        match at.color {
            Color::White => self.short_token(text, length),
            Color::Black => {
                let mut text = *text;
                text[length..length + 2].copy_from_slice(b"..");
                self.short_token(&text, length + 2);
            }
        }
    }

    #[inline(never)]
    fn large_number(&mut self, at: Ply) {
        let dots = match at.color {
            Color::White => ".",
            Color::Black => "...",
        };
        self.token(format!("{}{dots}", at.number).as_bytes());
    }

    /// White's number and move in one go, if they have room in the line and nothing is special
    /// about them.
    #[inline(always)]
    fn numbered(&mut self, at: Ply, text: &[u8; 8], length: usize) -> bool {
        let Some((number, digits)) = NUMBERS.get(at.number as usize) else {
            return false;
        };
        // Two spaces: before the number and before the move.
        let before = usize::from(*digits) + 2;
        let start = self.out.len();
        let end = start + before + length;
        let columns = self.options.columns.unwrap_or(usize::MAX);
        let fits = end - self.line_start <= columns;
        if at.color == Color::Black || self.number_done || self.glued || !fits {
            return false;
        }
        self.number_due = false;
        let number = u64::from_le_bytes(*number) << 8 | u64::from(b' ');
        let number = number | u64::from(b' ') << ((8 * (before - 1)) & 63);
        let play = u128::from(u64::from_le_bytes(*text)) << ((8 * before) & 127);
        let word = u128::from(number) | play;
        self.out.extend_from_slice(&word.to_le_bytes());
        self.out.truncate(end);
        true
    }

    /// Writes a ply: the first so many bytes of a text.
    #[inline]
    fn play(&mut self, before: &Position, text: &[u8; 8], length: usize) {
        let at = Ply::of(before);
        if !self.numbered(at, text, length) {
            self.number(at);
            self.short_token(text, length);
        }
        self.last = at;
        self.next = at.next();
        self.fresh = false;
    }

    #[inline]
    fn write_move(&mut self, before: &Position, play: Move) {
        let text = before.san(play);
        self.play(before, text.padded(), text.as_bytes().len());
    }

    /// Writes a ply that was left out: as a null move with a comment, so that everybody reads on,
    /// or as the comment alone if the same side moves after it.
    fn missing(&mut self, following: &Event<'_>) {
        let passes = match following {
            Event::Move { before, .. } | Event::Null { before, .. } => {
                Ply::of(before).color != self.next.color
            }
            _ => true,
        };
        if passes {
            let at = self.next;
            self.number(at);
            self.token(b"--");
            self.last = at;
            self.next = at.next();
        } else {
            self.last = self.next;
        }
        self.fresh = false;
        self.missing = false;
        self.comment_text(error_comment::MISSING);
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        if comment.language.is_some() {
            self.lose(LossKind::Language, "the language of a comment");
        }
        if comment.place == CommentPlace::Before && !self.fresh && !self.number_done {
            self.number_due = true;
            self.number(self.next);
            self.number_done = true;
        }
        self.comment_text(comment.text);
    }

    /// A comment in braces; or, where the text has braces that would close it, after a semicolon.
    fn comment_text(&mut self, text: &str) {
        if !self.number_done {
            self.number_due = true;
        }
        let text = match memchr2(b'\n', b'\r', text.as_bytes()) {
            None => Cow::Borrowed(text),
            Some(_) => {
                // No word is lost: in this format, a line ends where there is no more room.
                let what = || "line breaks in a comment became spaces".to_owned();
                self.losses.respell(self.game, what);
                // Two characters, but one break: one space.
                let text = text.replace("\r\n", " ");
                Cow::Owned(text.replace(['\n', '\r'], " "))
            }
        };
        if fits_braces(&text) {
            self.braces(&text);
        } else {
            self.semicolon(&text);
        }
    }

    fn braces(&mut self, text: &str) {
        let columns = self.options.columns.unwrap_or(usize::MAX);
        let width = self.out.len() - self.line_start;
        // Most comments are short, and need no look at their words.
        if width + text.len() + 2 < columns {
            self.space_for(text.len() + 1);
            self.out.push(b'{');
            self.out.extend_from_slice(text.as_bytes());
            self.out.push(b'}');
            return;
        }
        let mut words = CommentWords::new(text);
        let first = words.next().unwrap_or_default();
        self.space_for(first.len() + 1);
        self.out.push(b'{');
        self.out.extend_from_slice(first.as_bytes());
        for word in words {
            let width = self.out.len() - self.line_start;
            if width + 1 + word.len() >= columns && may_start_line(word) {
                self.break_line();
            } else {
                self.out.push(b' ');
            }
            self.out.extend_from_slice(word.as_bytes());
        }
        self.out.push(b'}');
    }

    fn semicolon(&mut self, text: &str) {
        self.space_for(text.len() + 1);
        self.out.push(b';');
        self.out.extend_from_slice(text.as_bytes());
        self.break_line();
        self.glued = true;
    }

    fn annotation(&mut self, annotation: &Annotation) {
        if let Annotation::Raw { format, code, .. } = annotation
            && !self.options.keep_raw
        {
            let what = format!("an annotation that only {format} understands, type {code:#04x}");
            return self.lose(LossKind::Annotation, what);
        }
        match annotation.to_command() {
            Some(command) => self.comment_text(&command),
            None => self.lose(
                LossKind::Annotation,
                "an annotation without a spelling in PGN",
            ),
        }
    }

    fn end(&mut self, result: GameResult) {
        self.token(result.token().as_bytes());
        if let Some(at) = self.open_result.take() {
            self.out.splice(at..=at, result.tag().bytes());
        }
        self.out.extend_from_slice(b"\n\n");
        self.line_start = self.out.len();
    }
}

/// `0.` to `255.`, with their lengths.
static NUMBERS: [([u8; 8], u8); 256] = {
    let mut table = [([0; 8], 0); 256];
    let mut number = 0;
    while number < table.len() {
        let digits = 1 + (number > 9) as usize + (number > 99) as usize;
        let (mut left, mut place) = (number, digits);
        while place > 0 {
            place -= 1;
            table[number].0[place] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        table[number].0[digits] = b'.';
        table[number].1 = digits as u8 + 1;
        number += 1;
    }
    table
};

/// What an export writes for a roster tag that is not known.
fn unknown(place: usize) -> &'static str {
    match ROSTER[place] {
        "Date" => "????.??.??",
        "Result" => "*",
        _ => "?",
    }
}

/// The words of a comment. Lines may be broken at any space, which is read back as one; but many
/// programs do not find a command such as `[%clk 1:30:00]` that goes on in the next line, so it is one
/// word however long it is.
struct CommentWords<'t> {
    rest: Option<&'t str>,
    /// Whether a bracket that ends a command may still come.
    closes: bool,
}

impl<'t> CommentWords<'t> {
    fn new(text: &'t str) -> CommentWords<'t> {
        CommentWords {
            rest: Some(text),
            closes: true,
        }
    }

    /// Where the command ends that a text begins with. Nobody looks twice for what is not there.
    fn end_of_command(&mut self, text: &[u8]) -> Option<usize> {
        if !self.closes || !text.starts_with(b"[%") {
            return None;
        }
        let end = memchr(b']', text);
        self.closes = end.is_some();
        end
    }
}

impl<'t> Iterator for CommentWords<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.rest?;
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b' ' => {
                    self.rest = Some(&text[at + 1..]);
                    return Some(&text[..at]);
                }
                b'[' => at += self.end_of_command(&bytes[at..]).unwrap_or(1),
                _ => at += 1,
            }
        }
        self.rest = None;
        Some(text)
    }
}

/// Whether a word of a comment may stand first in a line. An empty word is a second space, which
/// editors cut off at the end of a line; the others would look like an escape or a tag.
fn may_start_line(word: &str) -> bool {
    !matches!(
        word.as_bytes(),
        [] | [b'%', ..] | [b'[', b'A'..=b'Z' | b'a'..=b'z', ..]
    )
}

/// Whether a text in braces is read back as it is, whatever follows: it closes none, or its braces balance, and
/// not too far away. What it opens no later comment closes, for that one would stand behind a semicolon.
///
/// Others look for the first brace that closes, and many pass over what is behind a semicolon.
fn fits_braces(text: &str) -> bool {
    if memchr2(b'{', b'}', text.as_bytes()).is_none() {
        return true;
    }
    let balanced = text.bytes().try_fold(0usize, |depth, byte| match byte {
        b'{' => Some(depth + 1),
        b'}' => depth.checked_sub(1),
        _ => Some(depth),
    });
    let closes = memchr(b'}', text.as_bytes()).is_some();
    let balances = text.len() <= BRACES_WITHIN / 2 && balanced == Some(0);
    let braced = format!("{{{text}}}");
    (!closes || balances) && Lexer::new(&braced, 0).next_token() == Token::Comment(text)
}

impl GameSink for Writer {
    fn needs(&mut self) -> Needs {
        Needs::ALL
            .variations(self.options.variations)
            .notes(self.options.comments || self.options.nags)
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            // Nearly all events are moves: they need not pay for the others.
            Event::Move { before, play, .. } if !self.missing => self.write_move(before, play),
            other => self.other_event(other),
        }
        Flow::Continue
    }
}

impl Writer {
    #[inline(never)]
    fn other_event(&mut self, event: Event<'_>) {
        if self.missing {
            self.missing(&event);
        }
        match event {
            Event::Move { before, play, .. } => self.write_move(before, play),
            Event::Null { before, .. } => self.play(before, b"--\0\0\0\0\0\0", 2),
            Event::Missing => self.missing = true,
            Event::Nag(nag) => {
                if self.options.nags {
                    self.token(nag.to_string().as_bytes());
                }
            }
            Event::Comment(comment) => {
                if self.options.comments {
                    self.comment(&comment);
                }
            }
            Event::Annotation(annotation) => {
                if self.options.comments {
                    self.annotation(annotation);
                }
            }
            Event::Error(error) => self.comment_text(&error_comment::write(&error)),
            Event::VariationStart => {
                self.token(b"(");
                self.glued = true;
                self.open.push((self.next, self.last));
                self.next = self.last;
                self.fresh = true;
                self.number_due = true;
                self.number_done = false;
            }
            Event::VariationEnd => {
                let width = self.out.len() - self.line_start;
                if self.options.columns.is_some_and(|columns| width >= columns) {
                    self.break_line();
                }
                self.out.push(b')');
                self.glued = false;
                if let Some((next, last)) = self.open.pop() {
                    (self.next, self.last) = (next, last);
                }
                self.fresh = false;
                self.number_due = true;
                self.number_done = false;
            }
            Event::GameStart(_) => {
                self.game += 1;
                self.roster = 0;
                self.open_result = None;
                self.tags.clear();
                self.open.clear();
            }
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(position) => {
                self.write_tags();
                if is_given_rights(position) {
                    let what =
                        "a Chess960 start without castling rights, which is read with all of them";
                    self.lose(LossKind::Start, what);
                }
                self.next = Ply::of(position);
                self.last = self.next;
                self.fresh = true;
                self.number_due = true;
                self.number_done = false;
            }
            Event::GameEnd { result, .. } => self.end(result),
            Event::Text { title, .. } => {
                self.game += 1;
                self.lose(LossKind::Entry, format!("the text {title:?}"));
            }
            Event::Opaque { format, .. } => {
                let (kind, what) = writing::lost_entry(format);
                self.game += 1;
                self.lose(kind, what);
            }
            other => self.lose(LossKind::Unknown, writing::unknown(other)),
        }
    }
}
