//! Names of openings, from the table that tabiya has or from others.
//!
//! ```
//! use tabiya::openings::{Classifier, Openings};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "1. c4 e6 2. d4 d5 *\n")?;
//! let mut classifier = Classifier::new(Openings::eco());
//! tabiya::open(&path)?.get(1)?.tell(&mut classifier);
//! let (opening, ply) = classifier.found().unwrap();
//! assert_eq!((opening.eco.as_str(), ply), ("D30", 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{fs, path::Path};

pub use tabiya_search::openings::{Classifier, Opening, Openings, TableError};

use tabiya_game::{Event, Filter, Flow, GameSink, Needs, Tags};

use crate::{Database, Error, ErrorKind, Result, database::InPlace};

/// Reads a table of openings, or all tables (`.tsv`) of a folder in the order of their names:
/// lines with tabs, of code, name and moves, as Lichess publishes them.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("mine.tsv");
/// std::fs::write(&path, "eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n")?;
/// assert_eq!(tabiya::openings::read(&path)?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it cannot be read, or a line is wrong.
pub fn read(path: impl AsRef<Path>) -> Result<Openings> {
    let path = path.as_ref();
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let entries = entries.map_err(|error| unread(error, path))?;
        files = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|name| name == "tsv"));
        files.sort();
    }
    let mut all = Openings::default();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|error| unread(error, file))?;
        let table: Openings = text.parse().map_err(|error: TableError| {
            let words = format!("{} is no table of openings: {error}", file.display());
            Error::new(ErrorKind::Unsupported, words)
        })?;
        all.extend(table);
    }
    match all.is_empty() {
        true => {
            let words = format!("{} names no openings", path.display());
            Err(Error::new(ErrorKind::Unsupported, words))
        }
        false => Ok(all),
    }
}

fn unread(error: std::io::Error, path: &Path) -> Error {
    Error::from(error).trying_to("read", path.display().to_string())
}

/// A game and its opening.
#[derive(Clone, Debug)]
pub struct Classified<'o> {
    /// The number of the game in its file.
    pub number: u64,
    /// Its tags.
    pub tags: Tags,
    /// The opening: the deepest position with a name, and after how many plies it stands.
    pub opening: Option<(&'o Opening, u32)>,
}

/// What the `ECO` tag of a game says about its opening.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Agreement {
    /// The same.
    Same,
    /// Another code.
    Other,
    /// Nothing: it has no such tag, or one that is no code.
    Untagged,
    /// No position of the game has a name.
    Unnamed,
}

impl Agreement {
    /// All of them.
    pub const ALL: [Agreement; 4] = [
        Agreement::Same,
        Agreement::Other,
        Agreement::Untagged,
        Agreement::Unnamed,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Agreement::Same => "same",
            Agreement::Other => "other",
            Agreement::Untagged => "untagged",
            Agreement::Unnamed => "unnamed",
        }
    }
}

impl Classified<'_> {
    /// The code of its tag, if that is one. Some programs write more behind it, as in `B90s`.
    #[must_use]
    pub fn tagged(&self) -> Option<&str> {
        code(self.tags.eco()?)
    }

    /// Whether the tag says the same.
    #[must_use]
    pub fn agreement(&self) -> Agreement {
        match (self.opening, self.tagged()) {
            (None, _) => Agreement::Unnamed,
            (Some(_), None) => Agreement::Untagged,
            (Some((opening, _)), Some(code)) if opening.eco.eq_ignore_ascii_case(code) => {
                Agreement::Same
            }
            _ => Agreement::Other,
        }
    }
}

/// The code at the beginning of a tag: a letter from A to E and two digits.
fn code(tag: &str) -> Option<&str> {
    let code = tag.trim().get(..3)?;
    let [letter, tens, ones] = code.as_bytes() else {
        return None;
    };
    let is_code = matches!(letter.to_ascii_uppercase(), b'A'..=b'E')
        && tens.is_ascii_digit()
        && ones.is_ascii_digit();
    is_code.then_some(code)
}

/// Finds the openings of all games that pass a filter, by all cores, and tells them in the order
/// of the games.
///
/// ```
/// use tabiya::{Error, Filter, openings::{Agreement, Openings, classify}};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "[ECO \"A10\"]\n\n1. c4 e6 2. d4 d5 *\n")?;
/// classify(&tabiya::open(&path)?, &Filter::default(), Openings::eco(), |game| {
///     let (opening, _) = game.opening.expect("the start of a game has a name");
///     assert_eq!(opening.eco, "D30");
///     assert_eq!(game.agreement(), Agreement::Other);
///     Ok::<_, Error>(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the database cannot be read to its end, or what `each` returns.
pub fn classify<'o, E: From<Error>>(
    database: &Database,
    filter: &Filter,
    openings: &'o Openings,
    mut each: impl FnMut(Classified<'o>) -> Result<(), E>,
) -> Result<(), E> {
    let make = || Games {
        place: 0,
        number: 0,
        tags: Tags::default(),
        classifier: Classifier::new(openings),
        found: Vec::new(),
    };
    database.par_placed::<_, E>(filter, make, |games, before| {
        for (mut game, place) in games.found {
            if game.number == 0 {
                game.number = before + place + 1;
            }
            each(game)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Hears games and finds their openings.
struct Games<'o> {
    place: u64,
    number: u64,
    tags: Tags,
    classifier: Classifier<'o>,
    found: Vec<(Classified<'o>, u64)>,
}

impl InPlace for Games<'_> {
    fn place(&mut self, before: u64) {
        self.place = before;
    }
}

impl GameSink for Games<'_> {
    fn needs(&mut self) -> Needs {
        self.classifier.needs().tags(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.number = place.number;
                self.tags.clear();
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { .. } => {
                let game = Classified {
                    number: self.number,
                    tags: self.tags.clone(),
                    opening: self.classifier.found(),
                };
                self.found.push((game, self.place));
            }
            _ => {}
        }
        self.classifier.event(event)
    }
}
