//! The opening lines that have a code of their own in the index.
//!
//! A game has the code of the longest line with which its main line begins; searches use it to
//! tell such games apart without reading them.

use std::sync::LazyLock;

use tabiya_chess::{Move, Position, Square};

/// The lines, each as its squares, with its code; in order, so that they can be searched.
static LINES: LazyLock<Vec<(Vec<Step>, u8)>> = LazyLock::new(|| {
    // The first line of the file has the code 1.
    let numbered = (1u8..=254).zip(include_str!("stored_lines.txt").lines());
    let mut lines: Vec<_> = numbered
        .map(|(code, line)| (line.split(' ').filter_map(step).collect(), code))
        .collect();
    lines.sort();
    lines
});

/// How many plies the longest line has.
const LONGEST: usize = 21;

/// Where a piece comes from and where it goes; in castling, the king.
type Step = (u8, u8);

fn step(text: &str) -> Option<Step> {
    let square = |text: &str| {
        let square: Square = text.parse().ok()?;
        Some(square.index() as u8)
    };
    Some((square(text.get(..2)?)?, square(text.get(2..)?)?))
}

/// The beginning of a main line, as far as it matters.
#[derive(Clone, Debug, Default)]
pub(super) struct Opening {
    steps: Vec<Step>,
    /// A null move or the length of the longest line has ended it.
    ended: bool,
}

impl Opening {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.ended = false;
    }

    /// Adds a move.
    pub(super) fn push(&mut self, before: &Position, play: Move) {
        if self.ended {
            return;
        }
        let to = match before.is_castling(play) {
            true => Position::castling_targets(play.from(), play.to()).0,
            false => play.to(),
        };
        self.steps
            .push((play.from().index() as u8, to.index() as u8));
        self.ended = self.steps.len() == LONGEST;
    }

    /// No line has a null move.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// The code of the longest line that it begins with; 0 if there is none.
    pub(super) fn code(&self) -> u8 {
        let mut steps = self.steps.as_slice();
        loop {
            let upto = LINES.partition_point(|(line, _)| line.as_slice() <= steps);
            let Some((line, code)) = upto.checked_sub(1).map(|last| &LINES[last]) else {
                return 0;
            };
            // Whatever line the steps begin with, the last line before them begins with it, too.
            let common = line.iter().zip(steps).take_while(|(a, b)| a == b).count();
            if common == line.len() {
                return *code;
            }
            steps = &steps[..common];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_can_be_played_and_has_its_own_code() {
        let longest = LINES.iter().map(|(line, _)| line.len()).max();
        assert_eq!((LINES.len(), longest), (254, Some(LONGEST)));
        for (line, code) in LINES.iter() {
            let mut position = Position::initial();
            let mut opening = Opening::default();
            for (from, to) in line {
                let (from, to) = (Square::from_index(*from), Square::from_index(*to));
                let king = position.board().king(position.turn());
                let castles = king == Some(from) && from.index().abs_diff(to.index()) == 2;
                let to = match castles {
                    true if to > from => Square::new(tabiya_chess::File::H, from.rank()),
                    true => Square::new(tabiya_chess::File::A, from.rank()),
                    false => to,
                };
                opening.push(&position, Move::new(from, to));
                position.play(Move::new(from, to)).unwrap();
            }
            assert_eq!(opening.code(), *code);
        }
    }

    #[test]
    fn the_longest_line_counts_wherever_a_game_leaves_the_lines() {
        let longest = |steps: &[Step]| {
            let fitting = LINES.iter().filter(|(line, _)| steps.starts_with(line));
            let longest = fitting.max_by_key(|(line, _)| line.len());
            longest.map_or(0, |(_, code)| *code)
        };
        for (line, _) in LINES.iter() {
            for plies in 0..=line.len() {
                for next in [None, Some((0, 0)), Some((63, 63)), Some((12, 20))] {
                    let steps: Vec<Step> = line[..plies].iter().copied().chain(next).collect();
                    let expected = longest(&steps);
                    let opening = Opening { steps, ended: true };
                    assert_eq!(opening.code(), expected, "{:?}", opening.steps);
                }
            }
        }
    }
}
