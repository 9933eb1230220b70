//! Moves to text.

use super::{SanText, text::Draft};
use crate::{Bitboard, Move, Position, Role, Square, Variant, attacks};

impl Position {
    /// A legal move in SAN: as short as it can be and still be the only one, with `+` or `#`.
    #[must_use]
    pub fn san(&self, play: Move) -> SanText {
        let role = self.moving(play);
        let mut text = self.san_of(role, play);
        if self.checks_with(role, play) {
            let mut after = *self;
            after.play_unchecked(play);
            text.push(if after.has_legal_moves() { b'+' } else { b'#' });
        }
        text.finish()
    }

    /// A legal move in SAN without the `+` or `#`, which costs most of the time.
    #[must_use]
    pub fn san_without_suffix(&self, play: Move) -> SanText {
        self.san_of(self.moving(play), play).finish()
    }

    /// Whether a legal move gives check.
    #[must_use]
    pub fn gives_check(&self, play: Move) -> bool {
        self.checks_with(self.moving(play), play)
    }

    /// What moves. It is asked once for all that follows.
    #[inline]
    fn moving(&self, play: Move) -> Role {
        self.board().role_at(play.from()).unwrap_or(Role::Pawn)
    }

    #[inline]
    fn san_of(&self, role: Role, play: Move) -> Draft {
        let mut text = Draft::new();
        let (from, to) = (play.from(), play.to());
        if role == Role::King && self.is_castling(play) {
            text.push_all(if to > from { "O-O" } else { "O-O-O" });
            return text;
        }
        // Without branches where it can be: pawns and captures are not to be foreseen.
        let is_pawn = role == Role::Pawn;
        let capture = self.board().occupied().contains(to) | (is_pawn & (from.file() != to.file()));
        let first = match is_pawn {
            true => from.file().letter(),
            false => role.letter(),
        };
        text.push_if(!is_pawn | capture, first as u8);
        self.disambiguate(role, play, &mut text);
        text.push_if(capture, b'x');
        push_square(&mut text, to);
        if let Some(becomes) = play.promoted() {
            text.push(b'=');
            text.push(becomes.letter() as u8);
        }
        text
    }

    /// Says which piece moves if another of its kind could legally go to the same square: by
    /// its file if that is enough, else by its rank, else by both.
    #[inline]
    fn disambiguate(&self, role: Role, play: Move, text: &mut Draft) {
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

    /// Whether a legal move of a piece gives check.
    #[inline(always)]
    fn checks_with(&self, role: Role, play: Move) -> bool {
        if self.variant() == Variant::Antichess {
            return false;
        }
        let special = (role == Role::King && self.is_castling(play))
            || (role == Role::Pawn && self.ep_square() == Some(play.to()));
        if special {
            // Two squares are left at once: let the board tell.
            let mut after = *self;
            after.play_unchecked(play);
            return after.is_check();
        }
        let arrives = play.promoted().unwrap_or(role);
        self.may_check(arrives, play) && self.checks_indeed(arrives, play)
    }

    /// Whether a move may give check, lines that are blocked included: by what arrives, or by what
    /// stands in line behind the square that is left. Few moves do.
    #[inline(always)]
    fn may_check(&self, arrives: Role, play: Move) -> bool {
        let (board, us) = (self.board(), self.turn());
        let Some(king) = board.of(!us, Role::King).first() else {
            return false;
        };
        let direct = match arrives {
            Role::Pawn => attacks::pawn(!us, king),
            _ => attacks::rays(arrives, king),
        };
        let sliders =
            board.pieces(Role::Bishop) | board.pieces(Role::Rook) | board.pieces(Role::Queen);
        let behind = attacks::beyond(king, play.from()) & sliders & board.side(us);
        ((direct & Bitboard::square(play.to())) | behind).any() || !self.is_sound()
    }

    #[inline(never)]
    fn checks_indeed(&self, arrives: Role, play: Move) -> bool {
        let (board, us) = (self.board(), self.turn());
        let Some(king) = board.king(!us) else {
            return false;
        };
        let (from, to) = (Bitboard::square(play.from()), Bitboard::square(play.to()));
        let occupied = (board.occupied() ^ from) | to;
        // Who would give check on an empty board: what moves, and others, whose lines may have
        // been opened or who gave check before in an odd set-up.
        let queens = board.pieces(Role::Queen);
        let pawn_checks = attacks::pawn(!us, king);
        let others = (attacks::rook_rays(king) & (board.pieces(Role::Rook) | queens))
            | (attacks::bishop_rays(king) & (board.pieces(Role::Bishop) | queens))
            | (attacks::knight(king) & board.pieces(Role::Knight))
            | (pawn_checks & board.pieces(Role::Pawn));
        let direct = match arrives {
            Role::Pawn => pawn_checks,
            _ => attacks::rays(arrives, king),
        };
        let aiming = (others & board.side(us) & !from) | (direct & to);
        aiming
            .into_iter()
            .any(|piece| (attacks::between(king, piece) & occupied).is_empty())
    }
}

#[inline(always)]
fn push_square(text: &mut Draft, square: Square) {
    text.push_pair(SQUARES[square.index()]);
}

/// The names of squares, the file in the lower byte.
static SQUARES: [u16; 64] = {
    let mut names = [0; 64];
    let mut index = 0;
    while index < 64 {
        names[index] = u16::from_le_bytes([b'a' + (index % 8) as u8, b'1' + (index / 8) as u8]);
        index += 1;
    }
    names
};
