//! The chess symbols in ChessBase's texts.
//!
//! ChessBase's fonts show pieces and the signs of the Chess Informant in place of letters that
//! chess players seldom need: in Windows-1252 `¤f3` is a knight, `…` the sign for an idea. Texts in
//! UTF-8 use the private characters U+E000 to U+E02F instead, of which the pieces and the idea are
//! known. In other code pages these bytes are letters and nothing is translated.
//!
//! ```
//! use tabiya_chessbase::symbols;
//!
//! assert_eq!(symbols::from_byte(0xa4), Some('♘'));
//! assert_eq!(symbols::to_byte('♘'), Some(0xa4));
//! assert_eq!(symbols::from_private('\u{e024}'), Some('♔'));
//! ```

/// The bytes that Windows-1252 texts use for symbols, in order.
///
/// The characters are those in common use for the signs of the Informant, most of them in
/// Unicode for that very purpose. Two bytes stand for compensation; the second is the usual one.
const BYTES: [(u8, char); 37] = [
    (0x82, '→'), // attack
    (0x83, '↑'), // initiative
    (0x84, '⇆'), // counterplay
    (0x85, '∆'), // with the idea
    (0x86, '○'), // space
    (0x87, '⨀'), // zugzwang
    (0x90, '⟳'), // development
    (0x91, '⇔'), // line
    (0x92, '⇗'), // diagonal
    (0x93, '⊕'), // zeitnot
    (0x94, '⊞'), // centre
    (0x99, '□'), // only move
    (0x9e, '⬒'), // diagram
    (0xa2, '♔'),
    (0xa3, '♕'),
    (0xa4, '♘'),
    (0xa5, '♗'),
    (0xa6, '♖'),
    (0xa7, '♙'),
    (0xa9, '⯹'), // compensation
    (0xaa, '∟'), // with
    (0xab, '⟪'), // queenside
    (0xac, '⊥'), // endgame
    (0xad, '⧉'), // bishop pair
    (0xae, '◨'), // bishops of opposite colours
    (0xaf, '◫'), // bishops of the same colour
    (0xb0, '⯹'), // compensation
    (0xb1, '±'),
    (0xb2, '⩲'),
    (0xb3, '⩱'),
    (0xb5, '∓'),
    (0xb9, '⌓'), // better is
    (0xba, '⯾'), // without
    (0xbb, '⟫'), // kingside
    (0xd7, '✕'), // weak point
    (0xf7, '∞'), // unclear
    (0xfe, '⯽'), // passed pawn
];

/// The private characters that texts in UTF-8 use for symbols.
const PRIVATE: [(char, char); 7] = [
    ('\u{e00d}', '∆'),
    ('\u{e024}', '♔'),
    ('\u{e025}', '♕'),
    ('\u{e026}', '♖'),
    ('\u{e027}', '♗'),
    ('\u{e028}', '♘'),
    ('\u{e029}', '♙'),
];

/// The symbol that a byte of a Windows-1252 text stands for.
#[must_use]
pub fn from_byte(byte: u8) -> Option<char> {
    let found = BYTES.iter().find(|(it, _)| *it == byte)?;
    Some(found.1)
}

/// The byte that stands for a symbol in a Windows-1252 text.
#[must_use]
pub fn to_byte(symbol: char) -> Option<u8> {
    let found = BYTES.iter().rev().find(|(_, it)| *it == symbol)?;
    Some(found.0)
}

/// The symbol that a private character stands for in a UTF-8 text.
#[must_use]
pub fn from_private(character: char) -> Option<char> {
    let found = PRIVATE.iter().find(|(it, _)| *it == character)?;
    Some(found.1)
}

/// The private character that stands for a symbol in a UTF-8 text.
#[must_use]
pub fn to_private(symbol: char) -> Option<char> {
    let found = PRIVATE.iter().find(|(_, it)| *it == symbol)?;
    Some(found.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_comes_back_but_for_one_of_the_two_compensations() {
        for (byte, symbol) in BYTES {
            assert_eq!(from_byte(byte), Some(symbol));
            let usual = if byte == 0xa9 { 0xb0 } else { byte };
            assert_eq!(to_byte(symbol), Some(usual));
        }
        for (private, symbol) in PRIVATE {
            assert_eq!(to_private(symbol), Some(private));
            assert_eq!(from_private(private), Some(symbol));
        }
        assert_eq!((from_byte(0xbd), to_byte('½')), (None, None));
    }

    #[test]
    fn the_bytes_are_in_order() {
        assert!(BYTES.is_sorted_by_key(|(byte, _)| *byte));
    }
}
