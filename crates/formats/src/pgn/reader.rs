//! Text to events.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memchr3};
use tabiya_chess::{Action, Move, Position, SanError, SanWord, Setup, Variant, chess960};
use tabiya_game::{
    Comment, CommentPlace, Event, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState,
    Limits, Listener, Nag, Needs, Place, command,
};

use super::{
    encoding::Decoded,
    lexer::{Ahead, Lexer, Token},
    plain, tag,
    usual::{Found, Meaning, Seen, UsualTags},
};
use crate::writing::error_comment;

/// Reads games from a text that holds whole games.
///
/// ```
/// use tabiya_formats::pgn::Parser;
/// use tabiya_game::GameTree;
///
/// let mut parser = Parser::new("[White \"Réti\"]\n\n1. Nf3 d5 2. c4 *\n\n1. e4 *");
/// let mut tree = GameTree::default();
/// assert!(parser.read_game(&mut tree));
/// assert_eq!(tree.tags.get("White"), Some("Réti"));
/// assert_eq!(tree.main_line().count(), 3);
/// assert!(parser.read_game(&mut tree));
/// assert_eq!(tree.main_line().count(), 1);
/// assert!(!parser.read_game(&mut tree));
/// ```
pub struct Parser<'t> {
    lexer: Lexer<'t>,
    limits: Limits,
    /// Where the text begins in the file.
    base: Place,
    /// How the text was decoded, where bytes of the file are not bytes of the text.
    decoded: Option<&'t Decoded<'t>>,
    /// The text ends within a game that is larger than the limit.
    cut: bool,
    /// Up to where line breaks have been counted, and how many there were.
    counted: (usize, u64),
    /// The lines of play that were left for a variation.
    open: Vec<Line>,
    /// What is known of the text ahead; kept from game to game, for some bytes are rare.
    ahead: Ahead,
    /// The names of the tags of this game.
    names: Vec<&'t str>,
    /// Tags that are not built like tags: they are told after the start position.
    bad_tags: Vec<(usize, &'t str)>,
    /// The tags of the games before.
    usual: UsualTags<'t>,
    /// Whether there are carriage returns anywhere; looked for when it is first asked.
    returns: Option<bool>,
    scratch: String,
    /// [`Flow::Stop`] once a sink wanted to stop.
    flow: Flow,
}

/// A line of play as far as it has been read.
#[derive(Clone, Copy)]
struct Line {
    position: Position,
    /// The position before the last move, to which a variation returns.
    before: Position,
    /// No move of this line has been read yet.
    fresh: bool,
    /// A move number has been read since the last move.
    numbered: bool,
}

/// What the tags say about the movetext.
#[derive(Default)]
struct Header<'t> {
    fen: Option<Cow<'t, str>>,
    variant: Option<Cow<'t, str>>,
    result: Option<GameResult>,
    forfeit: bool,
}

impl<'t> Header<'t> {
    fn hear(&mut self, meaning: Meaning, value: Cow<'t, str>) {
        match meaning {
            Meaning::Nothing => {}
            Meaning::Fen => self.fen = Some(value),
            Meaning::Variant => self.variant = Some(value),
            Meaning::Result => self.result = value.parse().ok(),
            Meaning::Termination => self.forfeit = is_forfeit(&value),
        }
    }
}

/// What has become of the game so far.
struct Game<'s, S: ?Sized> {
    sink: Listener<'s, S>,
    needs: Needs,
    result: Option<GameResult>,
    /// Where the result stands, once it has been read: what follows should be the next game.
    ended: Option<usize>,
    state: GameState,
    skipped: bool,
}

impl<S: GameSink + ?Sized> Game<'_, S> {
    #[inline]
    fn tell(&mut self, event: Event<'_>) {
        if self.sink.event(event) == Flow::SkipGame {
            self.skipped = true;
        }
    }

    /// Tells a move before it is played.
    #[inline]
    fn play(&mut self, before: &Position, play: Move) {
        if self.sink.play(before, play, None) == Flow::SkipGame {
            self.skipped = true;
        }
    }
}

impl<'t> Parser<'t> {
    /// Reads a text.
    #[must_use]
    pub fn new(text: &'t str) -> Parser<'t> {
        Parser {
            lexer: Lexer::new(text, 0),
            limits: Limits::default(),
            base: Place {
                line: 1,
                column: 1,
                ..Place::default()
            },
            decoded: None,
            cut: false,
            counted: (0, 0),
            open: Vec::new(),
            ahead: Ahead::default(),
            names: Vec::new(),
            bad_tags: Vec::new(),
            usual: UsualTags::default(),
            returns: None,
            scratch: String::new(),
            flow: Flow::Continue,
        }
    }

    /// Reads a part of a file.
    pub(super) fn of_part(decoded: &'t Decoded<'t>, base: Place, cut: bool) -> Parser<'t> {
        Parser {
            base,
            decoded: Some(decoded),
            cut,
            ..Parser::new(&decoded.text)
        }
    }

    /// Reads with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Parser<'t> {
        self.limits = limits;
        self
    }

    /// Whether a sink wanted to stop.
    #[must_use]
    pub fn flow(&self) -> Flow {
        self.flow
    }

    /// Tells a sink the next game; `false` at the end of the text, or after a sink wanted to stop.
    pub fn read_game<S: GameSink + ?Sized>(&mut self, sink: &mut S) -> bool {
        self.lexer.skip_space();
        if self.lexer.at() == self.lexer.text().len() || self.flow == Flow::Stop {
            return false;
        }
        let sink = Listener::new(sink);
        let needs = sink.needs();
        let place = self.place(self.lexer.at());
        let mut game = Game {
            sink,
            needs,
            result: None,
            ended: None,
            state: GameState::Complete,
            skipped: false,
        };
        game.tell(Event::GameStart(place));
        let header = self.read_tags(&mut game);
        if needs.moves && !game.skipped {
            self.read_movetext(&mut game, &header);
        } else {
            self.skip_movetext(&mut game, 0, |parser, rest| {
                parser.read_movetext(rest, &header);
            });
        }
        let result = match game.result {
            Some(token) => result_of(token, header.result, header.forfeit),
            None => header.result.unwrap_or_default(),
        };
        let state = game.state;
        game.sink.event(Event::GameEnd { result, state });
        self.flow = game.sink.finish();
        true
    }

    /// Where a byte stands in the file. Bytes are asked for in rising order, so each line break
    /// is counted once.
    fn place(&mut self, at: usize) -> Place {
        let bytes = self.lexer.text().as_bytes();
        let (from, lines) = self.counted;
        if at >= from {
            self.counted = (
                at,
                lines + memchr_iter(b'\n', &bytes[from..at]).count() as u64,
            );
        } else {
            self.counted = (at, memchr_iter(b'\n', &bytes[..at]).count() as u64);
        }
        let line_start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |line| line + 1);
        let column = self.lexer.text()[line_start..at].chars().count() as u32;
        let first = if self.counted.1 == 0 {
            self.base.column
        } else {
            1
        };
        Place {
            offset: match self.decoded {
                Some(decoded) => decoded.offset(at, &self.base),
                None => self.base.offset + at as u64,
            },
            line: self.base.line + self.counted.1,
            column: first + column,
            number: 0,
        }
    }

    fn error<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        kind: GameErrorKind,
        at: usize,
        raw: &str,
        message: &str,
    ) {
        game.state = GameState::Broken;
        let place = self.place(at);
        game.tell(Event::Error(GameError {
            kind,
            message,
            raw,
            place,
            first: None,
        }));
    }
}

/// The result of a game whose movetext ends with one of the four tokens, by what its tags say of
/// it; `forfeit` is what [`is_forfeit`] says of its `Termination`.
pub(crate) fn result_of(token: GameResult, tag: Option<GameResult>, forfeit: bool) -> GameResult {
    match tag {
        // A tag that tells a forfeit says more than the token, if they agree.
        Some(tag) if tag.is_forfeit() && tag.token() == token.token() => tag,
        _ if forfeit => forfeit_of(token),
        _ => token,
    }
}

/// Whether a `Termination` tag says that the game was not played.
pub(crate) fn is_forfeit(termination: &str) -> bool {
    termination.eq_ignore_ascii_case("forfeit")
}

/// The forfeit that a token means when the tags say that the game was not played.
fn forfeit_of(token: GameResult) -> GameResult {
    match token {
        GameResult::WhiteWins => GameResult::WhiteWinsByForfeit,
        GameResult::BlackWins => GameResult::BlackWinsByForfeit,
        other => other,
    }
}

// Tags.
impl<'t> Parser<'t> {
    fn read_tags<S: GameSink + ?Sized>(&mut self, game: &mut Game<'_, S>) -> Header<'t> {
        self.names.clear();
        self.bad_tags.clear();
        let mut header = Header::default();
        let seen = self.read_usual_tags(game, &mut header);
        if plain::movetext_follows(self.lexer.rest()) {
            return header;
        }
        self.names.extend(self.usual.names(seen));
        let known = self.names.len();
        self.read_other_tags(game, &mut header);
        if self.names.len() > known {
            self.usual.learn(seen, &self.names[known..]);
        }
        header
    }

    /// Reads tags as long as they are those of the games before; which that were.
    #[inline]
    fn read_usual_tags<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        header: &mut Header<'t>,
    ) -> Seen {
        let text = self.lexer.text();
        let mut at = self.lexer.at();
        let mut seen = Seen::default();
        while let Some(Found { tag, value, end }) = self.usual.read(&mut seen, text, at) {
            at = end;
            if game.needs.tags && !game.skipped {
                let name = tag.name();
                game.tell(Event::Tag { name, value });
            }
            header.hear(tag.meaning(), Cow::Borrowed(value));
        }
        self.lexer.set_at(at);
        seen
    }

    fn read_other_tags<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        header: &mut Header<'t>,
    ) {
        loop {
            let from = self.lexer.at();
            self.lexer.skip_space();
            let at = self.lexer.at();
            let text = self.lexer.text();
            if text.as_bytes().get(at) != Some(&b'[') {
                return;
            }
            let Some(tag) = tag::read(text, at) else {
                return;
            };
            let blank_line = memchr_iter(b'\n', &text.as_bytes()[from..at])
                .nth(1)
                .is_some();
            // Headers without moves: an `Event` or a name that is known, after an empty line.
            let known = self.names.contains(&tag.name);
            let begins_game = match tag.name {
                "Event" => known || (blank_line && !self.names.is_empty()),
                _ => known && blank_line,
            };
            if begins_game {
                return;
            }
            self.lexer.set_at(tag.end);
            self.names.push(tag.name);
            if tag.damaged {
                self.bad_tags.push((at, &text[at..tag.end]));
            }
            if game.needs.tags && !game.skipped {
                let (name, value) = (tag.name, &*tag.value);
                game.tell(Event::Tag { name, value });
            }
            header.hear(Meaning::of(tag.name), tag.value);
        }
    }
}

/// The start position that the values of `FEN` and `Variant` name, or what is wrong with them.
pub(crate) fn start_of_tags(
    fen: Option<&str>,
    variant: Option<&str>,
) -> Result<Position, (GameErrorKind, String)> {
    start_of(&Header {
        fen: fen.map(Cow::Borrowed),
        variant: variant.map(Cow::Borrowed),
        ..Header::default()
    })
}

/// The start position that tags name, and what is wrong with them.
fn start_of(header: &Header<'_>) -> Result<Position, (GameErrorKind, String)> {
    let named = header.variant.as_deref().map(variant_of);
    let variant = match named {
        Some(None) => {
            let name: String = header
                .variant
                .iter()
                .flat_map(|v| v.chars())
                .take(40)
                .collect();
            let message = format!("the variant {name:?} is not known here");
            return Err((GameErrorKind::UnknownVariant, message));
        }
        Some(Some(variant)) => variant,
        None => Variant::Standard,
    };
    let Some(fen) = &header.fen else {
        return match variant {
            Variant::Standard => Ok(Position::initial()),
            _ => Position::from_setup(&Setup::INITIAL, variant)
                .map_err(|e| (GameErrorKind::BadStart, e.to_string())),
        };
    };
    let bad_start = |e: &dyn std::fmt::Display| (GameErrorKind::BadStart, e.to_string());
    let mut setup: Setup = fen.parse().map_err(|e| bad_start(&e))?;
    if variant == Variant::Chess960 && setup.castling_rooks.is_empty() {
        // Some programs write `-` for the rights of a Chess960 start.
        setup.castling_rooks = chess960_rights(&setup);
    }
    let variant = match variant {
        Variant::Standard if needs_chess960(&setup) => Variant::Chess960,
        other => other,
    };
    Position::from_setup(&setup, variant).map_err(|e| bad_start(&e))
}

/// Whether a position is read with castling rights that it has not.
pub(super) fn is_given_rights(start: &Position) -> bool {
    start.variant() == Variant::Chess960 && {
        let setup = start.to_setup();
        setup.castling_rooks.is_empty() && chess960_rights(&setup).any()
    }
}

/// The full castling rights of a set-up, if it is a Chess960 start without rights.
fn chess960_rights(setup: &Setup) -> tabiya_chess::Bitboard {
    let rooks = setup.board.pieces(tabiya_chess::Role::Rook);
    let with_rights = Setup {
        castling_rooks: rooks,
        ..*setup
    };
    match chess960::number(&with_rights) {
        Some(_) => rooks,
        None => setup.castling_rooks,
    }
}

/// Whether a castling right is not one of standard chess.
fn needs_chess960(setup: &Setup) -> bool {
    use tabiya_chess::{Color, File};
    let corner = |rook: tabiya_chess::Square| matches!(rook.file(), File::A | File::H);
    setup.castling_rooks.into_iter().any(|rook| !corner(rook))
        || Color::ALL.into_iter().any(|color| {
            let back_rank = tabiya_chess::Bitboard::rank(color.back_rank());
            (setup.castling_rooks & back_rank).any()
                && setup
                    .board
                    .king(color)
                    .is_some_and(|king| king.file() != File::E)
        })
}

/// The variant of a tag, `None` if its rules are not known here.
fn variant_of(name: &str) -> Option<Variant> {
    // Servers write it into every game.
    if name == "Standard" {
        return Some(Variant::Standard);
    }
    let plain: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    Some(match plain.as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" | "regular" | "classical" => {
            Variant::Standard
        }
        "chess960"
        | "960"
        | "fischerandom"
        | "fischerrandom"
        | "fischerrandomchess"
        | "freestyle"
        | "freestylechess"
        | "frc"
        | "dfrc"
        | "doublefischerrandom"
        | "chess9lx" => Variant::Chess960,
        "antichess" | "anti" | "losingchess" | "losing" | "giveaway" | "loserschess" => {
            Variant::Antichess
        }
        _ => return None,
    })
}

// Movetext.
impl<'t> Parser<'t> {
    fn read_movetext<S: GameSink + ?Sized>(&mut self, game: &mut Game<'_, S>, header: &Header<'t>) {
        // Of a game that was skipped some may be left.
        self.open.clear();
        let start = start_of(header);
        let position = game.needs.start(match &start {
            Ok(position) => *position,
            Err(_) => Position::initial(),
        });
        game.tell(Event::Start(&position));
        for (at, raw) in std::mem::take(&mut self.bad_tags) {
            let message = "quotation marks or a bracket are missing";
            self.error(game, GameErrorKind::BadTag, at, raw, message);
        }
        if let Err((kind, message)) = start {
            self.read_without_start(game, kind, &message);
        }
        let mut line = Line {
            position,
            before: position,
            fresh: true,
            numbered: false,
        };
        self.read_lines(game, &mut line);
        self.close_lines(game);
        let at = self.lexer.at();
        if self.cut && at == self.lexer.text().len() {
            let message = format!("a game larger than {} bytes", self.limits.game_bytes);
            self.error(game, GameErrorKind::Limit, at, "", &message);
        }
    }

    /// Without a start no move can be read: all of them are kept as text. A game that was written
    /// so has its error already.
    fn read_without_start<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        kind: GameErrorKind,
        message: &str,
    ) {
        let mut ahead = self.lexer.clone();
        let mut scratch = String::new();
        while let Token::Comment(text) = ahead.next_token() {
            let written = error_comment::read(join_lines(text, &mut scratch));
            if written.is_some_and(|kept| kept.kind == kind) {
                return;
            }
        }
        self.lexer.skip_space();
        self.spoil(game, kind, self.lexer.at(), message);
    }

    /// The loop over all tokens of a game.
    fn read_lines<S: GameSink + ?Sized>(&mut self, game: &mut Game<'_, S>, line: &mut Line) {
        while !game.skipped {
            // After a result nothing is plain: the next game may have begun.
            if game.ended.is_none() && self.read_plain(game, line) {
                continue;
            }
            let token = self.lexer.next_token();
            let at = self.lexer.token_start();
            match token {
                Token::Word(word) => self.read_word(game, line, at, word),
                Token::Number(number) => {
                    if game.ended.is_some() && self.open.is_empty() && number == 1 {
                        // The next game, without tags.
                        self.lexer.set_at(at);
                        return;
                    }
                    line.numbered = true;
                }
                Token::Nag(nag) => note(game, Event::Nag(nag)),
                Token::Comment(text) => self.read_comment(game, line, (at, text)),
                Token::OpenComment(_) => {
                    let message = "a comment without an end";
                    let raw = self.lexer.text()[at..self.lexer.at()].trim_end();
                    self.error(game, GameErrorKind::Unbalanced, at, raw, message);
                }
                Token::Open => self.open_variation(game, line, at),
                Token::Close => self.close_variation(game, line, at),
                Token::Result(result) => self.read_result(game, line, at, result),
                Token::Stray(text) => {
                    let kind = match is_bracket(text) {
                        true => GameErrorKind::Unbalanced,
                        false => GameErrorKind::Unreadable,
                    };
                    self.lexer.set_at(at);
                    let message = format!("{text:?} has no place among moves");
                    match kind {
                        // A bracket too many spoils nothing that follows.
                        GameErrorKind::Unbalanced => {
                            self.lexer.set_at(at + text.len());
                            self.error(game, kind, at, text, &message);
                        }
                        _ => self.spoil(game, kind, at, &message),
                    }
                }
                Token::NextGame | Token::End => return,
            }
        }
        self.skip_movetext(game, self.open.len(), |parser, rest| {
            parser.read_lines(rest, line);
        });
    }

    /// Reads a plain move, with or without its number, or a plain comment: nine tokens of ten in
    /// most files. `false` leaves all else, and everything that is not sure, to the lexer.
    #[inline(always)]
    fn read_plain<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &mut Line,
    ) -> bool {
        // A window of fixed size spares a bounds check for every byte.
        let Some(window) = self.lexer.rest().first_chunk() else {
            return false;
        };
        let at = self.lexer.at();
        let start = plain::after_space(window);
        if window[start] == b'{' {
            return self.read_plain_comment(game, line, at + start + 1);
        }
        let Some((start, word, length)) = plain::word(window, start) else {
            return false;
        };
        let kept = &mut line.before;
        let variations = game.needs.variations;
        let played = line
            .position
            .play_plain_san(SanWord::new(word, length), |before, play| {
                // Only a variation returns to it.
                if variations {
                    *kept = *before;
                }
                game.play(before, play);
            });
        if played.is_none() {
            return false;
        }
        self.lexer.set_at(at + start + length);
        line.fresh = false;
        line.numbered = false;
        true
    }

    /// Reads a comment of one line without braces in it, as nearly all are, whose text starts at a
    /// byte. `false` leaves all else to the lexer.
    #[inline]
    fn read_plain_comment<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &Line,
        start: usize,
    ) -> bool {
        let text = self.lexer.text();
        let rest = &text.as_bytes()[start..];
        let Some(length) = memchr3(b'}', b'{', b'\n', rest) else {
            return false;
        };
        if rest[length] != b'}' || self.has_return(&rest[..length]) {
            return false;
        }
        let comment = &text[start..start + length];
        if error_comment::is_missing(comment) {
            return false;
        }
        self.lexer.set_at(start + length + 1);
        if game.needs.notes {
            self.tell_comment(game, line, (start - 1, comment));
        }
        true
    }

    /// Whether there is a carriage return in a part of the text. Mostly one search through the
    /// whole text spares those through its parts.
    #[inline]
    fn has_return(&mut self, part: &[u8]) -> bool {
        let text = self.lexer.text().as_bytes();
        let anywhere = *self
            .returns
            .get_or_insert_with(|| memchr(b'\r', text).is_some());
        anywhere && memchr(b'\r', part).is_some()
    }

    #[inline(always)]
    fn moved<S: GameSink + ?Sized>(&mut self, game: &mut Game<'_, S>, line: &mut Line, play: Move) {
        line.fresh = false;
        line.numbered = false;
        game.tell(Event::Move {
            before: &line.before,
            play,
            after: Some(&line.position),
        });
    }

    fn read_word<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &mut Line,
        at: usize,
        word: &'t str,
    ) {
        let before = line.position;
        let error = match line.position.play_san(word.as_bytes()) {
            Ok(action) => return self.acted(game, line, before, action),
            Err(error) => error,
        };
        if let Some((action, nag)) = split_glyph(&mut line.position, word) {
            self.acted(game, line, before, action);
            return note(game, Event::Nag(nag));
        }
        if let Some((action, result, length)) = split_result(&mut line.position, word) {
            self.acted(game, line, before, action);
            return self.read_result(game, line, at + length, result);
        }
        let kind = match error {
            SanError::Syntax(_) => GameErrorKind::Unreadable,
            SanError::Ambiguous(_) => GameErrorKind::AmbiguousMove,
            _ => GameErrorKind::IllegalMove,
        };
        self.spoil(game, kind, at, &error.to_string());
    }

    fn acted<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &mut Line,
        before: Position,
        action: Action,
    ) {
        self.forgive_early_result(game);
        line.before = before;
        match action {
            Action::Move(play) => self.moved(game, line, play),
            Action::Null => {
                line.fresh = false;
                line.numbered = false;
                match self.takes_missing() {
                    true => game.tell(Event::Missing),
                    false => game.tell(Event::Null {
                        before: &before,
                        after: Some(&line.position),
                    }),
                }
            }
        }
    }

    /// Takes the comment which says that the null move before it is a ply that was left out.
    fn takes_missing(&mut self) -> bool {
        let mut ahead = self.lexer.clone();
        ahead.skip_space();
        match ahead.next_token() {
            Token::Comment(text) if error_comment::is_missing(text) => {
                self.lexer = ahead;
                true
            }
            _ => false,
        }
    }

    /// A result was followed by more of the game: it is kept as an error, and the game goes on.
    fn forgive_early_result<S: GameSink + ?Sized>(&mut self, game: &mut Game<'_, S>) {
        let (Some(at), Some(result), true) = (game.ended, game.result, self.open.is_empty()) else {
            return;
        };
        game.ended = None;
        game.result = None;
        let message = "a result before the last move";
        self.error(game, GameErrorKind::Unreadable, at, result.token(), message);
    }

    fn read_result<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &mut Line,
        at: usize,
        result: GameResult,
    ) {
        if !self.open.is_empty() {
            // The result of a variation is a remark.
            let text = &self.lexer.text()[at..self.lexer.at()];
            self.read_comment(game, line, (at, text));
        } else if game.ended.is_none() {
            game.ended = Some(at);
            game.result = Some(result);
        } else if game.result != Some(result) {
            let raw = &self.lexer.text()[at..self.lexer.at()];
            let message = "a second result that contradicts the first";
            self.error(game, GameErrorKind::Unreadable, at, raw, message);
        }
    }

    fn read_comment<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &mut Line,
        (at, text): (usize, &str),
    ) {
        if error_comment::is_missing(text) {
            // Without a null move before it: the same side moves on.
            line.before = line.position;
            line.fresh = false;
            return game.tell(Event::Missing);
        }
        if !game.needs.notes {
            return;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        self.tell_comment(game, line, (at, join_lines(text, &mut scratch)));
        self.scratch = scratch;
    }

    #[inline(always)]
    fn tell_comment<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &Line,
        (at, text): (usize, &str),
    ) {
        if text.starts_with("[%") && self.read_command(game, line, (at, text)) {
            return;
        }
        let place = match line.fresh || line.numbered {
            true => CommentPlace::Before,
            false => CommentPlace::After,
        };
        game.tell(Event::Comment(Comment {
            place,
            language: None,
            text,
        }));
    }

    /// A comment that is nothing but a command of a known spelling is the event it stands for.
    #[inline(never)]
    fn read_command<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &Line,
        (at, text): (usize, &str),
    ) -> bool {
        if let Some(kept) = error_comment::read(text) {
            game.state = GameState::Broken;
            game.tell(Event::Error(kept.at(self.place(at))));
            return true;
        }
        // Between a number and its move a comment is about what comes: annotations are not.
        if line.numbered && !line.fresh {
            return false;
        }
        match command::canonical(text) {
            Some(annotation) => {
                game.tell(Event::Annotation(&annotation));
                true
            }
            None => false,
        }
    }

    fn open_variation<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &mut Line,
        at: usize,
    ) {
        let fault = if line.fresh {
            Some((
                GameErrorKind::Unbalanced,
                "a variation before any move".to_owned(),
            ))
        } else if self.open.len() >= self.limits.depth {
            let message = format!("variations nested more than {} deep", self.limits.depth);
            Some((GameErrorKind::Limit, message))
        } else {
            None
        };
        if let Some((kind, message)) = fault {
            let raw = self.skip_variation(at);
            return self.error(game, kind, at, raw, &message);
        }
        if !game.needs.variations {
            self.skip_variation(at);
            return;
        }
        let flow = game.sink.event(Event::VariationStart);
        if flow == Flow::SkipVariation {
            self.skip_variation(at);
            return;
        }
        // Whoever skips the game is within the variation, too.
        game.skipped |= flow != Flow::Continue;
        self.open.push(*line);
        line.position = line.before;
        line.fresh = true;
        line.numbered = false;
    }

    fn close_variation<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        line: &mut Line,
        at: usize,
    ) {
        match self.open.pop() {
            Some(outer) => {
                *line = Line {
                    numbered: false,
                    ..outer
                };
                game.tell(Event::VariationEnd);
            }
            None => {
                let message = "a variation ends that has not begun";
                self.error(game, GameErrorKind::Unbalanced, at, ")", message);
            }
        }
    }

    /// Ends the variations that the text has left open.
    fn close_lines<S: GameSink + ?Sized>(&mut self, game: &mut Game<'_, S>) {
        if self.open.is_empty() || game.skipped {
            return;
        }
        let at = self.lexer.at();
        let message = "a variation without an end";
        self.error(game, GameErrorKind::Unbalanced, at, "", message);
        while self.open.pop().is_some() {
            game.tell(Event::VariationEnd);
        }
    }

    /// Something cannot be read: the rest of the line of play is kept as it stands, for no later
    /// move of it can be trusted.
    fn spoil<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        kind: GameErrorKind,
        at: usize,
        message: &str,
    ) {
        self.lexer.set_at(at);
        let raw = self.skip_line(game, self.open.len());
        self.error(game, kind, at, raw, message);
    }

    /// Passes over the rest of a line of play: up to the end of its variation, or in the main line
    /// up to the result or the next game. Returns the text.
    fn skip_line<S: GameSink + ?Sized>(&mut self, game: &Game<'_, S>, depth: usize) -> &'t str {
        let from = self.lexer.at();
        let mut nested = 0usize;
        loop {
            let token = self.lexer.next_token();
            let at = self.lexer.token_start();
            match token {
                Token::Open => nested += 1,
                Token::Close if nested > 0 => nested -= 1,
                Token::Close if depth > 0 => self.lexer.set_at(at),
                Token::Result(_) if nested == 0 && depth == 0 && game.ended.is_none() => {
                    self.lexer.set_at(at);
                }
                Token::NextGame | Token::End => {}
                _ => continue,
            }
            let stopped = self.lexer.at() == at || at == self.lexer.text().len();
            if stopped {
                return self.lexer.text()[from..at].trim_end();
            }
        }
    }

    /// Passes over a variation whose `(` stands at a byte, its `)` included. Returns the text.
    fn skip_variation(&mut self, at: usize) -> &'t str {
        let mut nested = 1usize;
        while nested > 0 {
            // Whichever word it is that begins before a bracket, brackets are the same.
            let _sure = self.lexer.skim(&mut self.ahead, true);
            match self.lexer.next_token() {
                Token::Open => nested += 1,
                Token::Close => nested -= 1,
                Token::NextGame | Token::End => break,
                _ => {}
            }
        }
        self.lexer.text()[at..self.lexer.at()].trim_end()
    }

    /// Passes over the rest of a game, of which so many variations are open, and finds its result: the
    /// one that reading finds. Where that is not sure without moves, the rest is read, and told to
    /// nobody.
    #[inline]
    fn skip_movetext<S: GameSink + ?Sized>(
        &mut self,
        game: &mut Game<'_, S>,
        open: usize,
        read: impl FnOnce(&mut Parser<'t>, &mut Game<'_, dyn GameSink>),
    ) {
        let (from, known) = (self.lexer.at(), self.ahead);
        match self.pass_over(game.result, game.ended.is_some(), open) {
            Some(result) => game.result = result,
            None => {
                let until = self.lexer.at();
                self.lexer.set_at(from);
                let ahead = std::mem::replace(&mut self.ahead, known);
                game.result = self.read_unheard(game.result, game.ended, read);
                if self.lexer.at() >= until {
                    self.ahead = ahead;
                }
            }
        }
    }

    /// Reads the rest of a game, and tells nobody. Returns its result.
    #[cold]
    #[inline(never)]
    fn read_unheard(
        &mut self,
        result: Option<GameResult>,
        ended: Option<usize>,
        read: impl FnOnce(&mut Parser<'t>, &mut Game<'_, dyn GameSink>),
    ) -> Option<GameResult> {
        let mut nobody = ();
        let nobody: &mut dyn GameSink = &mut nobody;
        let sink = Listener::new(nobody);
        let mut rest = Game {
            needs: sink.needs(),
            sink,
            result,
            ended,
            state: GameState::Complete,
            skipped: false,
        };
        read(self, &mut rest);
        rest.result
    }

    /// Finds the result of a game and passes over what is left of it, looking at no move. `None` where
    /// moves decide: a result is stuck to one, or something that may be one follows a result.
    #[inline]
    fn pass_over(
        &mut self,
        mut result: Option<GameResult>,
        mut ended: bool,
        open: usize,
    ) -> Option<Option<GameResult>> {
        let mut nested = open;
        loop {
            // After the result each word counts: it tells whether the next game has begun.
            if !ended && !self.lexer.skim(&mut self.ahead, nested > 0) {
                return None;
            }
            let token = self.lexer.next_token();
            match token {
                Token::Open => nested += 1,
                Token::Close => nested = nested.saturating_sub(1),
                Token::NextGame | Token::End => return Some(result),
                _ if nested > 0 => {}
                Token::Result(token) if !ended => {
                    result = Some(token);
                    ended = true;
                }
                Token::Number(1) if ended => {
                    self.lexer.set_at(self.lexer.token_start());
                    return Some(result);
                }
                Token::Word(_) if ended => return None,
                Token::Word(word) if stuck_result(word).is_some() => return None,
                // What has no place here hides the start of a next game without tags; brackets do not.
                Token::Stray(text) if ended && !is_bracket(text) => return None,
                _ => {}
            }
        }
    }
}

#[inline]
fn note<S: GameSink + ?Sized>(game: &mut Game<'_, S>, event: Event<'_>) {
    if game.needs.notes {
        game.tell(event);
    }
}

/// A move with a glyph stuck to it, such as `Nf3+-`: the longest glyph first, for a `+` before it
/// would be taken for a check.
fn split_glyph(position: &mut Position, word: &str) -> Option<(Action, Nag)> {
    (1..=3).rev().find_map(|characters| {
        let (end, _) = word.char_indices().rev().nth(characters - 1)?;
        let nag = Nag::from_symbol(&word[end..])?;
        let action = position.play_san(&word.as_bytes()[..end]).ok()?;
        Some((action, nag))
    })
}

/// A move with a result stuck to it, such as `Qg20-1`, and the length of the move.
fn split_result(position: &mut Position, word: &str) -> Option<(Action, GameResult, usize)> {
    let (play, token) = stuck_result(word)?;
    let action = position.play_san(play.as_bytes()).ok()?;
    Some((action, token.parse().ok()?, play.len()))
}

/// A word before the result that is stuck to it, and the result.
fn stuck_result(word: &str) -> Option<(&str, &'static str)> {
    ["1-0", "0-1", "1/2-1/2"]
        .into_iter()
        .find_map(|token| Some((word.strip_suffix(token)?, token)))
}

/// Whether something that has no place among moves is a bracket too many, which spoils nothing that
/// follows.
fn is_bracket(stray: &str) -> bool {
    matches!(stray, "}" | "]")
}

/// A comment in one line: each line break is a space, because writers wrap lines as they like.
fn join_lines<'a>(text: &'a str, scratch: &'a mut String) -> &'a str {
    if memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return text;
    }
    scratch.clear();
    let mut rest = text;
    while let Some(end) = memchr2(b'\n', b'\r', rest.as_bytes()) {
        scratch.push_str(&rest[..end]);
        scratch.push(' ');
        let length = if rest[end..].starts_with("\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + length..];
    }
    scratch.push_str(rest);
    scratch
}
