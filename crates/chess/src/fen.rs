//! Forsyth-Edwards Notation: a [`Setup`] as one line of text.
//!
//! Read: FEN, X-FEN and Shredder-FEN. Tolerated:
//! * fields missing from the right end: `w - - 0 1` are filled in;
//! * several spaces, tabs or `_` between the fields; spaces around;
//! * castling letters in any order; `-` for a clock; move number 0, read as 1;
//! * rights without a rook and en-passant squares that no pawn can use: they are kept as written
//!   and reported by [`Setup::warnings`].
//!
//! Written: X-FEN, which is plain FEN unless an inner rook castles ([`Setup`]'s `Display`), and
//! Shredder-FEN ([`Setup::to_shredder_fen`]).
//!
//! ```
//! use tabiya_chess::{FenField, Setup};
//!
//! let setup: Setup = "8/8/8/8/8/8/8/k1K4R w H".parse()?;
//! assert_eq!(setup.to_string(), "8/8/8/8/8/8/8/k1K4R w K - 0 1");
//!
//! let error = "8/8/8/8/8/8/8/9 w".parse::<Setup>().unwrap_err();
//! assert_eq!((error.field, error.column), (FenField::Board, 15));
//! # Ok::<(), tabiya_chess::FenError>(())
//! ```

use std::{
    fmt::{self, Write},
    str::FromStr,
};

use crate::{Bitboard, Board, Color, File, Piece, Rank, Role, Setup, Square};

/// A field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the fields of a FEN, in their order
pub enum FenField {
    Board,
    Turn,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
    /// Text after the last field.
    Rest,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Board => "board",
            FenField::Turn => "side to move",
            FenField::Castling => "castling rights",
            FenField::EnPassant => "en-passant square",
            FenField::HalfmoveClock => "half-move clock",
            FenField::FullmoveNumber => "move number",
            FenField::Rest => "end",
        })
    }
}

/// Why a text is not a FEN, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bad FEN, {field} (column {column}): {kind}")]
pub struct FenError {
    /// The field at fault.
    pub field: FenField,
    /// Where, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: FenErrorKind,
}

/// What is wrong in a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// Nothing there.
    #[error(
        "nothing found, expected eight ranks such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    )]
    Empty,
    /// A character that means nothing there.
    #[error("found {found:?}, expected {expected}")]
    Unexpected {
        /// The character or word.
        found: String,
        /// What would have been right.
        expected: &'static str,
    },
    /// A rank does not describe eight squares.
    #[error("rank {rank} describes {squares} squares, expected 8")]
    RankLength {
        /// Which rank.
        rank: Rank,
        /// How many squares it describes.
        squares: usize,
    },
    /// The board does not have eight ranks.
    #[error("{ranks} ranks, expected 8 separated by '/'")]
    RankCount {
        /// How many there are.
        ranks: usize,
    },
    /// A number is too large.
    #[error("{0} is too large")]
    TooLarge(String),
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let mut words = Words::new(text);
        let setup = parse_fields(&mut words)?;
        if let Some((column, word)) = words.next() {
            return Err(unexpected(
                FenField::Rest,
                column,
                word,
                "nothing after the move number",
            ));
        }
        Ok(setup)
    }
}

/// The words of a line with their columns.
pub(crate) struct Words<'a> {
    text: &'a str,
    column: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a str) -> Words<'a> {
        Words { text, column: 1 }
    }

    /// What has not been read yet, with its column.
    pub(crate) fn rest(&self) -> (usize, &'a str) {
        (self.column, self.text)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let is_space = |c: char| c.is_whitespace() || c == '_';
        let start = self.text.find(|c| !is_space(c))?;
        let column = self.column + self.text[..start].chars().count();
        let text = &self.text[start..];
        let end = text.find(is_space).unwrap_or(text.len());
        self.column = column + text[..end].chars().count();
        self.text = &text[end..];
        Some((column, &text[..end]))
    }
}

fn parse_fields(words: &mut Words<'_>) -> Result<Setup, FenError> {
    let mut setup = parse_position(words)?;
    if let Some((column, word)) = words.next() {
        setup.halfmove_clock = parse_number(FenField::HalfmoveClock, column, word)?.unwrap_or(0);
    }
    if let Some((column, word)) = words.next() {
        let number = parse_number(FenField::FullmoveNumber, column, word)?;
        setup.fullmove_number = number.unwrap_or(1).max(1);
    }
    Ok(setup)
}

/// The four fields that FEN and EPD share.
pub(crate) fn parse_position(words: &mut Words<'_>) -> Result<Setup, FenError> {
    let mut setup = Setup::EMPTY;
    let (column, word) = words.next().ok_or(FenError {
        field: FenField::Board,
        column: 1,
        kind: FenErrorKind::Empty,
    })?;
    setup.board = parse_board(column, word)?;
    if let Some((column, word)) = words.next() {
        setup.turn = match word {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            _ => return Err(unexpected(FenField::Turn, column, word, "w or b")),
        };
    }
    if let Some((column, word)) = words.next() {
        setup.castling_rooks = parse_castling(&setup.board, column, word)?;
    }
    if let Some((column, word)) = words.next()
        && word != "-"
    {
        setup.ep_square = Some(word.parse().map_err(|_| {
            unexpected(
                FenField::EnPassant,
                column,
                word,
                "- or a square such as e3",
            )
        })?);
    }
    Ok(setup)
}

fn unexpected(field: FenField, column: usize, found: &str, expected: &'static str) -> FenError {
    // A hostile text must not become an endless message.
    let found = found.chars().take(20).collect();
    FenError {
        field,
        column,
        kind: FenErrorKind::Unexpected { found, expected },
    }
}

fn parse_board(column: usize, word: &str) -> Result<Board, FenError> {
    let error = |column, kind| FenError {
        field: FenField::Board,
        column,
        kind,
    };
    let ranks = word.split('/').count();
    let mut board = Board::EMPTY;
    let mut at = column;
    for (row, text) in word.split('/').enumerate() {
        if row >= 8 {
            return Err(error(at, FenErrorKind::RankCount { ranks }));
        }
        let rank = Rank::from_index(7 - row as u8);
        let mut squares = 0;
        for c in text.chars() {
            match (c.to_digit(10), Piece::from_letter(c)) {
                (Some(empty @ 1..=8), _) => squares += empty as usize,
                (None, Some(piece)) => {
                    if squares < 8 {
                        let file = File::from_index(squares as u8);
                        board.put(Square::new(file, rank), piece);
                    }
                    squares += 1;
                }
                _ => {
                    let expected = "a piece letter PNBRQK or pnbrqk, a digit 1-8 or '/'";
                    let found = c.to_string();
                    let kind = FenErrorKind::Unexpected { found, expected };
                    return Err(error(at, kind));
                }
            }
            at += 1;
            if squares > 8 {
                return Err(error(at - 1, FenErrorKind::RankLength { rank, squares }));
            }
        }
        if squares != 8 {
            return Err(error(at, FenErrorKind::RankLength { rank, squares }));
        }
        at += 1;
    }
    if ranks < 8 {
        return Err(error(at - 1, FenErrorKind::RankCount { ranks }));
    }
    Ok(board)
}

fn parse_castling(board: &Board, column: usize, word: &str) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if word == "-" {
        return Ok(rooks);
    }
    for (offset, c) in word.chars().enumerate() {
        let color = if c.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let rook = match c {
            'K' | 'k' => outer_rook(board, color, true),
            'Q' | 'q' => outer_rook(board, color, false),
            'A'..='H' | 'a'..='h' => {
                let file = File::from_index(c.to_ascii_lowercase() as u8 - b'a');
                Square::new(file, color.back_rank())
            }
            _ => {
                return Err(unexpected(
                    FenField::Castling,
                    column + offset,
                    c.encode_utf8(&mut [0; 4]),
                    "-, or letters of KQkq, A-H and a-h",
                ));
            }
        };
        rooks |= rook.into();
    }
    Ok(rooks)
}

/// The rook meant by `K` or `Q`: the outermost on that side of the king. Where there is none, the
/// corner, so that the impossible right is kept and can be reported.
fn outer_rook(board: &Board, color: Color, h_side: bool) -> Square {
    let back_rank = Bitboard::rank(color.back_rank());
    let rooks = board.of(color, Role::Rook) & back_rank;
    let corner = Square::new(if h_side { File::H } else { File::A }, color.back_rank());
    let Some(king) = (board.of(color, Role::King) & back_rank).single() else {
        return corner;
    };
    let outermost = if h_side { rooks.last() } else { rooks.first() };
    outermost
        .filter(|&rook| (rook > king) == h_side)
        .unwrap_or(corner)
}

/// The largest number a FEN may hold: clocks can then be counted up without a thought of overflow.
const LARGEST: u32 = 999_999_999;

/// A clock: digits, or `-` for none.
fn parse_number(field: FenField, column: usize, word: &str) -> Result<Option<u32>, FenError> {
    if word == "-" {
        return Ok(None);
    }
    if let Some(offset) = word.chars().position(|c| !c.is_ascii_digit()) {
        return Err(unexpected(field, column + offset, word, "a number"));
    }
    match word.parse() {
        Ok(number) if number <= LARGEST => Ok(Some(number)),
        _ => Err(FenError {
            field,
            column,
            kind: FenErrorKind::TooLarge(word.chars().take(20).collect()),
        }),
    }
}

impl Setup {
    /// The set-up as Shredder-FEN, with the files of the castling rooks.
    ///
    /// ```
    /// use tabiya_chess::Setup;
    ///
    /// assert_eq!(
    ///     Setup::INITIAL.to_shredder_fen(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
    /// );
    /// ```
    #[must_use]
    pub fn to_shredder_fen(&self) -> String {
        let mut text = String::new();
        let written = self.write_fen(&mut text, |_, _| None);
        debug_assert!(written.is_ok(), "a String takes any text");
        text
    }

    fn write_fen(
        &self,
        out: &mut impl Write,
        castling_letter: impl Fn(Color, Square) -> Option<char>,
    ) -> fmt::Result {
        self.write_position(out, castling_letter)?;
        write!(out, " {} {}", self.halfmove_clock, self.fullmove_number)
    }

    /// The four fields that FEN and EPD share.
    fn write_position(
        &self,
        out: &mut impl Write,
        castling_letter: impl Fn(Color, Square) -> Option<char>,
    ) -> fmt::Result {
        write!(out, "{} {} ", self.board, self.turn.letter())?;
        let mut none = true;
        for color in Color::ALL {
            let rooks = self.castling_rooks & Bitboard::rank(color.back_rank());
            // h side first, as in KQkq.
            let mut rooks: Vec<Square> = rooks.into_iter().collect();
            rooks.reverse();
            for rook in rooks {
                none = false;
                let letter = castling_letter(color, rook).unwrap_or(rook.file().letter());
                out.write_char(match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                })?;
            }
        }
        if none {
            out.write_char('-')?;
        }
        match self.ep_square {
            Some(square) => write!(out, " {square}"),
            None => out.write_str(" -"),
        }
    }

    /// `k` or `q` where that letter would be read back as this rook.
    fn x_fen_letter(&self, color: Color, rook: Square) -> Option<char> {
        if outer_rook(&self.board, color, true) == rook {
            Some('k')
        } else if outer_rook(&self.board, color, false) == rook {
            Some('q')
        } else {
            None
        }
    }

    /// The first four fields of the FEN, as an EPD begins.
    pub(crate) fn write_epd_position(&self, out: &mut impl Write) -> fmt::Result {
        self.write_position(out, |color, rook| self.x_fen_letter(color, rook))
    }
}

/// X-FEN.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, |color, rook| self.x_fen_letter(color, rook))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Setup {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[track_caller]
    fn fails(text: &str, field: FenField, column: usize) -> String {
        let error = text.parse::<Setup>().unwrap_err();
        assert_eq!(
            (error.field, error.column),
            (field, column),
            "{text}: {error}"
        );
        error.to_string()
    }

    #[test]
    fn initial_position_round_trips() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(parse(text), Setup::INITIAL);
        assert_eq!(Setup::INITIAL.to_string(), text);
    }

    #[test]
    fn missing_fields_are_filled_in() {
        let full = parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        for text in [
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4K3 w",
            "4k3/8/8/8/8/8/8/4K3 w -",
            "4k3/8/8/8/8/8/8/4K3 w - -",
            " 4k3/8/8/8/8/8/8/4K3  w\t- -  0 ",
            "4k3/8/8/8/8/8/8/4K3_w_-_-_0_1",
            "4k3/8/8/8/8/8/8/4K3 w - - - -",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
        ] {
            assert_eq!(parse(text), full, "{text}");
        }
    }

    #[test]
    fn x_fen_names_the_inner_rook_by_its_file() {
        let inner = "4k3/8/8/8/8/8/8/R1R1K2R w KC - 3 20";
        let setup = parse(inner);
        assert!(setup.castling_rooks.contains(Square::C1));
        assert_eq!(setup.to_string(), inner);
        assert_eq!(
            setup.to_shredder_fen(),
            "4k3/8/8/8/8/8/8/R1R1K2R w HC - 3 20"
        );
        assert_eq!(parse(&setup.to_shredder_fen()), setup);
    }

    #[test]
    fn castling_letters_mean_the_outermost_rook() {
        let setup = parse("1rr1k1r1/8/8/8/8/8/8/2K1RR2 w Kkq - 0 1");
        let rooks: Vec<_> = setup.castling_rooks.into_iter().collect();
        assert_eq!(rooks, [Square::F1, Square::B8, Square::G8]);
    }

    #[test]
    fn impossible_rights_are_kept_as_written() {
        let text = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1";
        assert_eq!(parse(text).to_string(), text);
        assert_eq!(parse(text).warnings().len(), 2);
    }

    #[test]
    fn unusable_en_passant_squares_are_kept() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - d6 0 1",
        ] {
            assert_eq!(parse(text).to_string(), text);
        }
    }

    #[test]
    fn errors_name_field_and_column() {
        assert!(fails("", FenField::Board, 1).contains("expected eight ranks"));
        fails("8/8/8/8/8/8/8/9 w", FenField::Board, 15);
        fails("8/8/8/8/8/8/8/44p w", FenField::Board, 17);
        fails("8/8/8/7/8/8/8/8 w", FenField::Board, 8);
        fails("8/8/8/8/8/8/8 w", FenField::Board, 14);
        fails("8/8/8/8/8/8/8/8/8 w", FenField::Board, 17);
        fails("8/8/8/8/8/8/8/8 x", FenField::Turn, 17);
        fails("8/8/8/8/8/8/8/8 w KX", FenField::Castling, 20);
        fails("8/8/8/8/8/8/8/8 w - e9", FenField::EnPassant, 21);
        fails("8/8/8/8/8/8/8/8 w - - 1x", FenField::HalfmoveClock, 24);
        fails(
            "8/8/8/8/8/8/8/8 w - - 0 99999999999",
            FenField::FullmoveNumber,
            25,
        );
        fails("8/8/8/8/8/8/8/8 w - - 0 1 c0", FenField::Rest, 27);
        let text = fails("8/8/8/8/8/8/8/♔7 w", FenField::Board, 15);
        assert_eq!(
            text,
            "bad FEN, board (column 15): found \"♔\", expected a piece letter PNBRQK or pnbrqk, \
             a digit 1-8 or '/'"
        );
    }
}
