//! Medals, which mark a game or a move as worth another look.

use std::fmt;

/// A set of medals, one a bit, as ChessBase numbers them.
///
/// ```
/// use tabiya_game::Medals;
///
/// let medals = Medals(0b1001);
/// assert!(medals.names().eq(["best game", "novelty"]));
/// assert_eq!(medals.to_string(), "best game, novelty");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Medals(pub u32);

/// What the bits stand for, from the lowest.
const NAMES: [&str; 16] = [
    "best game",
    "decided tournament",
    "model game",
    "novelty",
    "pawn structure",
    "strategy",
    "tactics",
    "attack",
    "defence",
    "sacrifice",
    "material",
    "piece play",
    "endgame",
    "tactical blunder",
    "strategical blunder",
    "user",
];

impl Medals {
    /// The names of the medals in the set; those of bits without a meaning are left out.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let bits = NAMES.iter().enumerate();
        bits.filter_map(move |(bit, name)| (self.0 >> bit & 1 == 1).then_some(*name))
    }
}

/// The names, with commas between them.
impl fmt::Display for Medals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.names().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{name}")?;
        }
        Ok(())
    }
}

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The opening.
    Opening,
    /// The middlegame.
    Middlegame,
    /// The endgame.
    Endgame,
}

impl Phase {
    /// All phases, in the order of a game.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
