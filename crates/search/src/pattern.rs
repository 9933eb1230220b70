//! Part of a board.
//!
//! A pattern is written in one of two ways.
//!
//! **As a board**, the way FEN does, from the eighth rank to the first. What is not said does not
//! matter, and that is most of it:
//!
//! | | |
//! |---|---|
//! | `P` … `k` | that piece |
//! | `A`, `a` | any piece of White, of Black |
//! | `*` | any piece |
//! | `_` | an empty square |
//! | `[RQ]` | one of these |
//! | `[!p_]` | none of these |
//! | `1` … `8`, `.` | so many squares that do not matter, one that does not |
//!
//! **As a list** of what is where, with spaces between: a piece or a set as above, then a square
//! (`Nd5`), a file (`Rd`), a rank (`R7`), or nothing for anywhere (`q`). A number before it says
//! at least how many (`2R7`), after `=` exactly how many (`=1Pd`), and `0` that there is none
//! (`0pd`).
//!
//! ```
//! use tabiya_chess::Board;
//! use tabiya_search::Pattern;
//!
//! let pattern: Pattern = "Ke1 =8P2 0q4".parse()?;
//! assert!(pattern.fits(&Board::INITIAL));
//! let pattern: Pattern = "rnbqkbnr/8/8/8/____4/8/8/8".parse()?;
//! assert!(pattern.fits(&Board::INITIAL));
//! # Ok::<(), tabiya_search::ParseError>(())
//! ```

use std::str::FromStr;

use tabiya_chess::{Bitboard, Board, Color, File, Rank, Role, Square};

use crate::{Facts, ParseError, Pieces, facts::owner, watch::Watch};

/// A part of a board; see the [module](self).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pattern {
    /// On each of these squares stands one of these.
    each: Vec<(Pieces, Bitboard)>,
    counts: Vec<Count>,
}

/// So many of some pieces on some squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    pieces: Pieces,
    squares: Bitboard,
    least: usize,
    most: usize,
}

impl Pattern {
    /// Whether a board has it.
    #[must_use]
    pub fn fits(&self, board: &Board) -> bool {
        let stands =
            |&(pieces, squares): &(Pieces, Bitboard)| (squares - pieces.on(board)).is_empty();
        self.each.iter().all(stands) && self.counts.iter().all(|count| count.fits(board))
    }

    /// Whether a position of a main line of which these facts are known may have it.
    pub(crate) fn may_fit(&self, facts: &impl Facts) -> bool {
        let home = facts.home_pawns();
        let stands = |&(pieces, squares): &(Pieces, Bitboard)| {
            // Where a pawn never moved stands that pawn.
            let mut pawns = (squares & home).into_iter();
            pawns.all(|square| pieces.has(owner(square), Role::Pawn))
                && (pieces.has_empty() || squares.count() <= range(pieces, facts).1)
        };
        self.each.iter().all(stands) && self.counts.iter().all(|count| count.may_fit(facts))
    }

    /// Whether it may still fit after a board that it did not: what is gone comes back only by
    /// promotion.
    pub(crate) fn may_come(&self, board: &Board, promotions: bool) -> bool {
        let enough = |pieces: Pieces, least: usize| {
            pieces.has_empty()
                || promotions && !pieces.are_pawns()
                || pieces.on(board).count() >= least
        };
        let mut each = self.each.iter();
        let mut counts = self.counts.iter();
        each.all(|(pieces, squares)| enough(*pieces, squares.count()))
            && counts.all(|count| enough(count.pieces, count.least))
    }

    /// Which plies can make it fit where it did not; or, if not `wanted`, not fit where it did.
    pub(crate) fn watch(&self, watch: &mut Watch, wanted: bool) {
        for &(pieces, squares) in &self.each {
            watch.gains(if wanted { pieces } else { !pieces }, squares);
            // So that the rest of a game can be left when they are gone.
            if wanted && !pieces.has_empty() && !pieces.has_pawns() {
                watch.loses(pieces);
            }
        }
        for count in &self.counts {
            count.watch(watch, wanted);
        }
    }

    /// The pattern with the files exchanged: a for h.
    #[must_use]
    pub fn mirrored(&self) -> Pattern {
        self.map(|pieces, squares| (pieces, squares.into_iter().map(mirrored).collect()))
    }

    /// The pattern from the other side: colours and ranks exchanged.
    #[must_use]
    pub fn flipped(&self) -> Pattern {
        self.map(|pieces, squares| (pieces.flipped(), squares.flip()))
    }

    fn map(&self, change: impl Fn(Pieces, Bitboard) -> (Pieces, Bitboard)) -> Pattern {
        let each = self
            .each
            .iter()
            .map(|&(pieces, squares)| change(pieces, squares));
        let counts = self.counts.iter().map(|count| {
            let (pieces, squares) = change(count.pieces, count.squares);
            Count {
                pieces,
                squares,
                ..*count
            }
        });
        Pattern {
            each: each.collect(),
            counts: counts.collect(),
        }
    }

    /// Why no board has it, if that can be seen.
    fn contradiction(&self) -> Option<&'static str> {
        let no_pawns = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
        let wanted = self.counts.iter().filter(|count| count.least > 0);
        let mut each = self.each.iter();
        if each.any(|(pieces, squares)| pieces.are_pawns() && !(*squares & no_pawns).is_empty())
            || wanted
                .clone()
                .any(|count| count.pieces.are_pawns() && (count.squares - no_pawns).is_empty())
        {
            return Some("pawns do not stand on the first and the last rank");
        }
        for (index, (pieces, squares)) in self.each.iter().enumerate() {
            let mut others = self.each[index + 1..].iter();
            if others
                .any(|(other, on)| pieces.is_apart_from(*other) && !(*squares & *on).is_empty())
            {
                return Some("two pieces do not stand on one square");
            }
        }
        let pawns = self.each.iter().filter(|(pieces, _)| pieces.are_pawns());
        let many = |pieces: Pieces, count: usize| {
            let sides = Color::ALL.into_iter();
            let sides = sides.filter(|color| pieces.has(*color, Role::Pawn)).count();
            pieces.are_pawns() && count > 8 * sides
        };
        let mut standing = pawns.map(|(pieces, squares)| (*pieces, squares.count()));
        let mut counted = wanted.clone().map(|count| (count.pieces, count.least));
        if standing.any(|(pieces, count)| many(pieces, count))
            || counted.any(|(pieces, count)| many(pieces, count))
        {
            return Some("a side has no more than eight pawns");
        }
        let mut wanted = wanted;
        wanted
            .any(|count| count.least > count.squares.count())
            .then_some("there are not so many squares")
    }

    /// On some squares, one of these must stand.
    fn require(&mut self, pieces: Pieces, squares: Bitboard) {
        match self.each.iter_mut().find(|(known, _)| *known == pieces) {
            Some((_, known)) => *known |= squares,
            None => self.each.push((pieces, squares)),
        }
    }

    fn from_board(text: &str) -> Result<Pattern, ParseError> {
        let wrong = || ParseError::new("a board has eight ranks of eight squares each", text);
        let mut pattern = Pattern::default();
        let mut ranks = Rank::ALL.into_iter().rev();
        for row in text.split('/') {
            let rank = ranks.next().ok_or_else(wrong)?;
            let mut file = 0;
            let mut rest = row;
            while let Some(first) = rest.chars().next() {
                if let Some(free @ 1..=8) = first.to_digit(10) {
                    file += free as u8;
                    rest = &rest[1..];
                    continue;
                }
                let (pieces, after) = match first {
                    '.' => (None, &rest[1..]),
                    _ => split_pieces(rest).map(|(pieces, after)| (Some(pieces), after))?,
                };
                if file > 7 {
                    return Err(wrong());
                }
                if let Some(pieces) = pieces {
                    let square = Square::new(File::from_index(file), rank);
                    pattern.require(pieces, square.into());
                }
                file += 1;
                rest = after;
            }
            if file != 8 {
                return Err(wrong());
            }
        }
        match ranks.next() {
            None => Ok(pattern),
            Some(_) => Err(wrong()),
        }
    }

    fn from_list(text: &str) -> Result<Pattern, ParseError> {
        let mut pattern = Pattern::default();
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let (least, most, rest) = split_number(word)?;
            let (pieces, place) = split_pieces(rest)?;
            let squares = squares(place)
                .ok_or_else(|| ParseError::new("not a square, a file or a rank", place))?;
            match (squares.single(), least, most) {
                (Some(_), 1, 64) => pattern.require(pieces, squares),
                _ => pattern.counts.push(Count {
                    pieces,
                    squares,
                    least,
                    most,
                }),
            }
        }
        match pattern == Pattern::default() {
            true => Err(ParseError::new("a pattern says what stands where", text)),
            false => Ok(pattern),
        }
    }
}

/// How many of some pieces there are at least and at most.
fn range(pieces: Pieces, facts: &impl Facts) -> (usize, usize) {
    let all = Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| (color, role)));
    let wanted = all.filter(|(color, role)| pieces.has(*color, *role));
    wanted.fold((0, 0), |(least, most), (color, role)| {
        let (fewest, many) = facts.counts(color, role);
        (least + usize::from(fewest), most + usize::from(many))
    })
}

impl Count {
    fn may_fit(&self, facts: &impl Facts) -> bool {
        if self.pieces.has_empty() {
            return true;
        }
        let (least, most) = range(self.pieces, facts);
        let is_everywhere = self.squares == Bitboard::FULL;
        self.least <= most && (!is_everywhere || least <= self.most)
    }

    fn watch(&self, watch: &mut Watch, wanted: bool) {
        let (more, fewer) = (self.least > 0 || !wanted, self.most < 64 || !wanted);
        // Somewhere on the board there are more of them only by promotion, which is always seen.
        if self.squares == Bitboard::FULL {
            match self.pieces.has_empty() {
                true => watch.loses(Pieces::ANY),
                false if fewer => watch.loses(self.pieces),
                false => {}
            }
            return;
        }
        if more {
            watch.gains(self.pieces, self.squares);
        }
        if fewer {
            watch.gains(!self.pieces, self.squares);
        }
    }

    fn fits(&self, board: &Board) -> bool {
        let count = (self.pieces.on(board) & self.squares).count();
        (self.least..=self.most).contains(&count)
    }
}

impl FromStr for Pattern {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Pattern, ParseError> {
        let pattern = match text.contains('/') {
            true => Pattern::from_board(text.trim()),
            false => Pattern::from_list(text),
        }?;
        match pattern.contradiction() {
            Some(why) => Err(ParseError::new(why, text)),
            None => Ok(pattern),
        }
    }
}

fn mirrored(square: Square) -> Square {
    Square::new(File::from_index(7 - square.file() as u8), square.rank())
}

/// At least and at most how many, and what follows the number.
fn split_number(word: &str) -> Result<(usize, usize, &str), ParseError> {
    let (exactly, rest) = match word.strip_prefix('=') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = rest.split_at(digits);
    let wrong = || ParseError::new("not a number of pieces", word);
    match (exactly, number) {
        (false, "") => Ok((1, 64, rest)),
        (true, "") => Err(wrong()),
        _ => match number.parse::<usize>() {
            Ok(0) => Ok((0, 0, rest)),
            Ok(number @ 1..=64) => Ok((number, if exactly { number } else { 64 }, rest)),
            _ => Err(wrong()),
        },
    }
}

/// A letter or a set in brackets, and what follows.
fn split_pieces(text: &str) -> Result<(Pieces, &str), ParseError> {
    let wrong = || ParseError::new("not a piece or a set of pieces", text);
    let letter = |letter: char| Pieces::from_letter(letter).ok_or_else(wrong);
    let Some(set) = text.strip_prefix('[') else {
        let first = text.chars().next().ok_or_else(wrong)?;
        return Ok((letter(first)?, &text[first.len_utf8()..]));
    };
    let (set, rest) = set.split_once(']').ok_or_else(wrong)?;
    let (negated, set) = match set.strip_prefix('!') {
        Some(set) => (true, set),
        None => (false, set),
    };
    let mut pieces = Pieces::NONE;
    for piece in set.chars() {
        pieces = pieces | letter(piece)?;
    }
    match (pieces == Pieces::NONE, negated) {
        (true, _) => Err(wrong()),
        (_, true) => Ok((!pieces, rest)),
        (_, false) => Ok((pieces, rest)),
    }
}

impl FromStr for Pieces {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Pieces, ParseError> {
        match split_pieces(text)? {
            (pieces, "") => Ok(pieces),
            _ => Err(ParseError::new("not a piece or a set of pieces", text)),
        }
    }
}

/// A square, a file, a rank, or all squares.
fn squares(place: &str) -> Option<Bitboard> {
    match *place.as_bytes() {
        [] => Some(Bitboard::FULL),
        [file @ b'a'..=b'h'] => File::from_letter(file).map(Bitboard::from),
        [rank @ b'1'..=b'8'] => Rank::from_digit(rank).map(Bitboard::from),
        [file, rank] => Square::from_ascii(file, rank).map(Bitboard::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::{Position, Setup, Variant};

    use super::*;

    fn board(fen: &str) -> Board {
        let setup: Setup = fen.parse().unwrap();
        *Position::from_setup(&setup, Variant::Standard)
            .unwrap()
            .board()
    }

    fn fits(pattern: &str, fen: &str) -> bool {
        pattern.parse::<Pattern>().unwrap().fits(&board(fen))
    }

    const AFTER_E4_C5: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

    #[test]
    fn what_no_board_has_is_refused() {
        let board = "PPPPPPPP/8/8/8/8/8/8/8";
        for pattern in [
            "Pa1",
            "p8",
            "[Pp]h8",
            "9P",
            "=17[Pp]",
            "Ka1 ka1",
            "Ke4 [!K]e4",
            "2Nd5",
            "9*d",
            board,
        ] {
            assert!(pattern.parse::<Pattern>().is_err(), "{pattern}");
        }
        for pattern in [
            "Pa",
            "0P1",
            "8P",
            "16[Pp]",
            "[PN]a1",
            "Ke4 [KQ]e4",
            "2K",
            "8*d",
        ] {
            assert!(pattern.parse::<Pattern>().is_ok(), "{pattern}");
        }
    }

    #[test]
    fn a_board_asks_only_for_what_it_names() {
        assert!(fits("8/8/8/2p5/4P3/8/8/8", AFTER_E4_C5));
        assert!(!fits("8/8/8/2p5/3P4/8/8/8", AFTER_E4_C5));
        assert!(fits("8/8/8/..a1.3/4A3/8/8/8", AFTER_E4_C5));
        assert!(fits("8/2_5/8/2*5/4[PN]3/8/4_3/8", AFTER_E4_C5));
        assert!(!fits("8/2_5/8/2_5/8/8/8/8", AFTER_E4_C5));
        assert!(fits("8/8/8/2[!Pn_]5/8/8/8/8", AFTER_E4_C5));
        assert!(!fits("8/8/8/2[!p]5/8/8/8/8", AFTER_E4_C5));
        assert!(
            fits("8/8/8/1[!p]6/8/8/8/8", AFTER_E4_C5),
            "an empty square is no pawn"
        );
    }

    #[test]
    fn a_list_asks_for_squares_files_ranks_and_numbers() {
        for yes in [
            "Pe4 pc5", "pc", "P4", "q", "2R1", "=7P2", "0Pe2", "0qd1", "=1P4", "16A", "0_1",
        ] {
            assert!(fits(yes, AFTER_E4_C5), "{yes}");
        }
        for no in ["Pe5", "2P4", "=8P2", "0pc", "17A", "Pc5", "=2q"] {
            assert!(!fits(no, AFTER_E4_C5), "{no}");
        }
    }

    #[test]
    fn patterns_are_mirrored_and_flipped() {
        let pattern: Pattern = "Nc3 2Ra pb7".parse().unwrap();
        assert_eq!(pattern.mirrored(), "Nf3 2Rh pg7".parse().unwrap());
        assert_eq!(pattern.flipped(), "nc6 2ra Pb2".parse().unwrap());
        let board: Pattern = "8/1p6/8/8/8/2N5/8/8".parse().unwrap();
        assert_eq!(board.mirrored().mirrored(), board);
        assert_eq!(board.flipped().flipped(), board);
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for wrong in [
            "",
            " ",
            "x",
            "Nz9",
            "Nd5d6",
            "8/8",
            "9/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/7",
            "8/8/8/8/8/8/8/8p",
            "[]d4",
            "[N",
            "=Nd4",
            "65P",
            "é",
            "[é]",
            "é/8/8/8/8/8/8/8",
        ] {
            assert!(wrong.parse::<Pattern>().is_err(), "{wrong}");
        }
    }
}
