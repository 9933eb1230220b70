//! A query, asked of one game after the other.

use std::ops::ControlFlow;

use tabiya_chess::{Board, Position, Step};
use tabiya_formats::jose::{Positions, Steps};
use tabiya_game::{GameResult, GameSink};
use tabiya_search::{Glance, Query, Scene, Seeker, Seen, Sight, Stepper};

use super::{
    sieve::Sieve,
    work::{Ask, Plain},
};
use crate::signature::Signature;

/// Asks where a query is answered first.
pub(super) struct AskQuery<'a> {
    query: &'a Query,
    sieve: &'a Sieve,
    steps: Steps,
    /// What boards tell, if they tell something.
    glance: Option<Glance<'a>>,
    positions: Positions,
    stepper: Stepper<'a>,
    seeker: Seeker<'a>,
}

impl<'a> AskQuery<'a> {
    pub fn new(query: &'a Query, sieve: &'a Sieve, variations: bool) -> AskQuery<'a> {
        let start = Position::initial();
        AskQuery {
            query,
            sieve,
            steps: Steps::new(&start),
            glance: Glance::new(query, &start),
            positions: Positions::new(&start),
            stepper: Stepper::new(query),
            seeker: Seeker::new(query).in_variations(variations),
        }
    }

    /// What the boards of a game tell.
    fn glance(&mut self, game: &Plain<'_>) -> Option<Seen> {
        let Some(glance) = &mut self.glance else {
            return Some(Seen::Perhaps);
        };
        glance.begin(game.promotions);
        let show = |step: &Step, board: &Board| decided(glance.step(step, board));
        self.steps.show(game.body, show).ok()?;
        Some(glance.finish())
    }

    /// Where a game answers, from its positions, or its boards if they are enough.
    fn look(&mut self, body: &[u8], result: GameResult) -> Option<Option<u32>> {
        let AskQuery {
            stepper,
            positions,
            steps,
            ..
        } = self;
        stepper.begin();
        if !stepper.step(&Scene::of_position(positions.start(), None)) {
            let sight = stepper.sight();
            let mut show = |scene: Scene<'_>| decided(stepper.step(&scene));
            let shown = match sight {
                Sight::Boards => steps.show(body, |step, board| show(Scene::of_board(board, step))),
                Sight::Positions => positions
                    .show::<false>(body, |_, position| show(Scene::of_position(position, None))),
                Sight::Moves => positions.show::<true>(body, |last, position| {
                    show(Scene::of_position(position, last))
                }),
            };
            shown.ok()?;
        }
        Some(stepper.finish(result))
    }
}

impl Ask for AskQuery<'_> {
    type Answer = u32;

    #[inline(always)]
    fn may_answer(&self, signature: Signature) -> bool {
        self.sieve.passes(signature) && self.query.may_hold(&signature)
    }

    fn replay(&mut self, game: &Plain<'_>) -> Option<Option<u32>> {
        match self.glance(game)? {
            Seen::Yes(ply) => Some(Some(ply)),
            Seen::No => Some(None),
            Seen::Perhaps => self.look(game.body, game.result()),
        }
    }

    fn ear(&mut self) -> &mut dyn GameSink {
        &mut self.seeker
    }

    fn heard(&mut self) -> Option<u32> {
        let found = self.seeker.found();
        self.seeker.forget();
        found
    }
}

pub(super) fn decided(decided: bool) -> ControlFlow<()> {
    match decided {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}
