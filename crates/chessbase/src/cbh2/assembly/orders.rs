//! `.2lcd`: the order of names, as balanced trees.
//!
//! Pages of 4096 bytes: a header, a catalog of up to 32 indexes, then the nodes, 102 on a page,
//! each at the place of its number. Where an index has more than one page of nodes, the catalog
//! names a directory of pages, or a directory of directories.

use std::io;

use super::{
    super::{entities::EntityKind, header::Role},
    collation::Collated,
};
use crate::files::avl::Tree;

const PAGE: usize = 4096;
/// Nodes on a page.
const NODES: u64 = 102;
const NODE: usize = 40;
/// Numbers of pages in a directory.
const DIRECTORY: u64 = 1024;
const ENTRY: usize = 128;

/// An index: its name in the catalog, its number, and who is in it.
struct Index {
    name: &'static str,
    number: u8,
    role: Role,
}

const fn index(name: &'static str, number: u8, role: Role) -> Index {
    Index { name, number, role }
}

const INDEXES: [Index; 8] = [
    index("Default Spieler", 1, Role::Player),
    index("Default Turnier", 2, Role::Tournament),
    index("Default Quelle", 3, Role::Source),
    index("Default Kommentator", 4, Role::Annotator),
    index("Default Mannschaften", 5, Role::Team),
    index("Default partietitle", 6, Role::GameTitle),
    index("Texttitel", 6, Role::TextTitle),
    index("Analysen", 6, Role::AnalysisTitle),
];

/// Writes the file. `members` tells who has a role, `name` how a name is compared.
///
/// # Errors
/// If the disk is full.
pub fn write(
    out: &mut impl io::Write,
    members: impl Fn(Role) -> Vec<u32>,
    name: impl Fn(EntityKind, u32) -> Collated,
) -> io::Result<()> {
    let mut pages = Pages::default();
    let mut catalog = vec![0; PAGE];
    for slot in 0..PAGE / ENTRY {
        let entry = &mut catalog[slot * ENTRY..(slot + 1) * ENTRY];
        entry[6..14].fill(0xff);
        (entry[0x17], entry[0x19]) = (3, 1);
    }
    // Every index has its first page, whether it is needed or not.
    let first: Vec<u32> = INDEXES.iter().map(|_| pages.add()).collect();
    for (slot, (index, page)) in INDEXES.iter().zip(first).enumerate() {
        let kind = index.role.entity();
        let mut ids = members(index.role);
        ids.sort_unstable();
        let names: Vec<Collated> = ids.iter().map(|id| name(kind, *id)).collect();
        let tree = grow(&names);
        let (depth, page) = pages.put(page, &ids, &names, &tree);
        let root = match ids.is_empty() {
            true => -1,
            false => i64::from(ids[tree.root() as usize]),
        };
        let entry = &mut catalog[slot * ENTRY..(slot + 1) * ENTRY];
        entry[..2].copy_from_slice(&depth.to_be_bytes());
        entry[2..6].copy_from_slice(&page.to_be_bytes());
        entry[6..14].copy_from_slice(&root.to_be_bytes());
        entry[14..22].copy_from_slice(&(ids.len() as u64).to_be_bytes());
        entry[22] = kind as u8 + 1;
        entry[24] = index.number;
        entry[26..28].copy_from_slice(&(index.name.len() as u16).to_be_bytes());
        entry[28..28 + index.name.len()].copy_from_slice(index.name.as_bytes());
    }
    let mut header = vec![0; PAGE];
    for (place, number) in [1, pages.0.len() as u32 + 2, PAGE as u32]
        .iter()
        .enumerate()
    {
        header[place * 4..place * 4 + 4].copy_from_slice(&number.to_be_bytes());
    }
    out.write_all(&header)?;
    out.write_all(&catalog)?;
    pages.0.iter().try_for_each(|page| out.write_all(page))
}

/// The tree of some names, added one after the other.
fn grow(names: &[Collated]) -> Tree {
    let mut tree = Tree::new();
    for (place, name) in names.iter().enumerate() {
        tree.insert(|other| {
            let order = name.compare(&names[other as usize]);
            // Of equals the one with the higher number is behind.
            order.then(place.cmp(&(other as usize)))
        });
    }
    tree
}

/// The pages behind the catalog.
#[derive(Default)]
struct Pages(Vec<Vec<u8>>);

impl Pages {
    /// Adds a page, and says its number in the file.
    fn add(&mut self) -> u32 {
        self.0.push(vec![0; PAGE]);
        self.0.len() as u32 + 1
    }

    fn page(&mut self, number: u32) -> &mut [u8] {
        &mut self.0[number as usize - 2]
    }

    /// Writes the nodes of an index, of which the first page is known. Returns how many
    /// directories are above its nodes, and the page of the first.
    fn put(&mut self, first: u32, ids: &[u32], names: &[Collated], tree: &Tree) -> (u16, u32) {
        let highest = ids.last().map_or(0, |id| u64::from(*id) / NODES);
        let mut depth = 0;
        let mut room = 1;
        let mut top = first;
        while highest >= room {
            let directory = self.add();
            // What was there before is the first in the directory above it.
            self.page(directory)[..4].copy_from_slice(&top.to_le_bytes());
            top = directory;
            room *= DIRECTORY;
            depth += 1;
        }
        let mut parents = vec![-1_i64; ids.len()];
        let id = |place: i32| match usize::try_from(place) {
            Ok(place) => i64::from(ids[place]),
            Err(_) => -1,
        };
        for (place, node) in tree.nodes().iter().enumerate() {
            for child in [node.left, node.right] {
                if let Ok(child) = usize::try_from(child) {
                    parents[child] = i64::from(ids[place]);
                }
            }
        }
        for (place, node) in tree.nodes().iter().enumerate() {
            let number = u64::from(ids[place]);
            let page = self.find(top, depth, number / NODES);
            let slot = (number % NODES) as usize;
            let bytes = &mut self.page(page)[slot * NODE..(slot + 1) * NODE];
            let links = [id(node.left), id(node.right), parents[place]];
            for (at, link) in links.iter().enumerate() {
                bytes[at * 8..at * 8 + 8].copy_from_slice(&link.to_le_bytes());
            }
            bytes[24..32].copy_from_slice(&names[place].key.to_le_bytes());
            bytes[32..34].copy_from_slice(&i16::from(node.balance).to_le_bytes());
            bytes[36..40].copy_from_slice(&(slot as i32).to_le_bytes());
        }
        (depth, top)
    }

    /// The page of some nodes, below directories; what is not there yet is added.
    fn find(&mut self, top: u32, depth: u16, number: u64) -> u32 {
        let mut page = top;
        for level in (0..u32::from(depth)).rev() {
            let digit = (number / DIRECTORY.pow(level) % DIRECTORY) as usize;
            let place = digit * 4..digit * 4 + 4;
            let bytes = &self.page(page)[place.clone()];
            let known = bytes
                .first_chunk()
                .map_or(0, |bytes| u32::from_le_bytes(*bytes));
            let next = match known {
                0 => self.add(),
                known => known,
            };
            self.page(page)[place].copy_from_slice(&next.to_le_bytes());
            page = next;
        }
        page
    }
}
