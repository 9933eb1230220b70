//! What stands where in a file, and which generation it is of.

use super::GAME;

/// A generation of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Generation {
    /// Until April 2021: no index.
    First,
    /// Until May 2021: an index of 32-bit offsets.
    Second,
    /// Since then: an index of 64-bit offsets.
    Third,
}

impl Generation {
    /// The newest first: it is the most likely.
    pub(super) const ALL: [Generation; 3] =
        [Generation::Third, Generation::Second, Generation::First];

    /// How many bytes the header has.
    pub(super) const fn header(self) -> usize {
        match self {
            Generation::First => 16,
            Generation::Second => 20,
            Generation::Third => 24,
        }
    }

    /// How many bytes of the index a game has.
    pub(super) const fn entry(self) -> usize {
        match self {
            Generation::First => 0,
            Generation::Second => 6,
            Generation::Third => 10,
        }
    }
}

/// The numbers at the front of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) generation: Generation,
    /// Nanoseconds since 1970.
    pub(super) created: u64,
    pub(super) games: u32,
    pub(super) strings: u32,
    /// Where the index begins, in generations that have one.
    pub(super) index: Option<u64>,
}

/// The number of four bytes.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}

/// How many plies the game at a byte says it has.
pub(super) fn plies_at(bytes: &[u8], game: usize) -> Option<u16> {
    let at = game.checked_add(GAME - 2)?;
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

/// How many bytes a game has.
pub(super) fn game_length(plies: u16) -> usize {
    GAME + 2 * usize::from(plies)
}

impl Header {
    /// Reads a header, if there are bytes enough.
    pub(super) fn read(bytes: &[u8], generation: Generation) -> Option<Header> {
        Some(Header {
            generation,
            created: u64_at(bytes, 0)?,
            games: u32_at(bytes, 8)?,
            strings: u32_at(bytes, 12)?,
            index: match generation {
                Generation::First => None,
                Generation::Second => Some(u64::from(u32_at(bytes, 16)?)),
                Generation::Third => Some(u64_at(bytes, 16)?),
            },
        })
    }
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) offset: usize,
    pub(super) plies: u16,
}

/// What stands where.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) header: Header,
    /// Where the games end.
    pub(super) games_end: usize,
    /// Where the strings begin.
    pub(super) strings: usize,
    /// Where the games begin, in the generation that has no index.
    chain: Vec<usize>,
}

/// How well a file fits a generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    /// So many games and their entries agree, more than half of all.
    Damaged(u32),
    /// Everything agrees.
    Whole,
}

impl Layout {
    /// Finds out the generation of a file.
    pub(super) fn find(bytes: &[u8]) -> Option<Layout> {
        let mut best: Option<(Fit, Layout)> = None;
        for generation in Generation::ALL {
            let header = Header::read(bytes, generation);
            let found = header.and_then(|header| match header.index {
                Some(index) => Layout::by_index(bytes, header, index),
                None => Layout::by_chain(bytes, header),
            });
            if let Some((fit, layout)) = found
                && best.as_ref().is_none_or(|(other, _)| fit > *other)
            {
                best = Some((fit, layout));
            }
        }
        best.map(|(_, layout)| layout)
    }

    fn by_index(bytes: &[u8], header: Header, index: u64) -> Option<(Fit, Layout)> {
        let games_end = usize::try_from(index).ok()?;
        let entries = header
            .generation
            .entry()
            .checked_mul(header.games as usize)?;
        let strings = games_end.checked_add(entries)?;
        if games_end < header.generation.header() || strings > bytes.len() {
            return None;
        }
        let layout = Layout {
            header,
            games_end,
            strings,
            chain: Vec::new(),
        };
        let fit = layout.fit(bytes)?;
        Some((fit, layout))
    }

    /// Compares every entry with its game, and the games with each other.
    fn fit(&self, bytes: &[u8]) -> Option<Fit> {
        let mut end = Some(self.header.generation.header());
        let mut agreeing = 0;
        for index in 0..self.header.games {
            let entry = self.entry(bytes, index)?;
            let agrees = self.agrees(bytes, entry);
            agreeing += u32::from(agrees);
            end = end.filter(|&end| agrees && end == entry.offset);
            end = end.map(|end| end + game_length(entry.plies));
        }
        let whole = end == Some(self.games_end) && bytes.get(self.strings) == Some(&b'\n');
        if whole && self.header.strings > 0 {
            return Some(Fit::Whole);
        }
        (agreeing > self.header.games / 2).then_some(Fit::Damaged(agreeing))
    }

    /// Without an index everything must fit: the games are walked, and as many strings as there
    /// should be follow to the end.
    fn by_chain(bytes: &[u8], header: Header) -> Option<(Fit, Layout)> {
        let mut at = header.generation.header();
        let mut chain = Vec::new();
        for _ in 0..header.games {
            chain.push(at);
            at = at.checked_add(game_length(plies_at(bytes, at)?))?;
        }
        let strings = bytes.get(at..)?;
        let count = memchr::memchr_iter(b'\n', strings).count();
        let fits = count == header.strings as usize
            && strings.first() == Some(&b'\n')
            && strings.last() == Some(&b'\n');
        let layout = Layout {
            header,
            games_end: at,
            strings: at,
            chain,
        };
        fits.then_some((Fit::Whole, layout))
    }

    /// What is left of a file that ends before its strings: the games that are whole, one behind
    /// the other from the header on. Of the generations that fit, the one with most games counts.
    pub(super) fn of_cut(bytes: &[u8]) -> Option<Layout> {
        let left = Generation::ALL.into_iter().filter_map(|generation| {
            let header = Header::read(bytes, generation)?;
            Some(Layout::games_left(bytes, header))
        });
        // Of several as good ones, the first: the newest.
        let best = left.reduce(|best, other| match other.chain.len() > best.chain.len() {
            true => other,
            false => best,
        });
        best.filter(|layout| !layout.chain.is_empty())
    }

    fn games_left(bytes: &[u8], header: Header) -> Layout {
        let end = header.index.and_then(|index| usize::try_from(index).ok());
        let games = &bytes[..end.unwrap_or(bytes.len()).min(bytes.len())];
        let mut at = header.generation.header();
        let mut chain = Vec::new();
        while chain.len() < header.games as usize
            && let Some(plies) = plies_at(games, at)
            && let Some(game) = games.get(at..at + game_length(plies))
            && game[..GAME - 2]
                .chunks_exact(4)
                .all(|id| u32_at(id, 0).is_some_and(|id| id < header.strings))
        {
            chain.push(at);
            at += game.len();
        }
        Layout {
            header: Header {
                games: chain.len() as u32,
                index: None,
                ..header
            },
            games_end: at,
            strings: bytes.len(),
            chain,
        }
    }

    /// What is known of a game without looking at it.
    pub(super) fn entry(&self, bytes: &[u8], index: u32) -> Option<Entry> {
        if self.header.index.is_none() {
            let offset = *self.chain.get(index as usize)?;
            let plies = plies_at(bytes, offset)?;
            return Some(Entry { offset, plies });
        }
        let entry = bytes.get(self.entry_range(index)?)?;
        let (offset, plies) = entry.split_at(entry.len() - 2);
        let offset = match self.header.generation {
            Generation::Third => u64_at(offset, 0)?,
            _ => u64::from(u32_at(offset, 0)?),
        };
        Some(Entry {
            // An offset beyond what can be addressed is beyond the file.
            offset: usize::try_from(offset).unwrap_or(usize::MAX),
            plies: u16::from_le_bytes([plies[0], plies[1]]),
        })
    }

    /// Where the entry of a game stands, in generations that have an index.
    pub(super) fn entry_range(&self, index: u32) -> Option<std::ops::Range<usize>> {
        let length = self.header.generation.entry();
        if length == 0 || index >= self.header.games {
            return None;
        }
        let start = self.games_end + length * index as usize;
        Some(start..start + length)
    }

    /// Whether a game lies among the games and has as many plies as the index says.
    pub(super) fn agrees(&self, bytes: &[u8], entry: Entry) -> bool {
        entry.offset >= self.header.generation.header()
            && plies_at(bytes, entry.offset) == Some(entry.plies)
            && entry.offset + game_length(entry.plies) <= self.games_end
    }

    /// Finds a game whose entry does not agree with it, by its neighbours: it begins where the
    /// one before it ends, and one of the two numbers of plies leads to the one behind it.
    pub(super) fn locate(&self, bytes: &[u8], index: u32) -> Option<Entry> {
        let next = match index + 1 == self.header.games {
            true => self.games_end,
            false => self.entry(bytes, index + 1)?.offset,
        };
        let start = match index.checked_sub(1) {
            None => self.header.generation.header(),
            Some(before) => {
                let before = self.entry(bytes, before)?;
                before.offset.checked_add(game_length(before.plies))?
            }
        };
        let entry = self.entry(bytes, index)?;
        let plies = [plies_at(bytes, start), Some(entry.plies)];
        let plies = plies.into_iter().flatten();
        let mut fitting = plies.filter(|&plies| {
            next <= self.games_end && start.checked_add(game_length(plies)) == Some(next)
        });
        let plies = fitting.next()?;
        Some(Entry {
            offset: start,
            plies,
        })
    }
}
