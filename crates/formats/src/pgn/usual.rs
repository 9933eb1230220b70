//! The tags of the game before: the next game most likely has the same ones, in the same order.

/// The tags of a game, up to one that is there twice or has an unusually long name.
#[derive(Default)]
pub(super) struct UsualTags<'t>(Vec<UsualTag<'t>>);

impl<'t> UsualTags<'t> {
    /// Remembers the tags of a game.
    pub(super) fn learn(&mut self, names: &[&'t str]) {
        self.0.clear();
        for (index, name) in names.iter().enumerate() {
            match UsualTag::new(name) {
                Some(tag) if !names[..index].contains(name) => self.0.push(tag),
                _ => return,
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &UsualTag<'t>> {
        self.0.iter()
    }

    /// The names of the first so many.
    pub(super) fn names(&self, count: usize) -> impl Iterator<Item = &'t str> {
        self.0[..count].iter().map(|tag| tag.name)
    }
}

/// A tag that is expected.
pub(super) struct UsualTag<'t> {
    name: &'t str,
    /// `[Name "`, filled up with zeros, and which of its bits count.
    head: [u64; HEAD / 8],
    mask: [u64; HEAD / 8],
    meaning: Meaning,
}

/// How long `[Name "` may be.
const HEAD: usize = 24;

/// What a tag says about the movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Nothing,
    Fen,
    Variant,
    Result,
    Termination,
}

impl Meaning {
    pub(super) fn of(name: &str) -> Meaning {
        match name {
            "FEN" => Meaning::Fen,
            "Variant" => Meaning::Variant,
            "Result" => Meaning::Result,
            "Termination" => Meaning::Termination,
            _ => Meaning::Nothing,
        }
    }
}

impl<'t> UsualTag<'t> {
    /// `None` for a name that is longer than names are, or has something else than they have.
    fn new(name: &'t str) -> Option<UsualTag<'t>> {
        let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if !name.bytes().all(is_usual) {
            return None;
        }
        let length = name.len() + 3;
        let mut head = [0; HEAD];
        let mut mask = [0; HEAD];
        mask.get_mut(..length)?.fill(0xff);
        head[0] = b'[';
        head[1..][..name.len()].copy_from_slice(name.as_bytes());
        head[length - 2..length].copy_from_slice(b" \"");
        Some(UsualTag {
            name,
            head: words(&head),
            mask: words(&mask),
            meaning: Meaning::of(name),
        })
    }

    #[inline]
    pub(super) fn name(&self) -> &'t str {
        self.name
    }

    #[inline]
    pub(super) fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// The value of the tag and where it ends, if it stands at a byte or after one line break, and
    /// is without backslashes and faults. `None` means *not sure*, also near the end of the text.
    #[inline]
    pub(super) fn read(&self, text: &'t str, at: usize) -> Option<(&'t str, usize)> {
        let bytes = text.as_bytes();
        let start = match bytes.get(at..)? {
            [b'[', ..] => at,
            [b'\n', b'[', ..] => at + 1,
            [b'\r', b'\n', b'[', ..] => at + 2,
            _ => return None,
        };
        if !self.stands_in(bytes[start..].first_chunk()?) {
            return None;
        }
        let value_start = start + self.name.len() + 3;
        let end = value_end(bytes, value_start)?;
        match bytes[end..] {
            [b'"', b']', ..] => Some((&text[value_start..end], end + 2)),
            _ => None,
        }
    }

    #[inline(always)]
    fn stands_in(&self, window: &[u8; HEAD]) -> bool {
        let found = words(window);
        let differs = |i: usize| (found[i] & self.mask[i]) ^ self.head[i];
        (differs(0) | differs(1) | differs(2)) == 0
    }
}

#[inline(always)]
fn words(bytes: &[u8; HEAD]) -> [u64; HEAD / 8] {
    let (words, _) = bytes.as_chunks::<8>();
    [0, 1, 2].map(|index| u64::from_le_bytes(words[index]))
}

/// The first quotation mark, backslash or line break, if it does not stand near the end. Values
/// are short: eight bytes at a time is quicker than a search that has to be called.
#[inline(always)]
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The high bit of each byte that is zero, exact up to the first.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut at = start;
    loop {
        let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        let found = (zeros(word ^ (ONES * b'"' as u64))
            | zeros(word ^ (ONES * b'\\' as u64))
            | zeros(word ^ (ONES * b'\n' as u64)))
            & (ONES * 0x80);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual(names: &[&'static str]) -> UsualTags<'static> {
        let mut tags = UsualTags::default();
        tags.learn(names);
        tags
    }

    #[test]
    fn tags_are_learned_up_to_one_that_is_odd() {
        let long = "ATagWithAVeryLongNameIndeed";
        for (names, known) in [
            (&["Event", "Site"][..], 2),
            (&["Event", "Site", "Event", "Date"], 2),
            (&["Event", long, "Date"], 1),
            (&[], 0),
        ] {
            let tags = usual(names);
            assert!(tags.names(known).eq(names[..known].iter().copied()));
            assert_eq!(tags.len(), known);
        }
    }

    #[test]
    fn a_tag_is_known_only_if_it_looks_as_usual() {
        let tail = " and a text that goes on for a while";
        let tags = usual(&["White"]);
        let read = |text: &str| {
            let text: &'static str = Box::leak(format!("{text}{tail}").into_boxed_str());
            let (value, end) = tags.iter().next()?.read(text, 0)?;
            assert!(text[..end].ends_with("\"]"));
            Some(value)
        };
        assert_eq!(read("[White \"Réti\"]"), Some("Réti"));
        assert_eq!(
            read("\n[White \"Réti, R and a long name\"]"),
            Some("Réti, R and a long name")
        );
        assert_eq!(read("\r\n[White \"\"]"), Some(""));
        for other in [
            "[Black \"a\"]",
            "[WhiteElo \"a\"]",
            "[White  \"a\"]",
            "\n\n[White \"a\"]",
            " [White \"a\"]",
            "[White \"a\\\"\"]",
            "[White \"a\" ]",
            "[White \"a\n\"]",
            "[White \"\"a\"\"]",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn near_the_end_nothing_is_sure() {
        let tags = usual(&["White"]);
        let text = "[White \"a\"]";
        assert_eq!(tags.iter().next().unwrap().read(text, 0), None);
        assert_eq!(tags.iter().next().unwrap().read(text, text.len()), None);
    }
}
