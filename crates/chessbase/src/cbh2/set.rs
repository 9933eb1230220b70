//! The files of a database.

use std::{collections::BTreeMap, path::Path};

use super::{
    entities::{Entities, EntityKind},
    frame,
    header::{Headers, RECORD},
};
use crate::files::set::{SetError, companions};
pub use crate::newer_files::FileKind;
use tabiya_formats::io::{Contents, Unchanged};

/// The files of a database, mapped into memory.
#[derive(Clone, Default)]
pub struct FileSet {
    files: BTreeMap<FileKind, Contents>,
    opened: Unchanged,
}

impl FileSet {
    /// Opens the database that a file belongs to, whichever of its files it is.
    ///
    /// # Errors
    /// If the file is none of a database, there are no headers, or a file is there and cannot be
    /// opened. Other files may be missing.
    pub fn open(path: impl AsRef<Path>) -> Result<FileSet, SetError> {
        let path = path.as_ref();
        let (Some(name), Some(_)) = (path.file_stem(), FileKind::of(path)) else {
            return Err(SetError::NotInNewFamily(path.to_owned()));
        };
        let (mut files, mut opened) = (BTreeMap::new(), Unchanged::default());
        for (kind, path) in companions(path, name, FileKind::of)? {
            // Nobody who reads needs what is computed from the rest.
            if !matches!(kind, FileKind::Lists | FileKind::Orders) {
                opened.add(&path);
                files.insert(kind, Contents::map(path)?);
            }
        }
        // Those that are missing may come.
        for kind in [FileKind::Moves, FileKind::Annotations, FileKind::Entities] {
            if !files.contains_key(&kind) {
                opened.add(path.with_extension(kind.extension()));
            }
        }
        match files.contains_key(&FileKind::Headers) {
            true => Ok(FileSet { files, opened }),
            false => Err(SetError::NoNewHeaders(path.to_owned())),
        }
    }

    /// Files that are open already.
    pub fn from_files(files: impl IntoIterator<Item = (FileKind, Contents)>) -> FileSet {
        FileSet {
            files: files.into_iter().collect(),
            opened: Unchanged::default(),
        }
    }

    /// Its files as they were when they were opened.
    #[must_use]
    pub fn opened(&self) -> &Unchanged {
        &self.opened
    }

    /// A file, if it is there.
    #[must_use]
    pub fn get(&self, kind: FileKind) -> Option<&[u8]> {
        self.files.get(&kind).map(|contents| &**contents)
    }

    /// What is in the files.
    #[must_use]
    pub fn tables(&self) -> Option<Tables<'_>> {
        let entities = self.get(FileKind::Entities).and_then(Entities::new);
        Some(Tables {
            headers: Headers::new(self.get(FileKind::Headers)?)?,
            moves: self.get(FileKind::Moves),
            annotations: self.get(FileKind::Annotations),
            entities,
        })
    }

    /// What is missing or cut off, one sentence for each file.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let Some(tables) = self.tables() else {
            return Vec::new();
        };
        let mut warnings = Vec::new();
        let needed = [FileKind::Moves, FileKind::Annotations, FileKind::Entities];
        for kind in needed {
            if self.get(kind).is_none() {
                warnings.push(format!("the {kind} file is missing"));
            }
        }
        let length = self.get(FileKind::Headers).map_or(0, <[u8]>::len);
        let (found, announced) = (i64::from(tables.headers.len()), tables.headers.announced());
        if found < announced {
            let kind = FileKind::Headers;
            warnings.push(format!(
                "the {kind} file is cut off: it has {found} of {announced} records"
            ));
        } else if found > announced {
            let kind = FileKind::Headers;
            warnings.push(format!(
                "the {kind} file has {found} records, and its header says {announced}"
            ));
        } else if !length.is_multiple_of(RECORD) {
            warnings.push("the .2cbh file ends within a record".to_owned());
        }
        if !tables.headers.is_usual() {
            let version = tables.headers.version();
            warnings.push(format!("the .2cbh file is of version {version}, not 5"));
        }
        for kind in [FileKind::Moves, FileKind::Annotations] {
            warnings.extend(self.get(kind).and_then(|file| cut_store(kind, file)));
        }
        if tables.entities.is_none() && self.get(FileKind::Entities).is_some() {
            warnings.push("the .2lid file does not begin with its header".to_owned());
        }
        warnings.extend(tables.entities.iter().flat_map(cut_names));
        let unknown = tables.entities.as_ref().map_or(0, Entities::unknown);
        if unknown > 0 {
            warnings.push(format!(
                "the .2lid file has {unknown} records in tables of a later ChessBase, which nobody \
                 knows: they are not read"
            ));
        }
        warnings
    }
}

fn cut_names(entities: &Entities<'_>) -> impl Iterator<Item = String> {
    EntityKind::ALL.into_iter().filter_map(|kind| {
        let (found, announced) = (entities.stored(kind), entities.count(kind));
        let name = kind.name();
        (found < announced)
            .then(|| format!("the .2lid file is cut off: it has {found} of {announced} {name}s"))
    })
}

fn cut_store(kind: FileKind, file: &[u8]) -> Option<String> {
    let Some(announced) = frame::announced_length(file) else {
        return Some(format!("the {kind} file does not begin with its header"));
    };
    let found = file.len();
    let is_cut = (found as u64) < announced;
    is_cut.then(|| format!("the {kind} file is cut off: it has {found} of {announced} bytes"))
}

/// What is in the files of a database. Those that are missing or cannot be read are `None`.
#[derive(Clone, Debug)]
pub struct Tables<'b> {
    /// The headers.
    pub headers: Headers<'b>,
    /// Moves and texts.
    pub moves: Option<&'b [u8]>,
    /// Annotations.
    pub annotations: Option<&'b [u8]>,
    /// Names.
    pub entities: Option<Entities<'b>>,
}
