//! Quotations (13): another game, as a header and perhaps with moves.

use crate::{
    annotations::{Quotation as Classic, bytes::Bytes},
    encoding::TextCodec,
};

/// Bytes between the names and the kinds of ratings.
const FACTS: usize = 79;
/// Bytes between the kinds of ratings and the start.
const AFTER: usize = 26;
/// Bytes of a start position, squares and what is behind them.
const START: usize = 64 + 11;
/// Bytes of a move.
const MOVE: usize = 5;

/// A quoted game, as far as it is understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotation<'a> {
    /// Last and first name of White, then of Black, place and tournament, without the zeros at
    /// their ends.
    pub names: [&'a [u8]; 6],
    /// Date, ratings, opening, result, round and more; see [`Quotation::text`].
    facts: &'a [u8],
    /// The moves: five bytes each, of which the first two are squares and a promotion.
    pub moves: &'a [u8],
}

/// Takes a quotation.
pub(super) fn skip(bytes: &mut Bytes<'_>) -> Option<()> {
    parse(bytes).map(drop)
}

fn parse<'a>(bytes: &mut Bytes<'a>) -> Option<Quotation<'a>> {
    let 1 = bytes.u8()? else { return None };
    bytes.take(2 + 2 + 4 + 1)?;
    let mut names = [&[][..]; 6];
    for name in &mut names {
        let length = bytes.u8()?;
        *name = bytes.take(length.into())?.strip_suffix(&[0])?;
    }
    let facts = bytes.take(FACTS)?;
    for _ in 0..2 {
        bytes.take(5)?;
        bytes.str32()?;
    }
    bytes.take(AFTER)?;
    match bytes.u8()? {
        0 => bytes.take(START)?,
        1 => &[][..],
        _ => return None,
    };
    bytes.take(2)?;
    let count = usize::try_from(bytes.i32_le()?).ok()?;
    let moves = bytes.take(count.checked_mul(MOVE)?)?;
    bytes.take(4)?;
    Some(Quotation {
        names,
        facts,
        moves,
    })
}

impl<'a> Quotation<'a> {
    /// The quotation of an annotation.
    #[must_use]
    pub fn read(data: &'a [u8]) -> Option<Quotation<'a>> {
        let mut bytes = Bytes(data);
        parse(&mut bytes).filter(|_| bytes.is_empty())
    }

    fn number(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.facts[at], self.facts[at + 1]])
    }

    /// In words, as those of the classic family: `1-0 Tal,M (2700)-Smyslov,V Bled 1959 (3)`.
    #[must_use]
    pub fn text(&self, codec: &TextCodec) -> String {
        let [white, white_first, black, black_first, site, event] =
            self.names.map(|name| codec.name(name).into_owned());
        let name = |last: String, first: String| match first.is_empty() {
            true => last,
            false => [last, first].join(","),
        };
        let date = u32::from(self.number(0)) | u32::from(self.number(2)) << 16;
        let quoted = Classic {
            white: name(white, white_first),
            black: name(black, black_first),
            elo: [self.number(28), self.number(30)],
            eco: self.number(32),
            event,
            site,
            date,
            round: self.facts[43],
            subround: self.facts[44],
            result: self.facts[34],
            ..Classic::default()
        };
        quoted.text()
    }
}
