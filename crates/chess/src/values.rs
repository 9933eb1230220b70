//! What the pieces are worth, as three sources say it.
//!
//! The sets are those of the note on the 12x10 board ([`mailbox`](crate::mailbox)), which prefers
//! none. Values are in hundredths of a pawn; a king has no value, since it is never exchanged.
//!
//! ```
//! use tabiya_chess::{Role, Setup, values::{self, ValueSet}};
//!
//! let set: ValueSet = "laramee".parse()?;
//! assert_eq!(set.value(Role::Bishop), Some(325));
//! assert_eq!(set.value(Role::King), None);
//!
//! // White has a bishop for Black's knight.
//! let setup: Setup = "4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1".parse()?;
//! assert_eq!(values::balance(&setup.board, set), 25);
//! assert_eq!(values::balance(&setup.board, ValueSet::default()), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{fmt, str::FromStr};

use crate::{Board, Color, Role};

/// A named set of piece values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum ValueSet {
    /// 1, 3, 3, 5, 9.
    #[default]
    Classic,
    /// Minor pieces at 3.5, from a school report by Kevin and Craig.
    KevinCraig,
    /// Bishops at 3.25, from an article by François Dominic Laramée.
    Laramee,
}

/// The text is not the name of a set of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a set of piece values: expected classic, kevin-craig or laramee")]
pub struct ParseValueSetError;

impl ValueSet {
    /// All sets, the default first.
    pub const ALL: [ValueSet; 3] = [ValueSet::Classic, ValueSet::KevinCraig, ValueSet::Laramee];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ValueSet::Classic => "classic",
            ValueSet::KevinCraig => "kevin-craig",
            ValueSet::Laramee => "laramee",
        }
    }

    /// The value of a piece, in hundredths of a pawn; of a king none.
    #[must_use]
    pub const fn value(self, role: Role) -> Option<i32> {
        // Pawn, knight, bishop, rook, queen.
        let values = match self {
            ValueSet::Classic => [100, 300, 300, 500, 900],
            ValueSet::KevinCraig => [100, 350, 350, 500, 900],
            ValueSet::Laramee => [100, 300, 325, 500, 900],
        };
        match role {
            Role::King => None,
            _ => Some(values[role as usize]),
        }
    }
}

impl fmt::Display for ValueSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ValueSet {
    type Err = ParseValueSetError;

    fn from_str(text: &str) -> Result<ValueSet, ParseValueSetError> {
        ValueSet::ALL
            .into_iter()
            .find(|set| set.name() == text)
            .ok_or(ParseValueSetError)
    }
}

/// White's pieces less Black's, kings not counted.
#[must_use]
pub fn balance(board: &Board, set: ValueSet) -> i32 {
    let worth = |color: Color| -> i32 {
        let of = |role| board.of(color, role).count() as i32 * set.value(role).unwrap_or(0);
        Role::ALL.into_iter().map(of).sum()
    };
    worth(Color::White) - worth(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_tables_are_those_of_the_note() {
        use Role::*;
        let table = |set: ValueSet| [Queen, Rook, Bishop, Knight, Pawn].map(|role| set.value(role));
        let some = |values: [i32; 5]| values.map(Some);
        assert_eq!(table(ValueSet::Classic), some([900, 500, 300, 300, 100]));
        assert_eq!(table(ValueSet::KevinCraig), some([900, 500, 350, 350, 100]));
        assert_eq!(table(ValueSet::Laramee), some([900, 500, 325, 300, 100]));
        assert!(ValueSet::ALL.iter().all(|set| set.value(King).is_none()));
    }

    #[test]
    fn names_round_trip() {
        for set in ValueSet::ALL {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
        assert_eq!("modern".parse::<ValueSet>(), Err(ParseValueSetError));
        assert_eq!(ValueSet::default().name(), "classic");
    }

    #[test]
    fn a_game_starts_level_and_an_extra_queen_is_nine_pawns() {
        let mut board = Board::INITIAL;
        for set in ValueSet::ALL {
            assert_eq!(balance(&board, set), 0);
        }
        board.remove(crate::Square::D1);
        assert_eq!(balance(&board, ValueSet::Classic), -900);
    }
}
