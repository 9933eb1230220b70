//! Which rules a game is played by.
//!
//! ```
//! use tabiya_chess::Variant;
//!
//! assert_eq!("chess960".parse(), Ok(Variant::Chess960));
//! ```

use std::{fmt, str::FromStr};

/// The rules of a game.
///
/// Chess960 and double Fischer random have the moves of chess; the name only decides how castling
/// is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Chess from the usual or any other position.
    #[default]
    Standard,
    /// Chess960 and double Fischer random.
    Chess960,
    /// Losing chess as played on most servers: captures are forced, the king is a piece like any
    /// other, no castling; who has no move left has won.
    Antichess,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 3] = [Variant::Standard, Variant::Chess960, Variant::Antichess];

    /// Its name in lower case, as options take it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
            Variant::Antichess => "antichess",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no variant that is known here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown variant: expected standard, chess960 or antichess")]
pub struct ParseVariantError;

impl FromStr for Variant {
    type Err = ParseVariantError;

    fn from_str(text: &str) -> Result<Variant, ParseVariantError> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name().eq_ignore_ascii_case(text))
            .ok_or(ParseVariantError)
    }
}
