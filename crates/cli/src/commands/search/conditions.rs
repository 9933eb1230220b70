//! What is asked of the moves and positions of games, as options.

use clap::Args;
use tabiya::{
    Filter, Position,
    search::{self, Exact, Material, Path, Pattern, Pawns, Query, Question, scout::Scout},
};

/// Conditions; each is asked of the whole game.
#[derive(Args)]
#[command(next_help_heading = "Conditions, of which a game must meet all")]
pub struct Conditions {
    /// This position: pieces, side to move, castling rights, legal en passant
    #[arg(long, value_name = "FEN", value_parser = Exact::from_fen)]
    fen: Vec<Exact>,

    /// The position after these moves, however it came about: "1. e4 c5 2. Nf3"
    #[arg(long, value_name = "MOVES", value_parser = Exact::after_moves)]
    moves: Vec<Exact>,

    /// Castling rights and en passant do not count in --fen and --moves
    #[arg(long)]
    loose: bool,

    /// Part of a board: "Nd5 0pd 2R7", or as in FEN, 8/8/8/3N4/8/8/8/8
    ///
    /// Pieces as in FEN, A and a any of White's and Black's, * any, _ an empty square, [RQ] one of
    /// these, [!p_] none of these. In a list, a piece is followed by a square, a file, a rank or
    /// nothing, and a number before it says how many.
    #[arg(long, value_name = "BOARD")]
    pattern: Vec<Pattern>,

    /// Or the mirror image of the pattern, a for h
    #[arg(long, requires = "pattern")]
    mirror: bool,

    /// Or the pattern with the colours exchanged
    #[arg(long, requires = "pattern")]
    flip: bool,

    /// What is left: KRPKR, or "Q=0 q=0 R-r=1 P=3.. balance=-1..1 opposite-bishops"
    #[arg(long, value_name = "MATERIAL")]
    material: Vec<Material>,

    /// So many positions one after the other have that material
    #[arg(long, value_name = "N", requires = "material", value_parser = clap::value_parser!(u32).range(1..))]
    plies_held: Option<u32>,

    /// Pawn structure: white=a2,b2 or black-files=abc, isolated:white, doubled, passed:d5, backward, iqp,
    /// hanging
    #[arg(long, value_name = "PAWNS")]
    pawns: Vec<Pawns>,

    /// The way of a piece: Nf3-d2-f1-g3; small letters are Black's pieces
    #[arg(long, value_name = "PATH")]
    manoeuvre: Vec<Path>,

    /// Positions pass these tests one after the other: "played(Bxh7); check; mate"
    #[arg(long, value_name = "TESTS", value_parser = search::Conditions::sequence)]
    sequence: Vec<Query>,

    /// The same without other positions between
    #[arg(long, value_name = "TESTS", value_parser = search::Conditions::streak)]
    streak: Vec<Query>,

    /// Somebody castles: --castled=white, =black, =white-kingside, =black-queenside
    #[arg(long, value_name = "SIDE", num_args = 0..=1, require_equals = true, default_missing_value = search::Conditions::EITHER, value_parser = search::Conditions::castled)]
    castled: Option<Query>,

    /// Somebody is in check
    #[arg(long)]
    check: bool,

    /// Somebody is mated
    #[arg(long)]
    mate: bool,

    /// Somebody is stalemated
    #[arg(long)]
    stalemate: bool,

    /// A pawn becomes a knight, a bishop or a rook
    #[arg(long)]
    underpromotion: bool,

    /// Material is given and not regained within N plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sacrifice: Option<u32>,

    /// The nearest positions to this one, with their distances, the nearest first
    #[arg(long, value_name = "FEN", value_parser = search::Conditions::similar)]
    similar: Option<Position>,

    /// A question with and, or, not: "pattern(Nd5) and not check or held(8, material(KRKR))"
    ///
    /// Tests that are joined ask about one position, unless each stands in somewhere(…).
    #[arg(long = "where", value_name = "QUERY")]
    queries: Vec<Query>,

    /// A query of scoutfish: '{"sub-fen": "8/8/8/3N4/8/8/8/8", "captured": "Q"}'
    #[arg(long = "query", value_name = "JSON")]
    pub scout: Option<Scout>,

    /// Look in variations, too
    #[arg(long)]
    in_variations: bool,
}

impl Conditions {
    /// The question that was asked.
    pub fn question(&self, filter: Filter) -> anyhow::Result<Question> {
        if self.loose && self.fen.is_empty() && self.moves.is_empty() {
            anyhow::bail!("--loose belongs to --fen or --moves");
        }
        Ok(self.conditions().question(filter)?)
    }

    /// Whether games are listed by their distance.
    pub fn by_distance(&self) -> bool {
        self.similar.is_some()
    }

    /// The same, without the command line.
    fn conditions(&self) -> search::Conditions {
        search::Conditions {
            fen: self.fen.clone(),
            moves: self.moves.clone(),
            loose: self.loose,
            pattern: self.pattern.clone(),
            mirror: self.mirror,
            flip: self.flip,
            material: self.material.clone(),
            plies_held: self.plies_held,
            pawns: self.pawns.clone(),
            manoeuvre: self.manoeuvre.clone(),
            sequence: self.sequence.clone(),
            streak: self.streak.clone(),
            castled: self.castled.clone(),
            check: self.check,
            mate: self.mate,
            stalemate: self.stalemate,
            underpromotion: self.underpromotion,
            sacrifice: self.sacrifice,
            similar: self.similar,
            queries: self.queries.clone(),
            scout: self.scout.clone(),
            in_variations: self.in_variations,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        conditions: Conditions,
    }

    /// The query of options, which are separated by bars.
    fn query(options: &str) -> Option<Query> {
        let words = std::iter::once("tabiya").chain(options.split('|').filter(|w| !w.is_empty()));
        let command = Command::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
        let question = command.conditions.question(Filter::default());
        question.expect("a question").query
    }

    #[track_caller]
    fn asks(options: &str, text: &str) {
        assert_eq!(query(options), Some(text.parse().unwrap()), "{options}");
    }

    #[test]
    fn every_option_asks_its_question() {
        assert_eq!(query(""), None);
        asks(
            "--fen|8/8/8/8/8/k7/8/K7 w - - 0 1",
            "fen(8/8/8/8/8/k7/8/K7 w - - 0 1)",
        );
        asks(
            "--loose|--fen|8/8/8/8/8/k7/8/K7 w - - 0 1",
            "loose(8/8/8/8/8/k7/8/K7 w - - 0 1)",
        );
        asks("--moves|1. e4 c5", "moves(1. e4 c5)");
        asks("--pattern|Nd5", "pattern(Nd5)");
        asks("--pattern|Nd5|--mirror", "pattern(Nd5) or pattern(Ne5)");
        asks("--pattern|Nd5|--flip", "pattern(Nd5) or pattern(nd4)");
        asks(
            "--pattern|Nd5|--flip|--mirror",
            "pattern(Nd5) or pattern(Ne5) or pattern(nd4) or pattern(ne4)",
        );
        asks("--material|KRPKR", "material(KRPKR)");
        asks(
            "--material|KRPKR|--plies-held|9",
            "held(9, material(KRPKR))",
        );
        asks("--pawns|iqp:white", "pawns(iqp:white)");
        asks("--manoeuvre|Nf3-d2-f1", "manoeuvre(Nf3-d2-f1)");
        asks("--sequence|check; mate", "sequence(check; mate)");
        asks("--streak|check; mate", "streak(check; mate)");
        asks("--castled=white", "castled(white)");
        asks("--castled=black-queenside", "castled(black queenside)");
        asks(
            "--castled",
            "somewhere(castled(white)) or somewhere(castled(black))",
        );
        asks("--check", "check");
        asks("--mate", "mate");
        asks("--stalemate", "stalemate");
        asks("--underpromotion", "underpromotion");
        asks("--sacrifice|7", "sacrifice(7)");
        asks("--where|check and not mate", "check and not mate");
        asks(r#"--query|{"captured": "Q"}"#, "captured(Qq)");
    }

    #[test]
    fn conditions_together_are_asked_of_the_game() {
        asks(
            "--check|--material|KRPKR|--pattern|Nd5|--sacrifice|3",
            "somewhere(pattern(Nd5)) and somewhere(check) and somewhere(material(KRPKR)) and sacrifice(3)",
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for options in [
            "--fen|nonsense",
            "--moves|1. e5",
            "--pattern|Nz9",
            "--material|XY",
            "--pawns|lonely",
            "--manoeuvre|Nf3",
            "--sequence|check) or (mate",
            "--castled=grey",
            "--sacrifice|0",
            "--where|chekc",
            "--query|{",
            "--mirror",
            "--flip",
            "--plies-held|3",
            "--material|KRPKR|--plies-held|0",
        ] {
            let words = std::iter::once("tabiya").chain(options.split('|'));
            assert!(Command::try_parse_from(words).is_err(), "{options}");
        }
        let command =
            Command::try_parse_from(["tabiya", "--loose"]).unwrap_or_else(|e| panic!("{e}"));
        assert!(command.conditions.question(Filter::default()).is_err());
    }
}
