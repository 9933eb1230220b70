//! The tables of names that games refer to: players, events, sites, openings, collections.

use std::collections::HashMap;

use super::{
    archive::{ArchiveError, Files},
    myisam::{Next, Table, Value},
};

/// A table of names, by the numbers that games have for them.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub table: String,
    names: HashMap<i64, Box<str>>,
}

impl Names {
    /// Reads all names. A table that is not there has none; rows that cannot be read are left
    /// out, and the games that want them say so.
    pub fn read(files: &Files, table: &str) -> Result<Names, ArchiveError> {
        let mut names = Names {
            table: table.to_owned(),
            names: HashMap::new(),
        };
        let Some(data) = files.get(&format!("{table}.MYD")) else {
            return Ok(names);
        };
        let definition = open_table(files, table)?;
        let id = column(&definition, table, "Id")?;
        let name = column(&definition, table, "Name")?;
        for next in definition.rows(data) {
            let Next::Row(row) = next else { continue };
            let Ok(values) = definition.values(&row.bytes) else {
                continue;
            };
            if let (Value::Integer(id), Value::Bytes(bytes)) = (values[id], values[name]) {
                let name = definition.text(name, bytes);
                names.names.entry(id).or_insert_with(|| name.into());
            }
        }
        Ok(names)
    }

    pub fn get(&self, id: i64) -> Option<&str> {
        self.names.get(&id).map(|name| &**name)
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }
}

/// Opens a table by its `.frm` and, if it is there, its `.MYI`.
pub(super) fn open_table(files: &Files, table: &str) -> Result<Table, ArchiveError> {
    let file = format!("{table}.frm");
    let Some(frm) = files.get(&file) else {
        return Err(ArchiveError::Missing(file));
    };
    let myi = files.get(&format!("{table}.MYI"));
    let opened = Table::open(frm, myi.map(|myi| &**myi));
    opened.map_err(|error| ArchiveError::Table { file, error })
}

/// A column that must be there.
pub(super) fn column(
    definition: &Table,
    table: &str,
    column: &'static str,
) -> Result<usize, ArchiveError> {
    let table = || table.to_owned();
    let index = definition.column(column);
    index.ok_or_else(|| ArchiveError::NoColumn {
        table: table(),
        column,
    })
}
