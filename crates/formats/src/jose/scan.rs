//! A stream taken apart into codes, without playing a move.

use memchr::memchr;
use tabiya_game::{GameResult, GameState};

use super::{
    Profile, code,
    error::ErrorKind,
    store::{self, Data, leb128},
};

/// A code with what follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Code<'a> {
    /// A move of one byte, castling included.
    Move(u8),
    /// A promotion or a move of a promoted piece.
    Long(u8, u8),
    /// A move by squares: from, to, promotion.
    Squares([u8; 3]),
    Null,
    /// A ply that was left out.
    Missing,
    Nag(u16),
    Result(GameResult),
    /// A marker and its text.
    Text(u8, &'a [u8]),
    /// A comment with place and language.
    Comment(u8, u8, &'a [u8]),
    /// A kind and its payload.
    Data(u8, &'a [u8]),
    Open,
    Close,
    /// A code that the program's reader passes over.
    Nothing,
    End,
}

/// Takes one code after the other.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    profile: Profile,
    main: &'a [u8],
    texts: &'a [u8],
    /// Where the last code begins.
    start: usize,
    at: usize,
    /// Where its text begins, in the second stream.
    text_start: usize,
    text_at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(profile: Profile, main: &'a [u8], texts: &'a [u8]) -> Scanner<'a> {
        Scanner {
            profile,
            main,
            texts,
            start: 0,
            at: 0,
            text_start: 0,
            text_at: 0,
        }
    }

    /// Whether data of the store come next.
    pub(super) fn is_at_data(&self) -> bool {
        self.profile == Profile::Store && self.main.get(self.at) == Some(&store::DATA)
    }

    /// Where the last code begins.
    #[inline]
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The bytes of the last code.
    pub(super) fn bytes(&self) -> &'a [u8] {
        &self.main[self.start..self.at]
    }

    /// Where the text of the last code begins in the second stream, and its bytes.
    pub(super) fn text(&self) -> (usize, &'a [u8]) {
        (self.text_start, &self.texts[self.text_start..self.text_at])
    }

    /// What has not been read: of the first stream from a byte on, and of the second one.
    pub(super) fn rest(&self) -> (&'a [u8], &'a [u8]) {
        (&self.main[self.at..], &self.texts[self.text_at..])
    }

    /// What stands between an earlier state and this one; the last code then included.
    pub(super) fn since(&self, before: &Scanner<'a>) -> (&'a [u8], &'a [u8]) {
        (
            &self.main[before.start..self.at],
            &self.texts[before.text_start..self.text_at],
        )
    }

    /// Goes to the end of both streams.
    pub(super) fn give_up(&mut self) {
        self.at = self.main.len();
        self.text_at = self.texts.len();
    }

    /// The next code. After an error that is not fatal, the code is passed.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Code<'a>, ErrorKind> {
        self.start = self.at;
        self.text_start = self.text_at;
        let code = self.byte()?;
        Ok(match code {
            0..code::NULL => Code::Move(code),
            code::NULL => Code::Null,
            store::SQUARES..=store::COMMENT => return self.next_of_store(code),
            code::PROMOTION..code::NAG => Code::Long(code, self.byte()?),
            code::NAG => Code::Nag(u16::from(self.byte()?)),
            0xb1..code::RESULT => Code::Nag(u16::from(code - code::NAG)),
            0xd0 => Code::Result(GameResult::BlackWins),
            0xd1 => Code::Result(GameResult::Draw),
            0xd2 => Code::Result(GameResult::WhiteWins),
            0xd3 => Code::Result(GameResult::Unknown),
            0xe0..=0xe4 => Code::Text(code, self.next_text()?),
            0xd4..=0xef if self.profile == Profile::Program => Code::Text(code, self.next_text()?),
            code::OPEN => Code::Open,
            code::CLOSE => Code::Close,
            code::END => Code::End,
            0xf2..=0xfe if self.profile == Profile::Program => Code::Nothing,
            0xd4..=0xdf | 0xe5..=0xef | 0xf2..=0xfe => {
                return Err(ErrorKind::ReservedCode { code });
            }
        })
    }

    fn next_of_store(&mut self, code: u8) -> Result<Code<'a>, ErrorKind> {
        if self.profile != Profile::Store {
            return Err(ErrorKind::ReservedCode { code });
        }
        Ok(match code {
            store::SQUARES => Code::Squares([self.byte()?, self.byte()?, self.byte()?]),
            store::WIDE_NAG => Code::Nag(u16::from_le_bytes([self.byte()?, self.byte()?])),
            store::DATA => match self.counted()?.split_first() {
                Some((kind, payload)) => Code::Data(*kind, payload),
                None => return Err(ErrorKind::BadData { kind: 0 }),
            },
            store::MISSING => Code::Missing,
            _ => Code::Comment(self.byte()?, self.byte()?, self.counted()?),
        })
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, ErrorKind> {
        let byte = self.main.get(self.at);
        let byte = *byte.ok_or(ErrorKind::UnexpectedEnd)?;
        self.at += 1;
        Ok(byte)
    }

    /// Bytes behind their number.
    fn counted(&mut self) -> Result<&'a [u8], ErrorKind> {
        let mut rest = &self.main[self.at..];
        let bytes = leb128(&mut rest)
            .and_then(|length| rest.split_at_checked(usize::try_from(length).ok()?));
        let (bytes, rest) = bytes.ok_or(ErrorKind::UnexpectedEnd)?;
        self.at = self.main.len() - rest.len();
        Ok(bytes)
    }

    /// The text of a marker, without the zero that ends it.
    fn next_text(&mut self) -> Result<&'a [u8], ErrorKind> {
        if self.profile == Profile::Program {
            let rest = &self.texts[self.text_at..];
            let length = memchr(0, rest).ok_or(ErrorKind::TextMissing)?;
            self.text_at += length + 1;
            return Ok(&rest[..length]);
        }
        let rest = &self.main[self.at..];
        let length = memchr(0, rest).ok_or(ErrorKind::UnexpectedEnd)?;
        self.at += length + 1;
        Ok(&rest[..length])
    }

    /// Passes over the rest of a line: up to the end of the variation, which is not taken, or to
    /// the end of data. What it says about the end of the game is noted.
    ///
    /// # Errors
    /// If the end cannot be found.
    pub(super) fn skip_line(&mut self, ending: &mut Ending) -> Result<(), ErrorKind> {
        let mut depth = 0usize;
        loop {
            let before = *self;
            match self.next() {
                Ok(Code::Open) => depth += 1,
                Ok(Code::Close) if depth > 0 => depth -= 1,
                Ok(Code::Close | Code::End) => {
                    *self = before;
                    return Ok(());
                }
                Ok(code) if depth == 0 => ending.note(code),
                Err(error) if error.is_fatal() => return Err(error),
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// Passes over the rest of a variation, its end included.
    ///
    /// # Errors
    /// If the end cannot be found.
    pub(super) fn skip_variation(&mut self) -> Result<(), ErrorKind> {
        self.skip_line(&mut Ending::default())?;
        let before = *self;
        if self.next() != Ok(Code::Close) {
            // The end of data is left to whoever reads on.
            *self = before;
        }
        Ok(())
    }
}

/// How a game ends, as far as its main line says so.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Ending {
    result: Option<GameResult>,
    forfeit: bool,
    /// Said only where it is not as one would think.
    pub(super) state: Option<GameState>,
}

impl Ending {
    /// Takes notice of a code.
    pub(super) fn note(&mut self, code: Code<'_>) {
        match code {
            Code::Result(result) => self.result = Some(result),
            Code::Data(kind, payload) => match store::decode(kind, payload) {
                Some(Data::Forfeit) => self.forfeit = true,
                Some(Data::State(state)) => self.state = Some(state),
                _ => {}
            },
            _ => {}
        }
    }

    pub(super) fn result(&self) -> Option<GameResult> {
        let result = self.result?;
        Some(match result {
            GameResult::WhiteWins if self.forfeit => GameResult::WhiteWinsByForfeit,
            GameResult::BlackWins if self.forfeit => GameResult::BlackWinsByForfeit,
            GameResult::Unknown if self.forfeit => GameResult::BothLose,
            _ => result,
        })
    }
}
