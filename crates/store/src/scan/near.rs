//! How near games come to a position.

use tabiya_chess::Position;
use tabiya_formats::jose::Steps;
use tabiya_game::GameSink;
use tabiya_search::{Approach, Nearest};

use super::work::{Ask, Plain};
use crate::{movetext::decided, signature::Signature};

/// Asks for the distance of the nearest position, and after how many plies it comes.
pub(super) struct AskNear<'a> {
    steps: Steps,
    approach: Approach<'a>,
    nearest: Nearest<'a>,
}

impl<'a> AskNear<'a> {
    pub fn new(wanted: &'a Position, variations: bool) -> AskNear<'a> {
        let start = Position::initial();
        AskNear {
            steps: Steps::new(&start),
            approach: Approach::new(wanted, &start),
            nearest: Nearest::new(wanted).in_variations(variations),
        }
    }
}

impl Ask for AskNear<'_> {
    type Answer = (u32, u32);

    fn may_answer(&self, _: Signature) -> bool {
        true
    }

    fn replay(&mut self, game: &Plain<'_>) -> Option<Option<(u32, u32)>> {
        let approach = &mut self.approach;
        approach.begin();
        let shown = self
            .steps
            .show(game.body, |step, board| decided(approach.step(step, board)));
        shown.ok()?;
        Some(Some(approach.found()))
    }

    fn ear(&mut self) -> &mut dyn GameSink {
        &mut self.nearest
    }

    fn heard(&mut self) -> Option<(u32, u32)> {
        let found = self.nearest.found();
        self.nearest.forget();
        found
    }
}
