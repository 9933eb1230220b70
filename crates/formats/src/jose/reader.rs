//! Bytes to events.

use tabiya_chess::{Move, Position, Role, Square};
use tabiya_game::{
    Comment, CommentPlace, Event, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState,
    Limits, Listener, Nag, Needs, Place, command,
};

use super::{
    Profile, code,
    error::{Error, ErrorKind},
    head,
    line::Line,
    playable::is_playable,
    scan::{Code, Ending, Scanner},
    store::{self, Data},
    text,
};
use crate::stream::Streams;

/// How tolerant a reader is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// Whether a move that is not legal ends its line. Else it is kept, as long as it can be
    /// played at all, and an error behind it says what it is.
    pub strict: bool,
    /// Whether a text that is not UTF-8 is read as ISO-8859-1, as programs of before 2004 wrote.
    pub latin1: bool,
    /// How deep variations may be nested.
    pub limits: Limits,
}

/// The bytes of a game, and where they stand in a file.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The moves.
    pub main: &'a [u8],
    /// The texts, in the profile `program`; else empty.
    pub texts: &'a [u8],
    /// Where the moves begin in their file; errors are placed from there.
    pub offset: u64,
}

impl<'a> From<&'a Streams> for Input<'a> {
    fn from(streams: &'a Streams) -> Input<'a> {
        Input {
            main: &streams.main,
            texts: &streams.texts,
            offset: 0,
        }
    }
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(main: &'a [u8]) -> Input<'a> {
        Input {
            main,
            texts: &[],
            offset: 0,
        }
    }
}

/// How reading a stream ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The result; `None` if the stream has none.
    pub result: Option<GameResult>,
    /// Whether all of it could be read.
    pub state: GameState,
    /// The first thing in the stream that does not belong there.
    pub error: Option<Error>,
}

/// Reads streams of a profile.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_formats::{jose::{Profile, Reader}, stream::Streams};
/// use tabiya_game::{GameResult, GameTree, Listener};
///
/// let streams: Streams = "13 E0 13 D1 FF + 42 65 73 74 00".parse()?;
/// let mut tree = GameTree::default();
/// let told = Reader::new(Profile::Program).tell_moves(
///     (&streams).into(),
///     &Position::initial(),
///     &mut Listener::new(&mut tree),
/// );
/// assert_eq!(told.result, Some(GameResult::Draw));
/// assert_eq!(tree.items.len(), 3); // e4, "Best", e5
/// # Ok::<(), tabiya_formats::stream::HexError>(())
/// ```
pub struct Reader {
    profile: Profile,
    options: ReadOptions,
    /// The lines that were left for a variation.
    open: Vec<Line>,
}

impl Reader {
    /// A tolerant reader.
    #[must_use]
    pub fn new(profile: Profile) -> Reader {
        Reader {
            profile,
            options: ReadOptions::default(),
            open: Vec::new(),
        }
    }

    /// Reads with options.
    #[must_use]
    pub fn with_options(mut self, options: ReadOptions) -> Reader {
        self.options = options;
        self
    }

    /// Tells a sink the moves of a game: [`Event::Start`] and all that follows, up to but not
    /// including [`Event::GameEnd`], which whoever knows the tags can make of what is returned.
    /// Where a stream of the store has a [`Head`](super::Head), its rules and its position are the
    /// start.
    pub fn tell_moves<S: GameSink + ?Sized>(
        &mut self,
        input: Input<'_>,
        start: &Position,
        sink: &mut Listener<'_, S>,
    ) -> Told {
        let needs = sink.needs();
        let mut scan = Scanner::new(self.profile, input.main, input.texts);
        let own = head::start(&mut scan, start).map(|own| needs.start(own));
        let start = own.as_ref().unwrap_or(start);
        let mut game = Game {
            profile: self.profile,
            options: &self.options,
            needs,
            sink,
            scan,
            offset: input.offset,
            line: Line::new(start),
            open: &mut self.open,
            ending: Ending::default(),
            skipped: !needs.moves,
            broken: false,
            error: None,
        };
        game.open.clear();
        if needs.moves {
            game.tell(Event::Start(start));
            game.read_codes();
        }
        if game.skipped {
            game.find_ending();
        }
        game.told()
    }

    /// The result of a game, which is found much quicker than its moves.
    #[must_use]
    pub fn result(&self, input: Input<'_>) -> Option<GameResult> {
        let mut ending = Ending::default();
        let mut scan = Scanner::new(self.profile, input.main, input.texts);
        scan.skip_line(&mut ending).ok()?;
        ending.result()
    }
}

/// A game that is being told.
struct Game<'g, 's, 'a, S: ?Sized> {
    profile: Profile,
    options: &'g ReadOptions,
    needs: Needs,
    sink: &'g mut Listener<'s, S>,
    scan: Scanner<'a>,
    offset: u64,
    line: Line,
    open: &'g mut Vec<Line>,
    ending: Ending,
    skipped: bool,
    broken: bool,
    error: Option<Error>,
}

impl<'a, S: GameSink + ?Sized> Game<'_, '_, 'a, S> {
    #[inline]
    fn tell(&mut self, event: Event<'_>) {
        if self.sink.event(event) == Flow::SkipGame {
            self.skipped = true;
        }
    }

    fn read_codes(&mut self) {
        while !self.skipped {
            match self.scan.next() {
                Ok(Code::End) => return self.end(),
                Ok(code) => self.read(code),
                Err(kind) if kind.is_fatal() => return self.give_up(kind),
                Err(kind) => self.fail_here(kind),
            }
        }
    }

    #[inline]
    fn read(&mut self, code: Code<'a>) {
        let (position, pieces) = (&self.line.position, &self.line.pieces);
        match code {
            Code::Move(code) => {
                self.play(code::decode_move(self.profile, code, position, pieces));
            }
            Code::Long(code, second) => {
                let (us, board) = (position.turn(), position.board());
                let play = code::decode_long(self.profile, code, second, us, board, pieces);
                self.play(play);
            }
            Code::Squares(squares) => self.play(by_squares(squares)),
            Code::Null => {
                self.line.pass();
                let line = &self.line;
                let flow = self.sink.pass(&line.before, Some(&line.position));
                self.skipped |= flow == Flow::SkipGame;
            }
            Code::Missing => {
                self.line.pass();
                self.tell(Event::Missing);
            }
            Code::Nag(nag) if self.needs.notes => self.tell(Event::Nag(Nag(nag))),
            Code::Text(marker, bytes) => self.read_text(marker, bytes),
            Code::Comment(place, language, bytes) => self.read_comment(place, language, bytes),
            Code::Data(kind, payload) => self.read_data(kind, payload),
            Code::Result(result) => self.read_result(result),
            Code::Open => self.open_variation(),
            Code::Close => self.close_variation(),
            Code::Nag(_) | Code::Nothing | Code::End => {}
        }
    }

    #[inline]
    fn play(&mut self, play: Result<Move, ErrorKind>) {
        let play = match play {
            Ok(play) => play,
            Err(kind) => return self.spoil(kind),
        };
        // Of the store's moves it is known that they are legal, or that an error says they are not.
        let check = self.options.strict || self.profile != Profile::Store;
        let legal = !check || self.line.position.is_legal(play);
        let sound = check && legal || is_playable(&self.line.position, play);
        if !sound || (!legal && self.options.strict) {
            return self.spoil(ErrorKind::IllegalMove { play });
        }
        self.line.play(play);
        let line = &self.line;
        let flow = self.sink.play(&line.before, play, Some(&line.position));
        self.skipped |= flow == Flow::SkipGame;
        if !legal && !self.skipped {
            self.tell_error(GameErrorKind::IllegalMove, super::KEPT, "");
        }
    }

    fn read_text(&mut self, marker: u8, bytes: &[u8]) {
        let error = super::error_of(marker);
        if error.is_none() && !self.needs.notes {
            return;
        }
        let Some(text) = text::decode(bytes, self.options.latin1) else {
            return self.fail_here(ErrorKind::BadText);
        };
        match error {
            Some((kind, message)) => self.tell_error(kind, message, &text),
            None => self.tell_text(&text),
        }
    }

    /// A text whose place follows from where it stands; or the annotation that it spells.
    fn tell_text(&mut self, text: &str) {
        if self.profile != Profile::Store
            && let Some(annotation) = command::canonical(text)
        {
            return self.tell(Event::Annotation(&annotation));
        }
        let place = super::usual_place(self.line.fresh);
        self.tell_comment(place, None, text);
    }

    fn tell_comment(&mut self, place: CommentPlace, language: Option<&str>, text: &str) {
        if self.needs.notes {
            self.tell(Event::Comment(Comment {
                place,
                language,
                text,
            }));
        }
    }

    fn read_comment(&mut self, place: u8, language: u8, bytes: &[u8]) {
        let (Some(place), Some(language)) =
            (store::comment_place(place), store::language(language))
        else {
            return self.fail_here(ErrorKind::BadData {
                kind: store::COMMENT,
            });
        };
        match str::from_utf8(bytes) {
            Ok(text) => self.tell_comment(place, language, text),
            Err(_) => self.fail_here(ErrorKind::BadText),
        }
    }

    fn read_data(&mut self, kind: u8, payload: &[u8]) {
        let Some(data) = store::decode(kind, payload) else {
            return self.fail_here(ErrorKind::BadData { kind });
        };
        match data {
            Data::Annotation(annotation) if self.needs.notes => {
                self.tell(Event::Annotation(&annotation));
            }
            Data::Annotation(_) => {}
            Data::Error(error) => {
                self.broken = true;
                let place = Place::at_byte(self.offset + self.scan.start() as u64);
                self.tell(Event::Error(GameError { place, ..error }));
            }
            Data::Comment(place, language, text) => {
                self.tell_comment(place, Some(language), text);
            }
            Data::Position(setup) => {
                if !self.line.jump(&setup) {
                    self.fail_here(ErrorKind::BadData { kind });
                }
            }
            Data::Forfeit | Data::State(_) if self.open.is_empty() => {
                self.ending.note(Code::Data(kind, payload));
            }
            // They say nothing about a variation; and rules do not change in the middle of a game.
            Data::Forfeit | Data::State(_) | Data::Rules(_) => {
                self.fail_here(ErrorKind::BadData { kind })
            }
        }
    }

    /// The last result counts; that of a variation is a remark.
    fn read_result(&mut self, result: GameResult) {
        if self.open.is_empty() {
            self.ending.note(Code::Result(result));
        } else {
            self.tell_comment(super::usual_place(self.line.fresh), None, result.token());
        }
    }

    fn open_variation(&mut self) {
        // The store takes it as it comes: the variation then starts where its line does.
        if self.line.fresh && self.profile != Profile::Store {
            return self.refuse_variation(ErrorKind::VariationAtStart);
        }
        if self.open.len() >= self.options.limits.depth {
            return self.refuse_variation(ErrorKind::too_deep(&self.options.limits));
        }
        let flow = match self.needs.variations {
            true => self.sink.event(Event::VariationStart),
            false => Flow::SkipVariation,
        };
        match flow {
            Flow::Continue => {
                let branch = self.line.branch();
                self.open.push(std::mem::replace(&mut self.line, branch));
            }
            Flow::SkipVariation => {
                if let Err(kind) = self.scan.skip_variation() {
                    self.give_up(kind);
                }
            }
            _ => {
                self.skipped = true;
                if self.scan.skip_variation().is_err() {
                    self.scan.give_up();
                }
            }
        }
    }

    fn close_variation(&mut self) {
        match self.open.pop() {
            Some(outer) => {
                self.line = outer;
                self.tell(Event::VariationEnd);
            }
            None => self.fail_here(ErrorKind::VariationUnderflow),
        }
    }

    /// Keeps a variation that cannot be read as bytes.
    fn refuse_variation(&mut self, kind: ErrorKind) {
        let before = self.scan;
        if self.scan.skip_variation().is_err() {
            self.scan.give_up();
        }
        self.fail_since(kind, &before);
    }

    /// Keeps the rest of a line as bytes: none of its moves can be trusted.
    fn spoil(&mut self, kind: ErrorKind) {
        let before = self.scan;
        let mut ending = self.ending;
        if self.scan.skip_line(&mut ending).is_err() {
            self.scan.give_up();
        }
        if self.open.is_empty() {
            self.ending = ending;
        }
        self.fail_since(kind, &before);
    }

    /// Nobody can tell what the rest of the stream means.
    fn give_up(&mut self, kind: ErrorKind) {
        let before = self.scan;
        self.scan.give_up();
        self.fail_since(kind, &before);
        self.close_lines();
        self.skipped = true;
    }

    fn end(&mut self) {
        if !self.open.is_empty() {
            self.fail(ErrorKind::UnclosedVariation, self.scan.start(), "");
        }
        self.close_lines();
        let (main, texts) = self.scan.rest();
        if !main.is_empty() && !self.skipped {
            let bytes = main.len();
            let kind = ErrorKind::TrailingData { bytes };
            self.fail(kind, self.scan.start() + 1, &hex(main, &[]));
        }
        if !texts.is_empty() && !self.skipped {
            let bytes = texts.len();
            let kind = ErrorKind::TextLeftOver { bytes };
            self.fail(kind, self.scan.start(), &hex(texts, &[]));
        }
    }

    fn close_lines(&mut self) {
        while self.open.pop().is_some() {
            if !self.skipped {
                self.tell(Event::VariationEnd);
            }
        }
    }

    /// The sink wants no more of the game; its result is still wanted.
    fn find_ending(&mut self) {
        let mut depth = self.open.len();
        loop {
            let mut ending = self.ending;
            if self.scan.skip_line(&mut ending).is_err() {
                return;
            }
            if depth == 0 {
                self.ending = ending;
            }
            match self.scan.next() {
                Ok(Code::Close) => depth = depth.saturating_sub(1),
                _ => return,
            }
        }
    }

    fn fail_here(&mut self, kind: ErrorKind) {
        let (_, texts) = self.scan.text();
        let raw = hex(self.scan.bytes(), texts);
        self.fail(kind, self.scan.start(), &raw);
    }

    fn fail_since(&mut self, kind: ErrorKind, before: &Scanner<'a>) {
        let (main, texts) = self.scan.since(before);
        self.fail(kind, before.start(), &hex(main, texts));
    }

    fn fail(&mut self, kind: ErrorKind, at: usize, raw: &str) {
        self.error.get_or_insert(kind.at_byte(at));
        self.broken = true;
        self.tell(Event::Error(GameError {
            kind: kind.in_game(),
            message: &kind.to_string(),
            raw,
            place: Place::at_byte(self.offset + at as u64),
            first: None,
        }));
    }

    /// An error that the stream tells about.
    fn tell_error(&mut self, kind: GameErrorKind, message: &str, raw: &str) {
        self.broken = true;
        let place = Place::at_byte(self.offset + self.scan.start() as u64);
        self.tell(Event::Error(GameError {
            kind,
            message,
            raw,
            place,
            first: None,
        }));
    }

    fn told(self) -> Told {
        let found = match self.broken {
            true => GameState::Broken,
            false => GameState::Complete,
        };
        let state = match self.error {
            Some(_) => GameState::Broken,
            None => self.ending.state.unwrap_or(found),
        };
        Told {
            result: self.ending.result(),
            state,
            error: self.error,
        }
    }
}

/// The move of three bytes.
pub(super) fn by_squares([from, to, promotion]: [u8; 3]) -> Result<Move, ErrorKind> {
    if from > 63 || to > 63 || from == to {
        return Err(ErrorKind::OffBoard);
    }
    let (from, to) = (Square::from_index(from), Square::from_index(to));
    Ok(match promotion {
        0 => Move::new(from, to),
        1..=5 => Move::promotion(from, to, Role::ALL[usize::from(promotion)]),
        _ => {
            return Err(ErrorKind::BadData {
                kind: store::SQUARES,
            });
        }
    })
}

/// Bytes as people read them, those of a second stream behind a `+`.
fn hex(main: &[u8], texts: &[u8]) -> String {
    let streams = Streams {
        main: main.to_vec(),
        texts: texts.to_vec(),
    };
    streams.to_string()
}
