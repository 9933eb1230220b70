//! The moves of one batch of rows.

use arrow_array::RecordBatch;

use super::{SegmentError, SegmentFile, cell::BytesColumn};
use crate::notes::NoteCells;

/// The columns of a batch that are moves, and what is said about them.
pub(super) struct Moves {
    bodies: BytesColumn,
    shapes: Option<BytesColumn>,
    clocks: Option<BytesColumn>,
    spent: Option<BytesColumn>,
    scores: Option<BytesColumn>,
    judgements: Option<BytesColumn>,
}

impl Moves {
    pub fn new(batch: &RecordBatch) -> Result<Moves, SegmentError> {
        let wrong = |name: &str| SegmentError::column(SegmentFile::Moves, name);
        let optional = |name: &str| {
            let column = batch.column_by_name(name);
            let column = column.map(|array| BytesColumn::of(array).ok_or_else(|| wrong(name)));
            column.transpose()
        };
        Ok(Moves {
            bodies: optional("moves")?.ok_or_else(|| wrong("moves"))?,
            shapes: optional("shapes")?,
            clocks: optional("clocks")?,
            spent: optional("time_spent")?,
            scores: optional("evaluations")?,
            judgements: optional("judgements")?,
        })
    }

    /// The moves of a game, or what another entry consists of.
    pub fn body(&self, row: usize) -> &[u8] {
        self.bodies.get(row)
    }

    pub fn notes(&self, row: usize) -> NoteCells<'_> {
        NoteCells {
            shapes: bytes(&self.shapes, row),
            clocks: bytes(&self.clocks, row),
            spent: bytes(&self.spent, row),
            scores: bytes(&self.scores, row),
            judgements: bytes(&self.judgements, row),
        }
    }
}

/// The bytes of a row; none if the column is not there.
fn bytes(column: &Option<BytesColumn>, row: usize) -> &[u8] {
    column.as_ref().map_or(&[], |column| column.get(row))
}
