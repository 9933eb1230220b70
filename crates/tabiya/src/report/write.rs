//! Sums of games as a dossier.

use std::collections::{BTreeMap, HashMap};

use tabiya_chess::{Color, Move, Position};

use super::{
    Dossier, Lines, People, Row, Score, Spelling, Subject, YearRow, gather::Gathered, lines, others,
};
use crate::{Database, line, openings::Openings, tree::Tally};

/// How many people are listed.
const PEOPLE: usize = 12;

/// More bands of ratings than these are joined two by two.
const BANDS: usize = 12;

/// About a player.
pub fn player(sum: &Gathered, databases: &[Database], names: &Openings) -> Dossier {
    let mut spellings: Vec<Spelling> = sum
        .names
        .iter()
        .map(|(name, &games)| Spelling {
            name: name.clone(),
            games,
        })
        .collect();
    spellings.sort_by(|a, b| (b.games, &a.name).cmp(&(a.games, &b.name)));
    let name = spellings.first().map_or("?", |first| &first.name);
    let subject = Subject::Player {
        name: name.to_string(),
        spellings,
    };
    let sides = [Color::White, Color::Black];
    let with = |side: Color| format!("With {side}");
    let colour = |side: Color| {
        let row = row(with(side), &sum.colours[side as usize]);
        let score = row.score.with_rated(&sum.rated[side as usize]);
        Row { score, ..row }
    };
    let lines = |side: Color| {
        let tree = &sum.lines[side as usize];
        Lines {
            title: with(side),
            games: tree.games(crate::merge::ROOT),
            rows: lines::rows(tree, &lines::choose(tree), names),
        }
    };
    let mut rated = sum.rated[0];
    rated.merge(&sum.rated[1]);
    Dossier {
        total: Score::of(&sum.total).with_rated(&rated),
        by_colour: sides.into_iter().map(colour).collect(),
        people: vec![people("Opponents", &sum.people[0])],
        lines: sides.into_iter().map(lines).collect(),
        ..common(subject, sum, databases)
    }
}

/// About an opening.
pub fn opening(
    sum: &Gathered,
    databases: &[Database],
    way: &[Position],
    names: &Openings,
) -> Dossier {
    let position = way.last().copied().unwrap_or_default();
    let start = way.first().copied().unwrap_or_default();
    let moves = moves_between(way);
    let name = lines::opening(&start, &moves, names);
    let subject = Subject::Opening {
        fen: position.to_string(),
        line: line::movetext(&start, &moves),
        eco: name.map(|opening| opening.eco.clone()),
        name: name.map(|opening| opening.name.clone()),
    };
    let tree = &sum.lines[0];
    let mut rows = lines::rows(tree, &lines::choose(tree), names);
    for row in &mut rows {
        // A line that has no name of its own has that of the position.
        row.eco = row.eco.take().or_else(|| name.map(|it| it.eco.clone()));
        row.opening = row
            .opening
            .take()
            .or_else(|| name.map(|it| it.name.clone()));
    }
    let mut all = Tally::default();
    sum.all.values().for_each(|tally| all.merge(tally));
    let mut dossier = Dossier {
        others: Some(Score::of(&others::less(&all, &sum.total))),
        people: vec![
            people("Who plays it with White", &sum.people[0]),
            people("Who plays it with Black", &sum.people[1]),
        ],
        lines: vec![Lines {
            title: "Lines".to_string(),
            games: tree.games(crate::merge::ROOT),
            rows,
        }],
        ..common(subject, sum, databases)
    };
    for row in &mut dossier.by_year {
        let all = sum.all.get(&row.year).map_or(0, Tally::games).max(1);
        row.rating = None;
        row.share = Some((row.score.games as f64 / all as f64 * 1000.0).round() / 10.0);
    }
    dossier
}

fn common(subject: Subject, sum: &Gathered, databases: &[Database]) -> Dossier {
    let mut years = sum.years.keys().flatten();
    let first_year = years.next().copied();
    Dossier {
        subject,
        databases: databases.iter().map(Database::name).collect(),
        games: sum.total.games(),
        first_year,
        last_year: years.next_back().copied().or(first_year),
        total: Score::of(&sum.total),
        others: None,
        by_colour: Vec::new(),
        by_year: by_year(&sum.years),
        by_strength: by_strength(&sum.bands),
        people: Vec::new(),
        lines: Vec::new(),
        shelves: sum.shelves.finish(databases),
    }
}

fn row(label: String, tally: &Tally) -> Row {
    Row {
        label,
        score: Score::of(tally),
        others: None,
    }
}

fn by_year(years: &BTreeMap<Option<u16>, Tally>) -> Vec<YearRow> {
    let row = |(&year, tally): (&Option<u16>, &Tally)| YearRow {
        year,
        score: Score::of(tally),
        rating: mean(tally.elo_sums[0], tally.elo_counts[0]),
        share: None,
    };
    let (unknown, known): (Vec<_>, Vec<_>) = years.iter().partition(|(year, _)| year.is_none());
    known.into_iter().chain(unknown).map(row).collect()
}

fn mean(sum: u64, count: u64) -> Option<i64> {
    (count > 0).then(|| (sum as f64 / count as f64).round() as i64)
}

/// From the weakest on; bands of 100 points, or of 200 if there are many.
fn by_strength(bands: &BTreeMap<Option<u16>, Tally>) -> Vec<Row> {
    let width = match bands.len() > BANDS {
        true => 2,
        false => 1,
    };
    let mut joined: BTreeMap<u16, Tally> = BTreeMap::new();
    for (band, tally) in bands
        .iter()
        .filter_map(|(band, tally)| Some((*band)?).zip(Some(tally)))
    {
        joined.entry(band / width * width).or_default().merge(tally);
    }
    let label = |band: u16| {
        let from = u32::from(band) * 100;
        format!("{from}–{}", from + u32::from(width) * 100 - 1)
    };
    let mut rows: Vec<Row> = joined
        .iter()
        .map(|(&band, tally)| row(label(band), tally))
        .collect();
    rows.extend(
        bands
            .get(&None)
            .map(|tally| row("unrated".to_string(), tally)),
    );
    rows
}

fn people(title: &str, people: &HashMap<String, Tally>) -> People {
    let mut list: Vec<(&String, &Tally)> = people.iter().collect();
    list.sort_by(|(a, of_a), (b, of_b)| (of_b.games(), a).cmp(&(of_a.games(), b)));
    let first = list.iter().take(PEOPLE);
    People {
        title: title.to_string(),
        count: list.len() as u64,
        rows: first
            .map(|(name, tally)| row((*name).clone(), tally))
            .collect(),
    }
}

/// The moves that lead from each position to the next, as far as there are such moves.
fn moves_between(way: &[Position]) -> Vec<Move> {
    let step = |pair: &[Position]| {
        let leads = |&&play: &&Move| {
            let mut after = pair[0];
            after.play_unchecked(play);
            after == pair[1]
        };
        pair[0].legal_moves().iter().find(leads).copied()
    };
    way.windows(2).map_while(step).collect()
}
