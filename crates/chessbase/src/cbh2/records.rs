//! The records that headers point to.

use super::{
    frame::{BadFrame, Frame, HEAD},
    set::FileKind,
};

/// In a file as ChessBase writes it every record belongs to one entry. If all entries of a part
/// pointed to the same long one, a small file would become a huge one: so many times its length is
/// read, and no more.
const MOST: usize = 4;

/// And so many bytes of a small file, in which nothing can become huge.
const FREE: usize = 1 << 20;

/// A record, and where its content stands.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub frame: Frame<'a>,
    pub offset: u64,
}

/// A file of records, as long as a part of a database is read.
pub(super) struct Records<'a> {
    kind: FileKind,
    file: Option<&'a [u8]>,
    /// Bytes that may still be read.
    left: usize,
}

impl<'a> Records<'a> {
    pub fn new(kind: FileKind, file: Option<&'a [u8]>) -> Records<'a> {
        let length = file.map_or(0, <[u8]>::len);
        Records {
            kind,
            file,
            left: length.saturating_mul(MOST).saturating_add(FREE),
        }
    }

    /// Whether there is such a file.
    pub fn is_there(&self) -> bool {
        self.file.is_some()
    }

    /// The record at a place, or why there is none.
    pub fn find(&mut self, at: i64) -> Result<Found<'a>, String> {
        let kind = self.kind;
        let file = self.file;
        let file = file.ok_or_else(|| format!("the {kind} file is missing"))?;
        let frame = Frame::at(file, at);
        let frame = frame.map_err(|error: BadFrame| format!("in the {kind} file, {error}"))?;
        let left = self.left.checked_sub(frame.content.len());
        self.left = left.ok_or_else(|| {
            format!("in the {kind} file, too many entries share the record at byte {at}")
        })?;
        Ok(Found {
            frame,
            // A place that was found is in the file.
            offset: at as u64 + HEAD as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cbh2::frame::{FILE_HEADER, tag};

    #[test]
    fn a_record_that_many_entries_share_is_read_a_few_times() {
        let mut file = vec![0; FILE_HEADER];
        Frame::write(&mut file, tag::TEXT, &vec![0; 2 * FREE], 0);
        let mut records = Records::new(FileKind::Moves, Some(&file));
        let read = (0..512).take_while(|_| records.find(12).is_ok()).count();
        assert_eq!(read, MOST);
        let why = records.find(12).err().expect("it was read often enough");
        assert!(why.contains("share the record at byte 12"), "{why}");
    }
}
