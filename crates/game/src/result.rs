//! How a game ended.
//!
//! ```
//! use tabiya_game::GameResult;
//!
//! assert_eq!("½-½".parse(), Ok(GameResult::Draw));
//! assert_eq!("+:-".parse(), Ok(GameResult::WhiteWinsByForfeit));
//! assert_eq!(GameResult::WhiteWinsByForfeit.token(), "1-0");
//! ```

use std::{fmt, str::FromStr};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum GameResult {
    /// Unknown, or the game goes on.
    #[default]
    Unknown,
    /// White won.
    WhiteWins,
    /// Black won.
    BlackWins,
    /// A draw.
    Draw,
    /// Black did not appear.
    WhiteWinsByForfeit,
    /// White did not appear.
    BlackWinsByForfeit,
    /// Both lost, usually because neither appeared.
    BothLose,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 7] = [
        GameResult::Unknown,
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::WhiteWinsByForfeit,
        GameResult::BlackWinsByForfeit,
        GameResult::BothLose,
    ];

    /// The token that ends the movetext. PGN has four: forfeits are wins there, and `0-0` would
    /// be castling.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            GameResult::Unknown | GameResult::BothLose => "*",
            GameResult::WhiteWins | GameResult::WhiteWinsByForfeit => "1-0",
            GameResult::BlackWins | GameResult::BlackWinsByForfeit => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// What a `Result` tag says: forfeits have a spelling of their own there.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            GameResult::WhiteWinsByForfeit => "+:-",
            GameResult::BlackWinsByForfeit => "-:+",
            GameResult::BothLose => "-:-",
            other => other.token(),
        }
    }

    /// Whether the game was not played.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        matches!(
            self,
            GameResult::WhiteWinsByForfeit | GameResult::BlackWinsByForfeit | GameResult::BothLose
        )
    }
}

/// The token of the movetext.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.token())
    }
}

/// The text is not a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a result: expected 1-0, 0-1, 1/2-1/2 or *")]
pub struct ParseResultError;

impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        Ok(match text.trim() {
            "*" | "?" | "" => GameResult::Unknown,
            "1-0" | "1–0" | "1:0" => GameResult::WhiteWins,
            "0-1" | "0–1" | "0:1" => GameResult::BlackWins,
            "1/2-1/2" | "1/2" | "1/2–1/2" | "½-½" | "½–½" | "½" | "½:½" | "1/2:1/2" | "0.5-0.5"
            | "=" | "=-=" => GameResult::Draw,
            "+:-" | "+--" | "+/-" | "1-0F" | "1-0f" | "+-" => GameResult::WhiteWinsByForfeit,
            "-:+" | "--+" | "-/+" | "0-1F" | "0-1f" | "-+" => GameResult::BlackWinsByForfeit,
            "0-0" | "-:-" | "---" | "-/-" | "0:0" | "0-0F" => GameResult::BothLose,
            _ => return Err(ParseResultError),
        })
    }
}

/// Whether all of a game could be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameState {
    /// Everything was read.
    #[default]
    Complete,
    /// Something could not be read; it stands in an [`Event::Error`](crate::Event::Error).
    Broken,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_back() {
        for result in GameResult::ALL {
            assert_eq!(result.tag().parse(), Ok(result));
        }
    }

    #[test]
    fn other_texts_are_no_results() {
        for text in ["1", "0", "1-1", "2-0", "draw"] {
            assert_eq!(text.parse::<GameResult>(), Err(ParseResultError), "{text}");
        }
    }
}
