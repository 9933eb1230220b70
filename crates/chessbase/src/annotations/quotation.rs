//! Quotations (13): another game, as a header and perhaps with moves.

use super::bytes::Bytes;
use crate::{encoding::TextCodec, moves::SETUP_LENGTH};

/// A quoted game. Numbers are as ChessBase keeps them: 0 where something is not known.
///
/// The moves are as stored, with the table of quotations; a reader of moves decodes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Quotation {
    /// 1 with a header alone, 2 with moves.
    pub kind: u16,
    /// Bit 6 says that there is a start position; nothing is known of the others.
    pub flags: u16,
    /// A start position, if it stands behind the flags; else the moves begin with it.
    pub start: Option<[u8; SETUP_LENGTH]>,
    /// The white player, `last,first`.
    pub white: String,
    /// The black player.
    pub black: String,
    /// Their ratings, White's first.
    pub elo: [u16; 2],
    /// The opening, as in the header of a game.
    pub eco: u16,
    /// The tournament.
    pub event: String,
    /// Its place.
    pub site: String,
    /// The date: five bits for the day, four for the month, then the year.
    pub date: u32,
    /// The type of the tournament, its nation, its category and the number of its rounds.
    pub tournament: [u16; 4],
    /// The round within the round.
    pub subround: u8,
    /// The round.
    pub round: u8,
    /// The result, as in the header of a game.
    pub result: u8,
    /// Nobody knows.
    pub unknown: u16,
    /// The moves, encoded.
    pub moves: Vec<u8>,
}

/// The results, by their numbers.
const RESULTS: [&str; 8] = [
    "0-1",
    "1/2-1/2",
    "1-0",
    "line",
    "0-1 ff",
    "1/2-1/2 ff",
    "1-0 ff",
    "0-0",
];

/// The flag of a quotation with a start position.
const STORED_START: u16 = 0x40;

impl Quotation {
    /// The quotation of an annotation. No file at hand has one with a start position: it is taken
    /// to stand before the moves, or behind the flags if there are no names there.
    #[must_use]
    pub fn read(data: &[u8], codec: &TextCodec) -> Option<Quotation> {
        let mut bytes = Bytes(data);
        if usize::from(bytes.u16_be()?) != data.len() {
            return None;
        }
        let (kind, flags) = (bytes.u16_be()?, bytes.u16_be()?);
        let rest = bytes.0;
        Quotation::read_rest(kind, flags, None, Bytes(rest), codec).or_else(|| {
            let (start, rest) = rest.split_first_chunk()?;
            let start = (flags & STORED_START != 0).then_some(*start)?;
            Quotation::read_rest(kind, flags, Some(start), Bytes(rest), codec)
        })
    }

    fn read_rest(
        kind: u16,
        flags: u16,
        start: Option<[u8; SETUP_LENGTH]>,
        mut bytes: Bytes<'_>,
        codec: &TextCodec,
    ) -> Option<Quotation> {
        Some(Quotation {
            kind,
            flags,
            start,
            white: read_string(&mut bytes, codec)?,
            black: read_string(&mut bytes, codec)?,
            elo: [bytes.u16_be()?, bytes.u16_be()?],
            eco: bytes.u16_be()?,
            event: read_string(&mut bytes, codec)?,
            site: read_string(&mut bytes, codec)?,
            date: bytes.array().map(u32::from_be_bytes)?,
            tournament: [
                bytes.u16_be()?,
                bytes.u16_be()?,
                bytes.u16_be()?,
                bytes.u16_be()?,
            ],
            subround: bytes.u8()?,
            round: bytes.u8()?,
            result: bytes.u8()?,
            unknown: bytes.u16_be()?,
            moves: bytes.0.to_vec(),
        })
    }

    /// The bytes of the annotation; none if they are too many, or a name has letters that the
    /// database does not have.
    #[must_use]
    pub fn write(&self, codec: &TextCodec) -> Option<Vec<u8>> {
        let mut data = vec![0, 0];
        let number =
            |number: u16, data: &mut Vec<u8>| data.extend_from_slice(&number.to_be_bytes());
        number(self.kind, &mut data);
        number(self.flags, &mut data);
        data.extend_from_slice(self.start.as_ref().map_or(&[], |start| &start[..]));
        write_string(&self.white, codec, &mut data)?;
        write_string(&self.black, codec, &mut data)?;
        for value in [self.elo[0], self.elo[1], self.eco] {
            number(value, &mut data);
        }
        write_string(&self.event, codec, &mut data)?;
        write_string(&self.site, codec, &mut data)?;
        data.extend_from_slice(&self.date.to_be_bytes());
        for value in self.tournament {
            number(value, &mut data);
        }
        data.extend_from_slice(&[self.subround, self.round, self.result]);
        number(self.unknown, &mut data);
        data.extend_from_slice(&self.moves);
        let size = u16::try_from(data.len()).ok()?;
        data[..2].copy_from_slice(&size.to_be_bytes());
        (data.len() <= super::MAX_DATA).then_some(data)
    }

    /// In words, as ChessBase writes them: `1-0 Tal,M (2700)-Smyslov,V Bled 1959 (3)`.
    #[must_use]
    pub fn text(&self) -> String {
        let result = RESULTS
            .get(usize::from(self.result))
            .copied()
            .unwrap_or("*");
        let [white_elo, black_elo] = self.elo;
        let mut words = vec![
            result.to_owned(),
            format!(
                "{}-{}",
                player(&self.white, white_elo),
                player(&self.black, black_elo)
            ),
        ];
        words.extend([self.event.clone(), self.site.clone()]);
        if let year @ 1.. = self.date >> 9 {
            words.push(year.to_string());
        }
        match (self.round, self.subround) {
            (0, _) => {}
            (round, 0) => words.push(format!("({round})")),
            (round, subround) => words.push(format!("({round}.{subround})")),
        }
        words.retain(|word| !word.is_empty());
        words.join(" ")
    }
}

/// `Tal,M (2700)`: the first name is an initial.
fn player(name: &str, elo: u16) -> String {
    let name = match name.split_once(',') {
        Some((last, first)) => match first.trim_start().chars().next() {
            Some(initial) => format!("{last},{initial}"),
            None => last.to_owned(),
        },
        None => name.to_owned(),
    };
    match elo {
        0 => name,
        elo => format!("{name} ({elo})"),
    }
}

/// A length, the text, and a zero.
fn read_string(bytes: &mut Bytes<'_>, codec: &TextCodec) -> Option<String> {
    let length = bytes.u8()?;
    let text = bytes.take(length.into())?;
    (bytes.u8()? == 0).then(|| codec.name(text).into_owned())
}

fn write_string(text: &str, codec: &TextCodec, data: &mut Vec<u8>) -> Option<()> {
    let (bytes, lost) = codec.encode_name(text);
    data.push(u8::try_from(bytes.len()).ok().filter(|_| lost == 0)?);
    data.extend_from_slice(&bytes);
    data.push(0);
    Some(())
}
