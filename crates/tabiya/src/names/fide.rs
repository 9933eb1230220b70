//! The list of players that FIDE publishes: as a table with columns of fixed width, or as XML.
//!
//! It has more than a million rows. Only those are kept whose FIDE id or name occurs in the games.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use tabiya_game::fold;

use super::{
    Apart, Kind, Level,
    alike::likeness,
    authority::{Authorities, Authority, Lines, List, decoded},
    evidence::Profiles,
    spelled::Spelled,
};
use crate::Result;

/// A row of the list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Row {
    id: u32,
    name: String,
    /// The year of birth, 0 if it is not known.
    born: u16,
}

/// Nobody plays in a tournament before.
const YOUNGEST: u16 = 4;

/// Adds what FIDE's list says of the players that occur.
pub fn read(
    list: List<'_>,
    players: &Profiles<'_>,
    authorities: &mut Authorities,
    apart: &mut Vec<Apart>,
) -> Result<()> {
    let mut wanted = Wanted::new(players);
    read_rows(list, |row| wanted.hear(row))?;
    wanted.finish(players, authorities, apart);
    Ok(())
}

/// The rows that are wanted.
struct Wanted {
    ids: HashSet<u32>,
    /// Words of full names that occur, in order of the alphabet.
    names: HashSet<String>,
    by_id: HashMap<u32, Row>,
    /// `None` where several players have the name.
    by_name: HashMap<String, Option<Row>>,
}

/// The words of a name, in whatever order they stood.
fn key(name: &str) -> String {
    let mut words = fold::words(name);
    words.sort_unstable();
    words.join(" ")
}

impl Wanted {
    fn new(players: &Profiles<'_>) -> Wanted {
        let ids = players
            .profiles
            .iter()
            .filter_map(|profile| profile.fide_id);
        let full = players.census.players.iter();
        let full = full.filter(|(_, name)| Spelled::new(name).is_full());
        Wanted {
            ids: ids.collect(),
            names: full.map(|(_, name)| key(name)).collect(),
            by_id: HashMap::new(),
            by_name: HashMap::new(),
        }
    }

    fn hear(&mut self, row: Row) {
        let key = key(&row.name);
        if self.names.contains(&key) {
            match self.by_name.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(Some(row.clone()));
                }
                Entry::Occupied(mut place) => {
                    place.insert(None);
                }
            }
        }
        if self.ids.contains(&row.id) {
            self.by_id.insert(row.id, row);
        }
    }

    fn finish(self, players: &Profiles<'_>, authorities: &mut Authorities, apart: &mut Vec<Apart>) {
        for (id, text) in players.census.players.iter() {
            let profile = players.of(id);
            let by_id = profile.fide_id.and_then(|fide_id| self.by_id.get(&fide_id));
            let by_name = || self.by_name.get(&key(text))?.as_ref();
            let (row, is_by_id) = match (by_id, profile.fide_id) {
                (Some(row), _) => (row, true),
                (None, Some(_)) => continue,
                (None, None) => match by_name() {
                    Some(row) => (row, false),
                    None => continue,
                },
            };
            match judge(text, row, profile.first, is_by_id) {
                Ok(authority) => authorities.add(id, authority),
                Err(reason) => apart.push(told(text, reason)),
            }
        }
    }
}

fn told(text: &str, reason: String) -> Apart {
    Apart {
        kind: Kind::Player,
        names: vec![text.to_string()],
        reason,
    }
}

/// Whether a row can be that of a name.
fn judge(text: &str, row: &Row, first: u16, is_by_id: bool) -> Result<Authority, String> {
    let Row { id, name, born } = row;
    if *born > 0 && first > 0 && first < born + YOUNGEST {
        return Err(format!(
            "{name}, FIDE id {id}, was born in {born} and cannot have played in {first}"
        ));
    }
    if likeness(&Spelled::new(text), &Spelled::new(name)).is_none() {
        return Err(format!("FIDE id {id} is that of {name} on FIDE's list"));
    }
    Ok(match is_by_id {
        true => Authority {
            name: name.clone(),
            level: Level::Sure,
            words: format!("FIDE's list has this name for FIDE id {id}"),
            fide_id: Some(*id),
        },
        false => Authority {
            name: name.clone(),
            level: Level::Likely,
            words: format!("the only one of this name on FIDE's list, FIDE id {id}"),
            fide_id: Some(*id),
        },
    })
}

/// Tells all rows of a list.
fn read_rows(list: List<'_>, mut each: impl FnMut(Row)) -> Result<()> {
    let mut lines = list.lines()?;
    while let Some(line) = lines.next_line()? {
        let line = line.trim_ascii();
        if line.starts_with(b"<") {
            let head = line.to_vec();
            return read_xml(&mut lines, &head, &mut each);
        }
        if !line.is_empty() {
            break;
        }
    }
    let mut lines = list.lines()?;
    read_table(&mut lines, &mut each)
}

/// Where the columns stand, in bytes.
struct Columns {
    name: usize,
    federation: usize,
    born: Option<usize>,
}

impl Columns {
    fn of(heading: &[u8]) -> Option<Columns> {
        let heading = std::str::from_utf8(heading).ok()?.to_ascii_lowercase();
        let columns = Columns {
            name: heading.find("name")?,
            federation: heading.find("fed")?,
            born: heading.find("b-day").or_else(|| heading.find("born")),
        };
        (0 < columns.name && columns.name < columns.federation).then_some(columns)
    }

    fn row(&self, line: &[u8]) -> Option<Row> {
        let id = std::str::from_utf8(line.get(..self.name)?).ok()?;
        let name = decoded(line.get(self.name..self.federation)?);
        let born = self.born.and_then(|at| line.get(at..at + 4));
        let born = born.and_then(|born| std::str::from_utf8(born).ok()?.trim().parse().ok());
        let row = Row {
            id: id.trim().parse().ok()?,
            name: name.trim().to_string(),
            born: born.unwrap_or_default(),
        };
        (row.id > 0 && !row.name.is_empty()).then_some(row)
    }
}

fn read_table(lines: &mut Lines<'_>, each: &mut impl FnMut(Row)) -> Result<()> {
    let columns = match lines.next_line()? {
        Some(heading) => Columns::of(heading),
        None => None,
    };
    let Some(columns) = columns else {
        let what = "has no columns ID, Name and Fed: expected FIDE's list of players";
        return Err(lines.file_error(what));
    };
    while let Some(line) = lines.next_line()? {
        if let Some(row) = columns.row(line) {
            each(row);
        }
    }
    Ok(())
}

/// Elements as they come: `<player>` with `<fideid>`, `<name>` and `<birthday>`.
fn read_xml(lines: &mut Lines<'_>, head: &[u8], each: &mut impl FnMut(Row)) -> Result<()> {
    let (mut row, mut any) = (Row::default(), false);
    let mut hear = |chunk: &[u8]| {
        let Some(open) = chunk.iter().rposition(|&byte| byte == b'<') else {
            return;
        };
        let text = || decoded(chunk[..open].trim_ascii());
        match &chunk[open..] {
            b"<player>" => {
                row = Row::default();
                any = true;
            }
            b"</fideid>" => row.id = text().parse().unwrap_or_default(),
            b"</name>" => row.name = unescaped(&text()),
            b"</birthday>" => {
                row.born = text()
                    .get(..4)
                    .and_then(|year| year.parse().ok())
                    .unwrap_or_default()
            }
            b"</player>" if row.id > 0 && !row.name.is_empty() => each(std::mem::take(&mut row)),
            _ => {}
        }
    };
    for chunk in head.split_inclusive(|&byte| byte == b'>') {
        hear(chunk);
    }
    while let Some(chunk) = lines.next_chunk(b'>')? {
        hear(chunk);
    }
    match any {
        true => Ok(()),
        false => Err(lines.file_error("has no element <player>: expected FIDE's list of players")),
    }
}

fn unescaped(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    entities
        .iter()
        .fold(text.to_string(), |text, (entity, letter)| {
            text.replace(entity, letter)
        })
}
