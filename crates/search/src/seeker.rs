//! A sink that looks for what a query asks.

use tabiya_chess::{Move, Position};
use tabiya_game::{Event, Flow, GameSink, Needs};

use crate::{
    Query, Scene,
    hunt::{Hunt, Verdict},
};

/// Hears games and tells which of them answer a query, and where.
///
/// A sacrifice: a side makes a move, the other captures in reply, and the first then has less,
/// compared with the other, than before its move; pawns count 1, knights and bishops 3, rooks 5,
/// queens 9. Giving back what the other side had given is none. It is one if the balance does not come back within so many plies after the capture, or
/// before the game ends. The place is the position after the move.
///
/// ```
/// use tabiya_game::{GameSink, GameTree};
/// use tabiya_search::{Query, Seeker};
///
/// let query: Query = "check".parse()?;
/// let mut seeker = Seeker::new(&query);
/// GameTree::default().tell(&mut seeker);
/// assert_eq!(seeker.found(), None);
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Seeker<'q> {
    hunt: Hunt<'q>,
    /// The ply at which the game that was heard last answers.
    found: Option<u32>,
}

impl<'q> Seeker<'q> {
    /// Looks for games in whose main lines a query is answered.
    #[must_use]
    pub fn new(query: &'q Query) -> Seeker<'q> {
        Seeker {
            hunt: Hunt::new(query),
            found: None,
        }
    }

    /// Looks in variations, too.
    #[must_use]
    pub fn in_variations(mut self, variations: bool) -> Seeker<'q> {
        self.hunt.variations = variations;
        self
    }

    /// Whether the last game answers the query: after how many plies. What holds nowhere, such as
    /// a game without a check, is found at its start.
    #[must_use]
    pub fn found(&self) -> Option<u32> {
        self.found
    }

    /// Forgets the last game: who tells an entry that is none is then told of no other.
    pub fn forget(&mut self) {
        self.found = None;
    }

    fn step(&mut self, last: Option<(&Position, Move)>, position: &Position) -> Flow {
        self.hunt.step(&Scene::of_position(position, last));
        // A line that cannot be told from the game any more may still have variations.
        match self.hunt.verdict(!self.hunt.variations) {
            Verdict::Open => Flow::Continue,
            Verdict::Yes(_) | Verdict::No => Flow::SkipGame,
        }
    }
}

impl GameSink for Seeker<'_> {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING
            .moves(true)
            .after(true)
            .variations(self.hunt.variations)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.found = None;
                self.hunt.clear();
            }
            Event::Start(position) => return self.step(None, position),
            Event::Move {
                before,
                play,
                after: Some(after),
            } => return self.step(Some((before, play)), after),
            Event::Null {
                after: Some(after), ..
            } => return self.step(None, after),
            Event::Missing => self.hunt.miss(),
            Event::VariationStart => self.hunt.open(),
            Event::VariationEnd => self.hunt.close(),
            Event::GameEnd { result, .. } => self.found = self.hunt.end(result),
            _ => {}
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Setup;
    use tabiya_game::Place;

    use crate::testing::{Told, tell};

    use super::*;

    fn found(query: &str, moves: &str) -> Option<u32> {
        found_from(Position::initial(), query, moves, false)
    }

    fn found_from(start: Position, query: &str, moves: &str, variations: bool) -> Option<u32> {
        let query: Query = query.parse().unwrap();
        let mut seeker = Seeker::new(&query).in_variations(variations);
        let told = Told {
            start,
            moves,
            ..Told::default()
        };
        tell(&told, &mut seeker);
        seeker.found()
    }

    const SCHOLARS_MATE: &str = "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#";

    #[test]
    fn a_position_is_found_after_its_plies() {
        assert_eq!(found("moves(1. e4 e5)", SCHOLARS_MATE), Some(2));
        assert_eq!(found("moves(1. e4 c5)", SCHOLARS_MATE), None);
        assert_eq!(found("mate", SCHOLARS_MATE), Some(7));
        assert_eq!(found("check and not mate", SCHOLARS_MATE), None);
        assert_eq!(found("ply(0)", SCHOLARS_MATE), Some(0));
        assert_eq!(
            found(
                "fen(rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1)",
                ""
            ),
            Some(0)
        );
    }

    #[test]
    fn tests_joined_ask_about_one_position() {
        assert_eq!(
            found("pattern(Qh5) and pattern(nc6)", SCHOLARS_MATE),
            Some(4)
        );
        assert_eq!(found("pattern(Qh5) and mate", SCHOLARS_MATE), None);
        assert_eq!(
            found("somewhere(pattern(Qh5)) and mate", SCHOLARS_MATE),
            Some(7)
        );
        assert_eq!(found("pattern(Qh5) or mate", SCHOLARS_MATE), Some(3));
    }

    #[test]
    fn never_is_asked_of_the_whole_game() {
        assert_eq!(found("never(check)", SCHOLARS_MATE), None);
        assert_eq!(found("never(stalemate)", SCHOLARS_MATE), Some(0));
        assert_eq!(
            found("not check", SCHOLARS_MATE),
            Some(0),
            "some position without"
        );
        assert_eq!(
            found("mate and never(pattern(Nf3))", SCHOLARS_MATE),
            Some(7)
        );
    }

    #[test]
    fn what_holds_for_the_whole_game_is_found_before_anything_else() {
        assert_eq!(
            found("moves(1. e4) or never(check)", SCHOLARS_MATE),
            Some(1)
        );
        assert_eq!(
            found("moves(1. e4) or never(stalemate)", SCHOLARS_MATE),
            Some(0)
        );
        assert_eq!(
            found("moves(1. e4) or (check and never(check))", SCHOLARS_MATE),
            Some(1)
        );
        assert_eq!(found("played(Qh5) or ends(mate)", SCHOLARS_MATE), Some(3));
    }

    #[test]
    fn sequences_have_gaps_and_streaks_have_none() {
        assert_eq!(
            found("sequence(played(Qh5); played(Qxf7))", SCHOLARS_MATE),
            Some(7)
        );
        assert_eq!(
            found("streak(played(Qh5); played(Qxf7))", SCHOLARS_MATE),
            None
        );
        assert_eq!(
            found("streak(played(Bc4); played(Nf6); mate)", SCHOLARS_MATE),
            Some(7)
        );
        assert_eq!(found("sequence(mate; played(Qh5))", SCHOLARS_MATE), None);
        assert_eq!(found("held(3, pattern(Qh5))", SCHOLARS_MATE), Some(5));
        assert_eq!(found("held(5, pattern(Qh5))", SCHOLARS_MATE), None);
    }

    #[test]
    fn a_sequence_may_have_streaks_in_it() {
        let query = "sequence(moves(1. e4); streak(played(Bc4); played(Nf6)); mate)";
        assert_eq!(found(query, SCHOLARS_MATE), Some(7));
        let query = "sequence(moves(1. e4); streak(played(Bc4); mate))";
        assert_eq!(found(query, SCHOLARS_MATE), None);
        // A streak that breaks off begins again.
        assert_eq!(
            found("streak(moved(N); moved(n); moved(P))", "Nf3 Nf6 Nc3 Nc6 e4"),
            Some(5)
        );
    }

    #[test]
    fn the_end_of_a_game_is_asked_when_it_is_there() {
        assert_eq!(found("ends(mate)", SCHOLARS_MATE), Some(7));
        assert_eq!(found("ends(ply(7))", SCHOLARS_MATE), Some(7));
        assert_eq!(found("ends(ply(6))", SCHOLARS_MATE), None);
        assert_eq!(
            found("result(*)", SCHOLARS_MATE),
            Some(0),
            "the driver says so"
        );
        assert_eq!(found("mate and result(1-0 0-1)", SCHOLARS_MATE), None);
        let variation = "e4 e5 ( e6 d4 )";
        assert_eq!(
            found_from(Position::initial(), "ends(ply(2))", variation, true),
            Some(2)
        );
    }

    #[test]
    fn the_last_move_is_asked_for_pieces_and_captures() {
        assert_eq!(found("moved(Q)", SCHOLARS_MATE), Some(3));
        assert_eq!(found("captured(p)", SCHOLARS_MATE), Some(7));
        assert_eq!(found("captured(P)", SCHOLARS_MATE), None);
        assert_eq!(found("captured() and moved(b)", SCHOLARS_MATE), None);
        assert_eq!(
            found("captured()", SCHOLARS_MATE),
            Some(1),
            "the start has no last move"
        );
        assert_eq!(found("captured(p)", "e4 a6 e5 d5 exd6"), Some(5));
    }

    #[test]
    fn castling_is_remembered() {
        let moves = "e4 e5 Nf3 Nc6 Bb5 a6 O-O d6 h3";
        assert_eq!(found("castled(white)", moves), Some(7));
        assert_eq!(found("castled(white) and ply(9)", moves), Some(9));
        assert_eq!(found("castled(white queenside)", moves), None);
        assert_eq!(found("castled(white kingside)", moves), Some(7));
        assert_eq!(found("castled(black)", moves), None);
    }

    #[test]
    fn a_sacrifice_does_not_come_back() {
        // A gambit, accepted, and the pawn stays away.
        assert_eq!(found("sacrifice(4)", "e4 e5 f4 exf4 Nf3 g5 h4 g4"), Some(3));
        // The game ends before it could come back.
        assert_eq!(found("sacrifice(40)", "e4 e5 f4 exf4"), Some(3));
        // An exchange comes back at once.
        assert_eq!(found("sacrifice(1)", "e4 d5 exd5 Qxd5"), None);
        assert_eq!(found("sacrifice(2)", "e4 d5 Nc3 dxe4 Nxe4"), None);
        // It comes back after three plies.
        assert_eq!(found("sacrifice(4)", "d4 d5 c4 dxc4 e3 a6 Bxc4"), None);
        assert_eq!(found("sacrifice(2)", "d4 d5 c4 dxc4 e3 a6 Bxc4"), Some(3));
        // What the other side gave is given back.
        assert_eq!(found("sacrifice(9)", "e4 e5 d4 exd4 c3 d5 exd5"), None);
    }

    #[test]
    fn variations_count_if_they_are_asked_for() {
        let moves = "e4 e5 ( c5 Nf3 d6 ( Nc6 Bb5 ) ) Nf3 Nf6";
        let start = Position::initial();
        for (query, ply) in [
            ("moves(1. e4 c5 2. Nf3)", 3),
            ("moves(1. e4 c5 2. Nf3 Nc6 3. Bb5)", 5),
            ("manoeuvre(Bf1-b5)", 5),
            ("streak(played(c5); played(Nf3); played(Nc6))", 4),
        ] {
            assert_eq!(found_from(start, query, moves, true), Some(ply), "{query}");
            assert_eq!(found_from(start, query, moves, false), None, "{query}");
        }
        // What a variation did is undone behind it.
        assert_eq!(
            found_from(start, "held(2, pattern(pc5)) and played(Nf6)", moves, true),
            Some(4)
        );
        let none = "streak(played(Bb5); played(Nf3))";
        assert_eq!(found_from(start, none, moves, true), None);
        let sequence = "sequence(played(e5); played(Nf3); played(Nf6))";
        assert_eq!(found_from(start, sequence, moves, true), Some(4));
    }

    #[test]
    fn underpromotions_and_stalemates_are_found_from_set_ups() {
        let setup: Setup = "8/5P1k/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
        let start = Position::from_setup(&setup, tabiya_chess::Variant::Standard).unwrap();
        assert_eq!(
            found_from(start, "underpromotion", "f8=N+ Kg7", false),
            Some(1)
        );
        assert_eq!(found_from(start, "underpromotion", "f8=Q", false), None);
        let setup: Setup = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".parse().unwrap();
        let start = Position::from_setup(&setup, tabiya_chess::Variant::Standard).unwrap();
        assert_eq!(found_from(start, "stalemate", "Qf7", false), Some(1));
    }

    #[test]
    fn null_moves_pass_the_turn_and_move_nothing() {
        assert_eq!(found("moved(*)", "--"), None);
        assert_eq!(found("turn(black)", "--"), Some(1));
    }

    #[test]
    fn an_exact_position_is_given_up_when_too_much_is_captured() {
        let query: Query = "moves(1. e4 e5)".parse().unwrap();
        let mut seeker = Seeker::new(&query);
        let start = Position::initial();
        tell(&Told::moves("d4 d5 c4 dxc4 e4 e5"), &mut seeker);
        assert_eq!(seeker.found(), None);
        let mut before = start;
        for san in ["d4", "d5", "c4"] {
            before.play_san(san.as_bytes()).unwrap();
        }
        let mut after = before;
        let play = after.play_san(b"dxc4").unwrap().to_move().unwrap();
        let mut seeker = Seeker::new(&query);
        seeker.event(Event::GameStart(Place::default()));
        assert_eq!(seeker.event(Event::Start(&start)), Flow::Continue);
        let event = Event::Move {
            before: &before,
            play,
            after: Some(&after),
        };
        assert_eq!(seeker.event(event), Flow::SkipGame);
    }

    #[test]
    fn games_do_not_remember_each_other() {
        let query: Query = "sequence(played(e4); played(d5))".parse().unwrap();
        let mut seeker = Seeker::new(&query);
        tell(&Told::moves("e4 e5"), &mut seeker);
        tell(&Told::moves("d4 d5"), &mut seeker);
        assert_eq!(seeker.found(), None);
        tell(&Told::moves("e4 d5"), &mut seeker);
        assert_eq!(seeker.found(), Some(2));
    }

    #[test]
    fn questions_that_make_no_sense_are_refused() {
        for wrong in [
            "",
            "and",
            "check and",
            "check check",
            "(check",
            "check)",
            "held(0, check)",
            "held(check)",
            "streak(manoeuvre(Nf3-d2))",
            "sequence()",
            "turn(grey)",
            "castled(white sideways)",
            "moved()",
            "played()",
            "ply(x)",
            "sacrifice(0)",
            "similar(FEN)",
            "fen()",
            "nonsense(1)",
        ] {
            assert!(wrong.parse::<Query>().is_err(), "{wrong:?}");
        }
        let deep = format!("{}check{}", "(".repeat(10_000), ")".repeat(10_000));
        assert!(deep.parse::<Query>().is_err());
        let deep = format!("{}check{}", "never(".repeat(10_000), ")".repeat(10_000));
        assert!(deep.parse::<Query>().is_err());
        assert!(
            format!("{}check", "not ".repeat(10_001))
                .parse::<Query>()
                .is_ok()
        );
    }
}
