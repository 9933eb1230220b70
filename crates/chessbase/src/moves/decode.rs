//! Records to moves.

use tabiya_chess::{Action, Color, Move, Position, Role, Square};
use tabiya_game::GameState;

use super::{
    compact::{Compact, Token, Tokens},
    error::{Error, ErrorKind},
    mode::{Cipher, Mode},
    record::{Record, Start},
    simple::{self, Simple},
    state::{State, Stop},
    tree::{Nodes, Play, Steps},
};

/// How many lines may be left open. Real games leave 74.
pub const MAX_OPEN: usize = 1024;

/// Records that are longer are rare, or damaged and not to be trusted with memory.
const USUAL_LENGTH: usize = 4096;

/// How many positions are kept; each takes as much memory as a hundred bytes of moves.
const MAX_KEPT: usize = 16_384;

/// How much of a game is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All lines.
    All,
    /// The main line, which is stored first: the rest is not looked at.
    MainLine,
}

/// A game as it is stored: the main line first, then the variations.
///
/// One of them can read game after game and keeps its memory.
///
/// ```
/// use tabiya_chessbase::moves::{Scope, StoredGame};
///
/// let record = [0, 0, 0, 12, 0xff, 0x00, 0xa4, 0xe0, 0x66, 0x0c, 0x60, 0x13];
/// let mut game = StoredGame::default();
/// game.read(&record, Scope::All)?;
/// let moves: Vec<String> = game.main_line().map(|(before, action)| {
///     action.to_move().map_or("--".into(), |play| before.san(play).to_string())
/// }).collect();
/// assert_eq!(moves, ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]);
/// # Ok::<(), tabiya_chessbase::moves::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StoredGame {
    pub(crate) start: Position,
    mode: Option<Mode>,
    pub(crate) nodes: Nodes,
    /// The positions before the moves in stored order, so that they need not be played twice; of
    /// a game that is too long, the first of them.
    pub(super) befores: Vec<Position>,
    error: Option<Error>,
    /// What could not be read.
    pub(super) rest: Vec<u8>,
    pub(crate) trailing: usize,
    padding: u32,
    /// The positions to which lines return.
    open: Vec<State>,
    /// Positions keep their keys.
    keys: bool,
}

impl Default for StoredGame {
    fn default() -> StoredGame {
        StoredGame {
            start: Position::initial(),
            mode: None,
            nodes: Nodes::default(),
            befores: Vec::new(),
            error: None,
            rest: Vec::new(),
            trailing: 0,
            padding: 0,
            open: Vec::new(),
            keys: true,
        }
    }
}

// What is known of a game.
impl StoredGame {
    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// How it was encoded, if that is known.
    #[must_use]
    pub fn mode(&self) -> Option<Mode> {
        self.mode
    }

    /// How many moves there are in all lines; they are numbered from 1.
    #[must_use]
    pub fn stored_moves(&self) -> u32 {
        self.nodes.len() - u32::from(self.error.is_some())
    }

    /// Why not everything could be read.
    #[must_use]
    pub fn error(&self) -> Option<Error> {
        self.error
    }

    /// Whether everything could be read.
    #[must_use]
    pub fn state(&self) -> GameState {
        match self.error {
            None => GameState::Complete,
            Some(_) => GameState::Broken,
        }
    }

    /// Whether there are variations. Not known if only the main line was read.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.nodes.has_variations()
    }

    /// How many bytes of the record stand behind the end of the game.
    #[must_use]
    pub fn trailing(&self) -> usize {
        self.trailing
    }

    /// How many codes without a meaning there are; old programs wrote them.
    #[must_use]
    pub fn padding(&self) -> u32 {
        self.padding
    }

    /// How many plies the main line has. They are stored first, so the last of them has this
    /// number.
    #[must_use]
    pub fn main_plies(&self) -> u32 {
        self.nodes.main_line().count() as u32
    }

    /// The moves of the main line, each with the position before it.
    pub fn main_line(&self) -> impl Iterator<Item = (Position, Action)> + '_ {
        let mut position = self.start;
        self.nodes.main_line().map(move |action| {
            let before = position;
            position.act(action);
            (before, action)
        })
    }

    /// All moves in the order of events: a variation follows the move it replaces.
    pub fn steps(&self) -> Steps<'_> {
        Steps::new(&self.nodes, true)
    }
}

// Reading.
impl StoredGame {
    /// Whether positions keep their keys while moves are read; without them it is quicker, and
    /// whoever asks for a key gets it all the same.
    pub fn keep_keys(&mut self, keys: bool) {
        self.keys = keys;
    }

    /// Reads the record at the start of some bytes; what was read before is forgotten.
    ///
    /// # Errors
    /// If the record is damaged. The moves before the damage are there all the same.
    pub fn read(&mut self, bytes: &[u8], scope: Scope) -> Result<(), Error> {
        self.begin(&Position::initial());
        let record = Record::new(bytes);
        let kept = record.map_or(&bytes[..bytes.len().min(4)], |record| record.bytes());
        let result = record.and_then(|record| {
            let start = record.start()?;
            self.mode = Some(start.mode);
            self.read_moves(&record, &start, scope)
        });
        result.inspect_err(|error| self.keep_error(*error, kept))
    }

    /// Reads the moves of a quoted game, which end with a null move; returns how many bytes they
    /// take.
    ///
    /// # Errors
    /// If they are damaged. The moves before the damage are there all the same.
    pub fn read_quotation(&mut self, start: &Position, stream: &[u8]) -> Result<usize, Error> {
        self.begin(start);
        let end = simple::quotation_end(stream);
        let moves = &stream[..end];
        let tokens = || Simple::new(moves, Cipher::QUOTATION, false);
        self.read_stream(false, Scope::All, false, tokens)
            .inspect_err(|error| self.keep_error(*error, stream))?;
        Ok(simple::WORD_LENGTH.saturating_add(end).min(stream.len()))
    }

    /// Forgets what was read before.
    pub(crate) fn begin(&mut self, start: &Position) {
        self.start = *start;
        self.mode = None;
        self.error = None;
        self.rest.clear();
        self.restart();
    }

    /// Forgets the moves.
    pub(crate) fn restart(&mut self) {
        self.nodes.clear();
        self.befores.clear();
        self.open.clear();
        self.trailing = 0;
        self.padding = 0;
    }

    /// Keeps an error and the bytes that could not be read.
    pub(crate) fn keep_error(&mut self, error: Error, record: &[u8]) {
        if self.nodes.is_whole() {
            self.nodes.add(0, Play::Broken);
        }
        self.error = Some(error);
        self.rest
            .extend_from_slice(record.get(error.offset..).unwrap_or_default());
    }

    fn read_moves(
        &mut self,
        record: &Record<'_>,
        start: &Start,
        scope: Scope,
    ) -> Result<(), Error> {
        self.start = start.position;
        let stream = &record.bytes()[start.stream..];
        self.nodes.reserve(stream.len().min(USUAL_LENGTH));
        let cipher = start.mode.cipher();
        let reversed = start.mode.is_reversed();
        let cut = record.is_cut();
        let read = match start.mode.is_simple() {
            false => self.read_stream(reversed, scope, cut, || Compact::new(stream, cipher)),
            true => self.read_stream(false, scope, cut, || Simple::new(stream, cipher, reversed)),
        };
        read.map_err(|error| {
            match error.kind {
                ErrorKind::TruncatedGame { .. } if cut => ErrorKind::TruncatedGame {
                    expected: record.size(),
                    found: record.bytes().len(),
                },
                kind => kind,
            }
            .at(start.stream + error.offset)
        })
    }

    /// Reads a stream. If the game castles without a right that king and rook could have had at
    /// the start, the stored rights are wrong, as those of real files are: they get it and the
    /// game is read again.
    fn read_stream<T: Tokens>(
        &mut self,
        reversed: bool,
        scope: Scope,
        cut: bool,
        tokens_of: impl Fn() -> T,
    ) -> Result<(), Error> {
        loop {
            let mut tokens = tokens_of();
            let start = match self.keys {
                true => self.start,
                false => self.start.without_key(),
            };
            let mut state = State::new(&start, reversed);
            let kind = match self.read_tokens(&mut tokens, &mut state, scope) {
                Ok(true) => {
                    self.trailing = tokens.left();
                    return Ok(());
                }
                Ok(false) if !cut => return Ok(()),
                Ok(false) => ErrorKind::TruncatedGame {
                    expected: 1,
                    found: 0,
                },
                Err(Stop::Error(kind)) => kind,
                Err(Stop::MissingRight(castling)) if self.grant(castling) => {
                    self.restart();
                    continue;
                }
                Err(Stop::MissingRight(castling)) => state.illegal(castling),
            };
            self.nodes.add(state.node, Play::Broken);
            return Err(kind.at(tokens.token_start()));
        }
    }

    /// Gives the start a castling right; `false` if it has it or king and rook are not at home.
    pub(crate) fn grant(&mut self, castling: Move) -> bool {
        let mut setup = self.start.to_setup();
        let (king, rook) = (castling.from(), castling.to());
        let color = if king == Square::E1 {
            Color::White
        } else {
            Color::Black
        };
        if setup.castling_rooks.contains(rook)
            || setup.board.king(color) != Some(king)
            || !setup.board.of(color, Role::Rook).contains(rook)
        {
            return false;
        }
        setup.castling_rooks |= rook.into();
        match Position::from_setup(&setup, self.start.variant()) {
            Ok(start) => self.start = start,
            Err(_) => return false,
        }
        true
    }

    #[inline(always)]
    pub(crate) fn keep(&mut self, before: &Position) {
        if self.befores.len() < MAX_KEPT {
            // Not `push`, which copies it twice.
            self.befores.extend_from_slice(std::slice::from_ref(before));
        }
    }

    /// Plays the tokens; `true` if the end of the game was among them.
    fn read_tokens<T: Tokens>(
        &mut self,
        tokens: &mut T,
        state: &mut State,
        scope: Scope,
    ) -> Result<bool, Stop> {
        // Lines that were begun since the last move. One that ends without a move is none: what
        // follows it belongs to the main line.
        let mut begun = 0u32;
        while let Some(token) = tokens.next() {
            let play = match token {
                Token::Step(code) => {
                    self.keep(&state.position);
                    let play = state.step(code).ok_or_else(|| state.step_error(code))?;
                    Play::Move(play)
                }
                Token::Word(word) => {
                    self.keep(&state.position);
                    Play::Move(state.word(word)?)
                }
                Token::Castling { h_side } => {
                    self.keep(&state.position);
                    Play::Move(state.castle(h_side)?)
                }
                Token::Null => {
                    self.keep(&state.position);
                    state.pass()
                }
                Token::Push if scope == Scope::MainLine => {
                    begun = begun.saturating_add(1);
                    continue;
                }
                Token::Pop if begun > 0 => {
                    begun -= 1;
                    continue;
                }
                Token::Push if self.open.len() == MAX_OPEN => {
                    return Err(ErrorKind::NestingTooDeep { limit: MAX_OPEN }.into());
                }
                Token::Push => {
                    self.open.push(*state);
                    continue;
                }
                Token::Pop => match self.open.pop() {
                    Some(kept) => {
                        *state = kept;
                        continue;
                    }
                    None => return Ok(true),
                },
                Token::Padding(_) => {
                    self.padding += 1;
                    continue;
                }
                Token::Cut => {
                    return Err(ErrorKind::TruncatedGame {
                        expected: 2,
                        found: 1,
                    }
                    .into());
                }
            };
            state.node = self.nodes.add(state.node, play);
            state.plies += 1;
            begun = 0;
        }
        Ok(false)
    }
}
