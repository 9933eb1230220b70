//! The start of a game at the head of its stream.

use tabiya_chess::{Position, Setup, Variant};

use super::{
    error::{Error, ErrorKind},
    replay::counted,
    scan::{Code, Scanner},
    store::{self, Data},
};

/// What a stream of the store says about its start, where that is not the usual one: a record with the
/// rules, a record with the position, each only if needed. With it a stream is complete in itself.
///
/// ```
/// use tabiya_chess::Variant;
/// use tabiya_formats::jose::Head;
///
/// let head = Head { variant: Variant::Standard, start: Some("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1") };
/// let mut stream = Vec::new();
/// head.put(&mut stream);
/// stream.extend([0xd1, 0xff]);
///
/// let mut rest = stream.as_slice();
/// assert_eq!(Head::take(&mut rest)?, Some(head));
/// assert_eq!(rest, [0xd1, 0xff]);
/// # Ok::<(), tabiya_formats::jose::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Head<'a> {
    /// The rules.
    pub variant: Variant,
    /// The position as FEN, if it is not the usual one. Whether it is one is not known yet.
    pub start: Option<&'a str>,
}

impl<'a> Head<'a> {
    /// Takes the head of a stream, which may say nothing. `None` if the stream is all of an
    /// [entry that is no game](other_entry).
    ///
    /// # Errors
    /// If it is cut off, names rules that nobody knows, or has a FEN that is not UTF-8.
    #[inline]
    pub fn take(stream: &mut &'a [u8]) -> Result<Option<Head<'a>>, Error> {
        match stream.first() {
            Some(&store::DATA) => take(stream),
            _ => Ok(Some(Head::default())),
        }
    }

    /// The start position.
    ///
    /// # Errors
    /// If there is none under these rules.
    pub fn position(&self) -> Result<Position, Error> {
        let setup = match self.start {
            Some(fen) => fen.parse::<Setup>().ok(),
            None => Some(Setup::INITIAL),
        };
        let position = setup.and_then(|setup| Position::from_setup(&setup, self.variant).ok());
        let kind = store::POSITION;
        position.ok_or_else(|| ErrorKind::BadData { kind }.at_byte(0))
    }

    /// Writes it; nothing if all is as usual.
    pub fn put(&self, out: &mut Vec<u8>) {
        if self.variant != Variant::Standard {
            store::put_data(store::RULES, out, |out| {
                out.extend_from_slice(self.variant.name().as_bytes());
            });
        }
        if let Some(fen) = self.start {
            store::put_data(store::POSITION, out, |out| {
                out.extend_from_slice(fen.as_bytes());
            });
        }
    }
}

fn take<'a>(stream: &mut &'a [u8]) -> Result<Option<Head<'a>>, Error> {
    let length = stream.len();
    let at = |rest: &[u8]| length - rest.len();
    let mut head = Head::default();
    if let Some(rules) = take_kind(store::RULES, stream).map_err(|kind| kind.at_byte(0))? {
        let bad = ErrorKind::BadData { kind: store::RULES };
        let Some(Data::Rules(variant)) = store::decode(store::RULES, rules) else {
            return Err(bad.at_byte(0));
        };
        head.variant = variant;
    }
    let here = at(stream);
    let fen = take_kind(store::POSITION, stream).map_err(|kind| kind.at_byte(here))?;
    if let Some(fen) = fen {
        let bad = |_| ErrorKind::BadText.at_byte(here);
        head.start = Some(str::from_utf8(fen).map_err(bad)?);
    }
    let other = take_kind(store::OTHER, &mut &**stream).map_err(|kind| kind.at_byte(at(stream)))?;
    Ok(other.is_none().then_some(head))
}

/// The payload of the next data, if they are of a kind.
fn take_kind<'a>(kind: u8, stream: &mut &'a [u8]) -> Result<Option<&'a [u8]>, ErrorKind> {
    let [store::DATA, behind @ ..] = *stream else {
        return Ok(None);
    };
    let (data, behind) = counted(behind)?;
    Ok(match data.split_first() {
        Some((own, payload)) if *own == kind => {
            *stream = behind;
            Some(payload)
        }
        _ => None,
    })
}

/// The stream of an entry that is no game, made of what the store has in place of its moves: nobody takes
/// it for moves.
///
/// ```
/// use tabiya_formats::jose::{Head, other_entry};
///
/// let stream = other_entry(b"what the store has");
/// assert_eq!(Head::take(&mut stream.as_slice())?, None);
/// # Ok::<(), tabiya_formats::jose::Error>(())
/// ```
#[must_use]
pub fn other_entry(items: &[u8]) -> Vec<u8> {
    let mut stream = Vec::with_capacity(items.len() + 8);
    store::put_data(store::OTHER, &mut stream, |out| {
        out.extend_from_slice(items)
    });
    stream
}

/// The start of a game, if its stream says which it is; what says so is passed. What is not sound is
/// left to whoever reads on.
pub(super) fn start(scan: &mut Scanner<'_>, usual: &Position) -> Option<Position> {
    let mut start = None;
    if let Some(rules) = next(scan, |data| match data {
        Data::Rules(variant) => Position::from_setup(&usual.to_setup(), variant).ok(),
        _ => None,
    }) {
        start = Some(rules);
    }
    let variant = start.as_ref().unwrap_or(usual).variant();
    let own = next(scan, |data| match data {
        Data::Position(setup) => Position::from_setup(&setup, variant).ok(),
        _ => None,
    });
    own.or(start)
}

/// Takes data that mean something.
fn next(
    scan: &mut Scanner<'_>,
    meaning: impl FnOnce(Data<'_>) -> Option<Position>,
) -> Option<Position> {
    if !scan.is_at_data() {
        return None;
    }
    let mut ahead = *scan;
    let Ok(Code::Data(kind, payload)) = ahead.next() else {
        return None;
    };
    let position = meaning(store::decode(kind, payload)?)?;
    *scan = ahead;
    Some(position)
}
