//! Events to records.

use tabiya_chess::{Move, Position, Role, Setup, Variant};
use tabiya_game::{Event, Flow, GameSink, LossKind, Losses, Needs};

use super::{
    codes::{self, Word},
    error::ErrorKind,
    heard::{Coding, Lines, Taken},
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
    lines: Lines<Numbered>,
}

/// Codes that name pieces by their numbers.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    mode: Mode,
}

impl Coding for Numbered {
    type Code = Code;
    type State = Slots;
    const PASS: Code = Code::NULL;

    fn state(&self, start: &Position) -> Slots {
        Slots::of(start.board(), self.mode.is_reversed())
    }

    fn code(&self, slots: &mut Slots, before: &Position, play: Move) -> Option<Code> {
        // No word says that a pawn becomes a king.
        if play.promoted() == Some(Role::King) {
            return None;
        }
        let code = Code {
            byte: self.byte(slots, before, play),
            word: self.word(before, play),
        };
        slots.play(before, play);
        Some(code)
    }
}

impl Numbered {
    fn is_chess960(&self) -> bool {
        self.mode.variant() == Variant::Chess960
    }

    /// The one-byte code of a move, if it has one.
    fn byte(&self, slots: &Slots, before: &Position, play: Move) -> u8 {
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
        let slot = role.and_then(|role| slots.find(us, role, from));
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
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder {
            wanted: None,
            lines: Lines::new(Numbered {
                mode: Mode::REGULAR,
            }),
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
        self.lines.coding.mode
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> &Position {
        self.lines.start()
    }

    /// The last move of the line that is being heard; `None` if the game has not begun.
    #[must_use]
    pub fn last(&self) -> Option<Taken> {
        self.lines.last()
    }

    /// The number of a move in stored order, from 1, once the record is written.
    #[must_use]
    pub fn stored(&self, play: Taken) -> Option<u32> {
        self.lines.stored(play)
    }

    /// How many plies the main line has.
    #[must_use]
    pub fn main_line_plies(&self) -> u32 {
        self.lines.main_plies()
    }

    /// How many moves have been taken, those of variations included.
    #[must_use]
    pub fn moves(&self) -> u32 {
        self.lines.moves()
    }

    /// The position at the end of the main line.
    #[must_use]
    pub fn final_position(&self) -> Position {
        self.lines.final_position()
    }

    /// Whether there are variations.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.lines.has_variations()
    }

    /// Whether the record has a start position.
    #[must_use]
    pub fn has_start(&self) -> bool {
        let setup = Setup {
            halfmove_clock: 0,
            ..self.start().to_setup()
        };
        setup != Setup::INITIAL || self.lines.coding.is_chess960()
    }

    /// What could not be written since this was last asked.
    pub fn take_losses(&mut self) -> Losses {
        self.lines.take_losses()
    }

    fn lose_clocks(&mut self) {
        let (clock, number) = (
            self.start().halfmove_clock(),
            self.start().fullmove_number(),
        );
        if clock != 0 {
            self.lines.lose(LossKind::Start, || {
                format!("the half-move clock {clock} of the start")
            });
        }
        if number > 255 {
            self.lines.lose(LossKind::Start, || {
                format!("the move number {number} of the start")
            });
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
        let (has_start, mode) = (self.has_start(), self.mode());
        let setup = has_start
            .then(|| setup::write_setup(self.start()))
            .transpose()?;
        out.extend_from_slice(&record::head(mode, has_start, 0));
        out.extend(setup.iter().flatten());
        if self.lines.coding.is_chess960() {
            out.extend_from_slice(&Chess960Block::of(self.start()).to_bytes());
        }
        let mut stream = Stream::new(out, mode);
        if self.moves() == 0 {
            stream.end_empty_game();
        }
        self.lines
            .write(|play| stream.play(play.code, play.pushes, play.pops));
        let size = out.len() - from;
        if size > record::LONGEST {
            out.truncate(from);
            return Err(ErrorKind::TooLong { size });
        }
        let head = record::head(mode, has_start, size);
        out[from..from + head.len()].copy_from_slice(&head);
        self.lose_clocks();
        Ok(())
    }

    /// Adds the moves of the main line as those of a quoted game are written, ended by a null
    /// move.
    pub fn write_quotation(&self, out: &mut Vec<u8>) {
        let mut stream = Stream::quotation(out);
        for code in self.lines.main_line() {
            stream.play(code, false, false);
        }
        stream.play(Code::NULL, false, true);
    }
}

impl GameSink for Recorder {
    fn needs(&mut self) -> Needs {
        Needs::ALL.tags(false).notes(false)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let start = match event {
            Event::GameStart(_) => Some(Position::initial()),
            Event::Start(start) => Some(*start),
            _ => None,
        };
        if let Some(start) = start {
            let usual = Mode::for_start(&start);
            let wanted = self.wanted.filter(|mode| mode.variant() == usual.variant());
            self.lines.coding.mode = wanted.unwrap_or(usual);
        }
        self.lines.event(event);
        Flow::Continue
    }
}
