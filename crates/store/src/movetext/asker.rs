//! A query, asked of one game after the other.

use std::ops::ControlFlow;

use tabiya_chess::{Board, Position, Step, Variant};
use tabiya_formats::jose::{Error, Positions, Profile, Reader, Steps, is_continuous};
use tabiya_game::GameResult;
use tabiya_search::{Glance, Query, Scene, Seeker, Seen, Sight, Stepper};

use super::Movetext;

/// Asks the main lines of games where a query is answered first.
///
/// ```
/// use tabiya_search::Query;
/// use tabiya_store::movetext::{Asker, Movetext};
///
/// let query: Query = "pattern(Pe4 pd5)".parse()?;
/// let mut asker = Asker::new(&query);
/// // 1. e4 d5 *
/// let game = Movetext::parse(&[0x13, 0x0f, 0xd3, 0xff])?.expect("a game");
/// assert_eq!(asker.first_ply(game)?, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Asker<'q> {
    steps: Steps,
    /// What boards tell, if they tell something.
    glance: Option<Glance<'q>>,
    positions: Positions,
    stepper: Stepper<'q>,
    seeker: Seeker<'q>,
}

impl<'q> Asker<'q> {
    /// Asks a query.
    #[must_use]
    pub fn new(query: &'q Query) -> Asker<'q> {
        let start = Position::initial();
        Asker {
            steps: Steps::new(&start),
            glance: Glance::new(query, &start),
            positions: Positions::new(&start),
            stepper: Stepper::new(query),
            seeker: Seeker::new(query),
        }
    }

    /// After how many plies a game answers, if it does. It is looked at no further than needed.
    ///
    /// # Errors
    /// If the moves are damaged, as far as they were looked at.
    pub fn first_ply(&mut self, game: Movetext<'_>) -> Result<Option<u32>, Error> {
        let usual = game.start.is_none() && game.variant == Variant::Standard;
        if usual && is_continuous(game.moves) {
            let promotions = game.moves.iter().any(|code| matches!(code, 0xa0..=0xa7));
            let result = || result(game.moves);
            if let Some(found) = self.replay(game.moves, promotions, result) {
                return Ok(found);
            }
        }
        self.seeker.forget();
        game.tell(&mut self.seeker)?;
        Ok(self.seeker.found())
    }

    /// Where a game from the usual start answers; `None` if it is not as plain as it should be.
    pub(crate) fn replay(
        &mut self,
        moves: &[u8],
        promotions: bool,
        result: impl FnOnce() -> GameResult,
    ) -> Option<Option<u32>> {
        match self.glance(moves, promotions)? {
            Seen::Yes(ply) => Some(Some(ply)),
            Seen::No => Some(None),
            Seen::Perhaps => self.look(moves, result),
        }
    }

    /// What the boards of a game tell.
    fn glance(&mut self, moves: &[u8], promotions: bool) -> Option<Seen> {
        let Some(glance) = &mut self.glance else {
            return Some(Seen::Perhaps);
        };
        glance.begin(promotions);
        let show = |step: &Step, board: &Board| decided(glance.step(step, board));
        self.steps.show(moves, show).ok()?;
        Some(glance.finish())
    }

    /// Where a game answers, from its positions, or its boards if they are enough.
    fn look(&mut self, moves: &[u8], result: impl FnOnce() -> GameResult) -> Option<Option<u32>> {
        let Asker {
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
                Sight::Boards => {
                    steps.show(moves, |step, board| show(Scene::of_board(board, step)))
                }
                Sight::Positions => positions.show::<false>(moves, |_, position| {
                    show(Scene::of_position(position, None))
                }),
                Sight::Moves => positions.show::<true>(moves, |last, position| {
                    show(Scene::of_position(position, last))
                }),
            };
            shown.ok()?;
        }
        Some(stepper.finish(result()))
    }
}

/// The result of a game without data.
fn result(moves: &[u8]) -> GameResult {
    let result = Reader::new(Profile::Store).result(moves.into());
    result.unwrap_or_default()
}

pub(crate) fn decided(decided: bool) -> ControlFlow<()> {
    match decided {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}
