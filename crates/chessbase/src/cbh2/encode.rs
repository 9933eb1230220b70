//! Moves to words.

use tabiya_chess::{Board, Move, Position, Setup};
use tabiya_game::{Event, LossKind, Losses};

use super::{
    setup::{self, Section},
    words,
};
use crate::moves::{Coding, Lines, Taken};

/// Takes the moves of a game and writes them as a content.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    lines: Lines<Flat>,
    /// How the start is written, or why it cannot be.
    section: Result<Section, &'static str>,
    /// The start, if no moves can be played from it.
    unplayable: Option<Setup>,
}

/// Codes that need no board.
#[derive(Clone, Copy, Debug)]
struct Flat {
    /// The number of the start in Chess960.
    number: Option<u16>,
}

impl Coding for Flat {
    type Code = u16;
    type State = ();
    const PASS: u16 = words::NULL;

    fn state(&self, _: &Position) {}

    fn code(&self, (): &mut (), before: &Position, play: Move) -> Option<u16> {
        match before.is_castling(play) {
            true => {
                let h_side = play.to() > play.from();
                Some(words::of_castling(before.turn(), h_side, self.number))
            }
            false => words::of_move(before, play),
        }
    }

    fn can_pass(&self, before: &Position) -> bool {
        !before.is_check()
    }
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder {
            lines: Lines::new(Flat { number: None }),
            section: setup::write(&Position::initial()),
            unplayable: None,
        }
    }
}

impl Recorder {
    /// Takes an event, if it is about moves.
    pub(super) fn event(&mut self, event: Event<'_>) {
        if let Event::GameStart(_) = event {
            self.start(&Position::initial());
        }
        if let Event::Start(start) = event {
            self.start(start);
        }
        self.lines.event(event);
    }

    fn start(&mut self, start: &Position) {
        self.section = setup::write(start);
        self.unplayable = None;
        let section = self.section.as_ref().ok();
        self.lines.coding.number = section.and_then(|section| section.number);
    }

    /// Takes a start from which no moves can be played in place of the one that was told.
    pub(super) fn start_unplayable(&mut self, setup: &Setup) {
        self.section = setup::write_unplayable(setup);
        self.unplayable = Some(*setup);
    }

    /// The tag of the record, if the game can be written.
    pub(super) fn tag(&self) -> Option<u16> {
        self.section.as_ref().ok().map(|section| section.tag)
    }

    /// Whether a start position is written.
    pub(super) fn has_start(&self) -> bool {
        let section = self.section.as_ref();
        section.is_ok_and(|section| !section.words.is_empty())
    }

    /// The number of the start in Chess960.
    pub(super) fn chess960_number(&self) -> Option<u16> {
        self.lines.coding.number
    }

    /// The content and its tag, or why there is none.
    pub(super) fn write(&mut self) -> Result<(u16, Vec<u8>), &'static str> {
        let section = self.section.clone()?;
        let mut content = Vec::new();
        let mut put = |word: u16| content.extend(word.to_le_bytes());
        if !section.words.is_empty() {
            put(words::START);
            section.words.iter().for_each(|word| put(*word));
        }
        put(words::MOVES);
        if self.lines.moves() == 0 {
            put(words::END);
        }
        self.lines.write(|play| {
            put(play.code);
            if play.pushes {
                put(words::SIBLING);
            }
            if play.pops {
                put(words::END);
            }
        });
        self.lose_clocks();
        Ok((section.tag, content))
    }

    fn lose_clocks(&mut self) {
        let start = self.start_setup();
        let (clock, number) = (start.halfmove_clock, start.fullmove_number);
        if clock != 0 {
            self.lines.lose(LossKind::Start, || {
                format!("the half-move clock {clock} of the start")
            });
        }
        let in_section = self.has_start() && self.chess960_number().is_none();
        if number > u32::from(u16::MAX) || (number != 1 && !in_section) {
            self.lines.lose(LossKind::Start, || {
                format!("the move number {number} of the start")
            });
        }
    }

    /// The start.
    pub(super) fn start_setup(&self) -> Setup {
        self.unplayable
            .unwrap_or_else(|| self.lines.start().to_setup())
    }

    pub(super) fn last(&self) -> Option<Taken> {
        self.lines.last()
    }

    pub(super) fn main_plies(&self) -> u32 {
        self.lines.main_plies()
    }

    /// The board at the end of the main line.
    pub(super) fn final_board(&self) -> Board {
        match self.unplayable {
            Some(setup) => setup.board,
            None => *self.lines.final_position().board(),
        }
    }

    pub(super) fn has_variations(&self) -> bool {
        self.lines.has_variations()
    }

    /// The number of each move that was taken, in the order in which annotations count them.
    pub(super) fn order(&self) -> Vec<Option<u32>> {
        self.lines.order()
    }

    pub(super) fn take_losses(&mut self) -> Losses {
        self.lines.take_losses()
    }
}
