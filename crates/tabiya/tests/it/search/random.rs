//! Questions by chance, of every kind, about what is in some games, so that some games answer.

use tabiya_game::generate;

use super::{
    ask::{Ask, Count, Place, Test, square_name},
    game::{Game, Last, Snap},
};

/// What a pawn can be.
const FEATURES: [&str; 6] = [
    "isolated", "doubled", "passed", "backward", "iqp", "hanging",
];

/// The same questions for the same seed.
pub struct Random<'g> {
    games: &'g [Game],
    seed: u64,
    drawn: u64,
}

impl<'g> Random<'g> {
    pub fn new(games: &'g [Game], seed: u64) -> Random<'g> {
        Random {
            games,
            seed,
            drawn: 0,
        }
    }

    fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        (generate::number(self.seed, self.drawn) % end as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn game(&mut self) -> &'g Game {
        let games = self.games;
        self.one(games)
    }

    /// A position of any line.
    fn snap(&mut self) -> &'g Snap {
        let game = self.game();
        let line = match game.others.is_empty() || self.coin() {
            true => &game.main,
            false => self.one(&game.others),
        };
        self.one(line)
    }

    /// A move of any line, if there is one where it looks.
    fn last(&mut self) -> Option<&'g Last> {
        (0..20).find_map(|_| self.snap().last.as_ref())
    }

    /// A question of a kind that depends on its number, so that all kinds come.
    pub fn ask(&mut self, number: usize, depth: usize) -> Ask {
        match number % 14 {
            0..=3 => Ask::Somewhere(self.test(2)),
            4 => Ask::Never(self.test(1)),
            5 => Ask::Held(1 + self.below(12), self.common()),
            6 => Ask::Sequence((0..1 + self.below(3)).map(|_| self.streak()).collect()),
            7 => Ask::Sequence(vec![self.following()]),
            8 => self.manoeuvre(),
            9 => Ask::Sacrifice(1 + self.below(12)),
            10 => Ask::Ends(self.common()),
            11 => Ask::Result(match self.below(3) {
                0 => vec!["1-0"],
                1 => vec!["0-1", "1/2-1/2"],
                _ => vec!["*"],
            }),
            _ if depth == 0 => Ask::Somewhere(self.test(1)),
            12 => {
                let parts = (0..2 + self.below(2))
                    .map(|_| self.any(depth - 1))
                    .collect();
                match self.below(3) {
                    0 => Ask::All(parts),
                    1 => Ask::Any(parts),
                    _ => Ask::Not(Box::new(Ask::Any(parts))),
                }
            }
            _ => Ask::Flip(Box::new(self.any(depth - 1))),
        }
    }

    fn any(&mut self, depth: usize) -> Ask {
        let number = self.below(14);
        self.ask(number, depth)
    }

    fn streak(&mut self) -> Vec<Test> {
        match self.below(3) {
            0 => self.following(),
            _ => vec![self.common()],
        }
    }

    /// What was played one after the other in some game.
    fn following(&mut self) -> Vec<Test> {
        let line = &self.game().main;
        let start = self.below(line.len());
        let end = (start + 2 + self.below(2)).min(line.len());
        let tests = line[start..end].iter().map(|snap| match &snap.last {
            Some(last) if self.coin() => Test::Played(vec![last.san.clone()]),
            Some(last) => Test::Moved(last.piece.to_string()),
            None => Test::Turn(snap.white),
        });
        tests.collect()
    }

    fn manoeuvre(&mut self) -> Ask {
        // The way of a piece of some game, or a shorter one.
        for _ in 0..50 {
            let line = &self.game().main;
            let start = self.below(line.len());
            let Some(first) = line[start].last.as_ref().and_then(|last| last.ways.first()) else {
                continue;
            };
            let piece = line[start].last.as_ref().unwrap().piece;
            let mut squares = vec![first.0, first.1];
            let most = 2 + self.below(4);
            for snap in &line[start + 1..] {
                // Another piece may stand there by now. Who castles moves two.
                let castles = matches!(piece, 'K' | 'k' | 'R' | 'r');
                let last = snap.last.iter();
                let last =
                    last.filter(|last| last.piece == piece || castles && last.ways.len() > 1);
                let ways = last.flat_map(|last| &last.ways);
                let next = ways
                    .into_iter()
                    .find(|(from, _)| *from == squares[squares.len() - 1]);
                if let (Some((_, to)), true) = (next, squares.len() < most) {
                    squares.push(*to);
                }
            }
            return Ask::Manoeuvre(piece, squares);
        }
        Ask::Manoeuvre('N', vec![6, 21])
    }

    fn test(&mut self, depth: usize) -> Test {
        match self.below(12) {
            0 if depth > 0 => Test::All((0..2).map(|_| self.test(depth - 1)).collect()),
            1 if depth > 0 => Test::Any((0..2).map(|_| self.test(depth - 1)).collect()),
            2 if depth > 0 => Test::Not(Box::new(self.test(depth - 1))),
            3 => {
                // Two things that are true of one position.
                let snap = self.snap();
                Test::All(vec![self.about(snap), self.about(snap)])
            }
            4..=6 => self.common(),
            _ => {
                let snap = self.snap();
                self.about(snap)
            }
        }
    }

    /// What is true of many positions.
    fn common(&mut self) -> Test {
        match self.below(10) {
            0 => Test::Turn(self.coin()),
            1 => Test::Check,
            2 => Test::Castled(self.coin(), *self.one(&[None, Some('k'), Some('q')])),
            3 => Test::Balance(-(self.below(5) as i32), self.below(6) as i32),
            4 => Test::OppositeBishops,
            5 => {
                let place = match self.below(3) {
                    0 => Place::Either,
                    _ => Place::Side(self.coin()),
                };
                let feature = self.one(&FEATURES);
                Test::PawnFeature(feature, place)
            }
            6 => Test::Pieces(
                *self.one(&['Q', 'q', 'R', 'r', 'B', 'n', 'P', 'p']),
                0,
                self.below(3) as i32,
            ),
            7 => Test::Captured(self.one(&["", "Q", "qr", "a", "Pp"]).to_string()),
            8 => Test::Moved(self.one(&["K", "q", "Nn", "A", "pP"]).to_string()),
            _ => Test::Ply(self.below(20) as u32, 20 + self.below(60) as u32),
        }
    }

    /// Something that is true of a position.
    fn about(&mut self, snap: &Snap) -> Test {
        match self.below(16) {
            0 => Test::Exact(Box::new(snap.clone()), false, format!("fen({})", snap.fen)),
            1 => Test::Exact(Box::new(snap.clone()), true, format!("loose({})", snap.fen)),
            2 => self.opening(),
            3 => Test::List((0..1 + self.below(3)).map(|_| self.count(snap)).collect()),
            4 => Test::Board(self.squares(snap)),
            5 => Test::Mirrored(self.squares(snap)),
            6 => Test::Material(material(snap)),
            7 => {
                let (one, other) = (
                    *self.one(&['R', 'B', 'P', 'Q']),
                    *self.one(&['r', 'n', 'p', 'q']),
                );
                let count = |piece| snap.board.iter().filter(|here| **here == piece).count() as i32;
                let surplus = count(one) - count(other);
                Test::Difference(one, other, surplus, surplus + self.below(2) as i32)
            }
            8 => self.pawns(snap),
            9 => Test::Similar(self.below(14) as u32, Box::new(snap.clone())),
            10 => Test::Mate,
            11 => Test::Stalemate,
            12 => Test::Underpromotion,
            13 => {
                let moves = [self.last(), snap.last.as_ref()];
                Test::Played(
                    moves
                        .into_iter()
                        .flatten()
                        .map(|last| last.san.clone())
                        .collect(),
                )
            }
            14 => Test::Captured(match snap.last.as_ref().map(|last| last.captured) {
                None | Some('.') => String::new(),
                Some(piece) => piece.to_string(),
            }),
            _ => Test::Ply(snap.ply, snap.ply),
        }
    }

    /// The position after the first moves of a game, by these moves.
    fn opening(&mut self) -> Test {
        let line = &self.game().main;
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        if !line[0].fen.starts_with(usual) {
            return Test::Check;
        }
        let plies = self.below(16).min(line.len() - 1);
        let mut moves = Vec::new();
        for snap in &line[1..=plies] {
            match &snap.last {
                Some(last) => moves.push(last.san.clone()),
                None => break,
            }
        }
        let after = Box::new(line[moves.len()].clone());
        Test::Exact(after, false, format!("moves({})", moves.join(" ")))
    }

    fn count(&mut self, snap: &Snap) -> Count {
        let square = self.below(64);
        let name = square_name(square);
        let here = match snap.board[square] {
            '.' => "_".to_string(),
            piece => piece.to_string(),
        };
        let pieces = match self.below(4) {
            0 => here,
            1 => format!("{here}Q"),
            2 => self
                .one(&["A", "a", "*", "_", "P", "r", "[Nn]"])
                .trim_matches(['[', ']'])
                .to_string(),
            _ => self.one(&["P", "p", "N", "k", "RQ", "bn"]).to_string(),
        };
        Count {
            least: self.below(3),
            exactly: false,
            pieces,
            negated: self.below(5) == 0,
            place: match self.below(4) {
                0 => String::new(),
                1 => name[..1].to_string(),
                2 => name[1..].to_string(),
                _ => name,
            },
        }
        .sound(self.coin())
    }

    fn squares(&mut self, snap: &Snap) -> Vec<(usize, String)> {
        let mut squares: Vec<(usize, String)> = Vec::new();
        for _ in 0..1 + self.below(4) {
            let square = self.below(64);
            if squares.iter().any(|(known, _)| *known == square) {
                continue;
            }
            let piece = match (snap.board[square], self.below(4)) {
                ('.', 0) => "_k".to_string(),
                ('.', _) => "_".to_string(),
                (piece, 0) => if piece.is_ascii_uppercase() { "A" } else { "a" }.to_string(),
                (_, 1) => "*".to_string(),
                (piece, _) => piece.to_string(),
            };
            squares.push((square, piece));
        }
        squares
    }

    fn pawns(&mut self, snap: &Snap) -> Test {
        let white = self.coin();
        let pawn = if white { 'P' } else { 'p' };
        let squares: Vec<usize> = (0..64)
            .filter(|square| snap.board[*square] == pawn)
            .collect();
        match (self.below(3), squares.is_empty()) {
            (0, _) => Test::PawnSquares(white, squares),
            (1, false) => {
                let square = *self.one(&squares);
                let feature = self.one(&FEATURES);
                Test::PawnFeature(feature, Place::Square(square))
            }
            _ => Test::PawnFiles(white, squares.iter().map(|square| square % 8).collect()),
        }
    }
}

impl Count {
    /// At least none says nothing and is not written.
    fn sound(mut self, exactly: bool) -> Count {
        self.exactly = exactly || self.least == 0;
        self
    }
}

/// All pieces, as endings are called.
fn material(snap: &Snap) -> String {
    let side = |white: bool| -> String {
        let pieces = "KQRBNP".chars().flat_map(|letter| {
            let piece = if white {
                letter
            } else {
                letter.to_ascii_lowercase()
            };
            let count = snap.board.iter().filter(|here| **here == piece).count();
            std::iter::repeat_n(letter, count)
        });
        pieces.collect()
    };
    side(true) + &side(false)
}
