//! The figures of dossiers against plain counts, and their pages against hostile names.

use std::{collections::BTreeMap, fs, num::NonZeroUsize, path::PathBuf};

use tabiya::{
    Action, Color, Filter, GameTree, Open, Position,
    report::{self, Dossier, Score, Subject, Wishes},
};
use tabiya_formats::pgn::Writer;
use tabiya_game::generate::{Generator, Options};
use tempfile::TempDir;

struct Room(TempDir);

impl Room {
    fn new() -> Room {
        Room(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).expect("written");
        path
    }
}

/// Games that share openings, between few players with ratings.
fn games() -> Vec<GameTree> {
    let generator = Generator::new(Options {
        games: 600,
        plies: 8..=40,
        book: true,
        ..Options::default()
    });
    let names = [
        "Tal, Mikhail",
        "Tal,M",
        "Smyslov, Vasily",
        "Keres, Paul",
        "Najdorf, Miguel",
    ];
    let game = |number: u64| {
        let mut game = generator.game(number);
        let place = number as usize;
        game.tags.set("White", names[place % 5]);
        game.tags
            .set("Black", names[(place / 5 + 1 + place % 5) % 5]);
        game.tags.set("WhiteElo", (2300 + place % 400).to_string());
        game.tags
            .set("BlackElo", (2250 + place * 7 % 450).to_string());
        game.tags.set(
            "Date",
            format!("{}.05.{:02}", 1950 + place % 12, place % 28 + 1),
        );
        if place.is_multiple_of(11) {
            game.tags.set("BlackElo", "");
            game.tags.set("Date", "????.??.??");
        }
        game
    };
    (0..600).map(game).collect()
}

fn pgn(games: &[GameTree]) -> Vec<u8> {
    let mut writer = Writer::default();
    for game in games {
        game.tell(&mut writer);
    }
    writer.take()
}

/// Won, drawn, lost and others, by one who counts on fingers.
type Fingers = [u64; 4];

fn count(fingers: &mut Fingers, game: &GameTree, side: Color) {
    let place = match (game.result.token(), side) {
        ("1-0", Color::White) | ("0-1", Color::Black) => 0,
        ("1/2-1/2", _) => 1,
        ("1-0", Color::Black) | ("0-1", Color::White) => 2,
        _ => 3,
    };
    fingers[place] += 1;
}

fn fingers(score: &Score) -> Fingers {
    [score.wins, score.draws, score.losses, score.unknown]
}

/// The colour of Tal, if he plays.
fn side_of(game: &GameTree) -> Option<Color> {
    let is_tal = |name: Option<&str>| name.is_some_and(|name| name.starts_with("Tal"));
    match (is_tal(game.tags.white()), is_tal(game.tags.black())) {
        (true, _) => Some(Color::White),
        (_, true) => Some(Color::Black),
        _ => None,
    }
}

/// The moves of a line without their numbers.
fn words(line: &str) -> Vec<String> {
    line.split(' ')
        .filter(|word| !word.ends_with('.'))
        .map(str::to_string)
        .collect()
}

#[test]
fn the_figures_of_a_player_are_those_of_a_plain_count() {
    let room = Room::new();
    let games = games();
    let path = room.file("games.pgn", pgn(&games));
    let databases = [tabiya::open(&path).expect("opened")];
    let dossier =
        report::player(&databases, &"Mikhail Tal".into(), &Wishes::default()).expect("made");

    let (mut total, mut colours) = (Fingers::default(), [Fingers::default(); 2]);
    let mut years: BTreeMap<Option<u16>, Fingers> = BTreeMap::new();
    let mut bands: BTreeMap<String, Fingers> = BTreeMap::new();
    let mut opponents: BTreeMap<String, Fingers> = BTreeMap::new();
    let mut spellings: BTreeMap<String, u64> = BTreeMap::new();
    for game in &games {
        let Some(side) = side_of(game) else { continue };
        let (own, other, elo) = match side {
            Color::White => (game.tags.white(), game.tags.black(), game.tags.black_elo()),
            Color::Black => (game.tags.black(), game.tags.white(), game.tags.white_elo()),
        };
        let band = elo.map_or("unrated".to_string(), |elo| {
            format!("{0}00–{0}99", elo / 100)
        });
        count(&mut total, game, side);
        count(&mut colours[side as usize], game, side);
        count(
            years
                .entry(game.tags.date().and_then(|date| date.year))
                .or_default(),
            game,
            side,
        );
        count(bands.entry(band).or_default(), game, side);
        count(
            opponents
                .entry(other.unwrap_or("?").to_string())
                .or_default(),
            game,
            side,
        );
        *spellings.entry(own.unwrap_or("?").to_string()).or_default() += 1;
    }

    assert_eq!(fingers(&dossier.total), total);
    assert_eq!(dossier.games, total.iter().sum::<u64>());
    let of_colours: Vec<Fingers> = dossier
        .by_colour
        .iter()
        .map(|row| fingers(&row.score))
        .collect();
    assert_eq!(of_colours, colours);
    let of_years = dossier
        .by_year
        .iter()
        .map(|row| (row.year, fingers(&row.score)));
    assert_eq!(of_years.collect::<BTreeMap<_, _>>(), years);
    let of_bands = dossier
        .by_strength
        .iter()
        .map(|row| (row.label.clone(), fingers(&row.score)));
    assert_eq!(of_bands.collect::<BTreeMap<_, _>>(), bands);
    let people = &dossier.people[0];
    assert_eq!(people.count, opponents.len() as u64);
    let of_people = people
        .rows
        .iter()
        .map(|row| (row.label.clone(), fingers(&row.score)));
    assert_eq!(of_people.collect::<BTreeMap<_, _>>(), opponents);
    let Subject::Player {
        spellings: told, ..
    } = &dossier.subject
    else {
        panic!("no player");
    };
    let told = told.iter().map(|it| (it.name.clone(), it.games));
    assert_eq!(told.collect::<BTreeMap<_, _>>(), spellings);
    check_lines(&dossier, &games);
}

/// Lines count games that went exactly so; others are those who played the last move in the same
/// position.
fn check_lines(dossier: &Dossier, games: &[GameTree]) {
    let plays: Vec<Vec<(String, String)>> = games.iter().map(plays).collect();
    for (list, side) in dossier.lines.iter().zip([Color::White, Color::Black]) {
        assert!(list.rows.len() > 5);
        for row in &list.rows {
            let line = words(&row.line);
            let (last, before) = line.split_last().expect("a move");
            let edge = (fen(&position_after(before)), last.clone());
            let (mut own, mut others) = (Fingers::default(), Fingers::default());
            for (game, plays) in games.iter().zip(&plays) {
                let goes = plays.iter().map(|(_, san)| san).zip(&line);
                let is_so = plays.len() >= line.len() && goes.clone().all(|(a, b)| a == b);
                match side_of(game) {
                    Some(own_side) if own_side == side && is_so => count(&mut own, game, side),
                    None if plays.contains(&edge) => count(&mut others, game, side),
                    _ => {}
                }
            }
            assert_eq!(fingers(&row.score), own, "{}", row.line);
            let theirs = row.others.expect("compared");
            assert_eq!(fingers(&theirs), others, "{}", row.line);
        }
    }
}

/// The positions of a game with the moves that were played in them.
fn plays(game: &GameTree) -> Vec<(String, String)> {
    let play = |(before, action): (Position, Action)| {
        let play = action.to_move().expect("a move");
        (fen(&before), before.san(play).to_string())
    };
    game.main_line().map(play).collect()
}

fn position_after(sans: &[String]) -> Position {
    let mut position = Position::initial();
    for san in sans {
        position.play_san(san.as_bytes()).expect("legal");
    }
    position
}

/// Without the clocks, and with an en-passant square only where the capture is legal.
fn fen(position: &Position) -> String {
    let mut setup = position.to_setup();
    setup.ep_square = position.ep_square_legal();
    let fen = setup.to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_figures_of_an_opening_are_those_of_a_plain_count() {
    let room = Room::new();
    let games = games();
    let path = room.file("games.pgn", pgn(&games));
    let databases = [tabiya::open(&path).expect("opened")];
    let line = games
        .iter()
        .map(plays)
        .find(|plays| plays.len() > 2)
        .expect("a game");
    let line = format!("{} {}", line[0].1, line[1].1);
    let line = tabiya::tree::line(&line).expect("a line");
    let dossier = report::opening(&databases, &line, &Wishes::default()).expect("made");

    let wanted = fen(line.last().expect("a position"));
    let (mut total, mut others) = (Fingers::default(), Fingers::default());
    let mut years: BTreeMap<Option<u16>, (u64, u64)> = BTreeMap::new();
    for game in &games {
        let mut end = game.start;
        game.main_line().for_each(|(_, action)| end.act(action));
        let has = fen(&end) == wanted || plays(game).iter().any(|(fen, _)| *fen == wanted);
        count(
            if has { &mut total } else { &mut others },
            game,
            Color::White,
        );
        let year = years
            .entry(game.tags.date().and_then(|date| date.year))
            .or_default();
        year.0 += u64::from(has);
        year.1 += 1;
    }
    assert!(total.iter().sum::<u64>() > 1);
    assert_eq!(fingers(&dossier.total), total);
    assert_eq!(fingers(&dossier.others.expect("compared")), others);
    for row in &dossier.by_year {
        let (with, all) = years[&row.year];
        assert_eq!(row.score.games, with);
        let share = (with as f64 / all as f64 * 1000.0).round() / 10.0;
        assert_eq!(row.share, Some(share));
    }
    let sum: u64 = dossier.by_strength.iter().map(|row| row.score.games).sum();
    assert_eq!(sum, dossier.games);
    let rows = &dossier.lines[0].rows;
    let of_first: u64 = rows
        .iter()
        .filter(|row| row.depth == 0)
        .map(|row| row.score.games)
        .sum();
    assert!(of_first <= dossier.games);
}

#[test]
fn a_store_says_the_same_as_a_file_and_so_does_any_number_of_threads() {
    let room = Room::new();
    let path = room.file("games.pgn", pgn(&games()));
    let store = room.0.path().join("games.tabiya");
    tabiya::convert(&path, &store).run().expect("imported");
    let line = tabiya::tree::line("1. e4").expect("a line");
    let filter = Filter {
        elo: Some("2300..".parse().expect("a range")),
        ..Filter::default()
    };
    for filter in [Filter::default(), filter] {
        let wishes = Wishes {
            filter,
            ..Wishes::default()
        };
        let make = |path: &PathBuf, jobs: usize| {
            let how = Open::new().jobs(NonZeroUsize::new(jobs).expect("not 0"));
            let databases = [how.open(path).expect("opened")];
            let player = report::player(&databases, &"tal".into(), &wishes).expect("made");
            let opening = report::opening(&databases, &line, &wishes).expect("made");
            let name = path.display().to_string();
            [player, opening].map(|dossier| dossier.to_json().replace(&name, "games"))
        };
        let expected = make(&path, 1);
        assert_eq!(make(&path, 5), expected);
        assert_eq!(make(&store, 1), expected);
        assert_eq!(make(&store, 4), expected);
    }
}

#[test]
fn model_games_are_the_best_of_their_kind() {
    let room = Room::new();
    let games = games();
    let path = room.file("games.pgn", pgn(&games));
    let databases = [tabiya::open(&path).expect("opened")];
    let dossier = report::player(&databases, &"tal".into(), &Wishes::default()).expect("made");
    let shelf = |title: &str| {
        let found = dossier.shelves.iter().find(|shelf| shelf.title == title);
        &found.expect("a shelf").games
    };
    let won = |game: &&GameTree| match side_of(game) {
        Some(Color::White) => game.result.token() == "1-0",
        Some(Color::Black) => game.result.token() == "0-1",
        None => false,
    };
    let played = |game: &&GameTree| !game.result.is_forfeit();
    let elo = |game: &GameTree| match side_of(game) {
        Some(Color::White) => game.tags.black_elo(),
        _ => game.tags.white_elo(),
    };
    let best = games
        .iter()
        .filter(won)
        .filter(played)
        .filter_map(elo)
        .max();
    let strongest = &shelf("Wins against the strongest opponents")[0];
    let numbers = games
        .get(strongest.number as usize - 1)
        .expect("its number");
    assert_eq!(elo(numbers), best);
    assert_eq!(
        strongest
            .moves
            .split(' ')
            .filter(|word| !word.ends_with('.'))
            .count(),
        strongest.plies as usize
    );
    let shortest = games
        .iter()
        .filter(won)
        .filter(played)
        .map(|game| game.main_line().count())
        .filter(|plies| *plies >= 10)
        .min();
    assert_eq!(Some(shelf("Shortest wins")[0].plies as usize), shortest);
    let dates: Vec<&String> = shelf("Latest games")
        .iter()
        .map(|game| &game.date)
        .collect();
    assert!(dates.is_sorted_by(|a, b| a >= b), "{dates:?}");
    assert_eq!(dates.len(), 5);
}

#[test]
fn hostile_names_stay_names() {
    let room = Room::new();
    let text = "[Event \"</table><script>alert(1)</script>\"]\n[Site \"<img src=x onerror=alert(2)>\"]\n\
         [White \"Tal <b>' onload='x\"]\n[Black \"a|b `c` [d](http://e) \u{202e}*f* & \\\"g\\\"\"]\n\
         [Date \"2020.01.01\"]\n[ECO \"<i>\"]\n[BlackElo \"2000\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n";
    let path = room.file("<u>&amp;.pgn", text);
    let databases = [tabiya::open(&path).expect("opened")];
    let player = report::player(&databases, &"tal".into(), &Wishes::default()).expect("made");
    let line = tabiya::tree::line("1. e4").expect("a line");
    let opening = report::opening(&databases, &line, &Wishes::default()).expect("made");
    for dossier in [player, opening] {
        let html = dossier.to_html();
        for wrong in [
            "<script",
            "<img",
            "<b>'",
            "onload='x",
            "<i>",
            "<u>",
            "\u{202e}",
        ] {
            assert!(!html.contains(wrong), "{wrong} in {html}");
        }
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        check_balanced(&html);
        let markdown = dossier.to_markdown();
        for wrong in ["<script", "<img", "a|b", "`c`", "[d](", "*f*", "\u{202e}"] {
            assert!(!markdown.contains(wrong), "{wrong} in {markdown}");
        }
        let json: serde_json::Value = serde_json::from_str(&dossier.to_json()).expect("JSON");
        assert_eq!(json["games"], 1);
    }
}

/// Every element of a page is closed where it should be.
fn check_balanced(html: &str) {
    let body = &html[html.find("</style>").expect("a style")..];
    let mut open: Vec<&str> = vec!["html", "head", "style"];
    let mut rest = body;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("the end of a tag");
        let tag = &rest[start + 1..end];
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "near {}", &rest[..end.min(200)]);
        } else if !tag.ends_with('/') && name != "?xml" && name != "meta" {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_page_is_whole_and_needs_nothing_else() {
    let room = Room::new();
    let path = room.file("games.pgn", pgn(&games()));
    let databases = [tabiya::open(&path).expect("opened")];
    let player = report::player(&databases, &"tal".into(), &Wishes::default()).expect("made");
    let line = tabiya::tree::line("").expect("a line");
    let opening = report::opening(&databases, &line, &Wishes::default()).expect("made");
    for html in [player.to_html(), opening.to_html()] {
        check_balanced(&html);
        for outside in ["http://", "https://", "<script", "src=", "@import", "url("] {
            let html = html.replace("http://www.w3.org/2000/svg", "");
            assert!(!html.contains(outside), "{outside}");
        }
        assert!(!html.contains("NaN") && !html.contains("\"inf"));
        let tables = html.matches("<table>").count();
        assert!(tables > 3);
        assert_eq!(html.matches("<caption>").count(), tables);
        assert_eq!(
            html.matches("<svg").count(),
            html.matches("<title>").count() - 1 - marks(&html)
        );
    }
}

/// Titles of marks in charts: columns and dots.
fn marks(html: &str) -> usize {
    html.matches("<g><title>").count() + html.matches("r=\"3\"><title>").count()
}

#[test]
fn nobody_has_an_empty_dossier() {
    let room = Room::new();
    let path = room.file("games.pgn", "[White \"A\"]\n\n1. e4 *\n");
    let databases = [tabiya::open(&path).expect("opened")];
    let dossier = report::player(&databases, &"nobody".into(), &Wishes::default()).expect("made");
    assert_eq!(dossier.games, 0);
    let _ = (dossier.to_html(), dossier.to_markdown(), dossier.to_json());
}

#[test]
fn a_fide_id_does_not_choose_the_games_of_others() {
    let game = |white: &str, id: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[WhiteFideId \"{id}\"]\n[Black \"Zed, A\"]\n\n1. e4 e5 {result}\n\n"
        )
    };
    let text = game("Tal, Mikhail", "1", "1-0")
        + &game("Tal, Mikhail", "2", "0-1")
        + &game("Keres, Paul", "3", "1/2-1/2");
    let room = Room::new();
    let path = room.file("games.pgn", text);
    let store = room.0.path().join("games.tabiya");
    tabiya::convert(&path, &store).run().expect("converted");
    for path in [path, store] {
        let wishes = Wishes {
            filter: Filter {
                fide_id: Some(1),
                ..Filter::default()
            },
            ..Wishes::default()
        };
        let databases = [tabiya::open(&path).expect("opened")];
        let dossier = report::player(&databases, &"tal".into(), &wishes).expect("a dossier");
        assert_eq!(dossier.games, 1);
        let others = dossier.by_colour[0].others.expect("compared");
        assert_eq!(fingers(&others), [0, 1, 1, 0], "{}", path.display());
    }
}

#[test]
fn a_performance_is_of_games_against_opponents_with_a_rating() {
    let game = |result: &str, rating: &str| {
        format!(
            "[White \"Tal\"]\n[Black \"Keres\"]\n[BlackElo \"{rating}\"]\n[Result \"{result}\"]\n\n\
             1. e4 e5 {result}\n\n"
        )
    };
    let results = ["1-0", "1-0", "1-0", "0-1", "*"];
    let mut text: String = results.iter().map(|result| game(result, "2400")).collect();
    text += &game("0-1", "");
    let room = Room::new();
    let databases = [tabiya::open(room.file("tal.pgn", text)).unwrap()];
    let dossier = report::player(&databases, &"tal".into(), &Wishes::default()).unwrap();
    for score in [dossier.total, dossier.by_colour[0].score] {
        assert_eq!((score.games, score.rated), (6, Some(4)));
        assert_eq!(score.performance, Some(2400 + 193));
    }
    assert_eq!(dossier.by_colour[1].score.rated, Some(0));
    assert_eq!(dossier.by_colour[1].score.performance, None);
    let words = "2593, in 4 games with a result against opponents with a rating";
    for text in [dossier.to_html(), dossier.to_markdown()] {
        assert!(text.contains(words), "{text}");
    }
    assert!(dossier.to_json().contains("\"rated\": 4"));
}
