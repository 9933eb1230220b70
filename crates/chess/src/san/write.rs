//! Moves to text.

use super::SanText;
use crate::{Bitboard, Move, Position, Role, Square, Variant, attacks};

impl Position {
    /// A legal move in SAN: as short as it can be and still be the only one, with `+` or `#`.
    #[must_use]
    pub fn san(&self, play: Move) -> SanText {
        let mut text = self.san_without_suffix(play);
        if self.gives_check(play) {
            let mut after = *self;
            after.play_unchecked(play);
            text.push(if after.has_legal_moves() { b'+' } else { b'#' });
        }
        text
    }

    /// A legal move in SAN without the `+` or `#`, which costs most of the time.
    #[must_use]
    pub fn san_without_suffix(&self, play: Move) -> SanText {
        let mut text = SanText::new();
        if self.is_castling(play) {
            let h_side = play.to() > play.from();
            text.push_all(if h_side { "O-O" } else { "O-O-O" });
            return text;
        }
        let role = self.board().role_at(play.from()).unwrap_or(Role::Pawn);
        let capture = self.is_capture(play);
        if role == Role::Pawn {
            if capture {
                text.push(play.from().file().letter() as u8);
            }
        } else {
            text.push(role.letter() as u8);
            self.disambiguate(role, play, &mut text);
        }
        if capture {
            text.push(b'x');
        }
        push_square(&mut text, play.to());
        if let Some(becomes) = play.promoted() {
            text.push(b'=');
            text.push(becomes.letter() as u8);
        }
        text
    }

    /// Says which piece moves if another of its kind could legally go to the same square: by
    /// its file if that is enough, else by its rank, else by both.
    #[inline]
    fn disambiguate(&self, role: Role, play: Move, text: &mut SanText) {
        let board = self.board();
        let mut others =
            attacks::rays(role, play.to()) & (board.of(self.turn(), role) - play.from().into());
        if others.is_empty() {
            return;
        }
        others = others
            .into_iter()
            .filter(|&other| (attacks::between(other, play.to()) & board.occupied()).is_empty())
            .filter(|&other| {
                let rival = Move::new(other, play.to());
                self.variant() == Variant::Antichess || self.is_safe(role, rival)
            })
            .collect();
        if others.is_empty() {
            return;
        }
        let from = play.from();
        if (others & Bitboard::file(from.file())).is_empty() {
            text.push(from.file().letter() as u8);
        } else if (others & Bitboard::rank(from.rank())).is_empty() {
            text.push(from.rank().digit() as u8);
        } else {
            push_square(text, from);
        }
    }

    /// Whether a legal move gives check.
    #[must_use]
    pub fn gives_check(&self, play: Move) -> bool {
        if self.variant() == Variant::Antichess {
            return false;
        }
        let (board, us) = (self.board(), self.turn());
        let Some(king) = board.king(!us) else {
            return false;
        };
        if self.is_castling(play) || self.is_en_passant(play) {
            // Two squares are left at once: let the board tell.
            let mut after = *self;
            after.play_unchecked(play);
            return after.is_check();
        }
        let Some(role) = board.role_at(play.from()) else {
            return false;
        };
        let from = Bitboard::square(play.from());
        let occupied = (board.occupied() ^ from) | play.to().into();
        let direct = match play.promoted().unwrap_or(role) {
            Role::Pawn => attacks::pawn(us, play.to()),
            role => attacks::rays(role, play.to()),
        };
        if direct.contains(king) && (attacks::between(play.to(), king) & occupied).is_empty() {
            return true;
        }
        // Lines that the move opens, and checks that stood before it in an odd set-up.
        let queens = board.pieces(Role::Queen);
        let others = board.side(us) - from;
        let sliders = (attacks::rook_rays(king) & (board.pieces(Role::Rook) | queens))
            | (attacks::bishop_rays(king) & (board.pieces(Role::Bishop) | queens));
        let steppers = (attacks::knight(king) & board.pieces(Role::Knight))
            | (attacks::pawn(!us, king) & board.pieces(Role::Pawn));
        (steppers & others).any()
            || (sliders & others)
                .into_iter()
                .any(|slider| (attacks::between(king, slider) & occupied).is_empty())
    }
}

fn push_square(text: &mut SanText, square: Square) {
    text.push(square.file().letter() as u8);
    text.push(square.rank().digit() as u8);
}
