//! `tabiya unpack`: the files of a ChessBase archive.

use std::{
    fs::File,
    io::{Read, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use tabiya_chessbase::{
    archive::{Archive, ArchiveErrorKind, Existing, salvage, unpack},
    cbh2,
};

use crate::{exit::Outcome, message, output::Output, password};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya unpack mega.cbv mega
  tabiya unpack secret.cbz . --password \"open sesame\"
  tabiya unpack games.2cbv games
  tabiya unpack cut-off.cbv rescued --salvage

Exit codes: 1 if --salvage could not unpack everything; 2 if the archive is damaged, the password is wrong, or something is in the way.";

/// Unpack a ChessBase archive (.cbv, .cbz, .2cbv)
///
/// All files appear, or none if anything is wrong with the archive; with --salvage, each as far as
/// it can be unpacked. `tabiya convert` and the other
/// commands read archives as they are.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,

    /// The folder to unpack into; it is created if it is not there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// The password; without it, you are asked for it if there is one
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,

    /// Replace files that are there already
    #[arg(long)]
    force: bool,

    /// Of a damaged or cut off archive, unpack what can be unpacked
    #[arg(long)]
    salvage: bool,
}

/// Unpacks, and lists what came out.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let name = || args.archive.display().to_string();
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    if is_zip(&args.archive).with_context(name)? {
        let (archive, folder) = (&args.archive, &args.folder);
        if args.salvage {
            let salvaged = cbh2::archive::salvage(archive, folder, existing);
            return tell(&args.archive, salvaged.with_context(name)?);
        }
        let files = cbh2::archive::unpack(archive, folder, existing);
        return list(&files.with_context(name)?);
    }
    let open = |password| match args.salvage {
        true => Archive::open_cut_path(&args.archive, password),
        false => Archive::open_path(&args.archive, password),
    };
    let opened = match open(args.password.as_deref()) {
        Err(error)
            if matches!(error.kind(), ArchiveErrorKind::NeedsPassword) && password::can_ask() =>
        {
            open(Some(&password::ask(&args.archive)?))
        }
        opened => opened,
    };
    let mut archive = opened.with_context(name)?;
    if args.salvage {
        let salvaged = salvage(&mut archive, &args.folder, existing);
        return tell(&args.archive, salvaged.with_context(name)?);
    }
    let files = unpack(&mut archive, &args.folder, existing).with_context(name)?;
    list(&files)
}

/// Whether an archive is one of ChessBase 17 or later.
fn is_zip(path: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(2).read_to_end(&mut head)?;
    Ok(cbh2::archive::recognise(&head))
}

/// Lists what came out, and says what did not.
fn tell(archive: &Path, (files, damage): (Vec<PathBuf>, Vec<String>)) -> anyhow::Result<Outcome> {
    let outcome = list(&files)?;
    for damage in &damage {
        message::warning(format_args!("{}: {damage}", archive.display()));
    }
    Ok(match damage.is_empty() {
        true => outcome,
        false => Outcome::Findings,
    })
}

fn list(files: &[PathBuf]) -> anyhow::Result<Outcome> {
    let mut output = Output::stdout();
    for file in files {
        writeln!(output, "{}", file.display())?;
    }
    output.finish()?;
    Ok(Outcome::Fine)
}
