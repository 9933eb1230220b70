//! What every byte of a record means, for people who want to see how a format works.
//!
//! ```
//! use tabiya_formats::dump::{Dump, Line};
//!
//! let mut dump = Dump::new("moves");
//! dump.push(Line::new(0, [0x13], "pawn e, two steps").with_san("1. e4"));
//! dump.push(Line::new(1, [0xff], "end of data"));
//! assert_eq!(dump.sections[0].lines.len(), 2);
//! ```

/// A record, explained.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dump {
    /// Its parts, in the order they are best read in.
    pub sections: Vec<Section>,
}

/// A part of a record: a header, a stream of moves, a table of names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// What it is, with its file if there are several: `moves (games.cbg)`.
    pub title: String,
    /// Its fields, in the order of their bytes.
    pub lines: Vec<Line>,
}

/// A field, a code or a word, with its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Where it stands in its file, or in a bare stream.
    pub offset: u64,
    /// Its bytes as they are stored.
    pub bytes: Vec<u8>,
    /// How many variations are open around it.
    pub depth: usize,
    /// What it means.
    pub meaning: String,
    /// The move it is, with its number: `12... Qxd5`.
    pub san: Option<String>,
}

impl Dump {
    /// A dump with one empty section.
    pub fn new(title: impl Into<String>) -> Dump {
        let mut dump = Dump::default();
        dump.section(title);
        dump
    }

    /// Begins a section.
    pub fn section(&mut self, title: impl Into<String>) {
        self.sections.push(Section {
            title: title.into(),
            lines: Vec::new(),
        });
    }

    /// Adds a line to the last section.
    pub fn push(&mut self, line: Line) {
        if self.sections.is_empty() {
            self.section("");
        }
        if let Some(section) = self.sections.last_mut() {
            section.lines.push(line);
        }
    }
}

impl Line {
    /// A field outside of variations that is not a move.
    pub fn new(offset: u64, bytes: impl Into<Vec<u8>>, meaning: impl Into<String>) -> Line {
        Line {
            offset,
            bytes: bytes.into(),
            depth: 0,
            meaning: meaning.into(),
            san: None,
        }
    }

    /// In so many open variations.
    #[must_use]
    pub fn at_depth(mut self, depth: usize) -> Line {
        self.depth = depth;
        self
    }

    /// With the move that it is.
    #[must_use]
    pub fn with_san(mut self, san: impl Into<String>) -> Line {
        self.san = Some(san.into());
        self
    }
}
