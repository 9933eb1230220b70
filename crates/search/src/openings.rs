//! Names of openings.
//!
//! An opening is a position, not an order of moves: a game belongs to the deepest position on its way
//! that has a name, however it came there.
//!
//! A table is a text of lines with tabs: the code, the name, and the moves that lead there. The first
//! line may name the columns.
//!
//! ```
//! use tabiya_search::openings::Openings;
//!
//! let openings: Openings = "eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n".parse()?;
//! let exact = tabiya_search::Exact::after_moves("1. e4 e5")?;
//! assert_eq!(openings.of(exact.position()).unwrap().name, "Open Game");
//! # Ok::<(), tabiya_search::openings::TableError>(())
//! ```

use std::{collections::HashMap, str::FromStr, sync::LazyLock};

use tabiya_chess::{Key, Position};
use tabiya_game::{Event, Flow, GameSink, Needs};

use crate::{Exact, ParseError};

/// An opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its code, such as `B90`.
    pub eco: String,
    /// Its name.
    pub name: String,
}

/// A table of openings.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Openings {
    /// Positions whose keys are the same are told apart by their boards.
    positions: HashMap<Key, Vec<(Exact, Opening)>>,
    /// No position with a name has as few pieces: most of a game need not be looked up.
    too_few: usize,
}

/// A line of a table that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {wrong}")]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    wrong: ParseError,
}

impl From<ParseError> for TableError {
    fn from(wrong: ParseError) -> TableError {
        TableError { line: 1, wrong }
    }
}

impl Openings {
    /// The 500 codes of the Encyclopaedia of Chess Openings, each by the position that defines it.
    /// The start of a game is the first of them.
    ///
    /// ```
    /// use tabiya_search::{Exact, openings::Openings};
    ///
    /// let position = Exact::after_moves("1. d4 d5 2. c4 c6")?;
    /// assert_eq!(Openings::eco().of(position.position()).unwrap().eco, "D10");
    /// # Ok::<(), tabiya_search::ParseError>(())
    /// ```
    #[must_use]
    pub fn eco() -> &'static Openings {
        static ECO: LazyLock<Openings> = LazyLock::new(|| {
            // A test reads every line of it.
            include_str!("eco.tsv")
                .parse()
                .expect("every line is legal")
        });
        &ECO
    }

    /// The opening that has this position.
    #[must_use]
    pub fn of(&self, position: &Position) -> Option<&Opening> {
        if self.is_past(position) {
            return None;
        }
        let there = self.positions.get(&Exact::key(position))?;
        let (_, opening) = there.iter().find(|(exact, _)| exact.fits(position))?;
        Some(opening)
    }

    /// Whether neither a position nor any that follows it has a name.
    fn is_past(&self, position: &Position) -> bool {
        position.board().occupied().count() <= self.too_few
    }

    /// All positions that have a name, in no order.
    ///
    /// ```
    /// use tabiya_search::openings::Openings;
    ///
    /// let najdorf = Openings::eco().iter().find(|(_, opening)| opening.eco == "B90");
    /// assert_eq!(najdorf.unwrap().0.fullmove_number(), 6);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&Position, &Opening)> {
        let all = self.positions.values().flatten();
        all.map(|(exact, opening)| (exact.position(), opening))
    }

    /// How many positions have a name.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.values().map(Vec::len).sum()
    }

    /// Whether none has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds those of another table; where both name a position, the other's name counts.
    pub fn extend(&mut self, other: Openings) {
        for (exact, opening) in other.positions.into_values().flatten() {
            self.insert(exact, opening);
        }
    }

    fn insert(&mut self, exact: Exact, opening: Opening) {
        let pieces = exact.position().board().occupied().count();
        if self.positions.is_empty() || pieces <= self.too_few {
            self.too_few = pieces.saturating_sub(1);
        }
        let key = Exact::key(exact.position());
        let there = self.positions.entry(key).or_default();
        there.retain(|(known, _)| !known.fits(exact.position()));
        there.push((exact, opening));
    }
}

impl FromStr for Openings {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Openings, TableError> {
        let mut openings = Openings::default();
        for (number, line) in text.lines().enumerate() {
            let is_heading = number == 0 && line.starts_with("eco\t");
            if is_heading || line.trim().is_empty() {
                continue;
            }
            let (exact, opening) = entry(line).map_err(|wrong| TableError {
                line: number + 1,
                wrong,
            })?;
            openings.insert(exact, opening);
        }
        Ok(openings)
    }
}

fn entry(line: &str) -> Result<(Exact, Opening), ParseError> {
    let mut columns = line.split('\t');
    let (Some(eco), Some(name), Some(moves)) = (columns.next(), columns.next(), columns.next())
    else {
        return Err(ParseError::new("a line has a code, a name and moves", line));
    };
    let (eco, name) = (eco.trim(), name.trim());
    if !matches!(*eco.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']) {
        return Err(ParseError::new("a code is a letter and two digits", eco));
    }
    let opening = Opening {
        eco: eco.to_owned(),
        name: name.to_owned(),
    };
    Ok((Exact::after_moves(moves)?, opening))
}

/// Hears games and tells their openings.
#[derive(Debug)]
pub struct Classifier<'o> {
    openings: &'o Openings,
    depth: usize,
    ply: u32,
    found: Option<(&'o Opening, u32)>,
}

impl<'o> Classifier<'o> {
    /// With a table.
    #[must_use]
    pub fn new(openings: &'o Openings) -> Classifier<'o> {
        Classifier {
            openings,
            depth: 0,
            ply: 0,
            found: None,
        }
    }

    /// The opening of the game that was heard last, and after how many plies of it.
    #[must_use]
    pub fn found(&self) -> Option<(&'o Opening, u32)> {
        self.found
    }

    fn position(&mut self, position: &Position) {
        if let Some(opening) = self.openings.of(position) {
            self.found = Some((opening, self.ply));
        }
    }
}

impl GameSink for Classifier<'_> {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true).after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => (self.depth, self.ply, self.found) = (0, 0, None),
            Event::Start(position) => self.position(position),
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            Event::Missing => self.ply += 1,
            Event::Move { after, .. } | Event::Null { after, .. } if self.depth == 0 => {
                self.ply += 1;
                if let Some(after) = after {
                    if self.openings.is_past(after) {
                        return Flow::SkipGame;
                    }
                    self.position(after);
                }
            }
            _ => {}
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Told, tell};

    use super::*;

    const TABLE: &str = "eco\tname\tpgn\n\
        A00\tUncommon\t\n\
        B20\tSicilian Defence\t1. e4 c5\n\
        B90\tSicilian Defence: Najdorf\t1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6\n";

    fn position(moves: &str) -> Position {
        *Exact::after_moves(moves).unwrap().position()
    }

    #[test]
    fn another_order_of_moves_is_the_same_opening() {
        let openings: Openings = TABLE.parse().unwrap();
        assert_eq!(openings.len(), 3);
        let najdorf = position("1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 a6 5. Nc3 Nf6");
        assert_eq!(openings.of(&najdorf).unwrap().eco, "B90");
        assert_eq!(openings.of(&Position::initial()).unwrap().eco, "A00");
        assert_eq!(openings.of(&position("1. e4")), None);
    }

    #[test]
    fn the_deepest_name_on_the_way_counts() {
        let openings: Openings = TABLE.parse().unwrap();
        let mut classifier = Classifier::new(&openings);
        tell(
            &Told::moves("e4 c5 Nf3 ( c3 ) d6 d4 cxd4 Nxd4 a6 Nc3 Nf6 Be2"),
            &mut classifier,
        );
        let (opening, ply) = classifier.found().unwrap();
        assert_eq!((opening.eco.as_str(), ply), ("B90", 10));
        tell(&Told::moves("e4 c5 c3"), &mut classifier);
        let (opening, ply) = classifier.found().unwrap();
        assert_eq!((opening.eco.as_str(), ply), ("B20", 2));
        tell(&Told::moves("h4"), &mut classifier);
        assert_eq!(classifier.found().unwrap().0.eco, "A00");
    }

    #[test]
    fn the_later_of_two_names_counts() {
        let mut openings: Openings = TABLE.parse().unwrap();
        openings.extend("B20\tSicilian\t1. e4 c5".parse().unwrap());
        assert_eq!(openings.len(), 3);
        assert_eq!(openings.of(&position("e4 c5")).unwrap().name, "Sicilian");
    }

    #[test]
    fn every_code_has_a_position_and_a_name_of_its_own() {
        let table = include_str!("eco.tsv");
        let all: Openings = table.parse().unwrap();
        assert_eq!(all.len(), 500);
        assert_eq!(Openings::eco().len(), 500);
        let rows = table
            .lines()
            .skip(1)
            .map(|line| line.split('\t').collect::<Vec<_>>());
        let rows: Vec<_> = rows.collect();
        let codes = ('A'..='E').flat_map(|letter| (0..100).map(move |n| format!("{letter}{n:02}")));
        assert!(rows.iter().map(|row| row[0]).eq(codes));
        let names: std::collections::HashSet<&str> = rows.iter().map(|row| row[1]).collect();
        assert_eq!(names.len(), 500);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = "eco\tname\tpgn\nA00\tx\t1. e4\nA00 x"
            .parse::<Openings>()
            .unwrap_err();
        assert_eq!(error.line, 3);
        let error = "A00\tx\t1. e5".parse::<Openings>().unwrap_err();
        assert!(
            error.to_string().starts_with("line 1: not a legal move"),
            "{error}"
        );
    }
}
