//! Exports to Parquet: whether their files are as they were written.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use tabiya::store::parquet::{self, Checked, is_lake};

use super::report::Report;
use crate::{message, progress::Progress};

/// Checks the inputs that are exports, and leaves the others.
pub fn check(
    inputs: &[PathBuf],
    repair: bool,
    report: &mut Report<impl Write>,
) -> anyhow::Result<Vec<PathBuf>> {
    let (exports, others) = inputs.iter().cloned().partition(|path| is_lake(path));
    let exports: Vec<PathBuf> = exports;
    for path in &exports {
        let name = path.display();
        if repair {
            message::error(&anyhow::anyhow!(
                "{name} is an export, in which nothing can be mended: export the games once more"
            ));
            report.input_failed();
            continue;
        }
        report.start_file(path);
        match checked(path) {
            Ok(checked) => tell(path, &checked, report)?,
            Err(error) => {
                message::error(&anyhow::Error::new(error).context(format!("cannot read {name}")));
                report.input_failed();
            }
        }
    }
    Ok(others)
}

fn tell(path: &Path, checked: &Checked, report: &mut Report<impl Write>) -> io::Result<()> {
    if !checked.has_checksums && checked.damage.is_empty() {
        let name = path.display();
        message::warning(format_args!(
            "{name} has no checksums, for an earlier tabiya wrote it: all of it can be read, but \
             whether it is as it was written nobody can say"
        ));
    }
    report.damage(&checked.damage)?;
    report.games(checked.games);
    Ok(())
}

fn checked(path: &Path) -> io::Result<Checked> {
    let total = length(path).ok();
    let bar = Progress::new(true);
    let mut done = 0;
    parquet::check(path, |bytes| {
        done += bytes;
        bar.update(done, total);
    })
}

/// How many bytes there are to be read, about.
fn length(path: &Path) -> io::Result<u64> {
    let mut length = 0;
    for folder in [path.to_owned(), path.join("positions")] {
        for entry in fs::read_dir(folder)? {
            let metadata = entry?.metadata()?;
            if metadata.is_file() {
                length += metadata.len();
            }
        }
    }
    Ok(length)
}
