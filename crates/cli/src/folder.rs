//! Folders of PGN as inputs.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use tabiya_formats::registry::{self, Candidate, place};

use crate::message;

/// Inputs in which a folder is replaced by the PGN files in it, packed or not, and in its folders, in
/// the order of their names. A folder that is a database stays as it is. The output of an earlier run
/// is no input of the next one.
pub fn expand(inputs: &[PathBuf], output: Option<&Path>) -> anyhow::Result<Vec<PathBuf>> {
    let is_output =
        |file: &PathBuf| output.is_some_and(|output| place::is_same_database(file, output));
    let mut files = Vec::new();
    for input in inputs {
        if !input.is_dir() || is_database(input) {
            files.push(input.clone());
            continue;
        }
        let name = input.display();
        let mut found = games_in(input).with_context(|| format!("cannot read {name}"))?;
        found.pgn.retain(|file| !is_output(file));
        found.others.retain(|file| !is_output(file));
        if found.pgn.is_empty() {
            bail!(
                "{name} is a folder without PGN files, and no database itself: name a file in it{}",
                found.others_in_words()
            );
        }
        if !found.others.is_empty() {
            message::warning(format_args!(
                "{name}: a folder stands for the PGN files in it, and others are not read: name \
                 them, too{}",
                found.others_in_words()
            ));
        }
        files.extend(found.pgn);
    }
    Ok(files)
}

/// How many files are named that are not read.
const NAMED: usize = 3;

/// The files below a folder that can be read.
#[derive(Default)]
struct Found {
    pgn: Vec<PathBuf>,
    /// Databases and other files; of several files that make one, the first.
    others: Vec<PathBuf>,
}

impl Found {
    fn others_in_words(&self) -> String {
        let names = self.others.iter().take(NAMED);
        let names: Vec<String> = names.map(|path| path.display().to_string()).collect();
        match self.others.len() {
            0 => String::new(),
            count if count > NAMED => {
                format!(", as {} or {} more", names.join(", "), count - NAMED)
            }
            _ => format!(", as {}", names.join(", ")),
        }
    }

    fn add(&mut self, path: PathBuf) {
        let Some(dialect) = registry::by_path(&path).filter(|it| it.profile.reads()) else {
            return;
        };
        let is_main = || {
            let extension = path.extension().unwrap_or_default();
            let main = dialect.profile.extensions.first();
            !dialect.profile.is_several_files()
                || main.is_some_and(|main| extension.eq_ignore_ascii_case(main))
        };
        if dialect.format.name == "pgn" {
            self.pgn.push(path);
        } else if is_main() {
            self.others.push(path);
        }
    }
}

fn is_database(folder: &Path) -> bool {
    let candidate = Candidate {
        path: Some(folder),
        folder: true,
        ..Candidate::default()
    };
    registry::by_content(&candidate).is_some()
}

/// All files of games below a folder. Links to folders are not followed: they may lead in circles.
fn games_in(folder: &Path) -> io::Result<Found> {
    let mut files = Found::default();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.is_file() {
                files.add(path);
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
        let files = expand(&[other.clone(), root.to_path_buf()], None).expect("files");
        let expected = ["a.PGN.zst", "b.pgn", "more/c.pgn"].map(|name| root.join(name));
        assert_eq!(files[0], other);
        assert_eq!(files[1..], expected);
        let output = root.join("b.pgn");
        let files = expand(&[root.to_path_buf()], Some(&output)).expect("files");
        assert_eq!(files, [&expected[0], &expected[2]].map(PathBuf::clone));
        fs::create_dir(root.join("empty")).expect("a folder");
        let error = expand(&[root.join("empty")], None).expect_err("nothing is there");
        assert!(error.to_string().contains("without PGN files"), "{error}");
    }
}
