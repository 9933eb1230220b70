//! Questions typed one after the other, with a history and names that are completed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rustyline::{
    Context, Editor, Helper, Highlighter, Hinter,
    completion::{Completer, Pair},
    error::ReadlineError,
    history::FileHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};

/// Where questions are typed.
pub struct Prompt {
    editor: Editor<Words, FileHistory>,
    history: Option<PathBuf>,
}

/// What somebody has typed.
pub enum Typed {
    /// One or more statements.
    Statements(String),
    /// What was begun does not count.
    Nothing,
    /// Enough.
    End,
}

impl Prompt {
    /// A prompt that completes these words.
    pub fn new(words: Vec<String>) -> anyhow::Result<Prompt> {
        let mut editor = Editor::new()?;
        editor.set_helper(Some(Words(words)));
        let history = history();
        if let Some(path) = &history {
            // There is none the first time.
            let _ = editor.load_history(path);
        }
        Ok(Prompt { editor, history })
    }

    /// Completes other words from now on.
    pub fn complete(&mut self, words: Vec<String>) {
        self.editor.set_helper(Some(Words(words)));
    }

    /// Waits for what comes next.
    pub fn next(&mut self) -> anyhow::Result<Typed> {
        match self.editor.readline("tabiya> ") {
            Ok(text) => {
                self.editor.add_history_entry(text.trim_end())?;
                self.save();
                let word = text.trim().trim_end_matches(';').to_ascii_lowercase();
                Ok(match word.as_str() {
                    "" => Typed::Nothing,
                    "exit" | "quit" | "\\q" => Typed::End,
                    _ => Typed::Statements(text),
                })
            }
            Err(ReadlineError::Interrupted) => Ok(Typed::Nothing),
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps the history; whoever has no place for it has none.
    fn save(&mut self) {
        if let Some(path) = &self.history {
            let _ = path.parent().map(fs::create_dir_all);
            let _ = self.editor.save_history(path);
        }
    }
}

/// Where the history is, as the XDG Base Directory Specification has it.
fn history() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state = state.filter(|path| path.is_absolute());
    let home = || Some(Path::new(&std::env::var_os("HOME")?).join(".local/state"));
    Some(state.or_else(home)?.join("tabiya/sql-history"))
}

/// What is completed: names of tables, columns and functions, and words of SQL.
#[derive(Helper, Highlighter, Hinter)]
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, begun) = last_word(&line[..end]);
        let begun = begun.to_lowercase();
        let fits = |word: &&String| !begun.is_empty() && word.to_lowercase().starts_with(&begun);
        let pair = |word: &String| Pair {
            display: word.clone(),
            replacement: word.clone(),
        };
        Ok((start, self.0.iter().filter(fits).map(pair).collect()))
    }
}

impl Validator for Words {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match is_complete(typed.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

/// A statement goes on until a semicolon; the words that end it all need none.
fn is_complete(text: &str) -> bool {
    let text = text.trim();
    let word = text.to_ascii_lowercase();
    text.is_empty()
        || ["exit", "quit", "\\q"].contains(&word.as_str())
        || tabiya_sql::ends_statement(text)
}

/// Where the last word begins, and the word.
fn last_word(line: &str) -> (usize, &str) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start = line.rfind(|c| !is_part(c));
    let start = start.map_or(0, |at| {
        at + line[at..].chars().next().map_or(1, char::len_utf8)
    });
    (start, &line[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_goes_on_until_its_semicolon() {
        assert!(!is_complete("select 1"));
        assert!(is_complete("select\n1 ; "));
        assert!(is_complete("") && is_complete("EXIT"));
        assert!(!is_complete("select 'a;") && is_complete("select 1; -- one"));
    }

    #[test]
    fn the_last_word_is_completed() {
        assert_eq!(last_word("select whi"), (7, "whi"));
        assert_eq!(last_word("games.bl"), (6, "bl"));
        assert_eq!(last_word("’é"), (3, "é"));
        assert_eq!(last_word("count("), (6, ""));
    }
}
