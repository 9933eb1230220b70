//! Moves and comments to the bytes of a record.

use tabiya_chess::{Move, Position};

use super::{MOST_NAGS, code, mark, pieces::Pieces};

/// Writes the moves of a game, and what is said about them.
///
/// What is said of a ply stands right behind it, before its variations, whenever it was said: so
/// Scid writes it, and programs that give texts to plies in the order of the game rely on it.
#[derive(Clone, Debug)]
pub(in crate::scid) struct MoveWriter {
    /// The moves and the borders of variations.
    moves: Vec<u8>,
    /// What is said of plies, in the order in which it began.
    notes: Vec<Note>,
    texts: Vec<u8>,
    pieces: Vec<Piece>,
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
    /// A variation has ended since the last ply.
    varied: bool,
    /// Where notes about the last ply stand among the moves.
    at: usize,
    /// The note about the last ply, or about the line before its first ply.
    note: Option<usize>,
    /// Glyphs that came before the first ply, and wait for it.
    waiting: Nags,
}

/// What is said of a ply, or of a line before its first ply.
#[derive(Clone, Copy, Debug)]
struct Note {
    /// How many bytes of the moves stand before it.
    at: usize,
    nags: Nags,
    /// How many of the glyphs stand before the comment.
    before_text: usize,
    /// The first and the last piece of the comment.
    text: Option<(usize, usize)>,
}

/// A part of a comment, as it came.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    end: usize,
    next: Option<usize>,
}

/// The glyphs of a move, as many as programs can load.
#[derive(Clone, Copy, Debug, Default)]
struct Nags {
    all: [u8; MOST_NAGS],
    count: usize,
}

impl Nags {
    fn push(&mut self, nag: u8) -> bool {
        let Some(place) = self.all.get_mut(self.count) else {
            return false;
        };
        *place = nag;
        self.count += 1;
        true
    }

    fn as_slice(&self) -> &[u8] {
        &self.all[..self.count]
    }
}

impl Line {
    fn new(pieces: Pieces, at: usize) -> Line {
        Line {
            pieces,
            before: pieces,
            fresh: true,
            varied: false,
            at,
            note: None,
            waiting: Nags::default(),
        }
    }
}

impl MoveWriter {
    pub(in crate::scid) fn new() -> MoveWriter {
        MoveWriter {
            moves: Vec::new(),
            notes: Vec::new(),
            texts: Vec::new(),
            pieces: Vec::new(),
            line: Line::new(Pieces::USUAL, 0),
            open: Vec::new(),
        }
    }

    /// Begins a game with the numbers of its pieces.
    pub(in crate::scid) fn start(&mut self, pieces: Pieces) {
        self.moves.clear();
        self.notes.clear();
        self.texts.clear();
        self.pieces.clear();
        self.line = Line::new(pieces, 0);
        self.open.clear();
    }

    /// How many variations are open.
    pub(in crate::scid) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the line has no ply yet.
    pub(in crate::scid) fn is_fresh(&self) -> bool {
        self.line.fresh
    }

    /// Whether the last ply has variations already.
    pub(in crate::scid) fn is_varied(&self) -> bool {
        self.line.varied
    }

    /// The first piece of the comment that the last ply has already.
    pub(in crate::scid) fn first_text(&self) -> Option<&[u8]> {
        let (first, _) = self.notes[self.line.note?].text?;
        let Piece { start, end, .. } = self.pieces[first];
        self.texts.get(start..end)
    }

    /// Whether the last ply has a comment of several pieces.
    pub(in crate::scid) fn has_several_texts(&self) -> bool {
        let note = self.line.note.map(|note| self.notes[note]);
        let text = note.and_then(|note| note.text);
        text.is_some_and(|(first, last)| first != last)
    }

    /// How many glyphs wait for the first ply of the line.
    pub(in crate::scid) fn waiting(&self) -> usize {
        self.line.waiting.count
    }

    /// How many glyphs and comments there are.
    pub(in crate::scid) fn counts(&self) -> (u32, u32) {
        let nags: usize = self.notes.iter().map(|note| note.nags.count).sum();
        let comments = self.notes.iter().filter(|note| note.text.is_some()).count();
        (nags as u32, comments as u32)
    }

    pub(in crate::scid) fn play(&mut self, before: &Position, play: Move) {
        let number = self.line.pieces.number(before.turn(), play.from());
        code::encode(before, number, play, &mut self.moves);
        self.line.before = self.line.pieces;
        self.line.pieces.play(before, number, play);
        self.moved();
    }

    pub(in crate::scid) fn pass(&mut self) {
        self.moves.push(mark::NULL);
        self.line.before = self.line.pieces;
        self.moved();
    }

    fn moved(&mut self) {
        let line = &mut self.line;
        line.fresh = false;
        line.varied = false;
        line.at = self.moves.len();
        line.note = None;
        if line.waiting.count > 0 {
            self.note().nags = std::mem::take(&mut self.line.waiting);
        }
    }

    /// The note about the last ply.
    fn note(&mut self) -> &mut Note {
        let (at, end) = (self.line.at, self.notes.len());
        let index = *self.line.note.get_or_insert(end);
        if index == end {
            self.notes.push(Note {
                at,
                nags: Nags::default(),
                before_text: 0,
                text: None,
            });
        }
        &mut self.notes[index]
    }

    /// Adds a glyph; `false` if the move has as many as programs can load. Before the first ply of
    /// a line, where no program shows it, it waits for that ply.
    pub(in crate::scid) fn nag(&mut self, nag: u8) -> bool {
        match self.line.fresh {
            true => self.line.waiting.push(nag),
            false => self.note().nags.push(nag),
        }
    }

    /// Adds a comment, or adds to the one that is there: a ply has one. Its text has no zeros.
    pub(in crate::scid) fn comment(&mut self, text: &str) {
        let start = self.texts.len();
        self.texts.extend_from_slice(text.as_bytes());
        let (piece, end) = (self.pieces.len(), self.texts.len());
        let next = None;
        self.pieces.push(Piece { start, end, next });
        let note = self.note();
        match &mut note.text {
            None => {
                note.text = Some((piece, piece));
                note.before_text = note.nags.count;
            }
            Some((_, last)) => {
                let last = std::mem::replace(last, piece);
                self.pieces[last].next = Some(piece);
            }
        }
    }

    /// Begins a variation, in a line that has a ply.
    pub(in crate::scid) fn open(&mut self) {
        self.moves.push(mark::OPEN);
        let branch = Line::new(self.line.before, self.moves.len());
        self.open.push(std::mem::replace(&mut self.line, branch));
    }

    /// Ends a variation; `false` if none is open.
    pub(in crate::scid) fn close(&mut self) -> bool {
        match self.open.pop() {
            Some(outer) => {
                self.moves.push(mark::CLOSE);
                self.line = outer;
                self.line.varied = true;
                true
            }
            None => false,
        }
    }

    /// Adds the moves, their end and the comments to a record, and ends the game.
    pub(in crate::scid) fn finish(&mut self, out: &mut Vec<u8>) {
        // Those that were begun after a variation belong before it.
        self.notes.sort_by_key(|note| note.at);
        out.reserve(self.moves.len() + 4 * self.notes.len() + self.texts.len());
        let mut from = 0;
        for note in &self.notes {
            out.extend_from_slice(&self.moves[from..note.at]);
            from = note.at;
            let (before, after) = match note.text {
                Some(_) => note.nags.as_slice().split_at(note.before_text),
                None => (note.nags.as_slice(), &[][..]),
            };
            out.extend(before.iter().flat_map(|nag| [mark::NAG, *nag]));
            out.extend(note.text.map(|_| mark::COMMENT));
            out.extend(after.iter().flat_map(|nag| [mark::NAG, *nag]));
        }
        out.extend_from_slice(&self.moves[from..]);
        out.push(mark::END);
        for (first, _) in self.notes.iter().filter_map(|note| note.text) {
            self.put_text(first, out);
            out.push(0);
        }
    }

    fn put_text(&self, first: usize, out: &mut Vec<u8>) {
        let Piece { start, end, next } = self.pieces[first];
        if next.is_some() && self.texts[start..end].starts_with(b"[%tabiya") {
            // What follows must not be taken for a part of an error.
            out.push(b' ');
        }
        out.extend_from_slice(&self.texts[start..end]);
        let mut rest = next;
        while let Some(index) = rest {
            let Piece { start, end, next } = self.pieces[index];
            out.push(b' ');
            out.extend_from_slice(&self.texts[start..end]);
            rest = next;
        }
    }
}
