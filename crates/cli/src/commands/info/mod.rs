//! `tabiya info`: what a database holds.

mod census;
mod chart;
mod json;
mod report;

use std::{collections::HashMap, ops::ControlFlow, path::PathBuf};

use tabiya::{
    Compression, Database, EarlierOutput, Error, Filter, Filtered, FormatProfile, Survey,
    openings::Openings,
};
use tabiya_formats::registry;

use crate::{
    exit::Outcome,
    folder,
    games::{self, ReadArgs},
    message, openings,
    output::Output,
};
use census::{Census, add};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya info games.pgn
  tabiya info *.pgn.zst --top 20
  tabiya info games.pgn --player carlsen --since 2020
  tabiya info --json games.pgn | jq '.files[0].years'

--json prints one object: \"files\", an array with a report each, and \"total\" if there are several.

Exit codes: 1 if an input is damaged, 2 if it cannot be read; broken games are counted.";

/// Tell what a database holds: games, players, events, years, results, openings, ratings
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, or folders of PGN; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// How many players and events are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// What is known about an input.
struct Description {
    name: String,
    /// Of one file; a total has none.
    storage: Option<Storage>,
    /// What is missing of it, or cannot be read.
    damage: Vec<String>,
    filtered: u64,
    /// Marked as deleted, and not counted among the games.
    deleted: u64,
    survey: Survey,
    /// Games by the code and the name of their opening.
    openings: HashMap<String, u64>,
}

struct Storage {
    profile: FormatProfile,
    compression: Compression,
    /// Of all its files.
    bytes: u64,
}

/// Describes all inputs.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut output = Output::stdout();
    let filter = args.read.filter();
    let table = openings::table(None)?;
    let mut descriptions = Vec::new();
    let mut failed = false;
    let inputs = folder::expand(&args.inputs, EarlierOutput::Nothing)?;
    for path in &inputs {
        let described = games::open(path, args.read.how())
            .map(|database| describe(games::with_bar(database), &filter, &table));
        match described {
            Ok((description, None)) => descriptions.push(description),
            Ok((description, Some(error))) => {
                message::error(&error);
                failed = true;
                descriptions.push(description);
            }
            Err(error) => {
                message::error(&error);
                failed = true;
            }
        }
    }
    let total = (inputs.len() > 1).then(|| sum(&descriptions));
    if args.json {
        json::write(&mut output, &descriptions, total.as_ref(), args.top)?;
    } else {
        for (place, description) in descriptions.iter().chain(&total).enumerate() {
            report::write(&mut output, description, args.top, place > 0)?;
        }
    }
    output.finish()?;
    Ok(match failed {
        true => Outcome::Failed,
        false => Outcome::Fine,
    })
}

/// Reads a database to its end, or to an error: what came before is described all the same.
fn describe(
    database: Database,
    filter: &Filter,
    table: &Openings,
) -> (Description, Option<anyhow::Error>) {
    let mut survey = Survey::default();
    let mut openings = HashMap::new();
    let (mut filtered, mut deleted) = (0, 0);
    let read: Result<(), Error> = database.par_parts(
        |part| {
            if filter.is_empty() {
                let mut census = Census::new(table);
                part.tell(&mut census)?;
                return Ok((census, 0, part.deleted().len() as u64));
            }
            let mut wanted = Filtered::new(filter, Census::new(table));
            part.tell(&mut wanted)?;
            let dropped = wanted.dropped();
            Ok((wanted.into_sink(), dropped, part.deleted().len() as u64))
        },
        |(part, dropped, marked)| {
            let (more, names) = part.finish();
            survey.append(more);
            add(&mut openings, names);
            filtered += dropped;
            deleted += marked;
            Ok(ControlFlow::Continue(()))
        },
    );
    let (profile, progress) = (database.format(), database.progress());
    let on_disk = registry::bytes_on_disk(database.path(), profile);
    let description = Description {
        name: database.path().display().to_string(),
        storage: Some(Storage {
            profile,
            compression: database.compression(),
            bytes: on_disk
                .or(progress.total())
                .unwrap_or_else(|| progress.read()),
        }),
        damage: database.damage().to_vec(),
        filtered,
        deleted,
        survey,
        openings,
    };
    (description, read.err().map(Into::into))
}

fn sum(descriptions: &[Description]) -> Description {
    let mut total = Description {
        name: format!("total of {} files", descriptions.len()),
        storage: None,
        damage: Vec::new(),
        filtered: 0,
        deleted: 0,
        survey: Survey::default(),
        openings: HashMap::new(),
    };
    for description in descriptions {
        total.filtered += description.filtered;
        total.deleted += description.deleted;
        total.survey.append(description.survey.clone());
        add(&mut total.openings, description.openings.clone());
    }
    total
}
