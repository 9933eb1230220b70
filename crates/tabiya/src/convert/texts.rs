//! Texts that belong to no game, as files.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use tabiya_formats::{GameWriter, Records};
use tabiya_game::{Event, Flow, GameSink, Losses, Needs};

use crate::{Error, Result};

/// How many characters of a title are part of the name of its file.
const NAME_LENGTH: usize = 60;

/// The texts that were heard.
#[derive(Clone)]
pub struct Texts {
    folder: PathBuf,
    heard: Arc<Mutex<Vec<Text>>>,
}

/// Ordered by what it says, so that the files are the same however many threads work.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Text {
    title: String,
    language: Option<String>,
    text: String,
}

impl Texts {
    /// Nothing is written yet.
    pub fn new(folder: &Path) -> Texts {
        Texts {
            folder: folder.to_owned(),
            heard: Arc::default(),
        }
    }

    /// A writer of games that leaves texts to this.
    pub fn wrap(&self, writer: Box<dyn GameWriter>) -> Box<dyn GameWriter> {
        let texts = self.clone();
        Box::new(Wrapped { writer, texts })
    }

    /// Writes a file for each text. Files that are there already are not touched.
    pub fn write(self) -> Result<()> {
        let folder = &self.folder;
        fs::create_dir_all(folder).map_err(|error| failed("create", folder, error))?;
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.sort();
        for (number, text) in (1..).zip(&*heard) {
            let path = folder.join(text.file_name(number));
            File::create_new(&path)
                .and_then(|mut file| file.write_all(text.text.as_bytes()))
                .map_err(|error| failed("write", &path, error))?;
        }
        Ok(())
    }

    fn add(&self, text: Text) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push(text);
    }
}

fn failed(verb: &'static str, path: &Path, error: io::Error) -> Error {
    Error::from(error).trying_to(verb, path.display().to_string())
}

impl Text {
    /// `0007 Foreword.de.html`: the number keeps names apart, and nothing of the title can lead out
    /// of the folder or mean something to a system.
    fn file_name(&self, number: u64) -> String {
        let safe = |c: char| if c.is_alphanumeric() { c } else { ' ' };
        let title: String = self.title.chars().map(safe).collect();
        let words: Vec<&str> = title.split_whitespace().collect();
        let title: String = words.join(" ").chars().take(NAME_LENGTH).collect();
        let language = match &self.language {
            Some(language) => format!(".{language}"),
            None => String::new(),
        };
        let kind = if self.is_html() { "html" } else { "txt" };
        let space = if title.is_empty() { "" } else { " " };
        format!("{number:04}{space}{}{language}.{kind}", title.trim_end())
    }

    fn is_html(&self) -> bool {
        self.text.trim_start().starts_with('<')
    }
}

struct Wrapped {
    writer: Box<dyn GameWriter>,
    texts: Texts,
}

impl GameSink for Wrapped {
    fn needs(&mut self) -> Needs {
        // Texts are wanted as texts, whatever the writer could do with them.
        self.writer.needs().native(None)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Text {
                title,
                language,
                text,
                ..
            } => {
                self.texts.add(Text {
                    title: title.to_string(),
                    language: language.map(str::to_string),
                    text: text.to_string(),
                });
                Flow::Continue
            }
            event => self.writer.event(event),
        }
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
        self.writer.take_losses()
    }
}
