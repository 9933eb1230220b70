//! Numeric annotation glyphs.
//!
//! ```
//! use tabiya_game::Nag;
//!
//! assert_eq!(Nag::from_symbol("!?"), Some(Nag(5)));
//! assert_eq!(Nag(14).symbol(), Some("⩲"));
//! ```

use std::fmt;

/// A numeric annotation glyph, `$0` to `$65535`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u16);

/// The symbol people print for a number. The first symbol of a number is the one it is shown as.
const SYMBOLS: &[(u16, &str)] = &[
    (1, "!"),
    (2, "?"),
    (3, "!!"),
    (3, "‼"),
    (4, "??"),
    (4, "⁇"),
    (5, "!?"),
    (5, "⁉"),
    (6, "?!"),
    (6, "⁈"),
    (7, "□"),
    (10, "="),
    (13, "∞"),
    (14, "⩲"),
    (14, "+="),
    (14, "+/="),
    (14, "²"),
    (15, "⩱"),
    (15, "=+"),
    (15, "=/+"),
    (15, "³"),
    (16, "±"),
    (16, "+/-"),
    (17, "∓"),
    (17, "-/+"),
    (17, "µ"),
    (18, "+-"),
    (18, "+−"),
    (19, "-+"),
    (19, "−+"),
    (22, "⨀"),
    (22, "⊙"),
    (32, "⟳"),
    (36, "→"),
    (40, "↑"),
    (44, "=∞"),
    (44, "⯹"),
    (132, "⇆"),
    (138, "⊕"),
    (140, "∆"),
    (140, "Δ"),
    (142, "⌓"),
    (145, "RR"),
    (146, "N"),
];

impl Nag {
    /// The number of a symbol such as `!?` or `±`.
    #[must_use]
    pub fn from_symbol(symbol: &str) -> Option<Nag> {
        let found = SYMBOLS.iter().find(|(_, text)| *text == symbol)?;
        Some(Nag(found.0))
    }

    /// The symbol people print for it, if there is a common one.
    #[must_use]
    pub fn symbol(self) -> Option<&'static str> {
        let found = SYMBOLS.iter().find(|(number, _)| *number == self.0)?;
        Some(found.1)
    }
}

/// `$5`
impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_shown_are_read_back() {
        for number in 0..=255 {
            if let Some(symbol) = Nag(number).symbol() {
                assert_eq!(Nag::from_symbol(symbol), Some(Nag(number)));
            }
        }
        assert_eq!(Nag::from_symbol("x"), None);
    }
}
