//! `tabiya list`: games as a table, a line each.

pub(super) mod row;
mod sample;
pub(super) mod write;

use std::{ops::ControlFlow, path::PathBuf};

use tabiya::{Database, EarlierOutput, Filter, openings::Openings};

use self::{
    row::{Key, Row, Rows},
    sample::Sample,
    write::{OF_A_SEARCH, Writer},
};
use crate::{
    exit::Outcome,
    folder,
    games::{self, ReadArgs},
    list_format::ListFormat,
    message, openings,
    output::Output,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya list games.pgn
  tabiya list my.cbh --player \"Vladimir Kramnik\" --sort date
  tabiya list twic.pgn.zst --sort elo --reverse --limit 20
  tabiya list twic.pgn.zst --eco B9 --sample 10 --seed 7
  tabiya list my.si5 --format csv > games.csv
  tabiya list folder/ --format json | jq '.[].white'

Numbers are those of the games in their files: `tabiya show --game` takes them. The opening is that of
the moves, by the table that TABIYA_OPENINGS names or tabiya's own; eco is the tag. --sample takes games by
chance, the same ones for the same seed, whatever the number of threads. What is not known is sorted
behind what is, in either direction. Columns that a narrow terminal has no room for are left out;
csv and json have all.

Exit codes: 1 if an input is damaged, 2 if it cannot be read.";

/// List games as a table: players, ratings, result, date, opening, plies, event
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Files to read, packed or not, or folders of PGN; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// Sort by this, the smallest or earliest first
    #[arg(long, value_name = "KEY", value_enum)]
    sort: Option<Key>,

    /// The largest or latest first, or the last in the file
    #[arg(long)]
    reverse: bool,

    /// List so many games at most
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Choose so many games by chance
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// Another seed chooses other games
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "sample")]
    seed: u64,

    /// How the list is printed; JSON is an array of objects
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormat::Table)]
    format: ListFormat,

    #[command(flatten)]
    read: ReadArgs,
}

/// Lists the games of all inputs.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let inputs = folder::expand(&args.inputs, EarlierOutput::Nothing)?;
    let several = inputs.len() > 1;
    let mut writer = Writer::new(args.format, Output::stdout(), several, &OF_A_SEARCH)?;
    let filter = args.read.filter();
    let table = match writer.shows("opening") {
        true => Some(openings::table(None)?),
        false => None,
    };
    let mut list = List::new(args);
    let mut failed = false;
    for path in &inputs {
        let read = games::open(path, args.read.how())
            .and_then(|database| read(database, &filter, table.as_deref(), &mut list, &mut writer));
        match read {
            Ok(()) if list.is_full() => break,
            Ok(()) => {}
            // A list that cannot be written ends the command; an input does not.
            Err(error) if error.downcast_ref::<tabiya::Error>().is_none() => return Err(error),
            Err(error) => {
                message::error(&error);
                failed = true;
            }
        }
    }
    for row in list.finish() {
        writer.row(&row)?;
    }
    writer.finish(failed)?;
    Ok(match failed {
        true => Outcome::Failed,
        false => Outcome::Fine,
    })
}

fn read(
    database: Database,
    filter: &Filter,
    openings: Option<&Openings>,
    list: &mut List,
    writer: &mut Writer,
) -> anyhow::Result<()> {
    let database = games::with_bar_beside_lines(database);
    let file = database.path().display().to_string();
    let mut read = 0;
    database.par_parts(
        |part| {
            let mut rows = Rows::new(filter, openings);
            part.tell(&mut rows)?;
            Ok(rows.finish())
        },
        |(rows, games)| {
            for mut row in rows {
                row.settle(&file, read);
                if let Some(row) = list.take(row) {
                    writer.row(&row)?;
                }
            }
            read += games;
            Ok(match list.is_full() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        },
    )
}

/// How many rows are worth sorting before all have come.
const FEWEST_SORTED: usize = 1_000;

/// The rows that are listed, in their order.
struct List {
    order: Option<(Key, bool)>,
    limit: usize,
    sample: Option<Sample>,
    /// Those that wait until all have come.
    rows: Vec<Row>,
    /// How many went through at once.
    printed: usize,
}

impl List {
    fn new(args: &Args) -> List {
        List {
            order: match (args.sort, args.reverse) {
                (None, false) => None,
                (key, reverse) => Some((key.unwrap_or(Key::Number), reverse)),
            },
            limit: args.limit.unwrap_or(usize::MAX),
            sample: args.sample.map(|size| Sample::new(size, args.seed)),
            rows: Vec::new(),
            printed: 0,
        }
    }

    /// Gives a row back if it need not wait for others.
    fn take(&mut self, row: Row) -> Option<Row> {
        if let Some(sample) = &mut self.sample {
            sample.take(row);
            return None;
        }
        if let Some((key, reverse)) = self.order {
            self.rows.push(row);
            // Twice as many as are wanted wait at most, so that each is sorted twice or so.
            if self.rows.len() >= self.limit.saturating_mul(2).max(FEWEST_SORTED) {
                row::keep_first(&mut self.rows, key, reverse, self.limit);
            }
            return None;
        }
        let has_room = self.printed < self.limit;
        self.printed += usize::from(has_room);
        has_room.then_some(row)
    }

    /// Whether no more rows are wanted.
    fn is_full(&self) -> bool {
        self.sample.is_none() && self.order.is_none() && self.printed >= self.limit
    }

    /// What has waited.
    fn finish(self) -> impl Iterator<Item = Row> {
        let mut rows = match self.sample {
            Some(sample) => sample.finish(),
            None => self.rows,
        };
        if let Some((key, reverse)) = self.order {
            row::sort(&mut rows, key, reverse);
        }
        rows.into_iter().take(self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(order: (Key, bool), limit: usize) -> (Vec<u64>, usize) {
        let mut list = List {
            order: Some(order),
            limit,
            sample: None,
            rows: Vec::new(),
            printed: 0,
        };
        let mut most = 0;
        for number in 1..=10_000 {
            let row = Row {
                number,
                // Many are the same, and some unknown.
                white_elo: (number % 7 != 0).then_some((number * 31 % 97) as u16),
                ..Row::default()
            };
            assert!(list.take(row).is_none());
            most = most.max(list.rows.len());
        }
        (list.finish().map(|row| row.number).collect(), most)
    }

    #[test]
    fn few_rows_wait_where_few_are_wanted() {
        for key in [Key::Number, Key::WhiteElo, Key::Plies, Key::White] {
            for reverse in [false, true] {
                let (all, _) = listed((key, reverse), usize::MAX);
                assert_eq!(all.len(), 10_000);
                for limit in [0, 1, 20, 3_000] {
                    let (first, most) = listed((key, reverse), limit);
                    assert_eq!(first, all[..limit], "{key:?} {reverse} {limit}");
                    assert!(most <= (2 * limit).max(FEWEST_SORTED), "{most}");
                }
            }
        }
    }
}
