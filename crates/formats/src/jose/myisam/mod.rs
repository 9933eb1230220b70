//! MyISAM tables, as MySQL keeps them in three files: `.frm` (the columns), `.MYD` (the rows) and
//! `.MYI` (the index, which also says how columns are packed).
//!
//! | rows | read |
//! |---|---|
//! | dynamic | every kind of block, rows in several blocks, deleted blocks passed over |
//! | fixed | yes, deleted rows passed over |
//! | compressed by `myisampack` | refused |
//!
//! Nothing is taken for granted about a table: names, types and lengths of columns come from its
//! `.frm`. How a column is packed comes from the `.MYI` if it is there and fits the `.frm`, else
//! from the column's type.
//!
//! ```no_run
//! use tabiya_formats::jose::myisam::{Next, Table, Value};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let file = |extension: &str| std::fs::read(format!("IO_Player.{extension}"));
//! let table = Table::open(&file("frm")?, Some(&file("MYI")?))?;
//! let data = file("MYD")?;
//! let name = table.column("Name").expect("players have names");
//! let mut rows = table.rows(&data);
//! while let Some(next) = rows.next() {
//!     if let Next::Row(row) = next
//!         && let Value::Bytes(bytes) = table.values(&row.bytes)?[name]
//!     {
//!         println!("{}", table.text(name, bytes));
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod block;
mod definition;
mod packing;
mod rows;
mod table;

#[cfg(test)]
pub(in crate::jose) mod generate;
#[cfg(test)]
mod tests;

pub use definition::{Column, ColumnKind, Definition, MAX_COLUMNS};
pub use packing::stated_rows;
pub use rows::{MAX_ROW, Next, Row, Rows};
pub use table::{Table, Value};

/// Why bytes are not a table, or not a row of it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct TableError {
    /// The byte of the file, or of a row's packed data.
    pub offset: u64,
    /// What is wrong.
    pub kind: TableErrorKind,
}

impl TableError {
    pub(super) fn new(offset: usize, kind: TableErrorKind) -> TableError {
        let offset = offset as u64;
        TableError { offset, kind }
    }
}

/// What is wrong with a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// The file is no `.frm`.
    #[error("not the definition of a table: it does not begin with FE 01")]
    NotADefinition,
    /// A file or a row is shorter than it says.
    #[error("it ends too early")]
    UnexpectedEnd,
    /// A row is longer than its columns.
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    /// There are no columns, or more than MySQL allows.
    #[error("{0} columns: a table has 1 to {MAX_COLUMNS}")]
    ColumnCount(usize),
    /// A column is not where it could be in a row.
    #[error("column {0} lies outside of the row")]
    BadColumn(usize),
    /// The table was packed for reading only.
    #[error("the table is compressed: unpack it with `myisamchk --unpack` first")]
    Compressed,
    /// A column is packed in a way that is not known here.
    #[error("column {name:?} of {length} bytes is packed in an unknown way")]
    UnknownPacking {
        /// Its name.
        name: String,
        /// Its length in an unpacked row.
        length: usize,
    },
    /// There is no block of this type.
    #[error("a block of type {0:02X}: expected 00 to 0D")]
    UnknownBlock(u8),
    /// A block says that it is deleted, but is not built so.
    #[error("a deleted block that is none")]
    BadDeleted,
    /// A block has an impossible length.
    #[error("a block reaches beyond the end of the file")]
    BlockBeyondEnd,
    /// The pieces of a row do not fit together.
    #[error("a row in several blocks is broken at its block at byte {0}")]
    BrokenChain(u64),
    /// A row is larger than anybody's.
    #[error("a row of {0} bytes: at most {MAX_ROW}")]
    RowTooLong(u64),
}
