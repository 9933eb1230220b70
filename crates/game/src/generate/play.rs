//! A game from its first move to its end.

use tabiya_chess::{Action, Color, Key, Move, MoveList, Position};

use super::{
    Options, book,
    player::{self, Sight},
    random::Random,
};
use crate::GameResult;

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Mate,
    Stalemate,
    Material,
    Repetition,
    FiftyMoves,
    Resignation,
    Agreement,
    Time,
    Unfinished,
    Forfeit,
}

/// The moves of a game and its end.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) actions: Vec<Action>,
    pub(super) result: GameResult,
    pub(super) ending: Ending,
}

/// How far behind somebody resigns.
const LOST: i32 = 900;

/// How far ahead is enough when a game ends at its length.
const WON: i32 = 300;

/// Plays a game. `blur` is how much White and Black err.
pub(super) fn game(
    start: Position,
    options: &Options,
    blur: [u32; 2],
    random: &mut Random,
) -> Played {
    let (least, most) = (
        u32::from(*options.plies.start()),
        u32::from(*options.plies.end()),
    );
    let length = random.within(&(least..=most)) as usize;
    let mut position = start;
    let mut line = Line::new(&position);
    let mut in_book = options.book;
    // Some games are drawn by moving to and fro.
    let shuffles_from = if random.once_in(40) {
        length / 2
    } else {
        usize::MAX
    };
    let (result, ending) = loop {
        let moves = position.legal_moves();
        if let Some(end) = end_by_rule(&position, &moves, &line) {
            break end;
        }
        let ply = line.actions.len();
        if ply >= length {
            break settle(&position, random);
        }
        let sight = Sight::new(&position);
        if ply >= least as usize && sight.ahead() <= -LOST && random.once_in(16) {
            break (win(!position.turn()), Ending::Resignation);
        }
        // Passes belong to lessons, not to games that were played.
        if options.variations && random.once_in(4_000) && !position.is_check() {
            line.act(&mut position, Action::Null);
            continue;
        }
        in_book = in_book && ply < usize::from(book::PLIES) && !random.once_in(64);
        let play = if ply >= shuffles_from
            && let Some(back) = line.undoing()
            && moves.contains(&back)
        {
            Some(back)
        } else if in_book {
            book::choose(&position, &sight, &moves, options.seed, ply, random)
        } else {
            // Without a book, openings are whatever comes to mind.
            let unsure = if ply < 10 && !options.book { 60 } else { 0 };
            let blur = blur[position.turn() as usize] + unsure;
            sight.choose(&moves, blur, line.undoing(), random)
        };
        match play {
            Some(play) => line.act(&mut position, Action::Move(play)),
            None => break settle(&position, random),
        }
    };
    Played {
        actions: line.actions,
        result,
        ending,
    }
}

/// Moves so far, and the positions that can still be repeated.
struct Line {
    actions: Vec<Action>,
    keys: Vec<Key>,
    repeated: bool,
}

impl Line {
    fn new(start: &Position) -> Line {
        Line {
            actions: Vec::new(),
            keys: vec![start.repetition_key()],
            repeated: false,
        }
    }

    fn act(&mut self, position: &mut Position, action: Action) {
        position.act(action);
        self.actions.push(action);
        if position.halfmove_clock() == 0 {
            self.keys.clear();
        }
        let key = position.repetition_key();
        self.repeated = self.keys.iter().filter(|&&seen| seen == key).count() >= 2;
        self.keys.push(key);
    }

    /// The move that would take back the last one of the side to move.
    fn undoing(&self) -> Option<Move> {
        let last = self.actions.iter().rev().nth(1)?.to_move()?;
        Some(Move::new(last.to(), last.from()))
    }
}

fn end_by_rule(position: &Position, moves: &MoveList, line: &Line) -> Option<(GameResult, Ending)> {
    if moves.is_empty() {
        return Some(match position.is_check() {
            true => (win(!position.turn()), Ending::Mate),
            false => (GameResult::Draw, Ending::Stalemate),
        });
    }
    let ending = if position.is_insufficient_material() {
        Ending::Material
    } else if line.repeated {
        Ending::Repetition
    } else if position.halfmove_clock() >= 100 {
        Ending::FiftyMoves
    } else {
        return None;
    };
    Some((GameResult::Draw, ending))
}

/// The end of a game that has reached its length.
fn settle(position: &Position, random: &mut Random) -> (GameResult, Ending) {
    let balance = player::balance(position.board());
    if balance.abs() >= WON {
        let winner = if balance > 0 {
            Color::White
        } else {
            Color::Black
        };
        return (win(winner), Ending::Resignation);
    }
    match random.below(20) {
        0 => (GameResult::Unknown, Ending::Unfinished),
        1..=12 => (GameResult::Draw, Ending::Agreement),
        _ => {
            let luck = random.below(400) as i32 - 200;
            let winner = if balance + luck >= 0 {
                Color::White
            } else {
                Color::Black
            };
            (win(winner), Ending::Time)
        }
    }
}

fn win(winner: Color) -> GameResult {
    match winner {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

/// A position that so many plies lead to, or fewer if the game would be over.
pub(super) fn wander(start: Position, plies: u16, random: &mut Random) -> Position {
    let mut position = start;
    for _ in 0..plies {
        let moves = position.legal_moves();
        let sight = Sight::new(&position);
        let Some(play) = sight.choose(&moves, 160, None, random) else {
            return position;
        };
        let mut after = position;
        after.play_unchecked(play);
        if after.status().is_end() || after.is_fifty_move_draw() {
            return position;
        }
        position = after;
    }
    position
}

/// A line of up to so many plies that begins with something else than what was played, if there
/// is something else.
pub(super) fn variation(
    before: Position,
    played: Action,
    plies: u32,
    random: &mut Random,
) -> Vec<Action> {
    let mut position = before;
    let mut actions = Vec::new();
    for _ in 0..plies {
        let action = if random.once_in(24) && !position.is_check() {
            Action::Null
        } else {
            let mut moves = position.legal_moves();
            if actions.is_empty() {
                moves = others(&moves, played);
            }
            let sight = Sight::new(&position);
            match sight.choose(&moves, 150, None, random) {
                Some(play) => Action::Move(play),
                None => break,
            }
        };
        position.act(action);
        actions.push(action);
    }
    actions
}

fn others(moves: &MoveList, played: Action) -> MoveList {
    let mut others = MoveList::new();
    for &play in moves {
        if Action::Move(play) != played {
            others.push(play);
        }
    }
    others
}
