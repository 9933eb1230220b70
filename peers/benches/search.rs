//! How long do questions to all games of a database take? Against a plain scan: pgn-reader and
//! shakmaty over the PGN of the same games, on one thread, in the same process.
//!
//! The games are those of `twic-large` and `SEARCH_GAMES` generated ones (100,000 if it is not said);
//! `SEARCH_FILE` names another file of `pgn`, and `SEARCH_JOBS` how many threads tabiya uses (2).

use std::{
    env, fs,
    io::{BufReader, Write as _},
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Board, Chess, Color, Position as _, Role, Square, fen::Fen};
use tabiya_formats::{io::Input, pgn};
use tabiya_game::{
    Filter,
    generate::{Generator, Options},
};
use tabiya_peers::data;
use tabiya_search::Query;
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
        generate(games, &pgn);
        compare(&format!("{games} generated games"), &pgn);
    }
}

/// Games that share openings.
fn generate(games: u64, path: &Path) {
    let generator = Generator::new(Options {
        games,
        book: true,
        ..Options::default()
    });
    let mut writer = pgn::Writer::new(pgn::WriteOptions::default());
    let mut out = fs::File::create(path).expect("a file");
    for index in 0..games {
        generator.game(index).tell(&mut writer);
        if writer.len() > 1 << 20 || index + 1 == games {
            out.write_all(&writer.take()).expect("a file");
        }
    }
}

fn compare(title: &str, pgn: &Path) {
    let store = pgn.with_extension("tabiya");
    let _ = fs::remove_dir_all(&store);
    let start = Instant::now();
    tabiya::convert(pgn, &store).run().expect("an import");
    let bytes = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
    let opened = Store::open(&store).expect("a store");
    println!(
        "\n{title}: {} games, PGN {} MB, store {} MB, imported in {:.2} s",
        opened.count(),
        bytes(pgn) / 1_000_000,
        opened.bytes() / 1_000_000,
        start.elapsed().as_secs_f64()
    );
    select(&store);
    search(&opened, pgn);
}

fn best<T>(mut run: impl FnMut() -> T) -> (T, Duration) {
    let mut rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        let done = run();
        (done, start.elapsed())
    });
    let first = rounds.next().expect("a round");
    rounds.fold(
        first,
        |best, round| if round.1 < best.1 { round } else { best },
    )
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
        let (_, warm) = best(|| store.select(&filter).expect("an answer"));
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

/// What a rival asks of a board.
type Rival = fn(&Board) -> bool;

fn search(store: &Store, pgn: &Path) {
    let jobs = number("SEARCH_JOBS", 2);
    println!(
        "{:44} {:>9} {:>10} {:>10} {:>14} {:>7}",
        "questions to moves",
        "games",
        "1 thread",
        format!("{jobs} threads"),
        "shakmaty, PGN",
        "ratio"
    );
    let questions: [(&str, Option<Rival>); 9] = [
        (
            "material(KBNK)",
            Some(|board| has(board, [[0, 1, 1, 0, 0], [0; 5]])),
        ),
        (
            "material(KRPKR)",
            Some(|board| has(board, [[1, 0, 0, 1, 0], [0, 0, 0, 1, 0]])),
        ),
        ("material(R=1 r=1 B=1 b=0 N=0 n=1 Q=1 q=1)", None),
        (
            "pattern(Nd5 Pe4 pd6)",
            Some(|board| {
                let there =
                    |square, color, role: Role| board.piece_at(square) == Some(role.of(color));
                there(Square::D5, Color::White, Role::Knight)
                    && there(Square::E4, Color::White, Role::Pawn)
                    && there(Square::D6, Color::Black, Role::Pawn)
            }),
        ),
        ("pattern(2R7)", None),
        ("manoeuvre(Nf3-d2-f1-g3)", None),
        (
            "fen(r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3)",
            None,
        ),
        ("underpromotion", None),
        ("sacrifice(10)", None),
    ];
    for (text, rival) in questions {
        let query: Query = text.parse().expect("a question");
        let ask = |jobs| {
            let how = How {
                jobs,
                ..How::default()
            };
            store.search(&query, &how).expect("an answer").len()
        };
        ask(jobs);
        let (found, one) = best(|| ask(1));
        let (_, several) = best(|| ask(jobs));
        let label: String = text.chars().take(44).collect();
        print!(
            "{label:44} {found:>9} {:>7.1} ms {:>7.1} ms",
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
            roles
                .into_iter()
                .zip(counts)
                .all(|(role, count)| (board.by_role(role) & board.by_color(color)).count() == count)
        })
}

/// How many games of a file have a board that a rival asks for, and how long it takes to know.
fn scan(pgn: &Path, asks: Rival) -> (usize, Duration) {
    let start = Instant::now();
    let file = fs::File::open(pgn).expect("a file");
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file));
    let mut asker = Asker(asks);
    let games = reader.read_games(&mut asker);
    let found = games
        .filter(|game| *game.as_ref().expect("readable text"))
        .count();
    (found, start.elapsed())
}

struct Asker(Rival);

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
                let found = (self.0)(start.board());
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
        match san.san.to_move(position) {
            Ok(play) => position.play_unchecked(play),
            Err(_) => return ControlFlow::Break(false),
        }
        match (self.0)(position.board()) {
            true => ControlFlow::Break(true),
            false => ControlFlow::Continue(()),
        }
    }

    fn end_game(&mut self, (_, found): (Chess, bool)) -> bool {
        found
    }
}
