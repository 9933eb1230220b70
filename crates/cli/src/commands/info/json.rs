//! A description for programs.

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
};

use serde::Serialize;
use tabiya_game::{Survey, survey::most_frequent};

use super::{Description, Storage};

#[derive(Serialize)]
struct Document<'a> {
    files: Vec<File<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Numbers<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    file: &'a str,
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compression: Option<String>,
    bytes: Option<u64>,
    /// What is missing of the file, or cannot be read.
    damage: &'a [String],
    #[serde(flatten)]
    numbers: Numbers<'a>,
}

#[derive(Serialize)]
struct Numbers<'a> {
    games: u64,
    filtered: u64,
    deleted: u64,
    broken: u64,
    without_moves: u64,
    set_up: u64,
    other_entries: u64,
    plies: u64,
    longest: u64,
    annotated: u64,
    variations: u64,
    variation_plies: u64,
    comments: u64,
    annotations: u64,
    nags: u64,
    variants: &'a BTreeMap<&'static str, u64>,
    results: &'a BTreeMap<&'static str, u64>,
    years: &'a BTreeMap<u16, u64>,
    ratings: &'a BTreeMap<u16, u64>,
    eco: &'a BTreeMap<char, u64>,
    openings: Names<'a>,
    players: Names<'a>,
    events: Names<'a>,
}

/// How many names there are, and the most frequent.
#[derive(Serialize)]
struct Names<'a> {
    count: usize,
    top: Vec<Name<'a>>,
}

#[derive(Serialize)]
struct Name<'a> {
    name: &'a str,
    games: u64,
}

/// Writes all descriptions as one object.
pub fn write(
    output: &mut impl Write,
    files: &[Description],
    total: Option<&Description>,
    top: usize,
) -> io::Result<()> {
    let document = Document {
        files: files.iter().map(|file| self::file(file, top)).collect(),
        total: total.map(|total| numbers(total, top)),
    };
    serde_json::to_writer_pretty(&mut *output, &document)?;
    writeln!(output)
}

fn file(description: &Description, top: usize) -> File<'_> {
    let storage = description.storage.as_ref();
    let packed = |storage: &Storage| storage.compression.extension().map(str::to_string);
    File {
        file: &description.name,
        format: storage.map(|storage| storage.profile.to_string()),
        compression: storage.and_then(packed),
        bytes: storage.map(|storage| storage.bytes),
        damage: &description.damage,
        numbers: numbers(description, top),
    }
}

fn numbers(description: &Description, top: usize) -> Numbers<'_> {
    let survey: &Survey = &description.survey;
    Numbers {
        games: survey.games,
        filtered: description.filtered,
        deleted: description.deleted,
        broken: survey.broken,
        without_moves: survey.without_moves,
        set_up: survey.set_up,
        other_entries: survey.others,
        plies: survey.plies,
        longest: survey.longest,
        annotated: survey.annotated,
        variations: survey.variations,
        variation_plies: survey.variation_plies,
        comments: survey.comments,
        annotations: survey.annotations,
        nags: survey.nags,
        variants: &survey.variants,
        results: &survey.results,
        years: &survey.years,
        ratings: &survey.ratings,
        eco: &survey.eco,
        openings: names(&description.openings, top),
        players: names(&survey.players, top),
        events: names(&survey.events, top),
    }
}

fn names(names: &HashMap<String, u64>, top: usize) -> Names<'_> {
    let top = most_frequent(names, top).into_iter();
    Names {
        count: names.len(),
        top: top.map(|(name, games)| Name { name, games }).collect(),
    }
}
