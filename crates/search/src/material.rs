//! What is left on the board.
//!
//! `KRPKR` is exactly that: White's pieces, then Black's. Anything else is a list of terms with
//! spaces between, and what is not named does not matter:
//!
//! | term | meaning |
//! |---|---|
//! | `Q=1`, `p=3..5`, `R=1..`, `b=..1` | how many of a piece; large letters are White's, small ones Black's |
//! | `R-r=1`, `P-p=-2..-1` | how many more White has than Black; any two pieces can be compared |
//! | `balance=3..` | White's material less Black's, with 1, 3, 3, 5 and 9 for pawn to queen |
//! | `opposite-bishops` | each side has one bishop, on squares of different colours |
//!
//! ```
//! use tabiya_chess::Board;
//! use tabiya_search::Material;
//!
//! let material: Material = "Q=1 P-p=0 balance=-1..1".parse()?;
//! assert!(material.fits(&Board::INITIAL));
//! # Ok::<(), tabiya_search::ParseError>(())
//! ```

use std::str::FromStr;

use tabiya_chess::{Bitboard, Board, Color, Piece, Role};
use tabiya_game::Span;

use crate::{Facts, ParseError, Pieces, watch::Watch};

/// What is left on the board; see the [module](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Material(Vec<Term>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    /// All pieces of both sides, pawns first, kings last.
    Exactly([[u8; 6]; 2]),
    Count(Piece, Span<i32>),
    Difference(Piece, Piece, Span<i32>),
    Balance(Span<i32>),
    OppositeBishops,
}

impl Material {
    /// Whether a board has it.
    #[must_use]
    pub fn fits(&self, board: &Board) -> bool {
        self.0.iter().all(|term| term.fits(board))
    }

    /// Whether a position of a main line of which these facts are known may have it.
    pub(crate) fn may_fit(&self, facts: &impl Facts) -> bool {
        self.0.iter().all(|term| term.may_fit(facts))
    }

    /// Whether a board may still come to it: what is gone comes back only by promotion, and a pawn
    /// never.
    pub(crate) fn may_come(&self, board: &Board, promotions: bool) -> bool {
        self.0.iter().all(|term| term.may_come(board, promotions))
    }

    /// Which plies can make a difference: promotions, which are always seen, and captures.
    pub(crate) fn watch(&self, watch: &mut Watch) {
        let of = |piece: &Piece| Pieces::piece(piece.color, piece.role);
        for term in &self.0 {
            watch.loses(match term {
                Term::Exactly(_) | Term::Balance(_) => Pieces::ANY,
                Term::Count(piece, _) => of(piece),
                Term::Difference(one, other, _) => of(one) | of(other),
                // A bishop keeps the colour of its squares.
                Term::OppositeBishops => Pieces::of_role(Role::Bishop),
            });
        }
    }

    /// The same with the colours exchanged.
    #[must_use]
    pub fn flipped(&self) -> Material {
        Material(self.0.iter().map(Term::flipped).collect())
    }
}

const VALUES: [(Role, i32); 5] = [
    (Role::Pawn, 1),
    (Role::Knight, 3),
    (Role::Bishop, 3),
    (Role::Rook, 5),
    (Role::Queen, 9),
];

/// What is on a board, as [`Material`] reads it: White's pieces, then Black's.
///
/// ```
/// use tabiya_chess::Board;
/// use tabiya_search::material::spelled;
///
/// let initial = "KQRRBBNNPPPPPPPPKQRRBBNNPPPPPPPP";
/// assert_eq!(spelled(&Board::INITIAL), initial);
/// ```
#[must_use]
pub fn spelled(board: &Board) -> String {
    let mut text = String::with_capacity(board.occupied().count());
    for color in Color::ALL {
        for role in Role::ALL.into_iter().rev() {
            let count = board.of(color, role).count();
            text.extend(std::iter::repeat_n(role.letter(), count));
        }
    }
    text
}

/// White's material less Black's, in pawns.
pub(crate) fn balance(board: &Board) -> i32 {
    let worth = |(role, value)| {
        let count = |color| board.of(color, role).count() as i32;
        value * (count(Color::White) - count(Color::Black))
    };
    VALUES.into_iter().map(worth).sum()
}

fn count(board: &Board, piece: Piece) -> i32 {
    board.of(piece.color, piece.role).count() as i32
}

impl Term {
    fn fits(&self, board: &Board) -> bool {
        match self {
            Term::Exactly(counts) => Color::ALL.into_iter().all(|color| {
                let same = |role: Role| {
                    board.of(color, role).count()
                        == usize::from(counts[color as usize][role as usize])
                };
                Role::ALL.into_iter().all(same)
            }),
            Term::Count(piece, span) => span.contains(&count(board, *piece)),
            Term::Difference(one, other, span) => {
                span.contains(&(count(board, *one) - count(board, *other)))
            }
            Term::Balance(span) => span.contains(&balance(board)),
            Term::OppositeBishops => {
                let bishop = |color| board.of(color, Role::Bishop).single();
                match (bishop(Color::White), bishop(Color::Black)) {
                    (Some(white), Some(black)) => {
                        Bitboard::LIGHT.contains(white) != Bitboard::LIGHT.contains(black)
                    }
                    _ => false,
                }
            }
        }
    }

    fn may_come(&self, board: &Board, promotions: bool) -> bool {
        let enough = |piece: Piece, least: i32| {
            promotions && piece.role != Role::Pawn || count(board, piece) >= least
        };
        match self {
            Term::Exactly(wanted) => Color::ALL.into_iter().all(|color| {
                let wanted = wanted[color as usize];
                let all: usize = wanted.iter().map(|count| usize::from(*count)).sum();
                let mut roles = Role::ALL.into_iter().zip(wanted);
                board.side(color).count() >= all
                    && roles.all(|(role, least)| enough(role.of(color), i32::from(least)))
            }),
            Term::Count(piece, span) => span.least.is_none_or(|least| enough(*piece, least)),
            Term::Difference(one, other, span) => {
                span.least.is_none_or(|least| enough(*one, least))
                    && span.most.is_none_or(|most| enough(*other, -most))
            }
            Term::Balance(_) => true,
            Term::OppositeBishops => Color::ALL
                .into_iter()
                .all(|color| enough(Role::Bishop.of(color), 1)),
        }
    }

    fn may_fit(&self, facts: &impl Facts) -> bool {
        let counts = |piece: Piece| {
            let (least, most) = facts.counts(piece.color, piece.role);
            (i32::from(least), i32::from(most))
        };
        let difference = |one: Piece, other: Piece| {
            let ((least, most), (fewest, many)) = (counts(one), counts(other));
            (least - many, most - fewest)
        };
        match self {
            Term::Exactly(wanted) => Color::ALL.into_iter().all(|color| {
                let wanted = wanted[color as usize];
                let mut roles = Role::ALL.into_iter().zip(wanted);
                let all: usize = wanted.iter().map(|count| usize::from(*count)).sum();
                facts.left(color) <= all
                    && roles.all(|(role, wanted)| {
                        let (least, most) = facts.counts(color, role);
                        (least..=most).contains(&wanted)
                    })
            }),
            Term::Count(piece, span) => meets(span, counts(*piece)),
            Term::Difference(one, other, span) => meets(span, difference(*one, *other)),
            Term::Balance(span) => {
                let ranges = VALUES.map(|(role, value)| {
                    let (least, most) = difference(role.of(Color::White), role.of(Color::Black));
                    (value * least, value * most)
                });
                let sum = |(one, other), (least, most)| (one + least, other + most);
                meets(span, ranges.into_iter().fold((0, 0), sum))
            }
            Term::OppositeBishops => Color::ALL.into_iter().all(|color| {
                let (least, most) = facts.counts(color, Role::Bishop);
                (least..=most).contains(&1)
            }),
        }
    }

    fn flipped(&self) -> Term {
        let flip = |piece: Piece| piece.role.of(!piece.color);
        match *self {
            Term::Exactly([white, black]) => Term::Exactly([black, white]),
            Term::Count(piece, span) => Term::Count(flip(piece), span),
            // White's surplus of one over the other becomes Black's.
            Term::Difference(one, other, span) => Term::Difference(flip(one), flip(other), span),
            Term::Balance(span) => Term::Balance(negated(span)),
            Term::OppositeBishops => Term::OppositeBishops,
        }
    }
}

/// Whether one of the numbers from one to another lies in a range.
fn meets(span: &Span<i32>, (least, most): (i32, i32)) -> bool {
    span.least.is_none_or(|first| first <= most) && span.most.is_none_or(|last| least <= last)
}

fn negated(span: Span<i32>) -> Span<i32> {
    Span {
        least: span.most.map(|number| -number),
        most: span.least.map(|number| -number),
    }
}

impl FromStr for Material {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Material, ParseError> {
        if let Some(counts) = exactly(text.trim()) {
            return Ok(Material(vec![possible(Term::Exactly(counts), text)?]));
        }
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let terms = words.map(term).collect::<Result<Vec<_>, _>>()?;
        match terms.is_empty() {
            true => Err(ParseError::new("not a material such as KRPKR", text)),
            false => Ok(Material(terms)),
        }
    }
}

/// Two sides, each beginning with its king.
fn exactly(text: &str) -> Option<[[u8; 6]; 2]> {
    let mut counts = [[0; 6]; 2];
    let mut side: Option<usize> = None;
    for letter in text.chars() {
        let role = Role::from_letter(letter).filter(|_| letter.is_ascii_uppercase())?;
        let at = match (role, side) {
            (Role::King, None) => 0,
            (Role::King, Some(0)) => 1,
            (_, Some(side)) if role != Role::King => side,
            _ => return None,
        };
        side = Some(at);
        let count: &mut u8 = &mut counts[at][role as usize];
        *count = count.checked_add(1)?;
    }
    (side == Some(1)).then_some(counts)
}

fn term(word: &str) -> Result<Term, ParseError> {
    if word == "opposite-bishops" {
        return Ok(Term::OppositeBishops);
    }
    let wrong = || ParseError::new("not a material such as KRPKR, Q=1, R-r=1..", word);
    let (what, numbers) = word.split_once('=').ok_or_else(wrong)?;
    let span: Span<i32> = numbers.parse().map_err(|_| wrong())?;
    let piece = |letter| Piece::from_letter(letter).ok_or_else(wrong);
    let letters: Vec<char> = what.chars().collect();
    let term = match *letters {
        [one] => Term::Count(piece(one)?, span),
        [one, '-', other] => Term::Difference(piece(one)?, piece(other)?, span),
        _ if what == "balance" => Term::Balance(span),
        _ => return Err(wrong()),
    };
    possible(term, word)
}

/// How many of a piece a side can have in a game: all that promotions can bring.
struct Any;

impl Facts for Any {
    fn home_pawns(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    fn counts(&self, _: Color, role: Role) -> (u8, u8) {
        match role {
            Role::King => (1, 1),
            Role::Pawn => (0, PAWNS),
            _ => (0, at_first(role) + PAWNS),
        }
    }

    /// A king is always left.
    fn left(&self, _: Color) -> usize {
        1
    }

    fn has_promotion(&self) -> bool {
        true
    }

    fn has_underpromotion(&self) -> bool {
        true
    }

    fn has_check(&self) -> bool {
        true
    }

    fn has_end(&self) -> bool {
        true
    }
}

/// How many pawns a side has at first.
const PAWNS: u8 = 8;

/// How many of another piece.
fn at_first(role: Role) -> u8 {
    match role {
        Role::Knight | Role::Bishop | Role::Rook => 2,
        _ => 1,
    }
}

/// Refuses what no game comes to: a question that nothing answers is a slip of the pen.
fn possible(term: Term, word: &str) -> Result<Term, ParseError> {
    let refuse = |reason: &str| {
        let what = "no side has this material";
        Err(ParseError::because(what, word, &reason))
    };
    if !term.may_fit(&Any) {
        let reason = "one king, 8 pawns at most, and as many others as promotions can bring";
        return refuse(reason);
    }
    if let Term::Exactly(sides) = term {
        let promoted = |side: &[u8; 6]| {
            let officers = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
            let more = officers.map(|role| side[role as usize].saturating_sub(at_first(role)));
            more.into_iter().map(u32::from).sum::<u32>() + u32::from(side[Role::Pawn as usize])
        };
        if sides.iter().any(|side| promoted(side) > PAWNS.into()) {
            return refuse("more pieces than 8 pawns can become");
        }
    }
    Ok(term)
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Setup;

    use super::*;

    fn fits(material: &str, fen: &str) -> bool {
        let setup: Setup = fen.parse().unwrap();
        material.parse::<Material>().unwrap().fits(&setup.board)
    }

    const ROOK_ENDING: &str = "8/5k2/8/8/r7/4PK2/4R3/8 w - - 0 1";
    const BISHOPS: &str = "5bk1/p4ppp/8/8/8/8/P4PPP/5BK1 w - - 0 1";

    #[test]
    fn exact_material_names_both_sides() {
        assert!(fits("KRPKR", ROOK_ENDING));
        assert!(!fits("KRKRP", ROOK_ENDING));
        assert!(!fits("KRKR", ROOK_ENDING));
        assert!("KRPKR".parse::<Material>().unwrap().flipped() == "KRKRP".parse().unwrap());
    }

    #[test]
    fn terms_leave_open_what_they_do_not_name() {
        for yes in [
            "R=1",
            "r=1 P=1..",
            "p=0",
            "P-p=1",
            "R-r=0",
            "balance=1",
            "Q=..0 q=0",
        ] {
            assert!(fits(yes, ROOK_ENDING), "{yes}");
        }
        for no in ["R=2", "P-p=2..", "balance=2..", "q=1..", "opposite-bishops"] {
            assert!(!fits(no, ROOK_ENDING), "{no}");
        }
    }

    #[test]
    fn bishops_are_of_opposite_colours_by_their_squares() {
        assert!(fits("opposite-bishops", BISHOPS));
        assert!(!fits(
            "opposite-bishops",
            "4b1k1/8/8/8/8/8/8/5BK1 w - - 0 1"
        ));
        assert!(!fits(
            "opposite-bishops",
            "5bk1/8/8/8/8/8/8/4BBK1 w - - 0 1"
        ));
    }

    #[test]
    fn the_other_side_has_the_surplus_when_colours_are_exchanged() {
        let material: Material = "P-p=1..2 balance=1.. R=1".parse().unwrap();
        let expected: Material = "p-P=1..2 balance=..-1 r=1".parse().unwrap();
        assert_eq!(material.flipped(), expected);
    }

    #[test]
    fn what_no_side_can_have_is_refused_and_says_why() {
        for wrong in [
            "Q=-1",
            "P=9",
            "p=9..",
            "K=2",
            "K=0",
            "Q=..-1",
            "q=10",
            "R=11..",
            "P-p=9",
            "balance=200",
        ] {
            let error = wrong.parse::<Material>().unwrap_err().to_string();
            assert!(error.starts_with("no side has this material"), "{error}");
            assert!(error.contains(wrong), "{error}");
        }
        for wrong in ["KPPPPPPPPPK", "KQQQPPPPPPPKQ"] {
            assert!(wrong.parse::<Material>().is_err(), "{wrong}");
        }
        for right in [
            "P=8",
            "Q=9",
            "R=10",
            "K=1",
            "P=..8",
            "KQQPPPPPPPK",
            "Q=0..99",
        ] {
            assert!(right.parse::<Material>().is_ok(), "{right}");
        }
    }

    #[test]
    fn what_is_no_material_is_refused() {
        for wrong in [
            "", "KRP", "KRPKRK", "krpkr", "RKPKR", "Q", "Q=", "Q=a", "Qq=1", "x=1", "é=1",
        ] {
            assert!(wrong.parse::<Material>().is_err(), "{wrong}");
        }
    }
}
