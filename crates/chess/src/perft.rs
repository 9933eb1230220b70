//! Counting the leaves of the move tree: the proof that moves are right, and the measure of speed.
//!
//! ```
//! use tabiya_chess::{Position, perft};
//!
//! assert_eq!(perft(&Position::initial(), 4), 197_281);
//! ```

use crate::{
    Bitboard, Color, Move, Position, Role, Square, Variant,
    antichess::Antichess,
    movegen::{Black, Chess, Counter, Rules, Side, Sink, White, origin},
};

/// How many different lines of `depth` plies there are. The last ply is counted, not played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let position = &position.without_key();
    match (position.variant(), position.turn()) {
        (Variant::Antichess, Color::White) => count::<Antichess, White>(position, depth),
        (Variant::Antichess, Color::Black) => count::<Antichess, Black>(position, depth),
        (_, Color::White) => count::<Chess, White>(position, depth),
        (_, Color::Black) => count::<Chess, Black>(position, depth),
    }
}

/// [`perft`] split by the first move.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let after = |&play: &Move| {
        let mut next = *position;
        next.play_unchecked(play);
        (play, perft(&next, depth - 1))
    };
    position.legal_moves().iter().map(after).collect()
}

fn count<R: Rules, S: Side>(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        let mut counter = Counter::<R>::new();
        R::generate::<S, _>(position, &mut counter);
        return counter.count;
    }
    let mut walker = Walker::<R, S> {
        position,
        depth,
        nodes: 0,
        marker: std::marker::PhantomData,
    };
    R::generate::<S, _>(position, &mut walker);
    walker.nodes
}

/// Plays each move as it is found, without a list.
struct Walker<'a, R, S> {
    position: &'a Position,
    depth: u32,
    nodes: u64,
    marker: std::marker::PhantomData<(R, S)>,
}

impl<R: Rules, S: Side> Walker<'_, R, S> {
    #[inline(always)]
    fn walk(&mut self, role: Role, play: Move) {
        let mut next = *self.position;
        next.play_as::<false>(S::US, role, play);
        self.nodes += count::<R, S::Them>(&next, self.depth - 1);
    }
}

impl<R: Rules, S: Side> Sink for Walker<'_, R, S> {
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        for to in to {
            self.walk(role, Move::new(from, to));
        }
    }

    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.walk(Role::Pawn, Move::new(origin(to, step), to));
        }
    }

    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for &role in R::PROMOTIONS {
                self.walk(Role::Pawn, Move::promotion(origin(to, step), to, role));
            }
        }
    }

    fn single(&mut self, role: Role, play: Move) {
        self.walk(role, play);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_position() {
        let start = Position::initial();
        for (depth, nodes) in [(0, 1), (1, 20), (2, 400), (3, 8_902), (4, 197_281)] {
            assert_eq!(perft(&start, depth), nodes);
        }
        let divided = divide(&start, 3);
        assert_eq!(divided.len(), 20);
        assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8_902);
    }
}
