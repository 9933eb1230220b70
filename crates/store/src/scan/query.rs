//! A query, asked of one game after the other.

use tabiya_game::GameSink;
use tabiya_search::{Query, Seeker};

use super::{
    sieve::Sieve,
    work::{Ask, Plain},
};
use crate::{movetext::Asker, signature::Signature};

/// Asks where a query is answered first.
pub(super) struct AskQuery<'a> {
    query: &'a Query,
    sieve: &'a Sieve,
    asker: Asker<'a>,
    seeker: Seeker<'a>,
}

impl<'a> AskQuery<'a> {
    pub fn new(query: &'a Query, sieve: &'a Sieve, variations: bool) -> AskQuery<'a> {
        AskQuery {
            query,
            sieve,
            asker: Asker::new(query),
            seeker: Seeker::new(query).in_variations(variations),
        }
    }
}

impl Ask for AskQuery<'_> {
    type Answer = u32;

    #[inline(always)]
    fn may_answer(&self, signature: Signature) -> bool {
        self.sieve.passes(signature) && self.query.may_hold(&signature)
    }

    fn replay(&mut self, game: &Plain<'_>) -> Option<Option<u32>> {
        let result = || game.result();
        self.asker.replay(game.body, game.promotions, result)
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
