//! A dossier in the order in which it is told, whatever it is written as.

use super::{Dossier, LineRow, Lines, ModelGame, People, Row, Score, Shelf, Subject, YearRow};
use crate::words::plural;

/// A dossier as people read it.
pub struct Page<'d> {
    pub title: String,
    /// What stands below it: how one comes to a position, for example.
    pub subtitle: String,
    /// A position to be drawn.
    pub fen: Option<&'d str>,
    /// What is known at a glance.
    pub facts: Vec<(&'static str, String)>,
    pub sections: Vec<Section<'d>>,
    /// Games are of several databases.
    pub several: bool,
    /// What won, drawn and lost games are called.
    pub legend: [&'static str; 3],
}

/// A part of it.
pub struct Section<'d> {
    pub title: String,
    /// What its figures mean.
    pub about: String,
    pub charts: Vec<Chart>,
    pub body: Body<'d>,
}

/// What it has to tell.
pub enum Body<'d> {
    Table(Table),
    Games(&'d [ModelGame]),
}

/// Columns and rows; the first cell of a row names it.
pub struct Table {
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
pub enum Cell {
    Text(String),
    /// Moves of a line that stands in so many others.
    Line(usize, String),
    Count(u64),
    Percent(Option<f64>),
    Rating(Option<i64>),
    /// How much more or less of a hundred points.
    Difference(Option<f64>),
    /// Won, drawn and lost.
    Bar(Score),
}

/// Figures as a picture. The table below it has them all.
pub enum Chart {
    /// Games of each year by their results.
    Columns {
        title: &'static str,
        years: Vec<(u16, Score)>,
    },
    /// A figure year by year.
    Curve {
        title: &'static str,
        /// What stands behind a figure.
        unit: &'static str,
        points: Vec<(u16, f64)>,
    },
}

impl<'d> Page<'d> {
    pub fn of(dossier: &'d Dossier) -> Page<'d> {
        let (title, subtitle, fen, legend) = match &dossier.subject {
            Subject::Player { name, .. } => {
                (name.clone(), String::new(), None, ["won", "drawn", "lost"])
            }
            Subject::Opening {
                fen,
                line,
                eco,
                name,
            } => {
                let named = eco
                    .iter()
                    .chain(name)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(" ");
                let (title, subtitle) = match (named.is_empty(), line.is_empty()) {
                    (false, _) => (named, line.clone()),
                    (true, false) => (line.clone(), String::new()),
                    (true, true) => ("A position".to_string(), String::new()),
                };
                let legend = ["won by White", "drawn", "won by Black"];
                (title, subtitle, Some(fen.as_str()), legend)
            }
        };
        Page {
            title,
            subtitle,
            fen,
            facts: facts(dossier),
            sections: sections(dossier),
            several: dossier.databases.len() > 1,
            legend,
        }
    }
}

/// `12 games: +5 =4 −3`
pub fn results(score: &Score) -> String {
    let Score {
        wins,
        draws,
        losses,
        unknown,
        ..
    } = score;
    match unknown {
        0 => format!("+{wins} ={draws} −{losses}"),
        _ => format!("+{wins} ={draws} −{losses}, {unknown} without a result"),
    }
}

/// With the games that it is of, if these are not all.
fn performance(score: &Score) -> Option<String> {
    let performance = score.performance?;
    Some(match score.rated {
        Some(rated) if rated < score.games => format!(
            "{performance}, in {} with a result against opponents with a rating",
            plural(rated, "game")
        ),
        _ => performance.to_string(),
    })
}

fn facts(dossier: &Dossier) -> Vec<(&'static str, String)> {
    let score = &dossier.total;
    let mut facts = vec![("Games", format!("{} ({})", score.games, results(score)))];
    let mut fact = |name, value: Option<String>| facts.extend(value.map(|value| (name, value)));
    let percent = |score: &Score| score.percent.map(|percent| format!("{percent:.1} %"));
    let is_player = matches!(dossier.subject, Subject::Player { .. });
    match is_player {
        true => {
            fact("Score", percent(score));
            fact("Performance", performance(score));
            let mean = score.opponents.map(|it| it.to_string());
            fact("Opponents’ mean rating", mean);
        }
        false => {
            fact("White’s score", percent(score));
            let others = dossier.others.as_ref().filter(|others| others.games > 0);
            let others = others.and_then(|others| {
                Some(format!(
                    "{} in {}",
                    percent(others)?,
                    plural(others.games, "game")
                ))
            });
            fact("White’s score in all other games", others);
        }
    }
    let years = dossier.first_year.zip(dossier.last_year);
    fact(
        "Years",
        years.map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}–{last}"),
        }),
    );
    if let Subject::Player { spellings, .. } = &dossier.subject
        && spellings.len() > 1
    {
        let each = spellings
            .iter()
            .take(8)
            .map(|it| format!("{} ({})", it.name, it.games));
        let mut text = each.collect::<Vec<_>>().join("; ");
        if spellings.len() > 8 {
            text.push_str(&format!("; {} more", spellings.len() - 8));
        }
        fact("Spelled", Some(text));
    }
    fact("From", Some(dossier.databases.join(", ")));
    facts
}

fn sections(dossier: &Dossier) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    if !dossier.by_colour.is_empty() {
        sections.push(by_colour(&dossier.by_colour));
    }
    sections.extend(
        dossier
            .lines
            .iter()
            .filter(|list| !list.rows.is_empty())
            .map(lines),
    );
    if dossier.by_year.iter().any(|row| row.year.is_some()) {
        sections.push(by_year(&dossier.by_year));
    }
    if dossier.by_strength.iter().any(|row| row.label != "unrated") {
        sections.push(by_strength(dossier));
    }
    sections.extend(dossier.people.iter().map(people));
    sections.extend(dossier.shelves.iter().map(shelf));
    sections
}

/// The columns of a score, and its cells.
const SCORE: [&str; 6] = ["games", "won", "drawn", "lost", "results", "score"];

fn score_cells(score: &Score) -> [Cell; 6] {
    [
        Cell::Count(score.games),
        Cell::Count(score.wins),
        Cell::Count(score.draws),
        Cell::Count(score.losses),
        Cell::Bar(*score),
        Cell::Percent(score.percent),
    ]
}

/// Rows of scores under names, with more columns behind them.
fn scores<'r, R: 'r, const N: usize>(
    first: &'static str,
    more: [&'static str; N],
    rows: impl Iterator<Item = R>,
    cells: impl Fn(R) -> (String, Score, [Cell; N]),
) -> Body<'r> {
    let row = |row: R| {
        let (label, score, more) = cells(row);
        let label = [Cell::Text(label)].into_iter();
        label.chain(score_cells(&score)).chain(more).collect()
    };
    let columns = [first].into_iter().chain(SCORE).chain(more);
    Body::Table(Table {
        columns: columns.collect(),
        rows: rows.map(row).collect(),
    })
}

fn by_colour(rows: &[Row]) -> Section<'_> {
    let more = ["opponents", "rated", "performance", "others"];
    let cells = |row: &Row| {
        let others = row.others.and_then(|others| others.percent);
        let more = [
            Cell::Rating(row.score.opponents),
            Cell::Count(row.score.rated.unwrap_or(0)),
            Cell::Rating(row.score.performance),
            Cell::Percent(others),
        ];
        (row.label.clone(), row.score, more)
    };
    Section {
        title: "Results by colour".to_string(),
        about:
            "“opponents” is their mean rating, “rated” the number of games with a result against \
                opponents with a rating, “performance” the rating that these stand for, “others” what all other players of the databases score with that colour."
                .to_string(),
        charts: Vec::new(),
        body: scores("colour", more, rows.iter(), cells),
    }
}

fn by_year(rows: &[YearRow]) -> Section<'_> {
    let known = || rows.iter().filter_map(|row| Some((row.year?, row)));
    let mut charts = vec![Chart::Columns {
        title: "Games by year",
        years: known().map(|(year, row)| (year, row.score)).collect(),
    }];
    let mut curve = |title, unit, figure: fn(&YearRow) -> Option<f64>| {
        let points = known().filter_map(|(year, row)| Some((year, figure(row)?)));
        let points: Vec<(u16, f64)> = points.collect();
        if points.len() > 1 {
            charts.push(Chart::Curve {
                title,
                unit,
                points,
            });
        }
    };
    let is_opening = rows.iter().any(|row| row.share.is_some());
    match is_opening {
        true => curve("Share of all games by year", " %", |row| row.share),
        false => curve("Mean rating by year", "", |row| {
            row.rating.map(|rating| rating as f64)
        }),
    }
    let last = match is_opening {
        true => "of all games",
        false => "rating",
    };
    let cells = |row: &YearRow| {
        let year = row
            .year
            .map_or("unknown".to_string(), |year| year.to_string());
        let last = match is_opening {
            true => Cell::Percent(row.share),
            false => Cell::Rating(row.rating),
        };
        (year, row.score, [last])
    };
    Section {
        title: "Results by year".to_string(),
        about: match is_opening {
            true => "“of all games” is how many games of that year have the position.",
            false => "“rating” is the mean of the player’s ratings in the games of that year.",
        }
        .to_string(),
        charts,
        body: scores("year", [last], rows.iter(), cells),
    }
}

fn by_strength(dossier: &Dossier) -> Section<'_> {
    let is_player = matches!(dossier.subject, Subject::Player { .. });
    let (title, about) = match is_player {
        true => ("Results by strength of the opponent", ""),
        false => (
            "Results by strength of the players",
            "By the mean of both ratings; games in which one is not known are unrated.",
        ),
    };
    let cells = |row: &Row| (row.label.clone(), row.score, []);
    Section {
        title: title.to_string(),
        about: about.to_string(),
        charts: Vec::new(),
        body: scores("rating", [], dossier.by_strength.iter(), cells),
    }
}

fn lines(list: &Lines) -> Section<'_> {
    let compares = list.rows.iter().any(|row| row.others.is_some());
    let mut columns = vec!["line", "games", "share", "results", "score"];
    if compares {
        columns.extend(["others", "their score", "difference"]);
    }
    columns.push("opening");
    let row = |row: &LineRow| {
        let mut cells = vec![
            Cell::Line(row.depth, row.moves.clone()),
            Cell::Count(row.score.games),
            Cell::Percent(Some(row.share)),
            Cell::Bar(row.score),
            Cell::Percent(row.score.percent),
        ];
        if compares {
            let theirs = row.others.unwrap_or_default();
            let difference = row.score.percent.zip(theirs.percent);
            cells.push(Cell::Count(theirs.games));
            cells.push(Cell::Percent(theirs.percent));
            cells.push(Cell::Difference(
                difference.map(|(own, theirs)| own - theirs),
            ));
        }
        let opening = row.eco.iter().chain(&row.opening).cloned();
        cells.push(Cell::Text(opening.collect::<Vec<_>>().join(" ")));
        cells
    };
    let (title, about) = match compares {
        true => (
            format!("Most played lines {}", lower_first(&list.title)),
            "“games” went exactly this way. “others” are games of all other players in which the \
             last move was played in the same position, however they came there, and “their score” \
             is that of the same side.",
        ),
        false => (
            "Most played lines".to_string(),
            "Games that went exactly this way from the position on.",
        ),
    };
    Section {
        title,
        about: about.to_string(),
        charts: Vec::new(),
        body: Body::Table(Table {
            columns,
            rows: list.rows.iter().map(row).collect(),
        }),
    }
}

/// In the middle of a title.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

fn people(people: &People) -> Section<'_> {
    let shown = people.rows.len() as u64;
    let about = match people.count > shown {
        true => format!("Those of most games, {shown} of {}.", people.count),
        false => String::new(),
    };
    let cells = |row: &Row| {
        let more = [Cell::Rating(row.score.opponents)];
        (row.label.clone(), row.score, more)
    };
    let rating = match people.title == "Opponents" {
        true => "their rating",
        false => "opponents",
    };
    Section {
        title: people.title.clone(),
        about,
        charts: Vec::new(),
        body: scores("player", [rating], people.rows.iter(), cells),
    }
}

fn shelf(shelf: &Shelf) -> Section<'_> {
    Section {
        title: shelf.title.clone(),
        about: String::new(),
        charts: Vec::new(),
        body: Body::Games(&shelf.games),
    }
}

/// A cell as text; a bar is none.
pub fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) | Cell::Line(_, text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Percent(percent) => percent.map_or_else(String::new, |it| format!("{it:.1} %")),
        Cell::Rating(rating) => rating.map_or_else(String::new, |it| it.to_string()),
        Cell::Difference(by) => by.map_or_else(String::new, difference),
        Cell::Bar(score) => results(score),
    }
}

/// With a sign, as people print it.
fn difference(by: f64) -> String {
    let sign = match () {
        () if by >= 0.05 => "+",
        () if by <= -0.05 => "−",
        () => "±",
    };
    format!("{sign}{:.1}", by.abs())
}

/// `Tal, M (2700) – Smyslov, V (2690), 1-0`
pub fn players(game: &ModelGame) -> String {
    let rated = |name: &str, elo: Option<u16>| match elo {
        Some(elo) => format!("{name} ({elo})"),
        None => name.to_string(),
    };
    format!(
        "{} – {}, {}",
        rated(&game.white, game.white_elo),
        rated(&game.black, game.black_elo),
        game.result
    )
}

/// Where and when a game was played, and where it is found; of several databases, in which.
pub fn whereabouts(game: &ModelGame, several: bool) -> String {
    let known = |text: &str| Some(text.to_string()).filter(|text| text != "?");
    let date = known(game.date.trim_end_matches(".??").trim_start_matches("????"));
    let moves = format!("{} moves", game.plies.div_ceil(2));
    let mut found = format!("game {}", game.number);
    if several {
        found.push_str(&format!(" of {}", game.database));
    }
    let parts = [
        known(&game.event),
        known(&game.site),
        date.filter(|date| !date.is_empty()),
        game.eco.clone(),
        Some(moves),
        Some(found),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
