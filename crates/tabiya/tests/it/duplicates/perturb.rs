//! Six ways in which copies of a game differ.

use tabiya::{GameTree, Item, Move, Position, Tags};
use tabiya_game::generate::number;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    NamesRespelled,
    MovesCutOff,
    LastMovesDiffer,
    TagsMissing,
    TagsDiffer,
    ColoursSwapped,
}

impl Way {
    pub const ALL: [Way; 6] = [
        Way::NamesRespelled,
        Way::MovesCutOff,
        Way::LastMovesDiffer,
        Way::TagsMissing,
        Way::TagsDiffer,
        Way::ColoursSwapped,
    ];

    /// A copy of a game that differs in this way; chance is a number for this copy.
    pub fn copy(self, game: &GameTree, chance: u64) -> GameTree {
        let mut copy = game.clone();
        let tags = &mut copy.tags;
        match self {
            Way::NamesRespelled => {
                for (side, chance) in [("White", chance), ("Black", chance / 7)] {
                    let name = respelled(tags.get(side).unwrap_or("?"), chance);
                    tags.set(side, name);
                }
            }
            Way::MovesCutOff => {
                let moves = main_line(game);
                // From a half to all but one.
                let kept = moves.len() / 2 + chance as usize % (moves.len() / 2).max(1);
                copy.items = items(&moves[..kept.min(moves.len().saturating_sub(1))]);
            }
            Way::LastMovesDiffer => {
                let moves = main_line(game);
                let count = (1 + chance as usize % 4).min(moves.len());
                copy.items = items(&with_other_end(game, &moves, count, chance));
            }
            Way::TagsMissing => {
                let gone = [
                    "Event",
                    "Site",
                    "Round",
                    "WhiteElo",
                    "BlackElo",
                    "ECO",
                    "EventDate",
                ];
                let mut gone = gone.to_vec();
                match chance % 3 {
                    0 => gone.push("Date"),
                    1 => {
                        let year = tags
                            .get("Date")
                            .unwrap_or("????")
                            .get(..4)
                            .unwrap_or("????");
                        let year = format!("{year}.??.??");
                        tags.set("Date", year);
                    }
                    _ => {}
                }
                *tags = without(tags, &gone);
            }
            Way::TagsDiffer => {
                let date = tags.get("Date").unwrap_or("2000.01.01").to_owned();
                let date = match chance % 3 {
                    0 => other_day(&date),
                    1 => "1999.09.09".to_owned(),
                    _ => date,
                };
                tags.set("Date", date);
                tags.set(
                    "Event",
                    ["Open", "Team championship", "It"][chance as usize % 3],
                );
                tags.set("Site", "Elsewhere");
            }
            Way::ColoursSwapped => {
                for (white, black) in [("White", "Black"), ("WhiteElo", "BlackElo")] {
                    let value = |name: &str| tags.get(name).map(str::to_owned);
                    if let (Some(one), Some(other)) = (value(white), value(black)) {
                        tags.set(white, other);
                        tags.set(black, one);
                    }
                }
            }
        }
        copy
    }
}

pub fn main_line(game: &GameTree) -> Vec<Move> {
    let line = game.main_line();
    line.map_while(|(_, action)| action.to_move()).collect()
}

pub fn items(moves: &[Move]) -> Vec<Item> {
    moves.iter().copied().map(Item::Move).collect()
}

fn without(tags: &Tags, gone: &[&str]) -> Tags {
    tags.iter()
        .filter(|(name, _)| !gone.contains(name))
        .collect()
}

/// The last moves are others, as far as there are others.
fn with_other_end(game: &GameTree, moves: &[Move], count: usize, chance: u64) -> Vec<Move> {
    let kept = &moves[..moves.len() - count];
    let mut position: Position = game.start;
    kept.iter().for_each(|play| position.play_unchecked(*play));
    let mut line = kept.to_vec();
    for index in 0..count {
        let legal = position.legal_moves();
        let others: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|play| index > 0 || *play != moves[kept.len()])
            .collect();
        if others.is_empty() {
            break;
        }
        let play = others[number(chance, index as u64) as usize % others.len()];
        position.play_unchecked(play);
        line.push(play);
    }
    line
}

/// A day later, or another month.
fn other_day(date: &str) -> String {
    match date.rsplit_once('.') {
        Some((rest, "01")) => format!("{rest}.02"),
        Some((rest, _)) => format!("{rest}.01"),
        None => date.to_owned(),
    }
}

/// The same name in another spelling.
fn respelled(name: &str, chance: u64) -> String {
    let (last, first) = name.split_once(',').unwrap_or((name, ""));
    let (last, first) = (last.trim(), first.trim());
    let initial: String = first.chars().take(1).collect();
    match chance % 7 {
        0 if !initial.is_empty() => format!("{last},{initial}"),
        1 if !first.is_empty() => format!("{first} {last}"),
        2 => name.to_uppercase(),
        3 => last.to_owned(),
        4 => mistyped(name),
        5 => name.replace('a', "á").replace('o', "ö"),
        _ if !initial.is_empty() => format!("{initial}. {last}"),
        _ => name.to_lowercase(),
    }
}

/// Two letters of the first long word are exchanged.
fn mistyped(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let is_letter = |at: usize| letters.get(at).is_some_and(|letter| letter.is_alphabetic());
    if let Some(at) = (1..letters.len()).find(|at| (0..5).all(|more| is_letter(at + more - 1))) {
        letters.swap(at + 1, at + 2);
    }
    letters.into_iter().collect()
}
