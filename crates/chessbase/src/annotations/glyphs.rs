//! Glyphs (03): up to three, on the move, on the position and before the move.

use tabiya_game::Nag;

/// The glyphs at a move, as ChessBase keeps them: one of each sort, 0 for none.
///
/// ```
/// use tabiya_chessbase::annotations::Glyphs;
/// use tabiya_game::Nag;
///
/// let mut glyphs = Glyphs::default();
/// assert!(glyphs.add(Nag(14)) && glyphs.add(Nag(1)));
/// assert!(glyphs.nags().eq([Nag(1), Nag(14)]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Glyphs {
    /// On the move: `!`.
    pub on_move: u8,
    /// On the position: `±`.
    pub on_position: u8,
    /// Before the move: `⌓`.
    pub prefix: u8,
}

impl Glyphs {
    /// ChessBase leaves out the zeros at the end; a program that does not means the same.
    pub(super) fn read(data: &[u8]) -> Option<Glyphs> {
        if data.len() > 3 || data.iter().all(|glyph| *glyph == 0) {
            return None;
        }
        let at = |index: usize| data.get(index).copied().unwrap_or(0);
        Some(Glyphs {
            on_move: at(0),
            on_position: at(1),
            prefix: at(2),
        })
    }

    /// The bytes, without the zeros at the end.
    pub(super) fn write(self) -> Vec<u8> {
        let mut data = vec![self.on_move, self.on_position, self.prefix];
        while data.last() == Some(&0) {
            data.pop();
        }
        data
    }

    /// The glyphs in the order in which they are stored.
    pub fn nags(self) -> impl Iterator<Item = Nag> {
        [self.on_move, self.on_position, self.prefix]
            .into_iter()
            .filter(|number| *number != 0)
            .map(|number| Nag(number.into()))
    }

    /// Adds a glyph in its place or, if that is taken, in one that is free: ChessBase itself has
    /// the only move (8) in the second place when the move has a `!`. Of two on the position the
    /// first goes to the move, so that they stay in order. Says whether there was room.
    pub fn add(&mut self, nag: Nag) -> bool {
        let Ok(number @ 1..) = u8::try_from(nag.0) else {
            return false;
        };
        if place(number) == 1 && self.on_move == 0 {
            self.on_move = std::mem::replace(&mut self.on_position, number);
            return true;
        }
        let places = [&mut self.on_move, &mut self.on_position, &mut self.prefix];
        let own = place(number);
        let free = |place: &usize| *places[*place] == 0;
        let Some(found) = [own, 1, 0, 2].into_iter().find(free) else {
            return false;
        };
        *places[found] = number;
        true
    }
}

/// Where ChessBase keeps a glyph: 0 with the move, 1 with the position, 2 before the move.
fn place(number: u8) -> usize {
    match number {
        1..=9 | 22 | 23 => 0,
        140..=145 => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_judgements_of_a_position_stay_in_order() {
        for order in [[40, 18], [18, 40]] {
            let mut glyphs = Glyphs::default();
            assert!(order.map(Nag).iter().all(|nag| glyphs.add(*nag)));
            assert!(glyphs.nags().eq(order.map(Nag)));
        }
    }
}
