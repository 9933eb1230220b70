//! Texts that belong to no game, as files.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use tabiya_formats::{Converted, GameWriter, Part, Records, convert_part, io::TemporaryFolder};
use tabiya_game::{Event, Filter, Flow, GameSink, Losses, Needs, Numbers};

use crate::{Error, ErrorKind, Result};

/// How many characters of a title, or a language, are part of the name of a file.
const NAME_LENGTH: usize = 60;

/// The texts that were heard.
#[derive(Clone)]
pub struct Texts {
    folder: PathBuf,
    heard: Arc<Mutex<Vec<Text>>>,
}

/// Ordered by where it stands in its database, then by what it says, so that the files are the same
/// however many threads work.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Text {
    number: u64,
    title: String,
    language: Option<String>,
    text: String,
}

impl Texts {
    /// Nothing is written yet.
    ///
    /// # Errors
    /// If something else than a folder is there, or one that has texts.
    pub fn new(folder: &Path) -> Result<Texts> {
        let wrong = |path: &Path, message: &str| {
            let name = path.display().to_string();
            Err(Error::about(ErrorKind::WrongPlace, name, message))
        };
        let there = folder.ancestors().find(|path| path.exists());
        if let Some(file) = there.filter(|path| !path.is_dir()) {
            return wrong(file, "is no folder: texts need one");
        }
        if let Some(first) = first_text(folder) {
            return wrong(&first, "is a text already: name a folder without texts");
        }
        Ok(Texts {
            folder: folder.to_owned(),
            heard: Arc::default(),
        })
    }

    /// Writes a part, and hears its texts. The writer hears them too, and keeps what it can.
    pub fn convert(
        &self,
        part: &dyn Part,
        filter: &Filter,
        numbers: &Numbers,
        mut writer: Box<dyn GameWriter>,
    ) -> Result<Converted> {
        let texts = self.clone();
        if writer.needs().native.is_some() {
            // To whoever keeps entries as they are stored texts are not told as texts.
            convert_part(part, filter, numbers, Box::new(Hearer(texts)))?;
            return convert_part(part, filter, numbers, writer);
        }
        let losses = Losses::default();
        let wrapped = Wrapped {
            writer,
            texts,
            losses,
        };
        convert_part(part, filter, numbers, Box::new(wrapped))
    }

    /// Writes a file for each text, all of them or none. Files that are there already are not
    /// touched. Without texts, no folder is made.
    pub fn write(self) -> Result<Written> {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if heard.is_empty() {
            return Ok(Written::nothing());
        }
        heard.sort();
        let mut written = Written::in_folder(&self.folder)?;
        let folder = &self.folder;
        let temporary = TemporaryFolder::create_in(folder);
        let temporary = temporary.map_err(|error| failed("write to", folder, error))?;
        let names = (1..)
            .zip(&*heard)
            .map(|(number, text)| text.file_name(number));
        let names: Vec<String> = names.collect();
        for (name, text) in names.iter().zip(&*heard) {
            let path = folder.join(name);
            let is_free = match path.symlink_metadata() {
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => Ok(()),
            };
            is_free
                .and_then(|()| File::create_new(temporary.path().join(name)))
                .and_then(|mut file| file.write_all(text.text.as_bytes()))
                .map_err(|error| failed("write", &path, error))?;
        }
        for name in names {
            let path = folder.join(&name);
            fs::rename(temporary.path().join(name), &path)
                .map_err(|error| failed("write", &path, error))?;
            written.files.push(path);
        }
        Ok(written)
    }

    fn add(&self, text: Text) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push(text);
    }

    /// Keeps a text, if it is one.
    fn hear(&self, event: &Event<'_>) {
        if let Event::Text {
            place,
            title,
            language,
            text,
        } = event
        {
            self.add(Text {
                number: place.number,
                title: (*title).to_string(),
                language: language.map(str::to_string),
                text: (*text).to_string(),
            });
        }
    }
}

/// Files that are there now, and go if they are not [kept](Written::keep).
pub struct Written {
    files: Vec<PathBuf>,
    /// The folders that were made for them, the innermost first.
    folders: Vec<PathBuf>,
}

impl Written {
    fn nothing() -> Written {
        Written {
            files: Vec::new(),
            folders: Vec::new(),
        }
    }

    fn in_folder(folder: &Path) -> Result<Written> {
        let missing = folder.ancestors().take_while(|path| !path.exists());
        let written = Written {
            files: Vec::new(),
            folders: missing.map(Path::to_owned).collect(),
        };
        fs::create_dir_all(folder).map_err(|error| failed("create", folder, error))?;
        Ok(written)
    }

    /// All else has gone well, too.
    pub fn keep(mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        for folder in &self.folders {
            // One that somebody has put something into stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

fn failed(verb: &'static str, path: &Path, error: io::Error) -> Error {
    Error::from(error).trying_to(verb, path.display().to_string())
}

impl Text {
    /// `0007 Foreword.de.html`: the number keeps names apart.
    fn file_name(&self, number: u64) -> String {
        let behind = |mark: &str, words: &str| match safe(words) {
            words if words.is_empty() => words,
            words => format!("{mark}{words}"),
        };
        let title = behind(" ", &self.title);
        let language = behind(".", self.language.as_deref().unwrap_or_default());
        let kind = if self.is_html() { "html" } else { "txt" };
        format!("{number:04}{title}{language}.{kind}")
    }

    fn is_html(&self) -> bool {
        self.text.trim_start().starts_with('<')
    }
}

/// The text in a folder that has the first number, if there is one: all of them would be written beside
/// other texts, or over them.
fn first_text(folder: &Path) -> Option<PathBuf> {
    let is_first = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let behind = name.strip_prefix("0001").unwrap_or_default();
        behind.starts_with([' ', '.']) && (name.ends_with(".html") || name.ends_with(".txt"))
    };
    let entries = fs::read_dir(folder).ok()?.flatten();
    entries.map(|entry| entry.path()).find(is_first)
}

/// Words of which nothing can lead out of a folder or mean something to a system.
fn safe(words: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let words: String = words.chars().map(safe).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    let words: String = words.join(" ").chars().take(NAME_LENGTH).collect();
    words.trim_end().to_owned()
}

/// A writer of games, of which the texts are kept as files: what it cannot hold of those is not
/// lost.
struct Wrapped {
    writer: Box<dyn GameWriter>,
    texts: Texts,
    /// What it lost besides.
    losses: Losses,
}

impl GameSink for Wrapped {
    fn needs(&mut self) -> Needs {
        self.writer.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let Event::Text { .. } = event else {
            return self.writer.event(event);
        };
        self.losses.append(self.writer.take_losses());
        self.texts.hear(&event);
        let before = self.writer.len();
        let flow = self.writer.event(event);
        let losses = self.writer.take_losses();
        if self.writer.len() > before {
            self.losses.append(losses);
        }
        flow
    }
}

impl GameWriter for Wrapped {
    fn len(&self) -> usize {
        self.writer.len()
    }

    fn take(&mut self) -> Records {
        self.writer.take()
    }

    fn take_losses(&mut self) -> Losses {
        let mut losses = std::mem::take(&mut self.losses);
        losses.append(self.writer.take_losses());
        losses
    }
}

/// Hears texts, and writes nothing.
struct Hearer(Texts);

impl GameSink for Hearer {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.0.hear(&event);
        match event {
            Event::GameStart(_) => Flow::SkipGame,
            _ => Flow::Continue,
        }
    }
}

impl GameWriter for Hearer {
    fn len(&self) -> usize {
        0
    }

    fn take(&mut self) -> Records {
        Records::new("nothing", ())
    }

    fn take_losses(&mut self) -> Losses {
        Losses::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_leads_out_of_the_folder() {
        for (title, language, expected) in [
            ("Foreword", Some("de"), "0007 Foreword.de.html"),
            ("../a\\b", Some("x/../../../evil"), "0007 a b.x evil.html"),
            ("..", Some("/.."), "0007.html"),
            ("", None, "0007.html"),
        ] {
            let text = Text {
                number: 7,
                title: title.to_owned(),
                language: language.map(str::to_owned),
                text: "<p>".to_owned(),
            };
            assert_eq!(text.file_name(7), expected);
        }
    }

    #[test]
    fn without_texts_there_is_no_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("some/texts");
        let texts = Texts::new(&folder).expect("a place");
        texts.write().expect("nothing to write").keep();
        assert!(!folder.exists());
    }
}
