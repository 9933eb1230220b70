//! The order of names and the lists of their games, read by a reader of their own.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use tabiya_chessbase::cbh2::{
    StoredEntry,
    assembly::{Builder, collation::Collated},
    entities::{Entities, Found},
    header::{Headers, Role},
    set::FileSet,
};

use super::{data, real};

const ROLES: [Role; 8] = [
    Role::Player,
    Role::Tournament,
    Role::Source,
    Role::Annotator,
    Role::Team,
    Role::GameTitle,
    Role::TextTitle,
    Role::AnalysisTitle,
];

fn number(bytes: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// The lists of games by role and name, as a `.2lgd` has them.
fn lists(file: &[u8]) -> BTreeMap<(usize, i64), Vec<i64>> {
    let slot = |record: i64, slot: usize| number(file, 12 + record as usize * 512 + slot * 8);
    let mut lists = BTreeMap::new();
    let records = (file.len() - 12) / 512;
    assert_eq!((file.len() - 12) % 512, 0);
    for record in 0..records as i64 {
        for role in 1..=8 {
            let (first, last, count) = (
                slot(record, role),
                slot(record, 10 + role),
                slot(record, 20 + role),
            );
            if count == 0 {
                assert_eq!((first, last), (-1, -1));
                continue;
            }
            let games: Vec<i64> = match first >> 60 {
                4 => [first & 0xffff_ffff, last]
                    .into_iter()
                    .filter(|it| *it >= 0)
                    .collect(),
                2 => (first & 0xffff_ffff..=last & 0xffff_ffff).collect(),
                _ => {
                    let (mut games, mut block) = (Vec::new(), first);
                    while block >= 0 {
                        let count = slot(block, 33) as usize;
                        games.extend((34..34 + count).map(|at| slot(block, at)));
                        block = slot(block, 32);
                    }
                    games
                }
            };
            assert_eq!(games.len() as i64, count);
            lists.insert((role, record), games);
        }
    }
    lists
}

/// An index as a `.2lcd` has it: its name, and its members in order with their keys.
type Order = (String, Vec<(i64, u64)>);

fn orders(file: &[u8]) -> Vec<Order> {
    let be = |at: usize, length: usize| {
        let bytes = file[at..at + length].iter();
        bytes.fold(0_i64, |number, byte| number << 8 | i64::from(*byte))
    };
    assert_eq!(
        [be(0, 4), be(4, 4), be(8, 4)],
        [1, file.len() as i64 / 4096, 4096]
    );
    let mut orders = Vec::new();
    for slot in 0..32 {
        let entry = 4096 + slot * 128;
        let length = be(entry + 26, 2) as usize;
        if length == 0 {
            continue;
        }
        let name = String::from_utf8_lossy(&file[entry + 28..entry + 28 + length]).into_owned();
        let (depth, page, root) = (be(entry, 2) as u32, be(entry + 2, 4), be(entry + 6, 8));
        let node = |id: i64| {
            let mut page = page as usize;
            for level in (0..depth).rev() {
                let digit = (id / 102 / 1024_i64.pow(level) % 1024) as usize;
                let at = page * 4096 + digit * 4;
                page = u32::from_le_bytes(file[at..at + 4].try_into().expect("a page")) as usize;
            }
            page * 4096 + (id % 102) as usize * 40
        };
        let mut members = Vec::new();
        walk(file, &node, root, -1, &mut members);
        assert_eq!(members.len() as i64, be(entry + 14, 8), "{name}");
        orders.push((name, members));
    }
    orders
}

/// The members below a node, in order; returns how high the tree is.
fn walk(
    file: &[u8],
    node: &dyn Fn(i64) -> usize,
    id: i64,
    parent: i64,
    members: &mut Vec<(i64, u64)>,
) -> i16 {
    if id < 0 {
        return 0;
    }
    let at = node(id);
    assert_eq!(number(file, at + 16), parent);
    let left = walk(file, node, number(file, at), id, members);
    members.push((id, number(file, at + 24) as u64));
    let right = walk(file, node, number(file, at + 8), id, members);
    let balance = i16::from_le_bytes([file[at + 32], file[at + 33]]);
    assert_eq!(balance, right - left);
    assert!(balance.abs() <= 1);
    1 + left.max(right)
}

/// Who has which role in which games, by the headers.
fn by_headers(headers: &Headers<'_>) -> BTreeMap<(usize, i64), Vec<i64>> {
    let mut lists: BTreeMap<(usize, i64), Vec<i64>> = BTreeMap::new();
    for (game, header) in headers.iter() {
        for reference in header.kind().expect("a kind").references() {
            if let Some(id) = header.refers_to(reference) {
                lists
                    .entry((reference.role as usize, id))
                    .or_default()
                    .push(game.into());
            }
        }
    }
    lists
}

/// Checks what is computed from the rest of a database that tabiya wrote.
pub fn check_indexes(path: &Path) {
    let files = FileSet::open(path).expect("files");
    let tables = files.tables().expect("tables");
    let expected = by_headers(&tables.headers);
    let found = lists(&fs::read(path.with_extension("2lgd")).expect("lists"));
    assert_eq!(found, expected);
    let entities = tables.entities.as_ref().expect("names");
    let orders = orders(&fs::read(path.with_extension("2lcd")).expect("orders"));
    assert_eq!(orders.len(), ROLES.len());
    for (role, (name, members)) in ROLES.into_iter().zip(orders) {
        let ids: BTreeSet<i64> = members.iter().map(|(id, _)| *id).collect();
        let having = expected.keys().filter(|(it, _)| *it == role as usize);
        assert_eq!(ids, having.map(|(_, id)| *id).collect(), "{name}");
        for pair in members.windows(2) {
            let [one, other] = [pair[0], pair[1]].map(|(id, _)| collated(entities, role, id));
            assert!(one.compare(&other).is_le(), "{name}: {pair:?}");
        }
    }
}

fn collated(entities: &Entities<'_>, role: Role, id: i64) -> Collated {
    match entities.get(role.entity(), id) {
        Found::Record(record) => Collated::new(role.entity(), record),
        _ => panic!("{role:?} {id} is not there"),
    }
}

/// A name without its number: what is the same in two databases.
fn record(entities: &Entities<'_>, role: Role, id: i64) -> Vec<u8> {
    match entities.get(role.entity(), id) {
        Found::Record(record) => record.to_vec(),
        _ => Vec::new(),
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_real_database_that_is_written_again_has_the_same_orders_and_lists() {
    let Some(folder) = data::find("chessbase2") else {
        return;
    };
    let mut totals = BTreeMap::new();
    for name in ["simple", "gelfer"] {
        let (_folder, path) = real::unpacked(&folder.join(name).with_extension("2cbv"));
        let place = tempfile::tempdir().expect("a folder");
        let files = FileSet::open(&path).expect("files");
        let tables = files.tables().expect("tables");
        let mut builder = Builder::new(place.path(), "again".as_ref()).expect("a place");
        for (_, header) in tables.headers.iter() {
            let mut entry = StoredEntry::whole(&tables, &header);
            entry.header.set_deleted(header.is_deleted());
            builder.add(&entry).expect("room");
        }
        builder.finish().expect("a database");
        let again = place.path().join("again.2cbh");
        check_indexes(&again);
        let new_files = FileSet::open(&again).expect("files");
        let new_tables = new_files.tables().expect("tables");
        let [old_names, new_names] =
            [&tables, &new_tables].map(|it| it.entities.as_ref().expect("names"));
        let read =
            |path: &Path, extension| fs::read(path.with_extension(extension)).expect("a file");
        compare_lists(
            &lists(&read(&path, "2lgd")),
            &lists(&read(&again, "2lgd")),
            old_names,
            new_names,
            &mut totals,
        );
        let old = orders(&read(&path, "2lcd"));
        let new = orders(&read(&again, "2lcd"));
        compare_orders(&old, &new, old_names, new_names, &mut totals);
    }
    println!("{totals:?}");
    for (what, count) in &totals {
        let explained = ["the same", "text title", "hyphen", "same name", "-1"];
        assert!(
            explained.iter().any(|it| what.contains(it)),
            "{what}: {count}"
        );
    }
}

fn compare_lists(
    old: &BTreeMap<(usize, i64), Vec<i64>>,
    new: &BTreeMap<(usize, i64), Vec<i64>>,
    old_names: &Entities<'_>,
    new_names: &Entities<'_>,
    totals: &mut BTreeMap<String, u32>,
) {
    let by_name = |lists: &BTreeMap<(usize, i64), Vec<i64>>, names: &Entities<'_>| {
        let mut named: BTreeMap<(usize, Vec<u8>), BTreeSet<i64>> = BTreeMap::new();
        for ((role, id), games) in lists {
            let name = record(names, ROLES[role - 1], *id);
            named.entry((*role, name)).or_default().extend(games);
        }
        named
    };
    let (old, new) = (by_name(old, old_names), by_name(new, new_names));
    for key in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
        let what = match (old.get(key), new.get(key)) {
            (old, new) if old == new => "lists: the same".to_owned(),
            // ChessBase 17 lists titles of texts among those of games.
            _ if matches!(key.0, 6 | 7) => "lists: role of a text title".to_owned(),
            (old, new) => format!("lists: role {}, {old:?} became {new:?}", key.0),
        };
        *totals.entry(what).or_default() += 1;
    }
}

fn compare_orders(
    old: &[Order],
    new: &[Order],
    old_names: &Entities<'_>,
    new_names: &Entities<'_>,
    totals: &mut BTreeMap<String, u32>,
) {
    let mut titles = [BTreeSet::new(), BTreeSet::new()];
    for ((role, (name, old)), (_, new)) in ROLES.into_iter().zip(old).zip(new) {
        let named = |order: &[(i64, u64)], names: &Entities<'_>| -> Vec<(Vec<u8>, u64)> {
            let all = order
                .iter()
                .map(|(id, key)| (record(names, role, *id), *key));
            let mut all: Vec<_> = all.collect();
            // Names that were there twice are there once.
            all.dedup_by(|one, other| one.0 == other.0);
            all
        };
        let (old, new) = (named(old, old_names), named(new, new_names));
        if matches!(role, Role::GameTitle | Role::TextTitle) && old.len() != new.len() {
            // ChessBase 17 has most titles of texts in no order.
            let what = format!("order {name}: text title");
            *totals.entry(what).or_default() += 1;
            titles[0].extend(old);
            titles[1].extend(new);
            continue;
        }
        let (old_order, new_order): (Vec<_>, Vec<_>) = (
            old.iter().map(|it| &it.0).collect(),
            new.iter().map(|it| &it.0).collect(),
        );
        let same = old_order == new_order;
        if !same {
            let at = old_order
                .iter()
                .zip(&new_order)
                .position(|(one, other)| one != other);
            let texts =
                at.map(|at| [old_order[at], new_order[at]].map(|it| String::from_utf8_lossy(it)));
            println!("{name}: {texts:?}");
        }
        let what = if same { "the same" } else { "other" };
        *totals.entry(format!("order {name}: {what}")).or_default() += 1;
        for ((record, old), (_, new)) in old.iter().zip(&new).filter(|_| same) {
            let hyphen = record.contains(&b'-');
            let what = match old == new {
                true => "keys: the same".to_owned(),
                // Older programs wrote a key where a name has a hyphen.
                false if hyphen && *new == 0 => "keys: hyphen".to_owned(),
                false => format!("keys: {old:016x} became {new:016x}"),
            };
            *totals.entry(what).or_default() += 1;
        }
    }
    // Nobody is left out, and keys are the same.
    let [old, new] = titles;
    assert!(old.is_subset(&new), "{:?}", old.difference(&new).next());
}
