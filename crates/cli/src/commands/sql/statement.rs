//! Which of the words on the command line are files, and which is the question.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::input;

/// Far more than anybody writes by hand.
const LIMIT: u64 = 16 << 20;

/// What is asked, and of what.
#[derive(PartialEq, Eq, Debug)]
pub struct Asked {
    pub inputs: Vec<PathBuf>,
    /// `None` if somebody wants to be asked for it.
    pub statements: Option<String>,
}

/// Tells files and the question apart: the question is the last word, if it has a space in it and no
/// file is called so; or it is in a file.
pub fn asked(mut words: Vec<PathBuf>, file: Option<&Path>) -> anyhow::Result<Asked> {
    if let Some(file) = file {
        let bytes = input::read(file, LIMIT)?;
        let text = String::from_utf8(bytes);
        let text = text.with_context(|| format!("{}: it is not UTF-8", file.display()))?;
        // Some editors begin with a mark of the order of bytes.
        let text = text.trim_start_matches('\u{feff}').to_owned();
        if let Some(word) = words.iter().find(|word| is_question(word)) {
            bail!(
                "the question is in {}, and `{}` is another: say one of them",
                file.display(),
                word.display()
            );
        }
        return Ok(Asked {
            inputs: words,
            statements: Some(text),
        });
    }
    let question = words.pop_if(|word| is_question(word));
    let statements = match question.map(|question| question.into_os_string().into_string()) {
        Some(Err(question)) => bail!("{}: it is not UTF-8", question.display()),
        Some(Ok(question)) => Some(question),
        None => None,
    };
    Ok(Asked {
        inputs: words,
        statements,
    })
}

fn is_question(word: &Path) -> bool {
    let has_space = |word: &str| word.trim().contains(char::is_whitespace) || word.contains(';');
    word.to_str().is_some_and(has_space) && !word.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Asked {
        asked(words.iter().map(PathBuf::from).collect(), None).unwrap()
    }

    #[test]
    fn the_last_word_with_a_space_is_the_question() {
        let found = of(&["games.tabiya", "my.cbh", "select 1"]);
        assert_eq!(
            found.inputs,
            [PathBuf::from("games.tabiya"), "my.cbh".into()]
        );
        assert_eq!(found.statements.as_deref(), Some("select 1"));
        assert_eq!(of(&["games.tabiya"]).statements, None);
        assert_eq!(of(&["show;"]).statements.as_deref(), Some("show;"));
    }

    #[test]
    fn a_file_with_a_space_in_its_name_is_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my games.pgn");
        std::fs::write(&path, "").unwrap();
        let found = asked(vec![path.clone()], None).unwrap();
        assert_eq!(found.inputs, [path]);
    }
}
