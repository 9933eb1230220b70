//! What is found from signatures and bytes is what a seeker hears.

use std::ops::ControlFlow;

use tabiya_chess::{Board, Color, Piece, Position, Role, Square};
use tabiya_game::{
    Event, Filter, Flow, GameSink, GameTree, Needs,
    generate::{self, Generator, Options},
};
use tabiya_search::{Query, Seeker};

use super::{append, real_games};
use crate::{GameSet, Hit, How, Store, Watch};

/// Numbers that look random.
struct Dice {
    seed: u64,
    rolls: u64,
}

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.rolls += 1;
        (generate::number(self.seed, self.rolls) % sides as u64) as usize
    }

    fn pick<'t>(&mut self, among: &[&'t str]) -> &'t str {
        among[self.below(among.len())]
    }
}

/// The positions of main lines, and the moves that led to them as SAN.
#[derive(Default)]
struct Places {
    positions: Vec<(Position, String)>,
}

impl GameSink for Places {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true).after(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Move {
            before,
            play,
            after: Some(after),
        } = event
        {
            let san = before.san_without_suffix(play).to_string();
            self.positions.push((*after, san));
        }
        Flow::Continue
    }
}

/// Makes questions of every kind that some games answer: they are made from positions.
struct Questions {
    dice: Dice,
    places: Places,
}

impl Questions {
    fn new(seed: u64, games: &[GameTree]) -> Questions {
        let mut places = Places::default();
        for game in games.iter().step_by(7) {
            game.tell(&mut places);
        }
        Questions {
            dice: Dice { seed, rolls: 0 },
            places,
        }
    }

    fn place(&mut self) -> (Position, String) {
        let index = self.dice.below(self.places.positions.len());
        self.places.positions[index].clone()
    }

    fn test(&mut self) -> String {
        let (position, san) = self.place();
        let board = position.board();
        match self.dice.below(17) {
            0 => format!("fen({position})"),
            1 => format!("loose({position})"),
            2 | 3 => format!("pattern({})", self.pattern(board)),
            4 => format!("material({})", material(board)),
            5 => format!("material({})", self.terms(board)),
            6 => format!("pawns({})", self.pawns(board)),
            7 => format!("similar({} {position})", self.dice.below(30)),
            8 => self
                .dice
                .pick(&["turn(white)", "turn(black)", "check"])
                .into(),
            9 => self
                .dice
                .pick(&["mate", "stalemate", "underpromotion"])
                .into(),
            10 => {
                let castled = ["white", "black", "white kingside", "black queenside"];
                format!("castled({})", self.dice.pick(&castled))
            }
            11 => format!("moved({})", self.dice.pick(&["K", "q", "N", "p", "Rr"])),
            12 => format!("captured({})", self.dice.pick(&["", "q", "P", "Rr", "n"])),
            13 => format!("played({san})"),
            14 => format!("ply({}..{})", self.dice.below(40), 40 + self.dice.below(40)),
            15 => format!("mirrored({})", self.pattern(board)),
            _ => format!(
                "pattern({})",
                self.dice.pick(&[
                    "0Pa2",
                    "2Q",
                    "Pa2 ph7",
                    "=1R1",
                    "q",
                    "_e4 pe5",
                    "0Ne =7p",
                    "[!p_]e5",
                    "0*d [!N]f3",
                    "40_",
                    "Kg1 Rf1",
                ])
            ),
        }
    }

    /// Tests that one position answers.
    fn joined(&mut self) -> String {
        match self.dice.below(6) {
            0 => format!("{} and {}", self.test(), self.test()),
            1 => format!("{} or {}", self.test(), self.test()),
            2 => format!("not {}", self.test()),
            _ => self.test(),
        }
    }

    fn pattern(&mut self, board: &Board) -> String {
        let pieces: Vec<(Square, Piece)> = board.iter().collect();
        let words = (0..1 + self.dice.below(3)).map(|_| {
            let (square, piece) = pieces[self.dice.below(pieces.len())];
            let name = square.to_string();
            match self.dice.below(4) {
                0 => format!("{}{}", piece.letter(), &name[..1]),
                1 => format!("{}{}", piece.letter(), &name[1..]),
                _ => format!("{}{name}", piece.letter()),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn terms(&mut self, board: &Board) -> String {
        let count = |color: Color, role: Role| board.of(color, role).count() as i32;
        let (white, black) = (Color::White, Color::Black);
        let pawns = count(white, Role::Pawn) - count(black, Role::Pawn);
        match self.dice.below(5) {
            0 => format!("Q={} q=0..1", count(white, Role::Queen)),
            1 => format!("P-p={pawns} R={}..", count(white, Role::Rook)),
            2 => format!("balance={}..9", self.dice.below(5)),
            3 => format!("p={}..{}", self.dice.below(3), 3 + self.dice.below(6)),
            _ => "opposite-bishops".into(),
        }
    }

    fn pawns(&mut self, board: &Board) -> String {
        let white = board.of(Color::White, Role::Pawn);
        let files: String = white
            .into_iter()
            .map(|pawn| pawn.to_string().remove(0))
            .collect();
        let squares: Vec<String> = white.into_iter().map(|pawn| pawn.to_string()).collect();
        match self.dice.below(4) {
            0 if white.any() => format!("white={}", squares.join(",")),
            1 if white.any() => format!("white-files={files}"),
            2 => self
                .dice
                .pick(&["isolated:white", "doubled", "backward", "hanging"])
                .into(),
            _ => self
                .dice
                .pick(&["passed:black", "iqp", "black=-", "passed:e5"])
                .into(),
        }
    }

    fn query(&mut self) -> String {
        match self.dice.below(14) {
            0 => format!("never({})", self.joined()),
            1 => format!("held({}, {})", 1 + self.dice.below(6), self.joined()),
            2 => format!("sequence({}; {})", self.joined(), self.joined()),
            3 => format!("streak({}; {})", self.joined(), self.joined()),
            4 => {
                let paths = [
                    "Nf3-d2",
                    "ng8-f6-e4",
                    "Pe2-e4",
                    "Bf1-b5",
                    "Rh1-f1",
                    "qd8-d5",
                    "Pa2-a3-a4",
                ];
                format!("manoeuvre({})", self.dice.pick(&paths))
            }
            5 => format!("sacrifice({})", 1 + self.dice.below(8)),
            6 => format!("ends({})", self.joined()),
            7 => format!("result({})", self.dice.pick(&["1-0", "0-1 1/2-1/2", "*"])),
            8 => format!("flip({})", self.joined()),
            9 => format!(
                "somewhere({}) and somewhere({})",
                self.joined(),
                self.joined()
            ),
            10 => format!("not (never({}) and ({}))", self.test(), self.joined()),
            _ => self.joined(),
        }
    }
}

/// `KRPKR`.
fn material(board: &Board) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for role in Role::ALL.into_iter().rev() {
            let letter = role.of(Color::White).letter();
            text.extend(std::iter::repeat_n(letter, board.of(color, role).count()));
        }
    }
    text
}

/// The games in which a seeker finds what is asked when they are told.
fn heard(store: &Store, query: &Query, how: &How<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for number in (1..=store.count()).filter(|number| !store.is_deleted(*number)) {
        if how.among.is_some_and(|among| !among.contains(number)) {
            continue;
        }
        let mut seeker = Seeker::new(query).in_variations(how.variations);
        store.tell(number, &mut seeker).unwrap();
        hits.extend(seeker.found().map(|ply| Hit { number, ply }));
    }
    hits
}

/// Asks a store and a seeker questions; how many games answered.
fn compare(store: &Store, games: &[GameTree], seed: u64, count: usize) -> usize {
    let mut questions = Questions::new(seed, games);
    let some: GameSet = (1..=store.count())
        .filter(|number| number % 3 > 0)
        .collect();
    let mut answers = 0;
    for index in 0..count {
        let text = questions.query();
        let query: Query = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let how = How {
            among: (index % 4 == 0).then_some(&some),
            variations: index % 5 == 0,
            jobs: 1 + index % 3,
            ..How::default()
        };
        let hits = store.search(&query, &how).unwrap();
        assert_eq!(
            hits,
            heard(store, &query, &how),
            "{text} {}",
            how.variations
        );
        answers += hits.len();
    }
    answers
}

fn generated(count: u64) -> Vec<GameTree> {
    let kinds = [(false, false), (true, false), (false, false), (false, true)];
    let generators = kinds.map(|(variations, chess960)| {
        Generator::new(Options {
            variations,
            chess960,
            ..Options::default()
        })
    });
    (0..count)
        .map(|index| generators[index as usize % 4].game(index))
        .collect()
}

#[test]
fn questions_of_every_kind_are_answered_as_by_a_seeker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let games = generated(120);
    append(&path, &games[..80]);
    append(&path, &games[80..]);
    let store = Store::open(&path).unwrap();
    store.mark(&[5, 90], true).unwrap();
    store.replace(7, &games[8]).unwrap();
    store.replace(90, &games[9]).unwrap();
    store.replace(7, &games[10]).unwrap();
    store.replace(100, &games[11]).unwrap();
    let store = Store::open(&path).unwrap();
    let answers = compare(&store, &games, 1, 400);
    assert!(answers > 1_000, "{answers}");
}

#[test]
#[ignore = "reads real games, from the folder that TABIYA_DATA names"]
fn questions_to_real_games_are_answered_as_by_a_seeker() {
    let games = real_games(1_500);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games);
    let store = Store::open(&path).unwrap();
    let answers = compare(&store, &games, 2, 150);
    assert!(answers > 1_000, "{answers}");
}

#[test]
fn a_search_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &generated(4));
    let store = Store::open(&path).unwrap();
    let watch = Watch::new(&|_| ControlFlow::Break(()));
    let how = How {
        watch,
        ..How::default()
    };
    let query = "check".parse().unwrap();
    let error = store.search(&query, &how).unwrap_err();
    assert_eq!(error.kind(), tabiya_game::ErrorKind::Cancelled);
    let filter = Filter {
        comment: Some("so".into()),
        ..Filter::default()
    };
    let error = store.select_watched(&filter, watch).unwrap_err();
    assert_eq!(error.kind(), tabiya_game::ErrorKind::Cancelled);
}
