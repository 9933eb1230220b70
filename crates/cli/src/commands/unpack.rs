//! `tabiya unpack`: the files of a ChessBase archive.

use std::{
    fs::File,
    io::{Read, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use tabiya_chessbase::{
    archive::{Archive, ArchiveErrorKind, Existing, unpack, unpack_whole},
    cbh2,
};

use crate::{exit::Outcome, message, output::Output, password};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya unpack mega.cbv mega
  tabiya unpack secret.cbz . --password \"open sesame\"
  tabiya unpack games.2cbv games
  tabiya unpack cut-off.2cbv rescued --salvage

Exit codes: 1 if --salvage had to leave something out, 2 if the archive is damaged, the password is wrong, or something is in the way.";

/// Unpack a ChessBase archive (.cbv, .cbz, .2cbv)
///
/// All files appear, or none if anything is wrong with the archive, unless --salvage asks for what
/// is whole. `tabiya convert` and the other
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

    /// Unpack the files that are whole of an archive that is damaged or cut off
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
        let unpacked = match args.salvage {
            true => cbh2::archive::unpack_whole(&args.archive, &args.folder, existing),
            false => cbh2::archive::unpack(&args.archive, &args.folder, existing).map(all_whole),
        };
        return list(&unpacked.with_context(name)?);
    }
    let open = |password| Archive::open_path(&args.archive, password);
    let opened = match open(args.password.as_deref()) {
        Err(error)
            if matches!(error.kind(), ArchiveErrorKind::NeedsPassword) && password::can_ask() =>
        {
            open(Some(&password::ask(&args.archive)?))
        }
        opened => opened,
    };
    let mut archive = opened.with_context(name)?;
    let unpacked = match args.salvage {
        true => unpack_whole(&mut archive, &args.folder, existing),
        false => unpack(&mut archive, &args.folder, existing).map(all_whole),
    };
    list(&unpacked.with_context(name)?)
}

/// The files that were unpacked, and what is wrong with others.
type Unpacked = (Vec<PathBuf>, Vec<String>);

fn all_whole(files: Vec<PathBuf>) -> Unpacked {
    (files, Vec::new())
}

/// Whether an archive is one of ChessBase 17 or later.
fn is_zip(path: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(2).read_to_end(&mut head)?;
    Ok(cbh2::archive::recognise(&head))
}

fn list((files, damage): &Unpacked) -> anyhow::Result<Outcome> {
    let mut output = Output::stdout();
    for file in files {
        writeln!(output, "{}", file.display())?;
    }
    output.finish()?;
    damage.iter().for_each(message::warning);
    Ok(match damage.is_empty() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}
