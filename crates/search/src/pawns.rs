//! Pawn structures.
//!
//! A list of terms with spaces between, all of which must hold:
//!
//! | term | meaning |
//! |---|---|
//! | `white=a2,b2,c4` | White's pawns stand there and nowhere else; `white=-` there are none |
//! | `black-files=abffgh` | Black has so many pawns on these files and no others |
//! | `isolated`, `isolated:white`, `isolated:d5` | a pawn of either side, of that side, or on that square is isolated: no pawn of its side on a neighbouring file |
//! | `doubled` | another pawn of its side stands on its file |
//! | `passed` | no enemy pawn before it, on its file or on a neighbouring one |
//! | `backward` | it has neighbours, all of them further on; and an enemy pawn guards the square before it |
//! | `iqp` | isolated, the only pawn of its side on the d-file, and no enemy pawn before it there |
//! | `hanging` | with another side by side on the c- and d-files and the fourth rank (fifth for Black), without other pawns of its side on these files, nor on the b- and e-files and without enemy pawns before them on theirs |
//!
//! Each of the last six takes a side or a square.
//!
//! ```
//! use tabiya_chess::Board;
//! use tabiya_search::Pawns;
//!
//! let pawns: Pawns = "white-files=abcdefgh".parse()?;
//! assert!(pawns.fits(&Board::INITIAL));
//! assert!(!"passed".parse::<Pawns>()?.fits(&Board::INITIAL));
//! # Ok::<(), tabiya_search::ParseError>(())
//! ```

use std::str::FromStr;

use tabiya_chess::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

use crate::{Facts, ParseError, facts::owner};

/// A pawn structure; see the [module](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pawns(Vec<Term>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    /// The pawns of a side, all of them.
    Squares(Color, Bitboard),
    /// How many pawns a side has on each file.
    Files(Color, [u8; 8]),
    Feature(Feature, Place),
}

/// What a pawn can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Feature {
    Isolated,
    Doubled,
    Passed,
    Backward,
    IsolatedQueensPawn,
    Hanging,
}

/// Whose pawn, or which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Either,
    Side(Color),
    Square(Square),
}

impl Pawns {
    /// Whether a board has it.
    #[must_use]
    pub fn fits(&self, board: &Board) -> bool {
        self.0.iter().all(|term| term.fits(board))
    }

    /// Whether a position of a main line of which these facts are known may have it.
    pub(crate) fn may_fit(&self, facts: &impl Facts) -> bool {
        self.0.iter().all(|term| term.may_fit(facts))
    }

    /// Whether a board may still come to it: no pawn comes back.
    pub(crate) fn may_come(&self, board: &Board) -> bool {
        self.0.iter().all(|term| term.may_come(board))
    }

    /// The same with the colours and the ranks exchanged.
    #[must_use]
    pub fn flipped(&self) -> Pawns {
        Pawns(self.0.iter().map(Term::flipped).collect())
    }
}

impl Term {
    fn fits(&self, board: &Board) -> bool {
        match *self {
            Term::Squares(color, squares) => board.of(color, Role::Pawn) == squares,
            Term::Files(color, counts) => {
                let pawns = board.of(color, Role::Pawn);
                File::ALL.into_iter().zip(counts).all(|(file, count)| {
                    (pawns & Bitboard::file(file)).count() == usize::from(count)
                })
            }
            Term::Feature(feature, place) => match place {
                Place::Either => Color::ALL
                    .into_iter()
                    .any(|color| feature.of(board, color).any()),
                Place::Side(color) => feature.of(board, color).any(),
                Place::Square(square) => board
                    .color_at(square)
                    .is_some_and(|color| feature.of(board, color).contains(square)),
            },
        }
    }

    fn may_come(&self, board: &Board) -> bool {
        let enough = |color: Color, least: usize| board.of(color, Role::Pawn).count() >= least;
        match self {
            Term::Squares(color, squares) => enough(*color, squares.count()),
            Term::Files(color, counts) => {
                enough(*color, counts.iter().map(|count| usize::from(*count)).sum())
            }
            Term::Feature(..) => true,
        }
    }

    fn may_fit(&self, facts: &impl Facts) -> bool {
        let fits = |color: Color, count: usize| {
            let (least, most) = facts.counts(color, Role::Pawn);
            (usize::from(least)..=usize::from(most)).contains(&count)
        };
        let home = |color: Color| {
            let pawns = facts.home_pawns().into_iter();
            pawns.filter(move |pawn| owner(*pawn) == color)
        };
        match self {
            Term::Squares(color, squares) => {
                fits(*color, squares.count()) && home(*color).all(|pawn| squares.contains(pawn))
            }
            Term::Files(color, counts) => {
                fits(*color, counts.iter().map(|count| usize::from(*count)).sum())
                    && home(*color).all(|pawn| counts[pawn.file() as usize] > 0)
            }
            Term::Feature(..) => true,
        }
    }

    fn flipped(&self) -> Term {
        match *self {
            Term::Squares(color, squares) => Term::Squares(!color, squares.flip()),
            Term::Files(color, counts) => Term::Files(!color, counts),
            Term::Feature(feature, place) => Term::Feature(
                feature,
                match place {
                    Place::Either => Place::Either,
                    Place::Side(color) => Place::Side(!color),
                    Place::Square(square) => Place::Square(square.flip()),
                },
            ),
        }
    }
}

impl Feature {
    /// The pawns of a side that are so.
    fn of(self, board: &Board, color: Color) -> Bitboard {
        let own = board.of(color, Role::Pawn);
        let enemy = board.of(!color, Role::Pawn);
        let pawns = own.into_iter();
        match self {
            Feature::Isolated => pawns
                .filter(|pawn| (neighbours(*pawn) & own).is_empty())
                .collect(),
            Feature::Doubled => pawns
                .filter(|pawn| (Bitboard::file(pawn.file()) & own).more_than_one())
                .collect(),
            Feature::Passed => pawns
                .filter(|&pawn| {
                    let files = neighbours(pawn) | Bitboard::file(pawn.file());
                    (files & before(color, pawn) & enemy).is_empty()
                })
                .collect(),
            Feature::Backward => pawns
                .filter(|&pawn| is_backward(pawn, color, own, enemy))
                .collect(),
            Feature::IsolatedQueensPawn => queens_pawn(color, own, enemy),
            Feature::Hanging => hanging(color, own, enemy),
        }
    }
}

/// The files beside that of a square.
fn neighbours(square: Square) -> Bitboard {
    let side = |files| {
        square
            .offset(files, 0)
            .map(|square| Bitboard::file(square.file()))
    };
    side(-1).unwrap_or_default() | side(1).unwrap_or_default()
}

/// All ranks that a side has before a square.
fn before(color: Color, square: Square) -> Bitboard {
    let is_before = |rank: &Rank| match color {
        Color::White => *rank > square.rank(),
        Color::Black => *rank < square.rank(),
    };
    let ranks = Rank::ALL.into_iter().filter(is_before);
    ranks.fold(Bitboard::EMPTY, |all, rank| all | Bitboard::rank(rank))
}

fn is_backward(pawn: Square, color: Color, own: Bitboard, enemy: Bitboard) -> bool {
    let beside = neighbours(pawn) & own;
    let all_further_on = beside.any() && (beside - before(color, pawn)).is_empty();
    let stop = pawn.offset(0, color.forward());
    // An enemy pawn guards the square from where one of ours on it would capture.
    all_further_on && stop.is_some_and(|stop| (attacks::pawn(color, stop) & enemy).any())
}

fn queens_pawn(color: Color, own: Bitboard, enemy: Bitboard) -> Bitboard {
    let Some(pawn) = (own & Bitboard::file(File::D)).single() else {
        return Bitboard::EMPTY;
    };
    let blocked = before(color, pawn) & Bitboard::file(File::D) & enemy;
    match (neighbours(pawn) & own).is_empty() && blocked.is_empty() {
        true => pawn.into(),
        false => Bitboard::EMPTY,
    }
}

fn hanging(color: Color, own: Bitboard, enemy: Bitboard) -> Bitboard {
    let middle = Bitboard::file(File::C) | Bitboard::file(File::D);
    let rank = color.rank(Rank::Fourth);
    let pair = middle & Bitboard::rank(rank);
    let beside = Bitboard::file(File::B) | Bitboard::file(File::E);
    let ahead = before(color, Square::new(File::C, rank));
    let hang =
        own & middle == pair && (own & beside).is_empty() && (enemy & middle & ahead).is_empty();
    match hang {
        true => pair,
        false => Bitboard::EMPTY,
    }
}

impl FromStr for Pawns {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Pawns, ParseError> {
        let words = text.split_whitespace();
        let terms = words.map(term).collect::<Result<Vec<_>, _>>()?;
        match terms.is_empty() {
            true => Err(ParseError::new("not a pawn structure", text)),
            false => Ok(Pawns(terms)),
        }
    }
}

fn term(word: &str) -> Result<Term, ParseError> {
    let wrong = || ParseError::new("not a pawn structure such as isolated:white", word);
    if let Some((side, squares)) = word.split_once('=') {
        let (side, by_file) = match side.strip_suffix("-files") {
            Some(side) => (side, true),
            None => (side, false),
        };
        let color = color(side).ok_or_else(wrong)?;
        let term = match by_file {
            true => Term::Files(color, files(squares).ok_or_else(wrong)?),
            false => Term::Squares(color, pawns(squares).ok_or_else(wrong)?),
        };
        return possible(term, word);
    }
    let (feature, place) = match word.split_once(':') {
        None => (word, Place::Either),
        Some((feature, place)) => {
            let side = color(place).map(Place::Side);
            let square = || place.parse().ok().map(Place::Square);
            (feature, side.or_else(square).ok_or_else(wrong)?)
        }
    };
    let feature = match feature {
        "isolated" => Feature::Isolated,
        "doubled" => Feature::Doubled,
        "passed" => Feature::Passed,
        "backward" => Feature::Backward,
        "iqp" => Feature::IsolatedQueensPawn,
        "hanging" => Feature::Hanging,
        _ => return Err(wrong()),
    };
    possible(Term::Feature(feature, place), word)
}

/// Refuses what no board has: a question that nothing answers is a slip of the pen.
fn possible(term: Term, word: &str) -> Result<Term, ParseError> {
    const RANKS: u8 = 6;
    const MOST: usize = 8;
    let refuse = |reason: &str| {
        let what = "no board has these pawns";
        Err(ParseError::because(what, word, &reason))
    };
    let ends = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    let (squares, count) = match term {
        Term::Squares(_, squares) => (squares, squares.count()),
        Term::Files(_, counts) => {
            if counts.iter().any(|count| *count > RANKS) {
                return refuse("a file has room for 6 pawns");
            }
            let count = counts.iter().map(|count| usize::from(*count)).sum();
            (Bitboard::EMPTY, count)
        }
        Term::Feature(_, Place::Square(square)) => (square.into(), 1),
        Term::Feature(..) => return Ok(term),
    };
    if (squares & ends).any() {
        return refuse("no pawn stands on the first rank or the last");
    }
    if count > MOST {
        return refuse("a side has 8 pawns at most");
    }
    Ok(term)
}

fn color(name: &str) -> Option<Color> {
    match name {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

/// Squares with commas between, or `-`.
fn pawns(text: &str) -> Option<Bitboard> {
    match text {
        "-" => Some(Bitboard::EMPTY),
        _ => text
            .split(',')
            .map(|square| square.parse::<Square>().ok())
            .collect(),
    }
}

/// A letter for each pawn, or `-`.
fn files(text: &str) -> Option<[u8; 8]> {
    let mut counts = [0; 8];
    if text == "-" {
        return Some(counts);
    }
    for letter in text.bytes() {
        let count: &mut u8 = &mut counts[File::from_letter(letter)? as usize];
        *count = count.checked_add(1)?;
    }
    (!text.is_empty()).then_some(counts)
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Setup;

    use super::*;

    fn fits(pawns: &str, placement: &str) -> bool {
        let setup: Setup = format!("{placement} w - - 0 1").parse().unwrap();
        let pawns: Pawns = pawns.parse().unwrap();
        let flipped = pawns.flipped();
        let mut turned = Board::EMPTY;
        for (square, piece) in setup.board.iter() {
            turned.put(square.flip(), piece.role.of(!piece.color));
        }
        assert_eq!(
            flipped.fits(&turned),
            pawns.fits(&setup.board),
            "from the other side"
        );
        pawns.fits(&setup.board)
    }

    /// After exchanges in the centre White has a pawn on d4 that stands alone.
    const QUEENS_PAWN: &str = "r2q1rk1/pp3ppp/2n1pn2/8/3P4/2N2N2/PP3PPP/R2Q1RK1";

    #[test]
    fn squares_and_files_name_all_pawns_of_a_side() {
        assert!(fits("white=a2,b2,d4,f2,g2,h2", QUEENS_PAWN));
        assert!(!fits("white=a2,b2,d4", QUEENS_PAWN));
        assert!(fits("white-files=abdfgh black-files=abefgh", QUEENS_PAWN));
        assert!(!fits("white-files=abddfgh", QUEENS_PAWN));
        assert!(fits("white=- black-files=-", "4k3/8/8/8/8/8/8/4K3"));
    }

    #[test]
    fn an_isolated_queens_pawn_is_alone_on_an_open_road() {
        assert!(fits("iqp", QUEENS_PAWN));
        assert!(fits("iqp:white isolated:d4", QUEENS_PAWN));
        assert!(fits("iqp:d4", QUEENS_PAWN));
        assert!(!fits("iqp:black", QUEENS_PAWN));
        assert!(!fits("iqp", "4k3/8/8/3p4/3P4/8/8/4K3"), "a ram");
        assert!(!fits("iqp", "4k3/8/8/8/3P4/4P3/8/4K3"));
    }

    #[test]
    fn doubled_pawns_stand_on_one_file() {
        let board = "4k3/pp6/8/8/8/2P5/2P5/4K3";
        assert!(fits("doubled doubled:white doubled:c2 doubled:c3", board));
        assert!(!fits("doubled:black", board));
    }

    #[test]
    fn a_passed_pawn_meets_no_enemy_pawn() {
        assert!(fits("passed:white", "4k3/8/1p6/8/3P4/8/8/4K3"));
        assert!(fits("passed:d4 passed:b6", "4k3/8/1p6/8/3P4/8/8/4K3"));
        assert!(!fits("passed:d4", "4k3/4p3/8/8/3P4/8/8/4K3"));
        assert!(
            fits("passed:d4", "4k3/8/8/8/3P4/2p5/8/4K3"),
            "what is behind does not stop it"
        );
        assert!(
            !fits("passed:e7", "8/4k3/8/8/3P4/8/8/4K3"),
            "a king is no pawn"
        );
    }

    #[test]
    fn a_backward_pawn_is_left_behind_and_held() {
        assert!(fits("backward:d3", "4k3/8/8/2p5/2P1P3/3P4/8/4K3"));
        assert!(
            !fits("backward:d3", "4k3/8/8/8/2P1P3/3P4/8/4K3"),
            "nobody holds it"
        );
        assert!(
            !fits("backward:d3", "4k3/8/8/2p5/4P3/2PP4/8/4K3"),
            "a neighbour helps it on"
        );
        assert!(
            !fits("backward:d3", "4k3/8/8/2p5/8/3P4/8/4K3"),
            "that is an isolated one"
        );
    }

    #[test]
    fn hanging_pawns_stand_side_by_side_without_help() {
        let board = "4k3/pp3ppp/4p3/8/2PP4/8/P4PPP/4K3";
        assert!(fits("hanging hanging:white hanging:c4", board));
        assert!(!fits("hanging:black", board));
        assert!(!fits("hanging", "4k3/8/8/8/2PP4/8/1P6/4K3"));
        assert!(!fits("hanging", "4k3/3p4/8/8/2PP4/8/8/4K3"));
    }

    #[test]
    fn pawns_that_no_board_has_are_refused_and_say_why() {
        for (wrong, reason) in [
            ("white=a1", "first rank or the last"),
            ("black=h8,a7", "first rank or the last"),
            ("isolated:d1", "first rank or the last"),
            ("white=a2,b2,c2,d2,e2,f2,g2,h2,a3", "8 pawns at most"),
            ("white-files=abcdefghh", "8 pawns at most"),
            ("white-files=aaaaaaa", "room for 6 pawns"),
        ] {
            let error = wrong.parse::<Pawns>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        for right in [
            "white=-",
            "black=a7,a6",
            "white-files=aaaaaabb",
            "passed:d7",
        ] {
            assert!(right.parse::<Pawns>().is_ok(), "{right}");
        }
    }

    #[test]
    fn what_is_no_structure_is_refused() {
        for wrong in [
            "",
            "isolated:",
            "isolated:z9",
            "lonely",
            "white=",
            "white=i9",
            "grey=a2",
            "white-files=xy",
            "white-files=",
        ] {
            assert!(wrong.parse::<Pawns>().is_err(), "{wrong}");
        }
    }
}
