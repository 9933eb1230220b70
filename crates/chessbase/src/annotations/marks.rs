//! Coloured squares (04) and arrows (05).

use tabiya_chess::{File, Rank, Square};
use tabiya_game::{Arrow, Mark, MarkColor};

pub(super) fn read_squares(data: &[u8]) -> Option<Vec<Mark>> {
    let (marks, rest) = data.as_chunks::<2>();
    if marks.is_empty() || !rest.is_empty() {
        return None;
    }
    let mark = |&[color, at]: &[u8; 2]| {
        Some(Mark {
            color: read_color(color)?,
            square: read_square(at)?,
        })
    };
    marks.iter().map(mark).collect()
}

pub(super) fn write_squares(marks: &[Mark]) -> Option<Vec<u8>> {
    let mark = |mark: &Mark| Some([write_color(mark.color)?, write_square(mark.square)]);
    let marks: Vec<[u8; 2]> = marks.iter().map(mark).collect::<Option<_>>()?;
    Some(marks.concat())
}

pub(super) fn read_arrows(data: &[u8]) -> Option<Vec<Arrow>> {
    let (arrows, rest) = data.as_chunks::<3>();
    if arrows.is_empty() || !rest.is_empty() {
        return None;
    }
    let arrow = |&[color, from, to]: &[u8; 3]| {
        Some(Arrow {
            color: read_color(color)?,
            from: read_square(from)?,
            to: read_square(to)?,
        })
    };
    arrows.iter().map(arrow).collect()
}

pub(super) fn write_arrows(arrows: &[Arrow]) -> Option<Vec<u8>> {
    let arrow = |arrow: &Arrow| {
        Some([
            write_color(arrow.color)?,
            write_square(arrow.from),
            write_square(arrow.to),
        ])
    };
    let arrows: Vec<[u8; 3]> = arrows.iter().map(arrow).collect::<Option<_>>()?;
    Some(arrows.concat())
}

/// Colours beyond these three have been seen in the wild, but nobody knows which they are.
const COLORS: [(u8, MarkColor); 3] = [
    (2, MarkColor::GREEN),
    (3, MarkColor::YELLOW),
    (4, MarkColor::RED),
];

fn read_color(number: u8) -> Option<MarkColor> {
    let found = COLORS.iter().find(|(it, _)| *it == number)?;
    Some(found.1)
}

fn write_color(color: MarkColor) -> Option<u8> {
    let found = COLORS.iter().find(|(_, it)| *it == color)?;
    Some(found.0)
}

/// Squares go up the files, a1, a2 … h8, and are counted from 1.
fn read_square(number: u8) -> Option<Square> {
    square_of_index(number.checked_sub(1)?)
}

fn write_square(square: Square) -> u8 {
    index_of_square(square) + 1
}

/// The square with a number from 0 that goes up the files.
pub(crate) fn square_of_index(index: u8) -> Option<Square> {
    (index < 64).then(|| Square::new(File::from_index(index / 8), Rank::from_index(index % 8)))
}

pub(crate) fn index_of_square(square: Square) -> u8 {
    square.file() as u8 * 8 + square.rank() as u8
}
