//! Events to bytes.

mod line;

use tabiya_chess::{Move, Position};
use tabiya_game::{
    Annotation, Comment, Event, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState,
    LossKind, Losses, Nag, Place,
};

use self::line::{Last, Line, Rest};
use super::{
    Profile, code,
    error::{Error, ErrorKind},
    pieces::{Pieces, Undo},
    playable::is_playable,
    store, text,
};
use crate::{
    stream::{StreamPlace, Streams},
    writing::unknown,
};

/// Writes the movetext of one game after the other; tags are left to whoever puts streams into a
/// file.
///
/// What a profile cannot hold is noted as a loss. From a move on that has no code, the rest of
/// its line becomes an error with the moves as text: so nothing is read back that was not played.
///
/// ```
/// use tabiya_formats::{jose::{Profile, Writer}, pgn::Parser};
///
/// let mut writer = Writer::new(Profile::Store);
/// Parser::new("1. e4 e5 2. Ba6 $300 *").read_game(&mut writer);
/// assert_eq!(writer.main(), [0x13, 0x13, 0x4d, 0x9c, 0x2c, 0x01, 0xd3, 0xff]);
/// assert_eq!(writer.summary().plies, 3);
/// ```
#[derive(Debug)]
pub struct Writer {
    profile: Profile,
    main: Vec<u8>,
    texts: Vec<u8>,
    line: Line,
    /// The lines that were left for a variation.
    open: Vec<Line>,
    /// The rest of a line that cannot be written.
    rest: Option<Rest>,
    /// What a reader will find out about the state of the game.
    broken: bool,
    summary: Summary,
    /// The plies so far, those of variations included.
    ply: u64,
    error: Option<Error>,
    game: u64,
    losses: Losses,
}

/// What a game has in it, as the program counts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Plies of the main line, null moves included.
    pub plies: u32,
    /// Whether there are variations.
    pub variations: bool,
    /// Whether there are texts or NAGs.
    pub comments: bool,
    /// Whether there are errors.
    pub errors: bool,
}

impl Writer {
    /// A writer of a profile.
    #[must_use]
    pub fn new(profile: Profile) -> Writer {
        Writer {
            profile,
            main: Vec::new(),
            texts: Vec::new(),
            line: Line::new(&Position::initial()),
            open: Vec::new(),
            rest: None,
            broken: false,
            summary: Summary::default(),
            ply: 0,
            error: None,
            game: 0,
            losses: Losses::default(),
        }
    }

    /// The moves of the last game; all of them once it has ended.
    #[must_use]
    pub fn main(&self) -> &[u8] {
        &self.main
    }

    /// The texts of the last game, in the profile `program`; else nothing.
    #[must_use]
    pub fn texts(&self) -> &[u8] {
        &self.texts
    }

    /// Takes the bytes of the last game out.
    #[must_use]
    pub fn take(&mut self) -> Streams {
        Streams {
            main: std::mem::take(&mut self.main),
            texts: std::mem::take(&mut self.texts),
        }
    }

    /// What the last game has in it.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Where the line stands that is being written; after a game, its last position.
    #[must_use]
    pub fn position(&self) -> Position {
        self.line.position()
    }

    /// The first move of the last game that has no code, if there is one. Its line goes on as
    /// text.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
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

    fn is_store(&self) -> bool {
        self.profile == Profile::Store
    }

    fn lose(&mut self, kind: LossKind, what: impl FnOnce() -> String) {
        self.losses.note(self.game, kind, what);
    }

    fn begin(&mut self, start: &Position) {
        self.main.clear();
        self.texts.clear();
        self.line = Line::new(start);
        self.open.clear();
        self.rest = None;
        self.broken = false;
        self.summary = Summary::default();
        self.ply = 0;
        self.error = None;
    }

    #[inline]
    fn play(&mut self, before: &Position, play: Move) {
        self.count_ply();
        if !is_playable(before, play) || self.line.unsure && !self.catch_up(before) {
            return self.spoil(before, play);
        }
        match code::encode_move(self.profile, before, play, &self.line.pieces) {
            Some(codes) => self.main.extend_from_slice(codes.as_bytes()),
            None if self.is_store() => self.main.extend([
                store::SQUARES,
                play.from().index() as u8,
                play.to().index() as u8,
                play.promoted().map_or(0, |role| role as u8),
            ]),
            None => return self.spoil(before, play),
        }
        self.line.undo = self.line.pieces.play(before, play);
        self.line.before = *before;
        self.line.last = Last::Move(play);
    }

    fn null(&mut self, before: &Position) {
        self.count_ply();
        if self.line.unsure && !self.catch_up(before) {
            return self.spoil_with("--");
        }
        self.main.push(code::NULL);
        self.pass(before);
    }

    fn pass(&mut self, before: &Position) {
        self.line.undo = Undo::default();
        self.line.before = *before;
        self.line.last = Last::Pass;
    }

    fn count_ply(&mut self) {
        self.ply += 1;
        if self.open.is_empty() {
            self.summary.plies += 1;
        }
    }

    /// The board does not change, but perhaps the turn: the next move will tell.
    fn missing(&mut self) {
        let position = self.line.position();
        if self.is_store() {
            self.main.push(store::MISSING);
            self.pass(&position);
        } else {
            self.lose(LossKind::Move, || "a ply that was left out".into());
        }
        self.line.unsure = true;
    }

    /// Makes sure that a reader will have the position of the next ply; `false` if that cannot be.
    fn catch_up(&mut self, before: &Position) -> bool {
        self.line.unsure = false;
        let expected = self.line.position();
        if *before == expected {
            return true;
        }
        if self.is_store() {
            store::put_position(before, &mut self.main);
            self.line.pieces = Pieces::deal(before.board());
            return true;
        }
        if before.board() != expected.board() {
            return false;
        }
        if before.turn() != expected.turn() {
            // A null move in the place of the ply that was left out.
            self.main.push(code::NULL);
        }
        true
    }

    /// From here on the line is text.
    fn spoil(&mut self, before: &Position, play: Move) {
        if self.error.is_none() {
            self.error = Some(Error {
                kind: ErrorKind::NotRepresentable { play },
                place: StreamPlace::Ply(self.ply),
            });
        }
        self.spoil_with(&before.san(play));
    }

    fn spoil_with(&mut self, word: &str) {
        let ply = self.ply;
        self.lose(LossKind::Move, || {
            format!("from ply {ply} on ({word}) the line is kept as text")
        });
        self.rest = Some(Rest {
            text: word.into(),
            depth: 0,
            variation: false,
        });
    }

    /// Adds an event to a line that is text; `false` if the line is over.
    fn continue_rest(&mut self, event: &Event<'_>) -> bool {
        let Some(rest) = &mut self.rest else {
            return false;
        };
        match event {
            Event::VariationEnd if rest.depth == 0 => return false,
            Event::GameEnd { .. } => return false,
            Event::Move { before, play, .. } => {
                rest.word(&before.san(*play));
                let lost = || format!("{play} in a line that is kept as text");
                self.losses.note(self.game, LossKind::Move, lost);
            }
            Event::Null { .. } => rest.word("--"),
            Event::Nag(nag) => rest.word(&nag.to_string()),
            Event::Comment(comment) => rest.word(&format!("{{{}}}", comment.text)),
            Event::Annotation(annotation) => match annotation.to_command() {
                Some(command) => rest.word(&format!("{{{command}}}")),
                None => self
                    .losses
                    .note(self.game, LossKind::Annotation, || "an annotation".into()),
            },
            Event::Error(error) => rest.word(error.raw),
            Event::Missing => rest.word("..."),
            Event::VariationStart => {
                rest.depth += 1;
                rest.word("(");
            }
            Event::VariationEnd => {
                rest.depth -= 1;
                rest.word(")");
                if rest.variation && rest.depth == 0 {
                    self.end_rest();
                }
            }
            _ => {}
        }
        true
    }

    /// Writes the line that became text.
    fn end_rest(&mut self) {
        if let Some(rest) = self.rest.take() {
            let (kind, message) = super::ERRORS[if rest.variation { 3 } else { 0 }];
            self.put_error(&GameError {
                kind,
                message,
                raw: &rest.text,
                place: Place::default(),
                first: None,
            });
        }
    }

    fn nag(&mut self, Nag(nag): Nag) {
        self.summary.comments = true;
        match u8::try_from(nag) {
            Ok(short @ 1..32) => self.main.push(code::NAG + short),
            Ok(byte) => self.main.extend([code::NAG, byte]),
            Err(_) if self.is_store() => {
                self.main.push(store::WIDE_NAG);
                self.main.extend(nag.to_le_bytes());
            }
            Err(_) => self.lose(LossKind::Nag, || {
                ErrorKind::NagOutOfRange { nag }.to_string()
            }),
        }
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        self.summary.comments = true;
        let usual = super::usual_place(self.line.is_fresh());
        if self.is_store() {
            let plain = comment.language.is_none()
                && comment.place == usual
                && !comment.text.contains('\0');
            return match plain {
                true => self.put_text(code::COMMENT, comment.text),
                false => store::put_comment(
                    comment.place,
                    comment.language,
                    comment.text,
                    &mut self.main,
                ),
            };
        }
        if comment.place != usual {
            self.lose(LossKind::CommentPlace, || {
                "whether a comment stands before or after a move".into()
            });
        }
        if let Some(language) = comment.language {
            self.lose(LossKind::Language, || {
                format!("the language of a comment, {language}")
            });
        }
        if comment.text.contains('\0') {
            self.lose(LossKind::Comment, || ErrorKind::TextContainsNul.to_string());
        }
        self.put_text(code::COMMENT, comment.text);
    }

    fn put_text(&mut self, marker: u8, text: &str) {
        self.main.push(marker);
        let surrogates = self.profile == Profile::Program;
        let out = match surrogates {
            true => &mut self.texts,
            false => &mut self.main,
        };
        text::encode(text, surrogates, out);
        out.push(0);
    }

    fn annotation(&mut self, annotation: &Annotation) {
        self.summary.comments = true;
        let written = match self.is_store() {
            true => store::put_annotation(annotation, &mut self.main),
            false => match annotation.to_command() {
                Some(command) => {
                    self.put_text(code::COMMENT, &command);
                    true
                }
                None => false,
            },
        };
        if !written {
            self.lose(LossKind::Annotation, || {
                "an annotation that has no spelling".into()
            });
        }
    }

    fn put_error(&mut self, error: &GameError<'_>) {
        self.broken = true;
        if self.is_flag(error) && !self.is_store() {
            return;
        }
        self.summary.errors = true;
        if self.is_store() {
            return store::put_error(error, &mut self.main);
        }
        let known = |&known: &(GameErrorKind, &str)| known == (error.kind, error.message);
        let same_kind = |&(kind, _): &(GameErrorKind, &str)| kind == error.kind;
        let exact = super::ERRORS.iter().position(known);
        let index = exact
            .or_else(|| super::ERRORS.iter().position(same_kind))
            .unwrap_or(super::ERRORS.len() - 1);
        if exact.is_none() || error.origin().line != 0 || error.raw.contains('\0') {
            self.lose(LossKind::Error, || {
                format!("the message or the place of an error, {}", error.message)
            });
        }
        self.put_text(super::FIRST_ERROR + index as u8, error.raw);
    }

    /// Whether an error only says that the move before it is not legal, which a reader of the
    /// stream will say again.
    fn is_flag(&self, error: &GameError<'_>) -> bool {
        let Last::Move(play) = self.line.last else {
            return false;
        };
        error.kind == GameErrorKind::IllegalMove
            && error.message == super::KEPT
            && error.raw.is_empty()
            && !self.line.before.is_legal(play)
    }

    fn open_variation(&mut self) {
        if self.line.is_fresh() && !self.is_store() {
            self.lose(LossKind::Variation, || {
                format!("{}: it is kept as text", ErrorKind::VariationAtStart)
            });
            self.rest = Some(Rest {
                text: "(".into(),
                depth: 1,
                variation: true,
            });
            return;
        }
        self.summary.variations = true;
        self.main.push(code::OPEN);
        let branch = self.line.branch();
        self.open.push(std::mem::replace(&mut self.line, branch));
    }

    fn close_variation(&mut self) {
        match self.open.pop() {
            Some(outer) => {
                self.main.push(code::CLOSE);
                self.line = outer;
            }
            None => self.lose(LossKind::Variation, || {
                ErrorKind::VariationUnderflow.to_string()
            }),
        }
    }

    fn end(&mut self, result: GameResult, state: GameState) {
        while !self.open.is_empty() {
            self.lose(LossKind::Variation, || {
                ErrorKind::UnclosedVariation.to_string()
            });
            self.close_variation();
        }
        let found = match self.broken {
            true => GameState::Broken,
            false => GameState::Complete,
        };
        if self.is_store() {
            if state != found {
                store::put_state(state, &mut self.main);
            }
            if result.is_forfeit() {
                store::put_forfeit(&mut self.main);
            }
        } else {
            if state != found && state == GameState::Broken {
                self.lose(LossKind::Error, || "that the game is broken".into());
            }
            if result.is_forfeit() {
                self.lose(LossKind::Result, || {
                    format!("that the game was not played, {}", result.tag())
                });
            }
        }
        let number = match result {
            GameResult::BlackWins | GameResult::BlackWinsByForfeit => 0,
            GameResult::Draw => 1,
            GameResult::WhiteWins | GameResult::WhiteWinsByForfeit => 2,
            GameResult::Unknown | GameResult::BothLose => 3,
        };
        self.main.extend([code::RESULT + number, code::END]);
    }
}

impl GameSink for Writer {
    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        if self.rest.is_some() {
            if self.continue_rest(&event) {
                return Flow::Continue;
            }
            self.end_rest();
        }
        match event {
            Event::Move { before, play, .. } => self.play(before, play),
            Event::Null { before, .. } => self.null(before),
            Event::Missing => self.missing(),
            Event::Nag(nag) => self.nag(nag),
            Event::Comment(comment) => self.comment(&comment),
            Event::Annotation(annotation) => self.annotation(annotation),
            Event::Error(error) => self.put_error(&error),
            Event::VariationStart => self.open_variation(),
            Event::VariationEnd => self.close_variation(),
            Event::GameStart(_) => self.game += 1,
            Event::Start(position) => self.begin(position),
            Event::GameEnd { result, state } => self.end(result, state),
            Event::Tag { .. } | Event::Text { .. } | Event::Opaque { .. } => {}
            other => self.lose(LossKind::Unknown, || unknown(other)),
        }
        Flow::Continue
    }
}
