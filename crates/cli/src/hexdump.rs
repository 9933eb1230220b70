//! Dumps, for a person to read.

use std::io::{self, Write};

use tabiya_formats::dump::{Dump, Line, Section};

use crate::{output::Output, style::Palette, text::clean};

/// How many bytes stand in a line.
const BYTES: usize = 8;

/// So wide may meanings be before moves stand further to the right.
const MEANING: usize = 76;

/// Writes offsets, bytes, meanings and moves in columns.
pub fn write(output: &mut Output, dump: &Dump) -> io::Result<()> {
    let palette = Palette::of(output);
    let Palette { strong, .. } = palette;
    for (place, section) in dump.sections.iter().enumerate() {
        if place > 0 {
            writeln!(output)?;
        }
        if !section.title.is_empty() {
            writeln!(output, "{strong}{}{strong:#}", clean(&section.title))?;
        }
        let columns = Columns::of(section);
        for line in &section.lines {
            columns.write(output, line, palette)?;
        }
    }
    Ok(())
}

struct Columns {
    offset: usize,
    meaning: usize,
}

impl Columns {
    fn of(section: &Section) -> Columns {
        let last = section.lines.iter().map(|line| line.offset).max();
        let digits = format!("{:x}", last.unwrap_or_default()).len();
        let moves = section.lines.iter().filter(|line| line.san.is_some());
        let meaning = moves.map(width).max().unwrap_or_default();
        Columns {
            offset: digits.max(4),
            meaning: meaning.min(MEANING),
        }
    }

    fn write(&self, output: &mut Output, line: &Line, palette: Palette) -> io::Result<()> {
        let Palette { label, strong, .. } = palette;
        let (offsets, width, meanings) = (self.offset, 3 * BYTES - 1, self.meaning);
        let indent = 2 * line.depth;
        let mut rows = line.bytes.chunks(BYTES);
        let bytes = hex(rows.next().unwrap_or_default());
        write!(
            output,
            "{label}{:0>offsets$x}{label:#}  {bytes:<width$}  ",
            line.offset
        )?;
        let meaning = format!("{:indent$}{}", "", clean(&line.meaning));
        match &line.san {
            Some(san) => {
                let san = clean(san);
                writeln!(output, "{meaning:<meanings$}  {strong}{san}{strong:#}")?;
            }
            None => writeln!(output, "{meaning}")?,
        }
        for (row, bytes) in rows.enumerate() {
            let offset = line.offset + ((row + 1) * BYTES) as u64;
            writeln!(
                output,
                "{label}{offset:0>offsets$x}{label:#}  {}",
                hex(bytes)
            )?;
        }
        Ok(())
    }
}

fn width(line: &Line) -> usize {
    2 * line.depth + line.meaning.chars().count()
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    digits.join(" ")
}
