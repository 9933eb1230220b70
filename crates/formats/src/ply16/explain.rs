//! What every word means.

use tabiya_chess::{Color, Position, Role};
use tabiya_game::GameResult;

use super::{
    code::{Profile, Word},
    reader::{Replay, Step},
};
use crate::dump::{Dump, Line};

/// Adds a line for each word; one for a bad word and what is behind it.
pub(super) fn words(replay: &mut Replay<'_>, profile: Profile, dump: &mut Dump) {
    loop {
        let (offset, bytes) = (replay.offset(), replay.rest());
        let step = match replay.next_step() {
            Ok(Some(step)) => step,
            Ok(None) => return,
            Err(kind) => {
                let meaning = format!("{}: {kind}", kind.name());
                return dump.push(Line::new(offset, bytes, meaning));
            }
        };
        let bytes = [bytes[0], bytes[1]];
        let word = Word::from_bytes(bytes, profile);
        dump.push(match step {
            Step::Move(play) => {
                let before = replay.position();
                let san = format!("{} {}", number(before), before.san(play));
                Line::new(offset, bytes, meaning(before, word, profile)).with_san(san)
            }
            Step::Missing => Line::new(offset, bytes, "a ply that was left out"),
            Step::End(GameResult::Draw) => Line::new(offset, bytes, "draw"),
            Step::End(result) => {
                let meaning = format!("the side to move resigns: {result}");
                Line::new(offset, bytes, meaning)
            }
        });
    }
}

/// The number of the move that is to be played.
fn number(before: &Position) -> String {
    let dots = match before.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", before.fullmove_number())
}

/// The fields of a word that is a move.
fn meaning(before: &Position, word: Word, profile: Profile) -> String {
    let (Some(color), Some(role)) = (word.color(), word.role()) else {
        return String::new(); // no move
    };
    let number = word.index(role, profile) + 1;
    let count = before.board().of(color, role).count();
    let which = match count {
        1 => format!("{color} {role}"),
        _ => format!("{color} {role} {number} of {count}"),
    };
    let step = step(role, word);
    format!(
        "piece {:02X}: {which}; action {:02X}: {step}; flags: {}",
        word.piece,
        word.action,
        word.flags()
    )
}

/// What the low bits of an action say.
fn step(role: Role, word: Word) -> String {
    let action = word.action & 0x1f;
    match role {
        Role::Pawn => pawn_step(word),
        Role::Knight => {
            let sign = |bit: u8| if action & bit == 0 { '+' } else { '-' };
            let (one, two) = (sign(2), sign(1));
            match action & 4 {
                0 => format!("ranks {two}2, files {one}1"),
                _ => format!("ranks {one}1, files {two}2"),
            }
        }
        Role::King => match action {
            0x14 => "castles short".to_owned(),
            0x18 => "castles long".to_owned(),
            _ => {
                let change = |code: u8| ["0", "+1", "-1", "?"][usize::from(code & 3)];
                format!("ranks {}, files {}", change(action), change(action >> 2))
            }
        },
        Role::Queen if word.piece & 0x80 == 0 => {
            format!("like a bishop, {}", line(DIAGONALS, action))
        }
        Role::Queen => format!("like a rook, {}", line(STRAIGHTS, action)),
        Role::Bishop => line(DIAGONALS, action),
        Role::Rook => line(STRAIGHTS, action),
    }
}

fn pawn_step(word: Word) -> String {
    let way = match (word.flags().capture, word.action & 3) {
        (false, 1) => "one step",
        (false, _) => "two steps",
        (true, 1) => "captures towards a",
        (true, _) => "captures towards h",
    };
    let promotion = word.action >> 2 & 7;
    match Role::ALL[usize::from(promotion) % Role::ALL.len()] {
        Role::Pawn => way.to_owned(),
        role => format!("{way}, promotes to {role}"),
    }
}

const DIAGONALS: [&str; 2] = ["rising diagonal", "falling diagonal"];
const STRAIGHTS: [&str; 2] = ["rank", "file"];

fn line(axes: [&str; 2], action: u8) -> String {
    let axis = axes[usize::from(action >> 4 & 1)];
    let sign = if action & 8 == 0 { '+' } else { '-' };
    format!("{axis} by {sign}{}", action & 7)
}
