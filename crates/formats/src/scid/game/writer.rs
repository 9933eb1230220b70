//! Moves and comments to the bytes of a record.

use tabiya_chess::{Move, Position};

use super::{MOST_NAGS, code, mark, pieces::Pieces};

/// Writes the moves of a game, and what is said about them.
#[derive(Clone, Debug)]
pub(in crate::scid) struct MoveWriter {
    moves: Vec<u8>,
    /// The texts of comments, in any order, and where that of each mark is.
    texts: Vec<u8>,
    places: Vec<(usize, usize)>,
    line: Line,
    open: Vec<Line>,
}

/// A line of play as far as it has been written.
#[derive(Clone, Copy, Debug)]
struct Line {
    pieces: Pieces,
    /// As they were before the last ply, to which a variation returns.
    before: Pieces,
    fresh: bool,
    /// The comment of the last ply, or of the start of the line.
    comment: Option<usize>,
    nags: usize,
}

impl Line {
    fn new(pieces: Pieces) -> Line {
        Line {
            pieces,
            before: pieces,
            fresh: true,
            comment: None,
            nags: 0,
        }
    }

    fn moved(&mut self, before: Pieces) {
        *self = Line {
            before,
            fresh: false,
            ..Line::new(self.pieces)
        };
    }
}

impl MoveWriter {
    pub(in crate::scid) fn new() -> MoveWriter {
        MoveWriter {
            moves: Vec::new(),
            texts: Vec::new(),
            places: Vec::new(),
            line: Line::new(Pieces::usual()),
            open: Vec::new(),
        }
    }

    /// Begins a game with the numbers of its pieces.
    pub(in crate::scid) fn start(&mut self, pieces: Pieces) {
        self.moves.clear();
        self.texts.clear();
        self.places.clear();
        self.line = Line::new(pieces);
        self.open.clear();
    }

    /// How many bytes the moves and comments have by now.
    pub(in crate::scid) fn len(&self) -> usize {
        let texts = self.places.iter().map(|(start, end)| end - start + 1);
        self.moves.len() + 1 + texts.sum::<usize>()
    }

    /// How many variations are open.
    pub(in crate::scid) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the line has no ply yet.
    pub(in crate::scid) fn is_fresh(&self) -> bool {
        self.line.fresh
    }

    /// The comment that the last ply has already.
    pub(in crate::scid) fn last_comment(&self) -> Option<&[u8]> {
        let (start, end) = self.places[self.line.comment?];
        self.texts.get(start..end)
    }

    pub(in crate::scid) fn play(&mut self, before: &Position, play: Move) {
        code::encode(before, &self.line.pieces, play, &mut self.moves);
        let pieces = self.line.pieces;
        self.line.pieces.play(before, play);
        self.line.moved(pieces);
    }

    pub(in crate::scid) fn pass(&mut self) {
        self.moves.push(mark::NULL);
        let pieces = self.line.pieces;
        self.line.moved(pieces);
    }

    /// Adds a glyph; `false` if the move has as many as programs can load.
    pub(in crate::scid) fn nag(&mut self, nag: u8) -> bool {
        if self.line.nags == MOST_NAGS {
            return false;
        }
        self.line.nags += 1;
        self.moves.extend([mark::NAG, nag]);
        true
    }

    /// Adds a comment, or adds to the one that is there: a ply has one. Its text has no zeros.
    pub(in crate::scid) fn comment(&mut self, text: &str) {
        let start = self.texts.len();
        match self.line.comment {
            None => {
                self.moves.push(mark::COMMENT);
                self.line.comment = Some(self.places.len());
                self.places.push((start, start));
            }
            Some(index) => {
                let (from, to) = self.places[index];
                if self.texts[from..to].starts_with(b"[%tabiya") {
                    // What follows must not be taken for a part of an error.
                    self.texts.push(b' ');
                }
                self.texts.extend_from_within(from..to);
                self.texts.push(b' ');
            }
        }
        self.texts.extend_from_slice(text.as_bytes());
        if let Some(index) = self.line.comment {
            self.places[index] = (start, self.texts.len());
        }
    }

    /// Begins a variation, in a line that has a ply.
    pub(in crate::scid) fn open(&mut self) {
        self.moves.push(mark::OPEN);
        let branch = Line::new(self.line.before);
        self.open.push(std::mem::replace(&mut self.line, branch));
    }

    /// Ends a variation; `false` if none is open.
    pub(in crate::scid) fn close(&mut self) -> bool {
        match self.open.pop() {
            Some(outer) => {
                self.moves.push(mark::CLOSE);
                self.line = outer;
                true
            }
            None => false,
        }
    }

    /// Adds the moves, their end and the comments to a record.
    pub(in crate::scid) fn finish(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.moves);
        out.push(mark::END);
        for (start, end) in &self.places {
            out.extend_from_slice(&self.texts[*start..*end]);
            out.push(0);
        }
    }
}
