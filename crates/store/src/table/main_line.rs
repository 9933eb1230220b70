//! The main line of a game, as it is told.

use std::{fmt::Write, time::Duration};

use tabiya_chess::{Color, Position, SanText, Uci};
use tabiya_game::{Annotation, CommentPlace, Event, Flow, GameSink, Needs, Score, command};
use tabiya_search::Exact;

use super::men::Men;

/// A ply of a game, as it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ply {
    /// The key of the position in which it is played, as [`Exact::key`] has it.
    pub key: u64,
    /// Which ply of the game it is, from 1.
    pub number: u32,
    /// Who plays it.
    pub side: Color,
    /// The move; nothing where the turn passes.
    pub play: Option<(Uci, SanText)>,
    /// What is left on the mover's clock, in milliseconds.
    pub clock: Option<u64>,
    /// What an engine thinks of the position after it.
    pub score: Option<Score>,
    /// What stands on the board before it.
    pub men: Men,
}

/// Hears the main line of a game, and what is said of its moves.
#[derive(Default)]
pub(crate) struct MainLine {
    /// All moves in UCI notation, a space between two.
    pub line: String,
    pub plies: Vec<Ply>,
    /// Which ply was last, those that were left out counted too.
    ply: u32,
    /// Who played it.
    mover: Option<Color>,
    /// How many variations are open.
    depth: usize,
}

impl MainLine {
    /// Hears what belongs to one game; the rest is for others.
    pub fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            _ if self.depth > 0 => {}
            Event::Move { before, play, .. } => {
                let uci = before.uci(*play);
                self.push(before, Some((uci, before.san(*play))));
                let _ = write!(self.line, "{uci}");
            }
            Event::Null { before, .. } => {
                self.push(before, None);
                self.line.push_str("0000");
            }
            Event::Missing => {
                self.ply += 1;
                self.mover = None;
            }
            Event::Annotation(annotation) => self.note(annotation),
            Event::Comment(comment) if comment.place == CommentPlace::After => {
                if let Some(mover) = self.mover {
                    command::annotations(comment.text, mover).for_each(|it| self.note(&it));
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, before: &Position, play: Option<(Uci, SanText)>) {
        if !self.line.is_empty() {
            self.line.push(' ');
        }
        self.ply += 1;
        self.mover = Some(before.turn());
        self.plies.push(Ply {
            key: Exact::key(before).0,
            number: self.ply,
            side: before.turn(),
            play,
            clock: None,
            score: None,
            men: Men::of_board(before.board()),
        });
    }

    /// What is said first counts.
    fn note(&mut self, annotation: &Annotation) {
        let last = self.plies.last_mut().filter(|_| self.mover.is_some());
        let Some(ply) = last else {
            return;
        };
        match annotation {
            Annotation::Clock(left) => {
                ply.clock.get_or_insert(milliseconds(*left));
            }
            Annotation::Evaluation(evaluation) => {
                let _: &mut Score = ply.score.get_or_insert(evaluation.score);
            }
            _ => {}
        }
    }
}

/// Hears one game.
impl GameSink for MainLine {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true).keys(true).notes(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => *self = MainLine::default(),
            Event::VariationStart => return Flow::SkipVariation,
            event => self.hear(&event),
        }
        Flow::Continue
    }
}

fn milliseconds(time: Duration) -> u64 {
    // More than there are fit nowhere, and no clock shows them.
    i64::try_from(time.as_millis()).map_or(i64::MAX as u64, |time| time as u64)
}
