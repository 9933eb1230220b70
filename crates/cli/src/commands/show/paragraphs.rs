//! Words in lines.

use std::io::{self, Write};

use anstyle::Style;

/// Fills lines with words, indented.
pub struct Paragraphs<'a, W> {
    output: &'a mut W,
    columns: usize,
    indent: usize,
    /// Columns of the line that are taken; 0 before its first word.
    taken: usize,
    /// The next word stands close to the last.
    glued: bool,
}

impl<'a, W: Write> Paragraphs<'a, W> {
    /// Lines of so many columns.
    pub fn new(output: &'a mut W, columns: usize) -> Paragraphs<'a, W> {
        Paragraphs {
            output,
            columns,
            indent: 0,
            taken: 0,
            glued: false,
        }
    }

    /// Begins a new paragraph with another indent, as far as lines have room for it.
    pub fn start(&mut self, indent: usize) -> io::Result<()> {
        self.end_line()?;
        self.indent = indent.min(self.columns / 2);
        Ok(())
    }

    /// Adds a word, in the next line if it does not fit.
    pub fn word(&mut self, word: &str, style: Style) -> io::Result<()> {
        let length = word.chars().count();
        let gap = usize::from(self.taken > 0 && !self.glued);
        if self.taken > 0 && self.taken + gap + length > self.columns {
            self.end_line()?;
        }
        if self.taken == 0 {
            write!(self.output, "{:1$}", "", self.indent)?;
            self.taken = self.indent;
        } else if gap > 0 {
            write!(self.output, " ")?;
            self.taken += 1;
        }
        self.glued = false;
        self.taken += length;
        write!(self.output, "{style}{word}{style:#}")
    }

    /// Puts the next word close to the last.
    pub fn glue(&mut self) {
        self.glued = self.taken > 0;
    }

    /// Ends the line, if there is one.
    pub fn end_line(&mut self) -> io::Result<()> {
        if self.taken > 0 {
            writeln!(self.output)?;
        }
        self.taken = 0;
        self.glued = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filled_and_indented() {
        let mut out = Vec::new();
        let mut text = Paragraphs::new(&mut out, 12);
        for word in ["one", "two", "three", "four"] {
            text.word(word, Style::new()).expect("written");
        }
        text.start(4).expect("written");
        for word in ["five", "sixteen", "and-a-very-long-word", "end"] {
            text.word(word, Style::new()).expect("written");
        }
        text.glue();
        text.word(")", Style::new()).expect("written");
        text.end_line().expect("written");
        assert_eq!(
            String::from_utf8(out).expect("text"),
            "one two\nthree four\n    five\n    sixteen\n    and-a-very-long-word\n    end)\n"
        );
    }
}
