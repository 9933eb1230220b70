//! A position from which moves can be generated, and playing them.
//!
//! ```
//! use tabiya_chess::{Move, Position, Square};
//!
//! let mut position = Position::initial();
//! position.play(Move::new(Square::E2, Square::E4))?;
//! assert_eq!(position.legal_moves().len(), 20);
//! assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
//! # Ok::<(), tabiya_chess::IllegalMove>(())
//! ```

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use crate::{
    Bitboard, Board, Capture, Color, File, Key, Move, Piece, Role, Setup, Square, Variant, attacks,
    movegen::is_unattacked, zobrist,
};

/// A position of a game: what stands where, whose move it is, and what may still be done.
///
/// Every set-up with one king a side and no pawn on a last rank is one (antichess needs no
/// kings); see [`Setup::warnings`] for what is odd about it. No move ever captures a king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    castling_rooks: Bitboard,
    /// The key, if it is kept.
    key: Hint<u64>,
    halfmove_clock: u32,
    fullmove_number: u32,
    turn: Color,
    ep_square: Option<Square>,
    variant: Variant,
    /// Whether it is known that the side that is not to move is not in check, because it has just
    /// made a legal move.
    sound: Hint<bool>,
    /// Whether the key is kept up to date, move by move.
    keyed: Hint<bool>,
}

/// What is known of a position and spares work: positions are the same with and without it.
#[derive(Clone, Copy, Debug)]
struct Hint<T>(T);

impl<T> PartialEq for Hint<T> {
    fn eq(&self, _: &Hint<T>) -> bool {
        true
    }
}

impl<T> Eq for Hint<T> {}

impl<T> Hash for Hint<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Why no moves can be generated from a [`Setup`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotAPosition {
    /// A side has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A side has several kings.
    #[error("{0} has several kings")]
    SeveralKings(Color),
    /// A pawn stands on the first or the eighth rank.
    #[error("there is a pawn on {0}")]
    PawnOnLastRank(Square),
}

/// The move is not legal in the position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{play} is not legal in {fen}")]
pub struct IllegalMove {
    /// The move.
    pub play: Move,
    /// The position, as FEN.
    pub fen: String,
}

impl Position {
    /// The start of a game of chess.
    #[must_use]
    pub fn initial() -> Position {
        const INITIAL: Position = Position {
            board: Board::INITIAL,
            castling_rooks: Setup::INITIAL.castling_rooks,
            key: Hint(0x463b_9618_1691_fc9c),
            halfmove_clock: 0,
            fullmove_number: 1,
            turn: Color::White,
            ep_square: None,
            variant: Variant::Standard,
            sound: Hint(true),
            keyed: Hint(true),
        };
        INITIAL
    }

    /// The position of a set-up. Castling rights and an en-passant square that are impossible are
    /// left out; [`Setup::warnings`] names them.
    ///
    /// # Errors
    /// If no moves can be generated from it.
    pub fn from_setup(setup: &Setup, variant: Variant) -> Result<Position, NotAPosition> {
        let board = setup.board;
        let pawns = board.pieces(Role::Pawn) & Bitboard::BACK_RANKS;
        if let Some(square) = pawns.first() {
            return Err(NotAPosition::PawnOnLastRank(square));
        }
        if variant != Variant::Antichess {
            for color in Color::ALL {
                match board.of(color, Role::King).count() {
                    0 => return Err(NotAPosition::NoKing(color)),
                    1 => {}
                    _ => return Err(NotAPosition::SeveralKings(color)),
                }
            }
        }
        let castling_rooks = match variant {
            Variant::Antichess => Bitboard::EMPTY,
            _ => setup.sound_castling_rooks(),
        };
        let mut position = Position {
            board,
            castling_rooks,
            key: Hint(0),
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number.max(1),
            turn: setup.turn,
            ep_square: setup.sound_ep_square(),
            variant,
            sound: Hint(false),
            keyed: Hint(true),
        };
        position.key = Hint(position.full_key());
        Ok(position)
    }

    /// The position as a set-up, from which the same position can be made again.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling_rooks: self.castling_rooks,
            ep_square: self.ep_square,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The same position under other rules.
    ///
    /// # Errors
    /// If the other rules need what this position does not have, such as kings.
    pub fn with_variant(&self, variant: Variant) -> Result<Position, NotAPosition> {
        Position::from_setup(&self.to_setup(), variant)
    }

    /// What stands where.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose move it is.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The rules.
    #[inline]
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The squares of the rooks with which castling is still allowed.
    #[inline]
    #[must_use]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// The square that a pawn has just passed over by a double step, whether or not another pawn
    /// can capture it there.
    #[inline]
    #[must_use]
    pub fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// The en-passant square, if a pawn stands ready to capture there, pinned or not.
    #[inline]
    #[must_use]
    pub fn ep_square_in_reach(&self) -> Option<Square> {
        self.ep_square
            .filter(|&square| self.ep_capturers(square).any())
    }

    /// The en-passant square, if a capture there is legal.
    #[must_use]
    pub fn ep_square_legal(&self) -> Option<Square> {
        self.ep_square.filter(|&square| {
            self.ep_capturers(square)
                .into_iter()
                .any(|from| self.is_legal(Move::new(from, square)))
        })
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the move, from 1, counted up after Black's move.
    #[inline]
    #[must_use]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The Polyglot key. It is at hand, unless the position is one [without a
    /// key](Position::without_key).
    #[inline]
    #[must_use]
    pub fn key(&self) -> Key {
        match self.keyed.0 {
            true => Key(self.key.0),
            false => Key(self.full_key()),
        }
    }

    /// The same position, which does not keep its key while moves are played. That is quicker for
    /// who does not ask for it; who does gets it all the same, counted from nothing each time.
    ///
    /// ```
    /// use tabiya_chess::Position;
    ///
    /// let start = Position::initial();
    /// assert_eq!(start.without_key(), start);
    /// assert_eq!(start.without_key().key(), start.key());
    /// ```
    #[must_use]
    pub fn without_key(mut self) -> Position {
        self.keyed = Hint(false);
        self
    }

    /// The same position, which keeps its key while moves are played.
    ///
    /// ```
    /// use tabiya_chess::Position;
    ///
    /// let start = Position::initial().without_key().with_key();
    /// assert!(start.has_key());
    /// assert_eq!(start.key(), Position::initial().key());
    /// ```
    #[must_use]
    pub fn with_key(mut self) -> Position {
        self.key = Hint(self.key().0);
        self.keyed = Hint(true);
        self
    }

    /// Whether the key is at hand.
    #[inline(always)]
    #[must_use]
    pub fn has_key(&self) -> bool {
        self.keyed.0
    }

    /// The pieces that give check; none in antichess.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        if self.variant == Variant::Antichess {
            return Bitboard::EMPTY;
        }
        match self.board.king(self.turn) {
            Some(king) => {
                attacks::attackers(&self.board, king, self.board.occupied())
                    & self.board.side(!self.turn)
            }
            None => Bitboard::EMPTY,
        }
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn is_check(&self) -> bool {
        let (board, us) = (&self.board, self.turn);
        let king = board
            .king(us)
            .filter(|_| self.variant != Variant::Antichess);
        // Few pieces aim at a king: there is no need to know all that attack it.
        king.is_some_and(|king| !is_unattacked(board, !us, king, board.occupied()))
    }

    /// The king's and the rook's square after castling with a rook.
    #[inline]
    #[must_use]
    pub fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
        let (king_file, rook_file) = if rook > king {
            (File::G, File::F)
        } else {
            (File::C, File::D)
        };
        (
            Square::new(king_file, king.rank()),
            Square::new(rook_file, king.rank()),
        )
    }

    /// Whether a move, if it is legal, is castling.
    #[inline]
    #[must_use]
    pub fn is_castling(&self, play: Move) -> bool {
        self.castling_rooks.contains(play.to()) && self.board.side(self.turn).contains(play.to())
    }

    /// Whether a move, if it is legal, captures something, en passant included.
    #[inline]
    #[must_use]
    pub fn is_capture(&self, play: Move) -> bool {
        self.board.side(!self.turn).contains(play.to()) || self.is_en_passant(play)
    }

    /// Whether a move, if it is legal, is a capture en passant.
    #[inline(always)]
    #[must_use]
    pub fn is_en_passant(&self, play: Move) -> bool {
        self.ep_square == Some(play.to())
            && self.board.pieces(Role::Pawn).contains(play.from())
            && play.from().file() != play.to().file()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal; the position is then unchanged.
    pub fn play(&mut self, play: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(play) {
            return Err(IllegalMove {
                play,
                fen: self.to_string(),
            });
        }
        self.play_unchecked(play);
        self.sound = Hint(true);
        Ok(())
    }

    /// Plays a move that is known to be legal. Any other move gives a meaningless position, from
    /// which nothing good follows, but no panic either.
    #[inline]
    pub fn play_unchecked(&mut self, play: Move) {
        if let Some(role) = self.board.role_at(play.from()) {
            self.play_as::<true>(self.turn, role, play);
            // Readers that take moves on trust play some that leave a king in check.
            self.sound = Hint(false);
        }
    }

    /// Passes the move: the other side is to move, and nothing can be captured en passant.
    /// Whether the side that passes is in check is not asked.
    pub fn play_null(&mut self) {
        self.sound = Hint(false);
        if let Some(ep) = self.ep_square_in_reach() {
            self.key.0 ^= zobrist::en_passant(ep.file());
        }
        self.ep_square = None;
        self.key.0 ^= zobrist::WHITE_TO_MOVE;
        self.halfmove_clock = self.halfmove_clock.wrapping_add(1);
        self.count_move(self.turn);
        self.turn = !self.turn;
    }

    /// Whether the side that is not to move is known not to be in check. If not, it may be all the
    /// same.
    #[inline(always)]
    pub(crate) fn is_sound(&self) -> bool {
        self.sound.0
    }

    /// Plays a legal move whose piece is known, and says what it captured. `us` is the side to
    /// move: a caller that knows it at compile time saves the branches. `KEYED` is whether the key
    /// is wanted; in a position without a key it may be, but is of no use.
    #[inline(always)]
    pub(crate) fn play_as<const KEYED: bool>(
        &mut self,
        us: Color,
        role: Role,
        play: Move,
    ) -> Capture {
        debug_assert!(KEYED || !self.keyed.0, "the key would be wrong");
        let them = !us;
        let (from, to) = (play.from(), play.to());
        let (from_bit, to_bit) = (Bitboard::square(from), Bitboard::square(to));
        let mut key = self.key.0 ^ zobrist::WHITE_TO_MOVE;

        let ep_square = self.ep_square.take();
        if KEYED
            && let Some(ep) = ep_square
            && (attacks::pawn(them, ep) & self.board.of(us, Role::Pawn)).any()
        {
            key ^= zobrist::en_passant(ep.file());
        }
        self.halfmove_clock = self.halfmove_clock.wrapping_add(1);
        self.count_move(us);
        self.turn = them;
        self.sound = Hint(true);

        if self.castling_rooks.any() {
            if role == Role::King && (self.castling_rooks & self.board.side(us)).contains(to) {
                self.key.0 = key;
                self.castle(us, from, to);
                return Capture::Nothing;
            }
            let mut lost = self.castling_rooks & (from_bit | to_bit);
            if role == Role::King {
                lost |= self.castling_rooks & Bitboard::rank(us.back_rank());
            }
            if lost.any() {
                if KEYED {
                    key ^= zobrist::castling(&self.board, lost);
                }
                self.castling_rooks &= !lost;
            }
        }

        let mut capture = Capture::Nothing;
        if self.board.side(them).contains(to) {
            if let Some(taken) = self.board.role_at(to) {
                key ^= zobrist::piece(taken.of(them), to);
                self.board.roles[taken as usize] &= !to_bit;
                capture = Capture::Piece(taken);
            }
            self.board.colors[them as usize] &= !to_bit;
            self.halfmove_clock = 0;
        }

        let arrives = match role {
            Role::Pawn => play.promoted().unwrap_or(role),
            _ => role,
        };
        key ^= zobrist::piece(role.of(us), from) ^ zobrist::piece(arrives.of(us), to);
        self.board.roles[role as usize] &= !from_bit;
        self.board.roles[arrives as usize] |= to_bit;
        self.board.colors[us as usize] ^= from_bit | to_bit;

        if role == Role::Pawn {
            self.halfmove_clock = 0;
            if from.index().abs_diff(to.index()) == 16 {
                let passed = Square::from_index(((from.index() + to.index()) / 2) as u8);
                self.ep_square = Some(passed);
                if KEYED && (attacks::pawn(us, passed) & self.board.of(them, Role::Pawn)).any() {
                    key ^= zobrist::en_passant(passed.file());
                }
            } else if ep_square == Some(to) && from.file() != to.file() {
                let taken = Square::new(to.file(), from.rank());
                let taken_bit = Bitboard::square(taken);
                self.board.roles[Role::Pawn as usize] &= !taken_bit;
                self.board.colors[them as usize] &= !taken_bit;
                key ^= zobrist::piece(Role::Pawn.of(them), taken);
                capture = Capture::EnPassant;
            }
        }
        if KEYED {
            self.key.0 = key;
        }
        capture
    }

    /// Castles. That is rare enough for a way of its own.
    #[inline(never)]
    pub(crate) fn play_castling(&mut self, play: Move) {
        self.play_as::<true>(self.turn, Role::King, play);
    }

    #[inline(never)]
    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        let lost = self.castling_rooks & Bitboard::rank(us.back_rank());
        self.key.0 ^= zobrist::castling(&self.board, lost);
        self.castling_rooks &= !lost;
        let (king_to, rook_to) = Position::castling_targets(king, rook);
        for (role, from, to) in [(Role::King, king, king_to), (Role::Rook, rook, rook_to)] {
            let piece: Piece = role.of(us);
            self.key.0 ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
            self.board.roles[role as usize] ^= Bitboard::square(from) ^ Bitboard::square(to);
        }
        let side = &mut self.board.colors[us as usize];
        *side = (*side - (Bitboard::square(king) | rook.into()))
            | Bitboard::square(king_to)
            | rook_to.into();
    }

    #[inline]
    fn count_move(&mut self, us: Color) {
        self.fullmove_number = self.fullmove_number.wrapping_add(us as u32);
    }

    /// The pawns of the side to move beside the pawn that has passed a square.
    #[inline]
    pub(crate) fn ep_capturers(&self, square: Square) -> Bitboard {
        attacks::pawn(!self.turn, square) & self.board.of(self.turn, Role::Pawn)
    }

    /// The key, counted from nothing.
    fn full_key(&self) -> u64 {
        let mut key =
            zobrist::pieces(&self.board) ^ zobrist::castling(&self.board, self.castling_rooks);
        if let Some(ep) = self.ep_square_in_reach() {
            key ^= zobrist::en_passant(ep.file());
        }
        if self.turn == Color::White {
            key ^= zobrist::WHITE_TO_MOVE;
        }
        key
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::initial()
    }
}

/// X-FEN. The en-passant square is written after every double step, as the standard wants it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        let setup: Setup = fen.parse().unwrap();
        Position::from_setup(&setup, Variant::Standard).unwrap()
    }

    /// The examples published with the Polyglot book format.
    #[test]
    fn keys_equal_polyglots_published_examples() {
        for (fen, key) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                0x463b96181691fc9c,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                0x823c9b50fd114196,
            ),
            (
                "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
                0x0756b94461c50fb0,
            ),
            (
                "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
                0x662fafb965db29d4,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22a48b5a8e47ff78,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3",
                0x652a607ca3f242c1,
            ),
            (
                "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
                0x00fdd303c946bdd9,
            ),
            (
                "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
                0x3c8123ea7b067637,
            ),
            (
                "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
                0x5c3f9b829b279560,
            ),
        ] {
            assert_eq!(position(fen).key(), Key(key), "{fen}");
        }
    }

    #[test]
    fn initial_is_the_initial_set_up() {
        assert_eq!(
            Position::from_setup(&Setup::INITIAL, Variant::Standard),
            Ok(Position::initial())
        );
    }

    #[test]
    fn says_why_a_set_up_is_no_position() {
        let why = |fen: &str| {
            let setup: Setup = fen.parse().unwrap();
            Position::from_setup(&setup, Variant::Standard).unwrap_err()
        };
        assert_eq!(
            why("8/8/8/8/8/8/8/4K3 w"),
            NotAPosition::NoKing(Color::Black)
        );
        assert_eq!(
            why("4k3/8/8/8/8/8/8/4KK2 w"),
            NotAPosition::SeveralKings(Color::White)
        );
        assert_eq!(
            why("4k2P/8/8/8/8/8/8/4K3 w"),
            NotAPosition::PawnOnLastRank(Square::H8)
        );
    }

    #[test]
    fn antichess_needs_no_kings() {
        let setup: Setup = "8/1p6/8/8/8/8/P7/8 w - -".parse().unwrap();
        let position = Position::from_setup(&setup, Variant::Antichess).unwrap();
        assert_eq!(position.legal_moves().len(), 2);
    }

    #[test]
    fn impossible_rights_and_squares_are_left_out() {
        let odd = position("4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1");
        assert_eq!(odd.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    }

    #[test]
    fn a_position_without_a_key_plays_the_same_and_counts_it_when_asked() {
        let texts = "e4 Nf6 e5 d5 exd6 Bg4 Be2 Qxd6 O-O-O Nf3 Nbd7 O-O O-O-O a4 g5 Nxg5 h5 a5 h4 a6 h3 \
                     axb7+ Kb8 g4 hxg3 Rxa7 Rxh2 Ra8+ Kxb7";
        let mut keyed = Position::initial();
        let mut keyless = keyed.without_key();
        for text in texts.split(' ') {
            let action = keyed.play_san(text.as_bytes());
            assert_eq!(keyless.play_san(text.as_bytes()), action, "{text}");
            assert_eq!(keyless, keyed);
            assert_eq!(keyless.key(), keyed.key(), "{text}");
            assert!(keyed.has_key() && !keyless.has_key());
        }
        keyless.play_null();
        keyed.play_null();
        assert_eq!(keyless.key(), keyed.key());
    }

    #[test]
    fn key_and_clocks_follow_castling_capture_and_promotion() {
        let mut game = position("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 7 30");
        for (from, to, promoted, fen) in [
            (
                Square::B7,
                Square::A8,
                Some(Role::Queen),
                "Q3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 30",
            ),
            (
                Square::E8,
                Square::E7,
                None,
                "Q6r/4k3/8/8/8/8/8/R3K2R w KQ - 1 31",
            ),
            (
                Square::E1,
                Square::A1,
                None,
                "Q6r/4k3/8/8/8/8/8/2KR3R b - - 2 31",
            ),
            (
                Square::H8,
                Square::H1,
                None,
                "Q7/4k3/8/8/8/8/8/2KR3r w - - 0 32",
            ),
        ] {
            let play = match promoted {
                Some(role) => Move::promotion(from, to, role),
                None => Move::new(from, to),
            };
            game.play(play).unwrap();
            assert_eq!(game, position(fen));
        }
    }

    #[test]
    fn a_null_move_passes_the_turn_and_forgets_en_passant() {
        let mut game = position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        game.play_null();
        assert_eq!(game, position("4k3/8/8/8/3pP3/8/8/4K3 w - - 1 2"));
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let mut game = Position::initial();
        let error = game.play(Move::new(Square::E2, Square::E5)).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("e2e5 is not legal in rnbqkbnr/")
        );
        assert_eq!(game, Position::initial());
    }

    #[test]
    fn en_passant_is_in_reach_only_beside_a_pawn_and_legal_only_without_a_pin() {
        let far = position("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
        assert_eq!(
            (far.ep_square(), far.ep_square_in_reach()),
            (Some(Square::E3), None)
        );
        let pinned = position("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
        assert_eq!(pinned.ep_square_in_reach(), Some(Square::E3));
        assert_eq!(pinned.ep_square_legal(), None);
    }
}
