//! How a game stands: check, mate, draws by rule, repetition.
//!
//! ```
//! use tabiya_chess::{Position, Status};
//!
//! let setup = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3".parse()?;
//! let position = Position::from_setup(&setup, Default::default())?;
//! assert_eq!(position.status(), Status::Checkmate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{collections::HashMap, fmt};

use crate::{Bitboard, Color, Key, Position, Role, Variant, zobrist};

/// How a position stands by the rules, without looking at the moves before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The game goes on.
    InProgress,
    /// The game goes on, and the side to move is in check.
    Check,
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// No series of moves can lead to mate.
    InsufficientMaterial,
    /// Antichess: this side has no pieces or no moves left, and has won.
    NothingLeft(Color),
}

impl Status {
    /// Whether the game is over.
    #[must_use]
    pub fn is_end(self) -> bool {
        !matches!(self, Status::InProgress | Status::Check)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::InProgress => f.write_str("in progress"),
            Status::Check => f.write_str("check"),
            Status::Checkmate => f.write_str("checkmate"),
            Status::Stalemate => f.write_str("stalemate"),
            Status::InsufficientMaterial => f.write_str("insufficient material"),
            Status::NothingLeft(winner) => write!(f, "{winner} has nothing left and wins"),
        }
    }
}

impl Position {
    /// How the position stands.
    #[must_use]
    pub fn status(&self) -> Status {
        let can_move = self.has_legal_moves();
        if self.variant() == Variant::Antichess {
            return if can_move {
                Status::InProgress
            } else {
                Status::NothingLeft(self.turn())
            };
        }
        match (can_move, self.is_check()) {
            (false, true) => Status::Checkmate,
            (false, false) => Status::Stalemate,
            (true, _) if self.is_insufficient_material() => Status::InsufficientMaterial,
            (true, true) => Status::Check,
            (true, false) => Status::InProgress,
        }
    }

    /// Whether neither side can ever mate: bare kings, one knight, or bishops of one square
    /// colour only.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        if self.variant() == Variant::Antichess {
            return false;
        }
        let board = self.board();
        let pieces = board.occupied() - board.pieces(Role::King);
        let bishops = board.pieces(Role::Bishop);
        if pieces == bishops {
            return (bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty();
        }
        pieces == board.pieces(Role::Knight) && !pieces.more_than_one()
    }

    /// Whether a player may claim a draw: fifty moves of each side without capture or pawn move.
    #[must_use]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock() >= 100 && !self.is_mate()
    }

    /// Whether the game is drawn without a claim: seventy-five such moves of each side.
    #[must_use]
    pub fn is_seventy_five_move_draw(&self) -> bool {
        self.halfmove_clock() >= 150 && !self.is_mate()
    }

    fn is_mate(&self) -> bool {
        self.is_check() && !self.has_legal_moves()
    }

    /// A key that is equal exactly when two positions of a game count as repeated: as
    /// [`Position::key`], but the en-passant file counts only where the capture is legal.
    #[must_use]
    pub fn repetition_key(&self) -> Key {
        match (self.ep_square_in_reach(), self.ep_square_legal()) {
            (Some(square), None) => Key(self.key().0 ^ zobrist::en_passant(square.file())),
            _ => self.key(),
        }
    }
}

/// Counts how often each position of a game has occurred.
///
/// ```
/// use tabiya_chess::{Position, Repetitions};
///
/// let mut position = Position::initial();
/// let mut repetitions = Repetitions::new(&position);
/// for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
///     position.act(position.parse_san(text)?);
///     repetitions.push(&position);
/// }
/// assert_eq!(repetitions.count(&position), 3);
/// # Ok::<(), tabiya_chess::SanError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Repetitions {
    counts: HashMap<Key, u32>,
}

impl Repetitions {
    /// A game that begins with a position.
    #[must_use]
    pub fn new(start: &Position) -> Repetitions {
        let mut repetitions = Repetitions::default();
        repetitions.push(start);
        repetitions
    }

    /// Adds the position after a move and says how often it has occurred now.
    pub fn push(&mut self, position: &Position) -> u32 {
        // What was before a capture or a pawn move cannot come back.
        if position.halfmove_clock() == 0 {
            self.counts.clear();
        }
        let count = self.counts.entry(position.repetition_key()).or_insert(0);
        *count += 1;
        *count
    }

    /// How often a position has occurred.
    #[must_use]
    pub fn count(&self, position: &Position) -> u32 {
        let key = position.repetition_key();
        self.counts.get(&key).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_setup(&fen.parse().unwrap(), Variant::Standard).unwrap()
    }

    #[test]
    fn endings_are_told_apart() {
        for (fen, status) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                Status::InProgress,
            ),
            ("4k3/8/8/8/8/8/8/4K2r w - - 0 1", Status::Check),
            ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Status::Checkmate),
            ("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1", Status::Stalemate),
            (
                "7k/8/8/8/8/8/8/4KN2 b - - 0 1",
                Status::InsufficientMaterial,
            ),
        ] {
            assert_eq!(position(fen).status(), status, "{fen}");
        }
    }

    #[test]
    fn insufficient_material_is_what_cannot_mate() {
        for (fen, insufficient) in [
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true),
            ("8/8/4k1b1/8/8/3KB3/8/8 w - - 0 1", false),
            ("8/8/4kb2/8/8/3KB3/8/8 w - - 0 1", true),
            ("8/8/4kn2/8/8/3KN3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", false),
        ] {
            assert_eq!(
                position(fen).is_insufficient_material(),
                insufficient,
                "{fen}"
            );
        }
    }

    #[test]
    fn fifty_and_seventy_five_moves_unless_mate() {
        let drawn = position("7k/8/8/8/8/8/8/R3K3 w - - 100 90");
        assert!(drawn.is_fifty_move_draw() && !drawn.is_seventy_five_move_draw());
        assert!(position("7k/8/8/8/8/8/8/R3K3 w - - 150 90").is_seventy_five_move_draw());
        assert!(!position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 90").is_seventy_five_move_draw());
    }

    #[test]
    fn a_pinned_en_passant_capture_does_not_make_a_new_position() {
        let pinned = position("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
        let without = position("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
        assert_ne!(pinned.key(), without.key());
        assert_eq!(pinned.repetition_key(), without.repetition_key());
    }

    #[test]
    fn antichess_is_won_by_having_nothing_left() {
        let setup = "8/8/8/8/8/8/8/k7 w - - 0 1".parse().unwrap();
        let empty = Position::from_setup(&setup, Variant::Antichess).unwrap();
        assert_eq!(empty.status(), Status::NothingLeft(Color::White));
    }
}
