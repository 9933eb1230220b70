//! How a game ended.

use tabiya_game::GameResult;

/// The result of a game as a header holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// Black won.
    BlackWins,
    /// A draw.
    Draw,
    /// White won.
    WhiteWins,
    /// No game but a line of analysis. It may be judged by a NAG.
    Line,
    /// White did not appear.
    BlackWinsByForfeit,
    /// A draw that was not played.
    DrawByForfeit,
    /// Black did not appear.
    WhiteWinsByForfeit,
    /// Both lost.
    BothLose,
    /// A number that no program is known to write.
    Other(u8),
}

impl Ending {
    /// The ending of a number.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Ending {
        match byte {
            0 => Ending::BlackWins,
            1 => Ending::Draw,
            2 => Ending::WhiteWins,
            3 => Ending::Line,
            4 => Ending::BlackWinsByForfeit,
            5 => Ending::DrawByForfeit,
            6 => Ending::WhiteWinsByForfeit,
            7 => Ending::BothLose,
            other => Ending::Other(other),
        }
    }

    /// Its number.
    #[must_use]
    pub const fn to_byte(self) -> u8 {
        match self {
            Ending::BlackWins => 0,
            Ending::Draw => 1,
            Ending::WhiteWins => 2,
            Ending::Line => 3,
            Ending::BlackWinsByForfeit => 4,
            Ending::DrawByForfeit => 5,
            Ending::WhiteWinsByForfeit => 6,
            Ending::BothLose => 7,
            Ending::Other(byte) => byte,
        }
    }

    /// The result that it means. A draw that was not played is a draw.
    #[must_use]
    pub const fn result(self) -> GameResult {
        match self {
            Ending::BlackWins => GameResult::BlackWins,
            Ending::Draw | Ending::DrawByForfeit => GameResult::Draw,
            Ending::WhiteWins => GameResult::WhiteWins,
            Ending::Line | Ending::Other(_) => GameResult::Unknown,
            Ending::BlackWinsByForfeit => GameResult::BlackWinsByForfeit,
            Ending::WhiteWinsByForfeit => GameResult::WhiteWinsByForfeit,
            Ending::BothLose => GameResult::BothLose,
        }
    }
}

impl From<GameResult> for Ending {
    fn from(result: GameResult) -> Ending {
        match result {
            GameResult::Unknown => Ending::Line,
            GameResult::WhiteWins => Ending::WhiteWins,
            GameResult::BlackWins => Ending::BlackWins,
            GameResult::Draw => Ending::Draw,
            GameResult::WhiteWinsByForfeit => Ending::WhiteWinsByForfeit,
            GameResult::BlackWinsByForfeit => Ending::BlackWinsByForfeit,
            GameResult::BothLose => Ending::BothLose,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_and_every_result_is_kept() {
        for byte in 0..=u8::MAX {
            assert_eq!(Ending::from_byte(byte).to_byte(), byte);
        }
        for result in GameResult::ALL {
            assert_eq!(Ending::from(result).result(), result);
        }
    }
}
