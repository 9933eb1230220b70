//! `tabiya pack`: a ChessBase database in one file.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use tabiya::registry;
use tabiya_chessbase::{
    Database, ReadOptions,
    archive::{Packed, database_files, pack_database},
    cbh2,
};
use tabiya_formats::registry::place::{self, Purpose, is_same_database};

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
  tabiya pack games.2cbh -o games.2cbv

Exit codes: 1 if files of the database are missing or cut off, 2 if there is no database, or the archive cannot be written.";

/// Pack a ChessBase database into an archive (.cbv, .cbz, .2cbv)
///
/// All files of the database go in, and the folders of its media; search boosters and keys, which
/// ChessBase makes anew, do not. `tabiya unpack` gives the same files back.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The database: its .cbh or .2cbh file
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
    let is_newer = is_newer(&args.database);
    let warnings = match is_newer {
        true => warnings_of_newer(args),
        false => {
            let database = Database::open(&args.database, ReadOptions::default());
            database.map(|it| it.warnings().to_vec()).with_context(name)
        }
    }?;
    for warning in &warnings {
        message::warning(format_args!("{}: {warning}", name()));
    }
    let files = match is_newer {
        true => cbh2::archive::database_files(&args.database),
        false => database_files(&args.database),
    };
    let files = files.with_context(name)?;
    if files
        .iter()
        .any(|file| is_same_database(registry(), file, &args.output))
    {
        bail!("the archive would replace {}", args.output.display());
    }
    let packed = match is_newer {
        true => pack_newer(args),
        false => pack_classic(args),
    }?;
    let mut output = Output::stdout();
    let (count, size) = (packed.members, packed.size);
    let plural = if count == 1 { "" } else { "s" };
    writeln!(
        output,
        "{count} file{plural}, {size} bytes, packed into {}",
        packed.packed
    )?;
    output.finish()?;
    Ok(match warnings.is_empty() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}

/// Whether a database is of ChessBase 17 or later, by the name of its file.
fn is_newer(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| cbh2::set::FileKind::from_extension(it).is_some())
}

fn warnings_of_newer(args: &Args) -> anyhow::Result<Vec<String>> {
    let name = || args.database.display().to_string();
    let database = cbh2::Database::open(&args.database, ReadOptions::default());
    Ok(database.with_context(name)?.warnings().to_vec())
}

fn pack_classic(args: &Args) -> anyhow::Result<Packed> {
    check_place(args, "chessbase:archive")?;
    let password = password::of_new(&args.output, args.password.as_deref())?;
    let packed = pack_database(&args.database, &args.output, password.as_deref());
    packed.map_err(|error| unwritten(error, Some(&args.output)))
}

/// Such a database is packed as a zip archive, which has no password.
fn pack_newer(args: &Args) -> anyhow::Result<Packed> {
    let extension = args.output.extension().unwrap_or_default();
    if args.password.is_some() || !extension.eq_ignore_ascii_case("2cbv") {
        bail!("a .2cbh database is packed into a .2cbv, which has no password");
    }
    check_place(args, "chessbase:2cbv")?;
    let packed = cbh2::archive::pack_database(&args.database, &args.output);
    packed.map_err(|error| unwritten(error, Some(&args.output)))
}

/// Whether an archive of a profile may be written there.
fn check_place(args: &Args, profile: &str) -> anyhow::Result<()> {
    let archive = registry().spec(profile)?;
    let archive = archive.for_writing(Some(&args.output));
    Ok(place::check(
        registry(),
        &args.output,
        archive,
        Purpose::New,
    )?)
}
