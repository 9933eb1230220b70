//! An entry of a database by itself: what its numbers lead to goes along with it.

use std::io;

use super::{
    entities::Found,
    frame::Frame,
    header::{Header, Kind, RECORD},
    set::Tables,
};
use crate::annotations::bytes::Bytes;

/// A game, a text or an analysis with everything that belongs to it, in whatever file that is.
///
/// Numbers of names and offsets mean nothing here: they are given when the entry is put into a
/// database. It is what a [`RecordWriter`](super::writer::RecordWriter) hands to a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEntry {
    /// The header.
    pub header: Header,
    /// The records that it refers to, in the order of its references, without their lengths;
    /// `None` where it refers to nothing.
    pub records: Vec<Option<Vec<u8>>>,
    /// The tag and the content of its record in `.2cbg`.
    pub moves: Option<(u16, Vec<u8>)>,
    /// The content of its record in `.2cba`.
    pub annotations: Option<Vec<u8>>,
}

/// A reference that leads nowhere: what it is about, and the number.
pub type Dangling = (&'static str, i64);

/// The records that a header refers to. A name that is not there is empty, and named.
pub(super) fn records<'b>(
    tables: &Tables<'b>,
    header: &Header,
    dangling: &mut Vec<Dangling>,
) -> Vec<Option<&'b [u8]>> {
    let references = header.kind().map_or(&[][..], Kind::references);
    let find = |reference: &super::header::Reference| {
        let id = header.i64(reference.at);
        if id < 0 && reference.role.is_optional() {
            return None;
        }
        let entities = tables.entities.as_ref()?;
        match entities.get(reference.role.entity(), id) {
            Found::Record(record) => Some(record),
            Found::Deleted | Found::Missing => {
                dangling.push((reference.name, id));
                None
            }
        }
    };
    references.iter().map(find).collect()
}

impl StoredEntry {
    /// An entry without moves and annotations.
    #[must_use]
    pub fn bare(tables: &Tables<'_>, header: &Header) -> StoredEntry {
        // Names that are not there are empty from now on.
        let records = records(tables, header, &mut Vec::new());
        StoredEntry {
            header: *header,
            records: records
                .into_iter()
                .map(|it| it.map(<[u8]>::to_vec))
                .collect(),
            moves: None,
            annotations: None,
        }
    }

    /// A whole entry, as far as it is there.
    #[must_use]
    pub fn whole(tables: &Tables<'_>, header: &Header) -> StoredEntry {
        let moves = tables
            .moves
            .and_then(|file| Frame::at(file, header.moves()).ok());
        let place = header.annotations().zip(tables.annotations);
        let annotations = place.and_then(|(at, file)| Frame::at(file, at).ok());
        StoredEntry {
            moves: moves.map(|frame| (frame.tag, frame.content.to_vec())),
            annotations: annotations.map(|frame| frame.content.to_vec()),
            ..StoredEntry::bare(tables, header)
        }
    }

    /// Adds the entry to some bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let from = bytes.len();
        bytes.extend([0; 4]);
        bytes.extend(self.header.0);
        bytes.push(self.records.len() as u8);
        for record in &self.records {
            put(bytes, record.as_deref());
        }
        bytes.extend(self.moves.as_ref().map_or(0, |(tag, _)| *tag).to_le_bytes());
        put(bytes, self.moves.as_ref().map(|(_, content)| &content[..]));
        put(bytes, self.annotations.as_deref());
        let length = (bytes.len() - from - 4) as u32;
        bytes[from..from + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// Reads the first of several entries, and what is behind it.
    ///
    /// # Errors
    /// If the bytes are not what [`write`](StoredEntry::write) wrote.
    pub fn read(bytes: &[u8]) -> io::Result<(StoredEntry, &[u8])> {
        let mut all = Bytes(bytes);
        let entry = all.str32().and_then(|entry| {
            let mut fields = Bytes(entry);
            let header = Header(fields.array::<RECORD>()?);
            let count = fields.u8()?;
            let records = (0..count).map(|_| take(&mut fields));
            let records = records.collect::<Option<Vec<_>>>()?;
            let tag = fields.u16_le()?;
            Some(StoredEntry {
                header,
                records,
                moves: take(&mut fields)?.map(|content| (tag, content)),
                annotations: take(&mut fields)?,
            })
        });
        let bad = || io::Error::new(io::ErrorKind::InvalidData, "not a record of this format");
        Ok((entry.ok_or_else(bad)?, all.0))
    }
}

fn put(bytes: &mut Vec<u8>, field: Option<&[u8]>) {
    bytes.push(u8::from(field.is_some()));
    if let Some(field) = field {
        bytes.extend((field.len() as u32).to_le_bytes());
        bytes.extend(field);
    }
}

/// A field that may be missing; `None` if the bytes end.
fn take(fields: &mut Bytes<'_>) -> Option<Option<Vec<u8>>> {
    match fields.u8()? {
        0 => Some(None),
        _ => fields.str32().map(|field| Some(field.to_vec())),
    }
}
