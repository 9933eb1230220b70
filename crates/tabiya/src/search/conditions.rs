//! Conditions, of which a game must meet all.

use tabiya_search::{
    Exact, Material, ParseError, Path, Pattern, Pawns, Query, Test, parse, scout::Scout,
};

use super::Question;
use crate::{Filter, Position};

/// What is asked of the moves and positions of games; each condition is asked of the whole game.
///
/// ```
/// use tabiya::{Filter, search::Conditions};
///
/// let conditions = Conditions {
///     pattern: vec!["Nd5".parse()?],
///     mirror: true,
///     check: true,
///     ..Conditions::default()
/// };
/// let question = conditions.question(Filter::default())?;
/// let expected = "somewhere(pattern(Nd5) or pattern(Ne5)) and somewhere(check)";
/// assert_eq!(question.query, Some(expected.parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// These positions.
    pub fen: Vec<Exact>,
    /// The positions after these moves.
    pub moves: Vec<Exact>,
    /// Castling rights and en passant do not count in `fen` and `moves`.
    pub loose: bool,
    /// Parts of a board.
    pub pattern: Vec<Pattern>,
    /// Or the mirror images of the patterns.
    pub mirror: bool,
    /// Or the patterns with the colours exchanged.
    pub flip: bool,
    /// What is left.
    pub material: Vec<Material>,
    /// So many positions one after the other have that material.
    pub plies_held: Option<u32>,
    /// Pawn structures.
    pub pawns: Vec<Pawns>,
    /// Ways of pieces.
    pub manoeuvre: Vec<Path>,
    /// Tests that positions pass one after the other: [`Conditions::sequence`] reads them.
    pub sequence: Vec<Query>,
    /// The same without other positions between: [`Conditions::streak`].
    pub streak: Vec<Query>,
    /// Somebody castles: [`Conditions::castled`].
    pub castled: Option<Query>,
    /// Somebody is in check.
    pub check: bool,
    /// Somebody is mated.
    pub mate: bool,
    /// Somebody is stalemated.
    pub stalemate: bool,
    /// A pawn becomes a knight, a bishop or a rook.
    pub underpromotion: bool,
    /// Material is given and not regained within so many plies.
    pub sacrifice: Option<u32>,
    /// The nearest positions to this one.
    pub similar: Option<Position>,
    /// Questions with and, or, not.
    pub queries: Vec<Query>,
    /// A query of scoutfish.
    pub scout: Option<Scout>,
    /// Variations are looked at, too.
    pub in_variations: bool,
}

/// A condition that says something about another, which is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} belongs to {to}")]
pub struct LonelyCondition {
    /// Its name.
    pub name: &'static str,
    /// The name of the other, or their names.
    pub to: &'static str,
}

impl Conditions {
    /// What `castled` asks for if it names no side.
    pub const EITHER: &'static str = "either";

    /// Tests that positions pass one after the other, with semicolons between: `check; mate`.
    ///
    /// ```
    /// use tabiya::search::Conditions;
    ///
    /// assert_eq!(Conditions::sequence("check; mate")?, "sequence(check; mate)".parse()?);
    /// # Ok::<(), tabiya::search::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// If these are no tests.
    pub fn sequence(tests: &str) -> Result<Query, ParseError> {
        parse::question("sequence", Some(tests))
    }

    /// The same without other positions between.
    ///
    /// ```
    /// use tabiya::search::Conditions;
    ///
    /// assert_eq!(Conditions::streak("check; mate")?, "streak(check; mate)".parse()?);
    /// # Ok::<(), tabiya::search::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// If these are no tests.
    pub fn streak(tests: &str) -> Result<Query, ParseError> {
        parse::question("streak", Some(tests))
    }

    /// Who castles: `white`, `black`, `white-kingside` and the like, or [`Conditions::EITHER`].
    ///
    /// ```
    /// use tabiya::search::Conditions;
    ///
    /// assert_eq!(Conditions::castled("white-kingside")?, "castled(white kingside)".parse()?);
    /// # Ok::<(), tabiya::search::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// If it is no side.
    pub fn castled(side: &str) -> Result<Query, ParseError> {
        let side_of = |side: &str| parse::question("castled", Some(side));
        match side {
            Conditions::EITHER => Ok(Query::Any(vec![side_of("white")?, side_of("black")?])),
            side => side_of(&side.replace('-', " ")),
        }
    }

    /// A position that others are near to, or not, as FEN.
    ///
    /// ```
    /// use tabiya::search::Conditions;
    ///
    /// let position = Conditions::similar("8/5pk1/6p1/8/3R4/6P1/r4PK1/8")?;
    /// assert!(!position.is_check());
    /// # Ok::<(), tabiya::search::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// If it is no position.
    pub fn similar(fen: &str) -> Result<Position, ParseError> {
        Exact::from_fen(fen).map(|exact| *exact.position())
    }

    /// The question to games that pass a filter, too.
    ///
    /// ```
    /// use tabiya::{Filter, search::Conditions};
    ///
    /// let mirror = Conditions { mirror: true, ..Conditions::default() };
    /// let error = mirror.question(Filter::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "mirror belongs to pattern");
    /// ```
    ///
    /// # Errors
    /// If something is said about a condition that is not there.
    pub fn question(&self, filter: Filter) -> Result<Question, LonelyCondition> {
        self.check_belonging()?;
        let mut queries = self.tests();
        queries.extend(self.manoeuvre.iter().cloned().map(Query::Manoeuvre));
        queries.extend(self.sequence.iter().chain(&self.streak).cloned());
        queries.extend(self.castled.clone());
        queries.extend(self.sacrifice.map(Query::Sacrifice));
        queries.extend(self.queries.iter().cloned());
        queries.extend(self.scout.as_ref().map(|scout| scout.query.clone()));
        Ok(Question {
            filter,
            query: match queries.len() {
                0 | 1 => queries.pop(),
                _ => Some(Query::All(queries)),
            },
            near: self.similar,
            variations: self.in_variations,
            // Whoever shows them says which names they have.
            openings: None,
        })
    }

    fn check_belonging(&self) -> Result<(), LonelyCondition> {
        let exact = !self.fen.is_empty() || !self.moves.is_empty();
        let (pattern, material) = (!self.pattern.is_empty(), !self.material.is_empty());
        let lonely = [
            (self.loose && !exact, "loose", "fen or moves"),
            (self.mirror && !pattern, "mirror", "pattern"),
            (self.flip && !pattern, "flip", "pattern"),
            (
                self.plies_held.is_some() && !material,
                "plies_held",
                "material",
            ),
        ];
        match lonely.into_iter().find(|(is_lonely, ..)| *is_lonely) {
            Some((_, name, to)) => Err(LonelyCondition { name, to }),
            None => Ok(()),
        }
    }

    /// What some position of a game must answer.
    fn tests(&self) -> Vec<Query> {
        let exact = self.fen.iter().chain(&self.moves).cloned();
        let exact = exact.map(|exact| Test::Exact(exact.loose(self.loose)));
        let patterns = self.pattern.iter().map(|pattern| self.variants(pattern));
        let flags = [
            (self.check, Test::Check),
            (self.mate, Test::Mate),
            (self.stalemate, Test::Stalemate),
            (self.underpromotion, Test::Underpromotion),
        ];
        let flags = flags.into_iter().filter(|(asked, _)| *asked);
        let tests = exact
            .chain(patterns)
            .chain(self.pawns.iter().cloned().map(Test::Pawns))
            .chain(flags.map(|(_, test)| test));
        let material = self.material.iter().cloned().map(Test::Material);
        let material = material.map(|test| match self.plies_held {
            Some(plies) => Query::Held(plies, test),
            None => Query::Somewhere(test),
        });
        tests.map(Query::Somewhere).chain(material).collect()
    }

    /// A pattern, or one of its images.
    fn variants(&self, pattern: &Pattern) -> Test {
        let mut patterns = vec![pattern.clone()];
        if self.mirror {
            patterns.push(pattern.mirrored());
        }
        if self.flip {
            patterns.extend_from_within(..);
            let half = patterns.len() / 2;
            for pattern in &mut patterns[half..] {
                *pattern = pattern.flipped();
            }
        }
        match patterns.len() {
            1 => Test::Pattern(pattern.clone()),
            _ => Test::Any(patterns.into_iter().map(Test::Pattern).collect()),
        }
    }
}
