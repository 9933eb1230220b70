//! Moves to text.

use super::{SanText, text::Draft};
use crate::{Bitboard, Move, Position, Role, Square, Variant, attacks};

impl Position {
    /// A legal move in SAN: as short as it can be and still be the only one, with `+` or `#`.
    #[inline(always)]
    #[must_use]
    pub fn san(&self, play: Move) -> SanText {
        let role = self.moving(play);
        let mut text = match self.plain_san_of(role, play) {
            Some(text) => text,
            None => return self.odd_san(role, play),
        };
        if self.may_check(role, play)
            && let Some(sign) = self.check_sign(role, play)
        {
            text.push(sign);
        }
        text.finish()
    }

    /// A legal move in SAN without the `+` or `#`, which costs most of the time.
    #[must_use]
    pub fn san_without_suffix(&self, play: Move) -> SanText {
        let role = self.moving(play);
        let plain = self.plain_san_of(role, play);
        plain.unwrap_or_else(|| self.san_of(role, play)).finish()
    }

    /// Whether a legal move gives check.
    #[must_use]
    pub fn gives_check(&self, play: Move) -> bool {
        self.checks_with(self.moving(play), play)
    }

    /// What moves. It is asked once for all that follows.
    #[inline]
    fn moving(&self, play: Move) -> Role {
        self.board().role_on(play.from())
    }

    /// Nearly all moves: not castling, en passant or a promotion, and no other piece of the kind is
    /// in line with the square. Without branches where it can be: pawns and captures are not to be
    /// foreseen.
    #[inline(always)]
    fn plain_san_of(&self, role: Role, play: Move) -> Option<Draft> {
        let (board, us) = (self.board(), self.turn());
        let (from, to) = (play.from(), play.to());
        let own = board.side(us);
        // Castling is the only move to a square of one's own.
        let rivals = attacks::rays(role, to) & (board.pieces(role) - from.into());
        let odd = own & (rivals | to.into());
        let special = play.promoted().is_some()
            || self.ep_square() == Some(to)
            || self.variant() == Variant::Antichess;
        if odd.any() || special {
            return None;
        }
        let capture = usize::from(board.side(!us).contains(to));
        let beginning = &BEGINNINGS[2 * role as usize + capture];
        let file = from.index() as u64 & beginning.file;
        let mut text = Draft::of(beginning.word + file, beginning.bits);
        push_square(&mut text, to);
        Some(text)
    }

    /// Any other move.
    #[inline(never)]
    fn odd_san(&self, role: Role, play: Move) -> SanText {
        let mut text = self.san_of(role, play);
        if self.checks_with(role, play) {
            text.push(self.sign_of_check(role, play));
        }
        text.finish()
    }

    /// The sign behind a move that may give check, if it does.
    #[inline(never)]
    fn check_sign(&self, role: Role, play: Move) -> Option<u8> {
        self.checks_indeed(role, play)
            .then(|| self.sign_of_check(role, play))
    }

    fn sign_of_check(&self, role: Role, play: Move) -> u8 {
        let mut after = self.without_key();
        after.play_as::<false>(self.turn(), role, play);
        match after.has_legal_moves() {
            true => b'+',
            false => b'#',
        }
    }

    fn san_of(&self, role: Role, play: Move) -> Draft {
        let mut text = Draft::new();
        let (from, to) = (play.from(), play.to());
        if role == Role::King && self.is_castling(play) {
            text.push_all(if to > from { "O-O" } else { "O-O-O" });
            return text;
        }
        let is_pawn = role == Role::Pawn;
        let capture = self.board().occupied().contains(to) | (is_pawn & (from.file() != to.file()));
        match is_pawn {
            true if capture => text.push(from.file().letter() as u8),
            true => {}
            false => text.push(role.letter() as u8),
        }
        self.disambiguate(role, play, &mut text);
        if capture {
            text.push(b'x');
        }
        push_square(&mut text, to);
        if let Some(becomes) = play.promoted() {
            text.push(b'=');
            text.push(becomes.letter() as u8);
        }
        text
    }

    /// Says which piece moves if another of its kind could legally go to the same square: by
    /// its file if that is enough, else by its rank, else by both.
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
        let direct = attacks::aims(us, arrives, king);
        let sliders =
            board.pieces(Role::Bishop) | board.pieces(Role::Rook) | board.pieces(Role::Queen);
        let behind = attacks::beyond(king, play.from()) & sliders & board.side(us);
        ((direct & Bitboard::square(play.to())) | behind).any() || !self.is_sound()
    }

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
        let direct = attacks::aims(us, arrives, king);
        let aiming = (others & board.side(us) & !from) | (direct & to);
        aiming
            .into_iter()
            .any(|piece| (attacks::between(king, piece) & occupied).is_empty())
    }
}

/// What stands before the square of a plain move.
#[derive(Clone, Copy)]
struct Beginning {
    /// The first character in the lowest byte; of a pawn that captures, that of the a-file.
    word: u64,
    bits: u32,
    /// Which bits of the square it comes from are added: those of the file, of a pawn that captures.
    file: u64,
}

/// By role, and of each role first without a capture.
static BEGINNINGS: [Beginning; 12] = {
    let nothing = Beginning {
        word: 0,
        bits: 0,
        file: 0,
    };
    let mut table = [nothing; 12];
    let letters = b"aNBRQK";
    let mut role = Role::Pawn as usize;
    while role < letters.len() {
        let letter = letters[role] as u64;
        let is_pawn = role == Role::Pawn as usize;
        if !is_pawn {
            table[2 * role].word = letter;
            table[2 * role].bits = 8;
        }
        table[2 * role + 1] = Beginning {
            word: letter | (b'x' as u64) << 8,
            bits: 16,
            file: if is_pawn { 7 } else { 0 },
        };
        role += 1;
    }
    table
};

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
