//! The files of a database by their names.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::super::AssemblyError;
use crate::{files::FileKind, newer_files::FileKind as NewerKind};
use tabiya_formats::io::{SWAP_LIST, folder_of};

/// Which family a file belongs to: both may be there under one name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Design {
    Classic,
    Newer,
}

impl Design {
    fn of(extension: &str) -> Option<Design> {
        match FileKind::from_extension(extension) {
            Some(_) => Some(Design::Classic),
            None => NewerKind::from_extension(extension).map(|_| Design::Newer),
        }
    }

    /// The extension of headers.
    pub fn headers(self) -> &'static str {
        match self {
            Design::Classic => FileKind::Headers.extension(),
            Design::Newer => NewerKind::Headers.extension(),
        }
    }

    /// How the name of a list ends.
    fn list(self) -> String {
        match self {
            Design::Classic => SWAP_LIST.to_string(),
            Design::Newer => format!(".2cbh{SWAP_LIST}"),
        }
    }
}

/// The files of one name in a folder, whatever the case of their letters.
pub(super) struct Family {
    folder: PathBuf,
    stem: String,
    header: PathBuf,
    design: Design,
    /// Names of files that are there.
    names: Vec<String>,
    list: PathBuf,
}

impl Family {
    /// Finds the database that a path names by any of its files, or where it would be.
    pub fn find(path: &Path) -> io::Result<Family> {
        let bad = || AssemblyError::BadName(path.to_owned());
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| !name.contains(char::is_control));
        let name = name.ok_or_else(bad)?;
        let known = split(name).and_then(|(stem, extension)| Some((stem, Design::of(extension)?)));
        let (stem, design) = known.unwrap_or((name, Design::Classic));
        let folder = folder_of(path).to_owned();
        let (names, lists) = look(&folder, stem, design)?;
        // Where two differ in nothing but their case, the one that was named is meant.
        let pick = |wanted: &str| {
            let same = |name: &&String| name.to_lowercase() == wanted.to_lowercase();
            let exact = names.iter().find(|name| *name == wanted);
            exact.or_else(|| names.iter().find(same)).cloned()
        };
        let named = match split(name) {
            Some((_, it)) if it.eq_ignore_ascii_case(design.headers()) => name.to_owned(),
            _ => format!("{stem}.{}", design.headers()),
        };
        let header = pick(&named).unwrap_or(named);
        let stem = split(&header).map_or(stem, |(stem, _)| stem).to_owned();
        let list = lists.into_iter().next();
        let list = list.unwrap_or_else(|| format!(".{stem}{}", design.list()));
        Ok(Family {
            design,
            header: folder.join(&header),
            list: folder.join(list),
            folder,
            stem,
            names,
        })
    }

    pub fn design(&self) -> Design {
        self.design
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn stem(&self) -> &str {
        &self.stem
    }

    pub fn header(&self) -> &Path {
        &self.header
    }

    /// The list of a change: the one that is there, or where it would be.
    pub fn list(&self) -> PathBuf {
        self.list.clone()
    }

    /// The file of an extension that is there.
    pub fn existing(&self, extension: &str) -> Option<String> {
        let wanted = |name: &&String| {
            split(name).is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
        };
        let mut found: Vec<&String> = self.names.iter().filter(wanted).collect();
        found.sort_by_key(|name| split(name).map(|(stem, _)| stem != self.stem));
        found.first().copied().cloned()
    }

    /// What the file of an extension is called: as the one that is there, else in small letters.
    pub fn name(&self, extension: &str) -> io::Result<String> {
        if extension == self.design.headers() {
            let name = self.header.file_name().and_then(|name| name.to_str());
            let bad = || AssemblyError::BadName(self.header.clone());
            return Ok(name.ok_or_else(bad)?.to_owned());
        }
        let existing = self.existing(extension);
        Ok(existing.unwrap_or_else(|| format!("{}.{extension}", self.stem)))
    }

    /// Whether a name is that of a file of this database, and not a way to another folder.
    pub fn has(&self, name: &str) -> bool {
        let is_ours = |(stem, extension): (&str, &str)| {
            stem.to_lowercase() == self.stem.to_lowercase()
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        split(name).is_some_and(is_ours)
    }

    /// Renaming would not ask whether a file may be written.
    pub fn check_writable(&self) -> io::Result<()> {
        for name in &self.names {
            let path = self.folder.join(name);
            let there = fs::metadata(&path);
            let design = split(name).and_then(|(_, extension)| Design::of(extension));
            if design == Some(self.design)
                && there.is_ok_and(|there| there.permissions().readonly())
            {
                return Err(AssemblyError::Protected(path).into());
            }
        }
        Ok(())
    }
}

/// A name without its extension, and that.
fn split(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())
}

/// The files of a name in a folder, and the lists of their changes.
fn look(folder: &Path, stem: &str, design: Design) -> io::Result<(Vec<String>, Vec<String>)> {
    let caseless = stem.to_lowercase();
    let list = format!(".{caseless}{}", design.list());
    let (mut names, mut lists) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let Some(name) = name.to_str() else { continue };
        if name.to_lowercase() == list {
            lists.push(name.to_owned());
        } else if split(name).is_some_and(|(stem, _)| stem.to_lowercase() == caseless)
            && !folder.join(name).is_dir()
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    lists.sort();
    Ok((names, lists))
}
