//! A game as its lines, each position written down square by square.

use tabiya_chess::{Action, Color, Position, Square, Status};
use tabiya_game::{GameResult, GameTree, Item};

/// A position of a game, and how it came about.
#[derive(Clone, Debug)]
pub struct Snap {
    /// As in FEN, `.` for an empty square; a1 first, then b1.
    pub board: [char; 64],
    pub white: bool,
    /// Rooks that may castle.
    pub rooks: Vec<usize>,
    pub ep: Option<usize>,
    pub check: bool,
    pub mate: bool,
    pub stalemate: bool,
    pub ply: u32,
    /// Which way White and Black have castled: k or q.
    pub castled: [Option<char>; 2],
    pub last: Option<Last>,
    pub fen: String,
}

/// The move that led to it.
#[derive(Clone, Debug)]
pub struct Last {
    /// Who goes from where to where; two if somebody castles.
    pub ways: Vec<(usize, usize)>,
    pub piece: char,
    /// `.` for none.
    pub captured: char,
    pub captured_on: usize,
    pub promoted: Option<char>,
    pub san: String,
}

/// A game, taken apart.
pub struct Game {
    pub main: Vec<Snap>,
    /// Each from the start of the game to the end of a variation.
    pub others: Vec<Vec<Snap>>,
    pub result: GameResult,
}

impl Game {
    /// `None` of a game in which a ply is left out, or a variation has no move to replace: what its
    /// lines are is a matter of opinion.
    pub fn of(tree: &GameTree) -> Option<Game> {
        let mut line = vec![Snap::start(&tree.start)];
        let mut positions = vec![tree.start];
        let mut others = Vec::new();
        let mut waiting = Vec::new();
        for item in &tree.items {
            match item {
                Item::Missing => return None,
                Item::Move(play) => step(&mut line, &mut positions, Action::Move(*play)),
                Item::Null => step(&mut line, &mut positions, Action::Null),
                Item::VariationStart => {
                    waiting.push((line.clone(), positions.clone()));
                    line.pop();
                    positions.pop();
                    if line.is_empty() {
                        return None;
                    }
                }
                Item::VariationEnd => {
                    others.push(line);
                    (line, positions) = waiting.pop()?;
                }
                _ => {}
            }
        }
        Some(Game {
            main: line,
            others,
            result: tree.result,
        })
    }

    /// The same with the colours exchanged.
    pub fn turned(&self) -> Game {
        let turned = |line: &Vec<Snap>| line.iter().map(Snap::turned).collect();
        Game {
            main: turned(&self.main),
            others: self.others.iter().map(turned).collect(),
            result: match self.result.token() {
                "1-0" => GameResult::BlackWins,
                "0-1" => GameResult::WhiteWins,
                _ => self.result,
            },
        }
    }
}

fn step(line: &mut Vec<Snap>, positions: &mut Vec<Position>, action: Action) {
    let before = positions[positions.len() - 1];
    let mut after = before;
    after.act(action);
    let previous = &line[line.len() - 1];
    let mut snap = Snap::start(&after);
    snap.ply = previous.ply + 1;
    snap.castled = previous.castled;
    if let Action::Move(play) = action {
        let (from, to) = (index(play.from()), index(play.to()));
        let side = usize::from(before.turn() == Color::Black);
        let castling = before.is_castling(play);
        if castling {
            snap.castled[side] = Some(if to % 8 > from % 8 { 'k' } else { 'q' });
        }
        let captured_on = match before.is_en_passant(play) {
            true => from / 8 * 8 + to % 8,
            false => to,
        };
        let ways = match castling {
            true => {
                let (king, rook) = Position::castling_targets(play.from(), play.to());
                vec![(from, index(king)), (to, index(rook))]
            }
            false => vec![(from, to)],
        };
        snap.last = Some(Last {
            ways: ways.into_iter().filter(|(a, b)| a != b).collect(),
            piece: previous.board[from],
            captured: match castling {
                true => '.',
                false => previous.board[captured_on],
            },
            captured_on,
            promoted: play.promoted().map(|role| role.letter()),
            san: before.san_without_suffix(play).to_string(),
        });
    }
    line.push(snap);
    positions.push(after);
}

fn index(square: Square) -> usize {
    square.rank() as usize * 8 + square.file() as usize
}

impl Snap {
    fn start(position: &Position) -> Snap {
        let mut board = ['.'; 64];
        for (square, piece) in position.board().iter() {
            board[index(square)] = piece.letter();
        }
        let status = position.status();
        Snap {
            board,
            white: position.turn() == Color::White,
            rooks: position.castling_rooks().into_iter().map(index).collect(),
            ep: position.ep_square_legal().map(index),
            check: position.is_check(),
            mate: status == Status::Checkmate,
            stalemate: status == Status::Stalemate,
            ply: 0,
            castled: [None, None],
            last: None,
            fen: position.to_string(),
        }
    }

    fn turned(&self) -> Snap {
        let flip = |square: usize| square ^ 56;
        let mut board = ['.'; 64];
        for (square, piece) in self.board.into_iter().enumerate() {
            board[flip(square)] = swapped(piece);
        }
        let mut rooks: Vec<usize> = self.rooks.iter().copied().map(flip).collect();
        rooks.sort_unstable();
        Snap {
            board,
            white: !self.white,
            rooks,
            ep: self.ep.map(flip),
            castled: [self.castled[1], self.castled[0]],
            last: self.last.as_ref().map(|last| Last {
                ways: last
                    .ways
                    .iter()
                    .map(|(a, b)| (flip(*a), flip(*b)))
                    .collect(),
                piece: swapped(last.piece),
                captured: swapped(last.captured),
                captured_on: flip(last.captured_on),
                promoted: last.promoted,
                san: last
                    .san
                    .chars()
                    .map(|c| match c.to_digit(10) {
                        Some(rank) => char::from_digit(9 - rank, 10).unwrap(),
                        None => c,
                    })
                    .collect(),
            }),
            fen: String::new(),
            ..*self
        }
    }
}

pub fn swapped(piece: char) -> char {
    match piece.is_ascii_uppercase() {
        true => piece.to_ascii_lowercase(),
        false => piece.to_ascii_uppercase(),
    }
}
