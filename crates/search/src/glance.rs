//! What can be told of a game from what stands where.

use tabiya_chess::{Board, Position, Step};

use crate::{
    Castled, Moment, Path, Pieces, Query, Scene, Test,
    material::balance,
    path::Progress,
    sacrifice::{Offers, Weighed},
    watch::Watch,
};

/// Follows boards instead of positions, and looks only where an answer can have changed: for most
/// questions to whole databases that is enough, or tells which games it is worth to look at closely.
///
/// ```
/// use tabiya_chess::{Move, Position, Square};
/// use tabiya_search::{Glance, Query, Seen};
///
/// let query: Query = "pattern(Pe4)".parse()?;
/// let start = Position::initial();
/// let mut glance = Glance::new(&query, &start).expect("boards answer that");
/// let promotions = false;
/// glance.begin(promotions);
/// let step = start.step_of(Move::new(Square::E2, Square::E4)).expect("a pawn stands there");
/// let mut board = *start.board();
/// board.play(&step);
/// assert!(glance.step(&step, &board), "nothing else need be shown");
/// assert_eq!(glance.finish(), Seen::Yes(1));
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Glance<'q> {
    /// It is enough to find one of these.
    asks: Vec<Asks<'q>>,
    /// What it means for the query if one is found, and if none is.
    means: [Meaning; 2],
    watch: Watch,
    ply: u32,
    castled: Castled,
    /// The game has promotions.
    promotions: bool,
    /// Before that ply there is nothing to be found.
    awake: u32,
    found: Option<Seen>,
}

/// What a glance has seen of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// It answers, after so many plies.
    Yes(u32),
    /// It does not answer.
    No,
    /// It may answer: who wants to know has to look closely.
    Perhaps,
}

/// What is known of a query when a part of it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// It is answered there.
    There,
    /// It is answered at the start, as is what holds nowhere.
    AtStart,
    /// It is not answered.
    No,
    Perhaps,
}

impl Meaning {
    fn of_not(self) -> Meaning {
        match self {
            Meaning::There | Meaning::AtStart => Meaning::No,
            Meaning::No => Meaning::AtStart,
            Meaning::Perhaps => Meaning::Perhaps,
        }
    }

    /// With others that have to be answered, too.
    fn with_others(self) -> Meaning {
        match self {
            Meaning::No => Meaning::No,
            _ => Meaning::Perhaps,
        }
    }
}

#[derive(Debug)]
enum Asks<'q> {
    Test(&'q Test),
    Path(&'q Path, Progress),
    Sacrifice(Scales),
}

/// What a look at a board has shown.
enum Outlook {
    Found(Seen),
    /// It may come, but not in so many plies.
    Ahead(u32),
    Never,
}

impl Outlook {
    /// What two of them show together.
    fn or(self, other: Outlook) -> Outlook {
        match (self, other) {
            (Outlook::Found(seen @ Seen::Yes(_)), _) | (_, Outlook::Found(seen)) => {
                Outlook::Found(seen)
            }
            (Outlook::Found(seen), _) => Outlook::Found(seen),
            (Outlook::Ahead(one), Outlook::Ahead(other)) => Outlook::Ahead(one.min(other)),
            (ahead @ Outlook::Ahead(_), _) | (_, ahead) => ahead,
        }
    }
}

/// Weighs material where it changes.
#[derive(Debug)]
struct Scales {
    /// After how many plies material does not come back any more.
    plies: u32,
    /// The balance at the start.
    start: i32,
    /// The last three balances with the plies since which they held, the newest first.
    balances: [(u32, i32); 3],
    offers: Offers,
}

impl<'q> Glance<'q> {
    /// Looks for games from a start that answer a query; `None` if boards do not tell that any do
    /// not.
    #[must_use]
    pub fn new(query: &'q Query, start: &Position) -> Option<Glance<'q>> {
        let (asks, found) = match query {
            Query::Somewhere(test) => (Asks::of_test(test, start)?, Meaning::There),
            Query::Held(_, test) | Query::Ends(test) => {
                (Asks::of_test(test, start)?, Meaning::Perhaps)
            }
            Query::Sequence(streaks) => {
                let mut tests = streaks.iter().flatten();
                let asks = tests.find_map(|test| Asks::of_test(test, start))?;
                (asks, Meaning::Perhaps)
            }
            Query::Manoeuvre(path) => (Asks::Path(path, Progress::default()), Meaning::There),
            Query::Sacrifice(plies) => {
                let scales = Scales::new(*plies, start.board());
                (Asks::Sacrifice(scales), Meaning::There)
            }
            Query::All(parts) => {
                let mut glances = parts.iter().filter_map(|part| Glance::new(part, start));
                return glances.next().map(|part| part.mean(Meaning::with_others));
            }
            Query::Any(parts) => {
                let mut glances = parts.iter().map(|part| Glance::new(part, start));
                let first = glances.next()??;
                return glances.try_fold(first, |all, part| all.or(part?));
            }
            Query::Not(part) => {
                return Glance::new(part, start).map(|part| part.mean(Meaning::of_not));
            }
            Query::Result(_) => return None,
        };
        Some(Glance {
            watch: asks.watch(),
            asks: vec![asks],
            means: [found, Meaning::No],
            ply: 0,
            castled: Castled::default(),
            promotions: true,
            awake: 0,
            found: None,
        })
    }

    fn mean(self, change: impl Fn(Meaning) -> Meaning) -> Glance<'q> {
        Glance {
            means: self.means.map(change),
            ..self
        }
    }

    /// This or that. What is made out only at the end of a game does not go together with what ends
    /// it early.
    fn or(mut self, other: Glance<'q>) -> Option<Glance<'q>> {
        let weighs = |asks: &Asks<'_>| matches!(asks, Asks::Sacrifice(_));
        self.asks.extend(other.asks);
        let fits = self.means[1] == Meaning::No && other.means[1] == Meaning::No;
        if !fits || self.asks.iter().any(weighs) {
            return None;
        }
        if self.means != other.means {
            self.means[0] = Meaning::Perhaps;
        }
        self.watch.also(&other.watch);
        Some(self)
    }

    /// A game begins, in which pawns are promoted or not.
    pub fn begin(&mut self, promotions: bool) {
        self.promotions = promotions;
        (self.ply, self.awake, self.found) = (0, 0, None);
        self.castled = Castled::default();
        self.asks.iter_mut().for_each(Asks::begin);
    }

    /// A ply, and the board behind it. Whether no other need be shown.
    #[inline(always)]
    pub fn step(&mut self, step: &Step, board: &Board) -> bool {
        self.ply += 1;
        self.watch.wakes(step) && self.look(step, board)
    }

    #[inline(never)]
    fn look(&mut self, step: &Step, board: &Board) -> bool {
        let scene = Scene::of_board(board, step);
        self.castled.follow(&scene);
        if self.ply < self.awake {
            return false;
        }
        let moment = Moment {
            scene,
            ply: self.ply,
            castled: self.castled,
        };
        let promotions = self.promotions;
        let looks = self.asks.iter_mut();
        let looks = looks.map(|asks| asks.look(step, &moment, promotions));
        match looks.fold(Outlook::Never, Outlook::or) {
            Outlook::Ahead(plies) => {
                self.awake = self.ply.saturating_add(plies + 1);
                return false;
            }
            Outlook::Found(seen) => self.found = Some(seen),
            Outlook::Never => self.found = Some(Seen::No),
        }
        true
    }

    /// The game ends, or nothing else need be shown: what has been seen.
    pub fn finish(&mut self) -> Seen {
        let left = || self.asks.iter_mut().find_map(Asks::settle).map(Seen::Yes);
        let (meaning, ply) = match self.found.or_else(left) {
            Some(Seen::Yes(ply)) => (self.means[0], ply),
            Some(Seen::No) | None => (self.means[1], 0),
            Some(Seen::Perhaps) => (Meaning::Perhaps, 0),
        };
        match meaning {
            Meaning::There => Seen::Yes(ply),
            Meaning::AtStart => Seen::Yes(0),
            Meaning::No => Seen::No,
            Meaning::Perhaps => Seen::Perhaps,
        }
    }
}

impl<'q> Asks<'q> {
    /// A test that does not hold at the start.
    fn of_test(test: &'q Test, start: &Position) -> Option<Asks<'q>> {
        let moment = Moment {
            scene: Scene::of_position(start, None),
            ply: 0,
            castled: Castled::default(),
        };
        (!test.holds(&moment)).then_some(Asks::Test(test))
    }

    fn watch(&self) -> Watch {
        let mut watch = Watch::default();
        match self {
            Asks::Test(test) => test.watch(&mut watch, true),
            Asks::Path(path, _) => path.watch(&mut watch),
            Asks::Sacrifice(..) => watch.loses(Pieces::ANY),
        }
        watch
    }

    fn begin(&mut self) {
        match self {
            Asks::Test(_) => {}
            Asks::Path(_, progress) => *progress = Progress::default(),
            Asks::Sacrifice(scales) => scales.begin(),
        }
    }

    fn look(&mut self, step: &Step, moment: &Moment<'_>, promotions: bool) -> Outlook {
        let board = moment.scene.board();
        let here = Outlook::Found(Seen::Yes(moment.ply));
        match self {
            Asks::Test(test) => match test.known(moment) {
                Some(true) => here,
                None => Outlook::Found(Seen::Perhaps),
                Some(false) if test.is_ahead(moment) && test.may_come(board, promotions) => {
                    Outlook::Ahead(test.rests(moment))
                }
                Some(false) => Outlook::Never,
            },
            Asks::Path(path, progress) => match path.follow(progress, step) {
                true => here,
                false if path.may_come(board, promotions) => Outlook::Ahead(0),
                false => Outlook::Never,
            },
            Asks::Sacrifice(scales) => match scales.weigh(moment.ply, step, board) {
                Some(ply) => Outlook::Found(Seen::Yes(ply)),
                None => Outlook::Ahead(0),
            },
        }
    }

    /// The game ends: where it is found now.
    fn settle(&mut self) -> Option<u32> {
        match self {
            Asks::Test(_) | Asks::Path(..) => None,
            Asks::Sacrifice(scales) => scales.offers.settle(),
        }
    }
}

impl Scales {
    fn new(plies: u32, start: &Board) -> Scales {
        let start = balance(start);
        Scales {
            plies,
            start,
            balances: [(0, start); 3],
            offers: Offers::default(),
        }
    }

    /// A ply that may have changed the balance: where an offer was made that did not come back.
    fn weigh(&mut self, ply: u32, step: &Step, board: &Board) -> Option<u32> {
        // Since the last ply that was looked at nothing came back.
        if let Some(found) = self.offers.due(ply - 1) {
            return Some(found);
        }
        let now = balance(board);
        let mut balances = self.balances.iter();
        let earlier = balances.find(|(since, _)| since + 2 <= ply);
        let weighed = Weighed {
            ply,
            now,
            earlier: earlier.map(|(_, balance)| *balance),
            captured_by: step.taken.map(|_| step.piece.color),
        };
        self.balances = [(ply, now), self.balances[0], self.balances[1]];
        self.offers.follow(self.plies, &weighed)
    }

    fn begin(&mut self) {
        self.balances = [(0, self.start); 3];
        self.offers = Offers::default();
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Position;

    use super::*;

    /// What a glance sees of games one after the other.
    fn seen(query: &str, games: &[&str]) -> Vec<Seen> {
        let query: Query = query.parse().unwrap();
        let start = Position::initial();
        let mut glance = Glance::new(&query, &start).unwrap();
        let seen = games.iter().map(|moves| {
            glance.begin(moves.contains('='));
            let mut position = start;
            for san in moves.split_whitespace() {
                let before = position;
                let play = position.play_san(san.as_bytes()).unwrap();
                let step = before.step_of(play.to_move().unwrap()).unwrap();
                if glance.step(&step, position.board()) {
                    break;
                }
            }
            glance.finish()
        });
        seen.collect()
    }

    #[test]
    fn boards_answer_what_stands_where() {
        let games = [
            "e4 e5 Nf3 Nc6 Nxe5 Nxe5",
            "d4 d5",
            "e4 d5 exd5 Nf6 c4 e6 dxe6",
        ];
        let ply = |ply| Seen::Yes(ply);
        assert_eq!(
            seen("pattern(Pe4 pe5)", &games),
            [ply(2), Seen::No, Seen::No]
        );
        assert_eq!(
            seen("pattern(0pe5 _e7)", &games),
            [ply(5), Seen::No, ply(6)]
        );
        assert_eq!(seen("pattern(=7p)", &games), [ply(5), Seen::No, ply(3)]);
        assert_eq!(
            seen("material(N=1 n=2)", &games),
            [ply(6), Seen::No, Seen::No]
        );
        assert_eq!(seen("not pattern(Pe2)", &games), [ply(1), Seen::No, ply(1)]);
        assert_eq!(
            seen("pawns(black-files=abcfgh)", &games),
            [Seen::No, Seen::No, ply(7)]
        );
        assert_eq!(
            seen("manoeuvre(Ng1-f3-e5)", &games),
            [ply(5), Seen::No, Seen::No]
        );
    }

    #[test]
    fn a_promoted_pawn_goes_on() {
        let taken = "a4 b5 axb5 a6 bxa6 Nc6 a7 Nb8 axb8=Q Rxb8 Nf3 Rb7";
        let goes_on = "a4 b5 axb5 a6 bxa6 Nc6 a7 Nb8 axb8=Q e6 Qxc7";
        let found = seen("manoeuvre(Pa7-b8-c7)", &[taken, goes_on]);
        assert_eq!(found, [Seen::No, Seen::Yes(11)]);
    }

    #[test]
    fn what_has_just_happened_is_seen() {
        let games = ["e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"];
        let ply = |ply| Seen::Yes(ply);
        for (query, expected) in [
            ("check", [ply(7), Seen::No]),
            ("captured(p)", [ply(7), Seen::No]),
            ("moved(b)", [Seen::No, ply(6)]),
            ("castled(white)", [Seen::No, ply(7)]),
            ("played(O-O)", [Seen::No, ply(7)]),
            ("played(e5)", [ply(2), ply(2)]),
            ("ply(5..) and pattern(Bc4)", [ply(5), ply(5)]),
            ("turn(white) and pattern(Bc4)", [ply(6), ply(6)]),
            ("manoeuvre(Qd1-h5) or manoeuvre(bf8-c5)", [ply(3), ply(6)]),
            (
                "similar(3 r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -)",
                [Seen::No, ply(3)],
            ),
        ] {
            assert_eq!(seen(query, &games), expected, "{query}");
        }
    }

    #[test]
    fn what_is_gone_is_not_waited_for() {
        let query: Query = "pattern(Qa8) or manoeuvre(Qd1-a1)".parse().unwrap();
        let start = Position::initial();
        let mut glance = Glance::new(&query, &start).unwrap();
        let moves = "e4 e5 Qg4 Nf6 Qxd7 Qxd7 d3";
        for (promotions, shown) in [(false, 6), (true, 7)] {
            glance.begin(promotions);
            let mut position = start;
            let ended = moves.split_whitespace().position(|san| {
                let before = position;
                let play = position.play_san(san.as_bytes()).unwrap();
                let step = before.step_of(play.to_move().unwrap()).unwrap();
                glance.step(&step, position.board())
            });
            assert_eq!(ended.map_or(7, |ended| ended + 1), shown);
            assert_eq!(glance.finish(), Seen::No);
        }
    }

    #[test]
    fn material_given_is_weighed_where_it_changes() {
        let games = [
            "e4 e5 f4 exf4 Nf3 g5 h4 g4",
            "d4 d5 c4 dxc4 e3 a6 Bxc4",
            "e4 e5 d4 exd4 c3 d5 exd5",
        ];
        let sacrifice = |plies: u32| seen(&format!("sacrifice({plies})"), &games);
        assert_eq!(sacrifice(4), [Seen::Yes(3), Seen::No, Seen::No]);
        assert_eq!(sacrifice(2), [Seen::Yes(3); 3]);
    }

    #[test]
    fn what_is_nowhere_holds_at_the_start() {
        let games = ["e4 e5", "d4 d5"];
        let (no, start, perhaps) = (Seen::No, Seen::Yes(0), Seen::Perhaps);
        assert_eq!(seen("never(pattern(Pe4))", &games), [no, start]);
        assert_eq!(seen("never(pattern(Pe4)) and check", &games), [no, perhaps]);
        assert_eq!(seen("not held(2, pattern(Pe4))", &games), [perhaps, start]);
        assert_eq!(seen("not never(pattern(Pe4))", &games), [start, no]);
    }

    #[test]
    fn what_boards_do_not_say_is_looked_at_closely() {
        let games = ["e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7", "d4 d5"];
        for query in [
            "pattern(Qf7) and mate",
            "played(Qxf7)",
            "held(2, pattern(Pe4))",
            "sequence(check; pattern(Qh5))",
            "ends(pattern(Qf7))",
            "manoeuvre(Qd1-h5) and result(1-0)",
        ] {
            assert_eq!(seen(query, &games), [Seen::Perhaps, Seen::No], "{query}");
        }
        for query in [
            "never(pattern(Pe2))",
            "pattern(Pe2)",
            "sacrifice(3) or manoeuvre(Ng1-f3)",
            "manoeuvre(Ng1-f3) or result(1-0)",
        ] {
            let query: Query = query.parse().unwrap();
            assert!(
                Glance::new(&query, &Position::initial()).is_none(),
                "{query:?}"
            );
        }
    }
}
