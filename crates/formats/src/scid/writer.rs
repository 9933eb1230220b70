//! Events to games of a database.

use tabiya_chess::{Bitboard, Move, Position, Setup, Variant, Warning};
use tabiya_game::{
    Annotation, Comment, CommentPlace, Event, Flow, GameError, GameErrorKind, GameResult, GameSink,
    GameState, LossKind, Losses, Nag, Needs,
};

use super::{
    Version,
    derived::Derived,
    error::ErrorKind,
    game::{BLOCK, MOST_NAGS, SETUP, pieces::Pieces, writer::MoveWriter},
    header::{Header, Kept},
    index::fields::flags,
    info::{Information, KEYS},
    pending::{NewGames, Pending, RECORDS},
    start::{castles_elsewhere, is_readable},
};
use crate::{
    GameWriter, Records, pgn,
    writing::{Ledger, Wishes, error_comment, unknown},
};

/// Writes each game with all that the index says of it; a [`Builder`](super::Builder) gives names
/// their numbers and games their places.
///
/// A ply has one comment: several are joined. A comment before a move other than the first of its
/// line becomes one after the move before, and what is said after a variation stands before it.
/// Annotations and errors become comments, which are read back as what they were. Glyphs are kept
/// in their order, up to seven a move; those before the first move of a line become its glyphs.
///
/// ```
/// use tabiya_formats::{pgn::Parser, scid::{Version, Writer}};
/// use tabiya_game::LossKind;
///
/// let mut writer = Writer::new(Version::Si4);
/// Parser::new("1. e4 {a} {b} e5 *").read_game(&mut writer);
/// assert!(!writer.take().is_empty());
/// let lost: Vec<LossKind> = writer.take_losses().iter().map(|(kind, ..)| kind).collect();
/// assert_eq!(lost, [LossKind::Comment]);
/// ```
#[derive(Debug)]
pub struct Writer {
    version: Version,
    games: NewGames,
    /// What the game loses, while it is being written.
    ledger: Ledger,
    /// What earlier games lost.
    losses: Losses,
    header: Header,
    start: Position,
    /// The start as text, if the game has its own.
    fen: Option<String>,
    moves: MoveWriter,
    derived: Derived,
    /// Somebody castles.
    castled: bool,
    /// The depth at which a ply was left out: what follows it in its line cannot be written.
    cut: Option<usize>,
    /// Something in the game could not be read.
    broken: bool,
    /// Why the game cannot be written.
    refusal: Option<(LossKind, String)>,
    /// Room for the record of a game.
    record: Vec<u8>,
}

impl Writer {
    /// A writer of games for a version. Version 3 is written as version 4.
    #[must_use]
    pub fn new(version: Version) -> Writer {
        Writer {
            version,
            games: NewGames::new(version),
            ledger: Ledger::default(),
            losses: Losses::default(),
            header: Header::default(),
            start: Position::initial(),
            fen: None,
            moves: MoveWriter::new(),
            derived: Derived::new(),
            castled: false,
            cut: None,
            broken: false,
            refusal: None,
            record: Vec::new(),
        }
    }

    /// Says what is wanted of games, besides their moves.
    #[must_use]
    pub fn with_wishes(mut self, wishes: Wishes) -> Writer {
        self.ledger.wishes = wishes;
        self
    }

    /// How many games and texts have been written since they were last taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether nothing has been written since it was last taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The games that have been written since they were last taken.
    #[must_use]
    pub fn take(&mut self) -> NewGames {
        std::mem::replace(&mut self.games, NewGames::new(self.version))
    }

    /// What could not be written since this was last asked; games are counted from 1 as they came.
    #[must_use]
    pub fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.losses)
    }

    fn start_game(&mut self) {
        self.ledger.start_game();
        self.header.clear();
        self.begin(Position::initial(), Pieces::USUAL);
        self.fen = None;
        self.castled = false;
        self.cut = None;
        self.broken = false;
        self.refusal = None;
    }

    fn begin(&mut self, start: Position, pieces: Pieces) {
        self.start = start;
        self.moves.start(pieces);
        self.derived.start(&start);
    }

    fn tag(&mut self, name: &str, value: &str) {
        let kept = self.header.tag(self.version, name, value);
        self.enter_tag(kept, name);
    }

    fn enter_tag(&mut self, kept: Kept, name: &str) {
        let short = || -> String { name.chars().take(40).collect() };
        match kept {
            Kept::Whole => {}
            Kept::Respelled => {
                let what = || format!("the tag {} is spelled in another way", short());
                self.ledger.respell(what);
            }
            Kept::Lost => {
                let what = || format!("the tag {}: there is no room for it", short());
                self.ledger.lose(LossKind::Tag, what);
            }
        }
    }

    fn refuse(&mut self, kind: LossKind, what: impl Into<String>) -> Flow {
        self.refusal = Some((kind, what.into()));
        Flow::SkipGame
    }

    fn position(&mut self, start: &Position) -> Flow {
        let kept = self.header.finish(self.version);
        self.enter_tag(kept, "EventDate");
        if start.variant() == Variant::Antichess {
            return self.refuse(LossKind::Start, "the game: antichess has no place in Scid");
        }
        let setup = start.to_setup();
        if self.header.fen.is_none() && setup == Setup::INITIAL {
            self.begin(*start, Pieces::USUAL);
            return Flow::Continue;
        }
        let mut warnings = setup.warnings().into_iter();
        if let Some(warning) =
            warnings.find(|warning| matches!(warning, Warning::OppositeCheck { .. }))
        {
            return self.refuse(LossKind::Start, format!("the game: {warning}"));
        }
        let Some(pieces) = Pieces::deal(start.board()) else {
            return self.refuse(LossKind::Start, "the game: a side has more than 16 pieces");
        };
        self.begin(*start, pieces);
        self.derived.set_up();
        Flow::Continue
    }

    /// Decides how the start is written. That waits until the end of the game, because a right to
    /// castle that the tag denies is needed only if somebody castles.
    fn settle_start(&mut self) {
        let mut setup = self.start.to_setup();
        let tag = self.header.fen.as_deref();
        let denied = tag.is_some_and(|fen| fen.split(' ').nth(2) == Some("-"));
        if denied && !self.castled {
            setup.castling_rooks = Bitboard::EMPTY;
        }
        if self.derived.flags() & flags::SETUP != 0 {
            let canonical = setup.to_string();
            let fen = match tag {
                Some(tag) if is_readable(tag, &canonical) => tag.to_owned(),
                Some(_) => {
                    self.enter_tag(Kept::Respelled, "FEN");
                    canonical
                }
                None => canonical,
            };
            self.fen = Some(fen);
        }
        self.settle_variant(castles_elsewhere(&setup));
    }

    fn settle_variant(&mut self, chess960: bool) {
        let named = self.header.variant.is_some();
        self.header.entry.chess960 = chess960;
        if chess960 && self.version != Version::Si5 {
            let what = format!("the game: {}", ErrorKind::Chess960);
            self.refuse(LossKind::Start, what);
        } else if chess960 && !named {
            // The reader will say it: the index knows.
            self.ledger
                .lose(LossKind::Tag, || "that there was no tag Variant".into());
        } else if !named && self.start.variant() == Variant::Chess960 {
            let kept = self.header.extra("Variant", "Chess960");
            self.enter_tag(kept, "Variant");
        }
    }

    #[inline]
    fn play(&mut self, before: &Position, play: Move) {
        self.castled |= before.is_castling(play);
        if self.moves.waiting() > 0 {
            self.misplace_waiting();
        }
        self.moves.play(before, play);
        if self.moves.depth() == 0 {
            self.derived.play(before, play);
        }
    }

    /// The glyphs before the first move of a line get that move.
    #[cold]
    fn misplace_waiting(&mut self) {
        for _ in 0..self.moves.waiting() {
            self.ledger.lose(LossKind::Nag, || {
                "that a NAG stood before the first move of a line".into()
            });
        }
    }

    fn pass(&mut self) {
        self.misplace_waiting();
        self.moves.pass();
        if self.moves.depth() == 0 {
            self.derived.pass();
        }
    }

    fn nag(&mut self, Nag(nag): Nag) {
        let place = match (self.moves.is_fresh(), self.moves.is_varied()) {
            // Whether there is a move shows when the line ends.
            (true, _) => None,
            (_, true) => Some("after a variation, not before it"),
            _ => None,
        };
        let written = u8::try_from(nag).is_ok_and(|nag| self.moves.nag(nag));
        match (written, place) {
            (true, None) => {}
            (true, Some(place)) => self
                .ledger
                .lose(LossKind::Nag, || format!("that a NAG stood {place}")),
            (false, _) => self.ledger.lose(LossKind::Nag, || match nag {
                256.. => format!("the NAG ${nag}: they end with $255"),
                _ => format!("the NAG ${nag}: a move has at most {MOST_NAGS}"),
            }),
        }
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        if let Some(language) = comment.language {
            self.ledger.lose(LossKind::Language, || {
                format!("the language of a comment, {language}")
            });
        }
        let usual = match self.moves.is_fresh() {
            true => CommentPlace::Before,
            false => CommentPlace::After,
        };
        if comment.place != usual && !self.moves.is_varied() {
            self.ledger.lose(LossKind::CommentPlace, || {
                "whether a comment stands before or after a move".into()
            });
        }
        self.text(comment.text);
    }

    /// Writes a comment; returns whether it stands alone.
    fn text(&mut self, text: &str) -> bool {
        let plain: String;
        let text = match text.contains('\0') {
            true => {
                self.ledger
                    .lose(LossKind::Comment, || "zeros in a comment".into());
                plain = text.replace('\0', "");
                &plain
            }
            false => text,
        };
        if text.is_empty() {
            self.ledger
                .lose(LossKind::Comment, || "an empty comment".into());
            return false;
        }
        if self.moves.is_varied() {
            self.ledger.lose(LossKind::CommentPlace, || {
                "that a comment stood after a variation, not before it".into()
            });
        }
        let first = self.moves.first_text();
        let alone = first.is_none();
        let was_error = first.is_some_and(|text| str::from_utf8(text).is_ok_and(is_error));
        if was_error && !self.moves.has_several_texts() {
            self.ledger
                .lose(LossKind::Error, || "that a comment was an error".into());
        }
        if !alone {
            self.ledger.lose(LossKind::Comment, || {
                "that several comments on a move were apart".into()
            });
        }
        self.moves.comment(text);
        alone
    }

    fn annotation(&mut self, annotation: &Annotation) {
        match annotation.to_command() {
            Some(command) => {
                self.text(&command);
            }
            None => self.ledger.lose(LossKind::Annotation, || {
                "an annotation that has no spelling".into()
            }),
        }
    }

    fn error(&mut self, error: &GameError<'_>) -> Flow {
        if let GameErrorKind::BadStart | GameErrorKind::UnknownVariant = error.kind {
            return self.refuse(LossKind::Start, format!("the game: {}", error.message));
        }
        self.broken = true;
        if !self.text(&error_comment::write(error)) {
            self.ledger.lose_error(error);
        }
        Flow::Continue
    }

    fn missing(&mut self) {
        self.ledger
            .lose(LossKind::Move, || "what follows a ply left out".into());
        self.cut = Some(self.moves.depth());
    }

    fn open_variation(&mut self) -> Flow {
        if self.moves.is_fresh() {
            let what = || ErrorKind::VariationAtStart.to_string();
            self.ledger.lose_variation(what);
            return Flow::Continue;
        }
        self.derived.variations += 1;
        self.moves.open();
        Flow::Continue
    }

    fn close_variation(&mut self) {
        if self.cut == Some(self.moves.depth()) {
            self.cut = None;
        }
        if self.moves.depth() > 0 {
            self.end_line();
        }
        if !self.moves.close() {
            self.ledger.lose(LossKind::Variation, || {
                ErrorKind::VariationUnderflow.to_string()
            });
        }
    }

    /// A line ends. Glyphs that waited for its first move are lost if there is none.
    fn end_line(&mut self) {
        for _ in 0..self.moves.waiting() {
            self.ledger
                .lose(LossKind::Nag, || "a NAG in a line that has no moves".into());
        }
    }

    fn end_game(&mut self, result: GameResult, state: GameState) {
        while self.moves.depth() > 0 {
            self.close_variation();
        }
        self.end_line();
        if self.refusal.is_none() {
            self.settle_start();
        }
        let mut record = std::mem::take(&mut self.record);
        self.write_record(&mut record);
        if record.len() >= BLOCK && self.refusal.is_none() {
            let kind = ErrorKind::RecordTooLong(record.len());
            self.refuse(LossKind::Move, format!("the game: {kind}"));
        }
        if let Some((kind, what)) = self.refusal.take() {
            // The whole game is lost, not this and that of it.
            self.ledger.losses = Losses::default();
            self.ledger.lose(kind, || what);
        } else {
            self.end_losses(result, state);
            self.put(result, &record);
        }
        self.record = record;
        self.losses.append(std::mem::take(&mut self.ledger.losses));
    }

    /// The record of the game, in place of that of another.
    fn write_record(&mut self, record: &mut Vec<u8>) {
        record.clear();
        record.extend_from_slice(&self.header.extra);
        record.push(0);
        record.push(self.derived.flags() as u8);
        if let Some(fen) = &self.fen {
            debug_assert_ne!(self.derived.flags() as u8 & SETUP, 0);
            record.extend_from_slice(fen.as_bytes());
            record.push(0);
        }
        self.moves.finish(record);
    }

    fn end_losses(&mut self, result: GameResult, state: GameState) {
        let stored: GameResult = result.token().parse().unwrap_or_default();
        let termination = self.header.termination.as_deref();
        let told = pgn::result_of(
            stored,
            Some(stored),
            termination.is_some_and(pgn::is_forfeit),
        );
        if told != result {
            self.ledger
                .lose(LossKind::Result, || format!("the result {}", result.tag()));
        }
        if let Some(tag) = &self.header.result {
            let kept = Kept::of("Result", tag, stored.token());
            self.enter_tag(kept, "Result");
        }
        if state == GameState::Broken && !self.broken {
            self.ledger
                .lose(LossKind::Error, || "that the game is broken".into());
        }
    }

    fn put(&mut self, result: GameResult, record: &[u8]) {
        let mut entry = self.header.entry;
        entry.result = result;
        (self.derived.nags, self.derived.comments) = self.moves.counts();
        self.derived.fill(&mut entry);
        let names = self.header.names.each_ref();
        self.games.push(&Pending::Game {
            entry,
            names: names.map(|name| name.as_deref().unwrap_or_default().as_bytes()),
            record,
        });
    }

    /// A text about the database: description and names of flags have a place.
    fn database_text(&mut self, event: Event<'_>) -> Flow {
        let flow = match event {
            Event::Text {
                title: key,
                language: None,
                text,
                ..
            } if KEYS.contains(&key)
                && !text.contains('\0')
                && Information::fits(self.version, key, text.as_bytes()) =>
            {
                self.ledger.start_game();
                let (key, value) = (key.as_bytes(), text.as_bytes());
                self.games.push(&Pending::Text { key, value });
                Flow::Continue
            }
            other => self.ledger.enter(other),
        };
        self.losses.append(std::mem::take(&mut self.ledger.losses));
        flow
    }
}

/// Whether a comment stands for an error.
fn is_error(comment: &str) -> bool {
    error_comment::read(comment).is_some()
}

impl GameSink for Writer {
    fn needs(&mut self) -> Needs {
        self.ledger.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            // Nearly all events are moves: they need not pay for the others.
            Event::Move { before, play, .. }
                if self.cut.is_none() && self.refusal.is_none() && !self.ledger.is_losing() =>
            {
                self.play(before, play);
                Flow::Continue
            }
            other => self.other_event(other),
        }
    }
}

impl Writer {
    #[inline(never)]
    fn other_event(&mut self, event: Event<'_>) -> Flow {
        if self.ledger.takes(&event) {
            return Flow::Continue;
        }
        let wishes = self.ledger.wishes;
        match event {
            Event::GameStart(_) => self.start_game(),
            Event::Tag { name, value } => self.tag(name, value),
            Event::GameEnd { result, state } => self.end_game(result, state),
            Event::Text { .. } | Event::Opaque { .. } => return self.database_text(event),
            _ if self.refusal.is_some() => return Flow::SkipGame,
            Event::Start(position) => return self.position(position),
            Event::VariationEnd => self.close_variation(),
            // It is part of what follows the ply that was left out.
            Event::Missing if self.cut.is_some() => {}
            Event::Error(error) if self.cut.is_some() => {
                self.broken = true;
                self.ledger.lose_error(&error);
            }
            _ if self.cut.is_some() => return self.ledger.enter_and_hear(event),
            Event::Move { before, play, .. } => self.play(before, play),
            Event::Null { .. } => self.pass(),
            Event::Missing => self.missing(),
            Event::VariationStart => return self.open_variation(),
            Event::Error(error) => return self.error(&error),
            Event::Nag(nag) if wishes.nags => self.nag(nag),
            Event::Comment(comment) if wishes.comments => self.comment(&comment),
            Event::Annotation(annotation) if wishes.comments => self.annotation(annotation),
            Event::Nag(_) | Event::Comment(_) | Event::Annotation(_) => {}
            other => self.ledger.lose(LossKind::Unknown, || unknown(other)),
        }
        Flow::Continue
    }
}

impl GameWriter for Writer {
    fn len(&self) -> usize {
        Writer::len(self)
    }

    fn take(&mut self) -> Records {
        Records::new(RECORDS, Writer::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        Writer::take_losses(self)
    }
}
