//! What a word says about its move beyond the step.

use std::fmt;

use tabiya_chess::{Move, Position};

use super::code::Profile;

/// The three bits above an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags {
    /// Something is captured.
    pub capture: bool,
    /// The move gives check.
    pub check: bool,
    /// The move mates.
    pub mate: bool,
}

impl Flags {
    pub(super) const CAPTURE: u8 = 0x20;
    pub(super) const CHECK: u8 = 0x40;
    pub(super) const MATE: u8 = 0x80;

    /// What is true of a legal move.
    #[inline]
    #[must_use]
    pub fn of(before: &Position, play: Move) -> Flags {
        let check = before.gives_check(play);
        Flags {
            capture: before.is_capture(play),
            check,
            mate: check && {
                // Few moves give check, so few positions have their moves looked for.
                let mut after = *before;
                after.play_unchecked(play);
                !after.has_legal_moves()
            },
        }
    }

    /// The bits as they are written.
    #[inline]
    #[must_use]
    pub const fn to_bits(self, profile: Profile) -> u8 {
        let capture = if self.capture { Flags::CAPTURE } else { 0 };
        let check = match (self.mate, self.check, profile) {
            // In the list of the document a move is check or mate, not both.
            (true, _, Profile::Document) => Flags::MATE,
            (true, _, Profile::Program) => Flags::MATE | Flags::CHECK,
            (false, true, _) => Flags::CHECK,
            (false, false, _) => 0,
        };
        capture | check
    }

    /// Whether both say the same. Mate is check, whether the bit for check is set or not: both
    /// are found.
    #[must_use]
    pub fn agree(self, other: Flags) -> bool {
        self.capture == other.capture
            && self.mate == other.mate
            && (self.mate || self.check == other.check)
    }
}

/// `capture, check`, or `none`.
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (self.capture, "capture"),
            (self.check, "check"),
            (self.mate, "mate"),
        ];
        let set: Vec<&str> = names
            .into_iter()
            .filter(|(set, _)| *set)
            .map(|(_, name)| name)
            .collect();
        match set.is_empty() {
            true => f.write_str("none"),
            false => f.write_str(&set.join(", ")),
        }
    }
}
