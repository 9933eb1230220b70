//! `.2lgd`: the games of each name.
//!
//! | at | bytes | |
//! |---|---|---|
//! | 0 | 4 | 256 |
//! | 4 | 4 | how many blocks of lists there are |
//! | 8 | 4 | 0 |
//! | 12 | 512 each | 64 numbers: the heads of the lists of the names of a number, then a block of a list, which has nothing to do with them |
//!
//! One or two games stand in the head itself, and so do three or more in a row; all other lists are
//! chains of blocks.

use std::{collections::HashMap, io};

use super::super::header::{Header, Kind, Role};

/// Games that stand in the head itself.
const PAIR: i64 = 0x4000_0000_0000_0000;
/// The first and the last of several games in a row.
const RUN: i64 = 0x2000_0000_0000_0000;

/// How many games a block has.
const BLOCK: usize = 30;
/// How many roles there are.
const ROLES: usize = 8;

/// The games of a name.
#[derive(Clone, Debug)]
enum List {
    /// One or two.
    Few(u32, Option<u32>),
    /// Three or more in a row, the last one included.
    Run(u32, u32),
    /// Blocks, the first and the last, and how many games.
    Chain(u32, u32, u64),
}

#[derive(Clone, Debug)]
struct Block {
    next: i64,
    games: Vec<u32>,
}

/// The lists of a database, game by game.
#[derive(Default)]
pub struct Lists {
    /// By role and number of a name.
    lists: [HashMap<u32, List>; ROLES],
    blocks: Vec<Block>,
}

/// The numbers that a header refers to, with their roles.
pub fn references(header: &Header) -> impl Iterator<Item = (Role, u32)> + '_ {
    let references = header.kind().map_or(&[][..], Kind::references);
    references.iter().filter_map(move |reference| {
        let id = header.refers_to(reference)?;
        Some((reference.role, u32::try_from(id).ok()?))
    })
}

impl Lists {
    /// Adds a game to the lists of all that it refers to. Games come in the order of their numbers.
    pub fn add(&mut self, game: u32, header: &Header) {
        for (role, id) in references(header) {
            let lists = &mut self.lists[role as usize - 1];
            let list = match lists.remove(&id) {
                None => List::Few(game, None),
                Some(list) => longer(list, game, &mut self.blocks),
            };
            self.lists[role as usize - 1].insert(id, list);
        }
    }

    /// Who has a role, in any order.
    pub fn members(&self, role: Role) -> impl Iterator<Item = u32> + '_ {
        self.lists[role as usize - 1].keys().copied()
    }

    /// Writes the file for names below a number.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn write(&self, out: &mut impl io::Write, names: u64) -> io::Result<()> {
        let blocks = self.blocks.len() as u64;
        out.write_all(&256_u32.to_le_bytes())?;
        out.write_all(&(blocks as u32).to_le_bytes())?;
        out.write_all(&[0; 4])?;
        for record in 0..names.max(blocks) {
            let mut slots = [-1_i64; 64];
            slots[20..30].fill(0);
            slots[30] = 12;
            slots[31] = 0;
            for (index, lists) in self.lists.iter().enumerate() {
                let list = u32::try_from(record).ok().and_then(|id| lists.get(&id));
                if let Some(list) = list {
                    let (first, last, count) = head(list);
                    (slots[index + 1], slots[index + 11]) = (first, last);
                    slots[index + 21] = count;
                }
            }
            slots[33] = 0;
            if let Some(block) = self.blocks.get(record as usize) {
                slots[32] = block.next;
                slots[33] = block.games.len() as i64;
                for (slot, game) in slots[34..].iter_mut().zip(&block.games) {
                    *slot = i64::from(*game);
                }
            }
            for slot in slots {
                out.write_all(&slot.to_le_bytes())?;
            }
        }
        Ok(())
    }
}

fn head(list: &List) -> (i64, i64, i64) {
    match *list {
        List::Few(game, None) => (PAIR + i64::from(game), -1, 1),
        List::Few(game, Some(last)) => (PAIR + i64::from(game), i64::from(last), 2),
        List::Run(first, last) => {
            let count = i64::from(last - first) + 1;
            (RUN + i64::from(first), RUN + i64::from(last), count)
        }
        List::Chain(first, last, count) => (first.into(), last.into(), count as i64),
    }
}

/// A list with one more game.
fn longer(list: List, game: u32, blocks: &mut Vec<Block>) -> List {
    match list {
        List::Few(first, None) => List::Few(first, Some(game)),
        List::Few(first, Some(second)) if second == first + 1 && game == second + 1 => {
            List::Run(first, game)
        }
        List::Few(first, Some(second)) => chain([first, second, game].into_iter(), blocks),
        List::Run(first, last) if game == last + 1 => List::Run(first, game),
        List::Run(first, last) => chain((first..=last).chain([game]), blocks),
        List::Chain(first, last, count) => {
            let last = push(last, game, blocks);
            List::Chain(first, last, count + 1)
        }
    }
}

fn chain(games: impl Iterator<Item = u32>, blocks: &mut Vec<Block>) -> List {
    let first = new_block(blocks);
    let (mut last, mut count) = (first, 0);
    for game in games {
        last = push(last, game, blocks);
        count += 1;
    }
    List::Chain(first, last, count)
}

fn new_block(blocks: &mut Vec<Block>) -> u32 {
    blocks.push(Block {
        next: -1,
        games: Vec::new(),
    });
    blocks.len() as u32 - 1
}

/// Adds a game to the last block of a chain, or to a new one behind it, which is returned.
fn push(last: u32, game: u32, blocks: &mut Vec<Block>) -> u32 {
    let mut at = last;
    if blocks[last as usize].games.len() == BLOCK {
        at = new_block(blocks);
        blocks[last as usize].next = at.into();
    }
    blocks[at as usize].games.push(game);
    at
}
