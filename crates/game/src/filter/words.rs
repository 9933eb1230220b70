//! Texts that are looked for in tags.

use std::convert::Infallible;
use std::str::FromStr;

use super::fold;

/// A text to be found in another, whatever the case, the accents, the spaces and the order of words.
///
/// ```
/// use tabiya_game::Words;
///
/// assert!(Words::from("reti").occur_in("Réti, Richard"));
/// assert!(Words::from("Vladimir Kramnik").name("Kramnik,V"));
/// // In quotation marks, a player's name is that one and no other.
/// assert!(!Words::from("\"Kramnik,V\"").name("Kramnik, Vladimir"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Words {
    /// Folded, without spaces.
    packed: String,
    /// One by one, folded.
    words: Vec<String>,
    /// What stood in quotation marks, as it was.
    whole: Option<String>,
}

impl Words {
    /// Whether they occur in a text: as they are, a part of a word being enough, or as the beginnings
    /// of words in any order.
    #[must_use]
    pub fn occur_in(&self, text: &str) -> bool {
        self.are_found(text, fold::are_among)
    }

    /// Whether they name a player: they occur in the name, or name it with initials, as
    /// [`fold::is_name`] understands it. A [whole](Words::is_whole) name is that name alone.
    #[must_use]
    pub fn name(&self, player: &str) -> bool {
        match &self.whole {
            Some(whole) => whole == player,
            None => self.are_found(player, fold::is_name),
        }
    }

    /// Whether they stood in quotation marks: as a player's name, they are all of it, as it is written.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Texts of which one at least stands in every text, [packed](fold::pack), in which the words
    /// occur or that they name. If it is a single one, nothing else is needed, but for a name that is
    /// [whole](Words::is_whole). Whoever has many texts packed already looks for these first.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let (whole, each) = match self.words.len() {
            0 | 1 => (Some(&self.packed), &[][..]),
            _ => (None, &self.words[..]),
        };
        whole.into_iter().chain(each).map(String::as_str)
    }

    fn are_found(&self, text: &str, words: fn(&[String], &[String]) -> bool) -> bool {
        let packed = fold::packed(text);
        if packed.contains(&self.packed) {
            return true;
        }
        // Whole words are compared only where one of several is there at all: that is rare.
        self.words.len() > 1
            && self.words.iter().any(|word| packed.contains(word))
            && words(&self.words, &fold::words(text))
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Words {
        let inner = text.trim().strip_prefix('"');
        let whole = inner.and_then(|inner| inner.strip_suffix('"'));
        let text = whole.unwrap_or(text);
        Words {
            packed: fold::packed(text),
            words: fold::words(text),
            whole: whole.map(str::to_owned),
        }
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
    fn neither_case_nor_accents_nor_spaces_count() {
        for (words, text) in [
            ("carlsen", "Carlsen, Magnus"),
            ("Carlsen,M", "Carlsen, Magnus"),
            ("ÉTI", "Réti, Richard"),
            ("reti", "Réti"),
            ("Réti", "RETI,R"),
            ("", "anything"),
            ("карпов", "КАРПОВ"),
            ("de la Paz", "delapaz, f"),
            ("vachier lagrave", "Vachier-Lagrave, Maxime"),
            ("steel tata", "Tata Steel Masters"),
        ] {
            assert!(Words::from(words).occur_in(text), "{words} in {text}");
        }
        assert!(!Words::from("carlsen").occur_in("Carl"));
        assert!(!Words::from("tata chess").occur_in("Tata Steel"));
    }

    #[test]
    fn a_part_stands_in_whatever_has_the_words() {
        let parts = |words: &str| -> Vec<String> {
            let words = Words::from(words);
            words.parts().map(str::to_string).collect()
        };
        assert_eq!(parts("Réti"), ["reti"]);
        assert_eq!(parts("Kramnik, V"), ["kramnik", "v"]);
        assert_eq!(parts(""), [""]);
    }

    #[test]
    fn a_name_in_quotation_marks_is_that_name_alone() {
        let kramnik = Words::from("\"Kramnik,V\"");
        assert!(kramnik.is_whole() && kramnik.name("Kramnik,V"));
        for name in ["Kramnik, Vladimir", "Kramnik,Vl", "kramnik,v", "Kramnik, V"] {
            assert!(!kramnik.name(name), "{name}");
        }
        // Other texts are searched as ever.
        assert!(Words::from("\"tata steel\"").occur_in("Tata Steel Masters"));
        // One mark is a part of the text.
        assert!(!Words::from("\"").is_whole());
    }

    #[test]
    fn players_have_initials() {
        let kramnik = Words::from("Vladimir Kramnik");
        for name in ["Kramnik, Vladimir", "Vladimir Kramnik", "Kramnik,V"] {
            assert!(kramnik.name(name), "{name}");
        }
        assert!(!kramnik.name("Kramnik, Boris"));
        assert!(!kramnik.name("Akopian, Vladimir"));
        assert!(!kramnik.occur_in("Kramnik,V"));
    }
}
