//! A sink that learns a repertoire.

use tabiya_chess::{Move, Position};
use tabiya_game::{Event, Flow, GameSink, Needs};

use super::{Repertoire, Spot};

/// Hears games and learns their lines.
#[derive(Default)]
pub struct Reader {
    repertoire: Repertoire,
    here: Line,
    /// The lines that were left for a variation.
    left: Vec<Line>,
}

/// Where a line is. Behind a null move, or what is no move, it is nowhere.
#[derive(Clone, Copy, Default)]
struct Line {
    at: Option<usize>,
    /// Before the last move, to which a variation returns.
    before: Option<usize>,
}

impl Reader {
    pub fn finish(self) -> Repertoire {
        self.repertoire
    }

    fn place(&mut self, position: &Position) -> usize {
        let known = &mut self.repertoire;
        let place = known.positions.insert(position);
        if place == known.spots.len() {
            let pieces = position.board().occupied().count();
            known.fewest = match place {
                0 => pieces,
                _ => known.fewest.min(pieces),
            };
            known.spots.push(Spot::default());
        }
        place
    }

    fn play(&mut self, play: Move, after: &Position) {
        let Some(at) = self.here.at else {
            self.here.before = None;
            return;
        };
        let count = self.repertoire.spots.len();
        let next = self.place(after);
        let spots = &mut self.repertoire.spots;
        if !spots[at].moves.contains(&play) {
            spots[at].moves.push(play);
        }
        // One that is new here is come to by this move; others know how.
        if next == count {
            spots[next].from = Some((at, play));
        }
        self.here = Line {
            at: Some(next),
            before: Some(at),
        };
    }
}

impl GameSink for Reader {
    fn needs(&mut self) -> Needs {
        Needs::ALL.tags(false).notes(false).after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.left.clear();
                self.here = Line::default();
            }
            Event::Start(position) => {
                let at = Some(self.place(position));
                self.here = Line { at, before: at };
            }
            Event::Move {
                play,
                after: Some(after),
                ..
            } => self.play(play, after),
            Event::Null { .. } | Event::Missing => {
                self.here = Line {
                    at: None,
                    before: self.here.at,
                };
            }
            Event::VariationStart => {
                self.left.push(self.here);
                self.here.at = self.here.before;
            }
            Event::VariationEnd => self.here = self.left.pop().unwrap_or_default(),
            _ => {}
        }
        match self.repertoire.spots.len() > Repertoire::POSITIONS {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }
}
