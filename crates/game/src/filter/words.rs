//! Texts that are looked for in tags.

use std::convert::Infallible;
use std::str::FromStr;

/// A text to be found in another, whatever the case and the spaces.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Words {
    /// Without spaces, in lower case.
    folded: String,
}

impl Words {
    /// Whether they occur in a text.
    #[must_use]
    pub fn occur_in(&self, text: &str) -> bool {
        let needle = self.folded.as_bytes();
        if text.len() < needle.len() && text.is_ascii() {
            return false;
        }
        let mut folded = String::with_capacity(text.len());
        fold(text, &mut folded);
        folded.contains(&self.folded)
    }
}

fn fold(text: &str, out: &mut String) {
    if text.is_ascii() {
        let bytes = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
        out.extend(bytes.map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        let characters = text.chars().filter(|c| !c.is_whitespace());
        out.extend(characters.flat_map(char::to_lowercase));
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Words {
        let mut folded = String::new();
        fold(text, &mut folded);
        Words { folded }
    }
}

impl FromStr for Words {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Words, Infallible> {
        Ok(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_case_nor_spaces_count() {
        for (words, text) in [
            ("carlsen", "Carlsen, Magnus"),
            ("Carlsen,M", "Carlsen, Magnus"),
            ("ÉTI", "Réti, Richard"),
            ("", "anything"),
            ("карпов", "КАРПОВ"),
            ("de la Paz", "delapaz, f"),
        ] {
            assert!(Words::from(words).occur_in(text), "{words} in {text}");
        }
        assert!(!Words::from("carlsen").occur_in("Carl"));
        assert!(!Words::from("reti").occur_in("Réti"));
    }
}
