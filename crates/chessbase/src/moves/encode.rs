//! Events to records.

use tabiya_chess::{Action, Color, Move, Position, Role, Setup, Variant};
use tabiya_game::{Event, Flow, GameSink, LossKind, Losses, Needs};

use super::{
    codes::{self, Word},
    decode::MAX_OPEN,
    error::ErrorKind,
    mode::Mode,
    record,
    setup::{self, Chess960Block},
    slots::Slots,
    stream::{Code, Stream},
};

/// Takes a game and writes it as a record.
///
/// It listens to the moves; what is said about them is for the writer of annotations, who asks
/// for the [`last`](Recorder::last) move when a note comes and for its number in stored order
/// when the record is written.
///
/// ```
/// use tabiya_chessbase::moves::Recorder;
/// use tabiya_formats::pgn::Parser;
///
/// let mut recorder = Recorder::default();
/// Parser::new("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0").read_game(&mut recorder);
/// assert_eq!(recorder.last().map(|play| play.number()), Some(7));
/// let mut bytes = Vec::new();
/// recorder.write(&mut bytes)?;
/// assert_eq!(bytes, [0, 0, 0, 12, 0xff, 0x00, 0xa4, 0xe0, 0x66, 0x0c, 0x60, 0x13]);
/// # Ok::<(), tabiya_chessbase::moves::ErrorKind>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    /// The mode that is used where the rules allow it.
    wanted: Option<Mode>,
    mode: Mode,
    start: Position,
    /// In the order of events; the first stands for the start.
    nodes: Vec<Node>,
    /// The number of each node in stored order, 0 if it is not stored.
    stored: Vec<u32>,
    line: Line,
    open: Vec<Line>,
    /// The position before the last move of the main line, and that move.
    main: (Position, Option<Action>),
    main_plies: u32,
    game: u64,
    losses: Losses,
}

/// A move that was taken, by its place in the order of events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Taken(u32);

impl Taken {
    /// Its number in the order of events, from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The move of a number.
    pub(crate) const fn from_number(number: u32) -> Taken {
        Taken(number)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    code: Code,
    first_child: u32,
    last_child: u32,
    sibling: u32,
}

/// A line of play as far as it has been heard.
#[derive(Clone, Copy, Debug)]
struct Line {
    slots: Slots,
    /// The slots before the last move, to which a variation returns.
    slots_before: Slots,
    /// The last move, and the one before it.
    last: u32,
    parent: u32,
    turn: Color,
    /// The next move replaces another.
    replaces: bool,
    /// A move could not be written: what follows it cannot either.
    ended: bool,
}

impl Line {
    fn new(start: &Position, mode: Mode) -> Line {
        let slots = Slots::of(start.board(), mode.is_reversed());
        Line {
            slots,
            slots_before: slots,
            last: 0,
            parent: 0,
            turn: start.turn(),
            replaces: false,
            ended: false,
        }
    }
}

const ROOT: Node = Node {
    code: Code::NULL,
    first_child: 0,
    last_child: 0,
    sibling: 0,
};

impl Default for Recorder {
    fn default() -> Recorder {
        let start = Position::initial();
        Recorder {
            wanted: None,
            mode: Mode::REGULAR,
            start,
            nodes: vec![ROOT],
            stored: Vec::new(),
            line: Line::new(&start, Mode::REGULAR),
            open: Vec::new(),
            main: (start, None),
            main_plies: 0,
            game: 0,
            losses: Losses::default(),
        }
    }
}

// What has been taken.
impl Recorder {
    /// Writes games of its rules in a mode; ChessBase uses 0 and 10 today, as tabiya does unless
    /// it is told otherwise.
    #[must_use]
    pub fn in_mode(mode: Mode) -> Recorder {
        Recorder {
            wanted: Some(mode),
            ..Recorder::default()
        }
    }

    /// The mode in which the game is written.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The last move of the line that is being heard; `None` if the game has not begun.
    #[must_use]
    pub fn last(&self) -> Option<Taken> {
        (self.line.last != 0).then_some(Taken(self.line.last))
    }

    /// The number of a move in stored order, from 1, once the record is written.
    #[must_use]
    pub fn stored(&self, play: Taken) -> Option<u32> {
        let stored = self.stored.get(play.0 as usize).copied();
        stored.filter(|number| *number != 0)
    }

    /// How many plies the main line has.
    #[must_use]
    pub fn main_line_plies(&self) -> u32 {
        self.main_plies
    }

    /// How many moves have been taken, those of variations included.
    #[must_use]
    pub fn moves(&self) -> u32 {
        // The first node stands for the start.
        self.nodes.len() as u32 - 1
    }

    /// The position at the end of the main line.
    #[must_use]
    pub fn final_position(&self) -> Position {
        let (mut position, last) = self.main;
        if let Some(action) = last {
            position.act(action);
        }
        position
    }

    /// Whether there are variations.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.sibling != 0)
    }

    /// Whether the record has a start position.
    #[must_use]
    pub fn has_start(&self) -> bool {
        let setup = Setup {
            halfmove_clock: 0,
            ..self.start.to_setup()
        };
        setup != Setup::INITIAL || self.is_chess960()
    }

    /// What could not be written since this was last asked.
    pub fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.losses)
    }
}

// Taking moves.
impl Recorder {
    fn begin(&mut self, start: &Position) {
        let usual = Mode::for_start(start);
        let wanted = self.wanted.filter(|mode| mode.variant() == usual.variant());
        self.mode = wanted.unwrap_or(usual);
        self.start = *start;
        self.nodes.clear();
        self.nodes.push(ROOT);
        self.stored.clear();
        self.line = Line::new(start, self.mode);
        self.open.clear();
        self.main = (*start, None);
        self.main_plies = 0;
    }

    fn lose(&mut self, kind: LossKind, what: impl FnOnce() -> String) {
        self.losses.note(self.game, kind, what);
    }

    fn lose_clocks(&mut self) {
        let (clock, number) = (self.start.halfmove_clock(), self.start.fullmove_number());
        if clock != 0 {
            self.lose(LossKind::Start, || {
                format!("the half-move clock {clock} of the start")
            });
        }
        if number > 255 {
            self.lose(LossKind::Start, || {
                format!("the move number {number} of the start")
            });
        }
    }

    fn play(&mut self, before: &Position, play: Move) {
        if self.line.ended {
            return;
        }
        // A ply was left out, and it was not the other side's turn afterwards: pass back.
        let passes_back = before.turn() != self.line.turn;
        let is_en_passant = before.is_en_passant(play);
        // No word says that a pawn becomes a king.
        if play.promoted() == Some(Role::King) || (passes_back && is_en_passant) {
            self.line.ended = true;
            return self.lose(LossKind::Move, || {
                format!("{} and what follows", before.san(play))
            });
        }
        if passes_back {
            self.pass(before);
        }
        let code = Code {
            byte: self.code(before, play),
            word: self.word(before, play),
        };
        self.add(code);
        self.line.slots.play(before, play);
        self.end_ply(before, Action::Move(play));
    }

    fn pass(&mut self, before: &Position) {
        if !self.line.ended {
            self.add(Code::NULL);
            self.end_ply(before, Action::Null);
        }
    }

    fn end_ply(&mut self, before: &Position, action: Action) {
        self.line.turn = !self.line.turn;
        if self.open.is_empty() {
            self.main = (*before, Some(action));
            self.main_plies += 1;
        }
    }

    /// Adds a move to the line. Where the line left a variation before its own move, that move
    /// comes first all the same: the first is the main line.
    fn add(&mut self, code: Code) {
        let index = self.nodes.len() as u32;
        let after = self.line.last as usize;
        let parent = self.nodes[after];
        let sibling = if self.line.replaces {
            0
        } else {
            parent.first_child
        };
        self.nodes.push(Node {
            code,
            sibling,
            ..ROOT
        });
        if parent.last_child == 0 || !self.line.replaces {
            self.nodes[after].first_child = index;
        }
        if parent.last_child == 0 || self.line.replaces {
            self.nodes[after].last_child = index;
        }
        if self.line.replaces && parent.last_child != 0 {
            self.nodes[parent.last_child as usize].sibling = index;
        }
        self.line = Line {
            slots_before: self.line.slots,
            parent: self.line.last,
            last: index,
            replaces: false,
            ..self.line
        };
    }

    /// The one-byte code of a move, if it has one.
    fn code(&self, before: &Position, play: Move) -> u8 {
        let us = before.turn();
        let (from, to) = (play.from(), play.to());
        if before.is_castling(play) {
            return match (self.is_chess960(), to > from) {
                (true, _) => codes::WORD,
                (false, true) => codes::SHORT,
                (false, false) => codes::LONG,
            };
        }
        let role = before.board().role_at(from);
        let role = role.filter(|_| play.promoted().is_none());
        let slot = role.and_then(|role| self.line.slots.find(us, role, from));
        let code = slot.and_then(|slot| codes::code_of(slot, us, from, to));
        code.unwrap_or(codes::WORD)
    }

    /// The squares of a move. Castling is the king's way, or in Chess960, where that can be a
    /// move of the king alone, its target twice.
    fn word(&self, before: &Position, play: Move) -> Word {
        if !before.is_castling(play) {
            return Word::new(play.from(), play.to(), play.promoted());
        }
        let (target, _) = Position::castling_targets(play.from(), play.to());
        match self.is_chess960() {
            true => Word::new(target, target, None),
            false => Word::new(play.from(), target, None),
        }
    }

    fn is_chess960(&self) -> bool {
        self.mode.variant() == Variant::Chess960
    }

    fn open_variation(&mut self) {
        let line = self.line;
        self.open.push(line);
        if line.ended {
            return self.lose(LossKind::Variation, || {
                "a variation after a move that cannot be written".into()
            });
        }
        if line.last != 0 && !line.replaces {
            self.line.slots = line.slots_before;
            self.line.last = line.parent;
            self.line.turn = !line.turn;
        }
        self.line.slots_before = self.line.slots;
        self.line.replaces = true;
    }

    fn close_variation(&mut self) {
        if let Some(line) = self.open.pop() {
            self.line = line;
        }
    }
}

// Writing.
impl Recorder {
    /// Adds the record of the game to some bytes.
    ///
    /// # Errors
    /// [`ErrorKind::TooManyPieces`] or [`ErrorKind::TooLong`]: the game cannot be written, and
    /// nothing is added.
    pub fn write(&mut self, out: &mut Vec<u8>) -> Result<(), ErrorKind> {
        let from = out.len();
        let has_start = self.has_start();
        let setup = has_start
            .then(|| setup::write_setup(&self.start))
            .transpose()?;
        out.extend_from_slice(&record::head(self.mode, has_start, 0));
        out.extend(setup.iter().flatten());
        if self.is_chess960() {
            out.extend_from_slice(&Chess960Block::of(&self.start).to_bytes());
        }
        self.write_moves(out);
        let size = out.len() - from;
        if size > record::LONGEST {
            out.truncate(from);
            return Err(ErrorKind::TooLong { size });
        }
        let head = record::head(self.mode, has_start, size);
        out[from..from + head.len()].copy_from_slice(&head);
        self.lose_clocks();
        Ok(())
    }

    /// Adds the moves of the main line as those of a quoted game are written, ended by a null
    /// move.
    pub fn write_quotation(&self, out: &mut Vec<u8>) {
        let mut stream = Stream::quotation(out);
        let mut next = self.nodes[0].first_child as usize;
        while next != 0 {
            stream.play(self.nodes[next].code, false, false);
            next = self.nodes[next].first_child as usize;
        }
        stream.play(Code::NULL, false, true);
    }

    /// Writes the moves in stored order and numbers them.
    fn write_moves(&mut self, out: &mut Vec<u8>) {
        self.stored.clear();
        self.stored.resize(self.nodes.len(), 0);
        let mut stream = Stream::new(out, self.mode);
        let mut left = Vec::new();
        let mut next = self.nodes[0].first_child;
        if next == 0 {
            stream.end_empty_game();
        }
        while next != 0 {
            let node = self.nodes[next as usize];
            let mut pushes = node.sibling != 0;
            if pushes && left.len() == MAX_OPEN {
                pushes = false;
                self.lose(LossKind::Variation, || {
                    format!("variations where {MAX_OPEN} moves before already have some")
                });
            }
            if pushes {
                left.push(node.sibling);
            }
            stream.play(node.code, pushes, node.first_child == 0);
            self.stored[next as usize] = stream.count();
            next = match node.first_child {
                0 => left.pop().unwrap_or(0),
                child => child,
            };
        }
    }
}

impl GameSink for Recorder {
    fn needs(&mut self) -> Needs {
        Needs::ALL.tags(false).notes(false)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.game += 1;
                self.begin(&Position::initial());
            }
            Event::Start(start) => self.begin(start),
            Event::Move { before, play, .. } => self.play(before, play),
            Event::Null { before, .. } => self.pass(before),
            Event::Missing => {
                self.lose(LossKind::Move, || {
                    "a ply left out is written as a null move".into()
                });
                // The board is that after the last move, whoever is to move.
                let before = self.final_position();
                self.pass(&before);
            }
            Event::VariationStart => self.open_variation(),
            Event::VariationEnd => self.close_variation(),
            _ => {}
        }
        Flow::Continue
    }
}
