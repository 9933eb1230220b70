//! What does the index of positions cost, and how quick does it answer? Against a scan of all games, as
//! programs without an index do it: shakmaty plays the moves of every game from memory, on one thread, in
//! the same process; and against the Scid that is installed.
//!
//! The games are those of `twic-large` and `INDEX_GAMES` generated ones (100,000 if it is not said; 0 for
//! none); `INDEX_FILE` names another file of `pgn`, or is empty for none. Times are those of processors:
//! a busy machine does not change them much.

use std::{
    env, fs,
    io::BufReader,
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};
use tabiya_chess::Position;
use tabiya_formats::io::Input;
use tabiya_game::{Filter, GameTree, generate::number};
use tabiya_peers::{data, generated, scid::Scid};
use tabiya_store::Store;

/// So many positions are asked for.
const QUESTIONS: usize = 1_000;
/// And so many of the rivals, which take longer.
const FEW: usize = 4;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    let file = env::var("INDEX_FILE").unwrap_or_else(|_| "twic-large".into());
    if let Some(data) = data::folder().filter(|_| !file.is_empty()) {
        let mut input = Input::open(data.join(format!("pgn/{file}.pgn.zst"))).expect("a file");
        std::io::copy(&mut input, &mut fs::File::create(&pgn).expect("a file")).expect("a copy");
        compare(&file, &pgn);
    }
    let games = env::var("INDEX_GAMES").map_or(100_000, |text| text.parse().expect("a number"));
    if games > 0 {
        generated::write(games, &pgn).expect("there is room");
        compare(&format!("{games} generated games"), &pgn);
    }
}

fn compare(title: &str, pgn: &Path) {
    let (one, twelve) = (
        pgn.with_extension("tabiya"),
        pgn.with_extension("12.tabiya"),
    );
    for path in [&one, &twelve] {
        let _ = fs::remove_dir_all(path);
    }
    println!("\n{title}");
    build(pgn, &one);
    let store = Store::open(&one).expect("a store");
    let asked = Asked::pick(&store);
    questions(&store, &asked);
    scan(pgn, &store, &asked);
    if let Some(scid) = Scid::find() {
        search(&scid, pgn, &store, &asked);
    }
    split(&store, &twelve);
    questions(&Store::open(&twelve).expect("a store"), &asked);
}

/// The time of processors that this process has used.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// What something takes: of processors, and on the wall.
fn cost<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let (wall, before) = (Instant::now(), cpu());
    let done = work();
    let cpu = cpu() - before;
    (done, cpu.as_secs_f64(), wall.elapsed().as_secs_f64())
}

fn build(pgn: &Path, path: &Path) {
    let import = || tabiya::convert(pgn, path).run().expect("an import");
    let (_, all, all_wall) = cost(import);
    let store = Store::open(path).expect("a store");
    let (_, index, index_wall) = cost(|| store.reindex(512 << 20).expect("an index"));
    let store = Store::open(path).expect("a store");
    println!(
        "  {} games in {} segments; index {:.1} B/game",
        store.count(),
        store.segments(),
        store.index_bytes() as f64 / store.count() as f64
    );
    println!("  import with index  {all:>8.2} s of processors {all_wall:>8.2} s on the wall");
    println!("  the index alone    {index:>8.2} s of processors {index_wall:>8.2} s on the wall");
    println!("  import without     {:>8.2} s of processors", all - index);
}

/// The same games in twelve segments.
fn split(store: &Store, path: &Path) {
    let (count, mut game) = (store.count(), GameTree::default());
    for part in 0..12 {
        let mut importer = Store::import(path).expect("a store");
        for number in count * part / 12..count * (part + 1) / 12 {
            store.tell(number + 1, &mut game).expect("a game");
            importer.add(&game).expect("there is room");
        }
        // Dropped, so that segments stay as they are.
        drop(importer.finish().expect("it is written"));
    }
}

/// Positions that come up in games.
struct Asked {
    repeated: Vec<Position>,
    once: Vec<Position>,
}

impl Asked {
    /// Any positions of any games, until there are enough of both kinds.
    fn pick(store: &Store) -> Asked {
        let (mut repeated, mut once) = (Vec::new(), Vec::new());
        let mut game = GameTree::default();
        for index in 0.. {
            if repeated.len().min(once.len()) == QUESTIONS {
                break;
            }
            let told = store.tell(1 + number(7, index) % store.count(), &mut game);
            told.expect("a game");
            let place = number(8, index) as usize % game.main_line().count().max(1);
            let Some((position, _)) = game.main_line().nth(place) else {
                continue;
            };
            let hits = store.games_at(&position, None).expect("an answer").len();
            let kind = if hits > 1 { &mut repeated } else { &mut once };
            if kind.len() < QUESTIONS {
                kind.push(position);
            }
        }
        Asked { repeated, once }
    }
}

fn questions(store: &Store, asked: &Asked) {
    println!(
        "  {} segment(s), ms of processors          {:>9} {:>9} {:>9}",
        store.segments(),
        "half",
        "99 of 100",
        "most"
    );
    let filter = Filter {
        elo: "2400..".parse().ok(),
        ..Filter::default()
    };
    let start = [Position::initial()];
    let kinds = [
        ("repeated", &*asked.repeated),
        ("once", &*asked.once),
        ("start", &start),
    ];
    for (kind, positions) in kinds {
        report(kind, "games, how many", positions, |position| {
            store.games_at(position, None).expect("an answer").len()
        });
        report(kind, "games, all of them", positions, |position| {
            store.games_at(position, None).expect("an answer").count() as u64
        });
        report(kind, "tree", positions, |position| {
            tree(store, position, None)
        });
        report(kind, "filter and games", positions, |position| {
            let among = store.select(&filter).expect("an answer");
            store
                .games_at(position, Some(&among))
                .expect("an answer")
                .len()
        });
        report(kind, "filter and tree", positions, |position| {
            tree(store, position, Some(&filter))
        });
    }
}

fn tree(store: &Store, position: &Position, filter: Option<&Filter>) -> u64 {
    let among = filter.map(|filter| store.select(filter).expect("an answer"));
    let answer = store.tree_at(position, among.as_ref()).expect("an answer");
    answer.total.games()
}

fn report(kind: &str, name: &str, positions: &[Position], ask: impl Fn(&Position) -> u64) {
    let mut times: Vec<f64> = positions
        .iter()
        .map(|position| cost(|| std::hint::black_box(ask(position))).1 * 1e3)
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!(
        "    {kind:9} {name:28} {:>9.3} {:>9.3} {:>9.3}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// Some positions of both kinds, and how a rival is told of them.
fn few(asked: &Asked) -> impl Iterator<Item = (Position, String)> {
    let some = asked.repeated[..FEW].iter().chain(&asked.once[..FEW]);
    let all = std::iter::once(Position::initial()).chain(some.copied());
    all.map(|position| (position, position.to_setup().to_string()))
}

/// Asks for a position as whoever wants games and moves does.
fn ours(store: &Store, position: &Position) -> (u64, f64) {
    let ask = || {
        tree(store, position, None);
        store.games_at(position, None).expect("an answer").len()
    };
    ask();
    let (games, time, _) = cost(ask);
    (games, time)
}

fn print_ratio(rival: &str, fen: &str, games: u64, time: f64, ours: f64) {
    let (theirs, ratio) = (time * 1e3, time / ours);
    println!(
        "    {rival} {theirs:>9.1} ms, tabiya {:>7.3}: {ratio:>7.0}x  {games:>7} games  {fen}",
        ours * 1e3
    );
}

/// Every game is played until the position is there.
fn scan(pgn: &Path, store: &Store, asked: &Asked) {
    let file = BufReader::with_capacity(1 << 20, fs::File::open(pgn).expect("a file"));
    let mut games = Games::default();
    for game in Reader::new(file).read_games(&mut games) {
        game.expect("readable text");
    }
    for (position, fen) in few(asked) {
        let wanted: Fen = fen.parse().expect("a position");
        let wanted: Chess = wanted
            .into_position(CastlingMode::Chess960)
            .expect("a position");
        let (found, time, _) = cost(|| games.have(&wanted));
        let (games, ours) = ours(store, &position);
        assert_eq!(found, games, "{fen}");
        print_ratio("scan", &fen, games, time, ours);
    }
}

/// Games as starts and moves.
#[derive(Default)]
struct Games {
    /// Each with the place of its first move.
    games: Vec<(Chess, usize)>,
    moves: Vec<shakmaty::Move>,
}

impl Games {
    /// How many have a position.
    fn have(&self, wanted: &Chess) -> u64 {
        let ends = self.games.iter().skip(1).map(|(_, place)| *place);
        let ends = ends.chain([self.moves.len()]);
        let has = |((start, place), end): &(&(Chess, usize), usize)| {
            let mut position = start.clone();
            let mut moves = self.moves[*place..*end].iter();
            loop {
                if is_same(&position, wanted) {
                    return true;
                }
                match moves.next() {
                    Some(play) => position.play_unchecked(*play),
                    None => return false,
                }
            }
        };
        self.games.iter().zip(ends).filter(has).count() as u64
    }
}

/// En passant counts where it is legal.
fn is_same(one: &Chess, other: &Chess) -> bool {
    let ep = |position: &Chess| position.ep_square(EnPassantMode::Legal);
    one.turn() == other.turn()
        && one.board() == other.board()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && ep(one) == ep(other)
}

impl Visitor for Games {
    type Tags = Option<Fen>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Fen>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Option<Fen>, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            *tags = Fen::from_ascii(value.as_bytes()).ok();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Option<Fen>) -> ControlFlow<(), Chess> {
        let start = match tags {
            Some(fen) => fen.into_position(CastlingMode::Chess960).ok(),
            None => Some(Chess::default()),
        };
        let Some(start) = start else {
            return ControlFlow::Break(());
        };
        self.games.push((start.clone(), self.moves.len()));
        ControlFlow::Continue(start)
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        let Ok(play) = san.san.to_move(position) else {
            return ControlFlow::Break(());
        };
        position.play_unchecked(play);
        self.moves.push(play);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) {}
}

/// Scid's search for a position, in a process of its own whose start does not count.
fn search(scid: &Scid, pgn: &Path, store: &Store, asked: &Asked) {
    let base = pgn.with_file_name("theirs");
    for kind in ["si4", "sn4", "sg4"] {
        let _ = fs::remove_file(base.with_extension(kind));
    }
    let mut script = format!(
        "set base [sc_base create SCID4 {}]
        sc_base import $base {}
        sc_base switch $base
        proc ask fen {{
            sc_game startBoard $fen
            set time [lindex [time {{ sc_search board RESET E 0 0 }}] 0]
            puts \"$time [sc_filter count]\"
        }}\n",
        base.display(),
        pgn.display()
    );
    let asked: Vec<(Position, String)> = few(asked).collect();
    for (_, fen) in &asked {
        script += &format!("ask {{{fen}}}\n");
    }
    let said = scid.run(&script);
    for ((position, fen), line) in asked.iter().zip(said.lines()) {
        let numbers: Vec<u64> = line
            .split(' ')
            .map(|number| number.parse().expect("a number"))
            .collect();
        // It does not ask who may castle: it may find more games.
        print_ratio(
            "Scid",
            fen,
            numbers[1],
            numbers[0] as f64 / 1e6,
            ours(store, position).1,
        );
    }
}
