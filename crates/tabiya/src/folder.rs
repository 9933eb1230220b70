//! Folders of PGN as inputs.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tabiya_formats::registry::{Candidate, Registry, place};

use crate::{
    Error, ErrorKind, Result,
    convert::{number_in, parts_there},
    registry,
};

/// What an earlier run may have left in a folder that is an input now.
///
/// ```
/// use tabiya::{EarlierOutput, expand_folders};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// for name in ["a.pgn", "all.pgn", "all-0001.pgn"] {
///     std::fs::write(folder.join(name), "1. e4 *\n")?;
/// }
/// let count = |earlier| expand_folders(&[folder.to_owned()], earlier).map(|files| files.len());
/// let all = folder.join("all.pgn");
/// assert_eq!(count(EarlierOutput::Nothing)?, 3);
/// assert_eq!(count(EarlierOutput::File(&all))?, 2);
/// assert_eq!(count(EarlierOutput::Split(&all))?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum EarlierOutput<'a> {
    /// Nothing: all files are inputs.
    Nothing,
    /// The output, which this run replaces.
    File(&'a Path),
    /// The files of an output that is [split](crate::Convert::split), which this run replaces: those
    /// whose numbers run from 1 without a gap. `games-2019.pgn` alone is somebody's own.
    Split(&'a Path),
}

impl<'a> EarlierOutput<'a> {
    /// What tells files of it from others. What is there is looked at once, not for each file.
    fn test(self, registry: &'a Registry) -> impl Fn(&Path) -> bool {
        let parts = match self {
            EarlierOutput::Split(output) => parts_there(output),
            EarlierOutput::Nothing | EarlierOutput::File(_) => 0,
        };
        move |file| match self {
            EarlierOutput::Nothing => false,
            EarlierOutput::File(output) => place::is_same_database(registry, file, output),
            EarlierOutput::Split(output) => {
                number_in(file, output).is_some_and(|number| (1..=parts).contains(&number))
            }
        }
    }
}

/// Inputs in which a folder is replaced by the PGN files in it, packed or not, and in its folders, in
/// the order of their names. A folder that is a database stays as it is. The output of an earlier run
/// is no input of the next one. [`Convert`](crate::Convert) does that with its inputs.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::write(folder.join("b.pgn"), "1. e4 *\n")?;
/// std::fs::write(folder.join("a.pgn"), "1. d4 *\n")?;
/// let files = tabiya::expand_folders(&[folder.to_owned()], tabiya::EarlierOutput::Nothing)?;
/// assert_eq!(files, [folder.join("a.pgn"), folder.join("b.pgn")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a folder cannot be read, or has no games.
pub fn expand_folders(inputs: &[PathBuf], earlier: EarlierOutput<'_>) -> Result<Vec<PathBuf>> {
    expand(registry(), inputs, earlier)
}

/// The same, with other formats.
pub(crate) fn expand(
    registry: &Registry,
    inputs: &[PathBuf],
    earlier: EarlierOutput<'_>,
) -> Result<Vec<PathBuf>> {
    let is_earlier = earlier.test(registry);
    let mut files = Vec::new();
    for input in inputs {
        if !input.is_dir() || is_database(registry, input) {
            files.push(input.clone());
            continue;
        }
        let name = input.display().to_string();
        let found = games_in(registry, input);
        let mut found = found.map_err(|error| Error::from(error).trying_to("read", &name))?;
        found.pgn.retain(|file| !is_earlier(file));
        if found.pgn.is_empty() {
            let such = found.others.first();
            let such = such.map_or_else(String::new, |file| format!(", as {}", file.display()));
            let lack = format!(
                "is a folder without PGN files, and no database itself: name a file in it{such}"
            );
            return Err(Error::about(ErrorKind::Unsupported, name, lack));
        }
        files.extend(found.pgn);
    }
    Ok(files)
}

/// What [`expand_folders`] leaves out: databases and other files of games in folders. Who wants them
/// has to name them.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::write(folder.join("a.pgn"), "1. d4 *\n")?;
/// tabiya::convert(folder.join("a.pgn"), folder.join("b.si5")).run()?;
/// let files = tabiya::left_in_folders(&[folder.to_owned()], tabiya::EarlierOutput::Nothing);
/// assert_eq!(files, [folder.join("b.si5")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn left_in_folders(inputs: &[PathBuf], earlier: EarlierOutput<'_>) -> Vec<PathBuf> {
    let is_earlier = earlier.test(registry());
    let files = found_in(inputs).flat_map(|found| found.others);
    files.filter(|file| !is_earlier(file)).collect()
}

/// What [`expand_folders`] takes for the files of an earlier run that was
/// [split](crate::Convert::split), and leaves out. Only their names say so: whoever asked should be
/// told.
///
/// ```
/// use tabiya::{EarlierOutput, parts_in_folders};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// for name in ["all-0001.pgn", "all-2026.pgn"] {
///     std::fs::write(folder.join(name), "1. e4 *\n")?;
/// }
/// let all = folder.join("all.pgn");
/// let files = parts_in_folders(&[folder.to_owned()], EarlierOutput::Split(&all));
/// assert_eq!(files, [folder.join("all-0001.pgn")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn parts_in_folders(inputs: &[PathBuf], earlier: EarlierOutput<'_>) -> Vec<PathBuf> {
    // The one file of another output is named by whoever asks.
    let EarlierOutput::Split(_) = earlier else {
        return Vec::new();
    };
    let is_earlier = earlier.test(registry());
    let files = found_in(inputs).flat_map(|found| found.pgn);
    files.filter(|file| is_earlier(file)).collect()
}

/// What is in those inputs that are folders and no databases.
fn found_in(inputs: &[PathBuf]) -> impl Iterator<Item = Found> {
    let registry = registry();
    let folders = inputs
        .iter()
        .filter(|input| input.is_dir() && !is_database(registry, input));
    folders.filter_map(|folder| games_in(registry, folder).ok())
}

/// The files below a folder that can be read.
#[derive(Default)]
struct Found {
    pgn: Vec<PathBuf>,
    /// Databases, folders too, and other files; of several files that make one, the first.
    others: Vec<PathBuf>,
}

impl Found {
    fn add(&mut self, registry: &Registry, path: PathBuf) {
        let Some(profile) = registry.by_path(&path).filter(|it| it.profile.reads()) else {
            return;
        };
        let is_main = || {
            let extension = path.extension().unwrap_or_default();
            let main = profile.extensions().first();
            !profile.several_files()
                || main.is_some_and(|main| extension.eq_ignore_ascii_case(main))
        };
        if profile.format.name == "pgn" {
            self.pgn.push(path);
        } else if is_main() {
            self.others.push(path);
        }
    }
}

fn is_database(registry: &Registry, folder: &Path) -> bool {
    let candidate = Candidate {
        path: Some(folder),
        folder: true,
        ..Candidate::default()
    };
    registry.by_content(&candidate).is_some()
}

/// All files of games below a folder. Links to folders are not followed: they may lead in circles.
fn games_in(registry: &Registry, folder: &Path) -> io::Result<Found> {
    let mut files = Found::default();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                // What is inside a database belongs to it.
                match is_database(registry, &path) {
                    true => files.others.push(path),
                    false => folders.push(path),
                }
            } else if path.is_file() {
                files.add(registry, path);
            }
        }
    }
    files.pgn.sort();
    files.others.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_stands_for_its_pgn_files_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir(root.join("more")).expect("a folder");
        for name in ["b.pgn", "a.PGN.zst", "notes.txt", "more/c.pgn"] {
            fs::write(root.join(name), "").expect("a file");
        }
        let other = PathBuf::from("x.si5");
        let files = expand_folders(&[other.clone(), root.to_path_buf()], EarlierOutput::Nothing)
            .expect("files");
        let expected = ["a.PGN.zst", "b.pgn", "more/c.pgn"].map(|name| root.join(name));
        assert_eq!(files[0], other);
        assert_eq!(files[1..], expected);
        let output = root.join("b.pgn");
        let earlier = EarlierOutput::File(&output);
        let files = expand_folders(&[root.to_path_buf()], earlier).expect("files");
        assert_eq!(files, [&expected[0], &expected[2]].map(PathBuf::clone));
        fs::create_dir(root.join("empty")).expect("a folder");
        let error = expand_folders(&[root.join("empty")], EarlierOutput::Nothing);
        let error = error.expect_err("nothing is there");
        assert!(error.to_string().contains("without PGN files"), "{error}");
    }
}
