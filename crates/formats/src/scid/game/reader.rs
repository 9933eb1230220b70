//! Records to steps: what the bytes of a game say, one after the other.

use std::borrow::Cow;

use tabiya_chess::{Bitboard, Color, File, Move, Position, Role, Square};
use tabiya_game::GameErrorKind;

use super::{
    SETUP, code, mark,
    pieces::Pieces,
    tags::{Tag, Tags},
};
use crate::{pgn, scid::error::ErrorKind};

/// The parts of a record.
#[derive(Clone, Debug)]
pub(in crate::scid) struct Record<'a> {
    pub bytes: &'a [u8],
    pub tags: Vec<Tag<'a>>,
    /// The byte before the moves, and where it is.
    pub flags: Option<(u8, usize)>,
    /// The start position as text.
    pub fen: Option<&'a [u8]>,
    /// Where the moves begin.
    pub moves: usize,
    /// What is wrong before the moves, and where.
    pub fault: Option<(ErrorKind, usize)>,
}

impl<'a> Record<'a> {
    pub(in crate::scid) fn new(bytes: &'a [u8]) -> Record<'a> {
        let mut record = Record {
            bytes,
            tags: Vec::new(),
            flags: None,
            fen: None,
            moves: bytes.len(),
            fault: None,
        };
        let mut tags = Tags::new(bytes);
        for tag in tags.by_ref() {
            match tag {
                Ok(tag) => record.tags.push(tag),
                Err(kind) => {
                    let at: usize = record.tags.iter().map(|tag| tag.raw.len()).sum();
                    record.fault = Some((kind, at));
                    return record;
                }
            }
        }
        let rest = tags.rest();
        let at = bytes.len() - rest.len();
        match record.read_start(rest, at) {
            Some(moves) => record.moves = moves,
            None => record.fault = Some((ErrorKind::Truncated("the start"), at)),
        }
        record
    }

    /// Reads what stands before the moves; returns where these begin.
    fn read_start(&mut self, rest: &'a [u8], at: usize) -> Option<usize> {
        let (&flags, rest) = rest.split_first()?;
        self.flags = Some((flags, at));
        if flags & SETUP == 0 {
            return Some(at + 1);
        }
        let end = memchr::memchr(0, rest)?;
        self.fen = Some(&rest[..end]);
        Some(at + 1 + end + 1)
    }

    /// The start position and the numbers of its pieces.
    pub(in crate::scid) fn start(
        &self,
        fen: Option<&str>,
        variant: Option<&str>,
    ) -> Result<(Position, Pieces), ErrorKind> {
        let start = pgn::start_of_tags(fen, variant).map_err(|(kind, message)| match kind {
            GameErrorKind::UnknownVariant => ErrorKind::UnknownVariant(message),
            _ => ErrorKind::BadStart(message),
        })?;
        let pieces = match fen {
            None => Pieces::USUAL,
            Some(_) => Pieces::deal(start.board())
                .ok_or_else(|| ErrorKind::BadStart("a side has more than 16 pieces".into()))?,
        };
        Ok((start, pieces))
    }
}

/// A FEN with all its fields. Old ones end earlier: without a field for castling, kings and rooks
/// at home may.
pub(in crate::scid) fn whole_fen(fen: &str) -> Cow<'_, str> {
    let fields = fen.split_whitespace().count();
    if fields >= 6 {
        return Cow::Borrowed(fen);
    }
    let Ok(mut setup) = fen.parse::<tabiya_chess::Setup>() else {
        return Cow::Borrowed(fen);
    };
    if fields < 3 {
        for color in Color::ALL {
            let home = |file| Square::new(file, color.back_rank());
            if setup.board.king(color) == Some(home(File::E)) {
                let corners = Bitboard::square(home(File::A)) | home(File::H).into();
                setup.castling_rooks |= setup.board.of(color, Role::Rook) & corners;
            }
        }
    }
    Cow::Owned(setup.to_string())
}

/// What a byte or two of the moves say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::scid) enum Step {
    Move(Move),
    Null,
    Nag(u8),
    Comment,
    Open,
    Close,
    End,
}

/// A line of play as far as it has been read.
#[derive(Clone, Copy)]
struct Line {
    position: Position,
    pieces: Pieces,
    /// Both as they were before the last ply, to which a variation returns.
    before: (Position, Pieces),
    fresh: bool,
}

/// Walks through the moves of a record.
#[derive(Clone)]
pub(in crate::scid) struct Walker<'a> {
    bytes: &'a [u8],
    at: usize,
    line: Line,
    open: Vec<Line>,
    depth: usize,
    /// Moves are not checked: only the end of the moves is looked for.
    trusting: bool,
}

impl<'a> Walker<'a> {
    /// Begins at the moves of a record.
    pub(in crate::scid) fn new(
        record: &Record<'a>,
        start: &Position,
        pieces: &Pieces,
        depth: usize,
    ) -> Walker<'a> {
        Walker {
            bytes: record.bytes,
            at: record.moves,
            line: Line {
                position: *start,
                pieces: *pieces,
                before: (*start, *pieces),
                fresh: true,
            },
            open: Vec::new(),
            depth,
            trusting: false,
        }
    }

    /// Where the next step begins.
    pub(in crate::scid) fn at(&self) -> usize {
        self.at
    }

    /// How many variations are open.
    pub(in crate::scid) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The position before the next move.
    pub(in crate::scid) fn position(&self) -> &Position {
        &self.line.position
    }

    /// The position before the last move of this line.
    pub(in crate::scid) fn before(&self) -> &Position {
        &self.line.before.0
    }

    /// Whether no move of this line has been read yet.
    pub(in crate::scid) fn is_fresh(&self) -> bool {
        self.line.fresh
    }

    /// The numbers of its pieces.
    pub(in crate::scid) fn pieces(&self) -> &Pieces {
        &self.line.pieces
    }

    /// Reads the next step. After an error nothing can be trusted: the walk stays where it is.
    #[inline(always)]
    pub(in crate::scid) fn step(&mut self) -> Result<Step, ErrorKind> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let &byte = rest.first().ok_or(ErrorKind::Truncated("the moves"))?;
        let (step, length) = match byte {
            mark::NULL => {
                self.pass();
                (Step::Null, 1)
            }
            mark::NAG => {
                let nag = rest.get(1).ok_or(ErrorKind::Truncated("a glyph"))?;
                (Step::Nag(*nag), 2)
            }
            mark::COMMENT => (Step::Comment, 1),
            mark::OPEN => {
                self.open()?;
                (Step::Open, 1)
            }
            mark::CLOSE => {
                self.line = self.open.pop().ok_or(ErrorKind::VariationUnderflow)?;
                (Step::Close, 1)
            }
            mark::END if !self.open.is_empty() => return Err(ErrorKind::UnclosedVariation),
            mark::END => (Step::End, 1),
            _ => {
                let line = &self.line;
                let (role, play, length) = code::decode(&line.position, &line.pieces, rest)?;
                self.play(byte >> 4, role, play)?;
                (Step::Move(play), length)
            }
        };
        self.at += length;
        Ok(step)
    }

    #[inline(always)]
    fn play(&mut self, number: u8, role: Role, play: Move) -> Result<(), ErrorKind> {
        let line = &mut self.line;
        line.before = (line.position, line.pieces);
        line.fresh = false;
        let us = line.position.turn();
        if self.trusting || (role == Role::King && line.position.is_castling(play)) {
            return self.play_apart(number, play);
        }
        match line.position.play_piece(role, play) {
            Some(capture) => line.pieces.moved(us, number, play, capture),
            None => return Err(illegal(play)),
        }
        Ok(())
    }

    /// Castles, or plays a move that is taken on trust.
    #[inline(never)]
    fn play_apart(&mut self, number: u8, play: Move) -> Result<(), ErrorKind> {
        let line = &mut self.line;
        if !self.trusting && !line.position.is_legal(play) {
            return Err(illegal(play));
        }
        line.pieces.play(&line.position, number, play);
        line.position.play_unchecked(play);
        Ok(())
    }

    fn pass(&mut self) {
        let line = &mut self.line;
        line.before = (line.position, line.pieces);
        line.position.play_null();
        line.fresh = false;
    }

    fn open(&mut self) -> Result<(), ErrorKind> {
        if self.line.fresh {
            return Err(ErrorKind::VariationAtStart);
        }
        if self.open.len() >= self.depth {
            return Err(ErrorKind::TooDeep(self.depth));
        }
        let (position, pieces) = self.line.before;
        self.open.push(self.line);
        self.line = Line {
            position,
            pieces,
            before: (position, pieces),
            fresh: true,
        };
        Ok(())
    }
}

#[cold]
fn illegal(play: Move) -> ErrorKind {
    ErrorKind::IllegalMove(play.to_string())
}

/// The comments of a record, in the order of their marks.
#[derive(Clone, Debug)]
pub(in crate::scid) struct Comments<'a> {
    rest: &'a [u8],
}

impl<'a> Comments<'a> {
    /// The comments of the game that a walk goes through. They stand behind the end of the moves,
    /// which only who plays them can find: the second byte of a queen looks like any other. That
    /// they are legal is taken on trust, so that an illegal move does not hide the comments before
    /// it. If there is no end, there are no comments.
    pub(in crate::scid) fn ahead_of(walker: &Walker<'a>) -> Comments<'a> {
        let mut walker = walker.clone();
        walker.trusting = true;
        loop {
            match walker.step() {
                Ok(Step::End) => return Comments::after(&walker),
                Ok(_) => {}
                Err(_) => return Comments { rest: &[] },
            }
        }
    }

    /// The comments behind a walk that is at its end.
    pub(in crate::scid) fn after(walker: &Walker<'a>) -> Comments<'a> {
        let rest = walker.bytes.get(walker.at..);
        Comments {
            rest: rest.unwrap_or_default(),
        }
    }

    /// What has not been read yet.
    pub(in crate::scid) fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Comments<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let end = memchr::memchr(0, self.rest)?;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(text)
    }
}
