//! `tabiya pack`: a ChessBase database in one file.

use std::{fs, io::Write, path::PathBuf};

use anyhow::{Context, bail};
use tabiya_formats::{
    chessbase::{
        Database, ReadOptions,
        archive::{database_files, pack_database},
    },
    registry::{
        FormatSpec,
        place::{self, Purpose, is_same_database},
    },
};

use crate::{
    exit::Outcome,
    message,
    output::{Output, unwritten},
    password,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya pack games.cbh -o games.cbv
  tabiya pack games.cbh -o secret.cbz --password \"open sesame\"

Exit codes: 1 if files of the database are missing or cut off, 2 if there is no database, or the archive cannot be written.";

/// Pack a ChessBase database into an archive (.cbv, .cbz)
///
/// All files of the database go in, and the folders of its media; search boosters and keys, which
/// ChessBase makes anew, do not. `tabiya unpack` gives the same files back.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database: its .cbh file
    #[arg(value_name = "DATABASE")]
    database: PathBuf,

    /// The archive; one that is there is replaced
    #[arg(short, long, value_name = "ARCHIVE")]
    output: PathBuf,

    /// The password; without it, you are asked for one if the archive is a .cbz
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,
}

/// Packs, and says what came to what.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let name = || args.database.display().to_string();
    // Fails if it is no database, and completes a change that was interrupted.
    fs::metadata(&args.database).with_context(name)?;
    let database = Database::open(&args.database, ReadOptions::default()).with_context(name)?;
    for warning in database.warnings() {
        message::warning(format_args!("{}: {warning}", name()));
    }
    let whole = database.warnings().is_empty();
    drop(database);
    let files = database_files(&args.database).with_context(name)?;
    if files
        .iter()
        .any(|file| is_same_database(file, &args.output))
    {
        bail!("the archive would replace {}", args.output.display());
    }
    let archive: FormatSpec = "chessbase:archive".parse()?;
    let archive = archive.for_writing(Some(&args.output));
    place::check(&args.output, archive, Purpose::New)?;
    let password = password::of_new(&args.output, args.password.as_deref())?;
    let packed = pack_database(&args.database, &args.output, password.as_deref());
    let packed = packed.map_err(|error| unwritten(error, Some(&args.output)))?;
    let mut output = Output::stdout();
    let (count, size) = (packed.members, packed.size);
    let plural = if count == 1 { "" } else { "s" };
    writeln!(
        output,
        "{count} file{plural}, {size} bytes, packed into {}",
        packed.packed
    )?;
    output.finish()?;
    Ok(match whole {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}
