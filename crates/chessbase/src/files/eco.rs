//! The field that holds an opening or the number of a Chess960 position.

/// Numbers from here on are positions of Chess960.
const FIRST_CHESS960: u16 = 64_576;

/// An opening's code, or the number of a Chess960 start position, or nothing.
///
/// ```
/// use tabiya_chessbase::files::EcoCode;
///
/// let najdorf = EcoCode::parse("B90").unwrap();
/// assert_eq!(najdorf.to_string(), "B90");
/// assert_eq!(EcoCode::parse("B90/07").unwrap().sub(), Some(7));
/// assert_eq!(EcoCode::chess960(518).unwrap().chess960_number(), Some(518));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct EcoCode(pub u16);

impl EcoCode {
    /// Nothing is known.
    pub const NONE: EcoCode = EcoCode(0);

    /// The number of a Chess960 start position, 0 to 959.
    #[must_use]
    pub const fn chess960(number: u16) -> Option<EcoCode> {
        match number {
            0..960 => Some(EcoCode(FIRST_CHESS960 + number)),
            _ => None,
        }
    }

    /// Reads `B90` and `B90/07`.
    #[must_use]
    pub fn parse(text: &str) -> Option<EcoCode> {
        let (code, sub) = match text.split_once('/') {
            Some((code, sub)) if (1..=3).contains(&sub.len()) => (code, number(sub)?),
            Some(_) => return None,
            None => (text, 0),
        };
        let &[letter @ b'A'..=b'E', _, _] = code.as_bytes() else {
            return None;
        };
        let code = u16::from(letter - b'A') * 100 + number(code.get(1..)?)?;
        (sub < 128).then_some(EcoCode((code + 1) << 7 | sub))
    }

    /// The code as a number, 0 for A00 to 499 for E99.
    #[must_use]
    pub const fn index(self) -> Option<u16> {
        match (self.0 >> 7).checked_sub(1) {
            Some(index) if index < 500 => Some(index),
            _ => None,
        }
    }

    /// The number of the variation within the code, 0 to 127. ChessBase fills it from its own
    /// classification, most bases leave it 0.
    #[must_use]
    pub const fn sub(self) -> Option<u8> {
        match self.index() {
            Some(_) => Some((self.0 & 127) as u8),
            None => None,
        }
    }

    /// The number of the start position of a Chess960 game.
    #[must_use]
    pub const fn chess960_number(self) -> Option<u16> {
        match self.0.checked_sub(FIRST_CHESS960) {
            Some(number) if number < 960 => Some(number),
            _ => None,
        }
    }
}

/// Only digits, unlike `parse`, which takes a sign.
fn number(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// `B90`, `B90/07` where there is a variation, nothing where there is no opening.
impl std::fmt::Display for EcoCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(index) = self.index() else {
            return Ok(());
        };
        // Nearly every game has one: digit by digit is several times as quick as `{:02}`.
        let digit = |number: u16| b'0' + (number % 10) as u8;
        let code = [b'A' + (index / 100) as u8, digit(index / 10), digit(index)];
        f.write_str(std::str::from_utf8(&code).expect("letters and digits are ASCII"))?;
        match self.sub() {
            Some(sub @ 1..) => write!(f, "/{sub:02}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_one_thing_and_read_back() {
        for value in 0..=u16::MAX {
            let eco = EcoCode(value);
            match (eco.index(), eco.chess960_number()) {
                (Some(_), None) => assert_eq!(EcoCode::parse(&eco.to_string()), Some(eco)),
                (None, Some(number)) => assert_eq!(EcoCode::chess960(number), Some(eco)),
                (None, None) => assert_eq!(eco.to_string(), ""),
                (Some(_), Some(_)) => panic!("{value}"),
            }
        }
    }

    #[test]
    fn other_texts_are_no_openings() {
        for text in [
            "", "?", "F00", "A0", "A000", "A+1", "A00/", "A00/128", "b90", "Ä0",
        ] {
            assert_eq!(EcoCode::parse(text), None, "{text}");
        }
    }
}
