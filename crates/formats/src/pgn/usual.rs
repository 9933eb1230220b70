//! The tags of the games before: the next game most likely has the same ones, in the same order, or
//! leaves some of them out.

/// The tags of some games, in their order, up to one that is there twice or has an unusually long
/// name.
#[derive(Default)]
pub(super) struct UsualTags<'t>(Vec<UsualTag<'t>>);

/// How many tags are remembered.
const MOST: usize = 32;

/// Which of the tags a game has, as far as it is known.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// A bit for each.
    bits: u32,
    /// The next tag is not expected before this one.
    next: usize,
}

/// A tag that was expected.
pub(super) struct Found<'a, 't> {
    pub(super) tag: &'a UsualTag<'t>,
    pub(super) value: &'t str,
    /// Where it ends.
    pub(super) end: usize,
}

impl<'t> UsualTags<'t> {
    /// Remembers the tags of a game: first those that were expected, then others.
    pub(super) fn learn(&mut self, seen: Seen, others: &[&'t str]) {
        let knows = |name: &&str| self.0.iter().any(|tag| tag.name == *name);
        if self.0.len() + others.len() <= MOST && !others.iter().any(knows) {
            let new: Vec<_> = usual_of(others).collect();
            self.0.splice(seen.next..seen.next, new);
        } else {
            // In another order: forget those that this game does not have.
            let names: Vec<&str> = self.names(seen).chain(others.iter().copied()).collect();
            self.0 = usual_of(&names).take(MOST).collect();
        }
    }

    /// The tag that stands at a byte or after one line break, if it is expected now, and without
    /// backslashes and faults. `None` means *not sure*, also near the end of the text.
    #[inline]
    pub(super) fn read(&self, seen: &mut Seen, text: &'t str, at: usize) -> Option<Found<'_, 't>> {
        let bytes = text.as_bytes();
        let start = match bytes.get(at..)? {
            [b'[', ..] => at,
            [b'\n', b'[', ..] => at + 1,
            [b'\r', b'\n', b'[', ..] => at + 2,
            _ => return None,
        };
        let window = words(bytes[start..].first_chunk()?);
        let mut index = seen.next;
        let tag = loop {
            let tag = self.0.get(index)?;
            if tag.stands_in(&window) {
                break tag;
            }
            index += 1;
        };
        let value_start = start + tag.name.len() + 3;
        let end = value_end(bytes, value_start)?;
        let [b'"', b']', ..] = bytes[end..] else {
            return None;
        };
        seen.next = index + 1;
        seen.bits |= 1 << index;
        Some(Found {
            tag,
            value: &text[value_start..end],
            end: end + 2,
        })
    }

    /// The names of those that a game has.
    pub(super) fn names(&self, seen: Seen) -> impl Iterator<Item = &'t str> {
        let tags = self.0.iter().enumerate();
        tags.filter(move |(index, _)| seen.bits & (1 << index) != 0)
            .map(|(_, tag)| tag.name)
    }
}

/// The tags with some names, up to one that is odd.
fn usual_of<'t>(names: &[&'t str]) -> impl Iterator<Item = UsualTag<'t>> {
    names.iter().enumerate().map_while(|(index, name)| {
        let is_new = !names[..index].contains(name);
        UsualTag::new(name).filter(|_| is_new)
    })
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

    #[inline(always)]
    fn stands_in(&self, found: &[u64; HEAD / 8]) -> bool {
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
        tags.learn(Seen::default(), names);
        tags
    }

    fn names<'t>(tags: &UsualTags<'t>) -> Vec<&'t str> {
        tags.0.iter().map(|tag| tag.name).collect()
    }

    /// The names of the tags that are expected, as a game with tags of some names is read.
    fn read(tags: &UsualTags<'static>, names: &str) -> (Seen, String) {
        let text: String = names
            .split(' ')
            .map(|name| format!("[{name} \"a\"]\n"))
            .collect();
        let text: &'static str = Box::leak(format!("{text}\n1. e4 and so on for a while").into());
        let (mut seen, mut at, mut found) = (Seen::default(), 0, Vec::new());
        while let Some(tag) = tags.read(&mut seen, text, at) {
            at = tag.end;
            found.push(tag.tag.name());
        }
        assert!(tags.names(seen).eq(found.iter().copied()));
        (seen, found.join(" "))
    }

    #[test]
    fn tags_are_learned_up_to_one_that_is_odd() {
        let long = "ATagWithAVeryLongNameIndeed";
        for (learned, known) in [
            (&["Event", "Site"][..], 2),
            (&["Event", "Site", "Event", "Date"], 2),
            (&["Event", long, "Date"], 1),
            (&[], 0),
        ] {
            assert_eq!(names(&usual(learned)), learned[..known]);
        }
    }

    #[test]
    fn tags_may_be_left_out_and_new_ones_find_their_place() {
        let mut tags = usual(&["Event", "Site", "Date", "White"]);
        assert_eq!(read(&tags, "Event Date White").1, "Event Date White");
        assert_eq!(read(&tags, "Site").1, "Site");
        let (seen, found) = read(&tags, "Event Date Round White");
        assert_eq!(found, "Event Date");
        tags.learn(seen, &["Round", "Black"]);
        let all = ["Event", "Site", "Date", "Round", "Black", "White"];
        assert_eq!(names(&tags), all);
    }

    #[test]
    fn another_order_is_learned_anew() {
        let mut tags = usual(&["Event", "Site", "Date", "White"]);
        let (seen, found) = read(&tags, "Event Date Site");
        assert_eq!(found, "Event Date");
        tags.learn(seen, &["Site", "Black"]);
        assert_eq!(names(&tags), ["Event", "Date", "Site", "Black"]);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let many: Vec<&'static str> = (0..100).map(|n| &*format!("Tag{n}").leak()).collect();
        let mut tags = usual(&many);
        assert_eq!(names(&tags), many[..MOST]);
        tags.learn(Seen::default(), &["Other"]);
        assert_eq!(names(&tags), ["Other"]);
    }

    #[test]
    fn a_tag_is_known_only_if_it_looks_as_usual() {
        let tail = " and a text that goes on for a while";
        let tags = usual(&["White"]);
        let read = |text: &str| {
            let text: &'static str = Box::leak(format!("{text}{tail}").into_boxed_str());
            let found = tags.read(&mut Seen::default(), text, 0)?;
            assert!(text[..found.end].ends_with("\"]"));
            Some(found.value)
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
        for at in [0, text.len()] {
            assert!(tags.read(&mut Seen::default(), text, at).is_none());
        }
    }
}
