//! An entry of a database by itself: what its numbers lead to goes along with it.

use std::io;

use crate::files::{
    PackedDate,
    annotators::Annotator,
    entity::Entity,
    extended::{self, ExtendedRecord},
    flags_file::GameMarks,
    game_tags::GameTag,
    header::{self, Entry},
    players::Player,
    sources::Source,
    tags::Details,
    teams::Team,
    tournament_extra::TournamentExtra,
    tournaments::Tournament,
};

/// Bytes of what is known of a tournament besides its record.
const EXTRA: usize = 65;

/// A game or a text with everything that belongs to it, wherever a database keeps that.
///
/// Numbers of records, offsets and the number of the game mean nothing here: they are given when
/// the entry is put into a database. It is what a [`RecordWriter`](super::RecordWriter) hands to a
/// target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEntry {
    /// The header.
    pub header: Entry,
    /// The extended header.
    pub extended: ExtendedRecord,
    /// What headers refer to.
    pub details: Details,
    /// Whether it is one of the best.
    pub mark: GameMarks,
    /// More about the tournament than [`Details`] tells, if there is more.
    pub extra: Option<TournamentExtra>,
    /// The record of the `.cbg` file.
    pub moves: Vec<u8>,
    /// The record of the `.cba` file; empty if there is none.
    pub annotations: Vec<u8>,
}

impl StoredEntry {
    /// What is known of the tournament besides its record, if anything is.
    pub(crate) fn tournament_extra(&self) -> Option<TournamentExtra> {
        let end = self.details.tournament_end;
        match &self.extra {
            Some(extra) => Some(extra.clone()),
            None if end.is_unknown() => None,
            None => Some(TournamentExtra {
                end,
                ..TournamentExtra::default()
            }),
        }
    }

    /// Adds the entry to some bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let from = bytes.len();
        bytes.extend([0; 4]);
        bytes.extend(self.header.to_bytes());
        bytes.extend(self.extended.to_bytes());
        let details = &self.details;
        details.white.write(bytes);
        details.black.write(bytes);
        details.tournament.write(bytes);
        bytes.extend(details.tournament_end.0.to_be_bytes());
        details.annotator.write(bytes);
        details.source.write(bytes);
        put(bytes, details.white_team.as_ref());
        put(bytes, details.black_team.as_ref());
        put(bytes, details.title.as_deref());
        bytes.push(u8::from(self.mark.top) | u8::from(self.mark.evaluated) << 1);
        bytes.push(u8::from(self.extra.is_some()));
        if let Some(extra) = &self.extra {
            bytes.extend(extra.to_bytes(EXTRA));
        }
        // Neither record is longer: the sizes in their heads have fewer bytes.
        bytes.extend((self.moves.len() as u32).to_le_bytes());
        bytes.extend(&self.moves);
        bytes.extend(&self.annotations);
        let length = (bytes.len() - from - 4) as u32;
        bytes[from..from + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// Reads the first of several entries, and what is behind it.
    ///
    /// # Errors
    /// If the bytes are not what [`write`](StoredEntry::write) wrote.
    pub fn read(bytes: &[u8]) -> io::Result<(StoredEntry, &[u8])> {
        let mut fields = Fields(bytes);
        let length = u32::from_le_bytes(fields.array()?) as usize;
        let mut fields = Fields(fields.take(length)?);
        let header = Entry::from_bytes(&fields.array::<{ header::RECORD }>()?);
        let extended = ExtendedRecord::from_bytes(fields.take(extended::RECORD)?);
        let details = Details {
            white: fields.entity::<Player>()?,
            black: fields.entity::<Player>()?,
            tournament: fields.entity::<Tournament>()?,
            tournament_end: PackedDate(u32::from_be_bytes(fields.array()?)),
            annotator: fields.entity::<Annotator>()?,
            source: fields.entity::<Source>()?,
            white_team: fields.optional::<Team>()?,
            black_team: fields.optional::<Team>()?,
            title: fields.optional::<GameTag>()?.map(Box::new),
        };
        let [mark] = fields.array()?;
        let mark = GameMarks {
            top: mark & 1 != 0,
            evaluated: mark & 2 != 0,
        };
        let extra = match fields.array()? {
            [0] => None,
            [_] => TournamentExtra::from_bytes(fields.take(EXTRA)?),
        };
        let moves = u32::from_le_bytes(fields.array()?) as usize;
        let entry = StoredEntry {
            header,
            extended,
            details,
            mark,
            extra,
            moves: fields.take(moves)?.to_vec(),
            annotations: fields.0.to_vec(),
        };
        Ok((entry, &bytes[4 + length..]))
    }
}

fn put<T: Entity>(bytes: &mut Vec<u8>, entity: Option<&T>) {
    bytes.push(u8::from(entity.is_some()));
    if let Some(entity) = entity {
        entity.write(bytes);
    }
}

struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    fn take(&mut self, count: usize) -> io::Result<&'b [u8]> {
        let bad = || io::Error::new(io::ErrorKind::InvalidData, "not a record of this format");
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(bad)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let taken = self.take(N)?;
        Ok(taken.try_into().expect("so many were taken"))
    }

    fn entity<T: Entity>(&mut self) -> io::Result<T> {
        Ok(T::read(self.take(T::SIZE)?))
    }

    fn optional<T: Entity>(&mut self) -> io::Result<Option<T>> {
        match self.array()? {
            [0] => Ok(None),
            [_] => self.entity().map(Some),
        }
    }
}
