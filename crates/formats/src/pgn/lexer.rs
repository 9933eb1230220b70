//! The tokens of movetext.
//!
//! The lexer knows where words, comments and games end, not what a move is. It never fails: what
//! it does not know is a [`Token::Stray`].

use memchr::{memchr, memchr2, memchr3, memrchr};
use tabiya_game::{GameResult, Nag};

/// A piece of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'t> {
    /// Something that may be a move: letters, digits and what stands in between.
    Word(&'t str),
    /// A move number, with or without dots.
    Number(u64),
    /// `$5`, `!?`, `±`
    Nag(Nag),
    /// The text between `{` and `}`, or after `;`.
    Comment(&'t str),
    /// The text of a comment that has no end, up to the next game.
    OpenComment(&'t str),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `1-0` and the like.
    Result(GameResult),
    /// Something that has no place in movetext.
    Stray(&'t str),
    /// The first tag of the next game; it is not consumed.
    NextGame,
    /// The end of the text.
    End,
}

/// Reads tokens from movetext.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Where the last token began.
    start: usize,
}

/// Bytes that a word may consist of. Dots are not among them: they end move numbers.
const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric()
            || b >= 0x80
            || matches!(b, b'+' | b'#' | b'=' | b'-' | b':' | b'/' | b'@' | b'_');
        byte += 1;
    }
    table
};

impl<'t> Lexer<'t> {
    /// Reads from a byte of a text on.
    #[must_use]
    pub fn new(text: &'t str, at: usize) -> Lexer<'t> {
        Lexer {
            text,
            at,
            start: at,
        }
    }

    /// The next byte to be read.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Where the last token begins.
    #[must_use]
    pub fn token_start(&self) -> usize {
        self.start
    }

    pub(super) fn set_at(&mut self, at: usize) {
        self.at = at;
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The bytes that are still to be read.
    #[inline]
    pub(super) fn rest(&self) -> &'t [u8] {
        &self.bytes()[self.at..]
    }

    #[inline]
    fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    /// Skips white space, NUL bytes, byte order marks and `%` lines.
    #[inline]
    pub(super) fn skip_space(&mut self) {
        while let Some(&byte) = self.bytes().get(self.at) {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' | 0 | 0x0b | 0x0c => self.at += 1,
                b'%' if self.at_line_start() => self.at = self.line_end(),
                // No-break space and byte order mark.
                0xc2 if self.bytes().get(self.at + 1) == Some(&0xa0) => self.at += 2,
                0xef if self.text[self.at..].starts_with('\u{feff}') => self.at += 3,
                _ => return,
            }
        }
    }

    pub(super) fn at_line_start(&self) -> bool {
        self.at == 0 || matches!(self.bytes()[self.at - 1], b'\n' | b'\r')
    }

    /// Where the line ends: at its line break, or at the end of the text.
    pub(super) fn line_end(&self) -> usize {
        let rest = &self.bytes()[self.at..];
        memchr2(b'\n', b'\r', rest).map_or(self.text.len(), |length| self.at + length)
    }

    /// The next token.
    pub fn next_token(&mut self) -> Token<'t> {
        // Some things mean nothing and are passed over in a loop, not by recursion: a file may
        // hold a million of them.
        loop {
            self.skip_space();
            self.start = self.at;
            let Some(&byte) = self.bytes().get(self.at) else {
                return Token::End;
            };
            return match byte {
                b'0'..=b'9' => self.number_or_result(),
                b'{' => self.comment(),
                b';' => {
                    self.at += 1;
                    Token::Comment(self.take(self.line_end()))
                }
                b'(' => self.single(Token::Open),
                b')' => self.single(Token::Close),
                b'*' => self.single(Token::Result(GameResult::Unknown)),
                b'$' => self.nag(),
                b'!' | b'?' => self.judgement(),
                // Dots without a number, and commas between moves.
                b'.' | b',' => {
                    self.at += 1;
                    continue;
                }
                // An ellipsis is three dots.
                0xe2 if self.text[self.at..].starts_with('…') => {
                    self.at += '…'.len_utf8();
                    continue;
                }
                b'[' if tag_starts(self.bytes(), self.at) => Token::NextGame,
                _ if IN_WORD[usize::from(byte)] => match self.word() {
                    Some(token) => token,
                    None => continue,
                },
                _ => self.stray(1),
            };
        }
    }

    /// Passes over moves, their numbers and comments up to something else: a bracket, an escape, or,
    /// unless it is within a variation, what may be a result. Searching is many times quicker than
    /// reading word by word. `false` where it is not sure which word begins before it.
    pub(super) fn skim(&mut self, ahead: &mut Ahead, within: bool) -> bool {
        let bytes = self.bytes();
        loop {
            let mut next = ahead.next(bytes, self.at, within);
            if !within && let Some(odd) = odd_byte(bytes, self.at, next) {
                next = odd;
            }
            // Castling has dashes, too.
            let castles = next > 0
                && bytes.get(next) == Some(&b'-')
                && bytes[next - 1] == b'O'
                && bytes.get(next + 1) == Some(&b'O');
            if castles {
                self.at = next + 1;
                continue;
            }
            if bytes.get(next) == Some(&b'{')
                && let CommentEnd::Brace(end) = comment_end(bytes, next + 1)
            {
                self.at = end + 1;
                continue;
            }
            let mut start = next;
            while start > self.at && IN_WORD[usize::from(bytes[start - 1])] {
                start -= 1;
            }
            let sure = match &bytes[self.at..start] {
                // The digits of a glyph are no word.
                [.., b'$'] => {
                    start -= 1;
                    true
                }
                // exd6e.p1-0
                [.., b'e', b'.'] => bytes.get(start) != Some(&b'p'),
                _ => true,
            };
            self.at = start;
            return sure;
        }
    }

    fn single(&mut self, token: Token<'t>) -> Token<'t> {
        self.at += 1;
        token
    }

    fn stray(&mut self, length: usize) -> Token<'t> {
        let text = &self.text[self.at..self.at + length];
        self.at += length;
        Token::Stray(text)
    }

    fn take(&mut self, end: usize) -> &'t str {
        let text = &self.text[self.at..end];
        self.at = end;
        text
    }

    /// Where the word that starts at a byte ends.
    fn word_end(&self, start: usize) -> usize {
        let bytes = self.bytes();
        let mut end = start;
        while end < bytes.len() && IN_WORD[usize::from(bytes[end])] {
            end += 1;
        }
        match &bytes[end..] {
            // e8(Q)
            [
                b'(',
                b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n',
                b')',
                ..,
            ] if end > start && matches!(bytes[end - 1], b'1' | b'8' | b'=') => end + 3,
            // exd6e.p.
            [b'.', b'p', b'.', ..] if end > start && bytes[end - 1] == b'e' => end + 3,
            [b'.', b'p', ..] if end > start && bytes[end - 1] == b'e' => end + 2,
            _ => end,
        }
    }

    /// A word; `None` for one that means nothing.
    fn word(&mut self) -> Option<Token<'t>> {
        let word = self.take(self.word_end(self.at));
        // Nearly all words are moves and need not be looked up among the glyphs and results.
        let is_move = word.starts_with(|c: char| c.is_ascii_alphabetic())
            && !matches!(word, "N" | "RR" | "ep" | "e.p" | "e.p.");
        if is_move {
            return Some(Token::Word(word));
        }
        if let Some(nag) = Nag::from_symbol(word) {
            return Some(Token::Nag(nag));
        }
        Some(match word {
            "½-½" | "½" | "½–½" => Token::Result(GameResult::Draw),
            "+:-" | "+--" => Token::Result(GameResult::WhiteWinsByForfeit),
            "-:+" | "--+" => Token::Result(GameResult::BlackWinsByForfeit),
            "-:-" => Token::Result(GameResult::BothLose),
            // Standing alone after the move they belong to.
            "e.p." | "ep" | "e.p" | "+" | "++" | "#" => return None,
            _ => Token::Word(word),
        })
    }

    fn number_or_result(&mut self) -> Token<'t> {
        let bytes = self.bytes();
        let start = self.at;
        let mut end = start;
        while end < bytes.len() && bytes[end].is_ascii_digit() {
            end += 1;
        }
        let digits = &self.text[start..end];
        if matches!(bytes.get(end), Some(b'-' | b'/' | b':' | 0xe2)) {
            let end = self.word_end(start);
            let word = &self.text[start..end];
            let result = match word {
                "1-0" | "1:0" | "1–0" => Some(GameResult::WhiteWins),
                "0-1" | "0:1" | "0–1" => Some(GameResult::BlackWins),
                "1/2-1/2" | "1/2" | "1/2:1/2" | "1/2–1/2" => Some(GameResult::Draw),
                "1-0F" | "1-0f" => Some(GameResult::WhiteWinsByForfeit),
                "0-1F" | "0-1f" => Some(GameResult::BlackWinsByForfeit),
                _ => None,
            };
            if let Some(result) = result {
                self.at = end;
                return Token::Result(result);
            }
            if word.starts_with("0-0") {
                return Token::Word(self.take(end));
            }
        }
        if digits == "0000" {
            return Token::Word(self.take(end));
        }
        self.at = end;
        while bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
        }
        Token::Number(digits.parse().unwrap_or(u64::MAX))
    }

    fn nag(&mut self) -> Token<'t> {
        let digits = self.bytes()[self.at + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        match self.text[self.at + 1..self.at + 1 + digits].parse() {
            Ok(number) => {
                self.at += 1 + digits;
                Token::Nag(Nag(number))
            }
            Err(_) => self.stray(1 + digits),
        }
    }

    /// `!`, `?` and pairs of them; a longer row is several.
    fn judgement(&mut self) -> Token<'t> {
        let is_mark = |byte: Option<&u8>| matches!(byte, Some(b'!' | b'?'));
        let length = 1 + usize::from(is_mark(self.bytes().get(self.at + 1)));
        let mark = &self.text[self.at..self.at + length];
        self.at += length;
        match mark {
            "!" => Token::Nag(Nag(1)),
            "?" => Token::Nag(Nag(2)),
            "!!" => Token::Nag(Nag(3)),
            "??" => Token::Nag(Nag(4)),
            "!?" => Token::Nag(Nag(5)),
            _ => Token::Nag(Nag(6)),
        }
    }

    fn comment(&mut self) -> Token<'t> {
        let start = self.at + 1;
        match comment_end(self.bytes(), start) {
            CommentEnd::Brace(end) => {
                self.at = end + 1;
                Token::Comment(&self.text[start..end])
            }
            CommentEnd::None(end) => {
                self.at = end;
                Token::OpenComment(&self.text[start..end])
            }
        }
    }
}

/// Where the next byte of each of three sets is, as far as known. Who goes back has to take what was
/// known there.
#[derive(Clone, Copy, Default)]
pub(super) struct Ahead([Option<usize>; 3]);

/// Brackets, comments and escapes, which count everywhere; and what most results are spelled with.
const SETS: [[u8; 3]; 3] = [[b'{', b'(', b'['], [b')', b';', b'%'], [b'-', b'*', b'/']];

impl Ahead {
    /// The first byte of the sets from a byte on; within a variation, whose results are remarks,
    /// without those of results.
    #[inline(always)]
    fn next(&mut self, bytes: &[u8], at: usize, within: bool) -> usize {
        let mut first = bytes.len();
        let counted = if within { 2 } else { 3 };
        for (known, [a, b, c]) in self.0.iter_mut().zip(SETS).take(counted) {
            let next = match *known {
                Some(next) if next >= at => next,
                _ => memchr3(a, b, c, &bytes[at..]).map_or(bytes.len(), |length| at + length),
            };
            *known = Some(next);
            first = first.min(next);
        }
        first
    }
}

/// The first byte between two places that a result can be spelled with and that is in none of the sets:
/// `1:0`, a half, a long dash. It is mostly a short way and none is there: eight bytes at a time are
/// quicker than a search that has to be called.
#[inline(always)]
fn odd_byte(bytes: &[u8], from: usize, to: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut at = from;
    while at < to {
        let Some(chunk) = bytes[at..].first_chunk() else {
            let odd = |byte: &u8| *byte == b':' || !byte.is_ascii();
            return bytes[at..to].iter().position(odd).map(|odd| at + odd);
        };
        let word = u64::from_le_bytes(*chunk);
        let colons = word ^ (ONES * b':' as u64);
        // The high bit of each colon, exact up to the first, and of each byte that is not ASCII.
        let odd = ((colons.wrapping_sub(ONES) & !colons) | word) & (ONES * 0x80);
        if odd != 0 {
            let first = at + odd.trailing_zeros() as usize / 8;
            return (first < to).then_some(first);
        }
        at += 8;
    }
    None
}

enum CommentEnd {
    /// The closing brace.
    Brace(usize),
    /// There is none; the comment ends where the next game begins.
    None(usize),
}

/// Where a comment ends whose text starts at a byte.
///
/// A comment ends at its first `}`. Two things that the standard does not know occur in files:
/// braces within braces, which are taken as text where they balance, and comments without an end,
/// which must not swallow the games that follow.
fn comment_end(bytes: &[u8], start: usize) -> CommentEnd {
    let rest = &bytes[start..];
    let Some(length) = memchr(b'}', rest) else {
        return CommentEnd::None(next_game(bytes, start));
    };
    let first = start + length;
    // Most comments are one line without braces, and need no second thought.
    if memchr3(b'{', b'\n', b'\r', &bytes[start..first]).is_none() {
        return CommentEnd::Brace(first);
    }
    let game = next_game_before(bytes, start, first);
    if let Some(game) = game
        && memchr(b'{', &bytes[game..first]).is_some()
    {
        // The brace that closes is that of a comment in a later game.
        return CommentEnd::None(game);
    }
    if memchr(b'{', &bytes[start..first]).is_none() {
        return CommentEnd::Brace(first);
    }
    CommentEnd::Brace(balanced_end(bytes, start).unwrap_or(first))
}

/// How far braces within braces are followed.
pub(super) const BRACES_WITHIN: usize = 64 << 10;

/// Where braces within braces balance, if they do so within the game, without a semicolon behind
/// which a brace would be another comment's, and not too far away: a file of opening braces must
/// not be searched to its end for each of them.
fn balanced_end(bytes: &[u8], start: usize) -> Option<usize> {
    let bytes = &bytes[..bytes.len().min(start + BRACES_WITHIN)];
    let mut depth = 1usize;
    let mut closed = false;
    let mut at = start;
    while let Some(length) = memchr2(b'{', b'}', &bytes[at..]) {
        let passed = &bytes[at..at + length];
        if next_game_before(bytes, at, at + length).is_some()
            || (closed && memchr(b';', passed).is_some())
        {
            return None;
        }
        at += length;
        closed |= bytes[at] == b'}';
        depth = if bytes[at] == b'{' {
            depth + 1
        } else {
            depth - 1
        };
        if depth == 0 {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Where the next game begins, or the end of the text.
fn next_game(bytes: &[u8], from: usize) -> usize {
    next_game_before(bytes, from, bytes.len()).unwrap_or(bytes.len())
}

/// The first line between two bytes that begins a game.
pub(super) fn next_game_before(bytes: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    while let Some(length) = memchr(b'[', &bytes[at..to]) {
        at += length;
        if starts_game(bytes, at) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Whether a game begins at a byte: a tag at the start of a line, and the last line before it
/// that is not empty is no tag.
pub(super) fn starts_game(bytes: &[u8], at: usize) -> bool {
    tag_starts(bytes, at) && line_before(bytes, at).is_some_and(|line| !line.starts_with(b"["))
}

/// The last line before a line start that is neither empty nor an escape; `None` if the byte is
/// not at the start of a line.
fn line_before(bytes: &[u8], at: usize) -> Option<&[u8]> {
    if at > 0 && !matches!(bytes[at - 1], b'\n' | b'\r') {
        return None;
    }
    let mut end = at;
    loop {
        let text = bytes[..end].trim_ascii_end();
        if text.is_empty() {
            // Nothing before it: as after a tag, so that a text is one game at its start.
            return Some(b"[");
        }
        let line_feed = memrchr(b'\n', text).map_or(0, |at| at + 1);
        let start = memrchr(b'\r', &text[line_feed..]).map_or(line_feed, |at| line_feed + at + 1);
        let line = text[start..].trim_ascii_start();
        if !line.starts_with(b"%") {
            return Some(line);
        }
        end = start;
    }
}

/// Whether `[Name "` stands at a byte. Whatever does is a tag to [`tag::read`](super::tag::read),
/// or a game could begin that never gets anywhere.
pub(super) fn tag_starts(bytes: &[u8], at: usize) -> bool {
    let Some([b'[', rest @ ..]) = bytes.get(at..) else {
        return false;
    };
    let name = rest
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
        .count();
    let spaces = rest[name..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    name > 0
        && rest[0].is_ascii_alphanumeric()
        && spaces > 0
        && rest.get(name + spaces) == Some(&b'"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text, 0);
        std::iter::from_fn(|| match lexer.next_token() {
            Token::End | Token::NextGame => None,
            token => Some(token),
        })
        .collect()
    }

    #[test]
    fn words_numbers_and_results() {
        use Token::{Number, Result, Word};
        assert_eq!(
            tokens("1.e4 1. e4 1 e4 1...e5 1… e5 12.. O-O 0-0 0-0-0+ 1-0 1/2-1/2 ½-½ *"),
            [
                Number(1),
                Word("e4"),
                Number(1),
                Word("e4"),
                Number(1),
                Word("e4"),
                Number(1),
                Word("e5"),
                Number(1),
                Word("e5"),
                Number(12),
                Word("O-O"),
                Word("0-0"),
                Word("0-0-0+"),
                Result(GameResult::WhiteWins),
                Result(GameResult::Draw),
                Result(GameResult::Draw),
                Result(GameResult::Unknown),
            ]
        );
    }

    #[test]
    fn glyphs_alone_and_stuck_to_words() {
        use Token::{Nag as Glyph, Word};
        assert_eq!(
            tokens("e4!? e5 $140 ± +- N Nf3!!! $65535"),
            [
                Word("e4"),
                Glyph(Nag(5)),
                Word("e5"),
                Glyph(Nag(140)),
                Glyph(Nag(16)),
                Glyph(Nag(18)),
                Glyph(Nag(146)),
                Word("Nf3"),
                Glyph(Nag(3)),
                Glyph(Nag(1)),
                Glyph(Nag(65535)),
            ]
        );
        assert_eq!(
            tokens("$ $65536"),
            [Token::Stray("$"), Token::Stray("$65536")]
        );
    }

    #[test]
    fn promotions_in_brackets_and_en_passant_marks_belong_to_the_word() {
        assert_eq!(
            tokens("e8(Q) exd6e.p. exd6 e.p. (e5)"),
            [
                Token::Word("e8(Q)"),
                Token::Word("exd6e.p."),
                Token::Word("exd6"),
                Token::Open,
                Token::Word("e5"),
                Token::Close,
            ]
        );
    }

    #[test]
    fn comments_end_at_the_first_brace_unless_braces_balance() {
        assert_eq!(tokens("{a} b"), [Token::Comment("a"), Token::Word("b")]);
        assert_eq!(tokens("{a {b} c}"), [Token::Comment("a {b} c")]);
        assert_eq!(
            tokens("{a { b} c"),
            [Token::Comment("a { b"), Token::Word("c")]
        );
        assert_eq!(
            tokens("; to the end\nb"),
            [Token::Comment(" to the end"), Token::Word("b")]
        );
    }

    #[test]
    fn an_open_comment_does_not_swallow_the_next_game() {
        let text = "e4 {open\n\n[Event \"x\"]\n\nd4 {closed} *\n";
        assert_eq!(
            tokens(text),
            [Token::Word("e4"), Token::OpenComment("open\n\n")]
        );
        let closed = "e4 {quotes\n[Event \"x\"]\nand ends} d5";
        assert_eq!(tokens(closed).len(), 3);
    }

    #[test]
    fn a_million_dots_are_no_recursion() {
        let dots = ". ".repeat(1_000_000);
        assert_eq!(tokens(&dots), []);
        let ellipses = "…".repeat(100_000);
        assert_eq!(tokens(&ellipses), []);
    }

    #[test]
    fn a_game_starts_with_a_tag_after_a_line_that_is_none() {
        let text = b"[A \"1\"]\n\n[B \"2\"]\n% x\n[C \"3\"]\n1. e4\n\n[A \"4\"]\n";
        let starts: Vec<usize> = (0..text.len())
            .filter(|&at| starts_game(text, at))
            .collect();
        assert_eq!(starts, [text.len() - 8]);
    }
}
