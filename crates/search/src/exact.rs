//! One position, whole.

use tabiya_chess::{Board, Color, Key, Position, Setup, Variant, zobrist};

use crate::ParseError;

/// A position: the pieces, the side to move, the castling rights, and the en-passant square if
/// the capture is legal. Move numbers do not count.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_search::Exact;
///
/// let exact = Exact::after_moves("1. e4 c5")?;
/// let mut position = Position::initial();
/// for san in ["e4", "c5"] {
///     position.play_san(san.as_bytes()).unwrap();
/// }
/// assert!(exact.fits(&position));
/// assert!(!exact.fits(&Position::initial()));
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    position: Position,
    loose: bool,
}

impl Exact {
    /// A position.
    #[must_use]
    pub fn new(position: Position) -> Exact {
        Exact {
            position,
            loose: false,
        }
    }

    /// The position of a FEN; clocks may be left out.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_fen(fen: &str) -> Result<Exact, ParseError> {
        let setup: Setup = fen
            .trim()
            .parse()
            .map_err(|error| ParseError::because("not a FEN", fen, &error))?;
        let position = Position::from_setup(&setup, Variant::Standard)
            .map_err(|error| ParseError::because("not a position", fen, &error))?;
        Ok(Exact::new(position))
    }

    /// The position after moves from the initial one, with numbers or without.
    ///
    /// # Errors
    /// If one of them is not legal.
    pub fn after_moves(moves: &str) -> Result<Exact, ParseError> {
        let line = Exact::line(moves)?;
        let last = line.into_iter().next_back();
        Ok(Exact::new(last.unwrap_or_else(Position::initial)))
    }

    /// All positions on the way there, from the initial one on.
    ///
    /// # Errors
    /// If one of the moves is not legal.
    pub fn line(moves: &str) -> Result<Vec<Position>, ParseError> {
        let mut position = Position::initial();
        let mut line = vec![position];
        for word in moves.split_whitespace() {
            let Some(san) = without_number(word) else {
                continue;
            };
            position
                .play_san(san.as_bytes())
                .map_err(|error| ParseError::because("not a legal move", word, &error))?;
            line.push(position);
        }
        Ok(line)
    }

    /// The same without regard to castling rights and en passant.
    #[must_use]
    pub fn loose(self, loose: bool) -> Exact {
        Exact { loose, ..self }
    }

    /// Whether castling rights and en passant do not count.
    #[must_use]
    pub fn is_loose(&self) -> bool {
        self.loose
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether it is that position.
    #[must_use]
    pub fn fits(&self, position: &Position) -> bool {
        let wanted = &self.position;
        position.board() == wanted.board()
            && position.turn() == wanted.turn()
            && (self.loose
                || position.castling_rooks() == wanted.castling_rooks()
                    && position.ep_square_legal() == wanted.ep_square_legal())
    }

    /// Whether it is that position, as far as is known from what stands where, or from the whole.
    pub(crate) fn known(
        &self,
        board: &Board,
        turn: Color,
        position: Option<&Position>,
    ) -> Option<bool> {
        if let Some(position) = position {
            return Some(self.fits(position));
        }
        match *board == *self.position.board() && turn == self.position.turn() {
            false => Some(false),
            true => self.loose.then_some(true),
        }
    }

    /// A key that is the same for all positions that are exactly the same. Polyglot's own counts an
    /// en-passant capture that is not legal, and so tells positions apart that are one.
    ///
    /// ```
    /// use tabiya_search::Exact;
    ///
    /// let fen = |ep| format!("4r2k/8/8/8/3pP3/8/8/3K4 b - {ep} 0 1");
    /// let pinned = |ep| format!("7k/8/8/K2Pp2r/8/8/8/8 w - {ep} 0 1");
    /// let key = |fen: String| Exact::from_fen(&fen).map(|exact| Exact::key(exact.position()));
    /// assert_ne!(key(fen("e3"))?, key(fen("-"))?);
    /// assert_eq!(key(pinned("e6"))?, key(pinned("-"))?);
    /// # Ok::<(), tabiya_search::ParseError>(())
    /// ```
    #[must_use]
    pub fn key(position: &Position) -> Key {
        match position.ep_square_in_reach() {
            Some(square) if position.ep_square_legal().is_none() => {
                Key(position.key().0 ^ zobrist::en_passant(square.file()))
            }
            _ => position.key(),
        }
    }

    /// Whether it may still come after a board: no move brings a piece back.
    #[must_use]
    pub fn is_ahead(&self, board: &Board) -> bool {
        board.occupied().count() >= self.position.board().occupied().count()
    }
}

/// The move of `1.e4`, `1...c5`, `e4` and `0-0`; nothing of `1.` and `1`.
fn without_number(word: &str) -> Option<&str> {
    let behind = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let san = match behind.is_empty() || behind.starts_with('.') {
        true => behind.trim_start_matches('.'),
        false => word,
    };
    (!san.is_empty()).then_some(san)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        *Exact::from_fen(fen).unwrap().position()
    }

    #[test]
    fn rights_and_legal_en_passant_count_unless_it_is_loose() {
        let fen = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
        let exact = Exact::from_fen(fen).unwrap();
        assert!(exact.fits(&position(fen)));
        let without = position("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
        let other_rights = position("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w Qkq f6 0 3");
        assert!(!exact.fits(&without));
        assert!(!exact.fits(&other_rights));
        let loose = exact.loose(true);
        assert!(loose.fits(&without));
        assert!(loose.fits(&other_rights));
    }

    #[test]
    fn an_en_passant_square_that_nobody_uses_does_not_count() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        let exact = Exact::after_moves("1. e4").unwrap();
        assert!(exact.fits(&position(fen)));
    }

    #[test]
    fn transpositions_lead_to_the_same_position() {
        let one = Exact::after_moves("1. d4 Nf6 2. c4 e6 3. Nf3").unwrap();
        let other = Exact::after_moves("1.Nf3 Nf6 2.c4 e6 3.d4").unwrap();
        // The last double step cannot be captured.
        assert!(one.fits(other.position()));
    }

    #[test]
    fn moves_are_read_with_numbers_of_any_kind() {
        let plain = Exact::after_moves("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O").unwrap();
        for moves in [
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O",
            "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0",
            "1. e4 1... e5 2. Nf3 2...Nc6 3. Bc4 Bc5 4. 0-0",
        ] {
            assert_eq!(Exact::after_moves(moves).unwrap(), plain, "{moves}");
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        assert!(Exact::from_fen("nonsense").is_err());
        assert!(Exact::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
        let error = Exact::after_moves("1. e4 Qh5").unwrap_err();
        assert!(error.to_string().contains("Qh5"), "{error}");
    }
}
