//! What a game brings into a tree, in eight bytes.

use tabiya_game::GameResult;
use tabiya_search::tree::{Game, Tally};

/// Result, ratings and year of a game: two bits (unknown, White, Black, draw), then the ratings of White
/// and of Black and the year, each 17 bits, one more than it is, or 0 if it is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts(pub u64);

/// How many bits a number has.
const WIDTH: u32 = 17;

impl Facts {
    pub fn new(game: &Game) -> Facts {
        let result: u64 = match game.result.token() {
            "1-0" => 1,
            "0-1" => 2,
            "1/2-1/2" => 3,
            _ => 0,
        };
        let bits = |number: Option<u16>| number.map_or(0, |number| u64::from(number) + 1);
        let [white, black] = game.elo.map(bits);
        let year = bits(game.year);
        Facts(result | white << 2 | black << (2 + WIDTH) | year << (2 + 2 * WIDTH))
    }

    pub fn game(self) -> Game {
        let number = |index: u32| {
            let bits = self.number(index);
            bits.checked_sub(1).map(|number| number as u16)
        };
        Game {
            result: match self.0 & 3 {
                1 => GameResult::WhiteWins,
                2 => GameResult::BlackWins,
                3 => GameResult::Draw,
                _ => GameResult::Unknown,
            },
            elo: [number(0), number(1)],
            year: number(2),
        }
    }

    #[inline]
    fn number(self, index: u32) -> u64 {
        self.0 >> (2 + index * WIDTH) & ((1 << WIDTH) - 1)
    }
}

/// A tally of games by their facts, without a branch a game: there may be millions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    /// By results, as facts have them.
    results: [u64; 4],
    elo_sums: [u64; 2],
    elo_counts: [u64; 2],
    /// The last year plus 1.
    year: u64,
}

impl Sum {
    #[inline]
    pub fn add(&mut self, facts: Facts) {
        self.results[facts.0 as usize & 3] += 1;
        for side in 0..2 {
            let elo = facts.number(side as u32);
            self.elo_counts[side] += u64::from(elo > 0);
            self.elo_sums[side] += elo.saturating_sub(1);
        }
        self.year = self.year.max(facts.number(2));
    }

    pub fn tally(self) -> Tally {
        let [unknown, white, black, draws] = self.results;
        Tally {
            white,
            draws,
            black,
            unknown,
            elo_sums: self.elo_sums,
            elo_counts: self.elo_counts,
            last_year: self.year.checked_sub(1).map(|year| year as u16),
        }
    }
}

/// Takes games out of a tally. The last year stays, since they have others in their place.
pub(super) fn take_out(tally: &mut Tally, facts: Facts) {
    let mut one = Tally::default();
    one.add(&facts.game());
    tally.white = tally.white.saturating_sub(one.white);
    tally.draws = tally.draws.saturating_sub(one.draws);
    tally.black = tally.black.saturating_sub(one.black);
    tally.unknown = tally.unknown.saturating_sub(one.unknown);
    for side in 0..2 {
        tally.elo_sums[side] = tally.elo_sums[side].saturating_sub(one.elo_sums[side]);
        tally.elo_counts[side] = tally.elo_counts[side].saturating_sub(one.elo_counts[side]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_game_counts_as_it_did(elo: [Option<u16>; 2], year: Option<u16>, result in 0usize..7) {
            let game = Game { result: GameResult::ALL[result], elo, year };
            let (mut before, mut after) = (Tally::default(), Sum::default());
            before.add(&game);
            after.add(Facts::new(&game));
            let mut after = after.tally();
            prop_assert_eq!(before, after);
            take_out(&mut after, Facts::new(&game));
            prop_assert_eq!(after, Tally { last_year: year, ..Tally::default() });
        }
    }
}
