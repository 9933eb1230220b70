//! Standard Algebraic Notation: moves as people write them.
//!
//! Written: the shortest correct form, with `+` and `#`. Read: that, and
//! * `0-0`, `o-o`; castling as a king's move, to its target square or onto the rook;
//! * missing, wrong or superfluous `x`, `+`, `#`, `!`, `?`, `=`, `e.p.`; `:` and `-` for `x`;
//! * promotions as `e8=Q`, `e8Q`, `e8(Q)`, `e8/Q`, `e8=q`, `e8q`;
//! * long algebraic `e2-e4`, `Ng1xf3`, bare coordinates `e2e4`, `Pe4`, more disambiguation than
//!   needed;
//! * figurines `♘f3` of either colour;
//! * null moves `--`, `Z0`, `@@@@`, `null`, `0000`.
//!
//! A text that fits several moves or none is an error that says which.
//!
//! ```
//! use tabiya_chess::{Action, Move, Position, Square};
//!
//! let start = Position::initial();
//! let play = Move::new(Square::G1, Square::F3);
//! assert_eq!(start.san(play).as_str(), "Nf3");
//! for text in ["Nf3", "Ng1-f3", "♘f3!?", "g1f3"] {
//!     assert_eq!(start.parse_san(text), Ok(Action::Move(play)));
//! }
//! assert_eq!(
//!     start.parse_san("Nd4").unwrap_err().to_string(),
//!     "no knight can go to d4"
//! );
//! ```

mod error;
mod fast;
mod text;
mod tolerant;
mod word;
mod write;

#[cfg(test)]
pub(crate) mod tests;

pub use error::SanError;
pub use text::SanText;
pub use word::SanWord;

use crate::{Action, Move, Position};

impl Position {
    /// The move a text means here.
    ///
    /// # Errors
    /// If the text is not SAN, or fits no legal move, or several.
    pub fn parse_san(&self, text: impl AsRef<[u8]>) -> Result<Action, SanError> {
        let text = text.as_ref();
        match SanWord::of(text).and_then(|word| fast::read(self, word)) {
            Some((_, play)) => Ok(Action::Move(play)),
            None => tolerant::read(self, text),
        }
    }

    /// Reads a move as [`Position::san`] writes it, tells this position and the move, and plays it:
    /// who wants to see the position before the move needs no copy of it. `None` means that the
    /// text is not so plain, not that it is wrong: ask [`Position::play_san`] then. Nothing has been
    /// told or played in that case.
    #[inline(always)]
    pub fn play_plain_san(
        &mut self,
        word: SanWord,
        tell: impl FnOnce(&Position, Move),
    ) -> Option<Move> {
        fast::play(self, word, tell)
    }

    /// Reads a move and plays it: quicker than [`Position::parse_san`] and
    /// [`Position::play_unchecked`], because what moves is known from the text.
    ///
    /// # Errors
    /// As [`Position::parse_san`]; the position is then unchanged.
    #[inline]
    pub fn play_san(&mut self, text: &[u8]) -> Result<Action, SanError> {
        if let Some(word) = SanWord::of(text)
            && let Some(play) = fast::play(self, word, |_, _| {})
        {
            return Ok(Action::Move(play));
        }
        let action = tolerant::read(self, text)?;
        self.act(action);
        Ok(action)
    }
}
