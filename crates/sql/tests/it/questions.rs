//! The questions of `docs/sql-questions.md`, compared with a slow look at every game.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    fs,
    path::Path,
};

use tabiya::{
    Action, GameResult, GameState, GameTree, Item, Position,
    openings::{Classifier, Openings},
    search::{Exact, Query},
};
use tabiya_chess::{Color, Variant};
use tabiya_game::Annotation;
use tabiya_search::{Seeker, material::spelled};
use tabiya_sql::Session;

use crate::{
    room::{Room, ask, session},
    samples::{self, Samples},
};

/// The player that the page asks about.
const PLAYER: &str = "Kasparov, Garry";

/// Rows of texts.
type Rows = Vec<Vec<String>>;

/// The SQL of the page, in its order.
fn questions() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql-questions.md");
    let page = fs::read_to_string(path).expect("the page");
    let blocks = page.split("```sql\n").skip(1);
    let sql = blocks.map(|block| block.split(";\n```").next().expect("a question"));
    sql.map(str::to_owned).collect()
}

/// A game that was looked at whole.
struct Seen {
    id: usize,
    tree: GameTree,
    /// All positions of the main line.
    positions: Vec<Position>,
    /// What was played in all but the last.
    sans: Vec<String>,
    uci: String,
    opening: Option<String>,
}

impl Seen {
    fn new(id: usize, tree: GameTree) -> Seen {
        let mut positions = vec![tree.start];
        let (mut sans, mut uci) = (Vec::new(), Vec::new());
        for (before, action) in tree.main_line() {
            let mut after = before;
            after.act(action);
            positions.push(after);
            let (san, move_uci) = match action {
                Action::Move(play) => (before.san(play).to_string(), before.uci(play).to_string()),
                Action::Null => ("--".into(), "0000".into()),
            };
            sans.push(san);
            uci.push(move_uci);
        }
        let mut classifier = Classifier::new(Openings::eco());
        tree.tell(&mut classifier);
        let opening = classifier.found().map(|(opening, _)| opening.eco.clone());
        Seen {
            id,
            positions,
            sans,
            uci: uci.join(" "),
            opening,
            tree,
        }
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tree.tags.get(name)
    }

    fn white(&self) -> &str {
        self.tag("White").unwrap_or_default()
    }

    fn black(&self) -> &str {
        self.tag("Black").unwrap_or_default()
    }

    fn result(&self) -> &'static str {
        self.tree.result.tag()
    }

    /// Year, month and day, zeros for what is not known.
    fn date(&self) -> Option<(u32, u32, u32)> {
        let mut parts = self.tag("Date")?.split('.');
        let mut part = || Some(parts.next()?.parse().unwrap_or(0));
        Some((part()?, part()?, part()?))
    }

    fn year(&self) -> Option<u32> {
        self.date()
            .map(|(year, _, _)| year)
            .filter(|year| *year > 0)
    }

    fn plies(&self) -> usize {
        self.sans.len()
    }

    fn is_usual(&self) -> bool {
        self.positions[0] == Position::initial()
    }

    /// After how many plies it has a position.
    fn ply_of(&self, fen: &str) -> Option<usize> {
        let exact = Exact::from_fen(fen).expect("a FEN");
        self.positions
            .iter()
            .position(|position| exact.fits(position))
    }

    fn answers(&self, query: &str) -> bool {
        let query: Query = query.parse().expect("a question");
        let mut seeker = Seeker::new(&query);
        self.tree.tell(&mut seeker);
        seeker.found().is_some()
    }

    /// Points of a side, if they are known.
    fn points(&self, side: Color) -> Option<f64> {
        let white = match self.tree.result {
            GameResult::WhiteWins | GameResult::WhiteWinsByForfeit => 1.0,
            GameResult::BlackWins | GameResult::BlackWinsByForfeit => 0.0,
            GameResult::Draw => 0.5,
            _ => return None,
        };
        Some(match side {
            Color::White => white,
            Color::Black => 1.0 - white,
        })
    }

    /// The clocks behind the plies of the main line, in milliseconds.
    fn clocks(&self) -> Vec<u128> {
        let mut clocks = Vec::new();
        let (mut depth, mut open) = (0, false);
        for item in &self.tree.items {
            match item {
                Item::VariationStart => depth += 1,
                Item::VariationEnd => depth -= 1,
                Item::Move(_) | Item::Null if depth == 0 => open = true,
                Item::Annotation(Annotation::Clock(left)) if depth == 0 && open => {
                    clocks.push(left.as_millis());
                    open = false;
                }
                Item::Comment { text, .. } if depth == 0 && open => {
                    if let Some(clock) = clock_in(text) {
                        clocks.push(clock);
                        open = false;
                    }
                }
                _ => {}
            }
        }
        clocks
    }
}

/// The time of `[%clk 1:02:03.5]` in a comment.
fn clock_in(text: &str) -> Option<u128> {
    let (_, behind) = text.split_once("[%clk ")?;
    let (time, _) = behind.split_once(']')?;
    let mut seconds = 0.0;
    for part in time.trim().split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok()?;
    }
    Some((seconds * 1000.0).round() as u128)
}

/// A score in percent with one decimal, as SQL prints it; nothing if there is none.
fn percent(points: impl Iterator<Item = Option<f64>>) -> String {
    let known: Vec<f64> = points.flatten().collect();
    match known.is_empty() {
        true => String::new(),
        false => rounded(100.0 * known.iter().sum::<f64>() / known.len() as f64),
    }
}

fn rounded(number: f64) -> String {
    format!("{:?}", (number * 10.0).round() / 10.0)
}

fn row(cells: &[&dyn ToString]) -> Vec<String> {
    cells.iter().map(|cell| cell.to_string()).collect()
}

fn found(games: &[Seen], is_it: impl Fn(&Seen) -> bool) -> Rows {
    let found = games.iter().filter(|game| is_it(game));
    found
        .map(|game| row(&[&game.id, &game.white(), &game.black()]))
        .collect()
}

/// Games by something.
fn grouped<K: Ord>(games: &[Seen], key: impl Fn(&Seen) -> Option<K>) -> BTreeMap<K, Vec<&Seen>> {
    let mut groups: BTreeMap<K, Vec<&Seen>> = BTreeMap::new();
    for game in games {
        if let Some(key) = key(game) {
            groups.entry(key).or_default().push(game);
        }
    }
    groups
}

/// Groups with the most games first, then in the order of their keys.
fn by_size<K: Ord>(groups: BTreeMap<K, Vec<&Seen>>) -> Vec<(K, Vec<&Seen>)> {
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, games)| usize::MAX - games.len());
    groups
}

const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const GAMBIT: &str = "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4";

/// The answer to a question, by its number.
fn slowly(number: usize, games: &[Seen], player: &str) -> Rows {
    match number {
        1 => explorer(games),
        2 => {
            let hits = games
                .iter()
                .filter_map(|game| Some((game, game.ply_of(GAMBIT)?)));
            hits.map(|(game, ply)| row(&[&game.id, &game.white(), &game.black(), &ply]))
                .collect()
        }
        3 => found(games, |game| {
            game.ply_of(SICILIAN).is_some() && [game.white(), game.black()].contains(&player)
        }),
        4 => found(games, |game| game.answers("flip(played(Bxh7) and check)")),
        5 => found(games, |game| game.answers("flip(material(KRPKR))")),
        6 => {
            let hits = games.iter().filter(|game| {
                game.answers("sacrifice(10)") && ["1-0", "0-1"].contains(&game.result())
            });
            hits.map(|game| row(&[&game.id, &game.white(), &game.black(), &game.result()]))
                .collect()
        }
        7 => {
            let groups = grouped(games, |game| Some(game.tree.state == GameState::Broken));
            groups
                .iter()
                .map(|(broken, games)| row(&[broken, &games.len()]))
                .collect()
        }
        8 => copies(games),
        9 => surnames(games),
        10 => {
            let count = games.iter().filter(|game| {
                game.year()
                    .is_some_and(|year| (1950..=2030).contains(&year))
                    && (40..=80).contains(&game.plies())
            });
            vec![row(&[&count.count()])]
        }
        11 => lengths(games),
        12 => colours(games, player),
        13 => {
            let wrong = |game: &Seen| {
                let tagged = game.tag("ECO").filter(|tag| !tag.is_empty())?;
                let played = game.opening.clone()?;
                let code: String = tagged.chars().take(3).collect();
                (code != played).then(|| (tagged.to_owned(), played))
            };
            let groups = by_size(grouped(games, wrong)).into_iter();
            groups
                .map(|((tagged, played), games)| row(&[&tagged, &played, &games.len()]))
                .collect()
        }
        14 => lines(games, player),
        15 => first(games),
        16 => {
            let is_it = |game: &Seen| game.tree.start.variant() == Variant::Chess960;
            let start = |game: &Seen| is_it(game).then(|| game.positions[0].to_string());
            let groups = by_size(grouped(games, start)).into_iter();
            groups
                .map(|(start, games)| row(&[&start, &games.len()]))
                .collect()
        }
        17 => {
            let is_it =
                |game: &Seen| game.tree.start.variant() == Variant::Standard && !game.is_usual();
            let start = |game: &Seen| is_it(game).then(|| spelled(game.positions[0].board()));
            let groups = grouped(games, start).into_iter();
            groups
                .map(|(start, games)| row(&[&start, &games.len()]))
                .collect()
        }
        18 => {
            let clocks = games.iter().map(|game| (game.id, game.clocks()));
            let clocks = clocks.filter_map(|(id, clocks)| {
                let least = clocks.iter().min()? / 1000;
                Some(row(&[&id, &clocks.len(), &least]))
            });
            clocks.collect()
        }
        19 => {
            let start = Exact::new(Position::initial());
            let plays = |game: &&Seen| {
                let mut plies = game.positions.iter().zip(&game.sans);
                plies.any(|(position, san)| start.fits(position) && san == "d4")
            };
            let behind = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1";
            let reaches = |game: &&Seen| game.ply_of(behind).is_some();
            let count = |games: usize| games;
            vec![row(&[
                &count(games.iter().filter(plays).count()),
                &count(games.iter().filter(reaches).count()),
            ])]
        }
        20 => {
            let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
            let there: Vec<&Seen> = games
                .iter()
                .filter(|game| game.ply_of(fen).is_some())
                .collect();
            let mine = there.iter().filter(|game| game.white() == player);
            vec![row(&[
                &there.len(),
                &percent(there.iter().map(|game| game.points(Color::White))),
                &percent(mine.map(|game| game.points(Color::White))),
            ])]
        }
        _ => unreachable!("there are twenty"),
    }
}

fn explorer(games: &[Seen]) -> Rows {
    let start = Exact::new(Position::initial());
    let mut played: BTreeMap<&str, Vec<&Seen>> = BTreeMap::new();
    for game in games {
        for (position, san) in game.positions.iter().zip(&game.sans) {
            if start.fits(position) {
                played.entry(san).or_default().push(game);
            }
        }
    }
    let rows = by_size(played).into_iter().map(|(san, games)| {
        let last = games.iter().filter_map(|game| game.year()).max();
        row(&[
            &san,
            &games.len(),
            &percent(games.iter().map(|game| game.points(Color::White))),
            &last.map(|year| year.to_string()).unwrap_or_default(),
        ])
    });
    rows.collect()
}

fn copies(games: &[Seen]) -> Rows {
    let game = |game: &Seen| {
        let start = game.positions[0].to_string();
        let names = (game.white().to_owned(), game.black().to_owned());
        (game.plies() > 0).then(|| (start, game.uci.clone(), names))
    };
    let mut groups: Vec<Vec<usize>> = grouped(games, game)
        .into_values()
        .filter(|games| games.len() > 1)
        .map(|games| games.iter().map(|game| game.id).collect())
        .collect();
    groups.sort();
    let rows = groups
        .iter()
        .map(|ids| row(&[&ids[0], &ids[ids.len() - 1], &ids.len()]));
    rows.collect()
}

fn surnames(games: &[Seen]) -> Rows {
    let mut names: BTreeMap<&str, (BTreeSet<&str>, usize)> = BTreeMap::new();
    for name in games
        .iter()
        .flat_map(|game| [game.tag("White"), game.tag("Black")])
        .flatten()
    {
        let surname = name.split(',').next().unwrap_or_default();
        let entry = names.entry(surname).or_default();
        entry.0.insert(name);
        entry.1 += 1;
    }
    let several = names.into_iter().filter(|(_, (names, _))| names.len() > 1);
    several
        .map(|(surname, (names, games))| row(&[&surname, &names.len(), &games]))
        .collect()
}

fn lengths(games: &[Seen]) -> Rows {
    let rows = grouped(games, |game| Some(game.result())).into_iter();
    rows.map(|(result, games)| {
        let plies: Vec<usize> = games.iter().map(|game| game.plies()).collect();
        let mean = plies.iter().sum::<usize>() as f64 / plies.len() as f64;
        let longest = plies.iter().max().copied().unwrap_or_default();
        row(&[&result, &games.len(), &rounded(mean), &longest])
    })
    .collect()
}

fn colours(games: &[Seen], player: &str) -> Rows {
    let sides = [("black", Color::Black), ("white", Color::White)];
    let rows = sides.into_iter().filter_map(|(name, side)| {
        let own = |game: &&Seen| match side {
            Color::White => game.white() == player,
            Color::Black => game.black() == player,
        };
        let own: Vec<&Seen> = games.iter().filter(own).collect();
        let score = percent(own.iter().map(|game| game.points(side)));
        (!own.is_empty()).then(|| row(&[&name, &own.len(), &score]))
    });
    rows.collect()
}

fn lines(games: &[Seen], player: &str) -> Rows {
    let line = |game: &Seen| {
        if game.black() != player || !game.is_usual() {
            return None;
        }
        let mut words = Vec::new();
        for (ply, san) in game.sans.iter().take(4).enumerate() {
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            }
            words.push(san.clone());
        }
        Some(words.join(" "))
    };
    let groups = by_size(grouped(games, line)).into_iter();
    groups
        .map(|(line, games)| {
            let score = percent(games.iter().map(|game| game.points(Color::Black)));
            row(&[&line, &games.len(), &score])
        })
        .collect()
}

fn first(games: &[Seen]) -> Rows {
    let there = games.iter().filter(|game| game.ply_of(SICILIAN).is_some());
    let dated = there.filter(|game| game.year().is_some());
    let first = dated.min_by_key(|game| (game.date(), game.id));
    let day = |game: &Seen| game.tag("Date").unwrap_or_default().to_owned();
    first
        .map(|game| row(&[&game.id, &day(game), &game.white(), &game.black()]))
        .into_iter()
        .collect()
}

/// Asks all questions and compares their answers.
async fn compare(session: &Session, games: &[Seen], player: &str) -> usize {
    let questions = questions();
    assert_eq!(questions.len(), 20);
    let mut answered = 0;
    for (index, question) in questions.iter().enumerate() {
        let question = question.replace(PLAYER, &player.replace('\'', "''"));
        let expected = slowly(index + 1, games, player);
        same(&question, &ask(session, &question).await, &expected);
        answered += usize::from(!expected.is_empty());
    }
    answered
}

fn same<T: PartialEq + Debug>(question: &str, rows: &[T], expected: &[T]) {
    let differ = rows.iter().zip(expected).find(|(one, other)| one != other);
    assert!(
        rows.len() == expected.len() && differ.is_none(),
        "{question}\n{} rows instead of {}, {differ:?}",
        rows.len(),
        expected.len(),
    );
}

fn seen(games: Vec<GameTree>) -> Vec<Seen> {
    let games = games.into_iter().enumerate();
    games
        .map(|(index, tree)| Seen::new(index + 1, tree))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_questions_are_answered_as_a_slow_look_answers_them() {
    let samples = Samples::new();
    let session = samples.session().await;
    let answered = compare(&session, &seen(samples::games()), PLAYER).await;
    assert!(
        answered >= 18,
        "only {answered} find something in the samples"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "reads real games"]
async fn twenty_questions_to_real_games_are_answered_as_a_slow_look_answers_them() {
    let Some(file) = crate::data::find("pgn/twic-small.pgn.zst") else {
        return;
    };
    let room = Room::new();
    let path = room.path("twic.tabiya");
    tabiya::convert(&file, &path).run().expect("an import");
    let games = tabiya::open(&path).expect("a database").games();
    let games = seen(games.map(|game| game.expect("a game")).collect());
    let session = session([&path]).await;
    let most = "SELECT name FROM players WHERE name LIKE '%,%' ORDER BY games DESC, name LIMIT 1";
    let player = ask(&session, most).await.remove(0).remove(0);
    let answered = compare(&session, &games, &player).await;
    assert!(answered >= 15, "only {answered} find something");
}
