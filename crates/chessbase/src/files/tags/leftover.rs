//! Tags that a header cannot hold.
//!
//! The header is turned into tags again. Whatever does not come back letter by letter is left over:
//! nothing is lost without being named here.

use std::{collections::HashSet, fmt};

use tabiya_game::Tags;

use super::{FromMoves, sheet::Sheet, spelling, tell::tell_sheet};
use tabiya_formats::writing::{is_respelled, says_nothing};

/// A tag that has no place, or of which not all has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leftover {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What is kept of the value; `None` if nothing is.
    pub kept: Option<String>,
    /// The files have a field for it, which is empty where nothing is known.
    pub has_field: bool,
}

impl Leftover {
    /// Whether it is there, only spelled in another way. What says nothing is there when its field
    /// is empty; without a field nobody can tell that it was there.
    #[must_use]
    pub fn is_respelled(&self) -> bool {
        match &self.kept {
            Some(kept) => is_respelled(&self.name, &self.value, kept),
            None => self.is_silent(),
        }
    }

    fn is_silent(&self) -> bool {
        self.has_field && says_nothing(&self.value)
    }
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} \"{}\"", self.name, self.value)?;
        match &self.kept {
            Some(kept) => write!(f, " became \"{kept}\""),
            None if self.is_silent() => write!(f, " is left out, it says nothing"),
            None => write!(f, " has no place"),
        }
    }
}

/// Tags that both families have fields for. The others that they tell are no fields: `Termination`
/// and `ScidFlags` have a place for one value each.
const FIELDS: [&str; 41] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "Board",
    "White",
    "Black",
    "Result",
    "LineEvaluation",
    "ECO",
    "WhiteElo",
    "BlackElo",
    "WhiteRatingType",
    "BlackRatingType",
    "Annotator",
    "Variant",
    "SetUp",
    "FEN",
    "PlyCount",
    "EventDate",
    "EventEndDate",
    "EventType",
    "EventRounds",
    "EventCountry",
    "EventCategory",
    "SourceTitle",
    "Source",
    "SourceDate",
    "SourceVersion",
    "SourceVersionDate",
    "SourceQuality",
    "WhiteTeam",
    "BlackTeam",
    "WhiteTeamCountry",
    "BlackTeamCountry",
    "WhiteTeamNumber",
    "BlackTeamNumber",
    "WhiteTeamYear",
    "BlackTeamYear",
    "GameTitle",
    "Medals",
];

/// The tags that do not come back from what is kept of them. `own` are the tags that only this
/// family has fields for.
pub(crate) fn find(
    tags: &Tags,
    sheet: &Sheet<'_>,
    moves: &FromMoves<'_>,
    own: &[&str],
) -> Vec<Leftover> {
    let mut kept = Tags::new();
    tell_sheet(sheet, moves, &mut |name, value| kept.push(name, value));
    let mut seen = HashSet::new();
    let mut leftovers = Vec::new();
    for (name, value) in tags.iter() {
        let again = kept.get(name).filter(|_| seen.insert(name));
        let is_kept = match name {
            "Round" => same_round(tags, value, sheet),
            "Board" if sheet.board == 0 => is_board(tags, value, sheet),
            "Termination" if again.is_none() => value == "normal",
            _ => again == Some(value),
        };
        if !is_kept {
            leftovers.push(Leftover {
                name: name.to_string(),
                value: value.to_string(),
                kept: again.filter(|again| *again != "?").map(str::to_string),
                has_field: FIELDS.contains(&name) || own.contains(&name),
            });
        }
    }
    leftovers
}

/// Whether a round is kept, perhaps with the board as the round within it.
fn same_round(tags: &Tags, value: &str, sheet: &Sheet<'_>) -> bool {
    let [round, subround] = spelling::parse_round(value);
    let spelt = spelling::round([round, subround]);
    let board = subround == 0 && tags.get("Board").is_some();
    let [kept, kept_within] = sheet.round;
    spelt == value && round == kept && (board || subround == kept_within)
}

/// Whether a board is kept as the round within the round.
fn is_board(tags: &Tags, value: &str, sheet: &Sheet<'_>) -> bool {
    let [_, subround] = spelling::parse_round(tags.get("Round").unwrap_or_default());
    subround == 0 && sheet.round[1] != 0 && sheet.round[1].to_string() == value
}
