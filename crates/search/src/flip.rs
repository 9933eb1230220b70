//! Questions with the colours exchanged.

use tabiya_chess::{Board, Position, Setup};
use tabiya_game::GameResult;

use crate::{Exact, Query, Test};

impl Query {
    /// The same question with the colours exchanged.
    #[must_use]
    pub fn flipped(&self) -> Query {
        let all = |tests: &[Test]| tests.iter().map(Test::flipped).collect();
        let each = |queries: &[Query]| queries.iter().map(Query::flipped).collect();
        match self {
            Query::Somewhere(test) => Query::Somewhere(test.flipped()),
            Query::Held(plies, test) => Query::Held(*plies, test.flipped()),
            Query::Sequence(streaks) => {
                Query::Sequence(streaks.iter().map(|streak| all(streak)).collect())
            }
            Query::Ends(test) => Query::Ends(test.flipped()),
            Query::Result(results) => Query::Result(results.iter().map(turned_result).collect()),
            Query::Manoeuvre(path) => Query::Manoeuvre(path.flipped()),
            Query::Sacrifice(plies) => Query::Sacrifice(*plies),
            Query::All(queries) => Query::All(each(queries)),
            Query::Any(queries) => Query::Any(each(queries)),
            Query::Not(query) => Query::Not(Box::new(query.flipped())),
        }
    }
}

impl Test {
    /// The same question with the colours exchanged.
    #[must_use]
    pub fn flipped(&self) -> Test {
        let all = |tests: &[Test]| tests.iter().map(Test::flipped).collect();
        match self {
            Test::Exact(exact) => Test::Exact(exact.flipped()),
            Test::Pattern(pattern) => Test::Pattern(pattern.flipped()),
            Test::Material(material) => Test::Material(material.flipped()),
            Test::Pawns(pawns) => Test::Pawns(pawns.flipped()),
            Test::Similar(position, most) => Test::Similar(Box::new(turned(position)), *most),
            Test::Turn(color) => Test::Turn(!*color),
            Test::Castled(color, wing) => Test::Castled(!*color, *wing),
            Test::Moved(pieces) => Test::Moved(pieces.flipped()),
            Test::Captured(pieces) => Test::Captured(pieces.flipped()),
            Test::Played(moves) => Test::Played(moves.iter().map(|san| turned_san(san)).collect()),
            Test::All(tests) => Test::All(all(tests)),
            Test::Any(tests) => Test::Any(all(tests)),
            Test::Not(test) => Test::Not(Box::new(test.flipped())),
            Test::Check | Test::Mate | Test::Stalemate | Test::Underpromotion | Test::Ply(_) => {
                self.clone()
            }
        }
    }
}

impl Exact {
    /// The position from the other side.
    #[must_use]
    pub fn flipped(&self) -> Exact {
        Exact::new(turned(self.position())).loose(self.is_loose())
    }
}

/// Black's pieces for White's, and the board turned round.
pub(crate) fn turned(position: &Position) -> Position {
    let setup = position.to_setup();
    let mut board = Board::EMPTY;
    for (square, piece) in setup.board.iter() {
        board.put(square.flip(), piece.role.of(!piece.color));
    }
    let setup = Setup {
        board,
        turn: !setup.turn,
        castling_rooks: setup.castling_rooks.flip(),
        ep_square: setup.ep_square.map(|square| square.flip()),
        ..setup
    };
    // From any position moves can be generated, and from the other side as well.
    Position::from_setup(&setup, position.variant()).unwrap_or(*position)
}

fn turned_result(result: &GameResult) -> GameResult {
    match *result {
        GameResult::WhiteWins => GameResult::BlackWins,
        GameResult::BlackWins => GameResult::WhiteWins,
        GameResult::WhiteWinsByForfeit => GameResult::BlackWinsByForfeit,
        GameResult::BlackWinsByForfeit => GameResult::WhiteWinsByForfeit,
        other => other,
    }
}

fn turned_san(san: &str) -> String {
    let turn = |letter: char| match letter.to_digit(10) {
        Some(rank @ 1..=8) => (b'0' + (9 - rank) as u8) as char,
        _ => letter,
    };
    san.chars().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_turned_with_its_rights() {
        let exact = Exact::from_fen("r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1").unwrap();
        let expected = Exact::from_fen("4k2r/8/8/3Pp3/8/8/8/R3K3 w Qk e6 0 1").unwrap();
        assert!(exact.flipped().fits(expected.position()));
        assert!(exact.flipped().flipped().fits(exact.position()));
    }

    #[test]
    fn moves_go_to_the_other_side_of_the_board() {
        let test: Test = "played(Nf3 e8=Q O-O) and turn(white)".parse().unwrap();
        let expected: Test = "played(Nf6 e1=Q O-O) and turn(black)".parse().unwrap();
        assert_eq!(test.flipped(), expected);
    }
}
