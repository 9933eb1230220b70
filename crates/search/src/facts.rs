//! What is known of a main line without playing it, and which questions that answers.
//!
//! Nothing comes back onto the board, and no pawn goes back: who knows how a game ended knows of
//! most positions that it never had them. All that is ruled out here is ruled out for sure.

use tabiya_chess::{Bitboard, Board, Color, Role};

use crate::{Query, Test};

/// What is true of all positions of a main line that follows from its moves.
pub trait Facts {
    /// The pawns that never moved: they stand on their first squares in every position.
    fn home_pawns(&self) -> Bitboard;

    /// How many pieces of a kind there are at least and at most in each position.
    fn counts(&self, color: Color, role: Role) -> (u8, u8);

    /// How many pieces a side has at least in each position, pawns and kings among them. Promotion
    /// makes them no more.
    fn left(&self, color: Color) -> usize;

    /// Whether a pawn was promoted.
    fn has_promotion(&self) -> bool;

    /// Whether a pawn became something else than a queen.
    fn has_underpromotion(&self) -> bool;

    /// Whether somebody was in check.
    fn has_check(&self) -> bool;

    /// Whether the last position is mate or stalemate. No other is.
    fn has_end(&self) -> bool;

    /// Whether a board may be one of them.
    fn may_have(&self, board: &Board) -> bool {
        let fits = |color: Color| {
            self.left(color) <= board.side(color).count()
                && Role::ALL.into_iter().all(|role| {
                    let (least, most) = self.counts(color, role);
                    let count = board.of(color, role).count();
                    (usize::from(least)..=usize::from(most)).contains(&count)
                })
        };
        let home = self.home_pawns();
        (home - board.pieces(Role::Pawn)).is_empty() && Color::ALL.into_iter().all(fits)
    }
}

/// The side whose pawn stands on a first square.
pub(crate) fn owner(home: tabiya_chess::Square) -> Color {
    match home.rank() == tabiya_chess::Rank::Second {
        true => Color::White,
        false => Color::Black,
    }
}

impl Query {
    /// Whether a main line of which these facts are known may answer; if not, it does not.
    #[must_use]
    pub fn may_hold(&self, facts: &impl Facts) -> bool {
        match self {
            Query::Somewhere(test) | Query::Held(_, test) | Query::Ends(test) => {
                test.may_hold(facts)
            }
            Query::Sequence(streaks) => streaks.iter().flatten().all(|test| test.may_hold(facts)),
            Query::Manoeuvre(path) => path.may_be_gone(facts),
            Query::Sacrifice(_) | Query::Result(_) => true,
            Query::All(parts) => parts.iter().all(|part| part.may_hold(facts)),
            Query::Any(parts) => parts.iter().any(|part| part.may_hold(facts)),
            Query::Not(part) => !part.surely_holds(facts),
        }
    }

    /// Whether it asks for more than what stands where.
    pub(crate) fn asks_positions(&self) -> bool {
        match self {
            Query::Somewhere(test) | Query::Held(_, test) | Query::Ends(test) => {
                test.asks_positions()
            }
            Query::Sequence(streaks) => streaks.iter().flatten().any(Test::asks_positions),
            Query::Manoeuvre(_) | Query::Sacrifice(_) | Query::Result(_) => false,
            Query::All(parts) | Query::Any(parts) => parts.iter().any(Query::asks_positions),
            Query::Not(part) => part.asks_positions(),
        }
    }

    /// Whether it answers for sure.
    fn surely_holds(&self, facts: &impl Facts) -> bool {
        match self {
            Query::Somewhere(Test::Check) => facts.has_check(),
            Query::Somewhere(Test::Underpromotion) => facts.has_underpromotion(),
            Query::All(parts) => parts.iter().all(|part| part.surely_holds(facts)),
            Query::Any(parts) => parts.iter().any(|part| part.surely_holds(facts)),
            Query::Not(part) => !part.may_hold(facts),
            _ => false,
        }
    }
}

impl Test {
    /// Whether a position of a main line of which these facts are known may answer with yes.
    #[must_use]
    pub fn may_hold(&self, facts: &impl Facts) -> bool {
        match self {
            Test::Exact(exact) => facts.may_have(exact.position().board()),
            Test::Pattern(pattern) => pattern.may_fit(facts),
            Test::Material(material) => material.may_fit(facts),
            Test::Pawns(pawns) => pawns.may_fit(facts),
            Test::Check => facts.has_check(),
            Test::Mate => facts.has_end() && facts.has_check(),
            Test::Stalemate => facts.has_end(),
            Test::Underpromotion => facts.has_underpromotion(),
            Test::All(tests) => tests.iter().all(|test| test.may_hold(facts)),
            Test::Any(tests) => tests.iter().any(|test| test.may_hold(facts)),
            Test::Similar(..)
            | Test::Turn(_)
            | Test::Castled(..)
            | Test::Moved(_)
            | Test::Captured(_)
            | Test::Played(_)
            | Test::Ply(_)
            | Test::Not(_) => true,
        }
    }

    /// Whether it asks for more than what stands where.
    pub(crate) fn asks_positions(&self) -> bool {
        match self {
            Test::Exact(exact) => !exact.is_loose(),
            Test::Mate | Test::Stalemate | Test::Played(_) => true,
            Test::All(tests) | Test::Any(tests) => tests.iter().any(Test::asks_positions),
            Test::Not(test) => test.asks_positions(),
            Test::Pattern(_)
            | Test::Material(_)
            | Test::Pawns(_)
            | Test::Similar(..)
            | Test::Turn(_)
            | Test::Check
            | Test::Castled(..)
            | Test::Moved(_)
            | Test::Captured(_)
            | Test::Underpromotion
            | Test::Ply(_) => false,
        }
    }

    /// Whether it asks how a position came about, or what happened before.
    pub(crate) fn asks_moves(&self) -> bool {
        match self {
            Test::Castled(..)
            | Test::Moved(_)
            | Test::Captured(_)
            | Test::Underpromotion
            | Test::Played(_) => true,
            Test::All(tests) | Test::Any(tests) => tests.iter().any(Test::asks_moves),
            Test::Not(test) => test.asks_moves(),
            Test::Exact(_)
            | Test::Pattern(_)
            | Test::Material(_)
            | Test::Pawns(_)
            | Test::Similar(..)
            | Test::Turn(_)
            | Test::Check
            | Test::Mate
            | Test::Stalemate
            | Test::Ply(_) => false,
        }
    }
}
