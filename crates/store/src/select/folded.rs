//! Texts that are folded once and asked often.

use std::sync::OnceLock;

use arrow_array::{Array, StringArray};
use memchr::memmem;
use tabiya_game::{Words, fold};

/// Tags in which people look for words.
const TAGS: [&str; 4] = ["White", "Black", "Event", "Site"];

/// The distinct texts of those columns of a segment in which words have been looked for.
#[derive(Default)]
pub(crate) struct Foldings([OnceLock<Folded>; TAGS.len()]);

impl Foldings {
    /// Those of a tag.
    pub fn of(&self, tag: &str, texts: &StringArray) -> Option<&Folded> {
        let index = TAGS.iter().position(|known| *known == tag)?;
        Some(self.0[index].get_or_init(|| Folded::new(texts)))
    }
}

/// Texts as [`fold::pack`] makes them, one after the other.
pub(crate) struct Folded {
    text: String,
    /// Where each ends, with the mark behind it.
    ends: Vec<usize>,
}

/// Stands behind each text; packed texts have no spaces.
const MARK: char = '\n';

impl Folded {
    fn new(texts: &StringArray) -> Folded {
        let mut folded = Folded {
            text: String::with_capacity(texts.value_data().len() + texts.len()),
            ends: Vec::with_capacity(texts.len()),
        };
        for text in texts.iter().map(Option::unwrap_or_default) {
            fold::pack(text, &mut folded.text);
            folded.text.push(MARK);
            folded.ends.push(folded.text.len());
        }
        folded
    }

    /// The texts in which words may be, in order: one of their parts is there.
    pub fn perhaps(&self, words: &Words) -> Vec<usize> {
        let mut found: Vec<usize> = words.parts().flat_map(|part| self.having(part)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn having<'a>(&'a self, part: &str) -> impl Iterator<Item = usize> + 'a {
        let finder = memmem::Finder::new(part).into_owned();
        let mut index = 0usize;
        std::iter::from_fn(move || {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
            if start == self.text.len() {
                return None;
            }
            let at = start + finder.find(&self.text.as_bytes()[start..])?;
            index += self.ends[index..]
                .iter()
                .take_while(|end| **end <= at)
                .count()
                + 1;
            Some(index - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_their_parts() {
        let texts = ["Réti, R", "", "Kramnik, V", "Reti", "k r", "V"];
        let folded = Folded::new(&StringArray::from_iter_values(texts));
        for (words, expected) in [
            ("reti", &[0, 3][..]),
            ("", &[0, 1, 2, 3, 4, 5]),
            ("Kramnik, V", &[2, 5]),
            ("kr", &[2, 4]),
            ("rk", &[]),
        ] {
            assert_eq!(folded.perhaps(&Words::from(words)), expected, "{words}");
        }
    }
}
