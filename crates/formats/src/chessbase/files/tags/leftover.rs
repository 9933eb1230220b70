//! Tags that a header cannot hold.
//!
//! The header is turned into tags again. Whatever does not come back as it was, or as another
//! spelling of the same, is left over: nothing is lost without being named here.

use std::{collections::HashSet, fmt};

use tabiya_game::{Date, GameResult, Tags};

use super::{Decode, Details, FromMoves, game_tags, spelling};
use crate::chessbase::files::{
    extended::ExtendedRecord, header::GameRecord, tournaments::TournamentKind,
};

/// Tags that the moves hold.
const WITH_THE_MOVES: [&str; 3] = ["FEN", "SetUp", "Variant"];

/// A tag that has no place, or of which not all has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leftover {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What is kept of the value; `None` if nothing is.
    pub kept: Option<String>,
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} \"{}\"", self.name, self.value)?;
        match &self.kept {
            Some(kept) => write!(f, " became \"{kept}\""),
            None => write!(f, " has no place"),
        }
    }
}

pub(super) fn find(
    tags: &Tags,
    record: &GameRecord,
    extended: &ExtendedRecord,
    details: &Details,
    moves: &FromMoves<'_>,
    decode: Decode<'_>,
) -> Vec<Leftover> {
    let kept = game_tags(record, extended, details, moves, decode);
    let mut seen = HashSet::new();
    let mut leftovers = Vec::new();
    for (name, value) in tags.iter() {
        let again = kept.get(name).filter(|_| seen.insert(name));
        let is_kept = match name {
            _ if WITH_THE_MOVES.contains(&name) => true,
            "Round" => same_round(tags, value, record),
            "Board" => is_board(tags, value, record),
            "Termination" if again.is_none() => value == "normal",
            _ => same(name, value, again.unwrap_or_default()),
        };
        if !is_kept {
            leftovers.push(Leftover {
                name: name.to_string(),
                value: value.to_string(),
                kept: again.filter(|again| *again != "?").map(str::to_string),
            });
        }
    }
    leftovers
}

/// Whether two values of a tag mean the same.
fn same(name: &str, value: &str, again: &str) -> bool {
    if plain(value) == plain(again) {
        return true;
    }
    let dates = |text: &str| text.parse::<Date>().ok();
    match name {
        "Date" | "EventDate" | "EventEndDate" | "SourceDate" | "SourceVersionDate" => {
            dates(value).is_some_and(|date| date == dates(again).unwrap_or_default())
        }
        "Result" => {
            let result = |text: &str| text.parse::<GameResult>().ok();
            result(value).is_some() && result(value) == result(again)
        }
        "White" | "Black" => tidy(value) == tidy(again),
        "WhiteElo" | "BlackElo" => again.is_empty() && matches!(value.trim(), "0" | "-"),
        "EventType" => {
            let kind = TournamentKind::parse(value);
            kind.is_some() && kind == TournamentKind::parse(again)
        }
        "EventRounds" | "EventCategory" | "SourceVersion" => again.is_empty() && value == "0",
        "EventCountry" | "WhiteTeamCountry" | "BlackTeamCountry" => {
            value.trim().eq_ignore_ascii_case(again)
        }
        _ => false,
    }
}

/// A value without what stands for an unknown one.
fn plain(text: &str) -> &str {
    match text.trim() {
        "?" => "",
        text => text,
    }
}

/// A name with one space after its first comma.
fn tidy(name: &str) -> String {
    match name.split_once(',') {
        Some((last, first)) if first.trim().is_empty() => last.trim().to_string(),
        Some((last, first)) => format!("{}, {}", last.trim(), first.trim()),
        None => name.trim().to_string(),
    }
}

/// Whether a round is kept, perhaps with the board as the round within it.
fn same_round(tags: &Tags, value: &str, record: &GameRecord) -> bool {
    let (round, subround) = spelling::parse_round(value);
    let spelt = spelling::round(round, subround);
    let value = value.trim();
    let unknown = matches!(value, "" | "?" | "-");
    let board = subround == 0 && tags.get("Board").is_some();
    (spelt == value || unknown) && round == record.round && (board || subround == record.subround)
}

/// Whether a board is kept as the round within the round.
fn is_board(tags: &Tags, value: &str, record: &GameRecord) -> bool {
    let (_, subround) = spelling::parse_round(tags.get("Round").unwrap_or_default());
    let board = record.subround.to_string();
    subround == 0 && (board == value.trim() || matches!(value.trim(), "" | "?"))
}
