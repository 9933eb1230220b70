//! What a game has, one bit for each thing.

use std::ops::BitOr;

macro_rules! bits {
    (
        $(#[$doc:meta])* $name:ident($repr:ty);
        $($(#[$about:meta])* $bit:ident = $place:literal, $text:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $name(pub $repr);

        impl $name {
            $($(#[$about])* pub const $bit: $name = $name(1 << $place);)*

            /// The bits that have a meaning, and their names.
            pub const NAMED: &'static [($name, &'static str)] = &[$(($name::$bit, $text)),*];

            /// Whether all bits of another are set.
            #[must_use]
            pub const fn contains(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether no bit is set.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The names of the bits that are set, lowest first.
            pub fn names(self) -> impl Iterator<Item = &'static str> {
                let set = $name::NAMED.iter().filter(move |(bit, _)| self.contains(*bit));
                set.map(|(_, name)| *name)
            }

            /// The bit of a name.
            #[must_use]
            pub fn named(name: &str) -> Option<$name> {
                let found = $name::NAMED.iter().find(|(_, other)| name.eq_ignore_ascii_case(other));
                found.map(|(bit, _)| *bit)
            }
        }

        impl BitOr for $name {
            type Output = $name;

            fn bitor(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }
        }
    };
}

bits! {
    /// What a game holds besides moves, so that a list can show it without opening the game.
    GameFlags(u32);
    /// It does not start from the initial position.
    SETUP = 0, "set-up";
    /// It has variations.
    VARIATIONS = 1, "variations";
    /// It has comments.
    COMMENTARY = 2, "commentary";
    /// It has NAGs.
    SYMBOLS = 3, "symbols";
    /// It has coloured squares.
    SQUARES = 4, "squares";
    /// It has arrows.
    ARROWS = 5, "arrows";
    /// It has times spent.
    TIME_SPENT = 7, "time spent";
    /// It has an annotation of type 08, of which the meaning is unknown.
    ANNOTATION_08 = 8, "annotation 08";
    /// It has training questions.
    TRAINING = 9, "training";
    /// It has a sound.
    SOUND = 16, "sound";
    /// It has a picture.
    PICTURE = 17, "picture";
    /// It has a video.
    VIDEO = 18, "video";
    /// It has quotations of other games.
    QUOTATION = 19, "quotation";
    /// It marks pawn structures.
    PAWN_STRUCTURE = 20, "pawn structure";
    /// It marks the path of a piece.
    PIECE_PATH = 21, "piece path";
    /// White's clock at the end is known.
    WHITE_CLOCK = 22, "white clock";
    /// Black's clock at the end is known.
    BLACK_CLOCK = 23, "black clock";
    /// It marks critical positions.
    CRITICAL = 24, "critical";
    /// It has a header of correspondence chess.
    CORRESPONDENCE = 25, "correspondence";
    /// It has an annotation of type 1a, of which the meaning is unknown.
    ANNOTATION_1A = 26, "annotation 1a";
    /// It is a game of Chess960.
    UNORTHODOX = 27, "unorthodox";
    /// It has links.
    WEB_LINK = 28, "web link";
}

bits! {
    /// Medals that were given to a game.
    Medals(u16);
    /// The best game.
    BEST_GAME = 0, "best game";
    /// It decided a tournament.
    DECIDED_TOURNAMENT = 1, "decided tournament";
    /// A model game.
    MODEL_GAME = 2, "model game";
    /// A novelty.
    NOVELTY = 3, "novelty";
    /// The pawn structure.
    PAWN_STRUCTURE = 4, "pawn structure";
    /// Strategy.
    STRATEGY = 5, "strategy";
    /// Tactics.
    TACTICS = 6, "tactics";
    /// Attack.
    ATTACK = 7, "attack";
    /// Defence.
    DEFENCE = 8, "defence";
    /// A sacrifice.
    SACRIFICE = 9, "sacrifice";
    /// Material.
    MATERIAL = 10, "material";
    /// Piece play.
    PIECE_PLAY = 11, "piece play";
    /// The endgame.
    ENDGAME = 12, "endgame";
    /// A tactical blunder.
    TACTICAL_BLUNDER = 13, "tactical blunder";
    /// A strategical blunder.
    STRATEGICAL_BLUNDER = 14, "strategical blunder";
    /// What the user means by it.
    USER = 15, "user";
}

/// How much of it a game holds: two bits for variations, and a bit for much of something at the
/// place where [`GameFlags`] has the bit for some of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Magnitudes(pub u16);

/// How often something stands in a game, for its [`Magnitudes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Amounts {
    /// Plies in variations.
    pub variation_plies: usize,
    /// Bytes of comments.
    pub comment_bytes: usize,
    /// Moves with NAGs.
    pub symbols: usize,
    /// Moves with coloured squares.
    pub squares: usize,
    /// Moves with arrows.
    pub arrows: usize,
    /// Moves with a time spent.
    pub times: usize,
    /// Training questions.
    pub questions: usize,
}

impl Magnitudes {
    /// The magnitudes of a game.
    #[must_use]
    pub fn new(amounts: &Amounts) -> Magnitudes {
        let variations = match amounts.variation_plies {
            0..=50 => 0,
            51..=300 => 1,
            301..=1000 => 2,
            _ => 3,
        };
        let much = [
            (2, amounts.comment_bytes > 200),
            (3, amounts.symbols >= 10),
            (4, amounts.squares >= 10),
            (5, amounts.arrows >= 6),
            (7, amounts.times >= 10),
            (9, amounts.questions >= 6),
        ];
        let set = much.iter().map(|(bit, much)| u16::from(*much) << bit);
        Magnitudes(set.fold(variations, BitOr::bitor))
    }

    /// How long the variations are: 0 up to 50 plies, 1 up to 300, 2 up to 1000, else 3.
    #[must_use]
    pub const fn variations(self) -> u8 {
        self.0 as u8 & 3
    }

    /// Whether there is much of what a flag stands for.
    #[must_use]
    pub const fn is_much(self, flag: GameFlags) -> bool {
        flag.0 != GameFlags::VARIATIONS.0 && self.0 as u32 & flag.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for (bit, name) in Medals::NAMED {
            assert_eq!(Medals::named(name), Some(*bit));
        }
        let medals = Medals::NOVELTY | Medals::SACRIFICE;
        assert_eq!(medals.names().collect::<Vec<_>>(), ["novelty", "sacrifice"]);
        assert!(Medals::named("gold").is_none());
    }

    #[test]
    fn much_begins_where_the_program_begins() {
        let amounts = Amounts {
            variation_plies: 301,
            comment_bytes: 201,
            arrows: 5,
            ..Amounts::default()
        };
        let magnitudes = Magnitudes::new(&amounts);
        assert_eq!(magnitudes.variations(), 2);
        assert!(magnitudes.is_much(GameFlags::COMMENTARY));
        assert!(!magnitudes.is_much(GameFlags::ARROWS));
        assert!(!magnitudes.is_much(GameFlags::VARIATIONS));
    }
}
