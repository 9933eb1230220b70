//! How long do questions to all games of a database take? Against a plain scan: pgn-reader and
//! shakmaty over the PGN of the same games, on one thread, in the same process. And how does that grow
//! from a twentieth of the games to all?
//!
//! The games are those of `twic-large` and `SEARCH_GAMES` generated ones (100,000 if it is not said);
//! `SEARCH_FILE` names another file of `pgn`, and `SEARCH_JOBS` how many threads tabiya uses (2). Times
//! on one thread are those of its processor, as far as the system tells them.

use std::{
    env, fs,
    io::{BufReader, Read as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Board, Chess, Color, Move, Piece, Position as _, Role, Square, fen::Fen};
use tabiya_formats::io::Input;
use tabiya_game::Filter;
use tabiya_peers::{data, generated};
use tabiya_search::{Query, scout::Scout};
use tabiya_store::{How, Store};

/// The best of so many counts.
const ROUNDS: usize = 3;

fn number(name: &str, usual: usize) -> usize {
    let said = env::var(name).ok().and_then(|text| text.parse().ok());
    said.unwrap_or(usual)
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    let file = env::var("SEARCH_FILE").unwrap_or_else(|_| "twic-large".into());
    if let Some(data) = data::folder() {
        let mut input = Input::open(data.join(format!("pgn/{file}.pgn.zst"))).expect("a file");
        std::io::copy(&mut input, &mut fs::File::create(&pgn).expect("a file")).expect("a copy");
        compare(&file, &pgn);
    }
    let games = number("SEARCH_GAMES", 100_000) as u64;
    if games > 0 {
        generated::write(games, &pgn).expect("there is room");
        compare(&format!("{games} generated games"), &pgn);
    }
}

fn compare(title: &str, pgn: &Path) {
    println!("\n{title}");
    let small = twentieth(pgn);
    let stores = [import(&small), import(pgn)];
    select(&pgn.with_extension("tabiya"));
    search(&stores, pgn);
}

fn import(pgn: &Path) -> Store {
    let path = pgn.with_extension("tabiya");
    let _ = fs::remove_dir_all(&path);
    let start = Instant::now();
    tabiya::convert(pgn, &path).run().expect("an import");
    let store = Store::open(&path).expect("a store");
    println!(
        "{} games, PGN {} MB, store {} MB, imported in {:.2} s",
        store.count(),
        fs::metadata(pgn).map_or(0, |file| file.len()) / 1_000_000,
        store.bytes() / 1_000_000,
        start.elapsed().as_secs_f64()
    );
    store
}

/// The first games of a file, a twentieth of its text.
fn twentieth(pgn: &Path) -> PathBuf {
    let path = pgn.with_file_name("few.pgn");
    let length = fs::metadata(pgn).expect("a file").len() / 20;
    let mut text = Vec::new();
    let file = fs::File::open(pgn).expect("a file");
    file.take(length).read_to_end(&mut text).expect("text");
    let games = text.windows(9).rposition(|text| text == b"\n\n[Event ");
    text.truncate(games.map_or(0, |end| end + 2));
    fs::write(&path, text).expect("a file");
    path
}

/// How long this thread has been on a processor; by the clock, where nobody tells.
fn processor_time(since: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// The processor time that something takes on this thread, and by the clock; the best of some.
fn best<T>(mut run: impl FnMut() -> T) -> (T, Duration, Duration) {
    let mut rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        let before = processor_time(start);
        let done = run();
        (done, processor_time(start) - before, start.elapsed())
    });
    let first = rounds.next().expect("a round");
    rounds.fold(first, |best, round| {
        (round.0, best.1.min(round.1), best.2.min(round.2))
    })
}

fn select(path: &Path) {
    println!(
        "{:44} {:>9} {:>10} {:>10}",
        "header filters", "games", "first", "warm"
    );
    let none = Filter::default;
    let filters = [
        (
            "player carlsen, magnus",
            Filter {
                player: Some("carlsen, magnus".into()),
                ..none()
            },
        ),
        (
            "player 0042",
            Filter {
                player: Some("player 0042".into()),
                ..none()
            },
        ),
        (
            "white an",
            Filter {
                white: Some("an".into()),
                ..none()
            },
        ),
        (
            "event open",
            Filter {
                event: Some("open".into()),
                ..none()
            },
        ),
        (
            "since 2013",
            Filter {
                since: "2013".parse().ok(),
                ..none()
            },
        ),
        (
            "elo 2600..",
            Filter {
                elo: "2600..".parse().ok(),
                ..none()
            },
        ),
        (
            "eco B9",
            Filter {
                eco: vec!["B9".parse().expect("a code")],
                ..none()
            },
        ),
        (
            "result 0-1",
            Filter {
                result: "0-1".parse().ok(),
                ..none()
            },
        ),
        (
            "plies 100..",
            Filter {
                plies: "100..".parse().ok(),
                ..none()
            },
        ),
    ];
    let store = Store::open(path).expect("a store");
    // Checksums of what is read for the first time are no part of the question.
    let none = Filter {
        eco: vec!["A".parse().expect("a code")],
        plies: "1".parse().ok(),
        ..none()
    };
    let _ = store.select(&none);
    for (name, filter) in filters {
        let start = Instant::now();
        let found = store.select(&filter).expect("an answer").len();
        let first = start.elapsed();
        let (_, warm, _) = best(|| store.select(&filter).expect("an answer"));
        println!(
            "{name:44} {found:>9} {:>7.2} ms {:>7.2} ms",
            ms(first),
            ms(warm)
        );
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// What a rival looks at.
trait Rival {
    fn begin(&mut self, start: &Chess) -> bool {
        self.after(start)
    }

    /// Before a move is played. Whether it is found.
    fn before(&mut self, _: &Chess, _: Move) -> bool {
        false
    }

    /// Behind it.
    fn after(&mut self, _: &Chess) -> bool {
        false
    }
}

/// What a board has.
struct OnBoard(fn(&Board) -> bool);

impl Rival for OnBoard {
    fn after(&mut self, position: &Chess) -> bool {
        (self.0)(position.board())
    }
}

/// A white knight goes from square to square.
struct Knight {
    path: [Square; 4],
    /// On which squares one stands that has come all the way.
    come: [bool; 4],
}

impl Rival for Knight {
    fn begin(&mut self, _: &Chess) -> bool {
        self.come = [true, false, false, false];
        false
    }

    fn before(&mut self, before: &Chess, play: Move) -> bool {
        let place = |square: Square| self.path.iter().position(|at| *at == square);
        let to = place(play.to());
        if before.turn() == Color::Black {
            if let Some(gone @ 1..) = to {
                self.come[gone] = false;
            }
            return false;
        }
        let Some(at) = play.from().and_then(place) else {
            return false;
        };
        let goes_on = play.role() == Role::Knight && self.come[at] && to == Some(at + 1);
        self.come[at] = at == 0;
        if goes_on {
            self.come[at + 1] = true;
        }
        self.come[3]
    }
}

struct Underpromotion;

impl Rival for Underpromotion {
    fn before(&mut self, _: &Chess, play: Move) -> bool {
        play.promotion().is_some_and(|role| role != Role::Queen)
    }
}

const FRENCH: &str = "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3";

/// A question, and a rival that knows the answer.
type Asked = (String, Option<Box<dyn Rival>>);

fn questions() -> Vec<Asked> {
    let on_board =
        |ask: fn(&Board) -> bool| -> Option<Box<dyn Rival>> { Some(Box::new(OnBoard(ask))) };
    let knight = Knight {
        path: [Square::F3, Square::D2, Square::F1, Square::G3],
        come: [false; 4],
    };
    let asked = |text: &str, rival| (text.to_string(), rival);
    vec![
        asked(
            "material(KBNK)",
            on_board(|board| has(board, [[0, 1, 1, 0, 0], [0; 5]])),
        ),
        asked(
            "material(KRPKR)",
            on_board(|board| has(board, [[1, 0, 0, 1, 0], [0, 0, 0, 1, 0]])),
        ),
        asked(
            "material(R=1 r=1 B=1 b=0 N=0 n=1 Q=1 q=1)",
            on_board(|board| {
                let counts = [
                    (Role::Rook, 1, 1),
                    (Role::Bishop, 1, 0),
                    (Role::Knight, 0, 1),
                    (Role::Queen, 1, 1),
                ];
                counts.into_iter().all(|(role, white, black)| {
                    count(board, Color::White, role) == white
                        && count(board, Color::Black, role) == black
                })
            }),
        ),
        asked(
            "pattern(Nd5 Pe4 pd6)",
            on_board(|board| {
                let there = |square, color, role: Role| {
                    board.piece_at(square) == Some(Piece { color, role })
                };
                there(Square::D5, Color::White, Role::Knight)
                    && there(Square::E4, Color::White, Role::Pawn)
                    && there(Square::D6, Color::Black, Role::Pawn)
            }),
        ),
        asked(
            "pattern(2R7)",
            on_board(|board| {
                let rooks = board.by_role(Role::Rook) & board.by_color(Color::White);
                (rooks & shakmaty::Bitboard::from_rank(shakmaty::Rank::Seventh)).count() >= 2
            }),
        ),
        asked("manoeuvre(Nf3-d2-f1-g3)", Some(Box::new(knight))),
        asked(&format!("similar(8 {FRENCH})"), None),
        asked("pawns(iqp:white)", None),
        asked("sacrifice(10)", None),
        asked("sequence(pattern(Nd5); captured(q))", None),
        asked("streak(moved(N); captured(N); captured(n))", None),
        asked(r#"{"white-move": "Nd5", "captured": "N"}"#, None),
        asked(
            "loose(r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -)",
            None,
        ),
        asked("underpromotion", Some(Box::new(Underpromotion))),
    ]
}

fn search(stores: &[Store; 2], pgn: &Path) {
    let jobs = number("SEARCH_JOBS", 2);
    println!(
        "{:44} {:>9} {:>10} {:>10} {:>10} {:>14} {:>7}",
        "questions to moves",
        "games",
        "a 20th",
        "all",
        format!("{jobs} threads"),
        "shakmaty, PGN",
        "ratio"
    );
    for (text, rival) in questions() {
        let scout = text
            .starts_with('{')
            .then(|| text.parse::<Scout>().expect("a query"));
        let query = match scout {
            Some(scout) => scout.query,
            None => text.parse::<Query>().expect("a question"),
        };
        let ask = |store: &Store, jobs| {
            let how = How {
                jobs,
                ..How::default()
            };
            store.search(&query, &how).expect("an answer").len()
        };
        let [few, all] = stores;
        ask(all, jobs);
        let (_, small, _) = best(|| ask(few, 1));
        let (found, one, _) = best(|| ask(all, 1));
        let (_, _, several) = best(|| ask(all, jobs));
        let label: String = text.chars().take(44).collect();
        print!(
            "{label:44} {found:>9} {:>7.1} ms {:>7.1} ms {:>7.1} ms",
            ms(small),
            ms(one),
            ms(several)
        );
        match rival {
            Some(rival) => {
                let (theirs, time) = scan(pgn, rival);
                assert_eq!(theirs, found, "{text}");
                println!(" {:>11.0} ms {:>6.0}x", ms(time), ms(time) / ms(one));
            }
            None => println!(),
        }
    }
}

fn count(board: &Board, color: Color, role: Role) -> usize {
    (board.by_role(role) & board.by_color(color)).count()
}

/// Whether each side has so many pawns, knights, bishops, rooks and queens.
fn has(board: &Board, counts: [[usize; 5]; 2]) -> bool {
    let roles = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    [Color::White, Color::Black]
        .into_iter()
        .zip(counts)
        .all(|(color, counts)| {
            let mut counts = roles.into_iter().zip(counts);
            counts.all(|(role, wanted)| count(board, color, role) == wanted)
        })
}

/// How many games of a file a rival finds, and how long it takes to know.
fn scan(pgn: &Path, rival: Box<dyn Rival>) -> (usize, Duration) {
    let start = Instant::now();
    let before = processor_time(start);
    let file = fs::File::open(pgn).expect("a file");
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file));
    let mut asker = Asker(rival);
    let games = reader.read_games(&mut asker);
    let found = games
        .filter(|game| *game.as_ref().expect("readable text"))
        .count();
    (found, processor_time(start) - before)
}

struct Asker(Box<dyn Rival>);

impl Visitor for Asker {
    type Tags = Option<Fen>;
    type Movetext = (Chess, bool);
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, Option<Fen>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Option<Fen>, name: &[u8], value: RawTag<'_>) -> ControlFlow<bool> {
        if name == b"FEN" {
            *tags = Fen::from_ascii(value.as_bytes()).ok();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Option<Fen>) -> ControlFlow<bool, (Chess, bool)> {
        let mode = shakmaty::CastlingMode::Chess960;
        let start = match tags {
            Some(fen) => fen.into_position(mode).ok(),
            None => Some(Chess::default()),
        };
        match start {
            Some(start) => {
                let found = self.0.begin(&start);
                ControlFlow::Continue((start, found))
            }
            None => ControlFlow::Break(false),
        }
    }

    fn begin_variation(&mut self, _: &mut (Chess, bool)) -> ControlFlow<bool, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, state: &mut (Chess, bool), san: SanPlus) -> ControlFlow<bool> {
        let (position, _) = state;
        let Ok(play) = san.san.to_move(position) else {
            return ControlFlow::Break(false);
        };
        let found = self.0.before(position, play);
        position.play_unchecked(play);
        match found || self.0.after(position) {
            true => ControlFlow::Break(true),
            false => ControlFlow::Continue(()),
        }
    }

    fn end_game(&mut self, (_, found): (Chess, bool)) -> bool {
        found
    }
}
