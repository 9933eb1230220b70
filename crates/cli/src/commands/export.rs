//! `tabiya export`: games of a database into any format.

use std::path::PathBuf;

use anyhow::bail;
use tabiya::{Error, ErrorKind, FormatSpec, Numbers, registry};

use super::convert;
use crate::{exit::Outcome, format_arg, games::ReadArgs};

/// The examples, with those of an option that is not always there.
macro_rules! examples {
    ($parquet:literal, $about:literal) => {
        concat!(
            "\
EXAMPLES:
  tabiya export games.tabiya -o games.pgn.zst
  tabiya export games.tabiya --player carlsen --since 2023 -o carlsen.cbh
  tabiya export games.tabiya --games 1..1000 -o first.si5
  tabiya export games.tabiya --to csv > headers.csv
",
            $parquet,
            "
An export is a conversion: `tabiya convert` reads databases too, and has more options. What the other
format cannot hold is counted and reported; PGN holds all but pictures and texts.
",
            $about,
            "
Exit codes: 0 every wanted game was written whole, 1 some are broken, refused or lost something, 2
wrong use or failed input or output, 130 interrupted by Ctrl-C."
        )
    };
}

#[cfg(feature = "parquet")]
const EXAMPLES: &str = examples!(
    "  tabiya export games.tabiya --parquet lake --memory 2G
  duckdb -c \"select san, count(*) from 'lake/positions/*.parquet' where key = 5060803636482931868 group by 1\"
",
    "
--parquet writes games.parquet, a row for each entry, and positions/part-NNNN.parquet, a row for each
ply, sorted by the key of the position it was played in; docs/store.md lists the columns. The folder
appears when it is complete, and takes the place of an earlier export, but of nothing else.
"
);
#[cfg(not(feature = "parquet"))]
const EXAMPLES: &str = examples!("", "");

/// Write games of a database of tabiya's own in any format
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database, a folder such as games.tabiya
    #[arg(value_name = "DATABASE")]
    database: PathBuf,

    /// The file to write, packed as its name says; without it, standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The format to write: pgn, cbh, si5, csv, … as `tabiya formats` lists them
    ///
    /// Without it, what the name of the output says, or pgn.
    #[arg(long, value_name = "FORMAT[:PROFILE]", value_parser = format_arg::writable(), hide_possible_values = true)]
    to: Option<FormatSpec>,

    /// Write Parquet files into a folder, for DuckDB, Polars and Spark: all games, and all positions
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["output", "to"], hide = !cfg!(feature = "parquet"))]
    parquet: Option<PathBuf>,

    /// About how much memory is used to sort positions: 512M, 2G
    #[arg(long, value_name = "SIZE", requires = "parquet", conflicts_with_all = ["output", "to"], hide = !cfg!(feature = "parquet"))]
    memory: Option<String>,

    /// Only the games with these numbers: 7, 1..100, 50.. or 1,3,5..9
    #[arg(long, value_name = "NUMBERS")]
    games: Option<Numbers>,

    /// Stop at the first game that is broken, or would lose or respell something, and write nothing
    #[arg(long)]
    strict: bool,

    /// Write what can be read of a database that is damaged, and say what is missing
    #[arg(long, conflicts_with = "strict")]
    salvage: bool,

    /// Write the texts that belong to no game as files into a folder
    #[arg(long, value_name = "FOLDER")]
    texts: Option<PathBuf>,

    /// Write what happened as JSON, with every broken game, 10,000 at most
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Do everything but write the output
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Exports, and tells what happened.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let format = registry().profile(&args.database, args.read.from)?;
    if format.format.name != "tabiya" {
        let name = args.database.display();
        bail!("{name} is {format}, and no database of tabiya's own: tabiya convert reads it");
    }
    let salvage = args.salvage;
    let mut conversion = convert::Args {
        inputs: vec![args.database],
        output: args.output,
        to: args.to,
        games: args.games,
        strict: args.strict,
        salvage: args.salvage,
        texts: args.texts,
        report: args.report,
        dry_run: args.dry_run,
        memory: args.memory,
        read: args.read,
        ..convert::Args::default()
    };
    if let Some(folder) = args.parquet {
        parquet::prepare(&mut conversion, folder)?;
    }
    let exported = convert::run(conversion);
    let is_damaged = |error: &Error| error.kind() == ErrorKind::Damaged;
    match exported {
        Err(error) if !salvage && error.downcast_ref().is_some_and(is_damaged) => {
            bail!("{error}; --salvage writes what can be read")
        }
        exported => exported,
    }
}

#[cfg(feature = "parquet")]
mod parquet {
    use std::path::PathBuf;

    use tabiya::store::{
        Store,
        parquet::{PARQUET, extent},
    };

    use crate::{commands::convert, message, text::grouped};

    /// Makes a conversion one into Parquet files, and says how much disk it needs.
    pub fn prepare(conversion: &mut convert::Args, folder: PathBuf) -> anyhow::Result<()> {
        let formats = &mut conversion.formats.0;
        formats.register(&PARQUET);
        conversion.to = Some(formats.spec(PARQUET.name)?);
        conversion.output = Some(folder);
        let store = match conversion.salvage {
            true => Store::salvage(&conversion.inputs[0])?,
            false => Store::open(&conversion.inputs[0])?,
        };
        let extent = extent(&store);
        let all = conversion.games.is_none() && conversion.read.filter().is_empty();
        message::note(format_args!(
            "{} plies need {} {} MB of disk until they are sorted",
            grouped(extent.plies),
            if all { "about" } else { "at most" },
            grouped(extent.bytes.div_ceil(1_000_000)),
        ));
        Ok(())
    }
}

#[cfg(not(feature = "parquet"))]
mod parquet {
    use std::path::PathBuf;

    use anyhow::bail;

    use crate::commands::convert;

    /// Says how to get it.
    pub fn prepare(_: &mut convert::Args, _: PathBuf) -> anyhow::Result<()> {
        bail!(
            "this tabiya was built without Parquet: cargo install tabiya-cli --features parquet \
             builds one with it"
        )
    }
}
