//! The moves of one batch of rows.

use std::{iter::repeat_n, ops::Range};

use arrow_array::{Int64Array, RecordBatch, cast::AsArray};

use super::{SegmentError, SegmentFile, cell::BytesColumn};
use crate::{notes::NoteCells, signature::Signature};

/// The columns of a batch that are moves, and what is said about them.
pub(crate) struct Moves {
    bodies: BytesColumn,
    shapes: Option<BytesColumn>,
    clocks: Option<BytesColumn>,
    spent: Option<BytesColumn>,
    scores: Option<BytesColumn>,
    signatures: Option<Int64Array>,
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
            signatures: signatures(batch)?,
            judgements: optional("judgements")?,
        })
    }

    /// The moves of a game, or what another entry consists of.
    pub fn body(&self, row: usize) -> &[u8] {
        self.bodies.get(row)
    }

    /// What the main line of a game comes to.
    pub fn signature(&self, row: usize) -> Signature {
        match &self.signatures {
            Some(signatures) => Signature::from_column(signatures.value(row)),
            None => Signature::UNKNOWN,
        }
    }

    /// What the main lines of some games come to.
    pub fn signatures(&self, rows: Range<usize>) -> impl Iterator<Item = Signature> {
        let known = self.signatures.as_ref();
        let known = known.map_or(&[][..], |known| &known.values()[rows.clone()]);
        let unknown = rows.len() - known.len();
        let known = known.iter().map(|number| Signature::from_column(*number));
        known.chain(repeat_n(Signature::UNKNOWN, unknown))
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

/// What the main lines of the games come to; earlier versions did not write it.
fn signatures(batch: &RecordBatch) -> Result<Option<Int64Array>, SegmentError> {
    let Some(array) = batch.column_by_name("signature") else {
        return Ok(None);
    };
    match array.as_primitive_opt() {
        Some(signatures) => Ok(Some(signatures.clone())),
        None => Err(SegmentError::column(SegmentFile::Moves, "signature")),
    }
}

/// The bytes of a row; none if the column is not there.
fn bytes(column: &Option<BytesColumn>, row: usize) -> &[u8] {
    column.as_ref().map_or(&[], |column| column.get(row))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, BinaryArray};

    use super::*;

    #[test]
    fn without_the_column_every_signature_is_unknown() {
        let moves: ArrayRef = Arc::new(BinaryArray::from_iter_values([b"\xd3\xff"]));
        let batch = RecordBatch::try_from_iter([("moves", moves)]).unwrap();
        let moves = Moves::new(&batch).unwrap();
        assert_eq!(moves.signature(0), Signature::UNKNOWN);
        assert!(moves.signatures(0..1).eq([Signature::UNKNOWN]));
    }
}
