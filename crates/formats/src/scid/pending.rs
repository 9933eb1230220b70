//! Games on their way from a writer to a database: all that is known of them but their numbers.

use std::io;

use super::index::{Entry, si5};

/// A game or a text that has no place in a database yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pending<'a> {
    Game {
        /// Without place and names.
        entry: Box<Entry>,
        /// In the order of [`NAMES`](super::index::NAMES).
        names: [&'a [u8]; 5],
        record: &'a [u8],
    },
    /// What the database says of itself.
    Text { key: &'a [u8], value: &'a [u8] },
}

const GAME: u8 = 1;
const TEXT: u8 = 2;

/// How long all but the record of a game is, mostly.
const USUAL_REST: usize = 256;

impl<'a> Pending<'a> {
    /// Adds its bytes to those of others.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let begin = out.len();
        out.extend_from_slice(&[0; 4]);
        match self {
            Pending::Game {
                entry,
                names,
                record,
            } => {
                out.reserve(record.len() + USUAL_REST);
                out.push(GAME);
                // The fields of version 5 have room for all that version 4 has.
                out.extend_from_slice(&si5::write(entry));
                for name in names {
                    put_text(name, out);
                }
                out.extend_from_slice(record);
            }
            Pending::Text { key, value } => {
                out.push(TEXT);
                put_text(key, out);
                out.extend_from_slice(value);
            }
        }
        let length = (out.len() - begin - 4) as u32;
        out[begin..begin + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// The first of some, and the bytes of the others.
    pub(super) fn take(bytes: &'a [u8]) -> io::Result<(Pending<'a>, &'a [u8])> {
        let broken = || io::Error::new(io::ErrorKind::InvalidData, "not a game of this format");
        let (bytes, rest) = take_text(bytes).ok_or_else(broken)?;
        let pending = Pending::parse(bytes).ok_or_else(broken)?;
        Ok((pending, rest))
    }

    fn parse(bytes: &'a [u8]) -> Option<Pending<'a>> {
        let (&kind, bytes) = bytes.split_first()?;
        match kind {
            GAME => {
                let (entry, mut rest) = bytes.split_first_chunk()?;
                let mut names: [&[u8]; 5] = [b""; 5];
                for name in &mut names {
                    (*name, rest) = take_text(rest)?;
                }
                Some(Pending::Game {
                    entry: Box::new(si5::read(entry)),
                    names,
                    record: rest,
                })
            }
            TEXT => {
                let (key, value) = take_text(bytes)?;
                Some(Pending::Text { key, value })
            }
            _ => None,
        }
    }
}

fn put_text(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text);
}

fn take_text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}
