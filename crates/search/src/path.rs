//! A piece's way across the board.
//!
//! `Nf3-d2-f1-g3` is the way of a white knight, `nf6-d7-f8` that of a black one; pawns have the
//! letters `P` and `p`. The piece makes these moves one after the other, whatever others do in
//! between. In castling both the king and the rook move.
//!
//! ```
//! use tabiya_search::Path;
//!
//! let path: Path = "Nf3-d2-f1-g3".parse()?;
//! assert_eq!(path.to_string(), "Nf3-d2-f1-g3");
//! # Ok::<(), tabiya_search::ParseError>(())
//! ```

use std::{fmt, str::FromStr};

use tabiya_chess::{Bitboard, Board, Extra, File, Piece, Rank, Role, Square, Step, attacks};

use crate::{Facts, ParseError, Pieces, watch::Watch};

/// The way of a piece; see the [module](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    piece: Piece,
    squares: Vec<Square>,
}

/// How far pieces have gone on a path in a game so far: a bit for each square that one stands on,
/// having come all the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress(u64);

impl Path {
    /// More squares than the bits of [`Progress`] would not fit.
    const LONGEST: usize = 64;

    /// Follows a move. Whether a piece has arrived at the end of the path.
    pub fn follow(&self, progress: &mut Progress, step: &Step) -> bool {
        let Step {
            piece, from, to, ..
        } = *step;
        if piece.color != self.piece.color {
            // What is captured goes no further.
            if let Some(square) = step.taken_on() {
                progress.0 &= !self.on(square);
            }
            return false;
        }
        match step.extra {
            Extra::Castling(rook_from, rook_to) => {
                let rook = Role::Rook.of(piece.color);
                self.go(progress, &[(piece, from, to), (rook, rook_from, rook_to)])
            }
            _ => self.go(progress, &[(piece, from, to)]),
        }
    }

    /// Whether a piece may still go it: what is gone comes back only by promotion.
    pub(crate) fn may_come(&self, board: &Board, promotions: bool) -> bool {
        promotions
            || self.piece.role == Role::Pawn
            || board.of(self.piece.color, self.piece.role).any()
    }

    /// Which moves make a difference.
    pub(crate) fn watch(&self, watch: &mut Watch) {
        let pieces = match self.piece.role {
            // A pawn goes on as what it becomes.
            Role::Pawn => Pieces::of_side(self.piece.color),
            role => Pieces::piece(self.piece.color, role),
        };
        watch.follows(pieces, self.squares.iter().copied().collect());
        // So that the rest of a game can be left when they are gone.
        if self.piece.role != Role::Pawn {
            watch.loses(pieces);
        }
    }

    /// The first step that the piece cannot make on any board. A question that nothing answers is a
    /// slip of the pen.
    fn impossible_step(&self) -> Option<[Square; 2]> {
        let mut is_promoted = false;
        let mut steps = self.squares.windows(2).map(|pair| [pair[0], pair[1]]);
        steps.find(|&[from, to]| {
            let targets = match is_promoted {
                // Whatever it has become.
                true => attacks::rays(Role::Queen, from) | attacks::knight(from),
                false => self.targets(from),
            };
            is_promoted |= self.piece.role == Role::Pawn && is_end(to);
            !targets.contains(to)
        })
    }

    /// Where the piece may go from a square, if nothing is in its way.
    fn targets(&self, from: Square) -> Bitboard {
        let Piece { color, role } = self.piece;
        match role {
            // A pawn on an end is none.
            Role::Pawn if is_end(from) => Bitboard::EMPTY,
            Role::Pawn => {
                let step = |squares| from.offset(0, squares * color.forward());
                let is_home = from.rank() == color.rank(Rank::Second);
                let second = step(2).filter(|_| is_home);
                let straight: Bitboard = step(1).into_iter().chain(second).collect();
                straight | attacks::pawn(color, from)
            }
            // It may castle from any square of its first rank.
            Role::King if from.rank() == color.back_rank() => {
                let targets = [File::C, File::G].map(|file| Square::new(file, from.rank()));
                attacks::king(from) | targets.into_iter().collect()
            }
            role => attacks::piece(role, from, Bitboard::EMPTY),
        }
    }

    /// The bits of a square.
    fn on(&self, square: Square) -> u64 {
        let places = self.squares.iter().enumerate();
        places
            .filter(|(_, at)| **at == square)
            .fold(0, |bits, (place, _)| bits | 1 << place)
    }

    /// Pieces move, all at once: where one comes to, another may have stood.
    fn go(&self, progress: &mut Progress, ways: &[(Piece, Square, Square)]) -> bool {
        let (mut left, mut reached) = (0, 0);
        for &(piece, from, to) in ways.iter().filter(|(_, from, to)| from != to) {
            let begins = self.squares[0] == from && piece == self.piece;
            let here = self.on(from);
            let ready = (progress.0 & here) | u64::from(begins);
            left |= here;
            reached |= (ready << 1) & self.on(to);
        }
        progress.0 = (progress.0 & !left) | reached;
        reached >> (self.squares.len() - 1) & 1 == 1
    }

    /// Whether a piece may have gone it in a main line of which these facts are known.
    pub(crate) fn may_be_gone(&self, facts: &impl Facts) -> bool {
        // A pawn that never moved did not begin it.
        self.piece.role != Role::Pawn || !facts.home_pawns().contains(self.squares[0])
    }

    /// The same way from the other side.
    #[must_use]
    pub fn flipped(&self) -> Path {
        Path {
            piece: self.piece.role.of(!self.piece.color),
            squares: self.squares.iter().map(|square| square.flip()).collect(),
        }
    }
}

/// Whether a square is on the first rank or the last.
fn is_end(square: Square) -> bool {
    matches!(square.rank(), Rank::First | Rank::Eighth)
}

impl FromStr for Path {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Path, ParseError> {
        let wrong = || ParseError::new("not a way such as Nf3-d2-f1-g3", text);
        let text = text.trim();
        let first = text.chars().next().ok_or_else(wrong)?;
        let piece = Piece::from_letter(first).ok_or_else(wrong)?;
        let squares = text[first.len_utf8()..].split('-');
        let squares: Vec<Square> = squares
            .map(|square| square.parse().map_err(|_| wrong()))
            .collect::<Result<_, _>>()?;
        let stays = squares.windows(2).any(|pair| pair[0] == pair[1]);
        if !(2..=Path::LONGEST).contains(&squares.len()) || stays {
            return Err(wrong());
        }
        let path = Path { piece, squares };
        match path.impossible_step() {
            Some([from, to]) => {
                let reason = format!("a {} does not go from {from} to {to}", piece.role);
                Err(ParseError::because("no way of that piece", text, &reason))
            }
            None => Ok(path),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares: Vec<String> = self.squares.iter().map(Square::to_string).collect();
        write!(f, "{}{}", self.piece.letter(), squares.join("-"))
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Position;

    use super::*;

    /// The ply after which a piece first arrives.
    fn arrival(path: &str, moves: &str) -> Option<usize> {
        let path: Path = path.parse().unwrap();
        let mut progress = Progress::default();
        let mut position = Position::initial();
        for (ply, san) in moves.split_whitespace().enumerate() {
            let before = position;
            let play = position
                .play_san(san.as_bytes())
                .unwrap()
                .to_move()
                .unwrap();
            if path.follow(&mut progress, &before.step_of(play).unwrap()) {
                return Some(ply + 1);
            }
        }
        None
    }

    #[test]
    fn a_knight_takes_its_time() {
        let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1";
        assert_eq!(arrival("nb8-c6-b8-d7", moves), Some(20));
        assert_eq!(arrival("Nb1-d2-f1", moves), Some(25));
        assert_eq!(
            arrival("Ng1-f3-d2", moves),
            None,
            "another knight went to d2"
        );
        assert_eq!(arrival("Bf1-b5-a4-b3-c2", moves), Some(23));
        assert_eq!(arrival("Bb5-c4", moves), None, "it went by a4 and b3");
    }

    #[test]
    fn who_castles_goes_two_ways() {
        let moves = "e4 e5 Nf3 Nc6 Bb5 a6 O-O d6 Re1";
        assert_eq!(arrival("Ke1-g1", moves), Some(7));
        assert_eq!(arrival("Rh1-f1-e1", moves), Some(9));
        assert_eq!(arrival("Re1-f1", moves), None);
    }

    #[test]
    fn who_is_captured_goes_no_further() {
        let moves = "e4 d5 exd5 Qxd5 Nc3 Qd8 Nb5 c6 d4 cxb5 d5 Nc6 dxc6 Qxd1";
        assert_eq!(arrival("Nb1-c3-b5", moves), Some(7));
        assert_eq!(
            arrival("Pe2-e4-d5-c6", moves),
            None,
            "the pawn on c6 is another"
        );
        assert_eq!(arrival("Pd2-d4-d5-c6", moves), Some(13));
        assert_eq!(arrival("qd8-d5-d8-d1", moves), Some(14));
    }

    #[test]
    fn a_pawn_taken_in_passing_is_gone() {
        let moves = "e4 a6 e5 d5 exd6 cxd6 Nc3 d5";
        assert_eq!(arrival("pd7-d5", moves), Some(4));
        assert_eq!(arrival("pc7-d6-d5", moves), Some(8));
        assert_eq!(arrival("Pe2-e4-e5-d6", moves), Some(5));
    }

    #[test]
    fn a_way_may_cross_itself() {
        let moves = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3";
        assert_eq!(arrival("Nf3-g1-f3-g1-f3", moves), Some(9));
        assert_eq!(arrival("Ng1-f3-g1-f3", moves), Some(5));
    }

    #[test]
    fn a_way_that_the_piece_cannot_go_is_refused_and_says_why() {
        for (wrong, reason) in [
            ("Nf3-f4", "a knight does not go from f3 to f4"),
            ("Bc1-e3-e4", "a bishop does not go from e3 to e4"),
            ("Ra1-b2", "a rook does not go from a1 to b2"),
            ("Qd1-e3", "a queen does not go from d1 to e3"),
            ("Ke2-g2", "a king does not go from e2 to g2"),
            ("Pe2-e5", "a pawn does not go from e2 to e5"),
            ("Pe3-e5", "a pawn does not go from e3 to e5"),
            ("Pe4-e3", "a pawn does not go from e4 to e3"),
            ("Pa1-a2", "a pawn does not go from a1 to a2"),
        ] {
            let error = wrong.parse::<Path>().unwrap_err().to_string();
            assert!(error.ends_with(reason), "{error}");
        }
        for right in [
            "Ke1-g1",
            "kb8-c8",
            "kf8-g8",
            "Kb1-g1",
            "Rh1-f1",
            "Pe2-e4-d5",
            "pe7-e5",
            "Pa7-a8-h1",
            "Pa7-b8-c6",
            "Bf1-b5",
            "qd8-h4",
        ] {
            assert!(right.parse::<Path>().is_ok(), "{right}");
        }
    }

    #[test]
    fn what_is_no_way_is_refused() {
        for wrong in [
            "", "N", "Nf3", "Nf3-", "Nf3-f3", "f3-d2", "Xf3-d2", "Nf3-z9", "é",
        ] {
            assert!(wrong.parse::<Path>().is_err(), "{wrong}");
        }
        let long = format!("K{}", ["e1-e2"; 33].join("-"));
        assert!(long.parse::<Path>().is_err());
    }
}
